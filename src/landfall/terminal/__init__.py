"""A match in words, in a terminal: playing one, and telling a recorded one again."""

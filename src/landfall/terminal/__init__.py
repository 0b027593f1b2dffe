"""Matches in a terminal: playing one, and replaying a record."""

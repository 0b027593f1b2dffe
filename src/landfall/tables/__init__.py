"""A match with people at it: seats, invitations, clocks, undo, stand-ins, chat. Needs no web."""

"""Atlandice, by Scott Huntington and Shaun Graham: the rules of docs/rules/atlandice.md."""

DISPLAY_ORDER = 3  # position in lists of games

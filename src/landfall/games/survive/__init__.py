"""Survive: Escape from Atlantis! One module per chapter of docs/rules/survive.md."""

DISPLAY_ORDER = 1  # position in lists of games

"""Survive: Escape from Atlantis! One module a chapter of docs/rules/survive.md."""

DISPLAY_ORDER = 1  # its place where games are listed

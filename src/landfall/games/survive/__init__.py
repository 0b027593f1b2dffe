"""Survive: Escape from Atlantis! One module a chapter of docs/rules/survive.md."""

SHELF = 1  # its place where games are listed

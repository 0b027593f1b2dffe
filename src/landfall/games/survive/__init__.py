"""Survive: Escape from Atlantis! One module a chapter of docs/rules/survive.md."""

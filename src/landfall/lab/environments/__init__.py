"""Environments for research: one seat, all seats in turn, or many matches at once."""

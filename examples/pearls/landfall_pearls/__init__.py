"""Pearls: one rope for all, and whoever reaches the right depth brings up pearls. Rules: rules/en.md."""

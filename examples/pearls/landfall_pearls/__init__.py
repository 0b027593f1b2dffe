"""Pearls, a game for Landfall."""

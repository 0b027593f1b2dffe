"""Stones, a small game: `landfall new-game` writes it under another name, for authors to begin with."""

"""The interface that every game implements. It depends on no game."""

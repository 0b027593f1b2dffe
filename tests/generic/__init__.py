"""What every registered game must hold to: the same checks over all of them, for pytest and for the full counts."""

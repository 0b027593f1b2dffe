"""What the generic tests must know of Atlantis."""

REVEALS = {"shown"}  # AT.T8: who can do nothing shows the hand

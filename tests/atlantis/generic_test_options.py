"""What the generic tests must know of Atlantis."""

REVEALS = {"shown"}  # AT.T6: who can bring no figure anywhere shows the hand

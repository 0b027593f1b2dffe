# interpreted
"""What checks of every game must know of this one."""

REVEALS = {"shown"}  # AT.T6: who can bring no figure anywhere shows the hand

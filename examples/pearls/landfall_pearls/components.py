"""What is in the box, and the numbers of the rules."""

from typing import Final

COLOURS: Final = ("red", "yellow", "green", "blue")
MAX_PLAYERS: Final = 4

VALUES: Final = 4  # cards are worth 1 to 4 fathoms (PL.S1)
CARDS_A_VALUE: Final = 6
NUM_CARDS: Final = VALUES * CARDS_A_VALUE
HAND: Final = 3  # cards dealt to each (PL.S2)

DEEPEST: Final = 9  # fathoms (PL.D2)
BED_EVERY: Final = 3  # fathoms between two beds of pearls (PL.D3)
DRIFTS: Final = 3  # a storm leaves the rope at 0, 1 or 2 (PL.O1)


def pearls_at(depth: int) -> int:
    """How many pearls lie at this depth (PL.D3)."""
    return depth // BED_EVERY if depth % BED_EVERY == 0 else 0

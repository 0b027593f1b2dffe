"""Position evaluation for greedy bots and for searches."""

from __future__ import annotations

from landfall_pearls.components import DEEPEST, VALUES, pearls_at
from landfall_pearls.position import PearlsPosition

PEARL = 1000


def evaluate(s: PearlsPosition, seat: int) -> int:
    """Own pearls minus the best opponent's, minus what the next player may find from here."""
    others = [int(s.pearls[other]) for other in range(int(s.players)) if other != seat]
    value = PEARL * (int(s.pearls[seat]) - max(others))
    return value - within_reach(s.depth)


def within_reach(depth: int) -> int:
    """The expected find of the player to move at this depth, with all card values equally likely."""
    found = sum(pearls_at(depth + value) for value in range(1, VALUES + 1) if depth + value <= DEEPEST)
    return PEARL * found // VALUES


def prospects(s: PearlsPosition, seat: int) -> int:
    """A seat's expected pearls at the end in thousandths: its own, and an equal share of those left."""
    return PEARL * int(s.pearls[seat])

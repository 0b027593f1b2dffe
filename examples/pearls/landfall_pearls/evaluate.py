"""How good a position looks: what the greedy bot goes by, and what searches expect at the end."""

from __future__ import annotations

from landfall_pearls.components import DEEPEST, VALUES, pearls_at
from landfall_pearls.position import PearlsPosition

PEARL = 1000


def evaluate(s: PearlsPosition, seat: int) -> int:
    """Own pearls against the best of the others', less what the next in turn may find from here."""
    others = [int(s.pearls[other]) for other in range(int(s.players)) if other != seat]
    value = PEARL * (int(s.pearls[seat]) - max(others))
    return value - within_reach(s.depth)


def within_reach(depth: int) -> int:
    """What somebody about to play may find at this depth, a card of each value being as likely."""
    found = sum(pearls_at(depth + value) for value in range(1, VALUES + 1) if depth + value <= DEEPEST)
    return PEARL * found // VALUES


def prospects(s: PearlsPosition, seat: int) -> int:
    """The pearls a seat may expect at the end, in thousandths: those it has, and the same for all of what is left."""
    return PEARL * int(s.pearls[seat])

"""Events as `message_types.py` declares them; the recorder decides whether they are stored."""

from __future__ import annotations

from landfall_pearls.message_types import Dived, Drew, DrewSecret, Drifted, FoundPearls, Surfaced
from landfall_pearls.position import PearlsPosition


def dived(s: PearlsPosition, card: int, pearls: int) -> None:
    if pearls:
        found: FoundPearls = {"kind": "pearls", "seat": s.seat, "card": card, "depth": s.depth, "pearls": pearls}
        s.record_event(found, {}, 0)
    else:
        down: Dived = {"kind": "dived", "seat": s.seat, "card": card, "depth": s.depth}
        s.record_event(down, {}, 0)


def surfaced(s: PearlsPosition, card: int) -> None:
    event: Surfaced = {"kind": "surfaced", "seat": s.seat, "card": card}
    s.record_event(event, {}, 0)


def drifted(s: PearlsPosition) -> None:
    event: Drifted = {"kind": "drifted", "depth": s.depth}
    s.record_event(event, {}, 0)


def drew(s: PearlsPosition, seat: int, card: int) -> None:
    """Only its owner reads which card it is: the secret's code is the seat plus one (knowledge.py)."""
    event: Drew = {"kind": "drew", "seat": seat}
    private: DrewSecret = {"card": card}
    s.record_event(event, private, seat + 1)

"""Who may know what: hands are secret. `redraw` resamples what a seat cannot know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from landfall_pearls.actions import DRAWN, parts
from landfall_pearls.components import VALUES
from landfall_pearls.position import DEALING, PearlsPosition, held

if TYPE_CHECKING:
    from landfall.core.rng import Rng


def secret(s: PearlsPosition, action: int) -> int:
    """0 if all may read an action, otherwise a code: the seat that may, plus one (PL.S3)."""
    if parts(action)[0] != DRAWN:
        return 0
    seat = sum(s.hand) % int(s.players) if s.phase == DEALING else s.seat
    return seat + 1


def may_read(seat: int | None, code: int) -> bool:
    return code == 0 or (seat is not None and code == seat + 1)


def redraw(s: PearlsPosition, seat: int | None, rng: Rng) -> None:
    """Shuffle the deck and all other hands together, and deal as many cards again."""
    others = [other for other in range(int(s.players)) if other != seat]
    counts = [sum(held(s, other)) for other in others]
    for other in others:
        for value, n in enumerate(held(s, other)):
            s.deck[value] += n
            s.hand[other * VALUES + value] = 0
    for other, count in zip(others, counts, strict=True):
        for _ in range(count):
            value = drawn(s, rng)
            s.deck[value] -= 1
            s.hand[other * VALUES + value] += 1


def drawn(s: PearlsPosition, rng: Rng) -> int:
    """The index of a card drawn from the deck, each card equally likely."""
    left = int(rng.randbelow(sum(s.deck)))
    for value, n in enumerate(s.deck):
        left -= n
        if left < 0:
            return value
    raise AssertionError("the deck was empty")

"""Which tiles and cards pay a bill the cheapest way: suggested to who pays; how the end crossing is paid (AT.E2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from landfall.games.atlantis import ending, gaps, movement
from landfall.games.atlantis.board import MAINLAND, place_text
from landfall.games.atlantis.components import (
    FIGURE_NAMES,
    FIGURES,
    HELD,
    KINDS,
    NUM_KINDS,
    NUM_TILES,
    NUM_VALUES,
    TILE_FACE,
    face_words,
)

if TYPE_CHECKING:
    from landfall.games.atlantis.messages import Cards, Crossing, CrossingFigure, Payment
    from landfall.games.atlantis.state import AtlantisState


def cheapest(s: AtlantisState, seat: i64, due: int, cards: list[int]) -> Payment | None:
    """The smallest sum of a seat's tiles and these cards that is at least `due`; None if there is not enough.

    Of equal sums the one with the fewest cards, then the one whose tiles would have bought the fewest cards (AT.T2).
    Of the cards, those of which there are most.
    """
    found: dict[int, tuple[int, list[int]]] = {0: (0, [])}  # by sum of tiles: cards they would buy, and their faces
    for tile in range(NUM_TILES):
        if s.tile_at[tile] != HELD + seat:
            continue
        face = int(TILE_FACE[tile])
        value = face % NUM_VALUES + 1
        for total, (power, faces) in sorted(found.items(), reverse=True):
            better = found.get(total + value)
            if better is None or power + value // 2 < better[0]:
                found[total + value] = (power + value // 2, [*faces, face])
    best: tuple[int, int, int, int] | None = None
    for total, (power, _) in found.items():
        needed = max(0, due - total)
        if needed <= sum(cards):
            rank = (total + needed, needed, power, total)
            best = rank if best is None else min(best, rank)
    if best is None:
        return None
    paid, needed, _, total = best
    return {
        "tiles": [face_words(face) for face in found[total][1]],
        "cards": most_first(cards, needed),
        "sum": paid,
    }


def most_first(cards: list[int], number: int) -> Cards:
    """So many of these cards, each time one of the kind there are most of."""
    left = cards[:]
    given = [0] * NUM_KINDS
    for _ in range(number):
        kind = left.index(max(left))
        left[kind] -= 1
        given[kind] += 1
    return {KINDS[kind]: given[kind] for kind in range(NUM_KINDS) if given[kind]}


def crossing(s: AtlantisState, seat: i64) -> Crossing:
    """A seat's end crossing: each figure not yet ashore with its bill, and what is given for them together (AT.E2)."""
    figures: list[CrossingFigure] = []
    for figure in range(FIGURES):
        at = s.figure_at[seat * FIGURES + figure]
        if at != MAINLAND:
            bill = int(gaps.price_between(s, at, MAINLAND))
            figures.append({"figure": FIGURE_NAMES[figure], "from": place_text(int(at)), "bill": bill})
    due = int(ending.last_bill(s, seat))
    return {"figures": figures, "bill": due, "gives": cheapest(s, seat, due, movement.hand_of(s, seat))}

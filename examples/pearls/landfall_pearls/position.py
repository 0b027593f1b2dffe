"""The fields of a position, and who may see them. Copies, bytes and observations follow from these."""

from __future__ import annotations

from typing import Final

from landfall.core.declared_fields import (
    NOBODY,
    OWNER,
    category_field,
    list_field,
    list_per_seat_field,
    number_field,
    number_per_seat_field,
    seat_reference_field,
)
from landfall.core.game_from_declared_fields import DeclaredState
from landfall_pearls.components import CARDS_A_VALUE, DEEPEST, NUM_CARDS, VALUES

DEALING: Final = 0
TURN: Final = 1
DRIFTING: Final = 2
DRAWING: Final = 3
DONE: Final = 4
PHASES: Final = ("dealing", "turn", "drifting", "drawing", "done")


class PearlsPosition(DeclaredState):
    """The table and the hands."""

    FIELDS = (
        category_field("storm", 0, 1),  # the option
        category_field("phase", DEALING, DONE),
        seat_reference_field("seat", 0),  # whose turn it is
        number_field("depth", 0, 0, DEEPEST),
        list_per_seat_field("hand", VALUES, 0, 0, CARDS_A_VALUE, OWNER, total_visible=True),  # by seat and value
        list_field("deck", VALUES, CARDS_A_VALUE, 0, CARDS_A_VALUE, NOBODY, total_visible=True),
        number_per_seat_field("pearls", 0, 0, NUM_CARDS * DEEPEST),
    )
    storm: int
    phase: int
    seat: int
    depth: int
    hand: list[int]
    deck: list[int]
    pearls: list[int]


def held(s: PearlsPosition, seat: int) -> list[int]:
    """How many cards of each value a seat holds."""
    return s.hand[seat * VALUES : (seat + 1) * VALUES]


def used(s: PearlsPosition) -> int:
    """The number of cards played or discarded."""
    return NUM_CARDS - sum(s.hand) - sum(s.deck)

"""The numbering of actions and chance outcomes, the same for all player counts and clocks. Only this module decodes it.

A number is the first of its family plus an argument: `action_family` gives the first, the remainder is the argument. It
is a sector, a resource, a letter, or a place, which is a resource in a sector (`components.place_of_resource`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from landfall.core.int_vectors import to_vector

if TYPE_CHECKING:
    from landfall.core.int_vectors import Buf

# Actions.
OWN_DIE: Final = 0  # + sector: take a die from there
NEUTRAL_DIE: Final = 6  # + sector: take a die from there for the neutral player (AD.N1)
TAKE: Final = 12  # + place: take a piece lying there
PICK: Final = 42  # + place: the piece lying there to move or swap
TO: Final = 72  # + sector: where the piece, the die or the submarine goes
CHANGE: Final = 78  # + sector: the die lying there to change (inn c)
GIVE: Final = 84  # + resource: donate a piece
PASS: Final = 89  # donate no more
NUM_ACTIONS: Final = 90

# Chance outcomes.
ROLLED: Final = 90  # + the sector whose number a die shows
TILE: Final = 96  # + letter: the tile revealed
NUM_OUTCOMES: Final = 9

SORTS: Final = (OWN_DIE, NEUTRAL_DIE, TAKE, PICK, TO, CHANGE, GIVE, PASS, ROLLED, TILE)
SORT: Final[Buf] = to_vector(
    [max(first for first in SORTS if first <= action) for action in range(NUM_ACTIONS + NUM_OUTCOMES)]
)


def action_family(action: i64) -> i64:
    """The family of an action or outcome, as the first number of the family, such as TAKE."""
    return SORT[action]

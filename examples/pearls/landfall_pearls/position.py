"""The fields of a position, its copy and its bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from landfall.core.int_vectors import full, vector
from landfall.core.state import State
from landfall_pearls.components import CARDS_A_VALUE, DEEPEST, MAX_PLAYERS, NUM_CARDS, VALUES

if TYPE_CHECKING:
    from landfall.core.game import NumberReader
    from landfall.core.int_vectors import Buf

DEALING: Final = 0
TURN: Final = 1
DRIFTING: Final = 2
DRAWING: Final = 3
DONE: Final = 4
PHASES: Final = ("dealing", "turn", "drifting", "drawing", "done")


class PearlsPosition(State):
    """The table and the hands."""

    def __init__(self, players: int, stormy: bool) -> None:
        super().__init__(players)
        self.phase = DEALING
        self.seat = 0  # whose turn it is
        self.depth = 0
        self.stormy = int(stormy)  # the option
        self.hand = full(MAX_PLAYERS * VALUES, 0)  # by seat and value
        self.deck = full(VALUES, CARDS_A_VALUE)
        self.pearls = full(MAX_PLAYERS, 0)

    def take(self, other: PearlsPosition) -> None:
        """Become a copy of another position."""
        self.actor = other.actor
        self.phase, self.seat, self.depth = other.phase, other.seat, other.depth
        self.hand, self.deck, self.pearls = other.hand[:], other.deck[:], other.pearls[:]

    def scalars(self) -> list[int]:
        return [self.stormy, self.phase, self.seat, self.depth]

    def vectors(self) -> list[Buf]:
        return [self.hand, self.deck, self.pearls]

    def read(self, reader: NumberReader) -> None:
        """Read what `to_bytes` wrote, except players, actor and the option."""
        self.phase = reader.number(DEALING, DONE)
        self.seat = reader.number(0, int(self.players) - 1)
        self.depth = reader.number(0, DEEPEST)
        self.hand = vector(reader.row(MAX_PLAYERS * VALUES, 0, CARDS_A_VALUE))
        self.deck = vector(reader.row(VALUES, 0, CARDS_A_VALUE))
        self.pearls = vector(reader.row(MAX_PLAYERS, 0, NUM_CARDS * DEEPEST))


def held(s: PearlsPosition, seat: int) -> list[int]:
    """How many cards of each value a seat holds."""
    return [int(n) for n in s.hand[seat * VALUES : (seat + 1) * VALUES]]


def used(s: PearlsPosition) -> int:
    """The number of cards played or discarded."""
    return NUM_CARDS - sum(int(n) for n in s.hand) - sum(int(n) for n in s.deck)

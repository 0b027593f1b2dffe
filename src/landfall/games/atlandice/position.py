"""A position of Atlandice: its fields, their copy, their bytes. Everything else stands on this."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from landfall.core.state import State
from landfall.core.vectors import buf, filled
from landfall.games.atlandice.board import REGIONS, SECTORS, WORKSHOP
from landfall.games.atlandice.components import (
    DONATION,
    FACE_DOWN,
    HOLDERS,
    MOST_SPACES,
    NO_ICON,
    RESOURCES,
    TAKEN,
    TILES,
    UNSEEN,
    USED_UP,
)
from landfall.games.atlandice.phases import PHASES, REVEAL

if TYPE_CHECKING:
    from landfall.core.game import Reader
    from landfall.core.vectors import Buf

MANY: Final = 1 << 20  # points and rounds never come near


class AtlandicePosition(State):
    """Everything on the table. `icons` and `hands` never change, so copies share them."""

    def __init__(self, players: i64, icons: Buf, hands: Buf, source: AtlandicePosition | None = None) -> None:
        super().__init__(players)
        self.icons: Buf = icons  # the clock's icon on each space (AD.C4)
        self.hands: Buf = hands  # clock's hands by tile, the black market's last (AD.C3)
        if source is None:
            self.phase: i64 = REVEAL
            self.round: i64 = 0  # 0 while the first tiles are turned up
            self.first: i64 = 0  # this round's first player
            self.visits: i64 = 0  # finished in this round
            self.to_roll: i64 = 0  # dice the first player still has to roll
            self.hand: i64 = 0  # where the clock points
            self.submarine: i64 = WORKSHOP
            self.turn: i64 = 0  # whose visit it is
            self.holder: i64 = 0  # whom it benefits: the same, or the neutral player
            self.at: i64 = 0  # the sector visited
            self.picked: i64 = 0  # the place of a piece, or the sector of a die, about to be moved
            self.reveal: i64 = 0  # the stack whose next tile is to be turned up
            self.donors: i64 = 0  # players the donation has passed (AD.V5)
            self.stock: Buf = filled(HOLDERS * RESOURCES, 0)  # by holder and resource
            self.points: Buf = filled(HOLDERS, 0)  # victory points by holder, tiles not counted
            self.tile_place: Buf = filled(TILES, UNSEEN)
            self.top: Buf = filled(REGIONS, FACE_DOWN)  # the letter on top of each stack
            self.lying: Buf = filled(SECTORS * RESOURCES, 0)  # by place: see components.place_of
            self.held: Buf = filled(REGIONS, 0)  # 1: the tile on top has held a piece (AD.V3)
            self.dice: Buf = filled(SECTORS, 0)  # lying in each sector
            self.taken: Buf = filled(HOLDERS, 0)  # dice of each holder in this round
            self.gave: Buf = filled(HOLDERS, 0)  # 1: this seat's die for the neutral player is taken (AD.N1)
        else:
            self.actor = source.actor
            self.phase = source.phase
            self.round = source.round
            self.first = source.first
            self.visits = source.visits
            self.to_roll = source.to_roll
            self.hand = source.hand
            self.submarine = source.submarine
            self.turn = source.turn
            self.holder = source.holder
            self.at = source.at
            self.picked = source.picked
            self.reveal = source.reveal
            self.donors = source.donors
            self.stock = source.stock[:]
            self.points = source.points[:]
            self.tile_place = source.tile_place[:]
            self.top = source.top[:]
            self.lying = source.lying[:]
            self.held = source.held[:]
            self.dice = source.dice[:]
            self.taken = source.taken[:]
            self.gave = source.gave[:]

    def copy(self) -> AtlandicePosition:
        """An independent copy of the fields; a state's own copy plays."""
        return AtlandicePosition(self.players, self.icons, self.hands, self)

    def scalars(self) -> list[int]:
        """All single numbers, in the order `load` reads them."""
        last = len(self.icons) - 1
        turn = [self.phase, self.round, self.first, self.visits, self.to_roll, self.hand, self.submarine]
        visit = [self.turn, self.holder, self.at, self.picked, self.reveal, self.donors]
        return [last] + [int(x) for x in turn] + [int(x) for x in visit]

    def vectors(self) -> list[Buf]:
        """All vectors, in the order `load` reads them."""
        clock = [self.icons, self.hands]
        players = [self.stock, self.points, self.taken, self.gave]
        return clock + players + [self.tile_place, self.top, self.lying, self.held, self.dice]

    def load(self, reader: Reader) -> None:
        """The same numbers, read back and held to their bounds."""
        players = int(self.players)
        last = reader.one(1, MOST_SPACES)
        self.phase = reader.one(0, len(PHASES) - 1)
        self.round = reader.one(0, MANY)
        self.first = reader.one(0, players - 1)
        self.visits = reader.one(0, 8)
        self.to_roll = reader.one(0, 9)
        self.hand = reader.one(0, last)
        self.submarine = reader.one(0, SECTORS - 1)
        self.turn = reader.one(0, players - 1)
        self.holder = reader.one(0, HOLDERS - 1)
        self.at = reader.one(0, SECTORS - 1)
        self.picked = reader.one(0, SECTORS * RESOURCES - 1)
        self.reveal = reader.one(0, REGIONS - 1)
        self.donors = reader.one(0, players - 1)
        self.icons = buf(reader.many(last + 1, NO_ICON, DONATION))
        self.hands = buf(reader.many(TILES + 1, 1, MOST_SPACES))
        self.stock = buf(reader.many(HOLDERS * RESOURCES, 0, 12))
        self.points = buf(reader.many(HOLDERS, 0, MANY))
        self.taken = buf(reader.many(HOLDERS, 0, 3))
        self.gave = buf(reader.many(HOLDERS, 0, 1))
        self.tile_place = buf(reader.many(TILES, 0, TAKEN + HOLDERS - 1))
        self.top = buf(reader.many(REGIONS, USED_UP, FACE_DOWN))
        self.lying = buf(reader.many(SECTORS * RESOURCES, 0, 12))
        self.held = buf(reader.many(REGIONS, 0, 1))
        self.dice = buf(reader.many(SECTORS, 0, 9))

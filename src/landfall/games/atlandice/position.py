"""A position of Atlandice: its fields, their copy, their bytes. No rule.

`core/fields.py` says how fields are declared; what stands between `# fields` and `# end of fields` is written from
the declarations by `python -m tests.fields`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from landfall.core.fields import number, row
from landfall.core.state import State
from landfall.core.vectors import buf
from landfall.games.atlandice.board import REGIONS, SECTORS, WORKSHOP, Sector
from landfall.games.atlandice.components import (
    DONATION,
    FACE_DOWN,
    HOLDERS,
    MOST_DICE,
    MOST_OF_A_RESOURCE,
    MOST_SPACES,
    MOST_VISITS,
    NO_ICON,
    OWN_DICE,
    RESOURCES,
    TAKEN,
    TILES,
    UNSEEN,
    USED_UP,
)
from landfall.games.atlandice.phases import FINISHED, REVEAL, Phase

if TYPE_CHECKING:
    from landfall.core.game import Reader
    from landfall.core.vectors import Buf

MANY: Final = 1 << 20  # points and rounds never come near


class AtlandicePosition(State):
    """Everything on the table. The clock, `icons` and `hands`, never changes, so that copies share it."""

    def __init__(self, players: i64, icons: Buf, hands: Buf, source: AtlandicePosition | None = None) -> None:
        super().__init__(players)
        self.icons: Buf = icons  # the clock's icon on each space (AD.C4)
        self.hands: Buf = hands  # clock's hands by tile, the black market's last (AD.C3)
        if source is None:
            self.phase = Phase(number(REVEAL, 0, FINISHED))
            self.round = number(0, 0, MANY)  # 0 while the first tiles are turned up
            self.first = number(0, 0, self.players - 1)  # this round's first player
            self.visits = number(0, 0, MOST_VISITS)  # finished in this round
            self.to_roll = number(0, 0, MOST_DICE)  # dice the first player still has to roll
            self.hand = number(0, 0, MOST_SPACES)  # where the clock points
            self.submarine = Sector(number(WORKSHOP, 0, SECTORS - 1))
            self.turn = number(0, 0, self.players - 1)  # whose visit it is
            self.holder = number(0, 0, HOLDERS - 1)  # whom it benefits: the same, or the neutral player
            self.at = Sector(number(0, 0, SECTORS - 1))  # the sector visited
            self.picked = number(0, 0, SECTORS * RESOURCES - 1)  # the place of a piece, or a die's sector, to move from
            self.reveal = Sector(number(0, 0, REGIONS - 1))  # the stack whose next tile is to be turned up
            self.donors = number(0, 0, self.players - 1)  # players the donation has passed (AD.V5)
            self.stock = row(HOLDERS * RESOURCES, 0, 0, MOST_OF_A_RESOURCE)  # by holder and resource
            self.points = row(HOLDERS, 0, 0, MANY)  # victory points by holder, tiles not counted
            self.taken = row(HOLDERS, 0, 0, OWN_DICE + 1)  # dice of each holder in this round
            self.gave = row(HOLDERS, 0, 0, 1)  # 1: this seat's die for the neutral player is taken (AD.N1)
            self.tile_place = row(TILES, UNSEEN, UNSEEN, TAKEN + HOLDERS - 1)
            self.top = row(REGIONS, FACE_DOWN, USED_UP, FACE_DOWN)  # the letter on top of each stack
            self.lying = row(SECTORS * RESOURCES, 0, 0, MOST_OF_A_RESOURCE)  # by place: see components.place_of
            self.held = row(REGIONS, 0, 0, 1)  # 1: the tile on top has held a piece (AD.V3)
            self.dice = row(SECTORS, 0, 0, MOST_DICE)  # lying in each sector
        else:
            self.actor = source.actor
            # fields: copy
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
            self.taken = source.taken[:]
            self.gave = source.gave[:]
            self.tile_place = source.tile_place[:]
            self.top = source.top[:]
            self.lying = source.lying[:]
            self.held = source.held[:]
            self.dice = source.dice[:]
            # end of fields

    def copy(self) -> AtlandicePosition:
        return AtlandicePosition(self.players, self.icons, self.hands, self)

    def scalars(self) -> list[int]:
        return [
            len(self.icons) - 1,
            # fields: numbers
            int(self.phase),
            int(self.round),
            int(self.first),
            int(self.visits),
            int(self.to_roll),
            int(self.hand),
            int(self.submarine),
            int(self.turn),
            int(self.holder),
            int(self.at),
            int(self.picked),
            int(self.reveal),
            int(self.donors),
            # end of fields
        ]

    def vectors(self) -> list[Buf]:
        return [
            self.icons,
            self.hands,
            # fields: rows
            self.stock,
            self.points,
            self.taken,
            self.gave,
            self.tile_place,
            self.top,
            self.lying,
            self.held,
            self.dice,
            # end of fields
        ]

    def read(self, reader: Reader) -> None:
        """The fields, the clock's face and hands among them."""
        last = reader.one(1, MOST_SPACES)
        # fields: read_numbers
        self.phase = Phase(reader.one(0, FINISHED))
        self.round = reader.one(0, MANY)
        self.first = reader.one(0, self.players - 1)
        self.visits = reader.one(0, MOST_VISITS)
        self.to_roll = reader.one(0, MOST_DICE)
        self.hand = reader.one(0, MOST_SPACES)
        self.submarine = Sector(reader.one(0, SECTORS - 1))
        self.turn = reader.one(0, self.players - 1)
        self.holder = reader.one(0, HOLDERS - 1)
        self.at = Sector(reader.one(0, SECTORS - 1))
        self.picked = reader.one(0, SECTORS * RESOURCES - 1)
        self.reveal = Sector(reader.one(0, REGIONS - 1))
        self.donors = reader.one(0, self.players - 1)
        # end of fields
        self.icons = buf(reader.many(last + 1, NO_ICON, DONATION))
        self.hands = buf(reader.many(TILES + 1, 1, MOST_SPACES))
        # fields: read_rows
        self.stock = buf(reader.many(HOLDERS * RESOURCES, 0, MOST_OF_A_RESOURCE))
        self.points = buf(reader.many(HOLDERS, 0, MANY))
        self.taken = buf(reader.many(HOLDERS, 0, OWN_DICE + 1))
        self.gave = buf(reader.many(HOLDERS, 0, 1))
        self.tile_place = buf(reader.many(TILES, UNSEEN, TAKEN + HOLDERS - 1))
        self.top = buf(reader.many(REGIONS, USED_UP, FACE_DOWN))
        self.lying = buf(reader.many(SECTORS * RESOURCES, 0, MOST_OF_A_RESOURCE))
        self.held = buf(reader.many(REGIONS, 0, 1))
        self.dice = buf(reader.many(SECTORS, 0, MOST_DICE))
        # end of fields

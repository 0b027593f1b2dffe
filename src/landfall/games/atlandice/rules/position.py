"""A position of Atlandice: its fields, with copying and serialisation. No rules.

Fields are declared as `core/position_field_declarations.py` describes; `python -m tests.fields` generates the code
between `# fields` and `# end of fields` from the declarations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from landfall.core.int_vectors import to_vector
from landfall.core.position_field_declarations import (
    declare_given_vector,
    declare_number,
    declare_passing_number,
    declare_vector,
)
from landfall.core.state import State
from landfall.games.atlandice.rules import board, components, phases

if TYPE_CHECKING:
    from landfall.core.game import SerializedStateReader
    from landfall.core.int_vectors import Buf

MAX_POINTS_OR_ROUNDS: Final = 1 << 20  # bound that points and rounds never approach


class AtlandicePosition(State):
    """Everything on the table. The clock, `icons` and `hands`, is constant, so copies share it."""

    def __init__(self, players: i64, icons: Buf, hands: Buf, source: AtlandicePosition | None = None) -> None:
        super().__init__(players)
        if source is None:
            # the clock's icon on each space (AD.C4)
            self.icons = declare_given_vector(icons, components.MAX_SPACES + 1, components.NO_ICON, components.DONATION)
            # clock's hands by tile, the black market's last (AD.C3)
            self.hands = declare_given_vector(hands, components.TILES + 1, 1, components.MAX_SPACES)
            self.phase = phases.Phase(declare_passing_number(phases.REVEAL, 0, phases.FINISHED, phases.CLOCK_DONE))
            self.round = declare_number(0, 0, MAX_POINTS_OR_ROUNDS)  # 0 while the first tiles are turned up
            self.first = declare_number(0, 0, self.players - 1)  # this round's first player
            self.visits = declare_number(0, 0, components.MAX_VISITS)  # finished in this round
            self.to_roll = declare_number(0, 0, components.MAX_DICE)  # dice the first player still has to roll
            self.hand = declare_number(0, 0, components.MAX_SPACES)  # where the clock points
            self.submarine = board.Sector(declare_number(board.WORKSHOP, 0, board.SECTORS - 1))
            self.turn = declare_number(0, 0, self.players - 1)  # the seat whose visit it is
            self.holder = declare_number(
                0, 0, components.HOLDERS - 1
            )  # the holder it benefits: the same, or the neutral player
            self.at = board.Sector(declare_number(0, 0, board.SECTORS - 1))  # the sector visited
            # the place of a piece, or a die's sector, to move from
            self.picked = declare_number(0, 0, board.SECTORS * components.RESOURCES - 1)
            self.reveal = board.Sector(
                declare_number(0, 0, board.REGIONS - 1)
            )  # the stack whose next tile is to be turned up
            # players who have finished donating (AD.V5)
            self.donors = declare_passing_number(0, 0, self.players - 1, self.players)
            self.stock = declare_vector(
                components.HOLDERS * components.RESOURCES, 0, 0, components.MAX_PER_RESOURCE
            )  # by holder and resource
            self.points = declare_vector(
                components.HOLDERS, 0, 0, MAX_POINTS_OR_ROUNDS
            )  # victory points by holder, without tiles
            self.taken = declare_vector(
                components.HOLDERS, 0, 0, components.OWN_DICE + 1
            )  # dice of each holder in this round
            self.gave = declare_vector(
                components.HOLDERS, 0, 0, 1
            )  # 1: this seat's die for the neutral player is taken (AD.N1)
            self.tile_place = declare_vector(
                components.TILES, components.UNSEEN, components.UNSEEN, components.TAKEN + components.HOLDERS - 1
            )
            self.top = declare_vector(
                board.REGIONS, components.FACE_DOWN, components.USED_UP, components.FACE_DOWN
            )  # the letter on top of each stack
            # by place: see components.place_of_resource
            self.lying = declare_vector(board.SECTORS * components.RESOURCES, 0, 0, components.MAX_PER_RESOURCE)
            self.held = declare_vector(board.REGIONS, 0, 0, 1)  # 1: the tile on top has held a piece (AD.V3)
            self.dice = declare_vector(board.SECTORS, 0, 0, components.MAX_DICE)  # lying in each sector
        else:
            self.actor = source.actor
            # fields: copy
            self.icons = source.icons
            self.hands = source.hands
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

    def read_fields(self, reader: SerializedStateReader) -> None:
        """Read the fields, including the clock's face and hands."""
        last = reader.read_next_in_range(1, components.MAX_SPACES)
        # fields: read_numbers
        self.phase = phases.Phase(reader.read_next_in_range(0, phases.FINISHED))
        self.round = reader.read_next_in_range(0, MAX_POINTS_OR_ROUNDS)
        self.first = reader.read_next_in_range(0, self.players - 1)
        self.visits = reader.read_next_in_range(0, components.MAX_VISITS)
        self.to_roll = reader.read_next_in_range(0, components.MAX_DICE)
        self.hand = reader.read_next_in_range(0, components.MAX_SPACES)
        self.submarine = board.Sector(reader.read_next_in_range(0, board.SECTORS - 1))
        self.turn = reader.read_next_in_range(0, self.players - 1)
        self.holder = reader.read_next_in_range(0, components.HOLDERS - 1)
        self.at = board.Sector(reader.read_next_in_range(0, board.SECTORS - 1))
        self.picked = reader.read_next_in_range(0, board.SECTORS * components.RESOURCES - 1)
        self.reveal = board.Sector(reader.read_next_in_range(0, board.REGIONS - 1))
        self.donors = reader.read_next_in_range(0, self.players - 1)
        # end of fields
        self.icons = to_vector(reader.read_next_vector(last + 1, components.NO_ICON, components.DONATION))
        self.hands = to_vector(reader.read_next_vector(components.TILES + 1, 1, components.MAX_SPACES))
        # fields: read_rows
        self.stock = to_vector(
            reader.read_next_vector(components.HOLDERS * components.RESOURCES, 0, components.MAX_PER_RESOURCE)
        )
        self.points = to_vector(reader.read_next_vector(components.HOLDERS, 0, MAX_POINTS_OR_ROUNDS))
        self.taken = to_vector(reader.read_next_vector(components.HOLDERS, 0, components.OWN_DICE + 1))
        self.gave = to_vector(reader.read_next_vector(components.HOLDERS, 0, 1))
        self.tile_place = to_vector(
            reader.read_next_vector(components.TILES, components.UNSEEN, components.TAKEN + components.HOLDERS - 1)
        )
        self.top = to_vector(reader.read_next_vector(board.REGIONS, components.USED_UP, components.FACE_DOWN))
        self.lying = to_vector(
            reader.read_next_vector(board.SECTORS * components.RESOURCES, 0, components.MAX_PER_RESOURCE)
        )
        self.held = to_vector(reader.read_next_vector(board.REGIONS, 0, 1))
        self.dice = to_vector(reader.read_next_vector(board.SECTORS, 0, components.MAX_DICE))
        # end of fields

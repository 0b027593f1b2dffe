"""A position of Atlantis: its fields, with copying and serialisation. No rules.

Fields are declared as `core/position_field_declarations.py` describes; `python -m tests.fields` generates the code
between `# fields` and `# end of fields` from the declarations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from landfall.core.int_vectors import to_vector
from landfall.core.position_field_declarations import (
    declare_derived_number,
    declare_derived_vector,
    declare_number,
    declare_passing_number,
    declare_vector,
)
from landfall.core.state import State
from landfall.games.atlantis.rules import board, components, phases

if TYPE_CHECKING:
    from landfall.core.game import SerializedStateReader
    from landfall.core.int_vectors import Buf


class AtlantisPosition(State):
    """See `board` for positions, `components` for tiles, `phases` for the phases of a turn."""

    def __init__(self, players: i64, source: AtlantisPosition | None = None) -> None:
        super().__init__(players)
        if source is None:
            self.phase = phases.Phase(declare_number(phases.LAYING, 0, phases.DONE))
            self.seat = declare_number(0, 0, self.players - 1)  # the seat whose turn it is, also while chance acts
            self.mover = declare_number(-1, -1, components.FIGURES - 1)  # the figure being moved, 0 to 2
            self.origin = declare_number(board.ATLANTIS, board.ATLANTIS, board.POSITIONS - 1)  # where it started
            self.bill = declare_number(0, 0, components.MAX_TO_PAY)
            self.paid = declare_number(0, 0, components.MAX_TO_PAY)
            self.to_draw = declare_number(0, 0, components.MAX_TO_DRAW)
            self.bought_count = declare_number(0, 0, components.MAX_BOUGHT)  # cards bought this turn
            self.laid = declare_number(0, 0, 1)  # 1 if the bridge was laid at the first opportunity of this turn
            # consecutive players who were stuck and could draw nothing (AT.E4)
            self.idle = declare_number(0, 0, self.players)
            # the position where chance turns up a tile; -1: none
            self.spot = declare_passing_number(0, -1, board.POSITIONS - 1, board.POSITIONS)
            # the path's first and last tile; `recompute_derived_fields` computes all derived fields
            self.first = declare_derived_number(0, 0, board.MAINLAND)
            self.last = declare_derived_number(-1, -1, board.POSITIONS - 1)
            self.tile_at = declare_vector(
                components.NUM_TILES, components.UNSEEN, components.UNSEEN, components.HELD + self.players - 1
            )  # by tile
            self.top = declare_vector(
                board.POSITIONS, -1, -1, components.NUM_TILES - 1
            )  # by position: the tile on top, -1 for water
            self.below = declare_vector(board.POSITIONS, 0, 0, 1)  # by position: unseen tiles, 0 or 1
            self.bridge = declare_vector(
                board.POSITIONS, 0, 0, 1
            )  # by position; one position with a bridge bridges its gap
            self.figure_at = declare_vector(
                components.MAX_PLAYERS * components.FIGURES, board.ATLANTIS, board.ATLANTIS, board.MAINLAND
            )  # by seat and figure
            # by seat and kind, like the next two
            self.hand = declare_vector(components.MAX_PLAYERS * components.NUM_KINDS, 0, 0, components.CARDS_A_KIND)
            # how many of these are public (AT.T6)
            self.known = declare_vector(components.MAX_PLAYERS * components.NUM_KINDS, 0, 0, components.CARDS_A_KIND)
            # drawn since the deck was last shuffled
            self.drawn = declare_vector(components.MAX_PLAYERS * components.NUM_KINDS, 0, 0, components.NUM_CARDS)
            self.bought = declare_vector(
                components.NUM_KINDS, 0, 0, components.MAX_BOUGHT
            )  # in the hand in turn, bought this turn (AT.G3)
            self.played = declare_vector(components.NUM_KINDS, 0, 0, components.CARDS_A_KIND)  # this turn
            self.deck = declare_vector(components.NUM_KINDS, components.CARDS_A_KIND, 0, components.CARDS_A_KIND)
            self.discard = declare_vector(components.NUM_KINDS, 0, 0, components.CARDS_A_KIND)
            self.out_cards = declare_vector(components.NUM_KINDS, 0, 0, components.CARDS_A_KIND)
            # the deck when it was last shuffled
            self.shuffled = declare_vector(components.NUM_KINDS, components.CARDS_A_KIND, 0, components.CARDS_A_KIND)
            self.holds_bridge = declare_vector(components.MAX_PLAYERS, 0, 0, 1)  # by seat: 1 while it is not laid
            # the value of each seat's tiles
            self.worth = declare_derived_vector(
                components.MAX_PLAYERS, 0, 0, components.NUM_TILES * components.NUM_VALUES
            )
            self.faces = declare_derived_vector(
                components.MAX_PLAYERS, 0, 0, components.ALL_FACES
            )  # a bit for each face that a seat holds
            # the figure on it, seat * 3 + figure
            self.occupant = declare_derived_vector(
                board.POSITIONS, -1, -1, components.MAX_PLAYERS * components.FIGURES - 1
            )
            self.toll = declare_derived_vector(
                board.STATIONS, 0, 0, components.MAX_TO_PAY
            )  # see gaps.update_path_tables
            # see path_tiles.recompute_derived_fields
            self.ahead = declare_derived_vector(components.NUM_KINDS * board.ROW, board.MAINLAND, 0, board.MAINLAND)
        else:
            self.actor = source.actor
            # fields: copy
            self.phase = source.phase
            self.seat = source.seat
            self.mover = source.mover
            self.origin = source.origin
            self.bill = source.bill
            self.paid = source.paid
            self.to_draw = source.to_draw
            self.bought_count = source.bought_count
            self.laid = source.laid
            self.idle = source.idle
            self.spot = source.spot
            self.first = source.first
            self.last = source.last
            self.tile_at = source.tile_at[:]
            self.top = source.top[:]
            self.below = source.below[:]
            self.bridge = source.bridge[:]
            self.figure_at = source.figure_at[:]
            self.hand = source.hand[:]
            self.known = source.known[:]
            self.drawn = source.drawn[:]
            self.bought = source.bought[:]
            self.played = source.played[:]
            self.deck = source.deck[:]
            self.discard = source.discard[:]
            self.out_cards = source.out_cards[:]
            self.shuffled = source.shuffled[:]
            self.holds_bridge = source.holds_bridge[:]
            self.worth = source.worth[:]
            self.faces = source.faces[:]
            self.occupant = source.occupant[:]
            self.toll = source.toll[:]
            self.ahead = source.ahead[:]
            # end of fields

    def copy(self) -> AtlantisPosition:
        return AtlantisPosition(self.players, self)

    def scalars(self) -> list[int]:
        return [
            # fields: numbers
            int(self.phase),
            int(self.seat),
            int(self.mover),
            int(self.origin),
            int(self.bill),
            int(self.paid),
            int(self.to_draw),
            int(self.bought_count),
            int(self.laid),
            int(self.idle),
            int(self.spot),
            # end of fields
        ]

    def vectors(self) -> list[Buf]:
        return [
            # fields: rows
            self.tile_at,
            self.top,
            self.below,
            self.bridge,
            self.figure_at,
            self.hand,
            self.known,
            self.drawn,
            self.bought,
            self.played,
            self.deck,
            self.discard,
            self.out_cards,
            self.shuffled,
            self.holds_bridge,
            # end of fields
        ]

    def read_fields(self, reader: SerializedStateReader) -> None:
        """Read the serialised fields; `path_tiles.recompute_derived_fields` fills in the derived ones."""
        # fields: read
        self.phase = phases.Phase(reader.read_next_in_range(0, phases.DONE))
        self.seat = reader.read_next_in_range(0, self.players - 1)
        self.mover = reader.read_next_in_range(-1, components.FIGURES - 1)
        self.origin = reader.read_next_in_range(board.ATLANTIS, board.POSITIONS - 1)
        self.bill = reader.read_next_in_range(0, components.MAX_TO_PAY)
        self.paid = reader.read_next_in_range(0, components.MAX_TO_PAY)
        self.to_draw = reader.read_next_in_range(0, components.MAX_TO_DRAW)
        self.bought_count = reader.read_next_in_range(0, components.MAX_BOUGHT)
        self.laid = reader.read_next_in_range(0, 1)
        self.idle = reader.read_next_in_range(0, self.players)
        self.spot = reader.read_next_in_range(-1, board.POSITIONS - 1)
        self.tile_at = to_vector(
            reader.read_next_vector(components.NUM_TILES, components.UNSEEN, components.HELD + self.players - 1)
        )
        self.top = to_vector(reader.read_next_vector(board.POSITIONS, -1, components.NUM_TILES - 1))
        self.below = to_vector(reader.read_next_vector(board.POSITIONS, 0, 1))
        self.bridge = to_vector(reader.read_next_vector(board.POSITIONS, 0, 1))
        self.figure_at = to_vector(
            reader.read_next_vector(components.MAX_PLAYERS * components.FIGURES, board.ATLANTIS, board.MAINLAND)
        )
        self.hand = to_vector(
            reader.read_next_vector(components.MAX_PLAYERS * components.NUM_KINDS, 0, components.CARDS_A_KIND)
        )
        self.known = to_vector(
            reader.read_next_vector(components.MAX_PLAYERS * components.NUM_KINDS, 0, components.CARDS_A_KIND)
        )
        self.drawn = to_vector(
            reader.read_next_vector(components.MAX_PLAYERS * components.NUM_KINDS, 0, components.NUM_CARDS)
        )
        self.bought = to_vector(reader.read_next_vector(components.NUM_KINDS, 0, components.MAX_BOUGHT))
        self.played = to_vector(reader.read_next_vector(components.NUM_KINDS, 0, components.CARDS_A_KIND))
        self.deck = to_vector(reader.read_next_vector(components.NUM_KINDS, 0, components.CARDS_A_KIND))
        self.discard = to_vector(reader.read_next_vector(components.NUM_KINDS, 0, components.CARDS_A_KIND))
        self.out_cards = to_vector(reader.read_next_vector(components.NUM_KINDS, 0, components.CARDS_A_KIND))
        self.shuffled = to_vector(reader.read_next_vector(components.NUM_KINDS, 0, components.CARDS_A_KIND))
        self.holds_bridge = to_vector(reader.read_next_vector(components.MAX_PLAYERS, 0, 1))
        # end of fields

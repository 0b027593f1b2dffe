"""A position of Survive: the places of all pieces and the current question, with copying and serialisation. No rules.

Fields are declared as `core/position_field_declarations.py` describes; `python -m tests.fields` generates the code
between `# fields` and `# end of fields` from the declarations. `components.py` and `phases.py` define the numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from landfall.core.int_vectors import to_vector
from landfall.core.position_field_declarations import (
    declare_derived_vector,
    declare_number,
    declare_vector,
    declare_vector_of,
)
from landfall.core.state import State
from landfall.games.survive.rules import board, components, phases
from landfall.games.survive.rules.options import TableRules

if TYPE_CHECKING:
    from landfall.core.game import SerializedStateReader
    from landfall.core.int_vectors import Buf


class SurvivePosition(State):
    """See the comments beside the fields."""

    def __init__(self, rules: TableRules, source: SurvivePosition | None = None) -> None:
        super().__init__(rules.players)
        self.rules = rules
        # A bit for each explorer that may have changed since the last observation row, and one each for ships,
        # creatures and seats (components.SHIPS_CHANGED and the next).
        self.changed: i64 = -1
        if source is None:
            self.phase = phases.Phase(declare_number(phases.LAYING, 0, phases.PHASES - 1))  # what is asked
            self.step = phases.Step(
                declare_number(phases.STEP_SETUP, 0, phases.STEPS - 1)
            )  # which step of the turn it belongs to
            self.turn = declare_number(0, 0, self.players - 1)  # the seat whose turn it is
            self.points = declare_number(0, 0, components.MOVEMENT_POINTS)  # movement points left
            self.tiles_left = declare_number(board.SLOTS, 0, board.SLOTS)
            self.ships_left = declare_number(components.SHIPS, 0, components.SHIPS)  # in the supply
            self.set_up = declare_number(0, 0, components.EXPLORERS)  # tiles laid, then explorers placed, during set-up
            self.tile_space = declare_number(
                board.NOWHERE, board.NOWHERE, board.SPACES - 1
            )  # the space of the tile removed this turn
            self.tile_terrain = components.Terrain(
                declare_number(components.SEA, components.SEA, components.TERRAINS - 1)
            )  # its terrain
            self.face = components.Face(
                declare_number(components.NO_FACE, components.NO_FACE, components.FACES - 1)
            )  # the face of the die
            self.far = declare_number(
                0, 0, components.ANYWHERE
            )  # range from the second dive die; 0: the kind's own range
            # the creature that attacks, or the squid that takes prey
            self.creature = declare_number(components.NONE, components.NONE, components.CREATURES - 1)
            self.prey_aboard = declare_number(0, 0, 1)  # 1: the squid may also take from the ship in its space (SV.Q5)
            # clockwise from the turn's seat: the next to be asked (SV.D4, SV.O5)
            self.ask_next = declare_number(0, 0, components.COLOURS)
            self.mini_seat = declare_number(
                components.NONE, components.NONE, self.players - 1
            )  # the seat with the point of SV.O5
            # touched by an event while a ward is chosen (SV.N12)
            self.touched = declare_number(board.NOWHERE, board.NOWHERE, board.SPACES - 1)
            self.touched_too = declare_number(board.NOWHERE, board.NOWHERE, board.SPACES - 1)
            self.quiet_rounds = declare_number(0, 0, 10)  # SV.G3
            self.round_counts = declare_number(0, 0, 1)  # the round began with no tile left
            self.stirred = declare_number(0, 0, 1)  # an explorer landed or was removed this round
            self.tile = declare_vector(
                board.SPACES, components.SEA, components.SEA, components.UNLAID
            )  # by space: the terrain, or SEA
            self.ship_at = declare_derived_vector(
                board.SPACES, components.NONE, components.NONE, components.SHIPS - 1
            )  # by space
            # by space: explorers on the tile or in the water, not those aboard
            self.people_at = declare_derived_vector(board.SPACES, 0, 0, components.EXPLORERS)
            # by space: counts of each kind, packed (components.ONE)
            self.creatures_at = declare_derived_vector(board.SPACES, 0, 0, components.ALL_COUNTS)
            self.where = declare_vector(
                components.EXPLORERS, components.UNPLACED, components.ASIDE, board.PLACES - 1
            )  # by explorer
            self.value = declare_vector(components.EXPLORERS, 0, 0, components.VALUES)  # by explorer; 0 until placed
            self.aboard = declare_vector(
                components.EXPLORERS, components.NONE, components.NONE, components.SHIPS - 1
            )  # by explorer: the ship
            self.guard = declare_vector(
                components.EXPLORERS, components.NONE, components.NONE, components.DOLPHINS - 1
            )  # by explorer: the dolphin
            self.marks = declare_vector(
                components.EXPLORERS, 0, 0, components.ACTED | components.FELL
            )  # by explorer: ACTED, FELL
            # by ship; NOWHERE: in the supply or out
            self.ship_space = declare_vector(components.SHIPS, board.NOWHERE, board.NOWHERE, board.SPACES - 1)
            # by ship and seat, from the first
            self.ship_seat = declare_vector(
                components.SHIPS * components.SHIP_SEATS, components.NONE, components.NONE, components.EXPLORERS - 1
            )
            self.creature_space = declare_vector(
                components.CREATURES, board.NOWHERE, board.NOWHERE, board.SPACES - 1
            )  # by creature
            self.ward = declare_vector(
                components.DOLPHINS, components.NONE, components.NONE, components.EXPLORERS - 1
            )  # by dolphin: the explorer it guards
            self.creature_left = declare_vector_of(components.SUPPLY, 0, 6)  # by kind: in the supply
            self.back_left = declare_vector_of(
                components.BACKS_OF_TERRAINS, 0, 4
            )  # by terrain and back: still on the island
            # by terrain: not yet laid, then still on the island
            self.terrain_left = declare_vector_of(components.TILES_OF_TERRAINS, 0, 16)
            self.hand = declare_vector(
                components.COLOURS * components.TERRAINS * components.HAND_KINDS, 0, 0, 3
            )  # by seat, terrain and back: how many
            self.hand_size = declare_vector(components.COLOURS, 0, 0, 18)  # by seat
            self.values_left = declare_vector(
                components.COLOURS * components.VALUES, 0, 0, 3
            )  # by colour and value: not yet placed
            self.placed = declare_vector(components.COLOURS, 0, 0, components.PER_COLOUR)  # by colour: explorers placed
            self.ships_to_put = declare_vector(components.COLOURS, 0, 0, components.MAX_SHIPS_TO_PUT)  # by seat
            # by seat: explorers on tiles, ships, in the water
            self.in_play = declare_derived_vector(components.COLOURS, 0, 0, 2 * components.PER_COLOUR)
            self.turns = declare_vector(components.COLOURS, 0, 0, 1 << 40)  # by seat: turns begun
            self.bounties = declare_vector(components.COLOURS, 0, 0, components.EXPLORERS)  # by seat: points of SV.E1
        else:
            self.actor = source.actor
            # fields: copy
            self.phase = source.phase
            self.step = source.step
            self.turn = source.turn
            self.points = source.points
            self.tiles_left = source.tiles_left
            self.ships_left = source.ships_left
            self.set_up = source.set_up
            self.tile_space = source.tile_space
            self.tile_terrain = source.tile_terrain
            self.face = source.face
            self.far = source.far
            self.creature = source.creature
            self.prey_aboard = source.prey_aboard
            self.ask_next = source.ask_next
            self.mini_seat = source.mini_seat
            self.touched = source.touched
            self.touched_too = source.touched_too
            self.quiet_rounds = source.quiet_rounds
            self.round_counts = source.round_counts
            self.stirred = source.stirred
            self.tile = source.tile[:]
            self.ship_at = source.ship_at[:]
            self.people_at = source.people_at[:]
            self.creatures_at = source.creatures_at[:]
            self.where = source.where[:]
            self.value = source.value[:]
            self.aboard = source.aboard[:]
            self.guard = source.guard[:]
            self.marks = source.marks[:]
            self.ship_space = source.ship_space[:]
            self.ship_seat = source.ship_seat[:]
            self.creature_space = source.creature_space[:]
            self.ward = source.ward[:]
            self.creature_left = source.creature_left[:]
            self.back_left = source.back_left[:]
            self.terrain_left = source.terrain_left[:]
            self.hand = source.hand[:]
            self.hand_size = source.hand_size[:]
            self.values_left = source.values_left[:]
            self.placed = source.placed[:]
            self.ships_to_put = source.ships_to_put[:]
            self.in_play = source.in_play[:]
            self.turns = source.turns[:]
            self.bounties = source.bounties[:]
            # end of fields

    def copy(self) -> SurvivePosition:
        return SurvivePosition(self.rules, self)

    def scalars(self) -> list[int]:
        return self.rules.numbers + [
            # fields: numbers
            int(self.phase),
            int(self.step),
            int(self.turn),
            int(self.points),
            int(self.tiles_left),
            int(self.ships_left),
            int(self.set_up),
            int(self.tile_space),
            int(self.tile_terrain),
            int(self.face),
            int(self.far),
            int(self.creature),
            int(self.prey_aboard),
            int(self.ask_next),
            int(self.mini_seat),
            int(self.touched),
            int(self.touched_too),
            int(self.quiet_rounds),
            int(self.round_counts),
            int(self.stirred),
            # end of fields
        ]

    def vectors(self) -> list[Buf]:
        return [
            # fields: rows
            self.tile,
            self.where,
            self.value,
            self.aboard,
            self.guard,
            self.marks,
            self.ship_space,
            self.ship_seat,
            self.creature_space,
            self.ward,
            self.creature_left,
            self.back_left,
            self.terrain_left,
            self.hand,
            self.hand_size,
            self.values_left,
            self.placed,
            self.ships_to_put,
            self.turns,
            self.bounties,
            # end of fields
        ]

    def read_fields(self, reader: SerializedStateReader) -> None:
        """Read the serialised fields, which follow the options; `recompute_derived_fields` fills in the others."""
        # fields: read
        self.phase = phases.Phase(reader.read_next_in_range(0, phases.PHASES - 1))
        self.step = phases.Step(reader.read_next_in_range(0, phases.STEPS - 1))
        self.turn = reader.read_next_in_range(0, self.players - 1)
        self.points = reader.read_next_in_range(0, components.MOVEMENT_POINTS)
        self.tiles_left = reader.read_next_in_range(0, board.SLOTS)
        self.ships_left = reader.read_next_in_range(0, components.SHIPS)
        self.set_up = reader.read_next_in_range(0, components.EXPLORERS)
        self.tile_space = reader.read_next_in_range(board.NOWHERE, board.SPACES - 1)
        self.tile_terrain = components.Terrain(reader.read_next_in_range(components.SEA, components.TERRAINS - 1))
        self.face = components.Face(reader.read_next_in_range(components.NO_FACE, components.FACES - 1))
        self.far = reader.read_next_in_range(0, components.ANYWHERE)
        self.creature = reader.read_next_in_range(components.NONE, components.CREATURES - 1)
        self.prey_aboard = reader.read_next_in_range(0, 1)
        self.ask_next = reader.read_next_in_range(0, components.COLOURS)
        self.mini_seat = reader.read_next_in_range(components.NONE, self.players - 1)
        self.touched = reader.read_next_in_range(board.NOWHERE, board.SPACES - 1)
        self.touched_too = reader.read_next_in_range(board.NOWHERE, board.SPACES - 1)
        self.quiet_rounds = reader.read_next_in_range(0, 10)
        self.round_counts = reader.read_next_in_range(0, 1)
        self.stirred = reader.read_next_in_range(0, 1)
        self.tile = to_vector(reader.read_next_vector(board.SPACES, components.SEA, components.UNLAID))
        self.where = to_vector(reader.read_next_vector(components.EXPLORERS, components.ASIDE, board.PLACES - 1))
        self.value = to_vector(reader.read_next_vector(components.EXPLORERS, 0, components.VALUES))
        self.aboard = to_vector(reader.read_next_vector(components.EXPLORERS, components.NONE, components.SHIPS - 1))
        self.guard = to_vector(reader.read_next_vector(components.EXPLORERS, components.NONE, components.DOLPHINS - 1))
        self.marks = to_vector(reader.read_next_vector(components.EXPLORERS, 0, components.ACTED | components.FELL))
        self.ship_space = to_vector(reader.read_next_vector(components.SHIPS, board.NOWHERE, board.SPACES - 1))
        self.ship_seat = to_vector(
            reader.read_next_vector(components.SHIPS * components.SHIP_SEATS, components.NONE, components.EXPLORERS - 1)
        )
        self.creature_space = to_vector(reader.read_next_vector(components.CREATURES, board.NOWHERE, board.SPACES - 1))
        self.ward = to_vector(reader.read_next_vector(components.DOLPHINS, components.NONE, components.EXPLORERS - 1))
        self.creature_left = to_vector(reader.read_next_vector(len(components.SUPPLY), 0, 6))
        self.back_left = to_vector(reader.read_next_vector(len(components.BACKS_OF_TERRAINS), 0, 4))
        self.terrain_left = to_vector(reader.read_next_vector(len(components.TILES_OF_TERRAINS), 0, 16))
        self.hand = to_vector(
            reader.read_next_vector(components.COLOURS * components.TERRAINS * components.HAND_KINDS, 0, 3)
        )
        self.hand_size = to_vector(reader.read_next_vector(components.COLOURS, 0, 18))
        self.values_left = to_vector(reader.read_next_vector(components.COLOURS * components.VALUES, 0, 3))
        self.placed = to_vector(reader.read_next_vector(components.COLOURS, 0, components.PER_COLOUR))
        self.ships_to_put = to_vector(reader.read_next_vector(components.COLOURS, 0, components.MAX_SHIPS_TO_PUT))
        self.turns = to_vector(reader.read_next_vector(components.COLOURS, 0, 1 << 40))
        self.bounties = to_vector(reader.read_next_vector(components.COLOURS, 0, components.EXPLORERS))
        # end of fields

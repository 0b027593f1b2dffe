"""The static facts of Atlantis, and the constructors of its positions."""

from __future__ import annotations

from typing import cast

from landfall.core.game import LINES, Game, SerializedStateReader
from landfall.core.message_types import View
from landfall.core.state import OVER, State
from landfall.games.atlantis.presentation import position_text
from landfall.games.atlantis.rules import codes, components, invariants, message_types, path_tiles, setup
from landfall.games.atlantis.state import AtlantisState


class Atlantis(Game):
    """Two to four players; the rulebook has no variants, so there are no options."""

    def __init__(self) -> None:
        super().__init__("atlantis", 1, (2, 3, 4), components.COLOURS, codes.NUM_ACTIONS, codes.NUM_OUTCOMES, [], "AT")
        self.judged = LINES
        self.lines = 5
        self.fresh = [AtlantisState(players) for players in self.player_counts]  # copying is faster than building
        for state in self.fresh:
            setup.give_bridges(state)

    def initial_state(self, players: int, options: dict[str, object]) -> State:
        return self.fresh[players - self.player_counts[0]].copy()

    def read_state(self, reader: SerializedStateReader) -> State:
        s = AtlantisState(reader.read_next_in_range(2, components.MAX_PLAYERS))
        s.actor = reader.read_next_in_range(OVER, int(s.players) - 1)
        s.read_fields(reader)
        reader.require_all_read()
        path_tiles.recompute_derived_fields(s)
        problems = invariants.find_faults(s)
        if problems:
            raise ValueError(problems[0])
        return s

    def parse_text(self, text: str) -> State:
        position = position_text.parse_position(text)
        return AtlantisState(position.players, position)

    def render_terminal(self, view: View, language: str) -> str:
        from landfall.games.atlantis.presentation.terminal import render_terminal

        return render_terminal(cast("message_types.View", view), language)

    def find_faults(self, state: State) -> list[str]:
        assert isinstance(state, AtlantisState)
        return invariants.find_faults(state)


GAME = Atlantis()

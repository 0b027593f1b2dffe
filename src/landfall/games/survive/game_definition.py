"""The static facts of the game: players, options, constructors of positions."""

from __future__ import annotations

from typing import Final, cast

from landfall.core.game import LINES, Game, SerializedStateReader
from landfall.core.message_types import View
from landfall.core.search_settings import SearchSettings
from landfall.core.state import OVER, State
from landfall.games.survive.presentation import position_text, terminal
from landfall.games.survive.rules import codes, components, invariants, message_types, piece_positions, setup
from landfall.games.survive.rules.options import OPTIONS, TableRules, read_table_rules
from landfall.games.survive.state import SurviveState


class Survive(Game):
    """Survive: Escape from Atlantis! for two to six."""

    def __init__(self) -> None:
        super().__init__(
            "survive",
            2,
            (2, 3, 4, 5, 6),
            components.COLOUR_NAMES,
            int(codes.NUM_ACTIONS),
            int(codes.NUM_OUTCOMES),
            OPTIONS,
            "SV",
        )
        self.search = SearchSettings(explore=0.06, expand_after=0, horizon_turns=-1, own_points=250, rollout_rounds=1)
        self.judged = LINES

    def initial_state(self, players: int, options: dict[str, object]) -> SurviveState:
        state = SurviveState(TableRules(players, options))
        setup.set_up_board(state)
        return state

    def read_state(self, reader: SerializedStateReader) -> SurviveState:
        players = reader.read_next_in_range(self.player_counts[0], self.player_counts[-1])
        actor = reader.read_next_in_range(OVER, players - 1)
        state = SurviveState(read_table_rules(players, reader))
        state.actor = actor
        state.read_fields(reader)
        reader.require_all_read()
        piece_positions.recompute_derived_fields(state)
        problems = invariants.find_faults(state)
        if problems:
            raise ValueError(problems[0])
        return state

    def parse_text(self, text: str) -> SurviveState:
        position = position_text.parse_position(text)
        return SurviveState(position.rules, position)

    def render_terminal(self, view: View, language: str) -> str:
        return terminal.render_terminal(cast("message_types.View", view), language)

    def find_faults(self, state: State) -> list[str]:
        assert isinstance(state, SurviveState)
        return invariants.find_faults(state)


GAME: Final = Survive()

"""The facts of the game: players, options, how positions are made and read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from landfall.core.game import LINES, Game, Reader
from landfall.core.search_plan import SearchPlan
from landfall.core.state import OVER, State
from landfall.games.survive import invariants, line, pieces, setup, terminal
from landfall.games.survive.actions import NUM_ACTIONS, NUM_OUTCOMES
from landfall.games.survive.components import COLOUR_NAMES
from landfall.games.survive.options import OPTIONS, Rules, read_rules
from landfall.games.survive.state import SurviveState

if TYPE_CHECKING:
    from landfall.core.messages import View
    from landfall.games.survive import messages


class Survive(Game):
    """Survive: Escape from Atlantis! for two to six."""

    def __init__(self) -> None:
        super().__init__(
            "survive", 2, (2, 3, 4, 5, 6), COLOUR_NAMES, int(NUM_ACTIONS), int(NUM_OUTCOMES), OPTIONS, "SV"
        )
        self.search = SearchPlan(explore=0.06, expand_after=0, horizon_turns=-1, own_points=250, rollout_rounds=1)
        self.judged = LINES

    def start(self, players: int, options: dict[str, object]) -> SurviveState:
        state = SurviveState(Rules(players, options))
        setup.lay_out(state)
        return state

    def load(self, reader: Reader) -> SurviveState:
        players = reader.one(self.counts[0], self.counts[-1])
        actor = reader.one(OVER, players - 1)
        state = SurviveState(read_rules(players, reader))
        state.actor = actor
        state.load(reader)
        reader.end()
        pieces.tally(state)
        problems = invariants.check(state)
        if problems:
            raise ValueError(problems[0])
        return state

    def from_line(self, text: str) -> SurviveState:
        position = line.read(text)
        return SurviveState(position.rules, position)

    def draw(self, view: View, language: str) -> str:
        return terminal.draw(cast("messages.View", view), language)

    def check(self, state: State) -> list[str]:
        assert isinstance(state, SurviveState)
        return invariants.check(state)


GAME: Final = Survive()

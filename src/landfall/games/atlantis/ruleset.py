"""Atlantis as the registry knows it: its static facts, and the doors to its positions."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from landfall.core.game import LINES, Game, Reader
from landfall.core.state import OVER, State
from landfall.games.atlantis import invariants, line, setup, tiles
from landfall.games.atlantis.actions import NUM_ACTIONS, NUM_OUTCOMES
from landfall.games.atlantis.components import COLOURS, MOST_PLAYERS
from landfall.games.atlantis.state import AtlantisState

if TYPE_CHECKING:
    from landfall.core.messages import View
    from landfall.games.atlantis import messages


class Atlantis(Game):
    """Two to four players; the rulebook has no variants, so there are no options."""

    def __init__(self) -> None:
        super().__init__("atlantis", 1, (2, 3, 4), COLOURS, NUM_ACTIONS, NUM_OUTCOMES, [], "AT")
        self.judged = LINES
        self.lines = 5
        self.fresh = [AtlantisState(players) for players in self.counts]  # copying one is quicker than making it
        for state in self.fresh:
            setup.begin(state)

    def start(self, players: int, options: dict[str, object]) -> State:
        return self.fresh[players - self.counts[0]].copy()

    def load(self, reader: Reader) -> State:
        s = AtlantisState(reader.one(2, MOST_PLAYERS))
        s.actor = reader.one(OVER, int(s.players) - 1)
        s.read(reader)
        reader.end()
        tiles.rebuild(s)
        problems = invariants.check(s)
        if problems:
            raise ValueError(problems[0])
        return s

    def from_line(self, text: str) -> State:
        position = line.read(text)
        return AtlantisState(position.players, position)

    def draw(self, view: View, language: str) -> str:
        from landfall.games.atlantis.terminal import draw

        return draw(cast("messages.View", view), language)

    def check(self, state: State) -> list[str]:
        assert isinstance(state, AtlantisState)
        return invariants.check(state)


GAME = Atlantis()

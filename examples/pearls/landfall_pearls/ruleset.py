"""Pearls as the registry knows it: its static facts, and the doors to its positions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from landfall.core.game import Game
from landfall.core.options import Option
from landfall_pearls import invariants, line, terminal
from landfall_pearls.actions import NUM_ACTIONS, NUM_OUTCOMES
from landfall_pearls.components import COLOURS, MOST_PLAYERS
from landfall_pearls.position import PearlsPosition
from landfall_pearls.state import PearlsState

if TYPE_CHECKING:
    from landfall.core.game import Reader
    from landfall.core.messages import View
    from landfall.core.state import State


class Pearls(Game):
    """Two to four players, one option."""

    def __init__(self) -> None:
        options = [Option("storm", "PL.O1")]
        super().__init__("pearls", 1, (2, 3, 4), COLOURS, NUM_ACTIONS, NUM_OUTCOMES, options, "PL")

    def start(self, players: int, options: dict[str, object]) -> State:
        return PearlsState(players, options["storm"] is True)

    def load(self, reader: Reader) -> State:
        players = reader.one(2, MOST_PLAYERS)
        actor = reader.one(-2, players - 1)
        state = PearlsState(players, reader.one(0, 1) == 1)
        state.actor = actor
        state.read(reader)
        reader.end()
        wrong = invariants.check(state)
        if wrong:
            raise ValueError(wrong[0])
        return state

    def from_line(self, text: str) -> State:
        found = line.read(text)
        state = PearlsState(int(found.players), bool(found.stormy))
        state.take(found)
        return state

    def draw(self, view: View, language: str) -> str:
        return terminal.draw(view, language)  # type: ignore[arg-type]

    def check(self, state: State) -> list[str]:
        assert isinstance(state, PearlsPosition)
        return invariants.check(state)


GAME = Pearls()

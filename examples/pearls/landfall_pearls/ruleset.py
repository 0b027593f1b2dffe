"""Pearls for the registry: its static facts and its constructors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from landfall.core.game import Game
from landfall.core.options import Option
from landfall_pearls import invariants, position_text, terminal
from landfall_pearls.actions import NUM_ACTIONS, NUM_OUTCOMES
from landfall_pearls.components import COLOURS, MAX_PLAYERS
from landfall_pearls.position import PearlsPosition
from landfall_pearls.state import PearlsState

if TYPE_CHECKING:
    from landfall.core.game import NumberReader
    from landfall.core.message_types import View
    from landfall.core.state import State


class Pearls(Game):
    """Two to four players, one option."""

    def __init__(self) -> None:
        options = [Option("storm", "PL.O1")]
        super().__init__("pearls", 1, (2, 3, 4), COLOURS, NUM_ACTIONS, NUM_OUTCOMES, options, "PL")

    def initial_state(self, players: int, options: dict[str, object]) -> State:
        return PearlsState(players, options["storm"] is True)

    def read_state(self, reader: NumberReader) -> State:
        players = reader.number(2, MAX_PLAYERS)
        actor = reader.number(-2, players - 1)
        state = PearlsState(players, reader.number(0, 1) == 1)
        state.actor = actor
        state.read(reader)
        reader.expect_end()
        wrong = invariants.check(state)
        if wrong:
            raise ValueError(wrong[0])
        return state

    def parse_text(self, text: str) -> State:
        found = position_text.parse_position(text)
        state = PearlsState(int(found.players), bool(found.stormy))
        state.take(found)
        return state

    def render_terminal(self, view: View, language: str) -> str:
        return terminal.draw(view, language)  # type: ignore[arg-type]

    def find_faults(self, state: State) -> list[str]:
        assert isinstance(state, PearlsPosition)
        return invariants.check(state)


GAME = Pearls()

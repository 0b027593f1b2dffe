"""Pearls for the registry: its static facts and its constructors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from landfall.core.game_from_declared_fields import DeclaredGame
from landfall.core.options import Option
from landfall_pearls import invariants, position_text, terminal
from landfall_pearls.actions import NUM_ACTIONS, NUM_OUTCOMES
from landfall_pearls.components import COLOURS
from landfall_pearls.position import PearlsPosition
from landfall_pearls.state import PearlsState

if TYPE_CHECKING:
    from landfall.core.message_types import View
    from landfall.core.state import State


class Pearls(DeclaredGame):
    """Two to four players, one option."""

    state_class = PearlsState

    def __init__(self) -> None:
        options = [Option("storm", "PL.O1")]
        super().__init__("pearls", 1, (2, 3, 4), COLOURS, NUM_ACTIONS, NUM_OUTCOMES, options, "PL")

    def parse_text(self, text: str) -> State:
        return position_text.parse_position(text, PearlsState)

    def render_terminal(self, view: View, language: str) -> str:
        return terminal.draw(view, language)  # type: ignore[arg-type]

    def find_faults(self, state: State) -> list[str]:
        assert isinstance(state, PearlsPosition)
        return [*super().find_faults(state), *invariants.check(state)]


GAME = Pearls()

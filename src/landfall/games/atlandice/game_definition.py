"""The static facts of Atlandice, its one option, and the constructors of its positions."""

from __future__ import annotations

from typing import Any, Final, cast

from landfall.core.game import TREE, Game, SerializedStateReader
from landfall.core.message_types import View
from landfall.core.options import OBJECT, Option
from landfall.core.search_settings import SearchSettings
from landfall.core.state import OVER, State
from landfall.games.atlandice.presentation import position_text, terminal
from landfall.games.atlandice.rules import clock_config, codes, components, invariants, message_types, setup
from landfall.games.atlandice.state import AtlandiceState


class Atlandice(Game):
    """The rules of docs/rules/atlandice.md."""

    def __init__(self) -> None:
        options = [Option("clock", "AD.C4", kind=OBJECT, default=None, check=clock_config.find_clock_fault)]
        super().__init__(
            "atlandice", 1, (2, 3, 4), components.COLOURS, codes.NUM_ACTIONS, codes.NUM_OUTCOMES, options, "AD"
        )
        self.hides = False  # AD.V9
        self.search = SearchSettings(horizon_turns=6, greedy_percent=0)
        self.judged = TREE
        self.lines = 5

    def initial_state(self, players: int, options: dict[str, object]) -> State:
        """All tiles face down, the first about to be turned up."""
        clock = cast("dict[str, Any] | None", options["clock"])
        s = AtlandiceState(players, clock_config.clock_face_icons(clock), clock_config.clock_hands_by_tile(clock))
        setup.set_up_pieces(s)
        return s

    def read_state(self, reader: SerializedStateReader) -> State:
        """A position from its numbers; an impossible one is refused."""
        players = reader.read_next_in_range(2, 4)
        s = AtlandiceState(players, clock_config.OUR_FACE, clock_config.OUR_HANDS)
        s.actor = reader.read_next_in_range(OVER, players - 1)
        s.read_fields(reader)
        reader.require_all_read()
        if s.icons[0] != components.NO_ICON or s.icons[len(s.icons) - 1] != components.NO_ICON:
            raise ValueError("an icon on the clock's first or last space")
        wrong = invariants.find_faults(s)
        if wrong:
            raise ValueError(wrong[0])
        return s

    def parse_text(self, text: str) -> State:
        position = position_text.parse_position(text)
        return AtlandiceState(position.players, position.icons, position.hands, position)

    def render_terminal(self, view: View, language: str) -> str:
        return str(terminal.render_terminal(cast("message_types.View", view), language))

    def find_faults(self, state: State) -> list[str]:
        return invariants.find_faults(cast("AtlandiceState", state))


GAME: Final = Atlandice()

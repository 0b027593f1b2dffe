"""The static facts of a game, and the doors to its states."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from landfall.core import options as opt
from landfall.core.errors import PositionError, StateError
from landfall.core.int_vectors import unpack
from landfall.core.search_plan import SearchPlan
from landfall.core.state import State

if TYPE_CHECKING:
    from landfall.core.messages import View
    from landfall.core.options import Option


LINES: Final = "lines"  # what a net may judge for the strongest level: those of a step of the turn, played on,
TREE: Final = "tree"  # or the choices of a tree


@mypyc_attr(allow_interpreted_subclasses=True)  # games of other packages are not compiled
class Game:
    """One rulebook. `rules_version` moves only when the meaning of a record does."""

    def __init__(
        self,
        name: str,
        rules_version: int,
        counts: tuple[int, ...],
        colours: tuple[str, ...],
        num_actions: int,
        num_outcomes: int,
        options: list[Option],
        prefix: str,
    ) -> None:
        self.name = name
        self.rules_version = rules_version
        self.player_counts = counts  # player counts, ascending
        self.colours = colours  # by seat
        self.num_actions = num_actions
        self.num_outcomes = num_outcomes  # chance outcomes are num_actions .. num_actions + num_outcomes - 1
        self.options = options
        self.prefix = prefix  # of its rule ids: "SV"
        self.search = SearchPlan()  # how it is best searched, as measured
        self.judged = ""  # what the strongest level has its net judge: LINES, a TREE; none: it is a search without one
        self.lines = 1  # how many lines of a step of the turn the bot `net` looks through; 1: it looks one choice ahead

    def new(self, players: int, options: dict[str, object] | None = None) -> State:
        """The first position. OptionError names every option that cannot be played and why."""
        return self.initial_state(players, opt.fill_defaults(self.options, self.player_counts, players, options or {}))

    def from_bytes(self, data: bytes) -> State:
        """A position from `State.to_bytes`; StateError if the bytes are none of this game's."""
        try:
            return self.read_state(NumberReader(unpack(data)))
        except (ValueError, IndexError) as error:
            raise StateError(str(error) or "they end too early") from None

    def from_text(self, text: str) -> State:
        """A position from `State.to_text`, written without a seat; PositionError quotes what is wrong."""
        if not text.strip():
            raise PositionError(text, "nothing is written")
        state = self.parse_text(text)
        wrong = self.find_faults(state)
        if wrong:
            raise PositionError(text.strip(), "; ".join(wrong))
        return state

    # --- the game's part --------------------------------------------------------------------------------------

    def initial_state(self, players: int, options: dict[str, object]) -> State:
        """The first position for checked, complete options."""
        raise NotImplementedError

    def read_state(self, reader: NumberReader) -> State:
        """A position from the numbers `State.to_bytes` wrote."""
        raise NotImplementedError

    def parse_text(self, text: str) -> State:
        """The position a line describes, not yet judged; PositionError quotes what cannot be read."""
        raise NotImplementedError

    def render_terminal(self, view: View, language: str) -> str:
        """A view as coloured text for a terminal (Rich markup)."""
        raise NotImplementedError

    def find_faults(self, state: State) -> list[str]:
        """What is impossible about a position: the invariants that hold in every one. Empty if all is well."""
        raise NotImplementedError


class NumberReader:
    """Numbers read one after the other, as `State.to_bytes` wrote them."""

    def __init__(self, numbers: list[int]) -> None:
        self.numbers = numbers
        self.at = 0

    def number(self, least: i64, most: i64) -> int:
        """The next number, which must lie within these bounds."""
        value = self.numbers[self.at]
        if not least <= value <= most:
            raise ValueError(f"number {self.at} is {value}, not between {least} and {most}")
        self.at += 1
        return value

    def row(self, length: i64, least: i64, most: i64) -> list[int]:
        """The next vector, which must have this length and its numbers within these bounds."""
        self.number(length, length)
        return [self.number(least, most) for _ in range(length)]

    def expect_end(self) -> None:
        """Nothing may be left."""
        if self.at != len(self.numbers):
            raise ValueError(f"{len(self.numbers) - self.at} numbers too many")

"""The static facts of a game, and the constructors of its states."""

from __future__ import annotations

import copyreg
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from landfall.core import options as opt
from landfall.core.errors import PositionError, StateError
from landfall.core.int_vectors import unpack_numbers
from landfall.core.search_settings import SearchSettings
from landfall.core.state import Event, State

if TYPE_CHECKING:
    from landfall.core.message_types import View
    from landfall.core.options import Option


LINES: Final = "lines"  # the strongest level's net evaluates lines: sequences of actions within a step of the turn
TREE: Final = "tree"  # the strongest level's net evaluates the leaves of a search tree


@mypyc_attr(allow_interpreted_subclasses=True)  # games of other packages are not compiled
class Game:
    """One rulebook. `rules_version` rises only when the meaning of stored records changes.

    >>> game = landfall.game("atlandice")
    >>> game.player_counts, game.colours, game.num_actions
    ((2, 3, 4), ('red', 'blue', 'green', 'yellow'), 90)
    """

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
        self.prefix = prefix  # prefix of its rule ids: "SV"
        self.hides = True  # whether a seat may know what another may not
        self.search = SearchSettings()  # search parameters, as measured
        self.judged = ""  # how the strongest level uses its net: LINES or TREE; "": it searches without a net
        self.lines = 1  # how many lines of a step the bot `net` compares; 1: it looks one action ahead

    def new(self, players: int | None = None, options: dict[str, object] | None = None) -> State:
        """The initial position; without a number of players, the usual one. OptionError names every invalid option and
        the reason.

        >>> landfall.game("atlandice").new(2).players
        2
        """
        count = usual_player_count(self.player_counts) if players is None else players
        filled = opt.validate_and_fill_defaults(self.options, self.player_counts, count, options or {})
        return self.register_for_pickling(self.initial_state(count, filled))

    def from_bytes(self, data: bytes) -> State:
        """The position that `State.to_bytes` packed; StateError if the bytes are not one of this game.

        >>> landfall.game("atlandice").from_bytes(b"")
        Traceback (most recent call last):
        ...
        landfall.core.errors.StateError: these bytes are no state: list index out of range
        """
        try:
            return self.register_for_pickling(self.read_state(SerializedStateReader(unpack_numbers(data))))
        except (ValueError, IndexError) as error:
            raise StateError(str(error) or "they end too early") from None

    def from_text(self, text: str) -> State:
        """The position of a position string written without a seat; PositionError quotes the wrong part.

        >>> landfall.game("atlandice").from_text(state.to_text()) == state
        True
        """
        if not text.strip():
            raise PositionError(text, "nothing is written")
        state = self.parse_text(text)
        wrong = self.find_faults(state)
        if wrong:
            raise PositionError(text.strip(), "; ".join(wrong))
        return self.register_for_pickling(state)

    def register_for_pickling(self, state: State) -> State:
        """Register the class of the game's states with `pickle`. A state does not know its game.

        >>> import pickle
        >>> pickle.loads(pickle.dumps(state)) == state
        True
        """
        kind = type(state)
        if GAME_OF_STATE.get(kind) is not self:
            GAME_OF_STATE[kind] = self
            copyreg.pickle(kind, reduce_state_for_pickle)
        return state

    def __reduce__(self) -> str:
        """A copy or a pickle of a game is the game itself: the global `GAME` of its `game_definition.py`."""
        return "GAME"

    # --- a game writes these ---------------------------------------------------------------------------------------

    def initial_state(self, players: int, options: dict[str, object]) -> State:
        """The initial position for checked, complete options.

        >>> landfall.game("atlandice").initial_state(2, {"clock": None}).players
        2
        """
        raise NotImplementedError

    def read_state(self, reader: SerializedStateReader) -> State:
        """The position from the numbers that `State.to_bytes` wrote.

        >>> landfall.game("atlandice").from_bytes(state.to_bytes()) == state
        True
        """
        raise NotImplementedError

    def parse_text(self, text: str) -> State:
        """The position of a position string, without checking invariants; PositionError quotes the wrong part.

        >>> landfall.game("atlandice").parse_text(state.to_text()) == state
        True
        """
        raise NotImplementedError

    def render_terminal(self, view: View, language: str) -> str:
        """A view as coloured text for a terminal (Rich markup).

        >>> len(landfall.game("atlandice").render_terminal(state.view(0), "en")) > 100
        True
        """
        raise NotImplementedError

    def find_faults(self, state: State) -> list[str]:
        """The violated invariants of a position; empty if it is valid.

        >>> landfall.game("atlandice").find_faults(state)
        []
        """
        raise NotImplementedError


def usual_player_count(counts: tuple[int, ...]) -> int:
    """Four players if the game allows it, otherwise the maximum."""
    return 4 if 4 in counts else counts[-1]


class SerializedStateReader:
    """A cursor over the numbers that `State.to_bytes` wrote."""

    def __init__(self, numbers: list[int]) -> None:
        self.numbers = numbers
        self.at = 0

    def read_next_in_range(self, least: i64, most: i64) -> int:
        """The next number, checked against bounds; the cursor advances."""
        value = self.numbers[self.at]
        if not least <= value <= most:
            raise ValueError(f"number {self.at} is {value}, not between {least} and {most}")
        self.at += 1
        return value

    def read_next_vector(self, length: i64, least: i64, most: i64) -> list[int]:
        """The next vector, checked against its length and bounds."""
        self.read_next_in_range(length, length)
        return [self.read_next_in_range(least, most) for _ in range(length)]

    def require_all_read(self) -> None:
        """Raise StateError unless all numbers are read."""
        if self.at != len(self.numbers):
            raise ValueError(f"{len(self.numbers) - self.at} numbers too many")


GAME_OF_STATE: Final[dict[type, Game]] = {}  # by class of states


def reduce_state_for_pickle(state: State) -> tuple[Callable[..., State], tuple[object, ...]]:
    """How `pickle` stores a state: its game, its bytes and its events."""
    return restore_pickled_state, (GAME_OF_STATE[type(state)], state.to_bytes(), state.events)


def restore_pickled_state(game: Game, data: bytes, events: list[Event] | None) -> State:
    """The state that `reduce_state_for_pickle` stored."""
    state = game.from_bytes(data)
    state.events = events
    return state

# interpreted
"""Puzzles: positions with one clearly best choice. A game's `puzzles.py` declares the themes; its `puzzles.json`, which
`landfall puzzles make` writes, holds one puzzle per line.

A puzzle contains only what its seat knows: the seat's position string, and a full position with all hidden information
resampled from that string alone, so that players can try moves.
"""

import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from landfall.core.game import Game
from landfall.core.rng import Rng
from landfall.core.state import State

MIN_CHOICES: Final = 5
DIFFICULTY_NAMES: Final = (
    "sprat",
    "mackerel",
    "marlin",
    "leviathan",
)  # difficulty: the weakest bot level that finds it


class ChoiceCase:
    """One choice in a position, as its seat sees it: the input of themes and reasons."""

    def __init__(self, state: State, seat: int, action: int) -> None:
        self.state = state  # resampled for the seat
        self.seat = seat
        self.action = action

    @cached_property
    def choice(self) -> dict[str, Any]:
        """The choice as data."""
        return dict(self.state.describe(self.action))

    @property
    def verb(self) -> str:
        return str(self.choice["verb"])

    @cached_property
    def view(self) -> Any:
        """The seat's view."""
        return self.state.view(self.seat)

    @cached_property
    def after(self) -> State:
        """The position right after the choice, before any chance, with the events."""
        after = self.state.copy()
        after.events = []
        after.apply(self.action)
        return after

    @cached_property
    def view_after(self) -> Any:
        """The seat's view after the choice."""
        return self.after.view(self.seat)

    @cached_property
    def events(self) -> list[dict[str, object]]:
        """The immediate public events."""
        return [event.public for event in self.after.events or []]

    def events_of_kind(self, kind: str) -> list[dict[str, Any]]:
        """Those of one kind."""
        return [dict(event) for event in self.events if event["kind"] == kind]


@dataclass(frozen=True)
class Reason:
    """Why a choice is good: the text `hint.KEY`, with numbers counted in the position."""

    key: str
    args: dict[str, Any]
    strength: float  # roughly in points; the strongest reason comes first


@dataclass(frozen=True)
class Theme:
    """The subject of a puzzle: `puzzle.theme.NAME` is its name, `puzzle.goal.NAME` the goal."""

    name: str
    fits: Callable[[ChoiceCase], bool]
    one_in: int = 1  # examine one in so many matching positions; some themes are too frequent


@dataclass(frozen=True)
class Puzzle:
    """One puzzle, its solution, and the confidence in it."""

    id: str
    theme: str
    fish: str  # difficulty
    seat: int
    line: str  # the seat's position string
    world: str  # a full position resampled from it
    solution: str  # in notation
    choices: int
    chance: float  # win probability after the solution
    margin: float  # how much lower the next best choice's is
    error: float  # standard error of the margin
    worlds: int  # samples it was evaluated in
    next_best: str
    greedy: bool  # whether a bot that looks one choice ahead finds it
    tree: bool  # whether an independent tree search agrees
    finds: int  # how many of five searches at the third level find it
    match: str  # the bot match it comes from

    def state(self, game: Game) -> State:
        """The full position."""
        return game.from_text(self.world)


def seed_from_text(line: str) -> int:
    """The seed for resampling: it depends only on the seat's position string."""
    return int.from_bytes(hashlib.blake2b(line.encode(), digest_size=7).digest())


def resample_for_puzzle(state: State, seat: int) -> State:
    """The full position of a seat's puzzle: equal for all positions that are indistinguishable to the seat."""
    return state.resample(seat, Rng(seed_from_text(state.to_text(seat))))


def puzzle_id(line: str) -> str:
    """A puzzle's id."""
    return hashlib.blake2b(line.encode(), digest_size=5).hexdigest()


def find_theme(themes: Iterable[Theme], case: ChoiceCase) -> Theme | None:
    """The first theme that fits, if any."""
    return next((theme for theme in themes if theme.fits(case)), None)


def load_puzzles(path: Path) -> list[Puzzle]:
    """The puzzles of a file; none if the file is missing."""
    if not path.is_file():
        return []
    return [Puzzle(**one) for one in json.loads(path.read_text(encoding="utf-8"))]


def format_puzzles(puzzles: Iterable[Puzzle]) -> str:
    """The text of a puzzle file, one puzzle per line."""
    lines = [json.dumps(asdict(puzzle), ensure_ascii=False) for puzzle in puzzles]
    return "[\n" + ",\n".join(lines) + "\n]\n"

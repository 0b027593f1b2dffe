# interpreted
"""Puzzles: positions of which one choice is clearly the best. A game's `puzzles.py` declares its themes, and its file
`puzzles.json` keeps them, a line each; `landfall puzzles make` writes it.

A puzzle holds what its seat knows and nothing else: the line made for that seat, and a whole position in which all
else was drawn anew from that line alone, so that it can be laid out and tried.
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
)  # how hard: the first level of bots that finds it


class ChoiceCase:
    """A choice in a position, as its seat sees it: for themes and reasons to look at."""

    def __init__(self, state: State, seat: int, action: int) -> None:
        self.state = state  # imagined for the seat
        self.seat = seat
        self.action = action

    @cached_property
    def choice(self) -> dict[str, Any]:
        """The choice in words."""
        return dict(self.state.describe(self.action))

    @property
    def verb(self) -> str:
        return str(self.choice["verb"])

    @cached_property
    def view(self) -> Any:
        """What the seat sees."""
        return self.state.view(self.seat)

    @cached_property
    def after(self) -> State:
        """The position right after the choice, before any chance that follows, with what happened."""
        after = self.state.copy()
        after.events = []
        after.apply(self.action)
        return after

    @cached_property
    def view_after(self) -> Any:
        """What the seat sees then."""
        return self.after.view(self.seat)

    @cached_property
    def events(self) -> list[dict[str, object]]:
        """What all can see happen at once."""
        return [event.public for event in self.after.events or []]

    def events_of_kind(self, kind: str) -> list[dict[str, Any]]:
        """Of these, those of a kind."""
        return [dict(event) for event in self.events if event["kind"] == kind]


@dataclass(frozen=True)
class Reason:
    """Why a choice is good: `hint.KEY` says it, with figures that are counted in the position."""

    key: str
    args: dict[str, Any]
    strength: float  # in points, about: the stronger is told first


@dataclass(frozen=True)
class Theme:
    """What a puzzle is about: `puzzle.theme.NAME` is its name, `puzzle.goal.NAME` what is to be reached."""

    name: str
    fits: Callable[[ChoiceCase], bool]
    one_in: int = 1  # of what fits so many, one is looked at: some turn up too often


@dataclass(frozen=True)
class Puzzle:
    """One puzzle, its solution, and how sure that is."""

    id: str
    theme: str
    fish: str  # how hard
    seat: int
    line: str  # what the seat knows
    world: str  # a whole position drawn from it
    solution: str  # a choice, in notation
    choices: int
    chance: float  # to win, after the solution
    margin: float  # how much less the next best choice gives
    error: float  # a standard error of the margin
    worlds: int  # in which it was tried
    next_best: str
    greedy: bool  # whether who looks one choice ahead finds it
    tree: bool  # whether a tree search that judges by other means agrees
    finds: int  # of five searches of the third level, how many find it
    match: str  # of bots, that it comes from

    def state(self, game: Game) -> State:
        """The position to lay out."""
        return game.from_text(self.world)


def seed_from_text(line: str) -> int:
    """What all that a seat cannot know is drawn from: its line."""
    return int.from_bytes(hashlib.blake2b(line.encode(), digest_size=7).digest())


def resample_for_puzzle(state: State, seat: int) -> State:
    """The position that a seat's puzzle is laid out as: the same for all that it cannot tell apart."""
    return state.resample(seat, Rng(seed_from_text(state.to_text(seat))))


def puzzle_id(line: str) -> str:
    """A puzzle's id."""
    return hashlib.blake2b(line.encode(), digest_size=5).hexdigest()


def find_theme(themes: Iterable[Theme], case: ChoiceCase) -> Theme | None:
    """The first theme that fits, if one does."""
    return next((theme for theme in themes if theme.fits(case)), None)


def load_puzzles(path: Path) -> list[Puzzle]:
    """The puzzles of a file; none if there is no file."""
    if not path.is_file():
        return []
    return [Puzzle(**one) for one in json.loads(path.read_text(encoding="utf-8"))]


def format_puzzles(puzzles: Iterable[Puzzle]) -> str:
    """A file's text, a line each."""
    lines = [json.dumps(asdict(puzzle), ensure_ascii=False) for puzzle in puzzles]
    return "[\n" + ",\n".join(lines) + "\n]\n"

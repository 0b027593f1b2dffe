# interpreted
"""Puzzles: positions with one clearly best choice. A game's `puzzle_themes.py` declares themes and sets, its
`puzzle_goals.py` what a solution can reach; `puzzles.json`, which `landfall puzzles` writes, holds one per line.

A puzzle contains only what its seat knows: the seat's position string, and a full position with all hidden information
resampled from that string alone, so that players can try moves.
"""

import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from landfall.core.game import Game
from landfall.core.rng import Rng
from landfall.core.state import State

MIN_CHOICES: Final = 5
PUZZLES_PER_SET: Final = 10


class ChoiceCase:
    """One choice in a position, as its seat sees it: the input of themes and reasons."""

    def __init__(self, state: State, seat: int, action: int) -> None:
        self.state = state  # resampled for the seat
        self.seat = seat
        self.action = action

    @cached_property
    def choice(self) -> dict[str, Any]:
        """The choice as data."""
        return dict(self.state.action_to_dict(self.action))

    @property
    def verb(self) -> str:
        return str(self.choice["verb"])

    @cached_property
    def view(self) -> Any:
        """The seat's view."""
        return self.state.view(self.seat)

    @cached_property
    def position_after(self) -> State:
        """The position right after the choice, before any chance, with the events."""
        after = self.state.copy()
        after.events = []
        after.apply(self.action)
        return after

    @cached_property
    def view_after(self) -> Any:
        """The seat's view after the choice."""
        return self.position_after.view(self.seat)

    @cached_property
    def immediate_public_events(self) -> list[dict[str, object]]:
        """The immediate public events."""
        return [event.public for event in self.position_after.events or []]

    def immediate_public_events_of_kind(self, kind: str) -> list[dict[str, Any]]:
        """Those of one kind."""
        return [dict(event) for event in self.immediate_public_events if event["kind"] == kind]


@dataclass(frozen=True)
class Reason:
    """Why a choice is good: the text `hint.KEY`, with numbers counted in the position."""

    key: str
    args: dict[str, Any]
    strength: float  # roughly in points; the strongest reason comes first


@dataclass(frozen=True)
class Theme:
    """The subject of a puzzle: `puzzle.theme.NAME` is its name, `puzzle.look.NAME` says where to look."""

    name: str
    fits: Callable[[ChoiceCase], bool]
    one_in: int = 1  # examine one in so many matching positions; some themes are too frequent


Facts = dict[str, Any]


@dataclass(frozen=True)
class Goal:
    """Something that a choice reaches: the text `puzzle.goal.NAME`, filled with the facts.

    A choice reaches a puzzle's goal if its own facts are those of the solution, or better: at least as many, at most as
    much, and equal in everything else.
    """

    name: str
    facts: Callable[[ChoiceCase], Facts | None]  # None: the choice reaches nothing of the kind
    at_least: tuple[str, ...] = ()
    at_most: tuple[str, ...] = ()

    def is_reached_by(self, case: ChoiceCase, wanted: Facts) -> bool:
        """Whether a choice reaches these facts."""
        found = self.facts(case)
        return found is not None and all(
            found[name] >= value
            if name in self.at_least
            else found[name] <= value
            if name in self.at_most
            else found[name] == value
            for name, value in wanted.items()
        )


@dataclass(frozen=True)
class PuzzleGoal:
    """What the solution of a puzzle reaches."""

    name: str
    facts: Facts


def find_goal_only_solution_reaches(goals: Iterable[Goal], state: State, seat: int, solution: int) -> PuzzleGoal | None:
    """The first declared goal that the solution reaches and no other choice does; None if every goal says too little.

    So whoever reaches the goal has solved the puzzle.
    """
    right = ChoiceCase(state, seat, solution)
    others = [ChoiceCase(state, seat, action) for action in state.legal_actions() if action != solution]
    for goal in goals:
        facts = goal.facts(right)
        if facts is not None and not any(goal.is_reached_by(case, facts) for case in others):
            return PuzzleGoal(goal.name, facts)
    return None


@dataclass(frozen=True)
class ChoicePlaces:
    """What a choice is made with, and where it leads: places of the board, or `card NAME` and `tile NAME` of a hand."""

    begin: list[str]
    end: list[str]

    @property
    def places_on_board(self) -> list[str]:
        """Those on the board."""
        return [place for place in [*self.begin, *self.end] if " " not in place]


@dataclass(frozen=True)
class PuzzleSet:
    """Ten puzzles with something in common: `puzzle.set.NAME` is its title."""

    name: str
    fits: Callable[[ChoiceCase], bool]


@dataclass(frozen=True)
class Puzzle:
    """One puzzle, its solution, and the confidence in it."""

    id: str
    theme: str
    fish: str  # difficulty
    seat: int
    world: str  # a full position, resampled from the seat's position string
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
    goal: str  # `puzzle.goal.GOAL`, filled with the facts, says what the solution reaches
    facts: Facts
    number: int = 0  # in lists; it never changes, and a dropped puzzle's is not used again
    sets: tuple[str, ...] = ()

    def to_state(self, game: Game) -> State:
        """The full position."""
        return game.from_text(self.world)


def seed_from_position_text(line: str) -> int:
    """The seed for resampling: it depends only on the seat's position string."""
    return int.from_bytes(hashlib.blake2b(line.encode(), digest_size=7).digest())


def resample_seeded_by_seat_text(state: State, seat: int) -> State:
    """The full position of a seat's puzzle: equal for all positions that are indistinguishable to the seat."""
    return state.resample(seat, Rng(seed_from_position_text(state.to_text(seat))))


def puzzle_id_from_text(line: str) -> str:
    """A puzzle's id."""
    return hashlib.blake2b(line.encode(), digest_size=5).hexdigest()


def find_first_fitting_theme(themes: Iterable[Theme], case: ChoiceCase) -> Theme | None:
    """The first theme that fits, if any."""
    return next((theme for theme in themes if theme.fits(case)), None)


def load_puzzles(path: Path) -> list[Puzzle]:
    """The puzzles of a file; none if the file is missing."""
    if not path.is_file():
        return []
    return [parse_stored_puzzle(one) for one in json.loads(path.read_text(encoding="utf-8"))]


def parse_stored_puzzle(stored: dict[str, Any]) -> Puzzle:
    """A puzzle as it was stored; fields of earlier versions are ignored."""
    return Puzzle(**{field.name: stored[field.name] for field in fields(Puzzle) if field.name in stored})


def format_puzzle_file(puzzles: Iterable[Puzzle]) -> str:
    """The text of a puzzle file, one puzzle per line."""
    lines = [json.dumps(asdict(puzzle), ensure_ascii=False) for puzzle in puzzles]
    return "[\n" + ",\n".join(lines) + "\n]\n"

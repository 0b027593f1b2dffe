"""What a second reading is made of: a game told as a conversation, in the words of the notation and nothing else.

A reading is a generator. It yields a Question and is sent the answer; it knows no number of the engine's, and imports
nothing of it. A function names in its docstring or beside its lines the ids of the rules it was read from.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

CHANCE = -1
OVER = -2


@dataclass(frozen=True)
class Question:
    """Who is asked, and what may be answered: for chance with weights, for a seat all alike."""

    actor: int
    answers: dict[str, int]


T = TypeVar("T")
Telling: TypeAlias = Generator[Question, str, T]


class GameOver(Exception):
    """The game ends at once, whatever was going on."""


def ask_seat(seat: int, answers: Iterable[str]) -> Telling[str]:
    """A seat's choice; being asked with nothing to choose is a fault of the reading."""
    found = list(answers)
    assert found, "a question without an answer"
    assert len(set(found)) == len(found), f"an answer twice: {sorted(found)}"
    return (yield Question(seat, dict.fromkeys(found, 1)))


def ask_chance(weights: dict[str, int]) -> Telling[str]:
    """Chance's answer, by weight."""
    return (yield Question(CHANCE, {name: weight for name, weight in weights.items() if weight > 0}))


class Reading:
    """One match as the reading has it; `over` is set by who listens, once the telling has ended."""

    over = False

    def tell(self) -> Telling[None]:
        """The whole game; it returns, or raises GameOver, when it is over."""
        raise NotImplementedError

    def seen(self) -> dict[str, object]:
        """What must be on the table now."""
        raise NotImplementedError

    def result(self) -> dict[str, object]:
        """Scores, and the seats in order of their places; asked once it is over."""
        raise NotImplementedError


def group_seats_by_place(keys: list[tuple[int, ...]]) -> list[list[int]]:
    """Seats grouped by place, the greatest keys first; equal keys share one."""
    return [[seat for seat, key in enumerate(keys) if key == best] for best in sorted(set(keys), reverse=True)]

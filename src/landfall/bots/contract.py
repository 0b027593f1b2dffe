"""What a bot is, and all that it gets to see: a Seat.

A Seat never holds the true position. It is made from one resampled world, in which everything its player cannot know
has been drawn anew; a view, a list of choices or a further sample of that world tell nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from landfall.core.errors import LandfallError
from landfall.core.rng import Rng

if TYPE_CHECKING:
    from landfall.core.messages import GameEvent, View
    from landfall.core.state import State


class BotError(LandfallError):
    """A code that names no bot, or a bot that cannot play, with the reason."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(f"bot {code!r}: {reason}", "error.bot", {"code": code, "reason": reason})


class Seat:
    """One player's place at the table, at the moment a choice is asked of it."""

    def __init__(
        self,
        number: int,
        game: str,
        world: State,
        rng: Rng,
        budget: float,
        events: list[GameEvent] | None = None,
        strict: bool = False,
        options: Mapping[str, object] | None = None,
    ) -> None:
        self.number = number
        self.game = game
        self.players = int(world.players)
        self.rng = rng  # seeded for this seat and match: use no other source of chance
        self.budget = budget  # seconds to choose in
        self.strict = strict  # the budget holds for bots whose parameters ask for more, too: others are waiting
        self.events: list[GameEvent] = events or []  # filled only for bots with `uses_events`
        self.options: Mapping[str, object] = options or {}  # of the table, those that were set
        self._world = world  # resampled already: holds nothing this seat does not know

    @classmethod
    def from_state(
        cls,
        state: State,
        game: str,
        rng: Rng,
        budget: float = 1.0,
        events: list[GameEvent] | None = None,
        options: Mapping[str, object] | None = None,
    ) -> Seat:
        """The seat whose choice it is in the true position; from here on only a resampled one is kept."""
        number = int(state.actor)
        return cls(number, game, state.resample(number, rng), rng, budget, events, options=options)

    @property
    def view(self) -> View:
        """All that this seat may see, JSON-able."""
        return self._world.view(self.number)

    @property
    def legal_actions(self) -> list[int]:
        """The choices, each an int; `sample(rng).describe(a)` puts one into words."""
        return self._world.legal_actions()

    @property
    def choices(self) -> list[tuple[str, list[str], list[list[object]]]]:
        """The same in words, as clients get them: for each verb the names of its words, then a row for each choice."""
        return self._world.choice_groups(self.number)

    def sample(self, rng: Rng) -> State:
        """A position that may be the true one, for all this seat knows. Yours: play it on as you like."""
        return self._world.resample(self.number, rng)


@dataclass(frozen=True)
class Thought:
    """What a bot made of one choice: how often it looked at it, and what it expects of it (higher is better)."""

    action: int
    visits: int
    value: float


class Bot:
    """A player. Keyword arguments of `__init__` with defaults are its parameters: `name:depth=3`.

    A bot of many may take one argument `config` instead; `config_type` is the dataclass that has them as fields.
    """

    name: ClassVar[str] = "bot"
    version: ClassVar[str] = "1"
    uses_events: ClassVar[bool] = False  # ask for `seat.events`: costs time, so only on request
    code: str = ""  # what it was asked for by, if by a code
    thoughts: Sequence[Thought] = ()  # about the last choice, the best first; for those who ask why

    @property
    def title(self) -> str:
        """How a record names it, with its version."""
        return f"{self.code or self.name} v{self.version}"

    def choose(self, seat: Seat) -> int:
        """One of `seat.legal_actions`."""
        raise NotImplementedError

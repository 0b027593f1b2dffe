"""The bot interface, and all that a bot gets to see: a Seat.

A Seat never holds the true position. It holds one resampled world, in which everything its player cannot know has been
redrawn. Views, choices and further samples come from that world only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from landfall.core.errors import LandfallError
from landfall.core.rng import Rng

if TYPE_CHECKING:
    from landfall.core.message_types import GameEvent, View
    from landfall.core.state import State


class BotError(LandfallError):
    """A code that names no bot, or a bot that cannot play, with the reason."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(f"bot {code!r}: {reason}", "error.bot", {"code": code, "reason": reason})


class Seat:
    """One player's place at the table when it has to choose.

    >>> seat = Seat.from_state(state, "atlandice", landfall.Rng(1))
    >>> seat.number, seat.game, seat.players
    (0, 'atlandice', 2)
    """

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
        self.rng = rng  # seeded for this seat and match: use no other source of randomness
        self.budget = budget  # seconds to choose in
        self.strict = strict  # the budget overrides the bot's own time parameters, because others are waiting
        self.events: list[GameEvent] = events or []  # filled only for bots with `uses_events`
        self.options: Mapping[str, object] = options or {}  # the table's options that were set
        self._world = world  # already resampled: holds nothing this seat does not know

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
        """The actor's seat in the true position; it keeps only a resampled position.

        >>> Seat.from_state(state, "atlandice", landfall.Rng(1)).number
        0
        """
        number = int(state.actor)
        return cls(number, game, state.resample(number, rng), rng, budget, events, options=options)

    @property
    def view(self) -> View:
        """All that this seat may see, as JSON types.

        >>> Seat.from_state(state, "atlandice", landfall.Rng(1)).view["ask"]
        'ask.die'
        """
        return self._world.view(self.number)

    @property
    def legal_actions(self) -> list[int]:
        """The legal actions as ints; `sample(rng).action_to_dict(a)` puts one into words.

        >>> Seat.from_state(state, "atlandice", landfall.Rng(1)).legal_actions
        [1, 7, 3, 9, 4, 10, 5, 11]
        """
        return self._world.legal_actions()

    @property
    def choices(self) -> list[tuple[str, list[str], list[list[object]]]]:
        """The choices as clients receive them: for each verb its field names, then one row per choice.

        >>> [verb for verb, keys, rows in Seat.from_state(state, "atlandice", landfall.Rng(1)).choices]
        ['die', 'die_neutral']
        """
        return self._world.choice_groups(self.number)

    def sample(self, rng: Rng) -> State:
        """A position that is consistent with all this seat knows. It is yours to modify.

        >>> Seat.from_state(state, "atlandice", landfall.Rng(1)).sample(landfall.Rng(2)).actor
        0
        """
        return self._world.resample(self.number, rng)


@dataclass(frozen=True)
class Thought:
    """A bot's evaluation of one choice: its visits and its expected value (higher is better).

    >>> Thought(action=3, visits=40, value=0.61).value
    0.61
    """

    action: int
    visits: int
    value: float


class Bot:
    """A player. Keyword arguments of `__init__` with defaults are its parameters: `name:depth=3`.

    A bot with many parameters may take one argument `config`; `config_type` is the dataclass with the fields.

    >>> class First(Bot):
    ...     def choose(self, seat: Seat) -> int:
    ...         return seat.legal_actions[0]
    >>> First().choose(Seat.from_state(state, "atlandice", landfall.Rng(1)))
    1
    """

    name: ClassVar[str] = "bot"
    version: ClassVar[str] = "1"
    uses_events: ClassVar[bool] = False  # request `seat.events`, which cost time
    code: str = ""  # the code that created it, if any
    thoughts: Sequence[Thought] = ()  # about the last choice, best first; used for explanations
    line: Sequence[int] = ()  # its choices in this step of the turn as it means to make them, the last choice first

    @property
    def title(self) -> str:
        """Its name and version in a record.

        >>> from landfall.bots.registry import make_bots
        >>> make_bots("greedy")[0].title
        'greedy v2'
        """
        return f"{self.code or self.name} v{self.version}"

    def expected_line(self, seat: int) -> list[tuple[int, int]]:
        """Seats and choices that it expects, as far as it has searched, its last choice at `seat` first.

        >>> Bot().expected_line(0)
        []
        """
        return [(seat, action) for action in self.line]

    def choose(self, seat: Seat) -> int:
        """Choose one of `seat.legal_actions`.

        >>> from landfall.bots.registry import make_bots
        >>> make_bots("greedy")[0].choose(Seat.from_state(state, "atlandice", landfall.Rng(1)))
        3
        """
        raise NotImplementedError

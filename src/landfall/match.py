"""A match: a position, the log that led to it, and a random generator. The log is authoritative."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

from landfall.core import match_record as rec
from landfall.core.errors import IllegalAction, LandfallError, NotationError, PositionError, RecordError
from landfall.core.rng import Rng, SystemRng
from landfall.core.state import CHANCE, OVER, SPECTATOR, list_choices_one_by_one
from landfall.games import game as find_game

if TYPE_CHECKING:
    from landfall.core.game import Game
    from landfall.core.message_types import GameEvent, View
    from landfall.core.state import Event, State

OMNISCIENT: Final = -9  # as a reader: sees everything


@dataclass(slots=True)
class LogEntry:
    """One log entry: the actor, the action, its notation, and the masked notation. Treat it as immutable; a frozen
    dataclass would take five times as long to create.
    """

    actor: int
    action: int
    text: str
    masked: str
    secret: int


def can_read(state: State, seat: int | None, secret: int) -> bool:
    """Whether a reader may read, in this position, what carries this secret code."""
    return seat == OMNISCIENT or state.can_read(seat, secret)


def visible_events(state: State, seat: int | None, since: int = 0, numbered: bool = True) -> list[GameEvent]:
    """The events from number `since` on, as `seat` may see them in this position: masked, never dropped."""
    events: list[Event] = state.events or []
    return [visible_event(state, seat, n, numbered) for n in range(since, len(events))]


def visible_events_with_secret_codes(
    state: State, seat: int | None, stop: int, codes: AbstractSet[int]
) -> list[GameEvent]:
    """The events below number `stop` that carry one of these secret codes, as `seat` may see them now."""
    events: list[Event] = state.events or []
    return [visible_event(state, seat, n, True) for n in range(stop) if events[n].secret in codes] if codes else []


def visible_event(state: State, seat: int | None, n: int, numbered: bool) -> GameEvent:
    """One event as `seat` may see it in this position."""
    event = (state.events or [])[n]
    words: dict[str, object] = {"n": n} if numbered else {}
    words.update(event.public)
    if event.secret and can_read(state, seat, event.secret):
        words.update(event.private)
    return cast("GameEvent", words)


class Match:
    """Plays one match and resolves chance automatically.

    >>> match = Match("survive", players=2, seed=7)
    >>> match.play(match.legal_actions()[0])
    >>> match.play_text("yD4=1")
    Traceback (most recent call last):
    ...
    landfall.core.errors.IllegalAction: yD4=1: forbidden by SV.U3
    """

    def __init__(
        self,
        game: str,
        players: int,
        seed: int | None = None,
        options: dict[str, object] | None = None,
        *,
        rng: Rng | None = None,
        seats: list[str] | None = None,
        position: str | None = None,
    ) -> None:
        self.game = find_game(game)
        self.options = dict(options or {})
        self.players = players
        self.seats = list(seats or [])
        self.position = position
        self.rng = rng or (SystemRng() if seed is None else Rng(seed))
        self.log: list[LogEntry] = []
        self.state = self.initial_state()
        self.resolve_chance()

    @classmethod
    def before_first_action(
        cls, game: Game, players: int, options: dict[str, object], seats: list[str], rng: Rng,
        position: str | None = None,
    ) -> Match:  # fmt: skip
        """A match before its first action; chance is not resolved yet. OptionError if the options are invalid,
        PositionError if the start position is.
        """
        match = cls.__new__(cls)
        match.game, match.players, match.options, match.seats, match.rng = game, players, options, seats, rng
        match.log, match.position = [], position
        match.state = match.initial_state()
        return match

    def fork(self) -> Match:
        """An independent copy, for experiments."""
        other = self.__class__.__new__(self.__class__)
        other.game, other.players, other.options, other.seats = self.game, self.players, self.options, self.seats
        other.rng, other.position = self.rng, self.position
        other.log = list(self.log)
        other.state = self.state.copy()
        other.state.events = list(self.state.events or [])
        return other

    def __copy__(self) -> Match:
        """`copy.copy`: an independent match that plays on with the same chance. `deepcopy` and `pickle` do the same."""
        other = self.fork()
        other.rng = copy(self.rng)
        return other

    def copy_rewound_to(self, length: int) -> Match:
        """A copy of the match after a number of log entries."""
        other = self.copy_at_start()
        other.log = self.log[:length]
        for entry in other.log:
            other.state.apply(entry.action)
        return other

    def copy_at_start(self) -> Match:
        """A copy of the match before its first action."""
        return Match.before_first_action(self.game, self.players, self.options, self.seats, self.rng, self.position)

    def initial_state(self) -> State:
        """The initial position, recording events."""
        state = usual = self.game.new(self.players, self.options)  # validates the options in any case
        if self.position is not None:
            state = self.game.from_text(self.position)
            if state.players != self.players:
                raise PositionError(self.position, f"{state.players} play in it, not {self.players}")
            if state.option_values() != usual.option_values():
                raise PositionError(self.position, "its options are not those of the match")
        state.events = []
        return state

    # --- playing ----------------------------------------------------------------------------------------------

    @property
    def actor(self) -> int:
        """The seat to act, or OVER."""
        return int(self.state.actor)

    def legal_actions(self) -> list[int]:
        """The actor's legal actions."""
        return self.state.legal_actions()

    def choices(self) -> list[dict[str, object]]:
        """The actor's choices as data, each with its `action`; empty when the match is over."""
        return list_choices_one_by_one(self.state, self.actor)

    def play(self, action: int, seat: int | None = None) -> None:
        """Play a checked action (as `seat`, if given), then resolve chance. IllegalAction names the rule."""
        rule = self.state.why_illegal(action, seat)
        if rule is None and self.state.actor == CHANCE:
            rule = "LF.3"
        if rule is not None:
            known = 0 <= action < self.game.num_actions and self.state.actor >= 0
            raise IllegalAction(rule, self.state.notation(action) if known else f"action {action}")
        self.apply_and_log(action)
        self.resolve_chance()

    def play_text(self, text: str, seat: int | None = None) -> None:
        """Play an action given in notation."""
        if self.state.actor < 0:
            raise IllegalAction("LF.4", text)
        self.play(self.state.parse(text), seat)

    def apply_and_log(self, action: int) -> None:
        """Append an action or outcome to the log and apply it."""
        state = self.state
        secret = state.secret_code(action)
        text = state.notation(action)
        masked = state.notation(action, masked=True) if secret else text
        self.log.append(LogEntry(int(state.actor), action, text, masked, secret))
        state.apply(action)

    def resolve_chance(self) -> None:
        """Sample chance until a seat must act or the game is over."""
        while self.state.actor == CHANCE:
            self.apply_and_log(int(self.state.sample_chance(self.rng)))

    def undo(self) -> None:
        """Undo the last choice and all that followed from it; nothing if there was none."""
        last = next((i for i in range(len(self.log) - 1, -1, -1) if self.log[i].actor >= 0), None)
        if last is None:
            return
        earlier = self.copy_rewound_to(last)
        self.log, self.state = earlier.log, earlier.state

    # --- hidden information -----------------------------------------------------------------------------------

    def view(self, seat: int | None) -> View:
        """Everything `seat` (None: a spectator) may see."""
        return self.state.view(seat)

    def can_read(self, seat: int | None, secret: int) -> bool:
        """Whether a reader may now read what carries this secret code."""
        return can_read(self.state, seat, secret)

    def events(self, since: int = 0, seat: int | None = None) -> list[GameEvent]:
        """The events from number `since` on, as `seat` may see them: masked, never dropped."""
        return visible_events(self.state, seat, since)

    def log_lines(self, seat: int | None = OMNISCIENT, since: int = 0) -> list[str]:
        """The log in notation from an entry on, chance marked, as `seat` may read it now."""
        out = []
        for entry in self.log[since:]:
            text = entry.text if not entry.secret or self.can_read(seat, entry.secret) else entry.masked
            out.append(rec.CHANCE_MARK + text if entry.actor == CHANCE else text)
        return out

    # --- records ----------------------------------------------------------------------------------------------

    def record(self, seat: int | None = OMNISCIENT) -> str:
        """The match as a record file; for a `seat` or a spectator (None), hidden information is masked."""
        head = rec.Record(self.game.name, self.game.rules_version, self.players, self.options, self.seats)
        head.lines, head.position = self.log_lines(seat), self.custom_start_text(seat)
        return head.to_text()

    def custom_start_text(self, seat: int | None = OMNISCIENT) -> str | None:
        """The position string it started from, if not the standard one; masked for the reader."""
        if self.position is None or seat == OMNISCIENT:
            return self.position
        return self.initial_state().to_text(SPECTATOR if seat is None else seat)

    @classmethod
    def replay(cls, text: str, rng: Rng | None = None) -> Match:
        """The match of a record, with every line checked; RecordError names the line and the reason.

        A record of older rules is accepted if today's rules allow every line. The result is a match under today's
        rules.
        """
        record = rec.parse_record(text)
        try:
            game = find_game(record.game)
        except LandfallError as error:
            raise RecordError(2, str(error)) from None
        versions = f"this record follows version {record.rules} of the {game.name} rules; here is {game.rules_version}"
        if record.rules > game.rules_version:
            raise RecordError(3, versions)
        try:
            match = cls.before_first_action(
                game, record.players, record.options, record.seats, rng or SystemRng(), record.position
            )
        except LandfallError as error:
            raise RecordError(5, str(error)) from None
        for i, line in enumerate(record.lines):
            try:
                match.replay_line(line, record.first_line + i)
            except RecordError as error:
                if record.rules == game.rules_version:
                    raise
                raise RecordError(error.line, f"{error.arguments['reason']}; {versions}") from None
        return match

    def replay_line(self, line: str, number: int) -> None:
        """Apply one line of a record if it is legal."""
        if self.state.actor == OVER:
            raise RecordError(number, f"{line!r} comes after the end of the match")
        by_chance = line.startswith(rec.CHANCE_MARK)
        if by_chance != (self.state.actor == CHANCE):
            raise RecordError(number, f"{line!r}: here {'a player' if by_chance else 'chance'} decides")
        try:
            action = self.state.parse(line.removeprefix(rec.CHANCE_MARK))
        except NotationError as error:
            raise RecordError(number, str(error)) from None
        rule = self.state.why_illegal(action)
        if rule is not None:
            raise RecordError(number, f"{line!r} is forbidden by {rule}")
        self.apply_and_log(action)

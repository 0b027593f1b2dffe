"""A match: a position, the log that led to it, and a random generator. The log is authoritative."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from copy import copy
from dataclasses import dataclass
from io import StringIO
from typing import TYPE_CHECKING, Final, Generic, cast, overload

from landfall.core import match_record as rec
from landfall.core.errors import (
    IllegalAction,
    LandfallError,
    NotationError,
    NothingToUndo,
    PositionError,
    RecordError,
)
from landfall.core.game import usual_player_count
from landfall.core.rng import Rng, SystemRng
from landfall.core.state import CHANCE, OVER, SPECTATOR, list_choices_one_by_one, summarise_position
from landfall.games import game as find_game

if TYPE_CHECKING:
    from typing import Literal, Self, Unpack

    from typing_extensions import TypeVar

    from landfall import game_types as kinds
    from landfall.core.game import Game
    from landfall.core.message_types import GameEvent, View
    from landfall.core.state import Event, State

    StateT_co = TypeVar("StateT_co", bound=State, default=State, covariant=True)
    ViewT_co = TypeVar("ViewT_co", bound=View, default=View, covariant=True)
    ChoiceT_co = TypeVar("ChoiceT_co", default=kinds.Choice, covariant=True)
else:  # a default of a type variable needs Python 3.13
    from typing import TypeVar

    StateT_co, ViewT_co, ChoiceT_co = TypeVar("StateT_co"), TypeVar("ViewT_co"), TypeVar("ChoiceT_co")

OMNISCIENT: Final = -9  # as a reader: sees everything
TERMINAL_COLUMNS: Final = 120


@dataclass(slots=True)
class LogEntry:
    """One log entry: the actor, the action, its notation, and the masked notation. Treat it as immutable; a frozen
    dataclass would take five times as long to create.

    >>> match.log[0].text, match.log[0].actor == landfall.CHANCE
    ('1a', True)
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


def draw_board(game: Game, view: View, language: str = "en", colours: bool = False) -> str:
    """A view as the board in text, with a terminal's colours or without."""
    from rich.console import Console

    page = StringIO()
    console = Console(
        file=page, width=TERMINAL_COLUMNS, force_terminal=colours, color_system="auto" if colours else None,
        force_jupyter=False,  # where Rich would show the board itself, and write nothing
    )  # fmt: skip
    console.print(game.render_terminal(view, language))
    return page.getvalue()


class Match(Generic[StateT_co, ViewT_co, ChoiceT_co]):
    """Plays one match and resolves chance automatically. `options` are the game's own.

    >>> match = Match("survive", players=2, seed=7, dolphins=True)
    >>> match.play(match.legal_actions()[0])
    >>> match.play_text("yD4=1")
    Traceback (most recent call last):
    ...
    landfall.core.errors.IllegalAction: yD4=1: forbidden by SV.U3
    """

    # generated: overloads
    @overload
    def __init__(
        self: Match[kinds.SurviveState, kinds.SurviveView, kinds.SurviveChoice],
        game: Literal["survive"],
        players: int | None = None,
        *,
        seed: int | None = None,
        rng: Rng | None = None,
        seats: list[str] | None = None,
        position: str | None = None,
        **options: Unpack[kinds.SurviveOptions],
    ) -> None: ...
    @overload
    def __init__(
        self: Match[kinds.AtlantisState, kinds.AtlantisView, kinds.AtlantisChoice],
        game: Literal["atlantis"],
        players: int | None = None,
        *,
        seed: int | None = None,
        rng: Rng | None = None,
        seats: list[str] | None = None,
        position: str | None = None,
        **options: Unpack[kinds.AtlantisOptions],
    ) -> None: ...
    @overload
    def __init__(
        self: Match[kinds.AtlandiceState, kinds.AtlandiceView, kinds.AtlandiceChoice],
        game: Literal["atlandice"],
        players: int | None = None,
        *,
        seed: int | None = None,
        rng: Rng | None = None,
        seats: list[str] | None = None,
        position: str | None = None,
        **options: Unpack[kinds.AtlandiceOptions],
    ) -> None: ...
    @overload
    def __init__(
        self,
        game: str,
        players: int | None = None,
        *,
        seed: int | None = None,
        rng: Rng | None = None,
        seats: list[str] | None = None,
        position: str | None = None,
        **options: object,
    ) -> None: ...
    # end of generated
    def __init__(
        self,
        game: str,
        players: int | None = None,
        *,
        seed: int | None = None,
        rng: Rng | None = None,
        seats: list[str] | None = None,
        position: str | None = None,
        **options: object,
    ) -> None:
        self.game = find_game(game)
        self.options = options
        self.players = usual_player_count(self.game.player_counts) if players is None else players
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
    ) -> Self:  # fmt: skip
        """A match before its first action; chance is not resolved yet. OptionError if the options are invalid,
        PositionError if the start position is.

        >>> game = landfall.game("atlandice")
        >>> landfall.Match.before_first_action(game, 2, {}, [], landfall.Rng(3)).log
        []
        """
        match = cls.__new__(cls)
        match.game, match.players, match.options, match.seats, match.rng = game, players, options, seats, rng
        match.log, match.position = [], position
        match.state = match.initial_state()
        return match

    def fork(self) -> Self:
        """An independent copy, for experiments.

        >>> other = match.fork()
        >>> other == match, other is match
        (True, False)
        """
        other = self.__class__.__new__(self.__class__)
        other.game, other.players, other.options, other.seats = self.game, self.players, self.options, self.seats
        other.rng, other.position = self.rng, self.position
        other.log = list(self.log)
        other.state = cast("StateT_co", self.state.copy())
        other.state.events = list(self.state.events or [])
        return other

    def __copy__(self) -> Self:
        """`copy.copy`: an independent match that plays on with the same chance. `deepcopy` and `pickle` do the same."""
        other = self.fork()
        other.rng = copy(self.rng)
        return other

    def copy_rewound_to(self, length: int) -> Self:
        """A copy of the match after a number of log entries.

        >>> match.copy_rewound_to(2).log == match.log[:2]
        True
        """
        other = self.copy_at_start()
        other.log = self.log[:length]
        for entry in other.log:
            other.state.apply(entry.action)
        return other

    def copy_at_start(self) -> Self:
        """A copy of the match before its first action.

        >>> match.copy_at_start().log
        []
        """
        return type(self).before_first_action(
            self.game, self.players, self.options, self.seats, self.rng, self.position
        )

    def initial_state(self) -> StateT_co:
        """The initial position, recording events.

        >>> match.initial_state().actor == landfall.CHANCE
        True
        """
        state = usual = self.game.new(self.players, self.options)  # validates the options in any case
        if self.position is not None:
            state = self.game.from_text(self.position)
            if state.players != self.players:
                raise PositionError(self.position, f"{state.players} play in it, not {self.players}")
            if state.option_values() != usual.option_values():
                raise PositionError(self.position, "its options are not those of the match")
        state.events = []
        return cast("StateT_co", state)

    # --- playing ----------------------------------------------------------------------------------------------

    @property
    def actor(self) -> int:
        """The seat to act, or OVER.

        >>> match.actor
        0
        """
        return int(self.state.actor)

    def legal_actions(self) -> list[int]:
        """The actor's legal actions.

        >>> match.legal_actions()
        [1, 7, 3, 9, 4, 10, 5, 11]
        """
        return self.state.legal_actions()

    def choices(self) -> list[ChoiceT_co]:
        """The actor's choices as data, each with its `action`; empty when the match is over.

        >>> match.choices()[0]
        {'verb': 'die', 'sector': 'library', 'action': 1, 'text': 'd2', 'loses': [], 'hits': []}
        """
        return cast("list[ChoiceT_co]", list_choices_one_by_one(self.state, self.actor))

    def play(self, action: int, seat: int | None = None) -> None:
        """Play a checked action (as `seat`, if given), then resolve chance. IllegalAction names the rule.

        >>> match.play(match.legal_actions()[0])
        """
        rule = self.state.why_illegal(action, seat)
        if rule is None and self.state.actor == CHANCE:
            rule = "LF.3"
        if rule is not None:
            known = 0 <= action < self.game.num_actions and self.state.actor >= 0
            raise IllegalAction(rule, self.state.notation(action) if known else f"action {action}")
        self.apply_and_log(action)
        self.resolve_chance()

    def play_text(self, text: str, seat: int | None = None) -> None:
        """Play an action given in notation.

        >>> match.play_text("d2")
        """
        if self.state.actor < 0:
            raise IllegalAction("LF.4", text)
        self.play(self.state.parse(text), seat)

    def apply_and_log(self, action: int) -> None:
        """Append an action or outcome to the log and apply it.

        >>> match.apply_and_log(1)
        >>> match.log[-1].text
        'd2'
        """
        state = self.state
        secret = state.secret_code(action)
        text = state.notation(action)
        masked = state.notation(action, masked=True) if secret else text
        self.log.append(LogEntry(int(state.actor), action, text, masked, secret))
        state.apply(action)

    def resolve_chance(self) -> None:
        """Sample chance until a seat must act or the game is over.

        >>> start = match.copy_at_start()
        >>> start.resolve_chance()
        >>> start.actor >= 0
        True
        """
        while self.state.actor == CHANCE:
            self.apply_and_log(int(self.state.sample_chance(self.rng)))

    def undo(self) -> None:
        """Undo the last choice and all that followed from it. NothingToUndo if there was none.

        >>> match.undo()
        Traceback (most recent call last):
        ...
        landfall.core.errors.NothingToUndo: no choice has been made that could be undone
        """
        last = next((i for i in range(len(self.log) - 1, -1, -1) if self.log[i].actor >= 0), None)
        if last is None:
            raise NothingToUndo
        earlier = self.copy_rewound_to(last)
        self.log, self.state = earlier.log, earlier.state

    # --- hidden information -----------------------------------------------------------------------------------

    def view(self, seat: int | None) -> ViewT_co:
        """Everything `seat` (None: a spectator) may see.

        >>> match.view(0)["sectors"][1]["sector"]
        'library'
        >>> match.view(9)
        Traceback (most recent call last):
        ...
        landfall.core.errors.UnknownSeat: there is no seat 9: the seats are 0 to 1, and None is a spectator
        """
        return cast("ViewT_co", self.state.view(seat))

    def draw(self, seat: int | None = None, language: str = "en") -> str:
        """The board in text, as `seat` (None: a spectator) sees it.

        >>> match.draw(0).splitlines()[0][:31]
        'Atlandice  Round 1  Red: Take a'
        """
        return draw_board(self.game, self.state.view(seat), language)

    def can_read(self, seat: int | None, secret: int) -> bool:
        """Whether a reader may now read what carries this secret code.

        >>> match.can_read(1, 0)
        True
        """
        return can_read(self.state, seat, secret)

    def events(self, since: int = 0, seat: int | None = None) -> list[GameEvent]:
        """The events from number `since` on, as `seat` may see them: masked, never dropped.

        >>> [event["kind"] for event in match.events()][:3]
        ['reveal', 'reveal', 'reveal']
        """
        return visible_events(self.state, seat, since)

    def log_lines(self, seat: int | None = OMNISCIENT, since: int = 0) -> list[str]:
        """The log in notation from an entry on, chance marked, as `seat` may read it now.

        >>> match.play_text("d2")
        >>> match.log_lines()[-1]
        'd2'
        """
        out = []
        for entry in self.log[since:]:
            text = entry.text if not entry.secret or self.can_read(seat, entry.secret) else entry.masked
            out.append(rec.CHANCE_MARK + text if entry.actor == CHANCE else text)
        return out

    # --- in a shell or a notebook -----------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        """Whether both are in the same position of the same game. `record()` compares the ways there."""
        return isinstance(other, Match) and self.state == other.state

    def __hash__(self) -> int:
        return hash(self.state)

    def __repr__(self) -> str:
        choices = sum(entry.actor >= 0 for entry in self.log)
        return f"<Match {self.game.name}: {choices} choices made, {summarise_position(self.state)}>"

    def __str__(self) -> str:
        return self.draw()

    def _repr_svg_(self) -> str:
        return self.state.svg()

    def _repr_html_(self) -> str:
        return self.state._repr_html_()

    # --- records ----------------------------------------------------------------------------------------------

    def record(self, seat: int | None = OMNISCIENT) -> str:
        """The match as a record file; for a `seat` or a spectator (None), hidden information is masked.

        >>> match.record().splitlines()[:4]
        ['landfall record 1', 'game: atlandice', 'rules: 1', 'players: 2']
        """
        head = rec.Record(self.game.name, self.game.rules_version, self.players, self.options, self.seats)
        head.lines, head.position = self.log_lines(seat), self.custom_start_text(seat)
        return head.to_text()

    def custom_start_text(self, seat: int | None = OMNISCIENT) -> str | None:
        """The position string it started from, if not the standard one; masked for the reader.

        >>> match.custom_start_text() is None
        True
        """
        if self.position is None or seat == OMNISCIENT:
            return self.position
        return self.initial_state().to_text(SPECTATOR if seat is None else seat)

    @classmethod
    def replay(cls, text: str, rng: Rng | None = None) -> Self:
        """The match of a record, with every line checked; RecordError names the line and the reason.

        A record of older rules is accepted if today's rules allow every line. The result is a match under today's
        rules.

        >>> landfall.Match.replay(match.record()) == match
        True
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
        """Apply one line of a record if it is legal.

        >>> match.replay_line("d2", 1)
        """
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

"""A table is its log: this module folds the events into seats and the state of the match.

Folding decides nothing: `decisions` decides what may be appended, and `loading` reports a log that cannot be folded.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from typing import Any, Final, assert_never

from landfall.core.rng import Rng, SystemRng
from landfall.core.state import OVER as MATCH_OVER
from landfall.games import game as find_game
from landfall.match import Match
from landfall.store.events import (
    Answered,
    Arranged,
    Banned,
    BotSatDown,
    CameBack,
    ColourChosen,
    Created,
    Ended,
    Left,
    LogEvent,
    Muted,
    OnHoliday,
    PaceSet,
    Paused,
    Played,
    Proposed,
    Rated,
    RematchMade,
    Resumed,
    SatDown,
    Started,
    StoodUp,
    TakenBack,
    Uncounted,
    UnreadableEvent,
)
from landfall.store.row_types import FORGOTTEN_PREFIX, LogEntry, TableSummary, anonymous_user_id
from landfall.tables.log.clocks import DAYS_CLOCK, ClockRule, Clocks

GATHERING: Final = "gathering"
PLAYING: Final = "playing"
OVER: Final = "over"
EXHIBITION: Final = "exhibition"  # the owner of a match of bots for spectators
LEFT: Final = "left"
OUT_OF_TIME: Final = "time"
REMOVED: Final = "removed"
RESIGNED: Final = "resigned"
PLAY_EVENTS: Final = (Played, Ended, Paused, Resumed)  # events that do not change the seats
COUNTED_ENDS: Final = ("finished", RESIGNED)  # ends after which a rated match counts


def public_handle(person: str, table: str) -> str:
    """A public alias of a user id, unlinkable between tables."""
    return hashlib.blake2b(person.encode(), key=table.encode()[:64], digest_size=6).hexdigest()


@dataclass
class Chair:
    """One chair: free, a person's, or a bot's. Once the match has started its number is its seat."""

    person: str | None = None
    name: str = ""
    bot: str | None = None
    colour: str | None = None
    away_reason: str | None = None  # why a stand-in plays: left, time, removed, resigned
    reserved_for: str | None = None  # the handle, at the previous table, of the user it is reserved for
    places_automatically: bool = False  # the rest of the set-up is placed automatically
    saw: int | None = None  # if away: the number of log lines when they left
    author: str | None = None  # of an online bot: a handle of its author; None for people

    @property
    def is_free(self) -> bool:
        return self.person is None and self.bot is None

    @property
    def is_user_deleted(self) -> bool:
        """Whether its user was deleted."""
        return self.person is not None and self.person.startswith(FORGOTTEN_PREFIX)

    @property
    def is_played_by_person(self) -> bool:
        """Whether a person makes the choices."""
        return self.person is not None and self.away_reason is None


@dataclass
class Proposal:
    """A proposal that all people at the table must accept."""

    what: str  # abandon, takeback, pause
    by: str
    agreed: set[str]
    kept_lines: int = 0  # takeback: the number of log lines that stay
    version: int = 0  # a choice made since then cancels it


@dataclass
class Terms:
    """The settings from the table's creation; `rules` is the version it is played by, which is today's."""

    game: str
    players: int
    options: dict[str, object]
    rules: int
    owner: str
    public: bool
    clock: ClockRule
    seating: str
    hot_seat: bool
    previous: str | None
    created: int
    position: str | None = None  # position string to start from
    opened: bool = False  # imported from a record
    rated: bool = False  # as chosen; `Table.unrated_reason` says whether it still is
    hints: bool = True  # whether bots may help
    by_bot: bool = False  # an online bot made the table
    tournament: str | None = None  # that it is a table of


@dataclass
class Table:
    """The folded state of a log."""

    id: str
    rng: Rng = field(default_factory=SystemRng)
    seq: int = 0  # of the last event
    version: int = 0  # of the last event that changed the position
    choice_since: int = 0  # the time of that
    status: str = GATHERING
    ended: str | None = None  # the reason it is over: finished, abandoned, resigned, closed
    paused: bool = False
    paused_by_agreement: bool = False  # the pause was agreed to: it lasts until a player resumes
    chairs: list[Chair] = field(default_factory=list)
    match: Match | None = None
    proposal: Proposal | None = None
    muted: set[str] = field(default_factory=set)
    banned: set[str] = field(default_factory=set)
    removed: set[str] = field(default_factory=set)  # those who were playing when removed: they keep their vote
    applied_commands: dict[str, int] = field(default_factory=dict)  # results of choices by id, to recognise a resend
    successor: str | None = None  # the table of the rematch
    successor_by: int | None = None  # the seat that asked for it
    people: set[str] = field(default_factory=set)
    event_counts: list[tuple[int, int]] = field(default_factory=list)  # (sequence number, game events up to it)
    last_at: int = 0
    actor: int | None = None  # the seat that must choose
    taken_back: bool = False  # a choice was taken back by agreement
    rating: Rated | None = None  # what the match did to the players' ratings
    uncounted: str = ""  # why it changes none, if its log says so
    terms: Terms = field(init=False)
    clocks: Clocks = field(init=False)

    # --- folding ----------------------------------------------------------------------------------------------

    def copy_for_events(self, same_people: bool = False) -> Table:
        """A copy to try events on; it shares the seats unless an event changes them.

        The match is shared: events are applied with the match that they lead to.
        """
        other = Table.__new__(Table)
        other.__dict__.update(self.__dict__)
        if not same_people:
            other.chairs = [replace(chair) for chair in self.chairs]
            other.muted, other.banned, other.people = set(self.muted), set(self.banned), set(self.people)
            other.removed = set(self.removed)
        if self.proposal is not None:
            other.proposal = replace(self.proposal, agreed=set(self.proposal.agreed))
        other.applied_commands, other.event_counts = self.applied_commands.copy(), self.event_counts.copy()
        c = self.clocks
        other.clocks = Clocks(c.rule, c.banks.copy(), c.seat, c.turn_left, c.running_since, c.holidays)
        return other

    def apply_entry(self, entry: LogEntry, after: Match | None = None) -> None:
        """Apply one event. `after`, if given, is the match after this event, so that it is not replayed."""
        self.apply_event(entry.event, entry, after)
        self.seq = entry.seq
        self.last_at = entry.at
        self.actor = self.find_acting_seat()

    def apply_event(self, event: LogEvent | UnreadableEvent, entry: LogEntry, after: Match | None) -> None:
        """The effect of each kind of event."""
        match event:
            case Played():
                self.apply_played(event, entry, after)
            case TakenBack():
                self.apply_taken_back(event, entry, after)
            case Created():
                self.apply_created(event, entry)
            case Started():
                self.apply_started(event, entry, after)
            case SatDown(number, person, name, author):
                self.chairs[number] = Chair(person, name, colour=self.chairs[number].colour, author=author)
                self.people.add(person)
            case BotSatDown(number, code):
                self.chairs[number] = Chair(bot=code, colour=self.chairs[number].colour)
            case StoodUp(number):
                self.chairs[number] = Chair()
            case ColourChosen(number, colour):
                self.chairs[number].colour = colour
            case Arranged(seat, on):
                self.chairs[seat].places_automatically = on
                if seat == self.find_acting_seat():
                    self.run_clock_for_actor(entry.at)
            case Left():
                self.apply_left(event, entry)
            case CameBack(seat):
                self.chairs[seat].away_reason = self.chairs[seat].saw = None
                self.run_clock_for_actor(entry.at)
            case Proposed(what, by, length):
                is_gone = by.startswith(
                    FORGOTTEN_PREFIX
                )  # deleted since, and their proposal with them: see `anonymise_user`
                self.proposal = None if is_gone else Proposal(what, by, {by}, length or 0, self.version)
            case Answered(person, yes):
                self.apply_answer(person, yes)
            case Ended(why):
                self.status, self.ended, self.proposal = OVER, why, None
                self.clocks.stop_and_charge(entry.at)
            case Paused(since, agreed):
                self.clocks.stop_and_charge(since)
                self.paused, self.paused_by_agreement, self.proposal = True, agreed, None
            case Resumed():
                self.paused = self.paused_by_agreement = False
                self.choice_since = max(self.choice_since, entry.at)
                self.run_clock_for_actor(entry.at)
            case Muted(person, on):
                (self.muted.add if on else self.muted.discard)(person)
            case PaceSet():
                pass
            case Banned(person):
                self.banned.add(person)
            case RematchMade(table, seat):
                self.successor, self.successor_by = table, seat
            case Rated():
                self.rating = event
            case Uncounted(why):
                self.rating, self.uncounted = None, why
            case OnHoliday(seat, since, until):
                self.clocks.set_seat_holiday(seat, since, until)
            case UnreadableEvent(kind, reason):
                raise ValueError(f"{kind}: {reason}")
            case _:
                assert_never(event)

    def on_position_changed(self, entry: LogEntry, decided: int | None = None) -> None:
        """The position has changed."""
        assert self.match is not None
        self.version = entry.seq
        self.choice_since = entry.at
        self.event_counts.append((entry.seq, len(self.match.state.events or [])))
        if self.proposal is not None:
            self.proposal = None
        self.clocks.stop_and_charge(entry.at if decided is None else decided)
        if self.match.actor == MATCH_OVER and self.status == PLAYING:
            self.status, self.ended = OVER, "finished"
        self.run_clock_for_actor(entry.at)

    def run_clock_for_actor(self, at: int) -> None:
        """Run the clock for the actor, if it is a person."""
        actor = self.find_acting_seat()
        if self.status == PLAYING and not self.paused and actor is not None and self.awaits_choice_of_person(actor):
            self.clocks.run_for_seat(actor, at)
            return
        self.clocks.stop_and_charge(at)
        if self.status == PLAYING and not self.paused and actor is not None:
            self.clocks.seat = -1  # not counted, but the next turn is a new one

    def apply_created(self, event: Created, entry: LogEntry) -> None:
        clock = event.clock
        self.terms = Terms(
            game=event.game,
            players=event.players,
            options=event.options,
            rules=find_game(event.game).rules_version,
            owner=event.owner,
            public=event.public,
            clock=ClockRule(clock.mode, clock.turn, clock.bank, clock.days),
            seating=event.seating,
            hot_seat=event.hot_seat,
            previous=event.previous,
            created=entry.at,
            position=event.position,
            opened=event.lines is not None,
            rated=event.rated,
            hints=event.hints,
            by_bot=event.by_bot,
            tournament=event.tournament,
        )
        self.clocks = Clocks(self.terms.clock)
        self.chairs = [
            Chair(c.person, c.name or "", c.bot, c.colour, reserved_for=c.kept, author=c.author) for c in event.chairs
        ]
        self.people.update(c.person for c in self.chairs if c.person)
        if event.lines or (event.lines is not None and event.position is not None):
            self.match = self.match_from_lines(event.lines)
            self.version = entry.seq
            if self.match.actor == MATCH_OVER:
                self.status, self.ended = OVER, "finished"

    def apply_started(self, event: Started, entry: LogEntry, after: Match | None) -> None:
        self.chairs = [self.chairs[i] for i in event.order]
        for chair, colour in zip(self.chairs, event.colours):
            chair.colour = colour
        self.status = PLAYING
        if self.match is None:
            self.match = after or self.match_from_lines(event.acts)
        else:
            self.match = self.match.fork()
        self.match.seats = [chair.name or chair.bot or "" for chair in self.chairs]
        self.clocks.fill_banks(self.terms.players)
        self.on_position_changed(entry)

    def apply_played(self, event: Played, entry: LogEntry, after: Match | None) -> None:
        if after is None:
            assert self.match is not None
            replay_lines_onto_match(self.match, event.acts)
        else:
            self.match = after
        if event.id:
            self.applied_commands[event.id] = entry.seq
        self.on_position_changed(entry, event.decided)

    def apply_taken_back(self, event: TakenBack, entry: LogEntry, after: Match | None) -> None:
        assert self.match is not None
        self.match = after or self.match.copy_rewound_to(event.to)
        self.taken_back = self.taken_back or event.consent
        if event.id:
            self.applied_commands[event.id] = entry.seq
        for chair in self.chairs:
            if chair.saw is not None and chair.saw > event.to:
                chair.saw = event.to
        self.on_position_changed(entry)

    def apply_left(self, event: Left, entry: LogEntry) -> None:
        chair = self.chairs[event.seat]
        if event.why == REMOVED and chair.person is not None:
            self.banned.add(chair.person)
            if chair.is_played_by_person and not chair.is_user_deleted:
                self.removed.add(chair.person)
        if chair.away_reason is None:
            chair.saw = len(self.match.log) if self.match is not None else 0
        chair.away_reason = event.why
        self.run_clock_for_actor(entry.at)

    def apply_answer(self, person: str, yes: bool) -> None:
        if self.proposal is not None:
            if yes and not person.startswith(FORGOTTEN_PREFIX):
                self.proposal.agreed.add(person)
            else:
                self.proposal = None

    def anonymise_user(self, person: str) -> str:
        """A user was deleted and is anonymous in the log already: do the same here."""
        alias = anonymous_user_id(self.id, person)
        for seat, chair in enumerate(self.chairs):
            if chair.person == person:
                chair.person, chair.name = alias, ""
                if self.match is not None and seat < len(self.match.seats):
                    self.match.seats[seat] = ""
        for some in (self.people, self.muted, self.banned):
            if person in some:
                some.discard(person)
                some.add(alias)
        self.removed.discard(person)
        if self.terms.owner == person:
            self.terms.owner = alias
        if self.proposal is not None and person in {self.proposal.by, *self.proposal.agreed}:
            self.proposal = None
        return alias

    # --- queries ----------------------------------------------------------------------------------------------

    def find_acting_seat(self) -> int | None:
        """The seat that must choose; None if there is none."""
        if self.status != PLAYING or self.match is None:
            return None
        actor = self.match.actor
        return actor if actor >= 0 else None

    def awaits_choice_of_person(self, seat: int) -> bool:
        """Whether a person makes this choice of a seat; false while their set-up is placed automatically."""
        chair = self.chairs[seat]
        return chair.is_played_by_person and not (chair.places_automatically and self.is_setting_up)

    @property
    def is_setting_up(self) -> bool:
        """Whether the match is in its set-up."""
        return self.match is not None and self.match.state.is_setup()

    @property
    def is_waiting_for_bot(self) -> bool:
        """Whether a bot or a stand-in must choose, and may."""
        actor = self.actor
        return actor is not None and not self.paused and not self.awaits_choice_of_person(actor)

    def first_unseen_event_number(self, seq: int) -> int:
        """The number of the first game event that a reader of the log up to `seq` has not seen in its current form."""
        least = len(self.match.state.events or []) if self.match is not None else 0
        for at, count in reversed(self.event_counts):
            least = min(least, count)
            if at <= seq:
                return least
        return 0

    def seats_of_person(self, person: str | None) -> list[int]:
        """A user's chairs; at a hot seat there may be several."""
        return [i for i, c in enumerate(self.chairs) if c.person == person] if person is not None else []

    def chairs_reserved_for(self, person: str) -> list[int]:
        """The chairs reserved for a player of the previous table."""
        before = self.terms.previous
        mine = public_handle(person, before) if before is not None else None
        return [i for i, c in enumerate(self.chairs) if c.reserved_for is not None and c.reserved_for == mine]

    def required_voters(self, what: str = "", to: int = 0) -> set[str]:
        """The users who must agree: all people who make choices here; online bots only where there are no people.

        A takeback or abandonment also needs players whom the owner removed: nobody may gain votes by removing
        opponents. They may still answer, and the owner may close the table, which is logged as such. A takeback to
        `kept_lines` lines also needs players who are away, have not resigned and saw some of those lines. The others
        may take back later lines without them.
        """
        seated = [c for c in self.chairs if c.person is not None and c.away_reason is None]
        there = {c.person for c in seated if c.author is None and c.person is not None}
        if not any(c.person is not None and c.author is None for c in self.chairs):
            there = {c.person for c in seated if c.person is not None}
        if what == "takeback":
            away = [
                c for c in self.chairs
                if c.away_reason not in (None, RESIGNED) and not c.is_user_deleted and c.author is None
            ]  # fmt: skip
            there |= {c.person for c in away if c.person is not None and c.saw is not None and c.saw > to}
        return there | self.removed if what in ("takeback", "abandon") else there

    def match_from_lines(self, lines: list[str]) -> Match:
        """A match from its log lines alone."""
        terms = self.terms
        match = Match.before_first_action(
            find_game(terms.game), terms.players, terms.options, [], self.rng, terms.position
        )
        replay_lines_onto_match(match, lines)
        return match

    # --- ratings ----------------------------------------------------------------------------------------------

    @property
    def unrated_reason(self) -> str:
        """Why the match does not count, as far as is known now; "" if it does. Terms that forbid a rated match are
        refused when the table is made.
        """
        if not self.terms.rated:
            return "friendly"
        if self.uncounted:
            return self.uncounted
        if any(chair.bot is not None for chair in self.chairs):
            return "bots"
        if len({chair.author is None for chair in self.chairs if chair.person is not None}) > 1:
            return "bots"  # people and online bots: each have ratings among themselves
        if self.taken_back:
            return "takeback"
        if self.status == OVER and self.ended not in COUNTED_ENDS:
            return "unfinished"
        if self.ended == RESIGNED and not self.is_long_enough_to_rate:
            return "short"
        return ""

    @property
    def is_long_enough_to_rate(self) -> bool:
        """Whether the set-up is over and every seat has chosen since: a match given up earlier does not count."""
        if self.match is None or self.is_setting_up:
            return False
        return {line.actor for line in self.match.log} >= set(range(self.terms.players))

    @property
    def awaits_rating(self) -> bool:
        """Whether a finished match has yet to change its players' ratings."""
        return self.status == OVER and self.rating is None and not self.unrated_reason

    def final_places_by_seat(self) -> list[int]:
        """The place of each seat at the end, for ratings: who left shares the last place, whatever a stand-in made of
        the seat; the others are ranked among themselves.
        """
        assert self.match is not None
        stayed = [seat for seat, chair in enumerate(self.chairs) if chair.away_reason is None]
        groups = [group["seats"] for group in self.match.state.ranking()] if self.ended == "finished" else [stayed]
        places = [len(stayed) + 1] * len(self.chairs)
        ranked = 0
        for group in groups:
            there = [seat for seat in group if seat in stayed]
            for seat in there:
                places[seat] = ranked + 1
            ranked += len(there)
        return places

    def build_summary(self) -> TableSummary:
        """The entry in a lobby or history."""
        deadline = None  # when the table needs attention: at once, if it must be rated, or by days if a bot must play
        if self.awaits_rating:
            deadline = self.last_at
        elif self.terms.clock.mode == DAYS_CLOCK:
            deadline = self.last_at if self.is_waiting_for_bot else self.clocks.actor_deadline()
        info: dict[str, Any] = {
            "players": self.terms.players,
            "options": self.terms.options,
            "clock": self.terms.clock.mode,
            "ended": self.ended,
            "chairs": [c.name if c.person else c.bot for c in self.chairs],
            "people": [c.person for c in self.chairs],
            "colours": [c.colour for c in self.chairs],
        }
        if self.status == OVER and self.ended == "finished" and self.match is not None:
            info["ranking"] = self.match.state.ranking()
        if self.terms.clock.mode == DAYS_CLOCK:
            info["turn"] = self.actor
        if self.terms.rated:
            info["unrated"] = self.unrated_reason
        if any(c.author is not None for c in self.chairs):
            info["online_bots"] = [i for i, c in enumerate(self.chairs) if c.author is not None]
        if self.terms.by_bot:
            info["by_bot"] = True
        h = self.terms
        return TableSummary(
            self.id, h.game, h.rules, self.status, h.public, h.owner, h.created, self.last_at, deadline, info,
            sorted(self.people),
        )  # fmt: skip


def replay_lines_onto_match(match: Match, lines: list[str]) -> None:
    """Apply log lines; RecordError at one that is illegal."""
    for line in lines:
        match.replay_line(line, len(match.log) + 1)


def fold_table_from_log(table: str, entries: list[LogEntry], rng: Rng) -> Table:
    """A table from its whole log."""
    found = Table(table, rng)
    for entry in entries:
        found.apply_entry(entry)
    return found

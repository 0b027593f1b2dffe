"""Judges every commit by the rules: a log has no holes, folds from its beginning, and holds nothing twice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec

from landfall.core.errors import LandfallError
from landfall.core.rng import Rng
from landfall.core.state import CHANCE, Event, State
from landfall.match import Match, visible_event
from landfall.store.anonymisation import anonymise_event
from landfall.store.event_codec import decode_event
from landfall.store.row_types import FORGOTTEN_PREFIX, LogEntry, anonymous_user_id
from landfall.tables.log.table import GATHERING, LEFT, OUT_OF_TIME, OVER, PLAYING, RESIGNED, Table, fold_table_from_log

AFTER_THE_END = ("rematch", "mute", "ban", "rated")
Row = tuple[int, int, str, bytes]  # an entry: its number, when, its kind, what it says
encode, decode = msgspec.json.encode, msgspec.json.decode


class Unsound(Exception):
    """A log that is no legal match any more."""


class Seen:
    """One position as each may see it, as it comes out of JSON, worked out when it is asked for.

    `plain` is shared by a whole log: an event is the same in all its positions, for who may read it and who may not.
    """

    def __init__(self, match: Match | None, plain: dict[tuple[int, bool], tuple[Event, Any]]) -> None:
        self.match = match
        self.plain = plain
        self.views: dict[int | None, Any] = {}
        self.offers: dict[int | None, Any] = {}
        self.happenings: dict[tuple[int, int | None], Any] = {}

    def view(self, seat: int | None) -> Any:
        if seat not in self.views:
            assert self.match is not None
            self.views[seat] = decode(encode(self.match.view(seat)))
        return self.views[seat]

    def choices(self, seat: int) -> Any:
        if seat not in self.offers:
            assert self.match is not None
            groups = self.match.state.choice_groups(seat)
            rows = [{"verb": verb, "keys": keys, "rows": rows} for verb, keys, rows in groups]
            self.offers[seat] = decode(encode(rows))
        return self.offers[seat]

    def events(self, first: int, seat: int | None) -> Any:
        if (first, seat) not in self.happenings:
            assert self.match is not None
            state = self.match.state
            self.happenings[first, seat] = [self.event(state, n, seat) for n in range(first, len(state.events or []))]
        return self.happenings[first, seat]

    def event(self, state: State, n: int, seat: int | None) -> Any:
        event = (state.events or [])[n]
        key = id(event), bool(event.secret) and state.can_read(seat, event.secret)
        if key not in self.plain:
            self.plain[key] = (
                event,
                decode(encode(visible_event(state, seat, n, numbered=False))),
            )  # kept, so the id is its
        return self.plain[key][1]


@dataclass
class Moment:
    """A table as one entry left it: what may be told of it, and to whom."""

    table: str
    seq: int
    version: int
    status: str
    actor: int | None
    people: list[str | None]  # by chair
    banned: set[str]
    seen: Seen

    @property
    def match(self) -> Match | None:
        return self.seen.match

    def view(self, seat: int | None) -> Any:
        """What a seat may see."""
        return self.seen.view(seat)

    def choices(self, seat: int | None) -> Any:
        """What a seat may choose, if it is to choose."""
        if self.match is None or seat is None or seat != self.actor:
            return []
        return self.seen.choices(seat)

    def events(self, first: int, seat: int | None) -> Any:
        """What happened from an event on, as a seat may know it."""
        return self.seen.events(first, seat)

    @property
    def happened(self) -> int:
        """How many events there were."""
        return len(self.match.state.events or []) if self.match is not None else 0

    def may_look(self, person: str | None, seat: int | None) -> bool:
        """Whether somebody may look through a seat's eyes: an owner of the seat who was not sent away, or after the end
        everybody. Who was deleted is soon not connected any more."""
        if seat is None or self.status == OVER:
            return True
        if person is None:
            return False
        names = {person, anonymous_user_id(self.table, person)}
        return not names & self.banned and self.people[seat] in names


class Log:
    """One table's log on disk, folded as it grows."""

    def __init__(self, table: str) -> None:
        self.table = Table(table, Rng(0))
        self.rows: list[Row] = []
        self.moments: list[Moment] = []
        self.seen = Seen(None, {})
        self.ids: set[str] = set()
        self.grown = 0.0  # when, in virtual time

    @property
    def seq(self) -> int:
        return len(self.rows)

    @property
    def last(self) -> Moment:
        return self.moments[-1]

    def entries(self, after: int = 0) -> list[LogEntry]:
        """Read anew, as a database would give them."""
        return [LogEntry(self.table.id, seq, at, decode_event(kind, data)) for seq, at, kind, data in self.rows[after:]]

    def take_old(self, rows: list[Row]) -> None:
        """Take in a log that an earlier release wrote, whose rules for what is written were others."""
        for seq, at, kind, data in rows:
            self.table.apply_entry(LogEntry(self.table.id, seq, at, decode_event(kind, data)))
            self.note_row(seq, at, kind, data)

    def add(self, seq: int, at: int, kind: str, data: bytes) -> None:
        """Take one entry in, if it is sound."""
        if seq != self.seq + 1:
            raise Unsound(f"a hole in the log: {seq} after {self.seq}")
        entry = LogEntry(self.table.id, seq, at, decode_event(kind, data))
        if self.rows and at < self.table.last_at:
            raise Unsound(f"entry {seq} is older than the one before")
        try:
            after = getattr(self, f"judge_{kind}", self.judge_other)(decode(data), kind)
            self.table.apply_entry(entry, after)
        except Unsound:
            raise
        except Exception as error:
            raise Unsound(f"{kind} {seq} does not fold: {type(error).__name__}: {error}") from error
        self.note_row(seq, at, kind, data)

    def note_row(self, seq: int, at: int, kind: str, data: bytes) -> None:
        """An entry is there: what may be told from now on."""
        self.rows.append((seq, at, kind, data))
        t = self.table
        people = [chair.person for chair in t.chairs]
        if t.match is not self.seen.match:
            self.seen = Seen(t.match, self.seen.plain)
        self.moments.append(Moment(t.id, seq, t.version, t.status, t.actor, people, set(t.banned), self.seen))

    def unname(self, person: str, called: str) -> None:
        """Somebody was deleted: nobody's name, and an id that leads nowhere, as the real stores write it."""
        alias = anonymous_user_id(self.table.id, person)
        for i, (seq, at, kind, data) in enumerate(self.rows):
            if kind != "play" and encode(person) in data:
                text = anonymise_event(decode(data), person, self.table.id, called)
                self.rows[i] = seq, at, kind, text.encode()
        self.table = fold_table_from_log(self.table.id, self.entries(), Rng(0))
        self.seen = Seen(self.table.match, {})
        for moment in self.moments:
            moment.people = [alias if one == person else one for one in moment.people]
            moment.banned = {alias if one == person else one for one in moment.banned}
        self.moments[-1].seen = self.seen

    def must(self, fine: bool, what: str) -> None:
        if not fine:
            raise Unsound(f"entry {self.seq + 1}: {what}")

    # --- kinds of entries -------------------------------------------------------------------------------------

    def judge_create(self, data: dict[str, Any], kind: str) -> None:
        self.must(self.seq == 0, "created twice")

    def judge_start(self, data: dict[str, Any], kind: str) -> Match | None:
        self.must(self.table.status == GATHERING, "started twice")
        self.must(sorted(data["order"]) == list(range(len(self.table.chairs))), "not everybody has a seat")
        if self.table.match is not None:
            return None
        match = self.table.match_from_lines([])
        self.replay(match, data["acts"])
        return match

    def judge_play(self, data: dict[str, Any], kind: str) -> Match:
        table, match, seat = self.table, self.table.match, data["seat"]
        self.must(table.status == PLAYING and match is not None, "played, but no match is on")
        assert match is not None
        self.must(not table.paused_by_agreement, "played during an agreed pause")
        self.must(match.actor == seat, f"seat {seat} played, but {match.actor} is to choose")
        by_person = bool(data.get("id"))
        if by_person:
            self.must(table.chairs[seat].is_played_by_person, "a person for a bot")
        else:
            self.must(
                not table.awaits_choice_of_person(seat) or len(match.legal_actions()) == 1,
                "a bot for a person who can choose",
            )
            tells = match.state.is_single_choice_secret() or match.state.needs_answer_delay()
            self.must(
                not table.awaits_choice_of_person(seat) or not tells,
                "its moment tells all who see it that it was forced",
            )
        self.once(data)
        after = match.fork()
        self.replay(after, data["acts"])
        chosen = [entry.actor for entry in after.log[len(match.log) :]]
        self.must(chosen[:1] == [seat] and all(actor == CHANCE for actor in chosen[1:]), "more than one choice")
        return after

    def replay(self, match: Match, lines: list[str]) -> None:
        """Line by line, each judged by the rules."""
        for line in lines:
            try:
                match.replay_line(line, len(match.log))
            except LandfallError as error:
                raise Unsound(f"entry {self.seq + 1} is no legal match: {error}") from error
        self.must(match.actor != CHANCE, "chance was not asked")

    def judge_undo(self, data: dict[str, Any], kind: str) -> None:
        table, match = self.table, self.table.match
        self.must(table.status == PLAYING and match is not None, "undone, but no match is on")
        assert match is not None
        self.must(0 <= data["to"] < len(match.log), "undone what never was")
        if not data["consent"]:
            first, *gone = [entry.actor for entry in match.log[data["to"] :]]
            others = {actor for actor in gone if actor != data["seat"]}
            bots = table.is_setting_up and all(actor >= 0 and table.chairs[actor].person is None for actor in others)
            own = match.actor == data["seat"] and not others
            self.must(first == data["seat"] and (own or bots), "undone what is not one's own")
        self.once(data)

    def once(self, data: dict[str, Any]) -> None:
        """An id is there once."""
        if data.get("id"):
            self.must(data["id"] not in self.ids, f"id {data['id']} is there twice")
            self.ids.add(data["id"])

    def judge_leave(self, data: dict[str, Any], kind: str) -> None:
        self.playing(kind)
        chair = self.table.chairs[data["seat"]]
        if data["why"] in (LEFT, OUT_OF_TIME):
            self.must(chair.is_played_by_person, "left twice")
        if data["why"] == OUT_OF_TIME:
            self.must(self.table.actor == data["seat"], "out of time, but not to choose")

    def judge_back(self, data: dict[str, Any], kind: str) -> None:
        self.playing(kind)
        self.must(self.table.chairs[data["seat"]].away_reason in (LEFT, OUT_OF_TIME), "back, but was not away")

    def judge_pause(self, data: dict[str, Any], kind: str) -> None:
        self.playing(kind)
        self.must(bool(data.get("agreed")) or not self.table.paused, "paused twice")

    def judge_resume(self, data: dict[str, Any], kind: str) -> None:
        self.playing(kind)
        self.must(self.table.paused, "resumed, but was not paused")

    def judge_propose(self, data: dict[str, Any], kind: str) -> None:
        self.playing(kind)
        self.must(self.table.proposal is None, "two proposals at once")

    def judge_answer(self, data: dict[str, Any], kind: str) -> None:
        self.must(self.table.proposal is not None, "an answer to nothing")

    def judge_end(self, data: dict[str, Any], kind: str) -> None:
        over = self.table.status == OVER
        self.must(not over or not any(row[2] == "end" for row in self.rows), "ended twice")

    def judge_sit(self, data: dict[str, Any], kind: str) -> None:
        self.gathering(kind)
        self.must(self.table.chairs[data["chair"]].is_free, "sat on somebody")
        here = self.table.seats_of_person(data["person"])
        self.must(not here or self.table.terms.hot_seat, "sits on two chairs")

    def judge_bot(self, data: dict[str, Any], kind: str) -> None:
        self.gathering(kind)
        self.must(self.table.chairs[data["chair"]].person is None, "a bot on somebody's chair")

    def judge_rematch(self, data: dict[str, Any], kind: str) -> None:
        self.must(self.table.status == OVER and self.table.successor is None, "two rematches, or one too early")

    def judge_rated(self, data: dict[str, Any], kind: str) -> None:
        self.must(self.table.awaits_rating, "rated twice, or a match that does not count")
        away = {seat for seat, chair in enumerate(self.table.chairs) if chair.away_reason is not None}
        last = max(data["places"])
        self.must(all(data["places"][seat] == last for seat in away), "somebody who left is not last")

    def judge_other(self, data: dict[str, Any], kind: str) -> None:
        self.must(self.table.status != OVER or kind in AFTER_THE_END, f"{kind} after the end")

    def playing(self, kind: str) -> None:
        self.must(self.table.status == PLAYING, f"{kind}, but no match is on")

    def gathering(self, kind: str) -> None:
        self.must(self.table.status == GATHERING, f"{kind}, but the match has begun")

    # --- at rest ----------------------------------------------------------------------------------------------

    def folds_anew(self) -> None:
        """Read from its first entry once more, it is the table that it was while it grew."""
        differs = find_table_difference(fold_table_from_log(self.table.id, self.entries(), Rng(0)), self.table)
        if differs:
            raise Unsound(f"the log read anew is another table: {differs}")


def waits_for_deleted_user(table: Table) -> bool:
    """Whether something waits for somebody who was deleted."""
    if table.status == GATHERING:
        return table.terms.owner.startswith(FORGOTTEN_PREFIX) or any(chair.is_user_deleted for chair in table.chairs)
    return table.status == PLAYING and any(
        chair.is_user_deleted and chair.away_reason != RESIGNED for chair in table.chairs
    )


def find_table_difference(one: Table, other: Table) -> str:
    """What two folded tables do not agree on; "" if on everything."""
    for name, value in vars(one).items():
        if name not in ("rng", "match") and value != getattr(other, name):
            return f"{name} is {value!r} and {getattr(other, name)!r}"
    if (one.match is None) != (other.match is None):
        return "one of them has no match"
    if one.match is not None and other.match is not None:
        if one.match.log_lines() != other.match.log_lines():
            return f"the lines differ: {one.match.log_lines()[-3:]} and {other.match.log_lines()[-3:]}"
        if one.match.state.digest() != other.match.state.digest():
            return "the positions differ"
    return ""

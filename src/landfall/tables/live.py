"""A table that somebody is at: its watchers, and how what is in its log is told to them.

What is adopted is told in the same breath, so that between two steps of the event loop memory, log and what every
watcher knows are the same; `writer.py` brings entries here.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from landfall.match import Match
from landfall.store.facts import (
    Answered,
    Arranged,
    Banned,
    BotSatDown,
    ColourChosen,
    Muted,
    PaceSet,
    Played,
    Proposed,
    RematchMade,
    SatDown,
    StoodUp,
)
from landfall.store.rows import ChatLine, Entry
from landfall.tables.about import about
from landfall.tables.clocks import DAYS
from landfall.tables.errors import Refused
from landfall.tables.news import ChatNews, Choices, News, TableNews, Update, Welcome, refusal
from landfall.tables.process import Process
from landfall.tables.table import OVER, PLAYING, Table, handle
from landfall.tables.visibility import (
    PublicView,
    choices_of,
    events_again,
    events_from,
    own_patch,
    public_view,
    readable,
    secrets_from,
)
from landfall.tables.writer import Wish, Writer

if TYPE_CHECKING:
    from landfall.core.messages import Own

log = logging.getLogger("landfall")
TALK = 30  # lines of chat in a welcome
# Entries that leave the position as it was.
ABOUT_PEOPLE = (
    SatDown, BotSatDown, StoodUp, ColourChosen, Proposed, Answered, Muted, PaceSet, Banned, RematchMade, Arranged,
)  # fmt: skip


class Viewer(Protocol):
    """What a live table needs of somebody who looks at it; see `watcher`."""

    seat: int | None
    look: int | None
    origin: str

    @property
    def person(self) -> str | None:
        """The visitor's id."""

    def send(self, text: str, /) -> None:
        """Send what is encoded already."""

    def tell(self, news: News) -> None:
        """Send one message to this one alone."""


@dataclass
class LastSent:
    """What watchers know of the position: the last they were told."""

    seq: int
    public: PublicView
    codes: frozenset[int]  # the secrets in all that has happened
    own: dict[int | None, Own] = field(default_factory=dict)
    reads: dict[int | None, frozenset[int]] = field(default_factory=dict)  # those of the secrets a seat may read


class LiveTable:
    """One live table."""

    def __init__(self, process: Process, table: Table, see_to: Callable[[LiveTable], None]) -> None:
        self.process = process
        self.table = table
        self.see_to = see_to  # told after every change: perhaps something is to be waited for
        self.writer = Writer(self, process)
        self.watchers: dict[Viewer, None] = {}  # a set, in the order they came
        self.elsewhere: dict[str, tuple[int, list[str]]] = {}  # process: when heard, whom it has here
        self.chat_n = 0
        self.held: tuple[int, str] | None = None  # version and id of an answer that waits for its moment
        self.hurried = False  # somebody who plays against bots alone waits for their own turn
        self.last_sent: LastSent | None = None
        self.fault: Refused | None = None  # why this table cannot go on: its log is damaged, or it was deleted
        self.closed = False  # put away: who wants the table finds it anew
        self.need: tuple[str, int] | None = None  # what the driver sees to, and the task that does
        self.waiting: asyncio.Task[None] | None = None
        self.begun = max(process.env.time.now(), table.last_at), process.env.time.steady()

    def now(self) -> int:
        """This table's time: goes on steadily, whatever is done to the wall clock; by days, the calendar's."""
        table, time = self.table, self.process.env.time
        if table.terms.clock.mode == DAYS:
            now = time.now()
        else:
            at, steady = self.begun
            now = at + time.steady() - steady
        return now if now > table.last_at else table.last_at

    # --- what is written --------------------------------------------------------------------------------------

    def ask(self, wish: Wish) -> asyncio.Future[None]:
        """Let a wish be judged and carried out, after those that came before it."""
        return self.writer.ask(wish)

    def adopted(self, after: Table, entries: list[Entry]) -> None:
        """Entries are on disk: the table is what they made of it, and everybody is told."""
        before, self.table = self.table, after
        try:
            self.tell_all(before, entries)
        except Exception:  # what is wrong with a view must not stop the match; who looks again sees what there is
            log.exception("a table could not be told")
            self.last_sent = None
        self.see_to(self)

    def take_in(self, entries: list[Entry]) -> None:
        """Adopt what others wrote."""
        after = self.table.fork()
        if after.match is not None:
            after.match = after.match.fork()
        for entry in entries:
            try:
                after.adopt(entry)
            except Exception as error:
                self.damaged(error, entry)
                return
        if after.last_at > self.now():  # written by a process whose clock is ahead: time goes on from there
            self.begun = after.last_at, self.process.env.time.steady()
            self.need = "", 0  # none: who waits for a moment waits anew, since it may be over
        self.adopted(after, entries)

    def damaged(self, error: Exception, entry: Entry) -> None:
        """The log cannot be followed: say so, and let nothing more be written."""
        log.error("a table's log is damaged at entry %d (%s): %s", entry.seq, entry.kind, type(error).__name__)
        self.stop(Refused("damaged", entry=entry.seq, kind=entry.kind))

    def vanish(self) -> None:
        """The table was deleted: say so, and let nothing more be written."""
        log.error("a table that is open was deleted")
        self.stop(Refused("no_table"))

    def stop(self, fault: Refused) -> None:
        """Refuse everything from now on, and tell all who are here."""
        self.fault = fault
        for watcher in self.watchers:
            watcher.tell(refusal(fault))
        self.see_to(self)

    # --- telling ----------------------------------------------------------------------------------------------

    def tell_all(self, before: Table, entries: list[Entry]) -> None:
        """Tell every watcher what changed: the position to each as it may see it, the rest to all alike."""
        if not self.watchers:
            self.last_sent = None
            return
        table = self.table
        begins = table.match is not None and self.last_sent is None
        one_choice = len(entries) == 1 and isinstance(entries[0].fact, Played)
        same_eyes = one_choice and not table.terms.hot_seat and not begins
        moved = {} if same_eyes else dict.fromkeys(w for w in self.watchers if self.turn_eyes(w) or begins)
        changed = not all(isinstance(entry.fact, ABOUT_PEOPLE) for entry in entries)
        if self.last_sent is not None and table.match is not None and changed:
            self.tell_position(table.match, self.last_sent, [w for w in self.watchers if w not in moved])
        if not one_choice or table.status != before.status or table.proposal is not before.proposal:
            text = self.process.env.encode(self.about())
            for watcher in self.watchers:
                if watcher not in moved:
                    watcher.send(text)
        for watcher in moved:
            watcher.tell(self.welcome(watcher))

    def tell_position(self, match: Match, before: LastSent, watchers: list[Viewer]) -> None:
        """One message a viewpoint, however many look through it; one for all who see the same change."""
        public = public_view(match.state, before.public)
        first = self.table.events_after(before.seq)
        clock = self.clock()
        events, secrets = events_from(match, first, None), secrets_from(match, first)
        self.last_sent = LastSent(self.table.seq, public, before.codes | secrets)
        chooser = self.table.actor
        texts: dict[int | None, str] = {}
        common = ""
        for seat in {watcher.seat for watcher in watchers}:
            own = self.last_sent.own[seat] = match.state.own_view(seat, public.view)
            patch = own_patch(public, own, before.public, before.own.get(seat, {}))
            reads = self.last_sent.reads[seat] = readable(match, seat, self.last_sent.codes)
            knows = not reads.isdisjoint(secrets)
            # What was no secret of anything told before is of nothing that has to be told again.
            turned = (reads ^ before.reads.get(seat, frozenset())) & before.codes
            again = events_again(match, first, seat, turned) if turned else []
            # One sees no other change than all, knows no more than all of what happened, and has no choice to make.
            plain = not knows and not again and seat != chooser and patch is public.patch
            if plain and common:
                texts[seat] = common
                continue
            update: Update = {"t": "update", "n": self.table.seq, "version": self.table.version, "first": first}
            if patch:
                update["patch"] = patch
            if choices := self.choices(match, seat):
                update["choices"] = choices
            if happened := events_from(match, first, seat) if knows else events:
                update["events"] = happened
            if again:
                update["again"] = again
            if clock is not None:
                update["clock"] = clock
            texts[seat] = self.process.env.encode(update)
            if plain:
                common = texts[seat]
        for watcher in watchers:
            watcher.send(texts[watcher.seat])

    def choices(self, match: Match, seat: int | None) -> list[Choices]:
        """A seat's choices, if a person makes them now."""
        return choices_of(match, seat) if seat is not None and seat == self.table.actor else []

    def turn_eyes(self, watcher: Viewer) -> bool:
        """Find out as whom somebody looks now; True if that is another one than before."""
        before = watcher.seat
        watcher.seat = self.eyes(watcher)
        return watcher.seat != before

    def eyes(self, watcher: Viewer) -> int | None:
        """One's own seat. At a hot seat the one asked for, until another of one's own is to choose."""
        table = self.table
        if table.match is None:
            return None
        if table.status == OVER and watcher.look is not None and watcher.look < table.terms.players:
            return watcher.look
        mine = table.seats_of(watcher.person) if table.status != "gathering" else []
        mine = [] if watcher.person in table.banned else mine
        if len(mine) < 2:
            return mine[0] if mine else None
        if watcher.look not in mine or (table.actor in mine and table.actor != watcher.look):
            watcher.look = None
        return watcher.look

    def welcome(self, watcher: Viewer, since: int | None = None, chat: list[ChatNews] | None = None) -> Welcome:
        """Everything, for one who comes; the events from `since` on, if that is told."""
        table, match, seat = self.table, self.table.match, watcher.seat
        mine = table.seats_of(watcher.person)
        told: Welcome = {"t": "welcome", "n": table.seq, "version": table.version, "table": self.about()}
        if watcher.person:
            told["you"] = self.handle(watcher.person)
        if mine:
            told["seats"] = mine
        if seat is not None:
            told["seat"] = seat
        elif len(mine) > 1 and table.status == PLAYING:
            told["curtain"] = True
        if (clock := self.clock()) is not None:
            told["clock"] = clock
        if chat:
            told["chat"] = chat
        if match is not None:
            self.show(told, match, seat, since)
        return told

    def show(self, told: Welcome, match: Match, seat: int | None, since: int | None) -> None:
        """Put the position into a welcome."""
        if self.last_sent is None:
            self.last_sent = LastSent(self.table.seq, public_view(match.state, None), frozenset(secrets_from(match, 0)))
        sent = self.last_sent
        if seat not in sent.own:
            sent.own[seat], sent.reads[seat] = (
                match.state.own_view(seat, sent.public.view),
                readable(match, seat, sent.codes),
            )
        told["view"] = {**sent.public.view, **sent.own[seat]}
        if choices := self.choices(match, seat):
            told["choices"] = choices
        told["first"] = first = len(match.state.events or []) if since is None else self.table.events_after(since)
        if events := events_from(match, first, seat):
            told["events"] = events
        if since is not None and (again := events_again(match, first, seat, sent.codes)):
            told["again"] = again

    def forget_unwatched(self) -> None:
        """Views of which no change will be told need not be kept."""
        looked = {watcher.seat for watcher in self.watchers}
        if not looked:
            self.last_sent = None
        elif self.last_sent is not None:
            self.last_sent.own = {seat: own for seat, own in self.last_sent.own.items() if seat in looked}
            self.last_sent.reads = {seat: codes for seat, codes in self.last_sent.reads.items() if seat in looked}

    def about(self) -> TableNews:
        """All but the position."""
        return about(self.table, self.here(), len(self.watchers), self.process.env.link(self.table.id))

    def clock(self) -> dict[str, Any] | None:
        """Everybody's time, if there is a clock."""
        if self.table.terms.clock.mode == "none" or not self.table.clocks.banks:
            return None
        return self.table.clocks.told(self.now())

    def broadcast(self, news: News) -> None:
        """The same to all."""
        if self.watchers:
            text = self.process.env.encode(news)
            for watcher in self.watchers:
                watcher.send(text)

    def tell_chat(self, lines: list[ChatLine]) -> None:
        """What was said, once and in order."""
        for line in lines:
            if line.n > self.chat_n:
                self.chat_n = line.n
                self.broadcast(self.chat_news(line))

    def chat_news(self, line: ChatLine) -> ChatNews:
        who = self.handle(line.person)
        told: ChatNews = {"t": "chat", "n": line.n, "at": line.at, "name": line.name, "text": line.text, "who": who}
        if line.seat is not None:
            told["seat"] = line.seat
        return told

    async def talk(self) -> list[ChatNews]:
        """The last lines of chat."""
        return [self.chat_news(line) for line in await self.process.store.chat(self.table.id, limit=TALK)]

    # --- who is here ------------------------------------------------------------------------------------------

    def here(self) -> set[str]:
        """The people who are connected, to this process or another."""
        found = {w.person for w in self.watchers if w.person}
        for _, people in self.elsewhere.values():
            found.update(people)
        return found

    def watching(self) -> set[str | None]:
        """Who is connected to this process; None: somebody without a name."""
        return {watcher.person for watcher in self.watchers}

    def handle(self, person: str) -> str:
        """A public name for a person's id at this table: tells nothing at any other."""
        return handle(person, self.table.id)

    def person_of(self, handle: str) -> str:
        """The person behind a handle."""
        known = {w.person for w in self.watchers if w.person} | self.table.people | self.table.muted
        for person in known:
            if self.handle(person) == handle:
                return person
        raise Refused("nobody_such", who=handle)

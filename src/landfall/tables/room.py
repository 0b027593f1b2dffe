"""A table that somebody is at: its lock, its watchers, and how what was written down is told to them.

Everything that changes the table is written and told under the lock; what is told is on disk.
"""

from __future__ import annotations

import asyncio
import hashlib
from typing import TYPE_CHECKING, Any

from landfall.match import Match
from landfall.store.rows import ChatLine, Entry
from landfall.tables.errors import Refused
from landfall.tables.news import ChairNews, ChatNews, News, TableNews, Update, Welcome, encoded
from landfall.tables.rulings import Draft
from landfall.tables.sight import Glance, choices_of, events_from, glance, own_patch, secrets_from
from landfall.tables.table import OVER, PLAYING, Table, folded
from landfall.tables.watcher import Watcher

if TYPE_CHECKING:
    from landfall.tables.house import House

TALK = 30  # lines of chat in a welcome
# Entries that leave the position as it was; and those that leave what a lobby lists, unless they end the match.
ABOUT_PEOPLE = ("sit", "bot", "stand", "colour", "propose", "answer", "mute", "pace", "ban", "rematch")
KEEPS_HEAD = ("play",)


class Conflict(Exception):
    """Another process wrote first; judge again."""


class Room:
    """One live table."""

    def __init__(self, house: House, table: Table) -> None:
        self.house = house
        self.table = table
        self.lock = asyncio.Lock()
        self.watchers: set[Watcher] = set()
        self.elsewhere: dict[str, tuple[int, list[str]]] = {}  # process: when heard, whom it has here
        self.chat_n = 0
        self.held: tuple[int, str] | None = None  # version and id of an answer that is being held
        self.public: Glance | None = None  # what watchers have been told last
        self.own: dict[int | None, dict[str, Any]] = {}
        self.told_events = 0

    # --- writing ----------------------------------------------------------------------------------------------

    async def write(self, draft: Draft, match: Match | None = None) -> Entry:
        """Write one entry down, then tell it. Conflict: another process was first, and its entries are in now."""
        kind, data = draft
        table = self.table
        entry = Entry(table.id, table.seq + 1, max(self.house.means.time.now(), table.last_at), kind, data)
        status = table.status
        try:
            table.adopt(entry, match)
            by_days = table.terms.clock.mode == "days"
            head = None if kind in KEEPS_HEAD and table.status == status and not by_days else table.summary()
            first = await self.house.append(entry, head)
        except BaseException:  # not known to be on disk, so it did not happen; cancelled counts too
            await self.reload()
            raise
        if not first:
            await self.reload()
            self.tell_all("", True)
            raise Conflict
        self.tell_all(kind, kind != "play" or table.status != status)
        return entry

    async def reload(self) -> None:
        """Forget what this process thinks and read the log. What follows from it is this process's to drive, too."""
        entries = await self.house.patiently(lambda: self.house.store.entries(self.table.id))
        if entries:
            self.table = folded(self.table.id, entries, self.house.means.rng)
        else:
            self.table.status = OVER
        self.house.drive(self)

    async def catch_up(self) -> None:
        """Take in what other processes wrote."""
        async with self.lock:
            entries = await self.house.store.entries(self.table.id, self.table.seq)
            for entry in entries:
                status = self.table.status
                self.table.adopt(entry)
                self.tell_all(entry.kind, entry.kind != "play" or self.table.status != status)
            if entries:
                self.house.drive(self)

    # --- telling ----------------------------------------------------------------------------------------------

    def tell_all(self, kind: str, about_table: bool) -> None:
        """Tell every watcher what changed: the position to each as it may see it, the rest to all alike."""
        if not self.watchers:
            self.public, self.own = None, {}
            return
        table = self.table
        begins = table.match is not None and self.public is None
        same_eyes = kind == "play" and table.status == PLAYING and not table.terms.hot_seat and not begins
        moved = set() if same_eyes else {w for w in self.watchers if self.turn_eyes(w) or begins}
        if kind not in ABOUT_PEOPLE and table.match is not None and self.public is not None:
            self.tell_position(table.match, {w.seat for w in self.watchers if w not in moved})
        if about_table:
            text = encoded(self.about())
            for watcher in self.watchers:
                if watcher not in moved:
                    watcher.send(text)
        for watcher in moved:
            watcher.tell(self.welcome(watcher))

    def tell_position(self, match: Match, viewers: set[int | None]) -> None:
        """One message a viewpoint, however many look through it; one for all who see the same change."""
        before, own_before = self.public, self.own
        public = glance(match, before)
        count = len(match.state.events or [])
        first = min(self.told_events, count)
        clock = self.clock()
        self.public, self.own, self.told_events = public, {}, count
        events, secrets = events_from(match, first, None), secrets_from(match, first)
        changed, chooser = public.patch.keys(), self.table.actor
        texts: dict[int | None, str] = {}
        common = ""
        for seat in viewers:
            own = self.own[seat] = match.state.own_view(seat)
            mine = own_before.get(seat, {})
            knows = any(match.state.may_read(seat, secret) for secret in secrets)
            # Nothing of one's own has changed, one knows no more than all of what happened, no choice is to be made.
            plain = not knows and seat != chooser and own == mine and changed.isdisjoint(own)
            if plain and common:
                texts[seat] = common
                continue
            update = Update(
                n=self.table.seq,
                version=self.table.version,
                patch=public.patch if plain else own_patch(public, own, before, mine),
                choices=self.choices(match, seat),
                first=first,
                events=events_from(match, first, seat) if knows else events,
                clock=clock,
            )
            texts[seat] = encoded(update)
            if plain:
                common = texts[seat]
        for watcher in self.watchers:
            if watcher.seat in texts:
                watcher.send(texts[watcher.seat])

    def choices(self, match: Match, seat: int | None) -> list[Any]:
        """A seat's choices, if a person makes them now."""
        return choices_of(match, seat) if seat is not None and seat == self.table.actor else []

    def turn_eyes(self, watcher: Watcher) -> bool:
        """Find out as whom somebody looks now; True if that is another one than before."""
        before = watcher.seat
        watcher.seat = self.eyes(watcher)
        return watcher.seat != before

    def eyes(self, watcher: Watcher) -> int | None:
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

    def welcome(self, watcher: Watcher, since: int | None = None) -> Welcome:
        """Everything, for one who comes; the events from `since` on, if that is told."""
        table, match, seat = self.table, self.table.match, watcher.seat
        mine = table.seats_of(watcher.person)
        base = Welcome(
            n=table.seq,
            version=table.version,
            table=self.about(),
            you=self.handle(watcher.person) if watcher.person else None,
            seats=mine,
            seat=seat,
            curtain=len(mine) > 1 and seat is None and table.status == PLAYING,
            clock=self.clock(),
        )
        if match is None:
            return base
        if self.public is None:
            self.public, self.told_events = glance(match, None), len(match.state.events or [])
        if seat not in self.own:
            self.own[seat] = match.state.own_view(seat)
        count = len(match.state.events or [])
        first = count if since is None else table.events_after(since)
        return Welcome(
            **{f: getattr(base, f) for f in ("n", "version", "table", "you", "seats", "seat", "curtain", "clock")},
            view={**self.public.view, **self.own[seat]},
            choices=self.choices(match, seat),
            first=first,
            events=events_from(match, first, seat),
        )

    def forget_unwatched(self) -> None:
        """Views of which no change will be told need not be kept."""
        looked = {watcher.seat for watcher in self.watchers}
        self.own = {seat: own for seat, own in self.own.items() if seat in looked}
        if not looked:
            self.public = None

    def about(self) -> TableNews:
        """All but the position."""
        table, terms = self.table, self.table.terms
        here = self.here()
        chairs = [
            ChairNews(
                name=c.name,
                bot=c.bot,
                who=self.handle(c.person) if c.person else None,
                colour=c.colour,
                away=c.away,
                here=c.person in here,
            )
            for c in table.chairs
        ]
        proposal = None
        if table.proposal is not None:
            agreed = sorted(self.handle(p) for p in table.proposal.agreed)
            waiting = sorted(self.handle(p) for p in table.voters() - table.proposal.agreed)
            proposal = {
                "what": table.proposal.what,
                "by": self.handle(table.proposal.by),
                "agreed": agreed,
                "waiting": waiting,
            }
        clock = {"mode": terms.clock.mode, "turn": terms.clock.turn, "bank": terms.clock.bank, "days": terms.clock.days}
        return TableNews(
            n=table.seq, id=table.id, game=terms.game, rules=terms.rules, players=terms.players, options=terms.options,
            status=table.status, chairs=chairs, owner=self.handle(terms.owner), clock=clock, public=terms.public,
            hot_seat=terms.hot_seat, pace=table.pace, ended=table.ended, paused=table.paused, rests=table.rests,
            proposal=proposal, previous=terms.previous, successor=table.successor, watching=len(self.watchers),
            muted=sorted(self.handle(p) for p in table.muted), link=self.house.means.link(table.id),
        )  # fmt: skip

    def clock(self) -> dict[str, Any] | None:
        """Everybody's time, if there is a clock."""
        if self.table.terms.clock.mode == "none" or not self.table.clocks.banks:
            return None
        return self.table.clocks.told(self.house.means.time.now())

    def broadcast(self, news: News) -> None:
        """The same to all."""
        text = encoded(news)
        for watcher in self.watchers:
            watcher.send(text)

    def chat_news(self, line: ChatLine) -> ChatNews:
        who = self.handle(line.person)
        return ChatNews(n=line.n, at=line.at, name=line.name, text=line.text, seat=line.seat, who=who)

    async def talk(self) -> list[ChatNews]:
        """The last lines of chat."""
        return [self.chat_news(line) for line in await self.house.store.chat(self.table.id, limit=TALK)]

    # --- who is here ------------------------------------------------------------------------------------------

    def here(self) -> set[str]:
        """The people who are connected, to this process or another."""
        found = {w.person for w in self.watchers if w.person}
        for _, people in self.elsewhere.values():
            found.update(people)
        return found

    def handle(self, person: str) -> str:
        """A public name for a person's id at this table: tells nothing at any other."""
        return hashlib.blake2b(person.encode(), key=self.table.id.encode()[:64], digest_size=6).hexdigest()

    def person_of(self, handle: str) -> str:
        """The person behind a handle."""
        known = {w.person for w in self.watchers if w.person} | self.table.people | self.table.muted
        for person in known:
            if self.handle(person) == handle:
                return person
        raise Refused("nobody_such", who=handle)

"""Matches looked back on: worked out where bots think, a part of each in turn, and kept.

Only of matches that are over: of one that goes on it would be advice, and so it would of a copy of it played to an end.
"""

from __future__ import annotations

import asyncio
import json
import zlib
from collections import OrderedDict
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from landfall.analysis.chances import ready
from landfall.analysis.lookback import Part, cuts, edition, offered, part, whole
from landfall.core.errors import LandfallError
from landfall.core.record import CHANCE_MARK
from landfall.core.state import CHANCE, NOBODY
from landfall.core.state import OVER as MATCH_OVER
from landfall.games import game as find_game
from landfall.match import Match
from landfall.store.facts import Created
from landfall.tables import table as stages
from landfall.tables.archive import lines_of
from landfall.tables.errors import Refused
from landfall.tables.fair_play import Asker, HandedIn

if TYPE_CHECKING:
    from landfall.store.rows import Entry
    from landfall.tables.hub import Hub

WAITING: Final = 20  # matches that may wait, of all who ask
EACH: Final = 2  # of one who asks
REMEMBERED: Final = 16  # of records, which are nobody's to keep: the last so many
TOGETHER: Final = 2  # choices a part: seconds, with many players, and others' work may come between
TRIES: Final = 3  # in a row, when workers are lost or have no time for a part
LONGEST: Final = 3000  # lines of a log: more than three times the longest match there was
MANY: Final = 4096  # tables of which it is remembered whether they are copies
COMMON: Final = 8  # lines that matches begun from the same position may well have in common
FRESH: Final = 10_000  # milliseconds for which what is being played, and what is a copy of it, is not asked anew
AT_ONCE: Final = 500  # matches compared before others have their turn
HIDDEN: Final = "?"  # what stands for it in a line
NO_ASKER: Final = Asker()


class Outline(NamedTuple):
    """What must be known of a match before it is looked back on; `position` and `lines` as all may read them."""

    game: str
    players: int
    over: bool  # it was played to its end
    position: str | None  # the line it began from, if not as its rules have it
    lines: list[str]


@dataclass
class Job:
    """A match that is being looked back on."""

    key: str
    record: str
    who: str
    table: str | None
    outline: Outline
    total: int = 0  # lines to be told of
    todo: list[int] | None = None  # the lines at which what is left begins, the last first; None before they are known
    together: int = TOGETHER  # how many of them a part has
    refused: int = 0  # how often in a row a part was
    parts: list[Part] = field(default_factory=list)
    told: tuple[int, int, bytes] = (-1, 0, b"")  # how many parts and how many before it, and what was told then


class Lookbacks:
    """Those of one process."""

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self.jobs: OrderedDict[str, Job] = OrderedDict()
        self.own: OrderedDict[str, tuple[bool, int]] = OrderedDict()  # of tables handed in: no copy, and seen when
        self.failed: OrderedDict[str, str] = OrderedDict()  # why; until it is asked for anew
        self.found: OrderedDict[str, bytes] = OrderedDict()  # of records
        self.records: OrderedDict[str, HandedIn] = OrderedDict()  # these, and those that are being worked out
        self.working = False
        self.begun: dict[str, tuple[int, list[list[Entry]]]] = {}  # by game: when it was read, and what
        self.reading = asyncio.Lock()

    # --- a table's ---------------------------------------------------------------------------------------------

    async def begin(self, table: str, who: str, asker: Asker = NO_ASKER) -> bytes:
        """Ask for a table's; what is known of it now."""
        match = await self.match_of(table, asker)
        if table not in self.jobs and await self.kept(table, match) is None:
            self.put(Job(table, match.record(), who, table, outline(match)))
        return await self.told(table, asker)

    async def told(self, table: str, asker: Asker = NO_ASKER) -> bytes:
        """What is known of a table's: Refused while the match goes on, whatever is known."""
        match = await self.match_of(table, asker)
        if table in self.jobs:  # asked first: it is kept before it is done
            return self.progress(table)
        kept = await self.kept(table, match)
        return ready_made(kept) if kept is not None else self.progress(table)

    async def kept(self, table: str, match: Match) -> bytes | None:
        """What was found by the same net before."""
        ready(match.game.name)
        return await self.hub.store.lookback(table, edition(match.game.name))

    async def match_of(self, table: str, asker: Asker) -> Match:
        """The match of a table that is over; Refused, if it shows one that goes on."""
        live = await self.hub.live(table)
        if live.table.status != stages.OVER or live.table.match is None:
            raise Refused("not_shown")
        match = live.table.match
        if live.table.terms.opened:
            if not await self.is_own(table, live.table):
                raise Refused("not_shown")
            await self.hub.fair_play.check(asker, HandedIn.of(table, match))
        return match

    async def is_own(self, id_: str, table: stages.Table) -> bool:
        """Whether a match that somebody handed in is no copy of one that goes on; not looked for again at once."""
        known = self.own.get(id_)
        now = self.hub.env.time.steady()
        if known is not None and (known[0] or now - known[1] < FRESH):
            return known[0]
        assert table.match is not None
        own = not await self.is_copy(outline(table.match), table.terms.created)
        self.remember(self.own, id_, (own, now), MANY)
        return own

    async def is_copy(self, found: Outline, made: int | None = None) -> bool:
        """Whether a match repeats one that is being played, at whatever table that was there when it was made."""
        for live in self.hub.live_tables.values():
            table, match = live.table, live.table.match
            if table.status == stages.PLAYING and match is not None and could_be(found, table.terms, made):
                if alike(found.lines, begins(match)) and repeats(found, match.lines()):
                    return True
        for number, entries in enumerate(await self.being_played(found.game)):
            if number % AT_ONCE == AT_ONCE - 1:
                await asyncio.sleep(0)  # they may be many, and others have a table to play at
            id_, first = entries[0].table, entries[0].fact
            if id_ in self.hub.live_tables or not isinstance(first, Created) or first.players != found.players:
                continue
            if made is not None and entries[0].at > made:
                continue
            if begun_from(first.game, first.position) == found.position and alike(found.lines, lines_of(entries)):
                if repeats(found, lines_of(await self.hub.store.entries(id_))):
                    return True
        return False

    async def being_played(self, game: str) -> list[list[Entry]]:
        """How each match of a game began that is not over: read once for all who ask within a moment. One that began
        since is in memory still."""
        async with self.reading:
            now = self.hub.env.time.steady()
            at, entries = self.begun.get(game, (now - FRESH, []))
            if now - at >= FRESH:
                entries = await self.hub.store.begun(game)
                self.begun[game] = now, entries
            return entries

    async def offered(self, table: str, at: int, who: str, asker: Asker = NO_ASKER) -> bytes:
        """What could have been chosen after so many lines of a match that is over."""
        match = await self.match_of(table, asker)
        ready(match.game.name)
        return encoded(await self.hub.thinkers.work(offered, match.record(), at, who=who))

    # --- a record's --------------------------------------------------------------------------------------------

    async def begin_record(self, record: str, who: str, asker: Asker = NO_ASKER) -> bytes:
        """Ask for that of a record, which must be of a match that is over, and of none that is being played here."""
        found = await self.hub.thinkers.work(read, record, who=who)
        if not found.over or await self.is_copy(found):
            raise Refused("not_shown")
        key = "record-" + blake2b(record.encode(), digest_size=12).hexdigest()
        handed_in = HandedIn(key, found.game, found.position, lambda: record)
        await self.hub.fair_play.check(asker, handed_in)
        self.remember(self.records, key, handed_in, WAITING + REMEMBERED)
        if key not in self.found:
            self.put(Job(key, record, who, None, found))
        return await self.record_told(key)

    async def record_told(self, key: str, asker: Asker | None = None) -> bytes:
        """What is known of a record's; Refused to one who is playing what it shows."""
        if asker is not None and key in self.records:
            await self.hub.fair_play.check(asker, self.records[key])
        if key in self.found:
            self.found.move_to_end(key)
            return ready_made(self.found[key])
        return self.progress(key)

    # --- the queue --------------------------------------------------------------------------------------------

    def put(self, job: Job) -> None:
        """One more match to be looked back on, if it is not already; Refused if there are too many."""
        ready(job.outline.game)
        self.failed.pop(job.key, None)
        if job.key in self.jobs:
            return
        job.total = len(job.outline.lines)
        if job.total > LONGEST:
            raise Refused("too_large", most=LONGEST)
        if len(self.jobs) >= WAITING or sum(other.who == job.who for other in self.jobs.values()) >= EACH:
            raise Refused("busy")
        self.jobs[job.key] = job
        if not self.working:
            self.working = True
            self.hub.spawn(self.work())

    def progress(self, key: str) -> bytes:
        """Of one that is not done: how far it is, and what was found so far."""
        job = self.jobs.get(key)
        if job is None:
            return encoded({"state": "failed" if key in self.failed else "none", "why": self.failed.get(key, "")})
        before = list(self.jobs).index(key)
        if job.told[:2] == (len(job.parts), before):
            return job.told[2]
        found = whole(job.outline.game, job.outline.players, False, job.parts)
        found["summary"] = []
        done = job.parts[-1]["last"] - 1 if job.parts else 0
        state = "working" if job.parts or not before else "queued"
        told = {"state": state, "before": before, "done": done, "total": job.total, "lookback": found, "key": key}
        job.told = len(job.parts), before, encoded(told)
        return job.told[2]

    async def work(self) -> None:
        """A part of each in turn, until there is none left: a long match holds up no other."""
        try:
            while self.jobs:
                for key, job in list(self.jobs.items()):
                    try:
                        if not await self.went_on(job):
                            continue
                        await self.keep(job, packed(job))
                    except Exception as error:  # whatever it is, the others have their turn
                        why = error.key if isinstance(error, LandfallError) else "table.store"
                        self.remember(self.failed, key, why)
                    del self.jobs[key]
        finally:
            self.working = False

    async def went_on(self, job: Job) -> bool:
        """One part of a match more; whether it was the last."""
        if job.todo is None:
            job.todo = (await self.hub.thinkers.work(cuts, job.record, who=job.who))[::-1]
        if len(job.todo) > 1:
            many = min(job.together, len(job.todo) - 1)
            first, last = job.todo[-1], job.todo[-1 - many]
            try:
                found = await self.hub.thinkers.work(part, job.record, first, last, who=f"{job.who} {job.key}")
            except Refused:
                job.refused += 1
                if job.refused == TRIES:
                    raise
                job.together = 1  # it may have been too much; the others have their turn before it is tried again
                return False
            job.refused = 0
            job.parts.append(found)
            del job.todo[-many:]
        return len(job.todo) < 2

    async def keep(self, job: Job, body: bytes) -> None:
        """With its match; of a record, for a while."""
        if job.table is None:
            self.remember(self.found, job.key, body)
        else:
            version = edition(job.outline.game)
            await self.hub.store.keep_lookback(job.table, version, self.hub.env.time.now(), body)

    def remember(self, where: OrderedDict[str, Any], key: str, what: Any, most: int = REMEMBERED) -> None:
        """Keep the last few."""
        where[key] = what
        while len(where) > most:
            where.popitem(last=False)


def outline(match: Match) -> Outline:
    """Of a match."""
    lines = [CHANCE_MARK + entry.masked if entry.actor == CHANCE else entry.masked for entry in match.log]
    return Outline(match.game.name, match.players, match.state.actor == MATCH_OVER, match.began(None), lines)


def begins(match: Match) -> list[str]:
    """The first lines of a match: in those, two that are not the same will differ."""
    return [CHANCE_MARK + entry.text if entry.actor == CHANCE else entry.text for entry in match.log[:COMMON]]


def read(record: str) -> Outline:
    """Of a record; RecordError says what is wrong with it."""
    return outline(Match.replay(record))


def could_be(found: Outline, terms: stages.Terms, made: int | None) -> bool:
    """Whether a match may be a copy of a table's, at a look: the same beginning, and the table was there before it."""
    if (terms.game, terms.players) != (found.game, found.players) or (made is not None and terms.created > made):
        return False
    return begun_from(terms.game, terms.position) == found.position


@lru_cache(maxsize=256)  # guides begin from a few positions, and many tables from each
def begun_from(game: str, position: str | None) -> str | None:
    """The line that a table's match begins from, as all may read it."""
    return None if position is None else find_game(game).read_line(position).line(NOBODY)


def repeats(found: Outline, lines: list[str]) -> bool:
    """Whether a match repeats all lines of one with its beginning, as far as all may read them; a few are nobody's."""
    return len(lines) >= (1 if found.position is None else COMMON) and alike(found.lines, lines)


def alike(seen: list[str], lines: list[str]) -> bool:
    """Whether open lines may be those that are seen, in which something may be hidden."""
    if len(lines) > len(seen):
        return False
    return all(
        line == one or (HIDDEN in one and line.startswith(one.partition(HIDDEN)[0]))
        for one, line in zip(seen, lines, strict=False)
    )


def packed(job: Job) -> bytes:
    """All of a match that was worked out."""
    found = whole(job.outline.game, job.outline.players, job.outline.over, job.parts)
    return zlib.compress(encoded(found))


def encoded(told: object) -> bytes:
    """As JSON."""
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()


def ready_made(kept: bytes) -> bytes:
    """What was kept, as it is told."""
    return b'{"state":"kept","lookback":' + zlib.decompress(kept) + b"}"

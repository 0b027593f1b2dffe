"""Matches looked back on: worked out where bots think, a little at a time, one match after the other, and kept.

Only of matches that are over: of one that goes on it would be advice.
"""

from __future__ import annotations

import json
import zlib
from collections import OrderedDict
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from landfall.analysis.chances import ready
from landfall.analysis.lookback import Part, cuts, edition, offered, part, whole
from landfall.core.errors import LandfallError
from landfall.core.state import OVER as MATCH_OVER
from landfall.match import Match
from landfall.tables import table as stages
from landfall.tables.errors import Refused

if TYPE_CHECKING:
    from landfall.tables.hub import Hub

WAITING: Final = 20  # matches that may wait, of all who ask
EACH: Final = 2  # of one who asks
REMEMBERED: Final = 16  # of records, which are nobody's to keep: the last so many
TRIES: Final = 3  # at a part, when workers are lost
LONGEST: Final = 3000  # lines of a log: more than three times the longest match there was


class Outline(NamedTuple):
    """What must be known of a match before it is looked back on; `lines` as all may read them, with who acted."""

    game: str
    players: int
    options: dict[str, object]
    over: bool  # it was played to its end
    lines: list[tuple[int, str]]


@dataclass
class Job:
    """A match that is being looked back on."""

    key: str
    record: str
    who: str
    table: str | None
    outline: Outline
    total: int = 0  # lines to be told of
    parts: list[Part] = field(default_factory=list)
    told: tuple[int, int, bytes] = (-1, 0, b"")  # how many parts and how many before it, and what was told then


class Lookbacks:
    """Those of one process."""

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self.jobs: OrderedDict[str, Job] = OrderedDict()  # the first is worked at
        self.failed: OrderedDict[str, str] = OrderedDict()  # why; until it is asked for anew
        self.found: OrderedDict[str, bytes] = OrderedDict()  # of records
        self.working = False

    # --- a table's ---------------------------------------------------------------------------------------------

    async def begin(self, table: str, who: str) -> bytes:
        """Ask for a table's; what is known of it now."""
        match = await self.match_of(table)
        if table not in self.jobs and await self.kept(table, match) is None:
            self.put(Job(table, match.record(), who, table, outline(match)))
        return await self.told(table)

    async def told(self, table: str) -> bytes:
        """What is known of a table's: Refused while the match goes on, whatever is known."""
        match = await self.match_of(table)
        if table in self.jobs:  # asked first: it is kept before it is done
            return self.progress(table)
        kept = await self.kept(table, match)
        return ready_made(kept) if kept is not None else self.progress(table)

    async def kept(self, table: str, match: Match) -> bytes | None:
        """What was found by the same net before."""
        ready(match.game.name)
        return await self.hub.store.lookback(table, edition(match.game.name))

    async def match_of(self, table: str) -> Match:
        """The match of a table that is over."""
        live = await self.hub.live(table)
        if live.table.status != stages.OVER or live.table.match is None:
            raise Refused("not_shown")
        return live.table.match

    async def offered(self, table: str, at: int, who: str) -> bytes:
        """What could have been chosen after so many lines of a match that is over."""
        match = await self.match_of(table)
        ready(match.game.name)
        return encoded(await self.hub.thinkers.work(offered, match.record(), at, who=who))

    # --- a record's --------------------------------------------------------------------------------------------

    async def begin_record(self, record: str, who: str) -> bytes:
        """Ask for that of a record, which must be of a match that is over, and of none that is being played here."""
        found = await self.hub.thinkers.work(read, record, who=who)
        if not found.over or any(goes_on_as(live.table, found) for live in self.hub.live_tables.values()):
            raise Refused("not_shown")
        key = "record-" + blake2b(record.encode(), digest_size=12).hexdigest()
        if key not in self.found:
            self.put(Job(key, record, who, None, found))
        return self.record_told(key)

    def record_told(self, key: str) -> bytes:
        """What is known of a record's."""
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
        state = "queued" if before else "working"
        told = {"state": state, "before": before, "done": done, "total": job.total, "lookback": found, "key": key}
        job.told = len(job.parts), before, encoded(told)
        return job.told[2]

    async def work(self) -> None:
        """One after the other, until there is none left."""
        try:
            while self.jobs:
                key, job = next(iter(self.jobs.items()))
                try:
                    await self.keep(job, await self.worked_out(job))
                except Exception as error:  # whatever it is, the next one has its turn
                    self.remember(self.failed, key, error.key if isinstance(error, LandfallError) else "table.store")
                del self.jobs[key]
        finally:
            self.working = False

    async def worked_out(self, job: Job) -> bytes:
        """All of a match, packed."""
        found = await self.hub.thinkers.work(cuts, job.record, who=job.who)
        for first, last in pairwise(found):
            job.parts.append(await self.one(job, first, last))
        return zlib.compress(encoded(whole(job.outline.game, job.outline.players, job.outline.over, job.parts)))

    async def one(self, job: Job, first: int, last: int) -> Part:
        """A part; once more, if those who think were lost."""
        for left in reversed(range(TRIES)):
            try:
                return await self.hub.thinkers.work(part, job.record, first, last, who=f"{job.who} {job.key}")
            except Refused:
                if not left:
                    raise
        raise AssertionError("never")

    async def keep(self, job: Job, body: bytes) -> None:
        """With its match; of a record, for a while."""
        if job.table is None:
            self.remember(self.found, job.key, body)
        else:
            version = edition(job.outline.game)
            await self.hub.store.keep_lookback(job.table, version, self.hub.env.time.now(), body)

    def remember(self, where: OrderedDict[str, Any], key: str, what: Any) -> None:
        """Keep the last few."""
        where[key] = what
        while len(where) > REMEMBERED:
            where.popitem(last=False)


def outline(match: Match) -> Outline:
    """Of a match."""
    lines = [(int(entry.actor), entry.masked) for entry in match.log]
    return Outline(match.game.name, match.players, match.options, match.state.actor == MATCH_OVER, lines)


def read(record: str) -> Outline:
    """Of a record; RecordError says what is wrong with it."""
    return outline(Match.replay(record))


def goes_on_as(table: stages.Table, found: Outline) -> bool:
    """Whether a table is being played whose match this one repeats, as far as all may read it."""
    match = table.match
    if table.status == stages.OVER or match is None:
        return False
    running = outline(match)
    return running[:3] == found[:3] and len(running.lines) > 0 and found.lines[: len(running.lines)] == running.lines


def encoded(told: object) -> bytes:
    """As JSON."""
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()


def ready_made(kept: bytes) -> bytes:
    """What was kept, as it is told."""
    return b'{"state":"kept","lookback":' + zlib.decompress(kept) + b"}"

"""Match reviews: computed in the bots' workers, a part of each job in turn, and stored.

Only finished matches are reviewed. The review of a running match, or of a copy of it played to an end, would be advice.
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

from landfall.analysis.review import (
    FULL_EFFORT,
    Effort,
    ReviewCurve,
    ReviewPart,
    assemble_match_review,
    evaluate_offered_choices,
    review_curve,
    review_edition,
    review_log_lines,
)
from landfall.analysis.win_probability import require_net
from landfall.core.errors import LandfallError
from landfall.core.match_record import CHANCE_MARK
from landfall.core.state import CHANCE, SPECTATOR
from landfall.core.state import OVER as MATCH_OVER
from landfall.games import game as find_game
from landfall.match import Match
from landfall.store.events import Created
from landfall.tables.live.copied_match_check import Asker, ImportedMatch
from landfall.tables.live.record_export import logged_match_lines
from landfall.tables.log import table as stages
from landfall.tables.protocol.errors import Refused

if TYPE_CHECKING:
    from landfall.store.row_types import LogEntry
    from landfall.tables.live.hub import Hub

MAX_QUEUED_REVIEWS: Final = 20  # queued matches of all users
MAX_REVIEWS_PER_USER: Final = 2  # queued matches of one user
MAX_CACHED_RECORDS: Final = 16  # results for records, which no user owns: the latest ones
LINES_PER_PART: Final = 2  # a part takes seconds with many players, and others' jobs run in between
MAX_PART_ATTEMPTS: Final = 3  # consecutive, when workers die or have no time for a part
MAX_REVIEW_LINES: Final = 3000  # log lines: more than three times the longest known match
MAX_CHECKED_TABLES: Final = 4096  # tables whose copy check is cached
SHARED_OPENING_LINES: Final = 8  # lines that independent matches from the same position may share
COPY_CHECK_TTL_MS: Final = 10_000  # cache time of the running matches and their copies
COMPARISONS_PER_YIELD: Final = 500  # matches compared before yielding to the event loop
HIDDEN_MARK: Final = "?"  # marks hidden information in a line
NO_ASKER: Final = Asker()


class MatchOutline(NamedTuple):
    """What is needed to decide whether a match may be reviewed; `position` and `lines` are masked for the public."""

    game: str
    players: int
    over: bool  # it was played to its end
    position: str | None  # the position string it started from, if not the standard one
    lines: list[str]


@dataclass
class ReviewJob:
    """A match under review."""

    key: str
    record: str
    who: str
    table: str | None
    outline: MatchOutline
    curve: ReviewCurve | None = None  # None before it is known
    pending: list[int] = field(default_factory=list)  # lines to examine, the next one last
    lines_per_part: int = LINES_PER_PART
    failed_attempts: int = 0  # consecutive failures of a part
    parts: list[ReviewPart] = field(default_factory=list)
    began: int = 0  # when the first part began, in ms
    last_status: tuple[int, int, bytes] = (-1, 0, b"")  # numbers of results and of jobs before it, and the status


class Reviews:
    """The reviews of one process."""

    def __init__(self, hub: Hub, effort: Effort = FULL_EFFORT) -> None:
        self.hub = hub
        self.effort = effort
        self.jobs: OrderedDict[str, ReviewJob] = OrderedDict()
        self.originals: OrderedDict[str, tuple[bool, int]] = OrderedDict()  # tables checked as originals, and when
        self.failed: OrderedDict[str, str] = OrderedDict()  # the reason, until it is requested again
        self.record_results: OrderedDict[str, bytes] = OrderedDict()  # results for records
        self.records: OrderedDict[str, ImportedMatch] = OrderedDict()  # these records, and those in progress
        self.is_working = False
        self.running: dict[str, tuple[int, list[list[LogEntry]]]] = {}  # by game: the time, and the running matches
        self.read_lock = asyncio.Lock()

    # --- tables -------------------------------------------------------------------------------------------------

    async def request_table_review(self, table: str, who: str, asker: Asker = NO_ASKER) -> bytes:
        """Request a table's review. Returns its status."""
        match = await self.require_finished_match(table, asker)
        if table not in self.jobs and await self.load_stored_review(table, match) is None:
            self.enqueue_job(ReviewJob(table, match.record(), who, table, make_match_outline(match)))
        return await self.encode_table_review_status(table, asker)

    async def encode_table_review_status(self, table: str, asker: Asker = NO_ASKER) -> bytes:
        """The status of a table's review; Refused while the match is running, whatever is stored."""
        match = await self.require_finished_match(table, asker)
        if table in self.jobs:  # checked first: a result is stored before its job is done
            return self.encode_job_status(table)
        cached = await self.load_stored_review(table, match)
        return encode_finished_status(cached) if cached is not None else self.encode_job_status(table)

    async def load_stored_review(self, table: str, match: Match) -> bytes | None:
        """The stored result of the same net."""
        require_net(match.game.name)
        return await self.hub.store.reviews.get_stored_review(table, review_edition(match.game.name))

    async def require_finished_match(self, table: str, asker: Asker) -> Match:
        """The finished match of a table; Refused if it copies a running one."""
        live = await self.hub.get_or_load_table(table)
        if live.table.status != stages.OVER or live.table.match is None:
            raise Refused("not_shown")
        match = live.table.match
        if live.table.terms.opened:
            if not await self.is_no_copy_of_running_match(table, live.table):
                raise Refused("not_shown")
            await self.hub.copied_match_check.refuse_copy_of_running_match(
                asker, ImportedMatch.from_match(table, match)
            )
        return match

    async def is_no_copy_of_running_match(self, id_: str, table: stages.Table) -> bool:
        """Whether an imported match is not a copy of a running one; the result is cached."""
        known = self.originals.get(id_)
        now = self.hub.runtime.clock.monotonic_ms()
        if known is not None and (known[0] or now - known[1] < COPY_CHECK_TTL_MS):
            return known[0]
        assert table.match is not None
        own = not await self.copies_running_match(make_match_outline(table.match), table.terms.created)
        self.put_in_bounded_cache(self.originals, id_, (own, now), MAX_CHECKED_TABLES)
        return own

    async def copies_running_match(self, found: MatchOutline, made: int | None = None) -> bool:
        """Whether a match repeats a running one, at any table that existed when it was imported."""
        for live in self.hub.live_tables.values():
            table, match = live.table, live.table.match
            if table.status == stages.PLAYING and match is not None and may_be_copy_of_table(found, table.terms, made):
                if masked_lines_start_with(found.lines, first_lines_of_match(match)) and repeats_match_lines(
                    found, match.log_lines()
                ):
                    return True
        for number, entries in enumerate(await self.cached_first_events_of_running_matches(found.game)):
            if number % COMPARISONS_PER_YIELD == COMPARISONS_PER_YIELD - 1:
                await asyncio.sleep(0)  # there may be many; let others run
            id_, first = entries[0].table, entries[0].event
            if id_ in self.hub.live_tables or not isinstance(first, Created) or first.players != found.players:
                continue
            if made is not None and entries[0].at > made:
                continue
            if public_start_position(first.game, first.position) == found.position and masked_lines_start_with(
                found.lines, logged_match_lines(entries)
            ):
                if repeats_match_lines(found, logged_match_lines(await self.hub.store.tables.read_log_entries(id_))):
                    return True
        return False

    async def cached_first_events_of_running_matches(self, game: str) -> list[list[LogEntry]]:
        """The first events of all running matches of a game, cached briefly. Newer matches are still in memory."""
        async with self.read_lock:
            now = self.hub.runtime.clock.monotonic_ms()
            at, entries = self.running.get(game, (now - COPY_CHECK_TTL_MS, []))
            if now - at >= COPY_CHECK_TTL_MS:
                entries = await self.hub.store.tables.read_first_events_of_running_matches(game)
                self.running[game] = now, entries
            return entries

    async def encode_choices_at_line(self, table: str, at: int, who: str, asker: Asker = NO_ASKER) -> bytes:
        """The choices after a number of lines of a finished match."""
        match = await self.require_finished_match(table, asker)
        require_net(match.game.name)
        return encode_json(await self.hub.bot_pool.run_task(evaluate_offered_choices, match.record(), at, who=who))

    # --- records -----------------------------------------------------------------------------------------------

    async def request_record_review(self, record: str, who: str, asker: Asker = NO_ASKER) -> bytes:
        """Request a record's review. Its match must be finished and must not be running here."""
        found = await self.hub.bot_pool.run_task(parse_record_outline, record, who=who)
        if not found.over or await self.copies_running_match(found):
            raise Refused("not_shown")
        key = "record-" + blake2b(record.encode(), digest_size=12).hexdigest()
        handed_in = ImportedMatch(key, found.game, found.position, lambda: record)
        await self.hub.copied_match_check.refuse_copy_of_running_match(asker, handed_in)
        self.put_in_bounded_cache(self.records, key, handed_in, MAX_QUEUED_REVIEWS + MAX_CACHED_RECORDS)
        if key not in self.record_results:
            self.enqueue_job(ReviewJob(key, record, who, None, found))
        return await self.encode_record_review_status(key)

    async def encode_record_review_status(self, key: str, asker: Asker | None = None) -> bytes:
        """The status of a record's review; Refused to a user who is playing that match."""
        if asker is not None and key in self.records:
            await self.hub.copied_match_check.refuse_copy_of_running_match(asker, self.records[key])
        if key in self.record_results:
            self.record_results.move_to_end(key)
            return encode_finished_status(self.record_results[key])
        return self.encode_job_status(key)

    # --- the queue --------------------------------------------------------------------------------------------

    def enqueue_job(self, job: ReviewJob) -> None:
        """Add a match to the queue, unless it is there; Refused if there are too many."""
        require_net(job.outline.game)
        self.failed.pop(job.key, None)
        if job.key in self.jobs:
            return
        if len(job.outline.lines) > MAX_REVIEW_LINES:
            raise Refused("too_large", most=MAX_REVIEW_LINES)
        if (
            len(self.jobs) >= MAX_QUEUED_REVIEWS
            or sum(other.who == job.who for other in self.jobs.values()) >= MAX_REVIEWS_PER_USER
        ):
            raise Refused("busy")
        self.jobs[job.key] = job
        if not self.is_working:
            self.is_working = True
            self.hub.spawn_background_task(self.run_jobs_in_turn())

    def encode_job_status(self, key: str) -> bytes:
        """The status of an unfinished job: its progress and the results so far."""
        job = self.jobs.get(key)
        if job is None:
            return encode_json({"state": "failed" if key in self.failed else "none", "why": self.failed.get(key, "")})
        before, results = list(self.jobs).index(key), len(job.parts) + (job.curve is not None)
        if job.last_status[:2] == (results, before):
            return job.last_status[2]
        message: dict[str, object] = {"state": "working" if results or not before else "queued", "before": before}
        if job.curve is not None:
            done = sum(part["lines"] for part in job.parts)
            passed = self.hub.runtime.clock.monotonic_ms() - job.began
            message |= {"done": done, "total": len(job.curve["lines"])}
            message["left_s"] = round(passed * len(job.pending) / done / 1000) if done else None
            found = assemble_match_review(job.outline.game, job.outline.players, False, job.curve, job.parts)
            message["review"] = {**found, "summary": []}
        job.last_status = results, before, encode_json({**message, "key": key})
        return job.last_status[2]

    async def run_jobs_in_turn(self) -> None:
        """Run a part of each job in turn until all are done: a long match blocks no other."""
        try:
            while self.jobs:
                for key, job in list(self.jobs.items()):
                    try:
                        if not await self.run_next_part_of_job(job):
                            continue
                        await self.store_finished_review(job, encode_compressed_review(job))
                    except Exception as error:  # whatever it is, other jobs continue
                        why = error.key if isinstance(error, LandfallError) else "table.store"
                        self.put_in_bounded_cache(self.failed, key, why)
                    del self.jobs[key]
        finally:
            self.is_working = False

    async def run_next_part_of_job(self, job: ReviewJob) -> bool:
        """Run one part of a job. Returns whether it was the last."""
        who = f"{job.who} {job.key}"
        lines = job.pending[: -job.lines_per_part - 1 : -1]
        try:
            if job.curve is None:
                curve = await self.hub.bot_pool.run_task(review_curve, job.record, self.effort, who=who)
                job.curve, job.pending = curve, curve["lines"][::-1]
                job.began = self.hub.runtime.clock.monotonic_ms()
            else:
                job.parts.append(
                    await self.hub.bot_pool.run_task(review_log_lines, job.record, lines, self.effort, who=who)
                )
                del job.pending[-len(lines) :]
        except Refused:
            job.failed_attempts += 1
            if job.failed_attempts == MAX_PART_ATTEMPTS:
                raise
            job.lines_per_part = 1  # the part may be too large; the others run before it is retried
            return False
        job.failed_attempts = 0
        return not job.pending

    async def store_finished_review(self, job: ReviewJob, body: bytes) -> None:
        """Store it with its match; for a record, cache it for a while."""
        if job.table is None:
            self.put_in_bounded_cache(self.record_results, job.key, body)
        else:
            version = review_edition(job.outline.game)
            await self.hub.store.reviews.save_review(job.table, version, self.hub.runtime.clock.wall_time_ms(), body)

    def put_in_bounded_cache(
        self, where: OrderedDict[str, Any], key: str, what: Any, most: int = MAX_CACHED_RECORDS
    ) -> None:
        """Keep the latest entries."""
        where[key] = what
        while len(where) > most:
            where.popitem(last=False)


def make_match_outline(match: Match) -> MatchOutline:
    """The outline of a match."""
    lines = [CHANCE_MARK + entry.masked if entry.actor == CHANCE else entry.masked for entry in match.log]
    return MatchOutline(
        match.game.name, match.players, match.state.actor == MATCH_OVER, match.custom_start_text(None), lines
    )


def first_lines_of_match(match: Match) -> list[str]:
    """The first lines of a match: different matches differ within them."""
    return [
        CHANCE_MARK + entry.text if entry.actor == CHANCE else entry.text for entry in match.log[:SHARED_OPENING_LINES]
    ]


def parse_record_outline(record: str) -> MatchOutline:
    """The outline of a record; RecordError says what is wrong with it."""
    return make_match_outline(Match.replay(record))


def may_be_copy_of_table(found: MatchOutline, terms: stages.Terms, made: int | None) -> bool:
    """A quick test whether a match may be a copy of a table's: same start, and the table is older."""
    if (terms.game, terms.players) != (found.game, found.players) or (made is not None and terms.created > made):
        return False
    return public_start_position(terms.game, terms.position) == found.position


@lru_cache(maxsize=256)  # guides start from a few positions, each with many tables
def public_start_position(game: str, position: str | None) -> str | None:
    """The position string that a table's match starts from, masked for the public."""
    return None if position is None else find_game(game).from_text(position).to_text(SPECTATOR)


def repeats_match_lines(found: MatchOutline, lines: list[str]) -> bool:
    """Whether a match repeats all public lines of one with the same start; a few shared opening lines do not count."""
    return len(lines) >= (1 if found.position is None else SHARED_OPENING_LINES) and masked_lines_start_with(
        found.lines, lines
    )


def masked_lines_start_with(seen: list[str], lines: list[str]) -> bool:
    """Whether masked lines begin with these open ones, where nothing is masked."""
    if len(lines) > len(seen):
        return False
    return all(
        line == one or (HIDDEN_MARK in one and line.startswith(one.partition(HIDDEN_MARK)[0]))
        for one, line in zip(seen, lines, strict=False)
    )


def encode_compressed_review(job: ReviewJob) -> bytes:
    """The whole review, compressed."""
    assert job.curve is not None
    found = assemble_match_review(job.outline.game, job.outline.players, job.outline.over, job.curve, job.parts)
    return zlib.compress(encode_json(found))


def encode_json(value: object) -> bytes:
    """As JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def encode_finished_status(stored: bytes) -> bytes:
    """A stored result, as sent to clients."""
    return b'{"state":"kept","review":' + zlib.decompress(stored) + b"}"

"""The database of a world: in memory, slow, failing, away; and each process's store on it.

What is being written is written, even if whoever waits for it is cancelled. A writer is first in, first out, commits in
groups, and a group fails as a whole. Every commit is judged by the rules. As in the real stores, no entry is written
without the one before it, tables that are open are not deleted, and what was read as absent stays absent.
"""

from __future__ import annotations

import asyncio
import math
from collections import Counter, deque
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import msgspec

from landfall.store import postgres_connections as connections
from landfall.store.event_codec import encode_event
from landfall.store.events import Rated
from landfall.store.postgres import PostgresStore, lease_key
from landfall.store.ratings import Decide, Pool
from landfall.store.rows import ChatLine, LogEntry, MissingLog, RatingRow, TableSummary, UserRecord, anonymous_id
from landfall.store.search_events import LOG_OF_SEARCHES, SEARCH_EVENTS, SearchEntry, SearchWrite
from landfall.store.shared_events import NotTogether, SharedWrite
from landfall.store.shared_logs import decode_shared_event, encode_shared_event
from landfall.store.sqlite import COMMIT_TIMEOUT_S
from landfall.store.store import OnNotification, Store
from landfall.store.tournament_events import TOURNAMENT_EVENTS, TournamentEntry, TournamentHead, TournamentWrite
from landfall.store.users import anonymise_event, anonymise_summary
from tests.sim.log_checker import Log, Unsound
from tests.sim.notifications import Outbox, SimNotifications
from tests.sim.searches import SearchJudge, check_together
from tests.sim.tournaments import TournamentJudge

if TYPE_CHECKING:
    from tests.sim.simulated_process import Process
    from tests.sim.world import World

encode, decode = msgspec.json.encode, msgspec.json.decode


class DiskError(OSError):
    """The disk is full, or the database away."""


@dataclass
class Wanted:
    """Consecutive entries of one table on their way to the disk."""

    table: str
    rows: list[tuple[int, int, str, bytes]]
    head: bytes | None
    done: asyncio.Future[bool]
    read_as_absent: bool = False  # whoever wanted it was told that it failed, and has read the log since


class Disk:
    """What all processes share."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.logs: dict[str, Log] = {}
        self.deleted: dict[str, Log] = {}  # by retention
        self.said: dict[str, list[ChatLine]] = {}  # all there ever was
        self.open_tables: dict[tuple[str, str], int] = {}  # process and table: until when
        self.members: dict[str, set[str]] = {}  # by table: who sat there at any time
        self.people: dict[str, str] = {}  # names, of those who have an account
        self.forgotten: dict[str, set[str]] = {}  # and the tables at which their seats may wait for them
        self.signed_out: set[str] = set()  # devices
        self.reviews: dict[str, tuple[int, bytes]] = {}
        self.ratings: dict[tuple[str, str, int], RatingRow] = {}
        self.rated = 0  # matches
        self.searches: list[tuple[int, int, str, str]] = []  # the log of searches
        self.judge = SearchJudge()
        self.tournaments: dict[str, list[tuple[int, int, str, str]]] = {}  # their logs
        self.cup_heads: dict[str, TournamentHead] = {}
        self.cups = TournamentJudge()
        self.outbox = Outbox(self)
        self.heads: dict[str, bytes] = {}
        self.talk: dict[str, list[ChatLine]] = {}
        self.locks: dict[int, tuple[Session, int]] = {}  # advisory: by which session, how often
        self.stores: list[SimStore] = []
        self.away_until = 0.0
        self.full_until = 0.0
        self.hangs_until = 0.0  # one process's: it neither writes nor fails

    @property
    def away(self) -> bool:
        return self.world.loop.time() < self.away_until

    def go_away(self, seconds: float) -> None:
        """The database server is gone for a while: every connection is lost."""
        self.world.note("disk", f"away for {seconds:.1f} s")
        self.away_until = self.world.loop.time() + seconds
        for store in self.stores:
            store.lose_ear(seconds)
            store.lose_wheels()

    def log_of(self, table: str) -> Log:
        """A table's log; after it was deleted, as it was then."""
        return self.logs.get(table) or self.deleted[table]

    def list_table(self, head: TableSummary) -> None:
        """Write a head; who sat at the table at any time is kept by itself."""
        self.heads[head.table] = encode(replace(head, people=[], notices=None))
        self.members.setdefault(head.table, set()).update(head.people)

    def was_there(self, table: str) -> bool:
        return table in self.logs or table in self.deleted

    def commit(self, who: str, wanted: Wanted) -> bool | MissingLog:
        """Write, unless the number is taken, or the entry before it is not there."""
        log = self.logs.get(wanted.table)
        last = log.seq if log is not None else 0
        if wanted.rows[0][0] > last + 1:
            self.world.note(who, "nothing to follow", wanted.table, wanted.rows[0][0])
            return MissingLog(wanted.table)
        if wanted.read_as_absent and wanted.rows[0][0] == last + 1:
            self.world.broken("landed too late", f"{who}: {wanted.table} {last + 1}, after it was read as absent")
        if wanted.rows[0][0] <= last:
            self.world.note(who, "number taken", wanted.table, wanted.rows[0][0])
            return False
        if log is None:
            log = self.logs[wanted.table] = Log(wanted.table)
        for seq, at, kind, data in wanted.rows:
            self.world.note(who, "on disk", wanted.table, seq, kind, data if kind != "create" else b"")
            try:
                log.add(seq, at, kind, data)
            except Unsound as error:
                self.world.broken("log", f"{wanted.table}: {error}")
                return True
        log.grown = self.world.loop.time()
        if wanted.head is not None:
            head = decode(wanted.head, type=TableSummary)
            self.list_table(head)
            self.outbox.write(head)
        self.publish("entry", f"{wanted.table} {wanted.rows[-1][0]}")
        return True

    # --- deleting ---------------------------------------------------------------------------------------------

    def delete_tables(self, before: int, now: int) -> list[str]:
        """Retention: tables whose last entry is older, and which no process has open."""
        held = {table for (_, table), until in self.open_tables.items() if until > now}
        old = [table for table, log in self.logs.items() if log.rows[-1][1] < before and table not in held]
        for table in old:
            self.world.note("retention", "deletes", table)
            self.deleted[table] = self.logs.pop(table)
            self.heads.pop(table, None)
            self.talk.pop(table, None)
            self.reviews.pop(table, None)
        return old

    def forget_person(self, person: str) -> None:
        """Delete somebody; matches stay, under no name."""
        called, running = self.people.pop(person, ""), set()
        self.outbox.forget_person(person)
        for table, text in list(self.heads.items()):
            head: TableSummary = decode(text, type=TableSummary)
            if person != head.owner and person not in self.members.get(table, ()):
                continue
            self.logs[table].unname(person, called)
            owner = anonymous_id(table, person) if head.owner == person else head.owner
            info = anonymise_summary(head.info, person, table)
            self.heads[table] = encode(replace(head, owner=owner, info=info, people=[]))
            self.members.get(table, set()).discard(person)
            if head.status != "over":
                running.add(table)
        for table, talk in self.talk.items():
            if talk and talk[-1].person == person:  # its number is not used again
                talk[-1] = replace(talk[-1], person="", name="", seat=None, text="")
            self.talk[table] = [line for line in talk if line.person != person]
        self.ratings = {key: row for key, row in self.ratings.items() if key[0] != person}
        self.searches = [
            (seq, at, kind, anonymise_event(decode(data), person, LOG_OF_SEARCHES, "") if person in data else data)
            for seq, at, kind, data in self.searches
        ]
        self.forgotten[person] = self.forgotten.get(person, set()) | running

    def good(self, devices: Iterable[str]) -> set[str]:
        """Those that are still signed in."""
        return {one for one in devices if one not in self.signed_out and one.partition("/")[0] not in self.forgotten}

    def named(self, key: int) -> str:
        """The table that an advisory lock is for."""
        return next((table for table in self.logs if lease_key(table) == key), "?")

    def publish(self, kind: str, words: str) -> None:
        """News for every process, the sender too."""
        for store in self.stores:
            store.spread(kind, words)


class Session:
    """A connection that holds advisory locks: gone with it, taken as often as asked, given back as often."""

    def __init__(self, store: SimStore) -> None:
        self.store = store
        self.closed = False

    def is_closed(self) -> bool:
        return self.closed

    def terminate(self) -> None:
        """Where the link is half-open the server does not hear of it: what was held is held until it is ended. The
        server's own keep-alives end nothing here, for something on the way may answer them."""
        self.closed = True
        if self.store.is_stuck() and not self.store.dead:
            self.store.ghosts.append(self)
        else:
            self.release()

    def release(self) -> None:
        locks = self.store.disk.locks
        for key in [key for key, (session, _) in locks.items() if session is self]:
            del locks[key]

    async def close(self, **_: Any) -> None:
        self.terminate()

    async def fetchval(self, query: str, key: int, **_: Any) -> bool:
        """`select pg_try_advisory_lock($1)`: done by the server even if nobody waits for the answer."""
        assert "pg_try_advisory_lock" in query
        return await self.ask(key, 1)

    async def execute(self, query: str, *keys: int, **_: Any) -> None:
        if query == "select 1":
            await self.answers()
        else:
            assert "pg_advisory_unlock" in query
            await self.ask(keys[0], -1)

    async def answers(self) -> None:
        """A heartbeat: DiskError if the connection is lost."""
        if not self.closed and self.store.is_stuck():
            await self.store.wait_for_link()
        if self.closed or self.store.disk.away:
            raise DiskError("the connection is lost")

    async def ask(self, key: int, more: int) -> bool:
        store = self.store
        store.world.blows.trip("wheel", store.process)
        if store.is_stuck():
            await store.wait_for_link()
        answer: asyncio.Future[bool] = store.world.loop.create_future()
        store.world.loop.call_later(store.lag(), self.serve, key, more, answer)
        return await answer

    def serve(self, key: int, more: int, answer: asyncio.Future[bool]) -> None:
        store = self.store
        if store.dead:
            return
        if self.closed or store.disk.away:
            store.world.loop.call_later(store.lag(), store.settle, answer, None)
            return
        session, count = store.disk.locks.get(key, (self, 0))
        word = "gives its wheel back" if more < 0 else "takes the wheel" if session is self else "gets no wheel"
        store.world.note(store.process.name, word, store.disk.named(key))
        if session is self and count + more > 0:
            store.disk.locks[key] = self, count + more
        elif session is self:
            store.disk.locks.pop(key, None)
        store.world.loop.call_later(store.lag(), store.settle, answer, session is self)


class SimStore(SimNotifications, Store):
    """One process's way to the disk."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.world: World = process.world
        self.disk: Disk = process.world.disk
        self.pending: deque[Wanted] = deque()
        self.busy = False
        self.under_way: Counter[str] = Counter()  # writes not answered yet, by table
        self.questions = 0  # questions on their way
        self.answered = 0.0  # when the last answer will be there: they come in order
        self.heard: OnNotification | None = None
        self.ear_lost_until = 0.0
        self.blind_until = 0.0
        self.told = 0.0  # when the last news will be heard
        self.dead = False
        self.scrubbed = True
        self.stuck_until = 0.0  # the link to the database is half-open: no byte passes
        self.stuck_for_new = False  # nor in connections made since
        self.loses_held = False  # what was on its way then is lost; else it arrives afterwards
        self.is_relinked = False  # the connections from before were given up
        self.ghosts: list[Session] = []  # given up, and the server has not heard of it
        self.strays: list[list[Wanted]] = []  # commits that were given up, and may land later
        self.has_lost_writer = False  # the connection that commits was given up
        self.is_late = False  # a disk hangs, and what it was given last may still be written
        self.troubled = -1.0  # when a question last failed
        self.disk.stores.append(self)

    def lag(self) -> float:
        """Seconds to the disk or back."""
        chance = self.process.chance
        if not self.world.active:
            return 0.001
        return chance.expovariate(1 / (0.2 if chance.random() < 0.04 else 0.006))

    def settle(self, answer: asyncio.Future[bool], value: bool | MissingLog | None) -> None:
        """Answer; None: it failed."""
        if self.process.deferred(self.settle, answer, value) or answer.done():
            return
        if value is None:
            answer.set_exception(DiskError("the database is away"))
        elif isinstance(value, MissingLog):
            answer.set_exception(value)
        else:
            answer.set_result(value)

    @property
    def moving(self) -> bool:
        """Whether anything is on its way to the disk or from it."""
        now = self.world.loop.time()
        return self.busy or self.questions > 0 or self.told > now or self.answered > now

    async def reach(self, new: bool = False) -> None:
        """Half of a question: to the disk, or back; `new`: on a connection that is made for it."""
        self.questions += 1
        try:
            if self.is_stuck(new):
                await self.wait_for_link()
            await self.process.wait(self.lag())
        finally:
            self.questions -= 1
        chance = self.process.chance
        if self.disk.away or chance.random() < self.world.faults.reads:
            self.troubled = self.world.loop.time()
            raise DiskError("the database is away")

    async def open(self) -> None:
        """The disk is there."""

    # --- half-open --------------------------------------------------------------------------------------------

    def get_stuck(self, seconds: float, for_new: bool, loses_held: bool) -> None:
        """The link becomes half-open: both ends think that it stands, and nothing passes."""

    def is_stuck(self, new: bool = False) -> bool:
        """Whether nothing passes on a connection, an old one or one that is made now."""
        is_new = new or self.is_relinked
        return self.world.loop.time() < self.stuck_until and (self.stuck_for_new or not is_new)

    def link_returns_in(self) -> float:
        """Seconds until what is on its way goes on; endless, if it is lost."""
        return math.inf if self.loses_held else self.stuck_until - self.world.loop.time()

    def limit_s(self) -> float:
        """Seconds after which the store gives up."""
        return connections.SERVING.command_s

    async def wait_for_link(self) -> None:
        """Until a half-open link goes on, or the store's own limit gives the question up."""
        left, limit = self.link_returns_in(), self.limit_s()
        await self.process.wait(min(left, limit))
        if left > limit:
            self.give_link_up()
            raise DiskError("the database does not answer")

    def give_link_up(self) -> None:
        self.troubled = self.world.loop.time()
        self.is_relinked = True

    # --- writing ----------------------------------------------------------------------------------------------

    async def append(self, entries: list[LogEntry], head: TableSummary | None = None) -> bool:
        rows = [(e.seq, e.at, e.kind, encode_event(e.event).encode()) for e in entries]
        done: asyncio.Future[bool] = self.world.loop.create_future()
        wanted = Wanted(entries[0].table, rows, encode(head) if head is not None else None, done)
        if self.dead:
            return await done
        if self.is_late:
            raise DiskError("the disk does not answer")
        self.pending.append(wanted)
        self.under_way[wanted.table] += 1
        self.world.note(self.process.name, "to disk", wanted.table, rows[0][0], rows[0][2], len(rows))
        if not self.busy:
            self.busy = True
            self.world.loop.call_later(self.lag(), self.gather)
        self.world.blows.trip("write", self.process)
        return await done

    def gather(self) -> None:
        """Take all that waits into one commit."""
        if self.process.deferred(self.gather):
            return
        group = list(self.pending)
        self.pending.clear()
        if not group:
            self.busy = False
            return
        self.world.loop.call_later(self.lag(), self.send, group)

    def send(self, group: list[Wanted]) -> None:
        """A commit arrives at the disk; or not yet, or never."""
        if self.is_stuck():
            self.send_stuck(group)
        elif self.world.loop.time() < self.disk.hangs_until and not self.is_shared:
            hangs = self.disk.hangs_until - self.world.loop.time()
            self.world.loop.call_later(hangs, self.land_hung, group)
            if hangs > COMMIT_TIMEOUT_S:
                self.world.loop.call_later(COMMIT_TIMEOUT_S, self.give_up, group)
        else:
            if self.has_lost_writer:  # a new connection ends what was given up; one that stands ends nothing
                self.has_lost_writer = False
                self.end_strays()
            self.land(group)

    def land_hung(self, group: list[Wanted]) -> None:
        """A disk goes on; what a process wrote that is dead by now is not written."""
        if not self.dead:
            self.land(group)

    def send_stuck(self, group: list[Wanted]) -> None:
        """On a half-open link: what the server has received is committed, what is on its way may be, later."""
        left, limit, later = self.link_returns_in(), self.limit_s(), self.world.loop.call_later
        is_first = not self.is_relinked  # else there is no connection to send it on
        received = is_first and self.process.chance.random() < 0.4
        results = self.committed(group) if received else None
        if left <= limit:
            later(left, self.answer_late, group, results)
            return
        if is_first and not received and not self.loses_held:
            later(left, self.land_stray, group)
        later(limit, self.give_up, group, is_first and not received)

    def answer_late(self, group: list[Wanted], results: list[bool | MissingLog] | None) -> None:
        if results is None:
            self.land(group)
        else:
            self.end_commit(group, results)

    def committed(self, group: list[Wanted]) -> list[bool | MissingLog]:
        return [self.disk.commit(self.process.name, wanted) for wanted in group]

    def give_up(self, group: list[Wanted], may_land: bool = False) -> None:
        """The store waits no longer. What was queued behind is refused as well."""
        if self.dead:
            return
        self.world.note(self.process.name, f"gives {len(group)} up, and {len(self.pending)} behind")
        self.give_link_up()
        queued, pending = list(self.pending), self.pending
        pending.clear()
        if not self.is_shared:
            self.is_late = True
            for wanted in group:
                self.settle(wanted.done, None)
            self.answer(queued, None)
            return
        self.has_lost_writer = True
        if may_land:
            self.strays.append(group)
        self.note_abandoned()
        self.answer([*group, *queued], None)
        self.busy = False

    def land_stray(self, group: list[Wanted]) -> None:
        """What was given up arrives after all, unless it was ended."""
        if group in self.strays:
            self.strays.remove(group)
            self.world.note(self.process.name, "a commit that was given up lands")
            self.committed(group)

    def note_abandoned(self) -> None:
        """A connection was given up."""

    def end_strays(self) -> None:
        """The server ends its side of what was given up: it is there by now, or never will be."""
        self.strays.clear()
        for session in self.ghosts:
            session.release()
        self.ghosts.clear()

    def land(self, group: list[Wanted]) -> None:
        """The commit; a process that is dead by now may or may not have been quick enough."""
        chance, faults, now = self.process.chance, self.world.faults, self.world.loop.time()
        if self.dead and chance.random() < 0.5:
            return
        failed = self.disk.away or now < self.disk.full_until or chance.random() < faults.writes
        results: list[bool | MissingLog] = []
        if not failed or chance.random() < faults.after:  # "failed", and it is there: the worst answer
            results = self.committed(group)
        if failed:
            self.troubled = now
            self.world.note(self.process.name, f"a write of {len(group)} failed {'after' if results else 'before'} it")
        self.end_commit(group, None if failed else results)

    def end_commit(self, group: list[Wanted], results: list[bool | MissingLog] | None) -> None:
        """A commit came to its end: answer, and go on with what waits."""
        self.is_late = False
        self.answered = max(self.answered, self.world.loop.time() + self.lag())
        self.world.loop.call_at(self.answered, self.answer, group, results)
        if self.pending:
            self.world.loop.call_later(self.lag(), self.gather)
        else:
            self.busy = False

    def answer(self, group: list[Wanted], results: list[bool | MissingLog] | None) -> None:
        for i, wanted in enumerate(group):
            self.under_way[wanted.table] -= 1
            self.settle(wanted.done, results[i] if results is not None else None)

    async def flushed(self) -> None:
        """Until everything queued is written."""
        while self.busy or self.pending:
            await self.process.wait(0.01)

    # --- reading ----------------------------------------------------------------------------------------------

    async def read_entries(self, table: str, after: int = 0) -> list[LogEntry]:
        self.world.blows.trip("read", self.process)
        if self.is_late:
            raise DiskError("the disk does not answer")
        await self.reach()
        log = self.disk.logs.get(table)
        found = log.entries(after) if log is not None else []
        last = after + len(found)
        absent = [w for group in self.strays for w in group if w.table == table and w.rows[0][0] > last]
        await self.reach()
        if self.world.loop.time() < self.blind_until:
            raise DiskError("the log cannot be read")
        for wanted in absent:
            wanted.read_as_absent = True
        return found

    def heads_now(self) -> list[TableSummary]:
        return [decode(head, type=TableSummary) for head in self.disk.heads.values()]

    async def get_summary(self, table: str) -> TableSummary | None:
        await self.reach()
        found = self.disk.heads.get(table)
        return decode(found, type=TableSummary) if found is not None else None

    async def lobby(self, limit: int = 50) -> list[TableSummary]:
        await self.reach()
        return [head for head in self.heads_now() if head.public and head.status != "over"][:limit]

    async def history(
        self, person: str, limit: int = 50, before: int | None = None, over: bool | None = None
    ) -> list[TableSummary]:
        await self.reach()
        return [head for head in self.heads_now() if person in self.disk.members.get(head.table, ())][:limit]

    async def due_tables(self, now: int) -> list[str]:
        await self.reach()
        return self.overdue(now)

    def overdue(self, now: int) -> list[str]:
        return [head.table for head in self.heads_now() if head.deadline is not None and head.deadline <= now]

    async def append_chat(self, line: ChatLine) -> ChatLine:
        await self.reach()
        if line.table not in self.disk.heads:
            raise MissingLog(line.table)
        talk = self.disk.talk.setdefault(line.table, [])
        said = replace(line, n=talk[-1].n + 1 if talk else 1)
        talk.append(said)
        self.disk.said.setdefault(line.table, []).append(said)
        self.world.note(self.process.name, "said", line.table, said.n)
        await self.reach()
        return said

    async def read_chat(self, table: str, after: int = 0, limit: int = 200) -> list[ChatLine]:
        await self.reach()
        found = [line for line in self.disk.talk.get(table, []) if line.n > after and line.text][-limit:]
        await self.reach()
        return found

    async def get_user(self, person: str) -> UserRecord | None:
        await self.reach()
        name = self.disk.people.get(person)
        return None if name is None else UserRecord(person, name, 0, 0)

    # --- who is there, and who is not any more ----------------------------------------------------------------

    async def valid_sessions(self, sessions: Iterable[str], signed: Iterable[str]) -> set[str]:
        await self.reach()
        return self.disk.good([*sessions, *signed])

    async def forget_user(self, person: str) -> None:
        await self.write_once()
        self.world.note(self.process.name, "forgets", person)
        self.disk.forget_person(person)
        await self.reach()

    async def forgotten_users(self) -> list[tuple[str, list[str]]]:
        await self.reach()
        return [(person, sorted(tables)) for person, tables in self.disk.forgotten.items()]

    async def note_departed(self, person: str, tables: Collection[str]) -> list[str]:
        await self.write_once()
        self.disk.forgotten[person] -= set(tables)
        left = sorted(self.disk.forgotten[person])
        await self.reach()
        return left

    async def rewrite_summary(self, head: TableSummary) -> None:
        await self.write_once()
        if head.table in self.disk.heads:
            listed: TableSummary = decode(self.disk.heads[head.table], type=TableSummary)
            self.disk.list_table(replace(listed, owner=head.owner, info=head.info, people=head.people))
        await self.reach()

    async def write_once(self) -> None:
        """On the way to the disk with something that is no entry."""
        await self.reach()
        now = self.world.loop.time()
        if now < self.disk.full_until or self.process.chance.random() < self.world.faults.writes:
            self.troubled = now
            raise DiskError("the disk is full")

    # --- ratings ----------------------------------------------------------------------------------------------

    async def append_rated(
        self, table: str, seq: int, at: int, pool: Pool, people: list[str | None], decide: Decide
    ) -> bool:
        """One transaction; that it is done may not be heard of."""
        if self.is_late:
            raise DiskError("the disk does not answer")
        self.world.blows.trip("write", self.process)
        await self.write_once()
        disk, log = self.disk, self.disk.logs.get(table)
        done = log is not None and log.seq == seq - 1
        if done:
            known = {person: disk.ratings.get((person, *pool)) for person in people if person in disk.people}
            event = decide(disk.rated + 1, [known.get(person or "") for person in people])
            row = seq, at, event.kind, encode_event(event).encode()
            disk.commit(self.process.name, Wanted(table, [row], None, self.world.loop.create_future()))
            disk.rated = event.n
            head: TableSummary = decode(disk.heads[table], type=TableSummary)
            disk.heads[table] = encode(replace(head, updated=at, deadline=None))
            for person, (mu, sigma), played in zip(people, event.after, event.played, strict=True):
                if person in known:
                    disk.ratings[person, *pool] = RatingRow(person, *pool, mu, sigma, played + 1, at)
        await self.reach()
        return done

    async def rated_together(self, people: Collection[str], since: int) -> set[str]:
        await self.reach()
        logs = [log for log in self.disk.logs.values() if log.table.people == set(people)]
        rated = {log.table.id for log in logs for e in log.entries() if isinstance(e.event, Rated) and e.at > since}
        await self.reach()
        return rated

    # --- searches ---------------------------------------------------------------------------------------------

    async def append_searches(self, write: SearchWrite) -> bool:
        """One transaction; that it is done may not be heard of."""
        if self.is_late:
            raise DiskError("the disk does not answer")
        self.world.blows.trip("write", self.process)
        await self.write_once()
        disk = self.disk
        last = disk.searches[-1][0] if disk.searches else 0
        if last != write.seq - 1:
            return False
        check_together(write.people, disk.people, disk.judge)
        for n, event in enumerate(write.events):
            self.world.note(self.process.name, "searches", write.seq + n, event)
            disk.searches.append((write.seq + n, write.at, event.kind, encode_shared_event(event)))
        if fault := disk.judge.find_fault(write):
            self.world.broken("searches", fault)
        self.begin_tables(write)
        disk.publish("searches", str(write.seq + len(write.events) - 1))
        await self.reach()
        return True

    def begin_tables(self, write: SharedWrite[Any]) -> None:
        """The tables that events of a shared log lead to."""
        for one in write.tables:
            rows = [(e.seq, e.at, e.kind, encode_event(e.event).encode()) for e in one.entries]
            done = self.world.loop.create_future()
            self.disk.commit(self.process.name, Wanted(one.summary.table, rows, encode(one.summary), done))

    async def read_searches(self, after: int = 0) -> list[SearchEntry]:
        await self.reach()
        rows = [row for row in self.disk.searches if row[0] > after]
        await self.reach()
        return [SearchEntry(seq, at, decode_shared_event(SEARCH_EVENTS, kind, data)) for seq, at, kind, data in rows]

    async def prune_searches(self, seq: int, at: int) -> None:
        await self.write_once()
        kept = self.disk.searches[-1:]
        self.disk.searches = [row for row in self.disk.searches[:-1] if row[0] >= seq or row[1] >= at] + kept

    async def blocks_among(self, people: Collection[str]) -> set[frozenset[str]]:
        await self.reach()
        return {pair for pair in self.disk.judge.blocks if pair <= set(people)}

    async def ratings_of(self, person: str) -> list[RatingRow]:
        await self.reach()
        return []

    # --- tournaments ------------------------------------------------------------------------------------------

    async def append_tournament(self, write: TournamentWrite, head: TournamentHead) -> bool:
        """One transaction; that it is done may not be heard of."""
        if self.is_late:
            raise DiskError("the disk does not answer")
        self.world.blows.trip("write", self.process)
        await self.write_once()
        disk, rows = self.disk, self.disk.tournaments.get(head.id, [])
        if len(rows) != write.seq - 1:
            return False
        if any(person not in disk.people for person in write.people):
            raise NotTogether
        for n, event in enumerate(write.events):
            self.world.note(self.process.name, "tournament", write.seq + n, event)
            rows.append((write.seq + n, write.at, event.kind, encode_shared_event(event)))
        disk.tournaments[head.id], disk.cup_heads[head.id] = rows, head
        self.begin_tables(write)
        if fault := disk.cups.find_fault(head.id, write, disk):
            self.world.broken("tournament", fault)
        await self.reach()
        return True

    async def read_tournament(self, tournament: str, after: int = 0) -> list[TournamentEntry]:
        await self.reach()
        rows = [row for row in self.disk.tournaments.get(tournament, []) if row[0] > after]
        await self.reach()
        return [
            TournamentEntry(seq, at, decode_shared_event(TOURNAMENT_EVENTS, kind, data)) for seq, at, kind, data in rows
        ]

    async def due_tournaments(self, now: int) -> list[str]:
        await self.reach()
        heads = self.disk.cup_heads.values()
        return [one.id for one in heads if one.status == "running" or (one.status == "open" and one.starts <= now)]

    async def count_opened(self, person: str) -> int:
        await self.reach()
        heads = self.disk.cup_heads.values()
        return sum(one.opener == person and one.status in ("open", "running") for one in heads)

    async def over_tables(self, tables: Collection[str]) -> set[str]:
        await self.reach()
        logs = self.disk.logs
        over = {table for table in tables if table not in logs or logs[table].table.status == "over"}
        await self.reach()
        return over

    # --- reviews ----------------------------------------------------------------------------------------------

    async def running_openings(self, game: str) -> list[list[LogEntry]]:
        await self.reach()
        running = [log for log in self.disk.logs.values() if log.table.status == "playing"]
        logs = [log.entries() for log in running if log.table.terms.game == game]
        return [[entry for entry in entries if entry.kind in ("create", "start")] for entries in logs]

    async def get_review(self, table: str, version: int) -> bytes | None:
        await self.reach()
        found = self.disk.reviews.get(table)
        return found[1] if found is not None and found[0] == version else None

    async def save_review(self, table: str, version: int, at: int, body: bytes) -> None:
        await self.write_once()
        if table in self.disk.heads:
            self.disk.reviews[table] = version, body
        await self.reach()

    # --- which tables are open --------------------------------------------------------------------------------

    async def renew_open(self, process: str, opened: Collection[str], closed: Collection[str], until: int) -> None:
        await self.write_once()
        leases = self.disk.open_tables
        for table in closed:
            leases.pop((process, table), None)
        for key in [key for key in leases if key[0] == process]:
            leases[key] = until
        leases.update({(process, table): until for table in opened})
        await self.reach()

    async def end_open(self, process: str) -> None:
        await self.write_once()
        for key in [key for key in self.disk.open_tables if key[0] == process]:
            del self.disk.open_tables[key]
        await self.reach()

    # --- several processes ------------------------------------------------------------------------------------

    def listen(self, on_notification: OnNotification) -> None:
        self.heard = on_notification
        self.spread("missed", "")

    def spread(self, kind: str, words: str) -> None:
        """News comes late, in order, sometimes twice."""
        now, chance = self.world.loop.time(), self.process.chance
        if self.dead or not self.is_shared or now < self.ear_lost_until:
            return
        late = self.world.faults.news > 0 and chance.random() < 0.05
        self.told = max(self.told, now + self.lag() + (chance.uniform(0, 3) if late else 0))
        for _ in range(2 if chance.random() < self.world.faults.news else 1):
            self.world.loop.call_at(self.told, self.tell, kind, words, context=self.process.context.copy())

    def tell(self, kind: str, words: str) -> None:
        if self.process.deferred(self.tell, kind, words):
            return
        if self.heard is not None and self.world.loop.time() >= self.ear_lost_until:
            self.heard(kind, words)

    def lose_ear(self, seconds: float) -> None:
        """What is said meanwhile is lost; that some may have been, is told."""
        if not self.is_shared or self.dead:
            return
        now = self.world.loop.time()
        self.ear_lost_until = max(self.ear_lost_until, now + seconds)
        self.told = max(self.told, self.ear_lost_until)
        self.world.loop.call_later(self.ear_lost_until - now + 0.001, self.spread, "missed", "")

    async def notify(self, kind: str, words: str) -> None:
        await self.reach()
        self.disk.publish(kind, words)
        await self.reach()

    def lose_wheels(self) -> None:
        """The connection that holds the advisory locks is lost."""

    def cut(self) -> None:
        """The process is gone: what it had not begun to write never will be."""
        self.dead = True
        self.pending.clear()
        self.disk.stores.remove(self)
        self.lose_wheels()
        for session in self.ghosts:
            session.release()


class Alone(SimStore):
    """As SQLite: one process."""

    def __init__(self, process: Process) -> None:
        super().__init__(process)
        self.disk.open_tables.clear()  # the process that had tables open is gone


class Shared(SimStore, PostgresStore):
    """As PostgreSQL: several processes. How the wheel is taken and left is the real store's own."""

    def __init__(self, process: Process) -> None:
        SimStore.__init__(self, process)
        self.lease_connection = None
        self.lease_lock = asyncio.Lock()
        self.leased_tables = set()
        self.pending_requests = set()
        self.closing = False
        self.linked: list[Session] = []
        self.abandoned = set()
        self.has_abandoned = asyncio.Event()
        self.fencing = None

    async def open(self) -> None:
        """What the real store does by itself, of that which is not simulated."""
        for work in (self.check_leases(), self.run_fence()):
            self.process.spawn(work)

    async def connect(self) -> Any:
        await self.reach(new=True)
        if self.abandoned:
            self.abandoned.clear()
            self.end_strays()
        session = Session(self)
        self.linked.append(session)
        return session

    async def read_entries(self, table: str, after: int = 0) -> list[LogEntry]:
        if self.abandoned:
            await self.fence()
        return await SimStore.read_entries(self, table, after)

    def abandon(self, db: Any) -> None:
        self.note_abandoned()
        db.terminate()

    def note_abandoned(self) -> None:
        self.abandoned.add(len(self.abandoned))
        self.has_abandoned.set()

    def get_stuck(self, seconds: float, for_new: bool, loses_held: bool) -> None:
        self.world.note(self.process.name, f"its link is half-open for {seconds:.1f} s, {for_new=}, {loses_held=}")
        self.stuck_until = self.world.loop.time() + seconds
        self.stuck_for_new, self.loses_held, self.is_relinked = for_new, loses_held, False
        self.lose_ear(seconds)

    def lose_wheels(self) -> None:
        for session in self.linked:  # the server ends them, and knows
            session.closed = True
            session.release()
        self.linked.clear()
        self.ghosts.clear()

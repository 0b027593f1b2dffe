"""Each process's store on a world's database: slow, failing, away, and sometimes behind a half-open link.

What is being written is written, even if whoever waits for it is cancelled. A writer is first in, first out, commits in
groups, and a group fails as a whole.
"""

from __future__ import annotations

import asyncio
import math
from collections import Counter, deque
from typing import TYPE_CHECKING, Any

import msgspec

from landfall.store import postgres_connections as connections
from landfall.store.database import OnNotification
from landfall.store.event_codec import encode_event
from landfall.store.postgres import PostgresDatabase
from landfall.store.row_types import LogEntry, MissingLog, TableSummary
from landfall.store.sqlite import COMMIT_TIMEOUT_S
from tests.sim.simulated_disk import Disk, DiskError, Wanted
from tests.sim.simulated_notifications import SimNotifications
from tests.sim.simulated_queries import SimQueries

if TYPE_CHECKING:
    from tests.sim.simulated_process import Process
    from tests.sim.simulated_world import World

encode = msgspec.json.encode


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
        store.world.blows.trip("lease", store.process)
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
        word = "gives its lease back" if more < 0 else "takes the lease" if session is self else "gets no lease"
        store.world.note(store.process.name, word, store.disk.named(key))
        if session is self and count + more > 0:
            store.disk.locks[key] = self, count + more
        elif session is self:
            store.disk.locks.pop(key, None)
        store.world.loop.call_later(store.lag(), store.settle, answer, session is self)


class SimStore(SimNotifications, SimQueries):
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
        self.on_notification: OnNotification | None = None
        self.deaf_until = 0.0
        self.blind_until = 0.0
        self.delivered_at = 0.0  # when the last notification will arrive
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
        return self.busy or self.questions > 0 or self.delivered_at > now or self.answered > now

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

    async def open_and_migrate(self) -> None:
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

    async def append_entries(self, entries: list[LogEntry], head: TableSummary | None = None) -> bool:
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

    async def write_once(self) -> None:
        """On the way to the disk with something that is no entry."""
        await self.reach()
        now = self.world.loop.time()
        if now < self.disk.full_until or self.process.chance.random() < self.world.faults.writes:
            self.troubled = now
            raise DiskError("the disk is full")

    # --- reading ----------------------------------------------------------------------------------------------

    async def read_log_entries(self, table: str, after: int = 0) -> list[LogEntry]:
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

    # --- several processes ------------------------------------------------------------------------------------

    def listen_for_notifications(self, on_notification: OnNotification) -> None:
        self.on_notification = on_notification
        self.spread("missed", "")

    def spread(self, kind: str, words: str) -> None:
        """News comes late, in order, sometimes twice."""
        now, chance = self.world.loop.time(), self.process.chance
        if self.dead or not self.is_shared or now < self.deaf_until:
            return
        late = self.world.faults.news > 0 and chance.random() < 0.05
        self.delivered_at = max(self.delivered_at, now + self.lag() + (chance.uniform(0, 3) if late else 0))
        for _ in range(2 if chance.random() < self.world.faults.news else 1):
            self.world.loop.call_at(self.delivered_at, self.deliver, kind, words, context=self.process.context.copy())

    def deliver(self, kind: str, words: str) -> None:
        if self.process.deferred(self.deliver, kind, words):
            return
        if self.on_notification is not None and self.world.loop.time() >= self.deaf_until:
            self.on_notification(kind, words)

    def lose_listener(self, seconds: float) -> None:
        """What is said meanwhile is lost; the process learns that some may have been."""
        if not self.is_shared or self.dead:
            return
        now = self.world.loop.time()
        self.deaf_until = max(self.deaf_until, now + seconds)
        self.delivered_at = max(self.delivered_at, self.deaf_until)
        self.world.loop.call_later(self.deaf_until - now + 0.001, self.spread, "missed", "")

    async def notify_processes(self, kind: str, words: str) -> None:
        await self.reach()
        self.disk.publish(kind, words)
        await self.reach()

    def lose_leases(self) -> None:
        """The connection that holds the advisory locks is lost."""

    def cut(self) -> None:
        """The process is gone: what it had not begun to write never will be."""
        self.dead = True
        self.pending.clear()
        self.disk.stores.remove(self)
        self.lose_leases()
        for session in self.ghosts:
            session.release()


class Alone(SimStore):
    """As SQLite: one process."""

    def __init__(self, process: Process) -> None:
        super().__init__(process)
        self.disk.open_tables.clear()  # the process that had tables open is gone


class Shared(SimStore, PostgresDatabase):
    """As PostgreSQL: several processes. How leases are acquired and released is the real store's own."""

    def __init__(self, process: Process) -> None:
        SimStore.__init__(self, process)
        self.bus = None
        self.lease_connection = None
        self.lease_lock = asyncio.Lock()
        self.leased_tables = set()
        self.pending_requests = set()
        self.closing = False
        self.linked: list[Session] = []
        self.abandoned = set()
        self.has_abandoned = asyncio.Event()
        self.fencing = None

    async def open_and_migrate(self) -> None:
        """What the real store does by itself, of that which is not simulated."""
        for work in (self.watch_lease_connection(), self.keep_ending_abandoned_connections()):
            self.process.spawn(work)

    async def open_connection(self) -> Any:
        await self.reach(new=True)
        if self.abandoned:
            self.abandoned.clear()
            self.end_strays()
        session = Session(self)
        self.linked.append(session)
        return session

    async def read_log_entries(self, table: str, after: int = 0) -> list[LogEntry]:
        if self.abandoned:
            await self.end_abandoned_connections()
        return await SimStore.read_log_entries(self, table, after)

    def abandon_connection(self, db: Any) -> None:
        self.note_abandoned()
        db.terminate()

    def note_abandoned(self) -> None:
        self.abandoned.add(len(self.abandoned))
        self.has_abandoned.set()

    def get_stuck(self, seconds: float, for_new: bool, loses_held: bool) -> None:
        self.world.note(self.process.name, f"its link is half-open for {seconds:.1f} s, {for_new=}, {loses_held=}")
        self.stuck_until = self.world.loop.time() + seconds
        self.stuck_for_new, self.loses_held, self.is_relinked = for_new, loses_held, False
        self.lose_listener(seconds)

    def lose_leases(self) -> None:
        for session in self.linked:  # the server ends them, and knows
            session.closed = True
            session.release()
        self.linked.clear()
        self.ghosts.clear()

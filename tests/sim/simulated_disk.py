"""The database of a world: in memory, slow, failing, away; and each process's store on it.

What is being written is written, even if whoever waits for it is cancelled. A writer is first in, first out, commits in
groups, and a group fails as a whole. Every commit is judged by the rules.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import msgspec

from landfall.store.event_codec import encode_event
from landfall.store.postgres import PostgresStore, lease_key
from landfall.store.rows import ChatLine, LogEntry, TableSummary, UserRecord
from landfall.store.store import OnNotification, Store
from tests.sim.log_checker import Log, Unsound

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


class Disk:
    """What all processes share."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.logs: dict[str, Log] = {}
        self.heads: dict[str, bytes] = {}
        self.talk: dict[str, list[ChatLine]] = {}
        self.locks: dict[int, tuple[Session, int]] = {}  # advisory: by which session, how often
        self.stores: list[SimStore] = []
        self.away_until = 0.0
        self.full_until = 0.0

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

    def commit(self, who: str, wanted: Wanted) -> bool:
        """Write, unless the number is taken."""
        log = self.logs.get(wanted.table)
        last = log.seq if log is not None else 0
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
            self.heads[wanted.table] = wanted.head
        self.publish("entry", f"{wanted.table} {wanted.rows[-1][0]}")
        return True

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
        self.closed = True
        locks = self.store.disk.locks
        for key in [key for key, (session, _) in locks.items() if session is self]:
            del locks[key]

    async def close(self, **_: Any) -> None:
        self.terminate()

    async def fetchval(self, query: str, key: int, **_: Any) -> bool:
        """`select pg_try_advisory_lock($1)`: done by the server even if nobody waits for the answer."""
        assert "pg_try_advisory_lock" in query
        return await self.ask(key, 1)

    async def execute(self, query: str, key: int, **_: Any) -> None:
        assert "pg_advisory_unlock" in query
        await self.ask(key, -1)

    async def ask(self, key: int, more: int) -> bool:
        store = self.store
        store.world.blows.trip("wheel", store.process)
        answer: asyncio.Future[bool] = store.world.loop.create_future()
        store.world.loop.call_later(store.lag(), self.serve, key, more, answer)
        return await answer

    def serve(self, key: int, more: int, answer: asyncio.Future[bool]) -> None:
        store = self.store
        if not store.process.alive:
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


class SimStore(Store):
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
        self.disk.stores.append(self)

    def lag(self) -> float:
        """Seconds to the disk or back."""
        chance = self.process.chance
        if not self.world.active:
            return 0.001
        return chance.expovariate(1 / (0.2 if chance.random() < 0.04 else 0.006))

    def settle(self, answer: asyncio.Future[bool], value: bool | None) -> None:
        """Answer; None: it failed."""
        if not self.process.alive or answer.done():
            return
        if value is None:
            answer.set_exception(DiskError("the database is away"))
        else:
            answer.set_result(value)

    @property
    def moving(self) -> bool:
        """Whether anything is on its way to the disk or from it."""
        now = self.world.loop.time()
        return self.busy or self.questions > 0 or self.told > now or self.answered > now

    async def reach(self) -> None:
        """Half of a question: to the disk, or back."""
        self.questions += 1
        try:
            await self.process.wait(self.lag())
        finally:
            self.questions -= 1
        chance = self.process.chance
        if self.disk.away or chance.random() < self.world.faults.reads:
            raise DiskError("the database is away")

    # --- writing ----------------------------------------------------------------------------------------------

    async def append(self, entries: list[LogEntry], head: TableSummary | None = None) -> bool:
        rows = [(e.seq, e.at, e.kind, encode_event(e.event).encode()) for e in entries]
        done: asyncio.Future[bool] = self.world.loop.create_future()
        wanted = Wanted(entries[0].table, rows, encode(head) if head is not None else None, done)
        if self.dead:
            return await done
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
        group = list(self.pending)
        self.pending.clear()
        if not group:  # the process died
            self.busy = False
            return
        self.world.loop.call_later(self.lag(), self.land, group)

    def land(self, group: list[Wanted]) -> None:
        """The commit; a process that is dead by now may or may not have been quick enough."""
        chance, faults, now = self.process.chance, self.world.faults, self.world.loop.time()
        if self.dead and chance.random() < 0.5:
            return
        failed = self.disk.away or now < self.disk.full_until or chance.random() < faults.writes
        results = []
        if not failed or chance.random() < faults.after:  # "failed", and it is there: the worst answer
            results = [self.disk.commit(self.process.name, wanted) for wanted in group]
        if failed:
            self.world.note(self.process.name, f"a write of {len(group)} failed {'after' if results else 'before'} it")
        self.answered = max(self.answered, now + self.lag())
        self.world.loop.call_at(self.answered, self.answer, group, None if failed else results)
        if self.pending:
            self.world.loop.call_later(self.lag(), self.gather)
        else:
            self.busy = False

    def answer(self, group: list[Wanted], results: list[bool] | None) -> None:
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
        await self.reach()
        log = self.disk.logs.get(table)
        found = log.entries(after) if log is not None else []
        await self.reach()
        if self.world.loop.time() < self.blind_until:
            raise DiskError("the log cannot be read")
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
        return [head for head in self.heads_now() if person in head.people][:limit]

    async def due_tables(self, now: int) -> list[str]:
        await self.reach()
        return self.overdue(now)

    def overdue(self, now: int) -> list[str]:
        return [head.table for head in self.heads_now() if head.deadline is not None and head.deadline <= now]

    async def append_chat(self, line: ChatLine) -> ChatLine:
        await self.reach()
        talk = self.disk.talk.setdefault(line.table, [])
        said = replace(line, n=len(talk) + 1)
        talk.append(said)
        self.world.note(self.process.name, "said", line.table, said.n)
        await self.reach()
        return said

    async def read_chat(self, table: str, after: int = 0, limit: int = 200) -> list[ChatLine]:
        await self.reach()
        found = [line for line in self.disk.talk.get(table, []) if line.n > after][-limit:]
        await self.reach()
        return found

    async def get_user(self, person: str) -> UserRecord | None:
        return None

    async def renew_open(self, process: str, opened: Collection[str], closed: Collection[str], until: int) -> None:
        """Nothing here deletes tables."""

    async def end_open(self, process: str) -> None:
        """Nothing here deletes tables."""

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
        if self.process.alive and self.heard is not None and self.world.loop.time() >= self.ear_lost_until:
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


class Alone(SimStore):
    """As SQLite: one process."""


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

    async def connect(self) -> Any:
        await self.reach()
        session = Session(self)
        self.linked.append(session)
        return session

    def abandon(self, db: Any) -> None:
        db.terminate()

    def lose_wheels(self) -> None:
        for session in self.linked:
            session.terminate()
        self.linked.clear()

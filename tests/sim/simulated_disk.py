"""The database of a world, in memory: what all its processes share.

Every commit is judged by the rules. As in the real stores, no entry is written without the one before it, tables that
are open are not deleted, and what was read as absent stays absent.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import msgspec

from landfall.store.anonymisation import LOG_OF_SEARCHES, anonymise_event, anonymise_summary
from landfall.store.postgres import advisory_lock_key
from landfall.store.row_types import ChatLine, MissingLog, RatingRow, TableSummary, anonymous_user_id
from landfall.store.tournament_events import TournamentHead
from tests.sim.log_checker import Log, Unsound
from tests.sim.simulated_notifications import Outbox
from tests.sim.simulated_searches import SearchJudge
from tests.sim.simulated_tournaments import TournamentJudge

if TYPE_CHECKING:
    from tests.sim.simulated_store import Session, SimStore
    from tests.sim.simulated_world import World

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
            store.lose_listener(seconds)
            store.lose_leases()

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
            owner = anonymous_user_id(table, person) if head.owner == person else head.owner
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
        return next((table for table in self.logs if advisory_lock_key(table) == key), "?")

    def publish(self, kind: str, words: str) -> None:
        """News for every process, the sender too."""
        for store in self.stores:
            store.spread(kind, words)

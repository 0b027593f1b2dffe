"""What a process asks of a world's database, besides tables' logs, and what it writes there in one step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec

from landfall.store.database import Database
from landfall.store.event_codec import encode_event
from landfall.store.events import Rated
from landfall.store.matchmaking_events import SEARCH_EVENTS, SearchEntry, SearchWrite
from landfall.store.ratings import EARLY_MS, TOGETHER_MS, Decide, Pool
from landfall.store.row_types import ChatLine, LogEntry, MissingLog, RatingFacts, RatingRow, TableSummary, UserRecord
from landfall.store.shared_log_entries import NotTogether, SharedWrite
from landfall.store.shared_logs import decode_shared_event, encode_shared_event
from landfall.store.tournament_events import TOURNAMENT_EVENTS, TournamentEntry, TournamentHead, TournamentWrite
from tests.sim.simulated_disk import Disk, DiskError, Wanted
from tests.sim.simulated_searches import require_may_sit_together

if TYPE_CHECKING:
    from tests.sim.simulated_process import Process
    from tests.sim.simulated_world import World

encode, decode = msgspec.json.encode, msgspec.json.decode


class SimQueries(Database):
    """The queries of a process's store; how they reach the disk is `SimStore`'s."""

    itself: Any = property(lambda self: self)  # every subject of a store is simulated here
    chat = database = holidays = notifications = personal_data = ratings = relations = itself
    reviews = searches = sessions = tables = tournaments = users = itself
    world: World
    disk: Disk
    process: Process
    is_late: bool

    if TYPE_CHECKING:

        async def reach(self, new: bool = False) -> None: ...
        async def write_once(self) -> None: ...

    # --- reading ----------------------------------------------------------------------------------------------

    def heads_now(self) -> list[TableSummary]:
        return [decode(head, type=TableSummary) for head in self.disk.heads.values()]

    async def get_table_summary(self, table: str) -> TableSummary | None:
        await self.reach()
        found = self.disk.heads.get(table)
        return decode(found, type=TableSummary) if found is not None else None

    async def list_unfinished_public_tables(self, limit: int = 50) -> list[TableSummary]:
        await self.reach()
        return [head for head in self.heads_now() if head.public and head.status != "over"][:limit]

    async def list_tables_of_user(
        self, person: str, limit: int = 50, before: int | None = None, over: bool | None = None
    ) -> list[TableSummary]:
        await self.reach()
        return [head for head in self.heads_now() if person in self.disk.members.get(head.table, ())][:limit]

    async def list_table_ids_past_deadline(self, now: int) -> list[str]:
        await self.reach()
        return self.overdue(now)

    def overdue(self, now: int) -> list[str]:
        return [head.table for head in self.heads_now() if head.deadline is not None and head.deadline <= now]

    async def append_chat_line(self, line: ChatLine) -> ChatLine:
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

    async def read_chat_lines(self, table: str, after: int = 0, limit: int = 200) -> list[ChatLine]:
        await self.reach()
        found = [line for line in self.disk.talk.get(table, []) if line.n > after and line.text][-limit:]
        await self.reach()
        return found

    async def get_user_by_id(self, person: str) -> UserRecord | None:
        await self.reach()
        name = self.disk.people.get(person)
        return None if name is None else UserRecord(person, name, 0, 0)

    # --- who is there, and who is not any more ----------------------------------------------------------------

    async def filter_valid_sessions(self, sessions: Iterable[str], signed: Iterable[str]) -> set[str]:
        await self.reach()
        return self.disk.good([*sessions, *signed])

    async def erase_user(self, person: str) -> None:
        await self.write_once()
        self.world.note(self.process.name, "forgets", person)
        self.disk.forget_person(person)
        await self.reach()

    async def list_recently_deleted_users(self) -> list[tuple[str, list[str]]]:
        await self.reach()
        return [(person, sorted(tables)) for person, tables in self.disk.forgotten.items()]

    async def remove_pending_tables_of_deleted_user(self, person: str, tables: Collection[str]) -> list[str]:
        await self.write_once()
        self.disk.forgotten[person] -= set(tables)
        left = sorted(self.disk.forgotten[person])
        await self.reach()
        return left

    async def rewrite_table_summary(self, head: TableSummary) -> None:
        await self.write_once()
        if head.table in self.disk.heads:
            listed: TableSummary = decode(self.disk.heads[head.table], type=TableSummary)
            self.disk.list_table(replace(listed, owner=head.owner, info=head.info, people=head.people))
        await self.reach()

    # --- ratings ----------------------------------------------------------------------------------------------

    async def rate_and_append(
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
            facts = self.rating_facts(table, at, pool, people)
            event = decide(disk.rated + 1, facts)
            row = seq, at, event.kind, encode_event(event).encode()
            disk.commit(self.process.name, Wanted(table, [row], None, self.world.loop.create_future()))
            head: TableSummary = decode(disk.heads[table], type=TableSummary)
            disk.heads[table] = encode(replace(head, updated=at, deadline=None))
        if done and isinstance(event, Rated):
            disk.rated = event.n
            for person, (mu, sigma), played in zip(people, event.after, event.played, strict=True):
                if person in disk.people:
                    disk.ratings[person, *pool] = RatingRow(person, *pool, mu, sigma, played + 1, at)
        await self.reach()
        return done

    async def read_rating_facts(self, table: str, at: int, pool: Pool, people: list[str | None]) -> RatingFacts:
        await self.reach()
        facts = self.rating_facts(table, at, pool, people)
        await self.reach()
        return facts

    def rating_facts(self, table: str, at: int, pool: Pool, people: list[str | None]) -> RatingFacts:
        there = {person for person in people if person is not None}
        rated = [
            (log, entry.event, entry.at)
            for log in self.disk.logs.values() if log.table.id != table
            for entry in log.entries() if isinstance(entry.event, Rated)
        ]  # fmt: skip
        together = sum(log.table.people == there and then > at - TOGETHER_MS for log, _, then in rated)
        early = Counter(
            log.table.chairs[seat].person or ""
            for log, event, then in rated if then > at - EARLY_MS
            for seat in event.early or ()
        )  # fmt: skip
        disk = self.disk
        known = [disk.ratings.get((person, *pool)) if person in disk.people else None for person in people]
        return RatingFacts(known, together, False, dict(early))

    async def add_player_marks(self, table: str, person: str, marks: Collection[str]) -> None:
        """People in a simulated world have no addresses."""

    # --- searches ---------------------------------------------------------------------------------------------

    async def append_search_events(self, write: SearchWrite) -> bool:
        """One transaction; that it is done may not be heard of."""
        if self.is_late:
            raise DiskError("the disk does not answer")
        self.world.blows.trip("write", self.process)
        await self.write_once()
        disk = self.disk
        last = disk.searches[-1][0] if disk.searches else 0
        if last != write.seq - 1:
            return False
        require_may_sit_together(write.people, disk.people, disk.judge)
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

    async def read_search_log(self, after: int = 0) -> list[SearchEntry]:
        await self.reach()
        rows = [row for row in self.disk.searches if row[0] > after]
        await self.reach()
        return [SearchEntry(seq, at, decode_shared_event(SEARCH_EVENTS, kind, data)) for seq, at, kind, data in rows]

    async def prune_search_log(self, seq: int, at: int) -> None:
        await self.write_once()
        kept = self.disk.searches[-1:]
        self.disk.searches = [row for row in self.disk.searches[:-1] if row[0] >= seq or row[1] >= at] + kept

    async def list_blocked_pairs_among(self, people: Collection[str]) -> set[frozenset[str]]:
        await self.reach()
        return {pair for pair in self.disk.judge.blocks if pair <= set(people)}

    async def list_ratings_of_user(self, person: str) -> list[RatingRow]:
        await self.reach()
        return []

    async def get_rating_lower_bounds_by_user(self, pool: Pool, people: Collection[str]) -> dict[str, float]:
        await self.reach()
        found = {person: self.disk.ratings.get((person, *pool)) for person in people}
        return {person: row.rating_lower_bound for person, row in found.items() if row is not None}

    # --- tournaments ------------------------------------------------------------------------------------------

    async def append_tournament_events(self, write: TournamentWrite, head: TournamentHead) -> bool:
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

    async def read_tournament_log(self, tournament: str, after: int = 0) -> list[TournamentEntry]:
        await self.reach()
        rows = [row for row in self.disk.tournaments.get(tournament, []) if row[0] > after]
        await self.reach()
        return [
            TournamentEntry(seq, at, decode_shared_event(TOURNAMENT_EVENTS, kind, data)) for seq, at, kind, data in rows
        ]

    async def list_tournament_ids_to_advance(self, now: int) -> list[str]:
        await self.reach()
        heads = self.disk.cup_heads.values()
        return [one.id for one in heads if one.status == "running" or (one.status == "open" and one.starts <= now)]

    async def count_unfinished_tournaments_opened_by(self, people: Collection[str]) -> int:
        await self.reach()
        heads = self.disk.cup_heads.values()
        return sum(one.opener in people and one.status in ("open", "running") for one in heads)

    async def filter_finished_or_deleted_tables(self, tables: Collection[str]) -> set[str]:
        await self.reach()
        logs = self.disk.logs
        over = {table for table in tables if table not in logs or logs[table].table.status == "over"}
        await self.reach()
        return over

    # --- reviews ----------------------------------------------------------------------------------------------

    async def read_first_events_of_running_matches(self, game: str) -> list[list[LogEntry]]:
        await self.reach()
        running = [log for log in self.disk.logs.values() if log.table.status == "playing"]
        logs = [log.entries() for log in running if log.table.terms.game == game]
        return [[entry for entry in entries if entry.kind in ("create", "start")] for entries in logs]

    async def get_stored_review(self, table: str, version: int) -> bytes | None:
        await self.reach()
        found = self.disk.reviews.get(table)
        return found[1] if found is not None and found[0] == version else None

    async def save_review(self, table: str, version: int, at: int, body: bytes) -> None:
        await self.write_once()
        if table in self.disk.heads:
            self.disk.reviews[table] = version, body
        await self.reach()

    # --- which tables are open --------------------------------------------------------------------------------

    async def renew_open_tables(
        self, process: str, opened: Collection[str], closed: Collection[str], until: int
    ) -> None:
        await self.write_once()
        leases = self.disk.open_tables
        for table in closed:
            leases.pop((process, table), None)
        for key in [key for key in leases if key[0] == process]:
            leases[key] = until
        leases.update({(process, table): until for table in opened})
        await self.reach()

    async def release_open_tables(self, process: str) -> None:
        await self.write_once()
        for key in [key for key in self.disk.open_tables if key[0] == process]:
            del self.disk.open_tables[key]
        await self.reach()

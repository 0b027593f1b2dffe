"""Rest: the faults are over, and everything must be as it should be and go on by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from landfall.store.postgres_connections import SERVING
from landfall.tables.bots.bot_pool import WORKER_GRACE_S
from landfall.tables.log.table import PLAYING
from landfall.web.server import MAX_COMMAND_MS
from tests.sim.fault_rates import DAY, Faults
from tests.sim.log_checker import Log, Unsound, find_table_difference, waits_for_deleted_user
from tests.sim.rated_tables import find_rating_fault, tables_awaiting_rating
from tests.sim.simulated_process import RECHECK_S, Process
from tests.sim.simulated_users import Page, Person

if TYPE_CHECKING:
    from tests.sim.simulated_world import World

RUNS_BY_ITSELF = (
    *("Hub.run_housekeeping", "World.story", "Server.watch_sign_outs", "Server.try_apply_sign_outs_and_deletions"),
    *("NotificationSender.send_until_cancelled", "Director.run_tick_loop", "Director.try_advance_tournament"),
    *("PostgresDatabase.watch_lease_connection", "PostgresDatabase.keep_ending_abandoned_connections"),
)
STRONG = 12  # entries that a match must still grow by, or end, when everybody wants it to go on


class Rest:
    """What is asked of a world that has come to rest, one thing after the other."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.calmed = 0.0  # when the faults ended

    async def asks(self) -> None:
        """Faults end; then everything must be as it should be, and go on."""
        self.world.faults = Faults()
        s = self.world.setting
        disk = self.world.disk
        disk.away_until = disk.full_until = 0
        for store in disk.stores:
            store.blind_until = 0
        for process in self.world.processes:
            process.resume()
        now = self.world.loop.time()
        stuck = max([disk.hangs_until, *(max(store.stuck_until, store.deaf_until) for store in disk.stores)])
        await self.world.later(max(3, stuck - now + SERVING.command_s + 1))  # what was killed begins again
        self.world.faulty = False
        self.calmed = self.world.loop.time()
        limit = 6 + (s.pace + s.hold) / 1000
        if any(process.workers_hang() for process in self.world.processes):
            limit += 2 * s.thinking + WORKER_GRACE_S  # as long as a worker that hangs is waited for
        await self.world.cup.comes_to_rest()
        await self.world.later(limit)
        self.bots_play_by_themselves(limit)
        if (left := self.time_left()) is not None:
            await self.world.later(left + limit)
            self.clocks_run_out_by_themselves(limit)
        if disk.forgotten:
            await self.world.later(MAX_COMMAND_MS / 1000 + 2 * RECHECK_S)
        await self.quiet(everybody=False)
        self.everybody_has_an_answer()
        self.deleted_people_are_gone()
        self.agrees()
        for person in self.world.people:
            if not person.can_come():
                person.depart_all()
            elif not person.pages:
                person.arrive()
            for page in person.pages:
                page.lagging_until = 0
                page.connect()
        await self.world.later(s.grace / 1000 + 2)
        if self.world.shared and self.world.patient:
            await self.world.later(46 + 2 * s.tick / 1000)  # until each process knows who is at the others
        await self.quiet()
        self.agrees()
        await self.newcomers_agree()
        await self.plays_on()
        await self.quiet()
        self.agrees()
        await self.newcomers_agree()
        await self.world.party.comes_to_rest()
        await self.everybody_goes()

    def attended(self) -> list[Log]:
        """Matches that go on before somebody's eyes."""
        tables = {line.table for process in self.world.processes for line in process.lines if line.welcomed}
        logs = [self.world.disk.logs[table] for table in sorted(tables) if table in self.world.disk.logs]
        return [log for log in logs if log.table.actor is not None and not log.table.paused]

    def bots_play_by_themselves(self, limit: float) -> None:
        """Nobody did anything, and yet a bot whose turn it is has played."""
        for log in self.attended():
            stood = self.world.loop.time() - max(self.calmed, log.grown)
            if log.table.is_waiting_for_bot and stood >= limit - 0.1:
                self.world.broken("nobody goes on", f"{log.table.id}: a bot's turn for {stood:.0f} s at {log.seq}")

    def runs_out(self, log: Log) -> float | None:
        """When a live clock that runs has run out."""
        deadline = log.table.clocks.actor_deadline() if log.table.terms.clock.mode == "live" else None
        return None if deadline is None else log.grown + (deadline - log.table.last_at) / 1000

    def time_left(self) -> float | None:
        """Until the last of the live clocks that run now has run out."""
        ends = [end for log in self.attended() if (end := self.runs_out(log)) is not None]
        return max(max(ends) - self.world.loop.time(), 0) if ends else None

    def clocks_run_out_by_themselves(self, limit: float) -> None:
        """Nobody did anything, and yet a clock that ran out was noticed."""
        for log in self.attended():
            end = self.runs_out(log)
            past = self.world.loop.time() - max(self.calmed, end) if end is not None else 0
            if past >= limit - 0.1:
                self.world.broken("nobody goes on", f"{log.table.id}: the clock ran out {past:.0f} s ago")

    def everybody_has_an_answer(self) -> None:
        """Whatever failed, who asked and stayed was told: done, or refused."""
        for page in self.pages():
            if page.line is not None and page.line.welcomed and page.unsure:
                self.world.broken("no answer", f"{page.name}: {list(page.unsure)}")

    def deleted_people_are_gone(self) -> None:
        """Nothing waits for somebody who was deleted, no device of theirs is connected, and no log names them."""
        disk = self.world.disk
        for table, log in disk.logs.items():
            if waits_for_deleted_user(log.table):
                self.world.broken("waits for nobody", f"{table}: {describe_stuck_log(log)}")
        for person, tables in disk.forgotten.items():
            if tables & disk.logs.keys():
                self.world.broken("waits for nobody", f"{person} is still to be taken from {sorted(tables)}")
            kept = [table for table, log in disk.logs.items() if any(is_named_in(person, row[3]) for row in log.rows)]
            listed = [table for table, head in disk.heads.items() if is_named_in(person, head)]
            talk = [table for table, lines in disk.talk.items() if any(line.person == person for line in lines)]
            looks = [row[0] for row in disk.searches if is_named_in(person, row[3].encode())]
            if kept or listed or talk or looks:
                details = f"in logs {kept}, lists {listed}, chats {talk}, searches {looks}"
                self.world.broken("still named", f"{person}: {details}")
        for process in self.world.processes:
            for line in process.lines:
                if line.auth is not None and not disk.good([line.auth.revocation_key]):
                    self.world.broken("still there", f"{line.page.name} at {process.name}, who is signed out")

    def pages(self) -> list[Page]:
        return [page for person in self.world.people for page in person.pages if page.open]

    async def quiet(self, everybody: bool = True) -> None:
        """Until nothing is on its way, and everybody is there who should be."""
        still = 0
        for _ in range(4000):
            moving = any(process.store.moving for process in self.world.processes)
            lines = [page.line for page in self.pages() if everybody or page.line is not None]
            there = all(line is not None and line.welcomed and not line.out for line in lines)
            still = still + 1 if there and not moving else 0
            if still == 3:
                return
            await self.world.later(0.002)
        lost = [page.name for page in self.pages() if page.line is None or not page.line.welcomed]
        self.world.broken("no rest", f"things are moving for ever; not at the table: {lost}")

    def agrees(self) -> None:
        """Memory is the folded log; every page shows what the log says."""
        for table, log in self.world.disk.logs.items():
            head = msgspec.json.decode(self.world.disk.heads[table])
            if head["status"] != log.table.status or head["deadline"] != log.table.build_summary().deadline:
                self.world.broken("memory", f"{table}: listed as {head['status']}, is {log.table.status}")
        for process in self.world.processes:
            self.memory_agrees(process)
        for page in self.pages():
            if page.line is not None:
                self.page_agrees(page)

    def memory_agrees(self, process: Process) -> None:
        self.world.watchdog_slept(process)
        for table, live in process.hub.live_tables.items():
            if table not in self.world.disk.logs:
                continue
            differs = find_table_difference(live.table, self.world.disk.logs[table].table)
            if differs:
                self.world.broken("memory", f"{process.name} {table}: {differs}")
            here = {line.subscriber for line in process.lines if line.table == table and line.up}
            if live.subscribers.keys() != here:
                self.world.broken(
                    "left over", f"{process.name} {table}: {len(live.subscribers)} watchers, {len(here)} are there"
                )

    def page_agrees(self, page: Page) -> None:
        if page.table not in self.world.disk.logs:
            return
        log, known = self.world.disk.logs[page.table], page.known
        last = log.last
        if known.n != log.seq or known.version != last.version:
            details = f"{known.n}/{known.version}, the log is at {log.seq}/{last.version}"
            self.world.broken("not told", f"{page.name} knows {details}")
        elif last.match is not None:
            if known.view != last.view(known.seat):
                self.world.broken("not told", f"{page.name} at {known.n} shows another position")
            if page.base + len(page.events) != last.happened:
                self.world.broken(
                    "not told", f"{page.name} knows {page.base + len(page.events)} events of {last.happened}"
                )
            actor = last.actor
            if actor is not None and actor == known.seat and log.table.chairs[actor].is_played_by_person:
                if known.choices != last.choices(actor):
                    self.world.broken("not told", f"{page.name} is to choose and has no choices")

    async def newcomers_agree(self) -> None:
        """Somebody who comes now is told what all the others know."""
        there = [page for page in self.pages() if page.table in self.world.disk.logs]
        before = {page: (page.known, page.line) for page in there}
        for process in self.world.processes:
            for table in sorted({page.table for page, (_, line) in before.items() if line and line.process is process}):
                newcomer = Person(self.world, "Newcomer", table, seated=False, nameless=True)
                page = Page(newcomer, table, "Newcomer")
                process_only, self.world.processes = self.world.processes, [process]
                page.connect()
                self.world.processes = process_only
                for _ in range(200):
                    if page.known.table:
                        break
                    await self.world.later(0.01)
                details = self.about(page.known.table)
                for other, (known, line) in before.items():
                    if (
                        line is not None
                        and line.process is process
                        and other.table == table
                        and known.n == page.known.n
                    ):
                        if self.about(known.table) != details:
                            differs = describe_differing_keys(self.about(known.table), details)
                            self.world.broken("not told", f"{other.name} and a newcomer: {differs}")
                        if known.runs != page.known.runs:
                            self.world.broken("not told", f"{other.name} and a newcomer: the clock")
                        heard, said = self.still_said(other), [line["n"] for line in page.chat]
                        if heard[-len(said) :] != said and said:
                            self.world.broken("not told", f"{other.name} and a newcomer: the chat {heard} and {said}")
                page.close()
                await self.world.later(0.05)

    def still_said(self, page: Page) -> list[int]:
        """The lines of chat that a page shows, without those of people who were deleted since."""
        lines = {line.n for line in self.world.disk.talk.get(page.table, []) if line.text}
        return [line["n"] for line in page.chat if line["n"] in lines]

    def about(self, table: dict[str, Any]) -> dict[str, Any]:
        """What is told of a table, but for how many look on, and when it was told."""
        details = {key: value for key, value in table.items() if key not in ("watching", "n")}
        if self.world.shared and not self.world.patient:  # processes tell each other now and then who is there
            details["chairs"] = [{**chair, "here": None} for chair in details.get("chairs", [])]
        return details

    async def plays_on(self) -> None:
        """With everybody wanting it, every match goes on until it is over, or far enough."""
        start = {table: log.seq for table, log in self.world.disk.logs.items()}
        s = self.world.setting
        patience = 45 + (s.pace + s.hold) / 1000
        began = self.world.loop.time()
        while True:
            left = []
            for table, log in self.world.disk.logs.items():
                if self.wanted(log) and log.seq < start.get(table, 0) + STRONG:
                    left.append(log)
            if not left:
                return
            for log in left:
                if self.world.loop.time() - max(began, log.grown) > patience:
                    self.world.broken("nobody goes on", f"{log.table.id}: {describe_stuck_log(log)}")
                    return
            for page in self.pages():
                page.person.go_on(page)
            await self.world.later(0.3)

    def wanted(self, log: Log) -> bool:
        """Whether a match is on, somebody is at its table, and so is the person to choose, if it is a person's turn."""
        t = log.table
        here = [page.person.id for page in self.pages() if page.table == t.id]
        if t.status != PLAYING or t.actor is None or not here:
            return False
        chair = t.chairs[t.actor]
        if t.paused_by_agreement:
            return any(person in here for person in t.required_voters())
        return not chair.is_played_by_person or chair.person in here

    async def everybody_goes(self) -> None:
        """Nobody is there any more: nothing stays in memory, nothing waits, nobody holds a lease."""
        for person in self.world.people:
            person.depart_all()
        s = self.world.setting
        await self.world.later(s.grace / 1000 + 10)
        days = [t for t, log in self.world.disk.logs.items() if log.table.terms.clock.mode == "days"]
        if days:
            await self.world.later(1.5 * DAY / 1000 + 3 * s.tick / 1000)
            late = self.world.processes[0].store.overdue(self.world.processes[0].env.clock.wall_time_ms() - 3 * s.tick)
            if late:
                self.world.broken("nobody goes on", f"{late[0]}: its day is over and nobody noticed")
        if tables_awaiting_rating(self.world.disk):  # a process that was killed left them, and no page has them open
            await self.world.later(3 * s.tick / 1000 + s.grace / 1000 + 10)
        if left := tables_awaiting_rating(self.world.disk):
            self.world.broken("ratings", f"{left[0]} is over, and was not rated")
        if fault := find_rating_fault(self.world.disk):
            self.world.broken("ratings", fault)
        for table, log in self.world.disk.logs.items():
            try:
                log.folds_anew()
            except Unsound as error:
                self.world.broken("log", f"{table}: {error}")
        for process in self.world.processes:
            self.world.watchdog_slept(process)
            self.nothing_left(process, days)
        if not any(process.hub.live_tables for process in self.world.processes) and self.world.disk.locks:
            held = [
                f"{self.world.disk.named(key)} by {lock[0].store.process.name}"
                for key, lock in self.world.disk.locks.items()
            ]
            self.world.broken("left over", f"leases of {', '.join(held)}")
        for process in self.world.processes:
            closing = process.spawn(process.close())
            await self.world.later(30)
            if not closing.done():
                self.world.broken("left over", f"{process.name} does not close")
            elif closing.exception() is not None:
                self.world.broken("an error", f"closing: {closing.exception()!r}")

    def nothing_left(self, process: Process, days: list[str]) -> None:
        hub = process.hub
        left = [table for table in hub.live_tables if table not in days]
        if left:
            self.world.broken(
                "left over",
                f"{process.name}: {len(left)} tables, one with {len(hub.live_tables[left[0]].subscribers)}",
            )
        if not hub.live_tables:
            left = [name for name in running_task_names(process) if name not in RUNS_BY_ITSELF]
            if left:
                self.world.broken("left over", f"{process.name}: tasks {left}")
        if process.reviews.jobs:
            self.world.broken("left over", f"{process.name}: reviews of {sorted(process.reviews.jobs)}")
        if hub.loading:
            self.world.broken("left over", f"{process.name}: {len(hub.loading)} locks")


def is_named_in(person: str, data: bytes) -> bool:
    return msgspec.json.encode(person) in data


def running_task_names(process: Process) -> list[str]:
    """What a process is doing."""
    return sorted(task.get_coro().__qualname__ for task in process.living())  # type: ignore[union-attr]


def describe_stuck_log(log: Log) -> str:
    t = log.table
    who = None if t.actor is None else t.chairs[t.actor]
    return f"{t.status} at {log.seq}, paused {t.paused}, rests {t.paused_by_agreement}, to choose {who}"


def describe_differing_keys(one: dict[str, Any], other: dict[str, Any]) -> str:
    keys = [key for key in {**one, **other} if one.get(key) != other.get(key)]
    return "; ".join(f"{key}: {str(one.get(key))[:200]} and {str(other.get(key))[:200]}" for key in keys[:4])

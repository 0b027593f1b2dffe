"""A world: processes, a disk, workers, people and their clocks, all drawn from one seed.

`live_through_world(seed, processes, calm)` lives through one and says what was broken in it. The same
seed is the same world.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import random
import traceback
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import msgspec

from landfall.core.errors import LandfallError
from landfall.games import BUILT_IN_GAMES
from landfall.games import game as find_game
from landfall.store.events import InitialChair, to_stored_fields
from landfall.tables.live.hub import TableConfig
from landfall.tables.live.subscriber import User
from landfall.tables.log import clocks
from landfall.tables.log.clocks import ClockRule
from landfall.tables.log.table import OVER
from landfall.tables.protocol import commands as cmd
from tests.sim.fault_injection import Blows
from tests.sim.fault_rates import DAY, Faults, draw_faults, draw_skews, draw_world_setting
from tests.sim.late_matches import match_near_the_end
from tests.sim.log_checker import Log
from tests.sim.museum_tables import playable_museum_tables, with_other_people
from tests.sim.quiescence import Rest
from tests.sim.rated_tables import make_log_of_rows, make_rated_log_rows
from tests.sim.read_requests import Visits
from tests.sim.simulated_disk import Disk, DiskError
from tests.sim.simulated_process import EPOCH, WHERE, Died, Process, make_task_of_process
from tests.sim.simulated_searches import SearchParty
from tests.sim.simulated_tournaments import TournamentParty
from tests.sim.simulated_users import Person
from tests.sim.virtual_loop import Stuck, VirtualLoop

KEPT = 3000  # notes of the trace
SWEPT = 20  # worlds after which memory is swept
OPEN_AND_DELETED = "a table that is open was deleted"  # judged when it is deleted: a lease takes a moment
NAMED = ["Ana", "Boris", "Chen", "Dora", "Emil", "Fay"]


@dataclass
class Verdict:
    """What became of a world."""

    seed: int
    processes: int
    calm: bool
    kind: str = ""  # what was broken first; "" if nothing
    what: str = ""
    trace: tuple[str, ...] = ()
    entries: int = 0
    messages: int = 0
    kills: int = 0
    minutes: float = 0  # of virtual time
    over: int = 0  # matches that ended

    @property
    def broken(self) -> bool:
        return bool(self.kind)

    def __str__(self) -> str:
        weather = " --calm" if self.calm else ""
        head = f"seed {self.seed} --processes {self.processes}{weather}: {self.kind or 'sound'}"
        return f"{head}\n  {self.what}" if self.what else head


# Where a database may fail in many ways the server logs an error's type as a warning. These are mistakes in code.
PROGRAMMING_ERRORS = {
    one.__name__ for one in (AttributeError, NameError, TypeError, AssertionError, KeyError, IndexError)
}


class LogWatcher(logging.Handler):
    """What the code of a living process logs as an error is a fault of the world, as is a mistake in code."""

    def __init__(self, world: World) -> None:
        super().__init__(logging.WARNING)
        self.world = world

    def emit(self, record: logging.LogRecord) -> None:
        process = WHERE.get()
        if process is not None and not process.alive:
            return
        error = record.exc_info[1] if record.exc_info else None
        self.world.note("log", f"{record.levelname} {record.getMessage()} {error!r}")
        if record.levelno >= logging.ERROR and record.getMessage() != OPEN_AND_DELETED:
            cause = error if isinstance(error, Exception) else None
            self.world.broken("a task failed", f"{record.getMessage()}: {type(error).__name__}: {error}", cause)
        elif PROGRAMMING_ERRORS & set(map(str, record.args or ())):
            self.world.broken("a mistake in code", record.getMessage())


class World:
    """Everything there is."""

    def __init__(
        self, seed: int, processes: int, calm: bool, lenient: tuple[str, ...] = (), traced: bool = False
    ) -> None:
        self.seed, self.calm, self.lenient, self.traced = seed, calm, lenient, traced
        self.loop = VirtualLoop()
        self.loop.set_task_factory(make_task_of_process)  # type: ignore[arg-type]
        self.loop.set_exception_handler(self.unheard)
        self.chance = self.stream("world")
        self.notes: deque[tuple[Any, ...]] = deque(maxlen=KEPT)
        self.count = 0
        self.ids = 0
        self.kills = 0
        self.hash = 0
        self.wall = 0  # milliseconds that the wall clock is wrong by
        self.active = False
        self.faulty = False
        self.verdict: tuple[str, str] | None = None
        self.faults = Faults()
        self.asked: list[asyncio.Task[Any]] = []
        self.shared = processes > 1 or self.chance.random() < 0.3
        self.days = self.chance.random() < 0.12
        self.patient = self.chance.random() < 0.2
        self.meddling = self.stream("meddling").random() < 0.4  # people take back just when a bot is to play
        self.setting = draw_world_setting(self)
        self.skews = draw_skews(self, processes)
        self.blows = Blows(self)
        self.visits = Visits(self)
        self.disk = Disk(self)
        self.party = SearchParty(self)
        self.cup = TournamentParty(self)
        self.people: list[Person] = []
        self.lives = [0] * processes
        self.processes = [Process(self, number, 0) for number in range(processes)]
        self.dead: list[Process] = []
        self.tables: list[str] = []
        self.main: asyncio.Task[None] | None = None
        self.swept: set[asyncio.Task[Any]] = set()

    # --- small change -----------------------------------------------------------------------------------------

    def stream(self, name: str) -> random.Random:
        """A source of chance of its own."""
        return random.Random(f"{self.seed}/{name}")

    def fresh_id(self) -> str:
        self.ids += 1
        return f"table-{self.ids:03}"

    def note(self, who: str, what: str, *more: Any) -> None:
        """A line of the trace."""
        self.count += 1
        self.notes.append((self.loop.time(), who, what, *more))

    def broken(self, kind: str, what: str, error: Exception | None = None) -> None:
        """Something that must hold does not: the world ends here."""
        if self.verdict is not None or any(word in kind or word in what for word in self.lenient):
            return
        where = ""
        for frame in traceback.extract_tb(error.__traceback__) if error is not None else []:
            if "/landfall/" in frame.filename:
                where = f" ({frame.filename.rpartition('landfall/')[2]}:{frame.lineno} {frame.name})"
        self.verdict = kind, what + where
        self.note("BROKEN", f"{kind}: {what}{where}")
        self.loop.stop()

    def unheard(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """An error that reached the loop."""
        process = WHERE.get()
        if process is None or process.alive:
            error = context.get("exception")
            cause = error if isinstance(error, Exception) else None
            self.broken("a task failed", f"{context['message']}: {error!r}", cause)

    def watchdog_slept(self, process: Process) -> None:
        """The watchdog is for the field: here nothing may be left to it."""
        if process.hub.driver.watchdog_fired:
            self.broken("watchdog", f"{process.name}: it fired")

    async def later(self, seconds: float, process: Process | None = None) -> None:
        """Wait; for ever, if it is for a process that dies meanwhile."""
        if process is not None and process.buried:
            raise Died
        done: asyncio.Future[None] = self.loop.create_future()
        self.loop.call_later(seconds, wake_if_alive, done, process)
        await done

    # --- a life -----------------------------------------------------------------------------------------------

    def live(self) -> Verdict:
        """From the first table to rest."""
        logger, asyncio_logger = logging.getLogger("landfall"), logging.getLogger("asyncio")
        handler, before = LogWatcher(self), (logger.propagate, asyncio_logger.disabled, clocks.DAY_MS)
        logger.addHandler(handler)
        logger.propagate, asyncio_logger.disabled, clocks.DAY_MS = False, True, DAY  # type: ignore[misc]
        asyncio.set_event_loop(self.loop)
        try:
            self.main = self.loop.create_task(self.story())
            self.main.add_done_callback(lambda _: self.loop.stop())
            try:
                self.loop.run_forever()
            except Stuck as error:
                self.broken("stuck", str(error))
            if self.verdict is None and self.main.done() and self.main.exception() is not None:
                raise self.main.exception() or AssertionError
            return self.make_verdict()
        finally:
            self.sweep()
            asyncio.set_event_loop(None)
            logger.removeHandler(handler)
            logger.propagate, asyncio_logger.disabled, clocks.DAY_MS = before  # type: ignore[misc]

    def make_verdict(self) -> Verdict:
        kind, what = self.verdict or ("", "")
        logs = self.disk.logs.values()
        return Verdict(
            self.seed, len(self.lives), self.calm, kind, what,
            trace=tuple(format_trace_line(note) for note in self.notes) if kind or self.traced else (),
            entries=sum(log.seq for log in logs), messages=self.count, kills=self.kills,
            minutes=self.loop.time() / 60, over=sum(log.table.status == OVER for log in logs),
        )  # fmt: skip

    def sweep(self) -> None:
        """Nothing of this world stays behind."""
        asyncio.events._set_running_loop(self.loop)  # last words may want to begin something new
        try:
            for process in [*self.processes, *self.dead]:
                process.alive, process.buried = False, True
            while left := [task for task in asyncio.all_tasks(self.loop) if task not in self.swept]:
                for task in left:
                    self.swept.add(task)
                    task._log_destroy_pending = False  # type: ignore[attr-defined]
                    with suppress(BaseException):  # whatever its last words are, nobody hears them
                        task.get_coro().close()
        finally:
            asyncio.events._set_running_loop(None)
        self.loop._ready.clear()  # type: ignore[attr-defined]
        self.loop._scheduled.clear()  # type: ignore[attr-defined]
        self.loop.close()

    async def story(self) -> None:
        for process in self.processes:
            await process.spawn(process.open())
        await self.later(1)
        for number in range(self.chance.choice([1, 1, 1, 1, 2, 3])):
            await self.set_table(number)
        self.active = True
        self.faults = draw_faults(self)
        self.faulty = not self.calm
        lives = [self.loop.create_task(person.live()) for person in self.people]
        lives += [self.loop.create_task(life) for life in (*self.party.lives(), *self.cup.lives())]
        lives += [self.loop.create_task(self.blows.strike(blow)) for blow in self.faults.blows]
        for person in self.people:
            person.arrive()
        await self.later(self.chance.choice([2, 4, 8, 16]))
        self.active = False
        self.note("world", "comes to rest")
        await asyncio.gather(*lives)
        await Rest(self).asks()

    # --- setting tables ---------------------------------------------------------------------------------------

    async def set_table(self, number: int) -> None:
        """A table with people, bots and onlookers, often near the end of its match."""
        chance = self.chance
        game = chance.choice(tuple(BUILT_IN_GAMES))
        players = chance.choice([n for n in find_game(game).player_counts if n <= 4])
        people = chance.choice([1, 1, 2, 2, players])
        names_ = [f"{name}{number or ''}" for name in NAMED[: min(people, players)]]
        owner = User(f"id-{names_[0]}", names_[0])
        hot = chance.random() < 0.08
        clock = self.draw_clock()
        config = TableConfig(game, players, clock=clock, public=chance.random() < 0.5, seating="as_sat", hot_seat=hot)
        hub = self.processes[0].hub
        older = self.stream(f"older {number}")
        if older.random() < 0.08 and not self.days:
            self.seat_people(*self.set_old_table(older, number), number)
            return
        rated = self.stream(f"rated {number}")
        if rated.random() < 0.12 and not self.days:
            self.seat_people(*self.set_rated_table(rated, number), number)
            return
        if chance.random() < 0.15:
            made = hub.create_table(owner, config)
        elif chance.random() < 0.15 and clock.mode == "none" and not hot:
            record = match_near_the_end(game, players, chance.randrange(4), chance.choice([2, 6, 12, 30])).record()
            made = hub.create_table_from_record(owner, record, seat=chance.randrange(players) if people == 1 else None)
        elif chance.random() < 0.15 and people == 1 and not hot:
            made = hub.create_table_with_bots(owner, config, ["random"] * (players - 1))
        else:
            made = self.written(owner, config, names_)
        table: str = await self.processes[0].spawn(made)
        self.seat_people(table, names_, number)

    def set_old_table(self, chance: random.Random, number: int) -> tuple[str, list[str]]:
        """A table that an earlier release wrote, and who sits there."""
        old = chance.choice(playable_museum_tables())
        names = {person: f"{name}{number or ''}" for person, name in old.people.items()}
        table = self.fresh_id()
        log = self.disk.logs[table] = Log(table)
        log.take_old(with_other_people(old, names, EPOCH - 1000))
        self.disk.list_table(log.table.build_summary())
        return table, list(names.values())

    def set_rated_table(self, chance: random.Random, number: int) -> tuple[str, list[str]]:
        """A rated match near its end, and who plays it."""
        names = [f"{name}-r{number}" for name in NAMED[: chance.choice([2, 2, 3, 4])]]
        table = self.fresh_id()
        log = self.disk.logs[table] = make_log_of_rows(table, make_rated_log_rows(chance, names, EPOCH - 1_000_000))
        self.disk.list_table(log.table.build_summary())
        return table, names

    def seat_people(self, table: str, names_: list[str], number: int) -> None:
        """Those who play at a table, and some who look on."""
        chance = self.chance
        self.tables.append(table)
        self.people += [Person(self, name, table, seated=True) for name in names_]
        self.disk.people.update({f"id-{name}": name for name in names_})
        for i in range(chance.choice([0, 0, 1, 2, 5])):
            self.people.append(
                Person(self, f"Onlooker{number}{i}", table, seated=False, nameless=chance.random() < 0.5)
            )

    def draw_clock(self) -> ClockRule:
        if self.days:
            return ClockRule("days", days=1)
        if self.chance.random() < 0.3:
            return ClockRule("live", turn=self.chance.choice([5, 12]), bank=self.chance.choice([0, 3, 20]))
        return ClockRule()

    async def written(self, owner: User, config: TableConfig, names_: list[str]) -> str:
        """A table in the middle of a match, as an earlier server left it: people on some chairs, bots on the others."""
        chance, hub = self.chance, self.processes[0].hub
        match = match_near_the_end(config.game, config.players, chance.randrange(4), chance.choice([2, 6, 12, 30, 60]))
        seats = chance.sample(range(config.players), len(names_) if not config.hot_seat else config.players)
        chairs = [InitialChair(bot="random") for _ in range(config.players)]
        for i, seat in enumerate(seats):
            name = names_[i % len(names_)]
            chairs[seat] = InitialChair(f"id-{name}", name)
        table = await hub.create_table(owner, config, chairs) if chance.random() < 0.2 else self.fresh_id()
        if table not in self.disk.logs:
            data = {
                "game": config.game, "players": config.players, "options": config.options,
                "rules": find_game(config.game).rules_version, "owner": owner.id,
                "clock": msgspec.to_builtins(config.clock), "public": config.public, "seating": config.seating,
                "hot_seat": config.hot_seat, "chairs": [to_stored_fields(chair) for chair in chairs],
                "lines": match.log_lines(),
            }  # fmt: skip
            log = self.disk.logs[table] = Log(table)
            log.add(1, self.processes[0].env.clock.wall_time_ms(), "create", msgspec.json.encode(data))
            self.disk.list_table(log.table.build_summary())
        await hub.execute_command(table, owner, cmd.Start())
        return table

    def follow(self, person: Person, table: str) -> bool:
        """Whether somebody goes on to a rematch."""
        if table not in self.disk.logs or len(self.tables) > 4:
            return False
        if table not in self.tables:
            self.tables.append(table)
        person.table = table
        return True

    def ask_by_rest(self, person: Person, command: cmd.AnyCommand) -> None:
        """A command without a socket."""
        if not self.active:
            return
        process = person.chance.choice(self.processes)
        if process.alive and not process.closing:
            process.spawn(self.order(process, person, command))

    async def order(self, process: Process, person: Person, command: cmd.AnyCommand) -> None:
        assert person.user is not None
        try:
            await process.hub.execute_command(person.table, person.user, command)
        except (LandfallError, DiskError):
            pass
        except Exception as error:
            if process.alive:
                self.broken("an error", f"{person.name}, {command}: {type(error).__name__}: {error}", error)


def wake_if_alive(done: asyncio.Future[None], process: Process | None) -> None:
    if process is not None and process.deferred(wake_if_alive, done, process):
        return
    if not done.done():
        done.set_result(None)


def format_trace_line(note: tuple[Any, ...]) -> str:
    """A line of the trace."""
    at, who, what, *more = note
    words = " ".join(m.decode() if isinstance(m, bytes) else str(m) for m in more if m is not None)
    return f"{at:10.3f}  {who:<14} {what} {words}"


def live_through_world(
    seed: int, processes: int = 1, calm: bool = False, lenient: tuple[str, ...] = (), traced: bool = False
) -> Verdict:
    """Live through one world; of what has one of `lenient`'s words nothing is made."""
    return World(seed, processes, calm, lenient, traced).live()


def seeds_with_garbage_collection(seeds: Iterable[int]) -> Iterator[int]:
    """Seeds to live through one after the other. What their worlds leave behind is swept up now and then: to look for
    circles all the time is a third of a world."""
    collects = gc.isenabled()
    gc.disable()
    try:
        for number, seed in enumerate(seeds, 1):
            yield seed
            if number % SWEPT == 0:
                gc.collect()
    finally:
        if collects:
            gc.enable()


def check_worlds_sound(first: int, count: int, processes: int) -> Counter[str]:
    """Live through some worlds, every fourth of them calm; AssertionError tells of the first that is broken."""
    sums: Counter[str] = Counter()
    for seed in seeds_with_garbage_collection(range(first, first + count)):
        verdict = live_through_world(seed, processes, calm=seed % 4 == 0)
        assert not verdict.broken, "\n".join((*verdict.trace[-40:], str(verdict)))
        sums.update({"worlds": 1, "entries": verdict.entries, "kills": verdict.kills, "matches ended": verdict.over})
    return sums

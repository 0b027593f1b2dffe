"""A world: processes, a disk, workers, people and their clocks, all drawn from one seed.

`world(seed, processes, calm)` lives through one and says what was broken in it. The same seed is the same world.
"""

from __future__ import annotations

import asyncio
import logging
import random
import traceback
from collections import Counter, deque
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import msgspec

from landfall.core.errors import LandfallError
from landfall.games import OURS
from landfall.games import game as find_game
from landfall.store.facts import GivenChair, plain
from landfall.tables import clocks
from landfall.tables import commands as cmd
from landfall.tables.clocks import ClockRule
from landfall.tables.hub import Wish
from landfall.tables.table import OVER, PLAYING
from landfall.tables.thinkers import HANGS
from landfall.tables.watcher import Visitor
from tests.sim.disk import Disk, DiskError
from tests.sim.judge import Log, Unsound, difference
from tests.sim.loop import Stuck, VirtualLoop
from tests.sim.people import Page, Person
from tests.sim.process import WHERE, Died, Process, factory
from tests.sim.records import near_the_end

KEPT = 3000  # notes of the trace
STRONG = 12  # entries that a match must still grow by, or end, when everybody wants it to go on
DAY = 300_000  # milliseconds: days are short here, for what waits asks again and again meanwhile
NAMED = ["Ana", "Boris", "Chen", "Dora", "Emil", "Fay"]


@dataclass
class Faults:
    """How likely each thing goes wrong."""

    writes: float = 0  # a commit fails
    after: float = 0  # of those, that it is there all the same
    reads: float = 0
    workers: float = 0
    news: float = 0  # doubled
    cancels: float = 0  # handlers, in the middle of something
    blows: tuple[str, ...] = ()  # what comes now and then: kill, restart, away, full, deaf, blind, wheels, clock


@dataclass
class Setting:
    """How fast things are in this world."""

    pace: int
    hold: int
    forced: int
    grace: int
    tick: int
    thinking: float
    workers: int


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


class Heard(logging.Handler):
    """What the code of a living process logs as an error is a fault of the world."""

    def __init__(self, world: World) -> None:
        super().__init__(logging.WARNING)
        self.world = world

    def emit(self, record: logging.LogRecord) -> None:
        process = WHERE.get()
        if process is not None and not process.alive:
            return
        error = record.exc_info[1] if record.exc_info else None
        self.world.note("log", f"{record.levelname} {record.getMessage()} {error!r}")
        if record.levelno >= logging.ERROR:
            told = error if isinstance(error, Exception) else None
            self.world.broken("a task failed", f"{record.getMessage()}: {type(error).__name__}: {error}", told)


class World:
    """Everything there is."""

    def __init__(
        self, seed: int, processes: int, calm: bool, lenient: tuple[str, ...] = (), traced: bool = False
    ) -> None:
        self.seed, self.calm, self.lenient, self.traced = seed, calm, lenient, traced
        self.loop = VirtualLoop()
        self.loop.set_task_factory(factory)  # type: ignore[arg-type]
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
        self.setting = self.draw_setting()
        self.disk = Disk(self)
        self.people: list[Person] = []
        self.lives = [0] * processes
        self.processes = [Process(self, number, 0) for number in range(processes)]
        self.dead: list[Process] = []
        self.tables: list[str] = []
        self.calmed = 0.0  # when the faults ended
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
            told = error if isinstance(error, Exception) else None
            self.broken("a task failed", f"{context['message']}: {error!r}", told)

    async def later(self, seconds: float, process: Process | None = None) -> None:
        """Wait; for ever, if it is for a process that dies meanwhile."""
        if process is not None and process.buried:
            raise Died
        done: asyncio.Future[None] = self.loop.create_future()
        self.loop.call_later(seconds, wake, done, process)
        await done

    # --- drawing ----------------------------------------------------------------------------------------------

    def draw_setting(self) -> Setting:
        chance = self.chance
        hold = chance.choice([0, 100, 800])
        return Setting(
            pace=chance.choice([100, 400, 700, 700]),
            hold=hold,
            forced=self.stream("forced").choice([150, 600, 60_000]),
            grace=chance.choice([300, 800, 3000]) + hold,  # an answer that is held finds its table still there
            tick=chance.choice([1000, 15_000]),
            thinking=chance.choice([0.2, 2.0]),
            workers=chance.choice([1, 1, 2]),
        )

    def draw_faults(self) -> Faults:
        """Some of all faults; in a calm world none."""
        if self.calm:
            return Faults()
        chance = self.chance
        rate = chance.choice([0.02, 0.1, 0.3])
        some = [name for name in ("writes", "reads", "workers", "news", "cancels") if chance.random() < 0.4]
        rates = dict.fromkeys(some, rate)
        if "reads" in rates:
            rates["reads"] = rate / 2
        if "workers" in rates:
            rates["workers"] = chance.choice([0.1, 0.4])
        blows = [
            b
            for b in ("kill", "kill", "restart", "away", "full", "deaf", "deaf", "wheels", "clock")
            if chance.random() < 0.3
        ]
        after = chance.choice([0, 0.3, 1])
        if self.shared and self.stream("blind").random() < 0.3:
            blows.append("blind")
        return Faults(**rates, after=after, blows=tuple(blows))

    # --- a life -----------------------------------------------------------------------------------------------

    def live(self) -> Verdict:
        """From the first table to rest."""
        logger, asyncio_logger = logging.getLogger("landfall"), logging.getLogger("asyncio")
        handler, before = Heard(self), (logger.propagate, asyncio_logger.disabled, clocks.DAY)
        logger.addHandler(handler)
        logger.propagate, asyncio_logger.disabled, clocks.DAY = False, True, DAY  # type: ignore[misc]
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
            return self.told()
        finally:
            self.sweep()
            asyncio.set_event_loop(None)
            logger.removeHandler(handler)
            logger.propagate, asyncio_logger.disabled, clocks.DAY = before  # type: ignore[misc]

    def told(self) -> Verdict:
        kind, what = self.verdict or ("", "")
        logs = self.disk.logs.values()
        return Verdict(
            self.seed, len(self.lives), self.calm, kind, what,
            trace=tuple(readable(note) for note in self.notes) if kind or self.traced else (),
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
            await process.spawn(process.hub.open())
        await self.later(1)
        self.idle = {process: names(process) for process in self.processes}
        for number in range(self.chance.choice([1, 1, 1, 1, 2, 3])):
            await self.set_table(number)
        self.active = True
        self.faults = self.draw_faults()
        self.faulty = not self.calm
        lives = [self.loop.create_task(person.live()) for person in self.people]
        lives += [self.loop.create_task(self.strike(blow)) for blow in self.faults.blows]
        for person in self.people:
            person.arrive()
        await self.later(self.chance.choice([2, 4, 8, 16]))
        self.active = False
        self.note("world", "comes to rest")
        await asyncio.gather(*lives)
        await self.rest()

    # --- setting tables ---------------------------------------------------------------------------------------

    async def set_table(self, number: int) -> None:
        """A table with people, bots and onlookers, often near the end of its match."""
        chance = self.chance
        game = chance.choice(tuple(OURS))
        players = chance.choice([n for n in find_game(game).counts if n <= 4])
        people = chance.choice([1, 1, 2, 2, players])
        names_ = [f"{name}{number or ''}" for name in NAMED[: min(people, players)]]
        owner = Visitor(f"id-{names_[0]}", names_[0])
        hot = chance.random() < 0.08
        clock = self.draw_clock()
        wish = Wish(game, players, clock=clock, public=chance.random() < 0.5, seating="as_sat", hot_seat=hot)
        hub = self.processes[0].hub
        if chance.random() < 0.15:
            made = hub.create(owner, wish)
        elif chance.random() < 0.15 and clock.mode == "none" and not hot:
            record = near_the_end(game, players, chance.randrange(4), chance.choice([2, 6, 12, 30])).record()
            made = hub.reopen(owner, record, seat=chance.randrange(players) if people == 1 else None)
        elif chance.random() < 0.15 and people == 1 and not hot:
            made = hub.quick(owner, wish, ["random"] * (players - 1))
        else:
            made = self.written(owner, wish, names_)
        table: str = await self.processes[0].spawn(made)
        self.tables.append(table)
        self.people += [Person(self, name, table, seated=True) for name in names_]
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

    async def written(self, owner: Visitor, wish: Wish, names_: list[str]) -> str:
        """A table in the middle of a match, as an earlier server left it: people on some chairs, bots on the others."""
        chance, hub = self.chance, self.processes[0].hub
        match = near_the_end(wish.game, wish.players, chance.randrange(4), chance.choice([2, 6, 12, 30, 60]))
        seats = chance.sample(range(wish.players), len(names_) if not wish.hot_seat else wish.players)
        chairs = [GivenChair(bot="random") for _ in range(wish.players)]
        for i, seat in enumerate(seats):
            name = names_[i % len(names_)]
            chairs[seat] = GivenChair(f"id-{name}", name)
        table = await hub.create(owner, wish, chairs) if chance.random() < 0.2 else self.fresh_id()
        if table not in self.disk.logs:
            data = {
                "game": wish.game, "players": wish.players, "options": wish.options,
                "rules": find_game(wish.game).rules_version, "owner": owner.id,
                "clock": msgspec.to_builtins(wish.clock), "public": wish.public, "seating": wish.seating,
                "hot_seat": wish.hot_seat, "pace": wish.pace, "chairs": [plain(chair) for chair in chairs],
                "lines": match.lines(),
            }  # fmt: skip
            log = self.disk.logs[table] = Log(table)
            log.add(1, self.processes[0].env.time.now(), "create", msgspec.json.encode(data))
            self.disk.heads[table] = msgspec.json.encode(log.table.summary())
        await hub.order(table, owner, cmd.Start())
        return table

    def follow(self, person: Person, table: str) -> bool:
        """Whether somebody goes on to a rematch."""
        if table not in self.disk.logs or len(self.tables) > 4:
            return False
        if table not in self.tables:
            self.tables.append(table)
        person.table = table
        return True

    # --- blows ------------------------------------------------------------------------------------------------

    async def strike(self, blow: str) -> None:
        """One kind of trouble, now and then."""
        chance = self.stream(f"blow {blow}")
        while self.active:
            await self.later(chance.uniform(0.3, 6))
            if self.active:
                process = chance.choice(self.processes)
                await getattr(self, f"blow_{blow}")(chance, process)

    async def blow_kill(self, chance: random.Random, process: Process) -> None:
        if process.alive and not process.closing:
            self.kill(process, chance.uniform(0.1, 2))

    def kill(self, process: Process, pause: float) -> None:
        self.watchdog_slept(process)
        self.kills += 1
        process.kill()
        self.loop.call_later(pause, self.begin_again, process)

    def begin_again(self, process: Process) -> None:
        """A new process takes the place of one that is gone."""
        number = process.number
        if self.processes[number] is not process:
            return
        self.lives[number] += 1
        self.dead.append(process)
        new = self.processes[number] = Process(self, number, self.lives[number])
        self.note(new.name, "begins")
        new.spawn(new.hub.open())

    async def blow_restart(self, chance: random.Random, process: Process) -> None:
        if process.alive and not process.closing:
            self.watchdog_slept(process)
            closing = process.spawn(process.close())
            pause = chance.uniform(0.01, 1)
            for _ in range(600):
                await self.later(0.2)
                if closing.done():
                    break
            if process.alive and self.processes[process.number] is process:
                self.broken("left over", f"{process.name} does not close")
            error = closing.exception() if closing.done() and not closing.cancelled() else None
            if error is not None and not isinstance(error, DiskError):
                told = error if isinstance(error, Exception) else None
                self.broken("an error", f"closing: {error!r}", told)
            await self.later(pause)
            self.begin_again(process)

    async def blow_away(self, chance: random.Random, process: Process) -> None:
        self.disk.go_away(chance.choice([0.2, 1, 4]))

    async def blow_full(self, chance: random.Random, process: Process) -> None:
        self.note("disk", "full")
        self.disk.full_until = self.loop.time() + chance.choice([0.2, 1, 5])

    async def blow_deaf(self, chance: random.Random, process: Process) -> None:
        self.note(process.name, "hears nothing for a while")
        process.store.lose_ear(chance.choice([0.05, 1, 5]))

    async def blow_blind(self, chance: random.Random, process: Process) -> None:
        self.note(process.name, "can read no log for a while")
        process.store.blind_until = self.loop.time() + chance.choice([0.2, 1, 5])

    async def blow_wheels(self, chance: random.Random, process: Process) -> None:
        self.note(process.name, "loses its wheels")
        process.store.lose_wheels()

    async def blow_clock(self, chance: random.Random, process: Process) -> None:
        self.wall += chance.choice([-3_600_000, -60_000, -5000, -500, 500, 5000, 60_000])
        self.note("clock", f"wrong by {self.wall / 1000} s")

    def trip(self, what: str, process: Process) -> None:
        """A process is about to write, read or take a wheel: the moment for others to do the wrong thing."""
        if not self.active:
            return
        chance = process.chance
        if chance.random() < 0.12:
            looking = [person for person in self.people if not person.seated and person.pages]
            for person in looking:
                if chance.random() < 0.5:
                    self.loop.call_later(chance.uniform(0, 0.02), person.wander, person.pages[0])
            someone = chance.choice(self.people)
            if someone.pages and chance.random() < 0.3:
                self.loop.call_later(chance.uniform(0, 0.02), someone.pages[0].cut)
        if chance.random() < self.faults.cancels * 0.3 and process.lines:
            line = chance.choice(sorted(process.lines, key=lambda line: line.page.name))
            self.loop.call_later(chance.uniform(0, 0.02), line.cancel)
        if "kill" in self.faults.blows and chance.random() < 0.01:
            self.loop.call_later(chance.uniform(0, 0.03), self.kill_soon, process, chance.uniform(0.1, 2))

    def left_alone(self, process: Process) -> None:
        """A table that nobody is at will be put away: the moment to come back, for who was there."""
        empty = [table for table, live in process.hub.live_tables.items() if not live.watchers]
        away = [person for person in self.people if person.table in empty and person.seated]
        if self.active and away and process.chance.random() < 0.8:
            process.chance.choice(away).slip_in()

    def kill_soon(self, process: Process, pause: float) -> None:
        if self.active and process.alive and not process.closing and process in self.processes:
            self.kill(process, pause)

    def ask_by_rest(self, person: Person, command: cmd.AnyCommand) -> None:
        """A command without a socket."""
        if not self.active:
            return
        process = person.chance.choice(self.processes)
        if process.alive and not process.closing:
            process.spawn(self.order(process, person, command))

    async def order(self, process: Process, person: Person, command: cmd.AnyCommand) -> None:
        assert person.visitor is not None
        try:
            await process.hub.order(person.table, person.visitor, command)
        except (LandfallError, DiskError):
            pass
        except Exception as error:
            if process.alive:
                self.broken("an error", f"{person.name}, {command}: {type(error).__name__}: {error}", error)

    # --- rest -------------------------------------------------------------------------------------------------

    async def rest(self) -> None:
        """Faults end; then everything must be as it should be, and go on."""
        self.faults = Faults()
        s = self.setting
        self.disk.away_until = self.disk.full_until = 0
        for store in self.disk.stores:
            store.blind_until = 0
        await self.later(3)  # what was killed begins again
        self.faulty = False
        self.calmed = self.loop.time()
        limit = 6 + (s.pace * 2.5 + s.hold) / 1000
        if any(process.workers_hang() for process in self.processes):
            limit += 2 * s.thinking + HANGS  # as long as a worker that hangs is waited for
        await self.later(limit)
        self.bots_play_by_themselves(limit)
        if (left := self.time_left()) is not None:
            await self.later(left + limit)
            self.clocks_run_out_by_themselves(limit)
        await self.quiet(everybody=False)
        self.agrees()
        for person in self.people:
            if not person.pages:
                person.arrive()
            for page in person.pages:
                page.lagging_until = 0
                page.connect()
        await self.later(s.grace / 1000 + 2)
        if self.shared and self.patient:
            await self.later(46 + 2 * s.tick / 1000)  # until each process knows who is at the others
        await self.quiet()
        self.agrees()
        await self.newcomers_agree()
        await self.plays_on()
        await self.quiet()
        self.agrees()
        await self.newcomers_agree()
        await self.everybody_goes()

    def attended(self) -> list[Log]:
        """Matches that go on before somebody's eyes."""
        tables = {line.table for process in self.processes for line in process.lines if line.welcomed}
        logs = [self.disk.logs[table] for table in sorted(tables)]
        return [log for log in logs if log.table.actor is not None and not log.table.paused]

    def bots_play_by_themselves(self, limit: float) -> None:
        """Nobody did anything, and yet a bot whose turn it is has played."""
        for log in self.attended():
            stood = self.loop.time() - max(self.calmed, log.grown)
            if log.table.waits_for_bot and stood >= limit - 0.1:
                self.broken("nobody goes on", f"{log.table.id}: a bot's turn for {stood:.0f} s at {log.seq}")

    def runs_out(self, log: Log) -> float | None:
        """When a live clock that runs has run out."""
        deadline = log.table.clocks.deadline() if log.table.terms.clock.mode == "live" else None
        return None if deadline is None else log.grown + (deadline - log.table.last_at) / 1000

    def time_left(self) -> float | None:
        """Until the last of the live clocks that run now has run out."""
        ends = [end for log in self.attended() if (end := self.runs_out(log)) is not None]
        return max(max(ends) - self.loop.time(), 0) if ends else None

    def clocks_run_out_by_themselves(self, limit: float) -> None:
        """Nobody did anything, and yet a clock that ran out was noticed."""
        for log in self.attended():
            end = self.runs_out(log)
            past = self.loop.time() - max(self.calmed, end) if end is not None else 0
            if past >= limit - 0.1:
                self.broken("nobody goes on", f"{log.table.id}: the clock ran out {past:.0f} s ago")

    def pages(self) -> list[Page]:
        return [page for person in self.people for page in person.pages if page.open]

    async def quiet(self, everybody: bool = True) -> None:
        """Until nothing is on its way, and everybody is there who should be."""
        still = 0
        for _ in range(4000):
            moving = any(process.store.moving for process in self.processes)
            lines = [page.line for page in self.pages() if everybody or page.line is not None]
            there = all(line is not None and line.welcomed and not line.out for line in lines)
            still = still + 1 if there and not moving else 0
            if still == 3:
                return
            await self.later(0.002)
        lost = [page.name for page in self.pages() if page.line is None or not page.line.welcomed]
        self.broken("no rest", f"things are moving for ever; not at the table: {lost}")

    def agrees(self) -> None:
        """Memory is the folded log; every page shows what the log says."""
        for table, log in self.disk.logs.items():
            head = msgspec.json.decode(self.disk.heads[table])
            if head["status"] != log.table.status or head["deadline"] != log.table.summary().deadline:
                self.broken("memory", f"{table}: listed as {head['status']}, is {log.table.status}")
        for process in self.processes:
            self.memory_agrees(process)
        for page in self.pages():
            if page.line is not None:
                self.page_agrees(page)

    def memory_agrees(self, process: Process) -> None:
        self.watchdog_slept(process)
        for table, live in process.hub.live_tables.items():
            differs = difference(live.table, self.disk.logs[table].table)
            if differs:
                self.broken("memory", f"{process.name} {table}: {differs}")
            here = {line.watcher for line in process.lines if line.table == table and line.up}
            if live.watchers != here:
                self.broken(
                    "left over", f"{process.name} {table}: {len(live.watchers)} watchers, {len(here)} are there"
                )

    def page_agrees(self, page: Page) -> None:
        log, known = self.disk.logs[page.table], page.known
        last = log.last
        if known.n != log.seq or known.version != last.version:
            told = f"{known.n}/{known.version}, the log is at {log.seq}/{last.version}"
            self.broken("not told", f"{page.name} knows {told}")
        elif last.match is not None:
            if known.view != last.view(known.seat):
                self.broken("not told", f"{page.name} at {known.n} shows another position")
            if page.base + len(page.events) != last.happened:
                self.broken("not told", f"{page.name} knows {page.base + len(page.events)} events of {last.happened}")
            actor = last.actor
            if actor is not None and actor == known.seat and log.table.chairs[actor].plays_itself:
                if known.choices != last.choices(actor):
                    self.broken("not told", f"{page.name} is to choose and has no choices")

    async def newcomers_agree(self) -> None:
        """Somebody who comes now is told what all the others know."""
        before = {page: (page.known, page.line) for page in self.pages()}
        for process in self.processes:
            for table in sorted({page.table for page, (_, line) in before.items() if line and line.process is process}):
                newcomer = Person(self, "Newcomer", table, seated=False, nameless=True)
                page = Page(newcomer, table, "Newcomer")
                process_only, self.processes = self.processes, [process]
                page.connect()
                self.processes = process_only
                for _ in range(200):
                    if page.known.table:
                        break
                    await self.later(0.01)
                told = self.about(page.known.table)
                for other, (known, line) in before.items():
                    if (
                        line is not None
                        and line.process is process
                        and other.table == table
                        and known.n == page.known.n
                    ):
                        if self.about(known.table) != told:
                            differs = parted(self.about(known.table), told)
                            self.broken("not told", f"{other.name} and a newcomer: {differs}")
                        if known.runs != page.known.runs:
                            self.broken("not told", f"{other.name} and a newcomer: the clock")
                        if other.chat[-len(page.chat) :] != page.chat and page.chat:
                            heard, said = [line["n"] for line in other.chat], [line["n"] for line in page.chat]
                            self.broken("not told", f"{other.name} and a newcomer: the chat {heard} and {said}")
                page.close()
                await self.later(0.05)

    def about(self, table: dict[str, Any]) -> dict[str, Any]:
        """What is told of a table, but for how many look on, and when it was told."""
        told = {key: value for key, value in table.items() if key not in ("watching", "n")}
        if self.shared and not self.patient:  # processes tell each other now and then who is there
            told["chairs"] = [{**chair, "here": None} for chair in told.get("chairs", [])]
        return told

    async def plays_on(self) -> None:
        """With everybody wanting it, every match goes on until it is over, or far enough."""
        start = {table: log.seq for table, log in self.disk.logs.items()}
        s = self.setting
        patience = 45 + (2.5 * s.pace + s.hold) / 1000
        began = self.loop.time()
        while True:
            left = []
            for table, log in self.disk.logs.items():
                if self.wanted(log) and log.seq < start.get(table, 0) + STRONG:
                    left.append(log)
            if not left:
                return
            for log in left:
                if self.loop.time() - max(began, log.grown) > patience:
                    self.broken("nobody goes on", f"{log.table.id}: {why_stuck(log)}")
                    return
            for page in self.pages():
                page.person.go_on(page)
            await self.later(0.3)

    def wanted(self, log: Log) -> bool:
        """Whether a match is on, somebody is at its table, and so is the person to choose, if it is a person's turn."""
        t = log.table
        here = [page.person.id for page in self.pages() if page.table == t.id]
        if t.status != PLAYING or t.actor is None or not here:
            return False
        chair = t.chairs[t.actor]
        if t.rests:
            return any(person in here for person in t.voters())
        return not chair.plays_itself or chair.person in here

    async def everybody_goes(self) -> None:
        """Nobody is there any more: nothing stays in memory, nothing waits, nobody holds a wheel."""
        for person in self.people:
            person.depart_all()
        s = self.setting
        await self.later(s.grace / 1000 + 10)
        days = [t for t, log in self.disk.logs.items() if log.table.terms.clock.mode == "days"]
        if days:
            await self.later(1.5 * DAY / 1000 + 3 * s.tick / 1000)
            late = self.processes[0].store.overdue(self.processes[0].env.time.now() - 3 * s.tick)
            if late:
                self.broken("nobody goes on", f"{late[0]}: its day is over and nobody noticed")
        for table, log in self.disk.logs.items():
            try:
                log.folds_anew()
            except Unsound as error:
                self.broken("log", f"{table}: {error}")
        for process in self.processes:
            self.watchdog_slept(process)
            self.nothing_left(process, days)
        if not any(process.hub.live_tables for process in self.processes) and self.disk.locks:
            held = [f"{self.disk.named(key)} by {lock[0].store.process.name}" for key, lock in self.disk.locks.items()]
            self.broken("left over", f"wheels of {', '.join(held)}")
        for process in self.processes:
            closing = process.spawn(process.close())
            await self.later(30)
            if not closing.done():
                self.broken("left over", f"{process.name} does not close")
            elif closing.exception() is not None:
                self.broken("an error", f"closing: {closing.exception()!r}")

    def nothing_left(self, process: Process, days: list[str]) -> None:
        hub = process.hub
        live_tables = [table for table in hub.live_tables if table not in days]
        if live_tables:
            self.broken(
                "left over",
                f"{process.name}: {len(live_tables)} rooms, one with {len(hub.live_tables[live_tables[0]].watchers)}",
            )
        if not hub.live_tables:
            left = [name for name in names(process) if name not in ("Hub.look_after", "World.story")]
            if left:
                self.broken("left over", f"{process.name}: tasks {left}")
        if hub.loading:
            self.broken("left over", f"{process.name}: {len(hub.loading)} locks")

    def watchdog_slept(self, process: Process) -> None:
        """The watchdog is for the field: here nothing may be left to it."""
        if process.hub.driver.watchdog_fired:
            self.broken("watchdog", f"{process.name}: it fired")


def wake(done: asyncio.Future[None], process: Process | None) -> None:
    if not done.done() and (process is None or process.alive):
        done.set_result(None)


def names(process: Process) -> list[str]:
    """What a process is doing."""
    return sorted(task.get_coro().__qualname__ for task in process.living())  # type: ignore[union-attr]


def why_stuck(log: Log) -> str:
    t = log.table
    who = None if t.actor is None else t.chairs[t.actor]
    return f"{t.status} at {log.seq}, paused {t.paused}, rests {t.rests}, to choose {who}"


def readable(note: tuple[Any, ...]) -> str:
    """A line of the trace."""
    at, who, what, *more = note
    words = " ".join(m.decode() if isinstance(m, bytes) else str(m) for m in more if m is not None)
    return f"{at:10.3f}  {who:<14} {what} {words}"


def parted(one: dict[str, Any], other: dict[str, Any]) -> str:
    keys = [key for key in {**one, **other} if one.get(key) != other.get(key)]
    return "; ".join(f"{key}: {str(one.get(key))[:200]} and {str(other.get(key))[:200]}" for key in keys[:4])


def world(
    seed: int, processes: int = 1, calm: bool = False, lenient: tuple[str, ...] = (), traced: bool = False
) -> Verdict:
    """Live through one world; of what has one of `lenient`'s words nothing is made."""
    return World(seed, processes, calm, lenient, traced).live()


def sound(first: int, count: int, processes: int) -> Counter[str]:
    """Live through some worlds, every fourth of them calm; AssertionError tells of the first that is broken."""
    sums: Counter[str] = Counter()
    for seed in range(first, first + count):
        verdict = world(seed, processes, calm=seed % 4 == 0)
        assert not verdict.broken, "\n".join((*verdict.trace[-40:], str(verdict)))
        sums.update({"worlds": 1, "entries": verdict.entries, "kills": verdict.kills, "matches ended": verdict.over})
    return sums

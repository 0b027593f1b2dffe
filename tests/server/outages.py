"""Real trouble while bots play: pages reloaded, onlookers gone, a full disk, PostgreSQL away, workers killed.

Whatever happens, a table goes on by itself once it is over, with nobody sending anything.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import random
import resource
import signal
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path

from landfall.core.rng import Rng
from landfall.store.events import Played
from landfall.tables.log.table import Table, fold_table_from_log
from tests import postgres_cluster
from tests.conftest import LONG
from tests.server.real_server import Line, Player, ServerProcess
from tests.server.whole_games import read_stored_log

Fault = Callable[[], Awaitable[None]]  # begins, lasts, and is over when it returns
GAMES = ("atlandice", "atlantis", "survive")
SOON = 5  # seconds after the end of a fault in which every table goes on
BEFORE, AFTER = 35, 25  # milliseconds around the moment at which a bot's entry is due
BOT = "random"
AROUND = 10  # milliseconds from a bot's entry within which a cut is said to have met it


# --- people ---------------------------------------------------------------------------------------------------


async def sit_with_bots(url: str, game: str, bots: list[str], name: str = "Ana") -> Line:
    """Somebody new at a new table with bots."""
    player = await Player(url, name).come()
    config = {"game": game, "players": 1 + len(bots), "bots": bots, "seating": "as_sat"}
    return await Line(player, (await player.post("/api/tables/quick", **config))["table"]).open()


async def receive_until_own_choice(line: Line) -> None:
    """Until one is asked, or it is over. Nothing is sent."""
    while not line.choices and not line.over:
        await line.receive()


async def play_until_bots_turn(line: Line, chance: random.Random) -> bool:
    """Choose at random until it is a bot's turn; False if the match is over instead."""
    await receive_until_own_choice(line)
    while line.choices and not line.over:
        id_ = f"p{chance.getrandbits(60)}"
        action = chance.choice(line.choices)["action"]
        line.choices = []
        await line.send(t="play", version=line.version, id=id_, action=action)
        while id_ not in line.acks or (line.n or 0) < line.acks[id_]:
            message = await line.receive()
            assert message["t"] != "refused", message
    return not line.over


async def close_lines_and_players(*lines: Line) -> None:
    for line in lines:
        await line.close()
        await line.player.close()


async def check_newcomer_knows_the_same(line: Line) -> None:
    """Who stayed, or came back, knows what one is told who comes now."""
    other = await Line(line.player, line.table, line.url).open()
    assert (line.n, line.version, line.view, line.choices) == (other.n, other.version, other.view, other.choices)
    await other.close()


async def fold_stored_table(server: ServerProcess, line: Line) -> Table:
    """The table as its log on disk leads to it; it is that of a match, and the line knows all of it."""
    entries = await read_stored_log(server.settings["database"], line.table)
    assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
    found = fold_table_from_log(line.table, entries, Rng(0))
    assert (found.seq, found.version) == (line.n, line.version)
    return found


def check_log_without_errors(log: Path) -> None:
    """A server's log has no error: above all, its watchdog found no table that nobody waited for."""
    text = log.read_text()
    assert "ERROR" not in text, text


# --- reloading ------------------------------------------------------------------------------------------------


class Reloads:
    """People who reload the page around the moment of a bot's commit, each millisecond in turn."""

    def __init__(self, servers: list[ServerProcess], tries: int, onlookers: int = 0, seed: int = 0) -> None:
        self.servers = servers  # who comes back knowing nothing may come to another process
        self.server = server = servers[0]
        self.pace: int = server.settings["pace"]
        self.left = tries
        self.onlookers = onlookers
        self.random = random.Random(seed)
        self.moments = itertools.cycle(range(self.pace - BEFORE, self.pace + AFTER))
        self.took: list[float] = []  # seconds from coming back to one's own choice
        self.met = 0  # cuts around a bot's entry, by the log

    async def reload_at_tables(self, tables: int) -> Counter[str]:
        """At several tables at once, until all is tried; how long it took to be at one's own choice again."""
        first = await sit_with_bots(self.server.url, GAMES[0], [BOT])
        await play_until_bots_turn(first, self.random)
        await receive_until_own_choice(first)  # the workers are there
        await close_lines_and_players(first)
        await asyncio.gather(*(self.play(GAMES[number % 2]) for number in range(tables)))
        counts = count_by_seconds(self.took)
        counts["cuts within 10 ms of a bot's entry"] = self.met
        return counts

    async def play(self, game: str) -> None:
        """Match after match."""
        while self.left > 0:
            line = await sit_with_bots(self.server.url, game, [BOT])
            cuts: list[float] = []
            crowd = [Line(Player(self.server.url, "nobody"), line.table) for _ in range(self.onlookers)]
            await asyncio.gather(*(one.open() for one in crowd))
            while self.left > 0 and await play_until_bots_turn(line, self.random):
                self.left -= 1
                line = await self.reload(line, crowd, cuts)
            self.met += count_cuts_near_moments(cuts, await self.bot_commit_times(line))
            await close_lines_and_players(line, *crowd)

    async def reload(self, line: Line, crowd: list[Line], cuts: list[float]) -> Line:
        """One try: cut, come back knowing something or nothing, and wait."""
        await asyncio.sleep(next(self.moments) / 1000)
        stays = bool(crowd) and self.random.random() < 0.5  # then only the onlookers go
        for one in crowd if stays else (line, *crowd):
            one.cut_connection()
        cuts.append(time.time() * 1000)
        begun = time.monotonic()
        if not stays:
            await asyncio.sleep(self.random.choice((0, 0, 0.002, 0.01, 0.05)))
            if self.random.random() < 0.5:
                line = Line(line.player, line.table, self.random.choice(self.servers).url)
            begun = time.monotonic()
            await asyncio.wait_for(line.open(), LONG)
        await asyncio.wait_for(receive_until_own_choice(line), LONG)
        self.took.append(time.monotonic() - begun)
        await check_newcomer_knows_the_same(line)
        await asyncio.gather(*(one.open() for one in crowd))
        return line

    async def bot_commit_times(self, line: Line) -> list[int]:
        """When bots' entries were put to disk."""
        await fold_stored_table(self.server, line)
        entries = await read_stored_log(self.server.settings["database"], line.table)
        return [e.at for e in entries if isinstance(e.event, Played) and e.event.seat != line.seat]


def count_cuts_near_moments(cuts: list[float], moments: list[int]) -> int:
    """How many cuts were near to some moment."""
    return sum(any(abs(cut - moment) <= AROUND for moment in moments) for cut in cuts)


def count_by_seconds(took: list[float]) -> Counter[str]:
    """How many took how long; counts that can be added up."""
    found = Counter({"tries": len(took)})
    for seconds in took:
        found["within half a second" if seconds <= 0.5 else f"within {int(seconds) + 1} s"] += 1
    return found


# --- faults ---------------------------------------------------------------------------------------------------


def make_full_disk_fault(server: ServerProcess, seconds: float, room: int | None = None) -> Fault:
    """No file of the server grows, says the kernel; with `room`, its log may still grow by so many bytes."""

    async def fault() -> None:
        assert server.process is not None
        assert server.process.pid is not None
        log = Path(f"{server.settings['database']}-wal")
        most = 1 if room is None else log.stat().st_size + room
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))
        await asyncio.sleep(seconds)
        endless = resource.RLIM_INFINITY, resource.RLIM_INFINITY
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, endless)

    return fault


def make_postgres_away_fault(database: str, seconds: float) -> Fault:
    """The database is stopped as by a crash, and started again."""

    async def fault() -> None:
        await asyncio.to_thread(postgres_cluster.stop_cluster_at_once, database)
        await asyncio.sleep(seconds)
        await asyncio.to_thread(postgres_cluster.start_cluster, database)

    return fault


def make_workers_killed_fault(server: ServerProcess, seconds: float, seed: int, killed: Counter[str]) -> Fault:
    """All processes in which bots think, again and again, whether they think, begin or have nothing to do."""

    async def fault() -> None:
        chance = random.Random(seed)
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            for pid in bot_worker_pids(server):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
                    killed["workers killed"] += 1
            await asyncio.sleep(chance.choice((0.02, 0.1, 0.3, 1.0)))

    return fault


def bot_worker_pids(server: ServerProcess) -> list[int]:
    """The processes in which a server's bots think."""
    assert server.process is not None
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # gone meanwhile
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == server.process.pid and b"spawn_main" in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
    return found


# --- going on -------------------------------------------------------------------------------------------------


class Outage:
    """People at tables whose bots are to play, a fault, and how long after its end each table goes on by itself."""

    def __init__(self, servers: list[ServerProcess], bot: str = BOT, seed: int = 0) -> None:
        self.servers = servers
        self.bot = bot
        self.random = random.Random(seed)
        self.took: list[float] = []  # seconds from the end of the fault until a person was told of the next entry
        self.spared = 0  # pages of tables at which no bot was to play any more when the fault was over

    async def rounds(self, fault: Fault, rounds: int, tables: int = 4) -> Counter[str]:
        """So many that met a table; with several processes each person has a page at every one of them."""
        pages = [await self.sit(number) for number in range(tables)]
        await asyncio.gather(*(self.play_until_bots_turn_at(pages, number) for number in range(tables)))
        while rounds > 0:  # the first bots have answered by then: the workers are there
            await asyncio.gather(*(receive_until_own_choice(line) for lines in pages for line in lines))
            await asyncio.gather(*(self.play_until_bots_turn_at(pages, number) for number in range(tables)))
            reading = [asyncio.create_task(receive_until_over(line)) for lines in pages for line in lines]
            await fault()
            rounds -= await self.go_on(pages, reading)
            for task in reading:
                task.cancel()
            await asyncio.gather(*reading, return_exceptions=True)
            for lines in pages:
                await fold_stored_table(self.servers[0], lines[0])
                await asyncio.gather(*map(check_newcomer_knows_the_same, lines))
        for lines in pages:
            await close_lines_and_players(*lines)
        return count_by_seconds(self.took) + Counter({"pages spared": self.spared})

    async def play_until_bots_turn_at(self, pages: list[list[Line]], number: int) -> None:
        """At one of the tables, or another in its place if the match is over."""
        while not await play_until_bots_turn(pages[number][0], self.random):
            await close_lines_and_players(*pages[number])
            pages[number] = await self.sit(number)

    async def sit(self, number: int) -> list[Line]:
        """A table with two bots; its person's pages."""
        urls = [server.url for server in self.servers]
        url = urls[number % len(urls)]
        line = await sit_with_bots(url, GAMES[number % len(GAMES)], [self.bot] * 2, f"P{number}")
        return [line, *[await Line(line.player, line.table, other).open() for other in urls if other != url]]

    async def go_on(self, pages: list[list[Line]], reading: list[asyncio.Task[None]]) -> bool:
        """Until every page has been told of something, and then is at its own choice; whether some had to wait."""
        begun = time.monotonic()
        waiting = {line: line.n or 0 for lines in pages for line in lines if not line.choices and not line.over}
        self.spared += sum(len(lines) for lines in pages) - len(waiting)
        met = bool(waiting)
        while waiting:
            for line in [line for line, n in waiting.items() if (line.n or 0) > n]:
                self.took.append(time.monotonic() - begun)
                del waiting[line]
            await check_progress(reading, begun)
        while not all(line.choices or line.over for lines in pages for line in lines):
            await check_progress(reading, begun)
        return met


async def check_progress(reading: list[asyncio.Task[None]], begun: float) -> None:
    """A moment, in which nothing must have broken."""
    await asyncio.sleep(0.005)
    for task in reading:
        if task.done():
            task.result()
    assert time.monotonic() < begun + LONG, "a table does not go on"


async def receive_until_over(line: Line) -> None:
    """Take in what comes."""
    while not line.over:
        await line.receive()

"""Kill the server at random moments under load: what was acknowledged is there, and every table goes on."""

from __future__ import annotations

import asyncio
import contextlib
import random
import signal
import time
from typing import Any

import httpx
from websockets.exceptions import WebSocketException

from landfall.core.rng import Rng
from landfall.store.events import Played, TakenBack
from landfall.store.row_types import LogEntry
from landfall.tables.log.table import Table
from tests.conftest import LONG
from tests.server.real_server import Line, Player, ServerProcess
from tests.server.whole_games import read_stored_log

TABLES_AT_ONCE = 10  # made at the same time
TRIES = 20  # at a choice that answers itself when one comes too late
GONE = (WebSocketException, OSError, httpx.HTTPError, TimeoutError, EOFError)


class Load:
    """Tables with two people each, who choose at random, come back when the server does, and send again."""

    def __init__(self, servers: list[ServerProcess], tables: int, seed: int) -> None:
        self.servers = servers
        self.count = tables
        self.random = random.Random(seed)
        self.people: list[Player] = []
        self.seats: list[tuple[Player, str, str]] = []  # who, at which table, through which server
        self.acked: dict[str, dict[str, int]] = {}  # table: what each acknowledged message became
        self.refused: dict[str, set[str]] = {}  # table: the messages that came too late
        self.choices = 0
        self.stopping = False

    async def begin(self) -> None:
        """Make the tables."""
        for first in range(0, self.count, TABLES_AT_ONCE):
            numbers = range(first, min(self.count, first + TABLES_AT_ONCE))
            await asyncio.gather(*(self.begin_table(number) for number in numbers))

    async def begin_table(self, number: int) -> None:
        url = self.servers[number % len(self.servers)].url
        pair = [await Player(url, f"P{number}{i}").come() for i in range(2)]
        self.people += pair
        game = ("atlandice", "survive", "atlantis")[number % 3]
        table = (await pair[0].post("/api/tables", game=game, players=2))["table"]
        lines = [await Line(one, table).open() for one in pair]
        await lines[1].ask(t="sit", chair=1)
        while not lines[0].news["chairs"][1]:  # another worker may have seated them
            await lines[0].receive()
        await lines[0].send(t="start")
        await lines[0].until("welcome")
        self.acked[table] = {}
        for i, (one, line) in enumerate(zip(pair, lines)):
            await line.close()
            self.seats.append((one, table, self.servers[(number + i) % len(self.servers)].url))

    async def run(self) -> None:
        """Play, until told to stop."""
        await asyncio.gather(*(self.sit(*seat) for seat in self.seats))

    async def sit(self, player: Player, table: str, url: str) -> None:
        line = Line(player, table, url)
        pending: dict[str, Any] | None = None
        number = 0
        while not self.stopping:
            try:
                await line.open()
                if pending is not None:
                    await line.send(**pending)
                while not self.stopping and not line.over:
                    if pending is None and line.choices:
                        choice = self.random.choice(line.choices)
                        number += 1
                        pending = {"t": "play", "version": line.version, "id": f"{player.name}-{number}"}
                        pending["action"] = choice["action"]
                        await line.send(**pending)
                    message = await line.receive(0.5)
                    if message["t"] == "ack":
                        assert pending is not None
                        assert message["id"] == pending["id"]
                        self.acked[table][message["id"]] = message["n"]
                        self.choices += 1
                        pending = None
                    elif message["t"] == "refused":
                        pending = self.refuse(table, pending, message)
                if line.over:
                    return
            except TimeoutError:
                with contextlib.suppress(*GONE):
                    await line.close()
            except GONE:
                await asyncio.sleep(0.05)

    def refuse(self, table: str, pending: dict[str, Any] | None, message: dict[str, Any]) -> dict[str, Any] | None:
        """What is still to be sent again after a refusal."""
        assert message["code"] in ("stale", "store", "busy"), message
        if message["code"] != "stale":
            return pending
        if pending is not None and message.get("id") == pending["id"]:
            self.refused.setdefault(table, set()).add(pending["id"])
        return None

    async def goes_on(self, choices: int, playing: asyncio.Task[None]) -> None:
        """Until so many more choices were acknowledged, however busy the machine is; or every match is over."""
        wanted, until = self.choices + choices, time.monotonic() + LONG
        while self.choices < wanted and not playing.done():
            assert time.monotonic() < until, "nobody's choice was acknowledged"
            await asyncio.sleep(0.005)

    async def check(self, database: str) -> int:
        """Every acknowledged choice is on disk once, under the number it was told; how many there are. One that was
        refused is not there, and the server chose for somebody only where nothing else was possible.
        """
        checked = 0
        for table, acks in self.acked.items():
            entries = await read_stored_log(database, table)
            assert [e.seq for e in entries] == list(range(1, len(entries) + 1)), "a number is missing"
            told = [(e.event.id, e.seq) for e in entries if isinstance(e.event, Played | TakenBack) and e.event.id]
            ids = {id_.partition(".")[2]: seq for id_, seq in told}
            plays = [e.event.id for e in entries if isinstance(e.event, Played) and e.event.id]
            assert len(plays) == len(set(plays)), "a choice was played twice"
            check_choices_without_id(table, entries)
            assert not self.refused.get(table, set()) & ids.keys(), "a choice was refused and played"
            for id_, n in acks.items():
                assert ids.get(id_) == n, f"{id_} was acknowledged as {n} and is not there"
                checked += 1
        return checked

    async def check_all_tables_playable(self) -> None:
        """Every table can still be read and played on."""
        for table in self.acked:
            lines = [await Line(p, t, u).open() for p, t, u in self.seats if t == table]
            for line in lines:  # a process hears of another's entries a little later
                while (line.n or 0) < max(other.n or 0 for other in lines):
                    await line.receive()
            await check_choice_is_taken(lines)
            for line in lines:
                await line.close()

    async def close(self) -> None:
        for player in self.people:
            await player.close()


def check_choices_without_id(table: str, entries: list[LogEntry]) -> None:
    """The server makes a forced choice for somebody; its entry has no id. Every other entry has one."""
    state = Table(table, Rng(0))
    for entry in entries:
        if isinstance(entry.event, Played) and not entry.event.id:
            assert state.match is not None
            assert len(state.match.legal_actions()) == 1, f"{entry.seq} was nobody's choice, and not forced"
        state.apply_entry(entry)


async def check_choice_is_taken(lines: list[Line]) -> None:
    """A choice is taken. What has one answer may have answered itself before that; what is held is taken later."""
    for number in range(TRIES):
        if lines[0].over:
            return
        one = next(line for line in lines if line.choices)
        told = await one.play(one.choices[0]["action"], f"last-{number}")
        if told["t"] == "held":
            told = await one.until("ack", "refused")
        if told["t"] == "ack":
            return
        assert told["code"] == "stale", told
        for line in lines:
            while line.version < told["version"]:
                await line.receive()
    raise AssertionError("every choice came too late")


async def kill_server_often(
    database: str, servers: list[ServerProcess], kills: int, tables: int, seed: int
) -> dict[str, int]:
    """Start, load, kill one server at a random moment, start it again; so many times."""
    rng = random.Random(seed)
    for server in servers:
        await asyncio.to_thread(server.start)
    load = Load(servers, tables, seed)
    await load.begin()
    playing = asyncio.create_task(load.run())
    for _ in range(kills):
        await load.goes_on(rng.randrange(2, 30), playing)
        await asyncio.sleep(rng.random() * 0.1)
        victim = rng.choice(servers)
        victim.kill()
        await asyncio.to_thread(victim.start)
    await load.goes_on(3, playing)
    load.stopping = True
    await asyncio.wait_for(playing, LONG)
    await load.check_all_tables_playable()
    checked = await load.check(database)
    await load.close()
    for server in servers:
        assert server.stop() in (0, -signal.SIGTERM)
    assert checked > kills, f"only {checked} choices were acknowledged: this was no load"
    return {"kills": kills, "acknowledged choices checked": checked, "tables": tables}

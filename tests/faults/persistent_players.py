"""People at tables who never give up: they go to the next server when one is silent, and send again what was not
answered. What they send and are told is a history; how long they wait is counted."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from dataclasses import dataclass
from typing import Any

import httpx
from websockets.exceptions import WebSocketException

from tests.faults.history_checker import Seen, Wait
from tests.server.real_server import Line, Player

SILENT_S = 3.0  # without an answer, after which somebody connects again, elsewhere
RETRY_S = 0.2
LIVELY_S = 2.0
GONE = (WebSocketException, OSError, httpx.HTTPError, TimeoutError, EOFError, RuntimeError)
BOT = "greedy"


@dataclass
class Choice:
    """Somebody's last choice: what was sent and not answered yet, and how many there were. It outlives connections."""

    pending: dict[str, Any] | None = None
    number: int = 0


class Crowd:
    """Pairs of people, and people with a bot, table after table until told to stop."""

    def __init__(self, urls: list[str], pairs: int, with_bots: int, seed: int, think_s: float) -> None:
        self.urls = urls
        self.pairs = pairs
        self.with_bots = with_bots
        self.random = random.Random(seed)
        self.think_s = think_s
        self.seen: list[Seen] = []
        self.waits: list[Wait] = []
        self.waiting: dict[tuple[str, str], float] = {}  # who, for what: since when
        self.stopping = False
        self.tables = 0

    async def run(self) -> None:
        groups = [self.play_group(f"pair{n}", 2, n) for n in range(self.pairs)]
        groups += [self.play_group(f"solo{n}", 1, n) for n in range(self.with_bots)]
        await asyncio.gather(*groups)

    @property
    def is_lively(self) -> bool:
        """Whether everybody has chosen, and nobody has waited long."""
        chosen = {one.who for one in self.seen if one.what == "acknowledged"}
        since = min(self.waiting.values(), default=time.monotonic())
        return len(chosen) >= 2 * self.pairs + self.with_bots and time.monotonic() - since < LIVELY_S

    @property
    def acknowledged(self) -> int:
        return sum(one.what == "acknowledged" for one in self.seen)

    def wait_for(self, who: str, what: str, waits: bool) -> None:
        """Somebody waits for something from now on, or no longer."""
        now = time.monotonic()
        if waits:
            self.waiting.setdefault((who, what), now)
        elif (since := self.waiting.pop((who, what), None)) is not None:
            self.waits.append(Wait(who, what, since, now))

    def end_waits(self) -> None:
        """Count who still waits."""
        for who, what in list(self.waiting):
            self.wait_for(who, what, False)

    async def play_group(self, name: str, people: int, number: int) -> None:
        """One group: match after match."""
        match = 0
        while not self.stopping:
            match += 1
            found: tuple[str, list[Player]] | None = None
            while found is None and not self.stopping:
                self.wait_for(name, "a table", True)
                try:
                    async with asyncio.timeout(3 * SILENT_S):
                        found = await self.begin(f"{name}m{match}", people, number)
                except GONE:
                    number += 1  # the next server
                    await asyncio.sleep(RETRY_S)
            self.wait_for(name, "a table", False)
            if found is None:
                return
            table, players = found
            self.tables += 1
            first = number
            await asyncio.gather(*(self.sit(one, table, first + i, people == 1) for i, one in enumerate(players)))
            for one in players:
                await one.close()

    async def begin(self, name: str, people: int, number: int) -> tuple[str, list[Player]]:
        """A new table whose match has begun."""
        url = self.urls[number % len(self.urls)]
        game = ("survive", "atlantis")[number % 2]
        players = [Player(url, f"{name}{'ab'[i]}") for i in range(people)]
        for one in players:
            one.http.timeout = httpx.Timeout(SILENT_S)
            await one.come()
        if people == 1:
            body = {"game": game, "players": 2, "bots": [BOT], "seating": "as_sat"}
            return (await players[0].post("/api/tables/quick", **body))["table"], players
        table = (await players[0].post("/api/tables", game=game, players=2))["table"]
        lines = [await Line(one, table).open() for one in players]
        await lines[1].ask(t="sit", chair=1)
        while not lines[0].news["chairs"][1]:
            await lines[0].receive()
        await lines[0].send(t="start")
        await lines[0].until("welcome")
        for line in lines:
            await line.close()
        return table, players

    async def sit(self, player: Player, table: str, first: int, bot: bool) -> None:
        """One person at one table until the match is over."""
        line, choice, server = Line(player, table), Choice(), first
        while not self.stopping and not line.over:
            self.wait_for(player.name, "a connection", True)
            line.url = self.urls[server % len(self.urls)].replace("http", "ws", 1)
            try:
                async with asyncio.timeout(SILENT_S):
                    if line.socket is not None:
                        line.cut_connection()
                        line.socket = None
                    await line.open()
                self.wait_for(player.name, "a connection", False)
                self.note_state(line)
                await self.play(line, choice, bot)
                server += 1
            except GONE:
                server += 1
                await asyncio.sleep(RETRY_S)
        for what in ("a connection", "an answer", "the bot"):
            self.wait_for(player.name, what, False)
        with contextlib.suppress(*GONE):
            await line.close()

    async def play(self, line: Line, choice: Choice, bot: bool) -> None:
        """On one connection, until it is lost or silent."""
        name, table = line.player.name, line.table
        received = time.monotonic()
        think_until = received + self.random.uniform(0, 2 * self.think_s)
        asked = False  # whether a ping is on its way
        if choice.pending is not None:
            await line.send(**choice.pending)
        while not self.stopping and not line.over:
            now = time.monotonic()
            if choice.pending is None and line.choices and now >= think_until:
                choice.number += 1
                id_ = f"{name}-{choice.number}"
                action = self.random.choice(line.choices)["action"]
                choice.pending = {"t": "play", "version": line.version, "id": id_, "action": action}
                self.seen.append(Seen(name, table, now, "sent", id_))
                self.wait_for(name, "an answer", True)
                await line.send(**choice.pending)
            self.wait_for(name, "the bot", bot and choice.pending is None and not line.choices)
            try:
                message = await line.receive(0.1)
            except TimeoutError:
                if time.monotonic() - received > SILENT_S:
                    return
                if not asked and time.monotonic() - received > SILENT_S / 2:
                    asked = True
                    await line.send(t="ping")
                continue
            received, asked = time.monotonic(), False
            kind, pending = message["t"], choice.pending
            if kind in ("update", "welcome"):
                self.note_state(line)
                self.wait_for(name, "the bot", False)
            elif kind == "ack" and pending is not None and message["id"] == pending["id"]:
                self.seen.append(Seen(name, table, received, "acknowledged", message["id"], message["n"]))
                self.wait_for(name, "an answer", False)
                choice.pending, think_until = None, received + self.random.uniform(0, 2 * self.think_s)
            elif kind == "refused" and pending is not None:
                if message["code"] == "stale":
                    self.seen.append(Seen(name, table, received, "refused", pending["id"]))
                    self.wait_for(name, "an answer", False)
                    choice.pending = None
                else:  # the database is away: again, somewhere else
                    return

    def note_state(self, line: Line) -> None:
        self.seen.append(
            Seen(line.player.name, line.table, time.monotonic(), "state", n=line.n or 0, version=line.version)
        )

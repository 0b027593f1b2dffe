"""`landfall bench server`: many tables in parallel, one choice per second each, every seat connected; compared with a
bare relay.

The relay uses the same framework to send the same bytes to the same number of sockets, without rules, views or a
database. The difference is the cost of Landfall itself.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import random
import tempfile
import time
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import msgspec
import uvicorn
from fastapi import FastAPI
from starlette.routing import WebSocketRoute
from starlette.types import Receive, Scope, Send

from landfall.api.limits import Limits
from landfall.games import GAME_NAMES
from landfall.tables.runtime_dependencies import Runtime
from landfall.web.bench.websocket_client import WebSocketClient, send_json_request
from landfall.web.connection import TRANSPORT_EXTENSION, Connection
from landfall.web.serve import open_listening_socket, run_server_process, uvicorn_config
from landfall.web.settings import Settings

SEATS_PER_TABLE = 4
WIDE_LIMITS = Limits.wide_for_tests()


class ReceivedMessage(msgspec.Struct):
    """The part of a message that the load generator reads."""

    t: str
    version: int = 0
    status: str = ""
    seat: int = -1
    choices: list[dict[str, Any]] = []


decode_received = msgspec.json.Decoder(ReceivedMessage).decode


@dataclass
class LoadResult:
    """The measurements of one window."""

    seconds: float
    moves: int
    messages: int  # in and out
    latencies: list[float]  # milliseconds from a choice sent to the last seat informed
    cpu: float  # seconds of the server's processor time
    rss: int

    def latency_percentile_ms(self, share: float) -> float:
        found = sorted(self.latencies)
        return found[min(len(found) - 1, int(share * len(found)))] if found else float("inf")

    @property
    def cpu_per_message(self) -> float:
        """Microseconds."""
        return self.cpu / max(1, self.messages) * 1e6


@dataclass
class SeatClient:
    """One socket."""

    table: LoadedTable
    number: int
    client: WebSocketClient
    version: int = 0
    choices: list[int] = field(default_factory=list)


@dataclass
class LoadedTable:
    """One table, as the generator knows it."""

    name: str
    seats: list[SeatClient] = field(default_factory=list)
    sent_at: float = 0.0
    awaited: int = 0  # seats not yet informed of the last choice
    over: bool = False
    number: int = 0


def process_cpu_and_memory(pid: int) -> tuple[float, int]:
    """A process's processor seconds, and its memory in bytes (Linux)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    ticks = os.sysconf("SC_CLK_TCK")
    return (int(fields[11]) + int(fields[12])) / ticks, int(fields[21]) * os.sysconf("SC_PAGESIZE")


# --- the two servers ------------------------------------------------------------------------------------------


def run_landfall_server(port: int, folder: str) -> None:
    """Landfall itself, on an embedded database."""
    settings = Settings(
        database=str(Path(folder) / "bench.db"),
        port=port,
        log_level="error",
        limits=WIDE_LIMITS,
        bot_workers=0,
        make_runtime=lambda: Runtime(answer_hold_ms=0, bot_pace_ms=0),
    )
    run_server_process(settings, open_listening_socket(settings))


def run_relay_server(port: int, folder: str) -> None:
    """For each message it receives, a table relays the bytes that Landfall sent for one, and nothing else."""
    recorded: list[list[str]] = msgspec.json.decode((Path(folder) / "recorded.json").read_bytes())
    loaded: dict[str, list[Connection]] = {}
    turns: dict[str, int] = {}

    async def relay_to_table(scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        name = scope["path_params"]["table"]
        socket = Connection(scope["extensions"][TRANSPORT_EXTENSION], WIDE_LIMITS)
        loaded.setdefault(name, []).append(socket)
        while (message := await receive())["type"] == "websocket.receive":
            decode_received(message["bytes"])
            texts = recorded[turns.get(name, hash(name) % len(recorded)) % len(recorded)]
            turns[name] = turns.get(name, hash(name) % len(recorded)) + 1
            for other, text in zip(loaded[name], texts):
                other.send_or_queue(text)
            socket.send_or_queue('{"t":"ack","id":"p0","n":1,"version":1}')

    class Endpoint:
        async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
            await relay_to_table(scope, receive, send)

    app = FastAPI()
    app.router.routes.append(WebSocketRoute("/relay/{table}", Endpoint()))
    settings = Settings(port=port, log_level="error", limits=WIDE_LIMITS)
    uvicorn.Server(uvicorn_config(app, settings)).run(sockets=[open_listening_socket(settings)])


# --- the load -------------------------------------------------------------------------------------------------


class LoadGenerator:
    """All tables, their seats, and the measurements."""

    def __init__(self, port: int, tables: int, seed: int) -> None:
        self.port = port
        self.tables = tables
        self.random = random.Random(seed)
        self.loaded: list[LoadedTable] = []
        self.latencies: list[float] = []
        self.messages = 0
        self.recorded: dict[str, list[str]] = {}
        self.keep: list[list[str]] = []

    def server_port_of_seat(self, table: int, seat: int) -> int:
        """The server at which somebody sits."""
        return self.port

    async def connect_seats(self) -> None:
        """Four people, each with a seat at every table."""
        people = [
            await send_json_request(self.port, "POST", "/api/me", {"name": f"P{i}"}) for i in range(SEATS_PER_TABLE)
        ]
        cookies = [cookie for _, cookie in people]
        for number in range(self.tables):
            body = {"game": GAME_NAMES[number % len(GAME_NAMES)], "players": SEATS_PER_TABLE, "seating": "as_sat"}
            made, _ = await send_json_request(self.port, "POST", "/api/tables", body, cookies[0])
            table = LoadedTable(made["table"])
            self.loaded.append(table)
            for i, cookie in enumerate(cookies):
                seat = SeatClient(table, i, WebSocketClient())
                table.seats.append(seat)
                port = self.server_port_of_seat(number, i)
                await seat.client.open_websocket(
                    port, f"/ws/tables/{table.name}", cookie, partial(self.record_message, seat)
                )
                if i:
                    seat.client.send_text(f'{{"t":"sit","chair":{i}}}')
            table.seats[0].client.send_text('{"t":"start"}')
            await asyncio.sleep(0)
        for table in self.loaded:  # a chair may have been requested after the start: then start again
            for _ in range(400):
                if any(seat.choices for seat in table.seats):
                    break
                table.seats[0].client.send_text('{"t":"start"}')
                await asyncio.sleep(0.02)

    def record_message(self, seat: SeatClient, text: bytes) -> None:
        """Handle a message for one seat."""
        self.messages += 1
        on_message = decode_received(text)
        if on_message.t in ("update", "welcome"):
            seat.version = on_message.version
            seat.choices = [row[group["keys"].index("action")] for group in on_message.choices for row in group["rows"]]
            if on_message.t == "update" and seat.table.awaited:
                self.record_update_latency(seat, text)
        elif on_message.t == "table":
            seat.table.over = on_message.status == "over"

    def record_update_latency(self, seat: SeatClient, text: bytes) -> None:
        table = seat.table
        table.awaited -= 1
        if len(self.keep) < 2000:
            self.recorded.setdefault(table.name, []).append(text.decode())
        if table.awaited == 0:
            self.latencies.append((time.perf_counter() - table.sent_at) * 1000)
            texts = self.recorded.pop(table.name, [])
            if len(texts) == SEATS_PER_TABLE:
                self.keep.append(texts)

    def send_choice(self, table: LoadedTable) -> None:
        """Send one choice at one table."""
        seat = next((s for s in table.seats if s.choices), None)
        if table.over or seat is None or table.awaited:
            return
        action = self.random.choice(seat.choices)
        seat.choices = []
        table.number += 1
        table.awaited, table.sent_at = SEATS_PER_TABLE, time.perf_counter()
        self.messages += 1
        seat.client.send_text(f'{{"t":"play","version":{seat.version},"id":"p{table.number}","action":{action}}}')

    async def run_load(self, seconds: float, *pids: int, rate: float | None = None) -> LoadResult:
        """So many choices per second, evenly spread over the tables; by default one at each table. `pids` are the
        processes whose processor time counts."""
        self.latencies, self.messages = [], 0
        before = sum(process_cpu_and_memory(pid)[0] for pid in pids)
        begun = time.perf_counter()
        step = 1 / (rate or len(self.loaded))
        number = 0
        while (now := time.perf_counter()) < begun + seconds:
            while begun + number * step <= now:
                self.send_choice(self.loaded[number % len(self.loaded)])
                number += 1
            await asyncio.sleep(0.001)
        await asyncio.sleep(0.3)
        after = [process_cpu_and_memory(pid) for pid in pids]
        cpu, rss = sum(found[0] for found in after) - before, sum(found[1] for found in after)
        return LoadResult(seconds, len(self.latencies), self.messages, list(self.latencies), cpu, rss)


class RelayLoadGenerator(LoadGenerator):
    """The same load against the relay."""

    async def connect_seats(self) -> None:
        for number in range(self.tables):
            table = LoadedTable(f"r{number}")
            self.loaded.append(table)
            for i in range(SEATS_PER_TABLE):
                seat = SeatClient(table, i, WebSocketClient())
                table.seats.append(seat)
                await seat.client.open_websocket(
                    self.port, f"/relay/{table.name}", "", partial(self.record_message, seat)
                )

    def record_message(self, seat: SeatClient, text: bytes) -> None:
        self.messages += 1
        if decode_received(text).t == "update" and seat.table.awaited:
            seat.table.awaited -= 1
            if seat.table.awaited == 0:
                self.latencies.append((time.perf_counter() - seat.table.sent_at) * 1000)

    def send_choice(self, table: LoadedTable) -> None:
        if table.awaited:
            return
        table.number += 1
        table.awaited, table.sent_at = SEATS_PER_TABLE, time.perf_counter()
        self.messages += 1
        table.seats[table.number % SEATS_PER_TABLE].client.send_text(
            f'{{"t":"play","version":1,"id":"p{table.number}","action":17}}'
        )


def start_server_process(work: Any, folder: str, daemon: bool = True) -> tuple[BaseProcess, int]:
    """Start a server process and return it with its port; not a daemon if bots need their own processes."""
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    process = multiprocessing.get_context("spawn").Process(target=work, args=(port, folder), daemon=daemon)
    process.start()
    return process, port


async def wait_until_port_answers(port: int) -> None:
    for _ in range(6000):  # a loaded machine is slow
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.05)
            continue
        writer.close()
        await writer.wait_closed()
        return
    raise TimeoutError("the server did not begin to answer")


async def measure_landfall_and_relay(
    tables: int, seconds: float, runs: int
) -> tuple[list[LoadResult], LoadResult, list[int]]:
    """Several windows against Landfall, one against the relay; and the sizes of Landfall's messages."""
    with tempfile.TemporaryDirectory() as folder:
        process, port = start_server_process(run_landfall_server, folder)
        try:
            await wait_until_port_answers(port)
            load = LoadGenerator(port, tables, 1)
            await load.connect_seats()
            await load.run_load(1, process.pid or 0)  # warm-up
            found = [await load.run_load(seconds, process.pid or 0) for _ in range(runs)]
        finally:
            process.kill()
            process.join()
        sizes = [len(text) for texts in load.keep for text in texts]
        (Path(folder) / "recorded.json").write_bytes(msgspec.json.encode(load.keep))
        relay, port = start_server_process(run_relay_server, folder)
        try:
            await wait_until_port_answers(port)
            other = RelayLoadGenerator(port, tables, 1)
            await other.connect_seats()
            await other.run_load(1, relay.pid or 0)
            bare = await other.run_load(seconds, relay.pid or 0)
        finally:
            relay.kill()
            relay.join()
    return found, bare, sizes

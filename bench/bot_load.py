"""`python -m bench.bot_load`: whether bots slow people down. One person plays at a table with scripted people. The time
from a choice until all of them have received it is measured alone and beside 50 tables full of bots.

Quiet and busy windows alternate on one real server, so that both see the same machine: the bots' tables pause while
nobody is connected to them, and continue when somebody is.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from functools import partial
from pathlib import Path
from statistics import median

from landfall.games import GAME_NAMES
from landfall.tables.runtime_dependencies import Runtime
from landfall.web.bench.load_test import WIDE_LIMITS, LoadGenerator, start_server_process, wait_until_port_answers
from landfall.web.bench.websocket_client import WebSocketClient, send_json_request
from landfall.web.serve import open_listening_socket, run_server_process
from landfall.web.settings import Settings

LEVELS = ("sprat", "mackerel", "marlin", "leviathan")
PAUSE_S = 0.25  # between the person's choices


def serve(port: int, folder: str) -> None:
    """Start a server as `landfall serve` does: bots at their usual pace in their usual process, but with wide
    limits."""
    env = partial(
        Runtime, empty_table_grace_ms=1_000, answer_hold_ms=0
    )  # an idle table pauses soon; responses are not delayed
    database = str(Path(folder) / "crowd.db")
    settings = Settings(database=database, port=port, log_level="error", limits=WIDE_LIMITS, make_runtime=env)
    run_server_process(settings, open_listening_socket(settings))


class BotTables:
    """Tables with one spectator and bots of all levels."""

    def __init__(self, port: int, tables: int) -> None:
        self.port = port
        self.tables = tables
        self.names: list[str] = []
        self.clients: list[WebSocketClient] = []
        self.cookie = ""
        self.updates = 0

    async def sit_down(self) -> None:
        """One guest owns all of them, and resigns the seat to a stand-in."""
        _, self.cookie = await send_json_request(self.port, "POST", "/api/me", {"name": "Host"})
        for number in range(self.tables):
            bots = [LEVELS[(number + i) % 4] for i in range(3)]
            body = {"game": GAME_NAMES[number % len(GAME_NAMES)], "players": 4, "bots": bots}
            made, _ = await send_json_request(self.port, "POST", "/api/tables/quick", body, self.cookie)
            self.names.append(made["table"])
        await self.connect()
        for client in self.clients:
            client.send_text('{"t":"leave"}')

    async def connect(self) -> None:
        for name in self.names:
            client = WebSocketClient()
            await client.open_websocket(self.port, f"/ws/tables/{name}", self.cookie, self.receive)
            self.clients.append(client)

    def receive(self, text: bytes) -> None:
        self.updates += text.startswith(b'{"t":"update"')

    def disconnect(self) -> None:
        """Disconnect, so that the bots pause."""
        for client in self.clients:
            if client.transport is not None:
                client.transport.close()
        self.clients = []


async def measure_window(load: LoadGenerator, seconds: float) -> list[float]:
    """The times of the choices at the people's table in milliseconds until all have received them; a new table when it
    is over."""
    load.latencies = []
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        for table in load.loaded:
            load.send_choice(table)
        await asyncio.sleep(PAUSE_S)
        if all(table.over for table in load.loaded):
            load.loaded = []
            await load.connect_seats()
    return list(load.latencies)


def format_times(times: list[float]) -> str:
    found = sorted(times)
    p99 = found[min(len(found) - 1, int(0.99 * len(found)))]
    return f"{len(found)} choices, median {median(found):.1f} ms, p99 {p99:.1f} ms, longest {found[-1]:.1f} ms"


async def measure(tables: int, seconds: float, rounds: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        process, port = start_server_process(serve, folder, daemon=False)
        try:
            await wait_until_port_answers(port)
            load, crowd = LoadGenerator(port, 1, 1), BotTables(port, tables)
            await load.connect_seats()
            await measure_window(load, 2)  # warm-up
            await crowd.sit_down()
            alone: list[float] = []
            beside: list[float] = []
            moves = 0
            for number in range(rounds):
                if number:
                    await crowd.connect()
                await asyncio.sleep(2)
                before = crowd.updates
                beside += await measure_window(load, seconds)
                moves += crowd.updates - before
                crowd.disconnect()
                await asyncio.sleep(4)  # let running bot requests finish
                alone += await measure_window(load, seconds)
            print(f"alone: {format_times(alone)}")
            theirs = f"{moves / rounds / seconds:.0f} choices of theirs a second"
            print(f"beside {tables} tables of bots, {theirs}: {format_times(beside)}")
        finally:
            process.terminate()
            process.join(20)
            process.kill()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=20, help="how long each window is")
    parser.add_argument("--rounds", type=int, default=3, help="how often quiet and busy take turns")
    args = parser.parse_args()
    asyncio.run(measure(args.tables, args.seconds, args.rounds))


if __name__ == "__main__":
    main()

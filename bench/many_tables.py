"""Many tables at once: `python -m bench.many_tables [--tables 2000] [--seconds 600] [--rate 200]`.

One server process on SQLite, four people at each table, each with a socket. Choices come at a fixed rate, evenly spread
over the tables. Measured are the latency, from a choice sent to the last of four people informed, for each minute, and
the server's memory: for each socket (spectators are added at the end) and for each table, without its sockets.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from typing import Final

from landfall.web.bench.load_test import (
    SEATS_PER_TABLE,
    LoadGenerator,
    process_cpu_and_memory,
    run_landfall_server,
    start_server_process,
)
from landfall.web.bench.load_test import wait_until_port_answers as wait_for_server
from landfall.web.bench.websocket_client import WebSocketClient, send_json_request

WINDOW_S: Final = 60.0


async def add_spectators(load: LoadGenerator) -> list[WebSocketClient]:
    """One more socket at each table."""
    _, cookie = await send_json_request(load.port, "POST", "/api/me", {"name": "Spectator"})
    found = []
    for table in load.loaded:
        client = WebSocketClient()
        await client.open_websocket(load.port, f"/ws/tables/{table.name}", cookie, lambda text: None)
        found.append(client)
    await asyncio.sleep(2)
    return found


async def measure(tables: int, seconds: float, rate: float) -> None:
    with tempfile.TemporaryDirectory() as folder:
        process, port = start_server_process(run_landfall_server, folder)
        pid = process.pid or 0
        try:
            await wait_for_server(port)
            await send_json_request(port, "GET", "/api/games", {})
            empty = process_cpu_and_memory(pid)[1]
            load = LoadGenerator(port, tables, 1)
            begun = time.perf_counter()
            await load.connect_seats()
            sockets = tables * SEATS_PER_TABLE
            rss = process_cpu_and_memory(pid)[1]
            print(f"{tables} tables, {sockets} sockets, made in {time.perf_counter() - begun:.0f} s, {rss >> 20} MB")
            latencies: list[float] = []
            for number in range(max(1, round(seconds / WINDOW_S))):
                result = await load.run_load(min(seconds, WINDOW_S), pid, rate=rate)
                latencies += result.latencies
                p50, p99 = result.latency_percentile_ms(0.5), result.latency_percentile_ms(0.99)
                print(
                    f"{number + 1}: {result.moves / result.seconds:.0f} choices/s, p50 {p50:.1f} ms, p99 {p99:.1f} ms, "
                    f"longest {max(result.latencies):.0f} ms, {result.cpu / result.seconds:.0%} of a core, "
                    f"{result.rss >> 20} MB",
                    flush=True,
                )
            latencies.sort()
            p99, moves = latencies[int(0.99 * len(latencies))], len(latencies)
            print(f"all: {moves} choices, p50 {latencies[moves // 2]:.1f} ms, p99 {p99:.1f} ms")
            before = process_cpu_and_memory(pid)[1]
            spectators = await add_spectators(load)
            after = process_cpu_and_memory(pid)[1]
            socket = (after - before) / len(spectators)
            table = (rss - empty - sockets * socket) / tables
            sizes = f"a socket {socket / 1024:.0f} kB; a table without sockets {table / 1024:.0f} kB"
            print(f"empty {empty >> 20} MB; {sizes}")
        finally:
            process.kill()
            process.join()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=2000)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--rate", type=float, default=200.0, help="choices a second, at all tables together")
    given = parser.parse_args()
    asyncio.run(measure(given.tables, given.seconds, given.rate))


if __name__ == "__main__":
    main()

"""Processor time per message of a server without sockets: `python -m bench.message_floor [--tables 250]`.

The same hub, store and encoder as a server's: it decodes a command, decides, writes to SQLite, and encodes what each of
four seats receives. The seats are in this process. The difference to `bench.server_cpu` is what sockets cost. Choosing
an action for the load is part of the figure, and takes some microseconds a choice.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import random
import tempfile
import time
from itertools import count
from pathlib import Path
from typing import Final

import msgspec
import uvloop

from landfall.api.message_codec import decode_command, encode_message
from landfall.core.state import CHANCE, OVER
from landfall.games import GAME_NAMES
from landfall.store.store import make_store_for_setting
from landfall.tables.live.hub import Hub, TableConfig
from landfall.tables.live.subscriber import Subscriber, User
from landfall.tables.protocol import commands as cmd
from landfall.tables.runtime_dependencies import Runtime

SEATS: Final = 4
WARM_UP_S: Final = 2.0


class Load:
    """Tables whose seats are in this process."""

    def __init__(self, hub: Hub, seed: int) -> None:
        self.hub = hub
        self.rng = random.Random(seed)
        self.tables: list[list[Subscriber]] = []
        self.messages = self.sent_bytes = 0
        self.ids = count(1)

    def receive(self, text: str) -> None:
        self.messages += 1
        self.sent_bytes += len(text)

    async def seat_players(self, number: int) -> None:
        """A table of four people, begun."""
        users = [User(f"user-{seat}", f"P{seat}") for seat in range(SEATS)]
        game = GAME_NAMES[number % len(GAME_NAMES)]
        table = await self.hub.create_table(users[0], TableConfig(game, SEATS, seating="as_sat"))
        for seat, user in enumerate(users[1:], 1):
            await self.hub.execute_command(table, user, cmd.Sit(chair=seat))
        await self.hub.execute_command(table, users[0], cmd.Start())
        self.tables.append([await self.hub.subscribe_to_table(table, user, self.receive) for user in users])

    def choose(self, seats: list[Subscriber]) -> None:
        """One random choice of whoever is to choose."""
        table = seats[0].live.table
        if table.match is None or table.match.state.actor in (CHANCE, OVER):
            return
        state = table.match.state
        action = self.rng.choice(state.legal_actions())
        order = {"t": "play", "version": table.version, "id": f"p{next(self.ids)}", "action": action}
        self.messages += 1
        self.hub.command_handler.handle_command(seats[state.actor], decode_command(msgspec.json.encode(order)))

    async def run(self, seconds: float) -> float:
        """One choice a second at each table. Returns the processor time per message, in microseconds."""
        self.messages, begun, before = 0, time.perf_counter(), time.process_time()
        step, number = 1 / len(self.tables), 0
        while (now := time.perf_counter()) < begun + seconds:
            while begun + number * step <= now:
                self.choose(self.tables[number % len(self.tables)])
                number += 1
            await asyncio.sleep(0.001)
        return (time.process_time() - before) / max(1, self.messages) * 1e6


async def measure(tables: int, seconds: float) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = make_store_for_setting(str(Path(folder) / "bench.db"))
        await store.database.open_and_migrate()
        hub = Hub(store, runtime=Runtime(answer_hold_ms=0, bot_pace_ms=0, encode=encode_message))
        load = Load(hub, 1)
        for number in range(tables):
            await load.seat_players(number)
        gc.collect()  # as a server's process does
        gc.freeze()
        gc.set_threshold(50_000, 20, 20)
        await load.run(WARM_UP_S)
        found = await load.run(seconds)
        print(f"{found:.1f} µs a message, {load.messages / seconds:.0f} messages/s, {tables} tables, without sockets")
        await hub.shut_down()
        await store.database.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=250)
    parser.add_argument("--seconds", type=float, default=20.0)
    given = parser.parse_args()
    uvloop.run(measure(given.tables, given.seconds))


if __name__ == "__main__":
    main()

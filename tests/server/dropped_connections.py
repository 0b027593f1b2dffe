"""Connections cut during play: no choice lost or doubled, and who comes back sees what one sees who stayed."""

from __future__ import annotations

import asyncio
import random
from typing import Any

from landfall.store.events import Played
from tests.server.real_server import ConnectionClosed, Line, Player, ServerProcess
from tests.server.whole_games import read_stored_log

GAMES = ("survive", "atlantis", "atlandice")


async def drop_connections_often(server: ServerProcess, drops: int, seed: int, game: str) -> dict[str, int]:
    """Two people play; each has a socket that is cut again and again, and one that stays and only watches."""
    rng = random.Random(seed)
    done = choices = tables = 0
    while done < drops:
        tables += 1
        pair = [await Player(server.url, name).come() for name in ("Ana", "Boris")]
        table = (await pair[0].post("/api/tables", game=game, players=2))["table"]
        shaky = [await Line(one, table).open() for one in pair]
        await shaky[1].ask(t="sit", chair=1)
        await shaky[0].send(t="start")
        steady = [await Line(one, table).open() for one in pair]
        acked: dict[str, int] = {}
        results = await asyncio.gather(*(choose_and_drop(line, rng, acked, drops - done) for line in shaky))
        done += sum(results)
        for line in steady:
            while not line.over or (line.n or 0) < max(s.n or 0 for s in shaky):
                await line.receive()
        for a, b in zip(shaky, steady):
            await a.open()
            assert a.view == b.view
            assert (a.version, a.news["status"]) == (b.version, b.news["status"])
            assert [e["kind"] for e in a.events[-50:]] == [e["kind"] for e in b.events[-50:]]
            assert a.base + len(a.events) == b.base + len(b.events)
        entries = await read_stored_log(server.settings["database"], table)
        ids = [str(e.event.id).partition(".")[2] for e in entries if isinstance(e.event, Played)]
        assert len(ids) == len(set(ids))
        assert set(acked) == set(ids), "every choice on disk was acknowledged once, and none else is there"
        choices += len(ids)
        for line in (*shaky, *steady):
            await line.close()
        for one in pair:
            await one.close()
    return {"drops": done, "choices": choices, "tables": tables}


async def choose_and_drop(line: Line, rng: random.Random, acked: dict[str, int], most: int) -> int:
    """Choose at random; cut the line every few messages, come back, send again what was not acknowledged."""
    pending: dict[str, Any] | None = None
    drops = number = 0
    name = line.player.name
    while not line.over:
        try:
            if pending is None and line.choices:
                number += 1
                pending = {"t": "play", "version": line.version, "id": f"{name}{number}"}
                pending["action"] = rng.choice(line.choices)["action"]
                await line.send(**pending)
            if drops < most and rng.random() < 0.25:
                drops += 1
                line.cut_connection()
            message = await line.receive()
            if message["t"] == "ack":
                assert pending is not None
                assert message["id"] == pending["id"]
                acked[message["id"]] = message["n"]
                pending = None
            elif message["t"] == "refused":
                raise AssertionError(message)
        except (ConnectionClosed, OSError):
            await line.open()
            if pending is not None:
                await line.send(**pending)
    while pending is not None:  # its own last choice ended the match: the acknowledgement may have been lost
        try:
            await line.send(**pending)
            message = await line.until("ack")
            acked[message["id"]] = message["n"]
            pending = None
        except (ConnectionClosed, OSError):
            await line.open()
    return drops

"""Many clients send the same choice at once: one wins, the rest are told that they are late."""

from __future__ import annotations

import asyncio

from tests.server.real_server import Line, Player, ServerProcess


async def race_choices(servers: list[ServerProcess], clients: int, rounds: int) -> dict[str, int]:
    """One seat, many sockets over all servers; each round all send a choice for the same version."""
    ana = await Player(servers[0].url, "Ana").come()
    table = (await ana.post("/api/tables/quick", game="atlandice", players=2, bots=["random"], seating="as_sat"))[
        "table"
    ]
    lines = [await Line(ana, table, servers[i % len(servers)].url).open() for i in range(clients)]
    won = late = 0
    for number in range(rounds):
        while not lines[0].choices:
            await lines[0].receive()
        version, action = lines[0].version, lines[0].choices[0]["action"]
        for line in lines:
            line.choices = []
        message = {"t": "play", "version": version, "action": action}
        await asyncio.gather(*(line.send(**message, id=f"r{number}-{i}") for i, line in enumerate(lines)))
        answers = await asyncio.gather(*(line.until("ack", "refused") for line in lines))
        acks = [a for a in answers if a["t"] == "ack"]
        assert len(acks) == 1, f"{len(acks)} won"
        assert all(a["code"] == "stale" for a in answers if a["t"] == "refused"), answers
        won += 1
        late += len(answers) - 1
        if lines[0].over:
            break
    for line in lines:
        await line.close()
    await ana.close()
    return {"races": won, "late": late}

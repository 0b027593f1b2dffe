"""Random and mutated socket messages: the server stays up, answers, and nothing changes where nothing may."""

from __future__ import annotations

import json
import random
from typing import Any

from landfall.api.message_codec import DECODE_ERRORS, decode_command
from landfall.tables.protocol import commands as cmd
from landfall.tables.protocol.commands import AnyCommand
from tests.server.real_server import ConnectionClosed, Line, Player, ServerProcess
from tests.server.whole_games import read_stored_log

KINDS = [kind.__name__.lower() for kind in AnyCommand.__args__]
FIELDS = ("version", "id", "action", "text", "chair", "name", "code", "colour", "seat", "what", "yes", "who", "on",
          "piece", "place", "since", "turn", "nonsense")  # fmt: skip
VALUES: list[Any] = [
    None, True, False, 0, 1, -1, 3, 7, 8, 2**31, 2**63, -(2**70), 1.5, 1e308, "", "x", "red", "G6", "abandon", "random",
    "<script>alert(1)</script>", "\u0000", "\ud7ff", "Ω" * 600, "../../etc/passwd", "x.py:Bot", [], [1], {}, {"a": 1},
]  # fmt: skip


def random_message(rng: random.Random, version: int) -> str | bytes:
    """Something a client should not send, or only just."""
    way = rng.randrange(6)
    if way == 0:
        return bytes(rng.randrange(256) for _ in range(rng.randrange(80)))
    if way == 1:
        return "".join(
            chr(rng.choice((rng.randrange(32, 127), rng.randrange(0xD7FF)))) for _ in range(rng.randrange(90))
        )
    message: dict[str, Any] = {"t": rng.choice([*KINDS, "nothing", 3, None])}
    for field in rng.sample(FIELDS, rng.randrange(6)):
        message[field] = rng.choice(VALUES)
    if way == 2:
        message["version"], message["id"] = version, "f"
    text = json.dumps(message)
    if way == 3 and text:  # cut or changed somewhere
        at = rng.randrange(len(text))
        return text[:at] + rng.choice(["", "\\", "{", '"', "\u2028"]) + text[at + 1 :]
    return text * rng.choice((1, 1, 1, 2)) if way == 4 else text


def is_invalid_or_harmless(text: str | bytes) -> bool:
    """Whether a message, by chance, is a right one of those that may change a table (used where they must not)."""
    try:
        command = decode_command(text)
    except DECODE_ERRORS:
        return True
    return isinstance(command, cmd.Ping | cmd.Explain | cmd.Events | cmd.Viewpoint | cmd.Play | cmd.Undo)


async def send_random_messages(server: ServerProcess, count: int, seed: int) -> dict[str, int]:
    """From a stranger, a named spectator, and a seat whose version is old: no change. From the owner: no crash."""
    rng = random.Random(seed)
    ana, boris, spy = [await Player(server.url, name).come() for name in ("Fuzz Ana", "Fuzz Boris", "Fuzz Spy")]
    table = (await ana.post("/api/tables", game="survive", players=2))["table"]
    owner, other = await Line(ana, table).open(), await Line(boris, table).open()
    await other.ask(t="sit", chair=1)
    await owner.send(t="start")
    await owner.until("welcome")
    lines = [await Line(Player(server.url, "nobody"), table).open(), await Line(spy, table).open(), other]
    before = await read_stored_log(server.settings["database"], table)
    sent = closed = 0
    for number in range(count):
        line = lines[number % len(lines)]
        message = random_message(rng, version=0)
        if line is not lines[0] and not is_invalid_or_harmless(message):
            continue  # a seat's own right to leave or resign, a spectator's to chat
        sent += 1
        try:
            assert line.socket is not None
            await line.socket.send(message)
            if number % 50 == 0:
                await line.ask(t="ping")
        except ConnectionClosed:
            closed += 1
            await line.open()
    for line in lines:
        try:
            await line.ask(t="ping")
        except ConnectionClosed:
            closed += 1
            await line.open()
    assert await read_stored_log(server.settings["database"], table) == before, (
        "somebody without the right changed the table"
    )
    for _ in range(count // 4):  # whoever owns the table may do what it likes to it, but not to the server
        sent += 1
        try:
            assert owner.socket is not None
            await owner.socket.send(random_message(rng, owner.version))
        except ConnectionClosed:
            closed += 1
            await owner.open()
    answer = await ana.http.get("/healthz")
    assert answer.status_code == 200
    fresh = await ana.post("/api/tables/quick", game="atlandice", players=2, bots=["random"])
    last = await Line(ana, fresh["table"]).open()
    assert (await last.ask(t="ping"))["t"] == "pong"
    for line in (*lines, owner, last):
        await line.close()
    for player in (ana, boris, spy):
        await player.close()
    return {"messages": sent, "connections closed": closed}

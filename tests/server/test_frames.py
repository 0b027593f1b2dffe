"""What comes in on a socket, however it is cut: whole texts at once, all else as the framework reads it."""

from __future__ import annotations

import asyncio
import random
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.real_server import Player, ServerProcess
from tests.server.unread_sockets import Deaf, finished_record, masked_text_frame

PING = '{"t":"ping"}'
MASK = b"\x17\x2a\xf0\x01"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(str(Path(tmp_path_factory.mktemp("frames")) / "f.db"), bot_workers=0) as running:
        yield running


def piece(data: bytes, opcode: int, fin: bool) -> bytes:
    """A client's frame, masked."""
    size = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + struct.pack(">H", len(data))
    return bytes([opcode | (0x80 if fin else 0)]) + size + MASK + bytes(b ^ MASK[i % 4] for i, b in enumerate(data))


def shapes(rng: random.Random) -> tuple[bytes, int]:
    """Bytes on the wire, and how many answers they ask for."""
    text = PING.encode()
    kind = rng.randrange(6)
    if kind == 0:
        return piece(text, 1, True), 1
    if kind == 1:  # a length in two bytes
        return piece(b" " * 200 + text, 1, True), 1
    if kind == 2:  # in several frames, with a ping of the protocol's between them
        cut = rng.randrange(len(text))
        return piece(text[:cut], 1, False) + piece(b"x", 9, True) + piece(text[cut:], 0, True), 1
    if kind == 3:
        return piece(text, 2, True), 1  # as bytes
    if kind == 4:
        return piece(b"", 10, True), 0  # a pong nobody asked for
    return masked_text_frame(PING) * 3, 3


def answers(server: ServerProcess, table: str, data: bytes, cuts: list[int], count: int) -> list[str]:
    """What is answered to bytes that come in pieces."""
    raw = Deaf(server, table)
    received = [m["t"] for m in raw.listen(lambda m: m["t"] == "welcome")]
    raw.socket.settimeout(20)
    for a, b in zip([0, *cuts], [*cuts, len(data)]):
        raw.socket.sendall(data[a:b])
    while received.count("pong") < count:
        more = raw.listen(lambda m: True)
        received += [m["t"] for m in more]
    raw.close()
    return received


def test_frames_are_heard_however_they_are_cut(server: ServerProcess) -> None:
    async def table() -> str:
        ana = await Player(server.url, "Ana").come()
        made: str = (await ana.post("/api/tables/open", record=finished_record()))["table"]
        await ana.close()
        return made

    name = asyncio.run(table())
    for seed in range(12):
        rng = random.Random(seed)
        parts = [shapes(rng) for _ in range(rng.randrange(2, 12))] + [(piece(PING.encode(), 1, True), 1)]
        data, count = b"".join(p for p, _ in parts), sum(n for _, n in parts)
        cuts = sorted(rng.sample(range(1, len(data)), min(len(data) - 1, rng.randrange(12))))
        received = answers(server, name, data, cuts, count)
        assert received.count("pong") == count, f"seed {seed}"
        assert "refused" not in received, f"seed {seed}"


@pytest.mark.parametrize(
    "wrong", [b"\x81\x02hi" + bytes(8), b"\x81\xff" + (1 << 40).to_bytes(8) + bytes(4), b"\xf1\x80" + bytes(8)]
)
def test_what_is_no_frame_of_a_client_ends_the_connection(server: ServerProcess, wrong: bytes) -> None:
    """Not masked; longer than any message may be; with bits that mean nothing."""

    async def table() -> str:
        ana = await Player(server.url, "Ana").come()
        made: str = (await ana.post("/api/tables/open", record=finished_record()))["table"]
        await ana.close()
        return made

    raw = Deaf(server, asyncio.run(table()))
    raw.listen(lambda m: m["t"] == "welcome")
    raw.socket.settimeout(20)
    raw.socket.sendall(masked_text_frame(PING) + wrong)
    with pytest.raises(AssertionError, match="cut it off"):
        raw.listen(lambda m: m["t"] == "never")
    raw.close()

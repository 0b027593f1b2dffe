"""Sockets that ask and do not read: what a server keeps for them."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import socket
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

from landfall.core.rng import Rng
from landfall.match import Match
from tests.server.real_server import Player, ServerProcess

LOOK = '{"t": "viewpoint","seat":%d}'
EVENTS = '{"t":"events","since":0}'


def resident_memory_bytes(pid: int) -> int:
    """A process's resident memory in bytes (Linux)."""
    fields = Path(f"/proc/{pid}/statm").read_text().split()
    return int(fields[1]) * os.sysconf("SC_PAGESIZE")


def masked_text_frame(text: str) -> bytes:
    """A client's text message, masked with nothing."""
    data = text.encode()
    size = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + struct.pack(">H", len(data))
    return b"\x81" + size + bytes(4) + data


class Deaf:
    """A WebSocket that is not read from until one listens."""

    def __init__(self, server: ServerProcess, table: str, cookie: str = "") -> None:
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.socket.connect(("127.0.0.1", server.settings["port"]))
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [f"GET /ws/tables/{table} HTTP/1.1", "Host: x", "Upgrade: websocket", "Connection: Upgrade"]
        lines += [f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", f"Cookie: {cookie}"]
        self.socket.sendall("\r\n".join([*lines, "", ""]).encode())
        self.socket.setblocking(False)
        self.left = b""
        self.received = b""

    def ask(self, text: str) -> None:
        """Send what can be sent now."""
        self.left += masked_text_frame(text)
        try:
            self.left = self.left[self.socket.send(self.left) :]
        except BlockingIOError:
            return
        except OSError:  # shut out
            self.left = b""

    def listen(self, until: Callable[[dict[str, Any]], bool]) -> list[dict[str, Any]]:
        """Read after all, up to a certain message."""
        self.socket.settimeout(60)
        found: list[dict[str, Any]] = []
        while not any(map(until, found)):
            data = self.socket.recv(1 << 16)
            assert data, "the server has cut it off"
            more, self.received = parse_frames(self.received + data)
            found += more
        self.socket.setblocking(False)
        return found

    def close(self) -> None:
        self.socket.close()


def parse_frames(data: bytes) -> tuple[list[dict[str, Any]], bytes]:
    """The messages of a server's frames, and what is left of an unfinished one."""
    if data.startswith(b"HTTP/"):
        data = data.partition(b"\r\n\r\n")[2]
    found = []
    while len(data) >= 10:
        size, start = data[1], 2
        if size == 126:
            size, start = struct.unpack_from(">H", data, 2)[0], 4
        elif size == 127:
            size, start = struct.unpack_from(">Q", data, 2)[0], 10
        if len(data) < start + size:
            break
        if data[0] == 0x81:
            found.append(json.loads(data[start : start + size]))
        data = data[start + size :]
    return found, data


def finished_record(name: str = "") -> str:
    """The record of a whole match, its first player called so."""
    match, rng = Match("survive", players=4, seed=2), Rng(2)
    match.seats = [name or "Ana", "Boris", "Chen", "Dora"]
    while choices := match.legal_actions():
        match.play(choices[int(rng.randbelow(len(choices)))])
    return match.record()


async def attack_with_unread_sockets(
    server: ServerProcess, sockets: int, asks: int, name: str = "", what: str = LOOK
) -> dict[str, int]:
    """So many sockets that ask so often and never read: the server's memory before, and the most it grew to."""
    assert server.process is not None
    pid = server.process.pid or 0
    ana = await Player(server.url, "Ana").come()
    answer = await ana.http.post("/api/tables/open", json={"record": finished_record(name)})
    if answer.status_code != 201:  # a name of that length is refused
        answer = await ana.http.post("/api/tables/open", json={"record": finished_record()})
    table = answer.json()["table"]
    before = most = resident_memory_bytes(pid)
    deaf = [Deaf(server, table, ana.cookie) for _ in range(sockets)]
    await asyncio.sleep(0.3)
    for number in range(asks):
        for one in deaf:
            one.ask(what % (number % 4) if "%" in what else what)
        await asyncio.sleep(0.005)
        most = max(most, resident_memory_bytes(pid))
    answered: dict[str, Any] = (await ana.http.get(f"/api/tables/{table}")).json()
    assert answered["t"] == "welcome"
    for _ in range(20):
        await asyncio.sleep(0.05)
        most = max(most, resident_memory_bytes(pid))
    for one in deaf:
        one.close()
    await ana.close()
    return {"before": before, "most": most}

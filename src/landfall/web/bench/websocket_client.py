"""A minimal client of the server: one HTTP request, or one WebSocket. For the load generator."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import struct
from collections.abc import Callable
from typing import Any


async def send_json_request(
    port: int, method: str, path: str, body: dict[str, Any], cookie: str = ""
) -> tuple[dict[str, Any], str]:
    """Send one request to this machine. Returns the response's JSON, and the cookie it sets."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    content = json.dumps(body).encode()
    summary = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", "Connection: close"]
    summary += ["Content-Type: application/json", f"Content-Length: {len(content)}"]
    summary += [f"Cookie: {cookie}"] if cookie else []
    writer.write("\r\n".join([*summary, "", ""]).encode() + content)
    answer = await reader.read()
    writer.close()
    await writer.wait_closed()
    headers, _, payload = answer.partition(b"\r\n\r\n")
    lines = headers.decode("latin-1").split("\r\n")
    if lines[0].split()[1][0] != "2":
        raise ConnectionError(f"{method} {path}: {lines[0]} {payload[:200]!r}")
    found = next((line.partition(": ")[2] for line in lines if line.lower().startswith("set-cookie: ")), "")
    return json.loads(payload), found.partition(";")[0]


class WebSocketClient(asyncio.Protocol):
    """A WebSocket: uncompressed text messages both ways, answers pings."""

    def __init__(self) -> None:
        self.buffer = b""
        self.ready = False
        self.on_message: Callable[[bytes], None] = lambda text: None
        self.transport: asyncio.Transport | None = None
        self.opened: asyncio.Future[None] | None = None

    async def open_websocket(self, port: int, path: str, cookie: str, on_message: Callable[[bytes], None]) -> None:
        """Connect; `on_message` is called with every message."""
        self.on_message = on_message
        loop = asyncio.get_running_loop()
        self.opened = loop.create_future()
        transport, _ = await loop.create_connection(lambda: self, "127.0.0.1", port)
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", "Upgrade: websocket", "Connection: Upgrade"]
        lines += [f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13"]
        lines += [f"Cookie: {cookie}"] if cookie else []
        transport.write("\r\n".join([*lines, "", ""]).encode())
        self.transport = transport
        await self.opened

    def send_text(self, text: str) -> None:
        """One message."""
        self.write_masked_frame(0x1, text.encode())

    def write_masked_frame(self, opcode: int, data: bytes) -> None:
        if self.transport is None:
            return
        size = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + struct.pack(">H", len(data))
        mask = os.urandom(4)
        masked = bytes(b ^ mask[i & 3] for i, b in enumerate(data))
        self.transport.write(bytes([0x80 | opcode]) + size + mask + masked)

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        if not self.ready:
            summary, end, rest = self.buffer.partition(b"\r\n\r\n")
            if not end:
                return
            if b" 101 " not in summary.split(b"\r\n")[0]:
                raise ConnectionError(summary.decode("latin-1"))
            self.ready, self.buffer = True, rest
            if self.opened is not None:
                self.opened.set_result(None)
        self.handle_complete_frames()

    def handle_complete_frames(self) -> None:
        """Handle every complete frame in the buffer."""
        at, buffer = 0, self.buffer
        while len(buffer) - at >= 2:
            size, start = buffer[at + 1] & 0x7F, at + 2
            if size == 126:
                if len(buffer) - at < 4:
                    break
                size, start = struct.unpack_from(">H", buffer, at + 2)[0], at + 4
            elif size == 127:
                if len(buffer) - at < 10:
                    break
                size, start = struct.unpack_from(">Q", buffer, at + 2)[0], at + 10
            if len(buffer) < start + size:
                break
            opcode, data = buffer[at] & 0x0F, buffer[start : start + size]
            at = start + size
            if opcode == 0x1:
                self.on_message(data)
            elif opcode == 0x9:
                self.write_masked_frame(0xA, data)
        self.buffer = buffer[at:]

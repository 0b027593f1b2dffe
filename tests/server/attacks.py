"""Attacks on frames and connections, each a bounded function: `attack(url, seconds, ...) -> Report`.

They come from `source`, another loopback address than an honest player's 127.0.0.1, so that limits by address can tell
the two apart. `python -m tests.server.attacks NAME URL SECONDS` runs one in a process of its own, as
`run_attack_beside` does.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from http.client import HTTPConnection, HTTPException
from typing import Any
from urllib.parse import urlsplit

SOURCE = "127.0.0.2"
PING, PONG, CONTINUATION, TEXT = 9, 10, 0, 1
BLOCK_BYTES = 16 * 1024  # written at once by a flood
FLOOD_BYTES_S = 726_000  # a second and socket: what one guest was seen to stop a server with


@dataclass
class Report:
    """What an attack achieved."""

    opened: int = 0  # connections the server took
    refused: int = 0  # connections it did not take, or answered with an error
    cut: int = 0  # connections it ended before the attack was over
    sent_bytes: int = 0
    received_bytes: int = 0
    close_codes: list[int] = field(default_factory=list)  # of WebSockets it ended with a close frame
    longest_held_s: float = 0.0  # how long a connection lasted at most

    def add(self, other: Report) -> None:
        """Take in what another part of the attack achieved."""
        for name in ("opened", "refused", "cut", "sent_bytes", "received_bytes", "close_codes"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.longest_held_s = max(self.longest_held_s, other.longest_held_s)


def connect_from_source(
    url: str, source: str = SOURCE, receive_buffer: int | None = None, timeout: float = 5.0
) -> socket.socket:
    """A TCP connection from `source`; `receive_buffer` in bytes, small for a client that does not read."""
    parts = urlsplit(url)
    made = socket.socket()
    try:
        if receive_buffer is not None:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        made.settimeout(timeout)
        made.bind((source, 0))
        made.connect((parts.hostname or "127.0.0.1", parts.port or 80))
    except OSError:
        made.close()
        raise
    return made


def request_json_and_cookie(
    url: str, method: str, path: str, body: dict[str, Any], source: str, cookie: str = ""
) -> tuple[Any, str]:
    """One REST request from `source`: the JSON of the answer, and the cookie it sets."""
    parts = urlsplit(url)
    asking = HTTPConnection(parts.hostname or "", parts.port, timeout=30, source_address=(source, 0))
    try:
        headers = {"Content-Type": "application/json"} | ({"Cookie": cookie} if cookie else {})
        asking.request(method, path, json.dumps(body), headers)
        answer = asking.getresponse()
        found = json.loads(answer.read())
        if answer.status >= 300:
            raise HTTPException(f"{method} {path}: {answer.status} {found}")
        return found, (answer.getheader("Set-Cookie") or "").partition(";")[0]
    finally:
        asking.close()


def make_table(url: str, source: str = SOURCE) -> tuple[str, str]:
    """A guest's table: its id, and the guest's cookie."""
    _, cookie = request_json_and_cookie(url, "POST", "/api/me", {"name": "Mallory"}, source)
    made, _ = request_json_and_cookie(url, "POST", "/api/tables", {"game": "atlandice", "players": 2}, source, cookie)
    return str(made["table"]), cookie


def open_websocket(
    url: str, table: str, cookie: str = "", source: str = SOURCE, receive_buffer: int | None = None
) -> socket.socket | None:
    """A WebSocket at a table, as a plain socket; None if the server refuses it."""
    try:
        made = connect_from_source(url, source, receive_buffer)
    except OSError:
        return None
    key = base64.b64encode(os.urandom(16)).decode()
    lines = [f"GET /ws/tables/{table} HTTP/1.1", "Host: x", "Upgrade: websocket", "Connection: Upgrade"]
    lines += [f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", f"Cookie: {cookie}"]
    try:
        made.sendall("\r\n".join([*lines, "", ""]).encode())
        answer = b""
        while b"\r\n\r\n" not in answer:
            data = made.recv(1 if len(answer) < 12 else 4096)
            if not data:
                break
            answer += data
    except OSError:
        answer = b""
    if not answer.startswith(b"HTTP/1.1 101"):
        made.close()
        return None
    return made


def masked_frame(opcode: int, data: bytes = b"", fin: bool = True) -> bytes:
    """A client's frame, masked with zeros."""
    size = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + struct.pack(">H", len(data))
    return bytes([opcode | (0x80 if fin else 0)]) + size + bytes(4) + data


def parse_close_code(data: bytes) -> int | None:
    """The code of the close frame that ends what a server sent, if one does."""
    at = data.rfind(b"\x88", max(0, len(data) - 127))
    return int.from_bytes(data[at + 2 : at + 4]) if at >= 0 and len(data) >= at + 4 else None


# --- frames ---------------------------------------------------------------------------------------------------


@dataclass
class Flooder:
    """One WebSocket that sends a block of frames again and again."""

    url: str
    socket: socket.socket
    block: bytes
    reads: bool
    begun: float = field(default_factory=time.monotonic)
    report: Report = field(default_factory=lambda: Report(opened=1))
    left: bytes = b""
    tail: bytes = b""  # the last bytes received
    open: bool = True

    def step(self, bytes_s: float) -> None:
        """Send what the pace allows and the server takes; read what is there."""
        due = (time.monotonic() - self.begun) * bytes_s - self.report.sent_bytes
        try:
            while due > 0:
                self.left = self.left or self.block
                sent = self.socket.send(self.left)
                self.report.sent_bytes += sent
                self.left = self.left[sent:]
                due -= sent
        except BlockingIOError:
            pass
        except OSError:
            self.finish()
        self.read()

    def read(self) -> None:
        if not self.reads or not self.open:
            return
        with contextlib.suppress(BlockingIOError):
            try:
                while data := self.socket.recv(1 << 16):
                    self.report.received_bytes += len(data)
                    self.tail = (self.tail + data)[-256:]
            except BlockingIOError:
                raise
            except OSError:
                pass
            self.finish()

    def finish(self) -> None:
        """The server has ended it."""
        if not self.open:
            return
        self.open = False
        self.report.cut += 1
        with contextlib.suppress(OSError):  # what it said before
            self.tail = (self.tail + self.socket.recv(1 << 16))[-256:]
        code = parse_close_code(self.tail)
        if code is not None:
            self.report.close_codes.append(code)
        self.report.longest_held_s = time.monotonic() - self.begun
        self.socket.close()


def flood_with_frames(
    url: str,
    seconds: float,
    block: bytes,
    first: bytes = b"",
    sockets: int = 1,
    source: str = SOURCE,
    reads: bool = True,
    bytes_s: float = FLOOD_BYTES_S,
    reconnects: bool = True,
) -> Report:
    """Sockets at one table, each sending `first` once and then blocks of frames; those that are cut come back."""
    table, cookie = make_table(url, source)
    report = Report()
    flooders: list[Flooder] = []
    until = time.monotonic() + seconds
    opened = 0
    while time.monotonic() < until:
        while len(flooders) < sockets and (reconnects or opened < sockets):
            opened += 1
            made = open_websocket(url, table, cookie, source, None if reads else 4096)
            if made is None:
                report.refused += 1
                break
            made.sendall(first)
            made.setblocking(False)
            flooders.append(Flooder(url, made, block, reads))
        for one in flooders:
            one.step(bytes_s)
        for one in [one for one in flooders if not one.open]:
            report.add(one.report)
            flooders.remove(one)
        time.sleep(0.002)
    for one in flooders:
        one.report.longest_held_s = time.monotonic() - one.begun
        report.add(one.report)
        one.socket.close()
    return report


def block_of_frames(one: bytes) -> bytes:
    """A block of equal frames."""
    return one * (BLOCK_BYTES // len(one))


def flood_pings(url: str, seconds: float, sockets: int = 1, source: str = SOURCE) -> Report:
    """Empty pings."""
    return flood_with_frames(url, seconds, block_of_frames(masked_frame(PING)), sockets=sockets, source=source)


def flood_pongs(url: str, seconds: float, sockets: int = 1, source: str = SOURCE) -> Report:
    """Empty pongs that nobody asked for."""
    return flood_with_frames(url, seconds, block_of_frames(masked_frame(PONG)), sockets=sockets, source=source)


def flood_continuations(url: str, seconds: float, sockets: int = 1, source: str = SOURCE) -> Report:
    """One message that never ends: empty continuation frames."""
    block = block_of_frames(masked_frame(CONTINUATION, fin=False))
    return flood_with_frames(url, seconds, block, first=masked_frame(TEXT, fin=False), sockets=sockets, source=source)


def flood_texts(url: str, seconds: float, sockets: int = 1, source: str = SOURCE) -> Report:
    """Empty text messages."""
    return flood_with_frames(url, seconds, block_of_frames(masked_frame(TEXT)), sockets=sockets, source=source)


def flood_unread_pings(url: str, seconds: float, sockets: int = 4, source: str = SOURCE) -> Report:
    """Pings of 125 bytes whose pongs are never read: what does the server keep of them?"""
    block = block_of_frames(masked_frame(PING, bytes(125)))
    return flood_with_frames(url, seconds, block, sockets=sockets, source=source, reads=False, bytes_s=20_000_000)


# --- connections ----------------------------------------------------------------------------------------------


def hold_idle_connections(
    url: str, seconds: float, count: int, say: bytes, source: str, a_second: float, per_source: int, small: bool
) -> Report:
    """Connections that say something once and then neither write nor read; those that are cut come back."""
    report = Report()
    begun_at: dict[socket.socket, float] = {}
    begun = time.monotonic()
    network, _, host = source.rpartition(".")
    tried = 0
    while (now := time.monotonic()) < begun + seconds:
        while len(begun_at) < count and tried < (now - begun) * a_second:
            here = f"{network}.{int(host) + (tried // per_source) % 100}" if per_source else source
            tried += 1
            try:
                made = connect_from_source(url, here, 4096 if small else None, 1.0)
                made.sendall(say)
            except OSError:
                report.refused += 1
                continue
            made.setblocking(False)
            begun_at[made] = now
            report.opened += 1
        for one in list(begun_at):
            if is_cut(one, small):
                report.cut += 1
                report.longest_held_s = max(report.longest_held_s, now - begun_at.pop(one))
                one.close()
        time.sleep(0.05)
    for one, since in begun_at.items():
        report.longest_held_s = max(report.longest_held_s, time.monotonic() - since)
        one.close()
    return report


def is_cut(one: socket.socket, small: bool) -> bool:
    """Whether the other side has ended a connection that is not read from."""
    if small:  # unread data is before the end: only a reset shows
        return one.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) != 0 or is_reset(one)
    try:
        return not one.recv(1 << 16)
    except BlockingIOError:
        return False
    except OSError:
        return True


def is_reset(one: socket.socket) -> bool:
    """By the state that Linux tells of a TCP socket: anything but established (1)."""
    return one.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0] != 1


def largest_file(url: str, source: str = SOURCE) -> str:
    """The path of the largest file that the server offers for download."""
    manifest, _ = request_json_and_cookie(url, "GET", "/here/manifest.json", {}, source)
    return "/here/" + str(max(manifest["files"], key=lambda file: file[1])[0])


def hold_unread_downloads(
    url: str, seconds: float, count: int = 500, source: str = SOURCE, path: str = "", a_second: float = 40
) -> Report:
    """Requests of a large static file (`path`; the largest offered, if not given) whose answers are never read."""
    say = f"GET {path or largest_file(url, source)} HTTP/1.1\r\nHost: x\r\n\r\n".encode()
    return hold_idle_connections(url, seconds, count, say, source, a_second, 0, True)


def hold_silent_connections(
    url: str, seconds: float, count: int = 1100, source: str = SOURCE, per_source: int = 0, a_second: float = 1000
) -> Report:
    """Connections that say nothing. `per_source` > 0: so many of each of several addresses."""
    return hold_idle_connections(url, seconds, count, b"", source, a_second, per_source, False)


def open_and_close_websockets(url: str, seconds: float, a_second: float = 250, source: str = SOURCE) -> Report:
    """New WebSockets at that pace, each closed as soon as it is open."""
    table, cookie = make_table(url, source)
    report = Report()
    begun = time.monotonic()
    while (now := time.monotonic()) < begun + seconds:
        if report.opened + report.refused >= (now - begun) * a_second:
            time.sleep(0.001)
            continue
        made = open_websocket(url, table, cookie, source)
        if made is None:
            report.refused += 1
        else:
            report.opened += 1
            made.close()
    return report


# --- the neighbour --------------------------------------------------------------------------------------------


def measure_ping_latencies(url: str, seconds: float, pause_s: float = 0.02, timeout_s: float = 60.0) -> list[float]:
    """An honest player's latencies at a table of their own, in seconds: from a `ping` message sent to its answer."""
    table, cookie = make_table(url, "127.0.0.1")
    made = open_websocket(url, table, cookie, "127.0.0.1")
    assert made is not None
    made.settimeout(timeout_s)
    found: list[float] = []
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        begun = time.monotonic()
        made.sendall(masked_frame(TEXT, b'{"t":"ping"}'))
        data = b""
        while b'"t":"pong"' not in data:
            more = made.recv(1 << 16)
            assert more, "the server has cut off an honest player"
            data = (data + more)[-4096:]
        found.append(time.monotonic() - begun)
        time.sleep(pause_s)
    made.close()
    return found


def measure_page_latencies(url: str, seconds: float, timeout_s: float = 10.0) -> tuple[list[float], int]:
    """An honest visitor's new connections: seconds until each answer to GET /healthz, and how many had none."""
    parts = urlsplit(url)
    found: list[float] = []
    failed = 0
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        begun = time.monotonic()
        asking = HTTPConnection(parts.hostname or "", parts.port, timeout=timeout_s)
        try:
            asking.request("GET", "/healthz")
            asking.getresponse().read()
            found.append(time.monotonic() - begun)
        except (OSError, HTTPException):
            failed += 1
        finally:
            asking.close()
        time.sleep(0.1)
    return found, failed


ATTACKS: dict[str, Callable[[str, float], Report]] = {
    "pings": flood_pings,
    "pongs": flood_pongs,
    "continuations": flood_continuations,
    "texts": flood_texts,
    "unread_pings": flood_unread_pings,
    "unread_downloads": hold_unread_downloads,
    "silent_connections": hold_silent_connections,
    "open_sockets": open_and_close_websockets,
}


class Running:
    """An attack in a process of its own."""

    def __init__(self, name: str, url: str, seconds: float) -> None:
        command = [sys.executable, "-m", "tests.server.attacks", name, url, str(seconds)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.seconds = seconds

    def report(self) -> Report:
        """What it achieved; waits for its end."""
        out, _ = self.process.communicate(timeout=self.seconds + 120)
        assert self.process.returncode == 0
        return Report(**json.loads(out))


@contextlib.contextmanager
def run_attack_beside(name: str, url: str, seconds: float) -> Iterator[Running]:
    """Beside an attack; it is stopped at the end."""
    attack = Running(name, url, seconds)
    try:
        yield attack
    finally:
        if attack.process.poll() is None:
            attack.process.kill()
            attack.process.wait()


if __name__ == "__main__":
    print(json.dumps(asdict(ATTACKS[sys.argv[1]](sys.argv[2], float(sys.argv[3])))))

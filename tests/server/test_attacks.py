"""Floods of frames and of connections from one address: they are limited and cut off, and others go on."""

from __future__ import annotations

import contextlib
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from landfall.web.connection_limits import LOG_INTERVAL_S
from tests.conftest import LONG
from tests.server import attacks
from tests.server.attacks import (
    PING,
    SOURCE,
    connect_from_source,
    make_table,
    masked_frame,
    measure_page_latencies,
    measure_ping_latencies,
    open_websocket,
)
from tests.server.real_server import ServerProcess
from tests.server.unread_sockets import resident_memory_bytes

pytestmark = pytest.mark.once
FILE_BYTES = 30_000_000
RUDE = 4429
FLOODS_BEGAN: dict[str, float] = {}  # by server


@pytest.fixture(scope="module")
def limited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """With the limits that people have."""
    folder = tmp_path_factory.mktemp("limited")
    log = str(folder / "log")
    with ServerProcess(str(folder / "landfall.db"), bot_workers=0, limited=True, log=log) as running:
        yield running


@contextlib.contextmanager
def server(folder: Path, **rates: object) -> Iterator[ServerProcess]:
    """With wide limits but for those given, and a large file to download."""
    (folder / "static").mkdir()
    (folder / "static" / "index.html").write_text("<html><head></head></html>")
    (folder / "static" / "large.bin").write_bytes(bytes(FILE_BYTES))
    told = {"bot_workers": 0, "rates": rates, "static": str(folder / "static"), "log": str(folder / "log")}
    with ServerProcess(str(folder / "landfall.db"), **told) as running:
        yield running


def download(url: str, source: str, headers: str = "", receive_buffer: int = 4096) -> socket.socket:
    """A request of the large file, its answer not yet read."""
    made = connect_from_source(url, source, receive_buffer)
    made.sendall(f"GET /large.bin HTTP/1.1\r\nHost: x\r\n{headers}\r\n".encode())
    return made


def is_refused(url: str, source: str) -> bool:
    """Whether a new connection gets no answer."""
    try:
        with connect_from_source(url, source, timeout=10) as made:
            made.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            return not made.recv(100).startswith(b"HTTP/1.1 200")
    except OSError:
        return True


def ask(made: socket.socket) -> None:
    """A small request on a connection that is kept."""
    made.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
    answer = b""
    while not answer.endswith(b"}"):
        data = made.recv(4096)
        assert data, "it was cut"
        answer += data
    assert answer.startswith(b"HTTP/1.1 200")


# --- frames ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["pings", "pongs", "continuations", "texts"])
def test_who_floods_with_frames_is_cut_off_and_others_hardly_notice(limited: ServerProcess, name: str) -> None:
    began = time.monotonic()
    with ThreadPoolExecutor(1) as pool:
        neighbour = pool.submit(measure_ping_latencies, limited.url, 6, 0.07)
        time.sleep(0.5)
        with attacks.run_attack_beside(name, limited.url, 4) as attack:
            times = neighbour.result()
            report = attack.report()
    assert report.cut >= 2
    assert set(report.close_codes) == {RUDE}
    assert max(times) < 1.0, "an honest player waited"
    logged = Path(limited.settings["log"]).read_text().count("too many frames")
    minutes = (time.monotonic() - FLOODS_BEGAN.setdefault(limited.url, began)) / LOG_INTERVAL_S
    assert 1 <= logged <= 1 + minutes, "it is logged once a minute"


def test_pongs_that_are_not_read_are_not_kept(limited: ServerProcess) -> None:
    assert limited.process is not None
    before = resident_memory_bytes(limited.process.pid or 0)
    with attacks.run_attack_beside("unread_pings", limited.url, 4) as attack:
        report = attack.report()
    assert report.sent_bytes > 1_000_000
    assert resident_memory_bytes(limited.process.pid or 0) - before < 10_000_000


def test_a_ping_is_answered_and_of_many_at_once_the_latest(limited: ServerProcess) -> None:
    table, cookie = make_table(limited.url)
    made = open_websocket(limited.url, table, cookie)
    assert made is not None
    made.sendall(masked_frame(PING, b"one") + masked_frame(PING, b"two") + masked_frame(PING, b"three"))
    data = b""
    while b"\x8a\x05three" not in data:
        data += made.recv(4096)
    made.sendall(masked_frame(PING, b"again"))
    while b"\x8a\x05again" not in data:
        data += made.recv(4096)
    assert data.count(b"\x8a") <= 4
    made.close()


# --- connections ----------------------------------------------------------------------------------------------


def test_a_download_that_is_not_read_is_cut_and_a_slow_one_is_not(tmp_path: Path) -> None:
    with server(tmp_path, write_timeout=2.0) as running:
        unread = [download(running.url, SOURCE) for _ in range(5)]
        slow = download(running.url, "127.0.0.1", receive_buffer=65_536)
        begun, got = time.monotonic(), 0
        while time.monotonic() < begun + 4 or not all(attacks.is_reset(one) for one in unread):
            assert time.monotonic() < begun + LONG, "one that is not read is not cut"
            if got < FILE_BYTES:
                got += len(slow.recv(16_384))
            time.sleep(0.02)
        assert got > 1_000_000
        assert not attacks.is_reset(slow)
        for one in [*unread, slow]:
            one.close()


def test_an_address_has_so_many_connections_and_the_stalest_gives_way(tmp_path: Path) -> None:
    with server(tmp_path, connections_here=20) as running:
        held = [connect_from_source(running.url, SOURCE) for _ in range(20)]
        for one in held:
            ask(one)
        assert is_refused(running.url, SOURCE)
        assert not is_refused(running.url, "127.0.0.3")
        time.sleep(2.2)
        ask(held[0])  # the second is now the one that was used longest ago
        assert not is_refused(running.url, SOURCE)
        assert attacks.is_cut(held[1], False)
        for one in held:
            one.close()


@pytest.mark.parametrize(
    "source", [SOURCE, pytest.param("127.0.0.1", marks=pytest.mark.proof)]
)  # a stranger's address, and a trusted proxy's
def test_silent_connections_do_not_lock_others_out(tmp_path: Path, source: str) -> None:
    with server(tmp_path, connections=60) as running, ThreadPoolExecutor(1) as pool:
        attack = pool.submit(attacks.hold_silent_connections, running.url, 8, 110, source, 0, 100)
        time.sleep(4)
        times, failed = measure_page_latencies(running.url, 3)
        report = attack.result()
        assert report.cut > 20, "silent ones gave way"
        assert not failed
        assert max(times) < 2.0
        assert "waited for their client" in (tmp_path / "log").read_text()


def test_who_says_nothing_is_cut_in_time(tmp_path: Path) -> None:
    with server(tmp_path, header_timeout=1.0) as running:
        report = attacks.hold_silent_connections(running.url, 4, 10)
        assert report.cut >= 10
        assert report.longest_held_s < 3


def test_new_connections_of_an_address_are_throttled(tmp_path: Path) -> None:
    with server(tmp_path, new_connections=(2, 10)) as running:
        answers = [is_refused(running.url, SOURCE) for _ in range(40)]
        assert not any(answers[:10])
        assert answers.count(True) > 15
        assert not is_refused(running.url, "127.0.0.3")
        log = (tmp_path / "log").read_text()
        assert log.count("refused") == 1, "it is logged once a minute"
        assert SOURCE not in log


def test_250_sockets_a_second_are_not_accepted(limited: ServerProcess) -> None:
    report = attacks.open_and_close_websockets(limited.url, 4, 250, "127.0.0.40")
    assert report.opened < 280
    assert report.refused > 100  # of as many as this machine could try


def test_behind_a_proxy_the_forwarded_address_counts(tmp_path: Path) -> None:
    with server(tmp_path, connections_here=5, new_connections=(1, 5), requests_at_once=3) as running:
        held = [download(running.url, "127.0.0.1", "X-Forwarded-For: 203.0.113.7\r\n") for _ in range(3)]
        for one in held:
            assert one.recv(100).startswith(b"HTTP/1.1 200"), "its answer has begun"
        for address, status in (("203.0.113.7", b"429"), ("203.0.113.8", b"200"), ("2001:db8::1", b"200")):
            for _ in range(4):
                with connect_from_source(running.url, "127.0.0.1") as made:
                    made.sendall(f"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: {address}\r\n\r\n".encode())
                    assert made.recv(100).split(b" ")[1] == status
        for one in held:
            one.close()


def test_the_limit_of_open_files_is_raised() -> None:
    code = (
        "import resource; hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1];"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard));"
        "from landfall.web.connection_limits import raise_open_file_limit; found = raise_open_file_limit();"
        "print(found >= min(hard, 1 << 20) and resource.getrlimit(resource.RLIMIT_NOFILE)[0] == hard)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "True", done.stderr


# --- answers and the log --------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [20_000, 240_000])
@pytest.mark.parametrize("name", ["Sec-WebSocket-Key", "Sec-WebSocket-Version", "Cookie", "Upgrade"])
def test_no_error_echoes_a_long_header(limited: ServerProcess, name: str, size: int) -> None:
    headers = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13"}
    headers |= {"Sec-WebSocket-Key": "bad", name: "A" * size}
    lines = ["GET /ws/tables/none HTTP/1.1", "Host: x", *(f"{k}: {v}" for k, v in headers.items()), "", ""]
    with connect_from_source(limited.url, "127.0.0.1", timeout=20) as made:
        with contextlib.suppress(OSError):
            made.sendall("\r\n".join(lines).encode())
        answer = b""
        with contextlib.suppress(OSError):
            while data := made.recv(65_536):
                answer += data
    assert b"AAAA" not in answer
    assert len(answer) < 1_000
    assert size < 32_768 or answer.startswith(b"HTTP/1.1 431 ") or not answer


@pytest.mark.proof
def test_a_client_that_goes_in_the_middle_of_an_answer_leaves_no_trace(tmp_path: Path) -> None:
    with server(tmp_path) as running:
        for path in ("/large.bin", "/large.bin", "/", "/api/games", "/openapi.json"):
            for reads in (True, False):
                made = connect_from_source(running.url, SOURCE, 4096)
                made.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n".encode())
                if reads:
                    made.recv(500)
                made.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # a reset
                made.close()
                time.sleep(0.1)
        assert not is_refused(running.url, SOURCE)
        assert (tmp_path / "log").read_text() == ""

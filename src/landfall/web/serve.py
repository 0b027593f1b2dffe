"""Running the server: one process, or several on one PostgreSQL; a clean end on Ctrl-C or SIGTERM."""

from __future__ import annotations

import asyncio
import gc
import logging.config
import multiprocessing
import socket
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from multiprocessing.connection import Connection
from typing import Any, ClassVar, Final

import uvicorn
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import apply_mask  # type: ignore[attr-defined]
from websockets.http11 import Request

from landfall.core.errors import LandfallError
from landfall.store.where import is_shared, store_for
from landfall.web import logs
from landfall.web.connection import WIRE
from landfall.web.patience import patient
from landfall.web.process import Server
from landfall.web.server import create_app
from landfall.web.settings import Settings, default_bot_workers
from landfall.web.supervisor import HEARTBEAT_S, Heart, Supervisor

SHORTEST: Final = 6  # bytes of a client's frame with nothing in it
WHOLE_TEXT: Final = 0x81  # how a frame begins that is a whole message of text
BUFFER: Final = 16 * 1024  # bytes written to a socket and not yet taken by the system, from which on it is full


@dataclass(frozen=True)
class Serving:
    """What `landfall serve` was told."""

    host: str = "127.0.0.1"
    port: int = 8000
    database: str | None = None
    workers: int = 1
    public_url: str | None = None
    proxies: str = "127.0.0.1"  # addresses whose X-Forwarded-For is believed
    log_level: str = "info"
    bot_codes: bool = False  # codes of bots may be played, not only the levels
    patience: float = 30.0  # seconds a request may take to arrive
    bot_workers: int | None = None  # for each process; by the number of cores if not said


class ServeError(LandfallError):
    """A server that cannot be started so."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason, "error.database", {"reason": reason})


class Host(uvicorn.Server):
    """uvicorn's server, which tells its clients before it goes."""

    def __init__(self, config: uvicorn.Config, server: Server) -> None:
        super().__init__(config)
        self.server = server

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self.server.hang_up()
        await super().shutdown(sockets)


class SocketWire(WebSocketsSansIOProtocol):
    """uvicorn's socket, with two short ways: what is told is written without a detour, what is asked is heard at once.

    It keeps little for a client that does not read, and is cut when that one stays silent. Most messages go to several
    people alike: such a one is made into a frame once. What one is told in one step of the loop is one write.
    Of what comes in, whole frames are cut out here; those of another kind than a short text are uvicorn's.
    """

    latest: ClassVar[tuple[str, bytes]] = ("", b"")
    unsent: ClassVar[list[SocketWire]] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.transport.set_write_buffer_limits(high=BUFFER)
        self.heard: Callable[[bytes], bool] | None = None
        self.frames_to_send: list[bytes] = []
        self.bytes_to_send = 0
        self.cuts = False  # what comes is frames, and none was handed on in part
        self.in_part = b""
        self.continued = False  # a message in several frames is on its way

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if hasattr(self, "scope"):  # else it was no handshake
            self.scope["extensions"][WIRE] = self  # type: ignore[assignment]

    # --- hearing ----------------------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        if self.cuts:
            self.cut_frames(self.in_part + data if self.in_part else data)
            return
        shaken = self.handshake_initiated
        super().data_received(data)
        if not shaken and self.handshake_initiated:
            self.cuts = data.endswith(b"\r\n\r\n")  # and nothing came after the handshake

    def cut_frames(self, data: bytes) -> None:
        """Whole frames, one after the other (RFC 6455, 5.2); what is left waits for the rest of it."""
        at, end = 0, len(data)
        while end - at >= SHORTEST:
            size, body = data[at + 1] & 0x7F, at + 6
            if size == 126:
                size, body = int.from_bytes(data[at + 2 : at + 4]), at + 8
            if size == 127 or not data[at + 1] & 0x80:  # too long, or not a client's: uvicorn says so
                self.cuts = False
                self.in_part = b""
                super().data_received(data[at:])
                return
            if body + size > end:
                break
            self.frame(data, at, body, body + size)
            at = body + size
        self.in_part = data[at:]

    def frame(self, data: bytes, at: int, body: int, end: int) -> None:
        """One frame: heard at once if it is a whole text and none before it waits."""
        if data[at] == WHOLE_TEXT and self.heard is not None and not self.continued and self.queue.empty():
            if not self.close_sent and self.heard(apply_mask(data[body:end], data[body - 4 : body])):
                return
        elif data[at] & 0x0F < 3:
            self.continued = not data[at] & 0x80
        super().data_received(data[at:end])

    # --- telling ----------------------------------------------------------------------------------------------

    def write(self, text: str) -> bool:
        if not self.writable.is_set() or self.close_sent or self.disconnected or not self.handshake_complete:
            return False
        told, frame = SocketWire.latest
        if told is not text:
            frame = framed(text)
            SocketWire.latest = text, frame
        if not self.frames_to_send:
            if not SocketWire.unsent:
                self.loop.call_soon(SocketWire.flush_all)
            SocketWire.unsent.append(self)
        self.frames_to_send.append(frame)
        self.bytes_to_send += len(frame)
        if self.bytes_to_send > BUFFER:
            self.flush()
        return True

    @staticmethod
    def flush_all() -> None:
        unsent, SocketWire.unsent = SocketWire.unsent, []
        for wire in unsent:
            try:
                wire.flush()
            except Exception:  # this one is gone; what others are told must not wait for it
                wire.transport.abort()

    def flush(self) -> None:
        frames = self.frames_to_send
        if not frames:
            return
        self.frames_to_send = []
        self.bytes_to_send = 0
        if not self.disconnected and not self.transport.is_closing():
            self.transport.write(frames[0] if len(frames) == 1 else b"".join(frames))

    async def send(self, message: Any) -> None:
        self.flush()
        await super().send(message)

    def shutdown(self) -> None:
        self.flush()
        super().shutdown()

    async def ready(self) -> None:
        await self.writable.wait()

    def cut(self) -> None:
        self.transport.abort()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.transport.abort()  # what is left to send would keep it open for ever


def framed(text: str) -> bytes:
    """A text message as a WebSocket frame of a server: whole, and not masked (RFC 6455, 5.2)."""
    data = text.encode()
    size = len(data)
    if size < 126:
        return b"\x81%c%b" % (size, data)
    if size < 1 << 16:
        return b"\x81\x7e" + size.to_bytes(2) + data
    return b"\x81\x7f" + size.to_bytes(8) + data


def settings_of(serving: Serving) -> Settings:
    return Settings(
        database=serving.database,
        public_url=serving.public_url,
        host=serving.host,
        port=serving.port,
        bot_codes=serving.bot_codes,
        bot_workers=serving.bot_workers or default_bot_workers(serving.workers),
    )


def config_of(app: Any, serving: Serving) -> uvicorn.Config:
    """uvicorn as it was measured to be quickest: no compression of small messages, sans-I/O sockets, uvloop."""
    return uvicorn.Config(
        app,
        host=serving.host,
        port=serving.port,
        ws=SocketWire,
        ws_max_size=64 * 1024,
        ws_per_message_deflate=False,
        proxy_headers=True,
        forwarded_allow_ips=serving.proxies,
        http=patient(serving.patience),
        log_level=serving.log_level,
        log_config=logs.config(serving.log_level),
        access_log=False,  # table links are secrets, and they are in paths
        server_header=False,
        timeout_graceful_shutdown=5,
    )


def listening(serving: Serving) -> socket.socket:
    """The socket all workers share."""
    family = socket.AF_INET6 if ":" in serving.host else socket.AF_INET
    found = socket.socket(family)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((serving.host, serving.port))
    except OSError as error:
        found.close()
        raise ServeError(f"{serving.host}:{serving.port} cannot be listened on: {error.strerror}") from None
    found.listen(2048)
    found.set_inheritable(True)
    return found


def run_one(
    serving: Serving, sock: socket.socket, settings: Settings | None = None, heart: Heart | None = None
) -> None:
    """One process: serve until told to stop."""
    app = create_app(settings or settings_of(serving))
    # Views are made and dropped all the time and hold no cycles: looking for those often only costs.
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    config = config_of(app, serving)
    if heart is not None:
        config.callback_notify, config.timeout_notify = heart.beat, HEARTBEAT_S
    Host(config, app.state.server).run(sockets=[sock])


async def check(database: str | None) -> None:
    """Bring the database to shape before anybody is served, and find out whether it can be used at all."""
    store = store_for(database)
    await store.open()
    await store.close()


def _worker(given: tuple[dict[str, Any], socket.socket], pipe: Connection) -> None:
    fields, sock = given
    run_one(Serving(**fields), sock, heart=Heart(pipe))


def serve(serving: Serving) -> None:
    """Serve until told to stop; ServeError or DatabaseError if it cannot begin."""
    if serving.workers > 1 and not is_shared(serving.database):
        raise ServeError("SQLite serves one process; several workers need --database postgresql+asyncpg://...")
    asyncio.run(check(serving.database))
    sock = listening(serving)
    if serving.workers == 1:
        run_one(serving, sock)
        return
    logging.config.dictConfig(logs.config(serving.log_level))  # a worker's is set by uvicorn
    spawn = multiprocessing.get_context("spawn")
    sys.exit(Supervisor(spawn, _worker, (asdict(serving), sock), serving.workers).run())

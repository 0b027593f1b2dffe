"""A WebSocket on the server's own port: uvicorn reads the upgrade request, then picows handles the protocol.

To the application it is an ASGI connection, with a direct way to send and receive (`connection.Transport`). Every frame
counts towards a limit, whatever it contains; a client that exceeds it is disconnected.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections import deque
from collections.abc import Callable
from typing import Any, ClassVar, Final
from urllib.parse import unquote

import httptools
from picows import WSAutoPingStrategy, WSCloseCode, WSFrame, WSListener, WSMsgType, WSTransport
from picows.picows import WSProtocol  # type: ignore[attr-defined]

from landfall.api.limits import Limits
from landfall.api.rate_limits import TokenBucket
from landfall.web.connection import CLOSE_PROTOCOL_ERRORS, TRANSPORT_EXTENSION
from landfall.web.connection_limits import RepeatedWarning, reset_connection

MAX_MESSAGE_BYTES: Final = 64 * 1024  # of a message in one or several frames; a longer one closes the connection
MAX_READ_BYTES: Final = 4 * 1024  # passed to the parser at once: bounds how long frames block the event loop
WRITE_BUFFER_BYTES: Final = 16 * 1024  # unsent bytes above which a connection is not writable
PING_INTERVAL_S: Final = 20.0  # without a byte from the client until it is pinged, and then until it is closed
CLOSE_TIMEOUT_S: Final = 5.0  # for the client to answer a close frame
ABUSE_CLOSE_S: Final = 0.5  # for the close frame to reach a client that is cut off

KEY: Final = re.compile(rb"[A-Za-z0-9+/]{22}==")
REFUSED: Final = b"HTTP/1.1 %b\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
UPGRADE: Final = (
    b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: %b\r\n\r\n"
)
TEXT: Final = WSMsgType.TEXT
LOG: Final = logging.getLogger("landfall")
FLOODS: Final = RepeatedWarning("cut off %d sockets in a minute that sent too many frames")
SILENT: Final = logging.Logger("picows", logging.CRITICAL)  # protocol errors of strangers are not logged


class FrameProtocol(WSProtocol):  # type: ignore[misc]
    """picows's protocol, reading a little at a time."""

    def get_buffer(self, size_hint: int) -> memoryview:
        found: memoryview = super().get_buffer(size_hint)[:MAX_READ_BYTES]
        return found


class WebSocket(WSListener):
    """One connection, from the upgrade request to its end."""

    latest: ClassVar[tuple[str, bytes]] = ("", b"")  # most messages go to several subscribers: encoded once

    def __init__(self, http: Any, limits: Limits) -> None:
        """`http` is uvicorn's protocol that has read the upgrade request."""
        self.http = http
        self.transport: asyncio.Transport = http.transport
        self.loop: asyncio.AbstractEventLoop = http.loop
        self.frames: WSTransport | None = None  # once accepted
        self.budget = TokenBucket(limits.frames)
        self.on_message: Callable[[bytes], bool] | None = None
        self.waiting: deque[bytes] = deque()  # messages not yet taken by the application
        self.parts: list[bytes] | None = None  # of a message in several frames
        self.parts_bytes = 0
        self.pong: bytes | None = None  # queued until the connection is writable
        self.connected = False  # the application knows of the connection
        self.closing = False
        self.flooding = False
        self.lost = False
        self.changed = asyncio.Event()  # a message is queued, or it is closed
        self.writable = asyncio.Event()
        self.writable.set()
        self.code = 1006

    # --- the handshake ----------------------------------------------------------------------------------------

    def start_application(self) -> None:
        """Ask the application whether it accepts the connection; nothing is read before."""
        headers = dict(self.http.headers)
        self.key = headers.get(b"sec-websocket-key", b"").strip()
        if headers.get(b"sec-websocket-version", b"").strip() != b"13":
            self.refuse_upgrade(b"426 Upgrade Required\r\nsec-websocket-version: 13")
        elif self.http.scope["method"] != "GET" or not KEY.fullmatch(self.key):
            self.refuse_upgrade(b"400 Bad Request")
        else:
            self.transport.pause_reading()
            self.http.connections.add(self)
            task = self.loop.create_task(self.run_application(self.make_asgi_scope()))
            task.add_done_callback(self.http.tasks.discard)
            self.http.tasks.add(task)

    def make_asgi_scope(self) -> dict[str, Any]:
        http, url = self.http, httptools.parse_url(self.http.url)
        return {
            "type": "websocket",
            "asgi": {"version": http.asgi_version, "spec_version": "2.4"},
            "http_version": "1.1",
            "scheme": "wss" if http.scheme == "https" else "ws",
            "server": http.server,
            "client": http.client,
            "root_path": http.root_path,
            "path": http.root_path + unquote(url.path.decode("ascii")),
            "raw_path": http.root_path.encode("ascii") + url.path,
            "query_string": url.query or b"",
            "headers": http.headers,
            "subprotocols": [],
            "state": http.app_state.copy(),
            "extensions": {TRANSPORT_EXTENSION: self},
        }

    async def run_application(self, scope: dict[str, Any]) -> None:
        """Run the application until it is done with the connection."""
        try:
            await self.http.app(scope, self.asgi_receive, self.asgi_send)
        except Exception:
            LOG.exception("a socket failed")
            self.close(1011)
        finally:
            self.close(1000)

    def refuse_upgrade(self, status: bytes) -> None:
        self.closing = True
        self.transport.write(REFUSED % status)
        self.transport.close()

    def accept_handshake(self) -> None:
        """Let picows answer the handshake, and pass the connection to it."""
        self.transport.set_write_buffer_limits(high=WRITE_BUFFER_BYTES)
        protocol = FrameProtocol(
            None, None, False, lambda request: self, SILENT, True, None, True, PING_INTERVAL_S, PING_INTERVAL_S,
            WSAutoPingStrategy.PING_WHEN_IDLE, False, MAX_MESSAGE_BYTES, None, 2 * MAX_READ_BYTES,
        )  # fmt: skip
        protocol.connection_made(self.transport)
        request = UPGRADE % self.key
        protocol.get_buffer(len(request))[: len(request)] = request
        protocol.buffer_updated(len(request))
        self.transport.set_protocol(protocol)
        self.transport.resume_reading()

    def on_ws_connected(self, transport: WSTransport) -> None:
        self.frames = transport

    # --- ASGI -------------------------------------------------------------------------------------------------

    async def asgi_receive(self) -> dict[str, Any]:
        if not self.connected:
            self.connected = True
            return {"type": "websocket.connect"}
        while not self.waiting:
            if self.lost or self.closing:
                return {"type": "websocket.disconnect", "code": self.code}
            if not self.transport.is_closing():
                self.transport.resume_reading()
            self.changed.clear()
            await self.changed.wait()
        return {"type": "websocket.receive", "bytes": self.waiting.popleft()}

    async def asgi_send(self, message: Any) -> None:
        kind = message["type"]
        if kind == "websocket.accept":
            if not self.closing:
                self.accept_handshake()
        elif kind == "websocket.close":
            self.close(message.get("code", 1000), message.get("reason") or "")
        else:
            await self.wait_writable()
            self.write(message["text"])

    # --- sending ----------------------------------------------------------------------------------------------

    def write(self, text: str) -> bool:
        """Send at once; False: impossible now."""
        if self.closing or self.frames is None or not self.writable.is_set():
            return False
        last, data = WebSocket.latest
        if last is not text:
            data = text.encode()
            WebSocket.latest = text, data
        self.frames.send(TEXT, data)
        return True

    async def wait_writable(self) -> None:
        """Wait until it is writable, or closed."""
        await self.writable.wait()

    def pause_writing(self) -> None:
        self.writable.clear()

    def resume_writing(self) -> None:
        self.writable.set()
        self.send_pending_pong()

    def send_pending_pong(self) -> None:
        """One pong for the latest ping (RFC 6455, 5.5.3), and none while the client does not read."""
        if self.pong is not None and self.writable.is_set() and self.frames is not None:
            self.frames.send_pong(self.pong)
            self.pong = None

    # --- receiving --------------------------------------------------------------------------------------------

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if not self.budget.try_take_token():
            self.disconnect_flooding_client()
        elif self.closing:
            if frame.msg_type == WSMsgType.CLOSE:
                transport.disconnect()
        elif frame.msg_type == TEXT and frame.fin and self.parts is None and not frame.rsv1:
            self.deliver_message(frame.get_payload_as_bytes())
        else:
            self.handle_special_frame(frame)
        if self.pong is not None and frame.last_in_buffer:
            self.send_pending_pong()

    def handle_special_frame(self, frame: WSFrame) -> None:
        """Handle a frame that is not a whole text message."""
        kind = frame.msg_type
        if frame.rsv1 or frame.rsv2 or frame.rsv3:  # no extension was agreed on
            self.close(1002)
        elif kind == WSMsgType.PING:
            self.pong = frame.get_payload_as_bytes()
        elif kind == WSMsgType.CLOSE:
            code = int(frame.get_close_code().value)
            self.code = code or 1005
            self.close(code or 1000)
            self.disconnect()
        elif kind != WSMsgType.PONG:
            self.add_fragment(frame, kind == WSMsgType.CONTINUATION)

    def add_fragment(self, frame: WSFrame, continues: bool) -> None:
        """Handle a frame of a message: bytes, or a fragment."""
        if continues == (self.parts is None):  # continues nothing, or starts within another
            self.close(1002)
            return
        parts = self.parts = [] if self.parts is None else self.parts
        if frame.payload_size:  # so that their number is bounded as well
            parts.append(frame.get_payload_as_bytes())
        self.parts_bytes += frame.payload_size
        if self.parts_bytes > MAX_MESSAGE_BYTES:
            self.close(1009)
        elif frame.fin:
            self.parts, self.parts_bytes = None, 0
            self.deliver_message(b"".join(parts))

    def deliver_message(self, data: bytes) -> None:
        """Pass a message to the application at once; if it is busy, pause reading until it asks."""
        if self.on_message is not None and not self.waiting and self.on_message(data):
            return
        self.waiting.append(data)
        self.transport.pause_reading()
        self.changed.set()

    # --- closing ----------------------------------------------------------------------------------------------

    def close(self, code: int, reason: str = "") -> None:
        """Close with a close frame; a client that does not answer it in time is disconnected."""
        if self.closing or self.lost:
            return
        if self.frames is None:
            self.refuse_upgrade(b"403 Forbidden")
            return
        self.frames.send_close(WSCloseCode(code) if code < 3000 else code, reason)  # type: ignore[arg-type]
        self.closing = True
        self.changed.set()
        self.writable.set()
        if not self.transport.is_closing():
            self.transport.resume_reading()
        self.loop.call_later(CLOSE_TIMEOUT_S, self.abort)

    def disconnect_flooding_client(self) -> None:
        """Disconnect a client that floods: nothing more is read from it."""
        if self.flooding:
            return
        self.flooding = True
        FLOODS.log_now_or_count()
        self.close(CLOSE_PROTOCOL_ERRORS)
        if not self.transport.is_closing():
            self.transport.pause_reading()
        self.loop.call_later(ABUSE_CLOSE_S, self.abort)

    def disconnect(self) -> None:
        """Send the rest first, if the client reads it in time."""
        self.transport.close()

    def abort(self) -> None:
        """Disconnect at once."""
        if not self.lost:
            reset_connection(self.transport)

    def shutdown(self) -> None:
        """The server stops."""
        self.close(1012)
        self.disconnect()

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        self.connection_lost()

    def connection_lost(self) -> None:
        self.lost = self.closing = True
        self.http.release_connection()
        self.http.connections.discard(self)
        self.changed.set()
        self.writable.set()

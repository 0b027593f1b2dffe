"""uvicorn's HTTP protocol with timeouts: for receiving a request, and for the client to read its response."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from landfall.api.limits import Limits
from landfall.web.connection_limits import ConnectionRegistry, reset_connection
from landfall.web.websocket_protocol import WebSocket

TIMEOUT_RESPONSE: Final = b"HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
HEADERS_TOO_LARGE: Final = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
)


class HeadersTooLarge(Exception):
    """A request line with its headers exceeds the limit."""


class HttpProtocolWithTimeouts(HttpToolsProtocol):
    """One connection. The time runs from its start, or from a request's first byte, until the request is complete."""

    seconds = 30.0
    limits = Limits()
    registry: ConnectionRegistry
    timer: asyncio.TimerHandle | None = None
    write_timer: asyncio.TimerHandle | None = None
    unsent_bytes = 0  # when the write timer was set
    websocket: WebSocket | None = None
    started = False  # whether a byte has arrived
    is_complete = False  # whether the latest request is complete
    in_headers = False  # whether the latest request's headers are incomplete
    header_bytes = 0  # of the latest request, as parsed
    raw_header_bytes = 0  # and as received, after the first of them

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if self.registry.try_count_connection(self, self.client):
            self.set_request_timer(True)
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self.set_request_timer(False)
        self.release_connection()
        if self.websocket is not None:
            self.websocket.connection_lost()
        super().connection_lost(exc)

    def release_connection(self) -> None:
        """It is closed, also if it was upgraded."""
        self.registry.uncount_connection(self)
        if self.write_timer is not None:
            self.write_timer.cancel()
            self.write_timer = None

    def is_waiting_for_client(self) -> bool:
        return not self.is_response_unfinished() or self.flow.write_paused

    def is_response_unfinished(self) -> bool:
        return self.is_complete and self.cycle is not None and not self.cycle.response_complete

    def has_received_request(self) -> bool:
        return self.cycle is not None and (self.is_complete or self.cycle.response_complete)

    def end_keep_alive(self) -> None:
        """A proxy shall send no more requests here. One of which a part has arrived, and one on a new connection, is
        still answered."""
        if self.cycle is not None and not self.in_headers:
            self.shutdown()

    def abort(self) -> None:
        reset_connection(self.transport)

    # --- the request ------------------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        self.started = True
        self.registry.record_client_progress(self)
        if self.in_headers:
            self.raw_header_bytes += len(data)
            if self.raw_header_bytes > self.limits.header:
                self.send_400_response("")
                return
        super().data_received(data)
        if self.websocket is None:
            self.set_request_timer(not self.is_response_unfinished() and not self.transport.is_closing())

    def on_message_begin(self) -> None:
        self.is_complete = False
        self.in_headers = True
        self.header_bytes = self.raw_header_bytes = 0
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        self.count_header_bytes(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        self.count_header_bytes(len(name) + len(value))
        super().on_header(name, value)

    def count_header_bytes(self, size: int) -> None:
        self.header_bytes += size
        if self.header_bytes > self.limits.header:
            raise HeadersTooLarge

    def on_headers_complete(self) -> None:
        self.in_headers = False
        super().on_headers_complete()
        if self.registry.is_leaving and self.cycle is not None:
            self.cycle.keep_alive = False
        self.set_request_timer(False)
        self.set_request_timer(True)

    def on_message_complete(self) -> None:
        self.is_complete = True
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        if max(self.header_bytes, self.raw_header_bytes) > self.limits.header:
            self.transport.write(HEADERS_TOO_LARGE)
            self.transport.close()
        else:
            super().send_400_response(msg)

    def handle_websocket_upgrade(self) -> None:
        self.set_request_timer(False)
        self.connections.discard(self)
        self.registry.exempt_websocket(self)
        self.websocket = WebSocket(self, self.limits)
        self.websocket.start_application()

    def set_request_timer(self, on: bool) -> None:
        if not on and self.timer is not None:
            self.timer.cancel()
            self.timer = None
        elif on and self.timer is None:
            headers_known = self.started and not self.in_headers
            seconds = self.seconds if headers_known else min(self.seconds, self.limits.header_timeout)
            self.timer = self.loop.call_later(seconds, self.close_on_timeout)

    def close_on_timeout(self) -> None:
        """Respond if no response was started, and close."""
        if self.cycle is None or self.cycle.response_complete or not self.cycle.response_started:
            self.transport.write(TIMEOUT_RESPONSE)
        self.transport.close()

    # --- the response -----------------------------------------------------------------------------------------

    def on_response_complete(self) -> None:
        if self.is_complete:
            self.set_request_timer(False)  # from here on uvicorn's keep-alive timeout applies
        self.registry.record_client_progress(self)
        if self.transport.get_write_buffer_size():
            self.start_write_timer()
        super().on_response_complete()

    def pause_writing(self) -> None:
        super().pause_writing()
        self.start_write_timer()

    def resume_writing(self) -> None:
        super().resume_writing()
        self.registry.record_client_progress(self)
        if self.write_timer is not None:
            self.write_timer.cancel()
            self.write_timer = None

    def start_write_timer(self) -> None:
        """From here on the client must read something in time."""
        if self.write_timer is None:
            self.unsent_bytes = self.transport.get_write_buffer_size()
            self.write_timer = self.loop.call_later(self.limits.write_timeout, self.close_if_client_reads_nothing)

    def close_if_client_reads_nothing(self) -> None:
        self.write_timer = None
        left = self.transport.get_write_buffer_size()
        if left >= self.unsent_bytes > 0:
            self.abort()
        elif left:
            self.start_write_timer()


def make_protocol_class(seconds: float, limits: Limits, proxies: str) -> type[Any]:
    """The protocol class with its timeouts and connection counts."""
    return type(
        "HttpProtocolWithTimeouts",
        (HttpProtocolWithTimeouts,),
        {"seconds": seconds, "limits": limits, "registry": ConnectionRegistry(limits, proxies)},
    )

"""uvicorn's HTTP, which does not wait for ever: a request that is not whole in time is closed."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

TOO_LATE = b"HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


class Patient(HttpToolsProtocol):
    """One connection. The time runs from its begin, or from a request's first byte, until the request is whole."""

    seconds = 30.0
    timer: asyncio.TimerHandle | None = None
    whole = False  # whether the latest request has come to its end

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.run_timer(True)

    def connection_lost(self, exc: Exception | None) -> None:
        self.run_timer(False)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.transport.get_protocol() is self:
            answering = self.whole and not self.cycle.response_complete
            self.run_timer(not answering and not self.transport.is_closing())

    def on_message_begin(self) -> None:
        self.whole = False
        super().on_message_begin()

    def on_message_complete(self) -> None:
        self.whole = True
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        self.run_timer(False)
        super().handle_websocket_upgrade()

    def on_response_complete(self) -> None:
        if self.whole:
            self.run_timer(False)  # from here on it is uvicorn's time to keep alive that counts
        super().on_response_complete()

    def run_timer(self, on: bool) -> None:
        if not on and self.timer is not None:
            self.timer.cancel()
            self.timer = None
        elif on and self.timer is None:
            self.timer = self.loop.call_later(self.seconds, self.close_late)

    def close_late(self) -> None:
        """Say so if nothing was said yet, and hang up."""
        if self.cycle is None or self.cycle.response_complete or not self.cycle.response_started:
            self.transport.write(TOO_LATE)
        self.transport.close()


def patient(seconds: float) -> type[Any]:
    """The protocol with its patience."""
    return type("Patient", (Patient,), {"seconds": seconds})

"""Bodies of requests: how large each may be, and that the API's own decoder reads them."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, Final

from fastapi import Request, Response
from fastapi.routing import APIRoute

from landfall.api.limits import Limits
from landfall.api.message_codec import decode_body

# The endpoints that take a record. All other bodies are small, so that parsing is cheap before the sender is known.
RECORD_PATHS: Final = frozenset({"/api/tables/open", "/api/replay", "/api/reviews"})


def max_body_bytes(limits: Limits, path: str) -> int:
    """The size limit of a request's body."""
    return limits.record if path in RECORD_PATHS else limits.body_bytes


class ReadRequest(Request):
    """A request whose body was read already."""

    found: Any = None

    async def json(self) -> Any:
        """The parsed body."""
        return self.found


class BodyRoute(APIRoute):
    """A route whose body is read by `decode_body`: what FastAPI is handed needs no checks any more."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()
        if self.body_field is None:
            return handle
        kind: Any = self.body_field.field_info.annotation

        async def decode_body_and_handle(request: Request) -> Response:
            read = ReadRequest(request.scope, request.receive)
            if data := await read.body():
                read.found = decode_body(kind, data)
            return await handle(read)

        return decode_body_and_handle

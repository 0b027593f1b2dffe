"""Bodies of requests: how large each may be, and that the API's own decoder reads them."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, Final

from fastapi import Request, Response
from fastapi.routing import APIRoute

from landfall.api.message_codec import decode_body
from landfall.web.settings import Limits

# Where a record is sent. Everywhere else a body is small, so that reading it costs little before its sender is known.
RECORD_PATHS: Final = frozenset({"/api/tables/open", "/api/replay", "/api/lookbacks"})


def max_body_bytes(limits: Limits, path: str) -> int:
    """How large a request's body may be."""
    return limits.record if path in RECORD_PATHS else limits.body_bytes


class ReadRequest(Request):
    """A request whose body was read."""

    found: Any = None

    async def json(self) -> Any:
        """What its body says."""
        return self.found


class BodyRoute(APIRoute):
    """A route whose body is read by `decode_body`: what FastAPI is handed needs no checks any more."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()
        if self.body_field is None:
            return handle
        kind: Any = self.body_field.field_info.annotation

        async def read_first(request: Request) -> Response:
            read = ReadRequest(request.scope, request.receive)
            if data := await read.body():
                read.found = decode_body(kind, data)
            return await handle(read)

        return read_first

"""Request bodies: size limits, and parsing at a cost that hardly depends on their contents."""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine
from typing import Any, Final

import msgspec
from fastapi import Request, Response
from fastapi.routing import APIRoute

from landfall.tables.protocol import text_validation
from landfall.tables.protocol.errors import Refused
from landfall.web.settings import Limits

# The endpoints that take a record. All other bodies are small, so that parsing is cheap before the sender is known.
RECORD_PATHS: Final = frozenset({"/api/tables/open", "/api/replay", "/api/lookbacks"})
MAX_ERROR_CHARS: Final = 200
SURROGATE: Final = re.compile(rb"\\u[dD][89a-fA-F]")


class LargeBody(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The fields of a large body: parsing stops at the first unknown one, or at one that is no text or number."""

    record: str | msgspec.UnsetType | None = msgspec.UNSET
    lines: int | msgspec.UnsetType | None = msgspec.UNSET
    seat: int | msgspec.UnsetType | None = msgspec.UNSET
    bots: str | msgspec.UnsetType | None = msgspec.UNSET


LARGE_BODY: Final = msgspec.json.Decoder(LargeBody)


def max_body_bytes(limits: Limits, path: str) -> int:
    """The size limit of a request's body."""
    return limits.record if path in RECORD_PATHS else limits.body_bytes


def read_body(data: bytes, small: int) -> Any:
    """The JSON of a body, of which at most `small` bytes may have any structure; Refused if it is invalid."""
    try:
        if len(data) <= small:
            found = msgspec.json.decode(data)
        else:
            found = msgspec.to_builtins(LARGE_BODY.decode(data))
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        if SURROGATE.search(data):  # most likely a lone surrogate
            raise Refused("bad_text") from None
        raise Refused("bad_message", reason=str(error)[:MAX_ERROR_CHARS]) from None
    text_validation.check_plain_text(found)
    return found


class ReadRequest(Request):
    """A request whose body was read already."""

    found: Any = None

    async def json(self) -> Any:
        """The parsed body."""
        return self.found


class BodyRoute(APIRoute):
    """A route whose body is parsed by `read_body` before anything else sees it."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()
        if self.body_field is None:
            return handle

        async def read_first(request: Request) -> Response:
            read = ReadRequest(request.scope, request.receive)
            if data := await read.body():
                limits: Limits = request.app.state.server.settings.limits
                read.found = read_body(data, limits.body_bytes)
            return await handle(read)

        return read_first

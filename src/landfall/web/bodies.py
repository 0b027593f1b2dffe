"""Bodies of requests: how large each may be, and reading one at a cost that hardly depends on what is in it."""

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

# Where a record is sent. Everywhere else a body is small, so that reading it costs little before its sender is known.
RECORD_PATHS: Final = frozenset({"/api/tables/open", "/api/replay", "/api/lookbacks"})
MAX_ERROR_CHARS: Final = 200
SURROGATE: Final = re.compile(rb"\\u[dD][89a-fA-F]")


class LargeBody(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """What a large body may say: reading ends at the first field that is none of these, or not a text or a number."""

    record: str | msgspec.UnsetType | None = msgspec.UNSET
    lines: int | msgspec.UnsetType | None = msgspec.UNSET
    seat: int | msgspec.UnsetType | None = msgspec.UNSET
    bots: str | msgspec.UnsetType | None = msgspec.UNSET


LARGE_BODY: Final = msgspec.json.Decoder(LargeBody)


def max_body_bytes(limits: Limits, path: str) -> int:
    """How large a request's body may be."""
    return limits.record if path in RECORD_PATHS else limits.body_bytes


def read_body(data: bytes, small: int) -> Any:
    """The JSON of a body, of which at most `small` bytes are read into whatever they say; Refused if it is none."""
    try:
        if len(data) <= small:
            found = msgspec.json.decode(data)
        else:
            found = msgspec.to_builtins(LARGE_BODY.decode(data))
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        if SURROGATE.search(data):  # half a character, most likely
            raise Refused("bad_text") from None
        raise Refused("bad_message", reason=str(error)[:MAX_ERROR_CHARS]) from None
    text_validation.check_plain_text(found)
    return found


class ReadRequest(Request):
    """A request whose body was read."""

    found: Any = None

    async def json(self) -> Any:
        """What its body says."""
        return self.found


class BodyRoute(APIRoute):
    """A route whose body is read by `read_body` before anything else sees it."""

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

"""REST: notes by which pages of friends who play without a server find each other. Nothing is stored.

Pages of any origin may use it. It knows no users, and the pages encrypt what they leave.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Annotated, Final

from fastapi import Response

from landfall.api.limits import NOTE, QUERY
from landfall.api.routes import Access, Route
from landfall.api.types import Body, UrlDocumentation, make_field_documentation
from landfall.tables.protocol.commands import Bounds
from landfall.tables.protocol.errors import Refused
from landfall.web.server import Server

MAX_NOTE_CHARS: Final = 1000
OPEN_HEADERS: Final = {"Access-Control-Allow-Origin": "*", "Cross-Origin-Resource-Policy": "cross-origin"}
PREFLIGHT_HEADERS: Final = {
    **OPEN_HEADERS,
    "Access-Control-Allow-Methods": "GET, POST",
    "Access-Control-Allow-Headers": "content-type",
    "Access-Control-Max-Age": "7200",
}
BOX_PATTERN: Final = re.compile("[0-9a-f]{32}")
Box = Annotated[str, Bounds(32, 32), UrlDocumentation(examples=("0123456789abcdef" * 2,))]


@dataclass(kw_only=True)
class NoteBody(Body):
    """A note to another page."""

    note: Annotated[str, Bounds(1, MAX_NOTE_CHARS)] = field(metadata=make_field_documentation(examples=["bm90ZQ"]))


def require_box(box: str) -> None:
    """Refused: it is none that a page makes."""
    if BOX_PATTERN.fullmatch(box) is None:
        raise Refused("bad_message", reason="box")


@Route("POST", "/api/rendezvous/{box}", "Leave a note", Access.OPEN, NOTE, status=204)
async def leave_note(server: Server, response: Response, box: Box, body: NoteBody) -> None:
    """In place of an earlier one. It is kept for a minute, or until it is taken."""
    require_box(box)
    response.headers.update(OPEN_HEADERS)
    server.rendezvous.leave_note(box, body.note)


@Route("GET", "/api/rendezvous/{box}", "Take a note", Access.OPEN, QUERY)
async def take_note(server: Server, response: Response, box: Box) -> str | None:
    """Null if there is none."""
    require_box(box)
    response.headers.update(OPEN_HEADERS)
    return await server.rendezvous.take_note_from_any_worker(box)


@Route("OPTIONS", "/api/rendezvous/{box}", "What pages of other origins may ask", Access.OPEN, QUERY, hidden=True)
async def answer_preflight(box: Box) -> Response:
    """A browser asks this before it sends a note to another origin."""
    return Response(status_code=204, headers=PREFLIGHT_HEADERS)

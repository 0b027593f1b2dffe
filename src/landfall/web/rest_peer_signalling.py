"""REST: notes by which pages of friends who play without a server find each other. Nothing is stored.

Pages of any origin may use it. It knows no users, and the pages encrypt what they leave.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Path, Request, Response

from landfall.api.types import Body, make_field_documentation
from landfall.tables.protocol.commands import Bounds
from landfall.tables.protocol.errors import Refused
from landfall.web.request_bodies import BodyRoute
from landfall.web.request_security import OPEN_PATH
from landfall.web.rest import limit_query_rate, rate_limit_key_of_request, server_of_request
from landfall.web.rest_models import ERROR_RESPONSES

MAX_NOTE_CHARS: Final = 1000
OPEN_HEADERS: Final = {"Access-Control-Allow-Origin": "*", "Cross-Origin-Resource-Policy": "cross-origin"}
PREFLIGHT_HEADERS: Final = {
    **OPEN_HEADERS,
    "Access-Control-Allow-Methods": "GET, POST",
    "Access-Control-Allow-Headers": "content-type",
    "Access-Control-Max-Age": "7200",
}


def allow_every_origin_in_response(response: Response) -> None:
    response.headers.update(OPEN_HEADERS)


router = APIRouter(
    prefix=OPEN_PATH.rstrip("/"),
    tags=["together"],
    responses=ERROR_RESPONSES,
    dependencies=[Depends(allow_every_origin_in_response)],
    route_class=BodyRoute,
)
Box = Annotated[str, Path(pattern="^[0-9a-f]{32}$", examples=["0123456789abcdef" * 2])]


@dataclass(kw_only=True)
class NoteBody(Body):
    """A note to another page."""

    note: Annotated[str, Bounds(1, MAX_NOTE_CHARS)] = field(metadata=make_field_documentation(examples=["bm90ZQ"]))


@router.post("/{box}", summary="Leave a note", status_code=204)
async def leave_note(request: Request, box: Box, body: NoteBody) -> None:
    """In place of an earlier one. It is kept for a minute, or until it is taken."""
    server = server_of_request(request)
    if not server.note_limiter.try_take_token(rate_limit_key_of_request(request)):
        raise Refused("too_fast")
    server.rendezvous.leave_note(box, body.note)


@router.get("/{box}", summary="Take a note", dependencies=[Depends(limit_query_rate)])
async def take_note(request: Request, box: Box) -> str | None:
    """Null if there is none."""
    return await server_of_request(request).rendezvous.take_note_from_any_worker(box)


@router.options("/{box}", include_in_schema=False)
async def answer_preflight(box: Box) -> Response:
    """A browser asks this before it sends a note to another origin."""
    return Response(status_code=204, headers=PREFLIGHT_HEADERS)

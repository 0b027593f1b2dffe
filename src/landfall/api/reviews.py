"""Endpoints about reviews: a match that is over, or a record of one, looked back on."""

from __future__ import annotations

from typing import Annotated

from landfall.api.limits import JOB, QUERY
from landfall.api.routes import Access, Route
from landfall.api.types import (
    Caller,
    LineNumber,
    RecordBody,
    TableId,
    UrlDocumentation,
)
from landfall.tables.jobs.reviews import Reviews
from landfall.tables.protocol.commands import Bounds

ReviewKey = Annotated[str, Bounds(0, 64)]


Line = Annotated[LineNumber, UrlDocumentation("Lines of the log.")]


@Route(
    "POST",
    "/api/tables/{table}/review",
    "Look back on a match that is over",
    Access.ANYBODY,
    JOB,
    result="ReviewStatus",
    to_friends=True,
)
async def request_review(reviews: Reviews, caller: Caller, table: TableId) -> bytes:
    """Has it worked out, once for everybody; the answer is what GET says."""
    return await reviews.request_table_review(table, caller.origin, caller.as_asker)


@Route(
    "GET",
    "/api/tables/{table}/review",
    "A match looked back on, as far as it is worked out",
    Access.ANYBODY,
    QUERY,
    result="ReviewStatus",
    to_friends=True,
)
async def get_review(reviews: Reviews, caller: Caller, table: TableId) -> bytes:
    """Each seat's chance to win after every line of the log, what each choice cost, luck, the moments that mattered."""
    return await reviews.encode_table_review_status(table, caller.as_asker)


@Route(
    "GET",
    "/api/tables/{table}/review/choices",
    "What could have been chosen at a moment of a match that is over",
    Access.ANYBODY,
    JOB,
    result="ReviewChoices | None",
    to_friends=True,
)
async def get_review_choices(reviews: Reviews, caller: Caller, table: TableId, at: Line) -> bytes:
    """As its chooser was offered it, with the chance to win after each; null if nobody chose there."""
    return await reviews.encode_choices_at_line(table, at, caller.origin, caller.as_asker)


@Route("POST", "/api/reviews", "Look back on a record", Access.ANYBODY, JOB, result="ReviewStatus")
async def request_record_review(reviews: Reviews, caller: Caller, body: RecordBody) -> bytes:
    """Of a match that is over. Kept for a while, under the `key` of the answer."""
    return await reviews.request_record_review(body.record, caller.origin, caller.as_asker)


@Route("GET", "/api/reviews/{key}", "A record looked back on", Access.ANYBODY, QUERY, result="ReviewStatus")
async def get_record_review(reviews: Reviews, caller: Caller, key: ReviewKey) -> bytes:
    """As far as it is worked out."""
    return await reviews.encode_record_review_status(key, caller.as_asker)

"""Endpoints about reviews: a match that is over, or a record of one, looked back on."""

from __future__ import annotations

from typing import Annotated

from landfall.api.types import Caller, LineNumber, RecordBody, TableId
from landfall.tables.jobs.reviews import Reviews
from landfall.tables.protocol.commands import Bounds

ReviewKey = Annotated[str, Bounds(0, 64)]


async def request_review(reviews: Reviews, caller: Caller, table: TableId) -> bytes:
    """Have a match reviewed, once for everybody; the answer is what `get_review` says."""
    return await reviews.request_table_review(table, caller.origin, caller.as_asker)


async def get_review(reviews: Reviews, caller: Caller, table: TableId) -> bytes:
    """A match looked back on, as far as it is worked out."""
    return await reviews.encode_table_review_status(table, caller.as_asker)


async def get_review_choices(reviews: Reviews, caller: Caller, table: TableId, at: LineNumber) -> bytes:
    """What could have been chosen at a moment of a match that is over."""
    return await reviews.encode_choices_at_line(table, at, caller.origin, caller.as_asker)


async def request_record_review(reviews: Reviews, caller: Caller, body: RecordBody) -> bytes:
    """Have the match of a record reviewed; kept for a while, under the `key` of the answer."""
    return await reviews.request_record_review(body.record, caller.origin, caller.as_asker)


async def get_record_review(reviews: Reviews, caller: Caller, key: ReviewKey) -> bytes:
    """A record looked back on, as far as it is worked out."""
    return await reviews.encode_record_review_status(key, caller.as_asker)

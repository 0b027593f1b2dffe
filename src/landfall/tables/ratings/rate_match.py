"""Rates a finished match: the event in its log and the ratings of its players, in one transaction.

A table that waits for it is due (`Table.build_summary`), so it is rated even if the process that saw its end was
killed. The number of the event in the log decides which of several processes was first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from landfall.store.events import Rated, Uncounted
from landfall.store.row_types import RatingFacts
from landfall.tables.log.table import Table
from landfall.tables.protocol.server_messages import RatingChange
from landfall.tables.ratings.counting_rules import find_reason_not_to_count, seats_given_up_early, weight_of_match
from landfall.tables.ratings.rating_model import (
    NEWCOMER,
    Rating,
    rating_as_shown,
    ratings_after_match,
    table_size_class,
)

if TYPE_CHECKING:
    from landfall.tables.table_store import TableStore


async def rate_match(store: TableStore, table: Table, at: int) -> bool:
    """Rate a match that awaits it, or write why it does not count. False: the log has grown meanwhile, perhaps by
    this very event.
    """
    early = seats_given_up_early(table)

    def decide_rated_event(n: int, facts: RatingFacts) -> Rated | Uncounted:
        if why := find_reason_not_to_count(facts):
            return Uncounted(why)
        before = [NEWCOMER if row is None else Rating(row.mu, row.sigma, row.played) for row in facts.known]
        weight = weight_of_match(table, early, facts)
        return make_rated_event(n, before, table.final_places_by_seat(), weight, early or None)

    return await store.ratings.rate_and_append(
        table.id, table.seq + 1, at, rating_pool(table), people_by_seat(table), decide_rated_event
    )


def rating_pool(table: Table) -> tuple[str, int]:
    return table.terms.game, table_size_class(table.terms.players)


def people_by_seat(table: Table) -> list[str | None]:
    return [chair.person for chair in table.chairs]


def make_rated_event(
    n: int, before: list[Rating], places: list[int], weight: float = 1.0, early: list[int] | None = None
) -> Rated:
    """What a match does to the ratings of its players."""
    after = ratings_after_match(before, places)
    changed = [[one.mu, one.sigma] for one in after]
    if weight != 1:
        changed = [
            [old.mu + weight * (new.mu - old.mu), old.sigma + weight * (new.sigma - old.sigma)]
            for old, new in zip(before, after, strict=True)
        ]
    return Rated(
        n, places, [[one.mu, one.sigma] for one in before], changed, [one.played for one in before], weight, early
    )


def describe_rating_changes(event: Rated) -> list[RatingChange]:
    """What a match did to ratings, as players see it."""
    found: list[RatingChange] = []
    for place, before, after, played in zip(event.places, event.before, event.after, event.played, strict=True):
        earlier, later = Rating(before[0], before[1], played), Rating(after[0], after[1], played + 1)
        found.append({"place": place, "before": rating_as_shown(earlier), "after": rating_as_shown(later)})
    return found

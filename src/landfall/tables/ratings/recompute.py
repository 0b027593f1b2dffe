"""Computes all ratings again from the logs of the rated matches, in the order in which they were rated.

What an event says of the rating before is used only where its own history is gone: the player, or an earlier match,
was deleted.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from landfall.core.rng import Rng
from landfall.store.events import Rated, Uncounted
from landfall.store.row_types import FORGOTTEN_PREFIX, RatingChangeRow, RatingRow
from landfall.tables.log.loading import fold_log_until_fault
from landfall.tables.log.table import Table
from landfall.tables.ratings.rate_match import make_rated_event
from landfall.tables.ratings.rating_model import NEWCOMER, Rating, table_size_class

if TYPE_CHECKING:
    from landfall.store.store import Store

MAX_ATTEMPTS = 5  # when matches are rated meanwhile


@dataclass
class RecomputedRatings:
    """All ratings and changes, and what of the logs or the database disagreed."""

    ratings: dict[tuple[str, str, int], RatingRow] = field(default_factory=dict)
    changes: dict[tuple[str, int], RatingChangeRow] = field(default_factory=dict)
    matches: int = 0
    differing: list[str] = field(default_factory=list)  # tables whose log says other numbers than were computed
    stored_differ: int = 0  # ratings in the database that were others


@dataclass(frozen=True)
class RatedMatch:
    """A rated match as its log has it."""

    table: Table
    event: Rated
    at: int


async def read_rated_matches(store: Store) -> list[RatedMatch]:
    """All there are, in their order."""
    found = []
    for table in await store.ratings.list_rated_table_ids():
        entries = await store.tables.read_log_entries(table)
        if any(isinstance(entry.event, Uncounted) for entry in entries):  # taken back
            continue
        folded, _ = fold_log_until_fault(table, entries, Rng(0))
        for entry in entries:
            if isinstance(entry.event, Rated):
                found.append(RatedMatch(folded, entry.event, entry.at))
    return sorted(found, key=lambda one: one.event.n)


def compute_ratings_of_matches(matches: Iterable[RatedMatch]) -> RecomputedRatings:
    """The ratings after these matches."""
    out = RecomputedRatings()
    known: dict[tuple[str, str, int], Rating] = {}
    for one in matches:
        table, event = one.table, one.event
        pool = table.terms.game, table_size_class(table.terms.players)
        people = [chair.person or "" for chair in table.chairs]
        before = [rating_before_match(known, (person, *pool), event, seat) for seat, person in enumerate(people)]
        folded = table.rating is not None  # else today's rules cannot replay it, and its own places stand
        how = event.weight, event.early  # decided by what was known then
        again = make_rated_event(event.n, before, table.final_places_by_seat() if folded else event.places, *how)
        if again != event:
            out.differing.append(table.id)
        out.matches += 1
        for seat, person in enumerate(people):
            if person.startswith(FORGOTTEN_PREFIX) or not person:
                continue
            key = person, *pool
            (mu, sigma), played = again.after[seat], before[seat].played + 1
            known[key] = Rating(mu, sigma, played)
            out.ratings[key] = RatingRow(person, *pool, mu, sigma, played, one.at)
            out.changes[person, event.n] = RatingChangeRow(
                person, event.n, table.id, *pool, one.at, len(people), again.places[seat],
                before[seat].mu, before[seat].sigma, mu, sigma, seat in (event.early or ()),
            )  # fmt: skip
    return out


def rating_before_match(
    known: dict[tuple[str, str, int], Rating], key: tuple[str, str, int], event: Rated, seat: int
) -> Rating:
    """The rating before a match: from the matches before it, or the event's own where those are gone."""
    if key in known:
        return known[key]
    if event.played[seat] == 0 and not key[0].startswith(FORGOTTEN_PREFIX):
        return NEWCOMER
    mu, sigma = event.before[seat]
    return Rating(mu, sigma, event.played[seat])


async def recompute_ratings(store: Store) -> RecomputedRatings:
    """Compute all ratings from the logs and write them. Servers may run meanwhile."""
    return await recompute_and_compare_ratings(store, write=True)


async def check_stored_ratings(store: Store) -> RecomputedRatings:
    """Compute all ratings from the logs and compare them with those in the database."""
    return await recompute_and_compare_ratings(store, write=False)


async def recompute_and_compare_ratings(store: Store, write: bool) -> RecomputedRatings:
    for _ in range(MAX_ATTEMPTS):
        last = await store.ratings.get_last_rated_match_number()
        found = compute_ratings_of_matches(await read_rated_matches(store))
        rows = list(found.ratings.values()), list(found.changes.values())
        differ = await store.ratings.replace_or_compare_ratings(last, *rows, write=write)
        if differ is not None:
            found.stored_differ = differ
            return found
    raise TimeoutError("matches end too fast: try again later")

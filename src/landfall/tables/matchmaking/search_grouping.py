"""Who sits down with whom: searches that agree on a game, a number of players, a pace and whether it is rated.

Two searches fit if the difference of their ratings is within the band of both. A band widens with the wait. Whatever
changes is tried with everybody else, so a group that has become possible is found by the one that changed last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from landfall.games import game as find_game
from landfall.tables.matchmaking.search_log import Search
from landfall.tables.ratings.rating_model import NEWCOMER, shown_rating_number, table_size_class

BAND_MS: Final = 20_000  # after which a band widens
BANDS: Final = (100, 250, None)  # the greatest difference of ratings; None: any
BOTS_AFTER_MS: Final = 60_000  # after which bots take the free seats, if wanted
MAX_STEPS: Final = 2_000  # of the search for a group: beyond, it is found at a later change
MAX_CANDIDATES: Final = 64  # the nearest, among whom a group is looked for
NEWCOMER_NUMBER: Final = shown_rating_number(NEWCOMER.mu)

Fits = Callable[[Search, Search], bool]


class Offer(NamedTuple):
    """The terms that all at a table agree to."""

    game: str
    players: int
    pace: str
    rated: bool


class SearchGroup(NamedTuple):
    """Searches that lead to a table."""

    offer: Offer
    searches: list[Search]

    @property
    def bots_needed(self) -> int:
        return self.offer.players - len(self.searches)


def rating_pool_key(game: str, players: int) -> str:
    """Where a search keeps the rating for such a table."""
    return f"{game} {table_size_class(players)}"


def offers_of_search(search: Search) -> list[Offer]:
    """All tables that a search agrees to, the largest first."""
    t = search.terms
    sizes = sorted(t.sizes, reverse=True)
    found = [Offer(game, size, t.pace, t.rated) for size in sizes for game in t.games]
    return [offer for offer in found if offer.players in find_game(offer.game).player_counts]


def agrees_to_offer(search: Search, offer: Offer) -> bool:
    t = search.terms
    return offer.game in t.games and offer.players in t.sizes and offer.pace == t.pace and offer.rated == t.rated


def search_rating_for_offer(search: Search, offer: Offer) -> int:
    """The rating that counts at such a table."""
    return search.terms.numbers.get(rating_pool_key(offer.game, offer.players), NEWCOMER_NUMBER)


def count_band_widenings(search: Search, monotonic: int) -> int:
    """How often the band of a search has widened while it waited: the index of its band."""
    return min(max(0, monotonic - search.started) // BAND_MS, len(BANDS) - 1)


def band_index_for_difference(difference: int) -> int:
    """The first band that a difference of ratings is within."""
    return next(n for n, width in enumerate(BANDS) if width is None or difference <= width)


def are_within_both_bands(one: Search, other: Search, offer: Offer, monotonic: int) -> bool:
    """Whether each is within the band of the other."""
    needed = band_index_for_difference(abs(search_rating_for_offer(one, offer) - search_rating_for_offer(other, offer)))
    return needed <= min(count_band_widenings(one, monotonic), count_band_widenings(other, monotonic))


def find_full_group(
    seed: Search, waiting: Iterable[Search], blocked: set[frozenset[str]], monotonic: int
) -> SearchGroup | None:
    """A full table with this search, if there is one."""
    others = [one for one in waiting if one is not seed and one.can_be_matched_now]
    for offer in offers_of_search(seed):
        group = find_largest_group(seed, others, offer, blocked, monotonic)
        if len(group) == offer.players:
            return SearchGroup(offer, group)
    return None


def find_group_with_bots(
    seed: Search, waiting: Iterable[Search], blocked: set[frozenset[str]], monotonic: int
) -> SearchGroup:
    """A table with as many people as there are who agree to bots, and then as few bots as possible."""
    others = [one for one in waiting if one is not seed and one.can_be_matched_now and one.terms.bots]
    found = [
        SearchGroup(offer, find_largest_group(seed, others, offer, blocked, monotonic))
        for offer in offers_of_search(seed)
    ]
    best = max(found, key=lambda group: (len(group.searches), -group.bots_needed))
    return SearchGroup(best.offer._replace(rated=False), best.searches)


def find_largest_group(
    seed: Search, others: list[Search], offer: Offer, blocked: set[frozenset[str]], monotonic: int
) -> list[Search]:
    """As many as have room at the table, all fitting each other; those of about the seed's rating first."""

    def fit_together(one: Search, other: Search) -> bool:
        return (
            are_within_both_bands(one, other, offer, monotonic)
            and frozenset((one.person_id, other.person_id)) not in blocked
        )

    mine = search_rating_for_offer(seed, offer)
    near = [one for one in others if agrees_to_offer(one, offer) and fit_together(seed, one)]
    near.sort(key=lambda one: (abs(search_rating_for_offer(one, offer) - mine), one.started, one.id))
    return extend_to_largest_group([seed], near[:MAX_CANDIDATES], offer.players, fit_together, [MAX_STEPS])


def extend_to_largest_group(
    group: list[Search], left: list[Search], players: int, fits: Fits, steps: list[int]
) -> list[Search]:
    """The largest group found by adding some of those left, within so many steps."""
    best = group
    for n, one in enumerate(left):
        if len(best) == players or steps[0] <= 0 or len(group) + len(left) - n <= len(best):
            break
        steps[0] -= 1
        rest = [other for other in left[n + 1 :] if fits(one, other)]
        found = extend_to_largest_group([*group, one], rest, players, fits, steps)
        if len(found) > len(best):
            best = found
    return best

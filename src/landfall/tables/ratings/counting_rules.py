"""Which matches change ratings, and how much: the rules against collected points (docs/ratings.md)."""

from __future__ import annotations

from functools import cache
from typing import Final

from landfall.core.rng import Rng
from landfall.match import Match
from landfall.store.row_types import RatingFacts
from landfall.tables.log.table import Table

MAX_COUNTED_TOGETHER: Final = 4  # matches of the same people that count within a day
EARLY_SHARE: Final = 1 / 3  # of a match; who gives it up before has given it up early
REPEATED: Final = "repeated"
SAME_PLACE: Final = "same_place"
SAMPLED_MATCHES: Final = 3


def find_reason_not_to_count(facts: RatingFacts) -> str:
    """Why a match between these people does not count; "" if it does."""
    if facts.same_place:
        return SAME_PLACE
    return REPEATED if facts.together >= MAX_COUNTED_TOGETHER else ""


@cache
def usual_choices(game: str, players: int) -> int:
    """How many choices a match takes, roughly: of random play, whose length hardly varies."""
    counts = []
    for seed in range(SAMPLED_MATCHES):
        match, rng = Match(game, players, rng=Rng(seed)), Rng(seed + SAMPLED_MATCHES)
        while match.actor >= 0:
            match.play(int(match.state.random_action(rng)))
        counts.append(count_choices(match))
    return sorted(counts)[SAMPLED_MATCHES // 2]


def count_choices(match: Match, lines: int | None = None) -> int:
    """The choices in its log, or in its first lines."""
    return sum(line.actor >= 0 for line in match.log[:lines])


def seats_given_up_early(table: Table) -> list[int]:
    """Who was away at the end, and had left before a third of the match."""
    away = [(seat, chair) for seat, chair in enumerate(table.chairs) if chair.away_reason is not None]
    if not away or table.match is None:
        return []
    whole = count_choices(table.match)
    if table.ended != "finished":
        whole = max(whole, usual_choices(table.terms.game, table.terms.players))
    return [seat for seat, chair in away if count_choices(table.match, chair.saw or 0) < EARLY_SHARE * whole]


def weight_of_match(table: Table, early: list[int], facts: RatingFacts) -> float:
    """Half for a match given up early, and half again for each that the same person gave up early lately."""
    before = [facts.early.get(table.chairs[seat].person or "", 0) for seat in early]
    return 0.5 ** (1 + max(before)) if early else 1.0

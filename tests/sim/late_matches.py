"""Matches near their end, made once: so that worlds see endings without playing whole matches."""

from __future__ import annotations

from functools import cache

from landfall.core.rng import Rng
from landfall.match import Match


def random_whole_match(game: str, players: int, number: int) -> Match:
    """A random match, played to its end."""
    match, chance = Match(game, players, rng=Rng(number)), Rng(number + 1)
    while match.actor >= 0:
        match.play(int(match.state.random_action(chance)))
    return match


@cache
def shortest_random_match(game: str, players: int) -> list[Match]:
    """The shortest of some."""
    return sorted((random_whole_match(game, players, number) for number in range(8)), key=lambda match: len(match.log))


@cache
def match_near_the_end(game: str, players: int, number: int, left: int) -> Match:
    """The same match with some choices left to make."""
    match = shortest_random_match(game, players)[number]
    made = [i for i, entry in enumerate(match.log) if entry.actor >= 0]
    return match.copy_rewound_to(made[-min(left, len(made))])

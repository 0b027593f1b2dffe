"""Matches made for the browser tests: whole ones, and ones that stop before a decision somebody wants to see."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Any

import pytest

import landfall
from landfall.bots.greedy_bot import GreedyBot
from landfall.core.rng import Rng
from landfall.core.state import list_choices_one_by_one
from landfall.lab.experiments.simulation import make_seat

Wanted = Callable[[dict[str, Any]], bool]
Pleases = Callable[[landfall.Match], bool]
# Whole matches are `make proof`'s; the last part of one is played at every run. A share of the match.
WHOLE = pytest.param(0.0, marks=pytest.mark.proof)
WHOLE_OR_ENDING = pytest.mark.parametrize("after", [WHOLE, 0.8], ids=["whole", "ending"])


def parametrize_mostly_in_proof(values: Iterable[Any], *kept: Any) -> list[Any]:
    """Parameters of a test: these are tried at every run, the others by `make proof`."""
    return [value if value in kept else pytest.param(value, marks=pytest.mark.proof) for value in values]


def random_match_record(game: str, players: int, seed: int = 3, **options: Any) -> str:
    """The record of a whole match played at random."""
    match = landfall.Match(game, players=players, seed=seed, **options)
    rng = random.Random(seed)
    while match.actor >= 0:
        match.play(rng.choice(match.legal_actions()))
    return match.record()


def greedy_match_record(game: str, players: int, seed: int = 3, **options: Any) -> str:
    """The record of a whole match between greedy bots."""
    match = landfall.Match(game, players=players, seed=seed, **options)
    bot, rng = GreedyBot(), Rng(seed)
    while match.actor >= 0:
        match.play(bot.choose(make_seat(bot, match.state, game, rng, 1.0)))
    return match.record()


def greedy_record_until_first_seat_asked(game: str, players: int, seed: int = 3, after: int = 80) -> str:
    """The record of a match between greedy bots, up to where the first seat is asked after the others have played."""
    match = landfall.Match(game, players=players, seed=seed)
    bot, rng, others = GreedyBot(), Rng(seed), set[int]()
    while match.actor >= 0:
        if match.actor == 0 and len(others) == players - 1 and len(match.log) > after:
            return match.record()
        others = others | {match.actor} if match.actor and not match.state.is_setup() else set()
        match.play(bot.choose(make_seat(bot, match.state, game, rng, 1.0)))
    raise AssertionError(f"the match was over before line {after}")


def greedy_record_near_end(game: str, players: int, after: float) -> str:
    """The record of a match between greedy bots after that share of it, where the first seat is asked."""
    return greedy_record_until_first_seat_asked(
        game, players, after=int(after * len(landfall.Match.replay(greedy_match_record(game, players)).log))
    )


def random_match_until(game: str, players: int, pleases: Pleases, tries: int = 400, **options: Any) -> landfall.Match:
    """A match played at random up to where it pleases."""
    for seed in range(tries):
        match = landfall.Match(game, players=players, seed=seed, **options)
        rng = random.Random(seed)
        while match.actor >= 0:
            if pleases(match):
                return match
            match.play(rng.choice(match.legal_actions()))
    raise AssertionError(f"no {game} match came to that in {tries} tries")


def offers_choice(wanted: str | Wanted) -> Pleases:
    """Whether somebody has a choice of the wanted verb, or one that pleases."""
    fits: Wanted = wanted if callable(wanted) else lambda choice: choice["verb"] == wanted
    return lambda match: any(fits(choice) for choice in list_choices_one_by_one(match.state, match.actor))


def record_before_choice(game: str, players: int, wanted: str | Wanted, **options: Any) -> tuple[str, int]:
    """A record that ends where somebody has such a choice, and the seat."""
    match = random_match_until(game, players, offers_choice(wanted), **options)
    return match.record(), match.actor

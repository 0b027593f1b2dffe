"""Bradley-Terry ratings of a ladder: one strength a bot from all pairings together, with an interval by deal.

At a table of one bot against n - 1 of another the chance that the lone one wins is a / (a + (n - 1) b); with two
players this is Bradley and Terry's model. The interval resamples whole deals: every deal is played from every seat and
by all pairings, so what a good hand is worth cancels out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from landfall.lab.experiments.ladder import GameResult

Array = NDArray[Any]
ELO_PER_DECADE: Final = 400.0  # points of a strength ten times as large
RESAMPLES: Final = 400
INTERVAL: Final = (2.5, 97.5)  # percentiles
MAX_ITERATIONS: Final = 2_000
PRECISION: Final = 1e-6
# Of each pairing this many games count as drawn besides, so that a bot that never loses has a finite strength.
DRAWN_GAMES: Final = 1.0


@dataclass(frozen=True)
class BotRating:
    """A bot's rating in Elo points above the mean of all, with its 95 % interval."""

    code: str
    elo: float
    low: float
    high: float
    games: int


def rate_by_bradley_terry(played: list[GameResult], codes: list[str], seed: int = 1) -> list[BotRating]:
    """The ratings of the bots that played, best first."""
    there = [code for code in codes if any(code in (one.lone, one.field) for one in played)]
    number = {code: i for i, code in enumerate(there)}
    pairs = sorted({(number[one.lone], number[one.field]) for one in played})
    at = {pair: i for i, pair in enumerate(pairs)}
    players = len(played[0].places)
    deals = {deal: i for i, deal in enumerate(sorted({one.number // players for one in played}))}
    won, games = np.zeros((len(deals), len(pairs))), np.zeros((len(deals), len(pairs)))
    for one in played:
        cell = deals[one.number // players], at[number[one.lone], number[one.field]]
        won[cell] += one.share
        games[cell] += 1
    elo = fit_elo(won.sum(0), games.sum(0), pairs, len(there), players)
    random = np.random.default_rng(seed)
    drawn = np.array([resampled_elo(random, won, games, pairs, len(there), players) for _ in range(RESAMPLES)])
    low, high = np.percentile(drawn, INTERVAL, axis=0)
    count = [sum(code in (one.lone, one.field) for one in played) for code in there]
    found = [BotRating(code, float(elo[i]), float(low[i]), float(high[i]), count[i]) for i, code in enumerate(there)]
    return sorted(found, key=lambda one: -one.elo)


def resampled_elo(
    random: np.random.Generator, won: Array, games: Array, pairs: list[tuple[int, int]], bots: int, players: int
) -> Array:
    """The ratings from as many deals, drawn with replacement."""
    times = random.multinomial(len(won), np.full(len(won), 1 / len(won)))
    drawn = random.exponential(DRAWN_GAMES)  # else a bot that never lost would have no interval
    return fit_elo(times @ won, times @ games, pairs, bots, players, drawn)


def fit_elo(
    won: Array, games: Array, pairs: list[tuple[int, int]], bots: int, players: int, drawn: float = DRAWN_GAMES
) -> Array:
    """The ratings that make the results most likely, by minorisation and maximisation; their mean is 0."""
    lone, field = np.array(pairs).T
    others = players - 1
    lone_wins = won + drawn / players
    total = games + drawn
    wins = np.bincount(lone, lone_wins, bots) + np.bincount(field, total - lone_wins, bots)
    strength = np.ones(bots)
    for _ in range(MAX_ITERATIONS):
        share = total / (strength[lone] + others * strength[field])
        after = wins / (np.bincount(lone, share, bots) + np.bincount(field, others * share, bots))
        after /= np.exp(np.log(after).mean())
        done = np.abs(np.log(after / strength)).max() < PRECISION
        strength = after
        if done:
            break
    found: Array = ELO_PER_DECADE * np.log10(strength)
    return found

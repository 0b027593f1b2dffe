"""What each of a seat's choices is worth, from what the seat knows alone: the chance to win after the best line that
begins with it, over many imagined worlds, the same worlds and dice for all, so that their differences are sharp.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Final

from landfall.analysis.chances import lines_played_on
from landfall.bots import judge
from landfall.bots.contract import Seat
from landfall.bots.net_search import NetSearchBot, sheet_of
from landfall.bots.search_after import afterstates
from landfall.core.rng import Rng
from landfall.core.state import State

MOST: Final = 1024  # choices looked at; of more, so many drawn


@dataclass(frozen=True)
class Weighed:
    """Choices, the best first, with the chance to win; and how far the best is before the second, give or take."""

    actions: list[int]
    chances: list[float]
    margin: float
    error: float  # a standard error of the margin
    worlds: int


@dataclass(frozen=True)
class Glance:
    """What a net makes of every choice at first sight, the best first; those that lead to the same looked at once."""

    actions: list[int]
    chances: list[float]
    alike: list[list[int]]  # the other choices that lead to the same


def glance(game: str, world: State, seat: int, rng: Rng) -> Glance:
    """Every choice of the actor, judged by the game's net right after it."""
    sheet = sheet_of(game)
    sheet.clear()
    actions = afterstates(world, seat, sheet, MOST, rng)
    rows = judge.written(sheet)[: len(actions)]
    win, _ = judge.shipped(game).judge(rows)
    first: dict[bytes, int] = {}
    out = Glance([], [], [])
    for i in (-win[:, 0]).argsort(kind="stable"):
        row = rows[i].tobytes()
        if row in first:
            out.alike[first[row]].append(actions[i])
            continue
        first[row] = len(out.actions)
        out.actions.append(actions[i])
        out.chances.append(float(win[i, 0]))
        out.alike.append([])
    return out


def lines_from(game: str, world: State, seat: int, actions: list[int], rng: Rng) -> list[list[int]]:
    """For each first choice the line of this step of the turn that the net likes best."""
    bot = NetSearchBot(lines=4, mix=0.0)
    out: list[list[int]] = []
    for action in actions:
        after = world.copy()
        mark = after.step_mark()
        after.apply(action)
        rest: list[int] = []
        if after.actor == seat and after.step_mark() == mark:
            found = bot.best_lines(Seat(seat, game, after, rng, 1.0), after)
            rest = found[0].actions if found else []
        out.append([action, *rest])
    return out


def weigh(game: str, world: State, seat: int, actions: list[int], worlds: int, seed: int) -> Weighed:
    """Compare these choices in so many worlds: after each line a round of greedy choices of all seats."""
    rng = Rng(seed)
    lines = lines_from(game, world, seat, actions, rng)
    found = lines_played_on(Seat(seat, game, world, rng, 1.0), lines, worlds)[:, :, seat]
    means = found.mean(0)
    order = [int(i) for i in (-means).argsort(kind="stable")]
    apart = found[:, order[0]] - found[:, order[1]]
    error = float(apart.std(ddof=1)) / sqrt(worlds)
    return Weighed([actions[i] for i in order], [float(means[i]) for i in order], float(apart.mean()), error, worlds)

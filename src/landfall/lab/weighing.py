"""What each of a seat's choices is worth, from what the seat knows alone: the chance to win after the best line that
begins with it, over many imagined worlds, the same worlds and dice for all, so that their differences are sharp.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Final

from landfall.bots import judge
from landfall.bots.contract import Seat
from landfall.bots.net_search import NetSearchBot, sheet_of
from landfall.bots.search_after import afterstates
from landfall.bots.search_contest import EvenRng, play_on
from landfall.core.rng import Rng
from landfall.core.state import OVER, State

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST: Final = 1024  # choices looked at; of more, so many drawn
AHEAD: Final = 1.0  # rounds played on before the net judges


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


def chances(game: str, world: State, seat: int, lines: list[list[int]], worlds: int, rng: Rng) -> NDArray[np.float32]:
    """By line and world: the chance to win after the line and a round of greedy choices of all seats."""
    import numpy as np

    out = np.zeros((len(lines), worlds), np.float32)
    sheet = sheet_of(game)
    net = judge.shipped(game)
    chance = EvenRng(int(rng.below(1 << 30)))
    sheet.clear()
    rows: list[tuple[int, int]] = []

    def judged() -> None:
        if rows:
            win, _ = net.judge(judge.written(sheet)[: len(rows)])
            for (line, number), value in zip(rows, win[:, 0], strict=True):
                out[line, number] = value
            rows.clear()
            sheet.clear()

    for number in range(worlds):
        other = world.resample(seat, rng)
        seed = int(rng.below(1 << 30))
        for i, line in enumerate(lines):
            end = other.copy()
            mark = end.turn_mark()
            chance.begin(number)
            for action in line:
                end.apply(action)
            play_on(end, end.players, mark, chance, Rng(seed))
            if end.actor == OVER:
                winners = end.ranking()[0]["seats"]
                assert isinstance(winners, list)
                out[i, number] = 1 / len(winners) if seat in winners else 0.0
            else:
                end.features(seat, sheet)
                rows.append((i, number))
        if len(rows) > 512:
            judged()
    judged()
    return out


def weigh(game: str, world: State, seat: int, actions: list[int], worlds: int, seed: int) -> Weighed:
    """Compare these choices in so many worlds."""
    rng = Rng(seed)
    lines = lines_from(game, world, seat, actions, rng)
    found = chances(game, world, seat, lines, worlds, rng)
    means = found.mean(1)
    order = [int(i) for i in (-means).argsort(kind="stable")]
    apart = found[order[0]] - found[order[1]]
    error = float(apart.std(ddof=1)) / sqrt(worlds)
    return Weighed([actions[i] for i in order], [float(means[i]) for i in order], float(apart.mean()), error, worlds)

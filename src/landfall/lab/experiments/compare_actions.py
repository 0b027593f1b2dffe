"""The value of each choice from a seat's knowledge: the win probability after the best line that begins with it, over
many sampled worlds. All choices use the same worlds and dice, so that differences are precise."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Final

from landfall.analysis.win_probability import roll_out_lines
from landfall.bots import value_net
from landfall.bots.contract import Seat
from landfall.bots.net_search_bot import NetSearchBot, row_buffer_of
from landfall.bots.search.afterstates import write_afterstates
from landfall.core.rng import Rng
from landfall.core.state import State

MAX_CHOICES: Final = 1024  # choices evaluated; of more, a sample


@dataclass(frozen=True)
class ComparedActions:
    """Choices, best first, with win probabilities; and the best one's lead over the second with its error."""

    actions: list[int]
    chances: list[float]
    margin: float
    error: float  # standard error of the margin
    worlds: int


@dataclass(frozen=True)
class FirstEstimate:
    """A net's evaluation of every choice, best first; choices that lead to the same position are evaluated once."""

    actions: list[int]
    chances: list[float]
    alike: list[list[int]]  # the other choices that lead to the same position


def estimate_actions(game: str, world: State, seat: int, rng: Rng) -> FirstEstimate:
    """Evaluate every choice of the actor by the game's net."""
    sheet = row_buffer_of(game)
    sheet.rewind()
    actions = write_afterstates(world, seat, sheet, MAX_CHOICES, rng)
    rows = value_net.rows_as_array(sheet)[: len(actions)]
    win, _ = value_net.load_packaged(game).predict(rows)
    first: dict[bytes, int] = {}
    out = FirstEstimate([], [], [])
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


def lines_from_actions(game: str, world: State, seat: int, actions: list[int], rng: Rng) -> list[list[int]]:
    """For each first choice, the net's best line of this step of the turn."""
    bot = NetSearchBot(lines=4, mix=0.0)
    out: list[list[int]] = []
    for action in actions:
        after = world.copy()
        mark = after.step_id()
        after.apply(action)
        rest: list[int] = []
        if after.actor == seat and after.step_id() == mark:
            found = bot.best_lines(Seat(seat, game, after, rng, 1.0), after)
            rest = found[0].actions if found else []
        out.append([action, *rest])
    return out


def compare_actions(game: str, world: State, seat: int, actions: list[int], worlds: int, seed: int) -> ComparedActions:
    """Compare these choices in that many worlds: after each line a round of greedy choices of all seats."""
    rng = Rng(seed)
    lines = lines_from_actions(game, world, seat, actions, rng)
    found = roll_out_lines(Seat(seat, game, world, rng, 1.0), lines, worlds)[:, :, seat]
    means = found.mean(0)
    order = [int(i) for i in (-means).argsort(kind="stable")]
    apart = found[:, order[0]] - found[:, order[1]]
    error = float(apart.std(ddof=1)) / sqrt(worlds)
    return ComparedActions(
        [actions[i] for i in order], [float(means[i]) for i in order], float(apart.mean()), error, worlds
    )

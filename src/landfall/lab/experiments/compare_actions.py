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
from landfall.bots.search.afterstate_rows import write_afterstates
from landfall.core.rng import Rng
from landfall.core.state import State

MAX_CHOICES: Final = 1024  # choices evaluated; of more, a sample
MAX_COMPLETIONS: Final = 8  # lines of a step that begin with one choice
COMPLETION_WORLDS: Final = 8  # worlds of the rollouts that choose among them


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


def estimate_actions_by_net(game: str, world: State, seat: int, rng: Rng) -> FirstEstimate:
    """Evaluate every choice of the actor by the game's net."""
    sheet = row_buffer_of(game)
    sheet.restart_at_first_row()
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


def lines_beginning_with_action(game: str, world: State, seat: int, action: int, rng: Rng) -> list[list[int]]:
    """The lines of this step of the turn that begin with a choice: the net's best completions, best first."""
    after = world.copy()
    mark = after.step_key()
    after.apply(action)
    if after.actor != seat or after.step_key() != mark:
        return [[action]]
    bot = NetSearchBot(lines=MAX_COMPLETIONS, mix=0.0)
    return [[action, *line.actions] for line in bot.best_lines(Seat(seat, game, after, rng, 1.0), after)]


def best_line_for_each_action(game: str, world: State, seat: int, actions: list[int], rng: Rng) -> list[list[int]]:
    """For each first choice, the best line of this step of the turn.

    The net ranks completions too roughly to keep only its first: a choice would look worse than it is. Rollouts choose
    among several.
    """
    import numpy as np

    every = [
        (i, line)
        for i, first in enumerate(actions)
        for line in lines_beginning_with_action(game, world, seat, first, rng)
    ]
    if len(every) == len(actions):
        return [line for _, line in every]
    found = roll_out_lines(Seat(seat, game, world, rng, 1.0), [line for _, line in every], COMPLETION_WORLDS)
    means = np.array(found)[:, :, seat].mean(0)
    best: dict[int, int] = {}
    for number, (i, _) in enumerate(every):
        if i not in best or means[number] > means[best[i]]:
            best[i] = number
    return [every[best[i]][1] for i in range(len(actions))]


def compare_actions(game: str, world: State, seat: int, actions: list[int], worlds: int, seed: int) -> ComparedActions:
    """Compare these choices in that many worlds: after each line a round of greedy choices of all seats."""
    import numpy as np

    rng = Rng(seed)
    lines = best_line_for_each_action(game, world, seat, actions, rng)
    found = np.array(roll_out_lines(Seat(seat, game, world, rng, 1.0), lines, worlds))[:, :, seat]
    means = found.mean(0)
    order = [int(i) for i in (-means).argsort(kind="stable")]
    apart = found[:, order[0]] - found[:, order[1]]
    error = float(apart.std(ddof=1)) / sqrt(worlds)
    return ComparedActions(
        [actions[i] for i in order], [float(means[i]) for i in order], float(apart.mean()), error, worlds
    )

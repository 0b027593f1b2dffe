"""Compares the most promising lines of a search by rollouts with greedy choices of all seats to the same horizon. All
lines use the same worlds and dice, so that only the lines differ. Compiled with the engine."""

from __future__ import annotations

from math import sqrt
from time import thread_time
from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from landfall.bots.search.one_ply_search import best_action
from landfall.core.int_vectors import filled_vector, to_vector
from landfall.core.rng import Rng
from landfall.core.state import CHANCE, OVER, State

if TYPE_CHECKING:
    from landfall.bots.search.mcts_tree import SearchTree
    from landfall.core.int_vectors import Buf

MAX_LINES: Final[i64] = 8
MAX_BRANCHES: Final = 5  # the most visited choices, followed at each step of a line
PRIMES: Final = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53)
STRIDES: Final = to_vector([int(sqrt(p) % 1 * (1 << 31)) for p in PRIMES])
TRACKED_DRAWS: Final[i64] = 16


class LowDiscrepancyRng(Rng):
    """A low-discrepancy sequence: in each round the first draw, the second and so on advance by their own strides."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.shift: Buf = filled_vector(16, 0)
        for i in range(TRACKED_DRAWS):
            self.shift[i] = super().randbelow(1 << 30) * 2
        self.round: i64 = 0
        self.draw_count: i64 = 0

    def begin_round(self, number: i64) -> None:
        """Begin a round with its first draw."""
        self.round = number
        self.draw_count = 0

    def randbelow(self, n: i64) -> i64:
        """A number from 0 to n - 1."""
        i = self.draw_count % TRACKED_DRAWS
        self.draw_count += 1
        return ((self.shift[i] + self.round * STRIDES[i]) % (1 << 31) * n) >> 31


class CandidateLine:
    """A seat's choices until its step of the turn ends."""

    def __init__(self, actions: list[int], promise: i64, end: State) -> None:
        self.actions = actions
        self.prior: i64 = promise  # its value in the search
        self.end = end  # the position it leads to in some world
        self.rollouts: i64 = 0
        self.total: i64 = 0  # sum of its rollouts' results


def find_best_lines(search: SearchTree) -> list[CandidateLine]:
    """The best lines of a tree; lines to the same position count once."""
    world = search.world.resample(int(search.seat), Rng(0))
    found: list[CandidateLine] = []
    collect_lines(search, 0, world, world.step_key(), [], found)
    found.sort(key=lambda line: -line.prior)
    lines: list[CandidateLine] = []
    ends: set[bytes] = set()
    for line in found:
        if len(lines) >= MAX_LINES and line.prior < lines[-1].prior:
            break
        end = line.end.to_bytes()
        if end not in ends:
            ends.add(end)
            lines.append(line)
    lines.sort(key=lambda line: (-line.prior, line.actions))
    return lines[:MAX_LINES]


def collect_lines(
    search: SearchTree, row: i64, world: State, mark: i64, actions: list[int], found: list[CandidateLine]
) -> None:
    """All lines of the most visited choices below a row of the tree."""
    if world.actor != search.seat or world.step_key() != mark:
        promise = (search.total_value[row] + search.prior[row]) // (search.visits[row] + 1)
        found.append(CandidateLine(actions, promise, world))
        return
    tried: list[tuple[int, int]] = []
    at = search.first_child[row]
    while at >= 0:
        if search.visits[at] > 0:
            tried.append((-int(search.visits[at]), int(at)))
        at = search.next_sibling[at]
    tried.sort()
    if not tried:
        after = world.copy()
        line = actions[:]
        while after.actor == search.seat and after.step_key() == mark:
            action = best_action(after, search.seat, Rng(0))
            after.apply(action)
            line.append(int(action))
        collect_lines(search, row, after, mark, line, found)
        return
    for _, child in tried[:MAX_BRANCHES]:
        after = world.copy()
        after.apply(search.action[child])
        collect_lines(search, child, after, mark, [*actions, int(search.action[child])], found)


class RolloutContest:
    """Rolls out lines; the worse half drops out repeatedly (successive halving)."""

    def __init__(self, search: SearchTree, lines: list[CandidateLine], rng: Rng) -> None:
        self.search = search
        self.lines = lines  # the remaining ones, best first
        self.dropped: list[CandidateLine] = []
        self.chance = LowDiscrepancyRng(int(rng.randbelow(1 << 30)))
        self.shares: Buf = filled_vector(6, 0)
        self.rounds: i64 = 0
        self.longest_rollout_s = 0.0

    def run(self, playouts: i64, seconds: float, rng: Rng) -> None:
        """Run a number of rollouts (0: no limit) within a time of this thread (0: no limit)."""
        began = thread_time() if seconds > 0.0 else 0.0
        if seconds > 0.0:
            self.limit_lines_to_time(seconds)
        stages: i64 = 0
        while (1 << stages) < len(self.lines):
            stages += 1
        for stage in range(stages):
            number: i64 = 0
            while True:
                if playouts > 0 and number > 0 and (number + 1) * len(self.lines) * stages > playouts:
                    break
                if seconds > 0.0:
                    used = thread_time() - began
                    if number > 0 and used >= seconds * float(stage + 1) / float(stages):
                        break
                    if used + self.longest_rollout_s * float(len(self.lines)) >= seconds:
                        self.sort_lines()
                        return
                self.play_round(rng, seconds > 0.0)
                number += 1
            self.sort_lines()
            half = (len(self.lines) + 1) // 2
            self.dropped = self.lines[half:] + self.dropped
            self.lines = self.lines[:half]

    def limit_lines_to_time(self, seconds: float) -> None:
        """Limit the lines to those that can be rolled out a few times each, given the time of one rollout."""
        began = thread_time()
        world = self.search.world.copy()
        roll_out_greedily(world, world.players * self.search.plan.rollout_rounds, world.turn_key(), self.chance, Rng(0))
        self.longest_rollout_s = thread_time() - began
        fits = int((seconds - self.longest_rollout_s) / (2.0 * self.longest_rollout_s + 1e-9))
        self.dropped = self.lines[max(1, fits) :]
        self.lines = self.lines[: max(1, fits)]

    def play_round(self, rng: Rng, timed: bool) -> None:
        """Roll out all lines in one world with the same dice."""
        search = self.search
        world = search.sample_world(rng)
        seed = int(rng.randbelow(1 << 30))
        for line in self.lines:
            began = thread_time() if timed else 0.0
            after = world.copy()
            mark = after.turn_key()
            self.chance.begin_round(self.rounds)
            for action in line.actions:
                after.apply(action)
            roll_out_greedily(after, after.players * search.plan.rollout_rounds, mark, self.chance, Rng(seed))
            search.evaluate(after, self.shares)
            line.total += self.shares[search.seat]
            line.rollouts += 1
            if timed:
                self.longest_rollout_s = max(self.longest_rollout_s, thread_time() - began)
        self.rounds += 1

    def sort_lines(self) -> None:
        """Sort the lines, best first."""
        self.lines.sort(
            key=lambda line: (-(line.total // line.rollouts if line.rollouts else 0), -line.prior, line.actions)
        )

    def ranking(self) -> list[CandidateLine]:
        """All lines, best first."""
        return self.lines + self.dropped


def roll_out_greedily(world: State, turns: i64, mark: i64, chance: Rng, rng: Rng) -> None:
    """Play greedy choices of all seats until that many turns have ended."""
    while world.actor != OVER:
        if world.turn_key() != mark:
            mark = world.turn_key()
            turns -= 1
            if turns <= 0:
                return
        if world.actor == CHANCE:
            world.apply(world.sample_chance(chance))
        else:
            world.apply(best_action(world, world.actor, rng))

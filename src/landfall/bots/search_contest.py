"""The few most promising lines of a search, compared by playing on: each with greedy choices of all seats to the same
moment, in the same worlds and with the same dice, so that only the lines differ. Compiled with the engine.
"""

from __future__ import annotations

from math import sqrt
from time import thread_time
from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from landfall.bots.search import best_action
from landfall.core.rng import Rng
from landfall.core.state import CHANCE, OVER, State
from landfall.core.vectors import buf, filled

if TYPE_CHECKING:
    from landfall.bots.search_tree import Search
    from landfall.core.vectors import Buf

MOST_LINES: Final[i64] = 8
WIDTH: Final = 5  # choices gone through at each step of a line, the most visited ones
PRIMES: Final = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53)
STRIDES: Final = buf([int(sqrt(p) % 1 * (1 << 31)) for p in PRIMES])
DRAWS: Final[i64] = 16


class EvenRng(Rng):
    """Chance spread evenly: from round to round the first draw, the second and so on each move on by its own stride."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.shift: Buf = filled(16, 0)
        for i in range(DRAWS):
            self.shift[i] = super().below(1 << 30) * 2
        self.round: i64 = 0
        self.drawn: i64 = 0

    def begin(self, number: i64) -> None:
        """The first draw of a round."""
        self.round = number
        self.drawn = 0

    def below(self, n: i64) -> i64:
        """A number from 0 to n - 1."""
        i = self.drawn % DRAWS
        self.drawn += 1
        return ((self.shift[i] + self.round * STRIDES[i]) % (1 << 31) * n) >> 31


class Line:
    """What a seat might do until its step of the turn is over."""

    def __init__(self, actions: list[int], promise: i64, end: State) -> None:
        self.actions = actions
        self.promise: i64 = promise  # as the search found it
        self.end = end  # where it leads to, in some world
        self.played: i64 = 0
        self.total: i64 = 0  # of what came of it


def promising(search: Search) -> list[Line]:
    """The best lines of a tree, those that end in the same position counted once."""
    world = search.world.resample(int(search.seat), Rng(0))
    found: list[Line] = []
    gather(search, 0, world, world.step_mark(), [], found)
    found.sort(key=lambda line: -line.promise)
    lines: list[Line] = []
    ends: set[bytes] = set()
    for line in found:
        if len(lines) >= MOST_LINES and line.promise < lines[-1].promise:
            break
        end = line.end.to_bytes()
        if end not in ends:
            ends.add(end)
            lines.append(line)
    lines.sort(key=lambda line: (-line.promise, line.actions))
    return lines[:MOST_LINES]


def gather(search: Search, row: i64, world: State, mark: i64, actions: list[int], found: list[Line]) -> None:
    """All lines of the most visited choices from a row of the tree on."""
    if world.actor != search.seat or world.step_mark() != mark:
        promise = (search.total[row] + search.first[row]) // (search.visits[row] + 1)
        found.append(Line(actions, promise, world))
        return
    tried: list[tuple[int, int]] = []
    at = search.child[row]
    while at >= 0:
        if search.visits[at] > 0:
            tried.append((-int(search.visits[at]), int(at)))
        at = search.next[at]
    tried.sort()
    if not tried:
        after = world.copy()
        line = actions[:]
        while after.actor == search.seat and after.step_mark() == mark:
            action = best_action(after, search.seat, Rng(0))
            after.apply(action)
            line.append(int(action))
        gather(search, row, after, mark, line, found)
        return
    for _, child in tried[:WIDTH]:
        after = world.copy()
        after.apply(search.action[child])
        gather(search, child, after, mark, [*actions, int(search.action[child])], found)


class Contest:
    """Lines that are played on; the worse half of them drops out again and again."""

    def __init__(self, search: Search, lines: list[Line], rng: Rng) -> None:
        self.search = search
        self.lines = lines  # those still in it, the best first
        self.out: list[Line] = []
        self.chance = EvenRng(int(rng.below(1 << 30)))
        self.shares: Buf = filled(6, 0)
        self.rounds: i64 = 0
        self.longest = 0.0

    def run(self, playouts: i64, seconds: float, rng: Rng) -> None:
        """So many playouts (0: any number) within so much of this thread's time (0: any)."""
        began = thread_time() if seconds > 0.0 else 0.0
        if seconds > 0.0:
            self.fit(seconds)
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
                    if used + self.longest * float(len(self.lines)) >= seconds:
                        self.rank()
                        return
                self.round(rng, seconds > 0.0)
                number += 1
            self.rank()
            half = (len(self.lines) + 1) // 2
            self.out = self.lines[half:] + self.out
            self.lines = self.lines[:half]

    def fit(self, seconds: float) -> None:
        """Only so many lines as can be played on a few times, by how long one playout takes."""
        began = thread_time()
        world = self.search.world.copy()
        play_on(world, world.players * self.search.plan.rollout_rounds, world.turn_mark(), self.chance, Rng(0))
        self.longest = thread_time() - began
        fits = int((seconds - self.longest) / (2.0 * self.longest + 1e-9))
        self.out = self.lines[max(1, fits) :]
        self.lines = self.lines[: max(1, fits)]

    def round(self, rng: Rng, timed: bool) -> None:
        """One world and one run of the dice for all lines."""
        search = self.search
        world = search.sample_world(rng)
        seed = int(rng.below(1 << 30))
        for line in self.lines:
            began = thread_time() if timed else 0.0
            after = world.copy()
            mark = after.turn_mark()
            self.chance.begin(self.rounds)
            for action in line.actions:
                after.apply(action)
            play_on(after, after.players * search.plan.rollout_rounds, mark, self.chance, Rng(seed))
            search.judge(after, self.shares)
            line.total += self.shares[search.seat]
            line.played += 1
            if timed:
                self.longest = max(self.longest, thread_time() - began)
        self.rounds += 1

    def rank(self) -> None:
        """The best first."""
        self.lines.sort(
            key=lambda line: (-(line.total // line.played if line.played else 0), -line.promise, line.actions)
        )

    def ranked(self) -> list[Line]:
        """All lines, the best first."""
        return self.lines + self.out


def play_on(world: State, turns: i64, mark: i64, chance: Rng, rng: Rng) -> None:
    """Greedy choices of all seats until so many turns have ended."""
    while world.actor != OVER:
        if world.turn_mark() != mark:
            mark = world.turn_mark()
            turns -= 1
            if turns <= 0:
                return
        if world.actor == CHANCE:
            world.apply(world.draw(chance))
        else:
            world.apply(best_action(world, world.actor, rng))

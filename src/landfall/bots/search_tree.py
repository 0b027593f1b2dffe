"""Monte Carlo tree search over what a seat knows (ISMCTS); compiled with the engine.

Each iteration imagines one world that the seat cannot tell from the true one, walks down the tree of choices and
outcomes seen so far, adds to it, and remembers what came of it for whoever chose on the way. Every seat is taken to
play for itself (max^n). Nodes are rows of parallel vectors; children hang in a chain, the most promising first.
"""

from __future__ import annotations

from math import exp, log, sqrt
from time import thread_time
from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from landfall.bots.search import tempting_action
from landfall.core.rng import Rng
from landfall.core.search_plan import SearchPlan
from landfall.core.state import CHANCE, OVER, Moves, State
from landfall.core.vectors import filled

if TYPE_CHECKING:
    from landfall.core.vectors import Buf

WHOLE: Final[i64] = 1_000_000  # a certain win
HIDDEN: Final[i64] = -1  # the key of an outcome the searching seat does not get to see
NONE: Final[i64] = -1
FIRST_ROWS: Final = 1 << 12
MOST_ROWS: Final = 1 << 19
DEEPEST: Final = 400
SEATS: Final = 6
CHOICES: Final = Moves()


def final_shares(state: State, out: Buf) -> None:
    """What each seat made of a finished game: most of it is winning, a little of it by how much."""
    expected_shares(state, state.scores(), out)
    seats = state.ranking()[0]["seats"]
    assert isinstance(seats, list)
    # Winning by more is a little better, so that a search without hope or fear still plays on.
    prize: i64 = WHOLE * 17 // (20 * len(seats))
    for seat in range(state.players):
        out[seat] = out[seat] * 3 // 20
    for winner in seats:
        out[winner] += prize


def expected_shares(state: State, points: list[int], out: Buf) -> None:
    """Each seat's chance to win, if these many points were expected and might well come otherwise."""
    most = max(points)
    each = float(state.spread()) / 1000.0
    total = 0.0
    for seat in range(state.players):
        total += exp((points[seat] - most) / each)
    for seat in range(state.players):
        out[seat] = i64(int(exp((points[seat] - most) / each) / total * 1_000_000.0))


def judged_shares(state: State, out: Buf) -> None:
    """Each seat's chance to win as the position looks."""
    if state.actor == OVER:
        final_shares(state, out)
        return
    state.prospects(out)
    share_out(state, out)


def share_out(state: State, out: Buf) -> None:
    """The points each seat may expect, made its chance to win."""
    most: i64 = -1_000_000_000
    for seat in range(state.players):
        if out[seat] > most:
            most = out[seat]
    each = float(state.spread())
    total = 0.0
    for seat in range(state.players):
        total += exp(float(out[seat] - most) / each)
    for seat in range(state.players):
        out[seat] = i64(exp(float(out[seat] - most) / each) / total * 1_000_000.0)


class Search:
    """One seat's tree. `run` makes it grow; what it has found is read with `ranked`."""

    def __init__(self, world: State, seat: i64, plan: SearchPlan) -> None:
        self.world = world  # all that the seat knows; the rest of it is drawn anew each time
        self.seat: i64 = seat
        self.plan = plan
        self.rows: i64 = FIRST_ROWS
        self.count: i64 = 0
        self.action: Buf = filled(FIRST_ROWS, 0)  # what leads here
        self.child: Buf = filled(FIRST_ROWS, 0)  # the first of its children
        self.next: Buf = filled(FIRST_ROWS, 0)  # the next of its parent's
        self.visits: Buf = filled(FIRST_ROWS, 0)
        self.offered: Buf = filled(FIRST_ROWS, 0)  # how often it could have been chosen
        self.total: Buf = filled(FIRST_ROWS, 0)  # of what came of it for who chose it
        self.first: Buf = filled(FIRST_ROWS, 0)  # how it looked at first to who chose it
        self.mark: Buf = filled(world.num_actions(), 0)  # by action: the stamp under which it is possible
        self.stamp: i64 = 0
        self.path: Buf = filled(DEEPEST + 2, 0)
        self.chooser: Buf = filled(DEEPEST + 2, 0)
        self.deep: i64 = 0
        self.shares: Buf = filled(SEATS, 0)
        self.points: Buf = filled(SEATS, 0)
        self.looks: Buf = filled(SEATS, 0)
        self.level: Buf = filled(SEATS, 0)  # what own points count for at the root, to be taken off again
        self.outset: Buf = filled(SEATS, 0)  # how this iteration's world looked at the root
        self.outsets: Buf = filled(SEATS, 0)  # the same, summed up over all iterations
        self.iterations: i64 = 0
        judged_shares(world, self.looks)
        self.judge(world, self.level)
        for i in range(world.players):
            self.level[i] -= self.looks[i]
        self.add(0, 0)

    # --- rows -------------------------------------------------------------------------------------------------

    def add(self, action: i64, first: i64) -> i64:
        """A new row."""
        row = self.count
        if row == self.rows:
            self.grow()
        self.count = row + 1
        self.action[row] = action
        self.child[row] = NONE
        self.next[row] = NONE
        self.visits[row] = 0
        self.offered[row] = 0
        self.total[row] = 0
        self.first[row] = first
        return row

    def grow(self) -> None:
        """Room for twice as many rows."""
        self.rows = self.rows * 2
        self.action = longer(self.action)
        self.child = longer(self.child)
        self.next = longer(self.next)
        self.visits = longer(self.visits)
        self.offered = longer(self.offered)
        self.total = longer(self.total)
        self.first = longer(self.first)

    def hang(self, parent: i64, row: i64) -> None:
        """Into its parent's chain, behind all that look better."""
        first = self.first[row]
        before: i64 = NONE
        at = self.child[parent]
        while at >= 0 and self.first[at] >= first:
            before = at
            at = self.next[at]
        self.next[row] = at
        if before < 0:
            self.child[parent] = row
        else:
            self.next[before] = row

    def judge(self, state: State, out: Buf) -> None:
        """What the position is worth to each seat: its chance to win, and its own points as far as the plan says."""
        if self.plan.own_points == 0:
            judged_shares(state, out)
            return
        state.prospects(self.points)
        if state.actor == OVER:
            final_shares(state, out)
        else:
            for seat in range(state.players):
                out[seat] = self.points[seat]
            share_out(state, out)
        each = float(state.spread()) * 4.0
        for seat in range(state.players):
            out[seat] += i64(float(self.points[seat]) / each * 10_000.0) * self.plan.own_points - self.level[seat]

    # --- worlds -----------------------------------------------------------------------------------------------

    def sample_world(self, rng: Rng) -> State:
        """A world that the seat cannot tell from the true one."""
        return self.world.resample(int(self.seat), rng)

    def new_tree(self, world: State) -> Search:
        """An empty tree of the same kind, for another position."""
        return Search(world, self.seat, self.plan)

    # --- one iteration ----------------------------------------------------------------------------------------

    def iterate(self, rng: Rng) -> None:
        """Imagine a world, walk down, play on to the horizon, judge, remember."""
        world = self.sample_world(rng)
        row: i64 = 0
        self.deep = 0
        self.path[0] = 0
        self.chooser[0] = NONE
        turns = self.plan.horizon_turns
        mark = world.turn_mark() if turns >= 0 else world.step_mark()
        self.judge(world, self.outset)
        while world.actor != OVER and self.deep < DEEPEST:
            if turns > 0 and world.turn_mark() != mark:
                turns -= 1
                mark = world.turn_mark()
                if turns == 0:
                    break  # all lines are judged at the same moment: between turns they compare fairly
            if turns < 0 and self.deep > 0 and (world.actor == CHANCE or world.step_mark() != mark):
                break
            actor = world.actor
            if actor == CHANCE:
                row = self.after_outcome(world, row, rng)
                if row < 0:
                    if turns > 0:
                        self.finish_turns(world, turns, mark, rng)
                    break
            elif self.child[row] < 0:
                if self.count >= MOST_ROWS or (row > 0 and self.visits[row] < self.plan.expand_after):
                    if turns > 0:
                        self.finish_turns(world, turns, mark, rng)
                    break
                self.expand(world, row)
                row = self.child[row]
                world.apply(self.action[row])
                self.push(row, actor)
                if turns == 0:
                    break
            else:
                row = self.select(world, row)
                world.apply(self.action[row])
                self.push(row, actor)
        self.judge(world, self.shares)
        self.remember()
        self.iterations += 1

    def finish_turns(self, world: State, turns: i64, mark: i64, rng: Rng) -> None:
        """Play on to the moment at which all lines are judged, adding nothing to the tree."""
        while world.actor != OVER:
            if world.turn_mark() != mark:
                turns -= 1
                mark = world.turn_mark()
                if turns == 0:
                    return
            if world.actor == CHANCE:
                world.apply(world.draw(rng))
            elif self.plan.greedy_percent == 100 or rng.below(100) < self.plan.greedy_percent:
                world.apply(tempting_action(world, rng))
            else:
                world.apply(world.random_action(rng))

    def push(self, row: i64, chooser: i64) -> None:
        self.deep += 1
        self.path[self.deep] = row
        self.chooser[self.deep] = chooser

    def after_outcome(self, world: State, row: i64, rng: Rng) -> i64:
        """Chance decides; the child for what the searching seat gets to see of it, -1 if there is no room for one."""
        outcome = world.draw(rng)
        secret = world.secret(int(outcome))
        key = outcome if secret == 0 or world.may_read(int(self.seat), secret) else HIDDEN
        world.apply(outcome)
        at = self.child[row]
        while at >= 0 and self.action[at] != key:
            at = self.next[at]
        if at < 0:
            if self.count >= MOST_ROWS:
                return NONE
            at = self.add(key, 0)
            self.next[at] = self.child[row]
            self.child[row] = at
        self.push(at, NONE)
        return at

    def expand(self, world: State, row: i64) -> None:
        """Look at every choice once, and keep the most promising; at the root all."""
        CHOICES.count = 0
        world.generate(CHOICES)
        for i in range(CHOICES.count):
            self.adopt(world, row, CHOICES.items[i], CHOICES.count > 1)
        if row > 0:
            self.cut(row)

    def cut(self, row: i64) -> None:
        """Only the most promising choices are kept; the rest is forgotten."""
        at = self.child[row]
        for _ in range(self.plan.max_children - 1):
            if at < 0:
                return
            at = self.next[at]
        if at >= 0:
            self.next[at] = NONE

    def adopt(self, world: State, row: i64, action: i64, look: bool) -> None:
        """A child for a choice, judged by the position right after it."""
        first: i64 = 0
        if look:
            after = world.copy()
            after.apply(action)
            self.judge(after, self.looks)
            first = self.looks[world.actor]
        self.hang(row, self.add(action, first))

    def select(self, world: State, row: i64) -> i64:
        """The child to try: what looks best so far, and what has been tried little."""
        CHOICES.count = 0
        world.generate(CHOICES)
        self.stamp += 1
        stamp = self.stamp
        for i in range(CHOICES.count):
            self.mark[CHOICES.items[i]] = stamp
        wanted = CHOICES.count
        if row > 0 and wanted > self.plan.max_children:
            wanted = self.plan.max_children
        known: i64 = 0
        at = self.child[row]
        while at >= 0:
            if self.mark[self.action[at]] == stamp:
                known += 1
            at = self.next[at]
        if known < wanted and self.count + CHOICES.count < MOST_ROWS:
            self.adopt_new(world, row, stamp)
        return self.best_child(row, stamp)

    def adopt_new(self, world: State, row: i64, stamp: i64) -> None:
        """Choices of this world that no world before had here."""
        at = self.child[row]
        while at >= 0:
            if self.mark[self.action[at]] == stamp:
                self.mark[self.action[at]] = -stamp
            at = self.next[at]
        for i in range(CHOICES.count):
            action = CHOICES.items[i]
            if self.mark[action] == stamp:
                self.adopt(world, row, action, True)
            else:
                self.mark[action] = stamp

    def best_child(self, row: i64, stamp: i64) -> i64:
        """By what came of each so far and how it looked at first, corrected by how far first looks are off here."""
        trust = self.plan.prior_visits
        explore = self.plan.explore * float(WHOLE)
        room = widening(self.visits[row])
        tried: i64 = 0
        off: i64 = 0
        at = self.child[row]
        while at >= 0:
            tried += self.visits[at]
            off += self.total[at] - self.visits[at] * self.first[at]
            at = self.next[at]
        if tried > 0:
            off = off // tried
        best: i64 = NONE
        best_score = 0.0
        at = self.child[row]
        while at >= 0 and room > 0:
            if self.mark[self.action[at]] == stamp:
                room -= 1
                self.offered[at] += 1
                weight = float(self.visits[at] + trust)
                score = float(self.total[at] + trust * (self.first[at] + off)) / weight
                score += explore * sqrt(log(float(self.offered[at] + trust)) / weight)
                if best < 0 or score > best_score:
                    best = at
                    best_score = score
            at = self.next[at]
        return best

    def remember(self) -> None:
        """Add what came of it to all rows on the way, less what only this world's hidden part has made of it."""
        for seat in range(self.world.players):
            self.outsets[seat] += self.outset[seat]
            self.shares[seat] += self.outsets[seat] // (self.iterations + 1) - self.outset[seat]
        for i in range(self.deep + 1):
            row = self.path[i]
            self.visits[row] += 1
            if self.chooser[i] >= 0:
                self.total[row] += self.shares[self.chooser[i]]

    # --- many iterations --------------------------------------------------------------------------------------

    def run(self, iterations: i64, seconds: float, rng: Rng) -> None:
        """So many iterations (0: any number) within so much of this thread's time (0: any).

        Ends early once no other choice can overtake.
        """
        began = thread_time() if seconds > 0.0 else 0.0
        done: i64 = 0
        while iterations == 0 or done < iterations:
            self.iterate(rng)
            done += 1
            left: i64 = iterations - done if iterations > 0 else 1 << 40
            if done % 8 == 0 and seconds > 0.0:
                used = thread_time() - began
                if used >= seconds * (1.0 - 1.0 / float(done)):
                    return
                fits = i64(int((seconds - used) / used * float(done))) + 1
                if fits < left:
                    left = fits
            if done % 32 == 0 and self.lead() > left:
                return

    # --- from one decision to the next ------------------------------------------------------------------------

    def find(self, world: State, action: i64) -> i64:
        """The row that stands for this decision, if it is what the seat's last choice, and chance after it, led to."""
        now = self.fingerprint(world)
        at = self.child[0]
        while at >= 0 and self.action[at] != action:
            at = self.next[at]
        if at < 0:
            return NONE
        after = self.world.copy()
        after.apply(action)
        return self.find_below(at, after, now, 4)

    def find_below(self, row: i64, world: State, wanted: bytes, deep: i64) -> i64:
        if world.actor == self.seat:
            return row if self.fingerprint(world) == wanted else NONE
        if world.actor != CHANCE or deep == 0:
            return NONE
        at = self.child[row]
        while at >= 0:
            if self.action[at] != HIDDEN:
                after = world.copy()
                after.apply(self.action[at])
                found = self.find_below(at, after, wanted, deep - 1)
                if found >= 0:
                    return found
            at = self.next[at]
        return NONE

    def fingerprint(self, world: State) -> bytes:
        """The same for all worlds the seat cannot tell apart: what it does not know is always drawn alike."""
        return world.resample(int(self.seat), Rng(0)).to_bytes()

    def keep_below(self, row: i64, world: State) -> Search:
        """A tree in which a row of this one is the root, with all that was found below it."""
        kept = self.new_tree(world)
        origin: list[int] = [int(row)]  # by new row: the old one
        kept.take_counts(0, self, row)
        new: i64 = 0
        while new < kept.count:
            before: i64 = NONE
            at = self.child[origin[new]]
            while at >= 0:
                added = kept.add(self.action[at], self.first[at])
                kept.take_counts(added, self, at)
                origin.append(int(at))
                if before < 0:
                    kept.child[new] = added
                else:
                    kept.next[before] = added
                before = added
                at = self.next[at]
            new += 1
        return kept

    def take_counts(self, row: i64, other: Search, old: i64) -> None:
        self.visits[row] = other.visits[old]
        self.offered[row] = other.offered[old]
        self.total[row] = other.total[old]

    def lead(self) -> i64:
        """By how many visits the most visited choice leads."""
        most: i64 = 0
        second: i64 = 0
        at = self.child[0]
        while at >= 0:
            n = self.visits[at]
            if n > most:
                second = most
                most = n
            elif n > second:
                second = n
            at = self.next[at]
        return most - second

    def ranked(self) -> list[tuple[int, int, int]]:
        """The root's choices, best first: action, visits, and what came of it (of a million)."""
        found: list[tuple[int, int, int, int]] = []
        at = self.child[0]
        while at >= 0:
            n = int(self.visits[at])
            mean = max(0, min(int(WHOLE), int(self.total[at]) // n if n else int(self.first[at])))
            found.append((-n, -mean, int(self.action[at]), mean))
            at = self.next[at]
        found.sort()
        return [(action, -n, mean) for n, _, action, mean in found]


class PeekingSearch(Search):
    """A tree that takes the world it is given for the true one. For measurements only: no player is given one."""

    def sample_world(self, rng: Rng) -> State:
        return self.world.copy()

    def new_tree(self, world: State) -> Search:
        return PeekingSearch(world, self.seat, self.plan)


def widening(visits: i64) -> i64:
    """How many of the most promising children are tried after so many visits."""
    return 2 + i64(int(2.0 * sqrt(float(visits))))


def longer(column: Buf) -> Buf:
    """A column with room for twice as many rows."""
    out = filled(2 * len(column), 0)
    for i in range(len(column)):
        out[i] = column[i]
    return out

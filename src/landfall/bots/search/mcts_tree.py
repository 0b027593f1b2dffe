"""Information set Monte Carlo tree search (ISMCTS); compiled with the engine.

Each iteration samples a world that the seat cannot distinguish from the true one, descends the tree of choices and
outcomes, expands it and backs up the value to every seat that chose on the path. Every seat plays for itself (max^n).
Nodes are rows of parallel vectors; siblings form a linked list, the most promising first.
"""

from __future__ import annotations

from math import exp, log, sqrt
from time import thread_time
from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from landfall.bots.search.one_ply_search import best_sampled_action
from landfall.core.int_vectors import filled_vector
from landfall.core.rng import Rng
from landfall.core.search_settings import SearchSettings
from landfall.core.state import CHANCE, OVER, ActionList, State

if TYPE_CHECKING:
    from landfall.core.int_vectors import Buf

CERTAIN_WIN: Final[i64] = 1_000_000  # the value of a certain win
HIDDEN_OUTCOME: Final[i64] = -1  # the key of an outcome that is hidden from the searching seat
NONE: Final[i64] = -1
FIRST_ROWS: Final = 1 << 12
MAX_ROWS: Final = 1 << 19
MAX_DEPTH: Final = 400
MAX_SEATS: Final = 6
ACTION_BUFFER: Final = ActionList()


def score_final(state: State, out: Buf) -> None:
    """Each seat's value of a finished game: mostly winning, and a little for the margin."""
    win_shares_from_scores(state, state.scores(), out)
    seats = state.ranking()[0]["seats"]
    assert isinstance(seats, list)
    # The margin counts a little, so that a search with a certain result still plays on.
    prize: i64 = CERTAIN_WIN * 17 // (20 * len(seats))
    for seat in range(state.players):
        out[seat] = out[seat] * 3 // 20
    for winner in seats:
        out[winner] += prize


def win_shares_from_scores(state: State, points: list[int], out: Buf) -> None:
    """Each seat's win probability from expected points and their uncertainty."""
    most = max(points)
    each = float(state.win_probability_score_scale()) / 1000.0
    total = 0.0
    for seat in range(state.players):
        total += exp((points[seat] - most) / each)
    for seat in range(state.players):
        out[seat] = i64(int(exp((points[seat] - most) / each) / total * 1_000_000.0))


def estimate_win_shares(state: State, out: Buf) -> None:
    """Each seat's estimated win probability in a position."""
    if state.actor == OVER:
        score_final(state, out)
        return
    state.fill_expected_scores(out)
    points_to_win_shares(state, out)


def points_to_win_shares(state: State, out: Buf) -> None:
    """Turn each seat's expected points into its win probability."""
    most: i64 = -1_000_000_000
    for seat in range(state.players):
        if out[seat] > most:
            most = out[seat]
    each = float(state.win_probability_score_scale())
    total = 0.0
    for seat in range(state.players):
        total += exp(float(out[seat] - most) / each)
    for seat in range(state.players):
        out[seat] = i64(exp(float(out[seat] - most) / each) / total * 1_000_000.0)


class SearchTree:
    """One seat's tree. `run` grows it; `ranking` returns the result."""

    def __init__(self, world: State, seat: i64, plan: SearchSettings) -> None:
        self.world = world  # all that the seat knows; the rest is redrawn in each iteration
        self.seat: i64 = seat
        self.plan = plan
        self.rows: i64 = FIRST_ROWS
        self.count: i64 = 0
        self.action: Buf = filled_vector(FIRST_ROWS, 0)  # the action that leads here
        self.first_child: Buf = filled_vector(FIRST_ROWS, 0)  # its first child
        self.next_sibling: Buf = filled_vector(FIRST_ROWS, 0)  # its parent's next child
        self.visits: Buf = filled_vector(FIRST_ROWS, 0)
        self.availability: Buf = filled_vector(FIRST_ROWS, 0)  # how often it could have been chosen
        self.total_value: Buf = filled_vector(FIRST_ROWS, 0)  # sum of the results for the seat that chose it
        self.prior: Buf = filled_vector(FIRST_ROWS, 0)  # the first estimate for the seat that chose it
        self.legal_stamp: Buf = filled_vector(world.num_actions(), 0)  # by action: the stamp under which it is legal
        self.stamp: i64 = 0
        self.path: Buf = filled_vector(MAX_DEPTH + 2, 0)
        self.path_chooser: Buf = filled_vector(MAX_DEPTH + 2, 0)
        self.depth: i64 = 0
        self.shares: Buf = filled_vector(MAX_SEATS, 0)
        self.points: Buf = filled_vector(MAX_SEATS, 0)
        self.first_values: Buf = filled_vector(MAX_SEATS, 0)
        # the weight of own points at the root, subtracted again in results
        self.own_points_baseline: Buf = filled_vector(MAX_SEATS, 0)
        self.root_value: Buf = filled_vector(MAX_SEATS, 0)  # the estimate at the root in this iteration's world
        self.root_value_sum: Buf = filled_vector(MAX_SEATS, 0)  # its sum over all iterations
        self.iterations: i64 = 0
        estimate_win_shares(world, self.first_values)
        self.evaluate(world, self.own_points_baseline)
        for i in range(world.players):
            self.own_points_baseline[i] -= self.first_values[i]
        self.add_row(0, 0)

    # --- rows -------------------------------------------------------------------------------------------------

    def add_row(self, action: i64, first: i64) -> i64:
        """Add a row."""
        row = self.count
        if row == self.rows:
            self.grow_rows()
        self.count = row + 1
        self.action[row] = action
        self.first_child[row] = NONE
        self.next_sibling[row] = NONE
        self.visits[row] = 0
        self.availability[row] = 0
        self.total_value[row] = 0
        self.prior[row] = first
        return row

    def grow_rows(self) -> None:
        """Double the capacity."""
        self.rows = self.rows * 2
        self.action = double_column(self.action)
        self.first_child = double_column(self.first_child)
        self.next_sibling = double_column(self.next_sibling)
        self.visits = double_column(self.visits)
        self.availability = double_column(self.availability)
        self.total_value = double_column(self.total_value)
        self.prior = double_column(self.prior)

    def insert_child(self, parent: i64, row: i64) -> None:
        """Insert a child into its parent's list, behind all with a better prior."""
        first = self.prior[row]
        before: i64 = NONE
        at = self.first_child[parent]
        while at >= 0 and self.prior[at] >= first:
            before = at
            at = self.next_sibling[at]
        self.next_sibling[row] = at
        if before < 0:
            self.first_child[parent] = row
        else:
            self.next_sibling[before] = row

    def evaluate(self, state: State, out: Buf) -> None:
        """The position's value to each seat: its win probability, and its own points as far as the plan weighs them."""
        if self.plan.own_points == 0:
            estimate_win_shares(state, out)
            return
        state.fill_expected_scores(self.points)
        if state.actor == OVER:
            score_final(state, out)
        else:
            for seat in range(state.players):
                out[seat] = self.points[seat]
            points_to_win_shares(state, out)
        each = float(state.win_probability_score_scale()) * 4.0
        for seat in range(state.players):
            out[seat] += (
                i64(float(self.points[seat]) / each * 10_000.0) * self.plan.own_points - self.own_points_baseline[seat]
            )

    # --- worlds -----------------------------------------------------------------------------------------------

    def sample_world(self, rng: Rng) -> State:
        """Sample a world that the seat cannot distinguish from the true one."""
        return self.world.resample(int(self.seat), rng)

    def make_empty_tree(self, world: State) -> SearchTree:
        """An empty tree with the same settings for another position."""
        return SearchTree(world, self.seat, self.plan)

    # --- one iteration ----------------------------------------------------------------------------------------

    def iterate(self, rng: Rng) -> None:
        """Sample a world, descend, roll out to the horizon, evaluate, back up."""
        world = self.sample_world(rng)
        row: i64 = 0
        self.depth = 0
        self.path[0] = 0
        self.path_chooser[0] = NONE
        turns = self.plan.horizon_turns
        mark = world.turn_key() if turns >= 0 else world.step_key()
        self.evaluate(world, self.root_value)
        while world.actor != OVER and self.depth < MAX_DEPTH:
            if turns > 0 and world.turn_key() != mark:
                turns -= 1
                mark = world.turn_key()
                if turns == 0:
                    break  # all lines are evaluated at the same point: between turns they compare fairly
            if turns < 0 and self.depth > 0 and (world.actor == CHANCE or world.step_key() != mark):
                break
            actor = world.actor
            if actor == CHANCE:
                row = self.follow_chance(world, row, rng)
                if row < 0:
                    if turns > 0:
                        self.roll_out_turns(world, turns, mark, rng)
                    break
            elif self.first_child[row] < 0:
                if self.count >= MAX_ROWS or (row > 0 and self.visits[row] < self.plan.expand_after):
                    if turns > 0:
                        self.roll_out_turns(world, turns, mark, rng)
                    break
                self.expand(world, row)
                row = self.first_child[row]
                world.apply(self.action[row])
                self.push_on_path(row, actor)
                if turns == 0:
                    break
            else:
                row = self.select_child(world, row)
                world.apply(self.action[row])
                self.push_on_path(row, actor)
        self.evaluate(world, self.shares)
        self.backpropagate()
        self.iterations += 1

    def roll_out_turns(self, world: State, turns: i64, mark: i64, rng: Rng) -> None:
        """Roll out to the common horizon without expanding the tree."""
        while world.actor != OVER:
            if world.turn_key() != mark:
                turns -= 1
                mark = world.turn_key()
                if turns == 0:
                    return
            if world.actor == CHANCE:
                world.apply(world.sample_chance(rng))
            elif self.plan.greedy_percent == 100 or rng.randbelow(100) < self.plan.greedy_percent:
                world.apply(best_sampled_action(world, rng))
            else:
                world.apply(world.random_action(rng))

    def push_on_path(self, row: i64, chooser: i64) -> None:
        self.depth += 1
        self.path[self.depth] = row
        self.path_chooser[self.depth] = chooser

    def follow_chance(self, world: State, row: i64, rng: Rng) -> i64:
        """Apply a chance outcome; the child for what the searching seat sees of it, -1 if there is no room."""
        outcome = world.sample_chance(rng)
        secret = world.secret_code(int(outcome))
        key = outcome if secret == 0 or world.can_read(int(self.seat), secret) else HIDDEN_OUTCOME
        world.apply(outcome)
        at = self.first_child[row]
        while at >= 0 and self.action[at] != key:
            at = self.next_sibling[at]
        if at < 0:
            if self.count >= MAX_ROWS:
                return NONE
            at = self.add_row(key, 0)
            self.next_sibling[at] = self.first_child[row]
            self.first_child[row] = at
        self.push_on_path(at, NONE)
        return at

    def expand(self, world: State, row: i64) -> None:
        """Evaluate every choice once and keep the most promising; at the root, all."""
        ACTION_BUFFER.count = 0
        world.fill_legal(ACTION_BUFFER)
        for i in range(ACTION_BUFFER.count):
            self.add_child(world, row, ACTION_BUFFER.items[i], ACTION_BUFFER.count > 1)
        if row > 0:
            self.prune_children(row)

    def prune_children(self, row: i64) -> None:
        """Keep only the most promising children."""
        at = self.first_child[row]
        for _ in range(self.plan.max_children - 1):
            if at < 0:
                return
            at = self.next_sibling[at]
        if at >= 0:
            self.next_sibling[at] = NONE

    def add_child(self, world: State, row: i64, action: i64, with_prior: bool) -> None:
        """Add a child for a choice, evaluated by the position after it."""
        first: i64 = 0
        if with_prior:
            after = world.copy()
            after.apply(action)
            self.evaluate(after, self.first_values)
            first = self.first_values[world.actor]
        self.insert_child(row, self.add_row(action, first))

    def select_child(self, world: State, row: i64) -> i64:
        """The child to try: a trade-off between value and few visits."""
        ACTION_BUFFER.count = 0
        world.fill_legal(ACTION_BUFFER)
        self.stamp += 1
        stamp = self.stamp
        for i in range(ACTION_BUFFER.count):
            self.legal_stamp[ACTION_BUFFER.items[i]] = stamp
        wanted = ACTION_BUFFER.count
        if row > 0 and wanted > self.plan.max_children:
            wanted = self.plan.max_children
        known: i64 = 0
        at = self.first_child[row]
        while at >= 0:
            if self.legal_stamp[self.action[at]] == stamp:
                known += 1
            at = self.next_sibling[at]
        if known < wanted and self.count + ACTION_BUFFER.count < MAX_ROWS:
            self.add_newly_legal_children(world, row, stamp)
        return self.select_by_upper_confidence(row, stamp)

    def add_newly_legal_children(self, world: State, row: i64, stamp: i64) -> None:
        """Add choices of this world that were not legal here in earlier worlds."""
        at = self.first_child[row]
        while at >= 0:
            if self.legal_stamp[self.action[at]] == stamp:
                self.legal_stamp[self.action[at]] = -stamp
            at = self.next_sibling[at]
        for i in range(ACTION_BUFFER.count):
            action = ACTION_BUFFER.items[i]
            if self.legal_stamp[action] == stamp:
                self.add_child(world, row, action, True)
            else:
                self.legal_stamp[action] = stamp

    def select_by_upper_confidence(self, row: i64, stamp: i64) -> i64:
        """The best child by its results and its prior, corrected by the mean error of priors here."""
        trust = self.plan.prior_visits
        explore = self.plan.explore * float(CERTAIN_WIN)
        room = widened_child_count(self.visits[row])
        tried: i64 = 0
        off: i64 = 0
        at = self.first_child[row]
        while at >= 0:
            tried += self.visits[at]
            off += self.total_value[at] - self.visits[at] * self.prior[at]
            at = self.next_sibling[at]
        if tried > 0:
            off = off // tried
        best: i64 = NONE
        best_score = 0.0
        at = self.first_child[row]
        while at >= 0 and room > 0:
            if self.legal_stamp[self.action[at]] == stamp:
                room -= 1
                self.availability[at] += 1
                weight = float(self.visits[at] + trust)
                score = float(self.total_value[at] + trust * (self.prior[at] + off)) / weight
                score += explore * sqrt(log(float(self.availability[at] + trust)) / weight)
                if best < 0 or score > best_score:
                    best = at
                    best_score = score
            at = self.next_sibling[at]
        return best

    def backpropagate(self) -> None:
        """Add the result to all rows of the path, minus the part due to this world's hidden information."""
        for seat in range(self.world.players):
            self.root_value_sum[seat] += self.root_value[seat]
            self.shares[seat] += self.root_value_sum[seat] // (self.iterations + 1) - self.root_value[seat]
        for i in range(self.depth + 1):
            row = self.path[i]
            self.visits[row] += 1
            if self.path_chooser[i] >= 0:
                self.total_value[row] += self.shares[self.path_chooser[i]]

    # --- many iterations --------------------------------------------------------------------------------------

    def run(self, iterations: i64, seconds: float, rng: Rng) -> None:
        """Run a number of iterations (0: no limit) within a time of this thread (0: no limit).

        Stops early once no other choice can overtake.
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
            if done % 32 == 0 and self.visit_lead() > left:
                return

    # --- from one decision to the next ------------------------------------------------------------------------

    def find_decision(self, world: State, action: i64) -> i64:
        """The row of this decision, if the seat's last choice and the chance events after it led here."""
        now = self.fingerprint(world)
        at = self.first_child[0]
        while at >= 0 and self.action[at] != action:
            at = self.next_sibling[at]
        if at < 0:
            return NONE
        after = self.world.copy()
        after.apply(action)
        return self.find_decision_below(at, after, now, 4)

    def find_decision_below(self, row: i64, world: State, wanted: bytes, deep: i64) -> i64:
        if world.actor == self.seat:
            return row if self.fingerprint(world) == wanted else NONE
        if world.actor != CHANCE or deep == 0:
            return NONE
        at = self.first_child[row]
        while at >= 0:
            if self.action[at] != HIDDEN_OUTCOME:
                after = world.copy()
                after.apply(self.action[at])
                found = self.find_decision_below(at, after, wanted, deep - 1)
                if found >= 0:
                    return found
            at = self.next_sibling[at]
        return NONE

    def fingerprint(self, world: State) -> bytes:
        """Equal for all worlds the seat cannot distinguish, because hidden information is resampled with a
        fixed seed."""
        return world.resample(int(self.seat), Rng(0)).to_bytes()

    def copy_subtree(self, row: i64, world: State) -> SearchTree:
        """A tree with this row as its root, and everything below it."""
        kept = self.make_empty_tree(world)
        origin: list[int] = [int(row)]  # by new row, the old one
        kept.copy_counts(0, self, row)
        new: i64 = 0
        while new < kept.count:
            before: i64 = NONE
            at = self.first_child[origin[new]]
            while at >= 0:
                added = kept.add_row(self.action[at], self.prior[at])
                kept.copy_counts(added, self, at)
                origin.append(int(at))
                if before < 0:
                    kept.first_child[new] = added
                else:
                    kept.next_sibling[before] = added
                before = added
                at = self.next_sibling[at]
            new += 1
        return kept

    def copy_counts(self, row: i64, other: SearchTree, old: i64) -> None:
        self.visits[row] = other.visits[old]
        self.availability[row] = other.availability[old]
        self.total_value[row] = other.total_value[old]

    def visit_lead(self) -> i64:
        """The most visited choice's lead in visits."""
        most: i64 = 0
        second: i64 = 0
        at = self.first_child[0]
        while at >= 0:
            n = self.visits[at]
            if n > most:
                second = most
                most = n
            elif n > second:
                second = n
            at = self.next_sibling[at]
        return most - second

    def ranking(self) -> list[tuple[int, int, int]]:
        """The root's choices, best first: action, visits, mean result (in millionths)."""
        found: list[tuple[int, int, int, int]] = []
        at = self.first_child[0]
        while at >= 0:
            n = int(self.visits[at])
            mean = max(0, min(int(CERTAIN_WIN), int(self.total_value[at]) // n if n else int(self.prior[at])))
            found.append((-n, -mean, int(self.action[at]), mean))
            at = self.next_sibling[at]
        found.sort()
        return [(action, -n, mean) for n, _, action, mean in found]


class PeekingTree(SearchTree):
    """A tree that takes its world for the true one. For measurements only: no player gets one."""

    def sample_world(self, rng: Rng) -> State:
        return self.world.copy()

    def make_empty_tree(self, world: State) -> SearchTree:
        return PeekingTree(world, self.seat, self.plan)


def widened_child_count(visits: i64) -> i64:
    """How many of the most promising children are tried after that many visits (progressive widening)."""
    return 2 + i64(int(2.0 * sqrt(float(visits))))


def double_column(column: Buf) -> Buf:
    """A column with twice the capacity."""
    out = filled_vector(2 * len(column), 0)
    for i in range(len(column)):
        out[i] = column[i]
    return out

"""A search tree in which a net evaluates many choices at a time; compiled with the engine.

It grows as `landfall.bots.search.mcts_tree` does, but without rollouts: the first value of a choice is the net's
prediction for the position after it. A descent ends at a position that has no children yet; its choices are queued, and
when the net has predicted them, the best value is backed up. Until then the choices on the path carry a virtual loss of
half a win, so that the next descents try others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from landfall.bots.search.afterstate_rows import reduce_to_uniform_sample
from landfall.bots.search.mcts_tree import ACTION_BUFFER, CERTAIN_WIN, MAX_ROWS, NONE, SearchTree
from landfall.core.int_vectors import filled_vector
from landfall.core.state import CHANCE, OVER, State

if TYPE_CHECKING:
    from landfall.core.feature_layout import RowBuffer
    from landfall.core.int_vectors import Buf
    from landfall.core.rng import Rng
    from landfall.core.search_settings import SearchSettings

MAX_WAITING_LEAVES: Final = 64  # leaves that wait at once
MAX_PATH: Final = 100  # rows of a path
SPARE_ROWS: Final[i64] = 1 << 14  # rows that the descents of one `collect_leaves` may need
MAX_CHOICES: Final[i64] = 1024  # choices encoded in one position; of more, a sample


class NetTree(SearchTree):
    """One seat's tree. Alternating `collect_leaves` and `apply_predictions` grow it."""

    def __init__(self, world: State, seat: i64, plan: SearchSettings, counts: i64) -> None:
        super().__init__(world, seat, plan)
        self.points_weight: i64 = counts  # value of a lead of ten points, in hundredths of a win
        self.leaf_paths: Buf = filled_vector(MAX_WAITING_LEAVES * MAX_PATH, 0)  # by leaf, the rows of its path
        self.path_choosers: Buf = filled_vector(MAX_WAITING_LEAVES * MAX_PATH, 0)
        # the virtual loss added to each of them
        self.virtual_loss: Buf = filled_vector(MAX_WAITING_LEAVES * MAX_PATH, 0)
        self.path_lengths: Buf = filled_vector(MAX_WAITING_LEAVES, 0)  # by leaf, rows of its path
        self.leaf_actors: Buf = filled_vector(MAX_WAITING_LEAVES, 0)  # by leaf, who chooses there
        self.leaf_actions: list[int] = []  # the choices, leaf by leaf
        self.leaf_starts: Buf = filled_vector(MAX_WAITING_LEAVES + 1, 0)  # where each leaf's choices begin
        self.waiting: i64 = 0

    def make_empty_tree(self, world: State) -> SearchTree:
        """An empty tree with the same settings for another position."""
        return NetTree(world, self.seat, self.plan, self.points_weight)

    def collect_leaves(self, walks: i64, rows: i64, sheet: RowBuffer, rng: Rng) -> int:
        """Descend while the buffer has room and no descent reaches a waiting leaf."""
        sheet.restart_at_first_row()
        self.waiting = 0
        self.leaf_actions.clear()
        done: i64 = 0
        while done < walks and self.waiting < MAX_WAITING_LEAVES and int(sheet.used) < rows:
            world = self.world.resample(int(self.seat), rng)
            row = self.descend(world, rng)
            for i in range(self.waiting):
                if row == self.leaf_paths[i * MAX_PATH + self.path_lengths[i]]:
                    return int(done)
            done += 1
            if world.actor == CHANCE:
                continue  # too deep, or no room: there is no value
            self.iterations += 1
            if world.actor == OVER:
                self.score_finished(world)
                self.backpropagate()
            else:
                self.queue_leaf(world, sheet, rng)
        return int(done)

    def backpropagate(self) -> None:
        """Add the result to all rows of the path."""
        for i in range(self.depth + 1):
            self.visits[self.path[i]] += 1
            if self.path_chooser[i] >= 0:
                self.total_value[self.path[i]] += self.shares[self.path_chooser[i]]

    def is_nearly_full(self) -> bool:
        """Whether there is little room left."""
        return self.count > MAX_ROWS - SPARE_ROWS

    def descend(self, world: State, rng: Rng) -> i64:
        """Descend to a row without children and return it."""
        row: i64 = 0
        self.depth = 0
        self.path[0] = 0
        self.path_chooser[0] = NONE
        while world.actor != OVER and self.depth < MAX_PATH - 2:
            actor = world.actor
            if actor == CHANCE:
                below = self.follow_chance(world, row, rng)
                if below < 0:
                    break
                row = below
                continue
            if self.first_child[row] < 0:
                break
            row = self.select_child(world, row)
            world.apply(self.action[row])
            self.push_on_path(row, actor)
        return row

    def queue_leaf(self, world: State, sheet: RowBuffer, rng: Rng) -> None:
        """Queue a leaf: its path and every choice."""
        at = self.waiting * MAX_PATH
        for i in range(self.depth + 1):
            row = self.path[i]
            self.leaf_paths[at + i] = row
            self.path_choosers[at + i] = self.path_chooser[i]
            self.virtual_loss[at + i] = 0
            if self.path_chooser[i] >= 0:
                mean = self.total_value[row] // self.visits[row] if self.visits[row] > 0 else self.prior[row]
                self.virtual_loss[at + i] = mean - CERTAIN_WIN // 2
            self.visits[row] += 1
            self.total_value[row] += self.virtual_loss[at + i]
        self.path_lengths[self.waiting] = self.depth
        self.leaf_actors[self.waiting] = world.actor
        ACTION_BUFFER.count = 0
        world.fill_legal(ACTION_BUFFER)
        reduce_to_uniform_sample(ACTION_BUFFER, MAX_CHOICES, rng)
        for i in range(ACTION_BUFFER.count):
            action = ACTION_BUFFER.items[i]
            after = world.copy()
            after.apply(action)
            after.write_features(int(world.actor), sheet)
            self.leaf_actions.append(int(action))
        self.waiting += 1
        self.leaf_starts[self.waiting] = len(self.leaf_actions)

    def score_finished(self, world: State) -> None:
        """The value of a finished game to each seat."""
        seats = world.ranking()[0]["seats"]
        assert isinstance(seats, list)
        points = world.scores()
        players = world.players
        total: i64 = 0
        for seat in range(players):
            total += points[seat]
        for seat in range(players):
            own: i64 = points[seat]
            self.shares[seat] = CERTAIN_WIN // 1000 * self.points_weight * (players * own - total) // (players - 1)
        for winner in seats:
            self.shares[winner] += CERTAIN_WIN // len(seats)

    def apply_predictions(self, values: list[int], wide: i64) -> None:
        """Apply the net's values of every waiting choice: `wide` millionths each, the choosing seat first."""
        players = self.world.players
        for leaf in range(self.waiting):
            way = leaf * MAX_PATH
            row = self.leaf_paths[way + self.path_lengths[leaf]]
            best = self.leaf_starts[leaf]
            for i in range(self.leaf_starts[leaf], self.leaf_starts[leaf + 1]):
                if values[i * wide] > values[best * wide]:
                    best = i
                self.insert_child(row, self.add_row(self.leaf_actions[i], values[i * wide]))
            if row > 0:
                self.prune_children(row)
            for i in range(1, self.path_lengths[leaf] + 1):
                chooser = self.path_choosers[way + i]
                if chooser >= 0:
                    seat = (chooser - self.leaf_actors[leaf] + players) % players
                    self.total_value[self.leaf_paths[way + i]] += (
                        values[best * wide + seat] - self.virtual_loss[way + i]
                    )
        self.waiting = 0

    def add_child(self, world: State, row: i64, action: i64, with_prior: bool) -> None:
        """Add a choice that earlier worlds did not have or that was pruned, with the prior of the last
        child."""
        at = self.first_child[row]
        first: i64 = 0
        while at >= 0:
            first = self.prior[at]
            at = self.next_sibling[at]
        self.insert_child(row, self.add_row(action, first))

    def ranking(self) -> list[tuple[int, int, int]]:
        """As in any tree; with a points lead, a choice may be worth more than a win or less than zero."""
        found: list[tuple[int, int, int]] = []
        at = self.first_child[0]
        while at >= 0:
            n = int(self.visits[at])
            mean = int(self.total_value[at]) // n if n else int(self.prior[at])
            found.append((-n, -mean, int(self.action[at])))
            at = self.next_sibling[at]
        found.sort()
        return [(action, -n, max(0, min(int(CERTAIN_WIN), -mean))) for n, mean, action in found]

"""A tree that a net judges, many choices at a time; compiled with the engine.

It grows as `landfall.bots.search_tree` does, but nothing is played on, and how a choice looks is what the net says of
the position right after it, in the eyes of who makes it. A walk ends where nobody chose before: all choices there are
written down, and when the net has told of them, the best one's worth goes back up the way. Until then the choices on
the way count as half a win less than they did, so that the next walks try others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from landfall.bots.search_after import thin_out
from landfall.bots.search_tree import CHOICES, MOST_ROWS, NONE, WHOLE, Search
from landfall.core.state import CHANCE, OVER, State
from landfall.core.vectors import filled

if TYPE_CHECKING:
    from landfall.core.layout import Sheet
    from landfall.core.rng import Rng
    from landfall.core.search_plan import SearchPlan
    from landfall.core.vectors import Buf

LEAVES: Final = 64  # that wait at once
DEEP: Final = 100  # rows of a walk
ROOM: Final[i64] = 1 << 14  # rows that all walks of one `gather` may need
MOST: Final[i64] = 1024  # choices written down in one position; of more, so many drawn


class JudgedSearch(Search):
    """One seat's tree. `gather` and `settle` in turns make it grow."""

    def __init__(self, world: State, seat: i64, plan: SearchPlan, counts: i64) -> None:
        super().__init__(world, seat, plan)
        self.counts: i64 = counts  # what ten points more than the others count, in hundredths of a win
        self.ways: Buf = filled(LEAVES * DEEP, 0)  # leaf by leaf, the rows that lead there
        self.choosers: Buf = filled(LEAVES * DEEP, 0)
        self.lent: Buf = filled(LEAVES * DEEP, 0)  # what each of them has got until then
        self.ends: Buf = filled(LEAVES, 0)  # how many rows lead there
        self.eyes: Buf = filled(LEAVES, 0)  # who chooses there
        self.after: list[int] = []  # what can be chosen there, leaf by leaf
        self.begins: Buf = filled(LEAVES + 1, 0)  # where each leaf's choices begin
        self.waiting: i64 = 0

    def gather(self, walks: i64, rows: i64, sheet: Sheet, rng: Rng) -> int:
        """Walks, as long as there is room for so many rows of the sheet and none comes where another waits."""
        sheet.clear()
        self.waiting = 0
        self.after.clear()
        done: i64 = 0
        while done < walks and self.waiting < LEAVES and int(sheet.used) < rows:
            world = self.world.resample(int(self.seat), rng)
            row = self.walk(world, rng)
            for i in range(self.waiting):
                if row == self.ways[i * DEEP + self.ends[i]]:
                    return int(done)
            done += 1
            if world.actor == CHANCE:
                continue  # too deep, or no room: nothing is known of it
            self.iterations += 1
            if world.actor == OVER:
                self.finished(world)
                self.remember()
            else:
                self.wait(world, sheet, rng)
        return int(done)

    def remember(self) -> None:
        """Add what came of it to all rows on the way."""
        for i in range(self.deep + 1):
            self.visits[self.path[i]] += 1
            if self.chooser[i] >= 0:
                self.total[self.path[i]] += self.shares[self.chooser[i]]

    def full(self) -> bool:
        """Whether there is no room for much more."""
        return self.count > MOST_ROWS - ROOM

    def walk(self, world: State, rng: Rng) -> i64:
        """Down the tree to where nobody has chosen yet: that row."""
        row: i64 = 0
        self.deep = 0
        self.path[0] = 0
        self.chooser[0] = NONE
        while world.actor != OVER and self.deep < DEEP - 2:
            actor = world.actor
            if actor == CHANCE:
                below = self.after_outcome(world, row, rng)
                if below < 0:
                    break
                row = below
                continue
            if self.child[row] < 0:
                break
            row = self.select(world, row)
            world.apply(self.action[row])
            self.push(row, actor)
        return row

    def wait(self, world: State, sheet: Sheet, rng: Rng) -> None:
        """A leaf to be judged: the way there, and every choice."""
        at = self.waiting * DEEP
        for i in range(self.deep + 1):
            row = self.path[i]
            self.ways[at + i] = row
            self.choosers[at + i] = self.chooser[i]
            self.lent[at + i] = 0
            if self.chooser[i] >= 0:
                mean = self.total[row] // self.visits[row] if self.visits[row] > 0 else self.first[row]
                self.lent[at + i] = mean - WHOLE // 2
            self.visits[row] += 1
            self.total[row] += self.lent[at + i]
        self.ends[self.waiting] = self.deep
        self.eyes[self.waiting] = world.actor
        CHOICES.count = 0
        world.generate(CHOICES)
        thin_out(CHOICES, MOST, rng)
        for i in range(CHOICES.count):
            action = CHOICES.items[i]
            after = world.copy()
            after.apply(action)
            after.features(int(world.actor), sheet)
            self.after.append(int(action))
        self.waiting += 1
        self.begins[self.waiting] = len(self.after)

    def finished(self, world: State) -> None:
        """What a finished game is worth to each seat."""
        seats = world.ranking()[0]["seats"]
        assert isinstance(seats, list)
        points = world.scores()
        players = world.players
        total: i64 = 0
        for seat in range(players):
            total += points[seat]
        for seat in range(players):
            own: i64 = points[seat]
            self.shares[seat] = WHOLE // 1000 * self.counts * (players * own - total) // (players - 1)
        for winner in seats:
            self.shares[winner] += WHOLE // len(seats)

    def settle(self, told: list[int], wide: i64) -> None:
        """What the net makes of every choice that waits: `wide` numbers each, from who chooses on, of a million."""
        players = self.world.players
        for leaf in range(self.waiting):
            way = leaf * DEEP
            row = self.ways[way + self.ends[leaf]]
            best = self.begins[leaf]
            for i in range(self.begins[leaf], self.begins[leaf + 1]):
                if told[i * wide] > told[best * wide]:
                    best = i
                self.hang(row, self.add(self.after[i], told[i * wide]))
            if row > 0:
                self.cut(row)
            for i in range(1, self.ends[leaf] + 1):
                chooser = self.choosers[way + i]
                if chooser >= 0:
                    seat = (chooser - self.eyes[leaf] + players) % players
                    self.total[self.ways[way + i]] += told[best * wide + seat] - self.lent[way + i]
        self.waiting = 0

    def adopt(self, world: State, row: i64, action: i64, look: bool) -> None:
        """A choice that no world before had here, or that was not kept: no better than the last of those that were."""
        at = self.child[row]
        first: i64 = 0
        while at >= 0:
            first = self.first[at]
            at = self.next[at]
        self.hang(row, self.add(action, first))

    def ranked(self) -> list[tuple[int, int, int]]:
        """As of any tree; a lead in points may make a choice worth more than a win, or less than nothing."""
        found: list[tuple[int, int, int]] = []
        at = self.child[0]
        while at >= 0:
            n = int(self.visits[at])
            mean = int(self.total[at]) // n if n else int(self.first[at])
            found.append((-n, -mean, int(self.action[at])))
            at = self.next[at]
        found.sort()
        return [(action, -n, max(0, min(int(WHOLE), -mean))) for n, mean, action in found]

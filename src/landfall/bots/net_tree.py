"""The tree that a net judges: `landfall.bots.search_judged` grows it, the net tells of many choices at once."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from time import thread_time
from typing import TYPE_CHECKING, Final

from landfall.bots import judge
from landfall.bots.contract import Bot, Seat, Thought
from landfall.bots.search_judged import LEAVES, MOST, JudgedSearch
from landfall.core.layout import Sheet
from landfall.core.search_plan import SearchPlan
from landfall.extras import need

if TYPE_CHECKING:
    from landfall.bots.judge import Judge

TOGETHER: Final = 96  # positions judged at once, or a few more
KEEP: Final = 24  # choices looked at below the root


@cache
def sheet_of(game: str) -> Sheet:
    """The sheet this process writes a game's positions on, made when first needed."""
    return Sheet(judge.layout_of(game), TOGETHER + MOST)


class NetTreeBot(Bot):
    """Searches a tree for `ms` thousandths of a second, or for `iters` walks from its root."""

    name = "nettree"
    version = "1"

    def __init__(self, ms: int = 0, iters: int = 200, explore: float = 0.2, mix: float = 0.6, file: str = "") -> None:
        need("play", "numpy")
        self.ms = ms  # processor time for a choice; 0: as long as it takes
        self.iters = max(1, iters)
        self.plan = SearchPlan(explore=explore, max_children=KEEP)
        self.mix = mix  # what ten points more than the others count beside the chance to win
        self.file = file  # a net of one's own
        self.own: Judge | None = None
        self.walks = 0  # of the last search

    def choose(self, seat: Seat) -> int:
        began = thread_time()
        legal = seat.legal
        if len(legal) == 1:
            self.thoughts = [Thought(legal[0], 0, 0.0)]
            return legal[0]
        search = JudgedSearch(seat.sample(seat.rng), seat.number, self.plan, round(100 * self.mix))
        self.grow(search, seat, began)
        found = search.ranked()
        self.thoughts = [Thought(action, visits, mean / 1_000_000) for action, visits, mean in found]
        return found[0][0]

    def grow(self, search: JudgedSearch, seat: Seat, began: float) -> None:
        """Until the time or the walks are over, or no other choice can overtake."""
        net, sheet = self.net_of(seat.game), sheet_of(seat.game)
        seconds = min(self.ms / 1000 or seat.budget, seat.budget) if seat.strict else self.ms / 1000
        done, rounds = 0, 0
        while True:
            done += search.gather(LEAVES if self.ms else min(LEAVES, self.iters - done), TOGETHER, sheet, seat.rng)
            rounds += 1
            self.settle(search, net, sheet, seat.players)
            left = self.iters - done
            if seconds:
                used = thread_time() - began
                fits = 0 if used + used / rounds >= seconds else int((seconds - used) / used * done)
                left = fits if self.ms else min(left, fits)
            if left <= 0 or search.lead() > left or search.full():
                break
        self.walks = done

    def settle(self, search: JudgedSearch, net: Judge, sheet: Sheet, players: int) -> None:
        """Tell the tree what the net makes of all that waits: each seat's chance to win, and a little for points."""
        many = int(sheet.used)
        if not many:
            return
        win, points = net.judge(judge.written(sheet)[:many])
        own = points[:, :players]
        value = win.copy()
        value[:, :players] += self.mix * (own - (own.sum(1, keepdims=True) - own) / (players - 1))
        told = (value * 1_000_000).astype(int)
        search.settle(told.ravel().tolist(), told.shape[1])

    def net_of(self, game: str) -> Judge:
        """The game's own net, or the one that was named."""
        if not self.file:
            return judge.shipped(game)
        if self.own is None:
            self.own = judge.load(Path(self.file), game)
        return self.own

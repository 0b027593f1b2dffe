"""Tree search with a net: `landfall.bots.search.net_tree` grows the tree, the net evaluates choices in batches."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from time import thread_time
from typing import TYPE_CHECKING, Final, cast

from landfall.bots import quick_net, value_net
from landfall.bots.contract import Bot, Seat, Thought
from landfall.bots.plan_sentence import Line, most_visited_line
from landfall.bots.search.net_tree import MAX_CHOICES, MAX_WAITING_LEAVES, NetTree
from landfall.core.feature_layout import RowBuffer
from landfall.core.search_settings import SearchSettings
from landfall.optional_dependencies import require_extra

if TYPE_CHECKING:
    from landfall.bots.quick_net import QuickNet
    from landfall.bots.value_net import ValueNet

MAX_BATCH_ROWS: Final = 96  # approximate rows per evaluation
MAX_CHILDREN: Final = 24  # choices evaluated below the root


@cache
def row_buffer_of(game: str) -> RowBuffer:
    """This process's row buffer for a game, created on first use."""
    return RowBuffer(value_net.layout_of(game), MAX_BATCH_ROWS + MAX_CHOICES)


class NetTreeBot(Bot):
    """Searches a tree for `ms` milliseconds, or for `iters` descents from its root."""

    name = "nettree"
    version = "1"

    def __init__(
        self,
        ms: int = 0,
        iters: int = 200,
        explore: float = 0.2,
        mix: float = 0.6,
        file: str = "",
        reuse: bool = False,
        stop: float = 1.0,
        small: bool = False,
    ) -> None:
        require_extra("play", "numpy")
        self.ms = ms  # processor time for a choice; 0: no limit
        self.iters = max(1, iters)
        self.plan = SearchSettings(explore=explore, max_children=MAX_CHILDREN)
        self.mix = mix  # value of a lead of ten points, in wins
        self.file = file  # a net from a file
        self.stop = stop  # the lead, as a share of the descents left, with which it ends early; 1: nothing can overtake
        self.small = small  # evaluate by the game's smaller net, if it has one
        self.reuse = reuse  # continue with the subtree below the last choice
        self.own_net: ValueNet | QuickNet | None = None
        self.walks = 0  # of the last search
        self.last_tree: tuple[str, NetTree, int] | None = None  # the last tree and the chosen action
        self.last_search: tuple[NetTree, int] | None = None  # the same, for explanations

    def expected_line(self, seat: int) -> Line:
        return most_visited_line(*self.last_search) if self.last_search else super().expected_line(seat)

    def choose(self, seat: Seat) -> int:
        began, self.walks = thread_time(), 0
        legal, self.last_search = seat.legal_actions, None
        if len(legal) == 1:
            self.thoughts = [Thought(legal[0], 0, 0.0)]
            return legal[0]
        search = self.reused_or_new_tree(seat)
        self.grow_tree(search, seat, began)
        found = search.ranking()
        self.last_search = search, found[0][0]
        self.last_tree = (seat.game, search, found[0][0]) if self.reuse else None
        self.thoughts = [Thought(action, visits, mean / 1_000_000) for action, visits, mean in found]
        return found[0][0]

    def reused_or_new_tree(self, seat: Seat) -> NetTree:
        """The subtree below the last choice if that led here, otherwise a new tree."""
        world = seat.sample(seat.rng)
        if self.last_tree is not None:
            game, last, action = self.last_tree
            if game == seat.game and last.seat == seat.number and last.world.players == world.players:
                row = last.find_decision(world, action)
                if row >= 0:
                    return cast("NetTree", last.copy_subtree(row, world))
        return NetTree(world, seat.number, self.plan, round(100 * self.mix))

    def grow_tree(self, search: NetTree, seat: Seat, began: float) -> None:
        """Grow the tree until time or descents run out, or no other choice can overtake. Descents that the tree began
        with count."""
        net, sheet = self.net_of(seat.game), row_buffer_of(seat.game)
        seconds = min(self.ms / 1000 or seat.budget, seat.budget) if seat.strict else self.ms / 1000
        iters = self.iters - sum(visits for _, visits, _ in search.ranking())
        if iters <= 0 and not seconds:
            return
        done, rounds = 0, 0
        while True:
            done += search.collect_leaves(
                MAX_WAITING_LEAVES if self.ms else min(MAX_WAITING_LEAVES, iters - done),
                MAX_BATCH_ROWS,
                sheet,
                seat.rng,
            )
            rounds += 1
            self.predict_waiting_choices(search, net, sheet, seat.players)
            left = iters - done
            if seconds:
                used = thread_time() - began
                fits = 0 if used + used / rounds >= seconds else int((seconds - used) / used * done)
                left = fits if self.ms else min(left, fits)
            if left <= 0 or int(search.visit_lead()) > self.stop * left or search.is_full():
                break
        self.walks = done

    def predict_waiting_choices(
        self, search: NetTree, net: ValueNet | QuickNet, sheet: RowBuffer, players: int
    ) -> None:
        """Give the tree the net's values of all waiting choices."""
        many = int(sheet.used)
        if not many:
            return
        value = net.seat_values(value_net.rows_as_array(sheet)[:many], players, self.mix)
        search.apply_predictions((value * 1_000_000).astype(int).ravel().tolist(), players)

    def net_of(self, game: str) -> ValueNet | QuickNet:
        """The game's own net, or the one in the file."""
        if not self.file:
            return load_quick_net(game, self.small)
        if self.own_net is None:
            self.own_net = to_quick_net(value_net.load_file(Path(self.file), game))
        return self.own_net


@cache
def load_quick_net(game: str, small: bool) -> ValueNet | QuickNet:
    """The game's packaged net or its smaller one, loaded on first use."""
    return to_quick_net(value_net.load_small(game) if small else value_net.load_packaged(game))


def to_quick_net(net: ValueNet) -> ValueNet | QuickNet:
    """The net in its quicker form if there is one."""
    return quick_net.QuickNet(net) if quick_net.fits_quick_net(net.inputs) else net

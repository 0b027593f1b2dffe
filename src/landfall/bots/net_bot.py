"""The net bot: looks one choice ahead, to the end of its step of the turn, or through a small tree, and takes what its
game's net values most. Needs no torch, and numpy only if no other backend is there (landfall.bots.net_backend)."""

from __future__ import annotations

from functools import cache
from typing import Final

from landfall.bots import net_backend, value_net
from landfall.bots.contract import Bot, Seat, Thought
from landfall.bots.net_backend import NetEvaluator
from landfall.bots.net_search_bot import NetSearchBot
from landfall.bots.net_tree_bot import NetTreeBot
from landfall.bots.search.afterstate_rows import write_afterstates
from landfall.core.feature_layout import RowBuffer
from landfall.core.game import TREE
from landfall.games import game as find_game

# choices evaluated; of more (hand tiles: a thousand) a sample; docs/strength.md has the timings
MAX_CHOICES: Final = 256
WALKS: Final = 125  # descents of the tree, in games whose net evaluates one: under 5 ms a choice
STOP_LEAD: Final = 0.5  # the tree ends early once the best choice leads by this share of the descents left
ENSEMBLE_CHOICES: Final = 20  # the best of these are also evaluated by the game's other nets


@cache
def row_buffer_of(game: str) -> RowBuffer:
    """This process's row buffer for a game, created on first use."""
    return RowBuffer(value_net.layout_of(game), MAX_CHOICES)


class NetBot(Bot):
    """Evaluates the position after each choice, before the chance event that follows, and takes the best.

    If a game's steps have several choices and the first says little by itself, it searches the best lines to the end of
    the step and plays the first choice of the best one. If the net evaluates a tree in the game's strongest level, it
    searches a small one. If a game has several nets, the mean of all ranks the first
    net's best choices. The reported win probabilities are the first net's, which is calibrated.
    """

    name = "net"
    version = "7"

    def __init__(
        self, mix: float = 0.6, file: str = "", second: int = ENSEMBLE_CHOICES, lines: int = 0, walks: int = WALKS
    ) -> None:
        self.mix = mix  # value of a lead of ten points, in wins
        self.file = file  # a net from a file, used alone
        self.second = max(0, second)  # choices that the other nets evaluate; 0: none
        self.lines = lines  # lines searched to the end of the step; 1: one choice ahead; 0: the game's default
        self.walks = walks  # descents of a tree, if `lines` is 0 and the game's net evaluates one; 0: no tree
        self.own_net: NetEvaluator | None = None
        self.search = NetSearchBot(worlds=0, mix=mix, file=file)
        self.tree: NetTreeBot | None = None

    def expected_line(self, seat: int) -> list[tuple[int, int]]:
        return self.tree.expected_line(seat) if self.tree else super().expected_line(seat)

    def choose(self, seat: Seat) -> int:
        if self.walks and not self.lines and find_game(seat.game).judged == TREE and not net_backend.OTHER_LOADERS:
            return self.choose_by_tree(seat)
        sheet, self.line = row_buffer_of(seat.game), ()
        sheet.restart_at_first_row()
        world = seat.sample(seat.rng)
        actions = write_afterstates(world, seat.number, sheet, MAX_CHOICES, seat.rng)
        if len(actions) == 1:
            return actions[0]
        win, value = self.net_of(seat.game).win_and_mixed_values(sheet, len(actions), seat.players, self.mix)
        order = sorted(range(len(actions)), key=lambda i: -value[i])
        order[: self.second] = self.rank_by_ensemble(seat, sheet, order[: self.second], value)
        self.search.lines = self.lines or find_game(seat.game).lines
        if self.search.lines > 1:
            line = self.search.best_lines(seat, world)[0].actions
            order.sort(key=lambda i: actions[i] != line[0])
            self.line = line
        self.thoughts = [Thought(actions[i], 1, win[i]) for i in order]
        return actions[order[0]]

    def choose_by_tree(self, seat: Seat) -> int:
        """The choice of a small tree."""
        if self.tree is None:
            self.tree = NetTreeBot(
                iters=self.walks, mix=self.mix, file=self.file, reuse=True, stop=STOP_LEAD, small=True
            )
        chosen = self.tree.choose(seat)
        self.thoughts = self.tree.thoughts
        return chosen

    def rank_by_ensemble(self, seat: Seat, sheet: RowBuffer, best: list[int], value: list[float]) -> list[int]:
        """Rank these choices by the mean of all nets."""
        others = [] if self.file or len(best) < 2 else net_backend.load_other_ensemble_nets(seat.game)
        if not others:
            return best
        seen = others[0].prepare_rows(value_net.rows_as_array(sheet)[best])
        scores = [net.score_prepared(seen, seat.players, self.mix).tolist() for net in others]
        total = {i: value[i] + sum(each) for i, *each in zip(best, *scores, strict=True)}
        return sorted(best, key=lambda i: -total[i])

    def net_of(self, game: str) -> NetEvaluator:
        """The game's own net, or the one in the file."""
        if not self.file:
            return net_backend.load_net(game)
        if self.own_net is None:
            self.own_net = net_backend.load_net(game, self.file)
        return self.own_net

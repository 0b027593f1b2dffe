"""The bot of the nets: looks one choice ahead, or to the end of its step of the turn, and takes what its game's net
judges best. Needs no torch, and numpy only where nothing else works a net out (landfall.bots.net_backend)."""

from __future__ import annotations

from functools import cache
from typing import Final

from landfall.bots import net_backend, value_net
from landfall.bots.contract import Bot, Seat, Thought
from landfall.bots.net_backend import NetEvaluator
from landfall.bots.net_search_bot import NetSearchBot
from landfall.bots.search.afterstates import write_afterstates
from landfall.core.feature_layout import RowBuffer
from landfall.games import game as find_game

# choices looked at; of more (hand tiles: a thousand), so many drawn: docs/strength.md says how long
MAX_CHOICES: Final = 256
ENSEMBLE_CHOICES: Final = 20  # ... and of these, so many that look best are judged by a game's other nets too


@cache
def row_buffer_of(game: str) -> RowBuffer:
    """The sheet this process writes a game's positions on, made when first needed."""
    return RowBuffer(value_net.layout_of(game), MAX_CHOICES)


class NetBot(Bot):
    """Judges what each choice leads to, before any chance that follows, and takes the best.

    In a game whose steps are several choices long, of which the first says little by itself, it looks through the best
    lines to the step's end, and takes what begins the best of them. Where a game has several nets, those that look best
    to the first are weighed by the mean of all. What it tells of its choices are the first one's chances, which come
    true where that one plays.
    """

    name = "net"
    version = "6"

    def __init__(self, mix: float = 0.6, file: str = "", second: int = ENSEMBLE_CHOICES, lines: int = 0) -> None:
        self.mix = mix  # what ten points more than the others count beside the chance to win
        self.file = file  # a net of one's own, which is asked alone
        self.second = max(0, second)  # how many choices the other nets judge; 0: none
        self.lines = lines  # of a step, looked through to its end; 1: one choice ahead; 0: as the game has it
        self.own_net: NetEvaluator | None = None
        self.search = NetSearchBot(worlds=0, mix=mix, file=file)

    def choose(self, seat: Seat) -> int:
        sheet = row_buffer_of(seat.game)
        sheet.clear()
        world = seat.sample(seat.rng)
        actions = write_afterstates(world, seat.number, sheet, MAX_CHOICES, seat.rng)
        if len(actions) == 1:
            return actions[0]
        win, value = self.net_of(seat.game).values(sheet, len(actions), seat.players, self.mix)
        order = sorted(range(len(actions)), key=lambda i: -value[i])
        order[: self.second] = self.rank_by_ensemble(seat, sheet, order[: self.second], value)
        self.search.lines = self.lines or find_game(seat.game).lines
        if self.search.lines > 1:
            best = self.search.best_lines(seat, world)[0].actions[0]
            order.sort(key=lambda i: actions[i] != best)
        self.thoughts = [Thought(actions[i], 1, win[i]) for i in order]
        return actions[order[0]]

    def rank_by_ensemble(self, seat: Seat, sheet: RowBuffer, best: list[int], value: list[float]) -> list[int]:
        """These choices in the order that the mean of all nets gives them."""
        others = [] if self.file or len(best) < 2 else net_backend.load_ensemble(seat.game)
        if not others:
            return best
        seen = others[0].prepare_rows(value_net.rows_as_array(sheet)[best])
        told = [net.score_prepared(seen, seat.players, self.mix).tolist() for net in others]
        total = {i: value[i] + sum(each) for i, *each in zip(best, *told, strict=True)}
        return sorted(best, key=lambda i: -total[i])

    def net_of(self, game: str) -> NetEvaluator:
        """The game's own net, or the one that was named."""
        if not self.file:
            return net_backend.load_net(game)
        if self.own_net is None:
            self.own_net = net_backend.load_net(game, self.file)
        return self.own_net

"""The bot of the nets: looks one choice ahead, or to the end of its step of the turn, and takes what its game's net
judges best. Needs no torch, and numpy only where nothing else works a net out (landfall.bots.forward)."""

from __future__ import annotations

from functools import cache
from typing import Final

from landfall.bots import forward, judge
from landfall.bots.contract import Bot, Seat, Thought
from landfall.bots.forward import Forward
from landfall.bots.net_search import NetSearchBot
from landfall.bots.search_after import afterstates
from landfall.core.layout import Sheet
from landfall.games import game as find_game

MOST: Final = 256  # choices looked at; of more (hand tiles: a thousand), so many drawn: docs/strength.md says how long
FEW: Final = 20  # ... and of these, so many that look best are judged by a game's other nets too


@cache
def sheet_of(game: str) -> Sheet:
    """The sheet this process writes a game's positions on, made when first needed."""
    return Sheet(judge.layout_of(game), MOST)


class NetBot(Bot):
    """Judges what each choice leads to, before any chance that follows, and takes the best.

    In a game whose steps are several choices long, of which the first says little by itself, it looks through the best
    lines to the step's end, and takes what begins the best of them. Where a game has several nets, those that look best
    to the first are weighed by the mean of all. What it tells of its choices are the first one's chances, which come
    true where that one plays.
    """

    name = "net"
    version = "6"

    def __init__(self, mix: float = 0.6, file: str = "", second: int = FEW, lines: int = 0) -> None:
        self.mix = mix  # what ten points more than the others count beside the chance to win
        self.file = file  # a net of one's own, which is asked alone
        self.second = max(0, second)  # how many choices the other nets judge; 0: none
        self.lines = lines  # of a step, looked through to its end; 1: one choice ahead; 0: as the game has it
        self.own: Forward | None = None
        self.search = NetSearchBot(worlds=0, mix=mix, file=file)

    def choose(self, seat: Seat) -> int:
        sheet = sheet_of(seat.game)
        sheet.clear()
        world = seat.sample(seat.rng)
        actions = afterstates(world, seat.number, sheet, MOST, seat.rng)
        if len(actions) == 1:
            return actions[0]
        win, value = self.net_of(seat.game).values(sheet, len(actions), seat.players, self.mix)
        order = sorted(range(len(actions)), key=lambda i: -value[i])
        order[: self.second] = self.weighed(seat, sheet, order[: self.second], value)
        self.search.lines = self.lines or find_game(seat.game).lines
        if self.search.lines > 1:
            best = self.search.best_lines(seat, world)[0].actions[0]
            order.sort(key=lambda i: actions[i] != best)
        self.thoughts = [Thought(actions[i], 1, win[i]) for i in order]
        return actions[order[0]]

    def weighed(self, seat: Seat, sheet: Sheet, best: list[int], value: list[float]) -> list[int]:
        """These choices in the order that the mean of all nets gives them."""
        others = [] if self.file or len(best) < 2 else forward.second(seat.game)
        if not others:
            return best
        seen = others[0].seen(judge.written(sheet)[best])
        told = [net.worth_of(seen, seat.players, self.mix).tolist() for net in others]
        total = {i: value[i] + sum(each) for i, *each in zip(best, *told, strict=True)}
        return sorted(best, key=lambda i: -total[i])

    def net_of(self, game: str) -> Forward:
        """The game's own net, or the one that was named."""
        if not self.file:
            return forward.load(game)
        if self.own is None:
            self.own = forward.load(game, self.file)
        return self.own

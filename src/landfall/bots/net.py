"""The bot of the nets: looks one choice ahead and takes what its game's net judges best. Needs no torch, and numpy only
where nothing else works a net out (landfall.bots.forward)."""

from __future__ import annotations

from functools import cache
from typing import Final

from landfall.bots import forward, judge
from landfall.bots.contract import Bot, Seat, Thought
from landfall.bots.forward import Forward
from landfall.bots.search_after import afterstates
from landfall.core.layout import Sheet

MOST: Final = 600  # choices looked at; of more (hand tiles: a thousand), so many drawn: 15 ms at worst


@cache
def sheet_of(game: str) -> Sheet:
    """The sheet this process writes a game's positions on, made when first needed."""
    return Sheet(judge.layout_of(game), MOST)


class NetBot(Bot):
    """Judges what each choice leads to, before any chance that follows, and takes the best."""

    name = "net"
    version = "2"

    def __init__(self, mix: float = 0.6, file: str = "") -> None:
        self.mix = mix  # what ten points more than the others count beside the chance to win
        self.file = file  # a net of one's own
        self.own: Forward | None = None
        forward.ready()

    def choose(self, seat: Seat) -> int:
        sheet = sheet_of(seat.game)
        sheet.clear()
        actions = afterstates(seat.sample(seat.rng), seat.number, sheet, MOST, seat.rng)
        if len(actions) == 1:
            return actions[0]
        win, value = self.net_of(seat.game).values(sheet, len(actions), seat.players, self.mix)
        order = sorted(range(len(actions)), key=lambda i: -value[i])
        self.thoughts = [Thought(actions[i], 1, win[i]) for i in order]
        return actions[order[0]]

    def net_of(self, game: str) -> Forward:
        """The game's own net, or the one that was named."""
        if not self.file:
            return forward.load(game)
        if self.own is None:
            self.own = forward.load(game, self.file)
        return self.own

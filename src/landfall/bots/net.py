"""The bot of the nets: looks one choice ahead and takes what its game's net judges best. Needs numpy, no torch."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

from landfall.bots import judge
from landfall.bots.contract import Bot, Seat, Thought
from landfall.bots.search_after import afterstates
from landfall.core.layout import Sheet
from landfall.extras import need

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
        self.own: judge.Judge | None = None
        need("play", "numpy")

    def choose(self, seat: Seat) -> int:
        import numpy as np

        sheet = sheet_of(seat.game)
        sheet.clear()
        actions = afterstates(seat.sample(seat.rng), seat.number, sheet, MOST, seat.rng)
        if len(actions) == 1:
            return actions[0]
        win, points = self.judge_of(seat.game).judge(judge.written(sheet)[: len(actions)])
        others = points[:, 1 : seat.players].mean(1)
        value = win[:, 0] + self.mix * (points[:, 0] - others)
        order = np.argsort(-value, kind="stable")
        self.thoughts = [Thought(actions[i], 1, float(win[i, 0])) for i in order]
        return actions[int(order[0])]

    def judge_of(self, game: str) -> judge.Judge:
        """The game's own net, or the one that was named."""
        if not self.file:
            return judge.shipped(game)
        if self.own is None:
            self.own = judge.load(Path(self.file), game)
        return self.own

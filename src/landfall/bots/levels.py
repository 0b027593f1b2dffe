"""The levels offered to players, from kind to merciless: sprat, mackerel, marlin, leviathan, kraken."""

from __future__ import annotations

from typing import Final

from landfall.bots import forward
from landfall.bots.contract import Bot, Seat
from landfall.bots.greedy import GreedyBot
from landfall.bots.mcts import MctsBot, MctsConfig
from landfall.bots.net_search import NetSearchBot
from landfall.bots.net_tree import NetTreeBot
from landfall.core.game import LINES, TREE
from landfall.games import game as find_game


class SpratBot(Bot):
    """Plays what comes to mind: now and then something sensible. Loses to a child."""

    name = "sprat"
    sense: int = 25  # of a hundred choices, so many are greedy's

    def choose(self, seat: Seat) -> int:
        if int(seat.rng.below(100)) < self.sense:
            return GreedyBot().choose(seat)
        legal = seat.legal
        return legal[int(seat.rng.below(len(legal)))]


class MackerelBot(SpratBot):
    """Sees what lies at hand, and overlooks a good deal of it."""

    name = "mackerel"
    sense = 80


class MarlinBot(MctsBot):
    """Thinks a little ahead."""

    name = "marlin"

    def __init__(self, iters: int = 150) -> None:
        super().__init__(MctsConfig(iters=iters))


# A step of the turn, as the rulebooks count them, is up to three choices; each has a third of two seconds.
MOST_MS: Final = 650


class LeviathanBot(MctsBot):
    """Thinks as long as it may, two seconds at most for a step of the turn. Merciless."""

    name = "leviathan"

    def __init__(self, ms: int = MOST_MS) -> None:
        super().__init__(MctsConfig(ms=ms))


class KrakenBot(Bot):
    """Has seen a hundred thousand games, and thinks as well: eight tenths of a second for each choice.

    Its game says what its net judges: the lines of a step, played on, or a tree of choices. Where a game has no net, it
    is a search like the others, for longer.
    """

    name = "kraken"
    version = "2"

    def __init__(self, ms: int = 800) -> None:
        self.ms = ms
        self.mind: Bot | None = None
        forward.ready()

    def choose(self, seat: Seat) -> int:
        if self.mind is None:
            self.mind = self.mind_for(seat.game)
        action = self.mind.choose(seat)
        self.thoughts = self.mind.thoughts
        return action

    def mind_for(self, game: str) -> Bot:
        """What thinks for it in that game."""
        judged = find_game(game).judged
        if judged == LINES and forward.fits(game):
            return NetSearchBot(ms=self.ms, lines=8)
        if judged == TREE and not forward.INSTEAD and forward.fits(game):
            return NetTreeBot(ms=self.ms)
        return MctsBot(MctsConfig(ms=self.ms))


LEVELS: Final[dict[str, type[Bot]]] = {
    kind.name: kind for kind in (SpratBot, MackerelBot, MarlinBot, LeviathanBot, KrakenBot)
}

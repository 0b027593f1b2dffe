"""The levels offered to players, from kind to merciless: sprat, mackerel, marlin, leviathan, kraken."""

from __future__ import annotations

from typing import Final

from landfall.bots import net_backend
from landfall.bots.contract import Bot, Seat
from landfall.bots.greedy_bot import GreedyBot
from landfall.bots.mcts_bot import MctsBot, MctsConfig
from landfall.bots.net_search_bot import NetSearchBot
from landfall.bots.net_tree_bot import NetTreeBot
from landfall.core.game import LINES, TREE
from landfall.games import game as find_game


class SpratBot(Bot):
    """Plays what comes to mind: now and then something sensible. Loses to a child."""

    name = "sprat"
    greedy_percent: int = 25  # of a hundred choices, so many are greedy's

    def choose(self, seat: Seat) -> int:
        if int(seat.rng.randbelow(100)) < self.greedy_percent:
            return GreedyBot().choose(seat)
        legal = seat.legal_actions
        return legal[int(seat.rng.randbelow(len(legal)))]


class MackerelBot(SpratBot):
    """Sees what lies at hand, and overlooks a good deal of it."""

    name = "mackerel"
    greedy_percent = 80


class MarlinBot(MctsBot):
    """Thinks a little ahead."""

    name = "marlin"

    def __init__(self, iters: int = 150) -> None:
        super().__init__(MctsConfig(iters=iters))


# A step of the turn, as the rulebooks count them, is up to three choices; each has a third of two seconds.
MAX_CHOICE_MS: Final = 650


class LeviathanBot(MctsBot):
    """Thinks as long as it may, two seconds at most for a step of the turn. Merciless."""

    name = "leviathan"

    def __init__(self, ms: int = MAX_CHOICE_MS) -> None:
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
        self.player: Bot | None = None
        net_backend.require_backend()

    def choose(self, seat: Seat) -> int:
        if self.player is None:
            self.player = self.make_player(seat.game)
        action = self.player.choose(seat)
        self.thoughts = self.player.thoughts
        return action

    def make_player(self, game: str) -> Bot:
        """What thinks for it in that game."""
        judged = find_game(game).judged
        if judged == LINES and net_backend.has_net(game):
            return NetSearchBot(ms=self.ms, lines=8)
        if judged == TREE and not net_backend.OTHER_LOADERS and net_backend.has_net(game):
            return NetTreeBot(ms=self.ms)
        return MctsBot(MctsConfig(ms=self.ms))


LEVELS: Final[dict[str, type[Bot]]] = {
    kind.name: kind for kind in (SpratBot, MackerelBot, MarlinBot, LeviathanBot, KrakenBot)
}

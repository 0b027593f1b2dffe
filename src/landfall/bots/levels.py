"""The levels offered to players, weakest first: sprat, mackerel, marlin, leviathan, kraken."""

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
    """Plays mostly at random and sometimes sensibly. Loses to a child."""

    name = "sprat"
    greedy_percent: int = 25  # how often it chooses as greedy does

    def choose(self, seat: Seat) -> int:
        if int(seat.rng.randbelow(100)) < self.greedy_percent:
            return GreedyBot().choose(seat)
        legal = seat.legal_actions
        return legal[int(seat.rng.randbelow(len(legal)))]


class MackerelBot(SpratBot):
    """Looks one choice ahead and often misses the best one."""

    name = "mackerel"
    greedy_percent = 80


class MarlinBot(MctsBot):
    """Searches a little."""

    name = "marlin"

    def __init__(self, iters: int = 150) -> None:
        super().__init__(MctsConfig(iters=iters))


class NetLevelBot(Bot):
    """Searches with the game's net. The game says what its net evaluates: rollouts of a step's lines, or a tree of
    choices. In a game without a net it is a plain tree search."""

    def __init__(self) -> None:
        self.player: Bot | None = None

    def choose(self, seat: Seat) -> int:
        if self.player is None:
            self.player = self.make_search_for_game(seat.game)
        action = self.player.choose(seat)
        self.thoughts = self.player.thoughts
        return action

    def expected_line(self, seat: int) -> list[tuple[int, int]]:
        return self.player.expected_line(seat) if self.player else []

    def make_search_for_game(self, game: str) -> Bot:
        """Create the bot that plays for it in that game."""
        judged = find_game(game).judged
        if judged == LINES and net_backend.has_net(game):
            return self.make_line_search()
        if judged == TREE and not net_backend.OTHER_LOADERS and net_backend.has_net(game):
            return self.make_tree_search()
        return self.make_plain_search()

    def make_line_search(self) -> Bot:
        """Create the search whose net evaluates rollouts of lines."""
        raise NotImplementedError

    def make_tree_search(self) -> Bot:
        """Create the search whose net evaluates the choices of a tree."""
        raise NotImplementedError

    def make_plain_search(self) -> Bot:
        """Create the search without a net."""
        raise NotImplementedError


CONTESTED_LINES: Final = 8  # lines that are rolled out
# A step of the turn, as the rulebooks count them, has up to three choices; each gets a third of two seconds.
MAX_CHOICE_MS: Final = 650


class LeviathanBot(NetLevelBot):
    """Searches like kraken, with a small budget that is counted and not timed: it plays alike on every machine.

    `worlds` for each halving of the lines, or `iters` descents in a tree. `ms` only where no net can run: in a game
    without one, or without numpy.
    """

    name = "leviathan"
    version = "5"

    def __init__(self, worlds: int = 2, iters: int = 600, ms: int = MAX_CHOICE_MS) -> None:
        super().__init__()
        self.worlds = worlds
        self.iters = iters
        self.ms = ms

    def make_line_search(self) -> Bot:
        return NetSearchBot(worlds=self.worlds, lines=CONTESTED_LINES)

    def make_tree_search(self) -> Bot:
        return NetTreeBot(iters=self.iters)

    def make_plain_search(self) -> Bot:
        return MctsBot(MctsConfig(ms=self.ms))


class KrakenBot(NetLevelBot):
    """Uses a net trained on a hundred thousand games and a search of 0.8 seconds per choice."""

    name = "kraken"
    version = "2"

    def __init__(self, ms: int = 800) -> None:
        super().__init__()
        net_backend.require_backend()
        self.ms = ms

    def make_line_search(self) -> Bot:
        return NetSearchBot(ms=self.ms, lines=CONTESTED_LINES)

    def make_tree_search(self) -> Bot:
        return NetTreeBot(ms=self.ms)

    def make_plain_search(self) -> Bot:
        return MctsBot(MctsConfig(ms=self.ms))


LEVELS: Final[dict[str, type[Bot]]] = {
    kind.name: kind for kind in (SpratBot, MackerelBot, MarlinBot, LeviathanBot, KrakenBot)
}

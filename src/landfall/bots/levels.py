"""The levels offered to players. A level is declared once, in `DECLARED`: `landfall types --write` tells the client.

Its name and manner in each language are in `client/src/messages/pages`, and its picture is `fish-<name>` in
`client/src/look/symbols.svg`. A test says what is missing.
"""

from __future__ import annotations

from dataclasses import dataclass
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


@dataclass(frozen=True)
class Level:
    """A level, and what else depends on it."""

    bot: type[Bot]
    puzzle_mu: float | None = None  # of a puzzle that this is the weakest level to solve, before people try it
    offline_code: str | None = None  # what plays for it in a browser, where it would take too long itself


DECLARED: Final = (  # weakest first
    Level(SpratBot, 19.0),
    Level(MackerelBot, 23.0),
    Level(MarlinBot, 27.0, f"mcts:iters=150:ms={MAX_CHOICE_MS}"),
    Level(LeviathanBot, 31.0, f"mcts:ms={MAX_CHOICE_MS}"),
    Level(KrakenBot),
)
LEVELS: Final[dict[str, type[Bot]]] = {level.bot.name: level.bot for level in DECLARED}
OFFLINE_CODES: Final = {one.bot.name: one.offline_code for one in DECLARED if one.offline_code is not None}
PUZZLE_RATINGS: Final = {one.bot.name: one.puzzle_mu for one in DECLARED if one.puzzle_mu is not None}

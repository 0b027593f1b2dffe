"""The bot that searches: Monte Carlo tree search over all that its seat cannot know, within a budget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from landfall.bots import workers
from landfall.bots.contract import Bot, Seat, Thought
from landfall.bots.search_tree import Plan, Search

if TYPE_CHECKING:
    from landfall.core.rng import Rng
    from landfall.core.state import State

# What was found best, game by game (docs/strength.md): explore, trust, keep, ripe, turns, own, wise.
Asked = tuple[float, int, int, int, int, int, int]
PLANS: Final[dict[str, Asked]] = {
    "survive": (0.06, 1, 24, 0, -1, 250, 100),
    "atlantis": (0.15, 1, 24, 1, 2, 0, 100),
    "atlandice": (0.15, 1, 24, 1, 6, 0, 0),
}
OTHER_PLAN: Final = (0.15, 1, 24, 1, 2, 0, 100)
OWN: Final = -2  # as a parameter: what suits the game


class MctsBot(Bot):
    """Searches for `ms` thousandths of a second of processor time (0: all of the seat's budget), or `iters` iterations.

    With `cores` it searches so many trees at once, each from a seed of its own, and adds up what they found.
    """

    name = "mcts"
    version = "2"

    def __init__(
        self,
        ms: int = 0,
        iters: int = 0,
        cores: int = 1,
        reuse: bool = True,
        explore: float = float(OWN),
        trust: int = OWN,
        keep: int = OWN,
        ripe: int = OWN,
        turns: int = OWN,
        own: int = OWN,
        wise: int = OWN,
    ) -> None:
        self.ms = ms
        self.iters = iters
        self.cores = cores
        self.reuse = reuse
        self.asked: Asked = (explore, trust, keep, ripe, turns, own, wise)
        self.iterations = 0  # of the last search
        self.kept: tuple[str, Search, int] | None = None  # the last tree, and what was chosen

    def worlds(self) -> bool:
        """Whether each iteration imagines a world of its own."""
        return True

    def plan(self, game: str) -> Plan:
        """The game's plan, as far as no parameter says otherwise."""
        usual = PLANS.get(game, OTHER_PLAN)
        explore, *numbers = (own if given == OWN else given for given, own in zip(self.asked, usual, strict=True))
        trust, keep, ripe, turns, own, wise = (int(n) for n in numbers)
        return Plan(float(explore), trust, keep, ripe, turns, own, wise)

    def choose(self, seat: Seat) -> int:
        legal = seat.legal
        if len(legal) == 1:
            self.thoughts = (Thought(legal[0], 0, 0.0),)
            self.iterations = 0
            return legal[0]
        seconds = 0.0 if self.iters and not self.ms else (self.ms / 1000 or seat.budget)
        world = seat.sample(seat.rng) if self.worlds() else seat._world
        if self.cores > 1:
            found = workers.think(self, seat.game, world, seat.number, seat.rng, seconds)
        else:
            found = self.search(seat.game, world, seat.number, seat.rng, seconds)
        self.thoughts = [Thought(action, visits, mean / 1_000_000) for action, visits, mean in found]
        return found[0][0]

    def search(self, game: str, world: State, seat: int, rng: Rng, seconds: float) -> list[tuple[int, int, int]]:
        """One tree: action, visits and mean result of every choice, the best first."""
        search = self.begin(game, world, seat)
        search.run(self.iters, seconds, rng)
        self.iterations = int(search.iterations)
        found = search.ranked()
        self.kept = (game, search, found[0][0]) if self.reuse else None
        return found

    def begin(self, game: str, world: State, seat: int) -> Search:
        """A tree to search in: what was found below one's last choice, if that led here, else a new one."""
        if self.kept is not None:
            last_game, last, action = self.kept
            self.kept = None
            if last_game == game and last.seat == seat and last.world.players == world.players:
                row = last.find(world, action)
                if row >= 0:
                    return last.keep_below(row, world)
        search = Search(world, seat, self.plan(game))
        search.peek = not self.worlds()
        return search

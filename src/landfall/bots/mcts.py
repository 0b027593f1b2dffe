"""The bot that searches: Monte Carlo tree search over all that its seat cannot know, within a budget."""

from __future__ import annotations

from functools import partial
from time import thread_time
from typing import TYPE_CHECKING, Final

from landfall.bots import workers
from landfall.bots.contract import Bot, Seat, Thought
from landfall.bots.search import best_action
from landfall.bots.search_contest import Contest, Line, promising
from landfall.bots.search_tree import Plan, Search
from landfall.bots.workers import Found
from landfall.core.rng import Rng
from landfall.games import game as find_game

if TYPE_CHECKING:
    from landfall.core.game import Searched
    from landfall.core.state import State

# Where lines are played on: of the iterations every sixth is such a playout; of the time they get three quarters.
PLAYED_ON: Final = 6
TREE_TIME: Final = 0.25
OWN: Final = -2  # as a parameter: what suits the game


class MctsBot(Bot):
    """Searches for `ms` thousandths of a second of processor time (0: all of the seat's budget), or `iters` iterations.

    With `cores` it searches so many trees at once, each from a seed of its own, and adds up what they found.
    """

    name = "mcts"
    version = "4"

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
        ahead: int = OWN,
    ) -> None:
        self.ms = ms
        self.iters = iters
        self.cores = cores
        self.reuse = reuse
        self.asked: Searched = (explore, trust, keep, ripe, turns, own, wise, ahead)
        self.iterations = 0  # of the last search
        self.kept: tuple[str, Search, int] | None = None  # the last tree, and what was chosen
        self.line: tuple[bytes, Line, int] | None = None  # a line to go on with: where it leads to next, how far it is

    def worlds(self) -> bool:
        """Whether each iteration imagines a world of its own."""
        return True

    def plan(self, game: str) -> Plan:
        """The game's plan, as far as no parameter says otherwise."""
        usual = find_game(game).search
        explore, *numbers = (own if given == OWN else given for given, own in zip(self.asked, usual, strict=True))
        trust, keep, ripe, turns, own, wise, ahead = (int(n) for n in numbers)
        return Plan(float(explore), trust, keep, ripe, turns, own, wise, ahead)

    def choose(self, seat: Seat) -> int:
        legal = seat.legal
        if len(legal) == 1:
            self.thoughts = (Thought(legal[0], 0, 0.0),)
            self.iterations = 0
            return legal[0]
        seconds = 0.0 if self.iters and not self.ms else (self.ms / 1000 or seat.budget)
        if seat.strict:
            seconds = min(seconds, seat.budget)
        world = seat.sample(seat.rng) if self.worlds() else seat._world
        if world.setting_up():
            found = self.glance(seat, world)
        elif self.cores > 1:
            # Workers get the bytes of an imagined position, never the true one.
            search = partial(one_tree, self.asked, self.iters, seat.game, world.to_bytes(), seat.number, seconds)
            found = workers.think(search, self.cores, seat.rng, self.plan(seat.game).ahead > 0)
        else:
            found = self.search(seat.game, world, seat.number, seat.rng, seconds)
        self.thoughts = [Thought(action, visits, mean / 1_000_000) for action, visits, mean in found]
        return found[0][0]

    def search(self, game: str, world: State, seat: int, rng: Rng, seconds: float) -> Found:
        """One tree: action, visits and mean result of every choice, the best first."""
        search = self.begin(game, world, seat)
        if search.plan.ahead > 0:
            return self.search_and_play_on(search, rng, seconds)
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

    def glance(self, seat: Seat, world: State) -> Found:
        """What experience recommends, else greedy's choice; and what each looks like."""
        search = Search(world, seat.number, self.plan(seat.game))
        search.run(1, 0.0, seat.rng)
        self.iterations = 1
        known = int(world.opening())
        chosen = known if known >= 0 else int(best_action(world, seat.number, seat.rng))
        return sorted(search.ranked(), key=lambda row: row[0] != chosen)

    def search_and_play_on(self, search: Search, rng: Rng, seconds: float) -> Found:
        """A tree of this step of the turn; its most promising lines, played on by all seats, make up the order."""
        again = self.go_on(search)
        if again:
            return again
        began = thread_time()
        playouts = self.iters // PLAYED_ON
        search.run(self.iters - playouts, TREE_TIME * seconds, rng)
        self.iterations = int(search.iterations)
        found = search.ranked()
        lines = promising(search)
        if self.iters:
            lines = lines[: playouts // 2]
        if len(lines) < 2:
            return found
        contest = Contest(search, lines, rng)
        contest.run(playouts, max(0.001, 0.97 * seconds - (thread_time() - began)) if seconds else 0.0, rng)
        best = contest.ranked()
        self.iterations += sum(int(line.played) for line in best)
        if self.reuse and best[0].played:
            self.remember(search, best[0], 1)
        return in_order(found, best)

    def remember(self, search: Search, line: Line, done: int) -> None:
        """What the seat expects to see when the rest of a line is due."""
        if done < len(line.actions):
            after = search.world.copy()
            after.apply(line.actions[done - 1])
            self.line = (search.fingerprint(after), line, done)

    def go_on(self, search: Search) -> Found:
        """The next action of a line that was found best, if all came as expected."""
        if self.line is None:
            return []
        expected, line, done = self.line
        self.line = None
        if search.fingerprint(search.world) != expected:
            return []
        self.iterations = 0
        self.remember(search, line, done + 1)
        mean = line.total // line.played
        rest = [(action, 0, 0) for action in search.world.legal() if action != line.actions[done]]
        return [(line.actions[done], int(line.played), max(0, min(1_000_000, int(mean)))), *rest]


def in_order(found: Found, lines: list[Line]) -> Found:
    """The root's choices, first those whose lines were played on, with what came of that; playouts count as visits."""
    rows = {action: (visits, mean) for action, visits, mean in found}
    out: dict[int, tuple[int, int]] = {}
    for line in lines:
        action = line.actions[0]
        if line.played:
            mean = max(0, min(1_000_000, int(line.total // line.played)))
            visits, first = out.get(action, (rows[action][0], mean))
            out[action] = (visits + int(line.played), first)
    return [(action, *row) for action, row in out.items()] + [row for row in found if row[0] not in out]


def one_tree(asked: Searched, iters: int, game: str, data: bytes, seat: int, seconds: float, seed: int) -> Found:
    """What one worker finds."""
    bot = MctsBot(iters=iters)
    bot.asked = asked
    return bot.search(game, find_game(game).from_bytes(data), seat, Rng(seed), seconds)

"""The search bot: Monte Carlo tree search over all that its seat cannot know, within a budget."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import partial
from time import thread_time
from typing import TYPE_CHECKING, Final

from landfall.bots import parallel_search
from landfall.bots.contract import Bot, Seat, Thought
from landfall.bots.parallel_search import SearchResult
from landfall.bots.plan_sentence import Line, most_visited_line
from landfall.bots.search.mcts_tree import SearchTree
from landfall.bots.search.one_ply_search import best_action
from landfall.bots.search.rollout_contest import CandidateLine, RolloutContest, find_best_lines
from landfall.core.rng import Rng
from landfall.core.search_settings import SearchSettings
from landfall.games import game as find_game

if TYPE_CHECKING:
    from landfall.core.state import State

# With rollouts of lines, every sixth iteration is a rollout, and rollouts get three quarters of the time.
ITERATIONS_PER_ROLLOUT: Final = 6
TREE_TIME_SHARE: Final = 0.25
FROM_GAME: Final = -2  # as a parameter: the game's own value
PLAN_FIELDS: Final = tuple(field.name for field in fields(SearchSettings))


@dataclass(frozen=True)
class MctsConfig:
    """The parameters of `mcts`: the length of the search, and the fields of SearchSettings."""

    ms: int = 0  # processor time; 0: the seat's whole budget, or `iters`
    iters: int = 0  # 0: as many as time allows
    cores: int = 1  # one tree per core, each with its own seed; the results are merged
    reuse: bool = True  # continue with the subtree below the last choice
    explore: float = float(FROM_GAME)
    prior_visits: int = FROM_GAME
    max_children: int = FROM_GAME
    expand_after: int = FROM_GAME
    horizon_turns: int = FROM_GAME
    own_points: int = FROM_GAME
    greedy_percent: int = FROM_GAME
    rollout_rounds: int = FROM_GAME

    def search_settings_for(self, game: str) -> SearchSettings:
        """The game's search settings, with the parameters that were set."""
        given = {name: getattr(self, name) for name in PLAN_FIELDS}
        return replace(find_game(game).search, **{name: n for name, n in given.items() if n != FROM_GAME})


class MctsBot(Bot):
    """Searches a tree of choices and outcomes for a time or a number of iterations."""

    name = "mcts"
    version = "4"
    config_type = MctsConfig

    def __init__(self, config: MctsConfig | None = None) -> None:
        self.config = config or MctsConfig()
        self.iterations = 0  # of the last search
        self.last_tree: tuple[str, SearchTree, int] | None = None  # the last tree and the chosen action
        self.last_search: tuple[SearchTree, int] | None = None  # the same, for explanations
        # a line to continue: the view expected next, and the index in it
        self.planned_line: tuple[bytes, CandidateLine, int] | None = None

    def expected_line(self, seat: int) -> Line:
        return most_visited_line(*self.last_search) if self.last_search else super().expected_line(seat)

    def root_world(self, seat: Seat) -> State:
        """The position at the root of the search."""
        return seat.sample(seat.rng)

    def make_empty_tree(self, world: State, seat: int, plan: SearchSettings) -> SearchTree:
        """Create an empty tree."""
        return SearchTree(world, seat, plan)

    def choose(self, seat: Seat) -> int:
        legal, self.line, self.last_search = seat.legal_actions, (), None
        if len(legal) == 1:
            self.thoughts = (Thought(legal[0], 0, 0.0),)
            self.iterations = 0
            return legal[0]
        config = self.config
        seconds = 0.0 if config.iters and not config.ms else (config.ms / 1000 or seat.budget)
        if seat.strict:
            seconds = min(seconds, seat.budget)
        world = self.root_world(seat)
        if world.is_setup():
            found = self.rank_setup_choices(seat, world)
        elif config.cores > 1:
            # Workers get the bytes of a sampled position, never the true one.
            search = partial(search_one_tree, config, seat.game, world.to_bytes(), seat.number, seconds)
            played_on = config.search_settings_for(seat.game).rollout_rounds > 0
            found = parallel_search.search_in_parallel(search, config.cores, seat.rng, played_on)
        else:
            found = self.search(seat.game, world, seat.number, seat.rng, seconds)
        self.thoughts = [Thought(action, visits, mean / 1_000_000) for action, visits, mean in found]
        return found[0][0]

    def search(self, game: str, world: State, seat: int, rng: Rng, seconds: float) -> SearchResult:
        """Search one tree: action, visits and mean result of every choice, best first."""
        search = self.reused_or_new_tree(game, world, seat)
        if search.plan.rollout_rounds > 0:
            return self.search_with_rollouts(search, rng, seconds)
        search.run(self.config.iters, seconds, rng)
        self.iterations = int(search.iterations)
        found = search.ranking()
        self.last_search = search, found[0][0]
        self.last_tree = (game, search, found[0][0]) if self.config.reuse else None
        return found

    def reused_or_new_tree(self, game: str, world: State, seat: int) -> SearchTree:
        """The subtree below the last choice if that led here, otherwise a new tree."""
        if self.last_tree is not None:
            last_game, last, action = self.last_tree
            self.last_tree = None
            if last_game == game and last.seat == seat and last.world.players == world.players:
                row = last.find_decision(world, action)
                if row >= 0:
                    return last.copy_subtree(row, world)
        return self.make_empty_tree(world, seat, self.config.search_settings_for(game))

    def rank_setup_choices(self, seat: Seat, world: State) -> SearchResult:
        """The opening table's choice, otherwise greedy's, with the value of each choice."""
        search = SearchTree(world, seat.number, self.config.search_settings_for(seat.game))
        search.run(1, 0.0, seat.rng)
        self.iterations = 1
        known = int(world.opening_action())
        chosen = known if known >= 0 else int(best_action(world, seat.number, seat.rng))
        return sorted(search.ranking(), key=lambda row: row[0] != chosen)

    def search_with_rollouts(self, search: SearchTree, rng: Rng, seconds: float) -> SearchResult:
        """Search a tree of this step of the turn, then rank its most promising lines by rollouts of all seats."""
        again = self.continue_planned_line(search)
        if again:
            return again
        began = thread_time()
        iters = self.config.iters
        playouts = iters // ITERATIONS_PER_ROLLOUT
        search.run(iters - playouts, TREE_TIME_SHARE * seconds, rng)
        self.iterations = int(search.iterations)
        found = search.ranking()
        lines = find_best_lines(search)
        if iters:
            lines = lines[: playouts // 2]
        if len(lines) < 2:
            return found
        contest = RolloutContest(search, lines, rng)
        contest.run(playouts, max(0.001, 0.97 * seconds - (thread_time() - began)) if seconds else 0.0, rng)
        best = contest.ranking()
        self.iterations += sum(int(line.rollouts) for line in best)
        self.line = best[0].actions
        if self.config.reuse and best[0].rollouts:
            self.remember_rest_of_line(search, best[0], 1)
        return merge_tree_and_rollout_results(found, best)

    def remember_rest_of_line(self, search: SearchTree, line: CandidateLine, done: int) -> None:
        """Remember the rest of a line and the view that the seat expects when it is due."""
        if done < len(line.actions):
            after = search.world.copy()
            after.apply(line.actions[done - 1])
            self.planned_line = (search.fingerprint(after), line, done)

    def continue_planned_line(self, search: SearchTree) -> SearchResult:
        """The next action of the best line, if the view is as expected."""
        if self.planned_line is None:
            return []
        expected, line, done = self.planned_line
        self.planned_line = None
        if search.fingerprint(search.world) != expected:
            return []
        self.iterations = 0
        self.line = line.actions[done:]
        self.remember_rest_of_line(search, line, done + 1)
        mean = line.total // line.rollouts
        rest = [(action, 0, 0) for action in search.world.legal_actions() if action != line.actions[done]]
        return [(line.actions[done], int(line.rollouts), max(0, min(1_000_000, int(mean)))), *rest]


def merge_tree_and_rollout_results(found: SearchResult, lines: list[CandidateLine]) -> SearchResult:
    """The root's choices, those with rollouts first, with the rollouts' results; rollouts count as visits."""
    rows = {action: (visits, mean) for action, visits, mean in found}
    out: dict[int, tuple[int, int]] = {}
    for line in lines:
        action = line.actions[0]
        if line.rollouts:
            mean = max(0, min(1_000_000, int(line.total // line.rollouts)))
            visits, first = out.get(action, (rows[action][0], mean))
            out[action] = (visits + int(line.rollouts), first)
    return [(action, *row) for action, row in out.items()] + [row for row in found if row[0] not in out]


def search_one_tree(config: MctsConfig, game: str, data: bytes, seat: int, seconds: float, seed: int) -> SearchResult:
    """Search one tree in a worker."""
    bot = MctsBot(config)
    return bot.search(game, find_game(game).from_bytes(data), seat, Rng(seed), seconds)

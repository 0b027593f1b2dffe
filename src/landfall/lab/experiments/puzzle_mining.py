"""Finds puzzles in matches of bots: decisions with one clearly best choice, given what the seat knows.

The game's net finds candidates and a short comparison filters them. The rest are compared three times in sampled worlds
(`compare_actions`), each time with other seeds. If the tree search, an independent method, disagrees, the net's
estimate must already prefer the choice and the margin must be wider.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from landfall import paths
from landfall.bots.contract import Seat
from landfall.bots.levels import PUZZLE_RATINGS, MarlinBot
from landfall.bots.mcts_bot import MctsBot, MctsConfig
from landfall.bots.registry import make_bot as make
from landfall.bots.search.one_ply_search import best_action
from landfall.core import puzzle as puzzles
from landfall.core.puzzle import MIN_CHOICES, PUZZLES_PER_SET, ChoiceCase, Puzzle
from landfall.core.rng import Rng
from landfall.core.state import CHANCE, OVER
from landfall.games import game as find_game
from landfall.games import game_module
from landfall.lab.experiments.compare_actions import ComparedActions, compare_actions, estimate_actions_by_net
from landfall.lab.experiments.result_log import ResultLog
from landfall.lab.experiments.simulation import seat_rngs, seed_of_game

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from landfall.bots.contract import Bot
    from landfall.core.state import State
    from landfall.lab.worker_pool import WorkerPool

MAX_PUZZLES_PER_MATCH: Final = 2  # puzzles, at most
MAX_CANDIDATES_PER_MATCH: Final = 12  # candidates compared in one match
MIN_GLANCE_GAP: Final = 0.02  # the best choice's lead by the net's estimate
EASY_CANDIDATES_PERCENT: Final = 20
FIRST_WORLDS, FIRST_MIN_MARGIN = 6, 0.025  # worlds of the first comparison, and the margin required
SEARCHES: Final = ((14, 16), (3, 64), (3, 64))  # then (choices, worlds); each comparison keeps the best
FIRST_SEARCH_CHOICES: Final = SEARCHES[0][0]
MIN_MARGIN: Final = 0.04  # required lead of the best choice: one that costs under 3 % counts as good, too
MIN_STANDARD_ERRORS: Final = 5.0  # required lead in standard errors
TREE_ITERATIONS: Final = 900  # of the tree search, the independent method
DISPUTED_MIN_MARGIN, DISPUTED_MIN_STANDARD_ERRORS = (
    0.05,
    6.0,
)  # if it disagrees: the required margin, and its standard errors
MARLIN_TRIALS: Final = 5  # runs of marlin
EASIEST_MIN_MARGIN: Final = 0.1  # required margin if even the weakest bot finds it
MIN_GREEDY_MISS_SHARE: Final = 0.65  # share of the puzzles that greedy must miss
MAX_SAME_GOAL_SHARE: Final = 0.25  # share of the puzzles with the same kind of goal
MIN_THEMES: Final = 5  # themes that must have a tenth of all puzzles each
MATCHES_PER_BATCH: Final = 200  # matches planned at a time
MATCH_BOTS: Final = ("net:second=0", "net:second=0", "greedy")  # the players of the matches, drawn by seat


@dataclass(frozen=True)
class MiningRun:
    """The settings that all matches share."""

    game: str
    seed: int
    easy_percent: int = EASY_CANDIDATES_PERCENT  # share of the candidates that greedy solves which are examined


@dataclass(frozen=True)
class Candidate:
    """A decision that may be a puzzle: the sampled position, and the choices as the net ranks them."""

    world: bytes
    seat: int
    line: str
    actions: list[int]
    greedy: int
    gap: float  # the lead of the first over the second by the net's estimate


def mine_match(mine: MiningRun, number: int) -> list[Puzzle]:
    """The puzzles of one match, at most MAX_PUZZLES_PER_MATCH."""
    seed = seed_of_game(mine.seed, number)
    rng = Rng(seed ^ 0x5EED)
    found: list[Puzzle] = []
    for one in sorted(play_match_and_find_candidates(mine, number, rng), key=lambda one: -one.gap)[
        :MAX_CANDIDATES_PER_MATCH
    ]:
        made = to_puzzle_if_comparisons_agree(mine.game, one, f"{mine.seed}.{number}", int(rng.randbelow(1 << 30)))
        if made is not None:
            found.append(made)
            if len(found) == MAX_PUZZLES_PER_MATCH:
                break
    return found


def play_match_and_find_candidates(mine: MiningRun, number: int, rng: Rng) -> list[Candidate]:
    """Play a match and collect the decisions in which the net prefers one choice clearly."""
    setups = game_module(mine.game, "puzzle_themes").SETUPS
    players, options = setups[number % len(setups)]
    state = find_game(mine.game).new(players, options)
    seed = seed_of_game(mine.seed, number)
    bots: list[Bot] = [make(MATCH_BOTS[int(rng.randbelow(len(MATCH_BOTS)))]) for _ in range(players)]
    rngs, chance = seat_rngs(seed, players), Rng(seed)
    out: list[Candidate] = []
    while state.actor != OVER:
        if state.actor == CHANCE:
            state.apply(state.sample_chance(chance))
            continue
        seat = int(state.actor)
        if len(state.legal_actions()) >= MIN_CHOICES and not state.is_setup():
            one = candidate_if_one_choice_leads(mine, state, seat, rng)
            if one is not None:
                out.append(one)
        state.apply(bots[seat].choose(Seat.from_state(state, mine.game, rngs[seat])))
    return out


def candidate_if_one_choice_leads(mine: MiningRun, state: State, seat: int, rng: Rng) -> Candidate | None:
    """The decision, if the net prefers one choice clearly and greedy misses it; a few that greedy finds are kept."""
    seen = estimate_actions_by_net(mine.game, state.resample(seat, rng), seat, rng)
    if len(seen.actions) < MIN_CHOICES or seen.alike[0] or seen.chances[0] - seen.chances[1] < MIN_GLANCE_GAP:
        return None
    world = puzzles.resample_seeded_by_seat_text(state, seat)
    greedy = int(best_action(world, seat, rng))
    if greedy == seen.actions[0] and int(rng.randbelow(100)) >= mine.easy_percent:
        return None
    actions = seen.actions[:FIRST_SEARCH_CHOICES]
    if greedy not in actions and greedy in seen.actions:
        actions.append(greedy)
    return Candidate(world.to_bytes(), seat, world.to_text(seat), actions, greedy, seen.chances[0] - seen.chances[1])


def to_puzzle_if_comparisons_agree(game: str, one: Candidate, match: str, seed: int) -> Puzzle | None:
    """Turn a candidate into a puzzle if every comparison clearly agrees."""
    rules = find_game(game)
    world = rules.from_bytes(one.world)
    first = compare_actions(game, world, one.seat, one.actions[:4], FIRST_WORLDS, seed)
    best = first.actions[0]
    theme = puzzles.find_first_fitting_theme(
        game_module(game, "puzzle_themes").THEMES, ChoiceCase(world, one.seat, best)
    )
    if first.margin < FIRST_MIN_MARGIN or theme is None or seed % theme.one_in:
        return None
    deep: list[ComparedActions] = []
    actions = one.actions
    for n, (wide, worlds) in enumerate(SEARCHES):
        deep.append(compare_actions(game, world, one.seat, actions if n == 0 else actions[:wide], worlds, seed + 1 + n))
        actions = deep[-1].actions
        if actions[0] != best or deep[-1].margin < FIRST_MIN_MARGIN:
            return None
    worlds = sum(search.worlds for search in deep)
    margin = sum(search.margin * search.worlds for search in deep) / worlds
    error = sum((search.error * search.worlds) ** 2 for search in deep) ** 0.5 / worlds
    player = MctsBot(MctsConfig(iters=TREE_ITERATIONS, reuse=False))
    tree = player.choose(Seat(one.seat, game, world, Rng(seed), 60.0)) == best
    least, sure = (MIN_MARGIN, MIN_STANDARD_ERRORS) if tree else (DISPUTED_MIN_MARGIN, DISPUTED_MIN_STANDARD_ERRORS)
    if margin < max(least, sure * error):
        return None
    if not tree and one.actions[0] != best:
        return None
    finds = sum(
        MarlinBot().choose(Seat(one.seat, game, world, Rng(seed + 100 + n), 60.0)) == best for n in range(MARLIN_TRIALS)
    )
    greedy = one.greedy == best
    next_best = deep[-1].actions[1]
    goal = puzzles.find_goal_only_solution_reaches(game_module(game, "puzzle_goals").GOALS, world, one.seat, best)
    if goal is None:
        return None
    return Puzzle(
        id=puzzles.puzzle_id_from_text(one.line),
        theme=theme.name,
        fish=rate_difficulty(greedy, finds, margin),
        seat=one.seat,
        world=world.to_text(),
        solution=world.notation(best),
        choices=len(world.legal_actions()),
        chance=round(deep[-1].chances[0], 4),
        margin=round(margin, 4),
        error=round(error, 4),
        worlds=worlds,
        next_best=world.notation(next_best),
        greedy=greedy,
        tree=tree,
        finds=finds,
        match=match,
        goal=goal.name,
        facts=goal.facts,
    )


def rate_difficulty(greedy: bool, finds: int, margin: float) -> str:
    """The difficulty: the weakest level that finds the solution."""
    if greedy:
        return "sprat" if margin >= EASIEST_MIN_MARGIN else "mackerel"
    return "marlin" if 2 * finds >= MARLIN_TRIALS else "leviathan"


# --- many matches -------------------------------------------------------------------------------------------------


def mine_puzzles(
    mine: MiningRun, count: int, log: Path | None, pool: WorkerPool, after: Callable[[int], None]
) -> tuple[list[Puzzle], int]:
    """Mine until that many puzzles are selected, continuing from the log if there is one; also the number of
    matches."""
    kept = ResultLog(log, "puzzles", asdict(mine)) if log is not None else None
    rows = kept.rows if kept else []
    found = reassign_themes(mine.game, [puzzles.parse_stored_puzzle(one) for row in rows for one in row["found"]])
    matches = len(rows)
    if kept:
        kept.rewrite_file()
    chosen = select_puzzles(mine.game, found, count)
    for number, more in mine_matches(mine, matches, pool) if not has_enough_puzzles_and_themes(chosen, count) else ():
        found += more
        matches = number + 1
        if kept:
            kept.add({"match": number, "found": [asdict(one) for one in more]})
        chosen = select_puzzles(mine.game, found, count)
        after(len(chosen))
        if has_enough_puzzles_and_themes(chosen, count):
            break
    return chosen, matches


def has_enough_puzzles_and_themes(chosen: list[Puzzle], count: int) -> bool:
    """Whether there are enough puzzles, and enough of enough themes."""
    themes = sum(n * 10 >= count for n in count_puzzles_by_theme(chosen).values())
    return len(chosen) == count and themes >= min(MIN_THEMES, count)


def mine_matches(mine: MiningRun, first: int, pool: WorkerPool) -> Iterator[tuple[int, list[Puzzle]]]:
    """Mine matches without end."""
    while True:
        numbers = list(range(first, first + MATCHES_PER_BATCH))
        yield from zip(numbers, pool.in_order(partial(mine_match, mine), numbers))
        first += MATCHES_PER_BATCH


def select_puzzles(game: str, found: list[Puzzle], count: int) -> list[Puzzle]:
    """Select at most `count` puzzles: theme by theme the clearest, and few that greedy finds."""
    by_theme: dict[str, list[Puzzle]] = {theme.name: [] for theme in game_module(game, "puzzle_themes").THEMES}
    for one in {one.id: one for one in found}.values():
        if one.theme:
            by_theme[one.theme].append(one)
    for pile in by_theme.values():
        pile.sort(key=lambda one: (one.margin, one.id))
    out: list[Puzzle] = []
    easy = 0
    while len(out) < count and any(by_theme.values()):
        for pile in by_theme.values():
            if pile and len(out) < count:
                one = pile.pop()
                if one.greedy and easy + 1 > (1 - MIN_GREEDY_MISS_SHARE) * count:
                    continue
                easy += one.greedy
                out.append(one)
    order, difficulties = list(by_theme), list(PUZZLE_RATINGS)
    return sorted(out, key=lambda one: (order.index(one.theme), difficulties.index(one.fish), one.id))


def reassign_themes(game: str, found: list[Puzzle]) -> list[Puzzle]:
    """Assign the themes again by their current definitions."""
    rules, themes = find_game(game), game_module(game, "puzzle_themes").THEMES
    out: list[Puzzle] = []
    for one in found:
        state = rules.from_text(one.world)
        theme = puzzles.find_first_fitting_theme(themes, ChoiceCase(state, one.seat, state.parse(one.solution)))
        out.append(replace(one, theme=theme.name if theme else ""))
    return out


def count_puzzles_by_theme(found: list[Puzzle]) -> dict[str, int]:
    """The number of puzzles of each theme."""
    return dict(Counter(one.theme for one in found))


# --- the game's file ----------------------------------------------------------------------------------------------


def read_puzzles_of_mining_log(game: str, path: Path) -> list[Puzzle]:
    """The puzzles in a log of the mine; none if it is of another game."""
    first, *lines = path.read_text(encoding="utf-8").split("\n")
    if json.loads(first)["game"] != game:
        return []
    return [puzzles.parse_stored_puzzle(one) for line in lines[:-1] for one in json.loads(line)["found"]]


def assemble_checked_puzzles(game: str, found: list[Puzzle], confirmed: set[str], count: int) -> list[Puzzle]:
    """The puzzles that a check confirmed and whose goal can be said; those of the file first, with their numbers.

    Of those that greedy finds only a share is kept, and of those with one goal, the clearest.
    """
    earlier = {one.id: one for one in puzzles.load_puzzles(paths.puzzles_file(game))}
    every = {one.id: one for one in [*found, *earlier.values()]}
    held = [
        one for one in (puzzle_with_current_goal(game, one) for one in every.values() if one.id in confirmed) if one
    ]
    held = [one for one in reassign_themes(game, held) if one.theme]
    held.sort(key=lambda one: (one.id not in earlier, -one.margin, one.id))
    held = limit_easy_and_same_goal_puzzles(
        held, int((1 - MIN_GREEDY_MISS_SHARE) * count), int(MAX_SAME_GOAL_SHARE * count)
    )
    chosen = [one for one in held if one.id in earlier]
    chosen += select_puzzles(game, [one for one in held if one.id not in earlier], max(0, count - len(chosen)))
    return assign_sets(game, assign_numbers(chosen, [one.number for one in earlier.values()]))


def limit_easy_and_same_goal_puzzles(held: list[Puzzle], most_easy: int, most_same: int) -> list[Puzzle]:
    """The first so many that greedy finds, and the first so many of each goal."""
    out: list[Puzzle] = []
    easy, same = 0, Counter[str]()
    for one in held:
        if (one.greedy and easy >= most_easy) or same[one.goal] >= most_same:
            continue
        easy += one.greedy
        same[one.goal] += 1
        out.append(one)
    return out


def puzzle_with_current_goal(game: str, one: Puzzle) -> Puzzle | None:
    """The puzzle with its goal by the current definitions; None if nothing can be said."""
    state = find_game(game).from_text(one.world)
    goal = puzzles.find_goal_only_solution_reaches(
        game_module(game, "puzzle_goals").GOALS, state, one.seat, state.parse(one.solution)
    )
    return replace(one, goal=goal.name, facts=goal.facts) if goal else None


def assign_numbers(chosen: list[Puzzle], used: list[int]) -> list[Puzzle]:
    """Number the puzzles that have no number, after all numbers ever used, in the order of their ids."""
    after = max(used, default=0)
    new = sorted((one for one in chosen if not one.number), key=lambda one: one.id)
    numbers = {one.id: after + n for n, one in enumerate(new, 1)}
    return sorted((replace(one, number=numbers.get(one.id, one.number)) for one in chosen), key=lambda one: one.number)


def assign_sets(game: str, chosen: list[Puzzle]) -> list[Puzzle]:
    """Fill the game's sets, each with the first puzzles that fit and are in no other."""
    rules, member = find_game(game), dict[str, str]()
    for one_set in game_module(game, "puzzle_themes").SETS:
        fitting = list[str]()
        for one in chosen:
            state = rules.from_text(one.world)
            if one.id not in member and one_set.fits(ChoiceCase(state, one.seat, state.parse(one.solution))):
                fitting.append(one.id)
            if len(fitting) == PUZZLES_PER_SET:
                member.update(dict.fromkeys(fitting, one_set.name))
                break
    return [replace(one, sets=(member[one.id],) if one.id in member else ()) for one in chosen]

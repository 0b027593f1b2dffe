"""Checks puzzles by a second method: `puzzle_mining` compares choices by greedy rollouts, here the net bot plays on.

Each candidate is completed by the best of several lines of its step. Then all seats play two rounds as the net bot, in
the same sampled worlds with the same dice, until the interval of the margin decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import sqrt
from time import process_time
from typing import TYPE_CHECKING, Final

from landfall.analysis.win_probability import EvaluationBatch, roll_out_lines
from landfall.bots.contract import Seat
from landfall.bots.mcts_bot import MctsBot, MctsConfig
from landfall.bots.net_search_bot import NetSearchBot, row_buffer_of
from landfall.bots.search.afterstate_rows import encode_row
from landfall.bots.search.one_ply_search import best_action
from landfall.bots.search.rollout_contest import LowDiscrepancyRng
from landfall.core.rng import Rng
from landfall.core.state import CHANCE, OVER, State
from landfall.games import game as find_game
from landfall.lab.experiments.compare_actions import estimate_actions_by_net, lines_beginning_with_action

if TYPE_CHECKING:
    from landfall.bots.value_net import Floats
    from landfall.core.puzzle import Puzzle

NET_CANDIDATES: Final = 8  # choices that the net's first estimate proposes
TREE_ITERATIONS: Final = 1500  # of the tree search, which proposes one more
LINE_WORLDS: Final = 8  # worlds of the greedy rollouts that choose each candidate's lines
LINES_KEPT: Final = 2  # lines of a candidate that the net bot plays on
RIVALS: Final = 3  # candidates besides the solution that the net bot plays on
FINALISTS: Final = 2  # of those in the last comparison
PILOT_WORLDS: Final = 12  # worlds in which it chooses each candidate's line and the finalists
BLOCK_WORLDS: Final = 16  # worlds between two looks at the interval
MAX_WORLDS: Final = 192
ROUNDS: Final = 2  # rounds that the net bot plays before the net's win probability counts
POLICY_LINES: Final = 3  # lines it compares for a step
Z: Final = 2.24  # half the interval's width in standard errors: 97.5 %, as the interval is looked at repeatedly
MIN_CONFIRMED_MARGIN: Final = 0.03  # a choice that costs less counts as good, too

CONFIRMED, EQUAL, NOT_CONFIRMED = "confirmed", "equal", "not confirmed"


@dataclass(frozen=True)
class CheckJob:
    """A puzzle to check, with at most that many worlds in the last comparison."""

    game: str
    puzzle: Puzzle
    worlds: int = MAX_WORLDS
    seed: int = 1


@dataclass(frozen=True)
class CheckedPuzzle:
    """The solution's lead over its best rival, with its interval, and the verdict."""

    game: str
    id: str
    verdict: str
    margin: float
    low: float
    high: float
    worlds: int
    solution: list[str]  # the best line that begins with the solution, in notation
    rival: list[str]  # the best line that begins with another choice
    mined_margin: float
    seconds: float  # processor time


def check_puzzle(job: CheckJob) -> CheckedPuzzle:
    """Compare the solution with the best other choices by the second method."""
    began = process_time()
    one, game = job.puzzle, job.game
    world = one.to_state(find_game(game))
    rng = Rng(job.seed ^ int(one.id, 16))
    solution = world.parse(one.solution)
    lines = {
        action: lines_beginning_with_action(game, world, one.seat, action, rng)
        for action in propose_actions(game, one, world, rng)
    }
    kept = best_lines_of_solution_and_rivals(game, world, one.seat, lines, solution, rng)
    pilot = play_out_lines(game, world, one.seat, [line for _, line in kept], PILOT_WORLDS, rng).mean(0)
    best = best_line_by_action(kept, list(map(float, pilot)))
    rivals = sorted((action for action in best if action != solution), key=lambda action: -best[action][0])
    finalists = [best[solution][1], *(best[action][1] for action in rivals[:FINALISTS])]
    others = [line for action, some in lines.items() if action != solution for line in some]
    equal = find_equal_line(game, world, one.seat, finalists[0], others)
    margin, low, high, worlds, rival = (
        (0.0, 0.0, 0.0, 0, equal) if equal else compare_finalists(game, world, one.seat, finalists, job.worlds, rng)
    )
    return CheckedPuzzle(
        game,
        one.id,
        verdict_on_margin(margin, low, high, bool(equal)),
        round(margin, 4),
        round(low, 4),
        round(high, 4),
        worlds,
        notation_of_line(world, finalists[0]),
        notation_of_line(world, rival),
        one.margin,
        round(process_time() - began, 1),
    )


def verdict_on_margin(margin: float, low: float, high: float, same_end: bool) -> str:
    """The verdict on the interval of a margin."""
    if same_end or (abs(low) < MIN_CONFIRMED_MARGIN and high < MIN_CONFIRMED_MARGIN):
        return EQUAL
    return CONFIRMED if low > 0 and margin >= MIN_CONFIRMED_MARGIN else NOT_CONFIRMED


def propose_actions(game: str, one: Puzzle, world: State, rng: Rng) -> list[int]:
    """The solution and its rivals: the next best, and what greedy, the tree search and the net propose."""
    tree = MctsBot(MctsConfig(iters=TREE_ITERATIONS, reuse=False)).choose(Seat(one.seat, game, world, rng, 60.0))
    greedy = int(best_action(world, one.seat, rng))
    seen = estimate_actions_by_net(game, world, one.seat, rng).actions[:NET_CANDIDATES]
    return list(dict.fromkeys([world.parse(one.solution), world.parse(one.next_best), tree, greedy, *seen]))


def best_lines_of_solution_and_rivals(
    game: str, world: State, seat: int, lines: dict[int, list[list[int]]], solution: int, rng: Rng
) -> list[tuple[int, list[int]]]:
    """The best lines of the solution and of its best rivals, by short greedy rollouts, with their first choices."""
    import numpy as np

    every = [(action, line) for action, some in lines.items() for line in some]
    found = roll_out_lines(Seat(seat, game, world, rng, 1.0), [line for _, line in every], LINE_WORLDS)
    means = np.array(found)[:, :, seat].mean(0)
    order = [every[int(i)] for i in (-means).argsort(kind="stable")]
    rivals = [action for action in dict.fromkeys(action for action, _ in order) if action != solution][:RIVALS]
    return [
        (action, line)
        for action in (solution, *rivals)
        for line in [line for first, line in order if first == action][:LINES_KEPT]
    ]


def best_line_by_action(kept: list[tuple[int, list[int]]], values: list[float]) -> dict[int, tuple[float, list[int]]]:
    """For each first choice the line with the highest value."""
    best: dict[int, tuple[float, list[int]]] = {}
    for (action, line), value in zip(kept, values, strict=True):
        if action not in best or value > best[action][0]:
            best[action] = value, line
    return best


def find_equal_line(game: str, world: State, seat: int, line: list[int], others: list[list[int]]) -> list[int]:
    """One of the other lines that leads the seat to the same position; none: empty."""
    end = encode_position_after_line(game, world, seat, line)
    return next((other for other in others if encode_position_after_line(game, world, seat, other) == end), [])


def encode_position_after_line(game: str, world: State, seat: int, line: list[int]) -> bytes:
    """All that the seat knows of the position after a line."""
    after = world.copy()
    for action in line:
        after.apply(action)
    return encode_row(after, seat, row_buffer_of(game))


def compare_finalists(
    game: str, world: State, seat: int, lines: list[list[int]], worlds: int, rng: Rng
) -> tuple[float, float, float, int, list[int]]:
    """The first line's lead over the best other with its interval; the number of worlds; that other line."""
    import numpy as np

    found: Floats = np.zeros((0, len(lines)), np.float32)
    while True:
        found = np.concatenate([found, play_out_lines(game, world, seat, lines, BLOCK_WORLDS, rng)])
        rival = 1 + int(found[:, 1:].mean(0).argmax())
        apart = found[:, 0] - found[:, rival]
        margin, error = float(apart.mean()), float(apart.std(ddof=1)) / sqrt(len(apart))
        low, high = margin - Z * error, margin + Z * error
        decided = verdict_on_margin(margin, low, high, False) != NOT_CONFIRMED or high < 0
        if decided or len(found) >= worlds:
            return margin, low, high, len(found), lines[rival]


def play_out_lines(game: str, world: State, seat: int, lines: list[list[int]], worlds: int, rng: Rng) -> Floats:
    """Play each line on in the same worlds with the same dice; the seat's win probability by world and line."""
    import numpy as np

    ledger = EvaluationBatch(game, int(world.players))
    chance = LowDiscrepancyRng(int(rng.randbelow(1 << 30)))
    ends: list[State] = []
    for number in range(worlds):
        other = world.resample(seat, rng)
        seed = int(rng.randbelow(1 << 30))
        for line in lines:
            end = other.copy()
            mark = end.turn_key()
            chance.begin_round(number)
            for action in line:
                end.apply(action)
            play_turns_by_net_bot(game, end, int(end.players) * ROUNDS, int(mark), chance, Rng(seed))
            ends.append(end)
    for end in ends:
        ledger.add(end, seat)
    rows = np.array(ledger.win_probabilities(), np.float32)
    return rows.reshape(worlds, len(lines), int(world.players))[:, :, seat]


def play_turns_by_net_bot(game: str, state: State, turns: int, mark: int, chance: Rng, rng: Rng) -> None:
    """The net bot plays all seats until that many turns have ended."""
    while state.actor != OVER:
        if int(state.turn_key()) != mark:
            mark = int(state.turn_key())
            turns -= 1
            if turns <= 0:
                return
        if state.actor == CHANCE:
            state.apply(state.sample_chance(chance))
            continue
        seat = int(state.actor)
        legal = state.legal_actions()
        if len(legal) == 1:
            state.apply(legal[0])
            continue
        for action in playout_bot(game).best_lines(Seat(seat, game, state, rng, 1.0), state)[0].actions:
            state.apply(action)


@cache
def playout_bot(game: str) -> NetSearchBot:
    """The net bot of the playouts; one choice ahead where that is its default."""
    return NetSearchBot(worlds=0, lines=min(POLICY_LINES, find_game(game).lines))


def notation_of_line(world: State, line: list[int]) -> list[str]:
    """A line in notation."""
    state, out = world.copy(), list[str]()
    for action in line:
        out.append(state.notation(action))
        state.apply(action)
    return out

"""Each seat's win probability over a match, moment by moment.

Each seat's probability combines two predictions: one from that seat's knowledge, one from that of the player who acts.
A position with one legal choice is worth what follows it. Before a chance event, the probability is the mean over its
outcomes up to the next real choice. So the expected change by chance is zero, and luck is the difference between the
outcome and that mean. In the last round the game is played on instead (`estimate_ending_by_rollouts`).
"""

from __future__ import annotations

from math import fsum
from typing import TYPE_CHECKING, Final

from landfall.analysis.win_probability import EvaluationBatch, Row, mean_row, standard_error, win_shares
from landfall.analysis.win_probability_calibration import calibration_for
from landfall.bots.search.one_ply_search import best_action
from landfall.bots.search.rollout_contest import LowDiscrepancyRng, roll_out_greedily
from landfall.core.rng import Rng
from landfall.core.state import CHANCE, OVER

if TYPE_CHECKING:
    from landfall.core.state import State

MAX_FUTURES: Final = 60  # positions evaluated before a chance event, at most
LONG_ROUNDS: Final = 3  # rounds of a rollout in the last round of a match
MAX_LONG_WORK: Final = 4000  # evaluated choices above which it takes one round only
PROBES: Final = 4  # rollouts whose work is counted
ENDING_WORLDS: Final = 32  # worlds of each seat before its standard error is looked at
MAX_ENDING_WORLDS: Final = 512
MAX_ENDING_ERROR: Final = 0.01  # standard error at which rollouts of a position end
MIN_PROBABILITY: Final = 1e-6  # no probability is zero before the end


def normalise_weights(weights: Row) -> Row:
    """Weights as probabilities."""
    whole = sum(weights)
    return [weight / whole for weight in weights]


def sharpen_row(probabilities: Row, exponent: float) -> Row:
    """Raise probabilities to a power: above 1 spreads them, below 1 evens them out."""
    return normalise_weights([max(chance, MIN_PROBABILITY) ** exponent for chance in probabilities])


def combine_own_and_actor_predictions(game: str, players: int, own: Row, actor: Row) -> Row:
    """By seat, combine each seat's own prediction with the actor's."""
    found = calibration_for(game, players)
    return normalise_weights(
        [
            max(mine, MIN_PROBABILITY) ** found.own * max(seen, MIN_PROBABILITY) ** found.actor
            for mine, seen in zip(own, actor, strict=True)
        ]
    )


def is_forced(state: State) -> bool:
    """Whether the actor has one legal choice."""
    return state.actor >= 0 and len(state.legal_actions()) == 1


def skip_forced_choices(state: State) -> State:
    """The position after all choices that are the only ones."""
    after = state
    while is_forced(after):
        if after is state:
            after = state.copy()
        after.apply(after.legal_actions()[0])
    return after


def enumerate_or_sample_futures(state: State, most: int = MAX_FUTURES) -> list[tuple[State, int]]:
    """The weighted positions of the next real choice, or of the end: all, or a sample if there are too many."""
    found: list[tuple[State, int]] = []
    open_ones = [(skip_forced_choices(state), 1)]
    while open_ones:
        before, weight = open_ones.pop()
        if before.actor != CHANCE:
            found.append((before, weight))
            continue
        for outcome, likely in before.chance_outcomes():
            after = before.copy()
            after.apply(outcome)
            open_ones.append((skip_forced_choices(after), weight * likely))
        if len(found) + len(open_ones) > most:
            return [(sample_future(state, Rng(i)), 1) for i in range(most)]
    return found


def sample_future(state: State, rng: Rng) -> State:
    """Sample one outcome of chance up to the next real choice."""
    after = skip_forced_choices(state.copy())
    while after.actor == CHANCE:
        after.apply(after.sample_chance(rng))
        after = skip_forced_choices(after)
    return after


def roll_out_position(game: str, state: State, rounds: int, worlds: int, most: int = 0, seed: int = 0) -> Row:
    """Each seat's win probability by rollouts in worlds that the seat considers possible: greedy choices for that many
    rounds (0: to the end), then the net's prediction. So many worlds of each seat; and up to `most`, until the standard
    error is small."""
    players = int(state.players)
    start = skip_forced_choices(state)
    pooled = not hides_anything(start)
    own: list[list[float]] = [[] for _ in range(players)]  # by seat and world
    seeds = [(seed << 8) + seat for seat in range(players)]
    rngs, dice = [Rng(each) for each in seeds], [LowDiscrepancyRng(each) for each in seeds]
    done = 0
    while done == 0 or (done < most and max(map(standard_error, own)) > MAX_ENDING_ERROR):
        batch = EvaluationBatch(game, players)
        for seat in range(players):
            for number in range(done, done + worlds):
                world = start.resample(seat, rngs[seat])
                dice[seat].begin_round(number)
                roll_out_greedily(
                    world, turns_in_rounds(world, rounds), world.turn_key(), dice[seat], Rng(seed + number)
                )
                batch.add(world, seat)
        rows = batch.win_probabilities()
        for seat in range(players):
            own[seat] += [row[seat] for row in (rows if pooled else rows[seat * worlds : (seat + 1) * worlds])]
        done += worlds
    return normalise_weights([max(fsum(values) / len(values), MIN_PROBABILITY) for values in own])


def turns_in_rounds(state: State, rounds: int) -> int:
    """The turns of that many rounds; 0 rounds never end."""
    return int(state.players) * rounds if rounds else 1 << 30


def estimate_ending_by_rollouts(game: str, state: State, effort: int) -> Row:
    """Each seat's win probability in the last round, by rollouts of about so many evaluated choices: of three rounds
    where they are cheap, otherwise of one."""
    rounds, work = LONG_ROUNDS, estimate_rollout_evaluations(state, LONG_ROUNDS)
    if work > MAX_LONG_WORK:
        rounds, work = 1, estimate_rollout_evaluations(state, 1)
    most = effort // (work * int(state.players))
    worlds = min(ENDING_WORLDS, max(1, most))
    return roll_out_position(game, state, rounds, worlds, min(most, MAX_ENDING_WORLDS))


def estimate_rollout_evaluations(state: State, rounds: int) -> int:
    """How many choices a rollout of that many rounds evaluates, about: the most of a few."""
    return max(count_rollout_evaluations(state.copy(), turns_in_rounds(state, rounds), Rng(i)) for i in range(PROBES))


def count_rollout_evaluations(world: State, turns: int, rng: Rng) -> int:
    """How many choices one rollout evaluates."""
    found, mark = 1, world.turn_key()
    while world.actor != OVER and turns > 0:
        if world.actor == CHANCE:
            world.apply(world.sample_chance(rng))
        else:
            found += len(world.legal_actions())
            world.apply(best_action(world, world.actor, rng))
        if world.turn_key() != mark:
            mark, turns = world.turn_key(), turns - 1
    return found


def hides_anything(state: State) -> bool:
    """Whether a seat considers other positions possible."""
    seen = state.to_bytes()
    return any(state.resample(seat, Rng(1)).to_bytes() != seen for seat in range(int(state.players)))


class WinCurve:
    """Positions of one match, evaluated in one batch."""

    def __init__(self, game: str, players: int, most_futures: int = MAX_FUTURES) -> None:
        self.game, self.players, self.most_futures = game, players, most_futures
        self.batch = EvaluationBatch(game, players)
        self.actors: list[int] = []  # who acts, by position; OVER at the end
        self.moments: list[tuple[int, list[int]]] = []  # where a moment's positions begin, and their weights

    def add(self, state: State) -> None:
        """Add the next moment."""
        found = enumerate_or_sample_futures(state, self.most_futures)
        self.moments.append((len(self.actors), [weight for _, weight in found]))
        for after, _ in found:
            self.actors.append(int(after.actor))
            if after.actor == OVER:
                self.batch.rows += [list(win_shares(after))] * self.players
            else:
                for seat in range(self.players):
                    self.batch.add(after, seat)

    def win_probabilities(self) -> list[Row]:
        """The win probability by moment and seat."""
        rows, players = self.batch.win_probabilities(), self.players
        chances: list[Row] = []
        for number, actor in enumerate(self.actors):
            views = rows[number * players : (number + 1) * players]
            if actor == OVER:
                chances.append(views[0])
            else:
                own = [views[seat][seat] for seat in range(players)]
                chances.append(combine_own_and_actor_predictions(self.game, players, own, views[actor]))
        return [
            mean_row(chances[first : first + len(weights)], [float(weight) for weight in weights])
            for first, weights in self.moments
        ]

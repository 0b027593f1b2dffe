"""Whether looking back tells the truth: chances that come true, blunders found, and nothing that a chooser could not
know in what is said of a choice."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from math import sqrt
from typing import Final

from landfall.analysis.review import assemble_match_review, review_choice, review_curve, review_log_lines, review_match
from landfall.analysis.win_probability import (
    estimate_lead_from_differences,
    extend_choice_to_end_of_step,
    roll_out_lines,
)
from landfall.analysis.win_probability_curve import roll_out_position
from landfall.bots.contract import Seat
from landfall.bots.registry import make_bot
from landfall.core.rng import Rng
from landfall.games import game as find_game
from landfall.lab.experiments.simulation import seat_rngs, seed_of_game
from landfall.lab.experiments.win_probability_accuracy import DECILES, play_and_predict_match, play_bot_match
from landfall.match import Match

MATCHES: Final = 2_000  # a game, over all numbers of players
TOGETHER: Final = 20  # a job
WORLDS: Final = 40  # matches in two worlds, a game
SEED: Final = 901  # other deals than those the trust was fitted to (bench/fit_calibration.py)
UNIT: Final = 3600  # in which shares and chances are counted: a win shared by two to six is whole
POINTS: Final = 0.04  # how far what is won may lie from what was told
BLUNDERS: Final = 60  # matches a game; few offer none
BLUNDERS_TOGETHER: Final = 5
NET: Final = "net:second=0:walks=0"  # who plays them, by the net that looks back
TRIED: Final = 300  # choices of a match, at most
COSTS: Final = 0.15  # what a planted blunder costs at least
JUDGED: Final = ((4, 0.5), (40, 0.999), (100, 0.999))  # in so many games each, so sure: one after the other
FOUND: Final = 0.9
TRUE_MATCHES: Final = 200  # a game
TRUE_TOGETHER: Final = 5  # a job
FORCED: Final = 0.01  # how far a forced move may move a chance
LATE: Final = 0.03  # and how far the last round may be from games played to the end
PLAYED: Final = 1000  # of them, for each position and seat


# --- chances ------------------------------------------------------------------------------------------------------


def count_predicted_chances(game: str, first: int, many: int) -> Counter[str]:
    """Of greedy bots' matches, one position from each tenth: by tenth of the chance told, how many were told so, what
    that was, what was won, and in how many matches."""
    done: Counter[str] = Counter()
    counts = find_game(game).player_counts
    for number in range(first, first + many):
        players = counts[number % len(counts)]
        seen = set()
        for position in play_and_predict_match(game, players, "greedy", SEED, number):
            for predicted, won in zip(position.chances, position.won, strict=True):
                tenth = min(int(predicted * DECILES), DECILES - 1)
                done[f"{tenth} positions"] += 1
                done[f"{tenth} told"] += round(predicted * UNIT)
                done[f"{tenth} won"] += round(won * UNIT)
                seen.add(tenth)
        done.update({f"{tenth} matches": 1 for tenth in seen})
        done["matches"] += 1
    return done


def summarise_by_tenths(done: Counter[str]) -> list[tuple[int, int, float, float, float]]:
    """Tenth, positions, the chance told, the share won, and half of its 95 % interval: positions of one match are
    alike, so that matches are counted."""
    found = []
    for tenth in range(DECILES):
        positions = done[f"{tenth} positions"]
        if positions:
            predicted, won = (done[f"{tenth} {what}"] / positions / UNIT for what in ("told", "won"))
            found.append((tenth, positions, predicted, won, 1.96 * sqrt(won * (1 - won) / done[f"{tenth} matches"])))
    return found


def find_untrue_tenths(done: Counter[str]) -> list[str]:
    """What is wrong with the chances: the tenths that are off by too much."""
    return [
        f"of {predicted:.1%} told {won:.1%} were won ({positions} positions)"
        for _, positions, predicted, won, _ in summarise_by_tenths(done)
        if abs(won - predicted) > POINTS
    ]


# --- forced moves, and the end ----------------------------------------------------------------------------------


def measure_curve_against_rollouts(game: str, first: int, many: int) -> Counter[str]:
    """Of greedy bots' matches: how far the curve moves at forced moves, and how far it is in the last round from games
    played to the end, a thousand for each position."""
    done: Counter[str] = Counter()
    counts = find_game(game).player_counts
    for number in range(first, first + many):
        match = play_bot_match(game, counts[number % len(counts)], "greedy", SEED + 30, number)
        curve = review_curve(match.record())
        done["matches"] += 1
        for before, after in pairwise(curve["moments"]):
            if before["forced"]:
                done["forced"] += 1
                done["forced that swing"] += largest_difference(before["chances"], after["chances"]) > FORCED
        late = {moment["at"] for moment in curve["moments"] if moment["late"]}
        part = review_log_lines(match.record(), [at for at in curve["lines"] if at in late])
        for ending in part["endings"]:
            state = match.copy_rewound_to(ending["at"]).state
            played = roll_out_position(game, state, 0, PLAYED, seed=SEED)
            add_distance(done, "chance", largest_difference(ending["chances"], played))
        predicted = assemble_match_review(game, match.players, True, curve, [part])
        costs = {each["at"]: each["cost"] for each in part["judgements"] if each["sure"]}
        for before, after in pairwise(predicted["moments"]):
            if before["late"] and after["actor"] >= 0 and not before["forced"]:
                had, has = (moment["chances"][after["actor"]] for moment in (before, after))
                done["choices"] += 1
                done["choices that swing unjudged"] += abs(had - min(1.0, has + costs.get(before["at"], 0.0))) > FORCED
    return done


def add_distance(done: Counter[str], what: str, far: float) -> None:
    """Count a distance."""
    done[what] += 1
    done[f"{what} apart"] += round(far * UNIT)
    done[f"{what} too far"] += far > LATE


def largest_difference(some: list[float], others: list[float]) -> float:
    """The largest difference of a seat's chance."""
    return max(abs(a - b) for a, b in zip(some, others, strict=True))


def find_curve_faults(done: Counter[str]) -> list[str]:
    """What is wrong with the curve."""
    found = []
    if done["forced that swing"]:
        found.append(f"of {done['forced']} forced moves {done['forced that swing']} swing")
    if done["choices that swing unjudged"]:
        found.append(f"of {done['choices']} late choices {done['choices that swing unjudged']} swing unjudged")
    if done["chance apart"] > LATE * UNIT * done["chance"]:
        found.append(f"the last round is off by {done['chance apart'] / UNIT / done['chance']:.1%}")
    return found


# --- blunders -----------------------------------------------------------------------------------------------------


def plant_blunder(game: str, number: int) -> tuple[Match, int] | None:
    """A match of net bots in which one choice is a bad one, and after how many lines; None if it offered none.

    Decisions of the match are drawn one after the other, and one other choice at each, all alike. It is a blunder if
    games say so: both choices are brought to the end of their step, then all play greedily to the end of the game, in
    the same worlds that the chooser could be in, with the same dice.
    """
    players = find_game(game).player_counts[number % len(find_game(game).player_counts)]
    plain = play_bot_match(game, players, NET, SEED + 10, number)
    rng = Rng(seed_of_game(SEED + 11, number))
    asked = [i for i, entry in enumerate(plain.log) if entry.actor >= 0]
    for _ in range(TRIED):
        at = asked[int(rng.randbelow(len(asked)))]
        state, made = plain.copy_rewound_to(at).state, int(plain.log[at].action)
        others = [action for action in state.legal_actions() if action != made]
        if others and not state.is_setup():
            other = others[int(rng.randbelow(len(others)))]
            if is_blunder(Seat.from_state(state, game, rng), made, other):
                return play_other_choice_to_end(plain, at, other, number), at
    return None


def is_blunder(seat: Seat, made: int, other: int) -> bool:
    """Whether every time it is tried, from other seeds, one choice costs too much beside the one made."""
    for worlds, sure in JUDGED:
        predicted = roll_out_lines(
            seat, [extend_choice_to_end_of_step(seat, action) for action in [made, other]], worlds, rounds=0
        )
        found = estimate_lead_from_differences([world[0][seat.number] - world[1][seat.number] for world in predicted])
        if found.margin < COSTS or found.confidence < sure:
            return False
    return True


def play_other_choice_to_end(match: Match, at: int, action: int, number: int) -> Match:
    """The match with another choice at one place, played to its end by the same bots."""
    other = match.copy_rewound_to(at)
    other.rng = Rng(seed_of_game(SEED + 12, number))
    other.play(action)
    game, players = match.game.name, match.players
    bots, rngs = [make_bot(NET) for _ in range(players)], seat_rngs(seed_of_game(SEED + 13, number), players)
    while other.actor >= 0:
        seat = other.actor
        other.play(bots[seat].choose(Seat.from_state(other.state, game, rngs[seat])), seat)
    return other


def count_named_blunders(game: str, first: int, many: int) -> Counter[str]:
    """How many planted blunders are among the worst choices that are named."""
    done: Counter[str] = Counter()
    for number in range(first, first + many):
        planted = plant_blunder(game, number)
        if planted is None:
            done["without one"] += 1
            continue
        match, at = planted
        done["planted"] += 1
        done["named"] += at in review_match(match.record())["worst"]
    return done


def find_unnamed_blunders(done: Counter[str]) -> list[str]:
    """What is wrong: too few that are named."""
    if done["named"] >= FOUND * done["planted"]:
        return []
    return [f"of {done['planted']} blunders only {done['named']} are named"]


# --- two worlds ---------------------------------------------------------------------------------------------------


def compare_judgements_in_two_worlds(game: str, number: int) -> Counter[str]:
    """Judge the choices of a match, and the same ones where all their choosers could not know was drawn anew."""
    done: Counter[str] = Counter()
    players = find_game(game).player_counts[number % len(find_game(game).player_counts)]
    match = play_bot_match(game, players, "greedy", SEED + 20, number)
    rng = Rng(number)
    for at, entry in enumerate(match.log):
        if entry.actor < 0 or rng.randbelow(4):
            continue
        state = match.copy_rewound_to(at).state.copy()
        other = state.resample(int(state.actor), rng)
        first = review_choice(game, at, state, entry.action)
        assert first == review_choice(game, at, other, entry.action), (
            f"{game} {number}: line {at} is judged by open cards"
        )
        done["judgements"] += 1
        done["worlds"] += state.to_bytes() != other.to_bytes()
        done["searched"] += first is not None and first["tries"] > 1
    return done

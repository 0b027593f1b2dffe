"""Whether looking back tells the truth: chances that come true, blunders found, and nothing that a chooser could not
know in what is said of a choice."""

from __future__ import annotations

from collections import Counter
from math import sqrt
from typing import Final

from landfall.analysis.review import review_choice, review_match
from landfall.analysis.win_probability import compute_lead
from landfall.analysis.win_probability import roll_out_choices as to_the_end
from landfall.bots.contract import Seat
from landfall.bots.registry import make_bot
from landfall.core.rng import Rng
from landfall.games import game as find_game
from landfall.lab.experiments.review_accuracy import DECILES, play_bot_match, predict_match
from landfall.lab.experiments.simulation import seat_rngs, seed_of_game
from landfall.match import Match

MATCHES: Final = 2_000  # a game, over all numbers of players
TOGETHER: Final = 20  # a job
WORLDS: Final = 40  # matches in two worlds, a game
SEED: Final = 901  # other deals than those the trust was fitted to (bench/fit_calibration.py)
UNIT: Final = 3600  # in which shares and chances are counted: a win shared by two to six is whole
POINTS: Final = 0.04  # how far what is won may lie from what was told
BLUNDERS: Final = 60  # matches a game; few offer none
BLUNDERS_TOGETHER: Final = 5
NET: Final = "net:second=0"  # who plays them, by the net that looks back
TRIED: Final = 300  # choices of a match, at most
COSTS: Final = 0.15  # what a planted blunder costs at least
JUDGED: Final = ((4, 0.5), (40, 0.999), (100, 0.999))  # in so many games each, so sure: one after the other
FOUND: Final = 0.9


# --- chances ------------------------------------------------------------------------------------------------------


def chances(game: str, first: int, many: int) -> Counter[str]:
    """Of greedy bots' matches, one position from each tenth: by tenth of the chance told, how many were told so, what
    that was, what was won, and in how many matches."""
    done: Counter[str] = Counter()
    counts = find_game(game).player_counts
    for number in range(first, first + many):
        players = counts[number % len(counts)]
        seen = set()
        for position in predict_match(game, players, "greedy", SEED, number):
            for told, won in zip(position.chances, position.won, strict=True):
                tenth = min(int(told * DECILES), DECILES - 1)
                done[f"{tenth} positions"] += 1
                done[f"{tenth} told"] += round(told * UNIT)
                done[f"{tenth} won"] += round(won * UNIT)
                seen.add(tenth)
        done.update({f"{tenth} matches": 1 for tenth in seen})
        done["matches"] += 1
    return done


def by_tenths(done: Counter[str]) -> list[tuple[int, int, float, float, float]]:
    """Tenth, positions, the chance told, the share won, and half of its 95 % interval: positions of one match are
    alike, so that matches are counted."""
    found = []
    for tenth in range(DECILES):
        positions = done[f"{tenth} positions"]
        if positions:
            told, won = (done[f"{tenth} {what}"] / positions / UNIT for what in ("told", "won"))
            found.append((tenth, positions, told, won, 1.96 * sqrt(won * (1 - won) / done[f"{tenth} matches"])))
    return found


def come_true(done: Counter[str]) -> list[str]:
    """What is wrong with the chances: the tenths that are off by too much."""
    return [
        f"of {told:.1%} told {won:.1%} were won ({positions} positions)"
        for _, positions, told, won, _ in by_tenths(done)
        if abs(won - told) > POINTS
    ]


# --- blunders -----------------------------------------------------------------------------------------------------


def with_blunder(game: str, number: int) -> tuple[Match, int] | None:
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
        state, made = plain.rewind_to(at).state, int(plain.log[at].action)
        others = [action for action in state.legal_actions() if action != made]
        if others and not state.is_setup():
            other = others[int(rng.randbelow(len(others)))]
            if is_blunder(Seat.from_state(state, game, rng), made, other):
                return played_on(plain, at, other, number), at
    return None


def is_blunder(seat: Seat, made: int, other: int) -> bool:
    """Whether every time it is tried, from other seeds, one choice costs too much beside the one made."""
    for worlds, sure in JUDGED:
        told = to_the_end(seat, [made, other], worlds, rounds=0)
        found = compute_lead(told[:, 0, seat.number] - told[:, 1, seat.number])
        if found.margin < COSTS or found.confidence < sure:
            return False
    return True


def played_on(match: Match, at: int, action: int, number: int) -> Match:
    """The match with another choice at one place, played to its end by the same bots."""
    other = match.rewind_to(at)
    other.rng = Rng(seed_of_game(SEED + 12, number))
    other.play(action)
    game, players = match.game.name, match.players
    bots, rngs = [make_bot(NET) for _ in range(players)], seat_rngs(seed_of_game(SEED + 13, number), players)
    while other.actor >= 0:
        seat = other.actor
        other.play(bots[seat].choose(Seat.from_state(other.state, game, rngs[seat])), seat)
    return other


def blunders(game: str, first: int, many: int) -> Counter[str]:
    """How many planted blunders are among the worst choices that are named."""
    done: Counter[str] = Counter()
    for number in range(first, first + many):
        planted = with_blunder(game, number)
        if planted is None:
            done["without one"] += 1
            continue
        match, at = planted
        done["planted"] += 1
        done["named"] += at in review_match(match.record())["worst"]
    return done


def are_named(done: Counter[str]) -> list[str]:
    """What is wrong: too few that are named."""
    if done["named"] >= FOUND * done["planted"]:
        return []
    return [f"of {done['planted']} blunders only {done['named']} are named"]


# --- two worlds ---------------------------------------------------------------------------------------------------


def two_worlds(game: str, number: int) -> Counter[str]:
    """Judge the choices of a match, and the same ones where all their choosers could not know was drawn anew."""
    done: Counter[str] = Counter()
    players = find_game(game).player_counts[number % len(find_game(game).player_counts)]
    match = play_bot_match(game, players, "greedy", SEED + 20, number)
    rng = Rng(number)
    for at, entry in enumerate(match.log):
        if entry.actor < 0 or rng.randbelow(4):
            continue
        state = match.rewind_to(at).state.copy()
        other = state.resample(int(state.actor), rng)
        first = review_choice(game, at, state, entry.action)
        assert first == review_choice(game, at, other, entry.action), (
            f"{game} {number}: line {at} is judged by open cards"
        )
        done["judgements"] += 1
        done["worlds"] += state.to_bytes() != other.to_bytes()
        done["searched"] += first is not None and first["tries"] > 1
    return done

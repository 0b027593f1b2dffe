"""The accuracy of match review's win probabilities over matches of bots. Needs numpy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from landfall.analysis.win_probability import win_shares
from landfall.analysis.win_probability_curve import WinCurve
from landfall.bots.contract import Seat
from landfall.bots.registry import make_bot
from landfall.core.rng import Rng
from landfall.lab.experiments.simulation import seat_rngs, seed_of_game
from landfall.match import Match

if TYPE_CHECKING:
    from landfall.core.state import State

DECILES: Final = 10


@dataclass(frozen=True)
class Prediction:
    """A position of a match: its tenth of the match, each seat's win probability, each seat's share of the win."""

    decile: int
    chances: list[float]
    won: tuple[float, ...]


def play_bot_match(game: str, players: int, code: str, seed: int, number: int) -> Match:
    """Play a match of bots from its own seed."""
    match = Match(game, players, rng=Rng(seed_of_game(seed, number)))
    seats, rngs = [make_bot(code) for _ in range(players)], seat_rngs(seed_of_game(seed + 1, number), players)
    while match.actor >= 0:
        at = match.actor
        match.play(seats[at].choose(Seat.from_state(match.state, game, rngs[at])), at)
    return match


def sample_position_per_decile(match: Match, rng: Rng) -> list[tuple[int, State]]:
    """One position from each tenth of a match after its first choice: the tenth, and the position."""
    first = next(i for i, entry in enumerate(match.log) if entry.actor >= 0)
    length = len(match.log) - first
    wanted = [first + (t * length + int(rng.randbelow(max(1, length)))) // DECILES for t in range(DECILES)]
    state, found = match.copy_rewound_to(0).state.copy(), []
    for i, entry in enumerate(match.log):
        for tenth, at in enumerate(wanted):
            if at == i:
                found.append((tenth, state.copy()))
        state.apply(entry.action)
    return found


def play_and_predict_match(game: str, players: int, code: str, seed: int, number: int) -> list[Prediction]:
    """Match review's win probabilities for one position from each tenth of a match, and the result."""
    match = play_bot_match(game, players, code, seed, number)
    curve = WinCurve(game, players)
    found = sample_position_per_decile(match, Rng(seed_of_game(seed + 2, number)))
    for _, state in found:
        curve.add(state)
    shares = win_shares(match.state)
    return [
        Prediction(tenth, probabilities, shares)
        for (tenth, _), probabilities in zip(found, curve.win_probabilities(), strict=True)
    ]

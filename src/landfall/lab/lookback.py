"""How true the chances are that looking back tells, over matches of bots. Needs numpy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from landfall.analysis.chances import won
from landfall.analysis.curve import Curve
from landfall.bots.contract import Seat
from landfall.bots.registry import bot
from landfall.core.rng import Rng
from landfall.lab.sim import game_seed, seat_rngs
from landfall.match import Match

if TYPE_CHECKING:
    from landfall.core.state import State

TENTHS: Final = 10


@dataclass(frozen=True)
class Foretold:
    """A position of a match: in which tenth of it, each seat's chance, each seat's share of the win in the end."""

    tenth: int
    chances: list[float]
    won: tuple[float, ...]


def match_of(game: str, players: int, code: str, seed: int, number: int) -> Match:
    """A match of bots, from a seed of its own."""
    match = Match(game, players, rng=Rng(game_seed(seed, number)))
    seats, rngs = [bot(code) for _ in range(players)], seat_rngs(game_seed(seed + 1, number), players)
    while match.actor >= 0:
        at = match.actor
        match.play(seats[at].choose(Seat.of(match.state, game, rngs[at])), at)
    return match


def drawn(match: Match, rng: Rng) -> list[tuple[int, State, int]]:
    """One position from each tenth of a match, from its first choice on: the tenth, the position, who chose last."""
    first = next(i for i, entry in enumerate(match.log) if entry.actor >= 0)
    length = len(match.log) - first
    wanted = [first + (t * length + int(rng.below(max(1, length)))) // TENTHS for t in range(TENTHS)]
    state, last, found = match.shortened(0).state.copy(), -1, []
    for i, entry in enumerate(match.log):
        for tenth, at in enumerate(wanted):
            if at == i:
                found.append((tenth, state.copy(), last))
        if entry.actor >= 0:
            last = int(entry.actor)
        state.apply(entry.action)
    return found


def foretold(game: str, players: int, code: str, seed: int, number: int) -> list[Foretold]:
    """What looking back tells of one position from each tenth of a match, and what came of it."""
    match = match_of(game, players, code, seed, number)
    curve = Curve(game, players)
    found = drawn(match, Rng(game_seed(seed + 2, number)))
    for _, state, last in found:
        curve.add(state, last)
    shares = won(match.state)
    return [Foretold(tenth, told, shares) for (tenth, _, _), told in zip(found, curve.told(), strict=True)]

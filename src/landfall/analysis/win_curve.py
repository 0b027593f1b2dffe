"""Each seat's chance to win over a match, moment by moment. Needs numpy.

The match is over and all may be known: each seat's chance is told from what that seat knew, and from what the one knew
who acts or acted last, and the two are weighed. Before chance decides, the chances are the mean over what it may bring
until somebody chooses: so what chance brings is neither good nor bad on the whole, and luck is what it brought besides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from landfall.analysis.calibration import calibration_for
from landfall.analysis.win_probability import EvaluationBatch, win_shares
from landfall.core.rng import Rng
from landfall.core.state import CHANCE, OVER

if TYPE_CHECKING:
    from landfall.bots.value_net import Floats
    from landfall.core.state import State

MAX_FUTURES: Final = 60  # positions looked at before chance decides, at most
MIN_PROBABILITY: Final = 1e-6  # no chance is quite nought before the end


def sharpen(told: Floats, exponent: float) -> Floats:
    """By row, the same chances drawn apart (above 1) or together (below)."""
    import numpy as np

    drawn = np.maximum(told, MIN_PROBABILITY) ** exponent
    out: Floats = drawn / drawn.sum(-1, keepdims=True)
    return out


def combine_views(game: str, players: int, own: Floats, actor: Floats) -> Floats:
    """By row and seat: the chances in each seat's own eyes and in those of who acts, as one."""
    import numpy as np

    found = calibration_for(game, players)
    drawn = np.maximum(own, MIN_PROBABILITY) ** found.own * np.maximum(actor, MIN_PROBABILITY) ** found.actor
    out: Floats = drawn / drawn.sum(1, keepdims=True)
    return out


def chance_futures(state: State) -> list[tuple[State, int]]:
    """What chance may bring until somebody chooses, with weights: all of it, or if that is too much, so many drawn."""
    found: list[tuple[State, int]] = []
    open_ones = [(state, 1)]
    while open_ones:
        before, weight = open_ones.pop()
        for outcome, likely in before.chance_outcomes():
            after = before.copy()
            after.apply(outcome)
            (open_ones if after.actor == CHANCE else found).append((after, weight * likely))
        if len(found) + len(open_ones) > MAX_FUTURES:
            return [(sample_future(state, Rng(i)), 1) for i in range(MAX_FUTURES)]
    return found


def sample_future(state: State, rng: Rng) -> State:
    """One thing that chance may bring."""
    after = state.copy()
    while after.actor == CHANCE:
        after.apply(after.sample_chance(rng))
    return after


class WinCurve:
    """Positions of one match, told together."""

    def __init__(self, game: str, players: int) -> None:
        self.game, self.players = game, players
        self.ledger = EvaluationBatch(game, players)
        self.eyes: list[int] = []  # of who acts, by position put in
        self.over: dict[int, tuple[float, ...]] = {}
        self.moments: list[tuple[int, list[int]]] = []  # where a moment's positions begin, and their weights

    def add(self, state: State, last: int) -> None:
        """The next moment; `last` chose last."""
        brought = chance_futures(state) if state.actor == CHANCE else [(state, 1)]
        self.moments.append((len(self.eyes), [weight for _, weight in brought]))
        for after, _ in brought:
            self.add_position(after, last)

    def add_position(self, state: State, last: int) -> None:
        """A position in the eyes of every seat."""
        if state.actor == OVER:
            self.over[len(self.eyes)] = win_shares(state)
        self.eyes.append(int(state.actor) if state.actor >= 0 else last)
        for seat in range(self.players):
            self.ledger.add(state, seat)

    def win_probabilities(self) -> list[list[float]]:
        """By moment and seat, the chance to win."""
        import numpy as np

        many, players = len(self.eyes), self.players
        rows = self.ledger.win_probabilities().reshape(many, players, players)
        own = rows[:, range(players), range(players)]
        chances = combine_views(self.game, players, own, rows[range(many), self.eyes]).astype(np.float64)
        for number, shares in self.over.items():
            chances[number] = shares
        found = []
        for first, weights in self.moments:
            mean = np.average(chances[first : first + len(weights)], axis=0, weights=weights)
            found.append([float(chance) for chance in mean])
        return found

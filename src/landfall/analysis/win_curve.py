"""Each seat's win probability over a match, moment by moment. Needs numpy.

Each seat's probability combines two predictions: one from that seat's knowledge, one from that of the player who acts
or acted last. Before a chance event, the probability is the mean over its outcomes up to the next choice. So the
expected change by chance is zero, and luck is the difference between the outcome and that mean.
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

MAX_FUTURES: Final = 60  # positions evaluated before a chance event, at most
MIN_PROBABILITY: Final = 1e-6  # no probability is zero before the end


def sharpen(probabilities: Floats, exponent: float) -> Floats:
    """Raise probabilities to a power by row: above 1 spreads them, below 1 evens them out."""
    import numpy as np

    drawn = np.maximum(probabilities, MIN_PROBABILITY) ** exponent
    out: Floats = drawn / drawn.sum(-1, keepdims=True)
    return out


def combine_views(game: str, players: int, own: Floats, actor: Floats) -> Floats:
    """By row and seat, combine each seat's own prediction with the actor's."""
    import numpy as np

    found = calibration_for(game, players)
    drawn = np.maximum(own, MIN_PROBABILITY) ** found.own * np.maximum(actor, MIN_PROBABILITY) ** found.actor
    out: Floats = drawn / drawn.sum(1, keepdims=True)
    return out


def chance_futures(state: State) -> list[tuple[State, int]]:
    """The weighted outcomes of chance up to the next choice: all, or a sample if there are too many."""
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
    """Sample one outcome of chance."""
    after = state.copy()
    while after.actor == CHANCE:
        after.apply(after.sample_chance(rng))
    return after


class WinCurve:
    """Positions of one match, evaluated in one batch."""

    def __init__(self, game: str, players: int) -> None:
        self.game, self.players = game, players
        self.ledger = EvaluationBatch(game, players)
        self.eyes: list[int] = []  # who acts, by position
        self.over: dict[int, tuple[float, ...]] = {}
        self.moments: list[tuple[int, list[int]]] = []  # where a moment's positions begin, and their weights

    def add(self, state: State, last: int) -> None:
        """Add the next moment; `last` chose last."""
        brought = chance_futures(state) if state.actor == CHANCE else [(state, 1)]
        self.moments.append((len(self.eyes), [weight for _, weight in brought]))
        for after, _ in brought:
            self.add_position(after, last)

    def add_position(self, state: State, last: int) -> None:
        """Add a position from every seat's view."""
        if state.actor == OVER:
            self.over[len(self.eyes)] = win_shares(state)
        self.eyes.append(int(state.actor) if state.actor >= 0 else last)
        for seat in range(self.players):
            self.ledger.add(state, seat)

    def win_probabilities(self) -> list[list[float]]:
        """The win probability by moment and seat."""
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

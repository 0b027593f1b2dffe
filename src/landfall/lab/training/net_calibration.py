"""The calibration of a net: of the positions with a predicted 30 %, are 30 % won?

Needs numpy. Predictions and results are by position and seat, the viewing seat first; a win shared by n counts 1/n.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

DECILES: Final = 10
SURENESS_BOUNDS: Final = (0.5, 2.0)  # the search interval of the sureness


@dataclass(frozen=True)
class Decile:
    """The positions whose prediction lies in one tenth: positions, games, mean prediction and share won."""

    positions: int
    games: int
    predicted: float
    won: float

    def bias(self) -> float:
        """The share won minus the mean prediction."""
        return self.won - self.predicted

    def standard_error(self) -> float:
        """The standard error; games count, because positions of one game are correlated."""
        return sqrt(self.won * (1 - self.won) / self.games) if self.games else 0.0


def sharpen_rows(probabilities: Floats, sureness: float) -> Floats:
    """Raise probabilities to a power: above 1 spreads them, below 1 evens them out."""
    drawn = np.maximum(probabilities, 1e-9) ** sureness * (probabilities > 0)
    out: Floats = (drawn / drawn.sum(1, keepdims=True)).astype(np.float32)
    return out


def cross_entropy(probabilities: Floats, won: Floats) -> float:
    """The mean cross-entropy, minimal for true probabilities."""
    return float(-(won * np.log(np.maximum(probabilities, 1e-9))).sum(1).mean())


def fit_sharpening_exponent(probabilities: Floats, won: Floats) -> float:
    """The exponent for `sharpen_rows` with the lowest cross-entropy; golden section search, as there is one minimum."""
    low, high = SURENESS_BOUNDS
    golden = (sqrt(5) - 1) / 2
    while high - low > 0.002:
        a, b = high - golden * (high - low), low + golden * (high - low)
        if cross_entropy(sharpen_rows(probabilities, a), won) < cross_entropy(sharpen_rows(probabilities, b), won):
            high = b
        else:
            low = a
    return round((low + high) / 2, 3)


def shift_own_logit_down(chance: Floats, logit_shift: float) -> Floats:
    """Lower the viewing seat's own probability by that much on the log-odds scale."""
    odds = np.maximum(chance, 1e-9) / np.maximum(1 - chance, 1e-9) * np.exp(-logit_shift)
    out: Floats = (odds / (1 + odds)).astype(np.float32)
    return out


def fit_own_logit_shift(chance: Floats, share: Floats) -> float:
    """The amount for `shift_own_logit_down` that makes the mean prediction equal the share won; by bisection."""
    low, high = -1.0, 1.0
    won = float(share.mean())
    while high - low > 0.001:
        middle = (low + high) / 2
        if float(shift_own_logit_down(chance, middle).mean()) > won:
            low = middle
        else:
            high = middle
    return round((low + high) / 2, 3)


def group_by_decile(chance: Floats, share: Floats, game: NDArray[np.int64]) -> list[Decile]:
    """The results for each tenth of the predicted own probability; `game` is each position's game number."""
    which = np.minimum((chance * DECILES).astype(np.int64), DECILES - 1)
    found = []
    for i in range(DECILES):
        at = which == i
        many = int(at.sum())
        if not many:
            found.append(Decile(0, 0, 0.0, 0.0))
            continue
        found.append(Decile(many, len(np.unique(game[at])), float(chance[at].mean()), float(share[at].mean())))
    return found


def format_deciles(rows: list[Decile]) -> str:
    """The deciles as text, a line each, without empty ones."""
    lines = ["tenth      positions  games   pred    won    off  error"]
    for i, row in enumerate(rows):
        if row.positions:
            lines.append(
                f"{i * 10:3d}-{i * 10 + 10:3d} %  {row.positions:9,d} {row.games:6,d}  "
                f"{row.predicted:5.1%}  {row.won:5.1%}"
                f"  {100 * row.bias():+5.1f}  {100 * row.standard_error():5.1f}"
            )
    return "\n".join(lines)

"""Whether a net's chances are true: of the positions it gives three in ten, are three in ten won?

Needs numpy. Told and won are by position and seat, the seat that looks first; a win shared by n counts 1/n.
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
SURENESS_BOUNDS: Final = (0.5, 2.0)  # between these the sureness is looked for


@dataclass(frozen=True)
class Decile:
    """The positions whose chance lies in one tenth: how many, from how many games, what was told and what was won."""

    positions: int
    games: int
    predicted: float
    won: float

    def bias(self) -> float:
        """By how much too low it told."""
        return self.won - self.predicted

    def standard_error(self) -> float:
        """What chance alone may account for, about two times in three: games count, positions of one are alike."""
        return sqrt(self.won * (1 - self.won) / self.games) if self.games else 0.0


def sharpen(told: Floats, sureness: float) -> Floats:
    """The same chances drawn apart (above 1) or together (below)."""
    drawn = np.maximum(told, 1e-9) ** sureness * (told > 0)
    out: Floats = (drawn / drawn.sum(1, keepdims=True)).astype(np.float32)
    return out


def cross_entropy(told: Floats, won: Floats) -> float:
    """The mean cross-entropy: least when chances are true."""
    return float(-(won * np.log(np.maximum(told, 1e-9))).sum(1).mean())


def fit_sureness(told: Floats, won: Floats) -> float:
    """What `sharpen` must be given for these chances to come out truest; golden section: one minimum."""
    low, high = SURENESS_BOUNDS
    golden = (sqrt(5) - 1) / 2
    while high - low > 0.002:
        a, b = high - golden * (high - low), low + golden * (high - low)
        if cross_entropy(sharpen(told, a), won) < cross_entropy(sharpen(told, b), won):
            high = b
        else:
            low = a
    return round((low + high) / 2, 3)


def lower_own(chance: Floats, modesty: float) -> Floats:
    """One's own chance lowered by so much, on the scale of the odds' logarithm."""
    odds = np.maximum(chance, 1e-9) / np.maximum(1 - chance, 1e-9) * np.exp(-modesty)
    out: Floats = (odds / (1 + odds)).astype(np.float32)
    return out


def fit_modesty(chance: Floats, share: Floats) -> float:
    """What `lower_own` must be given so that the mean prediction equals the share won; by bisection."""
    low, high = -1.0, 1.0
    won = float(share.mean())
    while high - low > 0.001:
        middle = (low + high) / 2
        if float(lower_own(chance, middle).mean()) > won:
            low = middle
        else:
            high = middle
    return round((low + high) / 2, 3)


def group_by_decile(chance: Floats, share: Floats, game: NDArray[np.int64]) -> list[Decile]:
    """For each tenth of a seat's own chance as it was told, what came of it; `game` numbers each position's."""
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
    """The tenths as text, a line each; those that nothing fell into are left out."""
    lines = ["tenth      positions  games   told    won    off  error"]
    for i, row in enumerate(rows):
        if row.positions:
            lines.append(
                f"{i * 10:3d}-{i * 10 + 10:3d} %  {row.positions:9,d} {row.games:6,d}  "
                f"{row.predicted:5.1%}  {row.won:5.1%}"
                f"  {100 * row.bias():+5.1f}  {100 * row.standard_error():5.1f}"
            )
    return "\n".join(lines)

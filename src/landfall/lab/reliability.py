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

TENTHS: Final = 10
SUREST: Final = (0.5, 2.0)  # between these the sureness is looked for


@dataclass(frozen=True)
class Tenth:
    """The positions whose chance lies in one tenth: how many, from how many games, what was told and what was won."""

    positions: int
    games: int
    told: float
    won: float

    def off(self) -> float:
        """By how much too low it told."""
        return self.won - self.told

    def error(self) -> float:
        """What chance alone may account for, about two times in three: games count, positions of one are alike."""
        return sqrt(self.won * (1 - self.won) / self.games) if self.games else 0.0


def surer(told: Floats, sureness: float) -> Floats:
    """The same chances drawn apart (above 1) or together (below)."""
    drawn = np.maximum(told, 1e-9) ** sureness * (told > 0)
    out: Floats = (drawn / drawn.sum(1, keepdims=True)).astype(np.float32)
    return out


def misjudged(told: Floats, won: Floats) -> float:
    """The mean cross-entropy: least when chances are true."""
    return float(-(won * np.log(np.maximum(told, 1e-9))).sum(1).mean())


def best_sureness(told: Floats, won: Floats) -> float:
    """What `surer` must be given for these chances to come out truest; golden section, as the curve has one valley."""
    low, high = SUREST
    golden = (sqrt(5) - 1) / 2
    while high - low > 0.002:
        a, b = high - golden * (high - low), low + golden * (high - low)
        if misjudged(surer(told, a), won) < misjudged(surer(told, b), won):
            high = b
        else:
            low = a
    return round((low + high) / 2, 3)


def modest(chance: Floats, modesty: float) -> Floats:
    """One's own chance lowered by so much, on the scale of the odds' logarithm."""
    odds = np.maximum(chance, 1e-9) / np.maximum(1 - chance, 1e-9) * np.exp(-modesty)
    out: Floats = (odds / (1 + odds)).astype(np.float32)
    return out


def best_modesty(chance: Floats, share: Floats) -> float:
    """What `modest` must be given for as much to be won in all as was told; by halves, as more is told less is won."""
    low, high = -1.0, 1.0
    won = float(share.mean())
    while high - low > 0.001:
        middle = (low + high) / 2
        if float(modest(chance, middle).mean()) > won:
            low = middle
        else:
            high = middle
    return round((low + high) / 2, 3)


def tenths(chance: Floats, share: Floats, game: NDArray[np.int64]) -> list[Tenth]:
    """For each tenth of a seat's own chance as it was told, what came of it; `game` numbers each position's."""
    which = np.minimum((chance * TENTHS).astype(np.int64), TENTHS - 1)
    found = []
    for i in range(TENTHS):
        at = which == i
        many = int(at.sum())
        if not many:
            found.append(Tenth(0, 0, 0.0, 0.0))
            continue
        found.append(Tenth(many, len(np.unique(game[at])), float(chance[at].mean()), float(share[at].mean())))
    return found


def table(rows: list[Tenth]) -> str:
    """The tenths as text, a line each; those that nothing fell into are left out."""
    lines = ["tenth      positions  games   told    won    off  error"]
    for i, row in enumerate(rows):
        if row.positions:
            lines.append(
                f"{i * 10:3d}-{i * 10 + 10:3d} %  {row.positions:9,d} {row.games:6,d}  {row.told:5.1%}  {row.won:5.1%}"
                f"  {100 * row.off():+5.1f}  {100 * row.error():5.1f}"
            )
    return "\n".join(lines)

"""Calibration of the nets' win probabilities for match review.

The numbers are in `bots/nets/calibration.json`, by game and number of players. They were fitted to 500 matches each of
greedy bots (`python -m bench.fit_calibration GAME PLAYERS`) and adjusted when a net's sureness was refitted.
docs/analysis.md measures them on other matches.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import Final

from landfall.bots.value_net import NETS_DIR


@dataclass(frozen=True)
class Calibration:
    """Exponents for win probabilities: from each seat's own view, from the actor's view, and for the chooser alone."""

    own: float
    actor: float
    chooser: float


DEFAULT_CALIBRATION: Final = Calibration(0.5, 0.5, 1.0)


@cache
def calibration_for(game: str, players: int) -> Calibration:
    """The fitted calibration; for other games and numbers of players, one that weighs both views equally."""
    fitted = json.loads((NETS_DIR / "calibration.json").read_text(encoding="utf-8"))
    found = fitted.get(game, {}).get(str(players))
    return DEFAULT_CALIBRATION if found is None else Calibration(*found)

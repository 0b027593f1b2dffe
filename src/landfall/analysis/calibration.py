"""How far the nets' predictions are trusted in a review, so that they come true.

The numbers are in `bots/nets/calibration.json`, by game and number of players. They were fitted to 500 matches each of
greedy bots (`python -m bench.fit_calibration GAME PLAYERS`) and adapted where a net's sureness was fitted again;
docs/analysis.md measures them with other matches.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import Final

from landfall.bots.value_net import NETS_DIR


@dataclass(frozen=True)
class Calibration:
    """Exponents of chances: of each seat's in its own eyes, of all in the eyes of who acts, of a chooser's alone."""

    own: float
    actor: float
    chooser: float


DEFAULT_CALIBRATION: Final = Calibration(0.5, 0.5, 1.0)


@cache
def calibration_for(game: str, players: int) -> Calibration:
    """What was fitted; for a game or number of players that was not, both views alike."""
    fitted = json.loads((NETS_DIR / "calibration.json").read_text(encoding="utf-8"))
    found = fitted.get(game, {}).get(str(players))
    return DEFAULT_CALIBRATION if found is None else Calibration(*found)

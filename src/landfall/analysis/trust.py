"""How far the nets' chances are trusted when a match is looked back on, so that what is told comes true.

The numbers are in `bots/nets/trust.json`, by game and number of players: fitted to 500 matches each of greedy bots
(`python -m bench.lookback GAME PLAYERS`), and where a net's own sureness was fitted anew since, taken over to it;
docs/analysis.md measures them with other matches.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import Final

from landfall.bots.judge import NETS


@dataclass(frozen=True)
class Trust:
    """Exponents of chances: of each seat's in its own eyes, of all in the eyes of who acts, of a chooser's alone."""

    own: float
    actor: float
    chooser: float


EVEN: Final = Trust(0.5, 0.5, 1.0)


@cache
def trust(game: str, players: int) -> Trust:
    """What was fitted; for a game or number of players that was not, both views alike."""
    fitted = json.loads((NETS / "trust.json").read_text(encoding="utf-8"))
    found = fitted.get(game, {}).get(str(players))
    return EVEN if found is None else Trust(*found)

"""How far the nets' chances are trusted when a match is looked back on, so that what is told comes true.

Fitted to 500 matches each of greedy bots (`python -m bench.lookback GAME PLAYERS`), and where a net's own sureness was
fitted anew since, taken over to it; docs/analysis.md measures it with other matches.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Trust:
    """Exponents of chances: of each seat's in its own eyes, of all in the eyes of who acts, of a chooser's alone."""

    own: float
    actor: float
    chooser: float


EVEN: Final = Trust(0.5, 0.5, 1.0)
FITTED: Final = {
    ("survive", 2): Trust(0.85, 0.11, 0.85),
    ("survive", 3): Trust(0.96, 0.00, 0.91),
    ("survive", 4): Trust(0.95, 0.00, 0.95),
    ("survive", 5): Trust(1.00, 0.00, 0.95),
    ("survive", 6): Trust(0.85, 0.05, 0.90),
    ("atlantis", 2): Trust(0.00, 0.83, 0.83),
    ("atlantis", 3): Trust(0.10, 0.64, 0.74),
    ("atlantis", 4): Trust(0.09, 0.68, 0.77),
    ("atlandice", 2): Trust(0.26, 0.68, 0.94),
    ("atlandice", 3): Trust(0.16, 0.93, 1.09),
    ("atlandice", 4): Trust(0.15, 0.84, 0.99),
}


def trust(game: str, players: int) -> Trust:
    """What was fitted; for a game or number of players that was not, both views alike."""
    return FITTED.get((game, players), EVEN)

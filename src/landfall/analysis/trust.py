"""How far the nets' chances are trusted when a match is looked back on, so that what is told comes true.

Fitted to matches of greedy bots (`python -m bench.lookback GAME PLAYERS`, 500 matches each), and held to by docs/analysis.md.
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
    ("survive", 2): Trust(0.80, 0.10, 0.80),
    ("survive", 3): Trust(1.05, 0.00, 1.00),
    ("survive", 4): Trust(1.10, 0.00, 1.05),
    ("survive", 5): Trust(1.00, 0.00, 0.95),
    ("survive", 6): Trust(0.85, 0.05, 0.90),
    ("atlantis", 2): Trust(0.00, 0.80, 0.80),
    ("atlantis", 3): Trust(0.10, 0.65, 0.75),
    ("atlantis", 4): Trust(0.10, 0.75, 0.85),
    ("atlandice", 2): Trust(0.25, 0.65, 0.90),
    ("atlandice", 3): Trust(0.15, 0.90, 1.05),
    ("atlandice", 4): Trust(0.15, 0.85, 1.00),
}


def trust(game: str, players: int) -> Trust:
    """What was fitted; for a game or number of players that was not, both views alike."""
    return FITTED.get((game, players), EVEN)

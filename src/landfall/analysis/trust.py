"""How far the nets' chances are trusted when a match is looked back on, so that what is told comes true.

Fitted to matches of greedy bots (`python -m bench.lookback GAME PLAYERS --fit`), and held to by docs/analysis.md.
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
FITTED: Final[dict[tuple[str, int], Trust]] = {}


def trust(game: str, players: int) -> Trust:
    """What was fitted; for a game or number of players that was not, both views alike."""
    return FITTED.get((game, players), EVEN)

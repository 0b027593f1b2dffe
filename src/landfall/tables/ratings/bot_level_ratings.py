"""Ratings of the bots' levels, on the scale of players' ratings, from ladders in which they played each other.

They stand in the leaderboards of bots. People never meet them in rated matches, so nothing here compares a level
with a person. A level with too few matches is left out. `python -m bench.levels --ratings` writes a game's file.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Final

from landfall.paths import level_ratings_file
from landfall.tables.ratings.rating_model import Rating

MIN_LEVEL_MATCHES: Final = 50


@cache
def load_level_ratings(game: str, size: int) -> dict[str, Rating]:
    """By level, for a class of table sizes; empty if nothing was measured."""
    file = level_ratings_file(game)
    known = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return {level: Rating(*row) for level, row in known.get(str(size), {}).items()}

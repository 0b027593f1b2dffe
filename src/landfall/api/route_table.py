"""The routes that a server and a device answer by the same endpoints.

Those of `players` and `own_matches` are a server's alone: a device need not load them.
"""

from __future__ import annotations

from typing import Final

from landfall.api import games, puzzles, reviews, tables
from landfall.api.routes import Route, routes_of

SHARED_ROUTES: Final[list[Route]] = [
    *routes_of(games, "games"),
    *routes_of(tables, "tables"),
    *routes_of(reviews, "tables"),
    *routes_of(puzzles, "puzzles"),
]

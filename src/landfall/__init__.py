"""Landfall: three board games about a sinking Atlantis.

>>> state = new("survive", players=4, dolphins=True)
>>> state.actor == CHANCE
True
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, overload

from landfall.native import choose_engine

__version__ = "0.1.0"
with suppress(ImportError):  # setup.py writes it into a wheel, with the commit (build_version.py)
    from landfall._version import __version__ as __version__  # type: ignore[import-not-found,no-redef]

ENGINE = choose_engine()  # before any module that may be compiled is imported

from landfall.core.rng import Rng  # noqa: E402
from landfall.core.state import CHANCE, OVER, State  # noqa: E402
from landfall.games import game  # noqa: E402
from landfall.games import game as find_game  # noqa: E402
from landfall.match import Match  # noqa: E402

if TYPE_CHECKING:
    from typing import Literal, Unpack

    from landfall import game_types as kinds

__all__ = ["CHANCE", "ENGINE", "OVER", "Match", "Rng", "State", "game", "new"]


# generated: overloads
@overload
def new(
    game: Literal["survive"], players: int | None = None, **options: Unpack[kinds.SurviveOptions]
) -> kinds.SurviveState: ...
@overload
def new(
    game: Literal["atlantis"], players: int | None = None, **options: Unpack[kinds.AtlantisOptions]
) -> kinds.AtlantisState: ...
@overload
def new(
    game: Literal["atlandice"], players: int | None = None, **options: Unpack[kinds.AtlandiceOptions]
) -> kinds.AtlandiceState: ...
@overload
def new(game: str, players: int | None = None, **options: object) -> State: ...
# end of generated
def new(game: str, players: int | None = None, **options: object) -> State:
    """The initial position of a game, whose options are given by name. OptionError names every invalid one.

    >>> new("survive", players=2, dolphins=True).players
    2
    """
    return find_game(game).new(players, options)

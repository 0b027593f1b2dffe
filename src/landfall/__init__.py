"""Landfall: three board games about a sinking Atlantis.

>>> state = new("survive", players=4, options={"dolphins": True})
>>> state.actor == CHANCE
True
"""

from landfall.native import choose_engine

__version__ = "0.1.0"

ENGINE = choose_engine()  # before any module that may be compiled is imported

from landfall.core.rng import Rng  # noqa: E402
from landfall.core.state import CHANCE, OVER, State  # noqa: E402
from landfall.games import game  # noqa: E402
from landfall.match import Match  # noqa: E402

__all__ = ["CHANCE", "ENGINE", "OVER", "Match", "Rng", "State", "game", "new"]


def new(name: str, players: int, options: dict[str, object] | None = None) -> State:
    """The initial position of a game. OptionError names every invalid option and the reason."""
    return game(name).new(players, options)

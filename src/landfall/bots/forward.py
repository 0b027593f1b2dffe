"""A net at work, whoever multiplies its numbers: numpy, or on a device without it what that device has."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from landfall.bots import judge
from landfall.bots.judge import NoNet
from landfall.extras import need

if TYPE_CHECKING:
    from landfall.core.layout import Sheet

Loader = Callable[[Path, str], "Forward"]
INSTEAD: Final[list[Loader]] = []  # what reads a net's file where numpy is not; the last one counts


class Forward(Protocol):
    """A game's net."""

    def values(self, sheet: Sheet, many: int, players: int, mix: float) -> tuple[list[float], list[float]]:
        """Of a sheet's first rows: the chance to win of the seat that looks; and that with `mix` for its lead, of which
        ten points count as one."""
        ...


def ready() -> None:
    """MissingExtra, where no net can be worked out."""
    if not INSTEAD:
        need("play", "numpy")


def fits(game: str) -> bool:
    """Whether the game has a net of its own that fits its features."""
    try:
        load(game)
    except NoNet:
        return False
    return True


def second(game: str) -> list[judge.Judge]:
    """The other nets of a game; none where there is no numpy: a device has one net a game, and plays by that."""
    return [] if INSTEAD else judge.second(game)


def load(game: str, file: str = "") -> Forward:
    """The game's own net, or the one of a file; NoNet if there is none that fits."""
    if INSTEAD:
        return INSTEAD[-1](Path(file) if file else judge.NETS / f"{game}.npz", game)
    return judge.load(Path(file), game) if file else judge.shipped(game)

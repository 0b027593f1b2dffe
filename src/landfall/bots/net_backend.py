"""A net at work, whoever multiplies its numbers: numpy, or on a device without it what that device has."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from landfall.bots import value_net
from landfall.bots.value_net import MissingNet
from landfall.extras import require_extra

if TYPE_CHECKING:
    from landfall.core.feature_layout import RowBuffer

NetLoader = Callable[[Path, str], "NetEvaluator"]
OTHER_LOADERS: Final[list[NetLoader]] = []  # what reads a net's file where numpy is not; the last one counts


class NetEvaluator(Protocol):
    """A game's net."""

    def values(self, sheet: RowBuffer, many: int, players: int, mix: float) -> tuple[list[float], list[float]]:
        """Of a sheet's first rows: the chance to win of the seat that looks; and that with `mix` for its lead, of which
        ten points count as one."""
        ...


def require_backend() -> None:
    """MissingExtra, where no net can be worked out."""
    if not OTHER_LOADERS:
        require_extra("play", "numpy")


def has_net(game: str) -> bool:
    """Whether the game has a net of its own that fits its features."""
    try:
        load_net(game)
    except MissingNet:
        return False
    return True


def load_ensemble(game: str) -> list[value_net.ValueNet]:
    """The other nets of a game; none where there is no numpy: a device has one net a game, and plays by that."""
    return [] if OTHER_LOADERS else value_net.load_ensemble(game)


def load_net(game: str, file: str = "") -> NetEvaluator:
    """The game's own net, or the one of a file; NoNet if there is none that fits."""
    if OTHER_LOADERS:
        return OTHER_LOADERS[-1](Path(file) if file else value_net.NETS_DIR / f"{game}.npz", game)
    return value_net.load_file(Path(file), game) if file else value_net.load_packaged(game)

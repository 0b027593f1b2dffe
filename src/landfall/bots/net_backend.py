"""The interface of a running net, independent of its backend: numpy, or a device's own implementation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from landfall.bots import value_net
from landfall.bots.value_net import MissingNet
from landfall.optional_dependencies import MissingExtra, require_extra

if TYPE_CHECKING:
    from landfall.core.feature_layout import RowBuffer

NetLoader = Callable[[Path, str], "NetEvaluator"]
OTHER_LOADERS: Final[list[NetLoader]] = []  # loaders for platforms without numpy; the last one is used


class NetEvaluator(Protocol):
    """A game's net."""

    def values(self, sheet: RowBuffer, many: int, players: int, mix: float) -> tuple[list[float], list[float]]:
        """For the buffer's first rows: the viewing seat's win probability; and that plus `mix` times its lead in tens
        of points."""
        ...

    def win_probabilities(self, sheet: RowBuffer, many: int, players: int) -> list[list[float]]:
        """For the buffer's first rows: the win probability by seat, the viewing seat first."""
        ...


def require_backend() -> None:
    """Raise MissingExtra if no net can run here."""
    if not OTHER_LOADERS:
        require_extra("play", "numpy")


def has_net(game: str) -> bool:
    """Whether the game has a net that fits its features and can run here."""
    try:
        require_backend()
        load_net(game)
    except (MissingExtra, MissingNet):
        return False
    return True


def load_other_ensemble_nets(game: str) -> list[value_net.ValueNet]:
    """The game's other nets; none without numpy: a device has and uses one net per game."""
    return [] if OTHER_LOADERS else value_net.load_other_ensemble_nets(game)


def load_net(game: str, file: str = "") -> NetEvaluator:
    """The game's own net, or the one in a file; MissingNet if none fits."""
    if OTHER_LOADERS:
        return OTHER_LOADERS[-1](Path(file) if file else value_net.NETS_DIR / f"{game}.npz", game)
    return value_net.load_file(Path(file), game) if file else value_net.load_packaged(game)

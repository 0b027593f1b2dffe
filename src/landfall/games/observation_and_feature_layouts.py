# interpreted
"""The layouts of a game's observations and features: from its own modules, else derived from its declared fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from landfall.core.action_features import ActionColumn, ActionFeatures
from landfall.core.errors import LandfallError
from landfall.games import game, game_module, has_game_module

if TYPE_CHECKING:
    from landfall.core.feature_layout import FeatureLayout
    from landfall.core.game_from_declared_fields import DeclaredGame
    from landfall.core.observation_layout import TensorLayout

OBSERVATION_MODULE: Final = "observation"
FEATURES_MODULE: Final = "features"
BYTE: Final = 256


class MissingLayout(LandfallError):
    """A game with neither a module of layouts nor declared fields."""

    def __init__(self, name: str, module: str) -> None:
        reason = f"{name} has no {module}.py, and its fields are not declared"
        super().__init__(reason, "error.layout", {"game": name, "module": f"{module}.py"})


def has_layout(name: str, module: str) -> bool:
    """Whether a game has a module of layouts, or declared fields from which they are derived."""
    return has_game_module(name, module) or has_declared_fields(name)


def tensor_layout(name: str) -> TensorLayout:
    """The tensors of a game's observations."""
    if has_game_module(name, OBSERVATION_MODULE):
        found: TensorLayout = game_module(name, OBSERVATION_MODULE).TENSORS
        return found
    return require_declared_game(name, OBSERVATION_MODULE).observation_layout


def feature_layout(name: str) -> FeatureLayout:
    """The layout of a game's features for nets."""
    if has_game_module(name, FEATURES_MODULE):
        found: FeatureLayout = game_module(name, FEATURES_MODULE).LAYOUT
        return found
    return require_declared_game(name, FEATURES_MODULE).feature_layout


def action_features(name: str) -> ActionFeatures:
    """What a game's actions name; without a module of its own, only which action it is, in two bytes."""
    if has_game_module(name, "action_features"):
        found: ActionFeatures = game_module(name, "action_features").ACTION_FEATURES
        return found
    columns = [ActionColumn("low", BYTE - 1, "the action, lower byte"), ActionColumn("high", BYTE - 1, "upper byte")]
    return ActionFeatures(columns, lambda action: divmod(action, BYTE)[::-1])


def has_declared_fields(name: str) -> bool:
    """Whether layouts are derived. By its attribute: a browser has no such game, and not the module of its class."""
    return hasattr(game(name), "observation_layout")


def require_declared_game(name: str, module: str) -> DeclaredGame:
    """A game with declared fields; MissingLayout if it has none."""
    if not has_declared_fields(name):
        raise MissingLayout(name, module)
    return cast("DeclaredGame", game(name))

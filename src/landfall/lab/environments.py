"""The environments by id, as Gymnasium finds them through the entry point; light, since it is loaded with Gymnasium."""

from __future__ import annotations

from typing import Final

# Rises with the tensors of a game's observation or its rules: what is learnt in one version is not played in another.
VERSIONS: Final = {"survive": 0, "atlantis": 0, "atlandice": 0}


def ids() -> dict[str, str]:
    """The id of each game's environment."""
    return {game: f"landfall/{game.capitalize()}-v{version}" for game, version in VERSIONS.items()}


def register() -> None:
    """Tell Gymnasium of them."""
    from gymnasium.envs.registration import register as told

    for game, name in ids().items():
        told(id=name, entry_point="landfall.lab.gymnasium:SeatEnv", kwargs={"game": game})

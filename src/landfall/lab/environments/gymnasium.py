"""One seat of a match against bots, for Gymnasium; importing this module registers `landfall/Atlantis-v0` and peers.

The reward comes at the end: by default 1 for a win, shared by ties, and the others lose the same amount together. An
illegal action ends the match with a reward of -1; the observation's mask marks the legal ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from typing import Any, Final

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from landfall.bots import registry
from landfall.bots.contract import Bot
from landfall.core.rng import Rng
from landfall.lab.environments.env_match import (
    RENDER_MODES,
    VERSIONS,
    EnvMatch,
    observation_upper_bounds,
)
from landfall.lab.experiments.simulation import choose_action, seat_rngs

ENV_IDS: Final = {game: f"landfall/{game.capitalize()}-v{version}" for game, version in VERSIONS.items()}
for game, name in ENV_IDS.items():
    gym.register(id=name, entry_point=f"{__name__}:SeatEnv", kwargs={"game": game})


class SeatEnv(gym.Env[dict[str, Any], np.int64]):
    """`opponents`: one bot code for all other seats, or one each as a list or with commas; `options` are the game's.

    `reward` is win, share, rank or score. After `horizon` choices of all seats the match is truncated and counts as it
    stands; 0 for none.

    >>> one = SeatEnv("atlandice", players=2, opponents="random")
    >>> observation, info = one.reset(seed=1)
    >>> int(observation["action_mask"].sum())
    8
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        game: str,
        players: int | None = None,
        *,
        opponents: str | Sequence[str] = "greedy",
        seat: int = 0,
        render_mode: str | None = None,
        reward: str = "win",
        horizon: int = 0,
        **options: object,
    ) -> None:
        self.desk = desk = EnvMatch(game, players, options, render_mode, reward, horizon)
        self.render_mode = render_mode
        if not 0 <= seat < desk.players:
            raise ValueError(f"there is no seat {seat}; {desk.players} play, from seat 0 on")
        self.seat = seat
        codes = opponents.split(",") if isinstance(opponents, str) else list(opponents)
        if len(codes) not in (1, desk.players - 1):
            raise ValueError(
                f"{len(codes)} opponents for {desk.players - 1} other seats: give one a seat, or one for all"
            )
        self.codes = [code.strip() for code in codes * (1 if len(codes) > 1 else desk.players - 1)]
        self.bots = self.make_bots()
        self.events = any(bot.uses_events for bot in self.bots)
        self.rngs: list[Rng] = []
        row = spaces.Box(0, observation_upper_bounds(desk.tensors), dtype=np.uint8)
        masks = spaces.Box(0, 1, (desk.game.num_actions,), np.int8)
        self.observation_space = spaces.Dict({"observation": row, "action_mask": masks})
        self.action_space = spaces.Discrete(desk.game.num_actions)

    def make_bots(self) -> list[Bot]:
        """New bots, by seat."""
        bots = [registry.make_bot(code) for code in self.codes]
        bots.insert(self.seat, bots[0])  # placeholder, never called
        return bots

    def __copy__(self) -> SeatEnv:
        """An independent environment, like a deep copy: two environments cannot share one match."""
        return deepcopy(self)

    def __getstate__(self) -> dict[str, Any]:
        """For copies and pickles: all but the bots. A bot that searches loses its tree, and a program starts again."""
        return {name: value for name, value in self.__dict__.items() if name != "bots"}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self.bots = self.make_bots()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        super().reset(seed=seed)
        number = int(self.np_random.integers(2**62))
        self.rngs = seat_rngs(number, self.desk.players)
        self.desk.begin(number, self.events)
        self.play_opponents()
        return self.desk.observe(self.seat), {}

    def step(self, action: np.int64 | int) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        desk = self.desk
        if not desk.mask[action]:
            return desk.observe(self.seat), -1.0, True, False, {"illegal": True}
        desk.play_action(int(action))
        self.play_opponents()
        return desk.observe(self.seat), desk.rewards()[self.seat], desk.is_over, desk.is_cut, {}

    def play_opponents(self) -> None:
        """Let bots choose until this seat acts or the match is over."""
        desk = self.desk
        while desk.actor >= 0 and desk.actor != self.seat and not desk.is_cut:
            bot, rng = self.bots[desk.actor], self.rngs[desk.actor]
            desk.play_action(choose_action(bot, desk.state, desk.game.name, rng, 1.0, desk.options))

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions, in the form of sb3-contrib's MaskablePPO."""
        return self.desk.mask.astype(np.bool_)

    def close(self) -> None:
        """End the programs among the opponents."""
        self.bots.clear()
        super().close()

    def render(self) -> Any:
        """Render what this seat sees."""
        return None if self.render_mode is None else self.desk.render(self.seat)

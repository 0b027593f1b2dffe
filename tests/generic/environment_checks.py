"""What PettingZoo's and Gymnasium's own checks say of our environments; for tests and `make proof`."""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Iterator
from typing import Any

import gymnasium
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test

from landfall.game_checks.option_combinations import Combo
from landfall.lab.environments.gymnasium import ENV_IDS
from landfall.lab.environments.pettingzoo import env, parallel_env

# PettingZoo's checks spare its own games with masks by name; ours they tell that observations are dictionaries.
KNOWN = (
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be",
    "Action mask numpy array is all zeros",  # of a seat that is not asked
)


@contextlib.contextmanager
def no_unknown_warnings() -> Iterator[None]:
    """No check warns of anything but what is known; what it prints is not shown."""
    with warnings.catch_warnings(record=True) as said, contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("always")
        yield
    more = [str(one.message) for one in said if not str(one.message).startswith(KNOWN)]
    assert more == []


def run_pettingzoo_checks(name: str, combo: Combo, cycles: int, drawn: bool = True) -> None:
    """All of PettingZoo's checks; pixels take time, so not everywhere."""
    players = combo[0]
    options: dict[str, Any] = combo[1]

    def made(render_mode: str | None = None) -> Any:
        return env(name, players, render_mode=render_mode, **options)

    with no_unknown_warnings():
        api_test(made(), num_cycles=cycles)
        seed_test(made, num_cycles=cycles)
        parallel_api_test(parallel_env(name, players, **options), num_cycles=cycles)
        if drawn:
            render_test(made, {"svg": lambda picture: picture.startswith("<svg")})


def run_gymnasium_checks(name: str, combo: Combo, opponents: str, drawn: bool = True) -> None:
    """Gymnasium's check, then a whole match by the mask."""
    players = combo[0]
    options: dict[str, Any] = combo[1]
    with no_unknown_warnings():
        one = gymnasium.make(ENV_IDS[name], players=players, opponents=opponents, render_mode="ansi", **options)
        check_env(one.unwrapped, skip_render_check=not drawn)
    observed, _ = one.reset(seed=2)
    ended, reward, steps = False, 0.0, 0
    one.action_space.seed(3)
    while not ended:
        observed, given, ended, cut, info = one.step(one.action_space.sample(observed["action_mask"]))
        reward, steps = float(given), steps + 1
        assert not cut
        assert "illegal" not in info
        assert one.observation_space.contains(observed)
        assert (reward == 0) or ended
    assert -1 <= reward <= 1
    assert steps > 5

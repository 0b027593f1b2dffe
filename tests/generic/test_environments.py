"""Environments for research: PettingZoo, Gymnasium and many matches at once. Every table is checked in `make proof`."""

from __future__ import annotations

import numpy as np
import pytest

import landfall
from landfall.core.errors import IllegalAction, LandfallError
from landfall.core.rng import Rng
from landfall.game_checks.option_combinations import OBSERVED, Combo
from landfall.game_checks.two_world_comparison import observation_bytes
from landfall.games.observation_and_feature_layouts import tensor_layout
from landfall.lab.environments import env_match
from landfall.lab.environments.env_match import EnvMatch, split_observation
from landfall.lab.environments.gymnasium import SeatEnv
from landfall.lab.environments.pettingzoo import env, raw_env
from landfall.lab.environments.vector import MatchVectorEnv, SharedMatchVectorEnv
from tests.generic import environment_checks as checks

pytestmark = pytest.mark.once

SAMPLE: dict[str, Combo] = {
    "survive": (5, {"dolphins": True, "squid": "with_whales"}),
    "atlantis": (3, {}),
    "atlandice": (2, {}),
}
# An environment's version rises with its actions, its tensors (second) or its rules (third): write all down here.
VERSIONS = {"survive": (2, 2, 2), "atlantis": (0, 1, 1), "atlandice": (0, 1, 1)}


@pytest.mark.parametrize("name", SAMPLE)
def test_pettingzoo_and_gymnasium_find_nothing(name: str) -> None:
    drawn = name == "atlandice"
    checks.run_pettingzoo_checks(name, SAMPLE[name], 8, drawn)
    checks.run_gymnasium_checks(name, SAMPLE[name], "random", drawn)


def test_environments_rise_with_tensors_and_rules() -> None:
    found = {}
    for name, version in env_match.VERSIONS.items():
        found[name] = (version, tensor_layout(name).version, landfall.game(name).rules_version)
    assert found == VERSIONS


def test_a_choice_that_is_none_loses() -> None:
    one = env("atlandice", 2)
    one.reset(seed=1)
    one.step(int(np.argmin(one.observe(one.agent_selection)["action_mask"])))
    assert sorted(one.rewards.values()) == [-1, 0]
    raw = raw_env("atlandice", 2)
    raw.reset(seed=1)
    with pytest.raises(IllegalAction):
        raw.step(int(np.argmin(raw.observe(raw.agent_selection)["action_mask"])))
    seat = SeatEnv("atlandice", 2)
    mask = seat.reset(seed=1)[0]["action_mask"]
    assert seat.step(int(np.argmin(mask)))[1:] == (-1.0, True, False, {"illegal": True})


def test_a_match_by_turns_is_the_engine_s() -> None:
    """Agent, observation, mask and rewards are those of the position, choice by choice to the end."""
    one = raw_env("atlandice", 3)
    one.reset(seed=4)
    draws = Rng(7)
    while not all(one.terminations.values()):
        state = one.desk.state
        assert one.agent_selection == f"seat_{state.actor}"
        seen = one.last()[0]
        assert seen["observation"].tobytes() == observation_bytes("atlandice", state, int(state.actor))
        assert np.flatnonzero(seen["action_mask"]).tolist() == sorted(state.legal_actions())
        one.step(state.legal_actions()[int(draws.randbelow(len(state.legal_actions())))])
    best = one.desk.state.ranking()[0]["seats"]
    assert sum(one.rewards.values()) == pytest.approx(0)
    assert [seat for seat in range(3) if one.rewards[f"seat_{seat}"] == max(one.rewards.values())] == best


@pytest.mark.parametrize("name", OBSERVED)
def test_an_observation_is_split_into_its_tensors(name: str) -> None:
    table = EnvMatch(name, None, {}, None)
    parts = split_observation(name, table.observe(0)["observation"])
    assert parts["players"] == table.players
    assert {key: value.shape for key, value in parts.items()} == {p.name: p.shape for p in tensor_layout(name).parts}


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"players": 9}, "9"),
        ({"seat": 2, "players": 2}, "no seat 2"),
        ({"opponents": "greedy,greedy", "players": 4}, "2 opponents for 3"),
        ({"opponents": "nobody"}, "nobody"),
        ({"render_mode": "hologram"}, "hologram"),
    ],
)
def test_what_cannot_be_is_refused(arguments: dict[str, object], why: str) -> None:
    with pytest.raises((LandfallError, ValueError), match=why):
        SeatEnv("atlandice", **arguments)  # type: ignore[arg-type]


# --- many matches at once -----------------------------------------------------------------------------------------


def test_matches_in_several_processes_are_those_of_one() -> None:
    """Each process's share is what that many matches from its own seed are here; one that is gone is told."""
    shared = SharedMatchVectorEnv("atlandice", 4, 2, processes=2)
    try:
        shared.reset(seed=5)
        seed = int(np.random.default_rng(5).integers(2**48))
        alone = [MatchVectorEnv("atlandice", 2, 2) for _ in range(2)]
        for number, one in enumerate(alone):
            one.reset()
            one.begin(seed + number)
        ends = 0
        for _ in range(150):
            for name, array in shared.at.items():
                if name != "actions":
                    assert (array == np.concatenate([one.at[name] for one in alone])).all(), name
            came = [one.step(one.random_actions) for one in alone]
            _, rewards, ended, cut, info = shared.step(shared.random_actions)
            assert (rewards == np.concatenate([c[1] for c in came])).all()
            assert (info["seat_rewards"] == np.concatenate([c[4]["seat_rewards"] for c in came])).all()
            assert not cut.any()
            ends += int(ended.sum())
            assert (info["seat_rewards"].any(axis=1) <= ended).all()
        assert ends > 0
        before = shared.at["observation"].copy()
        with pytest.raises(ValueError, match="match 3: 89 is no choice"):
            shared.step(np.array([*shared.random_actions[:3], 89]))
        assert (shared.at["observation"] == before).all()
        process, _ = shared.workers[1]
        process.kill()
        process.join()
        with pytest.raises(RuntimeError, match="gone"):
            shared.step(shared.random_actions)
    finally:
        shared.close()


def test_masks_are_what_may_be_chosen_and_copies_stay() -> None:
    many = MatchVectorEnv("survive", 8, 4, copy=True, threads=0)
    first, info = many.reset(seed=1)
    kept = first.copy()
    masks = many.masks()
    assert masks.shape == (8, many.num_actions)
    assert (masks.sum(axis=1) == info["choices"]).all()
    assert masks[np.arange(8), many.random_actions].all()
    assert [np.flatnonzero(row).tolist() for row in masks] == [sorted(s.legal_actions()) for s in many.batch.states]
    many.step(many.random_actions)
    assert (first == kept).all()
    assert many.observation_space.contains(many.step(many.random_actions)[0])
    again = MatchVectorEnv("survive", 8, 4)
    assert (again.reset(seed=1)[0] == kept).all()
    assert not (again.reset()[0] == kept).all()

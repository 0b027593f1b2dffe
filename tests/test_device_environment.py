"""`MatchVectorEnv(..., device="cuda")` without a GPU: its launches run here, by a device of one thread."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import landfall
from landfall.games import BUILT_IN_GAMES
from landfall.kernels.device import DeviceKernel
from landfall.kernels.host import find_compiler
from landfall.lab.environments import vector
from landfall.lab.environments.vector import DeviceMatchVectorEnv, MatchVectorEnv
from tests.conftest import lacking
from tests.one_thread_device import OneThreadDevice

MODES = ("SameStep", "NextStep", "Disabled")
STEPS = {name: 260 if landfall.ENGINE == "compiled" or name == "atlandice" else 60 for name in BUILT_IN_GAMES}
OPTIONS: dict[str, dict[str, object]] = {"survive": {"dolphins": True, "squid": "with_whales", "bounty": True}}
NAMES = ("observation", "mask", "actor", "choices", "over", "rewards", "seat_rewards", "cut")

Make = Callable[..., DeviceMatchVectorEnv]


@pytest.fixture(scope="module")
def kernels(tmp_path_factory: pytest.TempPathFactory) -> dict[str, DeviceKernel]:
    if find_compiler() is None:
        lacking("a C compiler")
    device = OneThreadDevice(tmp_path_factory.mktemp("device"))
    return {name: DeviceKernel(landfall.game(name), cupy=device, blocks=1) for name in BUILT_IN_GAMES}


@pytest.fixture
def make(kernels: dict[str, DeviceKernel], monkeypatch: pytest.MonkeyPatch) -> Make:
    monkeypatch.setattr(vector, "load_device_kernel", kernels.__getitem__)

    def made(game: str, *given: Any, **more: Any) -> DeviceMatchVectorEnv:
        found = MatchVectorEnv(game, *given, device="cuda", **more)
        assert isinstance(found, DeviceMatchVectorEnv)
        return found

    return made


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("game", BUILT_IN_GAMES)
def test_the_same_seed_and_actions_give_the_engines_matches(game: str, mode: str, make: Make) -> None:
    given: dict[str, Any] = {"autoreset_mode": mode, **OPTIONS.get(game, {})}
    device, engine = make(game, 5, 3, **given), MatchVectorEnv(game, 5, 3, threads=0, **given)
    for one in (device, engine):
        one.reset(seed=4)
    ended = restarted = 0
    for step in range(STEPS[game]):
        for name in NAMES:
            assert np.array_equal(device.at[name], engine.at[name]), name
        assert np.array_equal(device.masks(), engine.masks())
        over = engine.at["choices"] == 0
        if mode == "Disabled" and over.any():
            restarted += int(over.sum())
        else:
            over = np.arange(5) == step - 20  # once each, while it goes on
        if over.any():
            for one in (device, engine):
                one.reset(seed=step if step % 2 else None, options={"reset_mask": over.copy()})
            continue
        actions = engine.random_actions.copy()
        shown = device.step(actions.view())
        expected = engine.step(actions)
        assert all(np.array_equal(mine, theirs) for mine, theirs in zip(shown[:4], expected[:4], strict=True))
        ends = np.flatnonzero(expected[2])
        ended += len(ends)
        for i in ends if mode == "SameStep" else ():
            assert np.array_equal(shown[4]["final_obs"][i], expected[4]["final_obs"][i])
            assert shown[4]["_final_obs"][i]
    if STEPS[game] == max(STEPS.values()):
        assert ended > 0
        assert (restarted > 0) == (mode == "Disabled")


def test_sampled_actions_follow_the_logits(make: Make) -> None:
    """From rows of all actions and from padded lists; both with the probabilities that `log_probs` says."""
    many = make("atlandice", 4000, 2, legal_width=24)
    many.reset(seed=1)
    for _ in range(9):
        many.step(many.random_actions)
    every, choices = np.arange(4000), many.at["choices"]
    weights = np.random.default_rng(1).normal(size=many.num_actions)
    dense = np.broadcast_to(weights, (4000, many.num_actions)).copy()
    listed = weights[many.legal_actions]
    legal = np.where(many.masks() > 0, np.exp(dense / 0.7), 0.0)
    expected = legal / legal.sum(1, keepdims=True)
    for logits in (dense, listed):
        drawn = np.zeros(4000)
        for _ in range(50):
            actions = many.sample(logits, 0.7)
            assert many.masks()[every, actions].all()
            assert np.allclose(np.exp(many.log_probs), expected[every, actions])
            drawn += actions == legal.argmax(1)
        assert abs(drawn.sum() / 50 - expected.max(1).sum()) < 5 * np.sqrt(4000 / 50)
        assert (many.sample(logits, 0.0) == legal.argmax(1)).all()
        assert (many.log_probs == 0).all()
    assert (choices > 1).any()
    with pytest.raises(ValueError, match="a row of 90 or 24 logits is needed"):
        many.sample(dense[:, :3])
    with pytest.raises(ValueError, match="match 0: its largest logit is -inf"):
        many.sample(np.full((4000, many.num_actions), -np.inf))


def test_the_padded_list_holds_what_the_bits_do(make: Make) -> None:
    many = make("atlantis", 6, 2, legal_width=200)
    many.reset(seed=2)
    for _ in range(40):
        for i in range(6):
            listed = many.legal_actions[i, : many.at["choices"][i]]
            assert sorted(listed) == np.flatnonzero(many.masks()[i]).tolist()
        many.step(many.random_actions)


def test_random_actions_do_not_change_the_chance_of_matches(make: Make) -> None:
    one, other = make("atlandice", 3, 2), make("atlandice", 3, 2)
    for each in (one, other):
        each.reset(seed=7)
    for _ in range(80):
        actions = one.random_actions.copy()
        assert one.masks()[np.arange(3), actions].all()
        one.step(actions)
        other.step(actions)
        assert np.array_equal(one.at["observation"], other.at["observation"])


@pytest.mark.parametrize("game", BUILT_IN_GAMES)
def test_positions_come_back_as_states_and_go_there(game: str, make: Make) -> None:
    many = make(game, 3, 2)
    many.reset(seed=3)
    for _ in range(60):
        many.step(many.random_actions)
    state = many.state(1)
    assert sorted(state.legal_actions()) == np.flatnonzero(many.masks()[1]).tolist()
    assert landfall.game(game).find_faults(state) == []
    many.place(0, state)
    for name in ("observation", "mask"):
        assert np.array_equal(many.at[name][0], many.at[name][1])
    assert many.state(0).to_bytes() == state.to_bytes()


def test_an_illegal_action_is_named_and_nothing_changes(make: Make) -> None:
    many = make("atlantis", 4, 3)
    many.reset(seed=1)
    actions, before = many.random_actions.copy(), many.at["observation"].copy()
    actions[2] = 180
    with pytest.raises(ValueError, match="match 2: 180 is no choice of seat 0"):
        many.step(actions)
    with pytest.raises(ValueError, match="4 actions are needed, one a match"):
        many.step(actions[:3])
    assert np.array_equal(many.at["observation"], before)


def test_what_is_missing_is_said_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match='a device is "cpu" or "cuda", not \'tpu\''):
        MatchVectorEnv("atlandice", 2, 2, device="tpu")
    monkeypatch.setitem(sys.modules, "cupy", None)
    with pytest.raises(RuntimeError, match="kernels on a GPU need CuPy: pip install"):
        MatchVectorEnv("atlandice", 2, 2, device="cuda")
    cuda = SimpleNamespace(is_available=lambda: False)
    monkeypatch.setitem(sys.modules, "cupy", SimpleNamespace(cuda=cuda))
    with pytest.raises(RuntimeError, match="kernels on a GPU need a CUDA device, and none is here"):
        MatchVectorEnv("atlandice", 2, 2, device="cuda")

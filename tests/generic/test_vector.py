"""Many matches at once, held against Gymnasium's own vector environment and wrappers; legal actions as ragged arrays,
and sampling from a policy's logits."""

from __future__ import annotations

from collections import Counter
from math import exp, log
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

from landfall.core.rng import Rng
from landfall.core.state import OVER
from landfall.game_checks.two_world_comparison import observation_bytes
from landfall.games import BUILT_IN_GAMES, game_module
from landfall.lab.environments import vector
from landfall.lab.environments.segment_sampling import sample_segments
from landfall.lab.environments.vector import MatchVectorEnv, SharedMatchVectorEnv, action_feature_table

pytestmark = pytest.mark.once


class OneMatch(gym.Env[Any, Any]):
    """One match of a vector environment as a single environment, for Gymnasium's own vector environment to step."""

    def __init__(self, name: str, players: int) -> None:
        self.one = MatchVectorEnv(name, 1, players, autoreset_mode="Disabled", threads=0)
        self.observation_space = self.one.single_observation_space
        self.action_space = self.one.single_action_space

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        mask = {"reset_mask": np.array([True])}
        rows, info = self.one.reset(seed=seed, options=mask if seed is None and self.one.at else None)
        return rows[0].copy(), self.single(info)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        rows, rewards, over, cut, info = self.one.step(np.array([action]))
        return rows[0].copy(), float(rewards[0]), bool(over[0]), bool(cut[0]), self.single(info)

    def single(self, info: dict[str, Any]) -> dict[str, Any]:
        return {"choices": int(info["choices"][0]), "seat_rewards": info["seat_rewards"][0].copy()}


@pytest.mark.parametrize("mode", AutoresetMode)
def test_a_step_is_that_of_gymnasium_s_vector_environment(mode: AutoresetMode) -> None:
    """The same matches in its environment and in ours: observations, rewards, ends, final observations."""
    n = 3
    theirs = SyncVectorEnv([lambda: OneMatch("atlandice", 2)] * n, autoreset_mode=mode)
    ours = MatchVectorEnv("atlandice", n, 2, autoreset_mode=mode, threads=0)
    theirs.reset(seed=5)
    ours.reset(seed=5)
    for i, one in enumerate(theirs.envs):  # the same chance in both
        ours.batch.rngs[i] = Rng(i)
        assert isinstance(one.unwrapped, OneMatch)
        one.unwrapped.one.batch.rngs[0] = Rng(i)
    everything = np.ones(n, np.bool_)
    wanted, _ = theirs.reset(options={"reset_mask": everything.copy()})
    got, _ = ours.reset(options={"reset_mask": everything})
    assert (wanted == got).all()
    draws, ends = np.random.default_rng(1), 0
    for _ in range(160):
        actions = [int(draws.choice(state.legal_actions() or [0])) for state in ours.batch.states]
        wanted, w_rewards, w_over, w_cut, w_info = theirs.step(np.array(actions))
        got, rewards, over, cut, info = ours.step(np.array(actions))
        assert (wanted == got).all()
        assert (w_rewards == rewards).all()
        assert (w_over == over).all()
        assert (w_cut == cut).all()
        assert (w_info["choices"] == info["choices"]).all()
        for key in ("final_obs", "_final_obs", "final_info", "_final_info"):
            assert (key in w_info) == (key in info), key
        if "final_obs" in info:
            assert (w_info["_final_obs"] == info["_final_obs"]).all()
            for ended in np.flatnonzero(info["_final_obs"]):
                assert (w_info["final_obs"][ended] == info["final_obs"][ended]).all()
            assert (w_info["final_info"]["seat_rewards"] == info["final_info"]["seat_rewards"]).all()
            assert (w_info["final_info"]["_choices"] == info["final_info"]["_choices"]).all()
        ends += int(over.sum())
        if mode == AutoresetMode.DISABLED and over.any():
            wanted, _ = theirs.reset(options={"reset_mask": over.copy()})
            got, _ = ours.reset(options={"reset_mask": over.copy()})
            assert (wanted == got).all()
    assert ends >= 2


def test_a_match_that_is_over_shows_its_end_until_it_is_reset() -> None:
    many = MatchVectorEnv("atlandice", 2, 2, autoreset_mode=AutoresetMode.DISABLED, threads=0)
    many.reset(seed=1)
    over = np.zeros(2, np.bool_)
    while not over.any():
        observations, _, over, _, info = many.step(many.random_actions)
    (ended,) = np.flatnonzero(over)
    state = many.batch.states[ended]
    assert state.actor == OVER
    assert observations[ended].tobytes() == observation_bytes("atlandice", state, int(info["actor"][ended]))
    assert not info["action_mask"][ended].any()
    assert many.sample(np.zeros(len(many.legal.actions)))[ended] == 0
    with pytest.raises(ValueError, match=f"match {ended} is over"):
        many.step(many.random_actions)
    for wrong, kind in (([True, False], TypeError), (np.array([False, False]), ValueError), (over[:1], ValueError)):
        with pytest.raises(kind):
            many.reset(options={"reset_mask": wrong})
    kept = many.batch.states[1 - ended].to_bytes()
    _, info = many.reset(options={"reset_mask": over})
    assert many.batch.states[1 - ended].to_bytes() == kept
    assert (info["choices"] > 0).all()
    assert not info["seat_rewards"].any()


@pytest.mark.parametrize("name", BUILT_IN_GAMES)
def test_gymnasium_makes_and_wraps_it(name: str) -> None:
    made = gym.make_vec(vector.SELF_PLAY_IDS[name], num_envs=3, players=2)
    assert isinstance(made.unwrapped, MatchVectorEnv)
    assert made.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    wrapped = DictInfoToList(RecordEpisodeStatistics(made))
    wrapped.reset(seed=3)
    episodes = []
    for _ in range(1200):
        _, _, over, _, infos = wrapped.step(made.unwrapped.random_actions)
        for i in np.flatnonzero(over):
            assert set(infos[i]) >= {"actor", "choices", "final_obs", "final_info", "episode"}
            assert made.single_observation_space.contains(infos[i]["final_obs"])
            assert infos[i]["final_info"]["actor"] == OVER
            episodes.append(infos[i]["episode"]["l"])
        if episodes:
            break
    assert episodes
    assert min(episodes) > 10


@pytest.mark.parametrize("name", BUILT_IN_GAMES)
def test_ragged_arrays_are_the_legal_actions(name: str) -> None:
    many = MatchVectorEnv(name, 5, threads=0)
    many.reset(seed=2)
    table, _ = action_feature_table(name)
    columns = game_module(name, "action_features").ACTION_FEATURES.columns
    assert (table.max(axis=0) <= [column.most for column in columns]).all()
    for step in range(60):
        legal = many.legal
        assert legal.offsets[0] == 0
        assert legal.offsets[-1] == len(legal.actions) == len(legal.features) == len(legal.match_indices)
        for i, state in enumerate(many.batch.states):
            own = legal.actions[legal.offsets[i] : legal.offsets[i + 1]].tolist()
            assert own == state.legal_actions()
            assert (legal.match_indices[legal.offsets[i] : legal.offsets[i + 1]] == i).all()
            if step % 20 == 0:  # two legal actions that name the same are not told apart
                rows = {bytes(row) for row in legal.features[legal.offsets[i] : legal.offsets[i + 1]]}
                assert len(rows) == len(own)
        many.step(many.random_actions)


def test_features_name_explorers_from_the_acting_seat_on() -> None:
    """A prey of any colour: the colour is that of the observation, 1 for one's own."""
    from landfall.games.survive.rules.codes import PICK

    legal = vector.LegalActions(
        "survive", np.array([0, 2, 4]), np.array([PICK + 13, PICK + 5] * 2), np.array([1, 3]), 4
    )
    names = [column.name for column in game_module("survive", "action_features").ACTION_FEATURES.columns]
    colour, number = names.index("colour"), names.index("explorer")
    assert legal.features[:, colour].tolist() == [1, 4, 3, 2]
    assert legal.features[:, number].tolist() == [4, 6, 4, 6]


def test_samples_follow_the_logits() -> None:
    random, logits = np.random.default_rng(1), np.array([1.0, 0.0, -1.0, 0.5, 7.0])
    counts, times = Counter[int](), 5_000
    total = sum(exp(x / 0.5) for x in logits[:3])
    for _ in range(times):
        chosen, log_probs = sample_segments(np.array([0, 3, 3, 5, 5]), logits, 0.5, random)
        assert chosen[[1, 3]].tolist() == [-1, -1]
        counts.update(chosen.tolist())
        assert log_probs[0] == pytest.approx(logits[chosen[0]] / 0.5 - log(total))
    for i in range(3):
        share = exp(logits[i] / 0.5) / total
        assert abs(counts[i] / times - share) < 4 * (share * (1 - share) / times) ** 0.5
    assert counts[4] >= times - 2  # exp(-13) of a chance for the other

    def best(numbers: list[float], temperature: float) -> list[int]:
        edges = np.array([0, len(numbers)])
        found: list[int] = sample_segments(edges, np.array(numbers), temperature, random)[0].tolist()
        return found

    assert best([0.0, 2.0, 2.0], 0.0) == [1]
    assert best([float("-inf"), 0.0], 1.0) == [1]
    for wrong in ([float("nan"), 0.0], [0.0, float("nan")], [float("-inf")] * 2, [float("inf"), 0.0]):
        with pytest.raises(ValueError, match="match 0"):
            best(wrong, 1.0)


def test_a_policy_plays_by_dense_or_ragged_logits() -> None:
    """Both forms give the same actions from the same seed; only legal ones; other seeds give others."""
    dense, ragged, other = (MatchVectorEnv("survive", 4, 3) for _ in range(3))
    weights = np.random.default_rng(1).normal(size=dense.num_actions)
    for one, seed in ((dense, 1), (ragged, 1), (other, 2)):
        one.reset(seed=seed)
    differ = 0
    for _ in range(40):
        full = np.broadcast_to(weights, (4, dense.num_actions))
        actions = dense.sample(full, 0.7)
        assert (actions == ragged.sample(weights[ragged.legal.actions], 0.7)).all()
        assert (dense.log_probs == ragged.log_probs).all()
        differ += int((actions != other.sample(full, 0.7)).any())
        dense.step(actions)
        ragged.step(actions)
    assert differ > 0
    with pytest.raises(ValueError, match="logits are needed"):
        ragged.sample(weights[:2])


def test_several_processes_show_ends_and_legal_actions_too() -> None:
    shared = SharedMatchVectorEnv("atlandice", 4, 2, processes=2)
    try:
        shared.reset(seed=5)
        ends = 0
        for _ in range(150):
            legal = shared.legal
            assert (np.diff(legal.offsets) == shared.at["choices"]).all()
            _, _, over, _, info = shared.step(shared.sample(np.zeros(len(legal.actions))))
            ends += int(over.sum())
            if over.any():
                assert (info["_final_obs"] == over).all()
                assert all(info["final_obs"][i][2] == 5 for i in np.flatnonzero(over))  # nobody is asked
        assert ends > 0
        before = shared.at["observation"].copy()
        shared.reset(options={"reset_mask": np.array([False, False, True, False])})
        assert (shared.at["observation"] == before).all(axis=1).tolist() == [True, True, False, True]
    finally:
        shared.close()

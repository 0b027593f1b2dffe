"""Rewards and horizons of the environments, trajectories by seat, and PettingZoo's seed test for parallel agents."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from pettingzoo.test import parallel_seed_test

from landfall.core.state import CHANCE, OVER, State
from landfall.lab.environments.env_match import REWARDS, EnvMatch
from landfall.lab.environments.gymnasium import SeatEnv
from landfall.lab.environments.pettingzoo import parallel_env, raw_env
from landfall.lab.environments.trajectories import split_by_seat
from landfall.lab.environments.vector import MatchVectorEnv, SharedMatchVectorEnv

pytestmark = pytest.mark.once
HORIZON = 37


class Ranked(State):
    """A finished match with these points; equal points are a tie."""

    def __init__(self, points: list[int]) -> None:
        super().__init__(len(points))
        self.points = points
        self.actor = OVER

    def scores(self) -> list[int]:
        return self.points


@pytest.mark.parametrize(
    ("points", "name", "expected"),
    [
        ([5, 9, 2], "win", [-0.5, 1, -0.5]),
        ([5, 9, 2], "share", [0, 1, 0]),
        ([5, 9, 2], "rank", [0, 1, -1]),
        ([5, 9, 1], "score", [0, 6, -6]),
        ([4, 4, 1], "win", [0.25, 0.25, -0.5]),
        ([4, 4, 1], "share", [0.5, 0.5, 0]),
        ([4, 4, 1], "rank", [0.5, 0.5, -1]),
        ([7, 7], "rank", [0, 0]),
        ([7, 7], "share", [0.5, 0.5]),
        ([8, 3], "score", [5, -5]),
    ],
)
def test_what_a_result_is_worth(points: list[int], name: str, expected: list[float]) -> None:
    assert REWARDS[name](Ranked(points)) == pytest.approx(expected)


def test_an_unknown_reward_or_horizon_is_refused() -> None:
    with pytest.raises(ValueError, match="there are win, share, rank, score"):
        raw_env("atlandice", reward="points")
    with pytest.raises(ValueError, match="not -1"):
        MatchVectorEnv("atlandice", 2, horizon=-1)


def standings(choices: list[int], reward: str) -> list[float]:
    """What the match of these choices with seed 5's chance is worth as it stands."""
    desk = EnvMatch("atlandice", 2, {}, None)
    desk.begin(int(np.random.default_rng(5).integers(2**62)))
    for action in choices:
        desk.play_action(action)
    return REWARDS[reward](desk.state)


@pytest.mark.parametrize("reward", REWARDS)
def test_agents_that_take_turns_are_cut_at_the_horizon(reward: str) -> None:
    turns = raw_env("atlandice", players=2, reward=reward, horizon=HORIZON)
    turns.reset(seed=5)
    choices: list[int] = []
    while not any(turns.truncations.values()):
        assert turns.rewards == {"seat_0": 0, "seat_1": 0}
        choices.append(int(turns.action_space(turns.agent_selection).sample()))
        turns.step(choices[-1])
    assert len(choices) == HORIZON
    assert not any(turns.terminations.values())
    assert list(turns.rewards.values()) == standings(choices, reward)


def test_a_seat_against_bots_is_cut_at_the_horizon() -> None:
    one = SeatEnv("atlantis", players=2, opponents="random", horizon=20, reward="score")
    observation, _ = one.reset(seed=1)
    one.action_space.seed(1)
    over = cut = False
    reward = 0.0
    while not (over or cut):
        assert reward == 0
        action = one.action_space.sample(observation["action_mask"])
        observation, reward, over, cut, _ = one.step(action)
    assert (over, cut, one.desk.choices) == (False, True, 20)
    assert reward == REWARDS["score"](one.desk.state)[0]


def play_batch(matches: MatchVectorEnv, steps: int) -> list[Any]:
    """What each step ended: match, how, the rewards of all seats, and that of whoever chose."""
    matches.reset(seed=3)
    found: list[Any] = []
    for step in range(steps):
        actor = matches.actor.copy()
        _, rewards, over, cut, info = matches.step(matches.random_actions)
        for i in np.flatnonzero(over | cut):
            assert rewards[i] == info["seat_rewards"][i][actor[i]]
            found.append((step, int(i), bool(over[i]), [float(one) for one in info["seat_rewards"][i]]))
        assert not rewards[~(over | cut)].any()
    return found


@pytest.mark.parametrize("mode", [AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP])
def test_a_batch_is_cut_at_the_horizon(mode: AutoresetMode) -> None:
    ended = play_batch(MatchVectorEnv("atlandice", 3, 2, horizon=HORIZON, autoreset_mode=mode), 80)
    period = HORIZON + (mode == AutoresetMode.NEXT_STEP)
    assert [(step, i, over) for step, i, over, _ in ended] == [
        (step, i, False) for step in (HORIZON - 1, HORIZON - 1 + period) for i in range(3)
    ]
    assert all(sum(rewards) == pytest.approx(0) for *_, rewards in ended)


def test_a_batch_that_is_cut_waits_for_its_reset_where_it_is_asked_to() -> None:
    matches = MatchVectorEnv("atlandice", 2, 2, horizon=3, autoreset_mode=AutoresetMode.DISABLED)
    matches.reset(seed=1)
    for _ in range(3):
        *_, cut, _ = matches.step(matches.random_actions)
    assert cut.all()
    with pytest.raises(ValueError, match="match 0 is over: reset it"):
        matches.step(matches.random_actions)
    matches.reset(options={"reset_mask": np.array([True, True])})
    *_, cut, _ = matches.step(matches.random_actions)
    assert not cut.any()


@pytest.mark.parametrize("mode", list(AutoresetMode)[:2])
@pytest.mark.parametrize("reward", ["share", "rank", "score"])
def test_rewards_of_a_batch_are_those_of_the_final_positions(reward: str, mode: AutoresetMode) -> None:
    matches = MatchVectorEnv("atlantis", 4, 3, reward=reward, autoreset_mode=mode)
    matches.reset(seed=2)
    checked = 0
    for _ in range(300):
        actions = matches.random_actions.copy()
        before = [state.copy() for state in matches.batch.states]
        rngs = copy.deepcopy(matches.batch.rngs)
        _, _, over, _, info = matches.step(actions)
        for i in np.flatnonzero(over):
            state, rng = before[i], rngs[i]
            state.apply(int(actions[i]))
            while state.actor == CHANCE:
                state.apply(state.sample_chance(rng))
            assert state.actor == OVER
            assert info["seat_rewards"][i].tolist() == pytest.approx(REWARDS[reward](state))
            checked += 1
            if mode == AutoresetMode.SAME_STEP:
                assert matches.batch.states[i].actor >= 0
    assert checked >= 4


def test_a_batch_with_the_usual_reward_and_a_horizon_beyond_its_matches_plays_the_same() -> None:
    usual = play_batch(MatchVectorEnv("atlandice", 3, 2, threads=0), 1)
    assert usual == play_batch(MatchVectorEnv("atlandice", 3, 2, horizon=10_000), 1)
    copied = copy.deepcopy(MatchVectorEnv("atlandice", 3, 2, horizon=HORIZON))
    assert play_batch(copied, 40) == play_batch(MatchVectorEnv("atlandice", 3, 2, horizon=HORIZON), 40)


def test_processes_refuse_what_they_do_not_know() -> None:
    with pytest.raises(ValueError, match="reward and horizon"):
        SharedMatchVectorEnv("atlandice", 2, 2, processes=1, horizon=3)


@pytest.mark.parametrize("name", ["survive", "atlantis", "atlandice"])
def test_parallel_agents_pass_the_seed_test_without_an_illegal_choice(
    name: str, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    parallel_seed_test(lambda: parallel_env(name), num_cycles=30)
    said = capfd.readouterr()
    assert "llegal" not in said.out + said.err + caplog.text
    agents = parallel_env(name)
    agents.reset(seed=1)
    for _ in range(30):  # without a mask whoever acts draws a legal action, so the match goes on
        _, _, terminations, _, _ = agents.step({a: agents.action_space(a).sample() for a in agents.agents})
        assert not any(terminations.values())


def test_a_batch_is_split_by_seat() -> None:
    players, steps = 3, 400
    matches = MatchVectorEnv("atlantis", 3, players)
    matches.reset(seed=1)
    actor, ended = np.zeros((steps, 3), np.int64), np.zeros((steps, 3), np.bool_)
    rewards = np.zeros((steps, 3, players))
    for step in range(steps):
        actor[step] = matches.actor
        _, _, over, cut, info = matches.step(matches.random_actions)
        ended[step], rewards[step] = over | cut, info["seat_rewards"]
    found = split_by_seat(actor, ended, rewards)
    every = sorted((int(step), one.match) for one in found for step in one.steps)
    assert every == [(step, i) for step in range(steps) for i in range(3)], "each choice once"
    for one in found:
        assert (actor[one.steps, one.match] == one.seat).all()
        assert not ended[one.steps[:-1], one.match].any() or one.complete
    whole = [one for one in found if one.complete]
    assert sum(one.reward for one in whole) == pytest.approx(0)
    assert len({one.match for one in whole}) == 3
    with pytest.raises(ValueError, match="steps and matches differ"):
        split_by_seat(actor, ended[1:], rewards)

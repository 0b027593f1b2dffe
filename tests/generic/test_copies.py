"""Copies of positions, matches and environments: `copy`, `deepcopy` and `pickle`. Each plays on like its original, and
neither changes the other."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest

import landfall
from landfall.core.rng import Rng, SystemRng
from landfall.core.state import CHANCE
from landfall.game_checks.position_checks import random_game_length
from landfall.games import BUILT_IN_GAMES, GAME_NAMES
from landfall.games import game as find_game
from landfall.lab.environments.gymnasium import ENV_IDS, SeatEnv
from landfall.lab.environments.pettingzoo import env, parallel_env, raw_env
from landfall.lab.environments.vector import MatchVectorEnv, SharedMatchVectorEnv

Copy = Callable[[Any], Any]


def through_pickle(it: Any) -> Any:
    return pickle.loads(pickle.dumps(it))


COPIES: list[Copy] = [copy.copy, copy.deepcopy, through_pickle]
WAYS = pytest.mark.parametrize("way", COPIES, ids=["copy", "deepcopy", "pickle"])


def state_after(name: str, steps: int) -> landfall.State:
    state, rng = find_game(name).new(find_game(name).player_counts[-1]), Rng(5)
    state.events = []
    return play_state(state, rng, steps)


def play_state(state: landfall.State, rng: Rng, steps: int) -> landfall.State:
    for _ in range(steps):
        if state.actor == CHANCE or state.actor >= 0:
            state.apply(state.sample_chance(rng) if state.actor == CHANCE else state.random_action(rng))
    return state


@WAYS
@pytest.mark.parametrize("name", GAME_NAMES)
def test_a_state_is_copied_with_its_events(name: str, way: Copy) -> None:
    state = state_after(name, random_game_length(name) // 2)
    before, events = state.to_bytes(), [(e.public, e.private, e.secret) for e in state.events or []]
    twin = way(state)
    assert type(twin) is type(state)
    assert twin.to_bytes() == before
    assert [(e.public, e.private, e.secret) for e in twin.events or []] == events
    assert len(events) > 0, "no event in half a match: `apply` calls record_event, so that players read what happened"
    play_state(twin, Rng(9), 12)
    assert state.to_bytes() == before, "the copy changed its original"
    assert len(state.events or []) == len(events)
    play_state(state, Rng(9), 12)
    assert state.to_bytes() == twin.to_bytes() != before
    assert [e.public for e in state.events or []] == [e.public for e in twin.events or []]


@WAYS
def test_a_state_that_records_no_events_records_none_as_a_copy(way: Copy) -> None:
    assert way(find_game("atlandice").new(2)).events is None


@WAYS
@pytest.mark.parametrize("name", GAME_NAMES)
def test_a_match_is_copied_with_its_log_and_its_chance(name: str, way: Copy) -> None:
    players = find_game(name).player_counts[0]
    match, draws = landfall.Match(name, players, seed=4), Rng(1)

    def play(one: landfall.Match, rng: Rng, times: int) -> int:
        for played in range(times):
            if not one.legal_actions():
                return played
            one.play(one.legal_actions()[int(rng.randbelow(len(one.legal_actions())))])
        return times

    choices = play(landfall.Match(name, players, seed=4), Rng(1), 21)  # fewer in a short game
    play(match, draws, choices * 12 // 21)
    before = match.record()
    twin = way(match)
    assert twin.record() == before
    play(twin, copy.copy(draws), 9)
    after = twin.record()
    assert match.record() == before, "the copy changed its original"
    play(match, draws, 9)
    assert match.record() == after != before
    twin.undo()
    assert len(twin.log) < len(match.log)


@WAYS
def test_generators_continue_and_the_system_s_is_never_repeated(way: Copy) -> None:
    rng = Rng(3)
    rng.randbelow(6)
    twin = way(rng)
    assert [int(twin.randbelow(1000)) for _ in range(9)] == [int(rng.randbelow(1000)) for _ in range(9)]
    system = way(SystemRng())
    assert len({int(system.randbelow(1 << 30)) for _ in range(9)}) > 1
    assert way(landfall.game("survive")) is landfall.game("survive")


def play_seat(one: Any, steps: int) -> list[Any]:
    """Play by the mask, always the last legal action; a new match after each."""
    seen: list[Any] = []
    observation = one.unwrapped.desk.observe(one.unwrapped.seat)
    for _ in range(steps):
        observation, reward, over, _, _ = one.step(int(np.flatnonzero(observation["action_mask"])[-1]))
        seen += [observation["observation"].tobytes(), reward, over]
        if over:
            observation, _ = one.reset()
    return seen


@pytest.mark.once
@WAYS
@pytest.mark.parametrize("name", BUILT_IN_GAMES)
def test_a_seat_s_environment_is_copied_in_the_middle_of_a_match(name: str, way: Copy) -> None:
    one = SeatEnv(name, 2, opponents="greedy")
    one.reset(seed=2)
    play_seat(one, 12)
    before = one.desk.state.to_bytes()
    twin = way(one)
    after = play_seat(twin, 30)
    assert one.desk.state.to_bytes() == before, "the copy changed its original"
    assert play_seat(one, 30) == after


@pytest.mark.once
def test_an_environment_from_gymnasium_s_registry_is_copied() -> None:
    one = gymnasium.make(ENV_IDS["atlandice"], players=2, opponents="random")
    one.reset(seed=2)
    for way in (copy.deepcopy, through_pickle):
        twin = way(one)
        assert play_seat(twin, 5) == play_seat(way(one), 5)


def play_turns(one: Any, steps: int) -> list[Any]:
    seen: list[Any] = []
    for _ in range(steps):
        observation, reward, over, _, _ = one.last()
        if over:
            one.reset()
            observation = one.last()[0]
        seen += [observation["observation"].tobytes(), reward, over, one.agent_selection]
        one.step(int(np.flatnonzero(observation["action_mask"])[-1]))
    return seen


@pytest.mark.once
@WAYS
@pytest.mark.parametrize("name", BUILT_IN_GAMES)
def test_agents_that_take_turns_are_copied(name: str, way: Copy) -> None:
    one = raw_env(name, 2)
    one.reset(seed=2)
    play_turns(one, 12)
    before = one.desk.state.to_bytes()
    twin = way(one)
    after = play_turns(twin, 40)
    assert one.desk.state.to_bytes() == before, "the copy changed its original"
    assert play_turns(one, 40) == after


@pytest.mark.once
@WAYS
def test_the_wrapped_environments_are_copied(way: Copy) -> None:
    one = env("atlandice", 2)
    one.reset(seed=2)
    after = play_turns(way(one), 10)
    assert play_turns(one, 10) == after
    both = parallel_env("atlandice", 2)
    both.reset(seed=2)
    before = both.unwrapped.desk.state.to_bytes()
    twin = way(both)
    actor = twin.agents[0]
    twin.step({actor: int(np.flatnonzero(twin.unwrapped.observe(actor)["action_mask"])[0])})
    assert twin.unwrapped.desk.state.to_bytes() != before
    assert both.unwrapped.desk.state.to_bytes() == before, "the copy changed its original"


def step_all(many: MatchVectorEnv, steps: int) -> list[bytes]:
    seen: list[bytes] = []
    for _ in range(steps):
        observations, rewards, over, _, info = many.step(many.random_actions)
        seen += [observations.tobytes(), rewards.tobytes(), over.tobytes(), info["action_mask"].tobytes()]
    return seen


@WAYS
@pytest.mark.parametrize("name", BUILT_IN_GAMES)
def test_many_matches_are_copied(name: str, way: Copy) -> None:
    many = MatchVectorEnv(name, 3, 2, threads=0)
    many.reset(seed=6)
    step_all(many, 60)
    before = [state.to_bytes() for state in many.batch.states]
    twin = way(many)
    after = step_all(twin, 60)
    assert [state.to_bytes() for state in many.batch.states] == before, "the copy changed its original"
    assert step_all(many, 60) == after
    way(MatchVectorEnv(name, 3, 2)).reset(seed=1)  # before its first reset, too


@pytest.mark.proof
@pytest.mark.once
def test_matches_in_several_processes_are_copied() -> None:
    many = SharedMatchVectorEnv("atlandice", 4, 2, processes=2)
    many.reset(seed=6)
    step_all(many, 20)
    twin = copy.deepcopy(many)
    try:
        after = step_all(twin, 40)
        assert step_all(many, 40) == after
    finally:
        many.close()
        twin.close()

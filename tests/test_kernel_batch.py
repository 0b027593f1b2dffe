"""A kernel's batch is the engine's: the same seeds, the same matches, whatever the threads and the mode."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

import landfall
from landfall.core.match_batch import DISABLED, NEXT_STEP, SAME_STEP, MatchBatch
from landfall.games import BUILT_IN_GAMES
from landfall.games.observation_and_feature_layouts import tensor_layout
from landfall.kernels.host import HostKernel, build_kernel, find_compiler, load_kernel
from landfall.lab.environments import kernel_batch
from landfall.lab.environments.kernel_batch import KernelBatch
from landfall.lab.environments.vector import arrays_of
from tests.conftest import lacking

FAST_BUILD = ("-O1", "-fwrapv", "-fPIC", "-shared", "-w")
STEPS = 220 if landfall.ENGINE == "compiled" else 60


@pytest.fixture(scope="module")
def kernels(tmp_path_factory: pytest.TempPathFactory) -> dict[str, HostKernel]:
    if find_compiler() is None:
        lacking("a C compiler")
    folder = tmp_path_factory.mktemp("kernels")
    return {name: build_kernel(landfall.game(name), folder, FAST_BUILD) for name in BUILT_IN_GAMES}


def assert_equal(one: KernelBatch, other: MatchBatch) -> None:
    mine, theirs = arrays_of(one), arrays_of(other)
    for name in mine.keys() - {"final"}:
        assert np.array_equal(mine[name], theirs[name]), name
    for i in other.ends:
        if other.autoreset == SAME_STEP:
            assert np.array_equal(mine["final"][i], theirs["final"][i])
    assert one.legal.tolist() == [int(action) for action in other.legal][: int(other.offsets[other.matches])]


@pytest.mark.parametrize("game", BUILT_IN_GAMES)
@pytest.mark.parametrize(("autoreset", "threads"), [(SAME_STEP, 1), (SAME_STEP, 3), (NEXT_STEP, 2), (DISABLED, 2)])
def test_a_kernels_batch_is_the_engines(
    game: str, autoreset: int, threads: int, kernels: dict[str, HostKernel]
) -> None:
    start = landfall.new(game, 2)
    one = KernelBatch(kernels[game], start, 7, 3, int(autoreset), threads)
    other = MatchBatch(start, tensor_layout(game), 7, 3, int(autoreset))
    ended = 0
    for _ in range(STEPS):
        assert_equal(one, other)
        over = [i for i in range(7) if other.choices[i] == 0]
        if autoreset == DISABLED and over:
            one.reset(over, 5)
            other.reset(over, 5)
            assert_equal(one, other)
        actions = [int(action) for action in other.drawn]
        one.step(np.array(actions))
        other.step(actions)
        ended += len(other.ends)
    if landfall.ENGINE == "compiled":
        assert ended > 0


def test_an_illegal_action_is_named_and_nothing_changes(kernels: dict[str, HostKernel]) -> None:
    batch = KernelBatch(kernels["atlantis"], landfall.new("atlantis", 3), 4, 1, int(SAME_STEP), 1)
    actions = batch.at["drawn"].copy()
    before = batch.at["positions"].copy()
    actions[2] = 180
    with pytest.raises(ValueError, match="match 2: 180 is no choice of seat 0"):
        batch.step(actions)
    with pytest.raises(ValueError, match="4 actions are needed, one a match, not 3"):
        batch.step(actions[:3])
    assert np.array_equal(batch.at["positions"], before)


def test_a_pickled_batch_plays_on(kernels: dict[str, HostKernel], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_batch, "load_kernel", kernels.get)
    batch = KernelBatch(kernels["atlandice"], landfall.new("atlandice", 3), 5, 1, int(SAME_STEP), 2)
    for _ in range(30):
        batch.step(batch.at["drawn"])
    twin = pickle.loads(pickle.dumps(batch))
    for _ in range(30):
        batch.step(batch.at["drawn"])
        twin.step(twin.at["drawn"])
    for name, array in batch.arrays().items():
        assert np.array_equal(array, twin.arrays()[name]), name


def test_a_built_kernel_is_found_and_one_of_other_sources_is_not(
    tmp_path: Path, kernels: dict[str, HostKernel]
) -> None:
    build_kernel(landfall.game("atlandice"), tmp_path, FAST_BUILD)
    found = load_kernel("atlandice", tmp_path)
    assert found is not None
    start = landfall.new("atlandice", 4)
    assert found.play_matches(start, [1, 2]) == kernels["atlandice"].play_matches(start, [1, 2])
    load_kernel.cache_clear()
    described = tmp_path / "atlandice.json"
    described.write_text(described.read_text().replace('"of": "', '"of": "0'))
    assert load_kernel("atlandice", tmp_path) is None
    assert load_kernel("survive", tmp_path) is None

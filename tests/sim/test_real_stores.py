"""Worlds on the real SQL stores, with faults before them. More: `python -m tests.sim.real_store_world`."""

from __future__ import annotations

import pytest

from tests.sim.planted_store_faults import PLANTS, find_by_world
from tests.sim.real_store_world import LEAST_ACKNOWLEDGED, live_through_real_world

pytestmark = pytest.mark.once


def test_a_world_on_sqlite_is_sound() -> None:
    counts = live_through_real_world(1, None)
    assert counts["ack"] > LEAST_ACKNOWLEDGED
    assert counts["deleted tables"] == 1


def test_a_world_on_postgresql_is_sound(postgres: str) -> None:
    assert live_through_real_world(1, postgres)["ack"] > LEAST_ACKNOWLEDGED


@pytest.mark.proof
@pytest.mark.parametrize("seed", range(2, 22))
def test_more_worlds_are_sound(seed: int, postgres: str) -> None:
    live_through_real_world(seed, None)
    live_through_real_world(seed, postgres)


@pytest.mark.proof
@pytest.mark.parametrize("name", PLANTS)
def test_a_planted_fault_is_found(name: str, postgres: str) -> None:
    is_sqlite, patches = PLANTS[name]
    address = None if is_sqlite else postgres
    assert any(find_by_world(seed, address, patches) is not None for seed in range(10))

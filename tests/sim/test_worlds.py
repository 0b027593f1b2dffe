"""A few hundred simulated worlds; `make proof` lives through 60,000. A seed that fails is a complete report:
`python -m tests.sim SEED --processes N [--calm]` lives through it again."""

import asyncio
import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sim.planted_faults import PLANTS
from tests.sim.regression_seeds import KEPT, Kept
from tests.sim.simulated_world import World, check_worlds_sound, live_through_world
from tests.sim.virtual_loop import Stuck, VirtualLoop

pytestmark = pytest.mark.once
CHUNK = 10
SEEDS = 40  # for each number of processes
SLOWLY_FOUND = ("forced answers whose moment tells", "who has moved is called", "two processes take one notice")
FAULTS = [
    "adopted before the commit",
    "acknowledged before the commit",
    "who goes interrupts a write that was adopted",
    "a failed write is believed",
    "what others wrote is not told",
    "a choice sent again is not known",
    "onlookers see the first seat's hand",
    "the lease is never given back",
    "who could not be welcomed stays",
    "a half-open link is waited for without end",
    "who is seated still looks for a table",
    "nobody is tried who looks for a table",
    *(pytest.param(name, marks=pytest.mark.proof) for name in SLOWLY_FOUND),
]


@pytest.mark.parametrize(("processes", "first"), [(n, first) for n in (1, 2, 3) for first in range(0, SEEDS, CHUNK)])
def test_worlds_are_sound(processes: int, first: int) -> None:
    lived = check_worlds_sound(first, CHUNK, processes)
    assert lived["worlds"] == CHUNK
    assert lived["entries"] > 5 * CHUNK


@pytest.mark.parametrize("kept", KEPT, ids=lambda kept: f"{kept.seed}-{kept.processes}")
def test_what_was_broken_stays_mended(kept: Kept) -> None:
    verdict = live_through_world(kept.seed, kept.processes, kept.calm)
    assert not verdict.broken, "\n".join((*verdict.trace[-40:], str(verdict), f"once: {kept.why}"))


def test_every_fault_has_something_to_replace() -> None:
    lacking = [
        f"{plant.what}: {name}"
        for plant in PLANTS.values()
        for where, name, _ in ((plant.where, plant.name, plant.instead), *plant.more)
        if not hasattr(where, name)
    ]
    assert lacking == []


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_found(name: str) -> None:
    assert PLANTS[name].found(most=30) is not None


def hash_worlds() -> str:
    """Everything that happened in some worlds, in its order."""
    lines = [line for seed in (5, 9) for line in live_through_world(seed, 2, traced=True).trace]
    return f"{len(lines)} {hashlib.blake2b(repr(lines).encode()).hexdigest()}"


@pytest.mark.proof
def test_a_seed_is_the_same_world_in_another_process() -> None:
    found = set()
    for salt in ("1", "2"):  # the order of sets is another one, and so are addresses
        environment = {**os.environ, "PYTHONHASHSEED": salt, "PYTHONPATH": os.pathsep.join(sys.path)}
        code = [sys.executable, "-c", "from tests.sim.test_worlds import hash_worlds; print(hash_worlds())"]
        where = Path(__file__).parents[2]
        run = subprocess.run(code, env=environment, cwd=where, capture_output=True, text=True, check=True)
        found.add(run.stdout)
    assert len(found) == 1
    assert int(found.pop().split()[0]) > 100


class HalfOpenLease(World):
    """A process lets a table go while its link is half-open, and needs the database for nothing else afterwards."""

    waited = 0.0

    async def story(self) -> None:
        left, right = self.processes
        for process in self.processes:
            await process.spawn(process.store.database.open_and_migrate())
        assert await left.spawn(left.store.database.try_acquire_bot_lease("table"))
        left.store.get_stuck(4, for_new=True, loses_held=True)
        await left.spawn(left.store.database.release_bot_lease("table"))
        begun = self.loop.time()
        while not await right.spawn(right.store.database.try_acquire_bot_lease("table")) and self.waited < 60:
            await self.later(0.1)
            self.waited = self.loop.time() - begun


def test_a_lease_on_a_half_open_link_is_soon_another_process_s() -> None:
    world = HalfOpenLease(1, 2, calm=True)
    assert not world.live().broken
    assert 0 < world.waited < 5


def test_a_deadlock_is_reported_and_an_hour_costs_nothing() -> None:
    loop = VirtualLoop()
    try:
        loop.run_until_complete(asyncio.sleep(3600))
        assert 3600 <= loop.time() < 3601
        with pytest.raises(Stuck):
            loop.run_until_complete(loop.create_future())
    finally:
        loop.close()

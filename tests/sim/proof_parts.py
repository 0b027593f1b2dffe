"""The worlds' full counts, as parts of `python -m tests.proof`. They mix all games, so they run under one name only."""

from __future__ import annotations

from functools import partial

from tests.server.proof_parts import Part, once
from tests.sim.simulated_world import sound

SEEDS = 20_000  # for each number of processes
CHUNK = 50


def do_worlds(processes: int, name: str, job: int) -> dict[str, int]:
    return dict(sound(job * CHUNK, CHUNK, processes))


PARTS = {f"server-worlds-{n}": Part(once(SEEDS // CHUNK), partial(do_worlds, n)) for n in (1, 2, 3)}

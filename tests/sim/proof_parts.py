"""The worlds' full counts, as parts of `python -m tests.proof`. They mix all games, so they run under one name only."""

from __future__ import annotations

from functools import partial

from tests.server.proof_parts import Part, only_under_first_game
from tests.sim.simulated_world import check_worlds_sound

SEEDS = 20_000  # for each number of processes
CHUNK = 50


def live_through_worlds_of_job(processes: int, name: str, job: int) -> dict[str, int]:
    return dict(check_worlds_sound(job * CHUNK, CHUNK, processes))


PARTS = {
    f"server-worlds-{n}": Part(only_under_first_game(SEEDS // CHUNK), partial(live_through_worlds_of_job, n))
    for n in (1, 2, 3)
}

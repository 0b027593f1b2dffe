"""How fast things are in a world, and what goes wrong in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.sim.simulated_world import World
DAY = 300_000  # milliseconds: days are short here, for what waits asks again and again meanwhile


@dataclass
class Faults:
    """How likely each thing goes wrong."""

    writes: float = 0  # a commit fails
    after: float = 0  # of those, that it is there all the same
    reads: float = 0
    workers: float = 0
    news: float = 0  # doubled
    cancels: float = 0  # handlers, in the middle of something
    blows: tuple[str, ...] = ()  # what comes now and then: kill, restart, away, full, deaf, blind, leases, clock;
    # half_open, hang (of a disk), freeze (of a process), retention, deletion (of an account), sign_out, workers


@dataclass
class Setting:
    """How fast things are in this world."""

    pace: int
    hold: int
    forced: int
    grace: int
    tick: int
    thinking: float
    workers: int


def draw_world_setting(world: World) -> Setting:
    chance = world.chance
    hold = chance.choice([0, 100, 800])
    return Setting(
        pace=chance.choice([100, 400, 700, 700]),
        hold=hold,
        forced=world.stream("forced").choice([150, 600, 60_000]),
        grace=chance.choice([300, 800, 3000]) + hold,  # an answer that is held finds its table still there
        tick=chance.choice([1000, 15_000]),
        thinking=chance.choice([0.2, 2.0]),
        workers=chance.choice([1, 1, 2]),
    )


def draw_skews(world: World, processes: int) -> list[int]:
    """How wrong each machine's wall clock is, in milliseconds."""
    chance = world.stream("skew")
    if world.calm or chance.random() < 0.6:
        return [0] * processes
    return [chance.choice([0, -60_000, -3000, -200, 200, 3000, 60_000]) for _ in range(processes)]


def draw_faults(world: World) -> Faults:
    """Some of all faults; in a calm world none."""
    if world.calm:
        return Faults()
    chance = world.chance
    rate = chance.choice([0.02, 0.1, 0.3])
    some = [name for name in ("writes", "reads", "workers", "news", "cancels") if chance.random() < 0.4]
    rates = dict.fromkeys(some, rate)
    if "reads" in rates:
        rates["reads"] = rate / 2
    if "workers" in rates:
        rates["workers"] = chance.choice([0.1, 0.4])
    blows = [
        b
        for b in ("kill", "kill", "restart", "away", "full", "deaf", "deaf", "leases", "clock")
        if chance.random() < 0.3
    ]
    after = chance.choice([0, 0.3, 1])
    if world.shared and world.stream("blind").random() < 0.3:
        blows.append("blind")
    newer = world.stream("newer blows")
    link = "half_open" if world.shared else "hang"
    for blow in (link, link, "freeze", "retention", "deletion", "deletion", "sign_out", "workers"):
        if newer.random() < 0.2:
            blows.append(blow)
    return Faults(**rates, after=after, blows=tuple(blows))

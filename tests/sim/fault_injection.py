"""Blows: what comes now and then from outside, and what comes at the worst moment."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from tests.sim.simulated_disk import DiskError
from tests.sim.simulated_process import EPOCH, Process

if TYPE_CHECKING:
    from tests.sim.simulated_world import World


LEASE_NOTED_S = 4.0  # after a table was opened, or a question failed, until its lease is written for certain


class Blows:
    """Processes that die or close, a disk that goes away, clocks that are set."""

    def __init__(self, world: World) -> None:
        self.world = world

    async def strike(self, blow: str) -> None:
        """One kind of trouble, now and then."""
        chance = self.world.stream(f"blow {blow}")
        while self.world.active:
            await self.world.later(chance.uniform(0.3, 6))
            if self.world.active:
                process = chance.choice(self.world.processes)
                await getattr(self, f"blow_{blow}")(chance, process)

    async def blow_kill(self, chance: random.Random, process: Process) -> None:
        if process.alive and not process.closing:
            self.kill(process, chance.uniform(0.1, 2))

    def kill(self, process: Process, pause: float) -> None:
        self.world.watchdog_slept(process)
        self.world.kills += 1
        process.kill()
        self.world.loop.call_later(pause, self.begin_again, process)

    def begin_again(self, process: Process) -> None:
        """A new process takes the place of one that is gone."""
        number = process.number
        if self.world.processes[number] is not process:
            return
        self.world.lives[number] += 1
        self.world.dead.append(process)
        new = self.world.processes[number] = Process(self.world, number, self.world.lives[number])
        self.world.note(new.name, "begins")
        new.spawn(new.open())

    async def blow_restart(self, chance: random.Random, process: Process) -> None:
        if process.alive and not process.closing:
            self.world.watchdog_slept(process)
            closing = process.spawn(process.close())
            pause = chance.uniform(0.01, 1)
            for _ in range(600):
                await self.world.later(0.2)
                if closing.done():
                    break
            if process.alive and self.world.processes[process.number] is process:
                self.world.broken("left over", f"{process.name} does not close")
            error = closing.exception() if closing.done() and not closing.cancelled() else None
            if error is not None and not isinstance(error, DiskError):
                told = error if isinstance(error, Exception) else None
                self.world.broken("an error", f"closing: {error!r}", told)
            await self.world.later(pause)
            self.begin_again(process)

    async def blow_away(self, chance: random.Random, process: Process) -> None:
        self.world.disk.go_away(chance.choice([0.2, 1, 4]))

    async def blow_full(self, chance: random.Random, process: Process) -> None:
        self.world.note("disk", "full")
        self.world.disk.full_until = self.world.loop.time() + chance.choice([0.2, 1, 5])

    async def blow_deaf(self, chance: random.Random, process: Process) -> None:
        self.world.note(process.name, "hears nothing for a while")
        process.store.lose_listener(chance.choice([0.05, 1, 5]))

    async def blow_blind(self, chance: random.Random, process: Process) -> None:
        self.world.note(process.name, "can read no log for a while")
        process.store.blind_until = self.world.loop.time() + chance.choice([0.2, 1, 5])

    async def blow_leases(self, chance: random.Random, process: Process) -> None:
        self.world.note(process.name, "loses its leases")
        process.store.lose_leases()

    async def blow_half_open(self, chance: random.Random, process: Process) -> None:
        loses, for_new = chance.random() < 0.5, chance.random() < 0.5
        process.store.get_stuck(chance.choice([0.5, 4, 8]), for_new, loses)

    async def blow_hang(self, chance: random.Random, process: Process) -> None:
        self.world.note("disk", "hangs")
        self.world.disk.hangs_until = self.world.loop.time() + chance.choice([1, 4, 8])

    async def blow_freeze(self, chance: random.Random, process: Process) -> None:
        if process.alive and not process.closing and not process.is_frozen:
            process.freeze(chance.choice([0.1, 1, 5]))

    async def blow_retention(self, chance: random.Random, process: Process) -> None:
        """A host deletes old tables, by a clock of their own."""
        now = EPOCH + round(self.world.loop.time() * 1000)
        age = chance.choice([500, 2000, 5000])
        open_before = [(one, table) for one in self.world.processes for table in one.hub.live_tables]
        deleted = set(self.world.disk.delete_tables(now - age, now))
        for one, table in open_before:
            if table in deleted and self.has_long_been_open(one, table):
                self.world.broken("retention", f"{table} was deleted, and {one.name} has it open")

    def has_long_been_open(self, process: Process, table: str) -> bool:
        """Whether a process had the time to say that it has a table open."""
        since = process.hub.live_tables[table].time_origin[1] / 1000
        quiet_since = max(since, process.store.troubled, process.began)
        return process.alive and not process.is_frozen and self.world.loop.time() - quiet_since > LEASE_NOTED_S

    async def blow_deletion(self, chance: random.Random, process: Process) -> None:
        """Somebody deletes their account."""
        some = [person for person in self.world.people if person.seated and not person.is_deleted]
        if len(some) > 1:
            chance.choice(some).delete_account()

    async def blow_sign_out(self, chance: random.Random, process: Process) -> None:
        """Somebody signs out on one device."""
        some = [person for person in self.world.people if person.pages and person.id is not None]
        if some:
            chance.choice(some).sign_out_one()

    async def blow_workers(self, chance: random.Random, process: Process) -> None:
        """Workers die, whatever they do."""
        self.world.note(process.name, "workers die")
        process.lose_workers(chance)

    async def blow_clock(self, chance: random.Random, process: Process) -> None:
        hours = [] if "retention" in self.world.faults.blows else [-3_600_000]  # a lease lasts for minutes
        self.world.wall += chance.choice([*hours, -60_000, -5000, -500, 500, 5000, 60_000])
        self.world.note("clock", f"wrong by {self.world.wall / 1000} s")

    def trip(self, what: str, process: Process) -> None:
        """A process is about to write, read or take a lease: the moment for others to do the wrong thing."""
        if not self.world.active:
            return
        chance = process.chance
        if chance.random() < 0.12:
            looking = [person for person in self.world.people if not person.seated and person.pages]
            for person in looking:
                if chance.random() < 0.5:
                    self.world.loop.call_later(chance.uniform(0, 0.02), person.wander, person.pages[0])
            someone = chance.choice(self.world.people)
            if someone.pages and chance.random() < 0.3:
                self.world.loop.call_later(chance.uniform(0, 0.02), someone.pages[0].cut)
        if chance.random() < self.world.faults.cancels * 0.3 and process.lines:
            line = chance.choice(sorted(process.lines, key=lambda line: line.page.name))
            self.world.loop.call_later(chance.uniform(0, 0.02), line.cancel)
        if "kill" in self.world.faults.blows and chance.random() < 0.01:
            self.world.loop.call_later(chance.uniform(0, 0.03), self.kill_soon, process, chance.uniform(0.1, 2))

    def left_alone(self, process: Process) -> None:
        """A table that nobody is at will be put away: the moment to come back, for who was there."""
        empty = [table for table, live in process.hub.live_tables.items() if not live.subscribers]
        away = [person for person in self.world.people if person.table in empty and person.seated]
        if self.world.active and away and process.chance.random() < 0.8:
            process.chance.choice(away).slip_in()

    def kill_soon(self, process: Process, pause: float) -> None:
        if self.world.active and process.alive and not process.closing and process in self.world.processes:
            self.kill(process, pause)

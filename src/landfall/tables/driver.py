"""What moves a table when no person does: bots, stand-ins, clocks, and the pause of a table nobody is at."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

from landfall.tables import rulings
from landfall.tables.clocks import DAYS, LIVE
from landfall.tables.levels import STAND_IN
from landfall.tables.room import Conflict, Room
from landfall.tables.table import OUT_OF_TIME, PACES, PLAYING
from landfall.tables.thinkers import asked

if TYPE_CHECKING:
    from landfall.tables.house import House

RETRY = 1000  # milliseconds until this process asks again whether it may drive


class Driver:
    """At most one task a table waits for its next move by a bot or a clock."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.tasks: dict[str, tuple[int, asyncio.Task[None]]] = {}
        self.pauses: dict[str, asyncio.Task[None]] = {}

    def drive(self, room: Room) -> None:
        """Called after every change: see to it that the next thing happens."""
        table = room.table
        running = self.tasks.get(table.id)
        wanted = self.awake(room) and table.actor is not None and not table.paused
        if running is not None:
            if wanted and running[0] == table.seq and not running[1].done():
                return
            if running[1] is not asyncio.current_task():
                running[1].cancel()
            del self.tasks[table.id]
        if not wanted or table.actor is None:
            return
        if not table.chairs[table.actor].plays_itself:
            work = self.let_bot_play(room, table.seq)
        elif table.clocks.deadline() is not None:
            work = self.wait_for_clock(room, table.seq)
        else:
            return
        self.tasks[table.id] = table.seq, self.house.spawn(work)

    def awake(self, room: Room) -> bool:
        """A table nobody is at waits, but for one by days."""
        return bool(room.watchers) or room.table.terms.clock.mode == DAYS

    async def wheel(self, room: Room, seq: int) -> bool:
        """Wait until this process is the table's driver; False if meanwhile something happened."""
        while room.table.seq == seq:
            if await self.house.store.take_the_wheel(room.table.id):
                return room.table.seq == seq
            await self.house.means.time.sleep(RETRY)
        return False

    async def let_bot_play(self, room: Room, seq: int) -> None:
        """One choice of a bot or stand-in, not sooner than people can follow, and never told by its speed."""
        if not await self.wheel(room, seq):
            return
        table, means = room.table, self.house.means
        seat, match = table.actor, table.match
        assert seat is not None
        assert match is not None
        question = asked(match, seat, table.chairs[seat].bot or STAND_IN, means, match.state.hushed())
        pace = int(means.pace * PACES[table.pace])
        until = table.asked_at + max(pace, means.hold if match.state.hushed() else 0)
        action = await self.house.thinkers.choose(question, f"{table.terms.owner} {table.id}")
        if until > means.time.now():
            await means.time.sleep(until - means.time.now())
        async with room.lock:
            if room.table.seq != seq or table.actor != seat:
                return
            if match.state.why_not(action, seat) is not None:  # a bot's mistake must not stop the match
                action = int(match.state.resample(seat, means.rng).random_action(means.rng))
            draft, after = rulings.played(match, seat, action, means.rng)
            with suppress(Conflict):
                await room.write(draft, after)
            self.drive(room)

    async def wait_for_clock(self, room: Room, seq: int) -> None:
        """When somebody's time has run out, a stand-in plays on."""
        if not await self.wheel(room, seq):
            return
        deadline = room.table.clocks.deadline()
        assert deadline is not None
        await self.house.means.time.sleep(deadline - self.house.means.time.now())
        async with room.lock:
            table = room.table
            if table.seq != seq or table.actor is None or self.house.means.time.now() < deadline:
                self.drive(room)
                return
            with suppress(Conflict):
                await room.write(("leave", {"seat": table.actor, "why": OUT_OF_TIME}))
            self.drive(room)

    # --- pausing ----------------------------------------------------------------------------------------------

    def watchers_changed(self, room: Room) -> None:
        """Somebody came or went."""
        table = room.table.id
        waiting = self.pauses.pop(table, None)
        if waiting is not None and waiting is not asyncio.current_task():
            waiting.cancel()
        if not room.watchers:
            self.pauses[table] = self.house.spawn(self.pause_soon(room))
        self.drive(room)

    async def pause_soon(self, room: Room) -> None:
        """Nobody is here: after a while the clock stands, and the table is put away."""
        await self.house.means.time.sleep(self.house.means.grace)
        async with room.lock:
            if room.watchers:
                return
            if self.runs_live(room) and await self.house.store.take_the_wheel(room.table.id):
                with suppress(Conflict):
                    await room.write(("pause", {"since": self.house.means.time.now()}))
            self.pauses.pop(room.table.id, None)
            await self.house.put_away(room)

    def runs_live(self, room: Room) -> bool:
        table = room.table
        return table.status == PLAYING and not table.paused and table.terms.clock.mode == LIVE

    async def stop(self) -> None:
        """The house closes: tables with a live clock pause now."""
        for _, task in self.tasks.values():
            task.cancel()
        for task in self.pauses.values():
            task.cancel()
        self.tasks.clear()
        for room in list(self.house.rooms.values()):
            async with room.lock:
                if self.runs_live(room):
                    with suppress(Conflict):
                        await room.write(("pause", {"since": self.house.means.time.now()}))

"""What moves a table when no person does: bots, stand-ins, clocks, and the pause of a table nobody is at."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import suppress

from landfall.store.facts import Left, Paused, Resumed
from landfall.tables import rulings
from landfall.tables.clocks import DAYS, LIVE
from landfall.tables.errors import Refused
from landfall.tables.levels import STAND_IN
from landfall.tables.process import RETRY, Process
from landfall.tables.room import Room
from landfall.tables.table import OUT_OF_TIME, PACES, PLAYING
from landfall.tables.thinkers import Question, asked, quick
from landfall.tables.writer import Wish

log = logging.getLogger("landfall")
LONGEST = 60_000  # milliseconds of one wait for a calendar's clock, which may be set
BOT, CLOCK, RESUME, EMPTY = "bot", "clock", "resume", "empty"
Need = tuple[str, int]  # what has to be seen to, and for what


class Driver:
    """A table that waits for a bot, a clock or somebody to come is waited for by one task; others by none."""

    def __init__(self, process: Process, rooms: Mapping[str, Room], put_away: Callable[[Room], None]) -> None:
        self.process = process
        self.rooms = rooms
        self.put_away = put_away  # told that nobody is at a table and nothing is to happen there
        self.works = {BOT: self.let_bot_play, CLOCK: self.wait_for_clock, RESUME: self.resume, EMPTY: self.leave_alone}
        self.watchdog_fired = 0  # how often a table was found that nobody waited for: a fault of this class

    def need(self, room: Room) -> Need | None:
        """What a table waits for, as it is now."""
        table = room.table
        if table.status == PLAYING and room.fault is None:
            by_days = table.terms.clock.mode == DAYS
            if room.watchers and table.paused and not table.rests:
                return RESUME, table.seq
            if table.waits_for_bot and (room.watchers or by_days):
                return BOT, table.version
            deadline = None if table.paused or table.actor is None else table.clocks.deadline()
            if deadline is not None and (
                room.watchers or (by_days and deadline - room.now() < self.process.means.tick)
            ):
                return CLOCK, deadline
        return None if room.watchers else (EMPTY, 0)

    def see_to(self, room: Room) -> None:
        """Called after every change: let the right task wait, and only that."""
        need = None if room.closed or self.process.closing else self.need(room)
        waiting = room.waiting
        if need == room.need and (need is None or (waiting is not None and not waiting.done())):
            return
        room.need = need
        if waiting is not None and waiting is not asyncio.current_task():
            waiting.cancel()
        room.waiting = None if need is None else self.process.spawn(self.see_through(room, need))

    async def see_through(self, room: Room, need: Need) -> None:
        """Work at a need until it is none any more, whatever goes wrong."""
        while room.need == need:
            try:
                await self.works[need[0]](room)
            except asyncio.CancelledError:
                task = asyncio.current_task()
                if task is None or task.cancelling():
                    raise
                log.warning("what a table waited for was thrown away")
            except Refused as error:
                log.warning("a table waits for its %s: %s", need[0], error.code)
            except Exception:
                log.exception("a table waits for its %s", need[0])
            if room.need == need:
                await self.process.means.time.sleep(RETRY)

    def look_after(self) -> None:
        """The watchdog: a table that nobody waits for is seen to, and counted as the fault it is."""
        for room in list(self.rooms.values()):
            need = self.need(room)
            if need is not None and (room.need is None or room.waiting is None or room.waiting.done()):
                self.watchdog_fired += 1
                log.error("nobody waited for a table's %s", need[0])
            self.see_to(room)  # also for a clock by days, which comes nearer by itself

    # --- bots -------------------------------------------------------------------------------------------------

    async def let_bot_play(self, room: Room) -> None:
        """One choice of a bot or stand-in, not sooner than people can follow, and never told by its speed."""
        if not await self.process.store.take_the_wheel(room.table.id):
            return
        table, means = room.table, self.process.means
        seat, match, version = table.actor, table.match, table.version
        if seat is None or match is None or not table.waits_for_bot:
            return
        hushed = match.state.hushed()
        question = asked(match, seat, table.chairs[seat].bot or STAND_IN, means, hushed)
        until = table.asked_at + (means.hold if hushed else int(means.pace * PACES[table.pace]))
        action = await self.thought(room, question, until if hushed else None)
        await means.time.sleep(until - room.now())

        async def play() -> None:
            now = room.table
            if now.version != version or now.actor != seat or not now.waits_for_bot or now.match is None:
                return
            chosen = action
            if now.match.state.why_not(chosen, seat) is not None:  # a bot's mistake must not stop the match
                chosen = int(now.match.state.resample(seat, means.rng).random_action(means.rng))
            fact, after = rulings.played(now.match, seat, chosen, means.rng)
            await room.writer.write(fact, match=after)

        await room.ask(play)

    async def thought(self, room: Room, question: Question, until: int | None) -> int:
        """What a bot chooses; something quick if it has not by `until`, so that nobody learns how long it thinks."""
        who = f"{room.table.terms.owner} {room.table.id}"
        thinking = asyncio.ensure_future(self.process.thinkers.choose(question, who))
        waits = {thinking}
        if until is not None:
            waits.add(asyncio.ensure_future(self.alarm(until - room.now())))
        try:
            done, _ = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            if thinking in done:
                return await thinking
        except Exception:  # whatever a bot's code raises costs it its choice, not the table its match
            log.warning("a bot failed")
        finally:
            for waiting in waits:
                waiting.cancel()
        return quick(question)

    async def alarm(self, ms: int) -> int:
        await self.process.means.time.sleep(ms)
        return -1

    # --- clocks -----------------------------------------------------------------------------------------------

    async def wait_for_clock(self, room: Room) -> None:
        """When somebody's time has run out, a stand-in plays on."""
        if not await self.process.store.take_the_wheel(room.table.id):
            return
        deadline = room.table.clocks.deadline()
        while deadline is not None and room.now() < deadline:
            await self.process.means.time.sleep(min(LONGEST, deadline - room.now()))

        async def run_out() -> None:
            table = room.table
            if self.need(room) == (CLOCK, deadline) and table.actor is not None:
                await room.writer.write(Left(table.actor, OUT_OF_TIME))

        await room.ask(run_out)

    # --- coming and going -------------------------------------------------------------------------------------

    async def resume(self, room: Room) -> None:
        """Somebody is here again: the clock goes on."""

        async def go_on() -> None:
            need = self.need(room)
            if need is not None and need[0] == RESUME:
                await room.writer.write(Resumed())

        await room.ask(go_on)

    async def leave_alone(self, room: Room) -> None:
        """Nobody is here: others may drive at once; after a while the clock stands, and the table is put away."""
        store = self.process.store
        await store.leave_the_wheel(room.table.id)
        await self.process.means.time.sleep(self.process.means.grace)
        if self.runs_live(room) and await store.take_the_wheel(room.table.id):
            await room.ask(self.pausing(room))
        await room.writer.finish()
        self.put_away(room)

    def runs_live(self, room: Room) -> bool:
        table = room.table
        return table.status == PLAYING and not table.paused and table.terms.clock.mode == LIVE and room.fault is None

    def pausing(self, room: Room, since: int | None = None) -> Wish:
        """The wish that a live clock stand from now on, or has stood since then."""

        async def pause() -> None:
            if self.runs_live(room):
                await room.writer.write(Paused(room.now() if since is None else since))

        return pause

    async def stop(self) -> None:
        """The house closes: what was asked for is written, and tables with a live clock pause now."""
        for room in list(self.rooms.values()):
            if room.waiting is not None:
                room.waiting.cancel()
            if self.runs_live(room):
                with suppress(Refused):
                    await room.ask(self.pausing(room))
            await room.writer.finish()

"""What moves a table when no person does: bots, stand-ins, clocks, and the pause of a table nobody is at."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import suppress

from landfall.store.facts import Left, Paused, Resumed
from landfall.tables import levels, rulings
from landfall.tables.clocks import DAYS, LIVE
from landfall.tables.environment import Environment
from landfall.tables.errors import Refused
from landfall.tables.live import LiveTable
from landfall.tables.process import RETRY, Process
from landfall.tables.table import OUT_OF_TIME, PACES, PLAYING, Table
from landfall.tables.thinkers import Question, asked, quick
from landfall.tables.writer import Wish

log = logging.getLogger("landfall")
LONGEST = 60_000  # milliseconds of one wait for a calendar's clock, which may be set
OF_TURN = 0.2  # of the pace so much passes before each further choice of a turn, and before each of a set-up
BOT, HURRY, FORCED, CLOCK, RESUME, EMPTY = "bot", "hurry", "forced", "clock", "resume", "empty"
DEPARTURE = "departure"
Need = tuple[str, int]  # what has to be seen to, and for what


class Driver:
    """A table that waits for a bot, a clock or somebody to come is waited for by one task; others by none."""

    def __init__(
        self, process: Process, live_tables: Mapping[str, LiveTable], put_away: Callable[[LiveTable], None]
    ) -> None:
        self.process = process
        self.live_tables = live_tables
        self.put_away = put_away  # told that nobody is at a table and nothing is to happen there
        self.works = {
            BOT: self.let_bot_play,
            HURRY: self.let_bot_play,
            FORCED: self.answer_itself,
            CLOCK: self.wait_for_clock,
            RESUME: self.resume,
            EMPTY: self.leave_alone,
            DEPARTURE: self.let_depart,
        }
        self.watchdog_fired = 0  # how often a table was found that nobody waited for: a fault of this class

    def need(self, live: LiveTable) -> Need | None:
        """What a table waits for, as it is now."""
        table = live.table
        if live.fault is None and rulings.departures(table):
            return DEPARTURE, table.seq
        if table.status == PLAYING and live.fault is None:
            by_days = table.terms.clock.mode == DAYS
            if live.watchers and table.paused and not table.rests:
                return RESUME, table.seq
            if table.waits_for_bot and (live.watchers or by_days):
                return HURRY if live.hurried else BOT, table.version
            if live.watchers and rulings.answers_itself(table, live.watching, self.process.env):
                return FORCED, table.version
            deadline = None if table.paused or table.actor is None else table.clocks.deadline()
            if deadline is not None and (live.watchers or (by_days and deadline - live.now() < self.process.env.tick)):
                return CLOCK, deadline
        return None if live.watchers else (EMPTY, 0)

    def see_to(self, live: LiveTable) -> None:
        """Called after every change: let the right task wait, and only that."""
        need = None if live.closed or self.process.closing else self.need(live)
        if need is None or need[0] not in (HURRY, FORCED):
            live.hurried = False  # somebody is asked
        waiting = live.waiting
        if need == live.need and (need is None or (waiting is not None and not waiting.done())):
            return
        live.need = need
        if waiting is not None and waiting is not asyncio.current_task():
            waiting.cancel()
        live.waiting = None if need is None else self.process.spawn(self.see_through(live, need))

    async def see_through(self, live: LiveTable, need: Need) -> None:
        """Work at a need until it is none any more, whatever goes wrong."""
        while live.need == need:
            try:
                await self.works[need[0]](live)
            except asyncio.CancelledError:
                task = asyncio.current_task()
                if task is None or task.cancelling():
                    raise
                log.warning("what a table waited for was thrown away")
            except Refused as error:
                log.warning("a table waits for its %s: %s", need[0], error.code)
            except Exception:
                log.exception("a table waits for its %s", need[0])
            if live.need == need:
                await self.process.env.time.sleep(RETRY)

    def look_after(self) -> None:
        """The watchdog: a table that nobody waits for is seen to, and counted as the fault it is."""
        for live in list(self.live_tables.values()):
            need = self.need(live)
            if need is not None and (live.need is None or live.waiting is None or live.waiting.done()):
                self.watchdog_fired += 1
                log.error("nobody waited for a table's %s", need[0])
            self.see_to(live)  # also for a clock by days, which comes nearer by itself

    # --- bots -------------------------------------------------------------------------------------------------

    async def let_bot_play(self, live: LiveTable) -> None:
        """One choice of a bot or stand-in, not sooner than people can follow, and never told by its speed."""
        if not await self.process.store.take_the_wheel(live.table.id):
            return
        table, env = live.table, self.process.env
        seat, match, version = table.actor, table.match, table.version
        if seat is None or match is None or not table.waits_for_bot:
            return
        timing_tells = match.state.timing_tells()
        arranges = table.chairs[seat].plays_itself
        code = levels.ADVISER if arranges else table.chairs[seat].bot or levels.STAND_IN
        question = asked(match, seat, code, env, timing_tells)
        until = table.asked_at + (env.hold if timing_tells else 0 if live.hurried else bots_pause(table, seat, env))
        action = await self.thought(live, question, until if timing_tells else None)
        await env.time.sleep(until - live.now())

        async def play() -> None:
            now = live.table
            if now.version != version or now.actor != seat or not now.waits_for_bot or now.match is None:
                return
            chosen = action
            if now.match.state.why_not(chosen, seat) is not None:  # a bot's mistake must not stop the match
                chosen = int(now.match.state.resample(seat, env.rng).random_action(env.rng))
            fact, after = rulings.played(now.match, seat, chosen, env.rng)
            await live.writer.write(fact, match=after)

        await live.ask(play)

    async def thought(self, live: LiveTable, question: Question, until: int | None) -> int:
        """What a bot chooses; something quick if it has not by `until`, so that nobody learns how long it thinks."""
        thinking = asyncio.ensure_future(self.process.thinkers.choose(question, requester_of(live)))
        waits = {thinking}
        if until is not None:
            waits.add(asyncio.ensure_future(self.alarm(until - live.now())))
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

    async def answer_itself(self, live: LiveTable) -> None:
        """What can be answered in one way only is, for a person who is here: not sooner than it is seen to be asked."""
        table, env = live.table, self.process.env
        version, asked_at = table.version, table.asked_at
        await env.time.sleep(asked_at + env.forced - live.now())

        async def play() -> None:
            now = live.table
            if self.need(live) != (FORCED, version) or now.match is None or now.actor is None:
                return
            fact, after = rulings.played(now.match, now.actor, now.match.legal()[0], env.rng, None, asked_at)
            await live.writer.write(fact, match=after)

        await live.ask(play)

    async def alarm(self, ms: int) -> int:
        await self.process.env.time.sleep(ms)
        return -1

    # --- clocks -----------------------------------------------------------------------------------------------

    async def wait_for_clock(self, live: LiveTable) -> None:
        """When somebody's time has run out, a stand-in plays on."""
        if not await self.process.store.take_the_wheel(live.table.id):
            return
        deadline = live.table.clocks.deadline()
        while deadline is not None and live.now() < deadline:
            await self.process.env.time.sleep(min(LONGEST, deadline - live.now()))

        async def run_out() -> None:
            table = live.table
            if self.need(live) == (CLOCK, deadline) and table.actor is not None:
                await live.writer.write(Left(table.actor, OUT_OF_TIME))

        await live.ask(run_out)

    # --- coming and going -------------------------------------------------------------------------------------

    async def let_depart(self, live: LiveTable) -> None:
        """A seat is held by somebody whose account was deleted, and the log does not say yet that they left."""

        async def depart() -> None:
            await live.writer.write(*rulings.departures(live.table))

        await live.ask(depart)

    async def resume(self, live: LiveTable) -> None:
        """Somebody is here again: the clock goes on."""

        async def go_on() -> None:
            need = self.need(live)
            if need is not None and need[0] == RESUME:
                await live.writer.write(Resumed())

        await live.ask(go_on)

    async def leave_alone(self, live: LiveTable) -> None:
        """Nobody is here: others may drive at once; after a while the clock stands, and the table is put away."""
        store = self.process.store
        await store.leave_the_wheel(live.table.id)
        await self.process.env.time.sleep(self.process.env.grace)
        if self.runs_live(live) and await store.take_the_wheel(live.table.id):
            await live.ask(self.pausing(live))
        await live.writer.finish()
        self.put_away(live)

    def runs_live(self, live: LiveTable) -> bool:
        table = live.table
        return table.status == PLAYING and not table.paused and table.terms.clock.mode == LIVE and live.fault is None

    def pausing(self, live: LiveTable, since: int | None = None) -> Wish:
        """The wish that a live clock stand from now on, or has stood since then."""

        async def pause() -> None:
            if self.runs_live(live):
                await live.writer.write(Paused(live.now() if since is None else since))

        return pause

    async def stop(self) -> None:
        """The process ends: what was asked for is written, and tables with a live clock pause now."""
        for live in list(self.live_tables.values()):
            if live.waiting is not None:
                live.waiting.cancel()
            if self.runs_live(live):
                with suppress(Refused):
                    await live.ask(self.pausing(live))
            await live.writer.finish()


def requester_of(live: LiveTable) -> str:
    """For whom a table's bots play, as a path for the fair queue: the origin of its owner, else of a player who is
    here, else of who watches. Tables by days at which nobody is share one origin."""
    owner, people = live.table.terms.owner, live.table.people
    here = min(live.watchers, key=lambda w: (w.person != owner, w.person not in people), default=None)
    return f"{here.origin if here is not None else ''} {owner} {live.table.id}"


def bots_pause(table: Table, seat: int, env: Environment) -> int:
    """Milliseconds before a bot's choice: a breath before each turn, less within it, and none where nobody chooses."""
    if table.setting_up and not any(table.plays_itself(other) for other in range(len(table.chairs))):
        return 0
    pause = env.pace * PACES[table.pace]
    log = table.match.log if table.match is not None else []
    last = next((line.actor for line in reversed(log) if line.actor >= 0), None)
    return int(pause * OF_TURN if last == seat or table.setting_up else pause)

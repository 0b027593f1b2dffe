"""The one way from a wish to the disk: a table's wishes one after the other, each judged, committed, adopted, told.

Sockets, bots and clocks only put wishes in; nobody who waits for one can interrupt it. What the table is in memory
is always what the log says: an entry is adopted once it is on disk, and when that is not known, the log is read.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Protocol

from landfall.core.errors import LandfallError
from landfall.match import Match
from landfall.store.facts import Ended, Fact, Played
from landfall.store.rows import ChatLine, Entry, MissingLog
from landfall.tables import rulings
from landfall.tables.clocks import DAYS
from landfall.tables.errors import Refused
from landfall.tables.process import RETRY, Process
from landfall.tables.table import ABOUT_PLAY, OVER, Table

log = logging.getLogger("landfall")
Wish = Callable[[], Awaitable[None]]  # judges the table as it is then, and writes at most once
Done = Callable[[LandfallError | None], None]  # told when a wish was carried out, or why it was not
TRIES = 20  # how often another process may be quicker before one gives up
MOST = 500  # wishes that may wait at one table


class Conflict(Exception):
    """Another process wrote first; judge again."""


class Live(Protocol):
    """What a writer needs of the table it writes for."""

    table: Table
    chat_n: int  # the last line of chat that is known here

    def now(self) -> int:
        """The table's time."""

    def adopted(self, after: Table, entries: list[Entry]) -> None:
        """Entries are on disk."""

    def take_in(self, entries: list[Entry]) -> None:
        """Others wrote these."""

    def tell_chat(self, lines: list[ChatLine]) -> None:
        """Others said this."""

    def vanish(self) -> None:
        """The table was deleted from the store."""


class Writer:
    """A task while there is something to do, none otherwise."""

    def __init__(self, live: Live, process: Process) -> None:
        self.live = live
        self.process = process
        self.wishes: deque[tuple[Wish, Done]] = deque()
        self.task: asyncio.Task[None] | None = None
        self.behind = False  # the log may hold what this process does not know
        self.is_unreadable = False  # the last try to read it failed
        self.chat_behind = False
        self.reads = 0  # times the log was begun to be read
        self.read = 0  # the last of them that came to its end
        self.writing = 0  # the number of the last entry on its way to the disk

    # --- asking -----------------------------------------------------------------------------------------------

    def ask(self, wish: Wish) -> asyncio.Future[None]:
        """Put a wish in; done when it was carried out, or says why it was not."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def done(error: LandfallError | None) -> None:
            if future.done():
                return
            if error is None:
                future.set_result(None)
            else:
                future.set_exception(error)

        self.put(wish, done)
        return future

    def put(self, wish: Wish, done: Done) -> None:
        """Put a wish in, for one who does not wait."""
        if len(self.wishes) >= MOST:
            done(Refused("busy"))
            return
        self.wishes.append((wish, done))
        if self.task is None:
            self.wake()

    def look(self, chat: bool = False) -> None:
        """Others have written, or may have: read it."""
        if chat:
            self.chat_behind = True
        else:
            self.behind = True
        self.wake()

    async def looked(self) -> None:
        """The same, and wait for it; Refused, if it cannot be read now."""

        async def nothing() -> None: ...

        self.look()
        after = self.reads  # one that began before may know less than whoever waits
        while self.read <= after:
            await self.ask(nothing)

    @property
    def idle(self) -> bool:
        """Nothing is being written, and nothing waits."""
        return self.task is None

    def wake(self) -> None:
        if self.task is None:
            self.task = asyncio.get_running_loop().create_task(self.run())

    async def finish(self) -> None:
        """Until nothing waits any more."""
        while self.task is not None:
            await asyncio.shield(self.task)

    # --- the task ---------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Wish after wish, until there is none."""
        try:
            while self.wishes or self.behind or self.chat_behind:
                if self.behind and not await self.caught_up():
                    self.refuse_all()
                    if self.process.closing:
                        return
                    await self.process.env.time.sleep(RETRY)
                elif self.wishes:
                    await self.carry_out(*self.wishes.popleft())
                    if self.is_unreadable:  # those who came meanwhile would wait as long again
                        self.refuse_all()
                elif self.chat_behind:
                    await self.tell_chat()
        finally:
            self.task = None
            if not self.process.closing and (self.wishes or self.behind):  # it was stopped by what should never be
                self.wake()

    async def carry_out(self, wish: Wish, done: Done) -> None:
        """One wish, judged again whenever another process was first."""
        error: LandfallError | None = None
        try:
            for _ in range(TRIES):
                try:
                    await wish()
                except Conflict:
                    self.behind = True
                    if not await self.caught_up():
                        raise Refused("store") from None
                else:
                    break
            else:
                error = Refused("busy")
        except LandfallError as refused:
            error = refused
        except Exception as failed:
            log.warning("a table could not be written: %s", type(failed).__name__)
            error = Refused("store")
            error.__cause__ = failed
        done(error)

    def refuse_all(self) -> None:
        """The log cannot be read: nobody waits for what may be long in coming."""
        while self.wishes:
            _, done = self.wishes.popleft()
            done(Refused("store"))

    # --- writing ----------------------------------------------------------------------------------------------

    async def write(self, *facts: Fact, match: Match | None = None) -> None:
        """Commit entries together, with what follows from them; then adopt them and tell. Only within a wish.

        `match` is the match as the last fact leaves it. Conflict: another process was first.
        """
        if not facts:
            return
        live, table = self.live, self.live.table
        after, at = table.fork(all(isinstance(fact, ABOUT_PLAY) for fact in facts)), live.now()
        entries: list[Entry] = []

        def put(fact: Fact, match: Match | None) -> None:
            entry = Entry(table.id, after.seq + 1, at, fact)
            after.adopt(entry, match)
            entries.append(entry)

        for fact in facts:
            put(fact, match if fact is facts[-1] else None)
        if after.proposal is not None:
            follows = rulings.agreed(after, at)
            if follows is not None:
                put(*follows)
        if after.status == OVER and table.status != OVER and not isinstance(entries[-1].fact, Ended):
            put(Ended(str(after.ended)), None)
        # A choice leaves what a lobby lists as it was, unless it ends the match.
        keeps = len(entries) == 1 and isinstance(entries[0].fact, Played) and after.terms.clock.mode != DAYS
        self.writing = after.seq
        try:
            first = await self.process.append(entries, None if keeps else after.summary())
        except MissingLog:
            live.vanish()
            raise Refused("no_table") from None
        except Exception:  # perhaps it is on disk all the same: the log knows
            self.writing = 0  # news of that number may be another process's
            self.behind = True
            if not await self.caught_up(entries):
                raise
            return
        finally:
            self.writing = 0
        if not first:
            raise Conflict
        live.adopted(after, entries)

    async def caught_up(self, written: list[Entry] | None = None) -> bool:
        """Adopt and tell what the log holds beyond what is known here; whether it could be read.

        With `written`: whether those entries are there.
        """
        live = self.live
        self.behind = False
        self.reads += 1
        number = self.reads
        try:
            found = await self.process.store.entries(live.table.id, live.table.seq)
        except Exception as error:  # a database says in many ways that it is away
            log.warning("a table could not be read: %s", type(error).__name__)
            self.behind = self.is_unreadable = True
            return False
        self.is_unreadable = False
        if found:
            live.take_in(found)
        self.read = number
        return written is None or found[: len(written)] == written

    async def tell_chat(self) -> None:
        """What was said in other processes."""
        self.chat_behind = False
        live = self.live
        try:
            lines = await self.process.store.chat(live.table.id, live.chat_n)
        except Exception as error:
            log.warning("a chat could not be read: %s", type(error).__name__)
            if not self.process.closing:
                self.process.spawn(self.look_later())
            return
        live.tell_chat(lines)

    async def look_later(self) -> None:
        await self.process.env.time.sleep(RETRY)
        self.look(chat=True)

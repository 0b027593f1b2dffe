"""All tables of one process: making them, finding them, watching them. Works without the web."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgspec

from landfall.core import options as opt
from landfall.core.state import OVER as MATCH_OVER
from landfall.games import game as find_game
from landfall.match import Match
from landfall.store.facts import Created, GivenChair, GivenClock, RematchMade
from landfall.store.rows import Entry, Head
from landfall.store.store import Store
from landfall.tables import commands as cmd
from landfall.tables import levels, writing
from landfall.tables.clocks import ClockRule
from landfall.tables.driver import Driver
from landfall.tables.errors import Refused
from landfall.tables.means import Means
from landfall.tables.opening import opened
from landfall.tables.orders import Orders
from landfall.tables.process import Process
from landfall.tables.room import TALK, Room
from landfall.tables.table import NORMAL, Chair, Table, handle
from landfall.tables.thinkers import Thinkers
from landfall.tables.watcher import Visitor, Watcher

log = logging.getLogger("landfall")
SILENT = 45_000  # milliseconds after which a process that said nothing has nobody here


class Wish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table as somebody wants it."""

    game: str
    players: int
    options: dict[str, Any] = {}
    clock: ClockRule = ClockRule()
    public: bool = False
    seating: str = "drawn"
    hot_seat: bool = False
    pace: str = NORMAL


class House(Process):
    """Where tables are."""

    def __init__(self, store: Store, thinkers: Thinkers | None = None, means: Means | None = None) -> None:
        super().__init__(store, thinkers, means)
        self.rooms: dict[str, Room] = {}
        self.loading: dict[str, asyncio.Task[Room]] = {}
        self.driver = Driver(self, self.rooms, self.put_away)
        self.orders = Orders(self, self.rematch)
        self.people_changed: Callable[[], None] = lambda: None  # some were signed out or forgotten

    async def open(self) -> None:
        """Begin: listen to other processes, look after the clocks by days."""
        self.store.listen(self.heard)
        self.spawn(self.look_after())
        self.spawn(self.thinkers.warm_up())

    async def close(self) -> None:
        """Stop cleanly: what is acknowledged is on disk already; live clocks stand from now on."""
        self.closing = True
        tasks = [*self.tasks, *self.loading.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.driver.stop()
        self.thinkers.close()

    # --- making tables ----------------------------------------------------------------------------------------

    async def create(self, owner: Visitor, wish: Wish, chairs: list[GivenChair] | None = None) -> str:
        """A new table; its owner sits at chair 0 unless chairs are given."""
        writing.plain(wish.options)
        game = find_game(wish.game)
        opt.complete(game.options, game.counts, wish.players, wish.options)
        if wish.clock.fault():
            raise Refused("clock", reason=wish.clock.fault())
        if wish.seating not in ("drawn", "as_sat"):
            raise Refused("seating")
        given = chairs or [GivenChair(owner.id, owner.name)] + [GivenChair() for _ in range(wish.players - 1)]
        return await self.found(owner, wish, given)

    async def found(
        self, owner: Visitor, wish: Wish, chairs: list[GivenChair], lines: list[str] | None = None,
        previous: str | None = None,
    ) -> str:  # fmt: skip
        """Write a table's first entry."""
        clock = GivenClock(wish.clock.mode, wish.clock.turn, wish.clock.bank, wish.clock.days)
        rules = find_game(wish.game).rules_version
        first = Created(
            wish.game, wish.players, wish.options, rules, owner.id, clock, wish.public, wish.seating, wish.hot_seat,
            wish.pace, chairs, lines, previous,
        )  # fmt: skip
        table = Table(self.means.ids(), self.means.rng)
        entry = Entry(table.id, 1, self.means.time.now(), first)
        table.adopt(entry)
        if not await self.append([entry], table.summary()):
            raise Refused("store")
        return table.id

    async def quick(self, owner: Visitor, wish: Wish, bots: list[str]) -> str:
        """One person and bots, begun."""
        others = [GivenChair(bot=levels.checked(code)) for code in bots]
        if len(others) != wish.players - 1:
            raise Refused("quick", bots=len(others), others=wish.players - 1)
        table = await self.create(owner, wish, [GivenChair(owner.id, owner.name), *others])
        await self.order(table, owner, cmd.Start())
        return table

    async def reopen(
        self, owner: Visitor, record: str, most: int | None = None, seat: int | None = None, bots: str = levels.STAND_IN
    ) -> str:
        """A table from a record or its first lines: to look at if it is over, to be played on if not.

        With `seat` it goes on at once, its owner there and bots elsewhere. RecordError says what is wrong.
        """
        match = Match.replay(record)
        if most is not None:
            match = match.shortened(most)
            match.rng = self.means.rng
            match.resolve_chance()
        names = match.seats + [""] * match.players
        chairs = [GivenChair(name=writing.seat_name(name)) for name in names[: match.players]]
        if seat is not None:
            if seat >= match.players:
                raise Refused("no_chair", chair=seat)
            chairs = [GivenChair(bot=levels.checked(bots)) for _ in chairs]
            chairs[seat] = GivenChair(owner.id, owner.name)
        wish = Wish(match.game.name, match.players, match.options, seating="as_sat")
        table = await self.found(owner, wish, chairs, lines=match.lines())
        if seat is not None and match.actor != MATCH_OVER:
            await self.order(table, owner, cmd.Start())
        return table

    async def rematch(self, room: Room, who: Visitor) -> str:
        """A new table like this one. The first to ask makes it, and sits there with the bots; the chairs of the others
        are kept for them: whoever asks as well sits down. It begins at once if nobody else is needed."""
        table, t = room.table, room.table.terms
        if table.successor is not None:
            await self.join(table, table.successor, who)
            return table.successor
        chairs = [self.again(c, table, who) for c in table.chairs]
        wish = Wish(t.game, t.players, t.options, t.clock, t.public, t.seating, t.hot_seat, table.pace)
        new = await self.found(who, wish, chairs, previous=table.id)
        await room.writer.write(RematchMade(new, table.seats_of(who.id)[0]))
        if all(chair.person or chair.bot for chair in chairs):
            await self.order(new, who, cmd.Start())
        return new

    def again(self, chair: Chair, table: Table, who: Visitor) -> GivenChair:
        """A chair of a match that is over, at the next table of one who asks for that."""
        if chair.bot:
            return GivenChair(bot=chair.bot, colour=chair.colour)
        if chair.person is None or chair.person in table.banned or chair.gone:
            return GivenChair()
        if chair.person == who.id:
            return GivenChair(chair.person, chair.name, colour=chair.colour)
        return GivenChair(kept=handle(chair.person, table.id), colour=chair.colour)

    async def join(self, before: Table, table: str, who: Visitor) -> None:
        """Sit on the chairs that wait for somebody at the table after, if there still are such."""
        after = (await self.room(table)).table
        names = {chair.colour: chair.name for chair in before.chairs} if after.terms.hot_seat else {}
        for number in after.kept_for(who.id):
            with suppress(Refused):
                await self.order(table, who, cmd.Sit(chair=number, name=names.get(after.chairs[number].colour)))

    # --- finding tables ---------------------------------------------------------------------------------------

    async def room(self, table: str) -> Room:
        """A live table; read from its log if it is not here."""
        found = self.rooms.get(table)
        if found is not None:
            return found
        loading = self.loading.get(table)
        if loading is None:
            loading = self.loading[table] = asyncio.get_running_loop().create_task(self.load(table))
            loading.add_done_callback(lambda done: self.loaded(table, done))
        return await asyncio.shield(loading)

    def loaded(self, table: str, done: asyncio.Task[Room]) -> None:
        del self.loading[table]
        if not done.cancelled():
            done.exception()  # told to those who wait, if they still do

    async def load(self, table: str) -> Room:
        """Read a table's log."""
        entries = await self.store.entries(table)
        if not entries:
            raise Refused("no_table")
        room = Room(self, opened(table, entries, self.means.rng), self.driver.see_to)
        # A live clock that nobody stopped: the server did not end cleanly. Its time since is nobody's.
        if self.driver.runs_live(room) and await self.store.take_the_wheel(table):
            try:
                await room.ask(self.driver.pausing(room, since=room.table.last_at))
            except Refused:
                room.closed = True
                self.driver.see_to(room)  # what it read meanwhile may have made it wait for something
                await self.store.leave_the_wheel(table)
                raise
        self.rooms[table] = room
        self.driver.see_to(room)
        if self.store.shared:  # what others wrote since was not heard for this table
            room.writer.look()
        return room

    def put_away(self, room: Room) -> None:
        """Nobody is at this table and nothing is to happen there: it is in its log."""
        if not room.watchers and room.writer.idle and self.rooms.get(room.table.id) is room:
            del self.rooms[room.table.id]
            room.closed = True
            self.driver.see_to(room)
            self.spawn(self.leave_the_wheel(room.table.id))

    async def leave_the_wheel(self, table: str) -> None:
        """Let another process drive a table that is not here any more."""
        if table not in self.rooms:
            await self.store.leave_the_wheel(table)

    async def head(self, table: str) -> Head:
        """A table as it is listed."""
        found = await self.store.head(table)
        if found is None:
            raise Refused("no_table")
        return found

    # --- watching and asking ----------------------------------------------------------------------------------

    async def watch(
        self, table: str, visitor: Visitor | None, send: Callable[[str], None], since: int | None = None
    ) -> Watcher:
        """Come to a table: everything is sent at once, then whatever changes. `since`: the last entry known."""
        while True:
            room = await self.room(table)
            told = room.chat_n
            talk = await self.store.chat(table, limit=TALK)
            if self.rooms.get(table) is room and room.chat_n == told:
                break  # else it was put away, or more was said, meanwhile
        if room.fault is not None:
            raise room.fault
        watcher = Watcher(room, visitor, send)
        watcher.seat = room.eyes(watcher)
        welcome = room.welcome(watcher, since)
        if not room.watchers:
            room.chat_n = max([room.chat_n, *(line.n for line in talk)])
        elif talk and talk[-1].n > room.chat_n:  # said in another process: everybody here is told soon
            room.writer.look(chat=True)
        said = [room.chat_news(line) for line in talk if line.n <= room.chat_n]
        watcher.tell(msgspec.structs.replace(welcome, chat=said))
        room.watchers.add(watcher)
        self.presence(room)
        return watcher

    async def unwatch(self, watcher: Watcher) -> None:
        """Go, without leaving the seat."""
        room = watcher.room
        room.watchers.discard(watcher)
        if not self.closing:
            room.forget_unwatched()
            self.presence(room)

    def presence(self, room: Room) -> None:
        """Tell all, here and in other processes, who is connected."""
        if room.watchers:
            room.broadcast(room.about())
        self.driver.see_to(room)
        if self.store.shared:
            self.spawn(self.say_who_is_here(room))

    async def say_who_is_here(self, room: Room) -> None:
        people = sorted({w.person for w in room.watchers if w.person})[:60]
        try:
            await self.store.notify("here", " ".join([room.table.id, self.name, *people]))
        except Exception as error:  # it is said again now and then
            log.warning("others could not be told who is here: %s", type(error).__name__)

    async def order(self, table: str, visitor: Visitor, command: cmd.AnyCommand) -> None:
        """Carry out a command of somebody who is not watching; Refused if it cannot be."""
        room = await self.room(table)
        await room.ask(lambda: self.orders.carry_out(room, visitor, command, None))

    async def forget(self, person: str, tables: list[str]) -> None:
        """Somebody was deleted from the store: also from the tables in memory, and from those that wait for them."""
        live = [table for table, room in self.rooms.items() if person in room.table.people | {room.table.terms.owner}]
        for table in {*live, *tables}:
            with suppress(Refused):  # its rules are of another version: it waits for nobody
                room = await self.room(table)
                await self.orders.part(room, person)
                self.put_away(room)

    # --- other processes, other days --------------------------------------------------------------------------

    def heard(self, kind: str, words: str) -> None:
        """News from another process."""
        if self.closing:
            return
        if kind == "missed":
            for room in self.rooms.values():
                room.writer.look()
                room.writer.look(chat=True)
            return
        if kind == "people" and not self.closing:
            self.people_changed()
            return
        table, _, rest = words.partition(" ")
        found = self.rooms.get(table)
        if found is None:
            return
        if kind == "entry":
            if int(rest) > max(found.table.seq, found.writer.writing):
                found.writer.look()
        elif kind == "chat":
            found.writer.look(chat=True)
        elif kind == "here":
            process, *people = rest.split(" ")
            if process != self.name:
                before, had = found.here(), found.elsewhere.get(process, (0, []))[1]
                found.elsewhere[process] = self.means.time.steady(), people
                if found.here() != before:
                    found.broadcast(found.about())
                if people and not had and found.watchers:  # perhaps it does not know yet who is here
                    self.spawn(self.say_who_is_here(found))

    async def look_after(self) -> None:
        """Now and then: clocks by days, and who is still there in other processes."""
        while True:
            try:
                await self.look_around(self.means.time.now())
            except Exception as error:
                log.warning("the database could not be asked: %s", type(error).__name__)
            await self.means.time.sleep(self.means.tick)

    async def look_around(self, now: int) -> None:
        self.driver.look_after()
        for table in await self.store.due(now):
            self.spawn(self.attend(table))
        if self.store.shared:
            for room in list(self.rooms.values()):
                before = room.here()
                silent = self.means.time.steady() - SILENT
                room.elsewhere = {k: v for k, v in room.elsewhere.items() if v[0] > silent}
                if room.here() != before:
                    room.broadcast(room.about())
                await self.say_who_is_here(room)

    async def attend(self, table: str) -> None:
        """A table by days at which something is due."""
        try:
            self.driver.see_to(await self.room(table))
        except Refused:  # of other rules, or damaged: it waits for who can open it
            return
        except Exception as error:  # the database is away: it is due still when that is back
            log.warning("a table that is due could not be read: %s", type(error).__name__)

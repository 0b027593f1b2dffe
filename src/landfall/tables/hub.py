"""All tables of one process: making them, finding them, watching them. Works without the web."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from landfall import guides
from landfall.core import options as opt
from landfall.games import game as find_game
from landfall.store.facts import Created, GivenChair, GivenClock, RematchMade
from landfall.store.rows import OPEN_LEASE_MS, Entry, Head
from landfall.tables import commands as cmd
from landfall.tables import levels, writing
from landfall.tables.clocks import ClockRule
from landfall.tables.driver import Driver
from landfall.tables.environment import Environment
from landfall.tables.errors import Refused
from landfall.tables.fair_play import Asker, FairPlay, HandedIn
from landfall.tables.live import TALK, LiveTable
from landfall.tables.opening import opened
from landfall.tables.orders import Orders
from landfall.tables.process import Process
from landfall.tables.replay import read_record
from landfall.tables.table import NORMAL, Chair, Table, handle
from landfall.tables.thinkers import Thinkers
from landfall.tables.watcher import Visitor, Watcher

if TYPE_CHECKING:
    from landfall.store.store import Store

log = logging.getLogger("landfall")
UNPLAYABLE = ("rules", "damaged", "no_table")  # such a table waits for nobody; opened after all, its driver sees to it
SILENT = 45_000  # milliseconds after which a process that said nothing has nobody here


@dataclass(frozen=True)
class Wish:
    """A table as somebody wants it."""

    game: str
    players: int
    options: dict[str, Any] = field(default_factory=dict)
    clock: ClockRule = field(default_factory=ClockRule)
    public: bool = False
    seating: str = "drawn"
    hot_seat: bool = False
    pace: str = NORMAL
    position: str | None = None  # the line it begins from, where that is not the rules' first position


class Hub(Process):
    """Where tables are."""

    def __init__(self, store: Store, thinkers: Thinkers | None = None, env: Environment | None = None) -> None:
        super().__init__(store, thinkers, env)
        self.live_tables: dict[str, LiveTable] = {}
        self.loading: dict[str, asyncio.Task[LiveTable]] = {}
        self.driver = Driver(self, self.live_tables, self.put_away)
        self.fair_play = FairPlay(self, self.live_tables, self.live)
        self.orders = Orders(self, self.rematch, self.check_hint)
        self.people_changed: Callable[[], None] = lambda: None  # some were signed out or forgotten
        self.noted_open: set[str] = set()  # tables of which the database knows that they are open here
        self.lease_renewed: int | None = None  # when it was last told, by the steady clock
        self.noting_open: asyncio.Task[None] | None = None

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
        if self.noting_open is not None:
            try:
                await self.store.end_open(self.name)
            except Exception as error:  # it is known soon anyway
                log.warning("it could not be noted that no table is open: %s", type(error).__name__)
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
            wish.pace, chairs, lines, previous, position=wish.position,
        )  # fmt: skip
        table = Table(self.env.ids(), self.env.rng)
        entry = Entry(table.id, 1, self.env.time.now(), first)
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

    async def guided(self, owner: Visitor, game: str, guide: str, bots: str) -> str:
        """A game that is explained while it is played: one person and bots, begun as the guide wants it."""
        found = guides.guide(find_game(game).name, guide)
        if found is None:
            raise Refused("no_guide", guide=guide)
        chairs = [GivenChair(bot=levels.checked(bots)) for _ in range(found["players"])]
        chairs[found["seat"]] = GivenChair(owner.id, owner.name)
        wish = Wish(game, found["players"], found["options"], seating="as_sat", pace="slow", position=found["position"])
        table = await self.create(owner, wish, chairs)
        await self.order(table, owner, cmd.Start())
        return table

    async def reopen(
        self, owner: Visitor, record: str, most: int | None = None, seat: int | None = None,
        bots: str = levels.STAND_IN, origin: str = "",
    ) -> str:  # fmt: skip
        """A table from a record or its first lines: to look at if it is over, to be played on if not.

        With `seat` it goes on at once, its owner there and bots elsewhere. RecordError says what is wrong. It is read
        where bots think: a stranger's record may take long. What shows a match that the owner is playing is not played
        on: bots would play it for them.
        """
        seed = int(self.env.rng.below(1 << 30))
        found = await self.thinkers.work(read_record, record, most, seed, who=origin or owner.id)
        if not found.over:
            handed_in = HandedIn(f"{most} {record}", found.game, found.public_position, lambda: found.record)
            await self.fair_play.check(Asker(owner.id, origin), handed_in)
        chairs = [GivenChair(name=name) for name in found.names]
        if seat is not None:
            if seat >= found.players:
                raise Refused("no_chair", chair=seat)
            chairs = [GivenChair(bot=levels.checked(bots)) for _ in chairs]
            chairs[seat] = GivenChair(owner.id, owner.name)
        wish = Wish(found.game, found.players, found.options, seating="as_sat", position=found.position)
        table = await self.found(owner, wish, chairs, lines=found.lines)
        if seat is not None and not found.over:
            await self.order(table, owner, cmd.Start())
        return table

    async def rematch(self, live: LiveTable, who: Visitor) -> str:
        """A new table like this one. The first to ask makes it, and sits there with the bots; the chairs of the others
        are kept for them: whoever asks as well sits down. It begins at once if nobody else is needed."""
        table, t = live.table, live.table.terms
        if table.successor is not None:
            await self.join(table, table.successor, who)
            return table.successor
        chairs = [self.again(c, table, who) for c in table.chairs]
        wish = Wish(t.game, t.players, t.options, t.clock, t.public, t.seating, t.hot_seat, table.pace)
        new = await self.found(who, wish, chairs, previous=table.id)
        await live.writer.write(RematchMade(new, table.seats_of(who.id)[0]))
        if all(chair.person or chair.bot for chair in chairs):
            await self.order(new, who, cmd.Start())
        return new

    async def check_hint(self, live: LiveTable, watcher: Watcher) -> None:
        """Refused: a hint at a table made from a record would be one for a match that is being played."""
        if live.table.terms.opened and live.table.match is not None:
            asker = Asker(watcher.person, watcher.origin)
            await self.fair_play.check(asker, HandedIn.of(f"{live.table.id} {live.table.version}", live.table.match))

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
        after = (await self.live(table)).table
        names = {chair.colour: chair.name for chair in before.chairs} if after.terms.hot_seat else {}
        for number in after.kept_for(who.id):
            with suppress(Refused):
                await self.order(table, who, cmd.Sit(chair=number, name=names.get(after.chairs[number].colour)))

    # --- finding tables ---------------------------------------------------------------------------------------

    async def live(self, table: str) -> LiveTable:
        """A live table; read from its log if it is not here."""
        found = self.live_tables.get(table)
        if found is not None:
            return found
        loading = self.loading.get(table)
        if loading is None:
            loading = self.loading[table] = asyncio.get_running_loop().create_task(self.load(table))
            loading.add_done_callback(lambda done: self.loaded(table, done))
        return await asyncio.shield(loading)

    def loaded(self, table: str, done: asyncio.Task[LiveTable]) -> None:
        del self.loading[table]
        if not done.cancelled():
            done.exception()  # told to those who wait, if they still do

    async def load(self, table: str) -> LiveTable:
        """Read a table's log."""
        entries = await self.store.entries(table)
        if not entries:
            raise Refused("no_table")
        live = LiveTable(self, opened(table, entries, self.env.rng), self.driver.see_to)
        # A live clock that nobody stopped: the server did not end cleanly. Its time since is nobody's.
        if self.driver.runs_live(live) and await self.store.take_the_wheel(table):
            try:
                await live.ask(self.driver.pausing(live, since=live.table.last_at))
            except Refused:
                live.closed = True
                self.driver.see_to(live)  # what it read meanwhile may have made it wait for something
                await self.store.leave_the_wheel(table)
                raise
        self.live_tables[table] = live
        self.driver.see_to(live)
        self.note_open_soon()
        if self.store.shared:  # what others wrote since was not heard for this table
            live.writer.look()
        return live

    def put_away(self, live: LiveTable) -> None:
        """Nobody is at this table and nothing is to happen there: it is in its log."""
        if not live.watchers and live.writer.idle and self.live_tables.get(live.table.id) is live:
            del self.live_tables[live.table.id]
            live.closed = True
            self.driver.see_to(live)
            self.spawn(self.leave_the_wheel(live.table.id))

    async def leave_the_wheel(self, table: str) -> None:
        """Let another process drive a table that is not here any more."""
        if table not in self.live_tables:
            await self.store.leave_the_wheel(table)

    async def head(self, table: str) -> Head:
        """A table as it is listed."""
        found = await self.store.head(table)
        if found is None:
            raise Refused("no_table")
        return found

    # --- watching and asking ----------------------------------------------------------------------------------

    async def watch(
        self,
        table: str,
        visitor: Visitor | None,
        send: Callable[[str], None],
        since: int | None = None,
        origin: str = "",
    ) -> Watcher:
        """Come to a table: everything is sent at once, then whatever changes. `since`: the last entry known."""
        while True:
            live = await self.live(table)
            if since is not None and since > live.table.seq and live.fault is None:
                with suppress(Refused):  # another process has told them more: nobody is told what is older
                    await live.writer.looked()
            told = live.chat_n
            talk = await self.store.chat(table, limit=TALK)
            if self.live_tables.get(table) is live and live.chat_n == told:
                break  # else it was put away, or more was said, meanwhile
        if live.fault is not None:
            raise live.fault
        watcher = Watcher(live, visitor, send, origin=origin)
        watcher.seat = live.eyes(watcher)
        if not live.watchers:
            live.chat_n = max([live.chat_n, *(line.n for line in talk)])
        elif talk and talk[-1].n > live.chat_n:  # said in another process: everybody here is told soon
            live.writer.look(chat=True)
        said = [live.chat_news(line) for line in talk if line.n <= live.chat_n]
        if since is not None and since > live.table.seq:
            since = 0  # it cannot be read now; what they know may be more than is told here: all of it anew
        watcher.tell(live.welcome(watcher, since, said))
        live.watchers[watcher] = None
        self.presence(live)
        return watcher

    async def unwatch(self, watcher: Watcher) -> None:
        """Go, without leaving the seat."""
        live = watcher.live
        live.watchers.pop(watcher, None)
        if not self.closing:
            live.forget_unwatched()
            self.presence(live)

    def presence(self, live: LiveTable) -> None:
        """Tell all, here and in other processes, who is connected."""
        if live.watchers:
            live.broadcast(live.about())
        self.driver.see_to(live)
        if self.store.shared:
            self.spawn(self.say_who_is_here(live))

    async def say_who_is_here(self, live: LiveTable) -> None:
        people = sorted({w.person for w in live.watchers if w.person})[:60]
        try:
            await self.store.notify("here", " ".join([live.table.id, self.name, *people]))
        except Exception as error:  # it is said again now and then
            log.warning("others could not be told who is here: %s", type(error).__name__)

    async def order(self, table: str, visitor: Visitor, command: cmd.AnyCommand) -> None:
        """Carry out a command of somebody who is not watching; Refused if it cannot be."""
        live = await self.live(table)
        await live.ask(lambda: self.orders.carry_out(live, visitor, command, None))

    async def forget(self, person: str, tables: list[str]) -> set[str]:
        """Somebody was deleted from the store: also from the tables in memory, and from those that wait for them.

        The tables at which that could not be written now, and has to be tried again.
        """
        mine = {t for t, live in self.live_tables.items() if person in live.table.people | {live.table.terms.owner}}
        failed = set()
        for table in {*mine, *tables}:
            try:
                live = await self.live(table)
                await self.orders.part(live, person)
            except Refused as error:
                if error.code not in UNPLAYABLE:
                    failed.add(table)
            except Exception as error:  # a database says in many ways that it is away
                log.warning("somebody who was deleted is still at a table: %s", type(error).__name__)
                failed.add(table)
            else:
                self.put_away(live)
        return failed

    # --- other processes, other days --------------------------------------------------------------------------

    def heard(self, kind: str, words: str) -> None:
        """News from another process."""
        if self.closing:
            return
        if kind == "missed":
            for live in self.live_tables.values():
                live.writer.look()
                live.writer.look(chat=True)
            return
        if kind == "people" and not self.closing:
            self.people_changed()
            return
        table, _, rest = words.partition(" ")
        found = self.live_tables.get(table)
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
                found.elsewhere[process] = self.env.time.steady(), people
                if found.here() != before:
                    found.broadcast(found.about())
                if people and not had and found.watchers:  # perhaps it does not know yet who is here
                    self.spawn(self.say_who_is_here(found))

    async def look_after(self) -> None:
        """Now and then: clocks by days, and who is still there in other processes."""
        while True:
            try:
                await self.look_around(self.env.time.now())
            except Exception as error:
                log.warning("the database could not be asked: %s", type(error).__name__)
            await self.env.time.sleep(self.env.tick)

    # --- retention leaves open tables alone -------------------------------------------------------------------

    def note_open_soon(self) -> None:
        """Let the database know which tables are open here; one write for all that were opened meanwhile."""
        if self.noting_open is None or self.noting_open.done():
            self.noting_open = self.spawn(self.note_open())

    async def note_open(self) -> None:
        """Write what changed; if nothing did, only now and then that this process is still there."""
        while True:
            steady, before = self.env.time.steady(), self.noted_open
            now_open = set(self.live_tables)
            expires = self.lease_renewed is not None and steady - self.lease_renewed > OPEN_LEASE_MS // 3
            if now_open == before and not (expires and now_open):
                return
            try:
                until = self.env.time.now() + OPEN_LEASE_MS
                await self.store.renew_open(self.name, now_open - before, before - now_open, until)
            except Exception as error:  # tried again at the next look around
                log.warning("it could not be noted which tables are open: %s", type(error).__name__)
                return
            self.noted_open, self.lease_renewed = now_open, steady

    async def look_around(self, now: int) -> None:
        self.driver.look_after()
        self.note_open_soon()
        for table in await self.store.due(now):
            self.spawn(self.attend(table))
        if self.store.shared:
            for live in list(self.live_tables.values()):
                before = live.here()
                silent = self.env.time.steady() - SILENT
                live.elsewhere = {k: v for k, v in live.elsewhere.items() if v[0] > silent}
                if live.here() != before:
                    live.broadcast(live.about())
                await self.say_who_is_here(live)

    async def attend(self, table: str) -> None:
        """A table by days at which something is due."""
        try:
            self.driver.see_to(await self.live(table))
        except Refused:  # of other rules, or damaged: it waits for who can open it
            return
        except Exception as error:  # the database is away: it is due still when that is back
            log.warning("a table that is due could not be read: %s", type(error).__name__)

"""All tables of one process: creating, finding and subscribing to them. Works without the web."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from landfall import guides
from landfall.core import options as opt
from landfall.games import game as find_game
from landfall.store.events import Created, InitialChair, InitialClock, RematchMade
from landfall.store.row_types import OPEN_LEASE_MS, LogEntry, TableSummary
from landfall.tables.bots import allowed_bots
from landfall.tables.bots.bot_pool import BotPool
from landfall.tables.live.bot_and_clock_driver import BotAndClockDriver
from landfall.tables.live.command_handler import CommandHandler
from landfall.tables.live.copied_match_check import Asker, CopiedMatchCheck, ImportedMatch
from landfall.tables.live.live_table import WELCOME_CHAT_LINES, LiveTable
from landfall.tables.live.process_services import Services
from landfall.tables.live.subscriber import Subscriber, User, public_author_handle
from landfall.tables.log.clocks import DAYS_CLOCK, NO_CLOCK, ClockRule
from landfall.tables.log.loading import load_table_from_entries
from landfall.tables.log.record_import import import_record
from landfall.tables.log.table import PLAYING, Chair, Table, public_handle
from landfall.tables.protocol import commands as cmd
from landfall.tables.protocol import text_validation
from landfall.tables.protocol.errors import Refused
from landfall.tables.ratings.counting_rules import MAX_COUNTED_TOGETHER
from landfall.tables.runtime_dependencies import Runtime

if TYPE_CHECKING:
    from landfall.tables.table_store import TableStore

log = logging.getLogger("landfall")
# Such a table waits for nobody; once loaded, its driver handles it.
UNPLAYABLE = ("rules", "newer", "damaged", "no_table")
MAX_HOLIDAY_TABLES = 500  # of a user, which a holiday reaches at once
MAX_SIDE_STATEMENTS = 4  # to the database at once, of those that nobody waits for
PRESENCE_TIMEOUT_MS = 45_000  # after which a silent process counts as having no users


@dataclass(frozen=True)
class TableConfig:
    """The settings of a new table."""

    game: str
    players: int
    options: dict[str, Any] = field(default_factory=dict)
    clock: ClockRule = field(default_factory=ClockRule)
    public: bool = False
    seating: str = "drawn"
    hot_seat: bool = False
    position: str | None = None  # position string to start from, if not the standard one
    rated: bool = False
    hints: bool = True  # whether bots may help; never in a rated match


def require_ratable_terms(owner: User, config: TableConfig) -> None:
    """Refused: a match on these terms would not count. Without a clock, who loses could stay away for ever."""
    game = find_game(config.game)
    usual = opt.validate_and_fill_defaults(game.options, game.player_counts, config.players, {})
    chosen = opt.validate_and_fill_defaults(game.options, game.player_counts, config.players, config.options)
    if not owner.has_account:
        raise Refused("rated_account")
    if config.hot_seat:
        raise Refused("rated_device")
    if chosen != usual or config.position is not None:
        raise Refused("rated_options")
    if config.clock.mode == NO_CLOCK:
        raise Refused("rated_clock")


class Hub(Services):
    """The registry of tables."""

    def __init__(self, store: TableStore, bot_pool: BotPool | None = None, runtime: Runtime | None = None) -> None:
        super().__init__(store, bot_pool, runtime)
        self.live_tables: dict[str, LiveTable] = {}
        self.loading: dict[str, asyncio.Task[LiveTable]] = {}
        self.driver = BotAndClockDriver(self, self.live_tables, self.evict_empty_table)
        self.copied_match_check = CopiedMatchCheck(self, self.live_tables, self.get_or_load_table)
        self.command_handler = CommandHandler(self, self.find_or_create_rematch, self.refuse_hint_for_copied_match)
        self.on_users_changed: Callable[[], None] = lambda: None  # called when users were signed out or deleted
        self.on_searches: Callable[[str], None] = lambda words: None  # another process wrote to the log of searches
        self.on_lobby: Callable[[str], None] = lambda words: None  # another process changed the lobby
        self.expected_arrivals: dict[str, tuple[set[str], asyncio.Future[None]]] = {}  # by table: who is on the way
        self.warm_up: asyncio.Task[None] | None = None
        self.noted_open: set[str] = set()  # tables that the database knows to be open here
        self.lease_renewed: int | None = None  # monotonic time of the last renewal
        self.noting_open: asyncio.Task[None] | None = None
        self.side_statements = asyncio.Semaphore(MAX_SIDE_STATEMENTS)
        self.unreported_presence: set[str] = set()  # tables of which other processes are about to be notified

    async def start_background_tasks(self) -> None:
        """Start: subscribe to other processes, watch correspondence clocks."""
        self.store.database.listen_for_notifications(self.on_process_notification)
        self.spawn_background_task(self.run_housekeeping())
        if self.store.database.missed_event_poll_interval_s is not None:
            self.spawn_background_task(self.poll_for_missed_events())
        self.warm_up = self.spawn_background_task(self.bot_pool.warm_up_workers())

    async def shut_down(self) -> None:
        """Shut down cleanly: acknowledged commands are on disk already; live clocks stop."""
        self.closing = True
        tasks = [*self.tasks, *self.loading.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.driver.finish_queues_and_pause_all_clocks()
        if self.noting_open is not None:
            try:
                await self.store.tables.release_open_tables(self.name)
            except Exception as error:  # others notice it soon anyway
                log.warning("it could not be noted that no table is open: %s", type(error).__name__)
        self.bot_pool.close_pool()

    # --- creating tables --------------------------------------------------------------------------------------

    async def create_table(self, owner: User, config: TableConfig, chairs: list[InitialChair] | None = None) -> str:
        """A new table; its owner gets chair 0 unless chairs are given."""
        text_validation.require_storable_json(config.options)
        game = find_game(config.game)
        opt.validate_and_fill_defaults(game.options, game.player_counts, config.players, config.options)
        if config.clock.describe_fault():
            raise Refused("clock", reason=config.clock.describe_fault())
        if config.seating not in ("drawn", "as_sat"):
            raise Refused("seating")
        if config.rated:
            require_ratable_terms(owner, config)
        given = chairs or [InitialChair(owner.id, owner.name)] + [InitialChair() for _ in range(config.players - 1)]
        return await self.append_created_event(owner, config, given)

    async def append_created_event(
        self, owner: User, config: TableConfig, chairs: list[InitialChair], lines: list[str] | None = None,
        previous: str | None = None,
    ) -> str:  # fmt: skip
        """Append a table's first event."""
        table = Table(self.runtime.new_id(), self.runtime.rng)
        author = public_author_handle(owner, table.id)
        chairs = [replace(chair, author=author) if chair.person == owner.id else chair for chair in chairs]
        clock = InitialClock(config.clock.mode, config.clock.turn, config.clock.bank, config.clock.days)
        rules = find_game(config.game).rules_version
        first = Created(
            config.game, config.players, config.options, rules, owner.id, clock, config.public, config.seating,
            config.hot_seat, chairs, lines, previous, position=config.position, rated=config.rated,
            hints=config.hints and not config.rated, by_bot=owner.author is not None,
        )  # fmt: skip
        entry = LogEntry(table.id, 1, self.runtime.clock.wall_time_ms(), first)
        table.apply_entry(entry)
        if not await self.append_events([entry], table.build_summary()):
            raise Refused("store")
        return table.id

    async def create_table_with_bots(self, owner: User, config: TableConfig, bots: list[str]) -> str:
        """One person and bots, started at once."""
        others = [InitialChair(bot=allowed_bots.require_allowed_bot_code(code)) for code in bots]
        if len(others) != config.players - 1:
            raise Refused("quick", bots=len(others), others=config.players - 1)
        table = await self.create_table(owner, config, [InitialChair(owner.id, owner.name), *others])
        await self.execute_command(table, owner, cmd.Start())
        return table

    async def create_guided_table(self, owner: User, game: str, guide: str, bots: str) -> str:
        """A table with a guide: one person and bots, started from the guide's position."""
        found = guides.find_guide(find_game(game).name, guide)
        if found is None:
            raise Refused("no_guide", guide=guide)
        chairs = [InitialChair(bot=allowed_bots.require_allowed_bot_code(bots)) for _ in range(found["players"])]
        chairs[found["seat"]] = InitialChair(owner.id, owner.name)
        config = TableConfig(game, found["players"], found["options"], seating="as_sat", position=found["position"])
        table = await self.create_table(owner, config, chairs)
        await self.execute_command(table, owner, cmd.Start())
        return table

    async def create_table_from_record(
        self, owner: User, record: str, max_lines: int | None = None, seat: int | None = None,
        bots: str = allowed_bots.STAND_IN, origin: str = "",
    ) -> str:  # fmt: skip
        """A table from a record or its first lines: to view if it is over, to continue if not.

        With `seat` it continues at once, the owner there and bots elsewhere. RecordError says what is wrong. The record
        is parsed in a worker, because an untrusted one may take long. A copy of a match that the owner is playing is
        refused: bots would play it for them.
        """
        seed = int(self.runtime.rng.randbelow(1 << 30))
        found = await self.bot_pool.run_task(import_record, record, max_lines, seed, who=origin or owner.id)
        if not found.over:
            handed_in = ImportedMatch(f"{max_lines} {record}", found.game, found.public_position, lambda: found.record)
            await self.copied_match_check.refuse_copy_of_running_match(Asker(owner.id, origin), handed_in)
        chairs = [InitialChair(name=name) for name in found.names]
        if seat is not None:
            if seat >= found.players:
                raise Refused("no_chair", chair=seat)
            chairs = [InitialChair(bot=allowed_bots.require_allowed_bot_code(bots)) for _ in chairs]
            chairs[seat] = InitialChair(owner.id, owner.name)
        config = TableConfig(found.game, found.players, found.options, seating="as_sat", position=found.position)
        table = await self.append_created_event(owner, config, chairs, lines=found.lines)
        if seat is not None and not found.over:
            await self.execute_command(table, owner, cmd.Start())
        return table

    async def find_or_create_rematch(self, live: LiveTable, who: User) -> str:
        """A new table with the same settings. The first to ask creates it and sits down with the bots. Chairs are
        reserved for the others, who sit down by asking as well. It starts at once if nobody else is needed.
        """
        table, t = live.table, live.table.terms
        if table.successor is not None:
            await self.sit_at_rematch(table, table.successor, who)
            return table.successor
        chairs = [self.make_rematch_chair(c, table, who) for c in table.chairs]
        config = TableConfig(t.game, t.players, t.options, t.clock, t.public, t.seating, t.hot_seat)
        config = replace(config, rated=t.rated and await self.may_rate_rematch(table), hints=t.hints)
        new = await self.append_created_event(who, config, chairs, previous=table.id)
        await live.writer.commit_events(RematchMade(new, table.seats_of_person(who.id)[0]))
        if all(chair.person or chair.bot for chair in chairs):
            await self.execute_command(new, who, cmd.Start())
        return new

    async def may_rate_rematch(self, table: Table) -> bool:
        """Whether the next match of the same people counts: nobody collects points from one friend all day."""
        facts = await self.command_handler.read_rating_facts(table)
        return facts.together + 1 < MAX_COUNTED_TOGETHER

    async def refuse_hint_for_copied_match(self, live: LiveTable, subscriber: Subscriber) -> None:
        """Refused: a hint at a table made from a record would help in a running match."""
        if live.table.terms.opened and live.table.match is not None:
            asker = Asker(subscriber.user_id, subscriber.origin)
            await self.copied_match_check.refuse_copy_of_running_match(
                asker, ImportedMatch.from_match(f"{live.table.id} {live.table.version}", live.table.match)
            )

    def make_rematch_chair(self, chair: Chair, table: Table, who: User) -> InitialChair:
        """A chair of a finished match, converted for its rematch."""
        if chair.bot:
            return InitialChair(bot=chair.bot, colour=chair.colour)
        if chair.person is None or chair.person in table.banned or chair.is_user_deleted:
            return InitialChair()
        if chair.person == who.id:
            return InitialChair(chair.person, chair.name, colour=chair.colour)
        return InitialChair(kept=public_handle(chair.person, table.id), colour=chair.colour)

    async def sit_at_rematch(self, before: Table, table: str, who: User) -> None:
        """Sit down on the reserved chairs of the next table, if there are any left."""
        after = (await self.get_or_load_table(table)).table
        names = {chair.colour: chair.name for chair in before.chairs} if after.terms.hot_seat else {}
        for number in after.chairs_reserved_for(who.id):
            with suppress(Refused):
                await self.execute_command(
                    table, who, cmd.Sit(chair=number, name=names.get(after.chairs[number].colour))
                )

    # --- finding tables ---------------------------------------------------------------------------------------

    async def get_or_load_table(self, table: str) -> LiveTable:
        """A live table; loaded from its log if it is not in memory."""
        found = self.live_tables.get(table)
        if found is not None:
            return found
        loading = self.loading.get(table)
        if loading is None:
            loading = self.loading[table] = asyncio.get_running_loop().create_task(self.load_table_from_log(table))
            loading.add_done_callback(lambda done: self.on_table_loaded(table, done))
        return await asyncio.shield(loading)

    def on_table_loaded(self, table: str, done: asyncio.Task[LiveTable]) -> None:
        del self.loading[table]
        if not done.cancelled():
            done.exception()  # marked as retrieved; waiting callers get it, too

    async def load_table_from_log(self, table: str) -> LiveTable:
        """Load a table from its log."""
        entries = await self.store.tables.read_log_entries(table)
        if not entries:
            raise Refused("no_table")
        live = LiveTable(self, load_table_from_entries(table, entries, self.runtime.rng), self.driver.reschedule_table)
        # A live clock is still running: the server did not shut down cleanly. Nobody is charged the time since.
        if self.driver.has_running_live_clock(live) and await self.store.database.try_acquire_bot_lease(table):
            try:
                await live.submit_operation_and_wait(self.driver.make_pause_operation(live, since=live.table.last_at))
            except Refused:
                live.closed = True
                self.driver.reschedule_table(live)  # events read meanwhile may have created a need
                await self.store.database.release_bot_lease(table)
                raise
        self.live_tables[table] = live
        self.driver.reschedule_table(live)
        self.schedule_open_table_leases()
        if self.store.database.is_shared:  # notifications for this table were not received so far
            live.writer.request_log_refresh()
        return live

    def evict_empty_table(self, live: LiveTable) -> None:
        """The table is empty and nothing is due: drop it from memory."""
        if not live.subscribers and live.writer.is_idle and self.live_tables.get(live.table.id) is live:
            del self.live_tables[live.table.id]
            live.closed = True
            self.driver.reschedule_table(live)
            self.spawn_background_task(self.release_bot_lease_unless_live(live.table.id))

    async def evict_after_queued_commands(self, table: str) -> None:
        """Before a table moves to another process: nothing is started here any more, and what was begun is on disk."""
        live = self.live_tables.pop(table, None)
        if live is not None:
            live.closed = True
            self.driver.reschedule_table(live)
            await self.driver.finish_queue_and_pause_clock(live)

    @contextmanager
    def expect_arrivals_elsewhere(self, table: str, people: set[str]) -> Iterator[asyncio.Future[None]]:
        """Clients of a table reconnect to another process: done when other processes have reported all these people."""
        arrived: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.expected_arrivals[table] = set(people), arrived
        if not people:
            arrived.set_result(None)
        try:
            yield arrived
        finally:
            del self.expected_arrivals[table]

    def record_arrivals_elsewhere(self, table: str, people: list[str]) -> None:
        """Another process reports a table's people."""
        missing, arrived = self.expected_arrivals.get(table, (set(), None))
        missing.difference_update(people)
        if arrived is not None and not missing and not arrived.done():
            arrived.set_result(None)

    async def release_bot_lease_unless_live(self, table: str) -> None:
        """Let another process drive a table that is no longer here."""
        if table not in self.live_tables:
            await self.store.database.release_bot_lease(table)

    async def apply_user_holidays(self, person: str) -> None:
        """A user's holidays have changed: let all their tables by days know. What fails is noted when it matters."""
        for summary in await self.store.tables.list_tables_of_user(person, MAX_HOLIDAY_TABLES, over=False):
            if summary.info.get("clock") == DAYS_CLOCK and summary.status == PLAYING:
                try:
                    await self.driver.look_up_and_commit_holidays(await self.get_or_load_table(summary.table))
                except Refused as error:
                    log.warning("a table does not know of a holiday: %s", error.code)

    async def get_table_summary(self, table: str) -> TableSummary:
        """A table's entry in lists."""
        found = await self.store.tables.get_table_summary(table)
        if found is None:
            raise Refused("no_table")
        return found

    # --- subscriptions and commands -------------------------------------------------------------------------------

    async def subscribe_to_table(
        self,
        table: str,
        user: User | None,
        send: Callable[[str], None],
        since: int | None = None,
        origin: str = "",
        marks: tuple[str, ...] = (),
    ) -> Subscriber:
        """Subscribe to a table: sends everything at once, then all changes. `since`: the last event known."""
        while True:
            live = await self.get_or_load_table(table)
            if since is not None and since > live.table.seq and live.fault is None:
                with suppress(Refused):  # another process has sent them newer events: never send an older state
                    await live.writer.refresh_from_log()
            chat_before = live.chat_n
            recent = await self.store.chat.read_chat_lines(table, limit=WELCOME_CHAT_LINES)
            if self.live_tables.get(table) is live and live.chat_n == chat_before:
                break  # otherwise it was evicted, or there was new chat, meanwhile
        if live.fault is not None:
            raise live.fault
        subscriber = Subscriber(live, user, send, origin=origin, marks=marks)
        subscriber.seat = live.viewpoint_of_subscriber(subscriber)
        if not live.subscribers:
            live.chat_n = max([live.chat_n, *(line.n for line in recent)])
        elif recent and recent[-1].n > live.chat_n:  # said in another process: it is broadcast here soon
            live.writer.request_log_refresh(chat=True)
        messages = [live.build_chat_message(line) for line in recent if line.n <= live.chat_n]
        if since is not None and since > live.table.seq:
            since = 0  # it cannot be read now, and they may know more than this process: send everything
        subscriber.send_message(live.build_welcome_message(subscriber, since, messages))
        if not live.subscribers:
            live.watched_since = live.next_event_timestamp_ms()
        live.subscribers[subscriber] = None
        self.broadcast_presence(live)
        if user is not None and user.id in live.table.people:
            self.spawn_background_task(self.mark_notices_seen(table, user.id))
            self.command_handler.keep_marks_of_player(subscriber)
        return subscriber

    def is_user_connected_to_table(self, table: str, person: str) -> bool:
        """Whether a user is connected to a table, as far as this process knows."""
        live = self.live_tables.get(table)
        return live is not None and person in live.user_ids_connected_anywhere()

    async def mark_notices_seen(self, table: str, person: str) -> None:
        """A player is at a table: what notifications wanted to say is known."""
        try:
            async with self.side_statements:
                await self.store.notifications.mark_notices_seen(person, table, self.runtime.clock.wall_time_ms())
        except Exception as error:  # then they are sent
            log.warning("notifications could not be marked as seen: %s", type(error).__name__)

    async def unsubscribe_from_table(self, subscriber: Subscriber) -> None:
        """Disconnect, without leaving the seat."""
        live = subscriber.live
        live.subscribers.pop(subscriber, None)
        if not self.closing:
            live.drop_unwatched_views()
            self.broadcast_presence(live)

    def broadcast_presence(self, live: LiveTable) -> None:
        """Broadcast, here and to other processes, who is connected."""
        if live.subscribers:
            live.broadcast_message(live.build_table_message())
        self.driver.reschedule_table(live)
        if self.store.database.is_shared:
            self.spawn_background_task(self.notify_processes_of_presence(live))

    async def notify_processes_of_presence(self, live: LiveTable) -> None:
        if live.table.id in self.unreported_presence:
            return
        self.unreported_presence.add(live.table.id)
        try:
            async with self.side_statements:
                self.unreported_presence.discard(live.table.id)
                people = sorted({w.user_id for w in live.subscribers if w.user_id})[:60]
                await self.store.database.notify_processes("here", " ".join([live.table.id, self.name, *people]))
        except Exception as error:  # it is repeated regularly
            log.warning("other processes could not be notified who is here: %s", type(error).__name__)

    async def execute_command(self, table: str, user: User, command: cmd.AnyCommand) -> None:
        """Execute a command of a user who is not subscribed; Refused if it is impossible."""
        live = await self.get_or_load_table(table)
        await live.submit_operation_and_wait(lambda: self.command_handler.execute_command(live, user, command, None))

    async def erase_user_from_tables(self, person: str, tables: list[str]) -> set[str]:
        """A user was deleted from the store: update the tables in memory, and those that wait for the user.

        Returns the tables at which the update failed and must be retried.
        """
        mine = {t for t, live in self.live_tables.items() if person in live.table.people | {live.table.terms.owner}}
        failed = set()
        for table in {*mine, *tables}:
            try:
                live = await self.get_or_load_table(table)
                await self.command_handler.remove_deleted_user(live, person)
            except Refused as error:
                if error.code not in UNPLAYABLE:
                    failed.add(table)
            except Exception as error:  # databases fail in many ways
                log.warning("somebody who was deleted is still at a table: %s", type(error).__name__)
                failed.add(table)
            else:
                self.evict_empty_table(live)
        return failed

    # --- other processes and correspondence -----------------------------------------------------------------------

    def on_process_notification(self, kind: str, words: str) -> None:
        """A notification from another process."""
        if self.closing:
            return
        if kind == "missed":
            for live in self.live_tables.values():
                live.writer.request_log_refresh()
                live.writer.request_log_refresh(chat=True)
            self.on_searches("")
            self.on_lobby("")
            return
        if kind == "lobby":
            self.on_lobby(words)
            return
        if kind == "searches":
            self.on_searches(words)
            return
        if kind == "people" and not self.closing:
            self.on_users_changed()
            return
        table, _, rest = words.partition(" ")
        if kind == "here" and self.expected_arrivals:
            process, *arrived = rest.split(" ")
            if process != self.name:
                self.record_arrivals_elsewhere(table, arrived)
        found = self.live_tables.get(table)
        if found is None:
            return
        if kind == "entry":
            if int(rest) > max(found.table.seq, found.writer.writing_seq):
                found.writer.request_log_refresh()
        elif kind == "chat":
            found.writer.request_log_refresh(chat=True)
        elif kind == "here":
            process, *people = rest.split(" ")
            if process != self.name:
                before, had = found.user_ids_connected_anywhere(), found.remote_presence.get(process, (0, []))[1]
                found.remote_presence[process] = self.runtime.clock.monotonic_ms(), people
                if found.user_ids_connected_anywhere() != before:
                    found.broadcast_message(found.build_table_message())
                if people and not had and found.subscribers:  # it may not know yet who is connected here
                    self.spawn_background_task(self.notify_processes_of_presence(found))

    async def poll_for_missed_events(self) -> None:
        """Where notifications can be lost without a word: look again and again whether the logs say more."""
        while (wait_s := self.store.database.missed_event_poll_interval_s) is not None:
            await self.runtime.clock.sleep_ms(int(wait_s * 1000))
            try:
                await self.read_missed_events()
            except Exception as error:
                log.warning("the logs could not be looked at: %s", type(error).__name__)

    async def read_missed_events(self) -> None:
        """One look at the heads of all tables in memory; only those with news are read."""
        self.on_searches("")
        for table, seq, chat_n in await self.store.tables.read_last_event_and_chat_numbers(list(self.live_tables)):
            self.on_process_notification("entry", f"{table} {seq}")
            live = self.live_tables.get(table)
            if live is not None and live.subscribers and chat_n > live.chat_n:
                self.on_process_notification("chat", table)

    async def run_housekeeping(self) -> None:
        """Periodically: correspondence clocks, and presence in other processes."""
        while True:
            try:
                await self.run_housekeeping_once(self.runtime.clock.wall_time_ms())
            except Exception as error:
                log.warning("the database could not be asked: %s", type(error).__name__)
            await self.runtime.clock.sleep_ms(self.runtime.housekeeping_ms)

    # --- open tables, which retention keeps -------------------------------------------------------------------

    def schedule_open_table_leases(self) -> None:
        """Report the tables open here to the database; one write covers all opened meanwhile."""
        if self.noting_open is None or self.noting_open.done():
            self.noting_open = self.spawn_background_task(self.renew_open_table_leases())

    async def renew_open_table_leases(self) -> None:
        """Write the changes; without any, renew the lease now and then."""
        while True:
            steady, before = self.runtime.clock.monotonic_ms(), self.noted_open
            now_open = set(self.live_tables)
            expires = self.lease_renewed is not None and steady - self.lease_renewed > OPEN_LEASE_MS // 3
            if now_open == before and not (expires and now_open):
                return
            try:
                until = self.runtime.clock.wall_time_ms() + OPEN_LEASE_MS
                await self.store.tables.renew_open_tables(self.name, now_open - before, before - now_open, until)
            except Exception as error:  # retried at the next housekeeping
                log.warning("it could not be noted which tables are open: %s", type(error).__name__)
                return
            self.noted_open, self.lease_renewed = now_open, steady

    async def run_housekeeping_once(self, now: int) -> None:
        self.driver.reschedule_all_and_count_stuck_tables()
        self.schedule_open_table_leases()
        for table in await self.store.tables.list_table_ids_past_deadline(now):
            self.spawn_background_task(self.load_and_reschedule_table(table))
        if self.store.database.is_shared:
            for live in list(self.live_tables.values()):
                before = live.user_ids_connected_anywhere()
                silent = self.runtime.clock.monotonic_ms() - PRESENCE_TIMEOUT_MS
                live.remote_presence = {k: v for k, v in live.remote_presence.items() if v[0] > silent}
                if live.user_ids_connected_anywhere() != before:
                    live.broadcast_message(live.build_table_message())
                await self.notify_processes_of_presence(live)

    async def load_and_reschedule_table(self, table: str) -> None:
        """Load a table and let its driver do what is due there; nothing, if it cannot be loaded now."""
        try:
            self.driver.reschedule_table(await self.get_or_load_table(table))
        except Refused:  # other rules, or damaged: it waits for a process that can load it
            return
        except Exception as error:  # the database is unavailable: it is still due afterwards
            log.warning("a table that is due could not be read: %s", type(error).__name__)

"""People who look for a table: who sits down with whom; that a search ends, survives, and leads to one table only."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from landfall.core.rng import Rng
from landfall.store import schema
from landfall.store.ratings import insert_rating_rows
from landfall.store.row_types import RatingRow, UserRecord
from landfall.store.store import Store, make_store_for_setting
from landfall.tables.live.hub import Hub, TableConfig
from landfall.tables.live.subscriber import User
from landfall.tables.log.clocks import DAYS_CLOCK, ClockRule
from landfall.tables.log.loading import load_table_from_entries
from landfall.tables.log.table import PLAYING, Table
from landfall.tables.matchmaking.matchmaker import KEPT_MS, Listener, Matchmaker
from landfall.tables.matchmaking.search_grouping import BAND_MS, BOTS_AFTER_MS
from landfall.tables.matchmaking.search_log import ABSENCE_MS
from landfall.tables.protocol import commands as cmd
from landfall.tables.protocol.errors import Refused
from landfall.tables.runtime_dependencies import Runtime, SystemClock
from tests.conftest import LONG
from tests.tables.fake_users import wait_until_true

pytestmark = pytest.mark.once
GAME = "atlandice"


class Clock(SystemClock):
    """Moved by hand; whoever sleeps is not woken: tests tick by themselves."""

    def __init__(self) -> None:
        self.ms = 1_700_000_000_000
        self.wrong_by = 0

    def wall_time_ms(self) -> int:
        return self.ms + self.wrong_by

    def monotonic_ms(self) -> int:
        return self.ms

    async def sleep_ms(self, ms: int) -> None:
        await asyncio.get_running_loop().create_future()


class Page:
    """A page of somebody's that is connected to the lobby."""

    def __init__(self, user: User | None) -> None:
        self.user = user
        self.known: dict[str, Any] = {}
        self.listener: Listener | None = None

    def receive(self, text: str) -> None:
        self.known.update(json.loads(text))


class Process:
    """A server process without the web."""

    def __init__(self, database: str, clock: Clock) -> None:
        self.store: Store = make_store_for_setting(database)
        self.clock = clock
        self.hub = Hub(self.store, runtime=Runtime(clock=clock))
        self.maker = Matchmaker(self.hub, self.store)
        self.hub.on_searches = self.maker.on_search_notification

    async def open(self) -> Process:
        await self.store.database.open_and_migrate()
        await self.hub.start_background_tasks()
        return self

    async def close(self) -> None:
        async with self.maker.lock:  # whoever reads the database in the background is done, and its connection returned
            await self.hub.shut_down()
        await self.store.database.close()

    async def person(self, name: str, number: int | None = None, shown: bool = False) -> User:
        """An account with a rating; without a number, a guest."""
        has_account = number is not None
        account = name.casefold() if has_account else None
        await self.store.users.add_user(UserRecord(f"id-{name}", name, 1, 1, account, "x", False, account, shown))
        if number is not None:
            rows = [RatingRow(f"id-{name}", GAME, size, (number - 1000) / 20, 2.0, 20, 1) for size in (2, 3)]
            async with self.store.database.engine.begin() as connection:
                await insert_rating_rows(connection, rows, [])
        return User(f"id-{name}", name, has_account, shown)

    async def page(self, user: User | None) -> Page:
        page = Page(user)
        page.listener = await self.maker.connect_listener(user, page.receive)
        return page

    async def leave(self, page: Page) -> None:
        assert page.listener is not None
        self.maker.disconnect_listener(page.listener)
        await asyncio.gather(*self.tasks_of(Matchmaker.try_record_searcher_left))

    def tasks_of(self, method: Callable[..., object]) -> list[asyncio.Task[object]]:
        """The background tasks that run this method."""
        name = method.__qualname__
        return [task for task in self.hub.tasks if getattr(task.get_coro(), "__qualname__", "") == name]

    async def look(self, user: User, **wanted: Any) -> Page:
        """Connect a page and look for a table."""
        page = await self.page(user)
        terms = {"games": [GAME], "sizes": [2], "pace": "quarter", "rated": False, "bots": "", **wanted}
        await self.maker.start_search(user, **terms)
        await self.maker.send_changes_to_listeners()
        return page

    async def tick(self, ms: int = 0) -> None:
        self.clock.ms += ms
        async with self.maker.lock:
            await self.maker.renew_end_and_match_searches()
        await self.maker.send_changes_to_listeners()

    async def tables(self) -> list[Table]:
        found = [
            load_table_from_entries(table, await self.store.tables.read_log_entries(table), Rng(1))
            for table in await self.store.tables.list_all_table_ids()
        ]
        return sorted(found, key=lambda table: table.terms.created)


async def opened(database: str, clock: Clock) -> Process:
    """A process on a database in which there is nothing yet."""
    process = await Process(database, clock).open()
    for table in schema.METADATA.sorted_tables:
        await process.store.database.commit_change(table.delete())
    return process


def story(database: str, work: Callable[[Process], Awaitable[None]]) -> None:
    """One process on a database."""

    async def run() -> None:
        process = await opened(database, Clock())
        try:
            await work(process)
        finally:
            await process.close()

    asyncio.run(run())


def seated(table: Table) -> set[str]:
    return {chair.person for chair in table.chairs if chair.person is not None}


def test_two_who_want_the_same_sit_at_a_rated_table_that_has_begun(database: str) -> None:
    async def work(here: Process) -> None:
        ana, boris = await here.person("Ana", 1500), await here.person("Boris", 1550)
        first = await here.look(ana, rated=True)
        assert first.known["search"]["ring"] == 0
        await here.look(boris, rated=True)
        await here.tick()
        [table] = await here.tables()
        assert (table.status, seated(table)) == (PLAYING, {ana.id, boris.id})
        assert table.terms.rated
        assert not table.unrated_reason
        assert not table.terms.hints
        assert first.known["found"] == table.id
        assert first.known["search"] is None
        assert {summary.table for summary in await here.store.tables.list_tables_of_user(ana.id)} == {table.id}

    story(database, work)


def test_the_band_widens_with_the_wait_and_says_so(sqlite: str) -> None:
    async def work(here: Process) -> None:
        ana = await here.look(await here.person("Ana", 1500))
        boris = await here.look(await here.person("Boris", 1700))
        await here.tick()
        assert ana.known["search"]["near"] == [{"ring": 1, "fits": False}]
        assert ana.known["search"]["wider"] == BAND_MS
        await here.tick(BAND_MS - 1)
        assert not await here.tables()
        await here.tick(1)
        assert len(await here.tables()) == 1
        assert boris.known["search"] is None

    story(sqlite, work)


def test_whoever_is_left_is_met_by_anyone(sqlite: str) -> None:
    async def work(here: Process) -> None:
        await here.look(await here.person("Ana", 1200))
        await here.look(await here.person("Boris", 1900))
        await here.tick(2 * BAND_MS - 1)
        assert not await here.tables()
        await here.tick(1)
        assert len(await here.tables()) == 1

    story(sqlite, work)


@pytest.mark.parametrize(
    "other", [{"pace": "day"}, {"sizes": [3, 4]}, {"games": ["atlantis"]}, {"rated": True}], ids=str
)
def test_other_wishes_do_not_meet(other: dict[str, Any], sqlite: str) -> None:
    async def work(here: Process) -> None:
        await here.look(await here.person("Ana", 1500))
        await here.look(await here.person("Boris", 1500), **other)
        await here.tick(2 * BAND_MS)
        assert not await here.tables()

    story(sqlite, work)


def test_several_games_and_sizes_meet_where_all_agree(sqlite: str) -> None:
    async def work(here: Process) -> None:
        people = [await here.person(name) for name in ("Ana", "Boris", "Chen", "Dora")]
        await here.look(people[0], games=["survive", GAME], sizes=[3, 4])
        await here.look(people[1], games=["survive", "atlantis"], sizes=[4])
        await here.look(people[2], games=["survive"], sizes=[2, 4])
        assert not await here.tables()
        await here.look(people[3], games=["atlantis", "survive"], sizes=[4, 5])
        [table] = await here.tables()
        assert (table.terms.game, table.terms.players) == ("survive", 4)
        assert seated(table) == {user.id for user in people}

    story(sqlite, work)


def test_bots_sit_down_after_the_announced_time_and_the_match_is_friendly(sqlite: str) -> None:
    async def work(here: Process) -> None:
        ana = await here.look(await here.person("Ana", 1500), sizes=[3], rated=True, bots="sprat")
        await here.look(await here.person("Boris", 1500), sizes=[3], rated=True, bots="marlin")
        await here.look(await here.person("Chen", 1900), sizes=[3], rated=True)
        assert ana.known["search"]["bots_in"] is not None
        await here.tick(BAND_MS)  # Chen is too far off, and wants no bots
        assert not await here.tables()
        await here.maker.seat_with_bots_now(ana.user)  # type: ignore[arg-type]
        [table] = await here.tables()
        assert seated(table) == {"id-Ana", "id-Boris"}
        assert [chair.bot for chair in table.chairs if chair.bot] == ["sprat"]
        assert table.unrated_reason or not table.terms.rated
        alone = await here.look(await here.person("Dora"), sizes=[2, 3], bots="sprat")
        await here.tick(BOTS_AFTER_MS - 1)
        assert alone.known["search"]["bots_in"] == 1
        assert len(await here.tables()) == 1
        await here.tick(1)
        assert [table.terms.players for table in await here.tables()] == [3, 2]

    story(sqlite, work)


def test_blocked_people_never_meet(sqlite: str) -> None:
    async def work(here: Process) -> None:
        ana, boris, chen = [await here.person(name, 1500) for name in ("Ana", "Boris", "Chen")]
        await here.store.relations.set_user_blocked(boris.id, ana.id, on=True)
        page = await here.look(ana)
        await here.look(boris)
        await here.tick(3 * BAND_MS)
        assert not await here.tables()
        assert page.known["search"]["others"] == 0
        await here.store.relations.set_user_blocked(boris.id, chen.id, on=True)
        await here.look(chen)
        [table] = await here.tables()
        assert seated(table) == {ana.id, chen.id}

    story(sqlite, work)


def test_somebody_blocked_while_both_wait_is_not_met(sqlite: str) -> None:
    async def work(here: Process) -> None:
        ana, boris = await here.person("Ana", 1500), await here.person("Boris", 1700)
        await here.look(ana)
        await here.look(boris)
        await here.store.relations.set_user_blocked(ana.id, boris.id, on=True)
        await here.tick(BAND_MS)
        await here.tick(BAND_MS)
        assert not await here.tables()
        assert len(here.maker.log.searches) == 2

    story(sqlite, work)


def test_only_accounts_that_agreed_are_named(sqlite: str) -> None:
    async def work(here: Process) -> None:
        ana = await here.look(await here.person("Ana", 1500), sizes=[4])
        await here.look(await here.person("Boris", 1520, shown=True), sizes=[4])
        await here.look(await here.person("Chen", 1700), sizes=[4])
        await here.tick()
        assert ana.known["search"]["near"] == [
            {"ring": 0, "fits": True, "name": "Boris", "rating": 1520},
            {"ring": 1, "fits": False},
        ]
        stranger = await here.page(None)
        assert stranger.known["waiting"] == [
            {"game": GAME, "players": 4, "pace": "quarter", "rated": False, "people": 3}
        ]
        assert "search" not in stranger.known
        assert "Boris" not in json.dumps(stranger.known)

    story(sqlite, work)


def test_stopping_and_looking_again(sqlite: str) -> None:
    async def work(here: Process) -> None:
        ana, boris = await here.person("Ana"), await here.person("Boris")
        page = await here.look(ana)
        await here.maker.stop_search(ana)
        await here.maker.stop_search(ana)
        await here.look(boris)
        await here.tick()
        assert not await here.tables()
        assert page.known["search"] is None
        with pytest.raises(Refused, match="You are not looking for a table"):
            await here.maker.seat_with_bots_now(ana)
        await here.maker.start_search(ana, [GAME], [3], "quarter", False, "")
        await here.maker.start_search(ana, [GAME], [2], "quarter", False, "")  # in place of the one before
        [table] = await here.tables()
        assert seated(table) == {ana.id, boris.id}
        assert not here.maker.log.searches

    story(sqlite, work)


def test_a_search_ends_when_its_owner_sits_down_elsewhere(sqlite: str) -> None:
    async def work(here: Process) -> None:
        here.hub.on_seated = here.maker.on_person_seated
        ana, boris, cleo = [await here.person(name) for name in ("Ana", "Boris", "Cleo")]

        async def settle() -> None:
            while tasks := here.tasks_of(Matchmaker.try_end_search_of_seated):
                await asyncio.gather(*tasks)

        pages = [
            await here.look(ana),
            await here.look(boris, sizes=[3]),
            await here.look(cleo, sizes=[4], pace="three_days"),
        ]
        by_days = TableConfig(GAME, 2, clock=ClockRule(DAYS_CLOCK, days=3))
        for user in (ana, boris, cleo):
            await here.hub.create_table(user, by_days)
        await settle()
        assert len(here.maker.log.searches) == 3, "a table by days hinders nobody"
        table = await here.hub.create_table(ana, TableConfig(GAME, 2))
        await settle()
        assert set(here.maker.log.by_person) == {boris.id, cleo.id}, "her own table"
        await here.hub.execute_command(table, boris, cmd.Sit(chair=1))
        await here.hub.create_table(cleo, TableConfig(GAME, 2))
        await settle()
        assert set(here.maker.log.by_person) == {cleo.id}, "another's table; a search by days goes on"
        await here.maker.send_changes_to_listeners()
        assert [page.known["search"] is None for page in pages] == [True, True, False]

    story(sqlite, work)


def test_a_closed_page_is_waited_for_a_little_and_not_seated(sqlite: str) -> None:
    async def work(here: Process) -> None:
        ana, boris = await here.person("Ana"), await here.person("Boris")
        first, second = await here.look(ana), await here.page(ana)
        await here.leave(first)
        assert here.maker.log.by_person[ana.id].present  # the other tab is open
        await here.leave(second)
        page = await here.look(boris)
        assert not await here.tables()
        await here.tick(ABSENCE_MS - 1)
        again = await here.page(ana)  # just in time
        await here.tick()
        assert len(await here.tables()) == 1
        assert again.known["search"] is None
        chen = await here.look(await here.person("Chen"))
        await here.leave(chen)
        await here.look(boris)
        await here.tick(ABSENCE_MS)
        assert here.maker.log.by_person.keys() == {boris.id}
        assert page.known["search"] is not None

    story(sqlite, work)


def test_a_search_for_days_goes_on_without_a_page(sqlite: str) -> None:
    async def work(here: Process) -> None:
        ana, boris = await here.person("Ana"), await here.person("Boris")
        await here.leave(await here.look(ana, pace="day"))
        await here.tick(6 * ABSENCE_MS)
        await here.look(boris, pace="day")
        [table] = await here.tables()
        assert table.terms.clock.days == 1
        await here.leave(await here.look(ana, pace="week"))
        here.clock.ms += 86_400_000
        await here.look(boris, pace="day")
        await here.tick()
        assert here.maker.log.by_person.keys() == {boris.id}

    story(sqlite, work)


def test_searches_survive_a_restart_and_ghosts_do_not_play(database: str) -> None:
    async def run() -> None:
        clock = Clock()
        here = await opened(database, clock)
        ana, boris, chen = [await here.person(name) for name in ("Ana", "Boris", "Chen")]
        await here.look(ana)
        await here.close()
        clock.ms += 5_000
        here = await Process(database, clock).open()
        await here.look(boris)
        [table] = await here.tables()
        assert seated(table) == {ana.id, boris.id}
        missed = await here.page(ana)  # whose page came back a moment later
        assert missed.known["found"] == table.id
        await here.look(chen)
        await here.close()
        clock.ms += 3_600_000
        here = await Process(database, clock).open()
        await here.look(boris)
        assert len(await here.tables()) == 1
        await here.tick(ABSENCE_MS)
        assert here.maker.log.by_person.keys() == {boris.id}
        await here.close()

    asyncio.run(run())


def test_two_processes_seat_nobody_twice(postgres: str) -> None:
    async def run() -> None:
        clock = Clock()
        left, right = await opened(postgres, clock), await Process(postgres, clock).open()
        people = [await left.person(f"P{number}") for number in range(12)]
        await asyncio.gather(*(([left, right][n % 2]).look(user) for n, user in enumerate(people)))
        for _ in range(5):
            await asyncio.gather(left.tick(), right.tick())
        tables = await left.tables()
        assert sorted(person for table in tables for person in seated(table)) == sorted(user.id for user in people)
        assert len(tables) == 6
        pages = [await left.look(await left.person("Last"), sizes=[4]), await right.page(User("id-Last", "Last"))]
        await wait_until_true(lambda: all(page.known.get("search") for page in pages))
        await left.leave(pages[0])
        async with asyncio.timeout(LONG):  # the page at the other process is still open, which hears of it soon
            while not left.maker.log.by_person["id-Last"].present:
                await right.tick(1)
                await left.tick()
                await asyncio.sleep(0.01)
        await right.maker.stop_search(User("id-Last", "Last"))
        await wait_until_true(lambda: pages[1].known["search"] is None)
        for process in (left, right):
            await process.close()

    asyncio.run(run())


def test_a_deleted_user_is_not_seated_and_not_named(database: str) -> None:
    async def work(here: Process) -> None:
        ana, boris = await here.person("Ana Unlike", 1500, shown=True), await here.person("Boris")
        await here.look(ana)
        await here.store.personal_data.erase_user(ana.id)
        await here.look(boris)  # before this process heard of it
        assert not await here.tables()
        assert here.maker.log.by_person.keys() == {boris.id}
        rows = await here.store.searches.read_search_log()
        assert rows
        assert all("Unlike" not in str(row) for row in rows)
        fresh = Matchmaker(here.hub, here.store)
        assert await fresh.describe_search(ana) is None
        assert await fresh.describe_search(boris) is not None

    story(database, work)


def test_the_log_is_pruned_and_its_rest_says_the_same(sqlite: str) -> None:
    async def work(here: Process) -> None:
        people = [await here.person(f"P{number}") for number in range(4)]
        for user in people[:3]:
            await here.look(user)
        waiting = set(here.maker.log.by_person)
        await here.tick(KEPT_MS + 3_600_001)
        left = await here.store.searches.read_search_log()
        fresh = Matchmaker(here.hub, here.store)
        await fresh.describe_search(people[3])
        assert left[0].seq > 1
        assert set(fresh.log.by_person) == waiting
        assert fresh.log.seq == here.maker.log.seq

    story(sqlite, work)


def test_a_wrong_wall_clock_ends_no_search(sqlite: str) -> None:
    async def work(here: Process) -> None:
        ana = await here.look(await here.person("Ana"), sizes=[3])
        here.clock.wrong_by = 86_400_000
        await here.tick(1_000)
        here.clock.wrong_by = -86_400_000
        await here.tick(1_000)
        assert ana.known["search"]["ring"] == 0
        assert here.maker.log.by_person

    story(sqlite, work)


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        ({"pace": "blitz"}, "bad_message"),
        ({"bots": "mcts:ms=2000"}, "bad_message"),
        ({"sizes": [6]}, "no_such_table"),
        ({"rated": True}, "rated_account"),
    ],
)
def test_what_cannot_be_looked_for(wanted: dict[str, Any], code: str, sqlite: str) -> None:
    async def work(here: Process) -> None:
        with pytest.raises(Refused) as error:
            await here.look(await here.person("Ana"), **wanted)
        assert error.value.code == code
        assert not await here.store.searches.read_search_log()

    story(sqlite, work)

"""The lobby's board: what is on it and for whom, what a change costs, and that two processes show the same."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from landfall.api import home_page as api
from landfall.api import players
from landfall.api.types import Caller
from landfall.core.rng import Rng
from landfall.store import schema
from landfall.store.row_types import Presence, UserRecord
from landfall.store.store import Store, make_store_for_setting
from landfall.tables.bots.fair_queue import BACKGROUND, FairQueue
from landfall.tables.live.hub import Hub, TableConfig
from landfall.tables.live.subscriber import User
from landfall.tables.lobby.bot_exhibition import ensure_exhibition_match
from landfall.tables.lobby.lobby_board import MAX_NAMES, LobbyBoard, LobbySnapshot, LobbyViewer
from landfall.tables.log.clocks import DAYS_CLOCK, ClockRule
from landfall.tables.log.loading import load_table_from_entries
from landfall.tables.log.table import EXHIBITION
from landfall.tables.protocol import commands as cmd
from landfall.tables.protocol.errors import Refused
from landfall.tables.protocol.server_messages import HerePerson, encode_json
from landfall.tables.runtime_dependencies import Runtime, SystemClock

pytestmark = pytest.mark.once
GAME = "atlandice"
PUBLIC = TableConfig(GAME, 3, public=True)


class Clock(SystemClock):
    """Moved by hand; whoever sleeps is not woken."""

    def __init__(self) -> None:
        self.ms = 1_700_000_000_000

    def wall_time_ms(self) -> int:
        return self.ms

    def monotonic_ms(self) -> int:
        return self.ms

    async def sleep_ms(self, ms: int) -> None:
        await asyncio.get_running_loop().create_future()


class Page:
    """A page of somebody's that shows the lobby, as the client keeps it."""

    def __init__(self) -> None:
        self.tables: dict[str, Any] = {}
        self.here: dict[str, Any] = {}
        self.followed: list[dict[str, Any]] = []
        self.messages: list[str] = []
        self.home = 0
        self.viewer: LobbyViewer | None = None

    def receive(self, text: str) -> None:
        self.messages.append(text)
        message = json.loads(text)
        if message.get("fresh"):
            self.tables = {}
        for table, row in message.get("tables", {}).items():
            self.tables.pop(table, None)
            if row is not None:
                self.tables[table] = row
        self.here = message.get("here", self.here)
        self.followed = message.get("followed", self.followed)
        self.home += message.get("home", False)


class Process:
    """A server process without the web."""

    def __init__(self, database: str, clock: Clock, exhibition: bool = False) -> None:
        self.store: Store = make_store_for_setting(database)
        self.clock = clock
        self.encoded = 0
        runtime = Runtime(clock=clock)
        runtime.encode = self.encode
        self.hub = Hub(self.store, runtime=runtime)
        self.connected: list[Presence] = []
        self.waiting: dict[str, list[str]] = {}
        self.exhibitions = exhibition
        self.board = LobbyBoard(
            self.hub,
            self.store,
            self.store.tables.list_unfinished_public_tables,
            lambda: self.connected,
            lambda: self.waiting,
            self.exhibit,
        )
        self.hub.on_public_change = self.board.mark_changed
        self.hub.on_lobby = self.board.on_lobby_notification

    def encode(self, message: Any) -> str:
        self.encoded += 1
        return encode_json(message)

    async def exhibit(self) -> None:
        if self.exhibitions:
            await ensure_exhibition_match(self.hub, self.store)

    async def open(self) -> Process:
        await self.store.database.open_and_migrate()
        await self.hub.start_background_tasks()
        return self

    async def close(self) -> None:
        await self.board.end_presences_of_this_process()
        await self.hub.shut_down()
        await self.store.database.close()

    async def person(self, name: str, shown: bool = True) -> User:
        row = UserRecord(f"id-{name}", name, 1, 1, name.casefold(), "x", False, name.casefold(), shown)
        await self.store.users.add_user(row)
        return User(row.id, name, True, shown)

    async def page(self, user: User | None, table: str = "", sees: bool = True) -> Page:
        page = Page()
        if user is not None:
            self.connected.append(Presence(user.id, user.name if user.shown else "", table))
        page.viewer = await self.board.connect_viewer(user, page.receive, sees)
        await self.board.update_and_broadcast()
        return page

    async def table(self, owner: User, config: TableConfig = PUBLIC) -> str:
        return await self.hub.create_table(owner, config)


Work = Callable[[Process], Awaitable[None]]


def story(work: Work, database: str, exhibition: bool = False) -> None:
    async def run() -> None:
        process = await Process(database, Clock(), exhibition).open()
        try:
            await work(process)
        finally:
            await process.close()

    asyncio.run(run())


def test_public_tables_are_on_the_board_and_private_ones_are_not(sqlite: str) -> None:
    async def work(here: Process) -> None:
        ana, boris = await here.person("Ana"), await here.person("Boris")
        page = await here.page(None)
        private = await here.table(ana, replace(PUBLIC, public=False))
        public = await here.table(boris)
        await here.board.update_and_broadcast()
        assert page.tables.keys() == {public}
        assert page.tables[public]["chairs"] == ["Boris", None, None]
        here.connected.append(Presence(ana.id, "Ana", private))
        await here.board.update_and_broadcast()
        assert page.here["names"] == [{"name": "Ana"}], "she plays; where is her own affair"
        assert (page.here["people"], page.here["tables"]) == (1, 1)
        await here.hub.execute_command(public, ana, cmd.Sit(chair=1))
        await here.board.update_and_broadcast()
        assert page.tables[public]["chairs"] == ["Boris", "Ana", None]
        await here.hub.execute_command(public, boris, cmd.Close())
        await here.board.update_and_broadcast()
        assert not page.tables
        assert all(private not in message for message in page.messages)

    story(work, sqlite)


def test_who_did_not_agree_is_counted_and_not_named(sqlite: str) -> None:
    async def work(here: Process) -> None:
        page = await here.page(await here.person("Ana Unlike", shown=False))
        cy = await here.person("Cy")
        here.waiting[cy.id] = [GAME]
        await here.page(cy)
        assert page.here["names"] == [{"name": "Cy", "waits": [GAME]}]
        assert (page.here["people"], page.here["searches"], page.here["waiting"]) == (2, 1, {GAME: 1})
        assert all("Unlike" not in message for message in page.messages)

    story(work, sqlite)


def test_those_who_blocked_each_other_do_not_see_each_other(sqlite: str) -> None:
    async def work(here: Process) -> None:
        ana, boris, cy = [await here.person(name) for name in ("Ana", "Boris", "Cy")]
        pages = {user.name: await here.page(user) for user in (ana, boris, cy)}
        mine, third = await here.table(ana), await here.table(cy)
        await here.store.relations.set_user_blocked(ana.id, boris.id, True)
        await here.board.notify_relations_changed(ana.id, boris.id)
        await here.board.update_and_broadcast()
        seen = {name: set(page.tables) for name, page in pages.items()}
        assert seen == {"Ana": {mine, third}, "Boris": {third}, "Cy": {mine, third}}
        names = {name: [one["name"] for one in page.here["names"]] for name, page in pages.items()}
        assert names == {"Ana": ["Ana", "Cy"], "Boris": ["Boris", "Cy"], "Cy": ["Ana", "Boris", "Cy"]}
        await here.hub.execute_command(third, ana, cmd.Sit(chair=1))
        await here.board.update_and_broadcast()
        assert set(pages["Boris"].tables) == set()
        listed = await api.describe_visible_tables(
            here.hub, here.store, Caller(boris), await here.store.tables.list_unfinished_public_tables()
        )
        assert not listed
        await here.store.relations.set_user_blocked(ana.id, boris.id, False)
        await here.board.notify_relations_changed(ana.id, boris.id)
        assert set(pages["Boris"].tables) == {mine, third}

    story(work, sqlite)


def test_a_block_while_a_page_connects_is_not_missed(sqlite: str) -> None:
    """Its relations are read in two queries, and the board after them: whenever the block comes, it counts."""

    async def work(here: Process) -> None:
        ana, boris = [await here.person(name) for name in ("Ana", "Boris")]
        mine = await here.table(ana)
        await here.board.update_and_broadcast()
        relations = here.store.relations
        followed_by, read_if_old = relations.list_user_ids_followed_by, here.board.refresh_if_old_and_unwatched

        async def block() -> None:
            relations.list_user_ids_followed_by = followed_by  # type: ignore[method-assign]
            here.board.refresh_if_old_and_unwatched = read_if_old  # type: ignore[method-assign]
            await relations.set_user_blocked(ana.id, boris.id, True)
            here.board.services.spawn_background_task(here.board.notify_relations_changed(ana.id, boris.id))

        async def block_first(person: str) -> frozenset[str]:
            await block()
            return await followed_by(person)

        async def block_last() -> None:
            await block()
            await read_if_old()

        for slow in ("relations", "board"):
            if slow == "relations":
                relations.list_user_ids_followed_by = block_first  # type: ignore[method-assign]
            else:
                here.board.refresh_if_old_and_unwatched = block_last  # type: ignore[method-assign]
            page = Page()
            page.viewer = await here.board.connect_viewer(boris, page.receive, True)
            for _ in range(200):
                await asyncio.sleep(0.01)
                if not page.tables:
                    break
            assert mine not in page.tables, slow
            assert not here.board.connecting
            here.board.disconnect_viewer(page.viewer)
            await relations.set_user_blocked(ana.id, boris.id, False)

    story(work, sqlite)


def test_the_list_of_followed_people_does_not_show_who_blocked_one(sqlite: str) -> None:
    async def work(here: Process) -> None:
        ana, boris, cy = [await here.person(name) for name in ("Ana", "Boris", "Cy")]
        for name in ("Boris", "Cy"):
            await api.set_player_followed(here.store, Caller(ana), name, True)
        await here.store.relations.set_user_blocked(boris.id, ana.id, True)
        assert (await players.get_player_info(here.store, Caller(ana), "Ana")).follows == ["Boris", "Cy"]
        assert (await players.get_player_info(here.store, Caller(cy), "Ana")).follows == []

    story(work, sqlite)


def test_followed_people_come_first_and_only_to_who_follows_them(sqlite: str) -> None:
    async def work(here: Process) -> None:
        ana, boris, shy = await here.person("Ana"), await here.person("Boris"), await here.person("Shy", shown=False)
        page, other = await here.page(ana), await here.page(boris)
        for name in ("Boris", "Shy"):
            await api.set_player_followed(here.store, Caller(ana), name, True)
        await here.board.notify_relations_changed(ana.id)
        await here.page(shy)
        assert [one["name"] for one in page.followed] == ["Boris"]
        assert other.followed == []
        _, names = await here.board.presence_info_for_person(ana.id)
        assert names == ["Boris"]
        await api.set_player_followed(here.store, Caller(ana), "Boris", False)
        await here.board.notify_relations_changed(ana.id)
        assert page.followed == []

    story(work, sqlite)


def test_a_change_is_encoded_once_for_a_thousand_pages(sqlite: str) -> None:
    async def work(here: Process) -> None:
        ana = await here.person("Ana")
        pages = []
        for _ in range(1_000):
            page = Page()
            page.viewer = await here.board.connect_viewer(None, page.receive, True)
            pages.append(page)
        assert here.board.readings == 1, "who comes later gets what is known"
        await here.board.update_and_broadcast()
        before = here.encoded
        table = await here.table(ana)
        await here.board.update_and_broadcast()
        assert here.encoded == before + 1
        assert all(list(page.tables) == [table] for page in pages)
        sent = len(pages[0].messages)
        await here.board.update_and_broadcast()
        assert here.encoded == before + 1, "nothing changed"
        assert len(pages[0].messages) == sent

    story(work, sqlite)


def test_the_board_is_read_at_most_twice_a_second(sqlite: str) -> None:
    async def run() -> None:
        clock = SystemClock()
        here = Process(sqlite, clock)  # type: ignore[arg-type]
        await here.open()
        ana = await here.person("Ana")
        page = Page()
        await here.board.connect_viewer(None, page.receive, True)
        running = here.hub.spawn_background_task(here.board.run_update_loop())
        before, begun = here.board.readings, time.monotonic()
        for _ in range(20):
            await here.table(ana)
            await asyncio.sleep(0.05)
        took, seconds = here.board.readings - before, time.monotonic() - begun
        running.cancel()
        await here.close()
        assert 1 <= took <= 2 * seconds + 2, (took, seconds)
        assert page.tables

    asyncio.run(run())


def test_two_processes_show_the_same_board(postgres: str) -> None:
    async def run() -> None:
        clock = Clock()
        left, right = [await Process(postgres, clock, exhibition=True).open() for _ in range(2)]
        ana, boris = await left.person("Ana"), await right.person("Boris")
        one, other = await left.page(ana), await right.page(boris)
        table = await left.table(ana)
        left.connected = [Presence(ana.id, "Ana", table)]

        async def settle() -> None:
            for _ in range(3):
                for process in (left, right):
                    await process.board.update_and_broadcast()

        await settle()
        assert one.tables == other.tables
        assert other.tables[table]["here"] == 1
        assert one.here == other.here
        assert one.here["people"] == 2
        shown = [row for row in other.tables.values() if row.get("exhibition")]
        assert len(shown) == 1, "one exhibition for both"
        invited = await api.invite_player(left.hub, left.store, Caller(ana), "Boris", table)
        await left.board.notify_home_changed(invited)
        async with asyncio.timeout(10):
            while not other.home:
                await asyncio.sleep(0.01)
        assert not one.home
        left.connected.clear()
        await left.board.update_and_broadcast()
        await settle()
        assert other.here["people"] == 1
        right.clock.ms += 10 * 60_000  # a process that was killed says nothing any more
        await right.board.update_and_broadcast()
        for process in (left, right):
            await process.close()

    asyncio.run(run())


def test_an_exhibition_is_there_while_nobody_plays_and_waits_for_everybody(sqlite: str) -> None:
    async def work(here: Process) -> None:
        ana = await here.person("Ana")
        page = await here.page(ana)
        await here.board.update_and_broadcast()
        [shown] = page.tables.values()
        assert shown["exhibition"]
        assert shown["status"] == "playing"
        table = load_table_from_entries(
            shown["table"], await here.store.tables.read_log_entries(shown["table"]), Rng(1)
        )
        assert table.terms.owner == EXHIBITION
        assert all(chair.bot for chair in table.chairs)
        await here.board.update_and_broadcast()
        assert len(await here.store.tables.list_all_table_ids()) == 1, "one is enough"
        played = await here.hub.create_table_with_bots(ana, replace(PUBLIC, players=2), ["sprat"])
        await here.board.update_and_broadcast()
        assert set(page.tables) == {played}, "somebody plays"
        assert here.hub.live_tables.get(shown["table"]) is None or not here.hub.live_tables[shown["table"]].subscribers

    story(work, sqlite, exhibition=True)


def test_an_exhibition_gets_a_worker_only_when_nobody_else_waits() -> None:
    async def run() -> list[str]:
        queue, served = FairQueue(1, 4), []

        async def ask(who: str) -> None:
            await queue.take_slot(who)
            served.append(who)
            queue.release_slot(who)

        await queue.take_slot("first")
        waiting = [asyncio.ensure_future(ask(who)) for who in (f"{BACKGROUND} x", "b", "a", "a", "c")]
        await asyncio.sleep(0)
        queue.release_slot("first")
        await asyncio.gather(*waiting)
        return served

    assert asyncio.run(run())[-1] == f"{BACKGROUND} x"


def test_what_a_viewer_costs_does_not_grow_with_those_who_are_here() -> None:
    """Each viewer is served from an index: nobody goes through all who are here."""
    looked: list[int] = []

    class Counted(list[Any]):
        def __iter__(self) -> Iterator[Any]:
            for n, one in enumerate(super().__iter__()):
                looked.append(n)
                yield one

    here = [(f"p{n}", HerePerson(name=f"P{n}")) for n in range(10_000)]
    snapshot = LobbySnapshot(here=here)
    snapshot.here = Counted(here)
    viewer = LobbyViewer(
        None, lambda text: None, followed=frozenset({"p9999", "p5", "p7", "away"}), hidden=frozenset({"p7"})
    )
    assert [one["name"] for one in snapshot.followed_people_here(viewer)] == ["P5", "P9999"]
    assert looked == []
    assert [one["name"] for one in snapshot.presence_info_without(viewer.hidden)["names"]] == [
        f"P{n}" for n in range(MAX_NAMES + 1) if n != 7
    ]
    assert len(looked) == MAX_NAMES + 1


def test_an_invitation_is_accepted_declined_limited_and_ends_with_the_table(sqlite: str) -> None:
    async def work(here: Process) -> None:
        ana, boris, cy = [await here.person(name) for name in ("Ana", "Boris", "Cy")]
        table = await here.table(ana, replace(PUBLIC, public=False))

        async def refused(work: Awaitable[Any]) -> str:
            with pytest.raises(Refused) as caught:
                await work
            return caught.value.code

        async def waiting(user: User) -> list[str]:
            return [one.name for one in await api.list_acceptable_invitations(here.hub, here.store, Caller(user))]

        assert await refused(api.invite_player(here.hub, here.store, Caller(boris), "Cy", table)) == "no_free_seat", (
            "not at the table"
        )
        assert await refused(api.invite_player(here.hub, here.store, Caller(ana), "Ana", table)) == "cannot_invite"
        assert await refused(api.accept_invitation(here.hub, here.store, Caller(boris), table)) == "no_invitation"
        await api.invite_player(here.hub, here.store, Caller(ana), "Boris", table)
        await api.invite_player(here.hub, here.store, Caller(ana), "Cy", table)
        assert await refused(api.invite_player(here.hub, here.store, Caller(ana), "Cy", table)) == "already_invited"
        [notice] = await here.store.notifications.list_notices_of_user(cy.id)
        assert (notice.kind, notice.topic, notice.other, notice.due) == ("invitation", table, ana.id, notice.at)
        assert (notice.data["game"], notice.data["players"]) == ((await here.hub.get_table_summary(table)).game, 3)
        assert await waiting(boris) == ["Ana"]
        await api.accept_invitation(here.hub, here.store, Caller(boris), table)
        assert (await here.hub.get_or_load_table(table)).table.chairs[1].person == boris.id
        assert await waiting(boris) == []
        await api.decline_invitation(here.store, Caller(cy), table)
        assert (
            await here.store.notifications.list_notices_of_user(boris.id)
            == await here.store.notifications.list_notices_of_user(cy.id)
            == []
        ), "answered"
        assert await waiting(cy) == []
        assert await refused(api.decline_invitation(here.store, Caller(cy), table)) == "no_invitation"
        assert await refused(api.invite_player(here.hub, here.store, Caller(ana), "Cy", table)) == "already_invited", (
            "it was declined"
        )
        other = await here.table(ana)
        await here.store.relations.set_user_blocked(cy.id, ana.id, True)
        assert await refused(api.invite_player(here.hub, here.store, Caller(ana), "Cy", other)) == "cannot_invite"
        await here.store.relations.set_user_blocked(cy.id, ana.id, False)
        await api.invite_player(here.hub, here.store, Caller(ana), "Cy", other)
        await here.store.relations.set_user_blocked(cy.id, ana.id, True)
        assert await waiting(cy) == [], "blocked since"
        await here.store.relations.set_user_blocked(cy.id, ana.id, False)
        await here.hub.execute_command(other, ana, cmd.Close())
        assert await waiting(cy) == [], "the table is closed"
        last = await here.table(ana)

        async def note_invited(count: int, sender: str, person: str) -> None:
            row = {"sender": sender, "person": person, "at": here.clock.ms, "state": "declined"}
            rows = [{**row, "table_id": f"{sender} {person} {n}"} for n in range(count)]
            await here.store.database.commit_change(schema.invitations.insert().values(rows))

        async def invited_again() -> str:
            return await refused(api.invite_player(here.hub, here.store, Caller(ana), "Cy", last))

        guest = User("id-guest", "guest", False)
        assert await refused(api.invite_player(here.hub, here.store, Caller(guest), "Cy", last)) == "invite_account"
        await note_invited(api.MAX_INVITATIONS_TO_ONE - 2, ana.id, cy.id)
        assert await invited_again() == "invited_often", "by her"
        here.clock.ms += 86_400_001
        await note_invited(api.MAX_INVITED_A_DAY, boris.id, cy.id)
        assert await invited_again() == "invited_often", "by others"
        here.clock.ms += 86_400_001
        await note_invited(api.MAX_INVITATIONS_A_DAY, ana.id, boris.id)
        assert await invited_again() == "too_many_invitations"
        here.clock.ms += 86_400_001
        await api.invite_player(here.hub, here.store, Caller(ana), "Cy", last)
        await here.store.personal_data.erase_user(ana.id)
        left = await here.store.database.fetch_rows(schema.invitations.select())
        assert not [row for row in left if ana.id in (row.sender, row.person)]

    story(work, sqlite)


def test_home_says_that_bots_wait_too(sqlite: str) -> None:
    async def work(here: Process) -> None:
        ana = await here.person("Ana")
        table = await here.table(ana, replace(PUBLIC, players=2, seating="as_sat"))
        await here.hub.execute_command(table, ana, cmd.Bot(chair=1, code="sprat"))
        await here.hub.execute_command(table, ana, cmd.Start())
        live = here.hub.live_tables[table]
        (listed,) = await api.list_home_tables(here.hub, Caller(ana))
        assert listed.yours == (live.table.actor == 0), "while it is in memory"
        here.hub.evict_empty_table(live)
        assert table not in here.hub.live_tables
        (listed,) = await api.list_home_tables(here.hub, Caller(ana))
        assert listed.yours, "and when nobody is connected any more"

    story(work, sqlite)


def test_home_lists_first_what_needs_somebody(sqlite: str) -> None:
    async def work(here: Process) -> None:
        ana, boris = await here.person("Ana"), await here.person("Boris")
        by_days = replace(PUBLIC, players=2, clock=ClockRule(DAYS_CLOCK, days=1), seating="as_sat")
        gathering = await here.table(ana)
        tables = []
        for first, second in ((ana, boris), (boris, ana)):
            table = await here.table(first, by_days)
            await here.hub.execute_command(table, second, cmd.Sit(chair=1))
            await here.hub.execute_command(table, first, cmd.Start())
            tables.append(table)
        here.clock.ms += 3_600_000
        for live in list(here.hub.live_tables.values()):
            here.hub.evict_empty_table(live)
        found = await api.list_home_tables(here.hub, Caller(ana))
        assert {one.table.table for one in found} == {gathering, *tables}
        mine = [one for one in found if one.yours]
        turns = {
            table: load_table_from_entries(table, await here.store.tables.read_log_entries(table), Rng(1)).actor
            for table in tables
        }
        expected = [table for n, table in enumerate(tables) if turns[table] == n]
        assert [one.table.table for one in mine] == expected
        assert found[: len(mine)] == mine
        assert all(one.left == 23 * 3_600_000 for one in found if one.table.status == "playing")

    story(work, sqlite)

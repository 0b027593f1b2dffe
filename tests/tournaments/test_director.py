"""A tournament from its opening to its end: commands, rounds by themselves, restarts, two processes, deletion."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
import sqlalchemy as sa

from landfall.store import schema
from landfall.store.row_types import UserRecord
from landfall.store.store import Store, make_store_for_setting
from landfall.store.tournament_events import TournamentHead, TournamentWrite
from landfall.store.tournaments import TournamentRepository
from landfall.tables.live.hub import Hub
from landfall.tables.live.subscriber import User
from landfall.tables.protocol import commands as cmd
from landfall.tables.protocol.errors import Refused
from landfall.tables.runtime_dependencies import Runtime, SystemClock
from landfall.tables.tournaments.decisions import TournamentConfig
from landfall.tables.tournaments.director import MAX_ADVANCED_AT_ONCE, MAX_OPEN, Director
from landfall.tables.tournaments.tournament_log import CHECK_IN_MS, WEEK_MS, Tournament

pytestmark = pytest.mark.once
START = 1_700_000_000_000
CONFIG: dict[str, Any] = {
    "title": "Tuesday Dip",
    "game": "atlandice",
    "size": 2,
    "rounds": 2,
    "pace": "five",
    "starts": START + 3_600_000,
}


class Clock(SystemClock):
    """Moved by hand; whoever sleeps is not woken: tests tick by themselves."""

    def __init__(self) -> None:
        self.ms = START

    def wall_time_ms(self) -> int:
        return self.ms

    def monotonic_ms(self) -> int:
        return self.ms

    async def sleep_ms(self, ms: int) -> None:
        if ms > 0:
            await asyncio.get_running_loop().create_future()


class Process:
    """A server process without the web."""

    def __init__(self, database: str, clock: Clock) -> None:
        self.store: Store = make_store_for_setting(database)
        self.clock = clock
        self.hub = Hub(self.store, runtime=Runtime(clock=clock, answer_hold_ms=0))
        self.director = Director(self.hub, self.store)

    async def open(self) -> Process:
        await self.store.database.open_and_migrate()
        await self.hub.start_background_tasks()
        return self

    async def close(self) -> None:
        await self.hub.shut_down()
        await self.store.database.close()

    async def person(self, name: str, account: bool = True) -> User:
        known = name.casefold() if account else None
        await self.store.users.add_user(UserRecord(f"id-{name}", name, 1, 1, known, "x", False, known))
        return User(f"id-{name}", name, account)

    async def people(self, count: int) -> list[User]:
        return [await self.person(f"P{n}") for n in range(count)]

    async def tick(self, ms: int = 0) -> None:
        self.clock.ms += ms
        await asyncio.gather(*await self.director.start_advancing_due_tournaments())

    async def begun(self, people: list[User], **config: Any) -> Tournament:
        """A tournament in its first round."""
        soon = {"starts": self.clock.ms + CHECK_IN_MS}
        id_ = await self.director.open_tournament(people[0], TournamentConfig(**{**CONFIG, **soon, **config}))
        for user in people:
            await self.director.join_tournament(id_, user)
        await self.director.begin_tournament_early(id_, people[0], False)
        await self.tick()
        return await self.director.get_tournament(id_)

    async def end_round(self, found: Tournament) -> None:
        """At each table all but the first person resign."""
        for table in found.unfinished_tables:
            people = [person for person in table.people if person is not None]
            for person in people[1:] if len(people) > 1 else people:
                await self.hub.execute_command(table.id, User(person, "", True), cmd.Resign())


def story(database: str, work: Callable[[Process], Awaitable[None]]) -> None:
    """One process on a database in which there is nothing yet."""

    async def run() -> None:
        process = await Process(database, Clock()).open()
        for table in schema.METADATA.sorted_tables:
            await process.store.database.commit_change(table.delete())
        try:
            await work(process)
        finally:
            await process.close()

    asyncio.run(run())


def refused(code: str, config: dict[str, Any], user: User | None = None) -> Callable[[Process], Awaitable[None]]:
    async def work(here: Process) -> None:
        ana = user or await here.person("Ana")
        with pytest.raises(Refused) as error:
            await here.director.open_tournament(ana, TournamentConfig(**{**CONFIG, **config}))
        assert error.value.code == code
        assert not await here.store.database.fetch_rows(sa.select(schema.tournament_events))

    return work


def test_a_tournament_runs_by_itself(database: str) -> None:
    async def work(here: Process) -> None:
        ana, boris, chen, dora = users = [await here.person(name) for name in ("Ana", "Boris", "Chen", "Dora")]
        id_ = await here.director.open_tournament(ana, TournamentConfig(**CONFIG))
        for user in users:
            await here.director.join_tournament(id_, user)
            await here.director.join_tournament(id_, user)  # changes nothing
        with pytest.raises(Refused, match="ten minutes before"):
            await here.director.check_in_player(id_, ana)
        await here.director.leave_tournament(id_, dora)
        await here.director.join_tournament(id_, dora)
        await here.tick(3_600_000 - CHECK_IN_MS)
        for user in (ana, boris, chen):
            await here.director.check_in_player(id_, user)
        await here.tick(CHECK_IN_MS - 1)
        assert (await here.director.get_tournament(id_)).status == "open"
        await here.tick(1)
        found = await here.director.get_tournament(id_)
        assert (found.status, len(found.rounds[0].tables), len(found.rounds[0].byes)) == ("running", 1, 1)
        assert dora.id not in [*found.rounds[0].tables[0].people, *found.rounds[0].byes]  # did not check in
        await here.director.check_in_player(id_, dora)  # for the next round
        await here.end_round(found)
        await here.tick()
        assert not found.unfinished_tables
        await here.tick(299_000)
        assert len(found.rounds) == 1
        await here.tick(1_000)
        assert [len(found.rounds[1].tables), found.rounds[1].byes] == [2, []]
        await here.end_round(found)
        await here.tick()
        assert found.status == "over"
        scores = found.compute_standings()
        assert sum(score.points for score in scores) == 60 * (2 + 1 + 2 + 2)
        await here.tick()
        with pytest.raises(Refused, match="over"):
            await here.director.join_tournament(id_, await here.person("Eva"))
        assert [head.info["status"] for head in await here.store.tournaments.list_listed_tournaments(["over"], 5)] == [
            "over"
        ]

    story(database, work)


def test_the_tables_are_the_tournaments(sqlite: str) -> None:
    async def work(here: Process) -> None:
        found = await here.begun(await here.people(3), fill="bots", rated=True)
        for planned in found.unfinished_tables:
            table = (await here.hub.get_or_load_table(planned.id)).table
            assert [chair.person for chair in table.chairs] == planned.people
            assert (table.terms.tournament, table.terms.hints, table.terms.owner) == (found.id, False, "")
            assert table.terms.clock.bank == 300
            assert table.unrated_reason == ("bots" if None in planned.people else "")
            person = next(one for one in planned.people if one is not None)
            for what in ("abandon", "takeback", "pause"):
                with pytest.raises(Refused, match="tournament"):
                    await here.hub.execute_command(planned.id, User(person, ""), cmd.Propose(what=what))
        await here.end_round(found)
        for planned in found.unfinished_tables:
            person = next(one for one in planned.people if one is not None)
            with pytest.raises(Refused, match="tournament"):
                await here.hub.execute_command(planned.id, User(person, ""), cmd.Rematch())

    story(sqlite, work)


def test_whoever_does_not_come_is_replaced_and_sits_out(sqlite: str) -> None:
    """Nobody ever connects: the clock of an empty table goes on, and stand-ins end the match."""

    async def work(here: Process) -> None:
        clock = here.clock
        waits: list[asyncio.Future[None]] = []

        async def sleep(ms: int) -> None:  # until the test moves the clock
            if ms > 0:
                waits.append(asyncio.get_running_loop().create_future())
                await waits[-1]

        clock.sleep_ms = sleep  # type: ignore[method-assign]
        found = await here.begun(await here.people(2))
        for _ in range(2000):
            if found.rounds[0].tables[0].result is not None:
                break
            clock.ms += 60_000
            for one in waits:
                if not one.done():
                    one.set_result(None)
            waits.clear()
            await asyncio.sleep(0.001)
            await asyncio.gather(*await here.director.start_advancing_due_tournaments())
        result = found.rounds[0].tables[0].result
        assert result is not None
        assert sorted(result.absent) == [0, 1]
        assert not found.ready_player_ids
        assert all(score.points == 0 for score in found.compute_standings())
        await here.tick(300_000)
        assert found.status == "over"  # nobody is left to play

    story(sqlite, work)


def test_too_few_and_cancelled(sqlite: str) -> None:
    async def work(here: Process) -> None:
        ana, boris = await here.people(2)
        id_ = await here.director.open_tournament(ana, TournamentConfig(**{**CONFIG, "least": 2}))
        await here.director.join_tournament(id_, boris)
        with pytest.raises(Refused, match="needs 2"):
            await here.director.begin_tournament_early(id_, ana, False)
        with pytest.raises(Refused, match="Only whoever opened"):
            await here.director.begin_tournament_early(id_, boris, False)
        await here.director.join_tournament(id_, ana)
        await here.tick(3_600_000 - CHECK_IN_MS - 1)
        with pytest.raises(Refused, match="ten minutes before"):
            await here.director.begin_tournament_early(id_, ana, False)
        with pytest.raises(Refused, match="ten minutes before"):  # nor the host: nobody would be here
            await here.director.begin_tournament_early(id_, boris, True)
        await here.director.leave_tournament(id_, ana)
        await here.tick(CHECK_IN_MS + 1)
        found = await here.director.get_tournament(id_)
        assert (found.status, found.why) == ("cancelled", "too_few")
        other = await here.director.open_tournament(
            ana, TournamentConfig(**{**CONFIG, "starts": here.clock.ms + 60_000})
        )
        with pytest.raises(Refused, match="Only whoever opened"):
            await here.director.cancel_tournament(other, boris, False)
        await here.director.cancel_tournament(other, boris, True)  # the host
        assert (await here.director.get_tournament(other)).why == "cancelled"
        assert not await here.store.tournaments.list_tournament_ids_to_advance(here.clock.ms + 10**9)

    story(sqlite, work)


@pytest.mark.parametrize(
    ("config", "code"),
    [
        ({"rounds": 0}, "tournament_terms"),
        ({"rounds": 13}, "tournament_terms"),
        ({"pace": "blitz"}, "tournament_terms"),
        ({"fill": "friends"}, "tournament_terms"),
        ({"form": "league"}, "tournament_terms"),
        ({"starts": START}, "tournament_terms"),
        ({"starts": START + 10**12}, "tournament_terms"),
        ({"most": 129}, "tournament_terms"),
        ({"most": 1}, "tournament_terms"),
        ({"least": 9, "most": 8}, "tournament_terms"),
        ({"rest": -1}, "tournament_terms"),
        ({"title": "\u200b"}, "name"),
        ({"title": "x" * 61}, "name"),
    ],
)
def test_what_cannot_be_opened(config: dict[str, Any], code: str, sqlite: str) -> None:
    story(sqlite, refused(code, config))


def test_limits_of_opening_and_joining(sqlite: str) -> None:
    async def work(here: Process) -> None:
        ana, boris, chen = await here.people(3)
        guest = await here.person("Guest", account=False)
        ids = [
            await here.director.open_tournament(ana, TournamentConfig(**{**CONFIG, "most": 2})) for _ in range(MAX_OPEN)
        ]
        with pytest.raises(Refused, match=f"{MAX_OPEN} tournaments"):
            await here.director.open_tournament(ana, TournamentConfig(**CONFIG))
        for user in (boris, chen):
            await here.director.join_tournament(ids[0], user)
        with pytest.raises(Refused, match="All 2 places"):
            await here.director.join_tournament(ids[0], ana)
        rated = await here.director.open_tournament(boris, TournamentConfig(**{**CONFIG, "rated": True}))
        with pytest.raises(Refused, match="account"):
            await here.director.join_tournament(rated, guest)
        with pytest.raises(Refused, match="bots"):
            await here.director.join_tournament(rated, User("id-bot", "bot", author="id-P0"))
        for bad in ("", "../x", "nothing"):
            with pytest.raises(Refused, match="no such tournament"):
                await here.director.get_tournament(bad)
        assert "nothing" not in here.director.keepers

    story(sqlite, work)


def test_leavers_and_latecomers(sqlite: str) -> None:
    async def work(here: Process) -> None:
        users = await here.people(6)
        found = await here.begun(users[:4], rounds=3, rest=0)
        await here.director.leave_tournament(found.id, users[3])
        await here.director.join_tournament(found.id, users[4])
        await here.end_round(found)
        await here.tick()
        second = {person for table in found.rounds[1].tables for person in table.people} | set(found.rounds[1].byes)
        assert second == {user.id for n, user in enumerate(users) if n in (0, 1, 2, 4)}
        await here.director.join_tournament(found.id, users[3])  # comes back, with the points of before
        await here.end_round(found)
        await here.tick()
        assert len(found.rounds[2].tables) == 2
        assert len(found.rounds[2].byes) == 1
        with pytest.raises(Refused, match="too late"):
            await here.director.join_tournament(found.id, users[5])

    story(sqlite, work)


def test_a_league_has_a_round_each_week_and_waits_for_nobody(sqlite: str) -> None:
    async def work(here: Process) -> None:
        users = await here.people(4)
        found = await here.begun(users, form="league", pace="week", rounds=2)
        assert (await here.hub.get_or_load_table(found.unfinished_tables[0].id)).table.terms.clock.days == 7
        await here.tick(WEEK_MS - 1)
        assert len(found.rounds) == 1
        await here.tick(1)
        assert len(found.rounds) == 2
        assert len(found.unfinished_tables) == 4
        for table in found.unfinished_tables:
            for person in table.people[1:]:
                await here.hub.execute_command(table.id, User(person or "", "", True), cmd.Resign())
        await here.tick()
        assert found.status == "over"

    story(sqlite, work)


def test_it_survives_restarts_at_every_step(sqlite: str) -> None:
    """A new process after each step finds what the last one left."""

    async def run() -> None:
        clock = Clock()
        here = await Process(sqlite, clock).open()
        found = await here.begun(await here.people(5), fill="byes", rounds=3, rest=60)
        for _ in range(20):
            await here.close()
            here = await Process(sqlite, clock).open()
            found = await here.director.get_tournament(found.id)
            if found.status == "over":
                break
            await here.end_round(found)
            await here.tick(20_000)
        assert (found.status, len(found.rounds)) == ("over", 3)
        tables = [table.id for round_ in found.rounds for table in round_.tables]
        assert sorted(tables) == sorted(set(await here.store.tables.list_all_table_ids()))  # no table without its event
        await here.close()

    asyncio.run(run())


def test_two_processes_pair_a_round_once(postgres: str) -> None:
    async def run() -> None:
        clock = Clock()
        left, right = await Process(postgres, clock).open(), await Process(postgres, clock).open()
        for table in schema.METADATA.sorted_tables:
            await left.store.database.commit_change(table.delete())
        for process in (left, right):  # without the lease, which only spares work

            async def always(table: str) -> bool:
                return True

            process.store.database.try_acquire_bot_lease = always  # type: ignore[method-assign]
        users = await left.people(8)
        config = {**CONFIG, "rounds": 3, "rest": 0, "starts": START + CHECK_IN_MS}
        id_ = await left.director.open_tournament(users[0], TournamentConfig(**config))
        await asyncio.gather(
            *([left, right][n % 2].director.join_tournament(id_, user) for n, user in enumerate(users))
        )
        await right.director.begin_tournament_early(id_, users[0], False)
        for _ in range(3):
            await asyncio.gather(left.tick(), right.tick())
            found = await left.director.get_tournament(id_)
            await left.end_round(found)
        await asyncio.gather(left.tick(), right.tick())
        found = await right.director.get_tournament(id_)
        assert (found.status, [len(one.tables) for one in found.rounds]) == ("over", [4, 4, 4])
        tables = [table.id for round_ in found.rounds for table in round_.tables]
        assert sorted(tables) == await left.store.tables.list_all_table_ids()
        results = [row[0] for row in await left.store.database.fetch_rows(
            sa.select(schema.tournament_events.c.data).where(schema.tournament_events.c.kind == "result"))]  # fmt: skip
        assert len(results) == 12
        for process in (left, right):
            await process.close()

    asyncio.run(run())


def test_a_deleted_user_is_not_named_and_not_seated(database: str) -> None:
    async def work(here: Process) -> None:
        users = [await here.person("Ana Unlike"), *await here.people(4)]
        found = await here.begun(users, fill="byes", rounds=3, rest=0)
        await here.store.personal_data.erase_user(users[0].id)
        await here.end_round(found)
        await here.tick()  # before this process heard of it
        found = await here.director.get_tournament(found.id)
        assert users[0].id not in found.players
        assert "" in [player.name for player in found.players.values()]
        assert len(found.rounds[1].tables) == 2
        assert len(found.compute_standings()) == 5
        rows = await here.store.database.fetch_rows(sa.select(schema.tournament_events.c.data))
        heads = await here.store.database.fetch_rows(sa.select(schema.tournaments))
        assert all("Unlike" not in str(row) and users[0].id not in str(row) for row in [*rows, *heads])
        await here.director.reread_logs_of_deleted_user(users[1].id)  # in memory only: read again
        assert len((await here.director.get_tournament(found.id)).players) == 5

    story(database, work)


@pytest.mark.parametrize("config", [{}, {"form": "league", "pace": "week", "division": 2}])
def test_somebody_who_is_gone_without_a_trace_has_left(sqlite: str, config: dict[str, Any]) -> None:
    """Only the row of a user is gone: the log still names them, and does not change by itself."""

    async def work(here: Process) -> None:
        users = await here.people(4)
        guest = await here.person("Guest", account=False)
        soon = {"starts": here.clock.ms + CHECK_IN_MS}
        id_ = await here.director.open_tournament(users[0], TournamentConfig(**{**CONFIG, **soon, **config}))
        for user in [*users, guest]:
            await here.director.join_tournament(id_, user)
        await here.store.database.commit_change(schema.people.delete().where(schema.people.c.id == guest.id))
        await here.director.begin_tournament_early(id_, users[0], False)
        async with asyncio.timeout(30):
            await here.tick()
        found = await here.director.get_tournament(id_)
        assert found.players[guest.id].state == "gone"
        [begun] = found.rounds
        assert {person for table in begun.tables for person in table.people} == {user.id for user in users}
        assert begun.byes == []

    story(sqlite, work)


def test_a_tournament_that_cannot_go_on_does_not_stop_the_others(sqlite: str) -> None:
    async def work(here: Process) -> None:
        people = await here.people(4)
        broken, fine = [
            await here.director.open_tournament(
                people[0], TournamentConfig(**{**CONFIG, "starts": here.clock.wall_time_ms() + ms})
            )
            for ms in (3_600_000, 3_600_001)
        ]
        for user in people:
            for id_ in (broken, fine):
                await here.director.join_tournament(id_, user)
        here.clock.ms += 3_600_001 - CHECK_IN_MS
        for user in people:
            for id_ in (broken, fine):
                await here.director.check_in_player(id_, user)
        t = schema.tournament_events
        row = (await here.store.database.fetch_rows(sa.select(t.c.data).where(t.c.tournament == broken, t.c.seq == 1)))[
            0
        ][0]
        changed = row.replace('"game":"atlandice"', '"game":"gone"')
        assert changed != row
        await here.store.database.commit_change(
            t.update().where(t.c.tournament == broken, t.c.seq == 1).values(data=changed)
        )
        here.director.keepers.clear()
        await here.tick(CHECK_IN_MS)
        assert (await here.director.get_tournament(fine)).status == "running"

    story(sqlite, work)


def test_a_page_and_players_do_not_wait_while_a_round_is_paired(sqlite: str) -> None:
    """A large field takes long to pair: meanwhile it is read, somebody leaves, and other tournaments go on."""

    async def work(here: Process) -> None:
        people = await here.people(6)
        pairing, may_end, seen = asyncio.Event(), asyncio.Event(), []
        run_task = here.hub.bot_pool.run_task

        async def slowly(task: Any, entrants: Any, *args: Any, who: str = "") -> Any:
            seen.append((who, sum(map(len, entrants))))
            if who == slow:
                pairing.set()
                await may_end.wait()
            return await run_task(task, entrants, *args, who=who)

        here.hub.bot_pool.run_task = slowly  # type: ignore[assignment, method-assign]
        soon = {**CONFIG, "starts": START + CHECK_IN_MS, "fill": "byes"}
        slow, quick = [await here.director.open_tournament(people[0], TournamentConfig(**soon)) for _ in range(2)]
        for id_ in (slow, quick):
            for user in people:
                await here.director.join_tournament(id_, user)
        here.clock.ms += CHECK_IN_MS
        tasks = await here.director.start_advancing_due_tournaments()
        await pairing.wait()
        again = await here.director.start_advancing_due_tournaments()
        while len((await here.director.get_tournament(quick)).rounds) < 1:
            await asyncio.sleep(0)
        page = await asyncio.wait_for(here.director.get_tournament(slow), 60)
        assert (page.status, page.rounds) == ("running", [])
        assert [who for who, _ in seen].count(slow) == 1, "what is being advanced is not advanced twice"
        await asyncio.wait_for(here.director.leave_tournament(slow, people[5]), 60)
        may_end.set()
        await asyncio.gather(*tasks, *again)
        found = await here.director.get_tournament(slow)
        seated = {person for table in found.rounds[0].tables for person in table.people}
        assert people[5].id not in seated
        assert len(seated) == 4
        assert [count for who, count in seen if who == slow] == [6, 5], "paired again without who left"

    story(sqlite, work)


def test_slow_pairings_do_not_hold_other_tournaments(sqlite: str) -> None:
    """As many pairings as tournaments are advanced at once: another one begins, and records its results."""

    async def work(here: Process) -> None:
        people = await here.people(2 * MAX_ADVANCED_AT_ONCE)
        quick = await here.begun(people[:2], rounds=1)
        paired, pairing, may_end = here.hub.bot_pool.run_task, [], asyncio.Event()

        async def slowly(task: Any, *args: Any, who: str = "") -> Any:
            pairing.append(who)
            await may_end.wait()
            return await paired(task, *args, who=who)

        here.hub.bot_pool.run_task = slowly  # type: ignore[assignment, method-assign]
        soon = {**CONFIG, "starts": here.clock.ms + CHECK_IN_MS}
        for opener in people[:MAX_ADVANCED_AT_ONCE]:
            id_ = await here.director.open_tournament(opener, TournamentConfig(**soon))
            for user in people[:2]:
                await here.director.join_tournament(id_, user)
        here.clock.ms += CHECK_IN_MS
        tasks = await here.director.start_advancing_due_tournaments()
        while len(pairing) < MAX_ADVANCED_AT_ONCE:
            await asyncio.sleep(0)
        await here.end_round(quick)
        tasks += await here.director.start_advancing_due_tournaments()
        await asyncio.wait_for(here.director.advancing[quick.id], 20)
        assert (await here.director.get_tournament(quick.id)).status == "over"
        may_end.set()
        await asyncio.gather(*tasks)

    story(sqlite, work)


def test_a_page_is_read_while_results_are_recorded(sqlite: str) -> None:
    async def work(here: Process) -> None:
        found = await here.begun(await here.people(4))
        keeper = here.director.keepers[found.id]
        async with keeper.lock:  # as while a result is written
            page = await asyncio.wait_for(here.director.get_tournament(found.id), 5)
        assert page.status == "running"

    story(sqlite, work)


def test_a_lease_is_given_back_when_a_tournament_cannot_be_advanced(sqlite: str, caplog: Any) -> None:
    async def work(here: Process) -> None:
        held: set[str] = set()

        async def acquire(id_: str) -> bool:
            held.add(id_)
            return True

        async def release(id_: str) -> None:
            held.discard(id_)

        here.store.database.try_acquire_bot_lease, here.store.database.release_bot_lease = acquire, release  # type: ignore[assignment, method-assign]
        t = schema.tournaments
        row = {"opener": "x", "status": "open", "listed": True, "starts": 1, "seq": 1, "info": "{}"}
        await here.store.database.commit_change(t.insert().values(id="q3nN0m1cXlTtVbQp0Jx8Zg", **row))
        for _ in range(3):
            await here.tick()
        assert held == set()
        assert [one.message for one in caplog.records] == ["a tournament waits: no_tournament"], "logged once"
        await here.store.database.commit_change(t.delete())
        found = await here.begun(await here.people(4))
        assert found.id in held, "of a running one"

        pairing = asyncio.Event()

        async def forever(task: Any, *args: Any, who: str = "") -> Any:
            pairing.set()
            await asyncio.get_running_loop().create_future()

        await here.end_round(found)
        await here.tick()
        here.clock.ms += 300_000
        here.hub.bot_pool.run_task = forever  # type: ignore[assignment, method-assign]
        [task] = await here.director.start_advancing_due_tournaments()
        await pairing.wait()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert found.id not in held, "of a cancelled task"

    story(sqlite, work)


def test_an_opener_is_counted_also_by_who_joined_many(sqlite: str) -> None:
    async def work(here: Process) -> None:
        ana, t, p = await here.person("Ana"), schema.tournaments, schema.tournament_players
        row = {"opener": "x", "status": "open", "listed": True, "starts": START + 1, "seq": 1, "info": "{}"}
        others = [f"other {n}" for n in range(60)]
        await here.store.database.commit_change(t.insert().values([{**row, "id": one} for one in others]))
        joined = [{"person": ana.id, "tournament": one, "inside": True} for one in others]
        await here.store.database.commit_change(p.insert().values(joined))
        opening = [here.director.open_tournament(ana, TournamentConfig(**CONFIG)) for _ in range(MAX_OPEN + 2)]
        results = await asyncio.gather(*opening, return_exceptions=True)
        assert sum(isinstance(one, str) for one in results) == MAX_OPEN
        assert {one.code for one in results if isinstance(one, Refused)} == {"tournament_many"}

    story(sqlite, work)


def test_players_are_notified_of_the_start_the_end_and_a_cancellation(sqlite: str) -> None:
    async def told(process: Process, user: User) -> list[tuple[str, int]]:
        """What waits in the outbox about tournaments: what, and when it is due."""
        found = await process.store.notifications.list_notices_of_user(user.id)
        return sorted((n.data["what"], n.due or 0) for n in found if n.kind == "tournament")

    async def work(process: Process) -> None:
        people = await process.people(4)
        starts = process.clock.wall_time_ms() + 3_600_000
        id_ = await process.director.open_tournament(
            people[0], TournamentConfig(**{**CONFIG, "starts": starts, "rounds": 1})
        )
        for user in people:
            await process.director.join_tournament(id_, user)
        assert [await told(process, user) for user in people] == [[("soon", starts - CHECK_IN_MS)]] * 4
        await process.director.leave_tournament(id_, people[3])
        assert await told(process, people[3]) == []
        process.clock.ms = starts - CHECK_IN_MS
        await process.director.check_in_player(id_, people[0])
        assert await told(process, people[0]) == [], "who is here need not be asked"
        await process.director.join_tournament(id_, people[3])
        assert await told(process, people[3]) == [], "it is asked already"
        for user in people[1:3]:
            await process.director.check_in_player(id_, user)
        await process.tick(CHECK_IN_MS)
        found = await process.director.get_tournament(id_)
        assert found.status == "running"
        starts_of = [n.kind for n in await process.store.notifications.list_notices_of_user(people[1].id)]
        assert starts_of == ["start"], "the table of the round tells of itself"
        await process.end_round(found)
        await process.tick()
        assert found.status == "over"
        assert [[what for what, _ in await told(process, user)] for user in people] == [["over"]] * 4
        other = await process.director.open_tournament(
            people[0], TournamentConfig(**{**CONFIG, "starts": starts + 10**8})
        )
        await process.director.join_tournament(other, people[1])
        await process.director.cancel_tournament(other, people[0], False)
        assert [what for what, _ in await told(process, people[1])] == ["cancelled", "over"]
        by_days = {"starts": starts + 10**8, "form": "league", "pace": "day"}
        league = await process.director.open_tournament(people[0], TournamentConfig(**{**CONFIG, **by_days}))
        await process.director.join_tournament(league, people[3])
        assert [what for what, _ in await told(process, people[3])] == ["begins", "over"], "nobody checks in"

    story(sqlite, work)


def test_a_table_outside_the_transaction_of_its_round_is_found(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted fault: tables are written first, by themselves. When their event then fails, they are left over: the
    comparison with the log notices, as the tests of restarts make it."""
    right = TournamentRepository.append_tournament_events

    async def in_two_steps(self: TournamentRepository, write: TournamentWrite, head: TournamentHead) -> bool:
        for table in write.tables:
            await self.database.append_entries(table.entries, table.summary)
        if write.tables and not failed:
            failed.append(1)
            raise OSError("the disk went away")
        write.tables = []
        return await right(self, write, head)

    failed: list[int] = []

    async def work(here: Process) -> None:
        found = await here.begun(await here.people(4))
        while not found.rounds:
            await here.tick()
        listed = {table.id for table in found.rounds[0].tables}
        assert listed < set(await here.store.tables.list_all_table_ids())

    monkeypatch.setattr(TournamentRepository, "append_tournament_events", in_two_steps)
    story(sqlite, work)

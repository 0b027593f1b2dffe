"""Which matches count, what they do to ratings, and that the ratings are what the logs say."""

from __future__ import annotations

import asyncio
import random
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest
from openskill.models import PlackettLuce

from landfall.core.rng import Rng
from landfall.games import game as find_game
from landfall.store import schema
from landfall.store.events import Rated, TakenBack
from landfall.store.row_types import LogEntry, RatingRow
from landfall.store.store import Store, make_store_for_setting
from landfall.tables.live.hub import Hub
from landfall.tables.log.loading import load_table_from_entries
from landfall.tables.log.table import Table
from landfall.tables.ratings.rate_match import rate_match
from landfall.tables.ratings.rating_model import (
    NEWCOMER,
    Rating,
    rating_as_shown,
    ratings_after_match,
    table_size_class,
)
from landfall.tables.ratings.recompute import compute_ratings_of_matches, read_rated_matches, recompute_ratings
from tests.postgres_cluster import run_temporary_cluster
from tests.ratings.simulated_matches import (
    NOW,
    SimulatedPlayer,
    add_accounts,
    append_match_log,
    finished_match,
    fold_entries,
    log_of_rated_match,
    make_players,
    rank_correlation,
    seat_by_strength,
    tables_awaiting_rating,
)
from tests.tables.fake_users import wait_until_true

pytestmark = pytest.mark.once
KINDS = [("atlandice", 2), ("atlandice", 3), ("survive", 2), ("atlantis", 2), ("atlandice", 4)]
RECOMPUTED = 15


def with_store(database: str, work: Callable[[Store], Awaitable[None]]) -> None:
    async def story() -> None:
        store = make_store_for_setting(database)
        await store.database.open_and_migrate()
        try:
            async with store.database.engine.begin() as connection:  # PostgreSQL's is the module's
                for one in (schema.ratings, schema.rating_changes, schema.people, schema.tables, schema.entries):
                    await connection.execute(one.delete())
            await work(store)
        finally:
            await store.database.close()

    asyncio.run(story())


async def no_work(store: Store) -> None:
    """Begin with an empty database."""


def some_players(count: int) -> list[SimulatedPlayer]:
    return make_players(count, random.Random(1))


async def rate_waiting(store: Store) -> int:
    """What the driver does with each table that is due."""
    done = 0
    for table in await tables_awaiting_rating(store):
        found = load_table_from_entries(table, await store.tables.read_log_entries(table), Rng(0))
        done += await rate_match(store, found, found.last_at + 1)
    return done


async def stored_ratings(store: Store) -> set[RatingRow]:
    r = schema.ratings.c
    rows = await store.database.fetch_rows(schema.ratings.select().order_by(r.person))
    return {RatingRow(row.person, row.game, row.size, row.mu, row.sigma, row.played, row.at) for row in rows}


async def stored_changes(store: Store) -> set[tuple[object, ...]]:
    return {tuple(row) for row in await store.database.fetch_rows(schema.rating_changes.select())}


# --- the model ------------------------------------------------------------------------------------------------


def test_ratings_are_openskills() -> None:
    model = PlackettLuce()
    teams = [[model.rating()], [model.create_rating([30.0, 4.0])], [model.create_rating([20.0, 6.0])]]
    wanted = [team[0] for team in model.rate(teams, ranks=[2.0, 1.0, 2.0])]
    found = ratings_after_match([NEWCOMER, Rating(30.0, 4.0, 12), Rating(20.0, 6.0, 3)], [2, 1, 2])
    assert [(one.mu, one.sigma) for one in found] == [(one.mu, one.sigma) for one in wanted]
    assert [one.played for one in found] == [1, 13, 4]


def test_a_rating_is_shown_with_its_uncertainty_and_provisional_at_first() -> None:
    assert rating_as_shown(NEWCOMER) == {"rating": 1500, "uncertainty": 333, "provisional": True}
    assert rating_as_shown(Rating(25.6, 1.5, 10)) == {"rating": 1512, "uncertainty": 60}
    assert rating_as_shown(Rating(25.6, 1.5, 9))["provisional"]
    assert rating_as_shown(Rating(25.6, 6.3, 50))["provisional"]


def test_table_sizes_have_three_classes() -> None:
    assert [table_size_class(players) for players in (2, 3, 4, 5, 6)] == [2, 3, 3, 5, 5]


def test_simulated_players_are_ranked_by_their_strength() -> None:
    chance = random.Random(7)
    players = make_players(40, chance)
    known = {player.id: NEWCOMER for player in players}
    while min(rating.played for rating in known.values()) < 30:
        queue = sorted(players, key=lambda player: (known[player.id].played, chance.random()))
        at_table = [queue[0], *chance.sample(queue[1:], 3)]
        order = sorted(at_table, key=lambda player: -chance.gauss(player.strength, 25 / 6))
        places = [order.index(player) + 1 for player in at_table]
        for player, after in zip(at_table, ratings_after_match([known[p.id] for p in at_table], places), strict=True):
            known[player.id] = after
    found = rank_correlation([player.strength for player in players], [known[player.id].mu for player in players])
    assert found >= 0.9, found


# --- which matches count --------------------------------------------------------------------------------------


def ended(left: int | None = None, rated: bool = True, players: int = 3) -> Table:
    match = finished_match("atlandice", players, 5)
    return fold_entries(log_of_rated_match("t", NOW, match, some_players(players), rated=rated, left=left))


def test_a_finished_rated_match_awaits_its_rating_and_is_due() -> None:
    table = ended()
    assert table.awaits_rating
    assert table.unrated_reason == ""
    assert table.build_summary().deadline == table.last_at
    table.apply_entry(
        LogEntry("t", table.seq + 1, NOW * 2, Rated(1, [1, 2, 3], [[25.0, 8.0]] * 3, [[25.0, 8.0]] * 3, [0] * 3))
    )
    assert not table.awaits_rating
    assert table.build_summary().deadline is None


def test_a_friendly_match_is_not_rated() -> None:
    table = ended(rated=False)
    assert table.unrated_reason == "friendly"
    assert not table.awaits_rating
    assert table.build_summary().deadline is None


def test_who_leaves_is_last_whatever_the_stand_in_made_of_it() -> None:
    places = ended().final_places_by_seat()
    assert sorted(places) == [1, 2, 3]
    first = places.index(1)
    after_leaving = ended(left=first).final_places_by_seat()
    assert after_leaving[first] == 3
    assert [after_leaving[seat] for seat in sorted(range(3), key=places.__getitem__) if seat != first] == [1, 2]


def test_a_takeback_and_a_bot_make_a_match_friendly() -> None:
    table = ended()
    table.taken_back = True
    assert table.unrated_reason == "takeback"
    table = ended()
    table.chairs[1] = replace(table.chairs[1], person=None, bot="sprat")
    assert table.unrated_reason == "bots"


def test_an_agreed_takeback_is_remembered_and_an_undo_is_not() -> None:
    match = finished_match("atlandice", 2, 3)
    entries = log_of_rated_match("t", NOW, match, some_players(2))[:-3]
    for consent in (False, True):
        table = fold_entries(entries)
        length = len(table.match.log) - 1 if table.match is not None else 0
        table.apply_entry(LogEntry("t", table.seq + 1, NOW * 2, TakenBack(0, length, consent)))
        assert table.taken_back == consent


# --- the projection -------------------------------------------------------------------------------------------


def test_a_match_is_rated_once_and_the_next_from_there(database: str) -> None:
    async def work(store: Store) -> None:
        players = some_players(2)
        await add_accounts(store, players)
        match = finished_match("atlandice", 2, 4)
        for number in range(2):
            await append_match_log(store, log_of_rated_match(f"table {number}", NOW + number, match, players))
            table = load_table_from_entries(
                f"table {number}", await store.tables.read_log_entries(f"table {number}"), Rng(0)
            )
            done = await asyncio.gather(*(rate_match(store, table, NOW + number) for _ in range(3)))
            assert sorted(done) == [False, False, True]
            assert await tables_awaiting_rating(store) == []
        places = table.final_places_by_seat()
        once = ratings_after_match([NEWCOMER, NEWCOMER], places)
        wanted = ratings_after_match(once, places)
        found = {row.person: (row.mu, row.sigma, row.played) for row in await stored_ratings(store)}
        assert found == {player.id: tuple(rating) for player, rating in zip(players, wanted, strict=True)}
        events = [
            entry.event for entry in await store.tables.read_log_entries("table 1") if isinstance(entry.event, Rated)
        ]
        assert [event.played for event in events] == [[1, 1]]

    with_store(database, work)


def test_recomputing_gives_what_is_stored(database: str) -> None:
    async def work(store: Store) -> None:
        chance = random.Random(3)
        players = make_players(9, chance)
        await add_accounts(store, players)
        for number in range(RECOMPUTED):
            game, count = KINDS[number % len(KINDS)]
            match = finished_match(game, count, number % 2)
            seated = seat_by_strength(match, chance.sample(players, count), chance)
            left = chance.choice([None, None, 0])
            await append_match_log(store, log_of_rated_match(f"table {number}", NOW + number, match, seated, left=left))
            if number % 3 == 0:
                await rate_waiting(store)
        await rate_waiting(store)
        ratings, changes = await stored_ratings(store), await stored_changes(store)
        found = await recompute_ratings(store)
        assert (found.matches, found.differing, found.stored_differ) == (RECOMPUTED, [], 0)
        assert await stored_ratings(store) == ratings == set(found.ratings.values())
        assert await stored_changes(store) == changes
        assert len(changes) == sum(KINDS[n % 5][1] for n in range(RECOMPUTED))
        victim = next(iter(ratings))
        broken = schema.ratings.update().where(schema.ratings.c.person == victim.person).values(mu=1.0)
        await store.database.commit_change(broken)
        assert (await recompute_ratings(store)).stored_differ >= 1
        assert await stored_ratings(store) == ratings

    with_store(database, work)


def test_deleted_players_and_matches_leave_the_others_ratings_as_they_were(database: str) -> None:
    async def work(store: Store) -> None:
        players = some_players(3)
        await add_accounts(store, players)
        match = finished_match("atlandice", 3, 5)
        for number in range(6):
            await append_match_log(store, log_of_rated_match(f"table {number}", NOW + number * 10**6, match, players))
            await rate_waiting(store)
        gone = players[1]
        await store.personal_data.erase_user(gone.id)
        kept = {row for row in await stored_ratings(store) if row.person != gone.id}
        assert await stored_ratings(store) == kept
        assert len(kept) == 2
        await store.retention.delete_tables_older_than(NOW + 2 * 10**6)
        found = await recompute_ratings(store)
        assert found.matches < 6
        assert found.differing == []
        assert found.stored_differ == 0
        assert await stored_ratings(store) == kept
        for table in await store.ratings.list_rated_table_ids():
            assert load_table_from_entries(table, await store.tables.read_log_entries(table), Rng(0)).rating is not None

    with_store(database, work)


def test_a_player_deleted_while_a_match_is_rated_stays_deleted(database: str) -> None:
    async def work(store: Store) -> None:
        players = some_players(2)
        await add_accounts(store, players)
        await append_match_log(store, log_of_rated_match("table", NOW, finished_match("atlandice", 2, 4), players))
        table = load_table_from_entries(
            "table", await store.tables.read_log_entries("table"), Rng(0)
        )  # as a process knows it
        await store.personal_data.erase_user(players[0].id)
        assert await rate_match(store, table, table.last_at)
        assert {row.person for row in await stored_ratings(store)} == {players[1].id}
        for text in [row.data for row in await store.database.fetch_rows(schema.entries.select())]:
            assert players[0].name not in text
            assert players[0].id not in text
        for row in await store.database.fetch_rows(schema.tables.select()):
            assert players[0].name not in row.info
            assert players[0].id not in row.info
        assert (await recompute_ratings(store)).differing == []

    with_store(database, work)


def test_a_hub_rates_what_a_killed_process_left(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        players = some_players(2)
        await add_accounts(store, players)
        await append_match_log(store, log_of_rated_match("table", NOW, finished_match("atlandice", 2, 4), players))
        hub = Hub(store)
        await hub.run_housekeeping_once(NOW * 2)
        await wait_until_true(lambda: any(live.table.rating is not None for live in hub.live_tables.values()))
        assert await tables_awaiting_rating(store) == []
        live = await hub.get_or_load_table("table")
        assert live.build_table_message()["ratings"][0]["before"]["rating"] == 1500
        await hub.shut_down()

    with_store(str(tmp_path / "landfall.db"), work)


# --- several processes, killed --------------------------------------------------------------------------------


async def rate_with_kills(database: str, matches: int, players: int, kills: int, processes: int) -> int:
    """Matches end while processes rate them and are killed; returns how many were rated."""
    chance = random.Random(11)
    people = make_players(players, chance)
    store = make_store_for_setting(database)
    await store.database.open_and_migrate()
    await add_accounts(store, people)
    command = [sys.executable, "-m", "tests.ratings.simulated_matches", database]
    running = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for _ in range(processes)]
    when = set(chance.sample(range(1, matches), kills))
    try:
        for number in range(matches):
            game, count = KINDS[number % len(KINDS)]
            match = finished_match(game, count, number % 16)
            seated = seat_by_strength(match, chance.sample(people, count), chance)
            left = chance.choice([None] * 5 + [0])
            await append_match_log(
                store, log_of_rated_match(f"table {number:05}", NOW + number, match, seated, left=left)
            )
            if number in when:
                victim = running.pop(0)
                victim.send_signal(signal.SIGKILL)
                victim.wait()
                running.append(subprocess.Popen(command, stdout=subprocess.DEVNULL))
        for _ in range(6000):
            if not await tables_awaiting_rating(store):
                break
            await asyncio.sleep(0.1)
        assert await tables_awaiting_rating(store) == []
        ratings, changes = await stored_ratings(store), await stored_changes(store)
        found = compute_ratings_of_matches(await read_rated_matches(store))
        assert found.differing == []
        assert set(found.ratings.values()) == ratings
        assert len(changes) == len(found.changes)
        numbers = sorted({n for _, n in found.changes})
        assert len(numbers) == found.matches == matches
        assert (await recompute_ratings(store)).stored_differ == 0
        return found.matches
    finally:
        for process in running:
            process.kill()
            process.wait()
        await store.database.close()


@pytest.mark.proof
def test_killed_processes_rate_every_match_once(postgres: str) -> None:
    with_store(postgres, no_work)
    assert asyncio.run(rate_with_kills(postgres, 6, 6, kills=1, processes=2)) == 6


@pytest.mark.proof
def test_two_thousand_matches_with_kills() -> None:
    with run_temporary_cluster() as address:
        assert asyncio.run(rate_with_kills(address, 2000, 100, kills=25, processes=2)) == 2000


def test_every_game_has_the_sizes_that_are_tested() -> None:
    assert all(count in find_game(game).player_counts for game, count in KINDS)

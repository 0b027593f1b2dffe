"""Rated tables: what they need, what is off at them, what others may ask of players, and to whom nothing is told."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from landfall.api import players as api
from landfall.api.types import Caller
from landfall.store.ratings import insert_rating_rows
from landfall.store.row_types import RatingChangeRow, UserRecord
from landfall.tables.live.hub import TableConfig
from landfall.tables.live.subscriber import User
from landfall.tables.log.clocks import DAY_MS, ClockRule
from landfall.tables.protocol import commands as cmd
from landfall.tables.protocol.errors import Refused
from landfall.tables.ratings.counting_rules import MAX_COUNTED_TOGETHER
from tests.ratings.simulated_matches import (
    NOW,
    SimulatedPlayer,
    add_accounts,
    append_match_log,
    finished_match,
    log_of_rated_match,
)
from tests.tables.fake_users import Guest, Scene, guest_to_choose, run_scene, wait_until_true

pytestmark = pytest.mark.once
RATED = TableConfig("atlandice", 2, clock=ClockRule("live", 30, 60), seating="as_sat", rated=True)
EVENING_MS = DAY_MS // MAX_COUNTED_TOGETHER  # between matches of the same people that all count
ANA, BORIS = User("id-1", "Ana", has_account=True), User("id-2", "Boris", has_account=True)


async def rated_table(house: Scene, config: TableConfig = RATED, begin: bool = True) -> list[Guest]:
    people = [house.guest("Ana"), house.guest("Boris")]
    people[0].user, people[1].user = ANA, BORIS
    table = await house.hub.create_table(ANA, config)
    for chair, guest in enumerate(people):
        await guest.come(table)
        if chair:
            assert (await guest.send(cmd.Sit(chair=chair)))["t"] == "done"
    if begin:
        await people[0].send(cmd.Start())
    return people


async def add_people(house: Scene) -> None:
    players = [SimulatedPlayer(user.id, user.name, 25.0) for user in (ANA, BORIS)]
    await add_accounts(house.store, players)


@pytest.mark.parametrize(
    ("config", "owner", "code"),
    [
        (RATED, User("id-Ana", "Ana"), "rated_account"),
        (replace(RATED, clock=ClockRule()), ANA, "rated_clock"),
        (replace(RATED, hot_seat=True), ANA, "rated_device"),
        (replace(RATED, game="survive", options={"all_equal": True}), ANA, "rated_options"),
    ],
)
def test_what_a_rated_match_needs(config: TableConfig, owner: User, code: str, tmp_path: Path) -> None:
    async def work(house: Scene) -> None:
        with pytest.raises(Refused) as error:
            await house.hub.create_table(owner, config)
        assert error.value.code == code

    run_scene(work, tmp_path)


def test_a_rated_table_says_so_and_takes_accounts_only(tmp_path: Path) -> None:
    async def work(house: Scene) -> None:
        ana, boris = await rated_table(house, begin=False)
        assert ana.table["rated"]
        assert "unrated" not in ana.table
        assert ana.table["hints"] is False
        guest = house.guest("Chen")
        await boris.send(cmd.Leave())
        await guest.come(ana.table["id"])
        assert await guest.refused(cmd.Sit(chair=1)) == "rated_account"
        await ana.send(cmd.Bot(chair=1, code="sprat"))
        assert ana.table["unrated"] == "bots"

    run_scene(work, tmp_path)


def test_a_friendly_table_may_forbid_hints(tmp_path: Path) -> None:
    async def work(house: Scene) -> None:
        for hints in (True, False):
            people = await house.table("Ana", "Boris", config=TableConfig("atlandice", 2, hints=hints))
            who = guest_to_choose(people)
            answer = await who.send(cmd.Hint(version=who.version))
            assert (answer.get("code") == "no_hints") != hints
            assert people[0].table.get("hints", True) == hints

    run_scene(work, tmp_path)


def test_in_a_rated_match_no_bot_helps_and_nobody_takes_it_from_others(tmp_path: Path) -> None:
    async def work(house: Scene) -> None:
        people = await rated_table(house, replace(RATED, game="survive"))
        who = guest_to_choose(people)
        assert await who.refused(cmd.Hint(version=who.version)) == "no_hints"
        assert await who.refused(cmd.Arrange(on=True)) == "no_hints"
        assert await people[0].refused(cmd.Close()) == "rated_running"
        boris = people[0].table["chairs"][1]["who"]
        assert await people[0].refused(cmd.Remove(who=boris)) == "rated_running"

    run_scene(work, tmp_path)


def test_an_agreed_takeback_makes_it_friendly_and_all_are_told(tmp_path: Path) -> None:
    async def work(house: Scene) -> None:
        people = await rated_table(house)
        who = guest_to_choose(people)
        other = next(guest for guest in people if guest is not who)
        await who.play(who.choices[0]["action"])
        await who.send(cmd.Propose(what="takeback"))
        await other.send(cmd.Answer(yes=True))
        assert [guest.table.get("unrated") for guest in people] == ["takeback", "takeback"]

    run_scene(work, tmp_path)


def test_resigning_early_is_too_short_and_later_counts_as_last(tmp_path: Path) -> None:
    async def work(house: Scene) -> None:
        await add_people(house)
        people = await rated_table(house)
        await people[1].send(cmd.Resign())
        assert people[0].table["unrated"] == "short"
        people = await rated_table(house)
        for _ in range(60):
            who = guest_to_choose(people)
            await who.play(who.choices[0]["action"])
            if house.hub.live_tables[people[0].table["id"]].table.is_long_enough_to_rate:
                break
        await people[0].send(cmd.Resign())
        await wait_until_true(lambda: "ratings" in people[1].table)
        changes = people[1].table["ratings"]
        assert [change["place"] for change in changes] == [2, 1]
        assert changes[0]["after"]["rating"] < 1500 < changes[1]["after"]["rating"]
        assert changes[0]["before"] == {"rating": 1500, "uncertainty": 333, "provisional": True}

    run_scene(work, tmp_path)


def test_a_rematch_is_rated_again(tmp_path: Path) -> None:
    async def work(house: Scene) -> None:
        await add_people(house)
        people = await rated_table(house)
        await people[1].send(cmd.Resign())
        after = (await people[0].send(cmd.Rematch()))["table"]
        await people[1].send(cmd.Rematch())
        table = (await house.hub.get_or_load_table(after)).table
        assert table.terms.rated
        assert not table.terms.hints
        assert [chair.person for chair in table.chairs] == [ANA.id, BORIS.id]

    run_scene(work, tmp_path)


def test_the_fourth_rematch_of_a_day_is_friendly(tmp_path: Path) -> None:
    async def work(house: Scene) -> None:
        await add_people(house)
        people = await rated_table(house)
        now = house.time.wall_time_ms()

        async def note_rated(table: str, at: int, *who: User) -> None:
            changes = [
                RatingChangeRow(user.id, n, table, "atlandice", 2, at, len(who), 1, 25.0, 8.0, 25.0, 8.0)
                for n, user in enumerate(who, next(numbers))
            ]
            async with house.store.database.engine.begin() as connection:
                await insert_rating_rows(connection, [], changes)

        numbers = itertools.count(1000, 10)
        carla = User("id-Carla", "Carla", True)
        for n in range(3):
            await note_rated(f"yesterday {n}", now - DAY_MS - 1, ANA, BORIS)
            await note_rated(f"with others {n}", now, ANA, BORIS, carla)
            await note_rated(f"with another {n}", now, ANA, carla)
        live = await house.hub.get_or_load_table(people[0].table["id"])
        for n in range(3):
            assert await house.hub.may_rate_rematch(live.table), f"rematch {n + 1}"
            await note_rated(f"today {n}", now, ANA, BORIS)
        assert not await house.hub.may_rate_rematch(live.table)
        await people[1].send(cmd.Resign())
        after = (await people[0].send(cmd.Rematch()))["table"]
        assert not (await house.hub.get_or_load_table(after)).table.terms.rated, "said before it begins"

    run_scene(work, tmp_path)


# --- what is told of players ----------------------------------------------------------------------------------


async def play_rated(house: Scene, matches: int, public: bool = True) -> None:
    """Ana and Boris have played rated matches, and all are rated."""
    seated = [SimulatedPlayer(user.id, user.name, 25.0) for user in (ANA, BORIS)]
    await add_accounts(house.store, seated)
    for number in range(matches):
        entries = log_of_rated_match(
            f"table {number:03}", NOW + number * EVENING_MS, finished_match("atlandice", 2, number % 2), seated
        )
        entries[0].event.public = public  # type: ignore[union-attr]
        await append_match_log(house.store, entries)
        await house.hub.run_housekeeping_once(NOW * 2)
        await house.time.settle()
        await (await house.hub.get_or_load_table(f"table {number:03}")).writer.wait_until_queue_is_empty()


def test_a_players_page(tmp_path: Path) -> None:
    async def work(house: Scene) -> None:
        await play_rated(house, 3)
        hub, caller = house.hub, Caller(ANA)
        ana = await api.get_player_info(house.store, caller, "aNA")
        assert (ana.name, ana.you, ana.matches) == ("Ana", True, 3)
        assert [(one.game, one.size, one.matches, one.provisional) for one in ana.ratings] == [
            ("atlandice", 2, 3, True)
        ]
        pool = await api.get_player_pool(hub, house.store, caller, "Ana", "atlandice", 2)
        assert len(pool.curve) == 3
        assert pool.curve[-1].rating == ana.ratings[0].rating
        assert sum(one.matches for one in pool.places) == 3
        matches = await api.list_player_matches(house.store, caller, "Ana")
        assert [one.n for one in matches] == [3, 2, 1]
        assert [one.n for one in await api.list_player_matches(house.store, caller, "Ana", before=2)] == [1]
        assert matches[-1].rating == 1500 + matches[-1].change
        assert {seat.name for seat in matches[0].seats} == {"Ana", "Boris"}
        places = [[seat.place or 0 for seat in one.seats] for one in matches]
        ahead, behind = sum(one < other for one, other in places), sum(one > other for one, other in places)
        assert [(one.name, one.matches, one.ahead, one.behind) for one in pool.met] == [("Boris", 3, ahead, behind)]
        assert ahead + behind > 0
        with pytest.raises(Refused):
            await api.get_player_info(house.store, caller, "Nobody")

    run_scene(work, tmp_path)


def test_no_id_and_no_link_of_a_private_table_is_told(tmp_path: Path) -> None:
    async def work(house: Scene) -> None:
        await play_rated(house, 1, public=False)
        for caller, may in ((Caller(ANA), True), (Caller(User("id-Chen", "Chen")), False), (Caller(None), False)):
            found = [
                await api.get_player_info(house.store, caller, "Ana"),
                await api.get_player_pool(house.hub, house.store, caller, "Ana", "atlandice", 2),
                await api.list_player_matches(house.store, caller, "Ana"),
                await api.list_leaders(house.hub, house.store, caller, "atlandice", 2),
            ]
            text = json.dumps(msgspec.to_builtins(found))
            assert "id-" not in text
            assert ("table 000" in text) == may

    run_scene(work, tmp_path)


def test_a_leaderboard_is_sorted_by_the_low_end_and_pages_on(tmp_path: Path) -> None:
    async def work(house: Scene) -> None:
        await play_rated(house, 10)
        hub = house.hub
        page = await api.list_leaders(hub, house.store, Caller(ANA), "atlandice", 2)
        assert page.total == len(page.leaders) == 2
        low = [one.rating - one.uncertainty for one in page.leaders]
        assert low == sorted(low, reverse=True)
        assert [one.rank for one in page.leaders] == [1, 2]
        assert [one.name for one in page.around] == [one.name for one in page.leaders]
        assert [one.rank for one in page.around] == [1, 2]
        assert page.missing is None
        rest = await api.list_leaders(hub, house.store, Caller(ANA), "atlandice", 2, after=page.leaders[0].name)
        assert [(one.rank, one.name) for one in rest.leaders] == [(2, page.leaders[1].name)]
        assert rest.leaders[0].change == rest.leaders[0].rating - 1500
        newcomer = await api.list_leaders(hub, house.store, Caller(ANA), "atlandice", 3)
        assert (newcomer.leaders, newcomer.missing) == ([], 10)
        assert (page.provisional, newcomer.provisional) == ([], [])

    run_scene(work, tmp_path)


def test_players_with_few_matches_are_in_a_part_of_their_own(tmp_path: Path) -> None:
    async def work(house: Scene) -> None:
        assert await api.list_played_pools(house.hub, house.store) == []
        await play_rated(house, 9)
        page = await api.list_leaders(house.hub, house.store, Caller(ANA), "atlandice", 2)
        assert (page.total, page.leaders, page.missing) == (0, [], 1)
        assert sorted((one.name, one.you) for one in page.provisional) == [("Ana", True), ("Boris", False)]
        low = [one.rating - one.uncertainty for one in page.provisional]
        assert low == sorted(low, reverse=True)
        [pool] = await api.list_played_pools(house.hub, house.store)
        assert (pool.game, pool.size) == ("atlandice", 2)

    run_scene(work, tmp_path)


def test_who_is_deleted_is_on_no_page(tmp_path: Path) -> None:
    async def work(house: Scene) -> None:
        await play_rated(house, 10)
        await house.store.personal_data.erase_user(BORIS.id)
        found = [
            await api.get_player_pool(house.hub, house.store, Caller(ANA), "Ana", "atlandice", 2),
            await api.list_player_matches(house.store, Caller(ANA), "Ana"),
            await api.list_leaders(house.hub, house.store, Caller(ANA), "atlandice", 2),
        ]
        text = json.dumps(msgspec.to_builtins(found))
        assert "Boris" not in text
        assert "gone-" not in text
        assert await house.store.users.get_user_by_id(BORIS.id) is None
        await house.store.database.scrub_deleted_data()
        for file in tmp_path.glob("landfall.db*"):
            assert b"Boris" not in file.read_bytes()

    run_scene(work, tmp_path)


def test_a_user_record_of_a_guest_is_no_player(tmp_path: Path) -> None:
    async def work(house: Scene) -> None:
        await house.store.users.add_user(UserRecord("id-Guest", "Gast", NOW, NOW))
        with pytest.raises(Refused) as error:
            await api.get_player_info(house.store, Caller(ANA), "Gast")
        assert error.value.code == "no_player"

    run_scene(work, tmp_path)

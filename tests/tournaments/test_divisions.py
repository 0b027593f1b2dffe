"""Divisions of a league: who plays in which, who rises and falls, and that nobody meets another division."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa

from landfall.api.tournaments import encode_tournament_page
from landfall.api.types import Caller
from landfall.store import schema
from landfall.store.row_types import RatingRow
from landfall.store.tournament_events import (
    DivisionsSet,
    PlannedTable,
    PlayerJoined,
    ResultRecorded,
    RoundPaired,
    TournamentBegun,
    TournamentEvent,
    TournamentOpened,
)
from landfall.tables.live.subscriber import User
from landfall.tables.protocol.errors import Refused
from landfall.tables.tournaments.decisions import TournamentConfig
from landfall.tables.tournaments.divisions import assign_divisions, min_division_size
from landfall.tables.tournaments.standings import UNIT, FinishedTable
from landfall.tables.tournaments.tournament_log import WEEK_MS, Tournament
from tests.tournaments.test_director import CONFIG, Clock, Process, story
from tests.tournaments.test_standings import independent_count, random_places

pytestmark = pytest.mark.once
LEAGUE: dict[str, Any] = {"form": "league", "pace": "day", "rounds": 1, "fill": "byes", "division": 4}


def letters(*divisions: str) -> list[list[str]]:
    return [list(one) for one in divisions]


def test_how_large_divisions_are() -> None:
    assert [min_division_size(size) for size in (2, 3, 4, 5, 6)] == [8, 8, 8, 10, 12]

    def sizes(people: int) -> list[int]:
        return [len(one) for one in assign_divisions([str(n) for n in range(people)], [], {}, 8)]

    assert [sizes(n) for n in (7, 15, 16, 17, 26)] == [[7], [15], [8, 8], [8, 9], [8, 9, 9]]
    assert sizes(50) == [10] * 5
    assert sizes(128) == [25, 26, 25, 26, 26]


def test_two_rise_and_two_fall() -> None:
    last = letters("ABCDEFGH", "IJKLMNOP", "QRSTUVWX")
    every = [person for one in last for person in one]
    found = assign_divisions(every[::-1], last, {}, 8)
    assert [sorted(one) for one in found] == [sorted(one) for one in letters("ABCDEFIJ", "GHKLMNQR", "OPSTUVWX")]


def test_the_next_ones_move_up_for_who_does_not_come_back_and_newcomers_follow_by_rating() -> None:
    last = letters("ABCDEFGH", "IJKLMNOP")
    entrants = ["new", "low", "high", *"BCDEFGHIJKLMNOP", "last"]
    found = assign_divisions(entrants, last, {"low": 3.0, "high": 20.0, "P": 99.0}, 8)
    assert found == [[*"BCDEFIJGH"], [*"KLMNOP", "high", "low", "new", "last"]]
    assert assign_divisions(list("abcdefghijklmnop"), [], {"p": 2.0, "c": 1.0}, 8)[0] == list("pcabdefg")


@pytest.mark.parametrize("count", [16, 17, 31, 40, 50])
def test_as_many_rise_as_fall_whatever_the_sizes(count: int) -> None:
    chance = random.Random(count)
    people = [f"p{n}" for n in range(count)]
    before = assign_divisions(people, [], {}, 8)
    ranked = [chance.sample(one, len(one)) for one in before]
    after = assign_divisions(chance.sample(people, count), ranked, {}, 8)
    for n in range(len(before) - 1):
        assert set(ranked[n]) & set(after[n + 1]) == set(ranked[n][-2:])
        assert set(ranked[n + 1]) & set(after[n]) == set(ranked[n + 1][:2])
    assert sorted(person for one in after for person in one) == sorted(people)
    assert [len(one) for one in after] == [len(one) for one in before]


def fold(events: Sequence[TournamentEvent]) -> Tournament:
    found = Tournament("league")
    for n, event in enumerate(events):
        found.apply_event(n + 1, n, event)
    return found


def opened(**changes: Any) -> TournamentOpened:
    terms: dict[str, Any] = {
        "person": "p0", "name": "P0", "title": "League", "game": "survive", "options": {}, "size": 4, "rounds": 6,
        "pace": "day", "form": "league", "starts": 0, "rated": False, "fill": "byes", "rest": 0, "least": 4, "most": 64,
    }  # fmt: skip
    return TournamentOpened(**terms | changes)


def test_standings_of_each_division_equal_an_independent_count() -> None:
    chance = random.Random(3)
    people = [f"p{n}" for n in range(24)]
    divisions = [people[:8], people[8:16], people[16:]]
    events: list[TournamentEvent] = [opened(), *(PlayerJoined(one, one) for one in people), TournamentBegun()]
    events.append(DivisionsSet(divisions))
    played: list[list[tuple[list[FinishedTable], list[str]]]] = [[], [], []]
    late = ["late"]
    for number in range(5):
        if number == 3:
            events.append(PlayerJoined("late", "late"))
            divisions[2] = divisions[2] + late
        planned: list[PlannedTable] = []
        results: list[TournamentEvent] = []
        for n, division in enumerate(divisions):
            order = chance.sample(division, len(division))
            tables = [FinishedTable([*order[i : i + 4]], random_places(4, chance)) for i in (0, 4)]
            played[n].append((tables, order[8:]))
            for table in tables:
                id_ = f"t{number}{n}{len(planned)}"
                planned.append(PlannedTable(id_, table.people))
                results.append(ResultRecorded(id_, table.places))
        rests = [one for rounds in played for one in rounds[-1][1]]
        events += [RoundPaired(number + 1, planned, rests), *chance.sample(results, len(results))]
    found = fold(events)
    for n, scores in enumerate(found.compute_standings_by_division()):
        expected = {row[0]: row[1:] for row in independent_count(divisions[n], 4, played[n])}
        assert {s.person: (Fraction(s.points, UNIT), Fraction(s.opponents, UNIT), s.firsts) for s in scores} == expected
        for score in scores:
            assert score.place == 1 + sum(other > expected[score.person] for other in expected.values())
    assert [len(one) for one in found.entrants_by_division()] == [8, 8, 9]
    assert found.compute_standings() == [score for scores in found.compute_standings_by_division() for score in scores]


def test_whoever_misses_two_weeks_pauses() -> None:
    people = ["p0", "p1", "p2", "p3"]
    events: list[TournamentEvent] = [opened(), *(PlayerJoined(one, one) for one in people), TournamentBegun()]

    def week(number: int, absent: list[int]) -> list[TournamentEvent]:
        table = PlannedTable(f"t{number}", list(people))
        return [RoundPaired(number, [table]), ResultRecorded(f"t{number}", [1, 2, 3, 4], absent)]

    events += week(1, [2, 3]) + week(2, [2])
    assert fold(events).ready_player_ids == ["p0", "p1", "p3"]
    assert fold(events + week(3, [3])).ready_player_ids == ["p0", "p1", "p3"]  # not one after the other
    evening: list[TournamentEvent] = [opened(form="evening", pace="five"), *events[1:5], TournamentBegun(everyone=True)]
    assert fold(evening + week(1, [3])).ready_player_ids == ["p0", "p1", "p2"]


def divisions_of(found: Tournament) -> list[list[str]]:
    for round_ in found.rounds:
        for table in round_.tables:
            assert len({found.division_of_person(person or "") for person in table.people}) == 1
    return [sorted(one) for one in found.divisions]


def test_two_seasons_with_a_restart_at_each_step(database: str) -> None:
    async def run() -> None:
        clock = Clock()
        here = await Process(database, clock).open()
        for table in schema.METADATA.sorted_tables:
            await here.store.database.commit_change(table.delete())
        users = await here.people(9)
        best = RatingRow(users[8].id, "atlandice", 2, 30.0, 2.0, 20, 1)
        await here.store.ratings.replace_or_compare_ratings(0, [best], [])

        async def again() -> None:
            nonlocal here
            await here.close()
            here = await Process(database, clock).open()

        first = await here.begun(users, **LEAGUE)
        assert first.divisions[0][0] == users[8].id
        assert [len(one) for one in divisions_of(first)] == [4, 5]
        await again()
        first = await here.director.get_tournament(first.id)
        await here.end_round(first)
        await here.tick()
        assert (first.status, len(first.compute_standings())) == ("over", 9)
        last = [[score.person for score in rows] for rows in first.compute_standings_by_division()]
        await again()

        config = TournamentConfig(**{**CONFIG, **LEAGUE, "after": first.id, "starts": clock.ms + WEEK_MS})
        id_ = await here.director.open_tournament(users[0], config)
        for user in users:
            await here.director.join_tournament(id_, user)
        await here.director.begin_tournament_early(id_, users[0], False)
        await again()
        await here.tick()
        second = await here.director.get_tournament(id_)
        up, down = last[1][:2], last[0][-2:]
        assert divisions_of(second) == [sorted([*last[0][:2], *up]), sorted([*down, *last[1][2:]])]
        await here.store.personal_data.erase_user(users[0].id)
        await again()
        second = await here.director.get_tournament(id_)
        assert users[0].id not in [person for one in second.divisions for person in one]
        assert [len(one) for one in second.compute_standings_by_division()] == [4, 5]
        rows = await here.store.database.fetch_rows(sa.select(schema.tournament_events.c.data))
        assert all(f'"{users[0].id}"' not in str(row) for row in rows)
        await here.close()

    asyncio.run(run())


def test_a_latecomer_plays_in_the_last_division_and_one_without_a_table_rests(sqlite: str) -> None:
    async def work(here: Process) -> None:
        users = await here.people(8)
        found = await here.begun(users, **{**LEAGUE, "rounds": 2})
        late = await here.person("Late")
        await here.director.join_tournament(found.id, late)
        assert found.divisions[1][-1] == late.id
        lonely = found.divisions[0][0]
        for person in found.divisions[0][1:]:
            await here.director.leave_tournament(found.id, User(person, "", True))
        await here.tick(WEEK_MS)
        assert len(found.rounds[1].tables) == 2
        assert lonely in found.rounds[1].byes
        assert divisions_of(found)

    story(sqlite, work)


def test_who_may_open_a_next_season_of_what(sqlite: str) -> None:
    async def work(here: Process) -> None:
        users = await here.people(4)
        cup = await here.begun(users[:2], rounds=1)
        league = await here.begun(users, **LEAGUE)

        async def refused(code: str, **config: Any) -> None:
            opener = config.pop("user", users[0])
            with pytest.raises(Refused) as error:
                await here.director.open_tournament(
                    opener, TournamentConfig(**{**CONFIG, **LEAGUE, "after": league.id, **config})
                )
            assert error.value.code == code

        await refused("tournament_season")  # it is not over
        await here.end_round(league)
        await here.end_round(cup)
        await here.tick()
        assert (cup.status, league.status) == ("over", "over")
        await refused("tournament_season", form="evening", pace="five")
        await refused("tournament_season", size=3)
        await refused("tournament_season", after=cup.id)
        await refused("no_tournament", after="nothing")
        await refused("tournament_opener", user=users[1])
        config = TournamentConfig(**{**CONFIG, **LEAGUE, "after": league.id, "starts": here.clock.ms + WEEK_MS})
        for opener, is_organiser in ((users[0], False), (users[1], True)):
            id_ = await here.director.open_tournament(opener, config, is_organiser)
            assert (await here.director.get_tournament(id_)).terms.after == league.id

    story(sqlite, work)


@pytest.mark.parametrize("listed", [False, True])
def test_a_season_that_is_not_listed_is_named_to_nobody_who_was_not_there(sqlite: str, listed: bool) -> None:
    """Its link is its access right: who reads the page of the next season, which is listed, does not get it there."""

    async def work(here: Process) -> None:
        users = [*await here.people(3), await here.person("Stranger")]
        left, stranger = users[2:]
        config = TournamentConfig(**{**CONFIG, **LEAGUE, "starts": here.clock.ms + WEEK_MS, "listed": listed})
        first = await here.director.open_tournament(users[0], config)
        for user in users[:3]:
            await here.director.join_tournament(first, user)
        await here.director.leave_tournament(first, left)
        await here.director.begin_tournament_early(first, users[0], False)
        await here.tick()
        await here.end_round(await here.director.get_tournament(first))
        await here.tick()
        config = TournamentConfig(**{**CONFIG, **LEAGUE, "starts": here.clock.ms + WEEK_MS, "after": first})
        second = await here.director.open_tournament(users[0], config)

        async def read(user: User | None, is_organiser: bool = False) -> str:
            page = await encode_tournament_page(here.director, Caller(user, ""), second, is_organiser)
            found: str = msgspec.json.decode(page)["you"]["after"]
            assert (first.encode() in page) == (found == first)
            return found

        assert [await read(user) for user in users[:2]] == [first] * 2
        for reader in (left, stranger, None):
            assert await read(reader) == (first if listed else ""), reader
        assert await read(stranger, is_organiser=True) == (first if listed else "")

    story(sqlite, work)

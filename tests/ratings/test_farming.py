"""Nobody collects rating points from a second account or a friend: what counts, how much, and what the host sees."""

from __future__ import annotations

import asyncio
import itertools
from pathlib import Path

import pytest
from starlette.datastructures import Headers

from landfall.core.rng import Rng
from landfall.store import schema
from landfall.store.events import Ended, Left, Rated
from landfall.store.row_types import LogEntry, PairResult, RatingFacts
from landfall.store.store import Store
from landfall.tables.log.clocks import DAY_MS
from landfall.tables.log.loading import load_table_from_entries
from landfall.tables.log.table import Table
from landfall.tables.protocol import commands as cmd
from landfall.tables.ratings.counting_rules import (
    MAX_COUNTED_TOGETHER,
    find_reason_not_to_count,
    seats_given_up_early,
    usual_choices,
    weight_of_match,
)
from landfall.tables.ratings.rate_match import rate_match
from landfall.tables.ratings.rating_model import NEWCOMER, ratings_after_match
from landfall.tables.ratings.recompute import check_stored_ratings, recompute_ratings
from landfall.tables.ratings.suspicious_pairs import find_reasons_to_suspect, list_suspicious_pairs
from landfall.tables.runtime_dependencies import Runtime
from landfall.web.identity import Identities
from tests.ratings.farming import OTHER, OWN, farm
from tests.ratings.simulated_matches import (
    NOW,
    SimulatedPlayer,
    add_accounts,
    append_match_log,
    finished_match,
    fold_entries,
    log_of_rated_match,
)
from tests.ratings.test_rated_tables import ANA, BORIS, add_people, rated_table
from tests.ratings.test_ratings import with_store
from tests.server.real_server import ServerProcess
from tests.tables.fake_users import Scene, run_scene, wait_until_true

pytestmark = pytest.mark.once
PLAYERS = [SimulatedPlayer(f"id-{name}", name, 25.0) for name in ("Ana", "Boris", "Chen", "Dora")]
NO_FACTS = RatingFacts([None, None], 0, False, {})


# --- the attack -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("matches", [2, pytest.param(6, marks=pytest.mark.proof)])
def test_a_second_account_at_ones_address_gives_no_points_and_a_friend_elsewhere_few(
    matches: int, tmp_path: Path
) -> None:
    """Before these rules, six such matches led from 1553 to 1650."""
    with ServerProcess(str(tmp_path / "landfall.db"), limited=True, bot_workers=0) as server:
        assert asyncio.run(farm(server.url, 1, (OWN, OWN))) == ([], ["same_place"])
        ratings, reasons = asyncio.run(farm(server.url, matches, (OWN, OTHER)))
    counted = min(matches, MAX_COUNTED_TOGETHER)
    assert reasons == ["repeated"] * (matches - counted)
    gains = [after - before for before, after in itertools.pairwise([1500, *ratings])]
    assert len(gains) == counted
    assert all(later <= earlier / 2 + 1 for earlier, later in itertools.pairwise(gains)), gains
    assert sum(gains) < 50, "one match that is played counts more"


# --- what counts ----------------------------------------------------------------------------------------------


def match_given_up(table: str, at: int, choices: int, number: int = 0, loser: int = 1) -> list[LogEntry]:
    """The log of a match of Ana and Boris in which a seat resigned after so many choices."""
    whole = log_of_rated_match(table, at, finished_match("atlandice", 2, number), PLAYERS[:2])
    events = [entry.event for entry in whole[: 2 + choices]] + [Left(loser, "resigned"), Ended("resigned")]
    return [LogEntry(table, seq, at + seq, event) for seq, event in enumerate(events, 1)]


async def rate_log(store: Store, entries: list[LogEntry]) -> Table:
    """Append a match's log, rate it, and read it again."""
    table = entries[0].table
    await append_match_log(store, entries)
    assert await rate_match(store, fold_entries(entries), entries[-1].at)
    return load_table_from_entries(table, await store.tables.read_log_entries(table), Rng(0))


def test_a_third_of_a_match_is_counted_in_choices() -> None:
    usual = usual_choices("atlandice", 2)
    early = fold_entries(match_given_up("early", NOW, usual // 3 - 1))
    late = fold_entries(match_given_up("late", NOW, usual // 2))
    assert (seats_given_up_early(early), seats_given_up_early(late)) == ([1], [])
    stayed = fold_entries(log_of_rated_match("stayed", NOW, finished_match("atlandice", 2, 0), PLAYERS[:2]))
    left = fold_entries(log_of_rated_match("left", NOW, finished_match("atlandice", 2, 0), PLAYERS[:2], left=0))
    assert seats_given_up_early(stayed) == seats_given_up_early(left) == []


def test_what_is_given_up_early_again_and_again_counts_ever_less() -> None:
    table = fold_entries(match_given_up("early", NOW, 12))
    facts = [RatingFacts([None, None], 0, False, {"id-Boris": before}) for before in range(3)]
    assert [weight_of_match(table, [1], known) for known in facts] == [0.5, 0.25, 0.125]
    assert weight_of_match(table, [], facts[2]) == 1
    assert weight_of_match(table, [0], facts[2]) == 0.5, "another's resignations are not mine"


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        (NO_FACTS, ""),
        (RatingFacts([None, None], MAX_COUNTED_TOGETHER - 1, False, {}), ""),
        (RatingFacts([None, None], MAX_COUNTED_TOGETHER, False, {}), "repeated"),
        (RatingFacts([None, None], 0, True, {}), "same_place"),
    ],
)
def test_why_a_match_does_not_count(facts: RatingFacts, reason: str) -> None:
    assert find_reason_not_to_count(facts) == reason


def test_four_matches_of_a_day_count_on_new_tables_however_they_end_together(database: str) -> None:
    """They are rated at once, by whoever sees their end; the limit holds in the transaction."""

    async def work(store: Store) -> None:
        await add_accounts(store, PLAYERS)
        logs = [
            log_of_rated_match(f"table {n}", NOW, finished_match("atlandice", 2, n % 2), PLAYERS[:2])
            for n in range(MAX_COUNTED_TOGETHER + 2)
        ]
        for entries in logs:
            await append_match_log(store, entries)
        await asyncio.gather(*(rate_match(store, fold_entries(entries), entries[-1].at) for entries in logs))
        tables = [
            load_table_from_entries(entries[0].table, await store.tables.read_log_entries(entries[0].table), Rng(0))
            for entries in logs
        ]
        assert sum(table.rating is not None for table in tables) == MAX_COUNTED_TOGETHER
        assert [table.unrated_reason for table in tables if table.rating is None] == ["repeated"] * 2
        assert not any(table.awaits_rating for table in tables)
        numbers = sorted(table.rating.n for table in tables if table.rating is not None)
        assert numbers == list(range(1, MAX_COUNTED_TOGETHER + 1))
        others = log_of_rated_match("others", NOW, finished_match("atlandice", 2, 0), [PLAYERS[0], PLAYERS[2]])
        assert (await rate_log(store, others)).rating is not None, "with somebody else it counts"
        later = log_of_rated_match("later", NOW + 2 * DAY_MS, finished_match("atlandice", 2, 0), PLAYERS[:2])
        assert (await rate_log(store, later)).rating is not None, "on another day, too"
        assert (await check_stored_ratings(store)).stored_differ == 0

    with_store(database, work)


def test_a_match_given_up_early_changes_half_and_is_computed_again_the_same(database: str) -> None:
    async def work(store: Store) -> None:
        await add_accounts(store, PLAYERS)
        first = await rate_log(store, match_given_up("first", NOW, 12))
        second = await rate_log(store, match_given_up("second", NOW + 1000, 12))
        assert first.rating is not None
        assert second.rating is not None
        assert (first.rating.weight, second.rating.weight) == (0.5, 0.25)
        whole = ratings_after_match([NEWCOMER, NEWCOMER], first.rating.places)[0]
        assert first.rating.after[0][0] - NEWCOMER.mu == pytest.approx((whole.mu - NEWCOMER.mu) / 2)
        found = await recompute_ratings(store)
        assert (found.matches, found.differing, found.stored_differ) == (2, [], 0)
        third = await rate_log(store, match_given_up("third", NOW + 2000, 12))
        assert third.rating is not None
        assert third.rating.weight == 0.125, "a recomputation remembers who gave up"

    with_store(database, work)


def test_players_of_one_address_or_device_are_told_at_the_start(tmp_path: Path) -> None:
    async def work(house: Scene) -> None:
        await add_people(house)
        people = await rated_table(house, begin=False)
        table = people[0].table["id"]
        for user, marks in ((ANA, ["a", "shared"]), (BORIS, ["b", "shared"])):
            await house.store.ratings.add_player_marks(table, user.id, marks)
            await house.store.ratings.add_player_marks(table, user.id, marks)
        await people[0].send(cmd.Start())
        assert people[1].table["unrated"] == "same_place"
        people = await rated_table(house, begin=False)
        await house.store.ratings.add_player_marks(people[0].table["id"], ANA.id, ["a"])
        await house.store.ratings.add_player_marks("another table", BORIS.id, ["a"])
        await people[0].send(cmd.Start())
        assert "unrated" not in people[1].table, "a mark is of one table"

    run_scene(work, tmp_path)


def test_where_players_play_from_is_kept_until_the_match_is_rated(database: str) -> None:
    async def work(store: Store) -> None:
        await add_accounts(store, PLAYERS)
        await store.ratings.add_player_marks("first", "id-Ana", ["a"])
        await store.ratings.add_player_marks("first", "id-Boris", ["b"])
        await store.ratings.add_player_marks("second", "id-Ana", ["a"])
        assert (await rate_log(store, match_given_up("first", NOW, 90))).rating is not None
        left = await store.database.fetch_rows(schema.player_marks.select())
        assert [row.table_id for row in left] == ["second"]

    with_store(database, work)


def test_a_place_is_recognised_at_one_table_and_nowhere_else(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        identities = Identities(store, Runtime())
        await identities.load_cookie_key_and_end_idle_sessions()
        at_home, on_the_way = (
            identities.marks_of_place("one", address, Headers({"cookie": "landfall_device=x"}))
            for address in ("192.0.2.1", "192.0.2.2")
        )
        assert len(set(at_home) & set(on_the_way)) == 1, "the device"
        neighbour = identities.marks_of_place("one", "192.0.2.1", Headers({"cookie": "landfall_device=y"}))
        assert len(set(at_home) & set(neighbour)) == 1, "the address"
        assert not set(identities.marks_of_place("two", "192.0.2.1", Headers({}))) & set(at_home)
        assert "192" not in "".join(at_home)

    with_store(str(tmp_path / "landfall.db"), work)


# --- what the host sees and does ------------------------------------------------------------------------------


def pair(**changes: object) -> PairResult:
    usual = {"winner": "Ana", "loser": "Bo", "game": "atlandice", "size": 2, "matches": 10, "won": 5, "early": 0,
             "gained": 1.0, "winner_matches": 40, "first": 0, "last": 20 * DAY_MS, "tables": []}  # fmt: skip
    return PairResult(**(usual | changes))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("result", "reasons"),
    [
        (pair(), []),
        (pair(won=9), []),
        (pair(won=9, winner_matches=12), ["pair"]),
        (pair(last=2 * DAY_MS), ["rate"]),
        (pair(early=3), ["resignations"]),
        (pair(won=10, winner_matches=10, last=0, early=10), ["pair", "rate", "resignations"]),
    ],
)
def test_what_looks_arranged(result: PairResult, reasons: list[str]) -> None:
    assert find_reasons_to_suspect(result) == reasons


def test_the_host_finds_the_pair_and_takes_its_matches_back(database: str) -> None:
    async def work(store: Store) -> None:
        await add_accounts(store, PLAYERS)
        honest = log_of_rated_match("honest", NOW, finished_match("atlandice", 2, 1), [PLAYERS[2], PLAYERS[3]])
        await rate_log(store, honest)
        kept = {row.person: row.mu for row in await store.ratings.list_ratings_of_user("id-Chen")}
        evening = DAY_MS // MAX_COUNTED_TOGETHER
        for n in range(6):
            await rate_log(store, match_given_up(f"farmed {n}", NOW + n * evening, 12))
        [found] = await list_suspicious_pairs(store, NOW + 3 * DAY_MS)
        assert (found.result.winner, found.result.loser, found.result.won, found.result.early) == ("Ana", "Boris", 6, 6)
        assert found.reasons == ["pair", "rate", "resignations"]
        assert found.result.tables == [f"farmed {n}" for n in range(6)]
        assert str(found).startswith("Ana beat Boris 6 of 6 times in atlandice (2), +")
        for table in found.result.tables:
            assert await store.ratings.void_match(table, NOW + 4 * DAY_MS)
        assert not await store.ratings.void_match("unknown", NOW)
        await recompute_ratings(store)
        assert await store.ratings.list_ratings_of_user("id-Ana") == []
        assert {row.person: row.mu for row in await store.ratings.list_ratings_of_user("id-Chen")} == kept
        voided = load_table_from_entries("farmed 0", await store.tables.read_log_entries("farmed 0"), Rng(0))
        assert (voided.unrated_reason, voided.rating, voided.awaits_rating) == ("voided", None, False)
        assert await list_suspicious_pairs(store, NOW + 3 * DAY_MS) == []

    with_store(database, work)


def test_a_table_that_is_open_hears_that_its_match_was_voided(tmp_path: Path) -> None:
    async def work(house: Scene) -> None:
        await add_people(house)
        people = await rated_table(house)
        live = house.hub.live_tables[people[0].table["id"]]
        while not live.table.is_long_enough_to_rate:
            who = next(guest for guest in people if guest.choices)
            await who.play(who.choices[0]["action"])
        await people[0].send(cmd.Resign())
        await wait_until_true(lambda: "ratings" in people[1].table)
        assert isinstance(live.table.rating, Rated)
        await house.store.ratings.void_match(live.table.id, house.time.wall_time_ms())
        live.writer.request_log_refresh()
        await wait_until_true(lambda: people[1].table.get("unrated") == "voided")
        assert "ratings" not in people[1].table

    run_scene(work, tmp_path)

"""A match is looked back on when it is over, once for everybody, by no door before, and not by too many at once."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from landfall.analysis.review import review_curve, review_edition, review_log_lines, review_match
from landfall.core.rng import Rng
from landfall.core.state import OVER
from landfall.match import Match
from landfall.store.row_types import LogEntry
from landfall.tables.jobs import reviews
from landfall.tables.jobs.reviews import Reviews
from landfall.tables.live.subscriber import User
from landfall.tables.protocol.errors import Refused
from tests.tables.fake_users import Scene, run_scene, wait_until_true

pytestmark = pytest.mark.once
ANA = User("id-Ana", "Ana")


def played(seed: int, most: int = 100_000) -> Match:
    """A match of Atlandice played at random."""
    match, rng = Match("atlandice", 2, seed=seed), Rng(seed)
    while match.actor != OVER and len(match.log) < most:
        match.play(int(match.state.random_action(rng)))
    return match


async def kept(found: Reviews, table: str) -> dict[str, Any]:
    """A table's, when it is worked out."""
    await found.request_table_review(table, "here")
    await wait_until_true(lambda: not found.jobs)
    answer: dict[str, Any] = json.loads(await found.encode_table_review_status(table))
    assert answer["state"] == "kept", answer
    return answer


def code(refused: pytest.ExceptionInfo[Refused]) -> str:
    return refused.value.code


def test_it_is_worked_out_once_and_kept_with_the_match(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        found, match = Reviews(s.hub), played(3)
        table = await s.hub.create_table_from_record(ANA, match.record())
        assert json.loads(await found.encode_table_review_status(table)) == {"state": "none", "why": ""}
        first = json.loads(await found.request_table_review(table, "here"))
        assert (first["state"], first["before"]) == ("working", 0)
        answer = (await kept(found, table))["review"]
        assert [moment["at"] for moment in answer["moments"]] == list(
            range(answer["moments"][0]["at"], len(match.log) + 1)
        )
        assert (answer["game"], answer["players"], answer["short"]) == ("atlandice", 2, False)
        s.hub.bot_pool.run_task = None  # type: ignore[assignment,method-assign]  # nobody works any more
        assert json.loads(await Reviews(s.hub).request_table_review(table, "elsewhere"))["review"] == answer
        await s.store.reviews.save_review("no-such-table", review_edition("atlandice"), 1, b"nothing")
        assert await s.store.reviews.get_stored_review("no-such-table", review_edition("atlandice")) is None
        assert await s.store.reviews.get_stored_review(table, review_edition("atlandice") + 1) is None  # another net's
        await s.store.retention.delete_expired_tables_and_guests(s.time.wall_time_ms() + 1, None)
        assert await s.store.reviews.get_stored_review(table, review_edition("atlandice")) is None

    run_scene(story, tmp_path)


def test_there_is_no_review_while_the_match_goes_on(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        found, match = Reviews(s.hub), played(4)
        running = await s.hub.create_table_from_record(ANA, match.record(), 60, 0)
        for asked in (found.request_table_review(running, "here"), found.encode_table_review_status(running)):
            with pytest.raises(Refused) as refused:
                await asked
            assert code(refused) == "not_shown"
        # nor of what was kept, should a log be taken back to before its end
        await s.store.reviews.save_review(running, review_edition("atlandice"), 1, b"nothing")
        with pytest.raises(Refused):
            await found.encode_table_review_status(running)
        # nor by handing in its record, or one that only begins like it
        live = (await s.hub.get_or_load_table(running)).table.match
        assert live is not None
        ended = Match.replay(live.record(), Rng(5))
        while ended.actor != OVER:
            ended.play(int(ended.state.random_action(Rng(9))))
        for record in (live.record(), ended.record(), played(4, 60).record()):
            with pytest.raises(Refused) as refused:
                await found.request_record_review(record, "here")
            assert code(refused) == "not_shown"
        assert not found.jobs

    run_scene(story, tmp_path)


def played_out(match: Match) -> str:
    """A record that goes on as a match does, and ends."""
    ended = Match.replay(match.record(), Rng(5))
    while ended.actor != OVER:
        ended.play(int(ended.state.random_action(Rng(9))))
    return ended.record()


async def put_away(s: Scene, table: str) -> None:
    """Let a table go from memory."""
    live = await s.hub.get_or_load_table(table)
    live.table.paused = True  # or its bots would keep it
    await wait_until_true(lambda: live.writer.is_idle)
    s.hub.evict_empty_table(live)
    assert table not in s.hub.live_tables


@pytest.mark.parametrize("away", [False, True], ids=["at hand", "on disk"])
def test_a_copy_of_a_running_match_is_not_reviewed(tmp_path: Path, away: bool) -> None:
    async def story(s: Scene) -> None:
        found = Reviews(s.hub)
        running = await s.hub.create_table_from_record(ANA, played(4).record(), 60, 0)
        match = (await s.hub.get_or_load_table(running)).table.match
        assert match is not None
        copy = played_out(match)
        other = await s.hub.create_table_from_record(ANA, played(5).record())
        if away:
            await put_away(s, running)
        opened = await s.hub.create_table_from_record(User("id-Eve", "Eve"), copy)
        asked: list[tuple[Callable[..., Awaitable[bytes]], tuple[object, ...]]] = [
            (found.request_table_review, (opened, "here")),
            (found.encode_table_review_status, (opened,)),
            (found.encode_choices_at_line, (opened, 70, "here")),
            (found.request_record_review, (copy, "here")),
        ]
        for door, given in asked:
            with pytest.raises(Refused) as refused:
                await door(*given)
            assert code(refused) == "not_shown"
        assert not found.jobs
        await found.request_table_review(other, "here")  # another's is nobody's copy

    run_scene(story, tmp_path)


def test_who_asks_again_and_again_does_not_have_all_tables_read_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Matches that were never ended are many: whoever asks for copies must not keep the server busy with them."""

    async def story(s: Scene) -> None:
        found, match, times = Reviews(s.hub), played(4), 0
        right = s.store.tables.read_first_events_of_running_matches

        async def counted(game: str) -> list[list[LogEntry]]:
            nonlocal times
            times += 1
            return await right(game)

        monkeypatch.setattr(s.store.tables, "read_first_events_of_running_matches", counted)
        running = await s.hub.create_table_from_record(ANA, match.record(), 60, 0)
        await put_away(s, running)
        copy = await s.hub.create_table_from_record(User("id-Eve", "Eve"), match.record())
        record = played(5).record()
        others = [await s.hub.create_table_from_record(ANA, record) for _ in range(reviews.MAX_CACHED_RECORDS + 1)]
        for _ in range(2):
            for table in (copy, *others):
                with suppress(Refused):
                    await found.encode_table_review_status(table)
        assert times == 1
        s.time.ms += reviews.COPY_CHECK_TTL_MS
        with pytest.raises(Refused):
            await found.encode_table_review_status(copy)
        assert times == 2

    run_scene(story, tmp_path)


def test_playing_on_from_a_match_hides_nothing_of_it(tmp_path: Path) -> None:
    """The match that goes on from an earlier one is younger, and no copy was taken of it."""

    async def story(s: Scene) -> None:
        found, record = Reviews(s.hub), played(4).record()
        opened = await s.hub.create_table_from_record(ANA, record)
        s.time.ms += 1
        await s.hub.create_table_from_record(ANA, record, 60, 0)
        assert (await kept(found, opened))["review"]["moments"]

    run_scene(story, tmp_path)


def test_matches_that_begin_from_the_same_position_are_not_taken_for_each_other(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        found = Reviews(s.hub)
        guided = await s.hub.create_guided_table(ANA, "atlandice", "first", "sprat")
        running = (await s.hub.get_or_load_table(guided)).table.match
        assert running is not None
        begun = running.copy_rewound_to(0)
        answer = json.loads(
            await found.request_record_review(played_out(begun), "here")
        )  # a guided game of somebody else
        assert answer["state"] == "working"
        ended = reviews.parse_record_outline(played_out(begun))
        assert reviews.repeats_match_lines(ended, ended.lines[: reviews.SHARED_OPENING_LINES])
        assert not reviews.repeats_match_lines(ended, ended.lines[: reviews.SHARED_OPENING_LINES - 1])
        terms = (await s.hub.get_or_load_table(guided)).table.terms
        assert reviews.may_be_copy_of_table(ended, terms, None)
        for elsewhere in (None, "elsewhere"):
            assert not reviews.may_be_copy_of_table(ended._replace(position=elsewhere), terms, None)

    run_scene(story, tmp_path)


def test_progress_is_told_and_what_matters_most_comes_first(tmp_path: Path) -> None:
    """The curve at once, then the largest swings; how much is done, and how long the rest may take."""

    async def story(s: Scene) -> None:
        found, match, works = Reviews(s.hub), played(3), s.hub.bot_pool.run_task
        table, answer, lines = await s.hub.create_table_from_record(ANA, match.record()), [], []

        async def noted(what: Any, *given: Any, who: str) -> Any:
            answer.append(json.loads(await found.encode_table_review_status(table)))
            s.time.ms += 1000
            if what is review_log_lines:
                lines.extend(given[1])
            return await works(what, *given, who=who)

        s.hub.bot_pool.run_task = noted  # type: ignore[assignment,method-assign]
        await kept(found, table)
        curve = review_curve(match.record())
        assert lines == curve["lines"]
        assert "review" not in answer[0]
        assert [each["done"] for each in answer[1:]] == list(range(0, len(lines), reviews.LINES_PER_PART))
        assert {each["total"] for each in answer[1:]} == {len(lines)}
        assert all(len(each["review"]["moments"]) == len(curve["moments"]) for each in answer[1:])
        assert answer[1]["left_s"] is None
        left = [each["left_s"] for each in answer[2:]]
        assert left == sorted(left, reverse=True)
        assert left[0] == pytest.approx((len(lines) - reviews.LINES_PER_PART) / reviews.LINES_PER_PART, abs=1)

    run_scene(story, tmp_path)


def test_a_long_match_holds_nobody_up(tmp_path: Path) -> None:
    """All that wait have their turn: a part of each, one after the other."""

    async def story(s: Scene) -> None:
        found, done, works = Reviews(s.hub), [], s.hub.bot_pool.run_task

        async def noted(what: Any, *given: Any, who: str) -> Any:
            if what is review_log_lines:
                done.append(who.split()[-1])
            return await works(what, *given, who=who)

        s.hub.bot_pool.run_task = noted  # type: ignore[assignment,method-assign]
        long, short = [await s.hub.create_table_from_record(ANA, played(seed).record()) for seed in (3, 4)]
        found.is_working = True  # until both are asked for
        await found.request_table_review(long, "here")
        await found.request_table_review(short, "there")
        s.hub.spawn_background_task(found.run_jobs_in_turn())
        await wait_until_true(lambda: not found.jobs)
        assert done[:4] == [long, short, long, short]

    run_scene(story, tmp_path)


def test_a_record_is_looked_back_on_and_remembered_for_a_while(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        found, match = Reviews(s.hub), played(6)
        key = json.loads(await found.request_record_review(match.record(), "here"))["key"]
        await wait_until_true(lambda: not found.jobs)
        answer = json.loads(await found.encode_record_review_status(key))
        assert answer["state"] == "kept"
        assert answer["review"]["moments"][-1]["at"] == len(match.log)
        for i in range(reviews.MAX_CACHED_RECORDS):
            found.put_in_bounded_cache(found.record_results, f"other-{i}", b"")
        assert json.loads(await found.encode_record_review_status(key))["state"] == "none"

    run_scene(story, tmp_path)


def test_one_may_ask_for_few_and_all_for_not_too_many(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        found = Reviews(s.hub)
        found.is_working = True  # nobody works: all wait
        tables = [
            await s.hub.create_table_from_record(ANA, played(seed).record())
            for seed in range(reviews.MAX_REVIEWS_PER_USER + 1)
        ]
        for i, table in enumerate(tables[:-1]):
            answer = json.loads(await found.request_table_review(table, "here"))
            assert (answer["state"], answer["before"]) == (("queued", "working")[i == 0], i)
        await found.request_table_review(tables[0], "here")
        assert len(found.jobs) == reviews.MAX_REVIEWS_PER_USER
        with pytest.raises(Refused) as refused:
            await found.request_table_review(tables[-1], "here")
        assert code(refused) == "busy"
        for i in range(reviews.MAX_QUEUED_REVIEWS - reviews.MAX_REVIEWS_PER_USER):
            found.jobs[f"other-{i}"] = found.jobs[tables[0]]
        with pytest.raises(Refused) as refused:
            await found.request_table_review(tables[-1], "there")
        assert code(refused) == "busy"

    run_scene(story, tmp_path)


def test_what_is_too_much_at_once_is_done_in_smaller_parts(tmp_path: Path) -> None:
    """Workers that have no time for two choices, and once not even for one: all is told, as if done at once."""

    async def story(s: Scene) -> None:
        found, works, match = Reviews(s.hub), s.hub.bot_pool.run_task, played(3)
        table = await s.hub.create_table_from_record(ANA, match.record())
        refused: list[int] = []

        async def slow(what: Any, *given: Any, who: str) -> Any:
            if what is review_log_lines and (len(given[1]) > 1 or len(refused) == 1):
                refused.append(len(given[1]))
                raise Refused("busy")
            return await works(what, *given, who=who)

        s.hub.bot_pool.run_task = slow  # type: ignore[assignment,method-assign]
        assert (await kept(found, table))["review"] == json.loads(json.dumps(review_match(match.record())))
        assert refused == [reviews.LINES_PER_PART, 1]

    run_scene(story, tmp_path)


@pytest.mark.parametrize("parts", [None, 0, 2])
def test_what_fails_says_so_and_can_be_tried_again(tmp_path: Path, parts: int | None) -> None:
    """At once, or when some parts are there: it is tried a few times and no more."""

    async def story(s: Scene) -> None:
        found, works = Reviews(s.hub), s.hub.bot_pool.run_task
        table = await s.hub.create_table_from_record(ANA, played(3).record())
        asked: list[object] = []

        async def broken(what: Any, *given: Any, who: str) -> Any:
            asked.append(what)
            if parts is None or asked.count(review_log_lines) > parts:
                raise Refused("busy")
            return await works(what, *given, who=who)

        s.hub.bot_pool.run_task = broken  # type: ignore[assignment,method-assign]
        await found.request_table_review(table, "here")
        await wait_until_true(lambda: not found.jobs)
        assert asked.count(review_log_lines) == (0 if parts is None else parts + reviews.MAX_PART_ATTEMPTS)
        assert asked.count(review_curve) == (1 if parts is not None else reviews.MAX_PART_ATTEMPTS)
        assert json.loads(await found.encode_table_review_status(table)) == {"state": "failed", "why": "table.busy"}
        s.hub.bot_pool.run_task = works  # type: ignore[method-assign]
        assert (await kept(found, table))["review"]["moments"]

    run_scene(story, tmp_path)

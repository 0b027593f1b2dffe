"""A match is looked back on when it is over, once for everybody, by no door before, and not by too many at once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from landfall.analysis.lookback import edition
from landfall.core.rng import Rng
from landfall.core.state import OVER
from landfall.match import Match
from landfall.tables import lookbacks
from landfall.tables.errors import Refused
from landfall.tables.lookbacks import Lookbacks
from landfall.tables.watcher import Visitor
from tests.tables.people import Scene, comes_true, scene

pytestmark = pytest.mark.once
ANA = Visitor("id-Ana", "Ana")


def played(seed: int, most: int = 100_000) -> Match:
    """A match of Atlandice played at random."""
    match, rng = Match("atlandice", 2, seed=seed), Rng(seed)
    while match.actor != OVER and len(match.log) < most:
        match.play(int(match.state.random_action(rng)))
    return match


async def kept(found: Lookbacks, table: str) -> dict[str, Any]:
    """A table's, when it is worked out."""
    await found.begin(table, "here")
    await comes_true(lambda: not found.jobs)
    told: dict[str, Any] = json.loads(await found.told(table))
    assert told["state"] == "kept", told
    return told


def code(refused: pytest.ExceptionInfo[Refused]) -> str:
    return refused.value.code


def test_it_is_worked_out_once_and_kept_with_the_match(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        found, match = Lookbacks(s.hub), played(3)
        table = await s.hub.reopen(ANA, match.record())
        assert json.loads(await found.told(table)) == {"state": "none", "why": ""}
        first = json.loads(await found.begin(table, "here"))
        assert (first["state"], first["total"]) == ("working", len(match.log))
        assert 0 <= first["done"] <= first["total"]
        told = (await kept(found, table))["lookback"]
        assert [moment["at"] for moment in told["moments"]] == list(range(told["moments"][0]["at"], len(match.log) + 1))
        assert (told["game"], told["players"], told["short"]) == ("atlandice", 2, False)
        s.hub.thinkers.work = None  # type: ignore[assignment,method-assign]  # nobody works any more
        assert json.loads(await Lookbacks(s.hub).begin(table, "elsewhere"))["lookback"] == told
        await s.hub.store.keep_lookback("no-such-table", edition("atlandice"), 1, b"nothing")
        assert await s.hub.store.lookback("no-such-table", edition("atlandice")) is None
        assert await s.hub.store.lookback(table, edition("atlandice") + 1) is None  # another net's
        await s.hub.store.forget_before(s.time.now() + 1, None)
        assert await s.hub.store.lookback(table, edition("atlandice")) is None

    scene(story, tmp_path)


def test_nothing_is_told_while_the_match_goes_on(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        found, match = Lookbacks(s.hub), played(4)
        running = await s.hub.reopen(ANA, match.record(), 60, 0)
        for asked in (found.begin(running, "here"), found.told(running)):
            with pytest.raises(Refused) as refused:
                await asked
            assert code(refused) == "not_shown"
        # nor of what was kept, should a log be taken back to before its end
        await s.hub.store.keep_lookback(running, edition("atlandice"), 1, b"nothing")
        with pytest.raises(Refused):
            await found.told(running)
        # nor by handing in its record, or one that only begins like it
        live = (await s.hub.live(running)).table.match
        assert live is not None
        ended = Match.replay(live.record(), Rng(5))
        while ended.actor != OVER:
            ended.play(int(ended.state.random_action(Rng(9))))
        for record in (live.record(), ended.record(), played(4, 60).record()):
            with pytest.raises(Refused) as refused:
                await found.begin_record(record, "here")
            assert code(refused) == "not_shown"
        assert not found.jobs

    scene(story, tmp_path)


def test_a_record_is_looked_back_on_and_remembered_for_a_while(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        found, match = Lookbacks(s.hub), played(6)
        key = json.loads(await found.begin_record(match.record(), "here"))["key"]
        await comes_true(lambda: not found.jobs)
        told = json.loads(found.record_told(key))
        assert told["state"] == "kept"
        assert told["lookback"]["moments"][-1]["at"] == len(match.log)
        for i in range(lookbacks.REMEMBERED):
            found.remember(found.found, f"other-{i}", b"")
        assert json.loads(found.record_told(key))["state"] == "none"

    scene(story, tmp_path)


def test_one_may_ask_for_few_and_all_for_not_too_many(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        found = Lookbacks(s.hub)
        found.working = True  # nobody works: all wait
        tables = [await s.hub.reopen(ANA, played(seed).record()) for seed in range(lookbacks.EACH + 1)]
        for i, table in enumerate(tables[:-1]):
            told = json.loads(await found.begin(table, "here"))
            assert (told["state"], told["before"]) == (("queued", "working")[i == 0], i)
        await found.begin(tables[0], "here")
        assert len(found.jobs) == lookbacks.EACH
        with pytest.raises(Refused) as refused:
            await found.begin(tables[-1], "here")
        assert code(refused) == "busy"
        for i in range(lookbacks.WAITING - lookbacks.EACH):
            found.jobs[f"other-{i}"] = found.jobs[tables[0]]
        with pytest.raises(Refused) as refused:
            await found.begin(tables[-1], "there")
        assert code(refused) == "busy"

    scene(story, tmp_path)


def test_what_fails_says_so_and_can_be_tried_again(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        found, works = Lookbacks(s.hub), s.hub.thinkers.work
        table = await s.hub.reopen(ANA, played(3).record())

        async def broken(*_: object, **__: object) -> None:
            raise Refused("busy")

        s.hub.thinkers.work = broken  # type: ignore[assignment,method-assign]
        await found.begin(table, "here")
        await comes_true(lambda: not found.jobs)
        assert json.loads(await found.told(table)) == {"state": "failed", "why": "table.busy"}
        s.hub.thinkers.work = works  # type: ignore[method-assign]
        assert (await kept(found, table))["lookback"]["moments"]

    scene(story, tmp_path)

"""Tables and people that are deleted while a process has them: nothing is acknowledged in vain, no seat waits."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from landfall.core.rng import Rng
from landfall.store.events import Left
from landfall.store.row_types import FORGOTTEN_PREFIX, LogEntry, TableSummary
from landfall.tables.live.hub import TableConfig
from landfall.tables.log.loading import load_table_from_entries
from landfall.tables.protocol import commands as cmd
from landfall.tables.protocol.errors import Refused
from tests.tables.fake_users import Scene, guest_to_choose, run_scene, wait_until_true

pytestmark = pytest.mark.once
FAR_FUTURE = 10**15


async def delete_under_it(s: Scene, table: str) -> None:
    """As retention would, if it did not know that the table is open."""
    await s.store.tables.release_open_tables(s.hub.name)
    assert (await s.store.retention.delete_expired_tables_and_guests(FAR_FUTURE, None))["tables"] == 1
    assert await s.store.tables.read_log_entries(table) == []


def test_a_move_at_a_deleted_table_is_refused_and_the_table_closes(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        people = await s.table("Ana", "Boris")
        table = people[0].table["id"]
        await wait_until_true(lambda: table in s.hub.noted_open)
        await delete_under_it(s, table)
        mover = guest_to_choose(people)
        answer = await mover.play(mover.choices[0]["action"])
        assert (answer["t"], answer["code"]) == ("refused", "no_table")
        assert [m for guest in people for m in guest.inbox if m["t"] == "ack"] == []
        assert all(guest.inbox[-1]["t"] == "refused" for guest in people), "everybody is told"
        assert await people[1].refused(cmd.Say(text="hello?")) == "no_table"
        assert (await s.store.tables.read_log_entries(table), await s.store.chat.read_chat_lines(table)) == ([], [])
        assert await s.store.tables.get_table_summary(table) is None
        with pytest.raises(Refused, match="no such table"):
            await s.guest("Chen").come(table)
        for guest in people:
            await guest.go()
        await s.time.advance_until(lambda: table not in s.hub.live_tables)

    run_scene(story, tmp_path)


def test_chat_at_a_deleted_table_is_refused_and_the_table_closes(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        people = await s.table("Ana", "Boris")
        await wait_until_true(lambda: bool(s.hub.noted_open))
        await delete_under_it(s, people[0].table["id"])
        assert await people[1].refused(cmd.Say(text="hello?")) == "no_table"
        mover = guest_to_choose(people)
        assert (await mover.play(mover.choices[0]["action"]))["code"] == "no_table"
        assert await s.store.chat.read_chat_lines(people[0].table["id"]) == []

    run_scene(story, tmp_path)


def test_retention_leaves_tables_that_are_open_and_takes_those_put_away(tmp_path: Path) -> None:
    """The server's clock is the wall's here, as that of the host's command is."""

    async def story(s: Scene) -> None:
        s.time.ms = time.time_ns() // 1_000_000
        people = await s.table("Ana", "Boris")
        table = people[0].table["id"]
        await wait_until_true(lambda: table in s.hub.noted_open)
        assert (await s.store.retention.delete_expired_tables_and_guests(FAR_FUTURE, None))["tables"] == 0
        mover = guest_to_choose(people)
        assert (await mover.play(mover.choices[0]["action"]))["t"] == "ack"
        for guest in people:
            await guest.go()
        await s.time.advance_until(lambda: table not in s.hub.live_tables)
        await s.hub.run_housekeeping_once(s.time.wall_time_ms())
        await wait_until_true(lambda: table not in s.hub.noted_open)
        assert (await s.store.retention.delete_expired_tables_and_guests(FAR_FUTURE, None))["tables"] == 1

    run_scene(story, tmp_path)


def test_open_tables_are_noted_again_before_that_runs_out(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        ana = (await s.table("Ana", "Boris"))[0]
        table = ana.table["id"]
        await wait_until_true(lambda: table in s.hub.noted_open)
        first = s.hub.lease_renewed
        await s.time.go_on(3_600_000)
        await wait_until_true(lambda: s.hub.lease_renewed != first)

    run_scene(story, tmp_path)


def fail(s: Scene, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Let every write of entries fail while the list is not empty."""
    append, broken = s.store.tables.append_entries, [1]

    async def refuse(entries: list[LogEntry], head: TableSummary | None = None) -> bool:
        if broken:
            raise OSError("the disk is full")
        return await append(entries, head)

    monkeypatch.setattr(s.store.tables, "append_entries", refuse)
    return broken


async def departures_in(s: Scene, table: str) -> list[int]:
    return [e.event.seat for e in await s.store.tables.read_log_entries(table) if isinstance(e.event, Left)]


def test_a_departure_that_could_not_be_written_is_written_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(s: Scene) -> None:
        ana = (await s.table("Ana", "Boris", "Chen"))[0]
        table = ana.table["id"]
        await s.store.personal_data.erase_user("id-Boris")
        broken = fail(s, monkeypatch)
        assert await s.hub.erase_user_from_tables("id-Boris", [table]) == {table}, (
            "it is known that this table is still to do"
        )
        assert await departures_in(s, table) == []
        broken.clear()
        await s.time.go_on(5_000)
        assert await departures_in(s, table) == [1]
        assert ana.table["chairs"][1]["away"] == "resigned"
        assert await s.hub.erase_user_from_tables("id-Boris", [table]) == set()
        assert await departures_in(s, table) == [1], "once"

    run_scene(story, tmp_path)


@pytest.mark.parametrize("start", [True, False])
def test_a_seat_of_somebody_deleted_is_freed_whenever_its_table_is_opened(tmp_path: Path, start: bool) -> None:
    """Also where an earlier release left it waiting, and noted that nothing was to be done."""

    async def story(s: Scene) -> None:
        config = TableConfig("atlandice", 3, seating="as_sat")
        table = (await s.table("Ana", "Boris", "Chen", config=config, start=start))[0].table["id"]
        await s.store.personal_data.erase_user("id-Boris")
        await s.store.personal_data.remove_pending_tables_of_deleted_user("id-Boris", [table])
        await s.restart()
        ana = s.guest("Ana")
        await ana.come(table)
        await s.time.go_on(5_000)
        seat = ana.table["chairs"][1]
        assert (seat.get("away") == "resigned") if start else not seat.get("who"), seat
        chair = s.hub.live_tables[table].table.chairs[1]
        assert start == (chair.person or "").startswith(FORGOTTEN_PREFIX)

    run_scene(story, tmp_path)


def test_a_gathering_table_of_somebody_deleted_is_closed_when_it_is_opened(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        table = (await s.table("Ana", "Boris", start=False))[0].table["id"]
        await s.store.personal_data.erase_user("id-Ana")
        await s.store.personal_data.remove_pending_tables_of_deleted_user("id-Ana", [table])
        await s.restart()
        boris = s.guest("Boris")
        await boris.come(table)
        await s.time.go_on(5_000)
        assert boris.table["ended"] == "closed"

    run_scene(story, tmp_path)


@pytest.mark.parametrize("proposer", [0, 1])
def test_a_proposal_of_somebody_deleted_is_none_in_memory_and_in_the_log(tmp_path: Path, proposer: int) -> None:
    """Whether they made it or agreed to it: processes that read the log later must know what this one does."""

    async def story(s: Scene) -> None:
        people = await s.table("Ana", "Boris", "Chen", config=TableConfig("survive", 3, seating="as_sat"))
        live = people[0].subscriber.live if people[0].subscriber is not None else None
        assert live is not None
        table = live.table.id
        await people[proposer].send(cmd.Propose(what="pause"))
        if proposer:
            await people[0].send(cmd.Answer(yes=True))
        assert live.table.proposal is not None
        await s.store.personal_data.erase_user("id-Ana")
        assert await s.hub.erase_user_from_tables("id-Ana", [table]) == set()
        assert live.table.proposal is None
        known = live.table.seq  # a stand-in may play on meanwhile
        read = load_table_from_entries(table, await s.store.tables.read_log_entries(table), Rng(0))
        assert read.proposal is None
        assert read.seq >= known, "memory is ahead of the log"

    run_scene(story, tmp_path)

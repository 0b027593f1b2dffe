"""Leaving, returning, running out of time, agreeing; and what a restart finds."""

import asyncio
from pathlib import Path

import pytest

from landfall.match import LogEntry as Line
from landfall.match import Match
from landfall.store.row_types import LogEntry, TableSummary
from landfall.tables.live.hub import TableConfig
from landfall.tables.live.live_table import LiveTable
from landfall.tables.live.record_export import export_record
from landfall.tables.log.clocks import ClockRule
from landfall.tables.log.table import fold_table_from_log
from landfall.tables.protocol import commands as cmd
from tests.tables.fake_users import Guest, Scene, guest_to_choose, run_scene, wait_until_true

pytestmark = pytest.mark.once


def room_of(guest: Guest) -> LiveTable:
    assert guest.subscriber is not None
    return guest.subscriber.live


def test_a_quick_game_begins_at_once_and_bots_answer(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        ana = s.guest("Ana")
        assert ana.user is not None
        table = await s.hub.create_table_with_bots(ana.user, TableConfig("atlandice", 3), ["random", "greedy"])
        await ana.come(table)
        for _ in range(40):
            await s.time.go_on(1000)
            if ana.choices:
                assert (await ana.play(ana.choices[0]["action"]))["t"] == "ack"
        assert len(room_of(ana).table.match.log) > 40  # type: ignore[union-attr]
        assert {e.actor for e in room_of(ana).table.match.log} >= {0, 1, 2}  # type: ignore[union-attr]

    run_scene(story, tmp_path, pace=700)


def test_bots_take_their_time(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        ana = s.guest("Ana")
        assert ana.user is not None
        table = await s.hub.create_table_with_bots(ana.user, TableConfig("atlandice", 2, seating="as_sat"), ["random"])
        await ana.come(table)
        while room_of(ana).table.actor == 0:
            await ana.play(ana.choices[0]["action"])
        version = ana.version
        await s.time.go_on(600)
        assert ana.version == version
        await s.time.go_on(200)
        await wait_until_true(lambda: ana.version > version)

    run_scene(story, tmp_path, pace=700)


def test_who_leaves_is_stood_in_for_and_may_return(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        ana, boris = await s.table("Ana", "Boris")
        live = room_of(ana)
        assert (await ana.send(cmd.Leave()))["t"] == "done"
        assert boris.table["chairs"][0]["away"] == "left"
        while live.table.actor != 0:
            await boris.play(boris.choices[0]["action"])
        assert await ana.refused(cmd.Play(version=ana.version, id="x", action=0)) == "stand_in"
        version = live.table.version
        await s.time.go_on(10)
        await wait_until_true(lambda: live.table.version > version)  # the stand-in plays
        assert (await ana.send(cmd.Back()))["t"] == "done"
        assert "away" not in boris.table["chairs"][0]
        assert await ana.refused(cmd.Back()) == "not_away"
        while live.table.actor != 0:
            await boris.play(boris.choices[0]["action"])
        await s.time.go_on(5000)
        assert live.table.actor == 0
        assert (await ana.play(ana.choices[0]["action"]))["t"] == "ack"

    run_scene(story, tmp_path)


def test_a_dropped_connection_is_not_leaving(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        ana, boris = await s.table("Ana", "Boris")
        while room_of(boris).table.actor != 0:
            await boris.play(boris.choices[0]["action"])
        await ana.go()
        await s.time.go_on(100_000)
        table = room_of(boris).table
        assert table.actor == 0
        assert table.chairs[0].away_reason is None
        assert "here" not in boris.table["chairs"][0]

    run_scene(story, tmp_path)


def test_a_live_clock_uses_the_turn_then_the_bank_then_a_stand_in_plays(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        config = TableConfig("atlandice", 2, clock=ClockRule("live", turn=10, bank=20), seating="as_sat")
        people = await s.table("Ana", "Boris", config=config)
        live = room_of(people[0])
        one = guest_to_choose(people)
        seat = one.seat
        assert seat is not None
        await s.time.go_on(12_000)
        await one.play(one.choices[0]["action"])
        assert live.table.clocks.banks[seat] == 18_000
        assert live.table.chairs[seat].away_reason is None
        for theirs in (True, False):  # to the other's turn, and back
            while (live.table.actor == seat) == theirs:
                await guest_to_choose(people).play(guest_to_choose(people).choices[0]["action"])
        await s.time.go_on(27_000)
        assert live.table.chairs[seat].away_reason is None
        await s.time.go_on(1_500)
        await wait_until_true(lambda: live.table.chairs[seat].away_reason == "time")
        assert live.table.clocks.banks[seat] == 0
        assert (await one.send(cmd.Back()))["t"] == "done"
        assert live.table.chairs[seat].away_reason is None

    run_scene(story, tmp_path)


def test_a_clock_by_days_runs_while_nobody_is_there_and_over_a_restart(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        people = await s.table("Ana", "Boris", config=TableConfig("atlandice", 2, clock=ClockRule("days", days=2)))
        live = room_of(people[0])
        seat, table = live.table.actor, live.table.id
        assert seat is not None
        for guest in people:
            await guest.go()
        await s.restart()
        await s.time.go_on(47 * 3_600_000)
        late = await s.hub.get_or_load_table(table)
        assert late.table.chairs[seat].away_reason is None
        await s.time.go_on(2 * 3_600_000)
        for _ in range(100):
            await s.time.go_on(60_000)
            found = fold_table_from_log(table, await s.store.tables.read_log_entries(table), s.env.rng)
            if found.actor != seat:
                break
        assert found.chairs[seat].away_reason == "time"
        assert found.actor != seat, "the stand-in played on, though nobody was there"
        await s.time.advance_until(lambda: table not in s.hub.live_tables)

    run_scene(story, tmp_path)


def test_a_table_with_nobody_connected_pauses_and_its_clock_stands(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        config = TableConfig("atlandice", 2, clock=ClockRule("live", turn=60, bank=0), seating="as_sat")
        people = await s.table("Ana", "Boris", config=config)
        table = room_of(people[0]).table.id
        seat = room_of(people[0]).table.actor
        assert seat is not None
        await s.time.go_on(10_000)
        for guest in people:
            await guest.go()
        await s.time.go_on(600_000)
        await people[0].come(table)
        await wait_until_true(lambda: not room_of(people[0]).table.paused)
        found = room_of(people[0]).table
        assert found.chairs[seat].away_reason is None
        assert found.clocks.turn_left == 30_000, "ten seconds used, twenty of grace, the rest nobody's"

    run_scene(story, tmp_path)


def test_after_a_crash_the_time_is_nobodys_and_everything_acknowledged_is_there(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        config = TableConfig("survive", 2, clock=ClockRule("live", turn=60, bank=0), seating="as_sat")
        people = await s.table("Ana", "Boris", config=config)
        for _ in range(9):
            one = guest_to_choose(people)
            await one.play(one.choices[0]["action"])
        before = room_of(people[0]).table
        assert before.match is not None
        digest, seat = before.match.state.digest(), before.actor
        assert seat is not None
        s.hub.driver.has_running_live_clock = lambda live: False  # type: ignore[method-assign]  # it does not end cleanly
        await s.restart()
        s.time.ms += 3_600_000
        guest = s.guest("Ana")
        await guest.come(before.id)
        after = room_of(guest).table
        assert after.match is not None
        assert after.match.state.digest() == digest
        assert after.actor == seat
        assert after.chairs[seat].away_reason is None
        assert after.clocks.turn_left == 60_000

    run_scene(story, tmp_path)


def test_resigning_is_for_good_and_ends_a_match_of_two(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        ana, boris = await s.table("Ana", "Boris")
        await ana.send(cmd.Resign())
        assert boris.table["status"] == "over"
        assert boris.table["ended"] == "resigned"
        assert [chair.get("away") for chair in boris.table["chairs"]] == ["resigned", None], "so Boris has won"
        assert boris.table["scores"] == room_of(boris).table.match.state.scores()  # type: ignore[union-attr]
        three = await s.table("Ana", "Boris", "Chen")
        await three[1].send(cmd.Resign())
        assert three[0].table["status"] == "playing"
        assert await three[1].refused(cmd.Back()) == "gone"
        live = room_of(three[0])
        gone = len(live.table.match.log)  # type: ignore[union-attr]
        for _ in range(300):
            await s.time.go_on(5)
            for guest in (three[0], three[2]):
                if guest.choices:
                    await guest.play(guest.choices[0]["action"])
            if any(e.actor == 1 for e in live.table.match.log[gone:]):  # type: ignore[union-attr]
                return
        raise AssertionError("nobody played for who resigned")

    run_scene(story, tmp_path)


def test_a_choice_voids_a_proposal_on_every_screen(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        people = ana, boris, _ = await s.table("Ana", "Boris", "Chen")
        await ana.send(cmd.Propose(what="abandon"))
        assert all("proposal" in guest.table for guest in people)
        one = guest_to_choose(list(people))
        await one.play(one.choices[0]["action"])
        assert not any("proposal" in guest.table for guest in people)
        assert await boris.refused(cmd.Answer(yes=True)) == "nothing_proposed"

    run_scene(story, tmp_path)


def test_abandoning_needs_all_and_one_no_ends_it(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        ana, boris, chen = await s.table("Ana", "Boris", "Chen")
        assert await ana.refused(cmd.Answer(yes=True)) == "nothing_proposed"
        await ana.send(cmd.Propose(what="abandon"))
        assert boris.table["proposal"]["what"] == "abandon"
        assert await boris.refused(cmd.Propose(what="takeback")) == "proposal_open"
        await boris.send(cmd.Answer(yes=False))
        assert "proposal" not in ana.table
        await ana.send(cmd.Propose(what="abandon"))
        await boris.send(cmd.Answer(yes=True))
        assert ana.table["status"] == "playing"
        await chen.send(cmd.Answer(yes=True))
        assert ana.table["ended"] == "abandoned"
        assert await ana.refused(cmd.Propose(what="peace")) == "over"

    run_scene(story, tmp_path)


def test_a_takeback_by_consent_goes_behind_chance(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        people = await s.table("Ana", "Boris", config=TableConfig("atlandice", 2, seating="as_sat"))
        live = room_of(people[0])
        for _ in range(200):
            one = guest_to_choose(people)
            assert live.table.match is not None
            lines, view, version = live.table.match.log_lines(), dict(one.view), live.table.version
            await one.play(one.choices[0]["action"])
            if len(live.table.match.log) > len(lines) + 1 and live.table.actor is not None:
                other = next(p for p in people if p is not one)
                await one.send(cmd.Propose(what="takeback"))
                await other.send(cmd.Answer(yes=True))
                assert live.table.match.log_lines() == lines
                assert one.view == view
                assert live.table.version > version + 1
                return
        raise AssertionError("chance never followed a choice")

    run_scene(story, tmp_path)


def test_what_one_who_left_has_seen_is_not_taken_back_without_them(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        ana, boris = people = await s.table("Ana", "Boris", config=TableConfig("atlandice", 2, seating="as_sat"))
        while (one := guest_to_choose(people)) is not ana or not any(line.actor == 0 for line in log_of(ana)):
            await one.play(one.choices[0]["action"])
        await boris.send(cmd.Leave())
        seen = len(log_of(ana))
        await ana.send(cmd.Propose(what="takeback"))
        assert len(log_of(ana)) == seen, "Boris saw it, and may come back"
        assert ana.table["proposal"]["waiting"] == [ana.table["chairs"][1]["who"]]
        await boris.send(cmd.Answer(yes=False))
        assert ana.table.get("proposal") is None
        await ana.send(cmd.Propose(what="takeback"))
        await boris.send(cmd.Answer(yes=True))
        assert len(log_of(ana)) < seen

    run_scene(story, tmp_path)


def test_what_happened_since_one_left_is_taken_back_without_them(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        ana, boris = await s.table("Ana", "Boris", config=TableConfig("atlandice", 2, seating="as_sat"))
        await boris.send(cmd.Leave())
        while not ana.choices:
            await s.time.go_on(1000)
        seen = len(log_of(ana))
        await ana.play(ana.choices[0]["action"])
        assert len(log_of(ana)) > seen
        await ana.send(cmd.Propose(what="takeback"))
        assert len(log_of(ana)) == seen
        await s.restart()
        again = s.guest("Ana")
        await again.come(ana.table["id"])
        assert len(log_of(again)) == seen

    run_scene(story, tmp_path)


def log_of(guest: Guest) -> list[Line]:
    match = room_of(guest).table.match
    assert match is not None
    return match.log


def test_a_record_is_opened_again_and_played_on(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        people = await s.table("Ana", "Boris", config=TableConfig("survive", 2, seating="as_sat"))
        for _ in range(30):
            one = guest_to_choose(people)
            await one.play(one.choices[0]["action"])
        match = room_of(people[0]).table.match
        assert match is not None
        record = match.record()
        assert "seed" not in record
        chen = s.guest("Chen")
        assert chen.user is not None
        table = await s.hub.create_table_from_record(chen.user, record)
        await chen.come(table)
        assert chen.view == match.view(None)
        await chen.send(cmd.Sit(chair=0))
        await chen.send(cmd.Bot(chair=1, code="greedy"))
        await chen.send(cmd.Start())
        again = room_of(chen).table.match
        assert again is not None
        assert again.log_lines() == match.log_lines()
        for _ in range(500):
            await s.time.go_on(5)
            if chen.choices:
                await chen.play(chen.choices[0]["action"])
            if len(room_of(chen).table.match.log) > len(match.log) + 6:  # type: ignore[union-attr]
                break
        assert len(room_of(chen).table.match.log) > len(match.log) + 6  # type: ignore[union-attr]
        Match.replay(room_of(chen).table.match.record())  # type: ignore[union-attr]

    run_scene(story, tmp_path)


def test_whoever_is_forgotten_is_nobody_at_live_tables_and_after_a_restart(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        ana = (await s.table("Ana", "Boris", "Chen"))[0]
        await ana.send(cmd.Remove(who=ana.table["chairs"][2]["who"]))
        await ana.send(cmd.Propose(what="abandon"))
        for name in ("Boris", "Chen"):
            await s.store.personal_data.erase_user(f"id-{name}")
            await s.hub.erase_user_from_tables(f"id-{name}", [])
        assert [(c.get("name", ""), c.get("away")) for c in ana.table["chairs"][1:]] == [("", "resigned")] * 2
        assert ana.table["ended"] == "resigned", "nobody else is left"
        head = await s.store.tables.get_table_summary(ana.table["id"])
        assert head is not None
        assert head.info["chairs"] == ["Ana", "", ""]
        assert await s.store.tables.list_tables_of_user("id-Boris") == []
        record = await export_record(s.hub, ana.table["id"], None)
        assert '"Ana", "", ""' in record
        live = room_of(ana).table
        read = fold_table_from_log(live.id, await s.store.tables.read_log_entries(live.id), s.env.rng)
        for part in ("chairs", "people", "banned", "removed", "terms", "status"):
            assert getattr(read, part) == getattr(live, part), part
        new = (await ana.send(cmd.Rematch()))["table"]
        assert [c.is_free for c in (await s.hub.get_or_load_table(new)).table.chairs] == [False, True, True]

    run_scene(story, tmp_path)


def test_a_table_is_not_unloaded_during_a_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody watches, somebody is forgotten, and a wish of another is on its way: who comes then hears of it.

    Only who is forgotten can let a table be put away while its writer is at work; when the last one goes, it is waited
    for until it rests. So no world of people who come and go can show this.
    """

    async def story(s: Scene) -> None:
        ana, boris = await s.table("Ana", "Boris")
        assert ana.user is not None
        live, store, written = room_of(ana), s.hub.store, asyncio.Event()
        boris_handle = live.public_handle_of_user("id-Boris")
        append = store.tables.append_entries

        async def slowly(entries: list[LogEntry], head: TableSummary | None = None) -> bool:
            await written.wait()
            return await append(entries, head)

        await ana.go()
        await boris.go()
        monkeypatch.setattr(store.tables, "append_entries", slowly)
        forgetting = asyncio.ensure_future(s.hub.erase_user_from_tables("id-Chen", [live.table.id]))
        while live.writer.is_idle:
            await asyncio.sleep(0)
        wishing = asyncio.ensure_future(s.hub.execute_command(live.table.id, ana.user, cmd.Mute(who=boris_handle)))
        await forgetting
        assert not live.writer.is_idle
        await ana.come(live.table.id)
        written.set()
        await wishing
        assert ana.table["muted"] == [boris_handle]
        assert room_of(ana).table.seq == len(await store.tables.read_log_entries(live.table.id))

    run_scene(story, tmp_path)

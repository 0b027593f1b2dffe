"""At a table: sitting down, beginning, choosing, taking back; what is sent again is acknowledged again."""

from dataclasses import replace
from pathlib import Path

import pytest

from landfall.core.message_types import GameEvent, View
from landfall.core.rng import Rng
from landfall.games import GAME_NAMES
from landfall.games import game as find_game
from landfall.match import Match
from landfall.store.events import TakenBack
from landfall.store.row_types import LogEntry
from landfall.tables.live.hub import TableConfig
from landfall.tables.log.table import PLAY_EVENTS
from landfall.tables.protocol import commands as cmd
from landfall.tables.protocol.projections import project_events
from tests.tables.fake_users import Guest, Scene, guest_to_choose, run_scene

pytestmark = pytest.mark.once


def true_view(guest: Guest) -> View:
    """What the guest's seat should see."""
    assert guest.subscriber is not None
    match = guest.subscriber.live.table.match
    assert match is not None
    return match.view(guest.seat)


def newcomers_log(guest: Guest) -> list[GameEvent]:
    """What one who comes now to the guest's seat is told of what happened since the guest came."""
    assert guest.subscriber is not None
    match = guest.subscriber.live.table.match
    assert match is not None
    return project_events(match, guest.base, guest.seat)


@pytest.mark.parametrize("name", GAME_NAMES)
def test_a_whole_game_is_broadcast_consistently_and_its_record_replays(name: str, tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        people = await s.table("Ana", "Boris", config=TableConfig(name, 2))
        spectator = s.guest("Chen")
        assert people[0].subscriber is not None
        await spectator.come(people[0].subscriber.live.table.id)
        rng = Rng(3)
        live = people[0].subscriber.live
        while live.table.status == "playing":
            one = guest_to_choose(people)
            choice = one.choices[int(rng.randbelow(len(one.choices)))]
            assert (await one.play(choice["action"]))["t"] == "ack"
            for guest in (*people, spectator):
                assert guest.view == true_view(guest)
                assert guest.version == live.table.version
                assert guest.events == newcomers_log(guest)
        assert live.table.ended == "finished"
        match = live.table.match
        assert match is not None
        for guest in (*people, spectator):
            told = [{k: v for k, v in e.items() if k != "n"} for e in match.events(0, guest.seat)]
            assert guest.base + len(guest.events) == len(told)
            await guest.send(cmd.Events())
            assert guest.inbox[-1]["events"] == told
        again = Match.replay(match.record())
        assert again.state.digest() == match.state.digest()

    run_scene(story, tmp_path)


def test_a_choice_sent_again_is_acknowledged_again_and_not_played_twice(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        people = await s.table("Ana", "Boris")
        one = guest_to_choose(people)
        version, action = one.version, one.choices[0]["action"]
        first = await one.play(action, "mine", version)
        again = await one.play(action, "mine", version)
        assert first == again
        assert one.subscriber is not None
        assert one.subscriber.live.table.seq == first["n"]
        table = one.subscriber.live.table.id
        await one.go()
        await s.restart()
        one.hub = s.hub
        await one.come(table)
        assert await one.play(action, "mine", version) == first

    run_scene(story, tmp_path)


def test_stale_foreign_and_illegal_choices_change_nothing(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        people = await s.table("Ana", "Boris")
        one = guest_to_choose(people)
        other = next(p for p in people if p is not one)
        stranger = s.guest("Chen")
        assert one.subscriber is not None
        live = one.subscriber.live
        await stranger.come(live.table.id)
        seq, digest = live.table.seq, live.table.match and live.table.match.state.digest()
        action = one.choices[0]["action"]
        assert await one.refused(cmd.Play(version=one.version - 1, id="a", action=action)) == "stale"
        assert await other.refused(cmd.Play(version=one.version, id="b", action=action)) == "illegal"
        assert other.inbox[-1]["rule"] == "LF.2"
        assert await stranger.refused(cmd.Play(version=one.version, id="c", action=action)) == "not_seated"
        illegal = next(a for a in range(200) if a not in {c["action"] for c in one.choices})
        assert await one.refused(cmd.Play(version=one.version, id="d", action=illegal)) == "illegal"
        assert await one.refused(cmd.Play(version=one.version, id="e", action=10**9)) == "illegal"
        assert one.inbox[-1]["rule"] == "LF.1"
        assert await one.refused(cmd.Play(version=one.version, id="f", text="no such thing")) == "notation"
        assert await one.refused(cmd.Play(version=one.version, id="g")) == "one_way"
        stranger.user = None
        assert live.table.seq == seq
        assert live.table.match is not None
        assert live.table.match.state.digest() == digest

    run_scene(story, tmp_path)


def test_undo_goes_back_within_ones_turn_and_not_behind_chance_or_others(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        people = await s.table("Ana", "Boris", config=TableConfig("survive", 2, seating="as_sat"))
        assert people[0].subscriber is not None
        live = people[0].subscriber.live
        one = guest_to_choose(people)
        assert await one.refused(cmd.Undo(version=one.version, id="u0")) == "undo_nothing"
        rng = Rng(5)
        undone = refused = 0
        reasons = set()
        for step in range(160):
            if live.table.status != "playing":
                break
            one = guest_to_choose(people)
            before, view = live.table.version, dict(one.view)
            match = live.table.match
            assert match is not None
            lines = match.log_lines()
            await one.play(one.choices[int(rng.randbelow(len(one.choices)))]["action"])
            answer = await one.send(cmd.Undo(version=one.version, id=f"u{step}"))
            after = live.table.match
            assert after is not None
            if answer["t"] == "ack":
                undone += 1
                assert after.log_lines() == lines
                assert one.view == view
                assert live.table.version > before + 1, "taking back is written down, numbers are not used again"
                await one.play(one.choices[int(rng.randbelow(len(one.choices)))]["action"])
            else:
                refused += 1
                reasons.add(answer["code"])
        assert undone > 5
        assert refused > 5
        assert {"undo_turn", "undo_chance"} <= reasons

    run_scene(story, tmp_path)


def test_undo_of_a_whole_turn_stops_at_the_last_chance(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        people = await s.table("Ana", "Boris", config=TableConfig("survive", 2, seating="as_sat"))
        assert people[0].subscriber is not None
        live = people[0].subscriber.live
        rng = Rng(11)
        for _ in range(400):
            one = guest_to_choose(people)
            match = live.table.match
            assert match is not None
            length, actor = len(match.log), match.actor
            moves = 0
            while live.table.actor == actor and len(match.log) == length + moves and moves < 3:
                calm = [c for c in one.choices if c["verb"] in ("walk", "swim", "sail", "move")] or one.choices
                await one.play(calm[int(rng.randbelow(len(calm)))]["action"])
                moves += 1
                match = live.table.match
                assert match is not None
            if moves == 3 and live.table.actor == actor and len(match.log) == length + 3:
                answer = await one.send(cmd.Undo(version=one.version, id="whole", turn=True))
                assert answer["t"] == "ack"
                match = live.table.match
                assert match is not None
                assert len(match.log) <= length
                assert match.actor == actor
                last = match.log[-1].actor if match.log else None
                assert last != actor
                return
        raise AssertionError("no turn of three quiet choices came up")

    run_scene(story, tmp_path)


def test_who_begins_is_drawn_and_colours_are_kept(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        first = set()
        for _ in range(12):
            people = await s.table("Ana", "Boris", "Chen", config=TableConfig("survive", 3), start=False)
            assert (await people[2].send(cmd.Colour(chair=2, colour="blue")))["t"] == "done"
            assert await people[1].refused(cmd.Colour(chair=1, colour="blue")) == "colour_taken"
            assert await people[1].refused(cmd.Colour(chair=1, colour="pink")) == "no_colour"
            assert await people[1].refused(cmd.Colour(chair=0, colour="red")) == "not_yours"
            await people[0].send(cmd.Start())
            chairs = people[0].table["chairs"]
            first.add(chairs[0]["name"])
            assert next(c["colour"] for c in chairs if c["name"] == "Chen") == "blue"
            assert len({c["colour"] for c in chairs}) == 3
            assert {c["colour"] for c in chairs} <= set(find_game("survive").colours)
            for guest in people:
                assert guest.seat is not None
                assert chairs[guest.seat]["name"] == guest.user.name if guest.user else False
        assert first == {"Ana", "Boris", "Chen"}

    run_scene(story, tmp_path)


def test_sitting_down_has_its_rules(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        ana, boris = await s.table("Ana", "Boris", config=TableConfig("atlantis", 3), start=False)
        assert await ana.refused(cmd.Start()) == "free_chairs"
        assert await boris.refused(cmd.Sit(chair=2)) == "seated"
        assert await s_come(s, ana, "Chen", cmd.Sit(chair=1)) == "taken"
        assert await s_come(s, ana, "Chen", cmd.Sit(chair=6)) == "no_chair"
        assert await boris.refused(cmd.Bot(chair=2, code="random")) == "owner_only"
        assert await boris.refused(cmd.Start()) == "owner_only"
        assert await ana.refused(cmd.Bot(chair=2, code="nobody")) == "bot"
        assert await ana.refused(cmd.Bot(chair=2, code="/tmp/x.py:Bot")) == "bot"
        assert await ana.refused(cmd.Bot(chair=1, code="random")) == "taken"
        assert (await ana.send(cmd.Bot(chair=2, code="random")))["t"] == "done"
        assert (await boris.send(cmd.Free(chair=1)))["t"] == "done"
        assert await boris.refused(cmd.Free(chair=2)) == "not_yours"
        assert (await boris.send(cmd.Sit(chair=1)))["t"] == "done"
        await ana.send(cmd.Start())
        assert ana.table["status"] == "playing"
        assert await boris.refused(cmd.Sit(chair=1)) == "begun"

    async def s_come(s: Scene, ana: Guest, name: str, command: cmd.AnyCommand) -> str:
        guest = s.guest(name)
        assert ana.subscriber is not None
        await guest.come(ana.subscriber.live.table.id)
        code = await guest.refused(command)
        await guest.go()
        return code

    run_scene(story, tmp_path)


def test_who_sees_the_same_change_is_sent_the_same_bytes_and_who_knows_more_their_own(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        people = await s.table("Ana", "Boris", "Chen", "Dora", config=TableConfig("survive", 4, seating="as_sat"))
        for _ in range(6):
            mover = guest_to_choose(people)
            received = [len(guest.bytes) for guest in people]
            await mover.play(mover.choices[0]["action"])
            sent = [guest.bytes[n] for guest, n in zip(people, received)]
            others = [i for i, guest in enumerate(people) if guest is not mover and not guest.choices]
            assert len({sent[i] for i in others}) == 1
            assert len(set(sent)) == 3
            assert "value" in mover.events[-1]
            assert all("value" not in people[i].events[-1] for i in others)
            for guest in people:
                assert guest.view == true_view(guest)

    run_scene(story, tmp_path)


def test_a_takeback_that_is_not_written_changes_nothing(tmp_path: Path) -> None:
    """What one who is away has seen decides whether they are asked: it is copied before entries are tried."""

    async def story(s: Scene) -> None:
        people = await s.table("Ana", "Boris", config=TableConfig("atlandice", 2, seating="as_sat"))
        assert people[0].subscriber is not None
        live = people[0].subscriber.live
        for _ in range(3):
            one = guest_to_choose(people)
            await one.play(one.choices[0]["action"])
        await people[1].send(cmd.Leave())
        table = live.table
        before = [replace(chair) for chair in table.chairs]
        event = TakenBack(0, 1, consent=True)
        table.copy_for_events(isinstance(event, PLAY_EVENTS)).apply_entry(
            LogEntry(table.id, table.seq + 1, table.last_at, event)
        )
        assert before[1].saw is not None
        assert table.chairs == before

    run_scene(story, tmp_path)

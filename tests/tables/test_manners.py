"""Chat, the owner's rights, the hot seat's curtain, held answers, spectators."""

import json
from pathlib import Path

import pytest

from landfall.core.rng import Rng
from landfall.tables.live.hub import TableConfig
from landfall.tables.protocol import commands as cmd
from tests.tables.fake_users import Guest, Scene, guest_to_choose, run_scene, wait_until_true
from tests.tables.test_presence import room_of

pytestmark = pytest.mark.once


def test_chat_has_numbers_of_its_own_and_is_plain_text(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        ana, boris = await s.table("Ana", "Boris")
        seq = room_of(ana).table.seq
        await ana.send(cmd.Say(text="<b>hello</b>\u0007\n"))
        await boris.send(cmd.Say(text="Здравей 你好"))
        lines = [m for m in boris.inbox if m["t"] == "chat"]
        assert [(m["n"], m["name"], m["text"]) for m in lines] == [
            (1, "Ana", "<b>hello</b>"),
            (2, "Boris", "Здравей 你好"),
        ]
        assert room_of(ana).table.seq == seq
        assert await ana.refused(cmd.Say(text="\u0007")) == "empty"
        late = s.guest("Chen")
        await late.come(room_of(ana).table.id)
        assert [m["n"] for m in late.inbox[0]["chat"]] == [1, 2]
        stranger = s.guest("X")
        stranger.user = None
        await stranger.come(room_of(ana).table.id)
        assert await stranger.refused(cmd.Say(text="hi")) == "nameless"

    run_scene(story, tmp_path)


def test_the_owner_removes_mutes_and_closes(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        ana, boris, chen = await s.table("Ana", "Boris", "Chen")
        who = ana.table["chairs"][1]["who"]
        assert await boris.refused(cmd.Mute(who=who)) == "owner_only"
        await ana.send(cmd.Mute(who=who))
        assert await boris.refused(cmd.Say(text="hello")) == "muted"
        await ana.send(cmd.Mute(who=who, on=False))
        await boris.send(cmd.Say(text="hello"))
        assert await ana.refused(cmd.Remove(who="nobody")) == "nobody_such"
        assert await ana.refused(cmd.Remove(who=ana.table["chairs"][0]["who"])) == "not_yourself"
        hand = boris.seat
        assert hand == 1
        await ana.send(cmd.Remove(who=who))
        assert chen.table["chairs"][1]["away"] == "removed"
        assert boris.seat is None, "who was removed sees what a spectator sees"
        assert await boris.refused(cmd.Back()) == "gone"
        assert await boris.refused(cmd.Close()) == "owner_only"
        await ana.send(cmd.Close())
        assert chen.table["ended"] == "closed"
        assert [h.table for h in await s.store.tables.list_unfinished_public_tables()] == []

    run_scene(story, tmp_path)


def test_only_public_tables_are_listed_and_everybody_has_a_history(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        await s.table("Ana", "Boris", config=TableConfig("survive", 2, public=True))
        await s.table("Ana", "Boris", config=TableConfig("survive", 2))
        assert len(await s.store.tables.list_unfinished_public_tables()) == 1
        assert len(await s.store.tables.list_tables_of_user("id-Boris")) == 2
        assert len(await s.store.tables.list_tables_of_user("id-Chen")) == 0

    run_scene(story, tmp_path)


def test_a_hot_seat_shows_a_hand_only_when_the_curtain_is_lifted(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        ana = s.guest("Ana")
        assert ana.user is not None
        table = await s.hub.create_table(ana.user, TableConfig("atlantis", 2, hot_seat=True, seating="as_sat"))
        await ana.come(table)
        await ana.send(cmd.Sit(chair=1, name="Grandma"))
        await ana.send(cmd.Start())
        live = room_of(ana)
        assert ana.inbox[-1]["curtain"] is True
        assert [c["name"] for c in ana.table["chairs"]] == ["Ana", "Grandma"]
        for _ in range(12):
            actor = live.table.actor
            assert actor is not None
            if ana.seat != actor:
                assert all(seat["hand"] is None for seat in ana.view["seats"])
                assert ana.choices == []
                await ana.send(cmd.Viewpoint(seat=actor))
            assert ana.seat == actor
            assert ana.view["seats"][actor]["hand"] is not None
            assert ana.view["seats"][1 - actor]["hand"] is None
            await ana.play(ana.choices[-1]["action"])
        other = s.guest("Boris")
        await other.come(table)
        assert await other.refused(cmd.Viewpoint(seat=0)) == "not_yours"

    run_scene(story, tmp_path)


def test_a_hot_seat_that_hides_nothing_has_no_curtain(tmp_path: Path) -> None:
    """AD.V9: the viewpoint goes with the turn, in the same message as the choice, and back with an undo."""

    async def story(s: Scene) -> None:
        ana = s.guest("Ana")
        assert ana.user is not None
        table = await s.hub.create_table(ana.user, TableConfig("atlandice", 3, hot_seat=True, seating="as_sat"))
        await ana.come(table)
        for chair, name in ((1, "Grandma"), (2, "Grandpa")):
            await ana.send(cmd.Sit(chair=chair, name=name))
        await ana.send(cmd.Start())
        live = room_of(ana)
        actors = set()
        for _ in range(30):
            actor = live.table.actor
            assert actor is not None
            actors.add(actor)
            assert ana.seat == ana.view["seat"] == actor
            assert not any(news.get("curtain") for news in ana.inbox)
            assert ana.choices
            ana.inbox.clear()
            await ana.play(ana.choices[0]["action"])
            assert not any(news["t"] == "welcome" for news in ana.inbox)
        assert actors == {0, 1, 2}
        spectator = s.guest("Boris")
        await spectator.come(table)
        assert spectator.seat is None
        await ana.play(ana.choices[0]["action"])
        assert spectator.seat is None

    run_scene(story, tmp_path)


def test_an_answer_is_held_for_a_time_that_does_not_depend_on_the_hand(tmp_path: Path) -> None:
    """SV.T2, SV.D5: an answer given at once is told when the time is over, whoever gave it; others see nothing."""

    async def story(s: Scene) -> None:
        people = await s.table("Ana", "Boris", config=TableConfig("survive", 2, seating="as_sat"))
        live = room_of(people[0])
        rng = Rng(2)
        held = 0
        while live.table.status == "playing" and held < 4:
            one = guest_to_choose(people)
            other = next(p for p in people if p is not one)
            assert live.table.match is not None
            choice = one.choices[int(rng.randbelow(len(one.choices)))]["action"]
            if not live.table.match.state.needs_answer_delay():
                assert (await one.play(choice))["t"] == "ack"
                continue
            held += 1
            before, version, asked = len(other.bytes), live.table.version, s.time.wall_time_ms()
            await s.time.go_on(100 * held)
            answer = await one.play(choice, f"h{held}")
            assert answer["t"] == "held"
            assert (await one.play(choice, f"h{held}"))["t"] == "held"
            assert await one.refused(cmd.Play(version=version, id="another", action=choice)) == "held"
            await s.time.go_on(asked + 1490 - s.time.wall_time_ms())
            assert len(other.bytes) == before
            assert live.table.version == version
            await s.time.go_on(20)
            await wait_until_true(lambda: live.table.version > version)  # noqa: B023
            await wait_until_true(lambda: any(m["t"] == "ack" and m["id"] == f"h{held}" for m in one.inbox))  # noqa: B023
        assert held == 4

    run_scene(story, tmp_path, hold=1500)


def test_who_comes_back_while_their_answer_is_held_hears_what_became_of_it(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        people = await s.table("Ana", "Boris", config=TableConfig("survive", 2, seating="as_sat"))
        live = room_of(people[0])
        assert live.table.match is not None
        rng = Rng(2)
        while not live.table.match.state.needs_answer_delay():
            one = guest_to_choose(people)
            await one.play(one.choices[int(rng.randbelow(len(one.choices)))]["action"])
        one = guest_to_choose(people)
        choice = one.choices[0]["action"]
        assert (await one.play(choice, "sent twice"))["t"] == "held"
        await one.go()
        again = s.guest("")
        again.user = one.user
        await again.come(live.table.id)
        assert (await again.play(choice, "sent twice"))["t"] == "held"
        await s.time.go_on(1600)
        await wait_until_true(lambda: any(m["t"] == "ack" and m["id"] == "sent twice" for m in again.inbox))

    run_scene(story, tmp_path, hold=1500)


def test_spectators_see_no_secret_until_the_end_and_then_any_seat(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        people = await s.table("Ana", "Boris", config=TableConfig("atlantis", 2, seating="as_sat"))
        subscriber = s.guest("Chen")
        await subscriber.come(room_of(people[0]).table.id)
        rng = Rng(4)
        while room_of(subscriber).table.status == "playing":
            assert all(seat["hand"] is None for seat in subscriber.view["seats"])
            one = guest_to_choose(people)
            await one.play(one.choices[int(rng.randbelow(len(one.choices)))]["action"])
        assert all(seat["hand"] is not None for seat in subscriber.view["seats"])
        await subscriber.send(cmd.Viewpoint(seat=1))
        assert subscriber.seat == 1
        assert subscriber.view["seat"] == 1

    run_scene(story, tmp_path)


def test_a_reconnecting_client_gets_what_it_missed(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        people = await s.table("Ana", "Boris", config=TableConfig("survive", 2, seating="as_sat"))
        stayed, table = s.guest("Chen"), room_of(people[0]).table.id
        await stayed.come(table)
        away = s.guest("Dora")
        await away.come(table)
        rng = Rng(6)
        for step in range(120):
            one = guest_to_choose(people)
            await one.play(one.choices[int(rng.randbelow(len(one.choices)))]["action"])
            if rng.randbelow(5) == 0:
                await one.send(cmd.Undo(version=one.version, id=f"u{step}"))
            if step % 7 == 0 and away.subscriber is not None:
                await away.go()
            elif step % 7 == 4:
                await away.come(table, since=away.n)
                same(away, stayed)
        await away.come(table, since=away.n)
        same(away, stayed)

    def same(a: Guest, b: Guest) -> None:
        assert json.dumps(a.view, sort_keys=True) == json.dumps(b.view, sort_keys=True)
        assert (a.n, a.version, a.base, a.events) == (b.n, b.version, b.base, b.events)

    run_scene(story, tmp_path)


@pytest.mark.parametrize("what", ["takeback", "abandon"])
def test_whoever_the_owner_removed_still_has_their_say(what: str, tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        ana, boris, chen = await s.table("Ana", "Boris", "Chen")
        for _ in range(4):
            one = guest_to_choose([ana, boris, chen])
            await one.play(one.choices[0]["action"])
        who = ana.table["chairs"][1]["who"]
        await ana.send(cmd.Remove(who=who))
        await s.time.go_on(60_000)
        before = room_of(ana).table.version
        await ana.send(cmd.Propose(what=what))
        await chen.send(cmd.Answer(yes=True))
        assert room_of(ana).table.status == "playing", "removed, Boris is needed as before"
        assert room_of(ana).table.version == before
        assert ana.table["proposal"]["waiting"] == [who]
        await s.restart()
        again = s.guest("Boris")
        await again.come(ana.table["id"])
        await again.send(cmd.Answer(yes=True))
        assert room_of(again).table.proposal is None
        assert (room_of(again).table.version > before) == (what == "takeback")
        assert room_of(again).table.ended == ("abandoned" if what == "abandon" else None)

    run_scene(story, tmp_path)


def test_a_removal_does_not_win_a_vote_that_is_open(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        ana, boris = await s.table("Ana", "Boris")
        await ana.send(cmd.Propose(what="abandon"))
        await ana.send(cmd.Remove(who=ana.table["chairs"][1]["who"]))
        assert ana.table["status"] == "playing"
        assert ana.table["proposal"]["waiting"] == [ana.table["chairs"][1]["who"]]
        await boris.send(cmd.Answer(yes=False))
        assert ana.table.get("proposal") is None
        await ana.send(cmd.Propose(what="pause"))
        assert ana.table["rests"] is True, "a rest changes nothing: those who play agree"

    run_scene(story, tmp_path)


def test_who_had_left_before_being_removed_is_not_waited_for(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        ana, boris, chen = await s.table("Ana", "Boris", "Chen")
        await boris.send(cmd.Leave())
        await ana.send(cmd.Remove(who=ana.table["chairs"][1]["who"]))
        await ana.send(cmd.Propose(what="abandon"))
        await chen.send(cmd.Answer(yes=True))
        assert ana.table["ended"] == "abandoned"

    run_scene(story, tmp_path)

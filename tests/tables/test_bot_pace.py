"""How long things take at a table: bots' pauses, skipping them, questions that answer themselves, and the set-up."""

import asyncio
import random
from collections.abc import Callable
from pathlib import Path

import pytest

import landfall
from landfall.core.rng import Rng
from landfall.match import Match
from landfall.store.store import make_store_for_setting
from landfall.tables.live.hub import Hub, TableConfig
from landfall.tables.live.live_table import LiveTable
from landfall.tables.log.clocks import ClockRule
from landfall.tables.protocol import commands as cmd
from landfall.tables.runtime_dependencies import Runtime
from tests.postgres_cluster import run_temporary_cluster
from tests.tables.fake_users import Guest, Scene, guest_to_choose, run_scene, wait_until_true
from tests.tables.test_presence import room_of

pytestmark = pytest.mark.once
PACE, HOLD = 700, 1200


async def alone(s: Scene, game: str, players: int = 3, level: str = "random") -> Guest:
    """Somebody at a table against bots that think at once."""
    ana = s.guest("Ana")
    assert ana.user is not None
    table = await s.hub.create_table(ana.user, TableConfig(game, players, seating="as_sat"))
    await ana.come(table)
    for chair in range(1, players):
        await ana.send(cmd.Bot(chair=chair, code=level))
    await ana.send(cmd.Start())
    return ana


async def opened(s: Scene, match: Match, seat: int, *others: str) -> list[Guest]:
    """People at a table that goes on from a match: Ana on this seat, bots where nobody else sits."""
    ana = s.guest("Ana")
    assert ana.user is not None
    table = await s.hub.create_table_from_record(ana.user, match.record())
    people = [ana, *(s.guest(name) for name in others)]
    seats = [seat, *(n for n in range(match.players) if n != seat)]
    for guest, chair in zip(people, seats):
        await guest.come(table)
        await guest.send(cmd.Sit(chair=chair))
    for chair in seats[len(people) :]:
        await ana.send(cmd.Bot(chair=chair, code="random"))
    await ana.send(cmd.Start())
    return people


async def moments(s: Scene, live: LiveTable, ms: int, step: int = 10) -> list[int]:
    """When the position changes while so much time passes."""
    found, version, begun = [], live.table.version, s.time.wall_time_ms()
    while s.time.wall_time_ms() < begun + ms:
        await s.time.go_on(step)
        if live.table.version != version:
            version = live.table.version
            found.append(s.time.wall_time_ms() - begun)
    return found


def found(game: str, players: int, pleases: Callable[[Match], bool], seeds: range = range(60)) -> Match:
    """A match played at random up to where it pleases."""
    for seed in seeds:
        match, rng = landfall.Match(game, players=players, seed=seed), random.Random(seed)
        while match.actor >= 0:
            if pleases(match):
                return match
            match.play(rng.choice(match.legal_actions()))
    raise AssertionError("no such position")


# --- bots ---------------------------------------------------------------------------------------------------------


def test_a_bot_takes_a_breath_before_its_turn_and_less_within_it(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        match = found("atlandice", 3, lambda m: m.actor == 0 and len(m.log) > 40)
        (ana,) = await opened(s, match, 0)
        live = room_of(ana)
        while live.table.actor == 0:
            await ana.play(ana.choices[0]["action"])
        waits, actors = [], []
        while live.table.actor != 0:
            actors.append((live.table.actor, next(e.actor for e in reversed(table_log(live)) if e.actor >= 0)))
            version, since = live.table.version, s.time.wall_time_ms()
            while live.table.version == version:
                await s.time.go_on(10)
            waits.append(s.time.wall_time_ms() - since)
        assert {wait for wait, (now, last) in zip(waits, actors) if now != last} == {PACE}
        assert {wait for wait, (now, last) in zip(waits, actors) if now == last} == {PACE // 5}

    run_scene(story, tmp_path, pace=PACE, hold=HOLD)


def table_log(live: LiveTable) -> list[landfall.match.LogEntry]:
    assert live.table.match is not None
    return live.table.match.log


def test_who_is_alone_with_bots_skips_to_their_own_turn_but_for_what_is_held(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        ana = await alone(s, "atlandice", 4)
        live = room_of(ana)
        while live.table.actor == 0:
            await ana.play(ana.choices[0]["action"])
        begun = s.time.wall_time_ms()
        assert live.table.actor != 0
        assert (await ana.send(cmd.Skip()))["what"] == "skip"
        await s.time.go_on(0)
        assert (live.table.actor, s.time.wall_time_ms()) == (0, begun), "no time passed"
        while live.table.actor == 0:
            await ana.play(ana.choices[0]["action"])
        assert await moments(s, live, PACE - 20) == [], "it was for once"

    run_scene(story, tmp_path, pace=PACE, hold=HOLD)


def test_a_skip_holds_what_must_be_held(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        match = found("survive", 3, lambda m: m.actor == 1 and m.state.needs_answer_delay())
        (ana,) = await opened(s, match, 0)
        live = room_of(ana)
        await ana.send(cmd.Skip())
        assert (await moments(s, live, HOLD + 10))[:1] == [HOLD]

    run_scene(story, tmp_path, pace=PACE, hold=HOLD)


def test_nobody_skips_what_another_person_may_want_to_see(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        ana, boris = await s.table("Ana", "Boris")
        assert await ana.refused(cmd.Skip()) == "not_alone"
        chen = s.guest("Chen")
        await chen.come(room_of(boris).table.id)
        assert await chen.refused(cmd.Skip()) == "not_seated"

    run_scene(story, tmp_path)


@pytest.mark.parametrize("seconds", [-60, 3600])
def test_a_wall_clock_that_is_set_makes_no_bot_wait_longer_or_shorter(tmp_path: Path, seconds: int) -> None:
    async def story(s: Scene) -> None:
        ana = await alone(s, "atlandice")
        live = room_of(ana)
        while live.table.actor == 0:
            await ana.play(ana.choices[0]["action"])
        await s.time.go_on(PACE // 2)
        s.time.set_by = 1000 * seconds
        first, second = (await moments(s, live, 2 * PACE))[:2]
        assert first == PACE - PACE // 2, "the one that was to play already"
        assert second - first in (PACE // 5, PACE), "and the next one"

    run_scene(story, tmp_path, pace=PACE)


@pytest.mark.parametrize("seconds", [-60, 3600])
def test_a_wall_clock_that_is_set_gives_and_takes_nobody_time(tmp_path: Path, seconds: int) -> None:
    async def story(s: Scene) -> None:
        ana = s.guest("Ana")
        assert ana.user is not None
        config = TableConfig("atlandice", 2, seating="as_sat", clock=ClockRule("live", turn=30, bank=60))
        await ana.come(await s.hub.create_table(ana.user, config))
        await ana.send(cmd.Bot(chair=1, code="random"))
        await ana.send(cmd.Start())
        live = room_of(ana)
        while live.table.actor != 0:
            await s.time.go_on(PACE)
        asked = s.time.monotonic_ms() - (live.next_event_timestamp_ms() - live.table.choice_since)
        s.time.set_by = 1000 * seconds
        await s.time.go_on(asked + 90_000 - s.time.monotonic_ms() - 10)
        assert live.table.chairs[0].away_reason is None
        await s.time.go_on(20)
        assert live.table.chairs[0].away_reason == "time"

    run_scene(story, tmp_path, pace=PACE)


# --- questions with one possible answer ---------------------------------------------------------------------------


def forced(match: Match) -> bool:
    return len(match.legal_actions()) == 1


def test_what_all_can_see_to_have_one_answer_answers_itself_after_a_moment(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        match = found("atlandice", 2, lambda m: m.actor == 0 and forced(m))
        (ana,) = await opened(s, match, 0)
        events = len(ana.events) + ana.base
        live = room_of(ana)
        assert [c["verb"] for c in ana.choices] in (["take"], ["pick"], ["die"])
        assert (await moments(s, live, s.env.forced_choice_ms + 50))[0] == s.env.forced_choice_ms
        assert len(ana.events) + ana.base > events, "and it is told"

    run_scene(story, tmp_path, pace=PACE, hold=HOLD)


def test_a_lone_pass_takes_a_persons_time_whoever_may_read_it(tmp_path: Path) -> None:
    """SV.T2, SV.D5: whoever could do more takes a person's time to pass, so a lone pass must take it, too."""
    asked = found("survive", 3, lambda m: m.state.needs_answer_delay() and forced(m))

    async def alone_with_bots(s: Scene) -> None:
        (ana,) = await opened(s, asked, asked.actor)
        assert await moments(s, room_of(ana), 20_000, 500) == [], "somebody may look on through another process"
        assert (await ana.play(ana.choices[0]["action"]))["t"] == "ack"

    async def watched(s: Scene) -> None:
        ana, boris = await opened(s, asked, asked.actor, "Boris")
        received = len(boris.bytes)
        assert await moments(s, room_of(ana), 20_000, 500) == []
        await ana.go()
        await s.time.go_on(5_000)
        await ana.come(room_of(boris).table.id)
        assert await moments(s, room_of(ana), 5_000, 500) == [], "nor when one comes back"
        assert not any(m["t"] == "update" for m in boris.inbox[received:])

    for number, story in enumerate((alone_with_bots, watched)):
        folder = tmp_path / f"{number}"
        folder.mkdir()
        run_scene(story, folder, pace=10**6, hold=HOLD)


def test_a_spectator_of_another_process_sees_no_lone_pass_answer_itself() -> None:
    """SV.T2, SV.D5: two processes on one database; in real time, since both hear of each other over it."""
    asked = found("survive", 3, lambda m: m.state.needs_answer_delay() and forced(m))

    async def story(database: str) -> None:
        stores = [make_store_for_setting(database) for _ in range(2)]
        hubs = [
            Hub(store, runtime=Runtime(bot_pace_ms=10**6, answer_hold_ms=100, forced_choice_ms=50)) for store in stores
        ]
        for store, hub in zip(stores, hubs):
            await store.database.open_and_migrate()
            await hub.start_background_tasks()
        ana, chen = Guest(hubs[0], "Ana"), Guest(hubs[1], "Chen")
        chen.user = None
        assert ana.user is not None
        table = await hubs[0].create_table_from_record(ana.user, asked.record(), seat=asked.actor, bots="random")
        await chen.come(table)
        await ana.come(table)
        received = len(chen.inbox)
        await asyncio.sleep(1)
        assert not any(m["t"] == "update" for m in chen.inbox[received:])
        assert (await ana.play(ana.choices[0]["action"]))["t"] == "ack"
        await wait_until_true(lambda: any(m["t"] == "update" for m in chen.inbox[received:]))
        for store, hub in zip(stores, hubs):
            await hub.shut_down()
            await store.database.close()

    with run_temporary_cluster() as database:
        asyncio.run(story(database))


def test_a_pass_is_sent_when_any_answer_would_be(tmp_path: Path) -> None:
    """SV.T2, SV.D5, two worlds: one seat can only pass, in the other world it can do more; both pass at once."""
    asked = found("survive", 3, lambda m: m.state.needs_answer_delay() and forced(m))
    richer = found("survive", 3, lambda m: m.state.needs_answer_delay() and len(m.legal_actions()) > 1)
    told: list[list[int]] = []

    async def story(s: Scene, match: Match) -> None:
        ana, _ = await opened(s, match, match.actor, "Boris")
        passing = next(c["action"] for c in ana.choices if c["verb"] == "pass")
        assert (await ana.play(passing))["t"] == "held"
        told.append((await moments(s, room_of(ana), HOLD + 100))[:1])
        assert not any(m["t"] == "refused" for m in ana.inbox)

    for match in (asked, richer):
        folder = tmp_path / f"{len(told)}"
        folder.mkdir()
        run_scene(lambda s, m=match: story(s, m), folder, pace=PACE, hold=HOLD)  # type: ignore[misc]
    assert told == [[HOLD]] * 2


def test_a_held_answer_costs_no_time_whenever_it_was_given(tmp_path: Path) -> None:
    """Others see everybody's clock: it must not tell whether a seat answered or could only pass."""
    left: list[dict[str, object]] = []

    async def story(s: Scene, after: int, lone: bool) -> None:
        ana = s.guest("Ana")
        boris = s.guest("Boris")
        assert ana.user is not None
        config = TableConfig("survive", 2, seating="as_sat", clock=ClockRule("live", turn=30, bank=60))
        table = await s.hub.create_table(ana.user, config)
        for chair, guest in enumerate((ana, boris)):
            await guest.come(table)
            if chair:
                await guest.send(cmd.Sit(chair=chair))
        await ana.send(cmd.Start())
        live, rng = room_of(ana), Rng(5)
        people = (ana, boris)
        while not (state := match_of(live).state).needs_answer_delay() or (len(state.legal_actions()) == 1) != lone:
            one = guest_to_choose(list(people))
            if state.needs_answer_delay():
                await one.play(one.choices[0]["action"])
                await s.time.go_on(HOLD + 10)
            else:
                await one.play(one.choices[int(rng.randbelow(len(one.choices)))]["action"])
        one = guest_to_choose(list(people))
        other = next(p for p in people if p is not one)
        await s.time.go_on(after)
        await one.play(next(c["action"] for c in one.choices if c["verb"] == "pass"))
        version = live.table.version
        while live.table.version == version:
            await s.time.go_on(10)
        update = next(m for m in reversed(other.inbox) if m["t"] == "update")
        left.append({"left": update["clock"]["left"], "banks": update["clock"]["banks"]})

    for after, lone in ((0, True), (0, False), (300, False), (1100, False)):
        folder = tmp_path / f"{len(left)}"
        folder.mkdir()
        run_scene(lambda s, a=after, b=lone: story(s, a, b), folder, hold=HOLD)  # type: ignore[misc]
    assert left == [{"left": 30_000, "banks": [60_000, 60_000]}] * 4


def match_of(live: LiveTable) -> Match:
    assert live.table.match is not None
    return live.table.match


def test_nothing_answers_itself_for_one_who_is_not_there(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        match = found("atlandice", 3, lambda m: m.actor == 0 and forced(m))
        ana, boris = await opened(s, match, match.actor, "Boris")
        live = room_of(boris)
        await ana.go()
        assert await moments(s, live, 20_000, 500) == []
        await ana.come(live.table.id)
        assert len(await moments(s, live, 20)) == 1, "the time is over already"

    run_scene(story, tmp_path, pace=10**6, hold=HOLD)


def test_taking_back_goes_behind_what_answered_itself(tmp_path: Path) -> None:
    """A choice, and a piece that had to be taken after it: one step back is back before the choice."""

    async def story(s: Scene) -> None:
        def leads_to_one(m: Match) -> bool:
            if m.actor != 0 or forced(m):
                return False
            after = m.fork()
            after.apply_and_log(after.legal_actions()[0])
            if after.actor != 0 or not forced(after):
                return False
            after.apply_and_log(after.legal_actions()[0])
            return after.actor == 0

        match = found("atlandice", 2, leads_to_one)
        (ana,) = await opened(s, match, 0)
        lines = len(table_log(room_of(ana)))
        await ana.play(ana.choices[0]["action"])
        await s.time.go_on(s.env.forced_choice_ms)
        assert len(table_log(room_of(ana))) == lines + 2
        assert (await ana.send(cmd.Undo(version=ana.version, id="u")))["t"] == "ack"
        assert len(table_log(room_of(ana))) == lines

    run_scene(story, tmp_path, pace=PACE, hold=HOLD)


# --- the set-up ---------------------------------------------------------------------------------------------------


def test_the_rest_is_placed_for_who_asks_and_for_nobody_else(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        people = await s.table("Ana", "Boris", "Chen", config=TableConfig("survive", 3, seating="as_sat"))
        ana, *others = people
        live = room_of(ana)
        assert (await ana.send(cmd.Arrange()))["what"] == "arrange"
        assert ana.table["chairs"][0]["arranging"] is True
        assert "arranging" not in ana.table["chairs"][1]
        while live.table.is_setting_up:
            await s.time.go_on(PACE)
            assert live.table.actor != 0 or not live.table.is_setting_up
            if live.table.is_setting_up:
                one = guest_to_choose(others)
                await one.play(one.choices[0]["action"])
        assert live.table.actor == 0
        assert await moments(s, live, 10_000, 500) == [], "play itself is theirs"
        assert await ana.refused(cmd.Arrange()) == "set_up"

    run_scene(story, tmp_path, pace=PACE, hold=HOLD)


def test_placing_for_one_can_be_stopped(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        ana, boris = await s.table("Ana", "Boris", config=TableConfig("survive", 2, seating="as_sat"))
        await ana.send(cmd.Arrange())
        await s.time.go_on(PACE)
        assert room_of(ana).table.actor == 1
        await ana.send(cmd.Arrange(on=False))
        await boris.play(boris.choices[0]["action"])
        assert await moments(s, room_of(ana), 10_000, 500) == []
        assert guest_to_choose([ana, boris]) is ana

    run_scene(story, tmp_path, pace=PACE, hold=HOLD)


def test_a_table_of_bots_and_one_who_has_the_rest_placed_is_set_up_in_no_time(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        ana = await alone(s, "survive", 4)
        begun = s.time.wall_time_ms()
        await ana.send(cmd.Arrange())
        await s.time.go_on(0)
        assert not room_of(ana).table.is_setting_up
        assert s.time.wall_time_ms() == begun

    run_scene(story, tmp_path, pace=PACE, hold=HOLD)


def test_the_set_up_goes_on_where_it_was_after_a_restart(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        ana, _ = await s.table("Ana", "Boris", config=TableConfig("survive", 2, seating="as_sat"))
        table = room_of(ana).table.id
        await ana.send(cmd.Arrange())
        await s.restart()
        again = s.guest("Ana")
        await again.come(table)
        await s.time.go_on(PACE)
        assert room_of(again).table.actor == 1

    run_scene(story, tmp_path, pace=PACE, hold=HOLD)


def test_a_placement_is_taken_back_until_the_next_person_acts(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        match = landfall.Match("survive", players=3, seed=1)
        ana, boris = await opened(s, match, 0, "Boris")  # a bot on the third seat
        live = room_of(ana)
        await ana.play(ana.choices[3]["action"])
        assert live.table.actor == 1
        assert (await ana.send(cmd.Undo(version=ana.version, id="u1")))["t"] == "ack"
        assert live.table.actor == 0
        await ana.play(ana.choices[5]["action"])
        await boris.play(boris.choices[0]["action"])
        assert await ana.refused(cmd.Undo(version=ana.version, id="u2")) == "undo_others"
        version = boris.version
        await s.time.go_on(PACE)  # the bot places, and it is Ana's turn
        assert await ana.refused(cmd.Undo(version=ana.version, id="u4")) == "undo_others"
        assert live.table.actor == 0
        assert (await boris.send(cmd.Undo(version=version, id="u3")))["t"] == "ack", "bots place theirs anew"
        assert live.table.actor == 1

    run_scene(story, tmp_path, pace=PACE, hold=HOLD)


def test_a_placement_at_a_hot_seat_is_taken_back_though_another_seat_is_to_place(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        ana = s.guest("Ana")
        assert ana.user is not None
        config = TableConfig("survive", 3, hot_seat=True, seating="as_sat")
        await ana.come(await s.hub.create_table(ana.user, config))
        await ana.send(cmd.Sit(chair=1, name="Grandma"))
        await ana.send(cmd.Bot(chair=2, code="random"))
        await ana.send(cmd.Start())
        live = room_of(ana)
        assert live.table.match is not None
        await ana.send(cmd.Viewpoint(seat=0))
        before = live.table.match.state.digest()
        assert await ana.refused(cmd.Undo(version=ana.version, id="u0")) == "undo_nothing"
        await ana.play(ana.choices[3]["action"])
        assert live.table.actor == 1
        assert (await ana.send(cmd.Undo(version=ana.version, id="u1")))["t"] == "ack"
        assert live.table.match.state.digest() == before
        await ana.send(cmd.Viewpoint(seat=0))
        await ana.play(ana.choices[3]["action"])
        await ana.send(cmd.Viewpoint(seat=1))
        await ana.play(ana.choices[0]["action"])
        await s.time.go_on(PACE)  # the bot places, and it is the first seat's turn again
        assert live.table.actor == 0
        assert (await ana.send(cmd.Undo(version=ana.version, id="u2")))["t"] == "ack", "bots place theirs anew"
        assert live.table.actor == 1, "only the last placement"
        assert (await ana.send(cmd.Undo(version=ana.version, id="u3")))["t"] == "ack"
        assert live.table.match.state.digest() == before

    run_scene(story, tmp_path, pace=PACE, hold=HOLD)


def test_nobody_takes_back_what_a_person_placed_nor_for_a_stand_in(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        ana, boris, chen = await s.table("Ana", "Boris", "Chen", config=TableConfig("survive", 3, seating="as_sat"))
        for one in (ana, boris):
            await one.play(one.choices[0]["action"])
        await boris.send(cmd.Leave())
        assert await ana.refused(cmd.Undo(version=ana.version, id="a")) == "undo_others"
        assert await boris.refused(cmd.Undo(version=boris.version, id="b")) == "stand_in"
        assert guest_to_choose([ana, boris, chen]) is chen

    run_scene(story, tmp_path, pace=10**6)


def test_taking_back_ends_that_the_rest_is_placed(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        ana, boris = await s.table("Ana", "Boris", config=TableConfig("survive", 2, seating="as_sat"))
        await ana.play(ana.choices[0]["action"])
        await ana.send(cmd.Arrange())
        lines = len(table_log(room_of(ana)))
        assert (await ana.send(cmd.Undo(version=ana.version, id="a")))["t"] == "ack"
        assert await moments(s, room_of(ana), 5_000, 500) == []
        assert len(table_log(room_of(ana))) == lines - 1
        assert guest_to_choose([ana, boris]) is ana
        assert (await ana.send(cmd.Arrange(on=False)))["what"] == "arrange", "what is so already writes nothing"

    run_scene(story, tmp_path, pace=PACE)


def test_among_bots_each_turn_has_its_own_time(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        ana = s.guest("Ana")
        assert ana.user is not None
        config = TableConfig("atlandice", 3, seating="as_sat", clock=ClockRule("live", turn=30, bank=60))
        await ana.come(await s.hub.create_table(ana.user, config))
        for chair in (1, 2):
            await ana.send(cmd.Bot(chair=chair, code="random"))
        await ana.send(cmd.Start())
        live, seen = room_of(ana), 0
        for _ in range(4):
            while live.table.actor != 0:
                await s.time.go_on(PACE)
            seen += live.table.clocks.turn_left == 30_000
            await s.time.go_on(10_000)
            while live.table.actor == 0:
                await ana.play(ana.choices[0]["action"])
        assert seen >= 3, "a turn's own time is there again"
        assert live.table.clocks.banks[0] == 60_000

    run_scene(story, tmp_path, pace=PACE)

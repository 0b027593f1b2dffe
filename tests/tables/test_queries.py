"""What can be asked of a table beside choices: hints, how fast bots play, records played on from the middle."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from landfall.core.rng import Rng
from landfall.core.state import list_choices_one_by_one
from landfall.games import BUILT_IN_GAMES, GAME_NAMES
from landfall.match import Match
from landfall.store.events import Played
from landfall.store.row_types import LogEntry, TableSummary
from landfall.tables.bots.allowed_bots import HINT_BOT, require_allowed_bot_code
from landfall.tables.live.hub import TableConfig
from landfall.tables.log.clocks import ClockRule
from landfall.tables.protocol import commands as cmd
from landfall.tables.protocol.errors import Refused
from landfall.tables.protocol.projections import project_choices, ungroup_choices
from tests.tables.fake_users import Scene, guest_to_choose, run_scene, wait_until_true


@pytest.mark.parametrize("game", GAME_NAMES)
def test_a_hint_is_one_of_ones_own_choices(game: str, tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        people = await s.table("Ana", "Boris", config=TableConfig(game, 2))
        actor = guest_to_choose(people)
        other = people[1 - people.index(actor)]
        await actor.send(cmd.Hint(version=actor.version))
        await wait_until_true(lambda: actor.inbox[-1]["t"] == "hint")
        hint = actor.inbox[-1]
        choice = next(c for c in actor.choices if c["action"] == hint["action"])
        assert (hint["text"], hint["version"], hint["bot"]) == (choice["text"], actor.version, HINT_BOT)
        offered = {c["action"]: c["text"] for c in actor.choices}
        assert all(offered[idea["action"]] == idea["text"] for idea in hint["others"])
        assert hint["action"] not in [idea["action"] for idea in hint["others"]]
        assert hint["others"] or game not in BUILT_IN_GAMES
        assert await other.refused(cmd.Hint(version=other.version)) == "illegal"
        assert await actor.refused(cmd.Hint(version=actor.version - 1)) == "stale"
        assert not any(m["t"] == "hint" for m in other.inbox)

    run_scene(story, tmp_path)


@pytest.mark.parametrize("game", GAME_NAMES)
@pytest.mark.parametrize("wrong", [-1, 10**6])
def test_a_bots_mistake_is_no_hint(game: str, wrong: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def mistaken(*_: object) -> int:
        return wrong

    async def story(s: Scene) -> None:
        actor = guest_to_choose(await s.table("Ana", "Boris", config=TableConfig(game, 2)))
        monkeypatch.setattr(s.hub.bot_pool, "choose_action", mistaken)
        await actor.send(cmd.Hint(version=actor.version))
        await wait_until_true(lambda: actor.inbox[-1]["t"] == "refused")
        assert actor.inbox[-1]["code"] == "busy"
        assert not any(m["t"] == "hint" for m in actor.inbox)

    run_scene(story, tmp_path)


def test_a_record_is_played_on_from_any_of_its_lines(tmp_path: Path) -> None:
    match, rng = Match("atlantis", 3, seed=1), Rng(2)
    while match.actor >= 0:
        match.play(int(match.state.random_action(rng)))

    async def story(s: Scene) -> None:
        ana = s.guest("Ana")
        assert ana.user is not None
        table = await s.hub.create_table_from_record(ana.user, match.record(), 120, 1, "random")
        await ana.come(table)
        assert (ana.table["status"], ana.seat) == ("playing", 1)
        assert [chair.get("bot") for chair in ana.table["chairs"]] == ["random", None, "random"]
        live = await s.hub.get_or_load_table(table)
        assert live.table.match is not None
        assert [e.text for e in live.table.match.log[:120]] == [e.text for e in match.log[:120]]
        for _ in range(200):
            await s.time.go_on(5)
            if ana.choices:
                break
        assert ana.choices
        with pytest.raises(Refused, match="seat 3"):
            await s.hub.create_table_from_record(ana.user, match.record(), 120, 3, "random")
        whole = await s.hub.create_table_from_record(ana.user, match.record(), None, 0)
        await ana.come(whole)
        assert (ana.table["status"], ana.table["ended"]) == ("over", "finished")

    run_scene(story, tmp_path)


@pytest.mark.parametrize("code", ["mine.py:Bot", "greedy:ms=10000", "greedy:cores=8", "x" * 30, "nobody", ""])
def test_a_guest_names_no_file_and_no_more_work_than_is_given(code: str) -> None:
    with pytest.raises(Refused):
        require_allowed_bot_code(code)


def test_a_table_rests_when_all_agree_until_one_who_plays_resumes(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        clock = ClockRule("live", 10, 0)
        people = await s.table("Ana", "Boris", config=TableConfig("atlandice", 2, clock=clock, seating="as_sat"))
        ana, boris = people
        await ana.send(cmd.Propose(what="pause"))
        assert not boris.table.get("rests")
        await boris.send(cmd.Answer(yes=True))
        assert ana.table["rests"]
        assert ana.table["paused"]
        await s.time.go_on(3_600_000)
        assert not any(chair.get("away") for chair in ana.table["chairs"])
        actor = guest_to_choose(people)
        answer = await actor.play(actor.choices[0]["action"])
        assert (answer["t"], answer["code"]) == ("refused", "paused")
        await boris.go()
        await boris.come(ana.table["id"])
        assert boris.table["rests"]
        stranger = s.guest("Chen")
        await stranger.come(ana.table["id"])
        assert await stranger.refused(cmd.Resume()) == "not_seated"
        await boris.send(cmd.Resume())
        assert not ana.table.get("paused")
        assert await boris.refused(cmd.Resume()) == "not_paused"
        assert (await actor.play(actor.choices[0]["action"]))["t"] == "ack"

    run_scene(story, tmp_path)


@pytest.mark.parametrize("game", GAME_NAMES)
def test_choices_are_sent_compactly_and_completely(game: str) -> None:
    match, rng = Match(game, 4, seed=9), Rng(9)
    while match.actor >= 0:
        all_words = list_choices_one_by_one(match.state, match.actor)
        whole = [{k: v for k, v in words.items() if k not in ("loses", "hits") or v} for words in all_words]
        told = {words["action"]: words for words in ungroup_choices(project_choices(match, match.actor))}
        assert told == {words["action"]: words for words in whole}
        assert project_choices(match, (match.actor + 1) % 4) == project_choices(match, None) == []
        match.play(int(match.state.random_action(rng)))


def test_who_was_beaten_by_another_process_lets_the_bots_play_on(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        ana = s.guest("Ana")
        assert ana.user is not None
        table = await s.hub.create_table_with_bots(ana.user, TableConfig("atlandice", 2, seating="as_sat"), ["random"])
        await ana.come(table)
        live, append = await s.hub.get_or_load_table(table), s.store.tables.append_entries

        async def beaten(entries: list[LogEntry], summary: TableSummary | None = None) -> bool:
            """Another process writes the same choice first."""
            s.store.tables.append_entries = append  # type: ignore[method-assign]
            (entry,) = entries
            assert isinstance(entry.event, Played)
            assert await append([replace(entry, event=replace(entry.event, id="0.other"))], summary)
            return False

        while True:  # a choice after which the bot is to choose
            action = ana.choices[0]["action"]
            assert live.table.match is not None
            after = live.table.match.fork()
            after.play(action)
            if after.actor == 1:
                break
            await ana.play(action)
        s.store.tables.append_entries = beaten  # type: ignore[method-assign]
        assert (await ana.play(action))["code"] == "stale"
        await wait_until_true(lambda: any(e.actor == 1 for e in live.table.match.log))  # type: ignore[union-attr]

    run_scene(story, tmp_path)

"""A table that begins from a position's line: played, taken back, opened again, and telling nobody what is secret."""

from __future__ import annotations

from pathlib import Path

import pytest

from landfall import guides
from landfall.core.errors import RecordError, UnknownGame
from landfall.match import Match
from landfall.tables.jobs.replay import build_replay
from landfall.tables.live.record_export import export_partial_record, export_record
from landfall.tables.live.subscriber import User
from landfall.tables.protocol import commands as cmd
from landfall.tables.protocol.errors import Refused
from tests.tables.fake_users import Scene, run_scene

pytestmark = pytest.mark.once


def test_a_guided_table_begins_where_its_guide_wants(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        ana = s.guest("Ana")
        assert ana.user is not None
        table = await s.hub.create_guided_table(ana.user, "survive", "first", "sprat")
        await ana.come(table)
        assert ana.subscriber is not None
        live = ana.subscriber.live
        guide = guides.find_guide("survive", "first")
        assert guide is not None
        match = live.table.match
        assert match is not None
        assert match.state.to_text() == guide["position"]
        before = match.state.to_bytes()
        await ana.play(match.legal_actions()[0])
        await ana.send(cmd.Undo(live.table.version, "u1", False))
        assert live.table.match is not None
        assert live.table.match.state.to_bytes() == before
        hidden = await export_record(s.hub, table, ana.user.id)
        assert "=?" in hidden  # the values of others, in the line it began from
        old = export_partial_record(live.table, await s.store.tables.read_log_entries(table), None, Refused("rules"))
        assert "=?" in old  # also where the rules have changed since
        assert str(guide["position"]) not in old
        with pytest.raises(RecordError):
            Match.replay(hidden)
        await s.restart()
        again = await s.hub.get_or_load_table(table)
        assert again.table.match is not None
        assert again.table.match.state.to_bytes() == before
        told = build_replay(Match.replay(again.table.match.record()), 0)
        assert told["view"]["actor"] == 0

    run_scene(story, tmp_path)


def test_a_rematch_of_a_guided_game_is_a_plain_one(tmp_path: Path) -> None:
    """Who has learnt the game plays it from its beginning, against the same bots."""

    async def story(s: Scene) -> None:
        ana = s.guest("Ana")
        assert ana.user is not None
        await ana.come(await s.hub.create_guided_table(ana.user, "atlandice", "first", "sprat"))
        await ana.send(cmd.Propose(what="abandon"))
        assert ana.table["status"] == "over"
        new = (await s.hub.get_or_load_table((await ana.send(cmd.Rematch()))["table"])).table
        assert new.terms.position is None
        assert new.match is not None
        assert new.match.position is None
        assert [chair.bot for chair in new.chairs].count("sprat") == 2

    run_scene(story, tmp_path)


def test_there_is_no_other_guide(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        ana = User("ana", "Ana")
        with pytest.raises(Refused):
            await s.hub.create_guided_table(ana, "survive", "nowhere", "sprat")
        with pytest.raises(UnknownGame):
            await s.hub.create_guided_table(ana, "chess", "first", "sprat")

    run_scene(story, tmp_path)


def test_a_record_says_how_many_play_in_its_position() -> None:
    match = Match("atlandice", 3, seed=1)
    other = match.record().replace("---\n", f"position: {Match('atlandice', 2, seed=1).state.to_text()}\n---\n", 1)
    with pytest.raises(RecordError):
        Match.replay(other)


def test_a_record_says_which_options_its_position_has() -> None:
    match = Match("survive", 2, seed=1)
    line = Match("survive", 2, seed=1, dolphins=True).state.to_text()
    with pytest.raises(RecordError, match="options"):
        Match.replay(match.record().replace("---\n", f"position: {line}\n---\n", 1))
    own = Match("atlandice", 2, seed=1, clock={"hands": {"inn": [9, 9, 9]}}).state.to_text()
    other = Match("atlandice", 2, seed=1).record().replace("---\n", f"position: {own}\n---\n", 1)
    with pytest.raises(RecordError, match="options"):
        Match.replay(other)


def test_the_error_of_a_long_position_is_short() -> None:
    with pytest.raises(RecordError) as told:
        Match.replay(Match("survive", 2, seed=1).record().replace("---\n", f"position: {'x' * 9000}\n---\n", 1))
    assert len(str(told.value)) < 1000

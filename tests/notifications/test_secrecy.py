"""Two worlds: what differs only in secrets is told in the same bytes."""

from __future__ import annotations

from pathlib import Path

import pytest

from landfall.core.rng import Rng
from landfall.games import BUILT_IN_GAMES
from landfall.games import game as find_game
from landfall.store.row_types import Notice
from landfall.tables.log.table import Table
from landfall.tables.notifications.message_text import compose_messages_joining_turns
from landfall.tables.notifications.table_notices import TURN, make_notices_for_change
from landfall.web.push import make_push_payload
from tests.notifications.test_outbox import days_table, play_one
from tests.tables.fake_users import Scene, guest_to_choose, run_scene
from tests.tables.test_presence import room_of

pytestmark = pytest.mark.once


def other_world(table: Table, seat: int, rng: Rng) -> Table:
    """The same table, with everything sampled again that a seat cannot know."""
    found = table.copy_for_events()
    assert table.match is not None
    found.match = table.match.fork()
    found.match.state = table.match.state.resample(seat, rng)
    return found


def payloads(notices: list[Notice], table: Table) -> bytes:
    """All that would be sent, in every language."""
    summaries = {table.id: table.build_summary()}
    now = table.last_at
    messages = [
        m for language in ("en", "zh") for m in compose_messages_joining_turns(language, notices, summaries, {}, now)
    ]
    return b"".join(make_push_payload(message, [table.id]) for message in messages)


@pytest.mark.parametrize("name", BUILT_IN_GAMES)
def test_notifications_of_two_worlds_are_the_same_bytes(name: str, tmp_path: Path) -> None:
    compared: set[str] = set()

    async def story(s: Scene) -> None:
        people = await days_table(s, "Ana", "Boris", game=name)
        rng = Rng(7)
        differ = 0
        for _ in range(24):
            before = room_of(people[0]).table
            await play_one(guest_to_choose(people))
            after = room_of(people[0]).table
            for seat in (0, 1):
                others = other_world(before, seat, rng), other_world(after, seat, rng)
                assert after.match is not None
                assert others[1].match is not None
                differ += after.match.state.to_bytes() != others[1].match.state.to_bytes()
                told = make_notices_for_change(before, after, (), 0)
                assert told == make_notices_for_change(*others, (), 0)
                assert payloads(told or [], after) == payloads(told or [], others[1])
                compared.update(notice.kind for notice in told or [])
        assert differ or not find_game(name).hides, "the worlds differ in secrets"

    run_scene(story, tmp_path)
    assert compared == {TURN}

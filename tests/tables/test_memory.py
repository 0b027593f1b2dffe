"""Two worlds for the client: what it keeps after any evening is what a newcomer to its seat has just been told."""

import json
from pathlib import Path

import pytest

from landfall.games import GAME_NAMES
from tests.tables.fake_users import Scene, run_scene
from tests.tables.recorded_session import NEWCOMERS, play_evening
from tests.vitest import check_recorded

pytestmark = pytest.mark.once
EVENINGS = [
    (game, hot, ending) for game in GAME_NAMES for hot, ending in ((False, False), (True, False), (False, True))
]


@pytest.mark.proof
def test_the_client_keeps_what_a_newcomer_receives_and_nothing_else(tmp_path: Path) -> None:
    """The real client's memory in vitest, against what real tables said a moment ago, to one page and to others."""
    told = tmp_path / "told.json"

    async def story(s: Scene) -> None:
        evenings = {f"{g} hot={h} ending={e}": await play_evening(s, g, h, e) for g, h, e in EVENINGS}
        told.write_text(json.dumps(evenings))

    run_scene(story, tmp_path)
    evenings = json.loads(told.read_text())
    received = [step["receive"] for step in evenings["survive hot=False ending=False"] if "receive" in step]
    assert any(told["t"] == "update" and told.get("again") for told in received), "nothing had to be forgotten"
    assert sum("fresh" in step for steps in evenings.values() for step in steps) == len(EVENINGS) * (NEWCOMERS + 1)
    check_recorded("freshPageEquivalence", told)

"""Others' turns at a pace one can follow, and what is told of them afterwards, in a real browser."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.client.atlandice import City
from tests.client.atlantis import Table
from tests.client.conftest import Sit
from tests.client.player import Player
from tests.client.records import answered, rest_in_proof
from tests.client.survive import Decisions

pytestmark = pytest.mark.once
RECAP, PLAYBACK, PICTURES = "[data-testid=recap]", "[data-testid=playback]", "[data-testid=recap] .picture:not(.more)"
STEPS: dict[str, Callable[[Player], Callable[[], None]]] = {
    "survive": lambda player: Decisions(player).step,
    "atlantis": lambda player: Table(player).step,
    "atlandice": lambda player: City(player).step,
}


def seated(ana: Player, game: str) -> Callable[[], None]:
    """Ana at the beginning of her turn in the middle of a match of three; how she takes a step."""
    ana.opened(answered(game, 3), 0)
    ana.wait()
    return STEPS[game](ana)


def until_others_play(ana: Player, step: Callable[[], None]) -> None:
    """Take one's turn, until another's actions are shown."""
    playback = ana.page.locator(PLAYBACK)
    for _ in range(80):
        if playback.count():
            return
        if ana.asked():
            step()
        else:
            ana.page.wait_for_timeout(100)
    raise AssertionError("nobody else ever played")


@pytest.mark.parametrize("game", rest_in_proof(["survive", "atlantis", "atlandice"], "atlantis"))
def test_what_others_did_is_shown_skipped_and_told(sit: Sit, game: str) -> None:
    ana = sit(speed="slow", recap=True, recapTables=[]).be()
    page, step = ana.page, seated(ana, game)
    until_others_play(ana, step)
    doing = page.locator("[data-testid=doing]")
    expect(page.locator(".dots .now")).to_have_count(1)
    said = doing.inner_text()
    assert said.strip()
    page.keyboard.press("Space")  # it stands still
    page.wait_for_timeout(2500)
    still = doing.inner_text()
    page.wait_for_timeout(2500)
    assert doing.inner_text() == still
    page.keyboard.press("s")
    ana.wait()
    expect(page.locator(PLAYBACK)).to_have_count(0)
    recap, pictures = page.locator(RECAP), page.locator(PICTURES)
    expect(recap).to_be_visible()
    assert pictures.count() > 0
    # A picture tells its own sentence and its place is ringed; all can be shown again, and skipped again.
    first = pictures.first
    first.click()
    expect(recap.get_by_role("status")).to_have_text(first.get_attribute("title") or "-")
    ana.wait()
    page.locator("[data-control=again]").click()
    page.wait_for_selector(PLAYBACK)
    page.keyboard.press("s")
    ana.wait()
    expect(recap).to_be_visible()
    # The first choice puts it away, a button brings it back.
    step()
    expect(recap).to_have_count(0)


def test_it_opens_by_itself_at_three_tables_and_then_stays_as_it_was_left(sit: Sit) -> None:
    ana = sit(recap=True, recapTables=[]).be()
    page = ana.page
    for table in range(5):
        seated(ana, "atlantis")
        expect(page.locator(RECAP)).to_have_count(0 if table == 3 else 1)
        kept = json.loads(page.evaluate("localStorage['landfall.settings']"))
        assert len(kept["recapTables"]) == min(table + 1, 3)
        if table in (0, 2):  # closed by hand: at the first tables it opens again
            page.locator("[data-control=fold]").click()
            expect(page.locator(RECAP)).to_have_count(0)
        elif table == 3:
            page.locator("[data-control=recap]").click()
            expect(page.locator(RECAP)).to_have_count(1)

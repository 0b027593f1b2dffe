"""Play by keys alone: the focus is never lost, every question can be answered, and what happens is read aloud."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.client.conftest import Sit
from tests.client.key_player import WATCH, Keys
from tests.client.match_records import WHOLE

GAMES = ["survive", "atlantis", "atlandice"]


@pytest.mark.parametrize("share", [0.9, WHOLE])
@pytest.mark.parametrize("game", GAMES)
def test_a_match_is_played_by_keys_alone_and_the_focus_is_never_lost(sit: Sit, game: str, share: float) -> None:
    ana = sit(confirm=False, askBridge=True).set_name_by_request()
    ana.begin(game, 2, share)
    keys = Keys(ana)
    keys.begin()
    over = ana.play(keys.step, 1500)
    assert over
    assert keys.unanswered == []
    assert keys.lost() == []
    assert keys.heard() != []


@pytest.mark.parametrize(("path", "heading"), [("/puzzles", "Puzzles"), ("/lobby", "Lobby")])
def test_a_page_is_entered_at_its_heading_and_the_first_stop_skips_to_it(sit: Sit, path: str, heading: str) -> None:
    ana = sit().set_name_by_request()
    page = ana.go("/").page
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to the content")
    expect(skip).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    page.evaluate(WATCH)
    page.locator(f"nav a[href='{path}']").first.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=heading, level=1)).to_be_focused()
    page.go_back()
    expect(page.get_by_role("heading", name="Atlantis is sinking", level=1)).to_be_focused()
    assert page.evaluate("() => window.focusLost") == []


@pytest.mark.parametrize("game", GAMES)
def test_the_question_is_read_last_and_again_by_a_key(sit: Sit, game: str) -> None:
    ana = sit().set_name_by_request()
    ana.open_quick_table(game, 2)
    ana.wait()
    region = ana.page.get_by_test_id("live-region").locator("p").last
    expect(region).not_to_be_empty()
    question = region.inner_text()
    ana.page.keyboard.press("p")
    expect(region).not_to_have_text(question)
    position = region.inner_text()
    ana.page.keyboard.press("l")
    expect(region).not_to_have_text(position)
    ana.page.keyboard.press("r")
    expect(region).to_contain_text(question.split(". ")[0])

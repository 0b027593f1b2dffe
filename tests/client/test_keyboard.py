"""Play by keys alone: the focus is never lost, every question can be answered, and what happens is read aloud."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.client.conftest import Sit
from tests.client.key_player import Keys
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

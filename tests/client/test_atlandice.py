"""Atlandice in the browser: whole matches by clicks, touch and keys, every decision, scoring, replay, all languages."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from landfall.core.languages import LANGUAGES
from tests.client.atlandice_player import GIVE, GO, SIGN, City, record_before_emptying_choice
from tests.client.conftest import Sit
from tests.client.match_records import WHOLE_OR_ENDING, random_match_record, record_before_choice
from tests.client.page_player import Player

pytestmark = pytest.mark.once
DECISIONS = [
    ("die", 3),
    ("die_neutral", 2),
    ("take", 3),
    ("take_neutral", 2),
    ("pick", 3),
    ("swap", 4),
    ("move", 3),
    ("change", 3),
    ("die_to", 4),
    ("submarine", 3),
    ("give", 4),
    ("pass", 3),
]
LEFT_OVER = re.compile(r"\b(atlandice|act|ask|event|term|label|effect|icon|shell)\.[a-z_]+")


def ended(player: Player) -> None:
    """The end is reckoned: a winner, and a sum for everybody."""
    end = player.page.get_by_test_id("end")
    expect(end).to_be_visible()
    expect(end.locator(".place").first).to_have_text("1")
    assert all(one.inner_text().strip().isdigit() for one in end.locator(".total").all())


def state(player: Player) -> str:
    """What changes with every choice: what is asked of whom, and how much has happened."""
    page = player.page
    told = page.locator("[data-testid=log] li").count()
    return f"{page.locator('.banner').inner_text()} {told} {page.locator('.ask').all_inner_texts()}"


def test_from_the_home_page_to_turns_of_ones_own(sit: Sit) -> None:
    ana = sit().play_now_from_home("Atlandice")
    done = City(ana).play(12)
    assert done["go"] >= 1
    assert not ana.over()


@pytest.mark.proof
def test_from_the_home_page_to_the_score(sit: Sit) -> None:
    ana = sit().play_now_from_home("Atlandice")
    done = City(ana).play()
    ended(ana)
    assert done["go"] >= 4
    assert done["chip"] + done["piece"] >= 4


@pytest.mark.parametrize("players", [pytest.param(2, marks=pytest.mark.proof), 4])
@WHOLE_OR_ENDING
def test_a_match(sit: Sit, players: int, after: float) -> None:
    ana = sit().set_name_by_request()
    ana.begin("atlandice", players, after)
    City(ana).play()
    ended(ana)
    expect(ana.page.get_by_test_id("end").get_by_text("Neutral")).to_have_count(1 if players == 2 else 0)


@WHOLE_OR_ENDING
def test_a_match_by_touch(sit: Sit, after: float) -> None:
    ana = sit(phone=True).set_name_by_request()
    ana.begin("atlandice", 3, after)
    City(ana).play(5)
    ana.page.reload()  # a connection that is lost comes back to the same position
    City(ana).play()
    ended(ana)


@WHOLE_OR_ENDING
def test_a_match_by_keyboard(sit: Sit, after: float) -> None:
    ana = sit().set_name_by_request()
    ana.begin("atlandice", 3, after)
    city = City(ana)
    for _ in range(400):
        ana.wait()
        if ana.over():
            break
        city.key()
    ended(ana)
    assert city.done["digit"]
    assert city.done["arrows"]
    assert city.done["enter"]


@pytest.mark.parametrize(("verb", "players"), DECISIONS)
def test_every_kind_of_decision(sit: Sit, verb: str, players: int) -> None:
    record, seat = record_before_choice("atlandice", players, verb)
    ana = sit().set_name_by_request()
    ana.opened(record, seat)
    ana.wait()
    was = state(ana)
    if verb in ("die", "die_neutral"):
        ana.press(SIGN)
        name = re.compile("neutral") if verb == "die_neutral" else re.compile("^Go to")
        ana.page.get_by_role("button", name=name).last.click()
    elif verb in ("give", "pass"):
        ana.press(GIVE if verb == "give" else GO)
    elif verb in ("move", "die_to", "submarine", "change"):
        ana.press(SIGN)
    else:
        ana.page.locator(".piece[data-choice]").first.click()
    ana.until(lambda: state(ana) != was)


# The count is there for a moment only: whatever it shows is noted, however slowly one looks.
WATCH_COUNTING = """() => {
  window.counted = []
  new MutationObserver(() => {
    for (const card of document.querySelectorAll('[data-testid=scoring]'))
      window.counted.push({
        lines: card.querySelectorAll('li').length,
        got: card.querySelectorAll('.got').length > 0,
        text: card.textContent,
      })
  }).observe(document.body, { childList: true, subtree: true, characterData: true })
}"""


def test_an_emptied_region_is_counted_before_everybody(sit: Sit) -> None:
    record, seat, action = record_before_emptying_choice(3)
    ana = sit(speed="fast").set_name_by_request()
    seen: list[dict[str, Any]] = []
    for _ in range(8):  # bots that do not wait may say so much at once that nothing of it is shown: then again
        ana.opened(record, seat)
        ana.wait()
        ana.page.evaluate(WATCH_COUNTING)
        ana.page.locator(f".chip[data-choice='{action}']").click()
        expect(ana.page.get_by_test_id("log")).to_contain_text("has no pieces left")
        ana.wait()
        seen = ana.page.evaluate("window.counted")
        if any("is revealed" in one["text"] for one in seen):
            break
    assert any("is revealed" in one["text"] for one in seen)
    assert any(one["lines"] == 3 and one["got"] for one in seen)
    assert any("held are returned" in one["text"] for one in seen)


def test_with_nothing_moving_the_count_can_still_be_read(sit: Sit) -> None:
    record, seat, action = record_before_emptying_choice(2)
    ana = sit(phone=True).set_name_by_request()
    ana.opened(record, seat)
    ana.wait()
    ana.page.locator(f".chip[data-choice='{action}']").tap()
    ana.wait()
    ana.page.locator(".grab").tap()  # the sheet is low while one chooses
    expect(ana.page.get_by_role("tab", name="Resources")).to_be_visible()
    ana.page.get_by_role("tab", name="Log").tap()
    expect(ana.page.get_by_test_id("log")).to_contain_text("has no pieces left")


def test_a_sector_without_dice_says_why_not(sit: Sit) -> None:
    record, seat = record_before_choice("atlandice", 4, lambda choice: choice["verb"] == "take")
    ana = sit().set_name_by_request()
    ana.opened(record, seat)
    ana.wait()
    ana.page.locator("button[data-space]:not([data-choice])").first.click()
    expect(ana.page.get_by_text("Why not?")).to_be_visible()
    expect(ana.page.get_by_role("link", name=re.compile("AD\\.V1"))).to_be_visible()


def test_the_clock_says_where_each_gate_leads_and_whose_it_is(sit: Sit) -> None:
    ana = sit().set_name_by_request()
    ana.open_quick_table("atlandice", 3)
    ana.wait()
    gates = ana.page.locator(SIGN).count()
    expect(ana.page.locator("[data-lead]")).to_have_count(gates)
    ana.press(SIGN)
    expect(ana.page.get_by_test_id("district")).to_contain_text("the hand goes to")
    expect(ana.page.get_by_text("Clock and hands: ours")).to_be_visible()


def test_a_table_with_its_own_clock(sit: Sit) -> None:
    ana = sit().set_name_by_request()
    clock = {"last": 30, "icons": {"4": "donation", "29": "stock"}}
    ana.open_quick_table("atlandice", 2, clock=clock)
    ana.wait()
    expect(ana.page.locator("[data-hour]")).to_have_count(31)
    expect(ana.page.get_by_text("clock 0 of 30")).to_be_visible()


@pytest.mark.parametrize("language", LANGUAGES)
def test_some_of_a_match_in_every_language(sit: Sit, language: str) -> None:
    ana = sit(language=language).set_name_by_request()
    ana.open_quick_table("atlandice", 2)
    City(ana).play(4)
    ana.wait()
    assert LEFT_OVER.findall(ana.page.locator("body").inner_text()) == []


def test_a_match_is_watched_again(sit: Sit) -> None:
    ana = sit().set_name_by_request()
    answer = ana.page.request.post(f"{ana.url}/api/tables/open", data={"record": random_match_record("atlandice", 2)})
    ana.go(f"/replay/{answer.json()['table']}")
    expect(ana.page.locator("button[data-space]")).to_have_count(6)
    was = state(ana)
    for _ in range(30):
        ana.page.keyboard.press("ArrowRight")
    ana.until(lambda: state(ana) != was)

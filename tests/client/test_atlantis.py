"""Atlantis in the browser: whole matches by clicks, touch and keys, every kind of decision, replay, all languages."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from landfall.core.languages import LANGUAGES
from tests.client.atlantis_player import BRIDGE, BUY, MAIN, SPACE, Table
from tests.client.conftest import Sit
from tests.client.match_records import WHOLE_OR_ENDING, random_match_record, record_before_choice
from tests.client.page_player import Player

pytestmark = pytest.mark.once


def ended(player: Player) -> None:
    """The end is reckoned: every player has a place and a score."""
    expect(player.page.get_by_test_id("end")).to_be_visible()
    expect(player.page.get_by_test_id("end").locator(".place").first).to_have_text("1")


def test_from_the_home_page_to_turns_of_ones_own(sit: Sit) -> None:
    table = Table(sit().play_now_from_home("Atlantis"))
    while table.done["move"] < 3:
        assert not table.player.play(table.step, 1), f"over already: {table.done}"
    table.player.wait()
    assert table.player.asked()


@pytest.mark.proof
def test_from_the_home_page_to_the_score(sit: Sit) -> None:
    table = Table(sit().play_now_from_home("Atlantis"))
    done = table.play()
    ended(table.player)
    assert done["move"] > 5
    assert done["pay"]


@pytest.mark.parametrize("players", [pytest.param(2, marks=pytest.mark.proof), 4])
@WHOLE_OR_ENDING
def test_a_match(sit: Sit, players: int, after: float) -> None:
    ana = sit().set_name_by_request()
    ana.begin("atlantis", players, after)
    done = Table(ana).play()
    ended(ana)
    if after:  # whether a card is left to choose depends on what the bots did
        assert done["move"] + done["card"] + done["place"]
    else:
        assert done["card"]
        assert done["place"]


@WHOLE_OR_ENDING
def test_a_match_by_touch(sit: Sit, after: float) -> None:
    ana = sit(phone=True).set_name_by_request()
    ana.begin("atlantis", 2, after)
    Table(ana).play(12)
    ana.page.reload()  # a connection that is lost comes back to the same position
    Table(ana).play()
    ended(ana)


@WHOLE_OR_ENDING
def test_a_match_by_keyboard(sit: Sit, after: float) -> None:
    ana = sit().set_name_by_request()
    ana.begin("atlantis", 2, after)
    page = ana.page
    for _ in range(300):
        ana.wait()
        if ana.over():
            break
        if page.locator(".hand.pay").count() or not page.locator(".hit.mine").count():
            page.keyboard.press("e")  # pay as suggested, or show the hand
            page.wait_for_timeout(20)
            continue
        if not page.locator(".hit[aria-selected=true]").count():
            page.locator(".hit[tabindex='0']").focus()
            page.keyboard.press("Home")
            for _ in range(3):  # on Atlantis itself, or upwards to the next figure that can move
                page.keyboard.press("Enter")
                if page.locator(".hit[aria-selected=true]").count():
                    break
                page.keyboard.press("ArrowUp")
        for digit in "1234567" * 3:
            if page.locator(f"{MAIN}:not([disabled])").count():
                break
            page.keyboard.press(digit)
        page.keyboard.press("e")
        page.wait_for_timeout(20)
    ended(ana)


def test_the_way_is_drawn_before_it_is_gone(sit: Sit) -> None:
    record, seat = record_before_choice(
        "atlantis", 3, lambda choice: choice["verb"] == "move_pay" and choice["bill"] >= 4
    )
    ana = sit().set_name_by_request()
    ana.opened(record, seat)
    ana.wait()
    chosen: dict[str, Any] = {}
    for figure in "ABC":
        piece = ana.page.locator(f"[data-piece={figure}].mine").first
        if not piece.count():
            continue
        piece.click()
        for card in ana.page.locator(".mc:not(.off)").all():
            if "pays" in card.inner_text():
                card.click()
                chosen = {"text": card.inner_text()}
                break
        if chosen:
            break
        ana.page.keyboard.press("Escape")
    assert chosen
    expect(ana.page.locator(".arc").first).to_be_attached()
    expect(ana.page.get_by_text("This route costs")).to_be_visible()
    expect(ana.page.get_by_text("Cheapest for you")).to_be_visible()
    ana.page.locator(MAIN).click()
    expect(ana.page.locator(".hand.pay")).to_be_visible()
    expect(ana.page.locator(f"{MAIN}:not([disabled])")).to_contain_text("Pay")
    ana.page.locator(MAIN).click()
    expect(ana.page.locator(".hand.pay")).to_have_count(0)


def test_a_figure_is_dragged(sit: Sit) -> None:
    ana = sit().set_name_by_request()
    record, seat = record_before_choice("atlantis", 2, "move")
    ana.opened(record, seat)  # nobody has moved yet: every lit place is free
    ana.wait()
    ana.page.locator("[data-piece=A].mine").first.click()
    target = ana.page.locator(SPACE).last
    place = target.get_attribute("data-space")
    to = target.bounding_box()
    ana.page.keyboard.press("Escape")
    start = ana.page.locator("[data-piece=A].mine").first.bounding_box()
    assert start
    assert to
    ana.page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    ana.page.mouse.down()
    ana.page.mouse.move(to["x"] + 20, to["y"] + 10, steps=4)
    ana.page.mouse.move(to["x"] + to["width"] / 2, to["y"] + to["height"] / 2, steps=4)
    ana.page.mouse.up()
    expect(ana.page.locator(f"[data-space='{place}'][data-piece=A]")).to_be_attached()


def test_a_place_that_cannot_be_reached_says_why(sit: Sit) -> None:
    ana = sit().set_name_by_request()
    ana.open_quick_table("atlantis", 2)
    ana.wait()
    ana.page.locator("[data-piece=B].mine").first.click()
    ana.page.locator("[data-space]:not([data-choice]):not([data-piece])").nth(30).click()
    expect(ana.page.get_by_role("link", name="AT.")).to_be_visible()


@pytest.mark.parametrize("verb", ["buy", "bridge", "no_bridge", "show", "hop", "pay_tile", "pay_card"])
def test_every_kind_of_decision(sit: Sit, verb: str) -> None:
    record, seat = record_before_choice("atlantis", 3, verb)
    ana = sit(askBridge=verb.endswith("bridge")).set_name_by_request()
    kept = ana.opened(record, seat)
    ana.wait()
    page = ana.page
    match verb:
        case "buy":
            page.locator(BUY).first.click()
        case "bridge":
            if not page.locator("rect.lit").count():
                page.locator(BRIDGE).click()
            page.locator(SPACE).first.click()
        case "no_bridge":
            lines = len(ana.log(kept))
            page.get_by_role("button", name="Keep the bridge").click()
            ana.until(lambda: len(ana.log(kept)) > lines)
            return
        case "hop":
            table = Table(ana)
            for tries in range(300):  # what is chosen is chance's: from the same place again where it led elsewhere
                if tries % 20 == 19 or ana.over():
                    ana.opened(record, seat)
                ana.wait()
                if not ana.over():
                    table.step()
                if table.done["hop"]:
                    break
            assert table.done["hop"]
            return
        case _:
            pass
    before_ = page.locator("[data-testid=log]").first.inner_text()
    page.locator(MAIN).click()
    expect(page.locator("[data-testid=log]").first).not_to_have_text(before_)


@pytest.mark.parametrize("language", LANGUAGES)
def test_in_every_language(sit: Sit, language: str) -> None:
    ana = sit(language=language).set_name_by_request()
    ana.open_quick_table("atlantis", 4)
    table = Table(ana)
    table.play(4)
    text = ana.page.locator("body").inner_text()
    assert "atlantis." not in text.replace("AT.", "")
    assert "{" not in text


def test_a_replay_shows_hands_as_one_may(sit: Sit) -> None:
    ana = sit().set_name_by_request()
    table = ana.opened(random_match_record("atlantis", 2), 0)
    ana.page.wait_for_selector("[data-testid=end]")
    ended(ana)
    ana.go(f"/replay/{table}")
    expect(ana.page.locator("[data-space='1']")).to_be_attached()
    expect(ana.page.get_by_role("heading", name="Hands")).to_be_visible()

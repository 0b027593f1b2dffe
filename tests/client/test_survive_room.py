"""Survive's own decisions, each asked in its own way; the end, a hint."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

import landfall
from landfall.core.state import list_choices_one_by_one
from tests.client.conftest import Sit
from tests.client.match_records import offers_choice, random_match_record, random_match_until, record_before_choice

pytestmark = pytest.mark.once
BOARD = ".board"
# Remembers whether something was there, however short.
NOTICE = """selector => new MutationObserver(() => {
  if (document.querySelector(selector)) window.noticed = true
}).observe(document.body, { childList: true, subtree: true })"""
SEA = {"dolphins": True, "squid": "with_whales"}
# verb, players, options, where the page asks it
DECISIONS: list[tuple[str, int, dict[str, Any], str]] = [
    ("pick_boarding", 6, {"crowded": True}, ".whom"),
    ("fetch", 6, {"crowded": True}, ".whom"),
    ("pick_prey", 4, SEA, ".whom"),
    ("pick_ward", 4, SEA, ".whom"),
    ("guard", 4, SEA, BOARD),
    ("put_squid", 4, SEA, BOARD),
    ("drift", 4, SEA, BOARD),
    ("swim_with_dolphin", 4, SEA, BOARD),
    ("defend", 4, {}, ".card.ask"),
    ("wind", 4, {}, BOARD),
    ("send", 4, {}, BOARD),
    ("swim_by_dolphin", 4, {}, BOARD),
    ("dive", 3, {}, BOARD),
    ("board", 3, {}, BOARD),
    ("land", 3, {}, BOARD),
]


def choose(page: Page, where: str, choice: dict[str, Any]) -> None:
    """By its card, or on the board: the piece, then the place; where that could mean several things, which."""
    action = choice["action"]
    if where == BOARD:
        if "piece" in choice:
            touch(page, choice["piece"])
            named(page, f"[data-piece='{choice['piece']}']")
        if choice["verb"] == "guard":
            touch(page, choice["ward"])
        elif choice.get("from") == choice["to"]:
            page.locator(f".token[data-choice='{action}']").click(force=True)
        else:
            page.locator(f".cells [data-space='{choice['to']}']").click(force=True)
        named(page, f"[data-choice='{action}']")
    else:
        page.locator(f"{where} [data-choice='{action}']").first.click()
    if page.locator(".ask[role=alert]").count():
        page.locator(".ask[role=alert] .btn.primary").click()


def touch(page: Page, piece: str) -> None:
    """A figure, a little above where it stands."""
    box = page.locator(f".piece[data-piece='{piece}']").last.bounding_box()
    assert box is not None
    page.mouse.click(box["x"], box["y"] - 9)


def named(page: Page, item: str) -> None:
    """Where a menu asks what was meant, its line."""
    if page.locator("[role=menu]").count():
        page.locator(f"[role=menu] {item}").click()


@pytest.mark.parametrize(("verb", "players", "options", "where"), DECISIONS, ids=[row[0] for row in DECISIONS])
def test_every_decision_can_be_made(sit: Sit, verb: str, players: int, options: dict[str, Any], where: str) -> None:
    match = random_match_until("survive", players, offers_choice(verb), **options)
    choice = next(one for one in list_choices_one_by_one(match.state, match.actor) if one["verb"] == verb)
    player = sit().set_name_by_request()
    table = player.opened(match.record(), match.actor)
    player.wait()
    lines = len(player.log(table))
    choose(player.page, where, choice)
    player.until(lambda: any(str(choice["text"]) in line for line in player.log(table)[lines:]))


def unarmed(match: landfall.Match) -> bool:
    return match.view(match.actor)["phase"] == "defending" and len(match.legal_actions()) == 1


def test_a_defence_without_the_tile_says_why(sit: Sit) -> None:
    match = random_match_until("survive", 4, unarmed)
    player = sit().set_name_by_request()
    table = player.opened(match.record(), match.actor)
    player.wait()
    lines = len(player.log(table))
    card = player.page.locator(".card.ask")
    expect(card.locator(".btn.primary")).to_be_disabled()
    expect(card).to_contain_text("SV.D5")
    card.locator(".btn.quiet").click()
    player.until(lambda: len(player.log(table)) > lines)


def test_on_an_upright_tablet_all_that_is_asked_is_in_sight(sit: Sit) -> None:
    record, seat = record_before_choice("survive", 4, "defend")
    ana = sit(phone=True).set_name_by_request()
    ana.page.set_viewport_size({"width": 768, "height": 1024})
    ana.opened(record, seat)
    ana.wait()
    choices = ana.page.locator(".card.ask [data-choice]")
    expect(choices).to_have_count(2)
    for one in choices.all():
        expect(one).to_be_in_viewport(ratio=1)


def test_a_fallen_explorer_may_take_a_step(sit: Sit) -> None:
    """Crowded!: a point for who stood on the tile; it may be declined."""
    match = random_match_until("survive", 5, lambda match: match.view(match.actor)["phase"] == "mini", crowded=True)
    player = sit().set_name_by_request()
    table = player.opened(match.record(), match.actor)
    player.wait()
    lines = len(player.log(table))
    expect(player.page.locator("[data-area=hand] .tip")).to_have_count(1)
    player.page.locator(".acts [data-choice]").first.click()
    player.until(lambda: len(player.log(table)) > lines)  # quick bots may be done, and the next tip be there


def test_the_back_of_a_sunk_tile_is_shown(sit: Sit) -> None:
    match = random_match_until("survive", 4, offers_choice("sink"))
    choice = next(one for one in list_choices_one_by_one(match.state, match.actor) if one["verb"] == "sink")
    player = sit(speed="fast").set_name_by_request()
    player.opened(match.record(), match.actor)
    player.wait()
    player.page.evaluate(NOTICE, "[data-testid=reveal]")
    choose(player.page, BOARD, choice)
    player.until(lambda: player.page.evaluate("window.noticed"))


def test_two_colours_are_placed_from_one_tray(sit: Sit) -> None:
    player = sit().set_name_by_request()
    player.open_quick_table("survive", 2, two_colours=True)
    player.wait()
    slots = player.page.locator(".tray button")
    expect(slots).to_have_count(12)
    slots.nth(7).click()
    expect(slots.nth(7)).to_have_attribute("aria-pressed", "true")


def test_the_end_turns_the_values_over(sit: Sit) -> None:
    """One coin after the other, or all at once; then the ranking and what decided it."""
    player = sit(speed="slow").set_name_by_request()
    record = random_match_record("survive", 4, seed=5)
    answer = player.page.request.post(f"{player.url}/api/tables/open", data={"record": record})
    player.go(f"/t/{answer.json()['table']}")
    end = player.page.get_by_test_id("end")
    expect(end.get_by_role("heading")).to_have_text("The volcano wakes")
    expect(end.locator("li")).to_have_count(4)
    player.page.evaluate("document.querySelector('[data-testid=end] .all')?.click()")
    expect(end.locator(".coin.q")).to_have_count(0)
    assert "" not in end.locator(".place").all_inner_texts()


def test_a_hint_is_shown_and_can_be_followed(sit: Sit) -> None:
    player = sit().set_name_by_request()
    player.open_quick_table("survive", 2)
    player.wait()
    player.page.keyboard.press("h")
    expect(player.page.locator(".card.hint")).to_contain_text("Place")
    expect(player.page.locator(".tray [aria-pressed=true]")).to_have_count(1)

"""Survive in every window: what may be chosen is marked, seen and near enough; nothing moves or plays by itself."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import landfall
from landfall.core.state import list_choices_one_by_one
from tests.client.conftest import Sit
from tests.client.match_records import (
    offers_choice,
    parametrize_mostly_in_proof,
    random_match_record,
    random_match_until,
    record_before_choice,
)
from tests.client.page_player import Player
from tests.client.test_survive import version_of

pytestmark = pytest.mark.once
FULL: dict[str, Any] = {"dolphins": True, "squid": "with_whales", "crowded": True}
SMALL = [(844, 390), (390, 844), (360, 640), (720, 450)]

# The places of marks that nothing lies over, by what the mark is.
SEEN = """(marks) => {
  const shown = [...document.querySelectorAll(marks)].filter((mark) => {
    const shape = mark.querySelector('path, use') ?? mark
    for (const one of [mark, shape]) one.style.pointerEvents = 'auto'
    const box = shape.getBoundingClientRect()
    const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 3)
    return box.width >= 10 && top !== null && mark.contains(top)
  })
  return shown.map((mark) => mark.dataset.nudge ?? mark.dataset.space)
}"""
# Every place with something to choose: its name, its width, and whether a touch of its middle reaches the board.
LIT = """() => [...document.querySelectorAll('.cells [data-lit]')].map((one) => {
  const box = one.getBoundingClientRect()
  const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
  return [one.dataset.space, box.width, top?.closest('.board') != null && !top.closest('[data-pointer]')]
})"""
BOX = "(one) => { const b = one.getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom] }"
# Remembers every count of placed explorers that was ever shown.
COUNTS = """() => {
  window.counts = new Set()
  const look = () => document.querySelectorAll('.st2').forEach((one) => window.counts.add(one.textContent.trim()))
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true })
}"""


def starfish(match: landfall.Match) -> bool:
    """Any creature and any empty ship may be moved, and there are many of them."""
    view: dict[str, Any] = dict(match.view(match.actor))
    return view["phase"] == "creature" and view["dice"][0] == "starfish" and len(view["creatures"]) > 8


def places_of(match: landfall.Match) -> list[str]:
    """Of every choice with a piece, where that piece is."""
    view: dict[str, Any] = dict(match.view(match.actor))
    found = [str(choice["piece"]) for choice in list_choices_one_by_one(match.state, match.actor) if "piece" in choice]
    return [piece.split()[1] if " " in piece else view["explorers"][piece] for piece in found]


def at(player: Player, size: tuple[int, int], record: str, seat: int) -> Page:
    player.page.set_viewport_size({"width": size[0], "height": size[1]})
    player.opened(record, seat)
    player.wait()
    return player.page


def settled(player: Player) -> None:
    """Until the board stands still: twice the same way of drawing it."""
    seen = [""]

    def still() -> bool:
        now = str(player.page.locator(".world").get_attribute("style"))
        same = now == seen[0]
        seen[0] = now
        player.page.wait_for_timeout(250)
        return same

    player.until(still)


def test_every_choice_has_a_mark_that_is_seen(sit: Sit) -> None:
    match = random_match_until("survive", 6, starfish, **FULL)
    ana = sit().set_name_by_request()
    page = at(ana, (1440, 900), match.record(), match.actor)
    settled(ana)
    marked = set(page.evaluate(SEEN, "[data-nudge]"))
    unmarked = [place for place in places_of(match) if place not in marked]
    assert not unmarked, f"{len(unmarked)} of {len(places_of(match))} choices have no mark that is seen"
    lit = {place for place, _, _ in page.evaluate(LIT)}
    assert lit == set(places_of(match))


@pytest.mark.parametrize("size", parametrize_mostly_in_proof(SMALL, (844, 390), (390, 844)))
def test_what_may_be_chosen_is_seen_and_near_enough(sit: Sit, size: tuple[int, int]) -> None:
    """At the creature step the board comes to what may be moved; a pointer leads to what does not fit."""
    match = random_match_until("survive", 4, starfish, **{**FULL, "crowded": False})
    ana = sit(phone=True).set_name_by_request()
    page = at(ana, size, match.record(), match.actor)
    settled(ana)
    lit = page.evaluate(LIT)
    assert len(lit) > 3
    assert min(width for _, width, _ in lit) >= 44
    beyond = {place for place, _, reached in lit if not reached}
    pointers = page.locator("[data-pointer]")
    assert (pointers.count() > 0) == bool(beyond), beyond
    for _ in range(12):
        if not beyond:
            break
        target = pointers.first.get_attribute("data-pointer")
        pointers.first.tap()
        settled(ana)
        beyond.discard(str(target))
        assert target in {place for place, _, reached in page.evaluate(LIT) if reached}
        beyond -= {place for place, _, reached in page.evaluate(LIT) if reached}


def changed(page: Page, before: list[str]) -> bool:
    """Whether the counts say something else than they did."""
    return page.locator(".st2").all_inner_texts() != before


def test_counts_do_not_flicker_after_a_placement(sit: Sit) -> None:
    ana = sit(speed="fast").set_name_by_request()
    ana.open_quick_table("survive", 4)
    ana.wait()
    page = ana.page
    page.evaluate(COUNTS)
    for _ in range(3):
        placed = page.locator(".st2").all_inner_texts()
        page.locator(".cells [data-choice]").first.click(force=True)
        ana.until(partial(changed, page, placed))
        ana.wait()
    shown = page.evaluate("[...window.counts]")
    assert len(shown) > 2
    assert [one for one in shown if not one.endswith("of 10")] == []


def test_a_touch_beside_the_list_puts_it_away_and_plays_nothing(sit: Sit) -> None:
    record, seat = record_before_choice("survive", 3, "sink")
    ana = sit().set_name_by_request()
    page = ana.page
    table = ana.opened(record, seat)
    ana.wait()
    place = page.locator(".cells [data-choice]").first
    box = place.bounding_box()
    assert box
    version = version_of(ana, table)
    page.get_by_test_id("list").first.click()
    expect(page.locator(".list")).to_be_visible()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator(".list")).to_have_count(0)
    page.get_by_test_id("list").first.click()
    page.keyboard.press("Escape")
    expect(page.locator(".list")).to_have_count(0)
    assert version_of(ana, table) == version


def test_escape_lets_go_of_a_piece_wherever_the_focus_is(sit: Sit) -> None:
    record, seat = record_before_choice("survive", 3, "walk")
    ana = sit().set_name_by_request()
    page = ana.page
    ana.opened(record, seat)
    ana.wait()
    stop = page.locator(".cells [data-lit]").first
    stop.focus()
    page.keyboard.press("Enter")
    if page.locator("[role=menu]").count():
        page.keyboard.press("Enter")
    expect(page.locator(".arrow.bobs")).to_have_count(1)
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Escape")
    expect(page.locator(".arrow.bobs")).to_have_count(0)


def test_a_hint_shows_from_where_to_where_and_the_board_stands_still(sit: Sit) -> None:
    ana = sit().set_name_by_request()
    page = at(ana, (1440, 900), *record_before_choice("survive", 3, "walk"))
    settled(ana)
    still = page.locator(".world").get_attribute("style")
    page.keyboard.press("h")
    expect(page.locator(".card.hint")).to_be_visible()
    settled(ana)
    assert page.locator(".world").get_attribute("style") == still
    if page.locator("[data-hint]").count():
        start, end = str(page.locator("[data-hint]").get_attribute("data-hint")).split()
        assert start != end
        words = page.locator(".card.hint").inner_text()
        assert {one for one in (start, end) if one.startswith("@") or one in words} == {start, end}
    expect(page.locator(".end", has_text="G1").first).to_be_visible()


def test_coordinates_are_a_setting(sit: Sit) -> None:
    ana = sit(coordinates=True).set_name_by_request()
    page = at(ana, (1440, 900), *record_before_choice("survive", 3, "walk"))
    for name in ("A1", "B1", "C11", "G11", "K1", "L10", "M7"):
        expect(page.locator(".end", has_text=name).first).to_be_visible()
    box = page.locator(".cells [data-space=G6]").bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator("[data-coordinate=G6]")).to_be_visible()


def covers(a: list[float], b: list[float]) -> bool:
    """By more than a shadow."""
    return min(a[2], b[2]) - max(a[0], b[0]) > 2 and min(a[3], b[3]) - max(a[1], b[1]) > 2


@pytest.mark.parametrize("size", [(1440, 900), (390, 844), (844, 390)])
def test_the_back_of_a_tile_is_described_beside_the_board_and_shown_on_it(sit: Sit, size: tuple[int, int]) -> None:
    match = random_match_until("survive", 4, offers_choice("sink"))
    ana = sit(phone=size[0] < 1000, speed="slow").set_name_by_request()
    page = at(ana, size, match.record(), match.actor)
    settled(ana)
    place = page.locator(".cells [data-choice]").first
    space = place.get_attribute("data-space")
    page.evaluate(
        """() => new MutationObserver(() => {
          const card = document.querySelector('[data-testid=reveal]')
          if (window.seen || !card || !card.getBoundingClientRect().width) return
          const box = (one) => { const b = one.getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom] }
          window.seen = [box(card), document.querySelector('[data-revealed]')?.dataset.revealed,
            [...document.querySelectorAll('.cells [data-lit], section.dice')].map(box)]
        }).observe(document.body, { childList: true, subtree: true, attributes: true })"""
    )
    place.click(force=True)
    ana.until(lambda: page.evaluate("window.seen"))
    card, told, others = page.evaluate("window.seen")
    assert told == space
    assert not [one for one in others if covers(card, one)]


def test_a_replays_panel_lies_over_nothing(sit: Sit) -> None:
    ana = sit().set_name_by_request()
    answer = ana.page.request.post(
        f"{ana.url}/api/tables/open", data={"record": random_match_record("survive", 4, seed=5)}
    )
    ana.go(f"/t/{answer.json()['table']}")
    ana.page.wait_for_selector("[data-testid=end]")
    ana.go(f"/replay/{answer.json()['table']}?at=300")
    page = ana.page
    bar = page.get_by_role("region", name="Replay")
    expect(page.locator(".sinks")).to_be_visible()
    sunk = page.locator("[data-testid=reveal]")
    for _ in range(40):  # moment by moment, until a tile turns up
        if sunk.count():
            break
        bar.get_by_role("button", name="Step forward").click()
        page.wait_for_timeout(60)
    expect(sunk).to_be_visible()
    for other in (page.locator(".sinks"), sunk, page.locator("[role=grid]")):
        assert not covers(bar.evaluate(BOX), other.evaluate(BOX))


@pytest.mark.parametrize(
    ("phase", "words"), [("hand", "Изиграй плочка"), ("creature", "Избери"), ("removing", "Потопи")]
)
def test_a_phone_says_what_is_asked(sit: Sit, phase: str, words: str) -> None:
    match = random_match_until(
        "survive", 3, lambda match: match.actor >= 0 and match.view(match.actor)["phase"] == phase
    )
    ana = sit(phone=True, language="bg").set_name_by_request()
    ana.opened(match.record(), match.actor)
    ana.wait()
    asked = ana.page.locator(".banner .pts")
    expect(asked).to_contain_text(words)
    ana.until(lambda: (asked.bounding_box() or {"width": 0})["width"] > 44)  # its letters are loaded

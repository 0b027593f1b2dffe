"""Atlantis and Atlandice in every window: targets for fingers, nothing cut, open tiles, hints, Escape."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import landfall
from tests.client.conftest import Sit
from tests.client.match_records import random_match_until, record_before_choice
from tests.client.page_player import Player

pytestmark = pytest.mark.once
SHORT = [(844, 390), (720, 450)]
ALL = [*SHORT, (1440, 900), (1280, 720), (390, 844), (360, 640), (768, 1024), (2560, 1440)]
FINGER = 44

# Of everything that may be chosen on the board: its least side, and whether its middle is in the window and on top.
LIT = """() => [...document.querySelectorAll('.stage [data-lit]')].map((one) => {
  const box = one.getBoundingClientRect()
  const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
  return [Math.min(box.width, box.height), top !== null && top.closest('.stage') !== null]
})"""
# Words that are cut: wider than what holds them, or broken in two lines though they have no space.
BROKEN = """(selector) => [...document.querySelectorAll(selector)].filter((one) => {
  if (one.closest('.vh')) return false
  const range = document.createRange()
  range.selectNodeContents(one)
  const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top)))
  return one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0
    || lines.size > one.textContent.trim().split(/\\s+/).length
}).map((one) => one.textContent)"""


def resize(player: Player, size: tuple[int, int]) -> Page:
    player.page.set_viewport_size({"width": size[0], "height": size[1]})
    return player.page


def test_tiles_in_a_short_window_are_for_fingers(sit: Sit) -> None:
    record, seat = record_before_choice(
        "atlantis", 4, lambda choice: choice["verb"] == "move_pay" and choice["bill"] >= 4
    )
    ana = sit(phone=True).set_name_by_request()
    ana.opened(record, seat)
    ana.wait()
    for size in SHORT:
        page = resize(ana, size)
        page.keyboard.press("Escape")
        ana.press(".hit.mine")
        lit: list[Any] = page.evaluate(LIT)
        assert lit
        assert min(least for least, _ in lit) >= FINGER
        if not all(there for _, there in lit):
            expect(page.locator("[data-edge]").first).to_be_attached()  # the map points to what lies outside


def test_the_map_is_looked_along(sit: Sit) -> None:
    ana = sit(phone=True).set_name_by_request()
    ana.open_quick_table("atlantis", 2)
    ana.wait()
    page = resize(ana, SHORT[0])
    inside = (
        "() => { const box = document.querySelector('[data-space=mainland]').getBoundingClientRect(); return box.top }"
    )

    def looked() -> bool:
        """Tap the far end; a window that has just changed may still bring its own pieces into sight afterwards."""
        ticks = page.get_by_role("scrollbar").bounding_box()
        assert ticks
        assert ticks["height"] >= FINGER
        page.touchscreen.tap(ticks["x"] + ticks["width"] - 12, ticks["y"] + ticks["height"] / 2)
        page.wait_for_timeout(500)
        return bool(90 < page.evaluate(inside) < SHORT[0][1])

    ana.until(looked)


def test_both_shores_are_whole(sit: Sit) -> None:
    ana = sit().set_name_by_request()
    ana.open_quick_table("atlantis", 2)
    ana.wait()
    for size in ALL:
        page = resize(ana, size)
        for shore in ("mainland", "atlantis"):
            box = page.locator(f"use[href='#shore-{shore}']").bounding_box()
            assert box
            assert box["x"] >= -2, (size, shore)
            assert box["x"] + box["width"] <= size[0] + 2, (size, shore)


def test_opponents_tiles_lie_open_in_the_order_taken(sit: Sit) -> None:
    def rich(match: landfall.Match) -> bool:
        view: dict[str, Any] = dict(match.view(match.actor))
        return view["phase"] == "start" and len(view["seats"][1 - match.actor]["tiles"]) >= 3

    match = random_match_until("atlantis", 2, rich)
    other = 1 - match.actor
    held: list[tuple[str, int]] = []
    for event in match.events():
        if event.get("seat") != other:
            continue
        face = (event.get("tile"), event.get("value"))
        if event["kind"] == "took":
            held.append(face)  # type: ignore[arg-type]
        elif event["kind"] in ("paid_tile", "bought"):
            held.remove(face)  # type: ignore[arg-type]
    ana = sit().set_name_by_request()
    ana.opened(match.record(), match.actor)
    ana.wait()
    values = [str(value) for _, value in held]
    expect(ana.page.get_by_test_id(f"tiles-{other}").locator("b")).to_have_text(values)


def test_a_hint_shows_from_where_to_where_with_numbers(sit: Sit) -> None:
    ana = sit().set_name_by_request()
    ana.open_quick_table("atlantis", 2)
    ana.wait()
    expect(ana.page.get_by_test_id("positions")).to_have_count(0)
    ana.page.get_by_role("button", name="Hint").first.click()
    expect(ana.page.get_by_test_id("positions").locator("text")).to_have_count(53)
    expect(ana.page.locator(".hinted").first).to_be_attached()


def test_positions_are_numbered_by_a_setting(sit: Sit) -> None:
    ana = sit(coordinates=True).set_name_by_request()
    ana.open_quick_table("atlantis", 2)
    ana.wait()
    expect(ana.page.get_by_test_id("positions").locator("text")).to_have_count(53)


def test_escape_puts_lists_and_choices_away(sit: Sit) -> None:
    ana = sit().set_name_by_request()
    ana.open_quick_table("atlantis", 2)
    ana.wait()
    page = ana.page
    page.locator("[data-piece=A].mine").first.click()
    page.get_by_role("button", name="Menu").click()
    page.locator("summary", has_text="Choices in words").click()
    page.keyboard.press("Escape")
    expect(page.locator("details[open]")).to_have_count(0)
    expect(page.locator(".hit[aria-selected=true]").first).to_be_attached()
    page.keyboard.press("Escape")
    expect(page.locator(".hit[aria-selected=true]")).to_have_count(0)


def within_reach(page: Page, least: float) -> bool:
    """Whether all that may be chosen is large enough and nothing lies over it."""
    lit: list[Any] = page.evaluate(LIT)
    return bool(lit) and all(size >= least and reached for size, reached in lit)


def test_the_city_fits_every_window(sit: Sit) -> None:
    record, seat = record_before_choice("atlandice", 4, "die")
    ana = sit().set_name_by_request("Bartholomew")
    ana.opened(record, seat)
    ana.wait()
    for size in ALL:
        page = resize(ana, size)
        least = FINGER - 0.5 if size[0] < 1000 else 0
        ana.until(partial(within_reach, page, least))  # when the city has come to rest
        assert page.evaluate(BROKEN, ".name, .sg b, .plq b, .steps span") == [], size


def test_a_whole_sector_is_the_target(sit: Sit) -> None:
    record, seat = record_before_choice("atlandice", 3, "die")
    ana = sit(phone=True).set_name_by_request()
    ana.opened(record, seat)
    ana.wait()
    page = resize(ana, SHORT[0])
    sector = page.locator("path.goes").first
    name = sector.get_attribute("data-spot")
    box = None
    while not box or box != sector.bounding_box():  # until the city stands still
        box = sector.bounding_box()
        page.wait_for_timeout(100)
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)  # far from its number
    expect(page.locator(f"[data-sign={name}]")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Escape")
    expect(page.locator(f"[data-sign={name}]")).to_have_attribute("aria-pressed", "false")


# How far each number of a pile is from the nearest plate's rim, in pixels.
NUMBERS = """() => [...document.querySelectorAll('.stage text.cnt')].map((one) => {
  const { left, right, top, bottom } = one.getBoundingClientRect()
  return Math.min(...[...document.querySelectorAll('.stage button[data-space]')].map((plate) => {
    const box = plate.querySelector('*')?.getBoundingClientRect() ?? plate.getBoundingClientRect()
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2]
    return Math.hypot(Math.max(left - x, 0, x - right), Math.max(top + 4 - y, 0, y - bottom + 4)) - box.width / 2
  }))
})"""


def test_no_plate_hides_a_number_of_pieces(sit: Sit) -> None:
    ana = sit(phone=True).set_name_by_request()
    ana.open_quick_table("atlandice", 4)
    ana.wait()
    for size in ((390, 844), (360, 640)):
        room = resize(ana, size).evaluate(NUMBERS)
        assert len(room) == 6
        assert min(room) >= 0, (size, room)

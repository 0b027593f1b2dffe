"""Atlandice's room: signs beside the city, wreaths in their cells, stocks and a prompt on every phone, the clock's
numbers in words, one line of the log for a visit, and no curtain at a hot seat."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.client.atlandice_player import City
from tests.client.conftest import Sit
from tests.client.match_records import (
    greedy_record_until_first_seat_asked,
    parametrize_mostly_in_proof,
    random_match_record,
    random_match_until,
)
from tests.client.measured_positions import Position, load_positions
from tests.client.test_table import made, ordered

pytestmark = pytest.mark.once
DESKS = [(1440, 900), (1366, 768), (1280, 720), (2560, 1440)]
PHONES = [(390, 844), (360, 640)]

# The least gap between a sign and the city, its walls and the foam at its foot, in pixels across; of all signs.
GAPS = """() => {
  const box = (one) => one.getBoundingClientRect()
  const city = [...document.querySelectorAll('.ground ellipse')].filter((one) =>
    ['#2a93a3', '#9a6f43'].includes(one.getAttribute('fill'))).map(box)
  return [...document.querySelectorAll('.sign')].map(box).flatMap((sign) => city.map((round) => {
    const [x, y] = [round.x + round.width / 2, round.y + round.height / 2]
    const near = (least, most, at) => Math.max(least, Math.min(most, at)) - at
    const over = near(sign.left, sign.right, x)
    const down = near(sign.top, sign.bottom, y) * (round.width / round.height)
    return Math.hypot(over, down) - round.width / 2
  }))
}"""
# The wreaths as boxes, and whether each is within its own cell.
WREATHS = """() => [...document.querySelectorAll('.wreath')].filter((one) => one.checkVisibility()).map((one) => {
  const [a, b] = [one, one.closest('td')].map((each) => each.getBoundingClientRect())
  return [a.left, a.top, a.right, a.bottom, a.left >= b.left - 1 && a.right <= b.right + 1]
})"""
# Of every row of the stocks: whether it is in the window, and nothing lies over its numbers.
ROWS = """() => [...document.querySelectorAll('[data-testid=stocks] tbody tr')].map((row) => {
  const { left, top, right, bottom } = row.getBoundingClientRect()
  const inside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight
  return inside && [...row.querySelectorAll('td b')].every((one) => {
    const box = one.getBoundingClientRect()
    const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
    return top !== null && row.contains(top)
  })
})"""


def resize(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})


def clear(page: Page) -> bool:
    gaps: list[float] = page.evaluate(GAPS)
    return len(gaps) == 10 and min(gaps) > 4


def met(wreaths: list[Any]) -> int:
    """How many pairs of wreaths overlap."""
    pairs = [(a, b) for i, a in enumerate(wreaths) for b in wreaths[i + 1 :]]
    return sum(a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3] for a, b in pairs)


def asked() -> list[Position]:
    """The position with most people of every phase in which somebody chooses."""
    return [one for one in load_positions("atlandice") if one.wanted == "names" and one.actor >= 0]


@pytest.mark.parametrize("language", ["en", "bg"])
def test_no_sign_touches_the_city(sit: Sit, language: str) -> None:
    ana = sit(language=language).set_name_by_request()
    ana.open_quick_table("atlandice", 3)
    ana.wait()
    for size in DESKS:
        resize(ana.page, size)
        ana.until(partial(clear, ana.page))


def test_wreaths_never_meet(sit: Sit) -> None:
    """Everybody leads in something, and neighbours in the table are both crowned."""

    def crowned(match: Any) -> bool:
        view = dict(match.view(match.actor))
        return view["phase"] == "die" and sum(map(len, view["leaders"].values())) >= 8

    match = random_match_until("atlandice", 4, crowned)
    ana = sit().set_name_by_request("Bartholomew")
    ana.opened(match.record(), match.actor)
    ana.wait()
    for size in [*DESKS, *PHONES, (768, 1024), (844, 390)]:
        resize(ana.page, size)
        ana.until(lambda: len(ana.page.evaluate(WREATHS)) >= 8)
        wreaths = ana.page.evaluate(WREATHS)
        assert met(wreaths) == 0, size
        assert all(inside for *_, inside in wreaths), size


@pytest.mark.parametrize("size", parametrize_mostly_in_proof(PHONES, PHONES[0]))
def test_a_phone_always_shows_the_stocks_and_what_to_do(sit: Sit, size: tuple[int, int]) -> None:
    ana = sit(phone=True).set_name_by_request()
    resize(ana.page, size)
    phases = asked()
    assert len(phases) == 12
    for position in phases:
        ana.opened(position.text(), position.actor, lines=position.lines)
        ana.wait()
        ana.until(lambda: ana.page.evaluate(ROWS) == [True] * 4)
        told = ana.page.locator("[data-testid=todo], .acts .btn.primary")
        expect(told.first).to_be_in_viewport()
        expect(told.first).not_to_have_text("")


def test_numbers_at_the_clock_are_explained(sit: Sit) -> None:
    """Six numbers at one space: each can be pointed at, and so can a sign's hands."""

    def full(match: Any) -> bool:
        return len(match.state.preview(match.actor).get("clock", ())) == 6

    hands = {sector: [2, 2, 2] for sector in ("jeweller", "library", "inn", "workshop", "forge")}
    match = random_match_until("atlandice", 4, full, clock={"hands": {**hands, "black_market": 2}})
    ana = sit().set_name_by_request()
    ana.opened(match.record(), match.actor)
    ana.wait()
    page = ana.page
    pins, told = page.locator("[data-lead]"), page.get_by_test_id("lead")
    expect(pins).to_have_count(6)
    for pin in pins.all():
        pin.hover()  # refused where another pin lies over its middle
        expect(told).to_contain_text(re.compile(r"Last die left at 1, .* or 6: the clock moves here"))
        page.mouse.move(4, 4)
        expect(told).to_have_count(0)
    page.locator(".sign .hd[data-clock]").first.hover()
    expect(told).to_be_visible()
    page.mouse.move(4, 4)
    pins.last.click()
    expect(told).to_be_visible()


# Whether every card of the column is in the window.
COLUMN = """() => [...document.querySelectorAll('aside.column > *, aside.column .slot > .area > *')]
  .map((one) => one.getBoundingClientRect()).filter((box) => box.height > 0)
  .every((box) => box.top >= 0 && box.bottom <= innerHeight)"""


@pytest.mark.parametrize(("size", "lines"), [((1440, 900), 4), ((1280, 720), 0)])
def test_a_refusal_in_the_column_takes_the_place_of_the_recap(sit: Sit, size: tuple[int, int], lines: int) -> None:
    ana = sit(recap=True, recapTables=[]).set_name_by_request()
    page = ana.page
    resize(page, size)
    ana.opened(greedy_record_until_first_seat_asked("atlandice", 4, 7, 230), 0)
    ana.wait()
    recap, log = page.get_by_test_id("recap"), page.locator(".talk .scroll")
    expect(recap).to_be_visible()
    page.locator("button[data-space]:not([data-choice])").first.click()
    expect(page.get_by_text("Why not?")).to_be_visible()
    expect(recap).to_have_count(0)
    assert page.evaluate(COLUMN)
    box = log.bounding_box()
    assert box
    assert box["height"] >= lines * 28
    page.locator(".toast .x").click()
    expect(recap).to_be_visible()


def test_a_visit_is_one_line_of_the_log(sit: Sit) -> None:
    ana = sit().set_name_by_request()
    ana.open_quick_table("atlandice", 3)
    lines = ana.page.locator("[data-testid=log] li")
    expect(lines.filter(has_text="Five new district tiles are revealed.")).to_have_count(1)
    City(ana).play(8)
    ana.wait()
    said = lines.all_inner_texts()
    assert any(re.search(r"You take the [1-6] from the .+, and (a|two|one) ", line) for line in said), said
    assert any(re.search(r"begins? round \d", line) for line in said), said
    assert not any(re.search("takes a (book|gem|tool|weapon|provision) ", line) for line in said), said


def test_a_hot_seat_of_open_stocks_has_no_curtain(sit: Sit) -> None:
    ana = sit().set_name_by_request()
    page = ana.page
    table = made(ana, game="atlandice", players=2, hot_seat=True)
    ana.go(f"/t/{table}")
    ordered(page, table, {"t": "sit", "chair": 1, "name": "Boris"}, {"t": "start"})
    city = City(ana)
    actors = set()
    for _ in range(16):
        ana.wait()
        expect(page.get_by_role("dialog")).to_have_count(0)
        seat = page.locator("tr.active").first.get_attribute("data-seat")
        expect(page.locator(".banner")).to_contain_text("Ana’s turn" if seat == "0" else "Boris’s turn")
        actors.add(seat)
        city.step()
    assert actors == {"0", "1"}


@pytest.mark.parametrize("game", ["survive", "atlantis"])
def test_a_hot_seat_that_hides_something_has_one(sit: Sit, game: str) -> None:
    ana = sit().set_name_by_request()
    table = made(ana, game=game, players=2, hot_seat=True)
    ana.go(f"/t/{table}")
    ordered(ana.page, table, {"t": "sit", "chair": 1, "name": "Boris"}, {"t": "start"})
    expect(ana.page.get_by_role("dialog")).to_contain_text("Pass the device")


# --- the end, of all games --------------------------------------------------------------------------------------------

ICONS = "() => [...document.querySelectorAll('.ways use, .foot use')].map((one) => one.getAttribute('href'))"
COUNTED = "() => [...document.querySelectorAll('li.row .place')].map((one) => one.textContent !== '')"
WAYS = ["#ui-board", "#ui-share", "#ui-curve", "#ui-play", "#ui-again"]


@pytest.mark.parametrize("game", ["survive", "atlantis", "atlandice"])
def test_every_match_ends_with_who_wins_and_five_ways_on(sit: Sit, game: str) -> None:
    ana = sit().set_name_by_request()
    ana.opened(random_match_record(game, 2), 0)
    end = ana.page.get_by_test_id("end")
    expect(end.get_by_role("heading").first).to_be_visible()
    assert ana.page.evaluate(ICONS) == WAYS
    for size in [*DESKS, *PHONES, (768, 1024), (844, 390)]:
        resize(ana.page, size)
        expect(ana.page.get_by_role("button", name="Rematch")).to_be_visible()
        assert ana.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), size


@pytest.mark.parametrize("game", ["survive", "atlandice"])
def test_the_end_is_counted_from_the_last_place_up(sit: Sit, game: str) -> None:
    ana = sit(speed="slow").set_name_by_request()
    ana.opened(random_match_record(game, 4, seed=5), 0)
    end = ana.page.get_by_test_id("end")
    expect(end.locator(".row.now")).to_have_count(1)
    counted: list[bool] = ana.page.evaluate(COUNTED)
    assert counted == sorted(counted)
    assert not counted[0]
    expect(end.get_by_role("heading").first).not_to_have_text(re.compile("win|share"))
    ana.page.evaluate("document.querySelector('[data-testid=end] .all')?.click()")
    expect(end.locator("li.won")).not_to_have_count(0)
    assert "" not in end.locator(".place").all_inner_texts()
    expect(end.get_by_role("heading").first).to_have_text(re.compile("win|share|ashore"))

"""The pages around the table in windows from a small phone to a very wide screen: nothing is cut, covered or wider than
the window, and axe has nothing serious to say."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from landfall.core.languages import LANGUAGES
from tests.client.conftest import Sit
from tests.client.match_records import random_match_record
from tests.client.test_axe import findings
from tests.client.test_table import made, ordered

pytestmark = pytest.mark.once
WINDOWS = [(360, 640), (390, 844), (768, 1024), (844, 390), (1440, 900), (1920, 1080), (2560, 1440)]
PAGES = ["/", "/me", "/me/account", "/lobby", "/new/survive"]
# What may be pressed and is covered where it stands, once it is in sight; and words that are cut off.
FAULTS = """() => {
  const found = []
  const shown = (one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true })
  for (const one of document.querySelectorAll('main a, main button, main summary, header a, header button')) {
    if (!shown(one)) continue
    const fixed = one.closest('.fixed')
    if (!fixed) one.scrollIntoView({ block: 'center', inline: 'nearest' })
    const box = one.getBoundingClientRect()
    if (box.width < 1) continue
    const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
    if (!top || !(one.contains(top) || top.contains(one) || top.closest('a, button, label') === one))
      found.push(`covered: ${one.textContent.trim().slice(0, 40)} by ${top?.className}`)
    if (one.scrollWidth > one.clientWidth + 2) found.push(`cut: ${one.textContent.trim().slice(0, 40)}`)
  }
  for (const one of document.querySelectorAll('h1, h2, h3, p, b, small, li')) {
    if (!shown(one) || one.closest('.vh') || getComputedStyle(one).overflowX !== 'visible') continue
    const box = one.getBoundingClientRect()
    if (box.right > innerWidth + 1 && !one.closest('.cards'))
      found.push(`outside: ${one.textContent.trim().slice(0, 40)}`)
  }
  scrollTo(0, 0)
  return found
}"""


def faults(page: Page) -> list[str]:
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    found: list[str] = page.evaluate(FAULTS)
    return [f"wider by {wide}", *found] if wide > 0 else found


@pytest.mark.proof
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_cut_or_covered(sit: Sit, language: str) -> None:
    ana = sit(language=language).set_name_by_request()
    for game in ("survive", "atlantis", "atlandice", "atlandice", "atlandice"):
        ana.opened(random_match_record(game, 3 if game == "survive" else 2), 0)
        ana.page.wait_for_selector("[data-testid=end]")
    ana.open_quick_table("atlantis", 3)
    ana.wait()
    found: dict[str, Any] = {}
    for number, (width, height) in enumerate(WINDOWS):
        ana.page.set_viewport_size({"width": width, "height": height})
        for path in PAGES:
            page = ana.settled(path)
            found[f"{path} {width}x{height}"] = faults(page)
            if LANGUAGES[number % len(LANGUAGES)] == language:
                found[f"axe {path} {width}x{height}"] = findings(page)
    assert {name: seen for name, seen in found.items() if seen} == {}


@pytest.mark.proof
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_first_visit_fits_every_window(sit: Sit, language: str) -> None:
    """With the offer of a guided game."""
    ana = sit(language=language)
    found: dict[str, Any] = {}
    for width, height in WINDOWS:
        ana.page.set_viewport_size({"width": width, "height": height})
        page = ana.settled("/")
        expect(page.locator(".first")).to_be_visible()
        found[f"{width}x{height}"] = faults(page)
        title = page.locator("h1")
        lines = title.evaluate("(one) => Math.round(one.clientHeight / parseFloat(getComputedStyle(one).lineHeight))")
        if lines > 2:
            found[f"title {width}x{height}"] = [f"{lines} lines"]
    assert {name: seen for name, seen in found.items() if seen} == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_home_in_wide_windows_is_as_drawn(sit: Sit, language: str) -> None:
    page = sit(language=language).page
    seen = []
    for width, height in ((1920, 1080), (2560, 1440)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto("/")
        expect(page.locator(".grid article")).to_have_count(3)
        page.evaluate("() => document.fonts.ready.then(() => true)")
        zoom = width / 1920
        boxes = page.evaluate(
            """() => ['.nav', '.nav .wordmark, .nav a', '.pitch p', '.grid', '.hero'].map((name) => {
                const { left, top, right, bottom } = document.querySelector(name).getBoundingClientRect()
                return [left, top, right, bottom]
            })"""
        )
        nav, mark, lead, grid, hero = ([round(side / zoom) for side in box] for box in boxes)
        assert nav[2] == 1920
        assert (grid[0], grid[2]) == (200, 1720), "content of 1520 in the middle"
        assert mark[0] == 200, "the navigation stands on the same edge"
        assert abs(hero[3] - 583) <= 1
        assert abs(grid[1] - 492) <= 1
        horizon = round(1920 * 270 / 1440) - 44
        assert lead[3] <= horizon - 40, "the words stand on the sky"
        seen.append((lead[:1] + lead[3:], grid, hero))
        assert page.evaluate("document.documentElement.scrollHeight") <= height + (0 if language == "en" else 60 * zoom)
    assert all(abs(a - b) <= 2 for one, other in zip(*seen) for a, b in zip(one, other)), "it grows in proportion"


def worn_by(row: Locator) -> str:
    """The colour of the badge in a row."""
    found = re.search(r"p-(\w+)", row.locator(".badge").get_attribute("class") or "")
    assert found is not None
    return found.group(1)


def test_matches_are_listed_as_they_were_at_the_table(sit: Sit) -> None:
    """In the colours that were worn, whoever was drawn to begin; the reader is "You", bots bear their names."""
    ana = sit().set_name_by_request("Ana")
    table = made(ana, game="survive", players=3, seating="drawn")
    ana.go(f"/t/{table}")
    orders: list[dict[str, object]] = [{"t": "bot", "chair": chair, "code": "sprat"} for chair in (1, 2)]
    worn = ["white", "yellow", "green"]
    orders += [{"t": "colour", "chair": chair, "colour": colour} for chair, colour in enumerate(worn)]
    ordered(ana.page, table, *orders, {"t": "start"})
    rows = ana.page.locator(".column [data-seat]")
    expect(rows).to_have_count(3)
    at_table = {(one.locator(".name").inner_text(), worn_by(one)) for one in rows.all()}
    page = ana.settled("/me")
    row = page.get_by_test_id("match").first
    people = row.locator("ul li")
    expect(people.first).to_have_text("You")
    listed = {(one.inner_text().strip(), worn_by(one)) for one in people.all()}
    assert listed == at_table
    assert all(name != "Sprat" for name, _ in listed)
    row.get_by_role("link", name="Continue").click()
    expect(page).to_have_url(re.compile(table))

    ana.opened(random_match_record("atlandice", 2), 0)
    page.wait_for_selector("[data-testid=end]")
    page = ana.settled("/me")
    expect(page.get_by_test_id("match")).to_have_count(2)
    expect(page.get_by_test_id("match").first).to_contain_text("Still running")
    over = page.get_by_test_id("match").last
    expect(over).to_contain_text(re.compile(r"(1st|2nd) of 2"))
    expect(over).to_contain_text(re.compile(r"You win|wins? with \d+ points?|share the win"))
    expect(page.get_by_text("1 match so far")).to_be_visible()
    over.get_by_role("link", name="Review").click()
    expect(page).to_have_url(re.compile("/look$"))


def test_hints_begin_with_a_capital(sit: Sit) -> None:
    ana = sit().set_name_by_request()
    ana.open_quick_table("survive", 2)
    ana.wait()
    ana.page.get_by_role("button", name=re.compile("^Hint")).click()
    title = ana.page.locator(".hint b").first
    expect(title).to_be_visible()
    words = title.inner_text()
    assert words[0] == words[0].upper(), words

"""Atlantis on a phone: the sheet, the bridge by its switch, the result of a move before anything follows."""

from __future__ import annotations

import random
from functools import cache

import pytest
from playwright.sync_api import Page, expect

import landfall
from tests.client.atlantis_player import BRIDGE, MAIN
from tests.client.conftest import Sit
from tests.client.match_records import greedy_match_record, record_before_choice
from tests.client.page_player import Player

pytestmark = pytest.mark.once
SHEETS = [(390, 844), (360, 640), (768, 1024)]
MOST = 0.34  # of the window's height
RESULT = "[data-testid=result]"
# How far what the selector finds reaches over the sheet, in pixels; -1000: nothing found.
HIDDEN = """(selector) => {
  const sheet = document.querySelector('.sheet').getBoundingClientRect().top
  const found = [...document.querySelectorAll(selector)].map((one) => one.getBoundingClientRect().bottom - sheet)
  return Math.max(-1000, ...found)
}"""

# How much room a pulled-up sheet has that nothing fills.
EMPTY = """() => {
  const panel = document.querySelector('#panel')
  const style = getComputedStyle(panel)
  const filled = [...panel.children].reduce((sum, one) => sum + one.offsetHeight, 0)
  return panel.offsetHeight - filled - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom)
}"""
# How far cards, or the words about the bridge in their place, reach over the actions below them.
CUT = """() => {
  const acts = document.querySelector('.acts').getBoundingClientRect().top
  const shown = [...document.querySelectorAll('[data-card], .about')]
  return Math.max(...shown.map((one) => one.getBoundingClientRect().bottom)) - acts
}"""

# The position numbers that do not stand on their own place, and the values that another tile hides at least in part.
MISPLACED = """() => {
  const tiles = [...document.querySelectorAll('.flat [data-stone]')].map((one) => {
    const m = one.getScreenCTM()
    const top = -22 - Number(one.dataset.lift ?? 8)
    const [left, right, high, low] = [m.e - 27 * m.a, m.e + 27 * m.a, m.f + top * m.d, m.f + 22 * m.d]
    return { one, x: m.e, left, right, top: high, bottom: low }
  })
  const over = (box, part) =>
    part.left < box.right && part.right > box.left && part.top < box.bottom && part.bottom > box.top
  // Digits are lower than their line.
  const digits = (text) => {
    const { left, right, top, bottom } = text.getBoundingClientRect()
    return { left: left + 1, right: right - 1, top: (2 * top + bottom) / 3, bottom: (top + 3 * bottom) / 4 }
  }
  const values = tiles.flatMap(({ one }, i) => {
    const value = one.querySelector('text.val')
    const hidden = value && tiles.slice(i + 1).some((later) => over(later, digits(value)))
    return hidden ? [`value ${value.textContent} of tile ${i}`] : []
  })
  const numbers = [...document.querySelectorAll('[data-testid=positions] text')].flatMap((text) => {
    const place = document.querySelector(`[data-space="${text.textContent}"] rect`).getBoundingClientRect()
    const own = { x: place.x + place.width / 2, bottom: place.bottom }
    const part = digits(text)
    const on = tiles.filter((tile) => over(tile, part)).at(-1)
    const mine = on ? Math.abs(on.x - own.x) < 2 && Math.abs(on.bottom - own.bottom) < 6 : over(place, part)
    return mine ? [] : [`number ${text.textContent}`]
  })
  return [...values, ...numbers]
}"""


@cache
def asked_for_the_bridge() -> tuple[str, int, list[int]]:
    """A record at the start of a turn, its seat, and what is chosen from there to the second chance for the bridge."""
    for seed in range(200):
        match = landfall.Match("atlantis", players=2, seed=seed)
        rng = random.Random(seed)
        start: tuple[str, int] | None = None
        done: list[int] = []
        while match.actor >= 0:
            if match.view(match.actor)["phase"] == "start":
                start, done = (match.record(), match.actor), []
            legal = match.legal_actions()
            verbs = [match.state.action_to_dict(action)["verb"] for action in legal]
            if "no_bridge" in verbs and start and match.actor == start[1]:
                return start[0], start[1], done
            plain = [action for action, verb in zip(legal, verbs) if verb not in ("bridge", "buy")]
            action = rng.choice(plain or legal)
            done.append(action)
            match.play(action)
    raise AssertionError("nobody was asked for the bridge")


def resize(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.wait_for_timeout(300)


def low_enough(page: Page, what: str) -> None:
    for size in SHEETS:
        resize(page, size)
        box = page.locator(".sheet").bounding_box()
        assert box
        assert box["height"] <= MOST * size[1], (what, size, box["height"])
        assert page.evaluate(CUT) <= 0, (what, size)


def choose_in_words(player: Player, action: int) -> None:
    """Choose by the list of words in the menu."""
    player.wait()
    player.page.get_by_role("button", name="Menu").click()
    choice = player.page.locator(f"li [data-choice='{action}']")
    player.until(lambda: choice.count() > 0)
    choice.first.dispatch_event("click")


def test_the_sheet_is_low_and_own_figures_are_in_sight(sit: Sit) -> None:
    ana = sit(phone=True).set_name_by_request()
    ana.open_quick_table("atlantis", 3)
    ana.wait()
    page = ana.page
    low_enough(page, "the opening")
    for size in SHEETS[:2]:
        resize(page, size)
        assert page.evaluate(HIDDEN, ".hit.mine[data-piece]") <= 0, size
        names = page.locator(".slot.players .name")
        expect(names).to_have_count(3)
        expect(names.filter(has_text="You")).to_have_count(1)
    ana.press(".hit.mine")
    low_enough(page, "a figure is chosen")
    page.locator(BRIDGE).click()
    low_enough(page, "the bridge is switched on")


@pytest.mark.parametrize("after", [2, 80])
def test_values_are_in_sight_and_numbers_stand_on_their_own_place(sit: Sit, after: int) -> None:
    record = greedy_match_record("atlantis", 4, seed=5)
    ana = sit(phone=True, coordinates=True).set_name_by_request()
    ana.opened(record, 0, after)
    ana.wait()
    page = ana.page
    expect(page.locator("[data-testid=positions] text")).to_have_count(53)
    for size in (*SHEETS, (844, 390), (720, 450), (1440, 900)):
        resize(page, size)
        assert page.evaluate(MISPLACED) == [], size


def test_a_payment_takes_the_place_of_the_chips(sit: Sit) -> None:
    record, seat = record_before_choice("atlantis", 3, "pay_tile")
    ana = sit(phone=True).set_name_by_request()
    ana.opened(record, seat)
    ana.wait()
    expect(ana.page.locator(f"{MAIN}:not([disabled])")).to_contain_text("Pay")
    low_enough(ana.page, "a payment")


def test_a_sheet_that_is_pulled_up_is_as_tall_as_its_content(sit: Sit) -> None:
    ana = sit(phone=True).set_name_by_request()
    ana.open_quick_table("atlantis", 3)
    ana.wait()
    page = ana.page
    page.locator(".grab").click()
    expect(page.get_by_role("tab", name="Tiles")).to_be_visible()
    expect(page.locator("[data-card]").first).to_be_visible()  # the hand stays at its foot
    for tab in ("Tiles", "Players"):
        page.get_by_role("tab", name=tab).click()
        box = page.locator(".sheet").bounding_box()
        assert box
        assert box["height"] < 0.7 * 844
        assert page.evaluate(EMPTY) <= 1, tab


def test_the_bridge_is_never_asked_for(sit: Sit) -> None:
    ana = sit().set_name_by_request()
    record, seat, actions = asked_for_the_bridge()
    table = ana.opened(record, seat)
    ana.wait()
    for action in actions:
        choose_in_words(ana, action)
    ana.until(lambda: any(line.endswith("no bridge") for line in ana.log(table)))  # nobody has touched anything
    ana.wait()
    expect(ana.page.locator("rect.lit")).to_have_count(0)


@pytest.mark.parametrize("way", ["setting", "switch"])
def test_the_second_chance_waits_if_it_is_wanted(sit: Sit, way: str) -> None:
    record, seat, actions = asked_for_the_bridge()
    ana = sit(askBridge=way == "setting").set_name_by_request()
    table = ana.opened(record, seat)
    ana.wait()
    page = ana.page
    if way == "switch":
        page.locator(BRIDGE).click()
        expect(page.locator(BRIDGE)).to_have_attribute("aria-checked", "true")
        if page.locator("rect.lit").count():  # a figure instead of a gap: the switch stays on
            ana.press(".hit.mine")
        expect(page.locator(BRIDGE)).to_have_attribute("aria-checked", "true")
    for action in actions:
        choose_in_words(ana, action)
    expect(page.locator("rect.lit").first).to_be_attached()
    lines = len(ana.log(table))
    page.wait_for_timeout(1500)  # longer than a result is shown
    assert len(ana.log(table)) == lines
    expect(page.get_by_role("button", name="Keep the bridge")).to_be_visible()
    page.locator(BRIDGE).click()  # off: it is kept
    ana.until(lambda: len(ana.log(table)) > lines)


def test_the_switch_moves_the_camera_and_back(sit: Sit) -> None:
    record, seat, _ = asked_for_the_bridge()
    ana = sit(phone=True).set_name_by_request()
    ana.opened(record, seat)
    ana.wait()
    page = ana.page
    place = "() => document.querySelector('.window').scrollTop"
    page.wait_for_timeout(300)
    start = page.evaluate(place)
    page.locator(BRIDGE).click()
    expect(page.get_by_text("Your bridge, once a game")).to_be_visible()
    expect(page.locator("[data-card]")).to_have_count(0)
    assert page.evaluate(HIDDEN, ".hit[data-choice]") <= 0 or page.evaluate(place) != start
    page.locator(BRIDGE).click()
    expect(page.locator("[data-card]").first).to_be_visible()
    ana.until(lambda: abs(page.evaluate(place) - start) < 2)


def test_the_result_is_seen_before_anything_follows(sit: Sit) -> None:
    ana = sit(phone=True, speed="fast").set_name_by_request()
    page = ana.page
    page.clock.install()
    ana.opened(*record_before_choice("atlantis", 3, "move"))
    ana.wait()
    ana.press(".hit.mine")
    page.locator(".mc", has_text="ahead").first.tap()
    page.locator(MAIN).tap()
    expect(page.locator(RESULT)).to_be_visible()
    page.clock.pause_at(page.evaluate("() => Date.now() + 60"))
    expect(page.locator(f"{MAIN}[disabled]")).to_contain_text("moves next")
    page.wait_for_timeout(300)
    expect(page.locator(RESULT)).to_be_visible()
    page.clock.run_for(1000)
    expect(page.locator(RESULT)).to_be_visible()

    def is_gone_a_little_later() -> bool:
        page.clock.run_for(100)
        return not page.locator(RESULT).count()

    ana.until(is_gone_a_little_later)

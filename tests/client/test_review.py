"""Looking back: moments that are in sight and told as they are drawn; and when the server cannot."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from landfall.tables.jobs.reviews import MAX_REVIEWS_PER_USER
from tests.client.conftest import DESK, PHONE, STATIC, Sit
from tests.client.match_records import greedy_match_record, random_match_record
from tests.client.page_player import Player
from tests.conftest import LONG
from tests.server.real_server import ServerProcess

pytestmark = pytest.mark.once
# The ways that a moment's picture shows, and its sentence.
WAYS = """() => [...document.querySelectorAll('[data-testid=moments] button')].flatMap((one) => {
  const way = one.querySelector('svg .way')?.textContent ?? ''
  return way.includes('→') ? [[way, one.getAttribute('aria-label') ?? one.textContent]] : []
})"""
# How far the current moment is inside of its list's section, above and below.
INSIDE = """() => {
  const one = document.querySelector('[data-testid=moments] [aria-current=true]')
  const [moment, list] = [one, one.closest('section')].map((each) => each.getBoundingClientRect())
  return Math.min(moment.top - list.top, list.bottom - moment.bottom)
}"""
# Which of these places of Atlantis's path are not in the window, between the strip and the sheet.
OUT_OF_SIGHT = """(places) => places.filter((place) => {
  const box = document.querySelector(`[data-space="${place}"]`).getBoundingClientRect()
  const middle = (box.top + box.bottom) / 2
  const [above, below] = ['.head', '.sheet'].map((each) => document.querySelector(each).getBoundingClientRect())
  return middle < above.bottom || middle > below.top
})"""


def looked_back(ana: Player, record: str) -> Page:
    """A finished match and its whole story."""
    table = ana.opened(record, 0)
    page = ana.go(f"/replay/{table}/look").page
    expect(page.locator("[data-testid=look][data-state=kept]")).to_be_visible(timeout=3 * LONG * 1000)
    return page


def test_a_chosen_moment_is_in_sight_and_told_as_it_is_drawn(sit: Sit) -> None:
    page = looked_back(sit(phone=True).set_name_by_request(), greedy_match_record("atlantis", 2, seed=5))
    moments = page.locator("[data-testid=moments] button")
    ways: list[tuple[str, str]] = page.evaluate(WAYS)
    assert ways
    for way, told in ways:
        for place in filter(None, way.split("→")):
            assert re.search(rf"\b{place}\b", told), (way, told)
    for moment in moments.all():
        moment.tap()
        said = page.get_by_test_id("said").inner_text()
        places = re.findall(r"(?:to|at|space) (\d+)", said)
        assert places, said
        for _ in range(40):  # the board glides there
            if not page.evaluate(OUT_OF_SIGHT, places[-1:]):
                break
            page.wait_for_timeout(50)
        assert page.evaluate(OUT_OF_SIGHT, places[-1:]) == [], said


def test_a_phone_shows_a_moment_s_whole_sentence(sit: Sit) -> None:
    ana = sit(phone=True, language="bg").set_name_by_request("Maximiliana Featherstone")
    ana.page.set_viewport_size({"width": 360, "height": 640})
    page = looked_back(ana, greedy_match_record("atlantis", 2, seed=5))
    said = page.get_by_test_id("said")
    for moment in page.locator("[data-testid=moments] button").all():
        moment.tap()
        assert said.evaluate("(one) => one.scrollHeight - one.clientHeight") <= 1, said.inner_text()
        expect(said).to_be_in_viewport(ratio=1)


def is_current_moment_whole(page: Page, high: int) -> bool:
    """Whether the page has taken a window's height, and the current moment is whole in its list."""
    return bool(page.evaluate("innerHeight") == high and page.evaluate(INSIDE) >= 4)


def test_the_current_moment_is_whole_in_its_list(sit: Sit) -> None:
    ana = sit().set_name_by_request()
    ana.page.set_viewport_size({"width": 1280, "height": 720})
    page = looked_back(ana, greedy_match_record("atlantis", 4, seed=5))
    moments = page.locator("[data-testid=moments] button")
    for moment in [*moments.all(), moments.first]:
        moment.click()
        ana.until(partial(is_current_moment_whole, page, 720))
    moments.last.click()
    for size in ((1440, 900), (1280, 640), (1280, 720)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        ana.until(partial(is_current_moment_whole, page, size[1]))


def expect_notice(page: Page, words: str) -> None:
    """The page says why there is no story, offers another try, and claims nothing about the match."""
    alert = page.get_by_role("alert").filter(visible=True)
    expect(alert).to_contain_text(words)
    expect(alert).to_contain_text("You can still watch the replay.")
    expect(alert.get_by_role("button", name="Try again")).to_be_visible()
    expect(page.get_by_text("No moment swung the match by much.")).to_have_count(0)
    expect(page.get_by_text("Too short to tell.")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.proof  # a server of its own, and reviews that keep it busy
def test_a_refused_review_says_so(browser: Browser, tmp_path: Path) -> None:
    with ServerProcess(str(tmp_path / "tables.sqlite"), static=str(STATIC)) as server:
        context = browser.new_context(base_url=server.url, viewport=DESK, service_workers="block")  # type: ignore[arg-type]
        context.set_default_timeout(LONG * 1000)
        try:
            ana = Player(context.new_page(), [], server.url, False).set_name_by_request()
            page, table = ana.page, ana.opened(random_match_record("atlandice", 2), 0)
            expect(page.get_by_test_id("end")).to_be_visible()
            for seed in range(MAX_REVIEWS_PER_USER):  # each takes longer than this test
                record = greedy_match_record("survive", 4, seed=seed)
                assert page.request.post("/api/reviews", data={"record": record}).ok
            ana.go(f"/replay/{table}/look")
            expect_notice(page, "Too many reviews are under way.")
            page.set_viewport_size(PHONE)  # type: ignore[arg-type]
            expect_notice(page, "Too many reviews are under way.")
            context.set_offline(True)
            page.get_by_role("button", name="Try again").filter(visible=True).click()
            expect_notice(page, "Can’t reach the server.")
        finally:
            context.close()

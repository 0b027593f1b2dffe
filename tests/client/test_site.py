"""The site without a server: a first visit plays, learns, solves and follows links; what is missing is downloaded, with
its progress; what needs other people is not offered."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.client.atlandice_player import City
from tests.client.offline_site import SITE, phone_visitor, serve_folder
from tests.client.page_player import Player
from tests.conftest import lacking

pytestmark = [pytest.mark.once, pytest.mark.proof]
# What lies in the districts, as it is read out.
CITY = "() => [...document.querySelectorAll('[role=toolbar] button')].map((one) => one.ariaLabel).join()"
STARTING = "[data-testid=preparing][data-phase=python]"


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    if not (SITE / "here" / "manifest.json").is_file():
        lacking("the site is not built (make site)")
    with serve_folder(SITE) as url:
        yield url


def started(ana: Player) -> Page:
    """Until the game that was asked for is there: the download and the start are shown meanwhile."""
    page = ana.page
    expect(page.get_by_test_id("preparing")).to_be_visible()
    page.locator(STARTING).wait_for()
    expect(page.get_by_role("progressbar")).to_have_attribute("aria-valuenow", re.compile(r"\d+"))
    ana.wait()
    expect(page.get_by_test_id("preparing")).to_have_count(0)
    return page


def test_play_now_downloads_and_begins_and_a_second_tab_follows(browser: Browser, site: str) -> None:
    with phone_visitor(browser, site) as (ana, asked):
        page = ana.go("/").page
        survive = page.get_by_role("article").filter(has=page.get_by_role("heading", name="Survive"))
        expect(survive).to_contain_text("2–6 players")
        assert not [url for url in asked if url.endswith((".zip", ".wasm.gz"))], "nobody asked for the download yet"
        page.get_by_role("button", name="Play now: Atlandice").click()
        started(ana)

        other = page.context.new_page()
        other.goto(page.url)
        other.locator("[data-mine=true]").wait_for(state="attached")
        before: str = page.evaluate(CITY)
        ana.play(City(ana).step, 2)
        ana.until(lambda: before != page.evaluate(CITY) == other.evaluate(CITY))

        page.goto(f"{site}/?again#/")  # a page without Python: what this device has is listed all the same
        expect(page.get_by_test_id("continue")).to_contain_text("Atlandice")
        page.goto(f"{site}/?again#/me")
        expect(page.get_by_test_id("match")).to_contain_text("You")
        assert len(page.workers) == 0


@pytest.mark.parametrize("way", ["guided", "puzzle"])
def test_what_else_a_first_visit_asks_for_begins_too(browser: Browser, site: str, way: str) -> None:
    with phone_visitor(browser, site) as (ana, _):
        page = ana.go("/").page
        if way == "guided":
            page.get_by_role("link", name="Show me").click()
        else:
            page.get_by_role("navigation").get_by_role("link", name="Puzzles").last.click()
            page.locator("a[href*='/puzzle/']").first.click()
        started(ana)
        if way == "guided":
            expect(page.locator(".coach")).to_be_visible()


def test_a_link_to_a_match_of_this_device_works_without_the_download(browser: Browser, site: str) -> None:
    with phone_visitor(browser, site) as (ana, asked):
        page = ana.go("/#/t/here-nobodyplayedthisone123").page
        expect(page.get_by_role("heading")).to_contain_text("not on this device")
        page.goto(f"{site}/?again#/t/aserverstable")
        expect(page.get_by_role("heading")).to_contain_text("not on this device")
        assert not [url for url in asked if url.endswith(".zip")]
        page.goto(f"{site}/?again2#/")
        page.get_by_role("button", name="Play now: Atlantis").click()
        started(ana)
        table = page.url
        page.goto(f"{site}/?again3#/")
        page.get_by_role("button", name="Remove the download").click()
        expect(page.get_by_test_id("here")).to_have_attribute("data-state", "offered")
        page.goto(table.replace("/#", "/?later#"))
        started(ana)


def test_a_download_that_is_stopped_says_so_and_goes_on(browser: Browser, site: str) -> None:
    with phone_visitor(browser, site) as (ana, _):
        page = ana.page
        page.route("**/*.zip", lambda route: None)  # never answered
        ana.go("/")
        page.get_by_role("button", name="Play now: Atlandice").click()
        page.get_by_test_id("preparing").get_by_role("button", name="Stop").click()
        expect(page.get_by_role("alert")).to_contain_text("not on this device yet")
        expect(page.get_by_test_id("preparing")).to_have_count(0)
        page.unroute("**/*.zip")
        page.get_by_role("button", name="Play now: Atlandice").click()
        started(ana)


def test_nothing_is_offered_that_needs_a_server(browser: Browser, site: str) -> None:
    with phone_visitor(browser, site) as (ana, asked):
        page = ana.go("/").page
        expect(page.get_by_role("link", name=re.compile("Watch"))).to_have_count(0)
        expect(page.get_by_role("link", name="Play on one device")).to_be_visible()
        ana.go("/#/watch")
        expect(page.get_by_role("main")).to_contain_text("this site has no server")
        expect(page.get_by_role("link", name="Set a table")).to_have_count(0)
        page.goto(f"{site}/?new#/new/survive")
        expect(page.get_by_role("radio", name=re.compile("^No clock"))).to_be_attached()
        expect(page.get_by_role("radio", name=re.compile("^(A day|3 days|Public|By link)"))).to_have_count(0)
        page.goto(f"{site}/?me#/me/account")
        expect(page.get_by_label("Your name")).to_be_visible()
        expect(page.get_by_role("radio", name=re.compile("Make an account|Sign in"))).to_have_count(0)
        page.get_by_label("Your name").fill("Ana")
        page.get_by_role("button", name="Use this name").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Ana")
        assert not [url for url in asked if url.endswith(".zip")], "a name needs no download"

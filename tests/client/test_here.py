"""Playing without a server, at a page that a server once brought: downloaded when asked for, kept, deleted."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.client.atlandice import City
from tests.client.conftest import STATIC, Sit
from tests.client.here import THERE, download
from tests.conftest import lacking

pytestmark = pytest.mark.once


def test_a_match_is_played_on_this_device_kept_and_deleted(sit: Sit) -> None:
    if not (STATIC / "here" / "manifest.json").is_file():
        lacking("what plays without a server is not built (make client)")
    ana = sit()
    page = ana.page
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    ana.go("/")
    expect(page.get_by_test_id("here")).to_have_attribute("data-state", "offered")
    brought = [url for url in asked if "/here/" in url]
    assert [url.rpartition("/")[2] for url in brought] == ["manifest.json"]  # and nothing else, unasked
    download(ana)
    page.get_by_role("button", name="Play here: Atlandice").click()
    ana.wait()
    asked.clear()
    city = City(ana)
    ana.play(city.step, 4)
    assert sum(city.done.values()) >= 4
    assert [url for url in asked if "/api/tables" in url or url.startswith("ws")] == []
    page.reload()  # what was played is there still
    ana.wait()
    log = page.locator("[data-testid=log] li")
    expect(log.nth(3)).to_be_attached()
    page.goto("/")
    kept = page.locator(f"{THERE} [data-testid=kept]")
    expect(kept).to_have_count(1)
    with page.expect_download() as saved:
        kept.get_by_role("link", name="Save the record").click()
    assert saved.value.path().read_text().startswith("landfall record 1\ngame: atlandice\n")
    kept.get_by_role("button", name="Delete").click()
    kept.get_by_role("button", name="Really delete?").click()
    expect(kept).to_have_count(0)

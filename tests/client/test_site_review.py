"""Looking back without a server: a folder of files, a browser's Python, and a net in JavaScript."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.client.match_records import greedy_match_record
from tests.client.offline_site import SITE, download_offline_bundle, drop_text_file, phone_visitor, serve_folder
from tests.conftest import LONG, lacking

pytestmark = [pytest.mark.once, pytest.mark.proof]
PATIENCE_MS = 5 * LONG * 1000  # an interpreted review takes minutes on a busy machine


@pytest.fixture
def site() -> Iterator[str]:
    """The static site behind a file server."""
    if not (SITE / "here" / "manifest.json").is_file():
        lacking("the static site (make site)")
    with serve_folder(SITE) as url:
        yield url


def test_a_dropped_record_is_reviewed_on_the_device(browser: Browser, site: str) -> None:
    with phone_visitor(browser, site) as (ana, asked):
        page = ana.go("/").page
        download_offline_bundle(ana)
        page.goto(f"{site}/#/replay")
        drop_text_file(page, greedy_match_record("atlandice", 2))
        page.get_by_role("button", name=re.compile("Look back|Review")).click()
        look = page.get_by_test_id("look")
        expect(look).to_have_attribute("data-state", "working", timeout=PATIENCE_MS)
        expect(page.get_by_role("status").filter(has_text="moments")).to_be_visible(timeout=PATIENCE_MS)
        expect(look).to_have_attribute("data-state", "kept", timeout=PATIENCE_MS)
        moments = page.locator("[data-testid=moments] button")
        expect(moments.first).to_be_visible()
        assert 1 <= moments.count() <= 5
        assert page.get_by_test_id("said").inner_text()
        assert all(address.startswith((site, "blob:")) for address in asked), "a request left the site"

"""What others do is skipped, in a real browser: with a tap action by action, by the button up to one's own turn."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.client.conftest import DESK, STATIC, quote_json_twice
from tests.client.match_records import record_before_choice
from tests.client.overlap_measurement import NEVER
from tests.client.page_player import Player
from tests.client.test_table import ordered
from tests.conftest import LONG, lacking
from tests.server.real_server import ServerProcess

pytestmark = pytest.mark.once


@pytest.fixture
def ana(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Player]:
    """Somebody at a server whose bots never move by themselves, before a page whose clock can be stopped."""
    if not (STATIC / "index.html").is_file():
        lacking("the client is not built (make client)")
    with ServerProcess(
        str(tmp_path_factory.mktemp("pace") / "tables.sqlite"), static=str(STATIC), pace=NEVER, hold=NEVER
    ) as server:
        context = browser.new_context(
            viewport=DESK,  # type: ignore[arg-type]
            locale="en-GB",
            base_url=server.url,
            service_workers="block",
        )
        context.set_default_timeout(LONG * 1000)
        kept = {"language": "en", "speed": "slow", "sound": False}
        context.add_init_script(f"localStorage['landfall.settings']={quote_json_twice(kept)}")
        page = context.new_page()
        page.clock.install()
        yield Player(page, [], server.url, False).set_name_by_request()
        context.close()


def tapped(page: Page) -> bool:
    """A tap anywhere on the sea shows where the action leads; whether that is one's own choice."""
    page.mouse.click(60, 500)
    return page.locator("[data-mine=true]").count() > 0


def test_what_is_shown_is_skipped(ana: Player) -> None:
    page = ana.page
    record, seat = record_before_choice("survive", 2, "walk")
    table = ana.opened(record, 1 - seat)
    shown = page.locator(".table")
    expect(shown).to_have_attribute("data-mine", "false")  # a skip ends when nobody is connected any more
    # What the bot does is shown, and goes on being shown while the page's clock stands still.
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 1)
    ordered(page, table, {"t": "skip"})
    expect(shown).to_have_attribute("data-busy", "true")
    ana.until(lambda: tapped(page))
    expect(shown).to_have_attribute("data-busy", "false")
    page.clock.resume()
    # The same by the button.
    ana.opened(record, 1 - seat)
    page.get_by_role("button", name="Skip to my turn").click()
    expect(shown).to_have_attribute("data-mine", "true")

"""Playing without a server or a network, at a page that a server once brought: kept, gone on with, renewed, deleted."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.client.atlandice import City
from tests.client.conftest import STATIC
from tests.client.here import ENTRIES, KEPT, THERE, download, drop, reopened, visitor
from tests.client.player import Player
from tests.conftest import lacking
from tests.server.real import ServerProcess

pytestmark = [pytest.mark.once, pytest.mark.proof]
LATER = "-later"
# Look for a newer service worker; wait until it has begun, if there is one.
RENEW = """async () => {
  const found = await navigator.serviceWorker.ready
  await found.update().catch(() => undefined)
}"""


def renewed(folder: Path) -> Path:
    """The client as a later version is: all its scripts and styles have other names, and the old ones are gone."""
    shutil.copytree(STATIC, folder, ignore=shutil.ignore_patterns("*.br", "*.gz"))
    shutil.copytree(STATIC / "here", folder / "here", dirs_exist_ok=True)
    named = [path for path in (folder / "assets").iterdir() if path.suffix in (".js", ".css")]
    assert len(named) > 50
    names = re.compile("|".join(rf"{path.stem}(?=\{path.suffix})" for path in named))
    for path in [*named, *(folder / name for name in ("index.html", "app.json", "sw.js"))]:
        path.write_text(names.sub(lambda found: found.group() + LATER, path.read_text(encoding="utf-8")), "utf-8")
    for path in named:
        path.rename(path.with_stem(path.stem + LATER))
    return folder


def is_later(page: Page) -> bool:
    """Whether the page is of the later version."""
    return LATER in (page.locator("script[type=module]").first.get_attribute("src") or "")


def home(page: Page) -> None:
    """To the first page, as a link does it."""
    page.evaluate("() => document.body.appendChild(Object.assign(document.createElement('a'), {href: '/'})).click()")


def goes_on(ana: Player, city: City, choices: int) -> int:
    """Choose so often; the number of entries that the log has then."""
    before: int = ana.page.evaluate(ENTRIES)
    ana.play(city.step, choices)
    ana.until(lambda: ana.page.evaluate(ENTRIES) >= before + choices)
    return before + choices


def test_a_match_goes_on_without_a_network_through_a_new_version(browser: Browser, tmp_path: Path) -> None:
    if not (STATIC / "here" / "manifest.json").is_file():
        lacking("what plays without a server is not built (make client)")
    first, later = shutil.copytree(STATIC, tmp_path / "first"), renewed(tmp_path / "later")
    with (
        ServerProcess(str(tmp_path / "tables.sqlite"), static=str(first)) as server,
        visitor(browser, server.url) as (ana, asked),
    ):
        page, context = ana.go("/").page, ana.page.context
        expect(page.get_by_test_id("here")).to_have_attribute("data-state", "offered")
        brought = [url for url in asked if "/here/" in url or "/app.json" in url]
        assert [url.rpartition("/")[2] for url in brought] == ["manifest.json"]  # and nothing else, unasked
        download(ana)
        ana.until(lambda: page.evaluate(KEPT) == 1)

        context.set_offline(True)
        page.goto("/")
        expect(page.get_by_test_id("line")).to_have_attribute("data-line", "offline")
        page.get_by_role("button", name="Play now: Atlandice").click()
        ana.wait()
        city = City(ana)
        played = goes_on(ana, city, 3)
        table = page.url
        page = reopened(ana, city, table)
        assert goes_on(ana, city, 1) > played

        server.kill()  # and it comes back with a later version
        server.told["static"] = str(later)
        server.start()
        page.evaluate(RENEW)  # the browser may look by itself, while the page has no network
        context.set_offline(False)
        page.evaluate(RENEW)
        goes_on(ana, city, 1)  # nothing is forced
        assert not is_later(page)
        home(page)
        page.get_by_role("button", name="Use it now").click(no_wait_after=True)  # the page goes under the click
        ana.until(lambda: is_later(page))
        ana.until(lambda: page.evaluate(KEPT) == 2)

        context.set_offline(True)
        page.goto(table)
        ana.wait()
        assert is_later(page)
        goes_on(ana, city, 1)
        page.goto("/")
        kept = page.locator(f"{THERE} [data-testid=kept]")
        expect(kept).to_have_count(1)
        with page.expect_download() as saved:
            kept.get_by_role("link", name="Save the record").click()
        record = saved.value.path().read_text()
        assert record.startswith("landfall record 1\ngame: atlandice\n")
        kept.get_by_role("button", name="Delete").click()
        kept.get_by_role("button", name="Really delete?").click()
        expect(kept).to_have_count(0)
        drop(page, record)
        expect(page.get_by_role("button", name="Play on from here")).to_be_visible()

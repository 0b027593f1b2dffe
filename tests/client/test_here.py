"""Playing without a server or a network, at a page that a server once brought: kept, gone on with, renewed, deleted."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.client.atlandice_player import CHIP, GIVE, GO, PIECE, SIGN, City
from tests.client.conftest import STATIC, record_page_errors
from tests.client.devtools_browser import Bare, open_devtools_page
from tests.client.offline_site import (
    ENTRIES,
    KEPT,
    THERE,
    download_offline_bundle,
    drop_text_file,
    phone_visitor,
    reopen_page,
)
from tests.client.page_player import Player
from tests.conftest import lacking
from tests.server.real_server import ServerProcess

pytestmark = pytest.mark.once
LATER = "-later"
# Look for a newer service worker; wait until it has begun, if there is one.
RENEW = """async () => {
  const found = await navigator.serviceWorker.ready
  await found.update().catch(() => undefined)
}"""
# All entries of the logs of this device, in their order.
LOGS = "(" + ENTRIES.replace(".count()", ".getAll()") + ")().then((all) => all.map((one) => JSON.stringify(one)))"
# One press of somebody who plays Atlandice, if there is something to press.
STEP = f"""{{
  const press = (selector) => {{
    const one = document.querySelector(selector)
    one?.dispatchEvent(new MouseEvent('click', {{ bubbles: true }}))
    return Boolean(one)
  }}
  {" || ".join(f"press({way!r})" for way in (GO, GIVE, CHIP, PIECE, SIGN))}
}}"""


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


def goes_on(ana: Player, city: City, choices: int) -> int:
    """Choose so often; the number of entries that the log has then."""
    before: int = ana.page.evaluate(ENTRIES)
    ana.play(city.step, choices)
    ana.until(lambda: ana.page.evaluate(ENTRIES) >= before + choices)
    return before + choices


def test_it_can_be_installed_and_its_start_needs_no_network(browser: Browser, server: ServerProcess) -> None:
    """What browsers ask of a page that can be installed, the manifest as Chromium itself reads it. Its own verdict,
    Page.getInstallabilityErrors, is empty for every page of a browser without windows: it would say nothing."""
    with phone_visitor(browser, server.url) as (ana, _):
        page = ana.go("/").page
        ana.until(lambda: page.evaluate(KEPT) == 1)
        tools = page.context.new_cdp_session(page)
        found = tools.send("Page.getAppManifest")
        assert (found["errors"], found["url"]) == ([], f"{server.url}/manifest.webmanifest")
        read = found["manifest"]
        assert (read["name"], read["display"]) == ("Landfall", "kStandalone")
        assert (read["startUrl"], read["scope"]) == (f"{server.url}/", f"{server.url}/")
        icons = {(icon["sizes"], icon.get("purpose", "any")) for icon in json.loads(found["data"])["icons"]}
        assert icons >= {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")}
        assert len(read["screenshots"]) == 4
        page.context.set_offline(True)
        page.goto(read["startUrl"])
        # Which of the two depends on what the browser tells a page that its tools look into.
        expect(page.get_by_test_id("line")).to_have_attribute("data-line", re.compile("offline|gone"))
        assert page.evaluate("() => navigator.serviceWorker.controller?.scriptURL") == f"{server.url}/sw.js"
        page.context.set_offline(False)
        page.goto("/api/games")
        assert tools.send("Page.getAppManifest")["url"] == ""  # a page that has none


@pytest.mark.proof
def test_what_one_page_deletes_is_gone_for_another(browser: Browser, server: ServerProcess) -> None:
    """Two pages of one device, each with a worker of its own, which hear of it by a channel."""
    if not (STATIC / "here" / "manifest.json").is_file():
        lacking("what plays without a server is not built (make client)")
    with phone_visitor(browser, server.url) as (ana, _):
        page = ana.go("/").page
        download_offline_bundle(ana)
        page.get_by_role("button", name="Play here: Atlandice").click()
        ana.wait()
        entries: int = page.evaluate(ENTRIES)
        assert entries > 0
        other = page.context.new_page()
        record_page_errors(other, ana.errors)
        other.goto("/")
        kept = other.locator(f"{THERE} [data-testid=kept]")
        kept.get_by_role("button", name="Delete").click()
        kept.get_by_role("button", name="Really delete?").click()
        expect(kept).to_have_count(0)
        expect(page.locator("main.gone h1")).to_be_visible()
        assert page.evaluate(ENTRIES) == 0


@pytest.mark.proof
def test_a_match_goes_on_without_a_network(browser: Browser, server: ServerProcess) -> None:
    if not (STATIC / "here" / "manifest.json").is_file():
        lacking("what plays without a server is not built (make client)")
    with phone_visitor(browser, server.url) as (ana, asked):
        page, context = ana.go("/").page, ana.page.context
        expect(page.get_by_test_id("here")).to_have_attribute("data-state", "offered")
        brought = [url for url in asked if "/here/" in url or "/app.json" in url]
        assert [url.rpartition("/")[2] for url in brought] == ["manifest.json"]  # and nothing else, unasked
        download_offline_bundle(ana)
        ana.until(lambda: page.evaluate(KEPT) == 1)

        context.set_offline(True)
        page.goto("/")
        expect(page.get_by_test_id("line")).to_have_attribute("data-line", "offline")
        page.get_by_role("button", name="Play now: Atlandice").click()
        ana.wait()
        city = City(ana)
        played = goes_on(ana, city, 3)
        table = page.url
        page = reopen_page(ana, city, table)
        assert goes_on(ana, city, 1) > played
        page.goto("/")
        kept = page.locator(f"{THERE} [data-testid=kept]")
        expect(kept).to_have_count(1)
        with page.expect_download() as saved:
            kept.get_by_role("link", name="Save match file").click()
        record = saved.value.path().read_text()
        assert record.startswith("landfall record 1\ngame: atlandice\n")
        kept.get_by_role("button", name="Delete").click()
        kept.get_by_role("button", name="Really delete?").click()
        expect(kept).to_have_count(0)
        drop_text_file(page, record)
        expect(page.get_by_role("button", name="Play on from here")).to_be_visible()


def chosen(page: Bare, choices: int) -> None:
    """Choose so often in an Atlandice match, until its log has that: nobody else is to choose meanwhile."""
    for _ in range(choices):
        page.until("Boolean(document.querySelector('[data-mine=true]'))")
        before: int = page.run(f"({ENTRIES})()")
        page.until(f"(async () => {{ {STEP}; return (await ({ENTRIES})()) > {before} }})()")


@pytest.mark.proof
def test_a_new_version_during_a_match_loses_nothing(tmp_path: Path) -> None:
    """It is offered, not forced; used, it goes on with the match where it was, again without a server."""
    if not (STATIC / "here" / "manifest.json").is_file():
        lacking("what plays without a server is not built (make client)")
    first, later = shutil.copytree(STATIC, tmp_path / "first"), renewed(tmp_path / "later")
    is_later = f"document.querySelector('script[type=module]')?.src.includes({LATER!r})"
    with (
        ServerProcess(str(tmp_path / "tables.sqlite"), static=str(first)) as server,
        open_devtools_page(tmp_path / "browser") as page,
    ):
        page.go(server.url)
        page.press("Play offline")
        page.until(f"({KEPT})().then((kept) => kept === 1)")
        page.press("Play here: Atlandice")
        chosen(page, 2)
        server.kill()  # and it comes back with a later version
        server.settings["static"] = str(later)
        server.start()
        page.run(f"({RENEW})()")
        chosen(page, 1)
        assert page.run(is_later) is False  # nothing is forced
        table = page.run("location.href")
        played = page.run(LOGS)
        assert len(played) >= 3
        page.run("document.body.appendChild(Object.assign(document.createElement('a'), {href: '/'})).click()")
        page.press("Use it now")
        page.until(is_later)
        page.until(f"({KEPT})().then((kept) => kept === 2)")
        server.kill()
        page.go(table)
        page.until("Boolean(document.querySelector('[data-mine=true], [data-testid=end]'))")
        assert page.run(is_later)
        assert page.run(LOGS)[: len(played)] == played
        chosen(page, 1)

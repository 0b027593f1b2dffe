"""Tables without a server: a folder of files before a browser, and whole matches played from it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect

from tests.client import atlandice_player, atlantis_player, survive_player
from tests.client.conftest import PHONE, quote_json_twice, record_page_errors
from tests.client.page_player import Player
from tests.conftest import LONG
from tests.repository_files import REPO

SITE = REPO / "site"
PLAYS: dict[str, Any] = {
    "survive": survive_player.Decisions,
    "atlantis": atlantis_player.Table,
    "atlandice": atlandice_player.City,
}
NAMES = {"survive": "Survive", "atlantis": "Atlantis", "atlandice": "Atlandice"}
THERE = "[data-testid=here][data-state=there]"
# What somebody has set who was never here before, as a script for every page; what they set later stays.
SET = quote_json_twice({"language": "en", "speed": "none", "sound": False})
AT_FIRST = f"if(!localStorage['landfall.settings'])localStorage['landfall.settings']={SET}"
# How many versions of the app are kept, if the latest is whole: its page is put away last.
KEPT = """async () => {
  const names = (await caches.keys()).filter((name) => name.startsWith('landfall-app-'))
  const home = new URL('./', location.href.split('#')[0]).href
  return names.length && (await (await caches.open(names.at(-1))).match(home)) ? names.length : 0
}"""
# How many entries the logs of this device have.
ENTRIES = """() => new Promise((done) => {
  indexedDB.open('landfall').onsuccess = ({ target: { result: db } }) =>
    (db.transaction('entries').objectStore('entries').count().onsuccess = ({ target: { result } }) => {
      db.close()
      done(result)
    })
})"""


@contextmanager
def serve_folder(folder: Path) -> Iterator[str]:
    """A folder behind the plainest file server there is."""
    command = [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        port = process.stdout.readline().split(" port ")[1].split()[0]
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()


def download_offline_bundle(player: Player) -> None:
    """Ask for the games, and wait until they are on this device."""
    page = player.page
    expect(page.get_by_test_id("here")).to_have_attribute("data-state", "offered")
    page.get_by_role("button", name="Play offline").click()
    page.locator(THERE).wait_for()


@contextmanager
def phone_visitor(browser: Browser, url: str) -> Iterator[tuple[Player, list[str]]]:
    """Somebody with a phone, and every address their pages and workers asked for."""
    context = browser.new_context(
        viewport=PHONE,  # type: ignore[arg-type]
        has_touch=True,
        is_mobile=True,
        locale="en-GB",
        base_url=url,
        reduced_motion="reduce",
    )
    context.set_default_timeout(LONG * 1000)
    context.add_init_script(AT_FIRST)
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    page = context.new_page()
    errors: list[str] = []
    record_page_errors(page, errors)
    yield Player(page, errors, url, phone=True), asked
    context.close()
    assert errors == []


def reopen_page(player: Player, decisions: Any, address: str) -> Page:
    """Close the page, and come back to where it was."""
    context = player.page.context
    player.page.close()
    player.page = decisions.page = page = context.new_page()
    record_page_errors(page, player.errors)
    page.goto(address)
    player.wait()
    return page


def drop_text_file(page: Page, text: str) -> None:
    """Let a file with that text fall onto the page."""
    make = "(text) => { const all = new DataTransfer(); all.items.add(new File([text], 'a.landfall')); return all }"
    held = page.evaluate_handle(make, text)
    for event in ("dragover", "drop"):
        page.dispatch_event("body", event, {"dataTransfer": held})


def check_rule_diagrams_share_python(browser: Browser, url: str) -> dict[str, int]:
    """Positions beside rules, drawn and touched, ask the one Python of their page."""
    with phone_visitor(browser, url) as (ana, _):
        page = ana.go("/").page
        download_offline_bundle(ana)
        page.goto(f"{url}/?again#/learn/atlandice")  # a page of its own, without the worker of home
        frames = page.locator("iframe[src*=figure]")
        frames.first.wait_for()
        for frame in frames.all():
            frame.scroll_into_view_if_needed()
            frame.content_frame.get_by_test_id("figure").wait_for()
        found = page.frame_locator("iframe[src*='AD.V1']")
        found.locator("button[data-space=library]").dispatch_event("click")  # no die lies there
        expect(found.get_by_role("status").get_by_role("link")).to_be_visible()
        assert len(page.workers) == 1, [worker.url for worker in page.workers]
        return {"positions beside rules": frames.count()}


def play_whole_match_offline(browser: Browser, url: str, game: str, shots: Path | None = None) -> dict[str, int]:
    """From the first visit to the score: the network is cut after the visit, the page closed in the middle and opened
    again; nothing is asked elsewhere."""
    with phone_visitor(browser, url) as (ana, asked):
        page = ana.go("/").page
        download_offline_bundle(ana)
        ana.until(lambda: page.evaluate(KEPT))
        page.context.set_offline(True)
        page.goto("/")
        expect(page.get_by_test_id("line")).to_have_attribute("data-line", "offline")
        page.get_by_role("button", name=f"Play now: {NAMES[game]}").click()
        ana.wait()
        decisions = PLAYS[game](ana)
        ana.play(decisions.step, 5)
        page = reopen_page(ana, decisions, page.url)
        if shots is not None:
            page.screenshot(path=shots / f"{game}.png")
        assert ana.play(decisions.step, 1000), "the match did not end"
        expect(page.get_by_test_id("end")).to_be_visible()
        if shots is not None:
            page.screenshot(path=shots / f"{game}-end.png")
        assert all(address.startswith((url, "blob:")) for address in asked), "a request left the site"
        return {"matches": 1, "requests": len(asked), "decisions": sum(decisions.done.values())}

"""A real Chromium before a real server: what the browser tests share."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from landfall.core.languages import LANGUAGE_TABLE
from tests.client.page_player import Player
from tests.conftest import LONG, lacking
from tests.repository_files import REPO
from tests.server.real_server import ServerProcess

STATIC = Path(os.environ.get("LANDFALL_STATIC", REPO / "src" / "landfall" / "web" / "static"))
DESK = {"width": 1440, "height": 900}
PHONE = {"width": 390, "height": 844}
expect.set_options(timeout=LONG * 1000)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with the built client, whose bots do not wait."""
    if not (STATIC / "index.html").is_file():
        lacking("the client is not built (make client)")
    database = tmp_path_factory.mktemp("client") / "tables.sqlite"
    with ServerProcess(str(database), static=str(STATIC)) as running:
        yield running


def chromium() -> str | None:
    """Where this machine's browser is."""
    return next((path for name in ("chromium-headless-shell", "chromium") if (path := shutil.which(name))), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    found = chromium()
    if found is None:
        lacking("Chromium (make machine)")
    quiet = ["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"]
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=found, args=quiet)
        yield running
        running.close()


Sit = Callable[..., Player]


@pytest.fixture
def sit(browser: Browser, server: ServerProcess) -> Iterator[Sit]:
    """Somebody at a browser of their own. Errors on their pages fail the test."""
    open_: list[tuple[BrowserContext, list[str]]] = []

    def come(*, phone: bool = False, speed: str = "none", language: str = "en", **settings: Any) -> Player:
        context = browser.new_context(
            viewport=PHONE if phone else DESK,  # type: ignore[arg-type]
            has_touch=phone,
            is_mobile=phone,
            locale=LANGUAGE_TABLE[language]["tag"],
            base_url=server.url,
            ignore_https_errors=True,  # the proxy of tests/client/test_tls.py has a certificate of its own making
            reduced_motion="reduce" if speed == "none" else "no-preference",
            service_workers="block",  # who comes once needs none; tests/client/test_here.py is about it
        )
        context.set_default_timeout(LONG * 1000)
        told = {"recap": False, "recapTables": ["1", "2", "3"]}  # tests/client/test_recap.py is about it
        kept = {"language": language, "speed": speed, "sound": False, **told, **settings}
        context.add_init_script(
            f"if(!localStorage['landfall.settings'])localStorage['landfall.settings']={quote_json_twice(kept)}"
        )
        page = context.new_page()
        errors: list[str] = []
        record_page_errors(page, errors)
        open_.append((context, errors))
        return Player(page, errors, server.url, phone)

    yield come
    for context, _ in open_:
        context.close()
    assert [error for _, errors in open_ for error in errors] == []


def record_page_errors(page: Page, errors: list[str]) -> None:
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on(
        "console",
        lambda said: errors.append(said.text) if said.type == "error" and is_unexpected_error(said.text) else None,
    )


def is_unexpected_error(text: str) -> bool:
    """An error of ours, not a question answered with no, or a connection cut by a test."""
    return not any(words in text for words in ("status of 4", "WebSocket connection", "net::ERR", "status of 503"))


def quote_json_twice(value: dict[str, Any]) -> str:
    return json.dumps(json.dumps(value))

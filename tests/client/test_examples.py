"""A game the client has no drawings for, installed as a package of its own: played to the end on the plain table."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import urllib.parse
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from playwright.sync_api import expect

from tests.client.conftest import STATIC, Sit
from tests.client.page_player import CHOICE
from tests.conftest import lacking
from tests.example_packages import FOLDERS, game_name_of_package, install_package
from tests.repository_files import REPO
from tests.server.real_server import ServerProcess, free_port

pytestmark = pytest.mark.once

# Counts how often the diver has moved.
WATCH_PIECES = """() => {
    window.pieceMoves = 0
    const watcher = new MutationObserver(() => window.pieceMoves++)
    watcher.observe(document.querySelector('[data-piece=diver]'), { attributes: true, attributeFilter: ['style'] })
}"""


class Apart(ServerProcess):
    """A server in a Python that has the package: the fork server's children know only what is here."""

    def __init__(self, env: dict[str, str], database: str) -> None:
        settings = {"database": database, "port": free_port(), "static": str(STATIC)}
        self.settings = settings
        self.url = f"http://127.0.0.1:{settings['port']}"
        command = [sys.executable, "-m", "tests.server.server_process", json.dumps(settings)]
        self.running = subprocess.Popen(command, cwd=REPO, env=env)
        self.process = SimpleNamespace(exitcode=None)  # type: ignore[assignment]  # as far as `ready` asks


@pytest.fixture(scope="module", params=[pytest.param(folder, id=folder.name) for folder in FOLDERS])
def game(request: pytest.FixtureRequest) -> Path:
    folder: Path = request.param
    return folder


@pytest.fixture(scope="module")
def server(game: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Apart]:
    if not (STATIC / "index.html").is_file():
        lacking("the client is not built (make client)")
    where = tmp_path_factory.mktemp(game.name)
    apart = Apart(install_package(game, where), str(where / "tables.sqlite"))
    try:
        apart.ready()
        yield apart
    finally:
        apart.running.terminate()
        apart.running.wait()


@pytest.mark.parametrize("phone", [pytest.param(False, marks=pytest.mark.proof), True], ids=["desk", "phone"])
def test_a_match_on_the_plain_table(sit: Sit, game: Path, phone: bool) -> None:
    name = game_name_of_package(game)
    ana = sit(phone=phone, language="pt" if phone else "en").set_name_by_request()
    page = ana.page
    title = json.loads(next(game.glob(f"*/texts/{'pt' if phone else 'en'}.json")).read_text("utf-8"))["game.title"]
    ana.go("/")
    expect(page.get_by_role("heading", name=title)).to_be_visible()
    # It has no lesson, so none of so many minutes is promised.
    assert not re.search(r"\d", page.locator(f"a[href='/learn/{name}']").text_content() or "4")
    assert re.search(r"\d", page.locator("a[href='/learn/survive']").text_content() or "")
    table = ana.open_quick_table(name, 3, level="greedy")
    ana.wait()
    picture = page.locator(".stage img.picture")
    src = picture.get_attribute("src") or ""
    assert src.startswith("data:image/svg+xml"), "the picture is an image of its own"
    assert "<svg" in urllib.parse.unquote(src)
    assert page.evaluate("document.querySelector('.stage img.picture').naturalWidth") > 0, "the browser cannot draw it"

    # What is no choice is refused with its rule, in words.
    offered = page.locator(".plain li small").all_text_contents()
    refused = next(text for text in ("d1", "d2", "d3", "d4") if text not in offered)
    page.locator(".plain input").fill(refused)
    page.locator(".plain form button").click()
    expect(page.locator(".card.toast a")).to_have_attribute("href", re.compile(f"/learn/{name}#PL\\.(T1|D2)$"))

    # A place of the picture that is a choice can be pressed, and the piece that stood there moves.
    page.evaluate(WATCH_PIECES)
    spot = page.locator("[data-spot^=d].legal").first
    expect(spot).to_have_attribute("aria-label", re.compile(r"\w"))
    spot.click()
    ana.until(lambda: page.evaluate("window.pieceMoves > 0"))
    ana.wait()

    def choose() -> None:
        assert ana.press(CHOICE)

    if not phone:  # where the log is in sight; a card is drawn after every choice, so that all must agree
        told = page.locator("[data-testid=log] li")
        before = told.count()
        choose()
        expect(told).not_to_have_count(before)
        ana.wait()
        page.keyboard.press("u")
        page.locator(".card.toast .btn").click()
        expect(told).to_have_count(before)
        ana.wait()
    assert ana.play(choose)
    assert page.locator("[data-testid=end] li").count() == 3
    # Told again with open eyes, there is a picture for each seat: that of who chooses, until one asks for another.
    sides, seen = page.locator(".sides button"), set[str | None]()
    for moment in range(20, 32, 3):
        ana.go(f"/replay/{table}?at={moment}")
        expect(sides).to_have_count(3)
        expect(page.locator(".sides .on")).to_have_count(1)
        seen.clear()
        for side in sides.all():
            side.click()
            expect(side).to_have_attribute("aria-pressed", "true")
            seen.add(page.locator(".stage img.picture").get_attribute("src"))
        if len(seen) == 3:  # two hands may be alike by chance, but not for long
            break
    assert len(seen) == 3, "hands differ, and all three are shown"
    ana.go(f"/replay/{table}?at=20&seat=0")
    expect(page.locator(".stage img.picture")).to_be_visible()
    expect(sides).to_have_count(0)
    ana.go(f"/learn/{name}#PL.D2")
    expect(page.locator("[id='PL.D2']")).to_be_visible()

"""Takes the README's pictures again from the real thing: `python -m tests.client.readme_pictures`."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.client.conftest import DESK, PHONE, STATIC
from tests.client.match_records import greedy_match_record
from tests.client.page_player import Player
from tests.client.survive_player import PIECES, Decisions
from tests.repository_files import REPO
from tests.server.real_server import ServerProcess

FOLDER = REPO / "docs" / "pictures"


def open_page(browser: Browser, server: ServerProcess, phone: bool) -> Player:
    context = browser.new_context(
        viewport=PHONE if phone else DESK,  # type: ignore[arg-type]
        has_touch=phone,
        is_mobile=phone,
        device_scale_factor=2 if phone else 1,
        base_url=server.url,
        locale="en-GB",
    )
    settings = '{"language":"en","speed":"none","sound":false,"theme":"light"}'
    context.add_init_script(f"localStorage['landfall.settings'] = {settings!r}")
    return Player(context.new_page(), [], server.url, phone).set_name_by_request("Ana")


def take_screenshot(page: Page, name: str) -> None:
    page.wait_for_timeout(1200)
    page.screenshot(path=FOLDER / f"{name}.jpg", type="jpeg", quality=84)
    print(name)


def take_all_pictures(browser: Browser, server: ServerProcess) -> None:
    desk, phone = open_page(browser, server, False), open_page(browser, server, True)
    desk.go("/")
    take_screenshot(desk.page, "home")
    desk.open_quick_table("survive", 4, "mackerel")
    desk.wait()
    take_screenshot(desk.page, "survive-setup")
    for game, players, at in (("survive", 4, 210), ("atlantis", 4, 130), ("atlandice", 4, 60)):
        record = greedy_match_record(game, players, seed=5)
        for player, name in ((desk, game), (phone, f"{game}-phone")):
            player.opened(record, 0, at, "mackerel")
            player.wait()
            if game == "survive":
                Decisions(player).touch(PIECES)
            else:
                player.press(".mine[data-piece]")
            take_screenshot(player.page, name)
    ended = desk.opened(greedy_match_record("survive", 4, seed=8), 0)
    desk.page.wait_for_selector("[data-testid=end]")
    take_screenshot(desk.page, "survive-end")
    desk.go(f"/replay/{ended}/look")
    with desk.http() as http:
        desk.until(lambda: http.get(f"/api/tables/{ended}/review").json()["state"] == "kept")
        puzzle = http.get("/api/puzzles/atlantis").json()[0]["id"]
    desk.page.keyboard.press("PageDown")
    take_screenshot(desk.page, "review")
    desk.go(f"/puzzle/atlantis/{puzzle}")
    take_screenshot(desk.page, "puzzle")
    desk.go("/first/atlandice")
    desk.wait()
    take_screenshot(desk.page, "guide")


def main() -> None:
    found = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    with (
        tempfile.TemporaryDirectory() as folder,
        ServerProcess(str(Path(folder, "tables.sqlite")), static=str(STATIC)) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=found)
        take_all_pictures(browser, server)
        browser.close()


if __name__ == "__main__":
    main()

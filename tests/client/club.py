"""A club for pages: a database with accounts and rated matches, and pictures of the pages that show them.

`python -m tests.client.club FOLDER` takes the pictures in every window and language.
"""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

from landfall.core.rng import Rng
from landfall.core.texts import LANGUAGES
from landfall.store.factory import make_store
from landfall.store.names import skeleton
from landfall.store.rows import UserRecord
from landfall.tables.log.loading import load_table
from landfall.tables.ratings.rate_match import rate_match
from landfall.web.identity import PASSWORD_HASHER
from tests.client.conftest import STATIC, chromium
from tests.ratings.simulated_matches import SimulatedPlayer, finished_match, rated_log, seat_by_strength, write_match
from tests.server.real_server import ServerProcess

PASSWORD = "a long password"
NAMES = ["Ana", "Boris", "小雨", "Inês", "Димитър", "Stoyan", "Vera", "Rafael", "Beatriz", "João", "Kalina", "Otto"]
WINDOWS = [(1440, 900), (390, 844), (844, 390), (768, 1024)]
PAGES = {"player": "/player/Ana", "leaders": "/leaders/atlandice/3", "me": "/me", "new": "/new/atlandice"}


async def fill(database: str, matches: int) -> None:
    """Accounts with one password, and rated matches of the last weeks."""
    store = make_store(database)
    await store.open()
    try:
        chance = random.Random(5)
        players = [SimulatedPlayer(f"person-{n}", name, 34 - 2 * n) for n, name in enumerate(NAMES)]
        now, hashed = int(time.time() * 1000), PASSWORD_HASHER.hash(PASSWORD)
        for one in players:
            user = UserRecord(one.id, one.name, now, now, one.name.casefold(), hashed, False, skeleton(one.name))
            await store.add_user(user)
        for number in range(matches):
            count = chance.choice([2, 3, 4, 4])
            match = finished_match("atlandice", count, number % 6)
            seated = seat_by_strength(match, [players[0], *chance.sample(players[1:], count - 1)], chance)
            if number % 2:
                seated = seat_by_strength(match, chance.sample(players, count), chance)
            at = now - (matches - number) * 40_000_000 // 8
            await write_match(store, rated_log(f"club-{number:04}", at, match, seated))
            table = load_table(f"club-{number:04}", await store.read_entries(f"club-{number:04}"), Rng(0))
            await rate_match(store, table, table.last_at)
    finally:
        await store.close()


def take_pictures(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    database = str(Path(tempfile.mkdtemp()) / "club.sqlite")
    asyncio.run(fill(database, 120))
    with ServerProcess(database, static=str(STATIC)) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium())
        for language in LANGUAGES:
            context = browser.new_context(base_url=server.url, service_workers="block", reduced_motion="reduce")
            context.request.post("/api/login", data={"name": "Ana", "password": PASSWORD})
            page = context.new_page()
            page.add_init_script(f"localStorage['landfall.settings']='{{\"language\":\"{language}\"}}'")
            for width, height in WINDOWS:
                page.set_viewport_size({"width": width, "height": height})
                for name, path in PAGES.items():
                    page.goto(path, wait_until="networkidle")
                    wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
                    if wide:
                        print(f"{name} {language} {width}x{height}: wider than the window")
                    page.screenshot(path=folder / f"{name}-{language}-{width}x{height}.png", full_page=width < 500)
            context.close()
        browser.close()


if __name__ == "__main__":
    take_pictures(Path(sys.argv[1]))

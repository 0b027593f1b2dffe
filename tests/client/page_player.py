"""Somebody at a browser who plays by what the page offers: clicks, taps or keys, never by the server's messages."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import httpx
from playwright.sync_api import Error, Page, Request

from tests.client.match_records import greedy_record_near_end
from tests.conftest import LONG

CHOICE = "[data-choice]:not([disabled]):not([aria-disabled=true])"

# The middle of everything the selector finds that nothing lies over.
SPOTS = """(selector) => [...document.querySelectorAll(selector)].flatMap((one) => {
  const box = one.getBoundingClientRect()
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  const top = box.width ? document.elementFromPoint(x, y) : null
  return top && (one.contains(top) || top.closest(selector) === one) ? [[x, y]] : []
})"""


# Whether it is one's own choice, or the match is over. Who wants no motion does not wait for others' actions, either.
ASKED = """() => {
  if (document.querySelector('[data-mine=true], [data-testid=end]')) return true
  if (JSON.parse(localStorage['landfall.settings']).speed === 'none')
    document.querySelector('[data-control=skip]')?.click()
  return false
}"""


class Player:
    """One page. `rng` decides what is chosen among what is offered."""

    def __init__(self, page: Page, errors: list[str], url: str, phone: bool) -> None:
        self.page = page
        self.errors = errors
        self.url = url
        self.phone = phone
        self.rng = random.Random(7)

    def go(self, path: str) -> Player:
        self.page.goto(path)
        return self

    def settled(self, path: str) -> Page:
        """Go there, until nothing has been asked for half a second. Playwright's own word for that may never come where
        a page has frames, though nothing is under way."""
        asked: set[Request] = set()
        page, quiet = self.page, 0

        def begun(request: Request) -> None:
            asked.add(request)

        def done(request: Request) -> None:
            asked.discard(request)

        page.on("request", begun)
        page.on("requestfinished", done)
        page.on("requestfailed", done)
        self.go(path)
        for _ in range(10 * LONG):
            page.wait_for_timeout(100)
            quiet = 0 if asked else quiet + 1
            if quiet == 5:
                break
        assert not asked, [request.url for request in asked]
        page.remove_listener("request", begun)
        page.remove_listener("requestfinished", done)
        page.remove_listener("requestfailed", done)
        return page

    # --- asking the server besides, with the page's own cookie --------------------------------------------------

    def http(self) -> httpx.Client:
        """The same person, asking the server without the page."""
        kept = {c["name"]: c["value"] for c in self.page.context.cookies()}
        return httpx.Client(base_url=self.url, cookies=kept, timeout=LONG)

    def set_name_by_request(self, name: str = "Ana") -> Player:
        """Take a name without going through the page."""
        answer = self.page.request.post(f"{self.url}/api/me", data={"name": name})
        assert answer.ok, answer.text()
        return self

    def play_now_from_home(self, title: str) -> Player:
        """A table against bots, from the home page by the mouse."""
        self.go("/").page.get_by_role("button", name=title).get_by_text("Play now").click()
        self.page.wait_for_url("**/t/*")
        return self

    def open_quick_table(self, game: str, players: int, level: str = "sprat", **options: Any) -> str:
        """A table against bots; its id. The page goes there."""
        body = {"game": game, "players": players, "options": options, "bots": [level] * (players - 1)}
        answer = self.page.request.post(f"{self.url}/api/tables/quick", data=body)
        assert answer.ok, answer.text()
        table = str(answer.json()["table"])
        self.go(f"/t/{table}")
        return table

    def opened(self, record: str, seat: int, lines: int | None = None, level: str = "sprat") -> str:
        """A table that goes on from a record, up to a line of it; the page goes there."""
        body: dict[str, Any] = {"record": record, "seat": seat, "bots": level}
        if lines is not None:
            body["lines"] = lines
        answer = self.page.request.post(f"{self.url}/api/tables/open", data=body)
        assert answer.ok, answer.text()
        table = str(answer.json()["table"])
        self.go(f"/t/{table}")
        return table

    def begin(self, game: str, players: int, after: float) -> None:
        """A match against bots: from its first move, or from a turn of one's own after that share of it."""
        if after:
            self.opened(greedy_record_near_end(game, players, after), 0)
        else:
            self.open_quick_table(game, players)

    def log(self, table: str) -> list[str]:
        """The lines of a table's record: what was played is there, however fast bots go on after it."""
        with self.http() as http:
            return http.get(f"/api/tables/{table}/record").text.splitlines()

    # --- playing ------------------------------------------------------------------------------------------------

    def over(self) -> bool:
        """Whether the page shows the end of the match."""
        return self.page.locator("[data-testid=end]").count() > 0

    def asked(self) -> bool:
        """Whether the page lets this player choose now."""
        return self.page.locator("[data-mine=true]").count() > 0

    def wait(self) -> None:
        """Until it is this player's choice, or the match is over."""
        self.until(lambda: self.page.evaluate(ASKED))

    def until(self, holds: Callable[[], Any]) -> None:
        """Until something holds. (A page may not evaluate text by itself, so Playwright's own waiting does not do.)"""
        until = time.monotonic() + LONG
        while not holds():
            assert time.monotonic() < until, f"not so within {LONG} s"
            self.page.wait_for_timeout(30)

    def play(self, step: Callable[[], None], most: int = 400) -> bool:
        """Decide by `step` until the match is over, or so many times; whether it is over."""
        for _ in range(most):
            self.wait()
            if self.over():
                return True
            step()
        return False

    def press(self, selector: str) -> bool:
        """Click or tap one of what the selector finds, whichever the rng says; False if there is none."""
        spots: list[list[float]] = self.page.evaluate(SPOTS, selector)
        if spots:
            x, y = self.rng.choice(spots)
            if self.phone:
                self.page.touchscreen.tap(x, y)
            else:
                self.page.mouse.click(x, y)
            return True
        found = [one for one in self.page.locator(selector).all() if one.is_visible()]  # to be scrolled to
        while found:
            one = found.pop(self.rng.randrange(len(found)))
            try:
                if self.phone:
                    one.tap(timeout=10_000)
                else:
                    one.click(timeout=10_000)
                return True
            except Error:
                continue  # something lies over it, or it went away: another one
        return False

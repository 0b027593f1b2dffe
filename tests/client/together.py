"""Friends at one table without a server: each in a browser of their own, pages from a plain file server."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, BrowserType, expect

from tests.client.conftest import DESK, PHONE, chromium, listen
from tests.client.here import AT_FIRST, ENTRIES, PLAYS
from tests.client.player import Player
from tests.conftest import LONG, lacking

PEOPLE = ("Ana", "Ben", "Cleo", "Dan")
SEATED = "() => Boolean(document.querySelector('.table[data-busy]'))"


def launched(kind: BrowserType) -> Browser:
    """A browser that finds other browsers in the network: by names that end in .local."""
    found = chromium()
    if found is None:
        lacking("Chromium (make machine)")
    quiet = ["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost, EXCLUDE *.local"]
    return kind.launch(executable_path=found, args=quiet)


class Company:
    """A host and friends, each with a page; the decisions of each, by clicks."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.players: list[Player] = []
        self.decisions: list[Any] = []
        self.asked: list[str] = []

    def add(self, browser: Browser, phone: bool) -> Player:
        context: BrowserContext = browser.new_context(
            viewport=PHONE if phone else DESK,  # type: ignore[arg-type]
            has_touch=phone,
            is_mobile=phone,
            locale="en-GB",
            base_url=self.url,
            reduced_motion="reduce",
            service_workers="block",
        )
        context.set_default_timeout(LONG * 1000)
        context.add_init_script(AT_FIRST)
        context.on("request", lambda request: self.asked.append(request.url))
        page = context.new_page()
        errors: list[str] = []
        listen(page, errors)
        self.players.append(Player(page, errors, self.url, phone))
        return self.players[-1]

    @property
    def host(self) -> Player:
        return self.players[0]

    def settle(self, game: str, players: int) -> None:
        """The host makes a table whose other seats are for friends."""
        page = self.host.page
        page.goto(f"{self.url}/#/new/{game}")
        page.get_by_label("Your name").fill(PEOPLE[0])
        seats = page.get_by_role("combobox", name=re.compile("Who sits"))
        while seats.count() != players - 1:
            more = seats.count() < players - 1
            page.get_by_role("button", name="One more" if more else "One fewer").click()
        for i in range(players - 1):
            seats.nth(i).select_option("person")
        page.get_by_role("button", name="Create table").click()
        page.get_by_test_id("together").wait_for()

    def invite(self, friend: Player, name: str, by: str = "code") -> None:
        """By the link, and the answer back: as a code that is pasted, or as a link that the host's device opens."""
        page, theirs = self.host.page, friend.page
        page.get_by_role("button", name=re.compile("^Invite a")).click()
        panel = page.get_by_test_id("together")
        theirs.goto(panel.locator("input[readonly]").input_value())
        theirs.get_by_label("Your name").fill(name)
        theirs.get_by_role("button", name="Join").click()
        answer = theirs.get_by_test_id("join").locator("input[readonly]").input_value()
        expect(theirs.get_by_test_id("join")).to_have_attribute("data-reached", "yes")
        if by == "link":
            other = page.context.new_page()
            other.goto(answer)
            expect(other.get_by_test_id("answer")).to_have_attribute("data-state", "handed")
            other.close()
        else:
            page.get_by_label("Your friend’s answer").fill(re.split("[#/]", answer)[-1])
            page.get_by_role("button", name="Connect").click()
        expect(panel).to_have_attribute("data-state", "open")
        theirs.get_by_role("button", name="Sit here").first.click()

    def start(self, game: str) -> None:
        self.host.page.get_by_role("button", name="Start", exact=True).click()
        for player in self.players:
            player.until(partial(player.page.evaluate, SEATED))
        self.decisions = [PLAYS[game](player) for player in self.players]

    def play(self, most: int, between: Any = lambda: None) -> int:
        """Whoever is asked decides, until the match is over or so many decisions were made; how many."""
        for done in range(most):
            self.until_asked()
            if all(player.over() for player in self.players):
                return done
            for player, decisions in zip(self.players, self.decisions, strict=True):
                if player.asked() and not player.over():
                    decisions.step()
            between()
        return most

    def until_asked(self) -> None:
        until = time.monotonic() + LONG
        while not (any(one.asked() for one in self.players) or all(one.over() for one in self.players)):
            assert time.monotonic() < until, "nobody may choose"
            self.host.page.wait_for_timeout(30)

    def reload(self, who: int) -> float:
        """Load one page again; seconds until its table is there and somebody may choose."""
        since = time.monotonic()
        page = self.players[who].page
        page.reload()
        self.players[who].until(lambda: page.evaluate(SEATED))
        self.until_asked()
        return time.monotonic() - since


@contextmanager
def company(kind: BrowserType, url: str, count: int, phones: bool = True) -> Iterator[Company]:
    """So many people, each at a browser process of their own. Errors on their pages fail the test."""
    with ExitStack() as open_:
        found = Company(url)
        for i in range(count):
            browser = launched(kind)
            open_.callback(browser.close)
            found.add(browser, phone=phones if count > 1 else i > 0)
        yield found
        assert [error for player in found.players for error in player.errors] == []


def whole_match(
    kind: BrowserType, url: str, game: str, count: int, shots: Path | None = None, phones: bool = True
) -> dict[str, int]:
    """A match of friends from the invitation to the end."""
    with company(kind, url, count, phones) as people:
        people.settle(game, count)
        for i in range(1, count):
            people.invite(people.players[i], PEOPLE[i], by="link" if i % 2 else "code")
        people.start(game)
        people.play(6)
        if shots is not None:
            for i, player in enumerate(people.players):
                player.page.screenshot(path=shots / f"{game}-{count}-{'phone' if phones else 'desk'}-{i}.png")
        made = people.play(3000)
        for player in people.players:
            expect(player.page.get_by_test_id("end")).to_be_visible()
        assert all(address.startswith((url, "blob:")) for address in people.asked), "a request left the site"
        return {"matches": 1, "decisions": made, "people": count}


def reloads(kind: BrowserType, url: str, game: str, count: int, seed: int) -> dict[str, Any]:
    """Pages of either side are loaded again at random moments of matches of two people; nothing of the log is lost."""
    rng = random.Random(seed)
    seconds: dict[int, list[float]] = {0: [], 1: []}
    with company(kind, url, 2) as people:
        people.settle(game, 2)
        people.invite(people.players[1], PEOPLE[1])
        people.start(game)
        logged = 0
        for _ in range(count):
            people.play(rng.randrange(3))
            people.host.page.wait_for_timeout(rng.randrange(500))
            who = rng.randrange(2)
            before: int = people.host.page.evaluate(ENTRIES)
            assert before >= logged
            seconds[who].append(people.reload(who))
            for player, decisions in zip(people.players, people.decisions, strict=True):
                decisions.page = player.page
            logged = people.host.page.evaluate(ENTRIES)
            assert logged >= before, "entries of the log were lost"
            if all(player.over() for player in people.players):
                break
    return {"reloads": sum(map(len, seconds.values())), "host": seconds[0], "friend": seconds[1]}

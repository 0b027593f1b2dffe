"""Friends at one table without a server: each in a browser of their own, pages from a plain file server.

`python -m tests.client.peer_matches matches survive-2-phone atlantis-3-desk atlandice-4-mixed` plays whole matches and
leaves pictures in `build/together`; `... reloads 200` loads pages again. Both print their figures.
"""

from __future__ import annotations

import random
import re
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, BrowserType, Error, expect, sync_playwright

from tests.client.conftest import DESK, PHONE, chromium, record_page_errors
from tests.client.offline_site import AT_FIRST, ENTRIES, PLAYS, SITE, serve_folder
from tests.client.page_player import ASKED, Player
from tests.conftest import LONG, lacking
from tests.repository_files import REPO

PEOPLE = ("Ana", "Ben", "Cleo", "Dan")
# Who of a company has a phone: the first is the host.
WINDOWS = {"phone": (True, True, True, True), "desk": (False,) * 4, "mixed": (False, True, False, True)}
SEATED = "() => Boolean(document.querySelector('.table[data-busy]'))"
CONNECTED = "() => document.querySelector('.table')?.dataset.connection === 'open'"
RELOAD = "() => void setTimeout(() => location.reload())"
# Who sits where, as the host's device knows it.
CHAIRS = """async () => {
  const answer = await landfallOffline('GET', `/api/tables/${/here-[\\w-]+/.exec(location.href)[0]}`)
  return JSON.stringify((await answer.json()).table.chairs.map(({ who, name }) => [who, name]))
}"""


def launch_browser(kind: BrowserType, program: Path | None = None) -> Browser:
    """A browser that finds other browsers in the network: by names that end in .local."""
    found = program or chromium()
    if found is None:
        lacking("Chromium (make machine)")
    quiet = ["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost, EXCLUDE *.local"]
    return kind.launch(executable_path=found, args=quiet)


class Company:
    """A host and friends, each with a page; the decisions of each, by clicks."""

    def __init__(self, url: str, script: str = "") -> None:
        self.url = url
        self.script = script
        self.players: list[Player] = []
        self.seated: list[Player] = []  # who plays, once it has begun
        self.decisions: list[Any] = []
        self.asked: list[str] = []
        self.by_hand: list[float] = []  # seconds of each return by a link that the host showed

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
        context.add_init_script(AT_FIRST + ";" + self.script)
        context.on("request", lambda request: self.asked.append(request.url))
        page = context.new_page()
        errors: list[str] = []
        record_page_errors(page, errors)
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

    def invite(
        self,
        friend: Player,
        name: str,
        by: str = "code",
        sits: bool = True,
        moved: bool = False,
        before: Callable[[], None] = lambda: None,
    ) -> None:
        """By the link, and the answer back: as a code that is pasted, as a link that the host's device opens, or by a
        server that carries notes. `moved`: another device holds the table now, and the friend agrees; `before` is
        called when the answer is there."""
        page, theirs = self.host.page, friend.page
        theirs.goto(self.create_invitation_link())
        theirs.get_by_label("Your name").fill(name)
        expect(theirs.get_by_test_id("moved")).to_have_count(int(moved))
        theirs.get_by_role("button", name="Accept, the table moves" if moved else "Join").click()
        panel = page.get_by_test_id("together")
        if by == "server":
            expect(panel).to_have_attribute("data-state", "open")
            theirs.get_by_role("button", name="Sit here").first.click()
            return
        answer = theirs.get_by_test_id("join").locator("input[readonly]").input_value()
        expect(theirs.get_by_test_id("join")).to_have_attribute("data-reached", "yes")
        before()
        if by == "link":
            other = page.context.new_page()
            other.goto(answer)
            expect(other.get_by_test_id("answer")).to_have_attribute("data-state", "handed")
            other.close()
        else:
            page.get_by_label("Your friend’s answer").fill(re.split("[#/]", answer)[-1])
            page.get_by_role("button", name="Connect").click()
        expect(panel).to_have_attribute("data-state", "open")
        if sits:
            theirs.get_by_role("button", name="Sit here").first.click()

    def create_invitation_link(self) -> str:
        """The link of a new invitation."""
        self.host.page.get_by_role("button", name=re.compile("^Invite a")).click()
        return self.host.page.get_by_test_id("together").locator("input[readonly]").input_value()

    def start(self, game: str, seated: list[Player] | None = None) -> None:
        self.seated = seated or self.players
        self.host.page.get_by_role("button", name="Start", exact=True).click()
        for player in self.seated:
            player.until(partial(player.page.evaluate, SEATED))
        self.decisions = [PLAYS[game](player) for player in self.seated]

    def chairs(self) -> str:
        """Who sits where, as the host's device knows it."""
        return str(self.host.page.evaluate(CHAIRS))

    def table(self) -> str:
        return re.search(r"here-[\w-]+", self.host.page.url)[0]  # type: ignore[index]

    def play(self, most: int, between: Any = lambda: None) -> int:
        """Whoever is asked decides, until the match is over or so many decisions were made; how many."""
        for done in range(most):
            self.wait_until_asked()
            if all(player.over() for player in self.seated):
                return done
            for player, decisions in zip(self.seated, self.decisions, strict=True):
                if player.asked() and not player.over():
                    decisions.step()
            between()
        return most

    def is_somebody_asked(self) -> bool:
        """Others' actions are skipped, as `Player.wait` does: a tap may have fallen on the pause between them, and then
        a page waits for as long as its player does."""
        for one in self.seated:
            self.holds(one, ASKED)
        return any(one.asked() for one in self.seated) or all(one.over() for one in self.seated)

    def wait_until_asked(self) -> None:
        until = time.monotonic() + LONG
        while not self.is_somebody_asked():
            assert time.monotonic() < until, "nobody may choose"
            self.host.page.wait_for_timeout(30)

    def reload(self, *who: int, apart: float = 0) -> float:
        """Load pages again, so many seconds apart; seconds until all are connected and somebody may choose."""
        for i in who:
            self.players[i].page.evaluate(RELOAD)
            self.host.page.wait_for_timeout(1000 * apart)
        since = time.monotonic()
        self.wait_until_connected()
        return time.monotonic() - since

    def wait_until_connected(self) -> None:
        """Until everybody is back. Whoever is not found gets the link that the host's page offers then."""
        until = time.monotonic() + LONG
        while not (all(self.holds(one, CONNECTED) for one in self.players) and self.is_somebody_asked()):
            assert time.monotonic() < until, "not everybody came back"
            self.host.page.wait_for_timeout(30)
            if self.host.page.get_by_test_id("absent").is_visible():
                self.reopen_by_return_link()

    @staticmethod
    def holds(player: Player, what: str) -> bool:
        """False also while the page is being loaded."""
        try:
            return bool(player.page.evaluate(what))
        except Error:
            return False

    def reopen_by_return_link(self) -> None:
        """The host shows a return link; the friend, there are two people, opens it."""
        assert len(self.players) == 2
        page = self.host.page
        since = time.monotonic()
        try:
            page.get_by_role("button", name="Return link").first.click(timeout=5000)
            address = page.get_by_role("dialog").locator("input[readonly]").input_value(timeout=5000)
        except Error:
            return  # the friend has come back meanwhile
        other = self.players[1].page.context.new_page()  # a scanned link opens a page of its own
        other.goto(address)
        self.players[1].page.close()
        record_page_errors(other, self.players[1].errors)
        self.players[1].page = other
        if self.decisions:
            self.decisions[1].page = other
        self.players[1].until(lambda: self.holds(self.players[1], CONNECTED))
        self.by_hand.append(time.monotonic() - since)


@contextmanager
def open_company(
    kind: BrowserType, url: str, count: int, windows: str = "phone", script: str = ""
) -> Iterator[Company]:
    """So many people, each at a browser process of their own. Errors on their pages fail the test."""
    with ExitStack() as open_:
        found = Company(url, script)
        for phone in WINDOWS[windows][:count]:
            browser = launch_browser(kind)
            open_.callback(browser.close)
            found.add(browser, phone)
        yield found
        assert [error for player in found.players for error in player.errors] == []


def play_whole_peer_match(
    kind: BrowserType, url: str, game: str, count: int, windows: str = "phone", shots: Path | None = None
) -> dict[str, int]:
    """A match of friends from the invitation to the end, by link and by code in turn; `shots`: where pictures go."""
    with open_company(kind, url, count, windows) as people:

        def shoot(moment: str) -> None:
            for player, name in zip(people.players, PEOPLE, strict=False):
                if shots is not None:
                    player.page.screenshot(path=shots / f"{game}-{count}-{windows}-{moment}-{name}.png")

        people.settle(game, count)
        for i in range(1, count):
            people.invite(
                people.players[i], PEOPLE[i], by="link" if i % 2 else "code", before=partial(shoot, f"invited{i}")
            )
        shoot("seated")
        people.start(game)
        made = people.play(6)
        shoot("begun")
        made += people.play(40)
        shoot("later")
        made += people.play(3000)
        for player in people.players:
            expect(player.page.get_by_test_id("end")).to_be_visible()
        shoot("end")
        assert all(address.startswith((url, "blob:")) for address in people.asked), "a request left the site"
        return {"matches": 1, "decisions": made, "people": count}


def reload_pages_at_random(kind: BrowserType, url: str, game: str, count: int, seed: int) -> dict[str, list[float]]:
    """Pages of either side are loaded again at random moments of a match of two people: alone, soon after each other,
    both at once. Nothing of the log is lost, and everybody keeps their seat. Seconds until play goes on, by the case;
    a pair counts twice."""
    rng = random.Random(seed)
    seconds: dict[str, list[float]] = {"host": [], "friend": [], "soon after": [], "at once": [], "by hand": []}
    done = 0
    with open_company(kind, url, 2) as people:
        people.settle(game, 2)
        people.invite(people.players[1], PEOPLE[1])
        people.start(game)
        chairs = people.chairs()
        while done < count:
            people.play(rng.randrange(3))
            if all(player.over() for player in people.players):
                break
            people.host.page.wait_for_timeout(rng.randrange(500))
            before: int = people.host.page.evaluate(ENTRIES)
            who, case = rng.sample(range(2), 2), rng.random()
            if case < 0.7:
                name, took = ("host", "friend")[who[0]], people.reload(who[0])
            elif case < 0.9:
                name, took = "soon after", people.reload(*who, apart=3 * rng.random())
            else:
                name, took = "at once", people.reload(*who)
            seconds[name].append(took)
            done += 1 if case < 0.7 else 2
            assert people.host.page.evaluate(ENTRIES) >= before, "entries of the log were lost"
            assert people.chairs() == chairs, "a seat has changed hands"
            print(f"{done} {name} {took:.1f} s", file=sys.stderr, flush=True)
        seconds["by hand"] = people.by_hand
    return seconds


def reload_in_many_matches(kind: BrowserType, url: str, count: int) -> dict[str, list[float]]:
    """The same in as many matches as it takes, of the game whose pages are the cheapest."""
    total: dict[str, list[float]] = {}
    for seed in range(1, count + 1):
        left = count - count_reloads(total)
        if left <= 0:
            break
        for name, took in reload_pages_at_random(kind, url, "atlandice", left, seed).items():
            total.setdefault(name, []).extend(took)
    return total


def count_reloads(seconds: dict[str, list[float]]) -> int:
    weights = {"host": 1, "friend": 1, "soon after": 2, "at once": 2}
    return sum(weight * len(seconds.get(name, [])) for name, weight in weights.items())


def main(what: str, words: list[str]) -> None:
    with sync_playwright() as playwright, serve_folder(SITE) as url:
        kind = playwright.chromium
        if what == "reloads":
            found = reload_in_many_matches(kind, url, int(words[0]))
            print(f"{count_reloads(found)} reloads")
            for name, took in found.items():
                if took:
                    print(f"{name}: {len(took)}, median {statistics.median(took):.1f} s, worst {max(took):.1f} s")
        shots = REPO / "build" / "together"
        shots.mkdir(parents=True, exist_ok=True)
        for word in words if what == "matches" else []:
            game, count, windows = word.split("-")
            since = time.monotonic()
            done = play_whole_peer_match(kind, url, game, int(count), windows, shots)
            print(f"{word}: {done['decisions']} rounds in {time.monotonic() - since:.0f} s", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])

"""How many taps a whole match takes on a phone: `python -m tests.client.tap_count --game atlantis --matches 3`.

The same person's other device decides by simple rules what to do; the page is only tapped, as a person would. With
LANDFALL_STATIC another build of the client is measured.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import tempfile
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from playwright.sync_api import Error, Page, sync_playwright
from websockets.sync.client import connect

from landfall.games.atlantis.rules.board import POSITIONS
from landfall.games.survive.rules.board import APART, BY_NAME, ISLE_OF, SPACES
from tests.client.conftest import PHONE, STATIC, chromium, quote_json_twice
from tests.client.guide_player import Adviser
from tests.client.page_player import Player
from tests.conftest import LONG
from tests.server.real_server import ServerProcess

PLAYERS: Final = 4
MENU: Final = "[role=menu]"
ASKED_FOR_TILE: Final = "li:first-child[aria-current=step]"
OWN: Final = ".piece:not(.pick)[data-piece^='{}']"  # no tile in hand is for it
MOST: Final = 14  # taps for one decision
MAIN: Final = ".acts .btn.primary:not([disabled])"
CHOSEN: Final = ".hit[aria-selected=true]"  # the figure that cards apply to, and where they lead
STATIONS: Final = {"atlantis": 0, "mainland": POSITIONS + 1}
DEAR: Final = 3  # a way with that bill is worth the bridge
# Where a touch reaches something that the selector finds: its middle, or a little beside it.
REACHED: Final = """(selector) => {
  for (const one of document.querySelectorAll(selector)) {
    const box = one.getBoundingClientRect()
    for (const [dx, dy] of [[0.5, 0.5], [0.5, 0.3], [0.5, 0.75], [0.25, 0.5], [0.75, 0.5]]) {
      const [x, y] = [box.x + box.width * dx, box.y + box.height * dy]
      const top = document.elementFromPoint(x, y)
      if (top && (one.contains(top) || top.closest(selector) === one)) return [x, y]
    }
  }
  return null
}"""
# Where on the stage a figure may be touched: a little above where it stands.
FIGURE: Final = """(selector) => {
  for (const one of document.querySelectorAll(selector)) {
    const box = one.getBoundingClientRect()
    for (const dy of [-9, -16, -4, -22]) {
      const top = document.elementFromPoint(box.x, box.y + dy)
      if (top?.closest(selector)) return [box.x, box.y + dy]
    }
  }
  return null
}"""
# Where the path's map is touched to scroll to a position.
TICK: Final = f"""(at) => {{
  const box = document.querySelector('.ticks').getBoundingClientRect()
  const part = Math.min(Math.max(at - 1, 0), {POSITIONS - 1}) / {POSITIONS - 1}
  return [box.x + 6 + part * (box.width - 12), box.y + box.height / 2]
}}"""

LANDINGS: Final = [space for space in range(SPACES) if ISLE_OF[space] >= 0]
HASTE: Final = {"land": 100, "board": 90, "embark": 80, "defend": 60, "pass": 12, "end": 10}


def distance_to_nearest_isle(space: str) -> int:
    """How far it is to the nearest isle."""
    return min(APART[BY_NAME[space] * SPACES + landing] for landing in LANDINGS)


def place_as_number(place: str) -> int:
    """A place of the path as a number: Atlantis 0, the mainland the last."""
    return STATIONS[place] if place in STATIONS else int(place)


class Planner(Adviser):
    """The same person's other device: knows the choices, and counts the person's turns."""

    def __init__(self, *args: Any) -> None:
        self.choices: list[dict[str, Any]] = []
        self.seat = -1
        self.turns: set[int] = set()
        super().__init__(*args)

    def wait_for_message(self, *kinds: str) -> dict[str, Any]:
        news: dict[str, Any] = {}
        while news.get("t") not in kinds:
            news = json.loads(self.socket.recv(LONG))
            if news["t"] in ("welcome", "update"):
                self.version, self.seat = news["version"], news.get("seat", self.seat)
                self.choices = [
                    {"verb": group["verb"], **dict(zip(group["keys"], row))}
                    for group in news.get("choices") or []
                    for row in group["rows"]
                ]
                for n, event in enumerate(news.get("events", []), news.get("first", 0)):
                    if event["kind"] == "turn" and event["seat"] == self.seat:
                        self.turns.add(n)
        return news

    def send(self, action: int) -> None:
        order = {"t": "play", "version": self.version, "id": f"a{self.version}", "action": action}
        self.socket.send(json.dumps(order))
        self.wait_for_message("ack", "refused")

    def preview(self) -> dict[str, Any]:
        """What the cards in hand would bring."""
        self.socket.send(json.dumps({"t": "preview"}))
        preview: dict[str, Any] = self.wait_for_message("preview")["preview"]
        return preview


class Fingers(ABC):
    """One match by taps; `taps` counts them by what was tapped."""

    def __init__(self, player: Player, planner: Planner) -> None:
        self.player, self.page, self.planner = player, player.page, planner
        self.taps: Counter[str] = Counter()
        self.failed = 0

    def tap(self, what: str, where: str, script: str = REACHED) -> bool:
        try:
            point: list[float] | None = self.page.evaluate(script, where)
        except Error:
            return False
        if point is None:
            return False
        self.page.touchscreen.tap(*point)
        self.taps[what] += 1
        self.page.wait_for_timeout(60)
        return True

    @abstractmethod
    def plan(self) -> dict[str, Any] | None:
        """What to do next."""

    @abstractmethod
    def toward(self, choice: dict[str, Any]) -> bool:
        """The next tap for a choice."""

    def past(self, version: int) -> bool:
        """Whether the match has gone on from there."""
        self.planner.receive_all_sent()
        return self.planner.version != version or self.player.over()

    def make_decision(self) -> None:
        """One decision; if taps do not lead there, by the other device."""
        self.planner.receive_all_sent()
        choice = self.plan()
        if choice is None:
            self.page.wait_for_timeout(80)
            return
        version = self.planner.version
        for _ in range(MOST):
            if not self.toward(choice):
                break
            self.player.until(lambda: self.player.asked() or self.past(version))  # what was chosen may be on its way
            if self.past(version):
                return
        self.failed += 1
        self.planner.send(choice["action"])

    def match(self) -> None:
        while not self.player.over():
            self.player.wait()
            if not self.player.over():
                self.make_decision()


class Survive(Fingers):
    """Brings explorers to the isles."""

    def __init__(self, *args: Any) -> None:
        self.rng = random.Random(5)
        self.intended = ""  # the explorer that is moved next, chosen when asked for a tile
        super().__init__(*args)

    def worth(self, choice: dict[str, Any]) -> float:
        verb, start, end = choice["verb"], choice.get("from", ""), choice.get("to", "")
        worth = float(HASTE.get(verb, 5))
        if verb in ("sail", "swim", "swim_with_dolphin"):
            worth = 50 + 10 * (distance_to_nearest_isle(start) - distance_to_nearest_isle(end))
        elif verb in ("walk", "enter_water"):
            worth = 8
        if choice.get("loses"):
            worth -= 200
        if verb != "pass" and choice.get("piece", "-") == self.intended:
            worth += 40
        return worth + self.rng.random() * 8

    def plan(self) -> dict[str, Any] | None:
        """No tiles are played from the hand."""
        open_ = [one for one in self.planner.choices if one["verb"] not in ("send", "wind", "swim_by_dolphin")]
        choice = max(open_, key=self.worth, default=None)
        if choice and re.fullmatch(r"[a-z]\d+", str(choice.get("piece", ""))) and choice["verb"] != "place":
            self.intended = str(choice["piece"])
        return choice

    def toward(self, choice: dict[str, Any]) -> bool:
        action, piece, to = choice["action"], str(choice.get("piece", "")), choice.get("to")
        here = f"[data-choice='{action}']"
        if self.page.locator(".ask[role=alert]").count():
            return self.tap("sure", ".ask[role=alert] .btn.primary")
        if self.page.locator(MENU).count():
            return self.tap("question", f"{MENU} {here}") or self.tap("question", f"{MENU} [data-piece='{piece}']")
        if choice["verb"] == "place":
            tray = f"[data-testid='tray-{choice['colour']}-{choice['value']}']"
            if self.page.locator(f"{tray}[aria-pressed=false]").count():
                return self.tap("tray", tray)
        if choice["verb"] == "pass" and self.page.locator(ASKED_FOR_TILE).count():
            mine = self.intended
            if mine and (self.tap("piece", OWN.format(mine), FIGURE) or self.tap("piece", OWN.format(mine[0]), FIGURE)):
                return True
        if self.tap("button", f".acts {here}") or self.tap("card", f"[data-area=hand] {here}"):
            return True
        if self.tap("space", f".cells {here}") or self.tap("token", f".token{here}"):
            return True
        chosen = self.page.locator(".arrow.bobs").count() > 0
        goal = f".token[data-space='{to}']"
        if to and chosen and self.page.locator(goal).count() and self.tap("space", f".cells [data-space='{to}']"):
            return True
        if piece:
            figure = f".piece.pick[data-piece='{piece}']"
            at = self.page.evaluate("(one) => document.querySelector(one)?.dataset.at", figure)
            if not (chosen and self.page.locator(goal).count()):
                if self.tap("piece", figure, FIGURE) or (at and self.tap("piece", f".cells [data-space='{at}']")):
                    return True
                if at and self.tap("pointer", f"[data-pointer='{at}']"):
                    return True
        for place in (to, "") if to else ("",):
            if self.tap("pointer", f"[data-pointer='{place}']" if place else "[data-pointer]"):
                return True
        return self.tap("whole board", "button.whole")


class Atlantis(Fingers):
    """Takes the longest step forward, after a bridge if the way is dear; pays what the page suggests.

    A card is touched before its figure: if only one may be meant, that is all.
    """

    def list_whole_moves(self, figure: str, routes: list[dict[str, Any]], *cards: str) -> Iterator[dict[str, Any]]:
        """The whole moves of a figure: the choice that each begins with, all its cards, and its last route."""
        for route in (one for one in routes if not one.get("rule")):
            way = [*cards, route["card"]]
            if route["occupied"]:
                yield from self.list_whole_moves(figure, route["then"], *way)
                continue
            one = {"figure": figure, "card": way[0]}
            first = next(choice for choice in self.planner.choices if one.items() <= choice.items())
            yield {**route, **first, "cards": way, "to": route["to"], "bill": route["bill"]}

    def worth(self, way: dict[str, Any]) -> int:
        value: int = way["takes"]["value"] if way["takes"] else 0
        return (
            place_as_number(way["to"])
            - place_as_number(way["from"])
            + value
            - 3 * int(way["bill"])
            - 2 * len(way["cards"])
        )

    def plan(self) -> dict[str, Any] | None:
        verbs = {choice["verb"]: choice for choice in self.planner.choices}
        if "no_bridge" in verbs:
            return None  # passes by itself
        if not verbs.keys() & {"move", "move_pay", "hop"}:
            return next((verbs[verb] for verb in ("show", "pay_card", "pay_tile") if verb in verbs), None)
        figures = self.planner.preview()["figures"]
        best = max((way for one in figures for way in self.list_whole_moves(one, figures[one])), key=self.worth)
        passed = range(place_as_number(best["from"]), place_as_number(best["to"]))
        gaps = [one for one in self.planner.choices if one["verb"] == "bridge" and one["at"] in passed]
        return max(gaps, key=lambda gap: int(gap["price"])) if gaps and best["bill"] >= DEAR else best

    def tap_on_path(self, what: str, selector: str, at: str) -> bool:
        """Something on the board, scrolled to if it is not in sight."""
        return self.tap(what, selector) or self.tap("map", str(place_as_number(at)), TICK)

    def toward(self, choice: dict[str, Any]) -> bool:
        button = "move" if "cards" in choice else choice["verb"].split("_")[0]
        if button in ("pay", "show"):  # nothing else is touched; a payment's suggestion may be on its way
            self.player.until(lambda: self.page.locator(MAIN).count())
        if self.tap(f"{button} button", MAIN):
            return True
        if button == "bridge":
            return self.tap_on_path("gap", f".hit[data-space='{choice['at']}']", str(choice["at"]))
        planned = self.page.locator("[data-card] i").count()
        if planned and not self.page.locator(CHOSEN).count():
            return self.tap_on_path("figure", f".hit.mine[data-piece='{choice['figure']}']", choice["from"])
        return planned < len(choice["cards"]) and self.tap("card", f"[data-card='{choice['cards'][planned]}']")


GAMES: Final[dict[str, type[Fingers]]] = {"survive": Survive, "atlantis": Atlantis}


def count_taps_of_match(page: Page, url: str, game: str) -> Fingers:
    player = Player(page, [], url, phone=True).set_name_by_request()
    table = player.open_quick_table(game, PLAYERS)
    player.wait()
    cookies = "; ".join(f"{one['name']}={one['value']}" for one in page.context.cookies())
    address = f"{url.replace('http', 'ws', 1)}/ws/tables/{table}?after=0"
    with connect(address, additional_headers={"Cookie": cookies}, max_size=None) as socket:
        fingers = GAMES[game](player, Planner(socket))
        fingers.match()
    return fingers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", choices=GAMES, default="survive")
    parser.add_argument("--matches", type=int, default=3)
    args = parser.parse_args()
    settings = {"language": "en", "speed": "none", "sound": False}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium())
        with ServerProcess(f"{folder}/tables.sqlite", static=str(STATIC)) as server:
            for _ in range(args.matches):
                context = browser.new_context(
                    viewport=PHONE,  # type: ignore[arg-type]
                    has_touch=True,
                    is_mobile=True,
                    locale="en-GB",
                    base_url=server.url,
                    reduced_motion="reduce",
                    service_workers="block",
                )
                context.set_default_timeout(LONG * 1000)
                context.add_init_script(f"localStorage['landfall.settings']={quote_json_twice(settings)}")
                fingers = count_taps_of_match(context.new_page(), server.url, args.game)
                taps, turns = fingers.taps.total(), len(fingers.planner.turns)
                print(f"{taps} taps in {turns} own turns, {taps / turns:.1f} each:", dict(fingers.taps), flush=True)
                print("by other means:", fingers.failed, flush=True)
                context.close()
        browser.close()


if __name__ == "__main__":
    main()

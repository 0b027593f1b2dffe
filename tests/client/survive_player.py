"""Playing Survive by what the page offers, with a pointer: cards, pieces, spaces, buttons."""

from __future__ import annotations

from collections import Counter

from playwright.sync_api import Error

from tests.client.page_player import Player

CARDS = ".whom [data-choice], [data-area=hand] .ask [data-choice]:not([disabled])"
DOUBT = ".ask[role=alert]"
MENU = "[role=menu] button"
PLACES = """() => [...document.querySelectorAll('.cells [data-choice]')].map(e => e.getBoundingClientRect())
  .map(b => [b.x + b.width / 2, b.y + b.height / 2])
  .filter(([x, y]) => document.elementFromPoint(x, y)?.closest('.board'))"""
PIECES = """() => [...document.querySelectorAll('.piece.pick')].map(e => e.getBoundingClientRect())
  .map(b => [b.x, b.y - 9]).filter(([x, y]) => document.elementFromPoint(x, y)?.closest('.board'))"""
WHOLE = "button.whole"
POINTER = "[data-pointer]"


class Decisions:
    """One player's decisions at a Survive table; `done` counts them by the way they were made."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.page = player.page
        self.done: Counter[str] = Counter()

    def game(self, most: int = 400) -> None:
        """Until the end of the match."""
        assert self.player.play(self.step, most), f"not over after {most} decisions: {self.done}"

    def step(self) -> None:
        """One touch, or two where a piece comes first."""
        if self.page.locator(DOUBT).count():
            self.count("doubt", f"{DOUBT} .btn.primary")
        elif self.page.locator(CARDS).count():
            self.count("card", CARDS)
        elif self.page.locator(MENU).count():
            self.count("menu", MENU)
        elif self.player.rng.random() < 0.12 and self.count("button", ".acts [data-choice]"):
            pass
        elif self.touch(PLACES):
            self.done["place"] += 1
        elif self.touch(PIECES):
            self.done["piece"] += 1
            if not self.touch(PLACES) and self.page.locator(MENU).count() == 0:
                self.count("token", ".token[data-choice]") or self.count("button", ".acts [data-choice]")
        elif self.player.phone and self.count("pointer", POINTER):
            pass
        elif self.player.phone and self.page.locator("[data-zoomed=true]").count() and self.count("whole", WHOLE):
            pass
        elif not self.count("button", ".acts [data-choice]"):
            self.page.wait_for_timeout(20)

    def count(self, way: str, selector: str) -> bool:
        pressed = self.player.press(selector)
        self.done[way] += pressed
        return pressed

    def touch(self, where: str) -> bool:
        """A click or tap at one of the points the page has for it."""
        try:
            points: list[list[float]] = self.page.evaluate(where)
        except Error:
            return False
        if not points:
            return False
        x, y = self.player.rng.choice(points)
        if self.player.phone:
            self.page.touchscreen.tap(x, y)
        else:
            self.page.mouse.click(x, y)
        self.page.wait_for_timeout(15)
        return True

"""Playing Atlantis by what the page offers: a figure, its cards, Move; tiles and cards, Pay; a gap for the bridge."""

from __future__ import annotations

from collections import Counter

from tests.client.page_player import Player

MAIN = ".btn.primary"
CARD = ".mc:not(.off)"
SPACE = "[data-space][data-choice]"
BUY = ".cts button.ct"
BRIDGE = "[data-control=bridge]"


class Table:
    """One player's decisions at an Atlantis table; `done` counts what was done, by which way."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.page = player.page
        self.done: Counter[str] = Counter()

    def main(self) -> None:
        """The one coral button."""
        self.page.locator(MAIN).click()

    def ready(self) -> bool:
        return self.page.locator(f"{MAIN}:not([disabled])").count() > 0

    def mode(self) -> str:
        """What is asked, as the page shows it."""
        if self.page.locator(".hand.pay").count():
            return "pay"
        if self.page.locator("rect.lit").count():
            return "bridge"
        if self.page.locator(".hit.mine").count():
            return "move"
        return "show" if self.ready() else "wait"

    def step(self) -> None:
        """One decision."""
        match self.mode():
            case "pay":
                self.pay()
            case "bridge":
                self.bridge()
            case "move":
                self.move()
            case "show":
                self.done["show"] += 1
                self.main()
            case _:  # the result is read
                self.page.wait_for_timeout(50)

    def pay(self) -> None:
        """As suggested, or with something else instead."""
        if self.player.rng.random() < 0.4:
            self.player.press(".instead .ct, .mc:not(.off)")
            self.done["other payment"] += 1
        if not self.ready():
            self.player.press(".instead .best")
        if self.ready():  # else the last answer is still under way
            self.done["pay"] += 1
            self.main()

    def bridge(self) -> None:
        """Choose a gap, or keep the bridge."""
        if self.player.rng.random() < 0.5:
            self.page.locator(BRIDGE).click()
            self.done["keep"] += 1
            return
        self.done["bridge"] += self.choose(SPACE)

    def move(self) -> None:
        """A figure, then cards or lit places until the way is whole. Sometimes buy cards or switch on the bridge."""
        if self.player.rng.random() < 0.15:
            if self.page.locator(BUY).count() and self.page.locator(BUY).first.is_visible():
                self.done["buy"] += self.choose(BUY)
                return
            if self.page.locator(BRIDGE).count():
                self.page.locator(BRIDGE).click()
                self.done["switch"] += 1
                return
        if not self.page.locator(".hit[aria-selected=true]").count():
            self.player.press(".hit.mine")
            self.done["figure"] += 1
        for _ in range(12):
            if self.ready() or not self.player.asked():
                break
            way = SPACE if self.player.rng.random() < 0.4 else CARD
            self.done["place" if way == SPACE else "card"] += self.player.press(way)
        if self.page.locator(".mc i").count() > 1:
            self.done["hop"] += 1
        if self.ready():
            self.done["move"] += 1
            self.main()

    def choose(self, which: str) -> bool:
        """One of these, and the coral button. A board that makes room for a panel still moves: look and touch again."""
        for _ in range(8):
            self.player.press(which)
            if self.ready():
                self.main()
                return True
            self.page.wait_for_timeout(250)
        self.page.keyboard.press("Escape")
        return False

    def play(self, steps: int = 400) -> Counter[str]:
        """Decide until the match is over, or so many times."""
        self.player.play(self.step, steps)
        return self.done

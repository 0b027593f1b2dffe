"""Playing Atlandice by what the page shows: a sign and its button, pieces on the board, chips, donations."""

from __future__ import annotations

import random
from collections import Counter

import landfall
from tests.client.page_player import Player

SIGN = "button[data-space][data-choice]"
PIECE = ".piece[data-choice]"
CHIP = "[data-testid=visit] .chip"
GIVE = "[data-testid=donation] .chip[data-choice]"
GO = ".btn[data-choice]"
SECTORS = ["jeweller", "library", "inn", "workshop", "forge", "black_market"]


class City:
    """One player's decisions at an Atlandice table; `done` counts them by the way they were made."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.page = player.page
        self.done: Counter[str] = Counter()

    def there(self, selector: str) -> bool:
        return self.page.locator(selector).count() > 0

    def step(self) -> None:
        """One decision."""
        if self.there("[data-testid=donation]"):
            way = GIVE if (self.player.rng.random() < 0.6 and self.there(GIVE)) or not self.there(GO) else GO
            self.press(way, "give" if way == GIVE else "pass")
        elif not self.there("[data-testid=visit]"):
            self.press(SIGN, "sign")
            self.press(GO, "go")
        else:
            ways = [way for way in (CHIP, PIECE, SIGN) if self.there(way)]
            if ways:  # none while the last choice is on its way to a friend's device
                way = self.player.rng.choice(ways)
                self.press(way, {CHIP: "chip", PIECE: "piece", SIGN: "place"}[way])

    def press(self, selector: str, way: str) -> None:
        if self.player.press(selector):
            self.done[way] += 1

    def play(self, most: int = 400) -> Counter[str]:
        """Until the end, or so many decisions."""
        self.player.play(self.step, most)
        return self.done

    def key(self) -> None:
        """One decision by keys alone: digits for sectors and kinds, Enter, and E for the main button."""
        page = self.page
        focused = page.evaluate("document.activeElement?.closest('[data-choice]')?.dataset.choice ?? ''")
        if not self.there("[data-testid=visit]") and not self.there("[data-testid=donation]"):
            way = "digit" if self.done["digit"] <= self.done["arrows"] else "arrows"
            if way == "digit":
                sign = self.player.rng.choice(page.locator(SIGN).all())
                page.keyboard.press(str(SECTORS.index(sign.get_attribute("data-space") or "") + 1))
            else:
                page.locator("button[data-space][tabindex='0']").focus()
                for _ in range(8):
                    page.keyboard.press(self.player.rng.choice(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]))
                    if page.evaluate("!!document.activeElement?.dataset.choice"):
                        break
                page.keyboard.press("Enter")
            if self.there(GO):
                page.keyboard.press("e")
                self.done[way] += 1
        elif focused and self.player.rng.random() < 0.7:
            page.keyboard.press("Enter")
            self.done["enter"] += 1
        elif self.there("[data-testid=donation]") and self.there(GO):
            page.keyboard.press("e")
            self.done["e"] += 1
        else:
            page.keyboard.press(self.player.rng.choice("123456"))
            page.wait_for_timeout(15)


def record_before_emptying_choice(players: int) -> tuple[str, int, int]:
    """A record that ends before a choice that empties a region, whose choice it is, and which."""
    for seed in range(100):
        match = landfall.Match("atlandice", players=players, seed=seed)
        rng = random.Random(seed)
        while match.actor >= 0:
            record, seat, action, known = (
                match.record(),
                match.actor,
                rng.choice(match.legal_actions()),
                len(match.events()),
            )
            verb = match.state.action_to_dict(action)["verb"]
            match.play(action)
            fresh = [event["kind"] for event in match.events()[known:]]
            if verb in ("take", "take_neutral") and fresh[1:2] == ["emptied"]:
                return record, seat, action
    raise AssertionError("no region was emptied")

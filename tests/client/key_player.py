"""Somebody who plays with the keyboard alone: N to what can be chosen, Enter, and E for the main action."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from tests.client.page_player import Player

# Counts the frames in which nothing has the focus, and keeps what is read aloud, in order.
WATCH = """() => {
  window.focusLost = []
  window.heard = []
  const look = () => {
    if (document.activeElement === document.body) window.focusLost.push(window.lastKey ?? '')
    requestAnimationFrame(look)
  }
  addEventListener('keydown', (event) => {
    const at = document.activeElement
    window.lastKey = `${event.key} on ${at.getAttribute('aria-label') ?? at.textContent}`
  }, true)
  new MutationObserver((records) => {
    for (const record of records)
      for (const node of record.addedNodes)
        if (node.parentElement?.closest('[aria-live]')) window.heard.push(node.textContent.trim())
  }).observe(document.body, { childList: true, subtree: true, characterData: true })
  requestAnimationFrame(look)
}"""
AT = """() => {
  const at = document.activeElement
  return {
    stop: at.matches('[data-lit], button[data-choice], [data-stop]'),
    name: (at.getAttribute('aria-label') ?? at.textContent).trim().replace(/\\s+/g, ' '),
    chosen: at.getAttribute('aria-pressed') === 'true' || at.getAttribute('aria-selected') === 'true',
  }
}"""


class Keys:
    """Plays at random, by keys."""

    def __init__(self, player: Player, seed: int = 1) -> None:
        self.player = player
        self.page = player.page
        self.rng = random.Random(seed)
        self.keys: Counter[str] = Counter()
        self.unanswered: list[str] = []

    def begin(self) -> None:
        """The first key; from then on the focus is watched."""
        self.player.wait()
        self.page.keyboard.press("n")
        self.player.until(lambda: self.at()["stop"])
        self.page.evaluate(WATCH)

    def at(self) -> dict[str, Any]:
        """What has the focus."""
        found: dict[str, Any] = self.page.evaluate(AT)
        return found

    def press(self, key: str) -> None:
        """Press a key, and count it."""
        self.keys[key] += 1
        self.page.keyboard.press(key)

    def step(self) -> None:
        """Go to something that can be chosen, and choose it; now and then do the main action."""
        if self.rng.random() < 0.15:
            return self.press("e")
        for _ in range(self.rng.choice((0, 1, 1, 2, 3, 5))):
            self.press("n")
            here = self.at()
            if not here["stop"] and self.player.asked():
                self.unanswered.append(f"N leads to {here['name']}")
        self.press("Enter")
        if self.rng.random() < 0.4:
            self.press("Enter")  # a place chosen is confirmed
        return None

    def lost(self) -> list[str]:
        """After which keys nothing had the focus, once for each frame."""
        found: list[str] = self.page.evaluate("() => window.focusLost")
        return found

    def heard(self) -> list[str]:
        """What was read aloud."""
        found: list[str] = self.page.evaluate("() => window.heard")
        return found

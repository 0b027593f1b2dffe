"""A guide played to its end in a browser: lessons are read on the page; the same person on another device plays what a
hint says, so that the game goes as it does for somebody who plays well."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page
from playwright.sync_api import TimeoutError as Late
from websockets.sync.client import ClientConnection, connect

from tests.client.page_player import Player
from tests.conftest import LONG

COACH = "aside.coach"
END = "[data-testid=guide-end]"
OK = ".btn.primary"
SOON = 3_000  # ms a button is tried: its lesson may go meanwhile, and the next look finds what came
REST = 120  # ms
# The lesson that is shown and whether it is read and put away, seen at once: bots may bring the next at any time.
SHOWN = f"""() => {{
  const coach = document.querySelector('{COACH}')
  return coach && {{ lesson: coach.dataset.lesson, read: coach.querySelector('{OK}') !== null }}
}}"""
# A lesson covers neither the board, nor what is to be chosen, nor a button: what lies over what, by its boxes.
COVERS = """() => {
  const coach = document.querySelector('aside.coach, [data-testid=guide-end]')?.getBoundingClientRect()
  if (!coach) return []
  const stage = document.querySelector('.hole').getBoundingClientRect()
  const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1
  const found = over(coach, stage) ? ['the board'] : []
  if (coach.top < 0 || coach.left < 0 || coach.right > innerWidth + 1) found.push('out of the window')
  for (const one of document.querySelectorAll('.slot.actions button, [data-area=hand] button')) {
    const box = one.getBoundingClientRect()
    const there = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
    if (box.width && box.bottom <= innerHeight && there?.closest('aside.coach, [data-testid=guide-end]'))
      found.push(one.textContent || one.getAttribute('aria-label'))
  }
  return found
}"""
# All that were shown, also those that gave way to the next while a bot was asked for its advice, with what each covered
# once it stood still: in its third picture or the first after it that is like the last; null where it was gone before.
NOTED = f"""
  window.lessons = {{}}
  const lesson = () => document.querySelector('{COACH}')?.dataset.lesson
  const later = (pictures, act) => requestAnimationFrame(() => (pictures > 1 ? later(pictures - 1, act) : act()))
  const box = (one) => document.querySelector(one)?.getBoundingClientRect()
  const place = () => JSON.stringify(['{COACH}', '.hole'].map(box))
  const measure = (shown, before) => {{
    if (lesson() !== shown) return
    const now = place()
    if (now === before) window.lessons[shown] = ({COVERS})()
    else later(1, () => measure(shown, now))
  }}
  new MutationObserver(() => {{
    const shown = lesson()
    if (!shown || shown in window.lessons) return
    window.lessons[shown] = null
    later(2, () => measure(shown, ''))
  }}).observe(document, {{ subtree: true, childList: true, attributeFilter: ['data-lesson'] }})
"""


class Adviser:
    """The same person's other device: asks for a hint and follows it."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.version, self.first = 0, None
        self.wait_for_message("welcome")

    def wait_for_message(self, *kinds: str) -> dict[str, Any]:
        """The next message of these kinds; what is told on the way is noted."""
        while True:
            news: dict[str, Any] = json.loads(self.socket.recv(LONG))
            if news["t"] in ("welcome", "update"):
                self.version = news["version"]
                groups = news.get("choices") or []
                self.first = groups[0]["rows"][0][groups[0]["keys"].index("action")] if groups else None
            if news["t"] in kinds:
                return news

    def receive_all_sent(self) -> None:
        """Read all messages that were sent until now."""
        self.socket.send(json.dumps({"t": "ping"}))
        self.wait_for_message("pong")

    def play(self) -> bool:
        """What a bot would do; False, if it is not this person's choice."""
        self.receive_all_sent()
        if self.first is None:
            return False
        self.socket.send(json.dumps({"t": "hint", "version": self.version}))
        action = self.wait_for_message("hint", "refused", "update").get("action")
        if action is None:
            return False
        self.socket.send(json.dumps({"t": "play", "version": self.version, "id": f"a{self.version}", "action": action}))
        return self.wait_for_message("ack", "refused")["t"] == "ack"


class Walk:
    """One guide from its beginning to its end; `lessons` are those that were looked at."""

    def __init__(
        self, player: Player, game: str, guide: str, picture: Callable[[Page, str], None] | None = None
    ) -> None:
        self.player, self.page, self.picture = player, player.page, picture
        self.lessons: list[str] = []
        self.covered: dict[str, list[str]] = {}
        self.page.add_init_script(NOTED)
        self.player.go(f"/first/{game}/{guide}")
        self.page.wait_for_url("**/t/*")
        self.player.wait()
        self.table = self.page.url.rsplit("/", 1)[1]

    def lesson(self) -> str | None:
        """The lesson that is shown; looked at when it is new."""
        shown = self.page.evaluate(SHOWN)
        name: str | None = shown and shown["lesson"]
        if name is not None and name not in self.lessons:
            self.lessons.append(name)
            self.look(name)
        return name

    def shown(self) -> dict[str, list[str] | None]:
        """All lessons that the page showed, for however short a time, and what they covered."""
        return dict(self.page.evaluate("window.lessons"))

    def at_rest(self) -> bool:
        """Whether no other lesson comes: the page shows a choice before the guide has looked at it."""
        before = self.page.evaluate(SHOWN)
        self.page.wait_for_timeout(REST)
        return bool(before == self.page.evaluate(SHOWN))

    def read(self, name: str | None) -> bool:
        """Put a lesson away, if it is one to be read; False if it is not, or was gone before."""
        if self.page.evaluate(SHOWN) != {"lesson": name, "read": True}:
            return False
        try:
            self.page.locator(f"{COACH}[data-lesson='{name}'] {OK}").click(timeout=SOON)
        except Late:
            return False
        return True

    def look(self, name: str) -> None:
        self.page.wait_for_timeout(350)
        covered = self.page.evaluate(COVERS)
        if covered:
            self.covered[name] = covered
        if self.picture:
            self.picture(self.page, name)

    def play_to_the_end(self, most: int = 80) -> bool:
        """Read and play until the guide is at its end; False if the match was over before."""
        cookies = "; ".join(f"{one['name']}={one['value']}" for one in self.page.context.cookies())
        url = self.player.url.replace("http", "ws", 1) + f"/ws/tables/{self.table}"
        with connect(url, additional_headers={"Cookie": cookies}, max_size=None) as socket:
            adviser, played, until = Adviser(socket), 0, time.monotonic() + LONG
            while played < most and time.monotonic() < until:
                if self.page.locator(END).count():
                    self.look("end")
                    return True
                if self.player.over():
                    return False
                if self.read(self.lesson()):
                    continue
                if self.player.asked() and self.at_rest() and adviser.play():
                    played, until = played + 1, time.monotonic() + LONG
                else:
                    self.page.wait_for_timeout(60)
        raise AssertionError(f"not at its end after {played} choices: {self.lessons}")

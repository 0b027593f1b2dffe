"""How quick the browser client is: `python -m bench.client`.

A real server and Debian's Chromium on this machine. Answers: the median over a game's first choices, from the
click to the second frame after the server's update came in. Frames: while a replay plays and all is animated, with the
processor slowed four times; the best of three runs.
"""

from __future__ import annotations

import json
import shutil
import statistics
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.client.conftest import DESK, STATIC
from tests.client.player import Player
from tests.client.records import sensible
from tests.server.real import ServerProcess

WATCH = """
window.landfallTimes = []
addEventListener('click', () => { window.landfallClick = performance.now() }, true)
const Plain = WebSocket
window.WebSocket = class extends Plain {
  constructor(...given) {
    super(...given)
    this.addEventListener('message', (message) => {
      if (!window.landfallClick || !message.data.startsWith('{"t":"update"')) return
      const since = window.landfallClick
      window.landfallClick = 0
      requestAnimationFrame(() => requestAnimationFrame(() => window.landfallTimes.push(performance.now() - since)))
    })
  }
}
"""
FRAMES = """async (seconds) => {
  const deltas = []
  const until = performance.now() + seconds * 1000
  let last = performance.now()
  await new Promise((done) => {
    const frame = (now) => {
      deltas.push(now - last)
      last = now
      if (now < until) requestAnimationFrame(frame); else done()
    }
    requestAnimationFrame(frame)
  })
  return deltas
}"""


def visitor(browser: Browser, server: ServerProcess, watch: bool) -> Player:
    context = browser.new_context(viewport=DESK, base_url=server.url, locale="en-GB")  # type: ignore[arg-type]
    kept = json.dumps(json.dumps({"speed": "normal", "sound": False, "confirm": False}))
    context.add_init_script(f"localStorage['landfall.settings'] = {kept}")
    if watch:
        context.add_init_script(WATCH)
    return Player(context.new_page(), [], server.url, False).be()


def answers(player: Player, game: str, choices: int) -> list[float]:
    """Milliseconds from clicks to what came of them."""
    player.quick(game, 2)
    for _ in range(choices):
        player.wait()
        if not player.press("[data-choice]:not([disabled]):not([aria-disabled=true])"):
            player.press(".pick[data-piece], .mine[data-piece]")
        player.page.wait_for_timeout(60)
    found: list[float] = player.page.evaluate("landfallTimes")
    return found


def frames(page: Page, seconds: int) -> list[float]:
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    deltas: list[float] = page.evaluate(FRAMES, seconds)
    session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    return deltas


def main() -> None:
    found = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    with (
        tempfile.TemporaryDirectory() as folder,
        ServerProcess(str(Path(folder, "tables.sqlite")), static=str(STATIC), pace=700) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=found)
        for game, players, at in (("survive", 4, 200), ("atlantis", 4, 120), ("atlandice", 4, 40)):
            times = answers(visitor(browser, server, True), game, 30)
            print(f"{game}: click to drawn answer, median of {len(times)}: {statistics.median(times):.0f} ms")
            shares = []
            for run in range(3):
                player = visitor(browser, server, False)
                table = player.opened(sensible(game, players, seed=run), 0)
                player.go(f"/replay/{table}?at={at}").page.wait_for_selector("[data-busy]")
                player.page.wait_for_load_state("networkidle")
                player.page.keyboard.press("Space")
                deltas = frames(player.page, 8)
                player.page.context.close()
                shares.append((sum(d < 50 for d in deltas) / len(deltas), len(deltas)))
            best, count = max(shares)
            print(f"{game}: frames under 50 ms, slowed four times: {best:.1%} of {count}, best of {len(shares)}")
        browser.close()


if __name__ == "__main__":
    main()

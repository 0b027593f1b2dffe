"""The speed of the browser client: `python -m bench.client`.

It runs a real server and Debian's Chromium on this machine. Responses: the median over twenty clicks that played a
choice, from the click to the second frame after the server's update. Frames: during an animated replay with the
processor slowed four times; the best of three runs. LANDFALL_STATIC names the folder of another build; arguments name
games.
"""

from __future__ import annotations

import json
import shutil
import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.client.atlandice_player import City
from tests.client.atlantis_player import Table
from tests.client.conftest import DESK, STATIC
from tests.client.match_records import greedy_match_record
from tests.client.page_player import Player
from tests.client.survive_player import Decisions
from tests.server.real_server import ServerProcess

PLAYERS: dict[str, Callable[[Player], Callable[[], None]]] = {
    "survive": lambda player: Decisions(player).step,
    "atlantis": lambda player: Table(player).step,
    "atlandice": lambda player: City(player).step,
}
MEASURED_CLICKS = 20
FIRST_LOG_LINE = {"survive": 200, "atlantis": 120, "atlandice": 40}  # where in a match the replay begins
# A click counts if it sent a choice; its response is the next update. Boards act on pointer-up.
WATCH_SCRIPT = """
window.landfallTimes = []
let click = 0
let played = 0
addEventListener('pointerup', () => { click = performance.now() }, true)
const Plain = WebSocket
window.WebSocket = class extends Plain {
  constructor(...given) {
    super(...given)
    this.addEventListener('message', (message) => {
      if (!played || !message.data.startsWith('{"t":"update"')) return
      const since = played
      played = 0
      requestAnimationFrame(() => requestAnimationFrame(() => window.landfallTimes.push(performance.now() - since)))
    })
  }
  send(data) {
    if (click && data.startsWith('{"t":"play"')) [played, click] = [click, 0]
    super.send(data)
  }
}
"""
FRAMES_SCRIPT = """async (seconds) => {
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


def open_page(browser: Browser, server: ServerProcess, watch: bool) -> Player:
    context = browser.new_context(viewport=DESK, base_url=server.url, locale="en-GB")  # type: ignore[arg-type]
    kept = json.dumps(json.dumps({"speed": "normal", "sound": False, "confirm": False}))
    context.add_init_script(f"localStorage['landfall.settings'] = {kept}")
    if watch:
        context.add_init_script(WATCH_SCRIPT)
    return Player(context.new_page(), [], server.url, False).set_name_by_request()


def measure_clicks(player: Player, game: str) -> list[float]:
    """Milliseconds from clicks to their effect."""
    step = PLAYERS[game](player)
    found: list[float] = []
    while len(found) < MEASURED_CLICKS:
        player.open_quick_table(game, 2)
        for _ in range(200):
            player.wait()
            times: list[float] = player.page.evaluate("landfallTimes")
            if player.over() or len(found) + len(times) >= MEASURED_CLICKS:
                break
            step()
            player.page.wait_for_timeout(60)
        found += times
    return found


def measure_frames(page: Page, seconds: int) -> list[float]:
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    deltas: list[float] = page.evaluate(FRAMES_SCRIPT, seconds)
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
        for game in sys.argv[1:] or FIRST_LOG_LINE:
            player = open_page(browser, server, True)
            times = measure_clicks(player, game)
            player.page.context.close()
            print(f"{game}: click to drawn answer, median of {len(times)}: {statistics.median(times):.0f} ms")
            shares = []
            for run in range(3):
                player = open_page(browser, server, False)
                table = player.opened(greedy_match_record(game, 4, seed=run), 0)
                player.go(f"/replay/{table}?at={FIRST_LOG_LINE[game]}").page.wait_for_selector("[data-busy]")
                player.page.wait_for_load_state("networkidle")
                player.page.keyboard.press("Space")
                deltas = measure_frames(player.page, 8)
                player.page.context.close()
                shares.append((sum(d < 50 for d in deltas) / len(deltas), len(deltas)))
            best, count = max(shares)
            print(f"{game}: frames under 50 ms, slowed four times: {best:.1%} of {count}, best of {len(shares)}")
        browser.close()


if __name__ == "__main__":
    main()

"""How long a person waits between their own turns: `python -m bench.waiting_time [GAME ...] [--levels=sprat,marlin]
[--setup]`.

It runs a real server at its own pace and Debian's Chromium with four players: a person and three bots of one level,
from the middle of a match. The page's own socket answers as soon as the page lets the person choose. It measures the
seconds from the last choice of a turn to the first choice of the next, including all animations. `asked after` is the
server's part: until the next question reached the page. `--setup` instead measures the clicks and seconds from a new
visitor's home page to their first turn, by the shortest path the pages offer.
"""

from __future__ import annotations

import json
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, sync_playwright

from landfall.tables.runtime_dependencies import Runtime
from tests.client.conftest import DESK, STATIC
from tests.client.match_records import greedy_match_record
from tests.client.page_player import Player
from tests.server.real_server import ServerProcess

GAMES: Final = ("survive", "atlantis", "atlandice")
LEVELS: Final = ("sprat", "mackerel", "marlin")
FIRST_LOG_LINE: Final = {
    "survive": 170,
    "atlantis": 110,
    "atlandice": 60,
}  # the line of a record at which they start
TURNS_PER_TABLE: Final = 4  # per table
TABLES_PER_LEVEL: Final = 1  # per level
SETUP_RUNS: Final = 3  # the median counts
# Plays for the person at the page, through the page's own socket, as soon as the page permits it: it ends its turn if
# it can. `measure_waits` are [until the question came, until the page asked it] in milliseconds, by turn.
PLAY_SCRIPT = """
window.landfallPace = { waits: [], over: false }
let socket, seat = null, version = 0, offers = [], answered = -1, view = {}, came = 0, left = 0, turn = false
const own = () => (view.turn ?? view.actor) === seat
const Plain = WebSocket
window.WebSocket = class extends Plain {
  constructor(...given) {
    super(...given)
    socket = this
    this.addEventListener('message', (message) => {
      const news = JSON.parse(message.data)
      if (news.t !== 'welcome' && news.t !== 'update') return
      if (news.t === 'welcome') seat = news.seat ?? null
      version = news.version
      if (news.view) view = { turn: news.view.turn, actor: news.view.actor }
      for (const key of ['turn', 'actor']) if (key in (news.patch ?? {})) view[key] = news.patch[key][0]
      offers = (news.choices ?? []).flatMap((group) =>
        group.rows.map((row) => [group.verb, row[group.keys.indexOf('action')]]))
      if (offers.length) came = performance.now()
      if (turn && !own()) turn = false
    })
  }
}
setInterval(() => {
  if (document.querySelector('[data-testid=end]')) window.landfallPace.over = true
  if (!offers.length || answered === version || !document.querySelector('[data-mine=true]')) return
  const now = performance.now()
  if (own() && !turn) {
    turn = true
    if (left) window.landfallPace.waits.push([came - left, now - left])
  }
  answered = version
  const pass = offers.find(([verb]) => ['pass', 'end', 'keep'].includes(verb))
  const action = (pass ?? offers[Math.floor(Math.random() * offers.length)])[1]
  if (own()) left = now
  socket.send(JSON.stringify({ t: 'play', version, id: `pace-${version}`, action }))
}, 16)
"""


def measure_waits(
    browser: Browser, server: ServerProcess, game: str, level: str, seed: int
) -> list[tuple[float, float]]:
    """Seconds of each wait at one table: the server's part, and the total."""
    context = browser.new_context(viewport=DESK, base_url=server.url, locale="en-GB")  # type: ignore[arg-type]
    kept = json.dumps(json.dumps({"speed": "normal", "sound": False, "confirm": False}))
    context.add_init_script(f"localStorage['landfall.settings'] = {kept}")
    context.add_init_script(PLAY_SCRIPT)
    player = Player(context.new_page(), [], server.url, False).set_name_by_request()
    player.opened(greedy_match_record(game, 4, seed), 0, FIRST_LOG_LINE[game], level)
    found: dict[str, list[tuple[float, float]]] = {"waits": []}
    while len(found["waits"]) < TURNS_PER_TABLE and not found.get("over"):
        player.page.wait_for_timeout(500)
        found = player.page.evaluate("window.landfallPace")
    context.close()
    return [(part / 1000, whole / 1000) for part, whole in found["waits"]]


def measure_setup(browser: Browser, server: ServerProcess, game: str) -> tuple[int, float]:
    """Clicks and seconds from the idle home page to the first turn of play."""
    context = browser.new_context(viewport=DESK, base_url=server.url, locale="en-GB")  # type: ignore[arg-type]
    player = Player(context.new_page(), [], server.url, False)
    page = player.go("/").page
    page.wait_for_load_state("networkidle")
    begun, clicks = time.monotonic(), 1
    page.get_by_role("button", name=f"Play now: {game.capitalize()}").click()
    player.wait()
    rest = page.get_by_role("button", name="Place the rest for me")
    if rest.count():
        clicks += 1
        rest.click()
        player.until(lambda: player.asked() and not rest.count())
    seconds = time.monotonic() - begun
    context.close()
    return clicks, seconds


def main() -> None:
    given = [word for word in sys.argv[1:] if not word.startswith("--")]
    levels = next((word[9:].split(",") for word in sys.argv[1:] if word.startswith("--levels=")), list(LEVELS))
    chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    own = Runtime()
    with (
        tempfile.TemporaryDirectory() as folder,
        ServerProcess(
            str(Path(folder, "tables.sqlite")),
            static=str(STATIC),
            pace=own.bot_pace_ms,
            hold=own.answer_hold_ms,
            bot_workers=1,
        ) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium)
        for game in given or GAMES:
            if "--setup" in sys.argv:
                found = sorted(
                    (measure_setup(browser, server, game) for _ in range(SETUP_RUNS)), key=lambda one: one[1]
                )
                clicks, seconds = found[SETUP_RUNS // 2]
                print(f"{game}: {clicks} clicks and {seconds:.1f} s to the first own turn", flush=True)
                continue
            for level in levels:
                waited = [
                    one for seed in range(TABLES_PER_LEVEL) for one in measure_waits(browser, server, game, level, seed)
                ]
                whole = sorted(wait for _, wait in waited)
                part = statistics.median(wait for wait, _ in waited)
                print(
                    f"{game}, three {level}s: {statistics.median(whole):.1f} s between own turns"
                    f" (from {whole[0]:.1f} to {whole[-1]:.1f}, {len(whole)} turns); asked after {part:.1f} s",
                    flush=True,
                )
        browser.close()


if __name__ == "__main__":
    main()

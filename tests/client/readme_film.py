"""Takes the README's moving picture from the running app, a tile that sinks: `python -m tests.client.readme_film`."""

from __future__ import annotations

import io
import shutil
import tempfile
from pathlib import Path
from typing import Final

from PIL import Image
from playwright.sync_api import Page, sync_playwright

import landfall
from landfall.bots.greedy_bot import GreedyBot
from landfall.core.rng import Rng
from landfall.lab.experiments.simulation import make_seat
from tests.client.conftest import STATIC
from tests.client.page_player import Player
from tests.client.survive_player import PLACES
from tests.conftest import LONG
from tests.repository_files import REPO
from tests.server.real_server import ServerProcess

FILE: Final = REPO / "docs" / "pictures" / "sinking.webp"
FRAME_MS: Final = 63  # and 17 more
CLOCK_AHEAD_S: Final = 5  # a slow machine takes that long to hear that the clock is to stand
MOST_FRAMES: Final = 70
STILL_FRAMES: Final = 6
LAST_FRAME_MS: Final = 1_600
WINDOW: Final = {"width": 1280, "height": 800}
CUT: Final = (480, 400)  # of the window, around the tile
TILE_AT: Final = 0.72  # of the height: its secret is turned up above it
SETTINGS: Final = '{"language":"en","speed":"normal","sound":false,"theme":"light"}'
SEED: Final = 5
FIRST_LINE: Final = 150  # of the match's log: half of the island is gone

# The page's clock is Playwright's; motions that scripts begin follow it too, instead of the machine's.
FOLLOW_CLOCK: Final = """(() => {
  const begun = []
  const animate = Element.prototype.animate
  Element.prototype.animate = function (...how) {
    const motion = animate.apply(this, how)
    if (window.motionsFollowClock) {
      motion.pause()
      motion.play = () => {}
      begun.push([motion, performance.now()])
    }
    return motion
  }
  window.moveAll = () => {
    for (const [motion, since] of begun) {
      if (motion.playState === 'idle' || motion.playState === 'finished') continue
      const at = (performance.now() - since) * motion.playbackRate
      if (at >= motion.effect.getComputedTiming().endTime) motion.finish()
      else motion.currentTime = at
    }
  }
})()"""
MIDDLE: Final = """(selector) => {
  const box = document.querySelector(selector).getBoundingClientRect()
  return [box.x + box.width / 2, box.y + box.height / 2]
}"""


def record_before_sinking() -> tuple[str, str]:
    """A match between greedy bots up to where the first seat sinks a tile, and the tile's place."""
    match = landfall.Match("survive", players=4, seed=SEED)
    bot, rng = GreedyBot(), Rng(SEED)
    while match.actor >= 0:
        before, actor = len(match.log), match.actor
        record = match.record() if actor == 0 and before > FIRST_LINE else ""
        match.play(bot.choose(make_seat(bot, match.state, "survive", rng, 1.0)))
        if record and match.log[before].text.startswith("sink "):
            return record, match.log[before].text.split()[1]
    raise AssertionError("the first seat sinks nothing")


def film_frames(page: Page, x: float, y: float) -> list[Image.Image]:
    """What is shown from now on until the films are over, moment by moment; the page's clock stands in between."""
    left = max(0, min(x - CUT[0] / 2, WINDOW["width"] - CUT[0]))
    top = max(0, min(y - CUT[1] * TILE_AT, WINDOW["height"] - CUT[1]))
    clip = {"x": left, "y": top, "width": CUT[0], "height": CUT[1]}
    frames: list[Image.Image] = []
    still = 0
    while len(frames) < MOST_FRAMES and still < STILL_FRAMES:
        page.clock.run_for(FRAME_MS)
        page.evaluate("moveAll()")
        page.clock.run_for(17)  # sprays are painted
        if page.locator("[data-film=true]").count():
            still = 0
        elif frames:
            still += 1
        else:
            page.wait_for_timeout(20)  # the server answers
            continue
        frames.append(Image.open(io.BytesIO(page.screenshot(clip=clip))))  # type: ignore[arg-type]
    return frames


def main() -> None:
    record, place = record_before_sinking()
    program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    with (
        tempfile.TemporaryDirectory() as folder,
        ServerProcess(str(Path(folder, "tables.sqlite")), static=str(STATIC)) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=program)
        page = browser.new_context(viewport=WINDOW, base_url=server.url, locale="en-GB").new_page()  # type: ignore[arg-type]
        page.add_init_script(f"localStorage['landfall.settings'] = {SETTINGS!r}")
        page.clock.install()
        page.add_init_script(FOLLOW_CLOCK)
        page.set_default_timeout(1_000 * LONG)
        player = Player(page, [], server.url, False).set_name_by_request("Ana")
        with player.http() as http:
            opened = http.post("/api/tables/open", json={"record": record, "seat": 0, "bots": "mackerel"})
        player.go(f"/t/{opened.json()['table']}")
        player.wait()
        player.until(lambda: page.evaluate(PLACES))
        x, y = page.evaluate(MIDDLE, f".cells [data-choice][data-space={place}]")
        page.clock.pause_at(page.evaluate("Date.now()") / 1000 + CLOCK_AHEAD_S)
        page.evaluate("window.motionsFollowClock = true")
        page.mouse.click(x, y)
        frames = film_frames(page, x, y)
        browser.close()
    times = [FRAME_MS + 17] * (len(frames) - 1) + [LAST_FRAME_MS]
    frames[0].save(FILE, save_all=True, append_images=frames[1:], duration=times, loop=0, quality=55, method=6)
    print(f"{FILE.name}: {len(frames)} frames, {FILE.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()

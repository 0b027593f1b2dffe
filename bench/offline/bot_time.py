"""The bots' time per choice in a browser's Python, by level: in Chromium, at full speed and throttled.

`python -m bench.offline.bot_time FOLDER [--moves 30] [--slow 4] [--levels leviathan ...]`, with FOLDER as `make client`
or `make site` writes it (.../here). Chromium throttles pages but not workers ("Operation is only supported for pages,
not workers"), so bots run in the page here, not in a worker as they do for players. Two times are reported: the
processor time of the page's process, which other load does not affect (Chromium throttles a thread by keeping it busy),
and the wall-clock time.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import tempfile
from pathlib import Path

from playwright.sync_api import CDPSession, sync_playwright

from landfall.bots.levels import LEVELS
from landfall.games import BUILT_IN_GAMES
from tests.client.conftest import chromium
from tests.client.offline_site import serve_folder
from tests.repository_files import REPO

PLAYERS = 4
BEGIN = """async () => {
  self.bots = await import('/bots.mjs')
  const begun = performance.now()
  await self.bots.begin()
  return performance.now() - begun
}"""
LAY = "(asked) => self.bots.lay(...asked)"
CHOOSE = "() => self.bots.choose()"
COMPILE = """import { readFileSync, writeFileSync } from 'node:fs'
import { transformWithOxc } from '%s/client/node_modules/vite/dist/node/index.js'
const { code } = await transformWithOxc(readFileSync('%s/client/src/lib/valueNet.ts', 'utf8'), 'layers.ts')
writeFileSync(process.argv[1], code)
"""


def write_page_files(folder: Path, here: Path) -> None:
    """A page, its scripts, the net's layers and the download, for a file server."""
    (folder / "index.html").write_text("<!doctype html><title>bots</title>", encoding="utf-8")
    shutil.copyfile(REPO / "bench" / "offline" / "bots.mjs", folder / "bots.mjs")
    (folder / "here").symlink_to(here.resolve())
    command = ["node", "--input-type=module", "-e", COMPILE % (REPO, REPO), str(folder / "layers.mjs")]
    subprocess.run(command, check=True)


def page_processor_time_ms(tools: CDPSession) -> float:
    """The processor time of the page's process so far, in ms."""
    every = tools.send("SystemInfo.getProcessInfo")["processInfo"]
    return 1000 * sum(float(one["cpuTime"]) for one in every if one["type"] == "renderer")


def format_times(times: list[float]) -> str:
    median, most_of_them, most = (round(sorted(times)[int(part * (len(times) - 1))]) for part in (0.5, 0.95, 1))
    return f"median {median}, 95th {most_of_them}, most {most} ms"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--moves", type=int, default=30)
    parser.add_argument("--slow", type=float, default=1)
    parser.add_argument("--levels", nargs="*", default=list(LEVELS))
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        write_page_files(Path(name), args.folder)
        with serve_folder(Path(name)) as url:
            browser = playwright.chromium.launch(executable_path=chromium())
            page, tools_of_all = browser.new_page(), browser.new_browser_cdp_session()
            page.set_default_timeout(0)
            page.goto(url)
            tools = page.context.new_cdp_session(page)
            tools.send("Emulation.setCPUThrottlingRate", {"rate": args.slow})
            print(f"ready after {page.evaluate(BEGIN):.0f} ms", flush=True)
            for game in BUILT_IN_GAMES:
                for level in args.levels:
                    used, clock, heap = [], [], 0
                    for n in range(args.moves):
                        page.evaluate(LAY, [game, PLAYERS, level, n])
                        before = page_processor_time_ms(tools_of_all)
                        took, heap = page.evaluate(CHOOSE)
                        used.append(page_processor_time_ms(tools_of_all) - before)
                        clock.append(took)
                    print(
                        f"{game} {PLAYERS}p {level}: {format_times(used)} (by the clock {format_times(clock)}); "
                        f"heap {heap // 1_000_000} MB",
                        flush=True,
                    )


if __name__ == "__main__":
    main()

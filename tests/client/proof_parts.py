"""Parts of `python -m tests.proof` in a browser: all overlaps, in every position, window and language; whole matches
without a server."""

from __future__ import annotations

import atexit
import shutil
from collections.abc import Callable
from contextlib import ExitStack
from functools import cache

from playwright.sync_api import sync_playwright

from tests.client.measured_positions import load_positions, one_puzzle_per_theme, phase_names
from tests.client.offline_site import (
    PLAYS,
    SITE,
    check_rule_diagrams_share_python,
    play_whole_match_offline,
    serve_folder,
)
from tests.client.overlap_measurement import LANGUAGES, WINDOWS, Bench, Found, Seen, open_bench


class Part:
    """As tests.proof.Part, which imports this module."""

    def __init__(self, jobs: Callable[[str], int], do: Callable[[str, int], dict[str, int]]) -> None:
        self.jobs = jobs
        self.do = do


@cache
def shared_bench() -> Bench:
    """A browser and a server for all jobs of this process: a page that was loaded once is much faster."""
    open_ = ExitStack()
    atexit.register(open_.close)
    return open_.enter_context(open_bench())


def measure_overlaps(name: str, job: int) -> dict[str, int]:
    """All positions of one phase, or the puzzles, in all windows, in one language."""
    number, language = divmod(job, len(LANGUAGES))
    phase, spoken = [*phase_names(name), "puzzles"][number], LANGUAGES[language]
    at = shared_bench()
    at.found = Found()
    every: list[Seen] = [one for one in load_positions(name) if one.phase == phase]
    if phase == "puzzles":
        every = [*one_puzzle_per_theme(name)]
    assert every, f"{name} has no position of {phase}"
    for position in every:
        at.measure(position, list(WINDOWS), [spoken])
    told = at.found.summary_lines()
    assert not told, "\n".join([f"{name} {phase} {spoken}: {len(told)} findings in {at.found.looks} looks", *told])
    return {"looks": at.found.looks, "exempt": at.found.spared.total()}


def play_match_from_static_site(name: str, job: int) -> dict[str, int]:
    """A whole match from `make site` behind a plain file server, closed in the middle; no request leaves it."""
    assert (SITE / "here" / "manifest.json").is_file(), "make site"
    with sync_playwright() as playwright, serve_folder(SITE) as url:
        running = playwright.chromium.launch(executable_path=shutil.which("chromium-headless-shell") or "chromium")
        try:
            return play_whole_match_offline(running, url, name) | check_rule_diagrams_share_python(running, url)
        finally:
            running.close()


PARTS = {
    "overlaps": Part(lambda name: (len(phase_names(name)) + 1) * len(LANGUAGES), measure_overlaps),
    "site": Part(lambda name: int(name in PLAYS), play_match_from_static_site),
}

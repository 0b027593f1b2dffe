"""Parts of `python -m tests.proof` in a browser: all overlaps, in every position, window and language; whole matches
without a server."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from hashlib import blake2b

from playwright.sync_api import sync_playwright

from tests.client.conftest import STATIC
from tests.client.here import PLAYS, SITE, served, whole_match
from tests.client.overlap import LANGUAGES, LOOK, WINDOWS, bench
from tests.client.positions import phases, positions


class Part:
    """As tests.proof.Part, which imports this module."""

    def __init__(self, jobs: Callable[[str], int], do: Callable[[str, int], dict[str, int]]) -> None:
        self.jobs = jobs
        self.do = do


def measured() -> str:
    """A fingerprint of the built client, whose index names all its files by their contents, and of the instrument."""
    index = STATIC / "index.html"
    return blake2b((index.read_bytes() if index.is_file() else b"") + LOOK.encode(), digest_size=16).hexdigest()


def do_overlaps(name: str, job: int) -> dict[str, int]:
    """All positions of one phase, in all windows, in one language."""
    number, language = divmod(job, len(LANGUAGES))
    phase, spoken = phases(name)[number], LANGUAGES[language]
    with bench() as at:
        for position in positions(name):
            if position.phase == phase:
                at.measure(position, list(WINDOWS), [spoken])
        told = list(at.found.told())
        where = f"{name} {phase} {spoken}: {len(told)} findings in {at.found.looks} looks"
        assert not told, "\n".join([where, *told])
        return {"looks": at.found.looks, "exempt": at.found.spared.total()}


def do_site(name: str, job: int) -> dict[str, int]:
    """A whole match from `make site` behind a plain file server, closed in the middle; no request leaves it."""
    assert (SITE / "here" / "manifest.json").is_file(), "make site"
    with sync_playwright() as playwright, served(SITE) as url:
        running = playwright.chromium.launch(executable_path=shutil.which("chromium-headless-shell") or "chromium")
        try:
            return whole_match(running, url, name)
        finally:
            running.close()


PARTS = {
    "overlaps": Part(lambda name: len(phases(name)) * len(LANGUAGES), do_overlaps),
    "site": Part(lambda name: int(name in PLAYS), do_site),
}

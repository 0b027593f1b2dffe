"""The whole measurement of overlaps as a part of `python -m tests.proof`: every position, window and language."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b

from tests.client.conftest import STATIC
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


PARTS = {"overlaps": Part(lambda name: len(phases(name)) * len(LANGUAGES), do_overlaps)}

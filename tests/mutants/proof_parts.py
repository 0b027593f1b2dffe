"""Mutation scores, for `python -m tests.proof mutants-rules-atlantis`. All run once, under the first game."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from functools import partial

from landfall.games import GAME_NAMES
from tests.mutants.packages import PACKAGES
from tests.repository_files import REPO

JOBS = 5
CHUNK = 12  # mutants


class Part:
    """As tests.proof.Part, which imports this module."""

    def __init__(
        self,
        jobs: Callable[[str], int],
        do: Callable[[str, int], dict[str, int]],
        holds: Callable[[Counter[str]], list[str]],
    ) -> None:
        self.jobs, self.do, self.holds = jobs, do, holds


def run_mutants_of_job(package: str, name: str, job: int) -> dict[str, int]:
    """Some mutants of a package; survivors are printed."""
    words = [sys.executable, "-m", "tests.mutants", package, "--count", str(CHUNK), "--seed", str(job)]
    done = subprocess.run(words, cwd=REPO, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    *survivors, counted = done.stdout.splitlines()
    print("\n".join(survivors), flush=True)
    counts: dict[str, int] = json.loads(counted.partition(" ")[2])
    return counts


def find_low_score(package: str, total: Counter[str]) -> list[str]:
    least = PACKAGES[package].least
    score = 100 * total["noticed"] / total["mutants"]
    return [f"{package}: {score:.0f} % of the mutants are noticed, not {least} %"] if score < least else []


PARTS = {
    f"mutants-{package}": Part(
        lambda name: JOBS * (name == GAME_NAMES[0]),
        partial(run_mutants_of_job, package),
        lambda total, package=package: find_low_score(package, total) if total else [],  # type: ignore[misc]
    )
    for package in PACKAGES
}

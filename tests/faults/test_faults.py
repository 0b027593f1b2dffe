"""Short faults of every kind, from outside."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.conftest import lacking
from tests.faults import namespace_network
from tests.repository_files import REPO

pytestmark = pytest.mark.once


@pytest.mark.proof
def test_what_was_acknowledged_outlives_every_fault_and_nobody_waits_long_after_it() -> None:
    if missing := namespace_network.missing_requirements():
        lacking(missing)
    command = [sys.executable, "-m", "tests.faults", "--seconds", "5"]
    done = subprocess.run(command, cwd=REPO, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr

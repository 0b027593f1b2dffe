"""`tests/second_look.sh`: what fails once and passes twice alone is named and recorded; all else that fails, fails.
And what hangs is ended, with its stack."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.repository_files import REPO

SCRIPT = Path(__file__).with_name("second_look.sh")
TESTS = """
from pathlib import Path
import pytest

def test_passes():
    pass

def test_fails_until_a_file_is_there():
    there = Path("there").exists()
    Path("there").touch()
    assert there

@pytest.mark.parametrize("number", range({always}))
def test_always_fails(number):
    assert False
"""

pytestmark = pytest.mark.once


@pytest.mark.parametrize(("always", "status"), [(0, 0), (1, 1), (4, 1)])
def test_what_fails_is_run_again_alone(tmp_path: Path, always: int, status: int) -> None:
    (tmp_path / "test_some.py").write_text(TESTS.format(always=always))
    words = ["sh", str(SCRIPT), sys.executable, "-q", "--rootdir=.", "-p", "xdist.plugin", "test_some.py"]
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # they take seconds to load, and none is used
    done = subprocess.run(
        words, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == status, done.stdout
    named = "FAILED AT FIRST, then passed twice alone: test_some.py::test_fails_until_a_file_is_there"
    assert (named in done.stdout) is (status == 0)
    assert ("alone: 1 of 2" in done.stdout) is (always < 4)  # five that failed are no accident
    record = tmp_path / "build" / "failed-at-first.tsv"
    assert record.exists() is (status == 0)
    if status == 0:
        assert record.read_text().splitlines()[0].split("\t")[2:] == [
            "test_some.py::test_fails_until_a_file_is_there",
            "assert False",
        ]


HANGS = """
import collections, itertools, time

def test_waits():
    time.sleep(1000)

def test_never_lets_the_interpreter_run():
    collections.deque(itertools.repeat(None), maxlen=0)
"""


@pytest.mark.parametrize(
    ("test", "says"), [("test_waits", "Timeout (>"), ("test_never_lets_the_interpreter_run", "Timeout (0:00:03)!")]
)
def test_a_test_that_hangs_is_ended_with_its_stack(tmp_path: Path, test: str, says: str) -> None:
    file = tmp_path / "test_hangs.py"
    file.write_text(HANGS)
    words = [sys.executable, "-m", "pytest", "-c", str(REPO / "pyproject.toml"), "-o", "faulthandler_timeout=3"]
    done = subprocess.run(
        [*words, "-p", "tests.conftest", f"{file}::{test}"],
        cwd=REPO,
        env={**os.environ, "PYTEST_TIMEOUT": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert says in done.stdout + done.stderr
    assert "test_hangs.py" in done.stdout + done.stderr

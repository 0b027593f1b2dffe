"""`make test` runs every stage, whatever becomes of those before, and sums up at the end."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import lacking
from tests.repository_files import REPO

pytestmark = pytest.mark.once

MAKEFILE = """
one:
\t@echo "two tests"; echo "2 passed in 0.50s"
two:
\t@echo "FAILED tests/x.py::test_y - AssertionError"; echo "1 failed, 3 passed in 61.00s (0:01:01)"; exit 1
three:
\t@echo "===== 5 passed, 1 skipped in 3.21s ====="
"""


def stages(folder: Path, *names: str) -> tuple[int, list[str]]:
    if not shutil.which("make"):
        lacking("make")
    (folder / "Makefile").write_text(MAKEFILE)
    command = ["sh", str(REPO / "tests" / "stages.sh"), "make", *names]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout.partition("--- all stages\n")[2].splitlines()


def without_seconds(lines: list[str]) -> list[str]:
    """How long a stage took is the machine's."""
    return [line.rsplit(",", 1)[0] if line.startswith(("one:", "two:", "three:")) else line for line in lines]


def test_a_stage_that_fails_does_not_keep_the_others_from_being_run(tmp_path: Path) -> None:
    code, closing = stages(tmp_path, "one", "two", "three")
    assert code == 1
    assert without_seconds(closing) == [
        "FAILED tests/x.py::test_y - AssertionError",
        "one: passed",
        "2 passed in 0.50s",
        "two: FAILED",
        "1 failed, 3 passed in 61.00s (0:01:01)",
        "three: passed",
        "===== 5 passed, 1 skipped in 3.21s =====",
        "failed: two",
    ]


def test_what_failed_at_first_in_any_run_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "shown"))
    (tmp_path / "build").mkdir()
    lines = [f"2026-01-01T00:00:00Z\tabc\ttests/{name}\tassert False\n" for name in ("a", "b", "b")]
    (tmp_path / "build" / "failed-at-first.tsv").write_text("".join(lines))
    stages(tmp_path, "one")
    assert [line.split() for line in (tmp_path / "shown").read_text().splitlines()[1:]] == [
        ["2", "tests/b"],
        ["1", "tests/a"],
    ]


def test_all_is_well_if_every_stage_is(tmp_path: Path) -> None:
    code, closing = stages(tmp_path, "one", "three")
    assert code == 0
    assert without_seconds(closing)[0] == "one: passed"


def test_a_stage_there_is_not_is_a_failure(tmp_path: Path) -> None:
    assert stages(tmp_path, "one", "nothing")[0] == 1


@pytest.mark.parametrize("allowed", [True, False])
def test_what_is_installed_on_the_machine_is_named_before_or_left_alone(tmp_path: Path, allowed: bool) -> None:
    for name in ("sh", "ls", "grep", "env"):
        (tmp_path / name).symlink_to(str(shutil.which(name)))
    for name, does in (("id", "echo 0"), ("apt-get", 'echo "apt-get $*" >&2')):
        (tmp_path / name).write_text(f"#!/bin/sh\n{does}\n")
        (tmp_path / name).chmod(0o755)
    done = subprocess.run(
        ["sh", str(REPO / "tests" / "machine.sh")],
        env={"PATH": str(tmp_path), "MACHINE": "" if allowed else "0"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=True,
    )
    said, *called = done.stdout.splitlines()
    assert "nats-server chromium-headless-shell" in said
    assert ["install" in line for line in called] == ([False, True] if allowed else [])

"""A release is refused while anything is missing; otherwise version, changelog and citation agree."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from devtools.release import (
    CHANGELOG,
    CITATION,
    VERSION_FILE,
    Unready,
    check_changelog,
    check_readiness,
    read_unreleased,
    read_version,
    write_version,
)
from tests.conftest import lacking
from tests.repository_files import REPO

pytestmark = pytest.mark.once

READY = """# Changelog

## Unreleased

**For players**

- A tide.

**For hosts**

- A pier.

**For bot authors, researchers and game authors**

- A net.

## 0.1.0 - 2026-11-17

The first release.
"""


def git(folder: Path, *words: str) -> None:
    author = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    subprocess.run(["git", *author, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository with what a release changes, ready for one."""
    if not shutil.which("git"):
        lacking("git")
    for name in (VERSION_FILE, CITATION):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(REPO / name, tmp_path / name)
    (tmp_path / CHANGELOG).write_text(READY, encoding="utf-8")
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "A")
    return tmp_path


def test_what_is_ready_is_dated_and_named_in_three_places(checkout: Path) -> None:
    check_readiness(checkout, "7.0.0")
    write_version(checkout, "7.0.0", "2030-01-02")
    assert read_version(checkout) == "7.0.0"
    assert read_unreleased(checkout) == ""
    assert "## 7.0.0 - 2030-01-02\n\n**For players**\n\n- A tide." in (checkout / CHANGELOG).read_text("utf-8")
    assert "\nversion: 7.0.0\ndate-released: 2030-01-02\n" in (checkout / CITATION).read_text("utf-8")
    with pytest.raises(Unready, match="not everything is committed"):
        check_readiness(checkout, "7.0.1")


@pytest.mark.parametrize("version", ["", "7", "7.0", "v7.0.0", "7.0.0rc1"])
def test_a_version_has_three_numbers(checkout: Path, version: str) -> None:
    with pytest.raises(Unready, match="not three numbers"):
        check_readiness(checkout, version)


def test_a_version_is_new_and_above_all_others(checkout: Path) -> None:
    with pytest.raises(Unready, match="already has"):
        check_readiness(checkout, "0.1.0")
    git(checkout, "tag", "v7.10.0")
    with pytest.raises(Unready, match="exists"):
        check_readiness(checkout, "7.10.0")
    with pytest.raises(Unready, match="not above"):
        check_readiness(checkout, "7.9.0")
    check_readiness(checkout, "7.10.1")


def test_releases_are_made_on_main(checkout: Path) -> None:
    git(checkout, "checkout", "-q", "-b", "other")
    with pytest.raises(Unready, match="on main"):
        check_readiness(checkout, "7.0.0")


@pytest.mark.parametrize(
    ("ready", "unready", "reason"),
    [
        ("- A pier.\n", "", "no entry under “For hosts”"),
        ("**For players**", "**For gamers**", "no entry under “For players”"),
        ("- A net.", "- A net and", "does not end: A net and"),
        ("## Unreleased", "## Later", "no section"),
    ],
)
def test_an_unready_changelog_is_refused(checkout: Path, ready: str, unready: str, reason: str) -> None:
    (checkout / CHANGELOG).write_text(READY.replace(ready, unready, 1), encoding="utf-8")
    with pytest.raises(Unready, match=reason):
        check_changelog(read_unreleased(checkout))


def test_the_versions_of_package_and_citation_agree() -> None:
    assert f"\nversion: {read_version(REPO)}\n" in (REPO / CITATION).read_text(encoding="utf-8")

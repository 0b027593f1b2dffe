"""A build's version: other code has another one, in a checkout with or without tags, in a copy, and in an sdist."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from landfall.build_version import read_build_version
from tests.conftest import lacking
from tests.test_release import git

pytestmark = pytest.mark.once


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository with one commit, without tags."""
    if not shutil.which("git"):
        lacking("git")
    package = tmp_path / "src" / "landfall"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text('__version__ = "0.2.0"\n')
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "A")
    return tmp_path


def change(checkout: Path, text: str, commit: bool = True) -> None:
    (checkout / "src" / "landfall" / "more.py").write_text(text)
    if commit:
        git(checkout, "add", "-A")
        git(checkout, "commit", "-q", "-m", "B")


def test_each_state_of_the_code_has_its_own_version(checkout: Path) -> None:
    seen = [read_build_version(checkout)]
    change(checkout, "a = 1")
    seen.append(read_build_version(checkout))
    git(checkout, "tag", "v0.2.0")
    seen.append(read_build_version(checkout))
    assert seen[2] == "0.2.0"
    change(checkout, "a = 2")
    seen.append(read_build_version(checkout))
    for text in ("a = 3", "a = 4"):
        change(checkout, text, commit=False)
        seen.append(read_build_version(checkout))
    assert len(set(seen)) == len(seen)
    assert seen[0].startswith("0.2.0.dev1+g")
    assert seen[1].startswith("0.2.0.dev2+g")
    assert seen[3].startswith("0.2.1.dev1+g")
    from packaging.version import Version

    ordered = [Version(one) for one in seen[:4]]
    assert ordered == sorted(ordered), "pip takes the later one for the newer"


def test_without_git_the_code_itself_says_it(checkout: Path) -> None:
    shutil.rmtree(checkout / ".git")
    before = read_build_version(checkout)
    change(checkout, "a = 1", commit=False)
    assert before.startswith("0.2.0.dev0+t")
    assert read_build_version(checkout) not in ("0.2.0", before)


def test_an_sdist_says_what_it_was_made_from(checkout: Path) -> None:
    (checkout / "PKG-INFO").write_text("Metadata-Version: 2.4\nName: landfall-games\nVersion: 0.2.1.dev7+gabc1234\n")
    assert read_build_version(checkout) == "0.2.1.dev7+gabc1234"

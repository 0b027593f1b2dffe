"""The version of a build: the release, how many commits are after it, and which. setup.py and a checkout's server ask.

`0.2.0` at the tag v0.2.0; `0.2.1.dev3+gabc1234` three commits later; where no commit is known (a copy of the sources
without git), a digest of the sources stands for it: other code always has another version.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
from pathlib import Path
from typing import Final

RELEASE_LINE: Final = re.compile(r'^__version__ = "(.*)"$', re.MULTILINE)
SDIST_LINE: Final = re.compile(r"^Version: (.*)$", re.MULTILINE)
DIGEST_LENGTH: Final = 8


def read_build_version(checkout: Path) -> str:
    """The version of what lies in a folder: an sdist, a checkout with or without tags, or a copy without git."""
    package = checkout / "src" / "landfall"
    found = RELEASE_LINE.search((package / "__init__.py").read_text(encoding="utf-8"))
    assert found is not None
    release = found[1]
    if (checkout / "PKG-INFO").is_file():
        told = SDIST_LINE.search((checkout / "PKG-INFO").read_text(encoding="utf-8"))
        return told[1] if told is not None else release
    commit = ask_git(checkout, "rev-parse", "--short=7", "HEAD") if (checkout / ".git").exists() else None
    if commit is None:
        return f"{release}.dev0+t{source_digest(package)}"
    is_tagged = ask_git(checkout, "rev-parse", "-q", "--verify", f"refs/tags/v{release}") is not None
    count = ask_git(checkout, "rev-list", "--count", f"v{release}..HEAD" if is_tagged else "HEAD")
    changed = ask_git(
        checkout, "status", "--porcelain", "--", "src", "client", "docs/rules", "setup.py", "pyproject.toml"
    )
    if is_tagged and count == "0" and not changed:
        return release
    number = next_patch(release) if is_tagged else release
    return f"{number}.dev{count}+g{commit}{f'.t{source_digest(package)}' if changed else ''}"


def next_patch(release: str) -> str:
    head, _, last = release.rpartition(".")
    return f"{head}.{int(last) + 1}"


def ask_git(checkout: Path, *words: str) -> str | None:
    """What git answers; None if it is not there, or has no answer."""
    try:
        done = subprocess.run(["git", "-C", str(checkout), *words], capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def source_digest(package: Path) -> str:
    found = hashlib.sha256()
    for path in sorted(package.rglob("*")):
        if path.is_file() and path.suffix not in (".so", ".pyd", ".pyc") and "__pycache__" not in path.parts:
            found.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes())
    return found.hexdigest()[:DIGEST_LENGTH]

"""Make a release: refuse an unready tree, date the changelog, set the version, build and try the wheel, commit and tag.

`make release VERSION=0.2.0`. Nothing leaves this machine; the last line says what to push. docs/releasing.md explains.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

REPO: Final = Path(__file__).resolve().parents[1]
VERSION_FILE: Final = "src/landfall/__init__.py"
CHANGELOG: Final = "CHANGELOG.md"
CITATION: Final = "CITATION.cff"
VERSION_LINE: Final = re.compile(r'^__version__ = "(.*)"$', re.MULTILINE)
NUMBERS: Final = re.compile(r"\d+\.\d+\.\d+")
UNRELEASED: Final = "## Unreleased\n"
READERS: Final = ("For players", "For hosts", "For bot authors, researchers and game authors")


class Unready(Exception):
    """Why there can be no release now."""


def run(folder: Path, *command: str | Path) -> str:
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


def read_version(folder: Path) -> str:
    found = VERSION_LINE.search((folder / VERSION_FILE).read_text(encoding="utf-8"))
    if found is None:
        raise Unready(f"{VERSION_FILE} has no line with the version")
    return found[1]


def read_unreleased(folder: Path) -> str:
    """What the changelog says of the next release."""
    text = (folder / CHANGELOG).read_text(encoding="utf-8")
    if UNRELEASED not in text:
        raise Unready(f"{CHANGELOG} has no section “Unreleased”")
    return text.partition(UNRELEASED)[2].partition("\n## ")[0].strip()


def check_readiness(folder: Path, version: str) -> None:
    """Raise Unready with the first reason against a release of this version."""
    if not NUMBERS.fullmatch(version):
        raise Unready(f"{version!r} is not three numbers with dots")
    if run(folder, "git", "branch", "--show-current") != "main":
        raise Unready("releases are made on main")
    if changed := run(folder, "git", "status", "--porcelain"):
        raise Unready(f"not everything is committed:\n{changed}")
    if f"v{version}" in run(folder, "git", "tag").split():
        raise Unready(f"the tag v{version} exists")
    if f"\n## {version} " in (folder / CHANGELOG).read_text(encoding="utf-8"):
        raise Unready(f"{CHANGELOG} already has {version}")
    tagged = [name[1:] for name in run(folder, "git", "tag", "--list", "v*").split()]
    for earlier in tagged:
        if numbers_of(earlier) >= numbers_of(version):
            raise Unready(f"{version} is not above {earlier}")
    check_changelog(read_unreleased(folder))


def numbers_of(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())


def check_changelog(unreleased: str) -> None:
    """Every reader has a part with at least one entry, and each entry is a finished sentence."""
    parts = re.split(r"^\*\*(For .*)\*\*$", unreleased, flags=re.MULTILINE)
    texts = dict(zip(parts[1::2], parts[2::2], strict=True))
    for reader in READERS:
        entries = re.split(r"^- ", texts.get(reader, ""), flags=re.MULTILINE)[1:]
        if not entries:
            raise Unready(f"{CHANGELOG}: “Unreleased” has no entry under “{reader}”")
        for entry in entries:
            if not entry.rstrip().endswith((".", ")")):
                raise Unready(f"{CHANGELOG}: this entry does not end: {entry.strip()}")


def write_version(folder: Path, version: str, date: str) -> None:
    """Date the changelog's section, and set the version in the package and in the citation."""
    path = folder / VERSION_FILE
    path.write_text(VERSION_LINE.sub(f'__version__ = "{version}"', path.read_text("utf-8"), count=1), encoding="utf-8")
    path = folder / CHANGELOG
    dated = f"{UNRELEASED}\n## {version} - {date}\n"
    path.write_text(path.read_text("utf-8").replace(UNRELEASED, dated, 1), encoding="utf-8")
    path = folder / CITATION
    cited = re.sub(r"^version: .*$", f"version: {version}", path.read_text("utf-8"), flags=re.MULTILINE)
    cited = re.sub(r"^date-released: .*\n", "", cited, flags=re.MULTILINE)
    path.write_text(cited.replace(f"version: {version}\n", f"version: {version}\ndate-released: {date}\n"), "utf-8")


def try_wheel(folder: Path, version: str) -> None:
    """The built wheel, in an environment of its own, says its version and plays."""
    wheels = list((folder / "dist").glob(f"landfall_games-{version}-*.whl"))
    if len(wheels) != 1:
        raise Unready(f"dist/ has {len(wheels)} wheels of {version}")
    with tempfile.TemporaryDirectory() as place:
        run(folder, sys.executable, "-m", "venv", place)
        programs = Path(place) / "bin"
        run(folder, programs / "pip", "install", "-q", wheels[0])
        said = run(Path(place), programs / "landfall", "--version")
        if version not in said:
            raise Unready(f"the wheel says {said!r} and not {version}")
        run(Path(place), programs / "landfall", "sim", "atlantis", "--games", "1")


def main(version: str) -> None:
    check_readiness(REPO, version)
    write_version(REPO, version, datetime.now(UTC).date().isoformat())
    try:
        run(REPO, "env", f"LANDFALL_VERSION={version}", "make", "wheel")
        try_wheel(REPO, version)
    except (subprocess.CalledProcessError, Unready):
        run(REPO, "git", "checkout", "--", VERSION_FILE, CHANGELOG, CITATION)
        raise
    run(REPO, "git", "commit", "-am", f"Release {version}")
    run(REPO, "git", "tag", "-a", f"v{version}", "-m", f"Landfall {version}")
    print(f"{version} is committed and tagged, its wheel is in dist/. To publish it: git push --follow-tags")


if __name__ == "__main__":
    try:
        main(sys.argv[1] if len(sys.argv) > 1 else "")
    except Unready as reason:
        sys.exit(f"no release: {reason}")
    except subprocess.CalledProcessError as failed:
        sys.exit(f"no release: {' '.join(map(str, failed.cmd))} failed\n{failed.stdout}{failed.stderr}")

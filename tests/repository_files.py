"""The repository as its tests see it: where it is, and which files it consists of."""

import shutil
import subprocess
from pathlib import Path

from tests.conftest import lacking

REPO = Path(__file__).resolve().parents[1]


def list_repository_files() -> list[Path]:
    """All files that are, or would be, committed, relative to the repository."""
    if not shutil.which("git") or not (REPO / ".git").exists():
        lacking("git, or a git checkout")
    command = ["git", "-C", str(REPO), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [p for name in sorted(set(listed.split("\0")) - {""}) if (REPO / (p := Path(name))).is_file()]

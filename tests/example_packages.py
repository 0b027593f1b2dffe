"""Games that are packages of their own, under examples/: installed where nothing else is, and asked there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

from tests.conftest import lacking
from tests.repository_files import REPO

FOLDERS = sorted(path.parent for path in (REPO / "examples").glob("*/pyproject.toml"))


def game_name_of_package(folder: Path) -> str:
    """The game a package brings."""
    project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (name,) = project["entry-points"]["landfall.games"]
    return str(name)


def install_package(folder: Path, where: Path) -> dict[str, str]:
    """The environment of a Python that has the package installed besides this tree."""
    uv = shutil.which("uv", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}") or lacking("uv")
    source = where / "source"
    shutil.copytree(folder, source, ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
    target = where / "installed"
    here = ("--python", sys.executable, "--offline", "--no-deps", "--no-build-isolation")
    subprocess.run([uv, "pip", "install", "-q", *here, "--target", str(target), str(source)], check=True, cwd=where)
    path = os.pathsep.join(map(str, (target, REPO / "src", REPO)))
    return {**os.environ, "PYTHONPATH": path, "PYTHONWARNINGS": "ignore:landfall. sources changed:RuntimeWarning"}

"""A wheel built from a clean tree, installed into an empty environment: it has all it needs, and it runs."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from urllib.parse import unquote

import pytest

from landfall import native
from landfall.games import BUILT_IN_GAMES
from tests.conftest import lacking
from tests.repository_files import REPO, list_repository_files

pytestmark = pytest.mark.once
STATIC = REPO / "src" / "landfall" / "web" / "static"
ASK = """
import json, landfall, landfall.paths
rules = landfall.paths.rules_dir()
found = sorted(p.relative_to(rules).as_posix() for p in rules.rglob("*.md"))
print(json.dumps([landfall.__file__, landfall.ENGINE, found]))
"""

# A command whose extra is missing, and the extra that it names.
NEEDS = {
    "play": "play",
    "serve": "play",
    "types": "play",
    "host check": "play",
    "bench server": "play",
    "play --text --bots net --players 2": "play",
    "sim survive --players 2 --bots greedy,kraken": "play",
    "ladder atlandice --bots random,greedy": "lab",
    "train atlandice": "train",
}
SENTENCES = f"""
import json, pathlib, subprocess, sys
landfall = pathlib.Path(sys.executable).parent / "landfall"
runs = [subprocess.Popen([landfall, *words.split()], stderr=subprocess.PIPE, text=True) for words in {list(NEEDS)}]
print(json.dumps([run.communicate()[1] for run in runs]))
"""
DRAWN = "import landfall; print(landfall.Match('survive', players=2, seed=1).state.svg(0)[:40])"
BOTS = ("--bots", "random,greedy", "--players", "2")
MOST = 20  # packages in the base, with what they need themselves


def run(*command: str | Path, cwd: Path, **env: str) -> str:
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("LANDFALL_", "PYTHON", "VIRTUAL_ENV"))}
    done = subprocess.run(
        [str(c) for c in command], cwd=cwd, env=clean | env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}"
    return done.stdout


def uv() -> str:
    found = shutil.which("uv", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    return found or lacking("uv")


def build(folder: Path, **env: str) -> Path:
    """An sdist from the committed files alone, then a wheel from the sdist."""
    checkout = folder / "checkout"
    for name in list_repository_files():
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(REPO / name, checkout / name)
    shutil.copytree(STATIC, checkout / STATIC.relative_to(REPO))  # made from the tree by `make client`
    run(uv(), "build", "-q", "--no-build-isolation", "--python", sys.executable, "-o", folder, cwd=checkout, **env)
    (wheel,) = folder.glob("landfall_games-*.whl")
    return wheel


def install(wheel: Path, folder: Path) -> Path:
    """The bin folder of a new environment that has the wheel and what its base needs, as locked, nothing else."""
    python = folder / "venv" / "bin" / "python"
    run(uv(), "venv", "-q", "--python", sys.executable, "venv", cwd=folder)
    run(uv(), "pip", "install", "-q", "--python", python, "-c", REPO / "requirements-dev.lock", wheel, cwd=folder)
    run(uv(), "pip", "check", "-q", "--python", python, cwd=folder)
    return python.parent


@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=[pytest.mark.compiled_only, pytest.mark.proof])])
def test_wheel_is_complete_and_runs_in_an_empty_environment(compiled: bool, tmp_path: Path) -> None:
    settings = {"LANDFALL_NATIVE": "1", "LANDFALL_OPT": "0"} if compiled else {"LANDFALL_NATIVE": "0"}
    wheel = build(tmp_path, **settings)
    inside = set(zipfile.ZipFile(wheel).namelist())

    package = {
        name.relative_to("src").as_posix() for name in list_repository_files() if name.parts[:2] == ("src", "landfall")
    }
    rules = {
        name.relative_to("docs/rules").as_posix()
        for name in list_repository_files()
        if name.parts[:2] == ("docs", "rules")
    }
    assert not package - inside, "files of the package that the wheel lacks"
    client = {path.relative_to(REPO / "src").as_posix() for path in STATIC.rglob("*") if path.is_file()}
    assert {"landfall/web/static/index.html", "landfall/web/static/here/manifest.json"} <= client
    assert not client - inside, "files of the browser client that the wheel lacks"
    fonts = {Path(name).name.partition("-")[0] for name in inside if name.endswith(".woff2")}
    assert fonts
    assert {f"landfall/web/static/licences/{font}.txt" for font in fonts} <= inside, "fonts without their licence"
    assert {f"landfall/rules/{name}" for name in rules} <= inside
    libraries = [name for name in inside if name.endswith((".so", ".pyd"))]
    kernels = [f"landfall/kernels/built/{game}.so" for game in BUILT_IN_GAMES]
    assert len(libraries) == (len(native.modules_to_compile()) + 1 + len(kernels) if compiled else 0)
    assert not compiled or set(kernels) < set(libraries)
    assert wheel.name.endswith("-py3-none-any.whl") != compiled

    bin_ = install(wheel, tmp_path)
    home, engine, found = json.loads(run(bin_ / "python", "-c", ASK, cwd=tmp_path))
    assert Path(home).is_relative_to(tmp_path / "venv")
    assert engine == "compiled" if compiled else engine.startswith("interpreted: no compiled modules")
    told = run(bin_ / "landfall", "--version", cwd=tmp_path)
    assert told.endswith(f"kernels {', '.join(BUILT_IN_GAMES) if compiled else 'none'}\n"), told
    assert set(found) == rules
    assert "play" in run(bin_ / "landfall", "--help", cwd=tmp_path)
    told = json.loads(run(bin_ / "python", "-c", SENTENCES, cwd=tmp_path))
    assert [line for line in told if "Traceback" in line] == []
    assert [unquote(line.rpartition("landfall-games[")[2].strip()) for line in told] == [
        f'{extra}] @ {unquote(wheel.as_uri())}"' for extra in NEEDS.values()
    ]
    assert "<svg" in run(bin_ / "python", "-c", DRAWN, cwd=tmp_path)
    assert "greedy" in run(bin_ / "landfall", "sim", "atlandice", "--games", "1", *BOTS, cwd=tmp_path)
    installed = run(uv(), "pip", "freeze", "-q", "--python", bin_ / "python", cwd=tmp_path).splitlines()
    assert 5 < len(installed) <= MOST
    assert not [line for line in installed if line.startswith(("numpy", "fastapi", "sqlalchemy"))]

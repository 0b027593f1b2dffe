"""Runs one of the client's tests against what the server's side has just recorded."""

import os
import shutil
import subprocess
from pathlib import Path

from tests.conftest import LONG, lacking
from tests.repository_files import REPO


def check_recorded(name: str, recorded: Path) -> None:
    """`client/src/**/NAME.recorded.ts` passes with this file."""
    path = f"{REPO / '.node' / 'bin'}{os.pathsep}{os.environ['PATH']}"
    node = shutil.which("node", path=path) or lacking("Node")
    vitest = REPO / "client" / "node_modules" / "vitest" / "vitest.mjs"
    assert vitest.exists(), "the client's parts are not installed: make setup"
    environment = {**os.environ, "PATH": path, "LANDFALL_RECORDED_MESSAGES": str(recorded), "CI": "true"}
    command = [node, str(vitest), "run", f"{name}.recorded.ts"]
    run = subprocess.run(
        command, cwd=REPO / "client", env=environment, capture_output=True, text=True, timeout=LONG, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr

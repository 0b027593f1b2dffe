"""The archive that a browser downloads holds all that it needs, and nothing else is needed."""

from __future__ import annotations

import io
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from landfall.offline import bundle

pytestmark = pytest.mark.once
MOST = 700_000  # bytes: it is downloaded by phones; 90,000 of them are 450 puzzles
MOST_OF_NETS = 1_150_000
WORK = """
import sys
sys.path[:] = [sys.argv[1], *(path for path in sys.path if "site-packages" not in path)]
import asyncio, json
from landfall.offline.browser import start
from landfall.offline.static_site import static_requests

async def work():
    here = await start(None, "Ana")
    for question, _ in static_requests():
        assert (await here.request("GET", question))[0] == 200, question
    names = [game["name"] for game in json.loads((await here.request("GET", "/api/games"))[2])]
    for name in names:
        body = json.dumps({"game": name, "players": 2, "bots": ["leviathan"]})
        assert (await here.request("POST", "/api/tables/quick", body))[0] == 201
    await here.stop()
    print(len(names), sorted({name.partition(".")[0] for name in sys.modules if name.startswith(("landfall", "msg"))}))

asyncio.run(work())
"""


def test_the_archive_is_all_that_a_browser_needs(tmp_path: Path) -> None:
    packed = bundle.make_archive(bundle.source_files())
    assert len(packed) < MOST
    assert len(bundle.make_archive(bundle.net_files())) < MOST_OF_NETS
    zipfile.ZipFile(io.BytesIO(packed)).extractall(tmp_path)
    command = [sys.executable, "-I", "-S", "-c", WORK, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.startswith("3 ['landfall']")


def test_the_same_sources_make_the_same_archive() -> None:
    assert bundle.make_archive(bundle.source_files()) == bundle.make_archive(bundle.source_files())

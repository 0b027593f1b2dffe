"""The archive that a browser downloads holds all that it needs, and nothing else is needed."""

from __future__ import annotations

import importlib
import importlib.metadata
import io
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from landfall.core.languages import LANGUAGES, SOURCE_LANGUAGE
from landfall.offline import bundle
from tests.repository_files import REPO

pytestmark = pytest.mark.once
MOST = 540_000  # bytes in English: it is downloaded by phones; 77,000 of them are puzzles, 25,000 match review
MOST_OF_A_LANGUAGE = 50_000  # texts and rules, beside English
MOST_OF_NETS = 1_150_000
ZIP_HEADERS = 76  # bytes of a file's two headers, but for its name
WORK = """
import sys
sys.path[:] = [*sys.argv[1:], *(path for path in sys.path if "site-packages" not in path)]
import asyncio, json
from landfall.offline.browser_entry_point import start_offline_api
from landfall.offline.rest import ROUTES
from landfall.offline.static_site import list_static_requests

async def work():
    here = await start_offline_api(None, "Ana")
    for path, _ in list_static_requests():
        assert (await here.request("GET", path))[0] == 200, path
    names = [game["name"] for game in json.loads((await here.request("GET", "/api/games"))[2])]
    for name in names:
        body = json.dumps({"game": name, "players": 2, "bots": ["leviathan"]})
        assert (await here.request("POST", "/api/tables/quick", body))[0] == 201
        first = json.loads((await here.request("GET", f"/api/puzzles/{name}"))[2])[0]["id"]
        drawn = await here.request("GET", f"/api/puzzles/{name}/{first}/picture")
        assert drawn[0] == 200 and json.loads(drawn[2])["svg"].startswith("<svg")
    assert all(len(route.parameters) >= len(route.path_names) for route in ROUTES)  # what is stripped has no types
    opened = await here.request("POST", "/api/tables", json.dumps({"game": names[0], "players": 2}))
    made = json.loads(opened[2])["table"]
    for method, path, body in (
        ("POST", "/api/me", '{"name": "Ben"}'), ("GET", "/api/me", None),
        ("POST", f"/api/tables/{made}/handover", '{"key": "a key of twenty letters"}'),
        ("DELETE", f"/api/tables/{made}", None),
    ):
        assert (await here.request(method, path, body))[0] < 300, path
    await here.stop_server()
    print(len(names), sorted({name.partition(".")[0] for name in sys.modules if name.startswith(("landfall", "msg"))}))

asyncio.run(work())
"""


def size_by_language(packed: bytes) -> dict[str, int]:
    """The bytes of the archive that are a language's own texts and rules; English has all else, too."""
    sizes = dict.fromkeys(LANGUAGES, 0)
    for one in zipfile.ZipFile(io.BytesIO(packed)).infolist():
        path = Path(one.filename)
        own = {path.parent.name, path.stem.rpartition(".")[2]} & {*LANGUAGES}
        sizes[own.pop() if own else SOURCE_LANGUAGE] += one.compress_size + 2 * len(one.filename) + ZIP_HEADERS
    return sizes


def test_the_archive_is_all_that_a_browser_needs(tmp_path: Path) -> None:
    packed = bundle.make_stripped_zip_archive(bundle.list_source_files())
    sizes = size_by_language(packed)
    assert sizes.pop(SOURCE_LANGUAGE) < MOST
    assert {language: size for language, size in sizes.items() if size > MOST_OF_A_LANGUAGE} == {}
    assert set(sizes) == {*LANGUAGES} - {SOURCE_LANGUAGE}
    assert len(bundle.make_stripped_zip_archive(bundle.list_net_files())) < MOST_OF_NETS
    zipfile.ZipFile(io.BytesIO(packed)).extractall(tmp_path / "archive")
    for package in bundle.WHEELS:  # this Python's own instead of the wheels for a browser's
        folder = Path(str(importlib.import_module(package).__file__)).parent
        shutil.copytree(folder, tmp_path / "packages" / package)
    command = [sys.executable, "-I", "-S", "-c", WORK, str(tmp_path / "archive"), str(tmp_path / "packages")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.startswith("3 ['landfall', 'msgspec']")


@pytest.mark.proof
def test_the_same_sources_make_the_same_archive() -> None:
    assert bundle.make_stripped_zip_archive(bundle.list_source_files()) == bundle.make_stripped_zip_archive(
        bundle.list_source_files()
    )


def test_a_wheel_is_pinned_by_the_servers_lock_and_its_hash_is_checked(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    lock = (REPO / "requirements.lock").read_text(encoding="utf-8")
    requirement = bundle.find_locked_requirement(lock, "msgspec")
    assert requirement.startswith(f"msgspec=={importlib.metadata.version('msgspec')} ")
    assert requirement.count("--hash=sha256:") > 20
    assert requirement.splitlines()[-1] in lock
    info = {"python": "3.14.2", "abi_version": "2026_0", "arch": "wasm32"}
    forged = f"{requirement.splitlines()[0]}\n    --hash=sha256:{'0' * 64}"
    with pytest.raises(SystemExit, match="could not be downloaded"):  # another hash, or no network: none is used
        bundle.download_wheel_once("msgspec", forged, info, tmp_path)
    assert not list(tmp_path.glob("*.whl"))

"""What makes pages an app: a manifest whose pictures are there and as large as it says, and a small service worker."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.conftest import lacking
from tests.repository_files import REPO

pytestmark = pytest.mark.once
PUBLIC = REPO / "client" / "public"
STATIC = REPO / "src" / "landfall" / "web" / "static"
MANIFEST: dict[str, Any] = json.loads((PUBLIC / "manifest.webmanifest").read_text(encoding="utf-8"))
MOST = 2000  # bytes of the service worker: every first visit brings it


@pytest.fixture
def built() -> Path:
    if not (STATIC / "sw.js").is_file():
        lacking("the client is not built (make client)")
    return STATIC


def sizes(pictures: list[dict[str, str]], folder: Path) -> dict[str, tuple[str, str]]:
    """What a manifest says of each picture's size, and what it is."""
    found = {}
    for picture in pictures:
        if picture["type"] != "image/svg+xml":
            with Image.open(folder / picture["src"]) as image:
                found[picture["src"]] = picture["sizes"], f"{image.width}x{image.height}"
    return found


def test_it_can_be_installed() -> None:
    assert (MANIFEST["name"], MANIFEST["display"], MANIFEST["start_url"]) == ("Landfall", "standalone", "./")
    assert MANIFEST["scope"] == "./"  # every page of ours, so that links to tables open in the app
    found = sizes(MANIFEST["icons"], PUBLIC)
    assert all(said == true for said, true in found.values()), found
    assert {said for said, _ in found.values()} == {"192x192", "512x512"}
    assert [icon["src"] for icon in MANIFEST["icons"] if icon.get("purpose") == "maskable"] == ["icon-maskable.png"]
    page = (REPO / "client" / "index.html").read_text(encoding="utf-8")
    assert '<link rel="manifest" href="/manifest.webmanifest" />' in page


def test_its_pictures_are_there(built: Path) -> None:
    found = sizes(MANIFEST["screenshots"], built)
    assert len(found) == 4
    assert all(said == true for said, true in found.values()), found
    assert {shot["form_factor"] for shot in MANIFEST["screenshots"]} == {"wide", "narrow"}


def test_the_service_worker_is_small_and_names_the_version(built: Path) -> None:
    worker = (built / "sw.js").read_text(encoding="utf-8")
    assert len(worker) < MOST
    assert not re.search(r"\b(import|export)\b", worker), "it is no module, and stands alone"
    (entry,) = re.findall(r'src="/(assets/index-[^"]+\.js)"', (built / "index.html").read_text(encoding="utf-8"))
    assert worker.startswith(f"// {entry}\n")


def test_the_list_of_the_apps_files_is_whole(built: Path) -> None:
    listed = dict(json.loads((built / "app.json").read_text(encoding="utf-8")))
    there = {
        f"assets/{path.name}": path.stat().st_size
        for path in (built / "assets").iterdir()
        if path.suffix in (".js", ".css", ".svg", ".woff2")
    }
    assert listed == there
    assert any("offline.worker" in name for name in listed)

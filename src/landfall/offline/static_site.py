"""Writes the responses that never change as JSON files under the server's paths: games, bots, texts, rules, diagrams
and lists of puzzles. Lets the page reach the server that `together.json` names.
`python -m landfall.offline.static_site FOLDER`.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from landfall import paths
from landfall.core.languages import LANGUAGES
from landfall.games import BUILT_IN_GAMES
from landfall.offline.rest import OfflineApi
from landfall.offline.storage import MemoryStorage


def list_static_requests() -> Iterator[tuple[str, str]]:
    """Each request, and the file with its response."""
    yield "/api/games", "api/games.json"
    yield "/api/bots", "api/bots.json"
    for game in BUILT_IN_GAMES:
        yield f"/api/puzzles/{game}", f"api/puzzles/{game}.json"
    for language in LANGUAGES:
        for game in (paths.COMMON_NAME, *BUILT_IN_GAMES):
            yield f"/api/games/{game}/rules?language={language}", f"api/games/{game}/rules/{language}.json"
        for game in BUILT_IN_GAMES:
            yield f"/api/games/{game}/texts/{language}", f"api/games/{game}/texts/{language}.json"
            yield f"/api/games/{game}/figures?language={language}", f"api/games/{game}/figures/{language}.json"


async def write_static_responses(folder: Path) -> None:
    """Write all files."""
    server = OfflineApi(MemoryStorage())
    for question, file in list_static_requests():
        status, _, body = await server.request("GET", question)
        assert status == 200, question
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(body, encoding="utf-8")


def allow_rendezvous_in_page_policy(folder: Path) -> None:
    """Let the page's policy allow the server for friends' notes, if `together.json` names one, and no other."""
    named = json.loads((folder / "together.json").read_text(encoding="utf-8")).get("rendezvous")
    page = folder / "index.html"
    text = re.sub(r"connect-src [^;]*; ", "", page.read_text(encoding="utf-8"))
    if named is not None:
        url = urlsplit(str(named))
        if url.scheme not in ("http", "https") or not re.fullmatch(r"[\w.\[\]:-]+", url.netloc):
            raise SystemExit(f"together.json: rendezvous is not the address of a server: {named}")
        text = text.replace("default-src", f"connect-src 'self' {url.scheme}://{url.netloc}; default-src", 1)
    page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(write_static_responses(Path(sys.argv[1])))
    allow_rendezvous_in_page_policy(Path(sys.argv[1]))

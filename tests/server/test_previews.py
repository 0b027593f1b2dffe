"""Links to tables where links are shown: tags that name nobody, and a picture of what a stranger may see."""

from __future__ import annotations

import asyncio
import io
import re
from collections.abc import Awaitable, Callable
from html import unescape
from pathlib import Path
from typing import Any

import httpx
import pytest
from PIL import Image

from landfall.core.rng import Rng
from landfall.core.text_catalogue import translate
from landfall.games import BUILT_IN_GAMES
from landfall.lab.pictures import CARD_SIZE_PX, render_link_preview_png
from landfall.tables.teaching import puzzles
from landfall.web import link_previews, rest_pictures
from landfall.web.app import create_app
from landfall.web.settings import Settings

pytestmark = pytest.mark.once
PAGE = "<!doctype html><html><head><title>the client</title></head></html>"
Story = Callable[[httpx.AsyncClient, Any], Awaitable[None]]


def run_story(folder: Path, story: Story) -> None:
    """A server in this process, with somebody who has a name."""
    (folder / "static").mkdir()
    (folder / "static" / "index.html").write_text(PAGE)

    async def work() -> None:
        settings = Settings(
            database=f"sqlite+aiosqlite:///{folder}/tables.sqlite",
            bot_workers=0,
            static=folder / "static",
            public_url="https://games.example.org",
        )
        app = create_app(settings)
        async with app.router.lifespan_context(app):
            transport = httpx.ASGITransport(app=app)
            async with httpx.AsyncClient(transport=transport, base_url="https://games.example.org") as http:
                (await http.post("/api/me", json={"name": "Zoe Unlike"})).raise_for_status()
                await story(http, app.state.server)

    asyncio.run(work())


async def table_of(http: httpx.AsyncClient, game: str = "atlantis") -> str:
    body = {"game": game, "players": 2, "bots": ["sprat"], "seating": "as_sat"}
    return str((await http.post("/api/tables/quick", json=body)).json()["table"])


async def at_rest(http: httpx.AsyncClient, table: str) -> dict[str, Any]:
    """The table as its player sees it, when it waits for that player."""
    while True:
        seen: dict[str, Any] = (await http.get(f"/api/tables/{table}")).json()
        if seen.get("choices"):
            return seen
        await asyncio.sleep(0.01)


def test_a_link_tells_the_game_and_nobodys_name(tmp_path: Path) -> None:
    async def story(http: httpx.AsyncClient, server: Any) -> None:
        table = await table_of(http)
        for path in (f"/t/{table}", f"/replay/{table}", f"/t/{table}/"):
            got = await http.get(path)
            assert got.status_code == 200
            assert '<meta property="og:title" content="Atlantis · Landfall">' in got.text
            assert f"https://games.example.org/api/tables/{table}/preview.png" in got.text
            assert "A match for 2 players is being played." in got.text
            assert "Zoe" not in got.text
            again = await http.get(path, headers={"If-None-Match": got.headers["etag"]})
            assert (again.status_code, again.content) == (304, b"")
        in_bulgarian = await http.get(f"/t/{table}", headers={"Accept-Language": "bg-BG,bg;q=0.9"})
        assert "Играе се партия" in in_bulgarian.text
        gathering = (await http.post("/api/tables", json={"game": "survive", "players": 3})).json()["table"]
        assert "https://games.example.org/shots/table.jpg" in (await http.get(f"/t/{gathering}")).text
        assert (await http.get("/t/nowhere")).status_code == 404
        assert "og:" not in (await http.get("/t/nowhere")).text

    run_story(tmp_path, story)


def test_the_picture_is_what_a_stranger_sees_whoever_asks(tmp_path: Path) -> None:
    async def story(http: httpx.AsyncClient, server: Any) -> None:
        table = await table_of(http)
        mine = await at_rest(http, table)
        own = await http.get(f"/api/tables/{table}/preview.png")
        cookies, http.cookies = http.cookies, httpx.Cookies()
        stranger = (await http.get(f"/api/tables/{table}")).json()
        others = await http.get(f"/api/tables/{table}/preview.png")
        http.cookies = cookies
        assert own.content == others.content == render_link_preview_png(stranger["view"])
        assert own.content != render_link_preview_png(mine["view"])  # whose own hand would be in it
        assert Image.open(io.BytesIO(own.content)).size == CARD_SIZE_PX
        assert own.headers["cross-origin-resource-policy"] == "cross-origin"
        assert (await http.get("/api/tables/nowhere/preview.png")).status_code == 404

    run_story(tmp_path, story)


@pytest.mark.parametrize("game", BUILT_IN_GAMES)
def test_a_link_to_a_puzzle_shows_what_its_seat_knows_and_no_solution(game: str, tmp_path: Path) -> None:
    one, state = puzzles.get_puzzle_and_position(game, next(iter(puzzles.load_puzzles_by_id(game))))
    other = state.resample(one.seat, Rng(3))  # another world, the same to the seat

    async def story(http: httpx.AsyncClient, server: Any) -> None:
        got = await http.get(f"/puzzle/{game}/{one.id}")
        assert got.status_code == 200
        image = f"/api/puzzles/{game}/{one.id}/preview.png"
        said = dict(re.findall(r'<meta property="og:(\w+)" content="([^"]*)">', got.text))
        goal = translate("en", f"puzzle.goal.{one.goal}", one.facts, game)
        assert unescape(said["description"]) == goal
        assert said["image"] == f"https://games.example.org{image}"
        assert one.solution not in got.text
        picture = await http.get(image)
        assert (
            picture.content
            == render_link_preview_png(state.view(one.seat))
            == render_link_preview_png(other.view(one.seat))
        )
        assert Image.open(io.BytesIO(picture.content)).size == CARD_SIZE_PX
        for address in (f"/puzzle/{game}/none", f"/api/puzzles/{game}/none/preview.png", "/puzzle/go/none"):
            none = await http.get(address)
            assert (none.status_code, "og:" in none.text) == (404, False), address

    run_story(tmp_path, story)


def test_pictures_are_drawn_seldom_and_else_the_usual_one_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[Any] = []

    def draw(view: Any) -> bytes:
        drawn.append(view)
        return b"a picture"

    monkeypatch.setattr(rest_pictures, "render_link_preview_png", draw)

    async def story(http: httpx.AsyncClient, server: Any) -> None:
        table = await table_of(http)
        await at_rest(http, table)
        for _ in range(30):
            assert (await http.get(f"/api/tables/{table}/preview.png")).content == b"a picture"
        assert len(drawn) == 1
        answers = [
            (await http.get(f"/api/tables/{await table_of(http, 'atlandice')}/preview.png")).status_code
            for _ in range(8)
        ]
        assert answers == [200] * 4 + [307] * 4
        monkeypatch.setattr(link_previews, "is_renderer_installed", lambda: False)
        assert "/shots/table.jpg" in (await http.get(f"/t/{table}")).text
        assert "preview.png" not in (await http.get(f"/t/{table}")).text

    monkeypatch.setattr(link_previews, "DRAW_RATE_PER_ADDRESS", (0.0, 5.0))
    run_story(tmp_path, story)

"""Accounts with online bots on a real server, and bots that misbehave."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path
from typing import Any

import httpx

from landfall.bots.online_client import OnlineMatch, OnlinePlayer, TableRequest
from landfall.bots.registry import make_bot
from tests.conftest import LONG
from tests.server.real_server import Line, Player

EXAMPLES = Path(__file__).parents[2] / "examples" / "bots"
PASSWORD = "correct horse"


class BotClient(Player):
    """A bot's token instead of a cookie: REST, and sockets at tables."""

    def __init__(self, url: str, token: str) -> None:
        super().__init__(url, "bot")
        self.token = token
        self.http.headers["Authorization"] = f"Bearer {token}"

    async def refusal(self, method: str, path: str, **body: Any) -> str:
        """The code with which a request is refused; empty if it is not."""
        answer = await self.http.request(method, path, json=body or None)
        return "" if answer.is_success else str(answer.json()["code"])


class BotLine(Line):
    """A socket with a bot's token."""

    def headers(self) -> dict[str, str]:
        assert isinstance(self.player, BotClient)
        return {"Authorization": f"Bearer {self.player.token}"}


async def make_author(url: str, name: str) -> Player:
    """Somebody with an account."""
    author = await Player(url, name).come()
    await author.post("/api/account", name=name, password=PASSWORD)
    return author


async def make_online_bot(author: Player, name: str, scopes: list[str] | None = None) -> dict[str, Any]:
    """A bot and its token."""
    return await author.post("/api/me/bots", name=name, **({"scopes": scopes} if scopes else {}))


async def play_python_example(url: str, token: str, game: str, matches: int, at_once: int = 1) -> list[OnlineMatch]:
    """The example in Python, as `landfall bot` runs it."""
    code = f"{EXAMPLES / 'my_bot.py'}:LookAhead"
    player = OnlinePlayer(lambda: make_bot(code), url, token)
    return await player.play_matches(TableRequest(game, 2), matches, at_once)


def find_node() -> str | None:
    """Node, if it is here: it knows WebSockets from version 20.10 on."""
    return shutil.which("node", path=f"{Path(__file__).parents[2] / '.node/bin'}:/usr/local/bin:/usr/bin:/bin")


async def play_javascript_example(url: str, token: str, game: str, matches: int) -> list[str]:
    """The example in JavaScript; how its matches ended."""
    node = find_node()
    assert node is not None
    program = await asyncio.create_subprocess_exec(
        node, "--experimental-websocket", str(EXAMPLES / "online.mjs"), url, game, str(matches),
        env={"LANDFALL_TOKEN": token, "PATH": "/usr/bin:/bin"},
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        out, errors = await program.communicate()
    except asyncio.CancelledError:
        program.kill()
        await program.wait()
        raise
    assert program.returncode == 0, errors.decode()
    return [line.partition(": ")[2] for line in out.decode().splitlines()]


async def leaderboard_names(url: str, game: str, bots: bool) -> list[str]:
    """The names on a leaderboard."""
    async with httpx.AsyncClient(base_url=url, timeout=LONG) as http:
        page = (await http.get(f"/api/leaders/{game}/2", params={"bots": str(bots).lower()})).json()
        return [leader["name"] for leader in page["leaders"]]

"""Link previews: meta tags in the page, and a picture of the public view.

A worker draws a picture, once per position and within rate limits. Otherwise, or if the renderer is not installed, a
default picture is sent.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from html import escape
from typing import TYPE_CHECKING, Any, Final

from fastapi import Request

from landfall.api.rate_limits import RateLimiter, TokenBucket
from landfall.core.languages import choose_language
from landfall.core.text_catalogue import translate
from landfall.optional_dependencies import MissingExtra, require_extra
from landfall.tables.log.table import GATHERING, OVER
from landfall.tables.protocol.errors import Refused
from landfall.tables.teaching import puzzles

if TYPE_CHECKING:
    from landfall.store.row_types import TableSummary

DEFAULT_PICTURE: Final = "/shots/table.jpg"  # for links without a picture of their own
MAX_CACHED_PICTURES: Final = 50  # about 200 kB each
PICTURE_TTL_S: Final = 30.0  # cache time of a running match's picture
DRAW_RATE_PER_ADDRESS: Final = (0.2, 5.0)  # drawings per second for one address, and burst
DRAW_RATE: Final = (1.0, 10.0)  # the same in total: a drawing takes a third of a second of a worker


class PictureCache:
    """The pictures of tables, least recently used ones dropped."""

    def __init__(self) -> None:
        self.pictures: OrderedDict[str, tuple[int, float, bytes]] = (
            OrderedDict()
        )  # by table: the entry, the time, the picture
        self.address_limiter = RateLimiter(DRAW_RATE_PER_ADDRESS)
        self.limiter = TokenBucket(DRAW_RATE)

    def try_take_drawing_token(self, address: str) -> bool:
        """Whether the rate limits allow one more drawing for this address."""
        return self.address_limiter.try_take_token(address) and self.limiter.try_take_token()

    def find_fresh_picture(self, table: str, entry: int, over: bool) -> bytes | None:
        """The picture of that entry, or a slightly older one; of a finished match only the last."""
        found = self.pictures.get(table)
        if found is None or (found[0] != entry and (over or time.monotonic() > found[1] + PICTURE_TTL_S)):
            return None
        self.pictures.move_to_end(table)
        return found[2]

    def store_picture(self, table: str, entry: int, picture: bytes) -> None:
        self.pictures[table] = entry, time.monotonic(), picture
        if len(self.pictures) > MAX_CACHED_PICTURES:
            self.pictures.popitem(last=False)


def is_renderer_installed() -> bool:
    """Whether the renderer is installed."""
    try:
        require_extra("lab", "resvg_py")
    except MissingExtra:
        return False
    return True


def render_meta_tags(title: str, about: str, url: str, image: str) -> str:
    """The meta tags of a linked page."""
    said = {"og:site_name": "Landfall", "og:type": "website", "og:title": title, "og:description": about,
        "og:url": url, "og:image": image}  # fmt: skip
    lines = [f'<meta property="{name}" content="{escape(value)}">' for name, value in said.items()]
    return "".join([*lines, '<meta name="twitter:card" content="summary_large_image">'])


def render_table_meta_tags(server: Any, summary: TableSummary, path: str, language: str) -> str:
    """The tags of a table or its replay: the game and its progress, no names."""
    base = server.settings.public_base_url
    stage = "over" if summary.status == OVER else "gathering" if summary.status == GATHERING else "playing"
    about = translate(language, f"preview.{stage}", {"players": summary.info["players"]})
    image = (
        f"/api/tables/{summary.table}/preview.png"
        if is_renderer_installed() and stage != "gathering"
        else DEFAULT_PICTURE
    )
    return render_meta_tags(f"{summary.game.capitalize()} · Landfall", about, f"{base}/{path}", base + image)


def render_puzzle_meta_tags(server: Any, game: str, puzzle: str, language: str) -> str:
    """The tags of a puzzle: the game and the goal."""
    one, base = puzzles.get_puzzle_and_position(game, puzzle)[0], server.settings.public_base_url
    image = f"/api/puzzles/{game}/{puzzle}/preview.png" if is_renderer_installed() else DEFAULT_PICTURE
    goal = translate(language, f"puzzle.goal.{one.goal}", one.facts, game)
    return render_meta_tags(f"{game.capitalize()} · Landfall", goal, f"{base}/puzzle/{game}/{puzzle}", base + image)


def choose_accepted_language(request: Request) -> str:
    """The preferred one of our languages."""
    return choose_language(request.headers.get("accept-language", "").split(","))


async def render_page_meta_tags(request: Request, path: str) -> str | None:
    """The tags for the page of a table, a replay or a puzzle; None: it does not exist. Empty if that is unknown."""
    server, language = request.app.state.server, choose_accepted_language(request)
    try:
        if path.startswith("puzzle/"):
            _, game, puzzle = path.split("/")
            return render_puzzle_meta_tags(server, game, puzzle, language)
        summary = await server.hub.get_table_summary(path.removesuffix("/look").rpartition("/")[2])
    except Refused:
        return None
    except Exception:  # the database is unavailable: the page itself reports that
        return ""
    return render_table_meta_tags(server, summary, path, language)

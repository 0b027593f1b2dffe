"""What a link looks like where links are shown: a few tags in the page, and a picture of what a stranger may see.

A picture is drawn where bots think, once for a position and not more often than somebody may ask; else, and where what
draws is not installed, it is always the same one.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from contextlib import suppress
from html import escape
from typing import TYPE_CHECKING, Annotated, Any, Final

from fastapi import APIRouter, Path, Request
from fastapi.responses import RedirectResponse, Response

from landfall.core.texts import LANGUAGES, catalogue
from landfall.extras import MissingExtra, need
from landfall.lab.pictures import card
from landfall.tables import puzzles
from landfall.tables.errors import Refused
from landfall.tables.table import GATHERING, OVER
from landfall.tables.watcher import Watcher
from landfall.web.limits import Bucket, Buckets, whence
from landfall.web.models import FAULTS

if TYPE_CHECKING:
    from landfall.core.messages import View
    from landfall.store.rows import Head
    from landfall.tables.hub import Hub

router = APIRouter()
ANSWERS: Final[dict[int | str, dict[str, Any]]] = {
    **FAULTS,
    200: {"content": {"image/png": {}}},
    307: {"description": "There is no picture now but the usual one"},
}
Name = Annotated[str, Path(max_length=64)]
SAME: Final = "/shots/table.jpg"  # the picture of every link that has none of its own
MOST: Final = 50  # pictures that are kept, some 200 kB each
STALE: Final = 30.0  # seconds for which the picture of a match that goes on is good enough
EACH: Final = (0.2, 5.0)  # drawings a second for one address, and at once
ALL: Final = (1.0, 10.0)  # the same for everybody together: a drawing takes a third of a second of a worker
KEPT: Final = {True: "public, max-age=86400", False: "public, max-age=60"}  # by whether the match is over


class Pictures:
    """The pictures of tables, the last ones asked for."""

    def __init__(self) -> None:
        self.of: OrderedDict[str, tuple[int, float, bytes]] = OrderedDict()  # by table: the entry, when, the picture
        self.each = Buckets(EACH)
        self.all = Bucket(ALL)

    def may(self, address: str) -> bool:
        """Whether one more may be drawn, for somebody there."""
        return self.each.take(address) and self.all.take()

    def find(self, table: str, entry: int, over: bool) -> bytes | None:
        """The picture of that entry, or one that is hardly older; of a match that is over only the last."""
        found = self.of.get(table)
        if found is None or (found[0] != entry and (over or time.monotonic() > found[1] + STALE)):
            return None
        self.of.move_to_end(table)
        return found[2]

    def keep(self, table: str, entry: int, picture: bytes) -> None:
        self.of[table] = entry, time.monotonic(), picture
        if len(self.of) > MOST:
            self.of.popitem(last=False)


def drawable() -> bool:
    """Whether what draws pixels is installed here."""
    try:
        need("lab", "resvg_py")
    except MissingExtra:
        return False
    return True


async def drawn(request: Request, name: str, view: View | None, entry: int = 0, over: bool = True) -> Response:
    """The picture of a view, kept under a name; the usual one, if it is not to be drawn now."""
    server = request.app.state.server
    picture = server.pictures.find(name, entry, over)
    if picture is None and view is not None and drawable() and server.pictures.may(whence(request.client)):
        with suppress(Refused):  # whoever draws is busy
            picture = await server.hub.thinkers.work(card, view, who=whence(request.client))
            server.pictures.keep(name, entry, picture)
    if picture is None:
        return RedirectResponse(SAME)
    headers = {"Cache-Control": KEPT[over], "Cross-Origin-Resource-Policy": "cross-origin"}
    return Response(picture, media_type="image/png", headers=headers)


async def seen(hub: Hub, table: str) -> tuple[View | None, int, bool]:
    """What somebody sees who has the link and nothing else; the entry it is of; whether the match is over."""
    live = await hub.live(table)
    told: Any = live.welcome(Watcher(live, None, lambda text: None))
    live.forget_unwatched()
    return told.get("view"), live.table.seq, live.table.status == OVER


@router.get(
    "/api/tables/{table}/preview.png",
    tags=["tables"],
    summary="What a stranger may see of a table, as a picture",
    response_class=Response,
    responses=ANSWERS,
)
async def preview(request: Request, table: Name) -> Response:
    """For links: 800 to 420 pixels."""
    view, entry, over = await seen(request.app.state.server.hub, table)
    return await drawn(request, table, view, entry, over)


@router.get(
    "/api/puzzles/{game}/{puzzle}/preview.png",
    tags=["puzzles"],
    summary="A puzzle as its seat sees it, as a picture",
    response_class=Response,
    responses=ANSWERS,
)
async def puzzle_preview(request: Request, game: Name, puzzle: Name) -> Response:
    """For links: 800 to 420 pixels, and nothing of the solution."""
    return await drawn(request, f"{game}/{puzzle}", puzzles.laid(game, puzzle)["view"])


def tags(title: str, about: str, url: str, image: str) -> str:
    """What stands in the head of a page that is linked to."""
    said = {"og:site_name": "Landfall", "og:type": "website", "og:title": title, "og:description": about,
        "og:url": url, "og:image": image}  # fmt: skip
    lines = [f'<meta property="{name}" content="{escape(value)}">' for name, value in said.items()]
    return "".join([*lines, '<meta name="twitter:card" content="summary_large_image">'])


def table_tags(server: Any, head: Head, path: str, language: str) -> str:
    """Those of a table or its replay: the game and how far it is, and nobody's name."""
    texts, base = catalogue("", language), server.settings.base
    stage = "over" if head.status == OVER else "gathering" if head.status == GATHERING else "playing"
    about = texts[f"preview.{stage}"].replace("{players}", str(head.info["players"]))
    image = f"/api/tables/{head.table}/preview.png" if drawable() and stage != "gathering" else SAME
    return tags(f"{head.game.capitalize()} · Landfall", about, f"{base}/{path}", base + image)


def puzzle_tags(server: Any, game: str, puzzle: str, language: str) -> str:
    """Those of a puzzle: the game and what is to be found."""
    theme, base = puzzles.find(game, puzzle)[0].theme, server.settings.base
    image = f"/api/puzzles/{game}/{puzzle}/preview.png" if drawable() else SAME
    title = f"{game.capitalize()} · Landfall"
    return tags(
        title, catalogue(game, language)[f"puzzle.goal.{theme}"], f"{base}/puzzle/{game}/{puzzle}", base + image
    )


def spoken(request: Request) -> str:
    """The language that somebody asks for, of ours."""
    for wish in request.headers.get("accept-language", "").split(","):
        if wish.strip()[:2].lower() in LANGUAGES:
            return wish.strip()[:2].lower()
    return "en"


async def tagged(request: Request, path: str) -> str | None:
    """The tags for the page of a table, a replay or a puzzle; None: there is none such. Empty where it cannot be
    known."""
    server, language = request.app.state.server, spoken(request)
    try:
        if path.startswith("puzzle/"):
            _, game, puzzle = path.split("/")
            return puzzle_tags(server, game, puzzle, language)
        head = await server.hub.head(path.removesuffix("/look").rpartition("/")[2])
    except Refused:
        return None
    except Exception:  # the database is away: the page says so itself
        return ""
    return table_tags(server, head, path, language)

"""REST: pictures of tables and puzzles for link previews, and QR codes of links."""

from __future__ import annotations

import io
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import segno
from fastapi.responses import RedirectResponse, Response

from landfall.api.limits import QUERY
from landfall.api.routes import Access, Route
from landfall.api.types import GameName, PuzzleId, TableId
from landfall.lab.pictures import render_link_preview_png
from landfall.tables.live.subscriber import Subscriber
from landfall.tables.log.table import OVER
from landfall.tables.protocol.errors import Refused
from landfall.tables.teaching import puzzles
from landfall.web import link_previews
from landfall.web.server import Server

if TYPE_CHECKING:
    from landfall.core.message_types import View
    from landfall.tables.live.hub import Hub

PNG: Final = "image/png"
DEFAULT: Final = {307: "There is no picture now but the usual one"}
CACHE_CONTROL: Final = {True: "public, max-age=86400", False: "public, max-age=60"}  # by whether the match is over


async def respond_with_picture(
    server: Server, address: str, name: str, view: View | None, entry: int = 0, over: bool = True
) -> Response:
    """The picture of a view, cached under a name; the default one if it cannot be drawn now."""
    picture = server.pictures.find_fresh_picture(name, entry, over)
    if (
        picture is None
        and view is not None
        and link_previews.is_renderer_installed()
        and server.pictures.try_take_drawing_token(address)
    ):
        with suppress(Refused):  # the workers are busy
            picture = await server.hub.bot_pool.run_task(render_link_preview_png, view, who=address)
            server.pictures.store_picture(name, entry, picture)
    if picture is None:
        return RedirectResponse(link_previews.DEFAULT_PICTURE)
    headers = {"Cache-Control": CACHE_CONTROL[over], "Cross-Origin-Resource-Policy": "cross-origin"}
    return Response(picture, media_type="image/png", headers=headers)


async def get_spectator_view(hub: Hub, table: str) -> tuple[View | None, int, bool]:
    """The public view, its entry, and whether the match is over."""
    live = await hub.get_or_load_table(table)
    message: Any = live.build_welcome_message(Subscriber(live, None, lambda text: None))
    live.drop_unwatched_views()
    return message.get("view"), live.table.seq, live.table.status == OVER


@Route(
    "GET",
    "/api/tables/{table}/preview.png",
    "What a stranger may see of a table, as a picture",
    Access.OPEN,
    QUERY,
    media=PNG,
    statuses=DEFAULT,
)
async def get_table_preview_picture(server: Server, address: str, table: TableId) -> Response:
    """For links: 800 by 420 pixels."""
    view, entry, over = await get_spectator_view(server.hub, table)
    return await respond_with_picture(server, address, table, view, entry, over)


@Route(
    "GET",
    "/api/puzzles/{game}/{puzzle}/preview.png",
    "A puzzle as its seat sees it, as a picture",
    Access.OPEN,
    QUERY,
    media=PNG,
    statuses=DEFAULT,
    tag="puzzles",
)
async def get_puzzle_preview_picture(server: Server, address: str, game: GameName, puzzle: PuzzleId) -> Response:
    """For links: 800 by 420 pixels, without the solution."""
    return await respond_with_picture(
        server, address, f"{game}/{puzzle}", puzzles.describe_puzzle_setup(game, puzzle)["view"]
    )


@Route("GET", "/api/tables/{table}/qr.svg", "A table's link as a QR code", Access.OPEN, QUERY, media="image/svg+xml")
async def get_table_qr_code(server: Server, table: TableId) -> Response:
    """For a person beside you with a phone."""
    await server.hub.get_table_summary(table)
    out = io.BytesIO()
    # One fixed mask instead of the best of eight: trying all blocks the event loop five times as long.
    segno.make(f"{server.settings.public_base_url}/t/{table}", micro=False, mask=4).save(out, kind="svg", scale=6)
    return Response(out.getvalue(), media_type="image/svg+xml")

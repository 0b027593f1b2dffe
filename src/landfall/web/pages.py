"""The addresses of the client's pages: the server knows by them what is a page, and the client which one
(`pages.generated.ts`).

They are regular expressions that Python and JavaScript read alike. `{game}` is a game's name, `{id}` that of a table.
"""

from __future__ import annotations

import re
from typing import Final

from landfall.games import GAME_NAMES
from landfall.offline.offline_server import OFFLINE_PREFIX

PAGES: Final = {  # by name; the first that matches is shown
    "newTable": "/new(?:/{game})?",
    "deviceTable": rf"/t/({OFFLINE_PREFIX}[\w-]+)",
    "table": "/t/{id}",
    "recordReview": "/replay/look",
    "deviceReview": rf"/replay/({OFFLINE_PREFIX}[\w-]+)/look",
    "review": "/replay/{id}/look",
    "recordReplay": "/replay",
    "deviceReplay": rf"/replay/({OFFLINE_PREFIX}[\w-]+)",
    "replay": "/replay/{id}",
    "rules": "/learn(?:/{game})?",
    "guidedGame": r"/first/{game}(?:/(\w+))?",
    "puzzles": "/puzzles(?:/{game})?",
    "puzzle": r"/puzzle/{game}/(\w+)",
    "ruleDiagram": "/figure/{game}",
    "lobby": "/(?:lobby|watch)",
    "findOpponents": "/pair",
    "player": "/player/([^/]+)",
    "leaders": r"/leaders(?:/{game}(?:/(\d)(?:/(bots))?)?)?",
    "notifications": "/me/notifications",
    "mailLink": r"/(confirm|stop)/([\w.-]+)",
    "tournaments": "/tournaments",
    "newTournament": "/tournaments/new",
    "tournament": "/tournament/{id}",
    "ownBots": "/me/bots",
    "ownProfile": "/me(?:/(account))?",
    "joinFriend": rf"/join/({OFFLINE_PREFIX}[\w-]+)(?:/([\w-]+))?",
    "friendAnswer": r"/answer(?:/([\w-]+))?",
    "host": "/host",
    "about": "/about",
}
LINKED_PAGES: Final = frozenset({"table", "replay", "review", "puzzle"})  # exist only if the table or puzzle does
ID_PATTERN: Final = r"([\w-]+)"
GAME_PATTERN: Final = f"({'|'.join(map(re.escape, GAME_NAMES))})"
PATTERNS: Final = {
    name: re.compile(address.replace("{game}", GAME_PATTERN).replace("{id}", ID_PATTERN))
    for name, address in PAGES.items()
}


def find_page(address: str) -> str | None:
    """The name of the page at an address without a slash at its end; None: there is none. The first page is "home"."""
    if not address:
        return "home"
    return next((name for name, pattern in PATTERNS.items() if pattern.fullmatch(f"/{address}")), None)


def render_client_pages() -> str:
    """The same for the client, which is shown for games of any name."""
    lines = ["// Made by `landfall types --write`; do not edit."]
    lines.append("/** The addresses of all pages; the first that matches is shown. */")
    lines.append("export const PAGE_PATTERNS = {")
    for name, address in PAGES.items():
        pattern = address.replace("{game}", r"(\w+)").replace("{id}", ID_PATTERN).replace("/", r"\/")
        lines.append(f"  {name}: /^{pattern}$/,".replace(r"[^\/]", "[^/]"))
    return "\n".join([*lines, "} as const", "export type PageName = keyof typeof PAGE_PATTERNS", ""])

"""The files that are made from the declarations of messages, and where they lie: the client's types, the reference."""

from __future__ import annotations

from pathlib import Path

from landfall.games import OURS
from landfall.lab import observations
from landfall.web.declared import common, schema_of
from landfall.web.reference import reference
from landfall.web.types import schema
from landfall.web.typescript import declarations, game_declarations

MARK = "<!-- From here on made by `landfall types --write`; do not edit. -->\n"


def files(root: Path) -> dict[Path, str]:
    """What each of the files in a source tree should hold."""
    guide = root / "docs" / "client.md"
    written = guide.read_text(encoding="utf-8").partition(MARK)[0]
    found = {root / "client/src/lib/wire.ts": declarations(schema()), guide: written + MARK + reference()}
    found[root / "docs" / "observations.md"] = observations.reference()
    for game in OURS:
        made = game_declarations(schema_of(game), common())
        found[root / f"client/src/games/{game}/messages.generated.ts"] = made
    return found


def write(root: Path) -> list[Path]:
    """Write those that are not as they should be; which."""
    stale = {path: text for path, text in files(root).items() if not path.exists() or path.read_text("utf-8") != text}
    for path, text in stale.items():
        path.write_text(text, encoding="utf-8")
    return list(stale)

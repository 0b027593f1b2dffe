"""The files made from declarations of messages and from boards: types for the client and for Python, the client's
tables, the reference."""

from __future__ import annotations

from pathlib import Path

from landfall.bots.levels import LEVELS, PUZZLE_RATINGS
from landfall.games import BUILT_IN_GAMES, game_module
from landfall.lab.environments import observation_reference
from landfall.web.codegen.message_reference import render_message_reference
from landfall.web.codegen.message_schemas import build_openapi_document, build_socket_schema
from landfall.web.codegen.python_reference import render_python_reference
from landfall.web.codegen.python_types import (
    INIT,
    INIT_OF_ANY,
    NEW,
    NEW_OF_ANY,
    render_game_types,
    with_overloads,
)
from landfall.web.codegen.schema_from_types import build_common_definitions, build_game_schema
from landfall.web.codegen.typescript import constants_to_typescript, game_types_to_typescript, types_to_typescript
from landfall.web.pages import render_client_pages
from landfall.web.server_options import render_option_table

GENERATED_MARK = "<!-- From here on made by `landfall types --write`; do not edit. -->\n"
OPTIONS_MARK = "<!-- This table is made by `landfall types --write`; do not edit. -->\n"


def render_generated_files(root: Path) -> dict[Path, str]:
    """The expected contents of each generated file in a source tree."""
    guide = root / "docs" / "client.md"
    written = guide.read_text(encoding="utf-8").partition(GENERATED_MARK)[0]
    found = {
        root / "client/src/lib/wire.ts": types_to_typescript(build_socket_schema()),
        root / "client/src/lib/rest.generated.ts": types_to_typescript(
            {"$defs": build_openapi_document()["components"]["schemas"]}
        ),
        root / "client/src/lib/levels.generated.ts": constants_to_typescript(
            {"LEVELS": list(LEVELS), "PUZZLE_RATINGS": PUZZLE_RATINGS}
        ),
        root / "client/src/lib/pages.generated.ts": render_client_pages(),
        guide: written + GENERATED_MARK + render_message_reference(),
    }
    hosting = root / "docs" / "hosting.md"
    before, _, rest = hosting.read_text(encoding="utf-8").partition(OPTIONS_MARK)
    after = rest.partition("\n\n")[2]
    found[hosting] = f"{before}{OPTIONS_MARK}{render_option_table()}\n{after}"
    found[root / "docs" / "observations.md"] = observation_reference.render_observation_reference()
    interface = root / "docs" / "api.md"
    written = interface.read_text(encoding="utf-8").partition(GENERATED_MARK)[0]
    found[interface] = written + GENERATED_MARK + render_python_reference(root / "src")
    match, package = root / "src/landfall/match.py", root / "src/landfall/__init__.py"
    found[match] = with_overloads(match.read_text(encoding="utf-8"), INIT, INIT_OF_ANY)
    found[package] = with_overloads(package.read_text(encoding="utf-8"), NEW, NEW_OF_ANY)
    found[root / "src/landfall/game_types.py"] = render_game_types()
    for game in BUILT_IN_GAMES:
        made = game_types_to_typescript(build_game_schema(game), build_common_definitions())
        found[root / f"client/src/games/{game}/messages.generated.ts"] = made
        tables = game_module(game, "drawing_constants").drawing_constants_for_client()
        found[root / f"client/src/games/{game}/board.generated.ts"] = constants_to_typescript(tables)
    return found


def write_stale_files(root: Path) -> list[Path]:
    """Write the files that are out of date. Returns them."""
    stale = {
        path: text
        for path, text in render_generated_files(root).items()
        if not path.exists() or path.read_text("utf-8") != text
    }
    for path, text in stale.items():
        path.write_text(text, encoding="utf-8")
    return list(stale)

"""Writes a small game as a package of its own, from the game in `template`."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from landfall.core.errors import LandfallError
from landfall.games import NAME_PATTERN, PACKAGES

TEMPLATE: Final = Path(__file__).parent / "template" / "game_definition.py"
PROJECT: Final = """[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "landfall-{dashed}"
version = "1.0"
requires-python = ">=3.11"
dependencies = ["landfall-games"]

[project.entry-points."landfall.games"]
{name} = "landfall_{name}.game_definition:GAME"

[tool.setuptools]
packages = ["landfall_{name}"]
"""


class BadGameName(LandfallError):
    """A name that no new game can have."""

    def __init__(self, name: str) -> None:
        reason = f"no new game can be called {name!r}: small letters, digits and _, and no game that there is"
        super().__init__(reason, "error.new_game", {"name": name})


def write_small_game(name: str, folder: Path) -> list[Path]:
    """Write the package of a small game called `name` into `folder`. Returns its files."""
    if not NAME_PATTERN.fullmatch(name) or name in PACKAGES:
        raise BadGameName(name)
    title = "".join(part.capitalize() for part in name.split("_"))
    prefix = (name.replace("_", "") + "xx")[:2].upper()
    package = folder / f"landfall_{name}"
    source = TEMPLATE.read_text(encoding="utf-8")
    source = source.replace("Stones", title).replace('("stones", 1', f'("{name}", 1')
    source = source.replace('"ST"', f'"{prefix}"').replace("ST.", f"{prefix}.")
    files = {
        folder / "pyproject.toml": PROJECT.format(name=name, dashed=name.replace("_", "-")),
        package / "__init__.py": f'"""{title}, a game for Landfall."""\n',
        package / "game_definition.py": source,
    }
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return list(files)

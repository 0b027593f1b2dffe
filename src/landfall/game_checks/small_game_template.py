"""Writes a small game as a package of its own, from the game in `template`."""

from __future__ import annotations

from pathlib import Path
from string import ascii_lowercase
from typing import Final

from landfall.games import PACKAGES, BadGameName, is_name_free
from landfall.games import game as find_game

TEMPLATE: Final = Path(__file__).parent / "template" / "game_definition.py"
COMMON_PREFIX: Final = "LF"  # of the rules of every table
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


def write_small_game(name: str, folder: Path) -> list[Path]:
    """Write the package of a small game called `name` into `folder`. Returns its files."""
    if not is_name_free(name):
        raise BadGameName(name)
    title = "".join(part.capitalize() for part in name.split("_"))
    prefix = choose_rule_prefix(name)
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


def choose_rule_prefix(name: str) -> str:
    """The two letters before a new game's rules: its first letter and the next of its letters that no game has."""
    taken = {COMMON_PREFIX, *(find_game(one).prefix for one in PACKAGES)}
    first, *others = (letter for letter in name if letter.isalpha())
    pairs = (f"{first}{second}".upper() for second in [*others, *ascii_lowercase])
    return next(pair for pair in pairs if pair not in taken)

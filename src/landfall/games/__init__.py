"""The registry of games: the packages beside this file, and games from installed packages.

A package registers its game under the entry point group `landfall.games` (docs/new-game.md). Built-in games need no
package metadata, so they also work in a source tree and in a browser.
"""

from __future__ import annotations

import re
import sys
import warnings
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import TYPE_CHECKING, Final

from landfall import paths
from landfall.core.errors import LandfallError, UnknownGame

if TYPE_CHECKING:
    from landfall.core.game import Game

ENTRY_POINT_GROUP: Final = "landfall.games"
GAME_SUBFOLDERS: Final = ("rules", "presentation", "ai", "content")  # subfolders of a larger game
NAME_PATTERN: Final = re.compile(r"[a-z][a-z0-9_]{0,39}")


def built_in_packages() -> dict[str, str]:
    """The packages beside this file by game name, in display order."""
    found = [f"{__name__}.{module.name}" for module in iter_modules(__path__) if module.ispkg]
    found.sort(key=lambda package: int(import_module(package).DISPLAY_ORDER))
    return {package.rpartition(".")[2]: package for package in found}


def installed_packages(taken: set[str]) -> dict[str, str]:
    """The packages of installed games by game name; an unusable one causes a warning."""
    out: dict[str, str] = {}
    for entry in sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda entry: (entry.name, entry.value)):
        package = entry.module.rpartition(".")[0]
        if not NAME_PATTERN.fullmatch(entry.name) or entry.name in taken or entry.name in out:
            warnings.warn(f"landfall: no game can be called {entry.name!r} ({entry.value})", RuntimeWarning, 2)
        elif (
            entry.attr != "GAME"
            or not entry.module.endswith(".game_definition")
            or find_package_folder(package) is None
        ):
            warnings.warn(f"landfall: {entry.value!r} is no PACKAGE.game_definition:GAME", RuntimeWarning, 2)
        else:
            out[entry.name] = package
    return out


def find_package_folder(package: str) -> Path | None:
    """The folder of a package; None if there is none."""
    try:
        spec = find_spec(package)
    except ImportError:
        return None
    places = spec.submodule_search_locations if spec else None
    return Path(next(iter(places))) if places else None


BUILT_IN_GAMES: Final = built_in_packages()
PACKAGES: Final = BUILT_IN_GAMES | installed_packages({paths.COMMON_NAME, *BUILT_IN_GAMES})
GAME_NAMES: Final = tuple(PACKAGES)
paths.GAME_FOLDERS.update(
    {name: folder for name, package in PACKAGES.items() if (folder := find_package_folder(package))}
)


class BadGameName(LandfallError):
    """A name that no new game can have."""

    def __init__(self, name: str) -> None:
        reason = f"no new game can be called {name!r}: small letters, digits and _, and no game that there is"
        super().__init__(reason, "error.new_game", {"name": name})


def is_name_free(name: str) -> bool:
    """Whether a new game may have this name."""
    return bool(NAME_PATTERN.fullmatch(name)) and name != paths.COMMON_NAME and name not in PACKAGES


def find_or_register_game(package: str) -> str:
    """The name of an installed game, or of the game in a package's folder, which is registered for this process."""
    if package in PACKAGES:
        return package
    found = [file for file in (Path(package), *Path(package).glob("*")) if (file / "game_definition.py").is_file()]
    if len(found) != 1:
        raise UnknownGame(package, list(GAME_NAMES))
    folder = found[0].resolve()
    sys.path.insert(0, str(folder.parent))
    try:
        if find_package_folder(folder.name) != folder:  # another package of this name is imported already
            raise BadGameName(folder.name)
        name = str(import_module(f"{folder.name}.game_definition").GAME.name)
    finally:  # what else lies there must not hide modules of Python
        sys.path.remove(str(folder.parent))
    if PACKAGES.get(name) != folder.name:
        if not is_name_free(name):
            raise BadGameName(name)
        PACKAGES[name] = folder.name
        paths.GAME_FOLDERS[name] = folder
    return name


def game(name: str) -> Game:
    """The game with that name; UnknownGame lists the existing ones.

    >>> landfall.game("survive").player_counts
    (2, 3, 4, 5, 6)
    """
    found: Game = game_module(name, "game_definition").GAME
    return found


def game_module(name: str, module: str) -> ModuleType:
    """A module of a game, in its folder or in one of GAME_SUBFOLDERS."""
    if name not in PACKAGES:
        raise UnknownGame(name, list(GAME_NAMES))
    return import_module(find_module_name(name, module) or f"{PACKAGES[name]}.{module}")


def has_game_module(name: str, module: str) -> bool:
    """Whether a game has an optional module."""
    return find_module_name(name, module) is not None


@cache
def find_module_name(name: str, module: str) -> str | None:
    """The full dotted name of a module of a game; None if it is missing. A small game needs no subfolders."""
    package = PACKAGES[name]
    for folder in (package, *(f"{package}.{inner}" for inner in GAME_SUBFOLDERS)):
        if find_package_folder(folder) and find_spec(f"{folder}.{module}"):
            return f"{folder}.{module}"
    return None

"""The games, by name: the folders beside this file, and what installed packages bring.

A package names its game under the entry point group `landfall.games` (docs/new-game.md). Ours need no metadata, so that
they are there in a source tree and in a browser, too.
"""

from __future__ import annotations

import re
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
from landfall.core.errors import UnknownGame

if TYPE_CHECKING:
    from landfall.core.game import Game

GROUP: Final = "landfall.games"
PARTS: Final = ("rules", "presentation", "ai", "content")  # the folders of a game that is not small
NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,39}")


def ours() -> dict[str, str]:
    """The packages beside this file by the game's name, in the order of the shelf."""
    found = [f"{__name__}.{module.name}" for module in iter_modules(__path__) if module.ispkg]
    found.sort(key=lambda package: int(import_module(package).SHELF))
    return {package.rpartition(".")[2]: package for package in found}


def brought(taken: set[str]) -> dict[str, str]:
    """The packages of installed games by the game's name; one that cannot be used is named in a warning."""
    out: dict[str, str] = {}
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: (entry.name, entry.value)):
        package = entry.module.rpartition(".")[0]
        if not NAME.fullmatch(entry.name) or entry.name in taken or entry.name in out:
            warnings.warn(f"landfall: no game can be called {entry.name!r} ({entry.value})", RuntimeWarning, 2)
        elif entry.attr != "GAME" or not entry.module.endswith(".ruleset") or folder_of(package) is None:
            warnings.warn(f"landfall: {entry.value!r} is no PACKAGE.ruleset:GAME", RuntimeWarning, 2)
        else:
            out[entry.name] = package
    return out


def folder_of(package: str) -> Path | None:
    """Where a package lies; None if it does not."""
    try:
        spec = find_spec(package)
    except ImportError:
        return None
    places = spec.submodule_search_locations if spec else None
    return Path(next(iter(places))) if places else None


OURS: Final = ours()
PACKAGES: Final = OURS | brought({paths.COMMON, *OURS})
NAMES: Final = tuple(PACKAGES)
paths.FOLDERS.update({name: folder for name, package in PACKAGES.items() if (folder := folder_of(package))})


def game(name: str) -> Game:
    """The game of that name; UnknownGame lists those there are."""
    found: Game = part(name, "ruleset").GAME
    return found


def part(name: str, module: str) -> ModuleType:
    """A module of a game, in its folder or in one of PARTS there."""
    if name not in PACKAGES:
        raise UnknownGame(name, list(NAMES))
    return import_module(module_name(name, module) or f"{PACKAGES[name]}.{module}")


def has_part(name: str, module: str) -> bool:
    """Whether a game has a module that not every game has."""
    return module_name(name, module) is not None


@cache
def module_name(name: str, module: str) -> str | None:
    """The full name of a module of a game; None if it has none such. A small game needs no folders within its own."""
    package = PACKAGES[name]
    for folder in (package, *(f"{package}.{inner}" for inner in PARTS)):
        if folder_of(folder) and find_spec(f"{folder}.{module}"):
            return f"{folder}.{module}"
    return None

"""Chooses the engine: compiled modules or plain Python. Standard library only; setup.py loads this file too."""

import fnmatch
import hashlib
import os
import sys
import warnings
from importlib.machinery import EXTENSION_SUFFIXES, SOURCE_SUFFIXES, FileFinder, SourceFileLoader
from pathlib import Path

ROOT = Path(__file__).resolve().parent
STAMP = ROOT / "native.stamp"  # written by an in-place build only; wheels have none
INTERPRETED_MARKER = "# interpreted"  # a module with this comment in its first lines is not compiled
COMPILED_FOLDERS = ("core", "games", "bots/search")


def modules_of_compiled_folders() -> list[Path]:
    """Every module of the compiled folders, except package markers."""
    found = [p for folder in COMPILED_FOLDERS for p in (ROOT / folder).rglob("*.py")]
    return sorted(p for p in found if p.name != "__init__.py")


def is_to_be_compiled(module: Path) -> bool:
    with module.open(encoding="utf-8") as lines:
        return not any(next(lines, "").startswith(INTERPRETED_MARKER) for _ in range(5))


def modules_to_compile() -> list[Path]:
    """The modules that are compiled, as one group."""
    return [p for p in modules_of_compiled_folders() if is_to_be_compiled(p)]


def source_digest() -> str:
    """A hash of all sources of the compiled modules."""
    h = hashlib.blake2b(str(sys.implementation.cache_tag).encode(), digest_size=16)
    for p in modules_of_compiled_folders():
        h.update(str(p.relative_to(ROOT)).encode() + b"\0" + p.read_bytes() + b"\0")
    return h.hexdigest()


def read_build_stamp() -> list[str]:
    """The stamp of the last in-place build: the digest of its sources, and how it was built."""
    return STAMP.read_text().split() if STAMP.exists() else []


def find_package_files(pattern: str) -> list[Path]:
    """Files of the package by their names; not of the built client, which may be written meanwhile."""
    found: list[Path] = []
    for folder, inside, names in os.walk(ROOT):
        inside[:] = [name for name in inside if name not in ("static", "__pycache__")]
        found += [Path(folder, name) for name in fnmatch.filter(names, pattern)]
    return found


def use_interpreted() -> None:
    """Make every package folder below ROOT import .py files only."""
    hook = FileFinder.path_hook((SourceFileLoader, SOURCE_SUFFIXES))
    for d in {ROOT, *(p.parent for p in find_package_files("__init__.py"))}:
        sys.path_importer_cache[str(d)] = hook(str(d))


def choose_engine() -> str:
    """Choose the engine before any compiled module is imported. Returns its name and the reason."""
    if not any((ROOT / f"native__mypyc{s}").exists() for s in EXTENSION_SUFFIXES):
        return "interpreted: no compiled modules for this Python"
    if os.environ.get("LANDFALL_PURE", "0") not in ("", "0"):
        use_interpreted()
        return "interpreted: LANDFALL_PURE is set"
    if STAMP.exists() and read_build_stamp()[:1] != [source_digest()]:
        use_interpreted()
        warnings.warn("landfall: sources changed since `make native`; running interpreted", RuntimeWarning, 3)
        return "interpreted: compiled modules are out of date"
    return "compiled"

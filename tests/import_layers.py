"""Who imports whom, in Python and in the client, held to the order of rooms that ARCHITECTURE.md states.

The tables there whose first column is a path in `backquotes` are the order: each row may know those below it, never
those above. What is imported for types alone counts as well.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cache
from os.path import dirname, normpath
from pathlib import Path
from typing import Final

ROW: Final = re.compile(r"^\| `((?:src/landfall|client/src)/[^`]*)` \|", re.MULTILINE)
IMPORT: Final = re.compile(
    r"""(?:\bfrom|\bimport)\s*\(?\s*['"](\.[^'"]+)['"]"""  # import x from './y', import './y', import('./y')
)
FOR_TESTS: Final = (".test.", ".fake.", ".recorded.")
ENDS: Final = ("", ".ts", ".svelte", ".svelte.ts", "/index.ts")
Graph = dict[str, set[str]]


@dataclass(frozen=True)
class Room:
    """A row of the table: the files it stands for, and how far up it lies (0: at the top)."""

    pattern: str
    height: int

    def holds(self, file: str) -> bool:
        """`a/*/` holds all in each folder of a, `a/*.ts` files right in a."""
        found = re.escape(self.pattern).replace(r"\*", "[^/]+")
        return re.match(found + ("" if self.pattern.endswith("/") else "$"), file) is not None


def parse_layer_table(architecture: str, top: str) -> list[Room]:
    """The rows of one half of the house, from the top."""
    found = [pattern for pattern in ROW.findall(architecture) if pattern.startswith(top)]
    return [Room(pattern, height) for height, pattern in enumerate(found)]


def find_room_of_file(file: str, known: list[Room]) -> Room | None:
    """The row that says most exactly where a file belongs."""
    return max((room for room in known if room.holds(file)), key=lambda room: len(room.pattern), default=None)


# --- reading imports ----------------------------------------------------------------------------------------------


def python_import_graph(root: Path) -> Graph:
    """Which file of src imports which; the package around a module is no import of its own."""
    source = root / "src"
    files = {module_name_of_path(path.relative_to(source)): path for path in source.rglob("*.py")}
    graph: Graph = {}
    for name, path in files.items():
        found = {find_own_module(wanted, files) for wanted in list_imported_names(path.read_text(encoding="utf-8"))}
        known = {other for other in found if other and other != name and not name.startswith(other + ".")}
        graph[str(path.relative_to(root))] = {str(files[other].relative_to(root)) for other in known}
    return graph


def module_name_of_path(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


@cache
def list_imported_names(source: str) -> set[str]:
    """Every dotted name a module imports, wherever in it. Kept, since the tests read most files again and again."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            found.update(f"{node.module}.{one.name}" for one in node.names)
        elif isinstance(node, ast.ImportFrom):
            raise ValueError(f"line {node.lineno}: imports are written in full")
        elif isinstance(node, ast.Import):
            found.update(one.name for one in node.names)
    return found


def find_own_module(name: str, files: dict[str, Path]) -> str:
    """The module of ours that a dotted name lies in; "" if it is somebody else's."""
    while name and name not in files:
        name = name.rpartition(".")[0]
    return name


def client_import_graph(root: Path) -> Graph:
    """Which file of the client imports which."""
    paths = [path for path in (root / "client" / "src").rglob("*") if path.suffix in (".ts", ".svelte")]
    files = {str(path.relative_to(root)): path for path in paths}
    graph: Graph = {}
    for name, path in files.items():
        wanted = [normpath(f"{dirname(name)}/{said}") for said in IMPORT.findall(path.read_text(encoding="utf-8"))]
        graph[name] = {said + end for said in wanted for end in ENDS if said + end in files} - {name}
    return graph


# --- judging ------------------------------------------------------------------------------------------------------


def find_upward_imports(graph: Graph, known: list[Room]) -> list[str]:
    """Every import of a room by one below it, or between two of the folders that one `*` stands for."""
    found: list[str] = []
    for file, others in graph.items():
        if is_for_tests(file):
            continue
        here = find_room_of_file(file, known)
        for other in others:
            if is_for_tests(other):
                found.append(f"{file} imports {other}")
            there = find_room_of_file(other, known)
            if here is None or there is None:
                continue
            mine, theirs = folder_matched_by_star(file, here), folder_matched_by_star(other, there)
            beside = mine != theirs and mine.rpartition("/")[0] == theirs.rpartition("/")[0] != ""
            if there.height < here.height or beside:
                found.append(f"{file} imports {other}")
    return sorted(found)


def is_for_tests(file: str) -> bool:
    """Whether a file of the client serves tests alone: they may know everything, and nothing else may know them."""
    return any(kind in file for kind in FOR_TESTS)


def folder_matched_by_star(file: str, room: Room) -> str:
    """The folder of a file among those that a `*` in the pattern stands for; "" if there is no such."""
    parts = room.pattern.split("/")
    return "/".join(file.split("/")[: parts.index("*") + 1]) if "*" in parts else ""


def find_files_without_room(graph: Graph, known: list[Room]) -> list[str]:
    """Files that no row speaks of."""
    return sorted(file for file in graph if find_room_of_file(file, known) is None)


def find_import_cycles(graph: Graph) -> list[list[str]]:
    """Groups of files that import each other all round (Tarjan's algorithm, without recursion)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []
    for start in graph:
        if start in index:
            continue
        index[start] = low[start] = len(index)
        stack.append(start)
        work = [(start, iter(sorted(graph[start])))]
        while work:
            file, others = work[-1]
            for other in others:
                if other not in index:
                    index[other] = low[other] = len(index)
                    stack.append(other)
                    work.append((other, iter(sorted(graph.get(other, ())))))
                    break
                if other in stack:
                    low[file] = min(low[file], index[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[file])
                if low[file] == index[file]:
                    at = stack.index(file)
                    if len(stack) - at > 1:
                        found.append(sorted(stack[at:]))
                    del stack[at:]
    return sorted(found)

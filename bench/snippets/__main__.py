"""Counts the lines of each task with each library, and runs the tasks of the libraries that are installed here."""

import ast
import sys
from importlib import import_module
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).resolve().parent
LIBRARIES: Final = {"landfall": "Landfall", "chess": "python-chess", "openspiel": "OpenSpiel", "pgx": "Pgx"}


def lines_by_task(library: str) -> dict[str, int]:
    """How many lines each task takes."""
    tree = ast.parse((HERE / f"with_{library}.py").read_text(encoding="utf-8"))
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    return {node.name: len(ast.unparse(ast.Module(node.body, [])).splitlines()) for node in functions}


def render_table() -> str:
    """The table of docs/beside.md."""
    counts = {library: lines_by_task(library) for library in LIBRARIES}
    out = [f"| task | {' | '.join(LIBRARIES.values())} |", f"|---|{'---|' * len(LIBRARIES)}"]
    for task in counts["landfall"]:
        row = [str(counts[library].get(task, "–")) for library in LIBRARIES]
        out.append(f"| {task.replace('_', ' ')} | {' | '.join(row)} |")
    return "\n".join(out)


def main() -> None:
    print(render_table())
    for library in sys.argv[1:]:
        module = import_module(f"bench.snippets.with_{library}")
        for task in lines_by_task(library):
            print(f"{library} {task}: {str(getattr(module, task)())[:60]}")


if __name__ == "__main__":
    main()

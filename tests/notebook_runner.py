"""Runs a notebook from top to bottom, as a kernel does: `python tests/notebook_runner.py NAME [key=value ...]`.

Needs nothing beside what the notebook needs, so that one for another environment runs there.
"""

from __future__ import annotations

import ast
import json
import sys
from pathlib import Path
from typing import Any, Final

NOTEBOOKS: Final = Path(__file__).resolve().parents[1] / "examples" / "notebooks"


def code_cells(name: str) -> list[dict[str, Any]]:
    """Its cells of code."""
    found = json.loads((NOTEBOOKS / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]
    return [cell for cell in found if cell["cell_type"] == "code"]


def run_notebook(name: str, settings: dict[str, object]) -> dict[str, Any]:
    """What its names are at the end; settings take the place of what the cell tagged "parameters" says."""
    known: dict[str, Any] = {"__name__": "__main__"}
    for cell in code_cells(name):
        text = "".join(cell["source"])
        exec(compile(text, f"{name}.ipynb", "exec"), known)
        if "parameters" in cell["metadata"].get("tags", []):
            assert settings.keys() <= known.keys(), "these are no parameters of it"
            known.update(settings)
    return known


if __name__ == "__main__":
    pairs = (pair.split("=", 1) for pair in sys.argv[2:])
    run_notebook(sys.argv[1], {key: ast.literal_eval(value) for key, value in pairs})

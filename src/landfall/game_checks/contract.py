"""The contract as `core/state.py` states it: what a game must write, what it may, what it gets."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from typing import Final

import landfall.core

GROUPS: Final = ("Required", "Optional", "Provided")


@cache
def contract_by_group() -> dict[str, set[str]]:
    """The public methods of State by the commented group they stand in."""
    source = Path(landfall.core.__path__[0], "state.py").read_text(encoding="utf-8")
    lines = source.splitlines()
    heads = {group: [line.startswith(f"    # {group}:") for line in lines].index(True) for group in GROUPS}
    found: dict[str, set[str]] = {group: set() for group in GROUPS}
    kind = next(node for node in ast.parse(source).body if isinstance(node, ast.ClassDef) and node.name == "State")
    for node in kind.body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            found[max((group for group in GROUPS if heads[group] < node.lineno), key=heads.__getitem__)].add(node.name)
    return found

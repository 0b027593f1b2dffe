"""Draws mutants: `python draw.py COUNT SEED FILE...` writes them as JSON. Runs where Cosmic Ray is installed.

A place in the code is drawn first, then one of the operators that fit it: else binary operators, which have many
replacements, would be most of the sample. What changes nothing but annotations is not drawn.
"""

from __future__ import annotations

import ast
import json
import random
import sys
from pathlib import Path

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

OPERATORS = [get_operator(name) for name in operator_names()]


class WithoutAnnotations(ast.NodeTransformer):
    """What is left runs."""

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.annotation = ast.Constant(value=None)
        return self.generic_visit(node)


def running_code(source: str) -> str:
    return ast.dump(WithoutAnnotations().visit(ast.parse(source)))


def draw_mutants(paths: list[Path], count: int, chance: random.Random) -> list[dict[str, object]]:
    """At most `count` mutants, at as many places."""
    places: dict[tuple[Path, tuple[int, int]], list[tuple[type, int]]] = {}
    for path in paths:
        nodes = list(ast_nodes(get_ast(path.read_text("utf-8"))))
        for operator in OPERATORS:
            if operator.arguments():
                continue
            found = (start for node in nodes for start, _ in operator().mutation_positions(node))
            for occurrence, start in enumerate(found):
                places.setdefault((path, start), []).append((operator, occurrence))
    order = sorted(places)
    chance.shuffle(order)
    drawn: list[dict[str, object]] = []
    for path, (line, _) in order:
        if len(drawn) == count:
            break
        before = path.read_text("utf-8")
        operator, occurrence = chance.choice(places[path, (line, _)])
        mutant = mutate_code(before, operator(), occurrence)
        try:
            if mutant is None or running_code(mutant) == running_code(before):
                continue
        except SyntaxError:
            continue
        was, now = before.splitlines()[line - 1].strip(), mutant.splitlines()[line - 1].strip()
        if was.startswith("@dataclass"):
            continue  # how a record is kept
        drawn.append({"path": str(path), "line": line, "was": was, "now": now, "source": mutant})
    return drawn


if __name__ == "__main__":
    count, seed, *files = sys.argv[1:]
    json.dump(draw_mutants([Path(file) for file in files], int(count), random.Random(int(seed))), sys.stdout)

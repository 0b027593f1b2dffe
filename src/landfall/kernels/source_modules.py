"""The modules of a game as syntax trees, with the values of their constants from the imported modules."""

from __future__ import annotations

import ast
import sys
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any


class Untranslatable(Exception):
    """What a kernel cannot contain: the file, the line and the reason."""

    def __init__(self, file: Path, line: int, reason: str) -> None:
        super().__init__(f"{file}:{line}: {reason}")
        self.file = file
        self.line = line
        self.reason = reason


@dataclass(frozen=True)
class Definition:
    """What a name means: the module that defines it, its name there, and the node; None for a module itself."""

    module: SourceModule
    name: str
    node: ast.stmt | None


class SourceModule:
    """A module's syntax tree and the meaning of its global names."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.values = import_module(name)
        self.file = source_file(name)
        self.tree = ast.parse(self.file.read_text(encoding="utf-8"))
        self.nodes: dict[str, ast.stmt] = {}
        self.imports: dict[str, tuple[str, str]] = {}
        self.read_statements(self.tree.body)
        self.written_vectors = written_vectors(self.tree)

    def read_statements(self, statements: list[ast.stmt]) -> None:
        for node in statements:
            if isinstance(node, ast.If):
                self.read_statements(node.body)  # what is imported for types
            elif isinstance(node, ast.ImportFrom):
                for one in node.names:
                    self.imports[one.asname or one.name] = (str(node.module), one.name)
            elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                self.nodes[node.name] = node
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                self.nodes[node.target.id] = node
            elif isinstance(node, ast.Assign):
                for target in node.targets:
                    if isinstance(target, ast.Name):
                        self.nodes[target.id] = node

    def find(self, name: str) -> Definition | None:
        """The definition of a global name, followed through imports; None if the module has none."""
        if name in self.nodes:
            return Definition(self, name, self.nodes[name])
        if name not in self.imports:
            return None
        module, original = self.imports[name]
        if module.split(".")[0] != self.name.split(".")[0] and not is_source(module):
            return None
        inner = f"{module}.{original}"
        if inner in sys.modules or (original not in source_module(module).nodes and is_source(inner)):
            return Definition(source_module(inner), "", None)
        return source_module(module).find(original)

    def value(self, name: str) -> Any:
        return getattr(self.values, name)

    def evaluate(self, node: ast.expr | None) -> Any:
        """The value of an expression: of a vector that rules write to, the contents before they did."""
        return eval(ast.unparse(node) if node is not None else "None", dict(vars(self.values)))


def source_file(name: str) -> Path:
    """The source of a module, by its package's folder: compiled modules do not know where theirs lies."""
    package, *inner = name.split(".")
    folders = list(getattr(import_module(package), "__path__", [])) if inner else []
    return Path(folders[0], *inner).with_suffix(".py") if folders else Path()


def is_source(name: str) -> bool:
    """Whether there is a module of that name with a source."""
    try:
        return source_file(name).is_file()
    except ImportError:
        return False


@cache
def source_module(name: str) -> SourceModule:
    return SourceModule(name)


def written_vectors(tree: ast.Module) -> frozenset[str]:
    """The names of vectors that a module writes to by their own name."""
    return frozenset(
        node.value.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name)
    )


# --- what only records events ------------------------------------------------------------------------------------


def events_test(test: ast.expr) -> bool | None:
    """The value of a test while no events are recorded; None if it does not depend on that."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return False if any(events_test(part) is False for part in test.values) else None
    if (
        isinstance(test, ast.Compare)
        and isinstance(test.left, ast.Attribute)
        and test.left.attr == "events"
        and isinstance(test.comparators[0], ast.Constant)
        and test.comparators[0].value is None
    ):
        return isinstance(test.ops[0], ast.Is)
    return None


def ends_block(statement: ast.stmt) -> bool:
    """Whether nothing after a statement is reached."""
    if isinstance(statement, ast.If) and statement.orelse:
        return ends_block(statement.body[-1]) and ends_block(statement.orelse[-1])
    return isinstance(statement, (ast.Return, ast.Break, ast.Continue, ast.Raise))


def without_events(statements: list[ast.stmt]) -> list[ast.stmt]:
    """A block without what is done only while events are recorded, without documentation and unreachable code."""
    out: list[ast.stmt] = []
    for node in statements:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        if isinstance(node, ast.If):
            known = events_test(node.test)
            if known is not None:
                out += without_events(node.body if known else node.orelse)
            else:
                new = ast.If(node.test, without_events(node.body), without_events(node.orelse))
                out.append(ast.copy_location(new, node))
        elif isinstance(node, ast.While):
            out.append(ast.copy_location(ast.While(node.test, without_events(node.body), node.orelse), node))
        elif isinstance(node, ast.For):
            new_for = ast.For(node.target, node.iter, without_events(node.body), node.orelse)
            out.append(ast.copy_location(new_for, node))
        else:
            out.append(node)
        if out and ends_block(out[-1]):
            break
    return out


def loaded_names(statements: list[ast.stmt]) -> set[str]:
    return {
        node.id
        for statement in statements
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }

"""Reads the fields that a position declares (core/position_field_declarations.py) from its module's source."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Final

ARGUMENTS: Final = {
    "declare_number": 3,
    "declare_vector": 4,
    "declare_vector_of": 3,
    "declare_passing_number": 4,
    "declare_derived_number": 3,
    "declare_derived_vector": 4,
    "declare_given_vector": 4,
}


@dataclass(frozen=True)
class Field:
    """One field as it is declared: its kind, the texts of the kind's arguments, the type around it."""

    name: str
    kind: str
    arguments: tuple[str, ...]
    wrapper: str

    @property
    def is_row(self) -> bool:
        return "vector" in self.kind

    @property
    def is_derived(self) -> bool:
        return "derived" in self.kind

    @property
    def is_given(self) -> bool:
        return "given" in self.kind

    @property
    def is_serialized(self) -> bool:
        return not self.is_derived and not self.is_given

    def copied(self) -> str:
        return f"self.{self.name} = source.{self.name}" + ("[:]" if self.is_row and not self.is_given else "")

    def reading(self) -> str:
        """The statement that reads it from its bytes."""
        if not self.is_row:
            _, least, most = self.arguments[:3]
            value = f"reader.read_next_in_range({least}, {most})"
            return f"self.{self.name} = " + (f"{self.wrapper}({value})" if self.wrapper else value)
        length = self.arguments[0] if self.kind == "declare_vector" else f"len({self.arguments[0]})"
        least, most = self.arguments[-2:]
        return f"self.{self.name} = to_vector(reader.read_next_vector({length}, {least}, {most}))"


def declared_fields(source: str) -> list[Field]:
    """Every field declared in a module, in order."""
    found: dict[int, Field] = {}
    for statement in ast.walk(ast.parse(source)):
        if isinstance(statement, ast.Assign):
            one = parse_field_declaration(statement.targets[0], statement.value)
        elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
            one = parse_field_declaration(statement.target, statement.value)
        else:
            continue
        if one is not None:
            found[statement.lineno] = one
    return [found[line] for line in sorted(found)]


def parse_field_declaration(target: ast.expr, value: ast.expr) -> Field | None:
    """The field an assignment declares, if it declares one."""
    wrapper = ""
    if isinstance(value, ast.Call) and len(value.args) == 1 and isinstance(value.args[0], ast.Call):
        wrapper, value = ast.unparse(value.func), value.args[0]
    if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Name) or value.func.id not in ARGUMENTS:
        return None
    if not isinstance(target, ast.Attribute):
        raise ValueError(f"{ast.unparse(target)} is no field of self")
    arguments = tuple(ast.unparse(argument) for argument in value.args)
    if len(arguments) != ARGUMENTS[value.func.id] or value.keywords:
        raise ValueError(f"{target.attr}: {value.func.id} has {ARGUMENTS[value.func.id]} arguments, without names")
    return Field(target.attr, value.func.id, arguments, wrapper)

"""The objects of a kernel as C structures: the position, the table, and the objects that rules work with."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final

from landfall.kernels.field_declarations import declared_fields, parse_field_declaration
from landfall.kernels.source_modules import Definition, SourceModule, Untranslatable, source_module
from landfall.kernels.value_types import BOOL, WIDE, Num, Obj, Type, Vec, cell_type

if TYPE_CHECKING:
    from landfall.core.game import Game

POSITION: Final = "Position"
TABLE: Final = "Table"
ACTIONS: Final = "ActionList"


@dataclass(frozen=True)
class Field:
    """A field: its type, the type that stores it, whether the table holds it, its first value if copies renew it."""

    name: str
    type: Type
    cell: str
    in_table: bool = False
    renewed: int | None = None

    def declaration(self) -> str:
        if isinstance(self.type, Vec) and self.type.length is not None:
            return f"{self.cell} {self.name}[{self.type.length}];"
        return f"{self.type.c}{self.name};" if isinstance(self.type, Vec) else f"{self.cell} {self.name};"


@dataclass
class Structure:
    """A structure, its fields, and the classes whose methods it has, the most derived first."""

    name: str
    fields: dict[str, Field]
    classes: list[Definition] = field(default_factory=list)

    def find_method(self, name: str) -> tuple[SourceModule, ast.FunctionDef, str] | None:
        for one in self.classes:
            assert isinstance(one.node, ast.ClassDef)
            for node in one.node.body:
                if isinstance(node, ast.FunctionDef) and node.name == name:
                    return one.module, node, one.name
        return None

    def stored_fields(self) -> list[Field]:
        """Its fields, without those that the table holds for it."""
        return [one for one in self.fields.values() if self.name == TABLE or (not one.in_table and one.cell != TABLE)]

    def declaration(self) -> str:
        lines = [f"    {one.declaration()}\n" for one in self.stored_fields()]
        return f"typedef struct {self.name} {{\n{''.join(lines)}}} {self.name};\n"


def number_field(name: str, least: int, most: int, **more: Any) -> Field:
    return Field(name, Num(least, most), cell_type(least, most), **more)


def vector_field(name: str, length: int, least: int, most: int, **more: Any) -> Field:
    cell = cell_type(least, most)
    return Field(name, Vec(cell, least, most, length, bool(more.get("in_table"))), cell, **more)


class Declarations:
    """Reads the fields of classes from their constructors."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.table = Structure(TABLE, {"players": number_field("players", 1, max(game.player_counts), in_table=True)})
        self.lengths: dict[str, str] = {}  # by given vector: the expression of its length

    def evaluate(self, module: SourceModule, text: str) -> int:
        """The value of a declaration's argument at the table with most players."""
        me = SimpleNamespace(players=max(self.game.player_counts))
        return int(eval(text, dict(vars(module.values)), {"self": me}))

    def add_given_vector(self, name: str, longest: int, least: int, most: int) -> Field:
        """A vector of the table. Its length is a field of its own, for tables differ in it."""
        cell = cell_type(least, most)
        one = Field(name, Vec(cell, least, most, None, True), cell, in_table=True)
        stored = Field(name, Vec(cell, least, most, longest, True), cell, in_table=True)
        self.table.fields[name] = stored
        self.table.fields[f"{name}_length"] = number_field(f"{name}_length", 0, longest, in_table=True)
        return one

    def read_field(self, module: SourceModule, target: ast.Attribute, value: ast.expr) -> Field | None:
        """The field that an assignment declares; None if it declares none that a kernel can use."""
        name = target.attr
        declared = parse_field_declaration(target, value)
        if declared is not None:
            if declared.is_given:
                return self.add_given_vector(name, *(self.evaluate(module, a) for a in declared.arguments[1:]))
            first, *bounds = declared.arguments
            if declared.kind == "declare_vector_of":
                return vector_field(
                    name, self.evaluate(module, f"len({first})"), *(self.evaluate(module, a) for a in bounds)
                )
            numbers = [self.evaluate(module, a) for a in declared.arguments]
            if declared.is_row:
                return vector_field(name, numbers[0], *numbers[-2:])
            return number_field(name, numbers[1], numbers[-1])
        if isinstance(value, ast.Constant) and type(value.value) is int:
            return number_field(name, WIDE.least, WIDE.most, renewed=value.value)
        if isinstance(value, ast.UnaryOp) and isinstance(value.operand, ast.Constant):
            return number_field(name, WIDE.least, WIDE.most, renewed=-int(str(value.operand.value)))
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "index":
            return number_field(name, 0, self.evaluate(module, f"len({ast.unparse(value.func.value)})") - 1)
        if isinstance(value, ast.Compare):
            return number_field(name, 0, 1)
        return None

    def read_class(self, definition: Definition) -> dict[str, Field]:
        """The fields that a class's constructor assigns."""
        assert isinstance(definition.node, ast.ClassDef)
        found: dict[str, Field] = {}
        for node in definition.node.body:
            if isinstance(node, ast.FunctionDef) and node.name == "__init__":
                for statement in ast.walk(node):
                    if isinstance(statement, ast.Assign):
                        target, value = statement.targets[0], statement.value
                    elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
                        target, value = statement.target, statement.value
                    else:
                        continue
                    if isinstance(target, ast.Attribute) and target.attr not in found:
                        one = self.read_field(definition.module, target, value)
                        if one is None and isinstance(statement, ast.AnnAssign):
                            annotated = ast.unparse(statement.annotation)
                            if annotated == "Buf":
                                one = Field(target.attr, Vec("i64", WIDE.least, WIDE.most, None), "i64")
                            elif annotated == "i64":
                                one = number_field(target.attr, WIDE.least, WIDE.most)
                        if one is not None:
                            found[target.attr] = one
        return found

    def read_position(self) -> Structure:
        """The structure of the game's positions; the table's fields go to the table's."""
        state = type(self.game.new(self.game.player_counts[0]))
        classes = []
        for base in state.__mro__:
            if base is not object:
                module = source_module(base.__module__)
                classes.append(Definition(module, base.__name__, module.nodes[base.__name__]))
        position = Structure(POSITION, {}, classes)
        players = max(self.game.player_counts)
        position.fields["actor"] = number_field("actor", -2, players - 1)
        for one in reversed(classes):
            if any(declared_fields(ast.unparse(node)) for node in [one.node] if node is not None):
                position.fields |= {n: f for n, f in self.read_class(one).items() if n not in ("players", "actor")}
                self.read_table_rules(one, position)
        if len(position.fields) == 1:
            first = classes[0]
            assert first.node is not None
            raise Untranslatable(first.module.file, first.node.lineno, f"{first.name} declares no fields with bounds")
        position.fields["players"] = self.table.fields["players"]
        return position

    def read_table_rules(self, one: Definition, position: Structure) -> None:
        """What a constructor's parameter holds: the options of the table."""
        assert isinstance(one.node, ast.ClassDef)
        init = next(node for node in one.node.body if isinstance(node, ast.FunctionDef) and node.name == "__init__")
        for argument in init.args.args:
            if isinstance(argument.annotation, ast.Name):
                found = one.module.find(argument.annotation.id)
                if found is not None and isinstance(found.node, ast.ClassDef) and found.name != one.name:
                    fields = self.read_class(found)
                    for name, each in fields.items():
                        if name not in self.table.fields and isinstance(each.type, Num):
                            self.table.fields[name] = Field(name, each.type, each.cell, in_table=True)
                    self.rules_fields = {**fields, "players": self.table.fields["players"]}
                    position.fields[argument.arg] = Field(argument.arg, Obj(TABLE), TABLE)


__all__ = ["ACTIONS", "BOOL", "POSITION", "TABLE", "Declarations", "Field", "Structure", "number_field", "vector_field"]

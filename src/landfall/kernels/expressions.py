"""Translates expressions to C, with the interval of every number."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from dataclasses import replace
from typing import Final, Protocol

from landfall.kernels.functions import Function, Value, annotated_return, c_name, literal
from landfall.kernels.source_modules import Definition, SourceModule, Untranslatable, loaded_names
from landfall.kernels.structures import POSITION, TABLE, Structure
from landfall.kernels.value_types import (
    BOOL,
    OPERATIONS,
    Num,
    Obj,
    Text,
    Texts,
    Vec,
    clamp_to_64_bits,
    join,
)

SYMBOLS: Final = {"Add": "+", "Sub": "-", "Mult": "*", "BitAnd": "&", "BitOr": "|", "BitXor": "^"}
COMPARISONS: Final[dict[type[ast.cmpop], str]] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}


class Surroundings(Protocol):
    """The program that a function belongs to."""

    structures: dict[str, Structure]
    tuples: set[int]  # lengths of the tuples that functions return
    changed: bool  # whether some type is not yet what it was a pass ago

    def text(self, text: str) -> int:
        """The number of a text."""

    def only_records_events(self, module: SourceModule, call: ast.Call) -> bool:
        """Whether a call does nothing while no events are recorded."""

    def is_unused(self, node: ast.FunctionDef, parameter: str) -> bool:
        """Whether only events need a parameter."""

    def global_value(self, caller: ExpressionTranslator, node: ast.expr, module: SourceModule, name: str) -> Value:
        """A constant, a table or an object of a module."""

    def function(
        self,
        module: SourceModule,
        node: ast.FunctionDef,
        owner_class: str,
        arguments: dict[str, Value],
        caller: ExpressionTranslator,
    ) -> Function:
        """The function for a call, with its parameters' intervals joined with the arguments'."""


class ExpressionTranslator:
    """Translates the expressions of a function, with the types known so far."""

    def __init__(self, program: Surroundings, function: Function) -> None:
        self.program = program
        self.function = function
        self.module = function.module
        self.lines: list[str] = []
        self.depth = 1
        self.temporaries = 0
        self.filling = False  # whether a call filled the list that the function returns
        self.loaded = loaded_names(function.body)

    # --- errors and output -------------------------------------------------------------------------------------------

    def refuse(self, node: ast.AST, reason: str) -> Untranslatable:
        return Untranslatable(self.module.file, getattr(node, "lineno", self.function.node.lineno), reason)

    def emit(self, text: str) -> None:
        self.lines.append("    " * self.depth + text)

    def temporary(self) -> str:
        self.temporaries += 1
        return f"t{self.temporaries}"

    def place(self, node: ast.AST) -> str:
        return f'"{self.module.file.name}:{getattr(node, "lineno", 0)}"'

    # --- expressions -------------------------------------------------------------------------------------------------

    def number_type(self, value: Value) -> Num:
        assert isinstance(value.type, Num)
        return value.type

    def number(self, node: ast.expr) -> Value:
        value = self.value(node)
        if not isinstance(value.type, Num):
            raise self.refuse(node, f"{ast.unparse(node)} is no number")
        return value

    def condition(self, node: ast.expr) -> Value:
        """A test: numbers are true unless they are zero."""
        value = self.value(node)
        if not isinstance(value.type, Num):
            raise self.refuse(node, f"{ast.unparse(node)} is no number")
        if value.known is not None:
            return replace(value, c="1" if value.known else "0", known=int(bool(value.known)))
        return value

    def value(self, node: ast.expr) -> Value:
        name = type(node).__name__
        method = getattr(self, f"value_{name}", None)
        if method is None:
            raise self.refuse(node, f"{name} is outside the subset that kernels translate")
        value: Value = method(node)
        return value

    def value_Constant(self, node: ast.Constant) -> Value:
        if isinstance(node.value, bool):
            return Value(str(int(node.value)), BOOL, int(node.value))
        if isinstance(node.value, int):
            return self.constant(node.value)
        if isinstance(node.value, str):
            return Value(str(self.program.text(node.value)), Text())
        raise self.refuse(node, f"{node.value!r} is no number")

    def constant(self, number: int) -> Value:
        if not -(1 << 63) <= number < 1 << 63:
            number = (number + (1 << 63)) % (1 << 64) - (1 << 63)
        return Value(literal(number), Num(number, number), number)

    def value_Name(self, node: ast.Name) -> Value:
        name = node.id
        function = self.function
        if name in function.parameters:
            return Value(c_name(name), function.parameters[name])
        if name in function.locals:
            return Value(c_name(name), function.locals[name])
        return self.program.global_value(self, node, self.module, name)

    def value_Attribute(self, node: ast.Attribute) -> Value:
        if isinstance(node.value, ast.Name) and node.value.id not in (self.function.parameters | self.function.locals):
            found = self.module.find(node.value.id)
            if found is not None and found.node is None:
                return self.program.global_value(self, node, found.module, node.attr)
        owner = self.value(node.value)
        if isinstance(owner.type, Obj):
            if (owner.type.struct == POSITION and node.attr == "rules") or (
                isinstance(self.program.structures[owner.type.struct].fields.get(node.attr), object)
                and getattr(self.program.structures[owner.type.struct].fields.get(node.attr), "cell", "") == TABLE
            ):
                return Value("work->table", Obj(TABLE, is_constant=True))
            one = self.program.structures[owner.type.struct].fields.get(node.attr)
            if one is not None:
                if one.in_table:
                    return Value(f"TABLE({node.attr})", one.type)
                return Value(f"{owner.c}->{node.attr}", one.type, reads=True)
        raise self.refuse(node, f"{ast.unparse(node)}: no declared field of that name")

    def value_Subscript(self, node: ast.Subscript) -> Value:
        vector = self.value(node.value)
        if isinstance(vector.type, Texts):
            return Value(f"{vector.c}[{self.indexed(node, vector)}]", Text())
        if not isinstance(vector.type, Vec):
            raise self.refuse(node, f"{ast.unparse(node.value)} is no vector")
        index = self.value(node.slice)
        kind = Num(vector.type.least, vector.type.most)
        effects = vector.has_effects or index.has_effects
        return Value(
            f"{vector.c}[{self.indexed(node, vector)}]", kind, has_effects=effects, reads=not vector.type.is_constant
        )

    def value_UnaryOp(self, node: ast.UnaryOp) -> Value:
        if isinstance(node.op, ast.Not):
            inner = self.condition(node.operand)
            if inner.known is not None:
                return Value(str(1 - inner.known), BOOL, 1 - inner.known)
            return Value(f"!({inner.c})", BOOL, None, inner.has_effects, inner.reads)
        inner = self.number(node.operand)
        kind = self.number_type(inner)
        if isinstance(node.op, ast.USub):
            if inner.known is not None:
                return self.constant(-inner.known)
            kind = clamp_to_64_bits(-kind.most, -kind.least)
            return Value(f"(-({kind.c})({inner.c}))", kind, None, inner.has_effects, inner.reads)
        if isinstance(node.op, ast.Invert):
            if inner.known is not None:
                return self.constant(~inner.known)
            return Value(f"(~({inner.c}))", Num(~kind.most, ~kind.least), None, inner.has_effects, inner.reads)
        return inner

    def value_BinOp(self, node: ast.BinOp) -> Value:
        return self.operate(node, type(node.op).__name__, self.number(node.left), self.number(node.right))

    def operate(self, node: ast.AST, operation: str, left: Value, right: Value) -> Value:
        if operation not in OPERATIONS:
            raise self.refuse(node, f"the operation {operation} is outside the subset that kernels translate")
        if not isinstance(left.type, Num) or not isinstance(right.type, Num):
            raise self.refuse(node, f"{operation} of something that is no number")
        if left.known is not None and right.known is not None:
            known = fold(operation, left.known, right.known)
            if known is not None:
                return self.constant(known)
        if (left.has_effects and (right.has_effects or right.reads)) or (right.has_effects and left.reads):
            raise self.refuse(node, "a call with effects beside what it may change: in C their order is open")
        kind = OPERATIONS[operation](left.type, right.type)
        a, b = left.c, right.c
        wide = kind.is_wide or left.type.is_wide or right.type.is_wide
        if operation in ("FloorDiv", "Mod"):
            plain = left.type.least >= 0 and right.type.least > 0
            if plain:
                text = f"({a} {'/' if operation == 'FloorDiv' else '%'} {b})"
            else:
                text = f"{'floor_divide' if operation == 'FloorDiv' else 'modulo'}{64 if wide else 32}({a}, {b})"
        elif operation == "LShift":
            text = f"((i64)((u64)(i64)({a}) << ({b})))" if wide else f"((i32)((u32)({a}) << ({b})))"
        elif operation == "RShift":
            text = f"(({a}) >> ({b}))"
        elif operation in ("Add", "Sub", "Mult") and kind.is_wide:
            text = f"((i64)((u64)(i64)({a}) {SYMBOLS[operation]} (u64)(i64)({b})))"
        else:
            text = f"({a} {SYMBOLS[operation]} {b})"
        if wide and not kind.is_wide:
            text = f"((i32){text})"
        return Value(text, kind, None, left.has_effects or right.has_effects, left.reads or right.reads)

    def value_BoolOp(self, node: ast.BoolOp) -> Value:
        is_and = isinstance(node.op, ast.And)
        parts: list[Value] = []
        for one in node.values:
            value = self.condition(one)
            if value.known is not None:
                if bool(value.known) == is_and:
                    continue
                if not any(part.has_effects for part in parts):
                    return Value("0" if is_and else "1", BOOL, 0 if is_and else 1)
            parts.append(value)
        if not parts:
            return Value("1" if is_and else "0", BOOL, 1 if is_and else 0)
        text = (" && " if is_and else " || ").join(f"({part.c})" for part in parts)
        return Value(
            f"({text})", BOOL, None, any(part.has_effects for part in parts), any(part.reads for part in parts)
        )

    def value_Compare(self, node: ast.Compare) -> Value:
        values = [self.value(one) for one in (node.left,)]
        texts: list[str] = []
        left_node: ast.expr = node.left
        for operation, right_node in zip(node.ops, node.comparators):
            left = self.value(left_node)
            if isinstance(operation, (ast.In, ast.NotIn)):
                if not isinstance(right_node, ast.Tuple):
                    raise self.refuse(node, "`in` needs a tuple of numbers")
                choices = [self.number(one) for one in right_node.elts]
                if left.has_effects:
                    raise self.refuse(node, "a call with effects would be repeated for every choice")
                values += choices
                text = " || ".join(f"{left.c} == {one.c}" for one in choices)
                texts.append(f"({text})" if isinstance(operation, ast.In) else f"!({text})")
                continue
            if type(operation) not in COMPARISONS:
                raise self.refuse(node, f"the comparison {type(operation).__name__} is outside the subset")
            right = self.value(right_node)
            if isinstance(left.type, Text) != isinstance(right.type, Text):
                raise self.refuse(node, "a text is compared with a number")
            if not isinstance(left.type, (Num, Text)) or not isinstance(right.type, (Num, Text)):
                raise self.refuse(node, "only numbers and texts are compared")
            values.append(right)
            if len(node.ops) == 1 and left.known is not None and right.known is not None:
                return self.constant_comparison(operation, left.known, right.known)
            texts.append(f"({left.c} {COMPARISONS[type(operation)]} {right.c})")
            left_node = right_node
        if len(node.ops) > 1 and any(value.has_effects for value in values):
            raise self.refuse(node, "a call with effects in a chain of comparisons")
        effects = sum(value.has_effects for value in values)
        if effects > 1 or (effects and any(value.reads and not value.has_effects for value in values)):
            raise self.refuse(node, "a call with effects beside what it may change: in C their order is open")
        text = " && ".join(texts)
        return Value(
            text if len(texts) == 1 else f"({text})", BOOL, None, bool(effects), any(value.reads for value in values)
        )

    def constant_comparison(self, operation: ast.cmpop, left: int, right: int) -> Value:
        known = {
            "==": left == right,
            "!=": left != right,
            "<": left < right,
            "<=": left <= right,
            ">": left > right,
            ">=": left >= right,
        }[COMPARISONS[type(operation)]]
        return Value(str(int(known)), BOOL, int(known))

    def value_IfExp(self, node: ast.IfExp) -> Value:
        test = self.condition(node.test)
        if test.known is not None:
            return self.value(node.body if test.known else node.orelse)
        yes, no = self.value(node.body), self.value(node.orelse)
        kind = join(yes.type, no.type)
        if kind is None:
            raise self.refuse(node, f"one side is {yes.type}, the other {no.type}")
        effects = test.has_effects or yes.has_effects or no.has_effects
        return Value(f"({test.c} ? {yes.c} : {no.c})", kind, None, effects, test.reads or yes.reads or no.reads)

    # --- calls -------------------------------------------------------------------------------------------------------

    def value_Call(self, node: ast.Call) -> Value:
        if node.keywords:
            raise self.refuse(node, "arguments with names")
        if isinstance(node.func, ast.Name):
            name = node.func.id
            if name in ("int", "bool", "i64"):
                inner = self.value(node.args[0])
                if name == "bool" and isinstance(inner.type, Num) and inner.type != BOOL:
                    return replace(inner, c=f"({inner.c} != 0)", type=BOOL)
                return inner
            if name == "len":
                return self.length(node)
            if name in ("min", "max", "abs"):
                return self.minimum(node, name)
            found = self.module.find(name)
            if found is None:
                raise self.refuse(node, f"{name} is no function of a module that kernels can read")
            return self.call_global(node, found)
        if isinstance(node.func, ast.Attribute):
            owner_node = node.func.value
            if isinstance(owner_node, ast.Name) and owner_node.id not in (
                self.function.parameters | self.function.locals
            ):
                found = self.module.find(owner_node.id)
                if found is not None and found.node is None:
                    return self.call_global(node, found.module.find(node.func.attr))
            owner = self.value(owner_node)
            if isinstance(owner.type, Obj):
                method = self.program.structures[owner.type.struct].find_method(node.func.attr)
                if method is None:
                    raise self.refuse(node, f"{ast.unparse(node.func)} is no method")
                return self.call(node, method[0], method[1], method[2], owner)
        raise self.refuse(node, f"{ast.unparse(node.func)} cannot be called in a kernel")

    def call_global(self, node: ast.Call, found: Definition | None) -> Value:
        """A function of a module, or the conversion to a NewType, which changes nothing."""
        if found is not None and isinstance(found.node, ast.FunctionDef):
            return self.call(node, found.module, found.node, "", None)
        if found is not None and isinstance(found.node, ast.Assign) and isinstance(found.node.value, ast.Call):
            return self.value(node.args[0])
        raise self.refuse(node, f"{ast.unparse(node.func)} is no function")

    def length(self, node: ast.Call) -> Value:
        vector = self.value(node.args[0])
        if isinstance(vector.type, (Vec, Texts)) and vector.type.length is not None:
            return self.constant(vector.type.length)
        if isinstance(vector.type, Vec) and vector.c.startswith("TABLE("):
            name = vector.c[6:-1]
            return Value(f"TABLE({name}_length)", self.program.structures[TABLE].fields[f"{name}_length"].type)
        raise self.refuse(node, f"the length of {ast.unparse(node.args[0])} is not known")

    def minimum(self, node: ast.Call, name: str) -> Value:
        values = [self.number(one) for one in node.args]
        kinds = [self.number_type(one) for one in values]
        if any(one.has_effects for one in values) or len(values) != (1 if name == "abs" else 2):
            raise self.refuse(node, f"{name} of two numbers without effects is translated, of one for abs")
        if name == "abs":
            most = max(abs(kinds[0].least), abs(kinds[0].most))
            kind = clamp_to_64_bits(0, most)
        elif name == "min":
            kind = Num(min(k.least for k in kinds), min(k.most for k in kinds))
        else:
            kind = Num(max(k.least for k in kinds), max(k.most for k in kinds))
        bits = 64 if any(k.is_wide for k in [kind, *kinds]) else 32
        text = f"{name}imum{bits}" if name != "abs" else f"absolute{bits}"
        return Value(f"{text}({', '.join(v.c for v in values)})", kind, None, False, any(v.reads for v in values))

    def call(
        self, node: ast.Call, module: SourceModule, target: ast.FunctionDef, owner_class: str, owner: Value | None
    ) -> Value:
        names = [argument.arg for argument in target.args.args]
        values = [] if owner is None else [owner]
        for one, name in zip(node.args, names[len(values) :]):
            if isinstance(one, (ast.List, ast.ListComp, ast.Dict)) and self.program.is_unused(target, name):
                values.append(Value("0", Num(0, 0), 0))
            else:
                values.append(self.value(one))
        if len(values) != len(names):
            raise self.refuse(node, f"{target.name} takes {len(names)} arguments, here are {len(values)}")
        if sum(v.has_effects for v in values) > 1 or (
            any(v.has_effects for v in values) and any(v.reads and not v.has_effects for v in values)
        ):
            raise self.refuse(node, "a call with effects beside what it may change: in C their order is open")
        callee = self.program.function(module, target, owner_class, dict(zip(names, values)), self)
        texts = ["work"]
        for name, value in zip(names, values):
            kind = callee.parameters[name]
            narrow = isinstance(kind, Num) and isinstance(value.type, Num) and value.type.is_wide and not kind.is_wide
            texts.append(f"(i32)({value.c})" if narrow else value.c)
        if callee.fills_list:
            texts.append("filled")
            self.filling = True
            self.function.fills_list = True
        if callee.has_effects:
            self.function.has_effects = True
        kind = callee.returns or annotated_return(target)
        return Value(f"{callee.name}({', '.join(texts)})", kind, None, callee.has_effects, True)

    # --- vectors ---

    def indexed(self, node: ast.Subscript, vector: Value) -> str:
        index = self.number(node.slice)
        assert isinstance(vector.type, (Vec, Texts))
        length = vector.type.length
        if length is None:
            return index.c
        if index.known is not None:
            if not 0 <= index.known < length:
                raise self.refuse(node, f"index {index.known} of {length}")
            return index.c
        return f"INDEX({index.c}, {length}, {self.place(node)})"


def fold(operation: str, a: int, b: int) -> int | None:
    """The value of an operation on two constants, in Python."""
    if operation in ("FloorDiv", "Mod") and b == 0:
        return None
    if operation in ("LShift", "RShift") and not 0 <= b < 64:
        return None
    by_name: dict[str, Callable[[int, int], int]] = {
        "Add": operator.add,
        "Sub": operator.sub,
        "Mult": operator.mul,
        "FloorDiv": operator.floordiv,
        "Mod": operator.mod,
        "LShift": operator.lshift,
        "RShift": operator.rshift,
        "BitAnd": operator.and_,
        "BitOr": operator.or_,
        "BitXor": operator.xor,
    }
    return by_name[operation](a, b)

"""Translates one function: its syntax tree, without what records events, to C."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final, Protocol

from landfall.kernels.source_modules import (
    SourceModule,
    Untranslatable,
    loaded_names,
    without_events,
)
from landfall.kernels.structures import POSITION, TABLE, Structure
from landfall.kernels.value_types import (
    BOOL,
    LEAST_64,
    OPERATIONS,
    WIDE,
    Num,
    Obj,
    Text,
    Texts,
    Tup,
    Type,
    Vec,
    Void,
    clamp_to_64_bits,
    join,
    widen,
)

WIDEN_AFTER: Final = 3  # times that an interval may grow before it is widened
SYMBOLS: Final = {"Add": "+", "Sub": "-", "Mult": "*", "BitAnd": "&", "BitOr": "|", "BitXor": "^"}
COMPARISONS: Final[dict[type[ast.cmpop], str]] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
RESERVED: Final = frozenset(
    """auto bool break case char const continue default do double else enum extern float for goto if int long register
    return short signed sizeof static struct switch union unsigned void volatile while class new delete this template
    namespace operator private public true false try catch throw using work position table min max abs index
    i8 i16 i32 i64 u8 u16 u64""".split()  # noqa: SIM905
)


@dataclass(frozen=True)
class Value:
    """An expression in C."""

    c: str
    type: Type
    known: int | None = None
    has_effects: bool = False  # it calls a function that may change something
    reads: bool = False  # it reads memory that such a function may change


@dataclass
class Function:
    """A function with the types of its parameters that are no numbers; one Python function may become several."""

    name: str
    module: SourceModule
    node: ast.FunctionDef
    parameters: dict[str, Type]
    body: list[ast.stmt]
    locals: dict[str, Type] = field(default_factory=dict)
    returns: Type | None = None
    growth: dict[str, int] = field(default_factory=dict)
    has_effects: bool = False
    fills_list: bool = False  # it returns a list, which becomes a vector to fill
    c: str = ""

    @property
    def label(self) -> str:
        return f"{self.module.file.stem}.{self.node.name}"

    def head(self) -> str:
        """Its declaration in C."""
        returns = (self.returns or Void()).c
        words = ["Work *work", *(f"{t.c} {c_name(n)}" for n, t in self.parameters.items())]
        if self.fills_list:
            words.append("i64 *filled")
        return f"FUNCTION {returns} {self.name}({', '.join(words)})"


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

    def global_value(self, caller: FunctionTranslator, node: ast.expr, module: SourceModule, name: str) -> Value:
        """A constant, a table or an object of a module."""

    def function(
        self,
        module: SourceModule,
        node: ast.FunctionDef,
        owner_class: str,
        arguments: dict[str, Value],
        caller: FunctionTranslator,
    ) -> Function:
        """The function for a call, with its parameters' intervals joined with the arguments'."""


def c_name(name: str) -> str:
    return f"{name}_" if name in RESERVED else name


def literal(number: int) -> str:
    if number == LEAST_64:
        return "(-9223372036854775807LL - 1)"
    text = f"{number}LL" if Num(number, number).is_wide else str(number)
    return f"({text})" if number < 0 else text


class FunctionTranslator:
    """Translates a function once, with the types known so far, which it refines."""

    def __init__(self, program: Surroundings, function: Function) -> None:
        self.program = program
        self.function = function
        self.module = function.module
        self.lines: list[str] = []
        self.depth = 1
        self.temporaries = 0
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

    # --- functions ---------------------------------------------------------------------------------------------------

    def translate(self) -> None:
        function = self.function
        self.block(function.body)
        if function.returns is None:
            function.returns = Void()
        declarations = []
        for name, kind in function.locals.items():
            if name in function.parameters:
                continue
            if isinstance(kind, Vec) and name in self.own_vectors:
                declarations.append(f"    {kind.cell} {c_name(name)}[{kind.length}];")
            elif isinstance(kind, Obj) and name in self.own_positions:
                declarations.append(f"    {kind.struct} {c_name(name)}_copy, *{c_name(name)} = &{c_name(name)}_copy;")
            elif name in self.written:
                declarations.append(
                    f"    {kind.c} {c_name(name)};" if "*" not in kind.c else f"    {kind.c}{c_name(name)};"
                )
        function.c = "\n".join([f"{function.head()} {{  // {function.label}", *declarations, *self.lines, "}"]) + "\n"

    own_vectors: frozenset[str] | set[str] = frozenset()
    own_positions: frozenset[str] | set[str] = frozenset()
    written: frozenset[str] | set[str] = frozenset()

    def block(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            self.statement(statement)

    # --- statements --------------------------------------------------------------------------------------------------

    def statement(self, node: ast.stmt) -> None:
        name = type(node).__name__
        method = getattr(self, f"statement_{name}", None)
        if method is None:
            raise self.refuse(node, f"{name} is outside the subset that kernels translate")
        method(node)

    def statement_Pass(self, node: ast.Pass) -> None:
        pass

    def statement_Assert(self, node: ast.Assert) -> None:
        pass

    def statement_Raise(self, node: ast.Raise) -> None:
        self.emit(f"FAIL({self.place(node)});")

    def statement_Break(self, node: ast.Break) -> None:
        self.emit("break;")

    def statement_Continue(self, node: ast.Continue) -> None:
        self.emit("continue;")

    def statement_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Call):
            raise self.refuse(node, "an expression without effect")
        if self.program.only_records_events(self.module, node.value):
            for part in (part for argument in node.value.args for part in ast.walk(argument)):
                if isinstance(part, ast.Call) and self.value(part).has_effects:
                    raise self.refuse(part, "an argument with an effect, for a function that only records events")
            return
        self.emit(f"{self.value(node.value).c};")

    def statement_Return(self, node: ast.Return) -> None:
        function = self.function
        if node.value is None:
            function.returns = function.returns or Void()
            self.emit("return;")
            return
        if isinstance(node.value, ast.ListComp):
            self.return_list(node.value)
            return
        if isinstance(node.value, ast.Tuple):
            values = [self.number(part) for part in node.value.elts]
            kind: Type = Tup(tuple(self.number_type(v) for v in values))
            self.set_return(node, kind)
            self.program.tuples.add(len(values))
            name = self.temporary()
            self.emit(
                f"{{ tuple{len(values)} {name}; " + " ".join(f"{name}.v{i} = {v.c};" for i, v in enumerate(values))
            )
            self.emit(f"return {name}; }}")
            return
        value = self.value(node.value)
        if value.type == Void():
            function.fills_list = function.fills_list or self.filling
            self.emit(f"{value.c};")
            self.emit("return;")
            return
        self.set_return(node, value.type)
        self.emit(f"return {value.c};")

    filling = False

    def return_list(self, node: ast.ListComp) -> None:
        """A list of one number for each of a range becomes a vector that the caller gives."""
        one = node.generators[0]
        if len(node.generators) > 1 or one.ifs or not isinstance(one.target, ast.Name):
            raise self.refuse(node, "a list that is not made of one number for each of a range")
        self.function.fills_list = True
        self.function.returns = self.function.returns or Void()
        self.loop(one.target, one.iter, node, lambda at: self.emit(f"filled[{at}] = {self.number(node.elt).c};"))

    def set_return(self, node: ast.AST, kind: Type) -> None:
        function = self.function
        if function.returns is None or isinstance(function.returns, Void):
            function.returns = kind
            return
        function.returns = self.grown(node, "return", function.returns, kind)

    def grown(self, node: ast.AST, name: str, old: Type, new: Type) -> Type:
        """The join of two types; an interval that keeps growing is widened."""
        both = join(old, new)
        if both is None:
            raise self.refuse(node, f"{name} is {old} here and {new} elsewhere")
        if both == old:
            return old
        self.program.changed = True
        count = self.function.growth.get(name, 0) + 1
        self.function.growth[name] = count
        if isinstance(both, Num) and count > WIDEN_AFTER:
            return widen(both)
        return both

    def statement_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.assign(node, node.target, node.value)

    def statement_Assign(self, node: ast.Assign) -> None:
        if len(node.targets) > 1:
            raise self.refuse(node, "several targets of one assignment")
        self.assign(node, node.targets[0], node.value)

    def assign(self, node: ast.stmt, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Tuple):
            self.assign_several(node, target, value)
            return
        if isinstance(target, ast.Name):
            if target.id not in self.loaded and not any(isinstance(part, ast.Call) for part in ast.walk(value)):
                return  # only events need it
            if isinstance(value, ast.Call) and self.assign_new_object(target, value):
                return
            self.store_local(node, target.id, self.value(value))
            return
        if isinstance(target, ast.Attribute) and isinstance(value, ast.Call) and self.callee(value) == "filled_vector":
            self.fill_field(node, target, value)
            return
        self.store(node, target, self.value(value))

    def assign_new_object(self, target: ast.Name, value: ast.Call) -> bool:
        """A vector or a copied position of its own."""
        called = self.callee(value)
        if called == "filled_vector":
            length = self.value(value.args[0]).known
            if length is None:
                raise self.refuse(value, "a vector whose length is not constant")
            self.own_vectors = {*self.own_vectors, target.id}
            self.function.locals[target.id] = Vec("i64", WIDE.least, WIDE.most, length)
            at = self.temporary()
            self.emit(
                f"for (i32 {at} = 0; {at} < {length}; {at}++) "
                f"{c_name(target.id)}[{at}] = {self.number(value.args[1]).c};"
            )
            return True
        if isinstance(value.func, ast.Attribute) and called == "copy":
            source = self.value(value.func.value)
            if source.type == Obj(POSITION):
                self.own_positions = {*self.own_positions, target.id}
                self.function.locals[target.id] = source.type
                self.emit(f"copy_position({c_name(target.id)}, {source.c});")
                return True
        return False

    def callee(self, node: ast.Call) -> str:
        """The last part of what is called."""
        return (
            node.func.id
            if isinstance(node.func, ast.Name)
            else node.func.attr
            if isinstance(node.func, ast.Attribute)
            else ""
        )

    def fill_field(self, node: ast.stmt, target: ast.Attribute, value: ast.Call) -> None:
        place = self.value(target)
        if not isinstance(place.type, Vec) or place.type.length is None:
            raise self.refuse(node, "only a vector of the position can be filled")
        self.function.has_effects = True
        at = self.temporary()
        number = self.number(value.args[1])
        self.emit(
            f"for (i32 {at} = 0; {at} < {place.type.length}; {at}++) {place.c}[{at}] = ({place.type.cell}){number.c};"
        )

    def assign_several(self, node: ast.stmt, target: ast.Tuple, value: ast.expr) -> None:
        if isinstance(value, ast.Tuple):
            values = [self.value(part) for part in value.elts]
            if sum(v.has_effects for v in values) > 1:
                raise self.refuse(node, "two calls with effects in one statement")
            names = {part.id for part in target.elts if isinstance(part, ast.Name)}
            if names & loaded_names([ast.Expr(part) for part in value.elts]):  # a swap: keep the old values
                kept = []
                for one in values:
                    name = self.temporary()
                    self.emit(f"{one.type.c} {name} = {one.c};")
                    kept.append(Value(name, one.type))
                values = kept
            for part, one in zip(target.elts, values):
                self.store_any(node, part, one)
            return
        whole = self.value(value)
        if not isinstance(whole.type, Tup):
            raise self.refuse(node, "only a tuple can be taken apart")
        name = self.temporary()
        self.emit(f"{whole.type.c} {name} = {whole.c};")
        for i, part in enumerate(target.elts):
            if isinstance(part, ast.Name) and part.id not in self.loaded:
                continue
            self.store_any(node, part, Value(f"{name}.v{i}", whole.type.items[i]))

    def store_any(self, node: ast.stmt, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Name):
            self.store_local(node, target.id, value)
        else:
            self.store(node, target, value)

    def store_local(self, node: ast.AST, name: str, value: Value) -> None:
        function = self.function
        kind = value.type
        if isinstance(kind, Void):
            raise self.refuse(node, f"{name} has no value")
        known = function.parameters.get(name) or function.locals.get(name)
        if known is None:
            self.program.changed = True
            function.locals[name] = kind
        else:
            both = self.grown(node, name, known, kind)
            if name in function.parameters:
                function.parameters[name] = both
            else:
                function.locals[name] = both
            known = both
        self.written = {*self.written, name}
        text = value.c
        if isinstance(kind, Num) and isinstance(known, Num) and kind.is_wide and not known.is_wide:
            text = f"(i32)({text})"
        if isinstance(kind, Num) and isinstance(known, Num):
            text = f"FIT{32 if not known.is_wide else 64}({text}, {self.place(node)})"
        self.emit(f"{c_name(name)} = {text};")

    def store(self, node: ast.stmt, target: ast.expr, value: Value) -> None:
        """Into a field or a cell."""
        self.function.has_effects = True
        text = value.c
        if value.has_effects:
            name = self.temporary()
            self.emit(f"{value.type.c} {name} = {text};")
            text = name
        place, kind, cell = self.target(target)
        self.emit(f"{place} = {self.narrowed(node, text, value.type, kind, cell)};")

    def narrowed(self, node: ast.AST, text: str, kind: Type, bounds: Num, cell: str) -> str:
        if not isinstance(kind, Num):
            raise self.refuse(node, f"a number is stored here, not {kind}")
        return f"({cell})CHECK({text}, {literal(bounds.least)}, {literal(bounds.most)}, {self.place(node)})"

    def target(self, node: ast.expr) -> tuple[str, Num, str]:
        """A field or a cell to store into, with its bounds and what stores it."""
        if isinstance(node, ast.Attribute):
            owner = self.value(node.value)
            if isinstance(owner.type, Obj):
                one = self.program.structures[owner.type.struct].fields.get(node.attr)
                if one is not None and isinstance(one.type, Num) and not one.in_table:
                    return f"{owner.c}->{node.attr}", one.type, one.cell
            raise self.refuse(node, f"{ast.unparse(node)} cannot be stored into")
        if isinstance(node, ast.Subscript):
            vector = self.value(node.value)
            if not isinstance(vector.type, Vec) or vector.type.is_constant:
                raise self.refuse(node, f"{ast.unparse(node.value)} is no vector that may change")
            at = self.indexed(node, vector)
            if vector.has_effects or ("(" in at and self.value(node.slice).has_effects):
                name = self.temporary()
                self.emit(f"i32 {name} = (i32){at};")
                at = name
            return f"{vector.c}[{at}]", Num(vector.type.least, vector.type.most), vector.type.cell
        raise self.refuse(node, f"{ast.unparse(node)} cannot be stored into")

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

    def statement_AugAssign(self, node: ast.AugAssign) -> None:
        operation = type(node.op).__name__
        if isinstance(node.target, ast.Name):
            self.store_local(
                node, node.target.id, self.operate(node, operation, self.value(node.target), self.value(node.value))
            )
            return
        place, kind, cell = self.target(node.target)
        right = self.value(node.value)
        self.function.has_effects = True
        if right.has_effects:
            raise self.refuse(node, "a call with effects on the right of an augmented assignment")
        result = self.operate(node, operation, Value(place, kind), right)
        self.emit(f"{place} = {self.narrowed(node, result.c, result.type, kind, cell)};")

    def statement_If(self, node: ast.If) -> None:
        test = self.condition(node.test)
        if test.known is not None:
            self.block(node.body if test.known else node.orelse)
            return
        self.emit(f"if ({test.c}) {{")
        self.inner(node.body)
        if node.orelse:
            self.emit("} else {")
            self.inner(node.orelse)
        self.emit("}")

    def inner(self, statements: list[ast.stmt]) -> None:
        self.depth += 1
        self.block(statements)
        self.depth -= 1

    def statement_While(self, node: ast.While) -> None:
        if node.orelse:
            raise self.refuse(node, "a loop with else")
        self.emit(f"while ({self.condition(node.test).c}) {{")
        self.inner(node.body)
        self.emit("}")

    def statement_For(self, node: ast.For) -> None:
        if node.orelse:
            raise self.refuse(node, "a loop with else")
        if not isinstance(node.target, ast.Name):
            raise self.refuse(node, "a loop over several variables")
        self.loop(node.target, node.iter, node, lambda at: self.block(node.body))

    def loop(self, target: ast.Name, over: ast.expr, node: ast.AST, body: object) -> None:
        """A loop over a range. The counter is one of its own: the body may change the variable."""
        if not (isinstance(over, ast.Call) and isinstance(over.func, ast.Name) and over.func.id == "range"):
            raise self.refuse(node, "a loop over something else than a range")
        arguments = [self.number(argument) for argument in over.args]
        first = arguments[0] if len(arguments) > 1 else Value("0", Num(0, 0), 0)
        end = arguments[1] if len(arguments) > 1 else arguments[0]
        step = arguments[2].known if len(arguments) > 2 else 1
        if not step:
            raise self.refuse(node, "a range whose step is not constant")
        low, high = self.number_type(first), self.number_type(end)
        if step > 0:
            kind = Num(low.least, max(low.least, high.most - 1))
        else:
            kind = Num(min(high.least + 1, low.most), low.most)
        at, stop = self.temporary(), self.temporary()
        wide = "i64" if kind.is_wide or high.is_wide else "i32"
        compare = "<" if step > 0 else ">"
        self.emit(f"for ({wide} {at} = {first.c}, {stop} = {end.c}; {at} {compare} {stop}; {at} += {step}) {{")
        self.depth += 1
        if target.id in self.loaded:
            self.store_local(node, target.id, Value(at, kind))
        body(at)  # type: ignore[operator]
        self.depth -= 1
        self.emit("}")

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
                return Value("work->table", Obj(TABLE))
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
            if isinstance(found.node, ast.FunctionDef):
                return self.call(node, found.module, found.node, "", None)
            if isinstance(found.node, ast.Assign) and isinstance(found.node.value, ast.Call):
                return self.value(node.args[0])  # a NewType
            raise self.refuse(node, f"{name} is no function")
        if isinstance(node.func, ast.Attribute):
            owner_node = node.func.value
            if isinstance(owner_node, ast.Name) and owner_node.id not in (
                self.function.parameters | self.function.locals
            ):
                found = self.module.find(owner_node.id)
                if found is not None and found.node is None:
                    inner_found = found.module.find(node.func.attr)
                    if inner_found is None or not isinstance(inner_found.node, ast.FunctionDef):
                        raise self.refuse(node, f"{ast.unparse(node.func)} is no function")
                    return self.call(node, inner_found.module, inner_found.node, "", None)
            owner = self.value(owner_node)
            if isinstance(owner.type, Obj):
                method = self.program.structures[owner.type.struct].find_method(node.func.attr)
                if method is None:
                    raise self.refuse(node, f"{ast.unparse(node.func)} is no method")
                return self.call(node, method[0], method[1], method[2], owner)
        raise self.refuse(node, f"{ast.unparse(node.func)} cannot be called in a kernel")

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


def annotated_return(node: ast.FunctionDef) -> Type:
    """What a function says that it returns: for a recursive call, before its body is known."""
    text = ast.unparse(node.returns) if node.returns is not None else "None"
    if text.startswith("tuple["):
        return Tup(tuple(Num(0, 0) for _ in range(text.count(",") + 1)))
    kinds: dict[str, Type] = {"None": Void(), "str": Text(), "bool": BOOL}
    return kinds.get(text, Num(0, 0))


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


def make_function(name: str, module: SourceModule, node: ast.FunctionDef, parameters: dict[str, Type]) -> Function:
    return Function(name, module, node, parameters, without_events(node.body))

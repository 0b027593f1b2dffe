"""Translates one function, statement by statement: its syntax tree, without what records events, to C."""

from __future__ import annotations

import ast
from typing import Final

from landfall.kernels.expressions import ExpressionTranslator
from landfall.kernels.functions import Value, c_name, literal
from landfall.kernels.source_modules import loaded_names
from landfall.kernels.structures import POSITION
from landfall.kernels.value_types import WIDE, Num, Obj, Tup, Type, Vec, Void, join, widen

WIDEN_AFTER: Final = 3  # times that an interval may grow before it is widened


class FunctionTranslator(ExpressionTranslator):
    """Translates a function once, with the types known so far, which it refines."""

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
        if isinstance(node.value, ast.List) and not node.value.elts:
            function.fills_list = True
            function.returns = function.returns or Void()
            self.emit("return;")
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

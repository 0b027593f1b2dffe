"""A function to translate, with the types of its parameters, variables and result; and an expression in C."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Final

from landfall.kernels.source_modules import SourceModule, without_events
from landfall.kernels.value_types import BOOL, LEAST_64, Num, Text, Tup, Type, Void

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


def c_name(name: str) -> str:
    return f"{name}_" if name in RESERVED else name


def literal(number: int) -> str:
    if number == LEAST_64:
        return "(-9223372036854775807LL - 1)"
    text = f"{number}LL" if Num(number, number).is_wide else str(number)
    return f"({text})" if number < 0 else text


def annotated_return(node: ast.FunctionDef) -> Type:
    """What a function says that it returns: for a recursive call, before its body is known."""
    text = ast.unparse(node.returns) if node.returns is not None else "None"
    if text.startswith("tuple["):
        return Tup(tuple(Num(0, 0) for _ in range(text.count(",") + 1)))
    kinds: dict[str, Type] = {"None": Void(), "str": Text(), "bool": BOOL}
    return kinds.get(text, Num(0, 0))


def make_function(name: str, module: SourceModule, node: ast.FunctionDef, parameters: dict[str, Type]) -> Function:
    return Function(name, module, node, parameters, without_events(node.body))

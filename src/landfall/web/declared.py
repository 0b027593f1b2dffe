"""Declarations read as a JSON schema: TypedDicts and aliases of a `messages.py`, each field with the comment behind it.

The client's types, the reference in docs/client.md and the check of what is really sent are all made from it.
"""

from __future__ import annotations

import ast
import io
import tokenize
import typing
from functools import cache
from pathlib import Path
from types import ModuleType, NoneType, UnionType
from typing import Annotated, Any, Final, Literal, NotRequired, TypeGuard, Union, get_args, get_origin

from landfall.core import messages as core
from landfall.games import part

ROOTS: Final = ("View", "Own", "Event", "Choice", "Outcome", "Preview")
PLAIN: Final[dict[object, dict[str, Any]]] = {
    int: {"type": "integer"},
    float: {"type": "number"},
    str: {"type": "string"},
    bool: {"type": "boolean"},
    NoneType: {"type": "null"},
    typing.Any: {},
    object: {},
}


def messages_of(game: str) -> ModuleType:
    """A game's `messages.py`."""
    return part(game, "messages")


@cache
def schema_of(game: str) -> dict[str, Any]:
    """What a game tells: its view, a seat's own part of it, events, choices, outcomes and previews, as `$defs`."""
    reader = Reader(messages_of(game))
    for root in ROOTS:
        reader.name(root)
    return {"title": f"What {game} tells", "$defs": reader.found}


@cache
def common() -> dict[str, Any]:
    """The same for what all games have in common."""
    reader = Reader(core)
    for root in ("Json", "View", "Own", "GameEvent", "Offer", "Outlook", "Rank"):
        reader.name(root)
    return reader.found


class Reader:
    """Puts the named types of one module into `found`, one after the other."""

    def __init__(self, module: ModuleType) -> None:
        self.module = module
        self.found: dict[str, Any] = {}
        self.aliases = [(name, value) for name, value in vars(module).items() if is_alias(value)]

    def name(self, name: str) -> dict[str, Any]:
        """A reference to a type of the module, which is read if it has not been yet."""
        if name not in self.found:
            self.found[name] = {}
            value = getattr(self.module, name)
            about = meanings(self.module).get(name, {}).get("", "")
            shape = self.record(value) if typing.is_typeddict(value) else self.spelled(value)
            self.found[name] = {"description": about, **shape} if about else shape
        return {"$ref": f"#/$defs/{name}"}

    def shape(self, kind: object) -> dict[str, Any]:
        """A type wherever it is used: by its name if it has one."""
        if isinstance(kind, str | typing.ForwardRef):
            return self.name(kind if isinstance(kind, str) else kind.__forward_arg__)
        if is_record(kind):
            return self.name(kind.__name__) if kind.__module__ == self.module.__name__ else self.borrowed(kind)
        known = next((name for name, value in self.aliases if is_alias(kind) and value == kind), None)
        return self.name(known) if known is not None else self.spelled(kind)

    def borrowed(self, kind: type) -> dict[str, Any]:
        """A type that all games have in common."""
        self.found.setdefault(kind.__name__, common()[kind.__name__])
        return {"$ref": f"#/$defs/{kind.__name__}"}

    def spelled(self, kind: object) -> dict[str, Any]:
        """A type written out."""
        if kind in PLAIN:
            return PLAIN[kind]
        origin, args = get_origin(kind), get_args(kind)
        if origin is Literal:
            return {"const": args[0]} if len(args) == 1 else {"enum": list(args)}
        if origin in (Union, UnionType):
            return {"anyOf": [self.shape(arg) for arg in args]}
        if origin is NotRequired:
            return self.shape(args[0])
        if origin is Annotated:
            return self.annotated(args)
        if origin is list:
            return {"type": "array", "items": self.shape(args[0])}
        if origin is tuple:
            return {"type": "array", "prefixItems": [self.shape(arg) for arg in args], "items": False}
        if origin is dict:
            keys = {} if args[0] is str else {"propertyNames": self.shape(args[0])}
            return {"type": "object", **keys, "additionalProperties": self.shape(args[1])}
        raise TypeError(f"{self.module.__name__}: {kind} cannot be told")

    def annotated(self, args: tuple[Any, ...]) -> dict[str, Any]:
        """A list of which more is known, or an object that has every key."""
        if args[1] is not core.EVERY:
            return self.shape(args[1])
        keys = get_args(get_args(args[0])[0])
        return {**self.spelled(args[0]), "required": list(keys)}

    def record(self, kind: Any) -> dict[str, Any]:
        """A TypedDict: what tells it from others first, then its own fields, then those it has from others."""
        hints = typing.get_type_hints(kind, vars(self.module), include_extras=True)
        told = described(self.module, kind.__name__)
        order = sorted(hints, key=lambda field: field not in ("kind", "verb"))
        properties = {}
        for field in order:
            shape = self.shape(hints[field])
            properties[field] = {**shape, "description": told[field]} if told.get(field) else shape
        required = [field for field in order if field in kind.__required_keys__]
        more = {"additionalProperties": self.module is core}  # what all have in common, each has more than
        return {"type": "object", "properties": properties, "required": required, **more}


def is_record(kind: object) -> TypeGuard[type]:
    return isinstance(kind, type) and typing.is_typeddict(kind)


def is_alias(value: object) -> bool:
    return get_origin(value) in (Literal, Union, UnionType, Annotated, dict)


def described(module: ModuleType, name: str) -> dict[str, str]:
    """The meanings of a TypedDict's fields, those it has from others with it."""
    told: dict[str, str] = {}
    for base in bases(module).get(name, []):
        where = core if base.startswith("core.") else module
        told |= described(where, base.removeprefix("core."))
    return told | {field: text for field, text in meanings(module).get(name, {}).items() if field}


@cache
def bases(module: ModuleType) -> dict[str, list[str]]:
    """What each class of a module is made from."""
    classes = [node for node in tree(module).body if isinstance(node, ast.ClassDef)]
    return {
        node.name: [ast.unparse(base) for base in node.bases if ast.unparse(base) != "TypedDict"] for node in classes
    }


@cache
def meanings(module: ModuleType) -> dict[str, dict[str, str]]:
    """By type and field the comment behind the field; under "" the docstring of the type, or the comment behind it."""
    said = comments(module)
    found: dict[str, dict[str, str]] = {}
    for node in tree(module).body:
        if isinstance(node, ast.ClassDef):
            told = {"": " ".join((ast.get_docstring(node) or "").split())}
            for field in node.body:
                if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                    told[field.target.id] = said.get(field.end_lineno or 0, "")
            found[node.name] = told
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            told = {"": said.get(node.end_lineno or 0, "")}
            for part in ast.walk(node.value):
                if isinstance(part, ast.Dict) and part.end_lineno != part.lineno:
                    keys = [key for key in part.keys if isinstance(key, ast.Constant)]
                    told |= {str(key.value): said.get(key.lineno, "") for key in keys}
            found[node.targets[0].id] = told
    return found


@cache
def tree(module: ModuleType) -> ast.Module:
    return ast.parse(source(module))


def source(module: ModuleType) -> str:
    assert module.__file__ is not None
    return Path(module.__file__).read_text(encoding="utf-8")


def comments(module: ModuleType) -> dict[int, str]:
    """The comments of a module, by line; not those that have a line of their own."""
    tokens = tokenize.generate_tokens(io.StringIO(source(module)).readline)
    return {
        token.start[0]: token.string.lstrip("# ")
        for token in tokens
        if token.type == tokenize.COMMENT and token.line[: token.start[1]].strip()
    }

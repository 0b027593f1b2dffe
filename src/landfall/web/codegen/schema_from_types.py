"""Derives a JSON schema from declarations: the TypedDicts and aliases of a `message_types.py`, with the comment after
each field.

The client's types, the reference in docs/client.md and the validation of sent messages are generated from it.
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

from landfall.core import message_types as core
from landfall.games import game_module

ROOT_TYPES: Final = ("View", "PrivateView", "Event", "Choice", "Outcome", "Preview")
PLAIN_SCHEMAS: Final[dict[object, dict[str, Any]]] = {
    int: {"type": "integer"},
    float: {"type": "number"},
    str: {"type": "string"},
    bool: {"type": "boolean"},
    NoneType: {"type": "null"},
    typing.Any: {},
    object: {},
}


def import_message_types_module(game: str) -> ModuleType:
    """A game's `message_types.py`."""
    return game_module(game, "message_types")


@cache
def build_game_schema(game: str) -> dict[str, Any]:
    """A game's view, private view, events, choices, outcomes and previews, as `$defs`."""
    reader = SchemaBuilder(import_message_types_module(game))
    for root in ROOT_TYPES:
        reader.define_and_reference(root)
    return {"title": f"Messages of {game}", "$defs": reader.definitions}


@cache
def build_common_definitions() -> dict[str, Any]:
    """The same for the types that all games share."""
    reader = SchemaBuilder(core)
    for root in ("Json", "View", "PrivateView", "GameEvent", "Offer", "BasePreview", "Rank"):
        reader.define_and_reference(root)
    return reader.definitions


class SchemaBuilder:
    """Adds the named types of one module to `definitions`."""

    def __init__(self, module: ModuleType) -> None:
        self.module = module
        self.definitions: dict[str, Any] = {}
        self.aliases = [(name, value) for name, value in vars(module).items() if is_type_alias(value)]

    def define_and_reference(self, name: str) -> dict[str, Any]:
        """A reference to a type of the module, which is added if it is missing."""
        if name not in self.definitions:
            self.definitions[name] = {}
            value = getattr(self.module, name)
            about = type_descriptions(self.module).get(name, {}).get("", "")
            shape = self.schema_for_typed_dict(value) if typing.is_typeddict(value) else self.inline_schema_for(value)
            self.definitions[name] = {"description": about, **shape} if about else shape
        return {"$ref": f"#/$defs/{name}"}

    def schema_or_reference_for(self, kind: object) -> dict[str, Any]:
        """The schema of a type where it is used: by name if it has one."""
        if isinstance(kind, str | typing.ForwardRef):
            return self.define_and_reference(kind if isinstance(kind, str) else kind.__forward_arg__)
        if is_typed_dict(kind):
            return (
                self.define_and_reference(kind.__name__)
                if kind.__module__ == self.module.__name__
                else self.define_and_reference_common(kind)
            )
        known = next((name for name, value in self.aliases if is_type_alias(kind) and value == kind), None)
        return self.define_and_reference(known) if known is not None else self.inline_schema_for(kind)

    def define_and_reference_common(self, kind: type) -> dict[str, Any]:
        """A reference to a type that all games share."""
        self.definitions.setdefault(kind.__name__, build_common_definitions()[kind.__name__])
        return {"$ref": f"#/$defs/{kind.__name__}"}

    def inline_schema_for(self, kind: object) -> dict[str, Any]:
        """The schema of a type, inlined."""
        if kind in PLAIN_SCHEMAS:
            return PLAIN_SCHEMAS[kind]
        origin, args = get_origin(kind), get_args(kind)
        if origin is Literal:
            return {"const": args[0]} if len(args) == 1 else {"enum": list(args)}
        if origin in (Union, UnionType):
            return {"anyOf": [self.schema_or_reference_for(arg) for arg in args]}
        if origin is NotRequired:
            return self.schema_or_reference_for(args[0])
        if origin is Annotated:
            return self.schema_for_annotated(args)
        if origin is list:
            return {"type": "array", "items": self.schema_or_reference_for(args[0])}
        if origin is tuple:
            return {"type": "array", "prefixItems": [self.schema_or_reference_for(arg) for arg in args], "items": False}
        if origin is dict:
            keys = {} if args[0] is str else {"propertyNames": self.schema_or_reference_for(args[0])}
            return {"type": "object", **keys, "additionalProperties": self.schema_or_reference_for(args[1])}
        raise TypeError(f"{self.module.__name__}: {kind} has no schema")

    def schema_for_annotated(self, args: tuple[Any, ...]) -> dict[str, Any]:
        """A tuple-like list, or an object with every possible key."""
        if args[1] is not core.EVERY:
            return self.schema_or_reference_for(args[1])
        keys = get_args(get_args(args[0])[0])
        return {**self.inline_schema_for(args[0]), "required": list(keys)}

    def schema_for_typed_dict(self, kind: Any) -> dict[str, Any]:
        """A TypedDict: its discriminator first, then its own fields, then inherited ones."""
        hints = typing.get_type_hints(kind, vars(self.module), include_extras=True)
        descriptions = field_descriptions(self.module, kind.__name__)
        order = sorted(hints, key=lambda field: field not in ("kind", "verb"))
        properties = {}
        for field in order:
            shape = self.schema_or_reference_for(hints[field])
            properties[field] = {**shape, "description": descriptions[field]} if descriptions.get(field) else shape
        required = [field for field in order if field in kind.__required_keys__]
        more = {"additionalProperties": self.module is core}  # shared types are extended by each game
        return {"type": "object", "properties": properties, "required": required, **more}


def is_typed_dict(kind: object) -> TypeGuard[type]:
    return isinstance(kind, type) and typing.is_typeddict(kind)


def is_type_alias(value: object) -> bool:
    return get_origin(value) in (Literal, Union, UnionType, Annotated, dict)


def field_descriptions(module: ModuleType, name: str) -> dict[str, str]:
    """The meanings of a TypedDict's fields, including inherited ones."""
    descriptions: dict[str, str] = {}
    for base in base_class_names_by_class(module).get(name, []):
        where = core if base.startswith("core.") else module
        descriptions |= field_descriptions(where, base.removeprefix("core."))
    return descriptions | {field: text for field, text in type_descriptions(module).get(name, {}).items() if field}


@cache
def base_class_names_by_class(module: ModuleType) -> dict[str, list[str]]:
    """The base classes of each class of a module."""
    classes = [node for node in parse_module_source(module).body if isinstance(node, ast.ClassDef)]
    return {
        node.name: [ast.unparse(base) for base in node.bases if ast.unparse(base) != "TypedDict"] for node in classes
    }


@cache
def type_descriptions(module: ModuleType) -> dict[str, dict[str, str]]:
    """By type and field: the comment after the field; under "": the type's docstring, or the comment after it."""
    by_line = comments_by_line(module)
    found: dict[str, dict[str, str]] = {}
    for node in parse_module_source(module).body:
        if isinstance(node, ast.ClassDef):
            descriptions = {"": " ".join((ast.get_docstring(node) or "").split())}
            for field in node.body:
                if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                    descriptions[field.target.id] = by_line.get(field.end_lineno or 0, "")
            found[node.name] = descriptions
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            descriptions = {"": by_line.get(node.end_lineno or 0, "")}
            for part in ast.walk(node.value):
                if isinstance(part, ast.Dict) and part.end_lineno != part.lineno:
                    keys = [key for key in part.keys if isinstance(key, ast.Constant)]
                    descriptions |= {str(key.value): by_line.get(key.lineno, "") for key in keys}
            found[node.targets[0].id] = descriptions
    return found


@cache
def parse_module_source(module: ModuleType) -> ast.Module:
    return ast.parse(read_module_source(module))


def read_module_source(module: ModuleType) -> str:
    assert module.__file__ is not None
    return Path(module.__file__).read_text(encoding="utf-8")


def comments_by_line(module: ModuleType) -> dict[int, str]:
    """The inline comments of a module, by line."""
    tokens = tokenize.generate_tokens(io.StringIO(read_module_source(module)).readline)
    return {
        token.start[0]: token.string.lstrip("# ")
        for token in tokens
        if token.type == tokenize.COMMENT and token.line[: token.start[1]].strip()
    }

"""Declared values read from JSON by the standard library alone: what `web/encoding.py` and `store/encoding.py` do with
a faster one. A test reads the same messages with both."""

from __future__ import annotations

import dataclasses
import json
import re
import types
import typing
from functools import cache
from typing import Annotated, Any, Final, get_args, get_origin

from landfall.store import facts
from landfall.store.facts import FACTS, SHAPES, VERSION, Created, Fact, Unreadable, plain
from landfall.tables import commands
from landfall.tables.commands import AnyCommand, Bounds

NO_CONTROLS: Final = re.compile(r"[^\x00-\x1f\x7f-\x9f]*")
COMMANDS: Final[dict[str, type]] = {kind.__name__.lower(): kind for kind in get_args(AnyCommand)}
KINDS: Final[dict[str, type[Fact]]] = {fact.kind: fact for fact in FACTS}
FIELDS: Final = {fact.kind: {name for name, _ in SHAPES[fact]} for fact in FACTS}
EXTRA: Final = {"name"}  # once written, empty, into every entry that names somebody who was forgotten


class Misread(ValueError):
    """What is not as it is declared."""


def decoded(data: str) -> AnyCommand:
    """The command that a message says; Misread if that is none."""
    try:
        values = json.loads(data, parse_constant=no_number)
    except (ValueError, RecursionError) as error:
        raise Misread(str(error)) from None
    kind = values.pop("t", None) if isinstance(values, dict) else None
    found = COMMANDS.get(kind) if isinstance(kind, str) else None
    if found is None:
        raise Misread("no such message is known")
    command: AnyCommand = made(found, values)
    return command


def written(fact: Fact | Unreadable) -> str:
    """What a fact's column says."""
    if type(fact) is Unreadable:
        return fact.row
    return json.dumps(plain(fact), ensure_ascii=False, separators=(",", ":"))


def read(kind: str, data: str) -> Fact | Unreadable:
    """A fact from its columns; one that cannot be read stands in the log all the same, as what it is."""
    try:
        values = json.loads(data)
        known = KINDS.get(kind)
        if known is None:
            raise Misread("no such kind of entry is known here")
        for name in EXTRA - FIELDS[kind]:
            values.pop(name, None)
        fact: Fact = made(known, values)
        if isinstance(fact, Created) and fact.log > VERSION:
            raise Misread(f"the log is of version {fact.log}, here is {VERSION}")
    except (ValueError, AttributeError) as error:
        return Unreadable(kind, str(error), data)
    return fact


# --- by declaration -------------------------------------------------------------------------------------------


def no_number(text: str) -> object:
    raise Misread(f"{text} is no number")


@cache
def shape(kind: type) -> dict[str, Any]:
    """The fields of a declared value with their types."""
    around = {**vars(commands), **vars(facts)}
    hints = typing.get_type_hints(kind, around, include_extras=True)
    return {field.name: hints[field.name] for field in dataclasses.fields(kind)}


def made(kind: type, values: Any) -> Any:
    """A declared value: every field as it is declared, none unknown, none missing that has no default."""
    if not isinstance(values, dict):
        raise Misread(f"{kind.__name__} is no object")
    fields = shape(kind)
    unknown = values.keys() - fields.keys()
    if unknown:
        raise Misread(f"no such field is known here: {', '.join(sorted(unknown))}")
    try:
        return kind(**{name: one(fields[name], value) for name, value in values.items()})
    except TypeError:
        raise Misread(f"a field of {kind.__name__} is missing") from None


def one(kind: Any, value: Any) -> Any:
    """A value of a type."""
    origin = get_origin(kind)
    if origin is types.UnionType or origin is typing.Union:
        if value is None and types.NoneType in get_args(kind):
            return None
        (kind,) = (part for part in get_args(kind) if part is not types.NoneType)
        return one(kind, value)
    if origin is Annotated:
        plain_kind, bounds = get_args(kind)
        return bounded(plain_kind, bounds, value)
    if origin is list:
        if not isinstance(value, list):
            raise Misread(f"{value!r:.40} is no list")
        return [one(get_args(kind)[0], part) for part in value]
    if dataclasses.is_dataclass(kind):
        return made(typing.cast("type", kind), value)
    wanted = origin or kind
    if type(value) is not wanted:
        raise Misread(f"{value!r:.40} is no {wanted.__name__}")
    if wanted is str and any("\ud800" <= c <= "\udfff" for c in value):
        raise Misread("a text is half a character")
    return value


def bounded(kind: Any, bounds: Bounds, value: Any) -> Any:
    """A number or a text within its bounds."""
    size = one(kind, value) if kind is int else len(one(kind, value))
    if not bounds.least <= size <= bounds.most:
        raise Misread(f"{value!r:.40} is not from {bounds.least} to {bounds.most}")
    if bounds.plain and not NO_CONTROLS.fullmatch(value):
        raise Misread("a text has controls in it")
    return value

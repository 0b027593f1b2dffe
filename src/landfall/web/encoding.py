"""How a table's messages are written onto a socket, and commands read from one and checked: made from their
declarations in `tables/`, which know nothing of it."""

from __future__ import annotations

import dataclasses
import functools
import operator
import types
import typing
from typing import Annotated, Any, Final, get_args, get_origin

import msgspec

from landfall.tables import commands
from landfall.tables.commands import AnyCommand, Bounds
from landfall.tables.news import News

NO_CONTROLS: Final = r"^[^\x00-\x1f\x7f-\x9f]*\Z"
ENCODER: Final = msgspec.json.Encoder()
Unreadable: Final = (msgspec.DecodeError, UnicodeError, RecursionError)  # what `decoded` raises


def encoded(news: News) -> str:
    """As it is sent."""
    return ENCODER.encode(news).decode()


def checked(kind: Any) -> Any:
    """A field's type with its bounds as the decoder knows them."""
    if get_origin(kind) is types.UnionType or get_origin(kind) is typing.Union:
        return functools.reduce(operator.or_, map(checked, get_args(kind)))
    if get_origin(kind) is not Annotated:
        return kind
    plain, bounds = get_args(kind)
    assert isinstance(bounds, Bounds)
    if plain is int:
        return Annotated[int, msgspec.Meta(ge=bounds.least, le=bounds.most)]
    pattern = NO_CONTROLS if bounds.plain else None
    return Annotated[str, msgspec.Meta(min_length=bounds.least or None, max_length=bounds.most, pattern=pattern)]


def made(command: type) -> type[msgspec.Struct]:
    """What a command is decoded into: checked, and told from the others by its tag."""
    hints = typing.get_type_hints(command, vars(commands), include_extras=True)
    fields: list[Any] = []
    for field in dataclasses.fields(command):
        default = () if field.default is dataclasses.MISSING else (field.default,)
        fields.append((field.name, checked(hints[field.name]), *default))
    struct = msgspec.defstruct(
        command.__name__, fields, tag_field="t", tag=str.lower, forbid_unknown_fields=True, omit_defaults=True
    )
    struct.__doc__ = command.__doc__
    return struct


COMMANDS: Final[dict[type[msgspec.Struct], type]] = {made(kind): kind for kind in get_args(AnyCommand)}
AnyMade: Final[Any] = functools.reduce(operator.or_, COMMANDS)
DECODER: Final = msgspec.json.Decoder(AnyMade)


def decoded(data: str | bytes) -> AnyCommand:
    """What a message says; Unreadable if that is nothing."""
    found = DECODER.decode(data)
    command: AnyCommand = COMMANDS[type(found)](*msgspec.structs.astuple(found))
    return command

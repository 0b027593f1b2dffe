"""Encodes messages for a socket, and decodes and validates commands: derived from the declarations in `tables/`, which
do not depend on it.
"""

from __future__ import annotations

import dataclasses
import functools
import operator
import types
import typing
from typing import Annotated, Any, Final, get_args, get_origin

import msgspec

from landfall.tables.protocol import commands
from landfall.tables.protocol.commands import AnyCommand, Bounds
from landfall.tables.protocol.server_messages import ServerMessage

NO_CONTROLS: Final = r"^[^\x00-\x1f\x7f-\x9f]*\Z"
JSON_ENCODER: Final = msgspec.json.Encoder()
DECODE_ERRORS: Final = (msgspec.DecodeError, UnicodeError, RecursionError)  # raised by `decode_command`


def encode_message(message: ServerMessage) -> str:
    """The encoded message."""
    return JSON_ENCODER.encode(message).decode()


def bounded_type(kind: Any) -> Any:
    """A field's type with its bounds, for the decoder."""
    if get_origin(kind) is types.UnionType or get_origin(kind) is typing.Union:
        return functools.reduce(operator.or_, map(bounded_type, get_args(kind)))
    if get_origin(kind) is not Annotated:
        return kind
    plain, bounds = get_args(kind)
    assert isinstance(bounds, Bounds)
    if plain is int:
        return Annotated[int, msgspec.Meta(ge=bounds.minimum, le=bounds.maximum)]
    pattern = NO_CONTROLS if bounds.no_controls else None
    return Annotated[str, msgspec.Meta(min_length=bounds.minimum or None, max_length=bounds.maximum, pattern=pattern)]


def make_struct(command: type) -> type[msgspec.Struct]:
    """The struct that a command is decoded into: validated, tagged by `t`."""
    hints = typing.get_type_hints(command, vars(commands), include_extras=True)
    fields: list[Any] = []
    for field in dataclasses.fields(command):
        default = () if field.default is dataclasses.MISSING else (field.default,)
        fields.append((field.name, bounded_type(hints[field.name]), *default))
    struct = msgspec.defstruct(
        command.__name__, fields, tag_field="t", tag=str.lower, forbid_unknown_fields=True, omit_defaults=True
    )
    struct.__doc__ = command.__doc__
    return struct


COMMAND_STRUCTS: Final[dict[type[msgspec.Struct], type]] = {make_struct(kind): kind for kind in get_args(AnyCommand)}
AnyCommandStruct: Final[Any] = functools.reduce(operator.or_, COMMAND_STRUCTS)
COMMAND_DECODER: Final = msgspec.json.Decoder(AnyCommandStruct)


def decode_command(data: str | bytes) -> AnyCommand:
    """The command of a message; raises one of DECODE_ERRORS."""
    found = COMMAND_DECODER.decode(data)
    command: AnyCommand = COMMAND_STRUCTS[type(found)](*msgspec.structs.astuple(found))
    return command

"""How messages and bodies of requests are read from JSON and checked, and messages written: made from their
declarations as dataclasses, which know nothing of it."""

from __future__ import annotations

import dataclasses
import functools
import operator
import re
import types
import typing
from typing import Annotated, Any, Final, TypeVar, get_args, get_origin

import msgspec

from landfall.tables.protocol import text_validation
from landfall.tables.protocol.commands import AnyCommand, Bounds
from landfall.tables.protocol.errors import Refused
from landfall.tables.protocol.server_messages import ServerMessage

T = TypeVar("T")
NO_CONTROLS: Final = r"^[^\x00-\x1f\x7f-\x9f]*\Z"
MAX_ERROR_CHARS: Final = 200
SURROGATE: Final = re.compile(rb"\\u[dD][89a-fA-F]")
JSON_ENCODER: Final = msgspec.json.Encoder()
DECODE_ERRORS: Final = (msgspec.DecodeError, UnicodeError, RecursionError)  # what `decode_command` raises


def encode_message(message: ServerMessage) -> str:
    """As it is sent."""
    return JSON_ENCODER.encode(message).decode()


def to_decoder_type(kind: Any) -> Any:
    """A declared type as the decoder knows it: with its bounds, and a dataclass as a struct."""
    origin = get_origin(kind)
    if origin is types.UnionType or origin is typing.Union:
        return functools.reduce(operator.or_, map(to_decoder_type, get_args(kind)))
    if origin is list:
        return list[to_decoder_type(get_args(kind)[0])]  # type: ignore[misc]
    if dataclasses.is_dataclass(kind):
        return struct_type_of_body(typing.cast("type", kind))
    if origin is not Annotated:
        return kind
    plain, *notes = get_args(kind)
    bounds = next((note for note in notes if isinstance(note, Bounds)), None)
    if bounds is None:
        return to_decoder_type(plain)
    if plain is int:
        return Annotated[int, msgspec.Meta(ge=bounds.minimum, le=bounds.maximum)]
    pattern = NO_CONTROLS if bounds.no_controls else None
    sizes = msgspec.Meta(min_length=bounds.minimum or None, max_length=bounds.maximum, pattern=pattern)
    return Annotated[to_decoder_type(plain), sizes]


def list_struct_fields(kind: type) -> list[Any]:
    """The fields of a declared value, as a struct is made of them."""
    hints = typing.get_type_hints(kind, include_extras=True)
    found: list[Any] = []
    for field in dataclasses.fields(kind):
        default: tuple[Any, ...] = () if field.default is dataclasses.MISSING else (field.default,)
        if field.default_factory is not dataclasses.MISSING:
            default = (msgspec.field(default_factory=field.default_factory),)
        found.append((field.name, to_decoder_type(hints[field.name]), *default))
    return found


def make_struct_type(kind: type, **options: Any) -> type[msgspec.Struct]:
    """What a declared value is decoded into: checked, with no field unknown."""
    struct = msgspec.defstruct(
        kind.__name__, list_struct_fields(kind), forbid_unknown_fields=True, omit_defaults=True, kw_only=True, **options
    )
    struct.__doc__ = kind.__doc__
    return struct


# --- commands -------------------------------------------------------------------------------------------------

COMMAND_STRUCTS: Final[dict[type[msgspec.Struct], type]] = {
    make_struct_type(kind, tag_field="t", tag=str.lower): kind for kind in get_args(AnyCommand)
}
AnyCommandStruct: Final[Any] = functools.reduce(operator.or_, COMMAND_STRUCTS)
COMMAND_DECODER: Final = msgspec.json.Decoder(AnyCommandStruct)


def decode_command(data: str | bytes) -> AnyCommand:
    """The command that a message is; one of DECODE_ERRORS if it is none."""
    found = COMMAND_DECODER.decode(data)
    command: AnyCommand = COMMAND_STRUCTS[type(found)](*msgspec.structs.astuple(found))
    return command


# --- bodies of requests ---------------------------------------------------------------------------------------

BODY_KINDS: Final[dict[type[msgspec.Struct], type]] = {}


@functools.cache
def struct_type_of_body(kind: type) -> type[msgspec.Struct]:
    """The struct of a body's type, or of one inside a body."""
    struct = make_struct_type(kind)
    BODY_KINDS[struct] = kind
    return struct


def struct_to_declared_value(value: Any) -> Any:
    """A decoded value as what was declared."""
    kind = BODY_KINDS.get(type(value))
    if kind is None:
        return value
    return kind(**{name: struct_to_declared_value(getattr(value, name)) for name in value.__struct_fields__})


def decode_body(kind: type[T], data: str | bytes) -> T:
    """The body of a request, checked; Refused if it is not of this type. Reading ends at the first fault."""
    try:
        found: T = struct_to_declared_value(
            msgspec.json.decode(data, type=struct_type_of_body(typing.cast("Any", kind)))
        )
    except DECODE_ERRORS as error:
        if SURROGATE.search(data.encode(errors="replace") if isinstance(data, str) else data):  # half a character
            raise Refused("bad_text") from None
        raise Refused("bad_message", reason=str(error)[:MAX_ERROR_CHARS]) from None
    text_validation.require_storable_json(vars(found))
    return found


def convert_url_argument(kind: Any, text: str) -> Any:
    """An argument of a path or a query; Refused if it is not of this decoder type."""
    try:
        return msgspec.convert(text, kind, strict=False)
    except msgspec.ValidationError as error:
        raise Refused("bad_message", reason=str(error)[:MAX_ERROR_CHARS]) from None

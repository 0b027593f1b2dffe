"""Declared values read from JSON by the standard library alone: what `web/message_codec.py` and `store/event_codec.py`
do with a faster one. A test reads the same messages with both."""

from __future__ import annotations

import dataclasses
import json
import re
import types
import typing
from functools import cache
from typing import Annotated, Any, Final, get_args, get_origin

from landfall.store import events
from landfall.store.events import EVENT_FIELDS, EVENT_TYPES, LOG_VERSION, Created, LogEvent, UnreadableEvent, to_plain
from landfall.tables.protocol import commands
from landfall.tables.protocol.commands import AnyCommand, Bounds

NO_CONTROLS: Final = re.compile(r"[^\x00-\x1f\x7f-\x9f]*")
COMMANDS: Final[dict[str, type]] = {kind.__name__.lower(): kind for kind in get_args(AnyCommand)}
EVENT_BY_KIND: Final[dict[str, type[LogEvent]]] = {event.kind: event for event in EVENT_TYPES}
KNOWN_FIELDS: Final = {event.kind: {name for name, _ in EVENT_FIELDS[event]} for event in EVENT_TYPES}
IGNORED_FIELDS: Final = {"name"}  # once written, empty, into every entry that names somebody who was forgotten


class DecodeError(ValueError):
    """What is not as it is declared."""


def decode_command(data: str) -> AnyCommand:
    """The command that a message says; Misread if that is none."""
    try:
        values = json.loads(data, parse_constant=reject_constant)
    except (ValueError, RecursionError) as error:
        raise DecodeError(str(error)) from None
    kind = values.pop("t", None) if isinstance(values, dict) else None
    found = COMMANDS.get(kind) if isinstance(kind, str) else None
    if found is None:
        raise DecodeError("no such message is known")
    command: AnyCommand = build(found, values)
    return command


def encode_event(event: LogEvent | UnreadableEvent) -> str:
    """What a fact's column says."""
    if type(event) is UnreadableEvent:
        return event.row
    return json.dumps(to_plain(event), ensure_ascii=False, separators=(",", ":"))


def decode_event(kind: str, data: str) -> LogEvent | UnreadableEvent:
    """A fact from its columns; one that cannot be read stands in the log all the same, as what it is."""
    try:
        values = json.loads(data)
        known = EVENT_BY_KIND.get(kind)
        if known is None:
            raise DecodeError("no such kind of entry is known here")
        for name in IGNORED_FIELDS - KNOWN_FIELDS[kind]:
            values.pop(name, None)
        event: LogEvent = build(known, values)
        if isinstance(event, Created) and event.log > LOG_VERSION:
            raise DecodeError(f"the log is of version {event.log}, here is {LOG_VERSION}")
    except (ValueError, AttributeError) as error:
        return UnreadableEvent(kind, str(error), data)
    return event


# --- by declaration -------------------------------------------------------------------------------------------


def reject_constant(text: str) -> object:
    raise DecodeError(f"{text} is no number")


@cache
def field_types(kind: type) -> dict[str, Any]:
    """The fields of a declared value with their types."""
    around = {**vars(commands), **vars(events)}
    hints = typing.get_type_hints(kind, around, include_extras=True)
    return {field.name: hints[field.name] for field in dataclasses.fields(kind)}


def build(kind: type, values: Any) -> Any:
    """A declared value: every field as it is declared, none unknown, none missing that has no default."""
    if not isinstance(values, dict):
        raise DecodeError(f"{kind.__name__} is no object")
    fields = field_types(kind)
    unknown = values.keys() - fields.keys()
    if unknown:
        raise DecodeError(f"no such field is known here: {', '.join(sorted(unknown))}")
    try:
        return kind(**{name: decode_value(fields[name], value) for name, value in values.items()})
    except TypeError:
        raise DecodeError(f"a field of {kind.__name__} is missing") from None


def decode_value(kind: Any, value: Any) -> Any:
    """A value of a type."""
    origin = get_origin(kind)
    if origin is types.UnionType or origin is typing.Union:
        if value is None and types.NoneType in get_args(kind):
            return None
        (kind,) = (part for part in get_args(kind) if part is not types.NoneType)
        return decode_value(kind, value)
    if origin is Annotated:
        plain_kind, bounds = get_args(kind)
        return check_bounds(plain_kind, bounds, value)
    if origin is list:
        if not isinstance(value, list):
            raise DecodeError(f"{value!r:.40} is no list")
        return [decode_value(get_args(kind)[0], part) for part in value]
    if dataclasses.is_dataclass(kind):
        return build(typing.cast("type", kind), value)
    wanted = origin or kind
    if type(value) is not wanted:
        raise DecodeError(f"{value!r:.40} is no {wanted.__name__}")
    if wanted is str and any("\ud800" <= c <= "\udfff" for c in value):
        raise DecodeError("a text is half a character")
    return value


def check_bounds(kind: Any, bounds: Bounds, value: Any) -> Any:
    """A number or a text within its bounds."""
    size = decode_value(kind, value) if kind is int else len(decode_value(kind, value))
    if not bounds.minimum <= size <= bounds.maximum:
        raise DecodeError(f"{value!r:.40} is not from {bounds.minimum} to {bounds.maximum}")
    if bounds.no_controls and not NO_CONTROLS.fullmatch(value):
        raise DecodeError("a text has controls in it")
    return value

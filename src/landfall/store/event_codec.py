"""Encodes events as text columns, and decodes them."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from landfall.store.events import (
    EVENT_FIELDS,
    EVENT_TYPES,
    LOG_VERSION,
    Created,
    LogEvent,
    UnreadableEvent,
    to_stored_fields,
)

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(dict[str, Any]).decode

EVENT_BY_KIND: Final[dict[str, type[LogEvent]]] = {event.kind: event for event in EVENT_TYPES}
KNOWN_FIELDS: Final = {kind: {name for name, _ in shape} for kind, shape in EVENT_FIELDS.items()}
IGNORED_FIELDS: Final = {"name"}  # older releases wrote it, empty, into every event that names a deleted user


class NewerEvent(ValueError):
    """An event is whole, but only a newer release understands it."""


def encode_event(event: LogEvent | UnreadableEvent) -> str:
    """The data column of an event."""
    return event.row if type(event) is UnreadableEvent else encode(to_stored_fields(event)).decode()


def decode_event(kind: str, data: str | bytes) -> LogEvent | UnreadableEvent:
    """An event from its columns; an undecodable one becomes an UnreadableEvent."""
    try:
        values = decode(data)
        known = EVENT_BY_KIND.get(kind)
        if known is None:
            raise NewerEvent("no such kind of entry is known here")
        newer = values.keys() - KNOWN_FIELDS[known] - IGNORED_FIELDS
        event = msgspec.convert({name: value for name, value in values.items() if name not in newer}, known)
        if newer:
            raise NewerEvent(f"no such field is known here: {', '.join(sorted(newer))}")
        if isinstance(event, Created) and event.log > LOG_VERSION:
            raise NewerEvent(f"the log is of version {event.log}, here is {LOG_VERSION}")
    except (ValueError, AttributeError, msgspec.DecodeError) as error:  # invalid Unicode, no object, no JSON
        row = data if isinstance(data, str) else data.decode(errors="replace")
        return UnreadableEvent(kind, str(error), row, isinstance(error, NewerEvent))
    return event

"""How values are written into a column of text, and read from one."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from landfall.store.events import EVENT_FIELDS, EVENT_TYPES, LOG_VERSION, Created, LogEvent, UnreadableEvent, to_plain

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(dict[str, Any]).decode

EVENT_BY_KIND: Final[dict[str, type[LogEvent]]] = {event.kind: event for event in EVENT_TYPES}
KNOWN_FIELDS: Final = {kind: {name for name, _ in shape} for kind, shape in EVENT_FIELDS.items()}
IGNORED_FIELDS: Final = {"name"}  # once written, empty, into every entry that names somebody who was forgotten


def encode_event(event: LogEvent | UnreadableEvent) -> str:
    """What a fact's column says."""
    return event.row if type(event) is UnreadableEvent else encode(to_plain(event)).decode()


def decode_event(kind: str, data: str | bytes) -> LogEvent | UnreadableEvent:
    """A fact from its columns; one that cannot be read stands in the log all the same, as what it is."""
    try:
        values = decode(data)
        known = EVENT_BY_KIND.get(kind)
        if known is None:
            raise ValueError("no such kind of entry is known here")
        newer = values.keys() - KNOWN_FIELDS[known] - IGNORED_FIELDS
        if newer:
            raise ValueError(f"no such field is known here: {', '.join(sorted(newer))}")
        event = msgspec.convert(values, known)
        if isinstance(event, Created) and event.log > LOG_VERSION:
            raise ValueError(f"the log is of version {event.log}, here is {LOG_VERSION}")
    except (ValueError, msgspec.DecodeError) as error:  # the first also for what is no Unicode
        return UnreadableEvent(kind, str(error), data if isinstance(data, str) else data.decode(errors="replace"))
    return event

"""How values are written into a column of text, and read from one."""

from __future__ import annotations

import dataclasses
from typing import Any, Final

import msgspec

from landfall.store.facts import FACTS, VERSION, Created, Fact, GivenChair, GivenClock, Unreadable

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(dict[str, Any]).decode

KINDS: Final[dict[str, type[Fact]]] = {fact.kind: fact for fact in FACTS}
# By type: its fields in order, each with the value at which it is left out (MISSING, if it never is).
SHAPES: Final[dict[type, tuple[tuple[str, object], ...]]] = {
    kind: tuple((field.name, field.default) for field in dataclasses.fields(kind))
    for kind in (*FACTS, GivenChair, GivenClock)
}
FIELDS: Final = {kind: {name for name, _ in shape} for kind, shape in SHAPES.items()}
EXTRA: Final = {"name"}  # once written, empty, into every entry that names somebody who was forgotten


def plain(value: Any) -> dict[str, Any]:
    """A declared value as it is written: what has its default is left out."""
    found: dict[str, Any] = {}
    for name, default in SHAPES[type(value)]:
        part = getattr(value, name)
        if part != default:
            found[name] = part
    if type(value) is Created:
        found["clock"], found["chairs"] = plain(value.clock), [plain(chair) for chair in value.chairs]
    return found


def written(fact: Fact | Unreadable) -> str:
    """What a fact's column says."""
    return fact.row if type(fact) is Unreadable else encode(plain(fact)).decode()


def read(kind: str, data: str | bytes) -> Fact | Unreadable:
    """A fact from its columns; one that cannot be read stands in the log all the same, as what it is."""
    try:
        values = decode(data)
        known = KINDS.get(kind)
        if known is None:
            raise ValueError("no such kind of entry is known here")
        newer = values.keys() - FIELDS[known] - EXTRA
        if newer:
            raise ValueError(f"no such field is known here: {', '.join(sorted(newer))}")
        fact = msgspec.convert(values, known)
        if isinstance(fact, Created) and fact.log > VERSION:
            raise ValueError(f"the log is of version {fact.log}, here is {VERSION}")
    except (ValueError, msgspec.DecodeError) as error:  # the first also for what is no Unicode
        return Unreadable(kind, str(error), data if isinstance(data, str) else data.decode(errors="replace"))
    return fact

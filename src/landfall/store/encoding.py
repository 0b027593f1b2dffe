"""How values are written into a column of text, and read from one."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from landfall.store.facts import FACTS, SHAPES, VERSION, Created, Fact, Unreadable, plain

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(dict[str, Any]).decode

KINDS: Final[dict[str, type[Fact]]] = {fact.kind: fact for fact in FACTS}
FIELDS: Final = {kind: {name for name, _ in shape} for kind, shape in SHAPES.items()}
EXTRA: Final = {"name"}  # once written, empty, into every entry that names somebody who was forgotten


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

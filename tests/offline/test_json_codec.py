"""What a device reads with the standard library is what a server reads with a faster one."""

from __future__ import annotations

import dataclasses
import json
import random
import types
import typing
from typing import Annotated, Any, get_args, get_origin

import pytest

from landfall.offline import json_codec
from landfall.store import event_codec as kept
from landfall.store import events
from landfall.tables.protocol import commands
from landfall.web import message_codec as wire

pytestmark = pytest.mark.once
ODD: list[Any] = [None, True, False, -1, 0, 1, 7, 8, 2**31, 2**31 + 1, 1.0, "", "a", "x" * 65, "x" * 501, "\x07", "Ana",
                  "\u2028", [], {}, ["a"], {"t": "play"}]  # fmt: skip


def value_of(kind: Any, rng: random.Random) -> Any:
    """Something of a declared type, mostly within its bounds."""
    origin = get_origin(kind)
    if origin is types.UnionType:
        return rng.choice([None, value_of(get_args(kind)[0], rng)])
    if origin is Annotated:
        plain, bounds = get_args(kind)
        size = rng.choice([bounds.minimum, bounds.maximum, rng.randint(bounds.minimum, min(bounds.maximum, 30))])
        return size if plain is int else "x" * size
    if origin is list:
        return [value_of(get_args(kind)[0], rng) for _ in range(rng.randrange(3))]
    if dataclasses.is_dataclass(kind):
        return {f: value_of(k, rng) for f, k in json_codec.field_types(typing.cast("type", kind)).items()}
    return {int: 1, str: "Ana", bool: True}.get(kind, {"a": [1]})


def messages(rng: random.Random) -> str:
    """A command as it is sent, or something nearly one."""
    kind = rng.choice(list(json_codec.COMMANDS.values()))
    values: dict[str, Any] = {"t": kind.__name__.lower()}
    values |= {name: value_of(hint, rng) for name, hint in json_codec.field_types(kind).items() if rng.random() < 0.9}
    if rng.random() < 0.4:
        values[rng.choice([*values, "more"])] = rng.choice(ODD)
    return json.dumps(values)


def same(text: str) -> bool:
    """Whether both take it, and for the same; or neither does."""
    try:
        wanted: object = wire.decode_command(text)
    except wire.DECODE_ERRORS:
        wanted = None
    try:
        found: object = json_codec.decode_command(text)
    except json_codec.DecodeError:
        found = None
    return found == wanted and type(found) is type(wanted)


def test_commands_are_read_alike() -> None:
    rng = random.Random(1)
    taken = 0
    for _ in range(2500):
        text = messages(rng)
        assert same(text), text
        try:
            json_codec.decode_command(text)
            taken += 1
        except json_codec.DecodeError:
            pass
    assert 800 < taken < 2300


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "3", "null", '"play"', '{"t":"play"}', '{"t":7}', '{"t":"Ping"}',
     '{"t":"ping"} ', '{"t":"say","text":"\\ud800"}', '{"t":"say","text":NaN}', '{"t":"hint","version":1e0}',
     '{"t":"hint","version":-0}', '{"t":"say","text":"' + "a" * 500 + '"}', "[" * 5000],
)  # fmt: skip
def test_odd_messages_are_read_alike(text: str) -> None:
    assert same(text)


@pytest.mark.parametrize("kind", [fact.kind for fact in events.EVENT_TYPES])
def test_facts_are_written_and_read_alike(kind: str) -> None:
    rng = random.Random(2)
    made: type = json_codec.EVENT_BY_KIND[kind]
    for _ in range(60):
        values = {name: value_of(hint, rng) for name, hint in json_codec.field_types(made).items()}
        if "log" in values:
            values["log"] = rng.choice([events.LOG_VERSION, events.LOG_VERSION + 1])
        text = json.dumps({k: v for k, v in values.items() if rng.random() < 0.97})
        wanted, found = kept.decode_event(kind, text), json_codec.decode_event(kind, text)
        assert type(found) is type(wanted), text
        if not isinstance(wanted, events.UnreadableEvent):
            assert found == wanted
            assert json.loads(json_codec.encode_event(wanted)) == json.loads(kept.encode_event(wanted))


def test_a_fact_of_a_newer_release_stands_as_unreadable() -> None:
    for kind, data in [("create", '{"more":1}'), ("flight", "{}"), ("sit", "[]"), ("sit", "{")]:
        found = json_codec.decode_event(kind, data)
        assert isinstance(found, events.UnreadableEvent)
        assert (found.kind, found.row) == (kind, data)


def test_every_command_is_among_them() -> None:
    assert set(json_codec.COMMANDS.values()) == set(get_args(commands.AnyCommand))

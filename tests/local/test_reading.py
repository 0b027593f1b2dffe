"""What a device reads with the standard library is what a server reads with a faster one."""

from __future__ import annotations

import dataclasses
import json
import random
import types
import typing
from typing import Annotated, Any, get_args, get_origin

import pytest

from landfall.local import reading
from landfall.store import encoding as kept
from landfall.store import facts
from landfall.tables import commands
from landfall.web import encoding as wire

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
        size = rng.choice([bounds.least, bounds.most, rng.randint(bounds.least, min(bounds.most, 30))])
        return size if plain is int else "x" * size
    if origin is list:
        return [value_of(get_args(kind)[0], rng) for _ in range(rng.randrange(3))]
    if dataclasses.is_dataclass(kind):
        return {f: value_of(k, rng) for f, k in reading.shape(typing.cast("type", kind)).items()}
    return {int: 1, str: "Ana", bool: True}.get(kind, {"a": [1]})


def messages(rng: random.Random) -> str:
    """A command as it is sent, or something nearly one."""
    kind = rng.choice(list(reading.COMMANDS.values()))
    values: dict[str, Any] = {"t": kind.__name__.lower()}
    values |= {name: value_of(hint, rng) for name, hint in reading.shape(kind).items() if rng.random() < 0.9}
    if rng.random() < 0.4:
        values[rng.choice([*values, "more"])] = rng.choice(ODD)
    return json.dumps(values)


def same(text: str) -> bool:
    """Whether both take it, and for the same; or neither does."""
    try:
        wanted: object = wire.decoded(text)
    except wire.Unreadable:
        wanted = None
    try:
        found: object = reading.decoded(text)
    except reading.Misread:
        found = None
    return found == wanted and type(found) is type(wanted)


def test_commands_are_read_alike() -> None:
    rng = random.Random(1)
    taken = 0
    for _ in range(2500):
        text = messages(rng)
        assert same(text), text
        try:
            reading.decoded(text)
            taken += 1
        except reading.Misread:
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


@pytest.mark.parametrize("kind", [fact.kind for fact in facts.FACTS])
def test_facts_are_written_and_read_alike(kind: str) -> None:
    rng = random.Random(2)
    made: type = reading.KINDS[kind]
    for _ in range(60):
        values = {name: value_of(hint, rng) for name, hint in reading.shape(made).items()}
        if "log" in values:
            values["log"] = rng.choice([facts.VERSION, facts.VERSION + 1])
        text = json.dumps({k: v for k, v in values.items() if rng.random() < 0.97})
        wanted, found = kept.read(kind, text), reading.read(kind, text)
        assert type(found) is type(wanted), text
        if not isinstance(wanted, facts.Unreadable):
            assert found == wanted
            assert json.loads(reading.written(wanted)) == json.loads(kept.written(wanted))


def test_a_fact_of_a_newer_release_stands_as_unreadable() -> None:
    for kind, data in [("create", '{"more":1}'), ("flight", "{}"), ("sit", "[]"), ("sit", "{")]:
        found = reading.read(kind, data)
        assert isinstance(found, facts.Unreadable)
        assert (found.kind, found.row) == (kind, data)


def test_every_command_is_among_them() -> None:
    assert set(reading.COMMANDS.values()) == set(get_args(commands.AnyCommand))

"""The worst that may be asked: of every endpoint in the OpenAPI document and of every declared socket message.

What is declared later is found here by itself; a parameter of which no value is known fails the harness.
"""

from __future__ import annotations

import dataclasses
import itertools
import json
import typing
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any, get_args, get_origin
from urllib.parse import quote

from landfall.guides import load_guide_book
from landfall.tables.protocol import commands
from landfall.tables.protocol.commands import AnyCommand, Bounds
from landfall.tables.teaching import puzzles
from tests.costs.loaded_server import Scene

LANGUAGE = "bg"  # two bytes a letter


class UnknownInput(Exception):
    """Something can be asked for which no worst input is known: teach this module one."""


@dataclass(frozen=True)
class Case:
    """One thing asked. `way` is the endpoint or message as it is declared, `name` the input."""

    way: str
    name: str
    method: str = ""
    url: str = ""
    body: bytes | None = None
    game: str = ""  # of a socket message: at a running table of this game


# --- parameters -----------------------------------------------------------------------------------------------


def worst_parameter_values(scene: Scene) -> dict[str, Callable[[str], list[str]]]:
    """By a parameter's name its worst values; a function of the game that is asked about."""

    def tables(game: str) -> list[str]:
        return [scene.over[game], scene.running[game]]

    return {
        "game": lambda game: [game],
        "table": tables,
        "language": lambda game: [LANGUAGE],
        "puzzle": lambda game: [str(puzzles.list_puzzles(game)[0]["id"])],
        "rule": lambda game: [str(next(iter(load_guide_book(game)["figures"]))["rule"])],
        "box": lambda game: ["0" * 32],
        "session": lambda game: ["x" * 64],
        "key": lambda game: ["x" * 64],
        "bot": lambda game: ["x" * 64, "bot 0"],
        "tournament": lambda game: ["cup", "x" * 64],
        "token": lambda game: ["x" * 64],
        "device": lambda game: ["x" * 64],
        "user": lambda game: ["x" * 64],
        "report": lambda game: ["1"],
        "name": lambda game: ["Ж" * 24],
        "passkey": lambda game: ["x" * 1400],
        "bots": lambda game: ["true"],
        "events": lambda game: ["true"],
        "eyes": lambda game: ["open", "0"],
        "at": lambda game: [str(len(scene.matches[game].log) // 2), str(2**31)],
        "after": lambda game: ["0", scene.owner.name],
        "before": lambda game: [str(2**53), str(2**31)],
        "player": lambda game: [scene.owner.name, "Ж" * 24],
        "size": lambda game: ["2"],
        "over": lambda game: ["true", "false"],
        "seat": lambda game: ["0"],
        "step": lambda game: ["3"],
        "piece": lambda game: ["é" * 40],
        "place": lambda game: ["é" * 40],
    }


def list_worst_urls(scene: Scene, path: str, parameters: list[dict[str, Any]]) -> list[str]:
    """The path with every combination of values, of every game."""
    known = worst_parameter_values(scene)
    asked = [one for one in parameters if one["in"] in ("path", "query")]
    for one in asked:
        if one["name"] not in known:
            raise UnknownInput(f"{path}: no worst value is known of the parameter {one['name']!r}")
    found: list[str] = []
    for game in scene.matches:
        for values in itertools.product(*(known[one["name"]](game) for one in asked)):
            url, query = path, []
            for one, value in zip(asked, values, strict=True):
                if one["in"] == "path":
                    url = url.replace(f"{{{one['name']}}}", quote(value))
                else:
                    query.append(f"{one['name']}={quote(value)}")
            found.append(url + ("?" + "&".join(query) if query else ""))
    return list(dict.fromkeys(found))


# --- bodies ---------------------------------------------------------------------------------------------------


def fill_with_parts(prefix: str, part: Callable[[int], str], suffix: str, size: int) -> bytes:
    """As many parts as fit between two texts."""
    out: list[str] = []
    left = size - len(prefix.encode()) - len(suffix.encode())
    for number in itertools.count():
        one = part(number)
        left -= len(one.encode())
        if left < 0:
            return (prefix + "".join(out) + suffix).encode()
        out.append(one)
    raise AssertionError


def example_body(schema: dict[str, Any], scene: Scene, game: str) -> dict[str, Any]:
    """A body that is understood, from the schema's own examples."""
    found = {name: one["examples"][0] for name, one in schema["properties"].items() if one.get("examples")}
    known = {"game": game, "players": scene.matches[game].players, "options": {}, "public": False,
             "bots": ["sprat"] * (scene.matches[game].players - 1), "record": scene.matches[game].record()}  # fmt: skip
    for name, value in known.items():
        if name in schema["properties"] and (name != "bots" or schema["properties"][name].get("type") == "array"):
            found[name] = value
    if "name" in found:
        found["name"] = "Ж" * 24
    return found


def is_free_form(schema: dict[str, Any]) -> bool:
    """Whether an object takes any key."""
    return schema.get("type") == "object" and "properties" not in schema


def bodies_with_long_text(example: dict[str, Any], name: str, size: int) -> Iterator[tuple[str, bytes]]:
    """A body whose one field holds as much as fits, written in different ways."""
    rest = json.dumps({k: v for k, v in example.items() if k != name})[1:-1]
    before, after = "{" + (rest + "," if rest else "") + f'"{name}":"', '"}'
    for what, letters in (("ascii", "x"), ("escapes", "\\u00e9"), ("wide", "水"), ("controls", "\\n")):
        yield f"{name}: {what}", fill_with_parts(before, lambda _, one=letters: one, after, size)  # type: ignore[misc]


def worst_records(scene: Scene, game: str, size: int) -> Iterator[tuple[str, str]]:
    """The worst records: as long as may be, and wrong as late as may be."""
    head, _, lines = scene.matches[game].record().partition("---\n")
    room = min(size - 2_000, 90_000)
    yield "the whole match", head + "---\n" + lines
    yield "wrong at its end", head + "---\n" + lines + "x\n" * ((room - len(head) - len(lines)) // 3)
    yield "one letter a line", head + "---\n" + "a\n" * (room // 3)
    yield "one long line", head + "---\n" + "r" * room
    for field, value in (("options", "{" + ",".join(f'"{n:05}":0' for n in range(room // 12)) + "}"),
                         ("seats", "[" + ",".join(['""'] * (room // 6)) + "]"),
                         ("options", "[" * (room // 2))):  # fmt: skip
        rows = [f"{field}: {value}" if row.startswith(field) else row for row in head.split("\n")]
        yield f"{field} of {len(value)} letters", "\n".join(rows) + "---\n" + lines


def worst_bodies(scene: Scene, schema: dict[str, Any], game: str, size: int) -> Iterator[tuple[str, bytes]]:
    """The worst bodies of an endpoint."""
    example = example_body(schema, scene, game)
    plain = json.dumps(example)[1:-1]
    yield "its example", json.dumps(example).encode()
    yield "unknown fields", fill_with_parts("{" + plain, lambda n: f',"{n:x}":0', "}", size)
    yield "empty objects", fill_with_parts("[", lambda n: "{},", "0]", size)
    yield "numbers", fill_with_parts("[", lambda n: "0,", "0]", size)
    yield "deep lists", b"[" * (size // 2) + b"]" * (size // 2)
    yield "deep objects", fill_with_parts("", lambda n: '{"":', "0", size)
    yield "a long number", b'{"players":' + b"9" * (size - 20) + b"}"
    for name, one in schema["properties"].items():
        if one.get("type") == "string":
            yield from bodies_with_long_text(example, name, size)
        if is_free_form(one):
            rest = json.dumps({k: v for k, v in example.items() if k != name})[1:-1]
            before = "{" + (rest + "," if rest else "") + f'"{name}":{{'
            yield f"{name}: unknown keys", fill_with_parts(before + '"":0', lambda n: f',"{n:x}":0', "}}", size)
            yield (
                f"{name}: 60 unknown keys",
                json.dumps({**example, name: {f"{n}" * 40: n for n in range(60)}}).encode(),
            )
            deep = (size - len(before) - 20) // 2
            yield f"{name}: deep", (before + '"":' + "[" * deep + "]" * deep + "}}").encode()
            for known in ("dolphins", "clock", "squid"):
                yield f"{name}.{known}: long", fill_with_parts(before + f'"{known}":"', lambda n: "é", '"}}', size)
                yield (
                    f"{name}.{known}: wide",
                    fill_with_parts(before + f'"{known}":[0', lambda n: ",0", "]}}", min(size, 3_000)),
                )
    if "record" in schema["properties"]:
        for what, record in worst_records(scene, game, size):
            body = json.dumps({**example, "record": record}, ensure_ascii=False).encode()
            if len(body) <= size:
                yield f"record: {what}", body


def endpoint_cases(scene: Scene, document: dict[str, Any], largest: Callable[[str], int]) -> Iterator[Case]:
    """All of REST; `largest` says how many bytes a path's body may have."""
    schemas = document["components"]["schemas"]
    for path, ways in document["paths"].items():
        for method, way in ways.items():
            name = f"{method.upper()} {path}"
            parameters = [*ways.get("parameters", []), *way.get("parameters", [])]
            asked = list_worst_urls(scene, path, parameters)
            if "requestBody" not in way:
                for url in asked:
                    yield Case(name, name_tables_in_url(url, scene), method.upper(), url)
                continue
            content = way["requestBody"]["content"]
            if set(content) != {"application/json"} or "$ref" not in content["application/json"]["schema"]:
                raise UnknownInput(f"{name}: no worst body is known of {content}")
            schema = schemas[content["application/json"]["schema"]["$ref"].rpartition("/")[2]]
            for game in scene.matches:
                url = next((one for one in asked if f"/{game}/" in one), asked[0])
                for what, body in worst_bodies(scene, schema, game, largest(path)):
                    if game == next(iter(scene.matches)) or what.startswith(
                        ("its example", "record: the whole", "options.")
                    ):
                        yield Case(name, f"{what} ({game})", method.upper(), url, body)


def name_tables_in_url(url: str, scene: Scene) -> str:
    """A URL with tables called by what they are."""
    for what, tables in (("over", scene.over), ("running", scene.running)):
        for game, table in tables.items():
            url = url.replace(table, f"{game}-{what}")
    return url


# --- socket messages ------------------------------------------------------------------------------------------


def worst_value(kind: Any, name: str) -> Any:
    """The largest value a field may have."""
    parts = [part for part in get_args(kind) if part is not type(None)] if get_origin(kind) is not Annotated else []
    kind = parts[0] if parts else kind
    if get_origin(kind) is Annotated:
        plain, bounds = get_args(kind)
        if isinstance(bounds, Bounds):
            return bounds.maximum if plain is int else "水" * bounds.maximum
    if kind is bool:
        return True
    raise UnknownInput(f"no worst value is known of a message's field {name!r}: {kind}")


# Values that lead further than the worst: the message is carried out. What begins with $ is the table's.
UNDERSTOOD = {
    "version": "$version", "id": "p1", "action": "$action", "chair": 1, "seat": 0, "since": 0, "what": "abandon",
    "who": "x", "code": "sprat", "colour": "red", "name": "Ж", "piece": "x", "place": "x",
}  # fmt: skip


def message_cases(scene: Scene, size: int) -> Iterator[Case]:
    """All that can be said on a socket."""
    for command in get_args(AnyCommand):
        tag = command.__name__.lower()
        hints = typing.get_type_hints(command, vars(commands), include_extras=True)
        fields = {field.name: hints[field.name] for field in dataclasses.fields(command)}
        worst = {"t": tag, **{name: worst_value(kind, name) for name, kind in fields.items()}}
        good = {"t": tag, **{name: UNDERSTOOD[name] for name in fields if name in UNDERSTOOD}}
        if tag == "say":
            good["text"] = "水" * 500
        said = {
            "its largest fields": json.dumps(worst, ensure_ascii=False),
            "fields that are understood": json.dumps(good),
            "unknown fields": fill_with_parts(json.dumps(worst)[:-1], lambda n: f',"{n:x}":0', "}", size).decode(),
            "deep": fill_with_parts(json.dumps({"t": tag})[:-1] + ',"x":', lambda n: "[", "", size).decode(),
            "escapes": fill_with_parts(
                json.dumps({"t": tag})[:-1] + ',"x":"', lambda n: "\\u00e9", '"}', size
            ).decode(),
        }
        for game in scene.matches:
            for name, text in said.items():
                if game != next(iter(scene.matches)) and name != "fields that are understood":
                    continue  # what is refused before it reaches a table is the same for all games
                yield Case(f"socket {tag}", f"{name} ({game})", body=text.encode(), game=game)

"""The reference of all messages in Markdown: the second half of docs/client.md."""

from __future__ import annotations

from typing import Any

from landfall.games import OURS
from landfall.web.declared import common, schema_of
from landfall.web.types import schema
from landfall.web.typescript import shape

BEGIN = """
# Reference

Types are written as in TypeScript; `?` marks what may be missing.

"""


def reference() -> str:
    """Everything that is declared: what is sent, what comes, and what each game puts into it."""
    socket = schema()["$defs"]
    parts = [BEGIN, "## What is sent\n\n", *tagged(socket, "Command"), "\n## What comes\n\n", *tagged(socket, "News")]
    tags = {ref["$ref"].rsplit("/", 1)[1] for root in ("Command", "News") for ref in socket[root]["anyOf"]}
    rest = {name: part for name, part in socket.items() if name not in {*tags, "Command", "News"}}
    parts += ["\n### Parts of these\n\n", *listed(rest)]
    for game in OURS:
        parts += [f"\n## {game.capitalize()}\n", *game_reference(schema_of(game)["$defs"])]
    return "".join(parts)


def tagged(defs: dict[str, Any], union: str) -> list[str]:
    """The messages of a union, each by its tag."""
    rows = ["| `t` | fields | meaning |\n|---|---|---|\n"]
    for ref in defs[union]["anyOf"]:
        part = defs[ref["$ref"].rsplit("/", 1)[1]]
        tag = shape(part["properties"]["t"]).strip('"')
        rows.append(f"| `{tag}` | {fields(part, 't')} | {about(part)} |\n")
    return rows


def game_reference(defs: dict[str, Any]) -> list[str]:
    """A game's view, events, choices, outcomes and preview, then the parts they are made from."""
    parts: list[str] = []
    used = {"View", "Own", "Event", "Choice", "Outcome", "Preview", *common()}
    for title, root, by in (("Events", "Event", "kind"), ("Choices", "Choice", "verb"), ("Chance", "Outcome", "verb")):
        union = defs[root].get("anyOf", [defs[root]])
        names = [ref["$ref"].rsplit("/", 1)[1] if "$ref" in ref else root for ref in union]
        used |= set(names)
        parts.append(f"\n### {title}\n\n| `{by}` | fields | meaning |\n|---|---|---|\n")
        parts += [
            f"| {code(shape(defs[n]['properties'][by]))} | {fields(defs[n], by)} | {about(defs[n])} |\n" for n in names
        ]
    view = ["\n### View\n\n", *table(defs["View"]), "\n### A seat's own part of it\n\n", *table(defs["Own"])]
    preview = ["\n### Preview\n\n", *(table(defs["Preview"]) or ["None.\n"])]
    rest = {name: part for name, part in defs.items() if name not in used}
    return [*view, *parts, *preview, "\n### Parts of these\n\n", *listed(rest)]


def table(part: dict[str, Any]) -> list[str]:
    """A record, a line a field."""
    if not part["properties"]:
        return []
    rows = ["| field | type | meaning |\n|---|---|---|\n"]
    for key, inner in part["properties"].items():
        missing = "" if key in part["required"] else "?"
        rows.append(
            f"| `{key}{missing}` | {code(shape(inner))} | {inner.get('description', '')} |\n".replace("|  |", "| |")
        )
    return rows


def listed(defs: dict[str, Any]) -> list[str]:
    """Types, a line each."""
    rows = ["| type | what it is | meaning |\n|---|---|---|\n"]
    for name, part in defs.items():
        told = fields(part, "") if "properties" in part else code(shape(part))
        rows.append(f"| `{name}` | {told} | {about(part)} |\n".replace("|  |", "| |"))
    return rows


def fields(part: dict[str, Any], tag: str) -> str:
    """The fields of a record but its tag, with their meanings."""
    told = []
    for key, inner in part["properties"].items():
        if key != tag:
            meaning = f" ({inner['description']})" if inner.get("description") else ""
            missing = "" if key in part.get("required", ()) else "?"
            told.append(code(f"{key}{missing}: {shape(inner)}") + meaning)
    return "; ".join(told) or "none"


def about(part: dict[str, Any]) -> str:
    return " ".join(str(part.get("description", "")).split()).replace("|", "\\|")


def code(text: str) -> str:
    """A type in a table's cell, where a bar would end the cell."""
    return "`" + text.replace("|", "\\|") + "`"

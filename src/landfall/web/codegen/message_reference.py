"""The message reference in Markdown: the second half of docs/client.md."""

from __future__ import annotations

from typing import Any

from landfall.games import BUILT_IN_GAMES
from landfall.web.codegen.message_schemas import build_socket_schema
from landfall.web.codegen.schema_from_types import build_common_definitions, build_game_schema
from landfall.web.codegen.typescript import typescript_type_of

REFERENCE_INTRO = """
# Reference

Types are written as in TypeScript; `?` marks what may be missing.

"""


def render_message_reference() -> str:
    """All declarations: commands, server messages, and the games' parts of them."""
    socket = build_socket_schema()["$defs"]
    parts = [
        REFERENCE_INTRO,
        "## What is sent\n\n",
        *render_tagged_messages(socket, "Command"),
        "\n## What comes\n\n",
        *render_tagged_messages(socket, "ServerMessage"),
    ]
    tags = {ref["$ref"].rsplit("/", 1)[1] for root in ("Command", "ServerMessage") for ref in socket[root]["anyOf"]}
    rest = {name: part for name, part in socket.items() if name not in {*tags, "Command", "ServerMessage"}}
    parts += ["\n### Parts of these\n\n", *render_type_table(rest)]
    for game in BUILT_IN_GAMES:
        parts += [f"\n## {game.capitalize()}\n", *render_game_reference(build_game_schema(game)["$defs"])]
    return "".join(parts)


def render_tagged_messages(defs: dict[str, Any], union: str) -> list[str]:
    """The messages of a union by tag."""
    rows = ["| `t` | fields | meaning |\n|---|---|---|\n"]
    for ref in defs[union]["anyOf"]:
        part = defs[ref["$ref"].rsplit("/", 1)[1]]
        tag = typescript_type_of(part["properties"]["t"]).strip('"')
        rows.append(f"| `{tag}` | {render_field_list(part, 't')} | {description_as_cell(part)} |\n")
    return rows


def render_game_reference(defs: dict[str, Any]) -> list[str]:
    """A game's view, events, choices, outcomes and preview, then the types they use."""
    parts: list[str] = []
    used = {"View", "PrivateView", "Event", "Choice", "Outcome", "Preview", *build_common_definitions()}
    for title, root, by in (("Events", "Event", "kind"), ("Choices", "Choice", "verb"), ("Chance", "Outcome", "verb")):
        union = defs[root].get("anyOf", [defs[root]])
        names = [ref["$ref"].rsplit("/", 1)[1] if "$ref" in ref else root for ref in union]
        used |= set(names)
        parts.append(f"\n### {title}\n\n| `{by}` | fields | meaning |\n|---|---|---|\n")
        parts += [
            f"| {type_as_code_cell(typescript_type_of(defs[n]['properties'][by]))} | {render_field_list(defs[n], by)} "
            f"| {description_as_cell(defs[n])} |\n"
            for n in names
        ]
    view = [
        "\n### View\n\n",
        *render_field_table(defs["View"]),
        "\n### A seat's own part of it\n\n",
        *render_field_table(defs["PrivateView"]),
    ]
    preview = ["\n### Preview\n\n", *(render_field_table(defs["Preview"]) or ["None.\n"])]
    rest = {name: part for name, part in defs.items() if name not in used}
    return [*view, *parts, *preview, "\n### Parts of these\n\n", *render_type_table(rest)]


def render_field_table(part: dict[str, Any]) -> list[str]:
    """A record as a table, one line per field."""
    if not part["properties"]:
        return []
    rows = ["| field | type | meaning |\n|---|---|---|\n"]
    for key, inner in part["properties"].items():
        missing = "" if key in part["required"] else "?"
        kind, meaning = type_as_code_cell(typescript_type_of(inner)), inner.get("description", "")
        rows.append(f"| `{key}{missing}` | {kind} | {meaning} |\n".replace("|  |", "| |"))
    return rows


def render_type_table(defs: dict[str, Any]) -> list[str]:
    """Types, one line each."""
    rows = ["| type | what it is | meaning |\n|---|---|---|\n"]
    for name, part in defs.items():
        message = render_field_list(part, "") if "properties" in part else type_as_code_cell(typescript_type_of(part))
        rows.append(f"| `{name}` | {message} | {description_as_cell(part)} |\n".replace("|  |", "| |"))
    return rows


def render_field_list(part: dict[str, Any], tag: str) -> str:
    """The fields of a record except its tag, with their meanings."""
    message = []
    for key, inner in part["properties"].items():
        if key != tag:
            meaning = f" ({inner['description']})" if inner.get("description") else ""
            missing = "" if key in part.get("required", ()) else "?"
            message.append(type_as_code_cell(f"{key}{missing}: {typescript_type_of(inner)}") + meaning)
    return "; ".join(message) or "none"


def description_as_cell(part: dict[str, Any]) -> str:
    return " ".join(str(part.get("description", "")).split()).replace("|", "\\|")


def type_as_code_cell(text: str) -> str:
    """A type in a table cell, with bars escaped."""
    return "`" + text.replace("|", "\\|") + "`"

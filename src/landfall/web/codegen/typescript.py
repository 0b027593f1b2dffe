"""Generates TypeScript types from the message schemas."""

from __future__ import annotations

import json
import textwrap
from typing import Any

FILE_HEADER = "// Made by `landfall types --write`; do not edit.\n"
CHOICE_TYPE = "/** A choice as it is offered. */\nexport type Choice = Offer & Words\n"


def types_to_typescript(schema: dict[str, Any]) -> str:
    """One exported type per definition. Fields at their defaults are omitted from messages, so they are optional."""
    return FILE_HEADER + "".join(
        exported_type_declaration(name, definition) for name, definition in schema["$defs"].items()
    )


def game_types_to_typescript(schema: dict[str, Any], common: dict[str, Any]) -> str:
    """A game's types; shared types are imported. `Words` is the union of its choices."""
    own = {name: definition for name, definition in schema["$defs"].items() if definition is not common.get(name)}
    shared = sorted({"Offer", *(name for name in schema["$defs"] if name not in own)})
    parts = [FILE_HEADER, f"import type {{ {', '.join(shared)} }} from '../../lib/wire'\n\n"]
    parts += [
        exported_type_declaration("Words" if name == "Choice" else name, definition) for name, definition in own.items()
    ]
    return "".join([*parts, CHOICE_TYPE])


def constants_to_typescript(tables: dict[str, Any]) -> str:
    """Constants of a game's board, each row of a table on a line of its own."""
    return FILE_HEADER + "".join(
        f"export const {name} = {constant_to_json(value)} as const\n" for name, value in tables.items()
    )


def constant_to_json(value: Any) -> str:
    """A value as JSON; a list of lists or objects, and an object, with a line for each entry."""
    if isinstance(value, dict):
        return "{\n" + "".join(f"  {json.dumps(key)}: {json.dumps(row)},\n" for key, row in value.items()) + "}"
    if isinstance(value, list) and isinstance(value[0], list | dict):
        return "[\n" + "".join(f"  {json.dumps(row)},\n" for row in value) + "]"
    return json.dumps(value)


def exported_type_declaration(name: str, definition: dict[str, Any]) -> str:
    words = " ".join(str(definition.get("description", "")).split())
    message = f"/** {words} */\n" if words else ""
    if any("description" in part for part in definition.get("properties", {}).values()):
        fields = "".join(field_declaration(definition, key) for key in definition["properties"])
        return f"{message}export type {name} = {{\n{fields}}}\n"
    return f"{message}export type {name} = {typescript_type_of(definition)}\n"


def field_declaration(definition: dict[str, Any], key: str) -> str:
    part = definition["properties"][key]
    message = f"  /** {part['description']} */\n" if "description" in part else ""
    return f"{message}  {key}{'' if key in definition.get('required', ()) else '?'}: {typescript_type_of(part)}\n"


def readable_declaration(name: str, definition: dict[str, Any], width: int) -> str:
    """A declaration for readers: no line is wider than this, unless one word is."""
    declared = f"type {name} = {typescript_type_of(definition)}"
    if len(declared) > width or any("description" in part for part in definition.get("properties", {}).values()):
        declared = f"type {name} = {broken_type(definition, width, '  ')}"
    return comment_lines(definition, width, "") + declared + "\n"


def broken_type(definition: dict[str, Any], width: int, indent: str) -> str:
    """A type over several lines: a field or a member of a union on each."""
    if "properties" not in definition:
        members = typescript_type_of(definition).split(" | ")
        return "\n" + "\n".join(
            textwrap.wrap(
                "| " + " | ".join(members),
                width,
                initial_indent=indent,
                subsequent_indent=indent,
                break_long_words=False,
            )
        )
    required = definition.get("required", ())
    lines = []
    for key, part in definition["properties"].items():
        words = " ".join(str(part.get("description", "")).split())
        head = f"{indent}{key}{'' if key in required else '?'}: "
        field = f"{head}{typescript_type_of(part)}"
        if len(field) > width:
            field = head + broken_type(part, width, indent + "  ")
        if words and "\n" not in field and len(field) + len(words) + 4 <= width:
            lines.append(f"{field} // {words}\n")
        else:
            lines.append(comment_lines(part, width, indent) + field + "\n")
    return "{\n" + "".join(lines) + indent[2:] + "}"


def comment_lines(definition: dict[str, Any], width: int, indent: str) -> str:
    """A description as lines of comments."""
    words = " ".join(str(definition.get("description", "")).split())
    lead = indent + "// "
    return "".join(
        line + "\n"
        for line in textwrap.wrap(words, width, initial_indent=lead, subsequent_indent=lead, break_long_words=False)
    )


def typescript_type_of(schema: dict[str, Any]) -> str:
    """A schema as a type.

    >>> typescript_type_of({"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]})
    'string[] | null'
    """
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[1]
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(typescript_type_of(part) for part in schema["anyOf"]))
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    if "const" in schema:
        return json.dumps(schema["const"])
    match schema.get("type"):
        case "array":
            return typescript_array_type(schema)
        case "object":
            return typescript_record_type(schema)
        case "integer" | "number":
            return "number"
        case "string" | "boolean" | "null" as plain:
            return str(plain)
    return "unknown"


def typescript_array_type(schema: dict[str, Any]) -> str:
    if "prefixItems" in schema:
        return "[" + ", ".join(typescript_type_of(part) for part in schema["prefixItems"]) + "]"
    inner = typescript_type_of(schema["items"]) if isinstance(schema.get("items"), dict) else "unknown"
    return f"({inner})[]" if " | " in inner else f"{inner}[]"


def typescript_record_type(schema: dict[str, Any]) -> str:
    if "properties" not in schema:
        return typescript_dictionary_type(schema)
    required = set(schema.get("required", ()))
    fields = [
        f"{key}{'' if key in required else '?'}: {typescript_type_of(part)}"
        for key, part in schema["properties"].items()
    ]
    return "{ " + "; ".join(fields) + " }" if fields else "Record<never, never>"


def typescript_dictionary_type(schema: dict[str, Any]) -> str:
    """An object with arbitrary keys; if the keys are known, all or some are present."""
    values = schema.get("additionalProperties")
    inner = typescript_type_of(values) if isinstance(values, dict) and values else "unknown"
    if "propertyNames" not in schema:
        return "{ [key: string]: Json }" if inner == "Json" else f"Record<string, {inner}>"  # Json is recursive
    whole = f"Record<{typescript_type_of(schema['propertyNames'])}, {inner}>"
    return whole if "required" in schema else f"Partial<{whole}>"

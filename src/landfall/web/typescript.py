"""The socket's messages as TypeScript, made from their schema, so that the client's types are never written by hand."""

from __future__ import annotations

import json
from typing import Any

HEAD = "// Made by `landfall types --typescript`; do not edit.\n"


def declarations(schema: dict[str, Any]) -> str:
    """One exported type a definition. Fields at their defaults are left out of messages, so they may be missing."""
    parts = [HEAD]
    for name, definition in schema["$defs"].items():
        words = " ".join(str(definition.get("description", "")).split())
        parts.append(f"/** {words} */\n" if words else "")
        parts.append(f"export type {name} = {shape(definition)}\n")
    return "".join(parts)


def shape(schema: dict[str, Any]) -> str:
    """A schema as a type.

    >>> shape({"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]})
    'string[] | null'
    """
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[1]
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(shape(part) for part in schema["anyOf"]))
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    if "const" in schema:
        return json.dumps(schema["const"])
    match schema.get("type"):
        case "array":
            return array(schema)
        case "object":
            return record(schema)
        case "integer" | "number":
            return "number"
        case "string" | "boolean" | "null" as plain:
            return str(plain)
    return "unknown"


def array(schema: dict[str, Any]) -> str:
    if "prefixItems" in schema:
        return "[" + ", ".join(shape(part) for part in schema["prefixItems"]) + "]"
    inner = shape(schema["items"]) if isinstance(schema.get("items"), dict) else "unknown"
    return f"({inner})[]" if " | " in inner else f"{inner}[]"


def record(schema: dict[str, Any]) -> str:
    if "properties" not in schema:
        values = schema.get("additionalProperties")
        return f"Record<string, {shape(values) if isinstance(values, dict) and values else 'unknown'}>"
    required = set(schema.get("required", ()))
    fields = [f"{key}{'' if key in required else '?'}: {shape(part)}" for key, part in schema["properties"].items()]
    return "{ " + "; ".join(fields) + " }"

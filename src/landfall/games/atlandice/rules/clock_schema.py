# interpreted
"""Validates a clock against clock.schema.json, by the part of JSON Schema that it uses."""

from __future__ import annotations

import re
from typing import Any


def find_schema_fault(value: object, schema: dict[str, Any], name: str, root: dict[str, Any]) -> str:
    """A sentence that says what is wrong with the value called `name`, or ""."""
    if "$ref" in schema:
        return find_schema_fault(value, root["$defs"][schema["$ref"].removeprefix("#/$defs/")], name, root)
    if "enum" in schema and (not isinstance(value, str) or value not in schema["enum"]):
        return f"{name} must be one of {', '.join(schema['enum'])}, not {value!r}"
    kind = schema.get("type")
    if kind == "integer":
        return find_integer_fault(value, schema, name)
    if kind == "array":
        return find_array_fault(value, schema, name, root)
    return find_object_fault(value, schema, name, root) if kind == "object" else ""


def find_integer_fault(value: object, schema: dict[str, Any], name: str) -> str:
    least, most = schema["minimum"], schema["maximum"]
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        return f"{name} must be a whole number from {least} to {most}, not {value!r}"
    return ""


def find_array_fault(value: object, schema: dict[str, Any], name: str, root: dict[str, Any]) -> str:
    if not isinstance(value, list) or not schema["minItems"] <= len(value) <= schema["maxItems"]:
        return f"{name} must be a list of {schema['minItems']}, not {value!r}"
    found = (find_schema_fault(item, schema["items"], f"{name}[{i}]", root) for i, item in enumerate(value))
    return next((text for text in found if text), "")


def find_object_fault(value: object, schema: dict[str, Any], name: str, root: dict[str, Any]) -> str:
    if not isinstance(value, dict):
        return f"{name} must be an object, not {value!r}"
    if len(value) < schema.get("minProperties", 0):
        return f"{name} must not be empty"
    known = schema.get("properties", {})
    others = schema.get("additionalProperties", True)
    pattern = schema.get("propertyNames", {}).get("pattern", "")
    for key, item in value.items():
        if not isinstance(key, str) or not re.search(pattern, key):
            return f"{name} has a key {key!r}, which is no number of a space"
        if key not in known and others is False:
            return f"{name} has no part called {key!r}; its parts are {', '.join(known)}"
        text = find_schema_fault(item, known.get(key, others), f"{name}.{key}", root)
        if text:
            return text
    for key, needed in schema.get("dependentRequired", {}).items():
        missing = [other for other in needed if key in value and other not in value]
        if missing:
            return f"{name} has {key!r} but lacks {missing[0]!r}"
    return ""

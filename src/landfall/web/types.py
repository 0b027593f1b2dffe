"""The socket's messages as a JSON schema: what a client's types are made from, so that none is written by hand."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from landfall.tables.commands import AnyCommand
from landfall.tables.news import AnyNews


def schema() -> dict[str, Any]:
    """A JSON schema (2020-12): `Command` is what a client sends, `News` what it is sent."""
    (command, news), parts = msgspec.json.schema_components([AnyCommand, AnyNews], ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Landfall's socket messages",
        "$defs": {**parts, "Command": command, "News": news},
        "anyOf": [{"$ref": "#/$defs/Command"}, {"$ref": "#/$defs/News"}],
    }


def everything() -> str:
    """Socket messages and REST, as one JSON document: {"socket": …, "openapi": …}."""
    from landfall.web.server import create_app
    from landfall.web.settings import Settings

    rest = create_app(Settings(database=":memory:")).openapi()
    return json.dumps({"socket": schema(), "openapi": rest}, indent=1, ensure_ascii=False)

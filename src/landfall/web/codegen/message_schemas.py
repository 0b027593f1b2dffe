"""All messages as JSON schemas, from which the client's types are generated."""

from __future__ import annotations

import json
from typing import Any, get_args

import msgspec

from landfall.api.message_codec import COMMAND_STRUCTS
from landfall.games import BUILT_IN_GAMES
from landfall.tables.protocol import server_messages
from landfall.web.codegen.schema_from_types import SchemaBuilder, common_schema, game_schema

SCHEMA_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def socket_schema() -> dict[str, Any]:
    """A JSON schema (2020-12): `Command` is what a client sends, `ServerMessage` what it receives."""
    commands, parts = msgspec.json.schema_components(COMMAND_STRUCTS, ref_template="#/$defs/{name}")
    builder = SchemaBuilder(server_messages)
    kinds = [builder.reference(kind.__name__) for kind in get_args(server_messages.ServerMessage)]
    return {
        "$schema": SCHEMA_DIALECT,
        "title": "Landfall's socket messages",
        "$defs": {
            **parts,
            **builder.definitions,
            **common_schema(),
            "Command": {"anyOf": commands},
            "ServerMessage": {"anyOf": kinds},
        },
        "anyOf": [{"$ref": "#/$defs/Command"}, {"$ref": "#/$defs/ServerMessage"}],
    }


def rest_schema() -> dict[str, Any]:
    """The server's OpenAPI document."""
    from landfall.web.app import create_app
    from landfall.web.settings import Settings

    return create_app(Settings(database=":memory:")).openapi()


def all_schemas() -> str:
    """Socket messages, each game's parts of them, and REST: {"socket": …, "games": …, "openapi": …}."""
    games = {game: {"$schema": SCHEMA_DIALECT, **game_schema(game)} for game in BUILT_IN_GAMES}
    return json.dumps(
        {"socket": socket_schema(), "games": games, "openapi": rest_schema()}, indent=1, ensure_ascii=False
    )

"""All messages as JSON schemas, from which the client's types are generated."""

from __future__ import annotations

import json
from typing import Any, get_args

import msgspec

from landfall.api.message_codec import COMMAND_STRUCTS
from landfall.games import BUILT_IN_GAMES
from landfall.tables.protocol import server_messages
from landfall.web.codegen.schema_from_types import SchemaBuilder, build_common_definitions, build_game_schema

SCHEMA_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def build_socket_schema() -> dict[str, Any]:
    """A JSON schema (2020-12): `Command` is what a client sends, `ServerMessage` what it receives."""
    commands, parts = msgspec.json.schema_components(COMMAND_STRUCTS, ref_template="#/$defs/{name}")
    builder = SchemaBuilder(server_messages)
    kinds = [builder.define_and_reference(kind.__name__) for kind in get_args(server_messages.ServerMessage)]
    return {
        "$schema": SCHEMA_DIALECT,
        "title": "Landfall's socket messages",
        "$defs": {
            **parts,
            **builder.definitions,
            **build_common_definitions(),
            "Command": {"anyOf": commands},
            "ServerMessage": {"anyOf": kinds},
        },
        "anyOf": [{"$ref": "#/$defs/Command"}, {"$ref": "#/$defs/ServerMessage"}],
    }


def build_openapi_document() -> dict[str, Any]:
    """The server's OpenAPI document."""
    from landfall.web.app import create_app
    from landfall.web.settings import Settings

    return create_app(Settings(database=":memory:")).openapi()


def render_all_schemas() -> str:
    """Socket messages, each game's parts of them, and REST: {"socket": …, "games": …, "openapi": …}."""
    games = {game: {"$schema": SCHEMA_DIALECT, **build_game_schema(game)} for game in BUILT_IN_GAMES}
    return json.dumps(
        {"socket": build_socket_schema(), "games": games, "openapi": build_openapi_document()},
        indent=1,
        ensure_ascii=False,
    )

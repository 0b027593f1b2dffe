"""All messages as JSON schemas: what a client's types are made from, so that none is written by hand."""

from __future__ import annotations

import json
from typing import Any, get_args

import msgspec

from landfall.games import OURS
from landfall.tables import news
from landfall.web.declared import Reader, common, schema_of
from landfall.web.encoding import COMMANDS

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema() -> dict[str, Any]:
    """A JSON schema (2020-12): `Command` is what a client sends, `News` what it is sent."""
    commands, parts = msgspec.json.schema_components(COMMANDS, ref_template="#/$defs/{name}")
    told = Reader(news)
    kinds = [told.name(kind.__name__) for kind in get_args(news.News)]
    return {
        "$schema": DIALECT,
        "title": "Landfall's socket messages",
        "$defs": {**parts, **told.found, **common(), "Command": {"anyOf": commands}, "News": {"anyOf": kinds}},
        "anyOf": [{"$ref": "#/$defs/Command"}, {"$ref": "#/$defs/News"}],
    }


def everything() -> str:
    """Socket messages, what each game tells in them, and REST: {"socket": …, "games": …, "openapi": …}."""
    from landfall.web.server import create_app
    from landfall.web.settings import Settings

    rest = create_app(Settings(database=":memory:")).openapi()
    games = {game: {"$schema": DIALECT, **schema_of(game)} for game in OURS}
    return json.dumps({"socket": schema(), "games": games, "openapi": rest}, indent=1, ensure_ascii=False)

"""The reference of messages and endpoints: the second half of docs/client.md."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, Final

from landfall.api.routes import PLAY, Access, Route
from landfall.games import BUILT_IN_GAMES
from landfall.web.codegen.message_schemas import build_openapi_document, build_socket_schema
from landfall.web.codegen.schema_from_types import build_common_definitions, build_game_schema
from landfall.web.codegen.typescript import readable_declaration, typescript_type_of

LINE_WIDTH: Final = 120
REFERENCE_INTRO: Final = """
# Reference

Types are written as in TypeScript. `?` marks what may be missing.

"""
ENDPOINTS_INTRO: Final = """
## Endpoints

Who may ask: *open* asks nobody who they are; *anybody* is with or without a name; *named* is a guest or an account;
*member* is the same, but on a server for members only an account; *host* is a host of the server. A bot's token may ask
where that is said. The types of bodies and answers follow. How often one may ask:
[hosting.md](hosting.md#rate-limits-and-quotas).
"""


def render_message_reference() -> str:
    """All declarations: commands, server messages, endpoints, and the games' parts of messages."""
    socket = build_socket_schema()["$defs"]
    sent, received = (names_of_union(socket, union) for union in ("Command", "ServerMessage"))
    parts = {name: part for name, part in socket.items() if name not in {*sent, *received, "Command", "ServerMessage"}}
    text = [
        REFERENCE_INTRO,
        "## What is sent\n\n",
        *render_types({name: socket[name] for name in sent}),
        "\n## What comes\n\n",
        *render_types({name: socket[name] for name in received}),
        "\n### Parts of messages\n\n",
        *render_types(parts),
        *render_endpoints(build_openapi_document(), socket),
    ]
    for game in BUILT_IN_GAMES:
        text += [f"\n## {game.capitalize()}\n", *render_game_reference(build_game_schema(game)["$defs"])]
    return "".join(text)


def names_of_union(defs: dict[str, Any], union: str) -> list[str]:
    """The types that a union consists of, in their order."""
    return [ref["$ref"].rsplit("/", 1)[1] if "$ref" in ref else union for ref in defs[union].get("anyOf", [{}])]


def render_types(defs: dict[str, Any]) -> list[str]:
    return ["```ts\n", *(readable_declaration(name, part, LINE_WIDTH) for name, part in defs.items()), "```\n"]


# --- endpoints ------------------------------------------------------------------------------------------------


def render_endpoints(openapi: dict[str, Any], socket: dict[str, Any]) -> Iterator[str]:
    """All documented routes by family, then the types that only they use."""
    from landfall.web.app import ROUTES

    yield ENDPOINTS_INTRO
    routes = sorted((route for route in ROUTES if not route.hidden), key=lambda route: route.tag)
    for tag, family in groupby(routes, key=lambda route: route.tag):
        yield f"\n### {tag.capitalize()}\n\n"
        for route in family:
            yield from render_endpoint(route, openapi["paths"][route.path][route.method.lower()])
    schemas = openapi["components"]["schemas"]
    yield "\n### Types of endpoints\n\n"
    yield from render_types({name: part for name, part in schemas.items() if part != socket.get(name)})


def render_endpoint(route: Route, documented: dict[str, Any]) -> Iterator[str]:
    """One route as an item of a list: what it does, who may ask, what goes in and what comes out."""
    meaning = " ".join((route.endpoint.__doc__ or "").split())
    facts = [f"Who: {', '.join(who_may_ask(route))}."]
    query = [one for one in documented.get("parameters", []) if one["in"] == "query"]
    if query:
        facts.append(f"Query: {', '.join(url_argument(one) for one in query)}.")
    if "requestBody" in documented:
        facts.append(f"Body: {type_of_content(documented['requestBody']['content'])}.")
    answer = documented["responses"][str(route.status)].get("content")
    facts.append(f"Answer: {route.status} {type_of_content(answer)}." if answer else f"Answer: {route.status}.")
    for line in (f"**`{route.method} {route.path}`** {route.summary}. {meaning}", " ".join(facts)):
        first = "- " if line.startswith("**") else "  "
        yield "\n".join(wrap(line, first, "  ")) + "\n"


def who_may_ask(route: Route) -> Iterator[str]:
    yield route.access.value
    if route.token is not None:
        yield "a token to play" if route.token == PLAY else "any token"
    if route.recent_proof:
        yield "after a recent proof"
    if route.access not in (Access.OPEN, Access.HOST) and route.open_to_banned:
        yield "also while banned"


def url_argument(parameter: dict[str, Any]) -> str:
    kind = typescript_type_of(parameter["schema"])
    words = f" ({parameter['description'].rstrip('.')})" if parameter.get("description") else ""
    return f"`{parameter['name']}{'' if parameter['required'] else '?'}: {kind}`{words}"


def type_of_content(content: dict[str, Any]) -> str:
    """The type of a JSON body, or the media type of anything else."""
    if "application/json" not in content:
        return ", ".join(f"`{media}`" for media in content)
    schema = content["application/json"].get("schema") or {}
    return f"`{typescript_type_of(schema)}`" if schema else "JSON"


def wrap(text: str, first: str, rest: str) -> Iterable[str]:
    return textwrap.wrap(
        text, LINE_WIDTH, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
    )


# --- games ----------------------------------------------------------------------------------------------------


def render_game_reference(defs: dict[str, Any]) -> Iterator[str]:
    """A game's view, events, choices, outcomes and preview, then the types they use."""
    used = {"View", "PrivateView", "Event", "Choice", "Outcome", "Preview", *build_common_definitions()}
    sections = [("View", ["View"]), ("A seat's own part of it", ["PrivateView"])]
    for title, union in (("Events", "Event"), ("Choices", "Choice"), ("Chance", "Outcome")):
        sections.append((title, names_of_union(defs, union)))
    sections.append(("Preview", ["Preview"]))
    for title, names in sections:
        used |= set(names)
        yield f"\n### {title}\n\n"
        yield from render_types({name: defs[name] for name in names})
    yield "\n### Parts of these\n\n"
    yield from render_types({name: part for name, part in defs.items() if name not in used})

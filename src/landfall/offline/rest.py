"""What is asked beside the tables' sockets, answered as a server's REST does: the same paths, bodies and refusals.

Those of people and accounts are not here: on a device there is one person. A test asks both and compares.
"""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import landfall
from landfall import guides as guided
from landfall import rulebook
from landfall.core import options as opt
from landfall.core.errors import LandfallError, OptionError
from landfall.core.record import MAX_RECORD_CHARS
from landfall.core.texts import LANGUAGES, load_catalogue
from landfall.games import GAME_NAMES
from landfall.games import game as find_game
from landfall.offline.bot_levels import OFFLINE_LEVELS
from landfall.offline.offline_server import OfflineServer
from landfall.store.rows import TableSummary
from landfall.tables.jobs.replay import replay_record, replay_to_json, seat_of
from landfall.tables.live.archive import table_position, table_record
from landfall.tables.live.hub import TableConfig
from landfall.tables.live.subscriber import Subscriber, User
from landfall.tables.log.clocks import ClockRule
from landfall.tables.log.table import OVER
from landfall.tables.protocol import text_validation
from landfall.tables.protocol.errors import Refused
from landfall.tables.teaching import puzzles, rule_diagrams

STATUS_BY_CODE: Final = {
    "no_table": 404, "no_guide": 404, "no_figure": 404, "no_puzzle": 404,
    "not_shown": 403, "owner_only": 403, "stale": 409, "rules": 409, "damaged": 409,
    "store": 503, "busy": 503, "too_large": 413, "bad_message": 422,
}  # fmt: skip
JSON_TYPE: Final = "application/json"
MAX_ERROR_CHARS: Final = 200
Response = tuple[int, str, str]  # status, type, body
Endpoint = Callable[[OfflineServer, dict[str, Any]], Awaitable[object]]
ROUTES: Final[list[tuple[str, re.Pattern[str], Endpoint]]] = []


class OfflineApi(OfflineServer):
    """A device that can be asked as a server is."""

    async def request(self, method: str, url: str, body: str | None = None) -> Response:
        """What is asked over HTTP elsewhere."""
        return await respond(self, method, url, body)


class JsonText(str):
    """An answer that is no JSON, or is JSON already."""

    kind = JSON_TYPE


class PlainText(JsonText):
    """An answer of plain text."""

    kind = "text/plain; charset=utf-8"


def route(method: str, path: str) -> Callable[[Endpoint], Endpoint]:
    """Answer a path; its {words} come as arguments, with what the query and the body say."""
    pattern = re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", path))

    def register(answer: Endpoint) -> Endpoint:
        ROUTES.append((method, pattern, answer))
        return answer

    return register


async def respond(server: OfflineServer, method: str, url: str, body: str | None) -> Response:
    """What is said to a question, whatever comes of it."""
    try:
        found = await call_endpoint(server, method, url, body)
    except LandfallError as error:
        return error_response(error)
    except (KeyError, TypeError, ValueError, RecursionError) as error:  # a body that is not what was asked for
        return error_response(Refused("bad_message", reason=f"{type(error).__name__}: {error}"[:MAX_ERROR_CHARS]))
    if isinstance(found, JsonText):
        return 200, found.kind, str(found)
    status = 204 if found is None and method == "DELETE" else 201 if method == "POST" and "/tables" in url else 200
    return status, JSON_TYPE, json.dumps(found, ensure_ascii=False, separators=(",", ":"))


async def call_endpoint(server: OfflineServer, method: str, url: str, body: str | None) -> object:
    parts = urlsplit(url)
    for wanted, pattern, answer in ROUTES:
        match = pattern.fullmatch(parts.path)
        if match and wanted == method:
            given = json.loads(body) if body else {}
            text_validation.check_plain_text(given)
            asked = {key: values[-1] for key, values in parse_qs(parts.query).items()}
            return await answer(server, {**given, **asked, **match.groupdict()})
    raise Refused("no_table")


def error_response(error: LandfallError) -> Response:
    """A refusal as an answer."""
    code = error.code if isinstance(error, Refused) else error.key.partition(".")[2]
    rule = error.rule if isinstance(error, Refused) else None
    body: dict[str, Any] = {"code": code, "key": error.key, "args": error.arguments, "rule": rule, "text": str(error)}
    if isinstance(error, OptionError):
        body["problems"] = [to_problem(found) for found in error.problems]
    return STATUS_BY_CODE.get(code, 400), JSON_TYPE, json.dumps(body, ensure_ascii=False)


def to_problem(problem: tuple[str, str, dict[str, object], str]) -> dict[str, object]:
    """Why options cannot be played so, each part by its name."""
    return dict(zip(("option", "key", "args", "text"), problem, strict=True))


# --- who ------------------------------------------------------------------------------------------------------


@route("GET", "/api/whoami")
@route("GET", "/api/me")
async def get_me(server: OfflineServer, given: dict[str, Any]) -> object:
    """The one person of this device."""
    return {"name": server.user.name, "account": False} if server.user.name else None


@route("POST", "/api/me")
async def set_name(server: OfflineServer, given: dict[str, Any]) -> object:
    """A name to be shown by."""
    server.user = User(server.user.id, text_validation.clean_name(str(given.get("name", ""))))
    return await get_me(server, {})


# --- games ----------------------------------------------------------------------------------------------------


@route("GET", "/api/games")
async def list_games(server: OfflineServer, given: dict[str, Any]) -> object:
    """The games and their options."""
    return [game_info(name) for name in GAME_NAMES]


def game_info(name: str) -> dict[str, Any]:
    game = find_game(name)
    return {
        "name": name, "rules_version": game.rules_version, "counts": list(game.player_counts),
        "colours": list(game.colours),
        "num_actions": game.num_actions, "options": [option.schema() for option in game.options],
        "guides": [one["id"] for one in guided.load_guide_book(name)["guides"]],
    }  # fmt: skip


@route("POST", "/api/games/{game}/options")
async def check_options(server: OfflineServer, given: dict[str, Any]) -> object:
    """Whether a choice of options can be played, and all that is wrong with it."""
    found, chosen = find_game(given["game"]), dict(given.get("options", {}))
    faults = opt.find_problems(found.options, found.player_counts, int(given["players"]), chosen)
    complete = {option.name: chosen.get(option.name, option.default) for option in found.options}
    return {"options": complete, "problems": [to_problem(fault) for fault in faults]}


def check_language(language: str) -> str:
    if language not in LANGUAGES:
        raise Refused("language", language=language, languages=", ".join(LANGUAGES))
    return language


@route("GET", "/api/games/{game}/rules")
async def get_rules(server: OfflineServer, given: dict[str, Any]) -> object:
    """The numbered rules of a game."""
    if given["game"] != rulebook.COMMON:
        find_game(given["game"])
    return [asdict(rule) for rule in rulebook.load_rules(given["game"], check_language(given.get("language", "en")))]


@route("GET", "/api/games/{game}/texts/{language}")
async def get_texts(server: OfflineServer, given: dict[str, Any]) -> object:
    """All sentences of a game in a language."""
    find_game(given["game"])
    language = check_language(given["language"])
    return {**load_catalogue("", language), **load_catalogue(given["game"], language)}


@route("GET", "/api/games/{game}/guides")
async def get_guides(server: OfflineServer, given: dict[str, Any]) -> object:
    """The guides of a game."""
    find_game(given["game"])
    return guided.guides_for_client(given["game"], check_language(given.get("language", "en")))


@route("GET", "/api/games/{game}/figures")
async def get_diagrams(server: OfflineServer, given: dict[str, Any]) -> object:
    """The positions beside the rules of a game."""
    return rule_diagrams.list_diagrams(given["game"], check_language(given.get("language", "en")))


@route("GET", "/api/games/{game}/figures/{rule}/why")
async def explain_diagram(server: OfflineServer, given: dict[str, Any]) -> object:
    """The rule that forbids a touch there."""
    touched = str(given.get("piece", "")), str(given.get("place", ""))
    return {"rule": rule_diagrams.explain_touch(given["game"], given["rule"], *touched)}


@route("GET", "/api/bots")
async def list_bots(server: OfflineServer, given: dict[str, Any]) -> object:
    """The bots that can be put on a chair."""
    return [{"level": level, "code": level} for level in OFFLINE_LEVELS]


# --- tables ---------------------------------------------------------------------------------------------------


def to_table_config(given: dict[str, Any]) -> TableConfig:
    clock = ClockRule(**{"mode": "none", **dict(given.get("clock", {}))})
    return TableConfig(
        str(given["game"]), int(given["players"]), dict(given.get("options", {})), clock, False,
        str(given.get("seating", "drawn")), bool(given.get("hot_seat", False)), str(given.get("pace", "normal")),
    )  # fmt: skip


def table_link(server: OfflineServer, table: str) -> dict[str, Any]:
    return {"table": table, "link": server.hub.runtime.table_link(table) or f"/t/{table}"}


@route("POST", "/api/tables")
async def create_table(server: OfflineServer, given: dict[str, Any]) -> object:
    """Make a table."""
    return table_link(server, await server.hub.create_table(server.user, to_table_config(given)))


@route("POST", "/api/tables/quick")
async def create_quick_table(server: OfflineServer, given: dict[str, Any]) -> object:
    """Play against bots at once."""
    return table_link(
        server,
        await server.hub.create_quick_table(server.user, to_table_config(given), [str(code) for code in given["bots"]]),
    )


@route("POST", "/api/tables/guided")
async def create_guided_table(server: OfflineServer, given: dict[str, Any]) -> object:
    """Play a game that is explained."""
    game, guide, bots = (str(given[key]) for key in ("game", "guide", "bots"))
    return table_link(server, await server.hub.create_guided_table(server.user, game, guide, bots))


@route("POST", "/api/tables/open")
async def open_record(server: OfflineServer, given: dict[str, Any]) -> object:
    """Open a record."""
    lines, seat = given.get("lines"), given.get("seat")
    bots = str(given.get("bots", "mackerel"))
    return table_link(server, await server.hub.create_from_record(server.user, read_record(given), lines, seat, bots))


def read_record(given: dict[str, Any]) -> str:
    record = str(given["record"])
    if len(record) > MAX_RECORD_CHARS:
        raise Refused("too_large", most=MAX_RECORD_CHARS)
    return record


@route("GET", "/api/tables")
async def list_lobby(server: OfflineServer, given: dict[str, Any]) -> object:
    """Nobody else is here."""
    return []


@route("GET", "/api/history")
async def list_history(server: OfflineServer, given: dict[str, Any]) -> object:
    """The tables of this device, the latest first."""
    before, over = given.get("before"), given.get("over")
    found = await server.store.summaries()
    if before is not None:
        found = [summary for summary in found if summary.updated < int(before)]
    if over is not None:
        found = [summary for summary in found if (summary.status == OVER) == (over == "true")]
    return [to_listing(server, summary) for summary in found[:50]]


def to_listing(server: OfflineServer, summary: TableSummary) -> dict[str, Any]:
    info, live = summary.info, server.hub.live_tables.get(summary.table)
    return {
        "table": summary.table, "game": summary.game, "status": summary.status, "public": summary.public,
        "created": summary.created,
        "updated": summary.updated, "players": info["players"], "options": info["options"], "clock": info["clock"],
        "chairs": info["chairs"], "ended": info["ended"], "ranking": info.get("ranking"),
        "you": [seat for seat, person in enumerate(info.get("people", [])) if person == server.user.id],
        "owner": summary.owner == server.user.id, "turn": live.table.actor if live else None,
        "here": len(live.connected_users()) if live else 0,
    }  # fmt: skip


@route("GET", "/api/tables/{table}")
async def get_table_view(server: OfflineServer, given: dict[str, Any]) -> object:
    """A table as its person may see it."""
    live = await server.hub.get_table(given["table"])
    subscriber = Subscriber(live, server.user, lambda text: None)
    subscriber.seat = live.viewpoint_of(subscriber)
    message = JsonText(server.hub.runtime.encode(live.welcome_message(subscriber)))
    live.drop_unwatched_views()
    return message


@route("DELETE", "/api/tables/{table}")
async def delete_table(server: OfflineServer, given: dict[str, Any]) -> object:
    """Forget a table: it is this device's own."""
    await server.delete_table(given["table"])
    return None


@route("GET", "/api/tables/{table}/record")
async def get_record(server: OfflineServer, given: dict[str, Any]) -> object:
    """The record: open when the match is over; before, what its person may not know is hidden."""
    return PlainText(await table_record(server.hub, given["table"], server.user.id))


@route("GET", "/api/tables/{table}/position")
async def get_position(server: OfflineServer, given: dict[str, Any]) -> object:
    """The position in one line, with what a report of a fault needs besides."""
    seat = int(given["seat"]) if "seat" in given else None
    found, line = await table_position(server.hub, given["table"], server.user.id, seat)
    return {
        "game": found.terms.game, "rules": found.terms.rules, "landfall": landfall.__version__,
        "engine": landfall.ENGINE, "entry": found.seq, "seat": seat, "line": line,
    }  # fmt: skip


@route("GET", "/api/tables/{table}/replay")
async def table_replay(server: OfflineServer, given: dict[str, Any]) -> object:
    """A match that is over, moment by moment."""
    live = await server.hub.get_table(given["table"])
    match = live.table.match
    if live.table.status != OVER or match is None:
        raise Refused("not_shown")
    return JsonText(replay_to_json(match.record(), seat_of(given.get("eyes", "open"), match.players)).decode())


@route("POST", "/api/replay")
async def record_replay(server: OfflineServer, given: dict[str, Any]) -> object:
    """A record, moment by moment; nothing is kept."""
    return JsonText(replay_record(read_record(given), given.get("eyes", "open")).decode())


@route("POST", "/api/tables/{table}/lookback")
@route("GET", "/api/tables/{table}/lookback")
async def get_review(server: OfflineServer, given: dict[str, Any]) -> object:
    """Looking back needs a net, and a net numpy, which is not here: a server does it for the record."""
    live = await server.hub.get_table(given["table"])
    if live.table.status != OVER or live.table.match is None:
        raise Refused("not_shown")
    raise Refused("no_review")


@route("GET", "/api/tables/{table}/chat")
async def get_chat(server: OfflineServer, given: dict[str, Any]) -> object:
    """What was said."""
    lines = await server.store.read_chat(given["table"], int(given.get("after", 0)))
    return [{"n": line.n, "at": line.at, "name": line.name, "seat": line.seat, "text": line.text} for line in lines]


# --- puzzles --------------------------------------------------------------------------------------------------


@route("GET", "/api/puzzles/{game}")
async def list_puzzles(server: OfflineServer, given: dict[str, Any]) -> object:
    """The puzzles of a game."""
    return puzzles.list_puzzles(given["game"])


@route("GET", "/api/puzzles/{game}/{puzzle}")
async def get_puzzle(server: OfflineServer, given: dict[str, Any]) -> object:
    """A puzzle laid out."""
    return puzzles.set_up_puzzle(given["game"], given["puzzle"])


@route("POST", "/api/puzzles/{game}/{puzzle}/try")
async def try_puzzle(server: OfflineServer, given: dict[str, Any]) -> object:
    """What comes of a try."""
    return puzzles.try_choice(given["game"], given["puzzle"], int(given["action"]))


@route("POST", "/api/puzzles/{game}/{puzzle}/why")
async def explain_puzzle(server: OfflineServer, given: dict[str, Any]) -> object:
    """Which rule forbids a touch."""
    piece, place = str(given.get("piece", "")), str(given.get("place", ""))
    return {"rule": puzzles.explain_refusal(given["game"], given["puzzle"], piece, place, given.get("text"))}


@route("GET", "/api/puzzles/{game}/{puzzle}/hint")
async def hint_puzzle(server: OfflineServer, given: dict[str, Any]) -> object:
    """A hint."""
    return puzzles.give_hint(given["game"], given["puzzle"], int(given.get("step", 1)))


@route("GET", "/api/puzzles/{game}/{puzzle}/solution")
async def solve_puzzle(server: OfflineServer, given: dict[str, Any]) -> object:
    """The solution."""
    return puzzles.show_solution(given["game"], given["puzzle"])

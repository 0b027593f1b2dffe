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
from landfall.core.texts import LANGUAGES, catalogue
from landfall.games import NAMES
from landfall.games import game as find_game
from landfall.local.device import Device
from landfall.local.levels import OFFERED
from landfall.store.rows import Head
from landfall.tables import figures, puzzles, writing
from landfall.tables.archive import position_of, record_of
from landfall.tables.clocks import ClockRule
from landfall.tables.errors import Refused
from landfall.tables.hub import Wish
from landfall.tables.replay import replay_record, replayed, seat_of
from landfall.tables.table import OVER
from landfall.tables.watcher import Visitor, Watcher

STATUS: Final = {
    "no_table": 404, "no_guide": 404, "no_figure": 404, "no_puzzle": 404,
    "not_shown": 403, "owner_only": 403, "stale": 409, "rules": 409, "damaged": 409,
    "store": 503, "busy": 503, "too_large": 413, "bad_message": 422,
}  # fmt: skip
JSON: Final = "application/json"
MAX_ERROR_CHARS: Final = 200
Answer = tuple[int, str, str]  # status, type, body
Way = Callable[[Device, dict[str, Any]], Awaitable[object]]
WAYS: Final[list[tuple[str, re.Pattern[str], Way]]] = []


class Here(Device):
    """A device that can be asked as a server is."""

    async def ask(self, method: str, url: str, body: str | None = None) -> Answer:
        """What is asked over HTTP elsewhere."""
        return await answered(self, method, url, body)


class Text(str):
    """An answer that is no JSON, or is JSON already."""

    kind = JSON


class Plain(Text):
    """An answer of plain text."""

    kind = "text/plain; charset=utf-8"


def way(method: str, path: str) -> Callable[[Way], Way]:
    """Answer a path; its {words} come as arguments, with what the query and the body say."""
    pattern = re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", path))

    def put(answer: Way) -> Way:
        WAYS.append((method, pattern, answer))
        return answer

    return put


async def answered(device: Device, method: str, url: str, body: str | None) -> Answer:
    """What is said to a question, whatever comes of it."""
    try:
        found = await found_by(device, method, url, body)
    except LandfallError as error:
        return faulty(error)
    except (KeyError, TypeError, ValueError, RecursionError) as error:  # a body that is not what was asked for
        return faulty(Refused("bad_message", reason=f"{type(error).__name__}: {error}"[:MAX_ERROR_CHARS]))
    if isinstance(found, Text):
        return 200, found.kind, str(found)
    status = 204 if found is None and method == "DELETE" else 201 if method == "POST" and "/tables" in url else 200
    return status, JSON, json.dumps(found, ensure_ascii=False, separators=(",", ":"))


async def found_by(device: Device, method: str, url: str, body: str | None) -> object:
    parts = urlsplit(url)
    for wanted, pattern, answer in WAYS:
        match = pattern.fullmatch(parts.path)
        if match and wanted == method:
            given = json.loads(body) if body else {}
            writing.plain(given)
            asked = {key: values[-1] for key, values in parse_qs(parts.query).items()}
            return await answer(device, {**given, **asked, **match.groupdict()})
    raise Refused("no_table")


def faulty(error: LandfallError) -> Answer:
    """A refusal as an answer."""
    code = error.code if isinstance(error, Refused) else error.key.partition(".")[2]
    rule = error.rule if isinstance(error, Refused) else None
    body: dict[str, Any] = {"code": code, "key": error.key, "args": error.arguments, "rule": rule, "text": str(error)}
    if isinstance(error, OptionError):
        body["problems"] = [named(found) for found in error.problems]
    return STATUS.get(code, 400), JSON, json.dumps(body, ensure_ascii=False)


def named(problem: tuple[str, str, dict[str, object], str]) -> dict[str, object]:
    """Why options cannot be played so, each part by its name."""
    return dict(zip(("option", "key", "args", "text"), problem, strict=True))


# --- who ------------------------------------------------------------------------------------------------------


@way("GET", "/api/whoami")
@way("GET", "/api/me")
async def me(device: Device, given: dict[str, Any]) -> object:
    """The one person of this device."""
    return {"name": device.me.name, "account": False} if device.me.name else None


@way("POST", "/api/me")
async def take_name(device: Device, given: dict[str, Any]) -> object:
    """A name to be shown by."""
    device.me = Visitor(device.me.id, writing.name(str(given.get("name", ""))))
    return await me(device, {})


# --- games ----------------------------------------------------------------------------------------------------


@way("GET", "/api/games")
async def games(device: Device, given: dict[str, Any]) -> object:
    """The games and their options."""
    return [game_info(name) for name in NAMES]


def game_info(name: str) -> dict[str, Any]:
    game = find_game(name)
    return {
        "name": name, "rules_version": game.rules_version, "counts": list(game.counts), "colours": list(game.colours),
        "num_actions": game.num_actions, "options": [option.schema() for option in game.options],
        "guides": [one["id"] for one in guided.book(name)["guides"]],
    }  # fmt: skip


@way("POST", "/api/games/{game}/options")
async def game_options(device: Device, given: dict[str, Any]) -> object:
    """Whether a choice of options can be played, and all that is wrong with it."""
    found, chosen = find_game(given["game"]), dict(given.get("options", {}))
    faults = opt.problems(found.options, found.counts, int(given["players"]), chosen)
    complete = {option.name: chosen.get(option.name, option.default) for option in found.options}
    return {"options": complete, "problems": [named(fault) for fault in faults]}


def spoken(language: str) -> str:
    if language not in LANGUAGES:
        raise Refused("language", language=language, languages=", ".join(LANGUAGES))
    return language


@way("GET", "/api/games/{game}/rules")
async def game_rules(device: Device, given: dict[str, Any]) -> object:
    """The numbered rules of a game."""
    if given["game"] != rulebook.COMMON:
        find_game(given["game"])
    return [asdict(rule) for rule in rulebook.rules(given["game"], spoken(given.get("language", "en")))]


@way("GET", "/api/games/{game}/texts/{language}")
async def game_texts(device: Device, given: dict[str, Any]) -> object:
    """All sentences of a game in a language."""
    find_game(given["game"])
    language = spoken(given["language"])
    return {**catalogue("", language), **catalogue(given["game"], language)}


@way("GET", "/api/games/{game}/guides")
async def guides(device: Device, given: dict[str, Any]) -> object:
    """The guides of a game."""
    find_game(given["game"])
    return guided.shown(given["game"], spoken(given.get("language", "en")))


@way("GET", "/api/games/{game}/figures")
async def all_figures(device: Device, given: dict[str, Any]) -> object:
    """The positions beside the rules of a game."""
    return figures.shown(given["game"], spoken(given.get("language", "en")))


@way("GET", "/api/games/{game}/figures/{rule}/why")
async def why_not(device: Device, given: dict[str, Any]) -> object:
    """The rule that forbids a touch there."""
    touched = str(given.get("piece", "")), str(given.get("place", ""))
    return {"rule": figures.why(given["game"], given["rule"], *touched)}


@way("GET", "/api/bots")
async def bots(device: Device, given: dict[str, Any]) -> object:
    """The bots that can be put on a chair."""
    return [{"level": level, "code": level} for level in OFFERED]


# --- tables ---------------------------------------------------------------------------------------------------


def wish_of(given: dict[str, Any]) -> Wish:
    clock = ClockRule(**{"mode": "none", **dict(given.get("clock", {}))})
    return Wish(
        str(given["game"]), int(given["players"]), dict(given.get("options", {})), clock, False,
        str(given.get("seating", "drawn")), bool(given.get("hot_seat", False)), str(given.get("pace", "normal")),
    )  # fmt: skip


def put_up(device: Device, table: str) -> dict[str, Any]:
    return {"table": table, "link": device.hub.env.link(table) or f"/t/{table}"}


@way("POST", "/api/tables")
async def create(device: Device, given: dict[str, Any]) -> object:
    """Make a table."""
    return put_up(device, await device.hub.create(device.me, wish_of(given)))


@way("POST", "/api/tables/quick")
async def quick(device: Device, given: dict[str, Any]) -> object:
    """Play against bots at once."""
    return put_up(device, await device.hub.quick(device.me, wish_of(given), [str(code) for code in given["bots"]]))


@way("POST", "/api/tables/guided")
async def guided_table(device: Device, given: dict[str, Any]) -> object:
    """Play a game that is explained."""
    game, guide, bots = (str(given[key]) for key in ("game", "guide", "bots"))
    return put_up(device, await device.hub.guided(device.me, game, guide, bots))


@way("POST", "/api/tables/open")
async def reopen(device: Device, given: dict[str, Any]) -> object:
    """Open a record."""
    lines, seat = given.get("lines"), given.get("seat")
    bots = str(given.get("bots", "mackerel"))
    return put_up(device, await device.hub.reopen(device.me, record_in(given), lines, seat, bots))


def record_in(given: dict[str, Any]) -> str:
    record = str(given["record"])
    if len(record) > MAX_RECORD_CHARS:
        raise Refused("too_large", most=MAX_RECORD_CHARS)
    return record


@way("GET", "/api/tables")
async def lobby(device: Device, given: dict[str, Any]) -> object:
    """Nobody else is here."""
    return []


@way("GET", "/api/history")
async def history(device: Device, given: dict[str, Any]) -> object:
    """The tables of this device, the latest first."""
    before, over = given.get("before"), given.get("over")
    found = await device.store.heads()
    if before is not None:
        found = [head for head in found if head.updated < int(before)]
    if over is not None:
        found = [head for head in found if (head.status == OVER) == (over == "true")]
    return [listed(device, head) for head in found[:50]]


def listed(device: Device, head: Head) -> dict[str, Any]:
    info, live = head.info, device.hub.live_tables.get(head.table)
    return {
        "table": head.table, "game": head.game, "status": head.status, "public": head.public, "created": head.created,
        "updated": head.updated, "players": info["players"], "options": info["options"], "clock": info["clock"],
        "chairs": info["chairs"], "ended": info["ended"], "ranking": info.get("ranking"),
        "you": [seat for seat, person in enumerate(info.get("people", [])) if person == device.me.id],
        "owner": head.owner == device.me.id, "turn": live.table.actor if live else None,
        "here": len(live.here()) if live else 0,
    }  # fmt: skip


@way("GET", "/api/tables/{table}")
async def look(device: Device, given: dict[str, Any]) -> object:
    """A table as its person may see it."""
    live = await device.hub.live(given["table"])
    watcher = Watcher(live, device.me, lambda text: None)
    watcher.seat = live.eyes(watcher)
    told = Text(device.hub.env.encode(live.welcome(watcher)))
    live.forget_unwatched()
    return told


@way("DELETE", "/api/tables/{table}")
async def remove(device: Device, given: dict[str, Any]) -> object:
    """Forget a table: it is this device's own."""
    await device.forget(given["table"])
    return None


@way("GET", "/api/tables/{table}/record")
async def record(device: Device, given: dict[str, Any]) -> object:
    """The record: open when the match is over; before, what its person may not know is hidden."""
    return Plain(await record_of(device.hub, given["table"], device.me.id))


@way("GET", "/api/tables/{table}/position")
async def position(device: Device, given: dict[str, Any]) -> object:
    """The position in one line, with what a report of a fault needs besides."""
    seat = int(given["seat"]) if "seat" in given else None
    found, line = await position_of(device.hub, given["table"], device.me.id, seat)
    return {
        "game": found.terms.game, "rules": found.terms.rules, "landfall": landfall.__version__,
        "engine": landfall.ENGINE, "entry": found.seq, "seat": seat, "line": line,
    }  # fmt: skip


@way("GET", "/api/tables/{table}/replay")
async def table_replay(device: Device, given: dict[str, Any]) -> object:
    """A match that is over, moment by moment."""
    live = await device.hub.live(given["table"])
    match = live.table.match
    if live.table.status != OVER or match is None:
        raise Refused("not_shown")
    return Text(replayed(match.record(), seat_of(given.get("eyes", "open"), match.players)).decode())


@way("POST", "/api/replay")
async def record_replay(device: Device, given: dict[str, Any]) -> object:
    """A record, moment by moment; nothing is kept."""
    return Text(replay_record(record_in(given), given.get("eyes", "open")).decode())


@way("POST", "/api/tables/{table}/lookback")
@way("GET", "/api/tables/{table}/lookback")
async def lookback(device: Device, given: dict[str, Any]) -> object:
    """Looking back needs a net, and a net numpy, which is not here: a server does it for the record."""
    live = await device.hub.live(given["table"])
    if live.table.status != OVER or live.table.match is None:
        raise Refused("not_shown")
    raise Refused("no_lookback")


@way("GET", "/api/tables/{table}/chat")
async def chat(device: Device, given: dict[str, Any]) -> object:
    """What was said."""
    lines = await device.store.chat(given["table"], int(given.get("after", 0)))
    return [{"n": line.n, "at": line.at, "name": line.name, "seat": line.seat, "text": line.text} for line in lines]


# --- puzzles --------------------------------------------------------------------------------------------------


@way("GET", "/api/puzzles/{game}")
async def puzzle_list(device: Device, given: dict[str, Any]) -> object:
    """The puzzles of a game."""
    return puzzles.listed(given["game"])


@way("GET", "/api/puzzles/{game}/{puzzle}")
async def puzzle_laid(device: Device, given: dict[str, Any]) -> object:
    """A puzzle laid out."""
    return puzzles.laid(given["game"], given["puzzle"])


@way("POST", "/api/puzzles/{game}/{puzzle}/try")
async def puzzle_tried(device: Device, given: dict[str, Any]) -> object:
    """What comes of a try."""
    return puzzles.tried(given["game"], given["puzzle"], int(given["action"]))


@way("POST", "/api/puzzles/{game}/{puzzle}/why")
async def puzzle_why(device: Device, given: dict[str, Any]) -> object:
    """Which rule forbids a touch."""
    piece, place = str(given.get("piece", "")), str(given.get("place", ""))
    return {"rule": puzzles.why_not(given["game"], given["puzzle"], piece, place, given.get("text"))}


@way("GET", "/api/puzzles/{game}/{puzzle}/hint")
async def puzzle_hint(device: Device, given: dict[str, Any]) -> object:
    """A hint."""
    return puzzles.hinted(given["game"], given["puzzle"], int(given.get("step", 1)))


@way("GET", "/api/puzzles/{game}/{puzzle}/solution")
async def puzzle_solution(device: Device, given: dict[str, Any]) -> object:
    """The solution."""
    return puzzles.solved(given["game"], given["puzzle"])

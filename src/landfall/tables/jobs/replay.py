"""A replay: the view of a seat, a spectator, or an omniscient reader after each log line.

Slow for a whole match, so a server runs it in a worker; input and output are text.
"""

import json
from typing import Any, Literal, NotRequired, TypedDict, cast

from landfall.core import match_record as rec
from landfall.core.json_patch import make_patch
from landfall.core.message_types import GameEvent, View
from landfall.match import OMNISCIENT, Match, can_read, visible_events
from landfall.tables.protocol import text_validation
from landfall.tables.protocol.errors import Refused


class Moment(TypedDict):
    """One log line: the actor (-1: chance), its notation, the patch of the view, its events."""

    actor: int
    line: str
    patch: dict[str, Any]
    events: NotRequired[list[GameEvent]]


class Replay(TypedDict):
    """The view before the first line, then every moment. `seat` is -1 if everything is shown."""

    t: Literal["replay"]
    game: str
    rules: int
    players: int
    options: dict[str, Any]
    seats: list[str]
    seat: int | None
    view: View
    moments: list[Moment]


def view_as_seat_or_omniscient(match: Match, seat: int | None) -> View:
    """The view of a seat or spectator. For OMNISCIENT a spectator's, with each seat's private view under `own`."""
    if seat != OMNISCIENT:
        return match.view(seat)
    own = [match.state.private_part_of_view(n, reveal=True) for n in range(match.players)]
    return cast("View", {**match.view(None), "own": own})


def build_replay(match: Match, seat: int | None) -> Replay:
    """The whole match as `seat` saw it at the time; OMNISCIENT: everything."""
    again = match.copy_at_start()
    first = before = view_as_seat_or_omniscient(again, seat)
    moments: list[Moment] = []
    for entry in match.log:
        count = len(again.state.events or [])
        again.apply_and_log(entry.action)
        after = view_as_seat_or_omniscient(again, seat)
        readable = not entry.secret or can_read(again.state, seat, entry.secret)
        line = entry.text if readable else entry.masked
        moment: Moment = {"actor": int(entry.actor), "line": line, "patch": make_patch(before, after)}
        if events := visible_events(again.state, seat, count, numbered=False):
            moment["events"] = events
        moments.append(moment)
        before = after
    return {
        "t": "replay", "game": match.game.name, "rules": match.game.rules_version, "players": match.players,
        "options": match.options, "seats": match.seats, "seat": -1 if seat == OMNISCIENT else seat, "view": first,
        "moments": moments,
    }  # fmt: skip


def record_to_replay_json(record: str, seat: int | None) -> bytes:
    """The replay of a record as JSON; RecordError says what is wrong with it."""
    return json.dumps(build_replay(Match.replay(record), seat), ensure_ascii=False, separators=(",", ":")).encode()


def parse_replay_viewpoint(eyes: str | int, players: int) -> int | None:
    """The reader that a text names: a seat, a spectator, or an omniscient one (`open`)."""
    if isinstance(eyes, str) and not eyes.isdecimal():
        return OMNISCIENT if eyes == "open" else None
    if not 0 <= int(eyes) < players:
        raise Refused("no_chair", chair=int(eyes))
    return int(eyes)


def untrusted_record_to_replay_json(record: str, eyes: str | int) -> bytes:
    """The replay of an untrusted record as JSON; its names are checked first."""
    found = rec.parse_record(record)
    for name in found.seats:
        text_validation.require_displayable_seat_name(name)
    return record_to_replay_json(record, parse_replay_viewpoint(eyes, found.players))

"""Notifications in words: a title and a body in the reader's language, of public facts alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

from landfall.core.languages import join_names
from landfall.core.text_catalogue import game_title, join_with_list_comma, translate
from landfall.store.row_types import Notice, TableSummary
from landfall.tables.log.table import GATHERING
from landfall.tables.notifications.table_notices import INVITATION, KINDS, MATCH_OVER, REPORT, START, TOURNAMENT, TURN

HOUR_MS = 3_600_000
DAYS_FROM_HOURS = 48  # from two days on, what is left is said in days


@dataclass(frozen=True)
class Message:
    """What one device or address receives."""

    kind: str
    title: str
    body: str
    tag: str  # a later message with the same tag replaces it
    path: str  # where a tap leads
    keys: tuple[str, ...]  # the notices that it covers
    expires: int | None = None  # when it is of no use any more


def format_time_left(language: str, ms: int) -> str:
    """How much time is left, in a sentence."""
    hours = ms // HOUR_MS
    if hours < 1:
        return translate(language, "notify.left.short")
    if hours >= DAYS_FROM_HOURS:
        return translate(language, "notify.left.days", {"n": hours // 24})
    return translate(language, "notify.left.hours", {"n": hours})


def join_sentences(language: str, *sentences: str) -> str:
    """Sentences one after another, with the language's space."""
    said = [sentence for sentence in sentences if sentence]
    return reduce(lambda a, b: translate(language, "list.sentences", {"a": a, "b": b}), said) if said else ""


def person_name_at_seat(table: TableSummary, seat: int) -> str:
    """A person's name at a table; "" for bots, and for who was deleted."""
    people, names = table.info.get("people", []), table.info.get("chairs", [])
    return str(names[seat]) if seat < len(names) and people[seat] is not None else ""


def compose_notice_message(
    language: str, notice: Notice, tables: Mapping[str, TableSummary], names: Mapping[str, str], now: int
) -> Message | None:
    """A notice in words; None if what it is about is gone. `names` are of the users who caused one."""
    table, data = tables.get(notice.topic), notice.data
    path, expires = str(data.get("path") or f"/t/{notice.topic}"), data.get("deadline")
    if notice.kind in (TURN, START, MATCH_OVER) and table is None:
        return None
    game = game_title(language, str(data.get("game") or (table.game if table is not None else "")))
    title, body = translate(language, f"notify.{notice.kind}"), ""
    if notice.kind == TURN and table is not None:
        title = translate(language, "notify.turn", {"game": game})
        by = person_name_at_seat(table, data["by"]) if "by" in data else ""
        moved = translate(language, "notify.moved", {"name": by}) if by else ""
        body = join_sentences(language, moved, format_time_left(language, expires - now) if expires is not None else "")
    elif notice.kind == START and table is not None:
        people = table.info.get("people", [])
        others = [person_name_at_seat(table, seat) for seat, person in enumerate(people) if person != notice.person]
        named = join_names(language, [name for name in others if name])
        body = translate(language, "notify.start.body", {"game": game, "names": named}) if named else game
    elif notice.kind == MATCH_OVER:
        key = "notify.over.place" if "place" in data else "notify.over.body"
        body = translate(language, key, {"game": game, **data})
    elif notice.kind == INVITATION:
        name = names.get(notice.other or "")
        if name is None or table is None or table.status != GATHERING:
            return None
        title = translate(language, "notify.invitation", {"name": name})
        body = translate(language, "notify.invitation.body", {"game": game, "players": data.get("players", 0)})
    elif notice.kind == TOURNAMENT:
        title, body = str(data["name"]), translate(language, f"notify.tournament.{data['what']}", data)
    elif notice.kind == REPORT:
        body = translate(language, "notify.report.body", {"name": str(data["name"])})
    elif notice.kind not in KINDS:
        body, path = translate(language, f"notify.{notice.kind}.body"), "/me/notifications"
    return Message(notice.kind, title, body, f"{notice.kind} {notice.topic}", path, (notice.key,), expires)


def compose_messages_joining_turns(
    language: str, notices: Sequence[Notice], tables: Mapping[str, TableSummary], names: Mapping[str, str], now: int
) -> list[Message]:
    """Notices in words; several tables that wait become one message."""
    found = [compose_notice_message(language, notice, tables, names, now) for notice in notices]
    messages = [message for message in found if message is not None]
    turns = [message for message in messages if message.kind == TURN]
    if len(turns) < 2:
        return messages
    games = dict.fromkeys(game_title(language, tables[n.topic].game) for n in notices if n.kind == TURN)
    title = translate(language, "notify.turns", {"n": len(turns)})
    keys = tuple(key for message in turns for key in message.keys)
    deadlines = [message.expires for message in turns if message.expires is not None]
    expires = max(deadlines) if len(deadlines) == len(turns) else None
    whole = Message(TURN, title, join_with_list_comma(language, games), f"{TURN} *", "/", keys, expires)
    return [whole, *(message for message in messages if message.kind != TURN)]

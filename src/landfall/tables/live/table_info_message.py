"""Everything about a table but the position, as subscribers receive it."""

from __future__ import annotations

from typing import Any

from landfall.tables.log.table import Chair, Proposal, Table, public_handle
from landfall.tables.protocol.server_messages import ChairInfo, TableInfo
from landfall.tables.ratings.rate_match import describe_rating_changes


def build_table_info(table: Table, connected: set[str], watching: int, link: str | None) -> TableInfo:
    """The complete message: with connected users, the number of subscribers, and the table's link."""
    terms, clock = table.terms, table.terms.clock
    message: TableInfo = {
        "t": "table", "n": table.seq, "id": table.id, "game": terms.game, "rules": terms.rules,
        "players": terms.players, "options": terms.options, "status": table.status,
        "chairs": [build_chair_info(chair, seat, table, connected) for seat, chair in enumerate(table.chairs)],
        "owner": public_handle(terms.owner, table.id),
        "clock": {"mode": clock.mode, "turn": clock.turn, "bank": clock.bank, "days": clock.days},
    }  # fmt: skip
    if terms.public:
        message["public"] = True
    if terms.rated:
        message["rated"] = True
        if table.unrated_reason:
            message["unrated"] = table.unrated_reason
    if table.rating is not None:
        message["ratings"] = describe_rating_changes(table.rating)
    if not terms.hints:
        message["hints"] = False
    if terms.tournament is not None:
        message["tournament"] = terms.tournament
    if terms.hot_seat:
        message["hot_seat"] = True
    if table.ended is not None:
        message["ended"] = table.ended
        if table.ended != "finished" and table.match is not None:
            message["scores"] = table.match.state.scores()
    if table.paused:
        message["paused"] = True
    if table.paused_by_agreement:
        message["rests"] = True
    if table.proposal is not None:
        message["proposal"] = build_proposal_info(table, table.proposal)
    if terms.previous is not None:
        message["previous"] = terms.previous
    if table.successor is not None:
        message["successor"] = table.successor
    if table.successor_by is not None:
        message["successor_by"] = table.successor_by
    if watching:
        message["watching"] = watching
    if table.muted:
        message["muted"] = sorted(public_handle(person, table.id) for person in table.muted)
    if link is not None:
        message["link"] = link
    return message


def build_chair_info(chair: Chair, seat: int, table: Table, connected: set[str]) -> ChairInfo:
    """One chair."""
    message: ChairInfo = {"name": chair.name} if chair.name else {}
    if chair.bot is not None:
        message["bot"] = chair.bot
    if chair.person:
        message["who"] = public_handle(chair.person, table.id)
    if chair.author is not None:
        message["online_bot"] = True
    if chair.colour is not None:
        message["colour"] = chair.colour
    if chair.away_reason is not None:
        message["away"] = chair.away_reason
    if chair.person in connected:
        message["here"] = True
    if chair.reserved_for is not None:
        message["kept"] = True
    if chair.places_automatically:
        message["arranging"] = True
    away = [[since, until] for since, until in table.clocks.holidays.get(seat, {}).items() if until > table.last_at]
    if away:
        message["holiday"] = min(away)
    return message


def build_proposal_info(table: Table, proposal: Proposal) -> dict[str, Any]:
    """A proposal, and who has agreed."""
    waiting = table.required_voters(proposal.what, proposal.kept_lines) - proposal.agreed
    return {
        "what": proposal.what,
        "by": public_handle(proposal.by, table.id),
        "agreed": sorted(public_handle(person, table.id) for person in proposal.agreed),
        "waiting": sorted(public_handle(person, table.id) for person in waiting),
    }

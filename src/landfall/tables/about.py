"""All about a table but the position, as its watchers are told."""

from __future__ import annotations

from typing import Any

from landfall.tables.news import ChairNews, TableNews
from landfall.tables.table import NORMAL, Chair, Proposal, Table, handle


def about(table: Table, here: set[str], watching: int, link: str | None) -> TableNews:
    """The whole of it: with who is connected, how many look, and where people find the table."""
    terms, clock = table.terms, table.terms.clock
    told: TableNews = {
        "t": "table", "n": table.seq, "id": table.id, "game": terms.game, "rules": terms.rules,
        "players": terms.players, "options": terms.options, "status": table.status,
        "chairs": [seated(chair, table.id, here) for chair in table.chairs], "owner": handle(terms.owner, table.id),
        "clock": {"mode": clock.mode, "turn": clock.turn, "bank": clock.bank, "days": clock.days},
    }  # fmt: skip
    if terms.public:
        told["public"] = True
    if terms.hot_seat:
        told["hot_seat"] = True
    if table.pace != NORMAL:
        told["pace"] = table.pace
    if table.ended is not None:
        told["ended"] = table.ended
        if table.ended != "finished" and table.match is not None:
            told["scores"] = table.match.state.scores()
    if table.paused:
        told["paused"] = True
    if table.rests:
        told["rests"] = True
    if table.proposal is not None:
        told["proposal"] = proposed(table, table.proposal)
    if terms.previous is not None:
        told["previous"] = terms.previous
    if table.successor is not None:
        told["successor"] = table.successor
    if table.successor_by is not None:
        told["successor_by"] = table.successor_by
    if watching:
        told["watching"] = watching
    if table.muted:
        told["muted"] = sorted(handle(person, table.id) for person in table.muted)
    if link is not None:
        told["link"] = link
    return told


def seated(chair: Chair, table: str, here: set[str]) -> ChairNews:
    """One chair."""
    told: ChairNews = {"name": chair.name} if chair.name else {}
    if chair.bot is not None:
        told["bot"] = chair.bot
    if chair.person:
        told["who"] = handle(chair.person, table)
    if chair.colour is not None:
        told["colour"] = chair.colour
    if chair.away is not None:
        told["away"] = chair.away
    if chair.person in here:
        told["here"] = True
    if chair.kept is not None:
        told["kept"] = True
    if chair.arranging:
        told["arranging"] = True
    return told


def proposed(table: Table, proposal: Proposal) -> dict[str, Any]:
    """What all are asked to agree to, and who did."""
    waiting = table.voters(proposal.what, proposal.to) - proposal.agreed
    return {
        "what": proposal.what,
        "by": handle(proposal.by, table.id),
        "agreed": sorted(handle(person, table.id) for person in proposal.agreed),
        "waiting": sorted(handle(person, table.id) for person in waiting),
    }

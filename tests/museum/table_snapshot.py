"""What is found at a table of the museum: written down when it was made, compared whenever it is opened."""

from __future__ import annotations

from typing import Any, Final

from landfall.store.row_types import ChatLine, TableSummary
from landfall.tables.log.table import OVER, Table

CHAIR: Final = {"person": "person", "name": "name", "bot": "bot", "colour": "colour", "away": "away_reason"}
"""What was written down of a chair, and the field it is today."""


def snapshot_of_table(table: Table, head: TableSummary, chat: list[ChatLine]) -> dict[str, Any]:
    """All of a table that must outlast any change of the code, as plain values."""
    match = table.match
    over = table.status == OVER
    return {
        "game": table.terms.game,
        "players": table.terms.players,
        "options": table.terms.options,
        "public": table.terms.public,
        "owner": table.terms.owner,
        "hot_seat": table.terms.hot_seat,
        "previous": table.terms.previous,
        "successor": table.successor,
        "status": table.status,
        "ended": table.ended,
        "paused": table.paused,
        "rests": table.paused_by_agreement,
        "seq": table.seq,
        "version": table.version,
        "actor": table.actor,
        "chairs": [{name: getattr(chair, field) for name, field in CHAIR.items()} for chair in table.chairs],
        "banned": sorted(table.banned),
        "muted": sorted(table.muted),
        "proposal": table.proposal.what if table.proposal else None,
        "deadline": table.clocks.actor_deadline(),
        "listed": {"status": head.status, "ended": head.info["ended"], "deadline": head.deadline},
        "digest": match.state.digest() if match else None,
        "ranking": match.state.ranking() if match and over else None,
        "record": match.record() if match and over else match.record(None) if match else None,
        "chat": [[line.name, line.seat, line.text] for line in chat],
    }

"""A new table from the record of a match. Parsing a stranger's record may take long, so it runs in a worker process."""

from dataclasses import dataclass
from typing import Any

from landfall.core.rng import Rng
from landfall.core.state import OVER
from landfall.match import Match
from landfall.tables.protocol import text_validation


@dataclass(frozen=True)
class ImportedRecord:
    """What a table needs from a record."""

    game: str
    players: int
    options: dict[str, Any]
    names: list[str]
    position: str | None
    public_position: str | None  # the same, as everyone may read it
    lines: list[str]
    record: str
    over: bool


def import_record(record: str, max_lines: int | None, seed: int) -> ImportedRecord:
    """Check a record, or its first lines, and draw the chance outcomes that are due then.

    RecordError says what is wrong with it.
    """
    match = Match.replay(record)
    if max_lines is not None:
        match = match.copy_rewound_to(max_lines)
        match.rng = Rng(seed)
        match.resolve_chance()
    names = [
        text_validation.require_displayable_seat_name(name)
        for name in (match.seats + [""] * match.players)[: match.players]
    ]
    return ImportedRecord(
        game=match.game.name,
        players=match.players,
        options=match.options,
        names=names,
        position=match.position,
        public_position=match.custom_start_text(None),
        lines=match.log_lines(),
        record=match.record(),
        over=match.actor == OVER,
    )

"""Previews the clock, before the last die is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from landfall.games.atlandice.rules import rounds
from landfall.games.atlandice.rules.board import SECTOR_NAMES, SECTORS, Sector
from landfall.games.atlandice.rules.components import icon_name
from landfall.games.atlandice.rules.phases import DIE, DONATE

if TYPE_CHECKING:
    from landfall.games.atlandice.rules.message_types import ClockAfter, Preview
    from landfall.games.atlandice.rules.message_types import Sector as SectorName
    from landfall.games.atlandice.rules.position import AtlandicePosition


def preview_clock(s: AtlandicePosition) -> Preview:
    """Where the clock would go if the last die were one of those in each sector."""
    if s.phase < DIE or s.phase >= DONATE:
        return {}
    out: dict[SectorName, ClockAfter] = {}
    last = len(s.icons) - 1
    for sector in range(SECTORS):
        if s.dice[sector] > 0:
            to = int(s.hand if s.hand == last else rounds.clock_space_if_last_die_in_sector(s, Sector(sector)))
            moved = to != s.hand
            icon = icon_name(int(s.icons[to])) if moved else None
            out[SECTOR_NAMES[sector]] = {"to": to, "icon": icon, "ends": to == last}
    return {"clock": out}

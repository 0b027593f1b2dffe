"""Previews the clock, before the last die is known."""

from __future__ import annotations

from landfall.games.atlandice.rules import board, message_types, phases, rounds
from landfall.games.atlandice.rules.components import icon_name
from landfall.games.atlandice.rules.position import AtlandicePosition


def preview_clock(s: AtlandicePosition) -> message_types.Preview:
    """Where the clock would go if the last die were one of those in each sector."""
    if s.phase < phases.DIE or s.phase >= phases.DONATE:
        return {}
    out: dict[message_types.Sector, message_types.ClockAfter] = {}
    last = len(s.icons) - 1
    for sector in range(board.SECTORS):
        if s.dice[sector] > 0:
            to = int(s.hand if s.hand == last else rounds.clock_space_if_last_die_in_sector(s, board.Sector(sector)))
            moved = to != s.hand
            icon = icon_name(int(s.icons[to])) if moved else None
            out[board.SECTOR_NAMES[sector]] = {"to": to, "icon": icon, "ends": to == last}
    return {"clock": out}

"""Actions in words for clients, and as notation: d3 dives by 3, u1 comes up for a 1, +2 draws a 2, s0 drifts to 0."""

from __future__ import annotations

import re
from typing import Final

from landfall.core.errors import NotationError
from landfall_pearls.actions import DIVE, DRAWN, DRIFT, SURFACE, parts
from landfall_pearls.components import DRIFTS, VALUES
from landfall_pearls.message_types import Choice, Outcome

SIGNS: Final = {DIVE: "d", SURFACE: "u", DRAWN: "+", DRIFT: "s"}
WRITTEN: Final = re.compile(r"([du+s])(\d)")


def action_to_dict(action: int) -> Choice | Outcome:
    sort, number = parts(action)
    if sort == DIVE:
        return {"verb": "dive", "card": number}
    if sort == SURFACE:
        return {"verb": "surface", "card": number}
    return {"verb": "draw", "card": number} if sort == DRAWN else {"verb": "drift", "depth": number}


def notation(action: int) -> str:
    sort, number = parts(action)
    return f"{SIGNS[sort]}{number}"


def parse(text: str) -> int:
    found = WRITTEN.fullmatch(text.strip().lower())
    if found:
        sort = next(sort for sort, sign in SIGNS.items() if sign == found[1])
        number = int(found[2])
        if sort == DRIFT and number < DRIFTS:
            return DRIFT + number
        if sort != DRIFT and 1 <= number <= VALUES:
            return sort + number - 1
    raise NotationError(text, "d, u, + or s and a number, as d3")

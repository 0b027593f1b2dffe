"""All that a seat may see, as JSON. Everything else is left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from landfall.core.state import OVER
from landfall_pearls.message_types import PrivateView, View
from landfall_pearls.picture import picture, pieces, spots
from landfall_pearls.position import PHASES, PearlsPosition, held

if TYPE_CHECKING:
    from landfall.core.message_types import Rank


def view(s: PearlsPosition, seat: int | None, ranking: list[Rank]) -> View:
    """For a seat, or a spectator (None)."""
    players = int(s.players)
    shown: View = {
        "game": "pearls",
        "players": players,
        "actor": int(s.actor),
        "phase": PHASES[s.phase],
        "ask": f"ask.{PHASES[s.phase]}",
        "turn": s.seat,
        "depth": s.depth,
        "storm": bool(s.storm),
        "deck": sum(s.deck),
        "cards": [sum(held(s, other)) for other in range(players)],
        "scores": s.pearls[:],
    }
    if seat is not None:
        shown["hand"] = [value + 1 for value, n in enumerate(held(s, seat)) for _ in range(n)]
    if s.actor == OVER:
        shown["ranking"] = ranking
    shown["picture"] = picture(shown)
    shown["pieces"] = pieces(s.depth)
    if "hand" in shown:
        shown["spots"] = spots(s.depth, shown["hand"])
    return shown


def private_part_of_view(shown: View) -> PrivateView:
    """The part of a view that may differ from a spectator's."""
    found: PrivateView = {"picture": shown["picture"]}
    if "hand" in shown:
        found["hand"] = shown["hand"]
        found["spots"] = shown["spots"]
    return found

"""Actions and chance outcomes as data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from landfall.games.atlantis.rules import gaps, movement
from landfall.games.atlantis.rules.action_encoding import (
    BRIDGE,
    BUY,
    NO_BRIDGE,
    PAY_CARD,
    PAY_TILE,
    PLAY,
    SHOW,
    TILE,
    action_family,
    figure_of_played_card,
    kind_of_played_card,
)
from landfall.games.atlantis.rules.board import MAINLAND, format_place
from landfall.games.atlantis.rules.components import (
    FIGURE_NAMES,
    FIGURES,
    KINDS,
    Face,
    Kind,
    count_cards_bought_with_face,
    face_to_event_fields,
)
from landfall.games.atlantis.rules.phases import HOPPING, START

if TYPE_CHECKING:
    from landfall.games.atlantis.rules.message_types import Choice, Outcome, PlayCard
    from landfall.games.atlantis.rules.position import AtlantisPosition


def describe_action(s: AtlantisPosition, action: int) -> Choice | Outcome:
    """One action or outcome: its verb and the arguments of the sentence `act.<verb>`."""
    sort = int(action_family(action))
    part = action - sort
    if sort == PLAY:
        return describe_card_play(s, int(figure_of_played_card(part)), int(kind_of_played_card(part)))
    if sort == PAY_CARD:
        return {"verb": "pay_card", "card": KINDS[part], "left": int(s.bill - s.paid)}
    if sort == PAY_TILE:
        return {"verb": "pay_tile", **face_to_event_fields(Face(part)), "left": int(s.bill - s.paid)}
    if sort == BUY:
        return {
            "verb": "buy",
            **face_to_event_fields(Face(part)),
            "cards": int(count_cards_bought_with_face(Face(part))),
        }
    if sort == BRIDGE:
        end = int(gaps.last_position_of_gap(s, part))
        price = int(gaps.gap_price(s, part, end)) if end >= 0 else 0
        return {"verb": "bridge", "at": part + 1, "to": end + 1, "price": price}
    if sort == SHOW:
        return {"verb": "show"}
    if sort == NO_BRIDGE:
        return {"verb": "no_bridge"}
    if sort == TILE:
        return {"verb": "turn_up", **face_to_event_fields(Face(part)), "at": int(s.spot) + 1}
    return {"verb": "draw", "seat": int(s.seat), "card": KINDS[part]}


def describe_card_play(s: AtlantisPosition, figure: int, kind: int) -> PlayCard:
    """A card played with a figure: where it leads, whether that is occupied, what the way costs so far."""
    at = s.figure_at[s.seat * FIGURES + figure]
    target: i64 = MAINLAND if at == MAINLAND else movement.nearest_tile_of_kind_ahead(s, at, Kind(kind))
    origin = s.origin if s.phase == HOPPING else at
    occupied = target != MAINLAND and s.occupant[target] >= 0
    bill = int(gaps.crossing_price(s, origin, target)) if s.phase == START or s.phase == HOPPING else 0
    return {
        "verb": "hop" if occupied else "move_pay" if bill else "move",
        "figure": FIGURE_NAMES[figure],
        "card": KINDS[kind],
        "from": format_place(int(at)),
        "to": format_place(int(target)),
        "bill": bill,
    }

"""Actions and chance outcomes as data."""

from __future__ import annotations

from mypy_extensions import i64

from landfall.games.atlantis.rules import board, codes, components, gaps, message_types, movement, phases
from landfall.games.atlantis.rules.position import AtlantisPosition


def describe_action(s: AtlantisPosition, action: int) -> message_types.Choice | message_types.Outcome:
    """One action or outcome: its verb and the arguments of the sentence `act.<verb>`."""
    sort = int(codes.action_family(action))
    part = action - sort
    if sort == codes.PLAY:
        return describe_card_play(s, int(codes.figure_of_played_card(part)), int(codes.kind_of_played_card(part)))
    if sort == codes.PAY_CARD:
        return {"verb": "pay_card", "card": components.KINDS[part], "left": int(s.bill - s.paid)}
    if sort == codes.PAY_TILE:
        return {
            "verb": "pay_tile",
            **components.face_to_event_fields(components.Face(part)),
            "left": int(s.bill - s.paid),
        }
    if sort == codes.BUY:
        return {
            "verb": "buy",
            **components.face_to_event_fields(components.Face(part)),
            "cards": int(components.count_cards_bought_with_face(components.Face(part))),
        }
    if sort == codes.BRIDGE:
        end = int(gaps.last_position_of_gap(s, part))
        price = int(gaps.gap_price(s, part, end)) if end >= 0 else 0
        return {"verb": "bridge", "at": part + 1, "to": end + 1, "price": price}
    if sort == codes.SHOW:
        return {"verb": "show"}
    if sort == codes.NO_BRIDGE:
        return {"verb": "no_bridge"}
    if sort == codes.TILE:
        return {"verb": "turn_up", **components.face_to_event_fields(components.Face(part)), "at": int(s.spot) + 1}
    return {"verb": "draw", "seat": int(s.seat), "card": components.KINDS[part]}


def describe_card_play(s: AtlantisPosition, figure: int, kind: int) -> message_types.PlayCard:
    """A card played with a figure: where it leads, whether that is occupied, what the way costs so far."""
    at = s.figure_at[s.seat * components.FIGURES + figure]
    target: i64 = (
        board.MAINLAND if at == board.MAINLAND else movement.nearest_tile_of_kind_ahead(s, at, components.Kind(kind))
    )
    origin = s.origin if s.phase == phases.HOPPING else at
    occupied = target != board.MAINLAND and s.occupant[target] >= 0
    bill = int(gaps.crossing_price(s, origin, target)) if s.phase == phases.START or s.phase == phases.HOPPING else 0
    return {
        "verb": "hop" if occupied else "move_pay" if bill else "move",
        "figure": components.FIGURE_NAMES[figure],
        "card": components.KINDS[kind],
        "from": board.format_place(int(at)),
        "to": board.format_place(int(target)),
        "bill": bill,
    }

"""The consequences of a seat's cards, before they are played."""

from __future__ import annotations

from mypy_extensions import i64

from landfall.core.int_vectors import to_list
from landfall.games.atlantis.rules import (
    board,
    card_drawing,
    components,
    gaps,
    message_types,
    movement,
    path_tiles,
    phases,
    scoring,
)
from landfall.games.atlantis.rules.position import AtlantisPosition


def preview_card_routes(s: AtlantisPosition, seat: int) -> message_types.Preview:
    """For each figure the cards in hand: where each leads, what the way costs, which tile it takes.

    Wherever something must be paid, `pay` is the cheapest payment.
    """
    if seat != s.actor or (s.phase != phases.START and s.phase != phases.HOPPING and s.phase != phases.PAYING):
        return {}
    cards = card_drawing.card_counts_in_hand(s, seat)
    bought = to_list(s.bought)
    if s.phase == phases.PAYING:
        return {"pay": scoring.cheapest_payment(s, seat, int(s.bill - s.paid), cards_usable_for_payment(cards, bought))}
    figures: dict[message_types.Figure, list[message_types.Route]] = {}
    for figure in range(components.FIGURES):
        at = s.figure_at[seat * components.FIGURES + figure]
        if at == board.MAINLAND or (s.phase == phases.HOPPING and figure != s.mover):
            continue
        origin = s.origin if s.phase == phases.HOPPING else at
        routes: list[message_types.Route] = []
        for kind in range(components.NUM_KINDS):
            if cards[kind]:
                route = build_card_route(s, origin, at, cards, bought, components.Kind(kind))
                route["rule"] = movement.rule_forbidding_card_play(s, figure, components.Kind(kind)) or None
                routes.append(route)
        figures[components.FIGURE_NAMES[figure]] = routes
    return {"figures": figures}


def build_card_route(
    s: AtlantisPosition, origin: i64, at: i64, cards: list[int], bought: list[int], kind: components.Kind
) -> message_types.Route:
    """One card from one place; if the target is occupied, also the cards playable from there."""
    target = movement.nearest_tile_of_kind_ahead(s, at, kind)
    occupied = target != board.MAINLAND and s.occupant[target] >= 0
    taken: i64 = -1 if occupied else path_tiles.find_free_tile_behind(s, target, origin)
    route: message_types.Route = {
        "card": components.KINDS[kind],
        "to": board.format_place(int(target)),
        "occupied": occupied,
        "bill": int(gaps.crossing_price(s, origin, target)),
        "takes": {
            "at": int(taken) + 1,
            **components.face_to_json(components.face_of_tile(components.Tile(s.top[taken]))),
        }
        if taken >= 0
        else None,
    }
    cards = cards[:]
    bought = bought[:]
    cards[kind] -= 1
    if bought[kind] > 0:
        bought[kind] -= 1
    if not occupied and route["bill"]:
        route["pay"] = scoring.cheapest_payment(
            s, s.seat, int(gaps.crossing_price(s, origin, target)), cards_usable_for_payment(cards, bought)
        )
    if occupied:
        route["then"] = [
            build_card_route(s, origin, target, cards, bought, components.Kind(k))
            for k in range(components.NUM_KINDS)
            if cards[k]
            and movement.feasibility_of_playing_card(s, origin, target, cards, bought, components.Kind(k))
            == movement.POSSIBLE
        ]
    return route


def cards_usable_for_payment(cards: list[int], bought: list[int]) -> list[int]:
    """The cards that can be used to pay: not those bought this turn (AT.G3)."""
    return [have - new for have, new in zip(cards, bought, strict=True)]

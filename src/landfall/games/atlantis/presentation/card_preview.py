"""The consequences of a seat's cards, before they are played."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from landfall.core.int_vectors import to_list
from landfall.games.atlantis.rules import card_drawing, gaps, movement, path_tiles, scoring
from landfall.games.atlantis.rules.board import MAINLAND, format_place
from landfall.games.atlantis.rules.components import (
    FIGURE_NAMES,
    FIGURES,
    KINDS,
    NUM_KINDS,
    Kind,
    Tile,
    face_of_tile,
    face_to_json,
)
from landfall.games.atlantis.rules.phases import HOPPING, PAYING, START

if TYPE_CHECKING:
    from landfall.games.atlantis.rules.message_types import Figure, Preview, Route
    from landfall.games.atlantis.rules.position import AtlantisPosition


def preview_card_routes(s: AtlantisPosition, seat: int) -> Preview:
    """For each figure the cards in hand: where each leads, what the way costs, which tile it takes.

    Wherever something must be paid, `pay` is the cheapest payment.
    """
    if seat != s.actor or (s.phase != START and s.phase != HOPPING and s.phase != PAYING):
        return {}
    cards = card_drawing.card_counts_in_hand(s, seat)
    bought = to_list(s.bought)
    if s.phase == PAYING:
        return {"pay": scoring.cheapest_payment(s, seat, int(s.bill - s.paid), cards_usable_for_payment(cards, bought))}
    figures: dict[Figure, list[Route]] = {}
    for figure in range(FIGURES):
        at = s.figure_at[seat * FIGURES + figure]
        if at == MAINLAND or (s.phase == HOPPING and figure != s.mover):
            continue
        origin = s.origin if s.phase == HOPPING else at
        routes: list[Route] = []
        for kind in range(NUM_KINDS):
            if cards[kind]:
                route = build_card_route(s, origin, at, cards, bought, Kind(kind))
                route["rule"] = movement.rule_forbidding_card_play(s, figure, Kind(kind)) or None
                routes.append(route)
        figures[FIGURE_NAMES[figure]] = routes
    return {"figures": figures}


def build_card_route(
    s: AtlantisPosition, origin: i64, at: i64, cards: list[int], bought: list[int], kind: Kind
) -> Route:
    """One card from one place; if the target is occupied, also the cards playable from there."""
    target = movement.nearest_tile_of_kind_ahead(s, at, kind)
    occupied = target != MAINLAND and s.occupant[target] >= 0
    taken: i64 = -1 if occupied else path_tiles.find_free_tile_behind(s, target, origin)
    route: Route = {
        "card": KINDS[kind],
        "to": format_place(int(target)),
        "occupied": occupied,
        "bill": int(gaps.crossing_price(s, origin, target)),
        "takes": {"at": int(taken) + 1, **face_to_json(face_of_tile(Tile(s.top[taken])))} if taken >= 0 else None,
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
            build_card_route(s, origin, target, cards, bought, Kind(k))
            for k in range(NUM_KINDS)
            if cards[k]
            and movement.feasibility_of_playing_card(s, origin, target, cards, bought, Kind(k)) == movement.POSSIBLE
        ]
    return route


def cards_usable_for_payment(cards: list[int], bought: list[int]) -> list[int]:
    """The cards that can be used to pay: not those bought this turn (AT.G3)."""
    return [have - new for have, new in zip(cards, bought, strict=True)]

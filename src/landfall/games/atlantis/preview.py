"""What a seat's cards would lead to, before they are played, and why a touch is no action."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from landfall.core.state import NOT_A_CHOICE
from landfall.core.vectors import listed
from landfall.games.atlantis import advice, gaps, movement, tiles
from landfall.games.atlantis.actions import BRIDGE, PLAY
from landfall.games.atlantis.board import MAINLAND, POSITIONS, place_text, read_place
from landfall.games.atlantis.components import FIGURE_NAMES, FIGURES, KINDS, NUM_KINDS, TILE_FACE, face_words
from landfall.games.atlantis.phases import HOPPING, PAYING, START

if TYPE_CHECKING:
    from landfall.games.atlantis.messages import Figure, Preview, Route
    from landfall.games.atlantis.state import AtlantisState


def preview(s: AtlantisState, seat: int) -> Preview:
    """For each figure the cards in hand: where each leads, what the way costs, which tile would be taken.

    Wherever there is something to pay, `pay` is the cheapest way to.
    """
    if seat != s.actor or (s.phase != START and s.phase != HOPPING and s.phase != PAYING):
        return {}
    cards = movement.hand_of(s, seat)
    bought = listed(s.bought)
    if s.phase == PAYING:
        return {"pay": advice.cheapest(s, seat, int(s.bill - s.paid), held_before(cards, bought))}
    figures: dict[Figure, list[Route]] = {}
    for figure in range(FIGURES):
        at = s.figure_at[seat * FIGURES + figure]
        if at == MAINLAND or (s.phase == HOPPING and figure != s.mover):
            continue
        origin = s.origin if s.phase == HOPPING else at
        routes: list[Route] = []
        for kind in range(NUM_KINDS):
            if cards[kind]:
                route = one_route(s, origin, at, cards, bought, kind)
                route["rule"] = s.forbids(PLAY + figure * NUM_KINDS + kind) or None
                routes.append(route)
        figures[FIGURE_NAMES[figure]] = routes
    return {"figures": figures}


def one_route(s: AtlantisState, origin: i64, at: i64, cards: list[int], bought: list[int], kind: i64) -> Route:
    """One card from one place; if it leads to an occupied tile, what can be played from there."""
    target = movement.nearest(s, at, kind)
    occupied = target != MAINLAND and s.occupant[target] >= 0
    taken: i64 = -1 if occupied else tiles.tile_behind(s, target, origin)
    route: Route = {
        "card": KINDS[kind],
        "to": place_text(int(target)),
        "occupied": occupied,
        "bill": int(gaps.price_between(s, origin, target)),
        "takes": {"at": int(taken) + 1, **face_words(int(TILE_FACE[s.top[taken]]))} if taken >= 0 else None,
    }
    cards = cards[:]
    bought = bought[:]
    cards[kind] -= 1
    if bought[kind] > 0:
        bought[kind] -= 1
    if not occupied and route["bill"]:
        route["pay"] = advice.cheapest(
            s, s.seat, int(gaps.price_between(s, origin, target)), held_before(cards, bought)
        )
    if occupied:
        route["then"] = [
            one_route(s, origin, target, cards, bought, k)
            for k in range(NUM_KINDS)
            if cards[k] and movement.judge_card(s, origin, target, cards, bought, k) == movement.POSSIBLE
        ]
    return route


def held_before(cards: list[int], bought: list[int]) -> list[int]:
    """The cards one may pay with: not those bought this turn (AT.G3)."""
    return [have - new for have, new in zip(cards, bought, strict=True)]


def forbids_touch(s: AtlantisState, piece: str, place: str) -> str | None:
    """Why a figure (A, B, C) or the `bridge` cannot go to a place (a position from 1, or mainland) now."""
    at = read_place(place)
    if piece == "bridge":
        return s.forbids(BRIDGE + gap_begin(s, at)) or None if 0 <= at < POSITIONS else NOT_A_CHOICE
    if piece not in FIGURE_NAMES or at < -1 or (s.phase != START and s.phase != HOPPING):
        return NOT_A_CHOICE
    figure = FIGURE_NAMES.index(piece)
    here = s.figure_at[s.actor * FIGURES + figure]
    if here == MAINLAND:
        return "AT.T5"
    why: str | None = "AT.T3"  # no card in hand leads there
    for kind in range(NUM_KINDS):
        if s.hand[s.actor * NUM_KINDS + kind] and movement.nearest(s, here, kind) == at:
            why = s.forbids(PLAY + figure * NUM_KINDS + kind) or None
            if why is None:
                return None
    return why


def gap_begin(s: AtlantisState, at: i64) -> i64:
    """The first position of the water around a position."""
    while at > 0 and s.top[at] < 0 and s.top[at - 1] < 0:
        at -= 1
    return at

"""The invariants of a position: for tests, and for bytes and texts from outside."""

from __future__ import annotations

from landfall.core.state import CHANCE, OVER
from landfall_pearls.components import CARDS_A_VALUE, HAND, VALUES
from landfall_pearls.position import DEALING, DONE, DRAWING, DRIFTING, TURN, PearlsPosition, held, used


def check(s: PearlsPosition) -> list[str]:
    """One sentence for each violation."""
    players = int(s.players)
    hands = [sum(held(s, seat)) for seat in range(players)]
    wrong = []
    for value in range(VALUES):
        count = s.deck[value] + sum(held(s, seat)[value] for seat in range(players))
        if count > CARDS_A_VALUE:
            wrong.append(f"there are {count} cards of value {value + 1}")
    if s.actor != {TURN: s.seat, DONE: OVER}.get(s.phase, CHANCE):
        wrong.append(f"{s.actor} cannot act in phase {s.phase}")
    if max(hands) > HAND:
        wrong.append("a hand is too large")
    if s.phase == DEALING and (used(s) or s.seat or s.depth or any(s.pearls) or sum(hands) >= HAND * players):
        wrong.append("play has begun before all cards were dealt")
    if s.phase == DEALING and hands != [(sum(hands) + players - 1 - seat) // players for seat in range(players)]:
        wrong.append("cards were not dealt in turn")
    if s.phase == TURN and not hands[s.seat]:
        wrong.append("who is to choose has no card")
    if s.phase == DRAWING and not any(s.deck):
        wrong.append("there is nothing to draw")
    if s.phase == DRIFTING and (not s.storm or s.depth):
        wrong.append("there is no storm")
    if s.phase == DONE and (any(hands) or any(s.deck)):
        wrong.append("it is over while there are cards")
    return wrong

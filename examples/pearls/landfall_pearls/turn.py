"""Rules: dealing, diving, surfacing, drawing, the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from landfall.core.state import CHANCE, OVER
from landfall_pearls import events
from landfall_pearls.actions import DIVE, DRAWN, DRIFT, NUM_ACTIONS, SURFACE, parts
from landfall_pearls.components import DEEPEST, DRIFTS, HAND, VALUES, pearls_at
from landfall_pearls.position import DEALING, DONE, DRAWING, DRIFTING, TURN, PearlsPosition, held

if TYPE_CHECKING:
    from landfall.core.state import ActionList


def fill_legal(s: PearlsPosition, moves: ActionList) -> None:
    """All legal actions."""
    for action in range(NUM_ACTIONS):
        if not forbidden_by(s, action):
            moves.add(action)


def forbidden_by(s: PearlsPosition, action: int) -> str:
    """The id of the rule that forbids an action, "" if none does."""
    sort, value = parts(action)
    if not held(s, s.seat)[value - 1]:
        return "PL.T1"  # only cards in hand
    if sort == DIVE and s.depth + value > DEEPEST:
        return "PL.D2"  # the rope has an end
    if sort == SURFACE and s.depth == 0:
        return "PL.U2"  # at the surface nobody can come up
    return ""


def chance_outcomes(s: PearlsPosition) -> list[tuple[int, int]]:
    """The chance outcomes with weights."""
    if s.actor != CHANCE:
        return []
    if s.phase == DRIFTING:
        return [(DRIFT + depth, 1) for depth in range(DRIFTS)]  # PL.O1
    return [(DRAWN + value, n) for value, n in enumerate(s.deck) if n]


def apply(s: PearlsPosition, action: int) -> None:
    """Apply an action or an outcome."""
    sort, number = parts(action)
    if sort == DIVE:
        dive(s, number)
    elif sort == SURFACE:
        surface(s, number)
    elif sort == DRIFT:
        s.depth = number
        events.drifted(s)
        begin_drawing(s)
    else:
        draw(s, number)


def dive(s: PearlsPosition, value: int) -> None:
    """PL.D1: the rope goes down by the card. PL.D3: the player takes the pearls there."""
    s.hand[s.seat * VALUES + value - 1] -= 1
    s.depth += value
    found = pearls_at(s.depth)
    s.pearls[s.seat] += found
    events.dived(s, value, found)
    begin_drawing(s)


def surface(s: PearlsPosition, value: int) -> None:
    """PL.U1: a card is discarded, the rope comes up. PL.O1: in a storm it drifts."""
    s.hand[s.seat * VALUES + value - 1] -= 1
    s.depth = 0
    events.surfaced(s, value)
    if s.storm:
        s.phase, s.actor = DRIFTING, CHANCE
    else:
        begin_drawing(s)


def begin_drawing(s: PearlsPosition) -> None:
    """PL.T2: a turn ends with drawing a card, while there are any."""
    if any(s.deck):
        s.phase, s.actor = DRAWING, CHANCE
    else:
        next_turn(s)


def draw(s: PearlsPosition, value: int) -> None:
    """Give the card to its player: in dealing to each in turn (PL.S2), otherwise to the one who has just played."""
    seat = sum(s.hand) % int(s.players) if s.phase == DEALING else s.seat
    s.deck[value - 1] -= 1
    s.hand[seat * VALUES + value - 1] += 1
    events.drew(s, seat, value)
    if s.phase == DRAWING:
        next_turn(s)
    elif sum(s.hand) == HAND * s.players:
        s.phase, s.actor = TURN, s.seat


def next_turn(s: PearlsPosition) -> None:
    """PL.E1: the next player with a card; if there is none, the game is over."""
    for step in range(1, int(s.players) + 1):
        seat = (s.seat + step) % int(s.players)
        if any(held(s, seat)):
            s.seat, s.phase, s.actor = seat, TURN, seat
            return
    s.phase, s.actor = DONE, OVER

"""Actions in structured words, and what each seat may see."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from landfall.core.state import OVER
from landfall.games.atlantis import advice, drawing, ending, gaps, movement, tiles
from landfall.games.atlantis.actions import BRIDGE, BUY, CARD, NO_BRIDGE, PAY_CARD, PAY_TILE, PLAY, SHOW, TILE
from landfall.games.atlantis.board import ATLANTIS, MAINLAND, POSITIONS, place_text
from landfall.games.atlantis.components import (
    BACKS,
    COLOURS,
    FIGURE_NAMES,
    FIGURES,
    HELD,
    KINDS,
    NUM_KINDS,
    NUM_TILES,
    NUM_VALUES,
    TILE_FACE,
    face_text,
    face_words,
    tile_words,
)
from landfall.games.atlantis.phases import BRIDGING, DONE, HOPPING, PAYING, PHASES, START

if TYPE_CHECKING:
    from landfall.games.atlantis.messages import (
        Cards,
        Choice,
        Gap,
        Move,
        Outcome,
        Own,
        PlayCard,
        Position,
        SeatView,
        View,
    )
    from landfall.games.atlantis.state import AtlantisState

# Positions as views tell them, shared by all views: from one choice to the next nearly all of the 53 stay as they were.
SEEN: Final[dict[int, Position]] = {}
MOST_SEEN: Final = 20_000


def describe(s: AtlantisState, action: int) -> Choice | Outcome:
    """One action or outcome: its verb and what the sentence `act.<verb>` needs."""
    if action < PAY_CARD:
        return describe_card(s, (action - PLAY) // NUM_KINDS, (action - PLAY) % NUM_KINDS)
    if action < PAY_TILE:
        return {"verb": "pay_card", "card": KINDS[action - PAY_CARD], "left": int(s.bill - s.paid)}
    if action < BUY:
        return {"verb": "pay_tile", **tile_words(action - PAY_TILE), "left": int(s.bill - s.paid)}
    if action < BRIDGE:
        face = action - BUY
        return {"verb": "buy", **tile_words(face), "cards": (face % NUM_VALUES + 1) // 2}
    if action < SHOW:
        begin = action - BRIDGE
        end = int(gaps.gap_end(s, begin))
        price = int(gap_price(s, begin, end)) if end >= 0 else 0
        return {"verb": "bridge", "at": begin + 1, "to": end + 1, "price": price}
    if action == SHOW:
        return {"verb": "show"}
    if action == NO_BRIDGE:
        return {"verb": "no_bridge"}
    if action < CARD:
        return {"verb": "turn_up", **tile_words(action - TILE), "at": int(s.spot) + 1}
    return {"verb": "draw", "seat": int(s.seat), "card": KINDS[action - CARD]}


def describe_card(s: AtlantisState, figure: int, kind: int) -> PlayCard:
    """A card played with a figure: where it leads, whether that is occupied, what the way costs so far."""
    at = s.figure_at[s.seat * FIGURES + figure]
    target: i64 = MAINLAND if at == MAINLAND else movement.nearest(s, at, kind)
    origin = s.origin if s.phase == HOPPING else at
    occupied = target != MAINLAND and s.occupant[target] >= 0
    bill = int(gaps.price_between(s, origin, target)) if s.phase == START or s.phase == HOPPING else 0
    return {
        "verb": "hop" if occupied else "move_pay" if bill else "move",
        "figure": FIGURE_NAMES[figure],
        "card": KINDS[kind],
        "from": place_text(int(at)),
        "to": place_text(int(target)),
        "bill": bill,
    }


def loses(action: int) -> list[str]:
    """The tile or card that a purchase or payment costs."""
    if action < PAY_CARD:
        return []
    if action < PAY_TILE:
        return [KINDS[action - PAY_CARD]]
    if action < BUY:
        return [face_text(action - PAY_TILE)]
    return [face_text(action - BUY)] if action < BRIDGE else []


# --- what a seat may see ----------------------------------------------------------------------------------------


def view(s: AtlantisState, seat: int | None) -> View:
    """Everything public, the seat's own hand, and at the end all hands."""
    over = s.actor == OVER
    own = own_view(s, seat)
    out: View = {
        "game": "atlantis",
        "players": int(s.players),
        "seat": seat,
        "actor": int(s.actor),
        "phase": PHASES[s.phase],
        "ask": ask(s),
        "turn": int(s.seat),
        "path": [position(s, at) for at in range(POSITIONS)],
        "gaps": gap_list(s),
        "move": move_words(s),
        "seats": own["seats"],
        "deck": int(drawing.total(s.deck)),
        "discard": cards_words([int(n) for n in s.discard]),
        "out": cards_words([int(n) for n in s.out_cards]),
        "played": cards_words([int(n) for n in s.played]),
        "to_draw": int(s.to_draw),
        "bought": int(s.bought_count),
        "may_not_pay": own["may_not_pay"],
    }
    if over:
        out["scores"] = [ending.score(s, i) for i in range(s.players)]
        out["bills"] = [int(ending.last_bill(s, i)) for i in range(s.players)]
        out["crossing"] = [advice.crossing(s, i) for i in range(s.players)]
        out["ranking"] = s.ranking()
    return out


def own_view(s: AtlantisState, seat: int | None) -> Own:
    """Whose view it is, what lies before each seat, and what the seat itself knows."""
    over = s.actor == OVER
    return {
        "seat": seat,
        "seats": [seat_words(s, i, over or i == seat) for i in range(s.players)],
        "may_not_pay": cards_words([int(n) for n in s.bought]) if seat == s.seat else None,
    }


def ask(s: AtlantisState) -> str:
    """The key of the question the actor is asked."""
    if s.phase in (START, HOPPING, PAYING, BRIDGING, DONE):
        return f"ask.{PHASES[s.phase]}"
    return "ask.chance"


def position(s: AtlantisState, at: i64) -> Position:
    """One position of the path; before the first and after the last tile there is nothing (AT.R3)."""
    tile = s.top[at]
    figure = s.occupant[at]
    face: i64 = TILE_FACE[tile] if tile >= 0 else -1
    water = tile < 0 and s.first < at < s.last
    bridge = s.bridge[at] != 0
    marks: i64 = (2 if water else 0) + (1 if bridge else 0)
    key = int((((at * 64 + face + 1) * 4 + marks) * 64 + figure + 1) * 256 + s.below[at])
    known = SEEN.get(key)
    if known is None:
        if len(SEEN) > MOST_SEEN:
            SEEN.clear()
        known = SEEN[key] = {
            "at": int(at) + 1,
            "back": BACKS[tiles.back_of(at)],
            "tile": face_words(int(face)) if face >= 0 else None,
            "below": int(s.below[at]),
            "water": water,
            "bridge": bridge,
            "figure": {"seat": int(figure) // FIGURES, "figure": FIGURE_NAMES[figure % FIGURES]}
            if figure >= 0
            else None,
        }
    return known


def gap_price(s: AtlantisState, begin: i64, end: i64) -> i64:
    """What crossing one gap costs."""
    return gaps.price_between(s, begin - 1, end + 1)


def gap_list(s: AtlantisState) -> list[Gap]:
    """All gaps from Atlantis on, with their prices."""
    out: list[Gap] = []
    for at in range(POSITIONS):
        end = gaps.gap_end(s, at)
        if end >= 0:
            bridged = any(s.bridge[i] for i in range(at, end + 1))
            out.append({"at": at + 1, "to": int(end) + 1, "price": int(gap_price(s, at, end)), "bridge": bridged})
    return out


def move_words(s: AtlantisState) -> Move | None:
    """The move under way."""
    if s.mover < 0:
        return None
    return {
        "figure": FIGURE_NAMES[s.mover],
        "from": place_text(int(s.origin)),
        "at": place_text(int(s.figure_at[s.seat * FIGURES + s.mover])),
        "bill": int(s.bill),
        "paid": int(s.paid),
    }


def seat_words(s: AtlantisState, seat: i64, open_hand: bool) -> SeatView:
    """What lies before a seat; its hand only if it may be seen."""
    known = [int(s.known[seat * NUM_KINDS + kind]) for kind in range(NUM_KINDS)]
    places = [s.figure_at[seat * FIGURES + f] for f in range(FIGURES)]
    return {
        "seat": int(seat),
        "colour": COLOURS[seat],
        "cards": int(ending.hand_size(s, seat)),
        "hand": cards_words(movement.hand_of(s, seat)) if open_hand else None,
        "known": cards_words(known),
        "tiles": [face_words(int(TILE_FACE[t])) for t in range(NUM_TILES) if s.tile_at[t] == HELD + seat],
        "worth": int(s.worth[seat]),
        "bridge": bool(s.holds_bridge[seat]),
        "figures": {FIGURE_NAMES[f]: place_text(int(places[f])) for f in range(FIGURES)},
        "atlantis": sum(1 for at in places if at == ATLANTIS),
        "mainland": sum(1 for at in places if at == MAINLAND),
    }


def cards_words(cards: list[int]) -> Cards:
    """Cards by kind, those there are."""
    return {KINDS[kind]: cards[kind] for kind in range(NUM_KINDS) if cards[kind]}

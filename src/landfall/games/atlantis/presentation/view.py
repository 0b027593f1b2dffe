"""Builds the view of a seat (AT.T8): all public information, its own hand, and at the end all hands."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from landfall.core.int_vectors import vector_slices_equal, vectors_equal
from landfall.core.state import OVER
from landfall.games.atlantis.rules import (
    board,
    card_drawing,
    components,
    gaps,
    message_types,
    path_tiles,
    phases,
    scoring,
)
from landfall.games.atlantis.rules.position import AtlantisPosition

# Position entries, shared by all views: from one action to the next nearly all of the 53 stay the same.
POSITION_CACHE: Final[dict[int, message_types.Position]] = {}
MAX_CACHED_POSITIONS: Final = 20_000


def build_view_from_scratch(s: AtlantisPosition, seat: int | None) -> message_types.View:
    """All public information, the seat's own hand, and at the end all hands."""
    return build_view_reusing_previous(s, seat, s, None)


def build_view_reusing_previous(
    s: AtlantisPosition, seat: int | None, before: AtlantisPosition, old: message_types.View | None
) -> message_types.View:
    """With `previous`, an earlier position and its public view, unchanged parts are reused."""
    over = s.actor == OVER
    out: message_types.View = {
        "game": "atlantis",
        "players": int(s.players),
        "seat": seat,
        "actor": int(s.actor),
        "phase": phases.PHASES[s.phase],
        "ask": question_text_key(s),
        "turn": int(s.seat),
        "path": [build_position_view(s, at) for at in range(board.POSITIONS)],
        "gaps": old["gaps"] if old is not None and are_gaps_unchanged(s, before) else build_gap_views(s),
        "move": build_move_view(s),
        "seats": [
            old["seats"][i]
            if old is not None and seat is None and is_seat_unchanged(s, before, i)
            else build_seat_view(s, i, over or i == seat)
            for i in range(s.players)
        ],
        "deck": int(card_drawing.sum_card_counts(s.deck)),
        "discard": card_counts_by_kind_name([int(n) for n in s.discard]),
        "out": card_counts_by_kind_name([int(n) for n in s.out_cards]),
        "played": card_counts_by_kind_name([int(n) for n in s.played]),
        "to_draw": int(s.to_draw),
        "bought": int(s.bought_count),
        "may_not_pay": cards_bought_this_turn(s, seat),
    }
    if over:
        out["scores"] = [int(scoring.final_score(s, i)) for i in range(s.players)]
        out["bills"] = [int(scoring.final_bill(s, i)) for i in range(s.players)]
        out["crossing"] = [scoring.final_crossing(s, i) for i in range(s.players)]
        out["ranking"] = s.ranking()
    return out


def build_private_part_of_view(
    s: AtlantisPosition, seat: int | None, public: message_types.View | None
) -> message_types.PrivateView:
    """The seat, all seats' areas (others' shared with `public`), and what only the seat knows."""
    over = s.actor == OVER
    if public is None:
        seats = [build_seat_view(s, i, over or i == seat) for i in range(s.players)]
    else:
        seats = list(public["seats"])
        if seat is not None and not over:
            seats[seat] = build_seat_view(s, seat, True)
    return {"seat": seat, "seats": seats, "may_not_pay": cards_bought_this_turn(s, seat)}


def cards_bought_this_turn(s: AtlantisPosition, seat: int | None) -> message_types.Cards | None:
    """AT.G3: the cards that the seat in turn bought this turn."""
    return card_counts_by_kind_name([int(n) for n in s.bought]) if seat == s.seat else None


def are_gaps_unchanged(s: AtlantisPosition, before: AtlantisPosition) -> bool:
    return vectors_equal(s.top, before.top) and vectors_equal(s.bridge, before.bridge)


def is_seat_unchanged(s: AtlantisPosition, before: AtlantisPosition, seat: i64) -> bool:
    """Whether a seat's public facts are the same as before."""
    if (s.actor == OVER) != (before.actor == OVER) or s.holds_bridge[seat] != before.holds_bridge[seat]:
        return False
    cards, figures = seat * components.NUM_KINDS, seat * components.FIGURES
    return (
        vector_slices_equal(s.hand, before.hand, cards, cards + components.NUM_KINDS)
        and vector_slices_equal(s.known, before.known, cards, cards + components.NUM_KINDS)
        and vector_slices_equal(s.figure_at, before.figure_at, figures, figures + components.FIGURES)
        and vectors_equal(s.tile_at, before.tile_at)
    )


def question_text_key(s: AtlantisPosition) -> str:
    """The key of the question to the actor."""
    if s.phase in (phases.START, phases.HOPPING, phases.PAYING, phases.BRIDGING, phases.DONE):
        return f"ask.{phases.PHASES[s.phase]}"
    return "ask.chance"


def build_position_view(s: AtlantisPosition, at: i64) -> message_types.Position:
    """One position of the path; before the first and after the last tile it is empty (AT.R3)."""
    tile = components.Tile(s.top[at])
    figure = s.occupant[at]
    face: i64 = components.TILE_FACE[tile] if tile >= 0 else -1
    water = tile < 0 and s.first < at < s.last
    bridge = s.bridge[at] != 0
    marks: i64 = (2 if water else 0) + (1 if bridge else 0)
    key = int((((at * 64 + face + 1) * 4 + marks) * 64 + figure + 1) * 256 + s.below[at])
    known = POSITION_CACHE.get(key)
    if known is None:
        if len(POSITION_CACHE) > MAX_CACHED_POSITIONS:
            POSITION_CACHE.clear()
        known = POSITION_CACHE[key] = {
            "at": int(at) + 1,
            "back": components.BACKS[path_tiles.tile_back_at(at)],
            "tile": components.face_to_json(components.Face(face)) if face >= 0 else None,
            "below": int(s.below[at]),
            "water": water,
            "bridge": bridge,
            "figure": {
                "seat": int(figure) // components.FIGURES,
                "figure": components.FIGURE_NAMES[figure % components.FIGURES],
            }
            if figure >= 0
            else None,
        }
    return known


def build_gap_views(s: AtlantisPosition) -> list[message_types.Gap]:
    """All gaps from Atlantis on, with their prices."""
    out: list[message_types.Gap] = []
    for at in range(board.POSITIONS):
        end = gaps.last_position_of_gap(s, at)
        if end >= 0:
            bridged = any(s.bridge[i] for i in range(at, end + 1))
            out.append({"at": at + 1, "to": int(end) + 1, "price": int(gaps.gap_price(s, at, end)), "bridge": bridged})
    return out


def build_move_view(s: AtlantisPosition) -> message_types.Move | None:
    """The current move."""
    if s.mover < 0:
        return None
    return {
        "figure": components.FIGURE_NAMES[s.mover],
        "from": board.format_place(int(s.origin)),
        "at": board.format_place(int(s.figure_at[s.seat * components.FIGURES + s.mover])),
        "bill": int(s.bill),
        "paid": int(s.paid),
    }


def build_seat_view(s: AtlantisPosition, seat: i64, open_hand: bool) -> message_types.SeatView:
    """A seat's area; its hand only if it is visible."""
    known = [int(s.known[seat * components.NUM_KINDS + kind]) for kind in range(components.NUM_KINDS)]
    places = [s.figure_at[seat * components.FIGURES + f] for f in range(components.FIGURES)]
    return {
        "seat": int(seat),
        "colour": components.COLOURS[seat],
        "cards": int(card_drawing.count_cards_in_hand(s, seat)),
        "hand": card_counts_by_kind_name(card_drawing.card_counts_in_hand(s, seat)) if open_hand else None,
        "known": card_counts_by_kind_name(known),
        "tiles": [
            components.face_to_json(components.face_of_tile(components.Tile(t)))
            for t in range(components.NUM_TILES)
            if s.tile_at[t] == components.HELD + seat
        ],
        "worth": int(s.worth[seat]),
        "bridge": bool(s.holds_bridge[seat]),
        "figures": {components.FIGURE_NAMES[f]: board.format_place(int(places[f])) for f in range(components.FIGURES)},
        "atlantis": sum(1 for at in places if at == board.ATLANTIS),
        "mainland": sum(1 for at in places if at == board.MAINLAND),
    }


def card_counts_by_kind_name(cards: list[int]) -> message_types.Cards:
    """Counts of cards by kind, without zeros."""
    return {components.KINDS[kind]: cards[kind] for kind in range(components.NUM_KINDS) if cards[kind]}

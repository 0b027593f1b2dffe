"""Chapter U: laying out the path and drawing the first hands, by chance, one tile or card at a time."""

from __future__ import annotations

from mypy_extensions import i64

from landfall.games.atlantis.rules import board, card_drawing, components, gaps, path_tiles, phases
from landfall.games.atlantis.rules.event_recording import record_event
from landfall.games.atlantis.rules.position import AtlantisPosition


def give_bridges(s: AtlantisPosition) -> None:
    """Every player holds a bridge (AT.G5)."""
    for seat in range(s.players):
        s.holds_bridge[seat] = 1


def lay_next_tile(s: AtlantisPosition, face: components.Face) -> None:
    """The next top tile, from Atlantis on (AT.U1); in a stack there is an unseen tile below it."""
    at = s.spot
    path_tiles.put_tile_on_path(s, at, face)
    s.below[at] = board.TILE_STACKS[at] - 1
    if s.events is not None:
        record_event(s, {"kind": "laid", "at": int(at) + 1, **components.face_to_event_fields(face)})
    s.spot = at + 1
    if s.spot < board.POSITIONS and board.TILE_STACKS[s.spot] == 0:
        s.spot += 1  # the first gap
    if s.spot == board.POSITIONS:
        s.spot = -1
        gaps.recompute_path_tables(s)
        s.phase = phases.DEALING
        start_drawing_first_hand(s, 0)


def start_drawing_first_hand(s: AtlantisPosition, seat: i64) -> None:
    """Start drawing a seat's first hand: 4, 5, 6, 7 cards in turn order (AT.U2). The deck has enough for all."""
    s.seat = seat
    s.to_draw = components.FIRST_HAND + seat
    card_drawing.request_next_card(s)

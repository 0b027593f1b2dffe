"""Chapter R: taking a tile, and the gap or tile it leaves."""

from __future__ import annotations

from mypy_extensions import i64

from landfall.core.state import CHANCE
from landfall.games.atlantis.rules import board, card_drawing, components, gaps, phases
from landfall.games.atlantis.rules.event_recording import record_event
from landfall.games.atlantis.rules.position import AtlantisPosition


def find_free_tile_behind(s: AtlantisPosition, entered: i64, left: i64) -> i64:
    """The first free tile behind the place just entered (AT.R1), including the tile just left; -1 if none (AT.R2)."""
    at = entered - 1
    while at >= 0 and (s.top[at] < 0 or (s.occupant[at] >= 0 and at != left)):
        at -= 1
    return at


def take_tile_behind_figure(s: AtlantisPosition) -> None:
    """The player in turn takes the tile behind the moved figure; chance then turns up the tile below it."""
    card_drawing.reset_bought_card_counts(s)
    at = find_free_tile_behind(s, s.figure_at[s.seat * components.FIGURES + s.mover], s.origin)
    if at < 0:
        if s.events is not None:
            record_event(s, {"kind": "took_nothing", "seat": int(s.seat)})
        return
    tile = components.Tile(s.top[at])
    s.tile_at[tile] = components.HELD + s.seat
    s.worth[s.seat] += components.TILE_VALUE[tile]
    s.faces[s.seat] |= components.FACE_BIT[components.TILE_FACE[tile]]
    s.top[at] = -1
    update_ahead_after_tile_removed(s, at, components.kind_of_tile(tile))
    if s.events is not None:
        record_event(
            s,
            {
                "kind": "took",
                "seat": int(s.seat),
                "at": int(at) + 1,
                **components.face_to_event_fields(components.face_of_tile(tile)),
            },
        )
    if s.below[at]:
        s.spot = at
        if is_beside_empty_position(s, at):
            gaps.update_path_tables(s)
        s.phase = phases.UNCOVERING
        s.actor = CHANCE
    else:
        open_gap_or_close_shore(s, at)


def open_gap_or_close_shore(s: AtlantisPosition, at: i64) -> None:
    """A position without a tile becomes a gap, or closes up at a shore and loses any bridge there (AT.R3)."""
    if s.events is None:
        gaps.update_path_tables(s)
        return
    laid = list_bridged_positions(s)
    gaps.update_path_tables(s)
    if s.first < at < s.last:
        record_event(s, {"kind": "gap", "at": int(at) + 1})
    else:
        record_event(s, {"kind": "shore", "at": int(at) + 1, "side": "atlantis" if at < s.first else "mainland"})
    for lost in laid:
        if s.bridge[lost] == 0:
            record_event(s, {"kind": "bridge_lost", "at": lost + 1})


def list_bridged_positions(s: AtlantisPosition) -> list[int]:
    """The positions that have a bridge."""
    return [at for at in range(board.POSITIONS) if s.bridge[at]]


def tile_back_at(at: i64) -> i64:
    """The back of the tiles at a position: 0 for A, 1 for B."""
    return 0 if at < board.MIDDLE else 1


def turn_up_lower_tile(s: AtlantisPosition, face: components.Face) -> None:
    """The lower tile of a stack is turned up, for all."""
    at = s.spot
    s.spot = -1
    s.below[at] = 0
    put_tile_on_path(s, at, face)
    if is_beside_empty_position(s, at):
        gaps.update_path_tables(s)
    if s.events is not None:
        record_event(s, {"kind": "uncovered", "at": int(at) + 1, **components.face_to_event_fields(face)})
    s.actor = s.seat


def is_beside_empty_position(s: AtlantisPosition, at: i64) -> bool:
    """Whether the tile may be an end of a gap, so that its value affects a price."""
    return (at > 0 and s.top[at - 1] < 0) or (at + 1 < board.POSITIONS and s.top[at + 1] < 0)


def put_tile_on_path(s: AtlantisPosition, at: i64, face: components.Face) -> None:
    """Put a tile on top at a position."""
    tile = components.Tile(components.TILE_OF[tile_back_at(at) * components.NUM_FACES + face])
    s.top[at] = tile
    s.tile_at[tile] = components.ON_PATH
    update_ahead_after_tile_added(s, at, components.kind_of_tile(tile))


# `ahead[kind * ROW + p + 1]` is the nearest top tile of a kind beyond position p, or the mainland (AT.T3, AT.T4).


def update_ahead_after_tile_removed(s: AtlantisPosition, at: i64, kind: components.Kind) -> None:
    """Update `ahead`: the top tile of this kind has left this position."""
    base = kind * board.ROW
    beyond = s.ahead[base + at + 1]
    i = base + at
    while i >= base and s.ahead[i] == at:
        s.ahead[i] = beyond
        i -= 1


def update_ahead_after_tile_added(s: AtlantisPosition, at: i64, kind: components.Kind) -> None:
    """Update `ahead`: a top tile of this kind is now here."""
    base = kind * board.ROW
    i = base + at
    while i >= base and s.ahead[i] > at:
        s.ahead[i] = at
        i -= 1


def recompute_derived_fields(s: AtlantisPosition) -> None:
    """Compute all derived fields from scratch: for positions from bytes or text."""
    for i in range(components.NUM_KINDS * board.ROW):
        s.ahead[i] = board.MAINLAND
    for at in range(board.POSITIONS):
        if s.top[at] >= 0:
            update_ahead_after_tile_added(s, at, components.kind_of_tile(components.Tile(s.top[at])))
        s.occupant[at] = -1
    for figure in range(s.players * components.FIGURES):
        at = s.figure_at[figure]
        on_the_move = s.phase == phases.HOPPING and figure == s.seat * components.FIGURES + s.mover
        if board.ATLANTIS < at < board.MAINLAND and not on_the_move:
            s.occupant[at] = figure
    for seat in range(components.MAX_PLAYERS):
        s.worth[seat] = 0
        s.faces[seat] = 0
    for tile in range(components.NUM_TILES):
        if s.tile_at[tile] >= components.HELD:
            s.worth[s.tile_at[tile] - components.HELD] += components.TILE_VALUE[tile]
            s.faces[s.tile_at[tile] - components.HELD] |= components.FACE_BIT[components.TILE_FACE[tile]]
    if s.phase != phases.LAYING:
        gaps.recompute_path_tables(s)

"""Chapter G: the price of gaps, paying for them piece by piece, and bridges."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from landfall.core.state import NOT_A_CHOICE, ActionList
from landfall.games.atlantis.rules import board, card_drawing, codes, components, phases
from landfall.games.atlantis.rules.event_recording import record_event
from landfall.games.atlantis.rules.position import AtlantisPosition

KIND_BITS: Final = 127  # in a set of faces, the seven of one kind
LIKELY_VALUE: Final = 4  # assumed value of a tile that is not turned up yet


def update_path_tables(s: AtlantisPosition) -> None:
    """Update the path's tables after a change: its ends, the prices up to each position, closed shores.

    `toll[p + 1]` is the price of all gaps before position p (AT.G1); Atlantis has index 0, the mainland the last one.
    """
    top = s.top
    toll = s.toll
    bridge = s.bridge
    total: i64 = 0
    before: i64 = -1  # the previous tile
    value_before: i64 = 0
    bridged = False
    end = s.last + 1  # the path never gets longer
    for at in range(s.first, end):
        tile = top[at]
        if tile < 0 and at != s.spot:
            if before < 0:
                bridge[at] = 0  # AT.R3: the shore closes up on the side of Atlantis, with any bridge in it
            elif bridge[at]:
                bridged = True
        else:
            value: i64 = LIKELY_VALUE
            if tile >= 0:
                value = components.TILE_VALUE[tile]
            if before < 0:
                s.first = at
            elif at - before > 1 and not bridged:
                total += value if value < value_before else value_before
            before = at
            value_before = value
            bridged = False
        toll[at + 1] = total
    toll[board.MAINLAND + 1] = total
    if before < 0:
        s.first = board.MAINLAND
    s.last = before
    for at in range(before + 1, end):
        bridge[at] = 0  # AT.R3: the shore closes up on the side of the mainland


def recompute_path_tables(s: AtlantisPosition) -> None:
    """Compute all tables of the path from scratch."""
    s.first = 0
    s.last = board.POSITIONS - 1
    for at in range(board.STATIONS):
        s.toll[at] = 0
    update_path_tables(s)


def crossing_price(s: AtlantisPosition, origin: i64, target: i64) -> i64:
    """The price of crossing from one place to another, gap by gap (AT.G1); the checker's independent computation."""
    total: i64 = 0
    shore = origin  # the previous tile, or Atlantis
    bridged = False
    end = target if target < board.POSITIONS else board.POSITIONS - 1
    for at in range(origin + 1, end + 1):
        if s.top[at] < 0:
            if s.bridge[at]:
                bridged = True
            continue
        if at > shore + 1 and shore != board.ATLANTIS and not bridged:
            total += min(components.TILE_VALUE[s.top[shore]], components.TILE_VALUE[s.top[at]])
        shore = at
        bridged = False
    return total


def gap_price(s: AtlantisPosition, begin: i64, end: i64) -> i64:
    """What crossing one gap costs."""
    return crossing_price(s, begin - 1, end + 1)


# --- paying (AT.G3) ---------------------------------------------------------------------------------------------


def add_legal_payments(s: AtlantisPosition, moves: ActionList) -> None:
    """Every card and tile held since before this turn."""
    base = s.seat * components.NUM_KINDS
    for kind in range(components.NUM_KINDS):
        if s.hand[base + kind] > s.bought[kind]:
            moves.add(codes.PAY_CARD + kind)
    add_action_per_held_tile_face(s, moves, codes.PAY_TILE, 1)


def add_action_per_held_tile_face(s: AtlantisPosition, moves: ActionList, base: i64, least: i64) -> None:
    """One action for each face of at least this value that the player in turn holds."""
    faces = s.faces[s.seat]
    face: i64 = 0
    while faces:
        if faces & KIND_BITS == 0:
            faces >>= components.NUM_VALUES  # none of this kind
            face += components.NUM_VALUES
            continue
        for value in range(1, components.NUM_VALUES + 1):
            if faces & 1 and value >= least:
                moves.add(base + face)
            faces >>= 1
            face += 1


def find_held_tile(s: AtlantisPosition, seat: i64, face: components.Face) -> components.Tile:
    """A tile of this face that a seat holds, back A first; -1 if none."""
    for back in range(2):
        tile = components.Tile(components.TILE_OF[back * components.NUM_FACES + face])
        if tile >= 0 and s.tile_at[tile] == components.HELD + seat:
            return tile
    return components.NO_TILE


def rule_forbidding_paying_card(s: AtlantisPosition, kind: components.Kind) -> str:
    if s.phase != phases.PAYING:
        return NOT_A_CHOICE
    return "" if s.hand[s.seat * components.NUM_KINDS + kind] > s.bought[kind] else "AT.G3"


def rule_forbidding_paying_tile(s: AtlantisPosition, face: components.Face) -> str:
    if s.phase != phases.PAYING:
        return NOT_A_CHOICE
    return "" if find_held_tile(s, s.seat, face) >= 0 else "AT.G3"


def pay_card(s: AtlantisPosition, kind: components.Kind) -> None:
    """A card leaves the game; it is worth one."""
    card_drawing.remove_card_from_hand(s, kind)
    s.out_cards[kind] += 1
    s.paid += 1
    if s.events is not None:
        paid, bill = int(s.paid), int(s.bill)
        record_event(
            s, {"kind": "paid_card", "seat": int(s.seat), "card": components.KINDS[kind], "paid": paid, "bill": bill}
        )


def pay_tile(s: AtlantisPosition, face: components.Face) -> None:
    """A tile leaves the game; it is worth its value."""
    remove_spent_tile(s, face)
    s.paid += components.value_of_face(face)
    if s.events is not None:
        paid, bill = int(s.paid), int(s.bill)
        record_event(
            s,
            {
                "kind": "paid_tile",
                "seat": int(s.seat),
                **components.face_to_event_fields(face),
                "paid": paid,
                "bill": bill,
            },
        )


def remove_spent_tile(s: AtlantisPosition, face: components.Face) -> None:
    """Remove a tile of this face from the game."""
    s.tile_at[find_held_tile(s, s.seat, face)] = components.OUT
    s.worth[s.seat] -= components.value_of_face(face)
    if find_held_tile(s, s.seat, face) < 0:
        s.faces[s.seat] ^= components.FACE_BIT[face]


# --- bridges (AT.G5) --------------------------------------------------------------------------------------------


def add_legal_bridges(s: AtlantisPosition, moves: ActionList) -> None:
    """Every gap without a bridge, if the player in turn still holds a bridge."""
    if s.holds_bridge[s.seat] == 0:
        return
    at = s.first + 1
    while at < s.last:
        if s.top[at] >= 0:
            at += 1
            continue
        begin = at
        bridged = False
        while s.top[at] < 0:
            if s.bridge[at]:
                bridged = True
            at += 1
        if not bridged:
            moves.add(codes.BRIDGE + begin)


def can_lay_bridge(s: AtlantisPosition) -> bool:
    """Whether the player in turn holds a bridge and there is a gap for it."""
    if s.holds_bridge[s.seat] == 0:
        return False
    bridged = False
    for at in range(s.first + 1, s.last + 1):
        if s.top[at] < 0:
            if s.bridge[at]:
                bridged = True
        else:
            if s.top[at - 1] < 0 and not bridged:
                return True
            bridged = False
    return False


def last_position_of_gap(s: AtlantisPosition, begin: i64) -> i64:
    """The last position of the gap that begins here; -1 if none does. Water at the shores is no gap (AT.R3)."""
    if begin == 0 or s.top[begin] >= 0 or s.top[begin - 1] < 0:
        return -1
    at = begin
    while at < board.POSITIONS and s.top[at] < 0:
        at += 1
    return at - 1 if at < board.POSITIONS else -1


def rule_forbidding_laying_bridge(s: AtlantisPosition, begin: i64) -> str:
    if s.phase != phases.START and s.phase != phases.BRIDGING:
        return NOT_A_CHOICE
    end = last_position_of_gap(s, begin)
    if s.holds_bridge[s.seat] == 0 or end < 0:
        return "AT.G5"
    for at in range(begin, end + 1):
        if s.bridge[at]:
            return "AT.G5"
    return ""


def rule_forbidding_keeping_bridge(s: AtlantisPosition) -> str:
    return "" if s.phase == phases.BRIDGING else NOT_A_CHOICE


def lay_bridge(s: AtlantisPosition, at: i64) -> None:
    """Lay the bridge, before the first card or before drawing."""
    s.bridge[at] = 1
    s.holds_bridge[s.seat] = 0
    update_path_tables(s)
    if s.events is not None:
        record_event(
            s, {"kind": "bridge", "seat": int(s.seat), "at": int(at) + 1, "to": int(last_position_of_gap(s, at)) + 1}
        )

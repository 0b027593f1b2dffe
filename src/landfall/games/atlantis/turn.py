"""Chapter T, the turn around the move: buying cards, being stuck, drawing at the end, whose turn comes next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from mypy_extensions import i64

from landfall.core.state import NOT_A_CHOICE, OVER, Moves
from landfall.games.atlantis import drawing, ending, gaps, movement, setup
from landfall.games.atlantis.actions import BUY, SHOW
from landfall.games.atlantis.board import ATLANTIS, MAINLAND
from landfall.games.atlantis.components import FIGURES, KINDS, NUM_KINDS, NUM_VALUES, tile_words
from landfall.games.atlantis.events import tell
from landfall.games.atlantis.phases import BRIDGING, BUYING, DEALING, DONE, DRAWING, START, STUCK

if TYPE_CHECKING:
    from landfall.games.atlantis.messages import Kind
    from landfall.games.atlantis.state import AtlantisState


def generate_start(s: AtlantisState, moves: Moves) -> None:
    """At the start of the turn: cards to play, or the hand to show if none; tiles to buy with; gaps to bridge."""
    before = moves.count
    movement.generate_cards(s, moves)
    if moves.count == before:
        moves.add(SHOW)  # AT.T6
    if s.bought_count == 0 and s.laid == 0 and not drawing.nothing_to_draw(s):
        gaps.generate_tiles(s, moves, BUY, 2)  # AT.T2: a tile of value 1 buys nothing
    gaps.generate_bridges(s, moves)


# --- buying (AT.T2) ---------------------------------------------------------------------------------------------


def forbids_buying(s: AtlantisState, action: i64) -> str:
    if s.phase != START:
        return NOT_A_CHOICE
    face = action - BUY
    if s.laid:
        return "AT.T1"  # buying comes before the bridge
    if s.bought_count > 0 or gaps.held_tile(s, s.seat, face) < 0:
        return "AT.T2"
    if face % NUM_VALUES == 0 or drawing.nothing_to_draw(s):
        return "AT.T2"
    return ""


def apply_buying(s: AtlantisState, action: i64) -> None:
    """A tile leaves the game for half its value in cards, rounded down."""
    face = action - BUY
    gaps.spend_tile(s, face)
    s.to_draw = (face % NUM_VALUES + 1) // 2
    if s.events is not None:
        tell(s, {"kind": "bought", "seat": int(s.seat), **tile_words(face), "cards": int(s.to_draw)})
    s.phase = BUYING
    drawing.next_card(s)


# --- being stuck (AT.T6) ----------------------------------------------------------------------------------------


def forbids_showing(s: AtlantisState) -> str:
    if s.phase != START:
        return NOT_A_CHOICE
    return "" if movement.is_stuck(s) else "AT.T6"


def apply_showing(s: AtlantisState) -> None:
    """All see the hand, and two cards are drawn; they are the whole draw."""
    for i in range(s.seat * NUM_KINDS, (s.seat + 1) * NUM_KINDS):
        s.known[i] = s.hand[i]
    if s.events is not None:
        cards = movement.hand_of(s, s.seat)
        shown: list[Kind | Literal["none"]] = [KINDS[kind] for kind in range(NUM_KINDS) for _ in range(cards[kind])]
        tell(s, {"kind": "shown", "seat": int(s.seat), "cards": shown or ["none"]})
    forget_bought(s)
    s.idle = s.idle + 1 if drawing.nothing_to_draw(s) else 0  # AT.E4 looks at this draw only
    s.to_draw = 2
    s.phase = STUCK
    drawing.next_card(s)


# --- the end of the turn ----------------------------------------------------------------------------------------


def after_take(s: AtlantisState) -> None:
    """The second moment for the bridge, if it is still held and there is a gap for it; then the draw."""
    if gaps.can_bridge(s):
        s.phase = BRIDGING
        s.actor = s.seat
    else:
        start_draw(s)


def start_draw(s: AtlantisState) -> None:
    """One card, and one for each own figure on the mainland (AT.D1): four for who brings the third (AT.E1)."""
    s.to_draw = 1 + on_mainland(s, s.seat)
    s.phase = DRAWING
    drawing.next_card(s)


def forget_bought(s: AtlantisState) -> None:
    """From here on it makes no difference which cards were bought this turn (AT.G3)."""
    s.bought_count = 0
    for kind in range(NUM_KINDS):
        s.bought[kind] = 0


def on_mainland(s: AtlantisState, seat: i64) -> i64:
    """How many figures of a seat have arrived."""
    n: i64 = 0
    for figure in range(FIGURES):
        if s.figure_at[seat * FIGURES + figure] == MAINLAND:
            n += 1
    return n


def after_draw(s: AtlantisState) -> None:
    """All cards due are drawn, as far as there were any."""
    if s.phase == BUYING:
        s.phase = START
        s.actor = s.seat
    elif s.phase == DEALING and s.seat + 1 < s.players:
        setup.deal(s, s.seat + 1)
    elif s.phase == DEALING:
        begin(s, 0)
    elif s.idle == s.players or on_mainland(s, s.seat) == FIGURES:
        s.phase = DONE  # AT.E1, AT.E4
        s.actor = OVER
        if s.events is not None:
            ending.tell_end(s)
    else:
        begin(s, (s.seat + 1) % s.players)


def begin(s: AtlantisState, seat: i64) -> None:
    """A seat's turn begins."""
    s.seat = seat
    s.actor = seat
    s.phase = START
    s.mover = -1
    s.origin = ATLANTIS
    s.bill = 0
    s.paid = 0
    s.laid = 0
    for kind in range(NUM_KINDS):
        s.played[kind] = 0
    if s.events is not None:
        tell(s, {"kind": "turn", "seat": int(seat)})

"""Invariants of every position: tiles and cards are conserved, one figure per tile, tables agree, somebody can act."""

from __future__ import annotations

from mypy_extensions import i64

from landfall.core.state import CHANCE, OVER
from landfall.games.atlantis.rules import board, card_drawing, components, gaps, movement, path_tiles, phases, turn
from landfall.games.atlantis.rules.position import AtlantisPosition


def find_faults(s: AtlantisPosition) -> list[str]:
    """All violated invariants of a position."""
    found = find_conservation_faults(s)
    if not found:
        found = find_derived_field_faults(s) + find_phase_faults(s)
    return found


def find_conservation_faults(s: AtlantisPosition) -> list[str]:
    """Every tile, card and figure exists, in exactly one place."""
    return find_path_faults(s) + find_figure_faults(s) + find_card_faults(s)


def find_path_faults(s: AtlantisPosition) -> list[str]:
    found: list[str] = []
    on_top = [0] * components.NUM_TILES
    for at in range(board.POSITIONS):
        tile = s.top[at]
        if tile >= 0:
            on_top[tile] += 1
            if tile // components.TILES_A_BACK != path_tiles.tile_back_at(at):
                found.append(f"position {at + 1} has a tile with the wrong back")
        elif s.below[at] and not (s.phase == phases.UNCOVERING and at == s.spot):
            found.append(f"position {at + 1} has a tile below but none on top")
        if tile >= 0 and s.bridge[at]:
            found.append(f"position {at + 1} has a tile and a bridge")
    for tile in range(components.NUM_TILES):
        if on_top[tile] != (1 if s.tile_at[tile] == components.ON_PATH else 0):
            found.append(f"tile {tile} is on top {on_top[tile]} times")
    for back in range(2):
        if count_unseen_tiles(s, back) < count_lower_tiles(s, back):
            found.append(f"fewer tiles with back {components.BACKS[back]} are unseen than lie below others")
    if count_bridged_positions(s) > count_seats_without_bridge(s):
        found.append("there are more bridges on the path than were laid")
    return found


def count_unseen_tiles(s: AtlantisPosition, back: i64) -> int:
    """How many tiles of a back nobody has seen."""
    start = back * components.TILES_A_BACK
    return sum(1 for tile in range(start, start + components.TILES_A_BACK) if s.tile_at[tile] == components.UNSEEN)


def count_lower_tiles(s: AtlantisPosition, back: i64) -> int:
    """How many tiles of a back lie below others."""
    return sum(int(s.below[at]) for at in range(board.POSITIONS) if path_tiles.tile_back_at(at) == back)


def count_bridged_positions(s: AtlantisPosition) -> int:
    return sum(int(s.bridge[at]) for at in range(board.POSITIONS))


def count_seats_without_bridge(s: AtlantisPosition) -> int:
    return sum(1 for seat in range(s.players) if s.holds_bridge[seat] == 0)


def find_figure_faults(s: AtlantisPosition) -> list[str]:
    """At most one figure per tile, except one that hops over another."""
    found: list[str] = []
    for figure in range(components.MAX_PLAYERS * components.FIGURES):
        at = s.figure_at[figure]
        if figure >= s.players * components.FIGURES:
            if at != board.ATLANTIS:
                found.append(f"figure {figure} has no player")
            continue
        hopping = s.phase == phases.HOPPING and figure == s.seat * components.FIGURES + s.mover
        if 0 <= at < board.MAINLAND:
            if s.top[at] < 0:
                found.append(f"figure {figure} stands in the water")
            if not hopping and s.occupant[at] != figure:
                found.append(f"figure {figure} does not hold its tile alone")
            if hopping and (s.occupant[at] < 0 or s.occupant[at] == figure):
                found.append(f"figure {figure} hops from a tile that is not occupied")
    for at in range(board.POSITIONS):
        figure = s.occupant[at]
        if figure >= 0 and s.figure_at[figure] != at:
            found.append(f"position {at + 1} is held by a figure that is elsewhere")
    return found


def find_card_faults(s: AtlantisPosition) -> list[str]:
    found: list[str] = []
    for kind in range(components.NUM_KINDS):
        cards = int(s.deck[kind] + s.discard[kind] + s.out_cards[kind])
        for seat in range(components.MAX_PLAYERS):
            i = seat * components.NUM_KINDS + kind
            cards += int(s.hand[i])
            if s.known[i] > s.hand[i]:
                found.append(f"seat {seat} is known to hold cards it does not")
            if seat >= s.players and s.hand[i]:
                found.append(f"seat {seat} has no player but cards")
        if cards != components.CARDS_A_KIND:
            found.append(f"there are {cards} cards of kind {kind}")
        if s.bought[kind] > s.hand[s.seat * components.NUM_KINDS + kind]:
            found.append(f"cards of kind {kind} were bought that are not in hand")
        if s.deck[kind] + count_drawn_cards(s, components.Kind(kind)) != s.shuffled[kind]:
            found.append(f"the deck and what was drawn from it do not make up kind {kind}")
        if s.discard[kind] < s.played[kind] and s.phase < phases.DRAWING:
            found.append(f"cards of kind {kind} played this turn are not in the discard pile")
    return found


def count_drawn_cards(s: AtlantisPosition, kind: components.Kind) -> i64:
    drawn: i64 = 0
    for seat in range(components.MAX_PLAYERS):
        drawn += s.drawn[seat * components.NUM_KINDS + kind]
    return drawn


def find_derived_field_faults(s: AtlantisPosition) -> list[str]:
    """Cached tables agree with the path."""
    found: list[str] = []
    for seat in range(components.MAX_PLAYERS):
        held = sum(
            int(components.TILE_VALUE[t]) for t in range(components.NUM_TILES) if s.tile_at[t] == components.HELD + seat
        )
        if s.worth[seat] != held:
            found.append(f"seat {seat} holds tiles worth {held}, not {s.worth[seat]}")
        for face in range(components.NUM_FACES):
            if (s.faces[seat] >> face & 1 == 1) != (gaps.find_held_tile(s, seat, components.Face(face)) >= 0):
                found.append(f"the faces seat {seat} holds are wrong")
    for at in range(board.ATLANTIS, board.POSITIONS):
        for kind in range(components.NUM_KINDS):
            if s.ahead[kind * board.ROW + at + 1] != movement.nearest_tile_of_kind_ahead(s, at, components.Kind(kind)):
                found.append(f"the nearest tile of kind {kind} from position {at + 1} is wrong")
        if at >= 0 and s.top[at] >= 0 and s.phase != phases.LAYING and s.phase != phases.UNCOVERING:
            if s.toll[at + 1] != gaps.crossing_price(s, board.ATLANTIS, at):
                found.append(f"the price up to position {at + 1} is wrong")
        if at >= 0 and s.bridge[at] and not s.first < at < s.last:
            found.append(f"a bridge is left at a shore, position {at + 1}")
    return found


def find_phase_faults(s: AtlantisPosition) -> list[str]:
    """The numbers of the turn fit its phase, and the actor can act."""
    found: list[str] = []
    by_chance = s.phase in (
        phases.LAYING,
        phases.DEALING,
        phases.BUYING,
        phases.UNCOVERING,
        phases.DRAWING,
        phases.STUCK,
    )
    if s.actor != (CHANCE if by_chance else OVER if s.phase == phases.DONE else s.seat):
        found.append("the wrong one acts")
    if (s.mover >= 0) != (
        s.phase in (phases.HOPPING, phases.PAYING, phases.UNCOVERING, phases.BRIDGING, phases.DRAWING)
        or has_ended_by_move(s)
    ):
        found.append("a figure is on the move when none should be, or none when one should")
    if (s.spot >= 0) != (s.phase in (phases.LAYING, phases.UNCOVERING)):
        found.append("a tile is turned up at the wrong time")
    if (s.to_draw > 0) != (s.phase in (phases.DEALING, phases.BUYING, phases.DRAWING, phases.STUCK)):
        found.append("cards are due at the wrong time")
    if s.to_draw > 0 and card_drawing.sum_card_counts(s.deck) == 0:
        found.append("a card is due from an empty deck")
    if s.phase == phases.HOPPING and not s.origin < s.figure_at[s.seat * components.FIGURES + s.mover] < board.MAINLAND:
        found.append("a figure hops from a place that is not ahead of where it came from")
    if not found and s.phase == phases.PAYING:
        found += find_payment_faults(s)
    if not found and s.actor >= 0 and not s.legal_actions():
        found.append("the actor has no choice")
    if not found and s.actor == CHANCE and not s.chance_outcomes():
        found.append("chance has no outcome")
    return found


def find_payment_faults(s: AtlantisPosition) -> list[str]:
    """The bill is the price of the move, is unpaid, and can be paid."""
    at = s.figure_at[s.seat * components.FIGURES + s.mover]
    if not s.origin < at or s.bill != gaps.crossing_price(s, s.origin, at):
        return ["the bill is not the price of the move"]
    if not s.paid < s.bill:
        return ["nothing is left to pay"]
    if s.bill - s.paid > turn.count_spendable_points(s):
        return ["the move cannot be paid for"]
    return []


def has_ended_by_move(s: AtlantisPosition) -> bool:
    return s.phase == phases.DONE and s.idle < s.players

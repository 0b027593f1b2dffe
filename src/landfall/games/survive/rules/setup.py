"""U · Set-up, with SV.V1, SV.V2, SV.O1, SV.O5 and chapter X: who places what where."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from landfall.core.rng import Rng
from landfall.core.state import ActionList
from landfall.games.survive.rules.action_encoding import LAY, PLACE, PLACE_SECOND, PUT
from landfall.games.survive.rules.board import OUTER_SLOT, SERPENT_STARTS, SHORE, SLOT_SPACE, SLOTS, place_name
from landfall.games.survive.rules.components import (
    ASIDE,
    BIT,
    COLOURS,
    EXPLORERS,
    ONE,
    PER_COLOUR,
    SEA,
    SEATS_CHANGED,
    SERPENT,
    SERPENTS,
    TERRAINS,
    TILES_OF_TERRAINS,
    UNLAID,
    UNPLACED,
    VALUE_COUNTS,
    VALUES,
    Terrain,
)
from landfall.games.survive.rules.event_recording import record_event, record_explorer_placed
from landfall.games.survive.rules.hidden_information import VALUE_SECRET
from landfall.games.survive.rules.phases import PLACING, PUTTING_SHIPS
from landfall.games.survive.rules.piece_positions import (
    bring_ship_from_supply,
    colour_of_seat,
    count_colours,
    explorer_name,
    is_beside_tile,
    put_explorer_on_space,
)
from landfall.games.survive.rules.turn import begin_turn, set_actor_and_phase

if TYPE_CHECKING:
    from landfall.games.survive.rules.message_types import Placed
    from landfall.games.survive.rules.options import TableRules
    from landfall.games.survive.rules.position import SurvivePosition

# --- amounts --------------------------------------------------------------------------------------------------


def values_set_aside(rules: TableRules) -> list[int]:
    """The values that each colour sets aside: SV.X1, SV.X2, not with SV.O5."""
    if rules.crowded or rules.players < 5:
        return []
    return [1, 3] if rules.players == 5 else [1, 2, 3]


def explorers_per_colour(rules: TableRules) -> int:
    """Explorers per colour."""
    return int(PER_COLOUR) - len(values_set_aside(rules))


def setup_ship_count_of_seat(rules: TableRules, seat: int) -> int:
    """SV.U2, SV.V2, SV.X1, SV.X2, SV.O5: how many ships a seat puts."""
    if rules.ships_per_colour:
        return 4
    if rules.crowded or rules.players < 5:
        return 2
    return 1 if seat < (2 if rules.players == 5 else 4) else 2


# --- the initial position -------------------------------------------------------------------------------------


def set_up_board(s: SurvivePosition) -> None:
    """Set up everything that neither chance nor players decide: SV.B3, SV.U2, SV.X1, SV.X2, SV.V1, SV.V2."""
    for i in range(SLOTS):
        s.tile[SLOT_SPACE[i]] = UNLAID
    for i in range(len(SERPENT_STARTS)):
        s.creature_space[i] = SERPENT_STARTS[i]
        s.creatures_at[SERPENT_STARTS[i]] += ONE[SERPENT]
    s.creature_left[SERPENT] = 0
    colours = count_colours(s)
    for e in range(EXPLORERS):
        s.where[e] = ASIDE if e // PER_COLOUR >= colours else UNPLACED
    for c in range(colours):
        for v in range(VALUES):
            s.values_left[c * VALUES + v] = VALUE_COUNTS[v]
        for v in values_set_aside(s.rules):
            s.values_left[c * VALUES + v - 1] -= 1
        for i in range(explorers_per_colour(s.rules), PER_COLOUR):
            s.where[c * PER_COLOUR + i] = ASIDE
    for seat in range(s.players):
        s.ships_to_put[seat] = setup_ship_count_of_seat(s.rules, seat)


# --- the island -----------------------------------------------------------------------------------------------


def lay_next_tile(s: SurvivePosition, terrain: Terrain) -> None:
    """SV.U1: the next slot gets its tile; all backs are hidden."""
    s.tile[SLOT_SPACE[s.set_up]] = terrain
    s.terrain_left[terrain] -= 1
    s.set_up += 1
    if s.set_up == SLOTS:
        s.set_up = 0
        for t in range(TERRAINS):
            s.terrain_left[t] = TILES_OF_TERRAINS[t]
        set_actor_and_phase(s, 0, PLACING)


def sample_terrain(s: SurvivePosition, rng: Rng) -> i64:
    left = rng.randbelow(SLOTS - s.set_up)
    terrain: i64 = 0
    while left >= s.terrain_left[terrain]:
        left -= s.terrain_left[terrain]
        terrain += 1
    return LAY + terrain


# --- explorers ------------------------------------------------------------------------------------------------


def has_colour_on_space(s: SurvivePosition, colour: i64, space: i64) -> bool:
    for e in range(colour * PER_COLOUR, colour * PER_COLOUR + s.placed[colour]):
        if s.where[e] == space:
            return True
    return False


def may_place_explorer(s: SurvivePosition, colour: i64, slot: i64) -> bool:
    """Whether a tile may receive the next explorer: SV.U3, SV.O1, SV.O5, SV.X2."""
    space = SLOT_SPACE[slot]
    people = s.people_at[space]
    if s.rules.overpopulated:
        return people < 2 - OUTER_SLOT[slot]
    if people == 0:
        return True
    if s.set_up < SLOTS:
        return False
    if s.rules.crowded and people > 1:
        return False
    return not has_colour_on_space(s, colour, space)


def add_legal_placings(s: SurvivePosition, moves: ActionList) -> None:
    seat = s.actor
    items, count, left, people_at = moves.items, moves.count, s.values_left, s.people_at
    one_each = s.set_up < SLOTS and not s.rules.overpopulated  # every tile takes one
    for which in range(2 if s.rules.two_colours else 1):
        colour = colour_of_seat(seat, which)
        for slot in range(SLOTS):
            if people_at[SLOT_SPACE[slot]] == 0 if one_each else may_place_explorer(s, colour, slot):
                base = (PLACE_SECOND if which == 1 else PLACE) + slot * VALUES
                for v in range(VALUES):
                    if left[colour * VALUES + v] > 0:
                        items[count] = base + v
                        count += 1
    moves.count = count


def rule_forbidding_placing(s: SurvivePosition, which: i64, slot: i64, v: i64) -> str:
    if which == 1 and not s.rules.two_colours:
        return "SV.V1"
    colour = colour_of_seat(s.actor, which)
    if s.values_left[colour * VALUES + v] == 0:
        if int(v) + 1 in values_set_aside(s.rules):
            return "SV.X1" if s.players == 5 else "SV.X2"
        return "SV.C2"
    people = s.people_at[SLOT_SPACE[slot]]
    if s.rules.overpopulated:
        room: i64 = 1 if OUTER_SLOT[slot] == 1 else 2
        return "SV.O1" if people >= room else ""
    if people == 0:
        return ""
    if s.rules.crowded:
        full_with_one = s.set_up >= SLOTS
        return "" if full_with_one and people == 1 and not has_colour_on_space(s, colour, SLOT_SPACE[slot]) else "SV.O5"
    if s.players == COLOURS and s.set_up >= SLOTS:
        return "SV.X2" if has_colour_on_space(s, colour, SLOT_SPACE[slot]) else ""
    return "SV.U3"


def place_explorer(s: SurvivePosition, which: i64, slot: i64, v: i64) -> None:
    """Place an explorer of the actor on a tile; explorers are numbered within a colour in placing order (SV.U3)."""
    colour = colour_of_seat(s.actor, which)
    space = SLOT_SPACE[slot]
    e = colour * PER_COLOUR + s.placed[colour]
    s.placed[colour] += 1
    s.values_left[colour * VALUES + v] -= 1
    s.value[e] = v + 1
    s.in_play[s.actor] += 1
    s.changed |= BIT[SEATS_CHANGED]
    s.set_up += 1
    put_explorer_on_space(s, e, space)
    if s.events is not None:
        event: Placed = {
            "kind": "placed",
            "seat": int(s.actor),
            "piece": explorer_name(int(e)),
            "at": place_name(int(space)),
        }
        record_explorer_placed(s, event, {"value": int(v + 1)}, VALUE_SECRET + int(s.actor))
    seat = (s.actor + 1) % s.players
    if has_explorer_to_place(s, seat):
        set_actor_and_phase(s, seat, PLACING)
    else:  # all have the same number, so the first player finishes first
        set_actor_and_phase(s, 0, PUTTING_SHIPS)


def has_explorer_to_place(s: SurvivePosition, seat: i64) -> bool:
    for which in range(2 if s.rules.two_colours else 1):
        e = colour_of_seat(seat, which) * PER_COLOUR + s.placed[colour_of_seat(seat, which)]
        if s.placed[colour_of_seat(seat, which)] < PER_COLOUR and s.where[e] == UNPLACED:
            return True
    return False


# --- ships ----------------------------------------------------------------------------------------------------


def may_put_ship(s: SurvivePosition, space: i64) -> bool:
    """SV.U4: a sea space that touches a tile and holds no ship and no serpent."""
    return (
        s.tile[space] == SEA
        and s.ship_at[space] < 0
        and s.creatures_at[space] & SERPENTS == 0
        and is_beside_tile(s, space)
    )


def add_legal_ship_puts(s: SurvivePosition, moves: ActionList) -> None:
    for i in range(len(SHORE)):
        if may_put_ship(s, SHORE[i]):
            moves.add(PUT + SHORE[i])


def rule_forbidding_ship_put(s: SurvivePosition, space: i64) -> str:
    return "" if may_put_ship(s, space) else "SV.U4"


def put_setup_ship(s: SurvivePosition, space: i64) -> None:
    """SV.U4, SV.X3: in rounds from the first player; seats without ships are skipped."""
    bring_ship_from_supply(s, space)
    if s.events is not None:
        record_event(s, {"kind": "ship_put", "seat": int(s.actor), "at": place_name(int(space))})
    s.ships_to_put[s.actor] -= 1
    s.changed |= BIT[SEATS_CHANGED]
    seat = s.actor
    for _ in range(s.players):
        seat = (seat + 1) % s.players
        if s.ships_to_put[seat] > 0:
            set_actor_and_phase(s, seat, PUTTING_SHIPS)
            return
    s.set_up = 0
    begin_turn(s)

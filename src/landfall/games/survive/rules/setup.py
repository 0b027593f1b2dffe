"""U · Set-up, with SV.V1, SV.V2, SV.O1, SV.O5 and chapter X: who places what where."""

from __future__ import annotations

from mypy_extensions import i64

from landfall.core.rng import Rng
from landfall.core.state import ActionList
from landfall.games.survive.rules import (
    board,
    codes,
    components,
    hidden_information,
    message_types,
    phases,
    piece_positions,
)
from landfall.games.survive.rules.event_recording import record_event, record_explorer_placed
from landfall.games.survive.rules.options import TableRules
from landfall.games.survive.rules.position import SurvivePosition
from landfall.games.survive.rules.turn import begin_turn, set_actor_and_phase

# --- amounts --------------------------------------------------------------------------------------------------


def values_set_aside(rules: TableRules) -> list[int]:
    """The values that each colour sets aside: SV.X1, SV.X2, not with SV.O5."""
    if rules.crowded or rules.players < 5:
        return []
    return [1, 3] if rules.players == 5 else [1, 2, 3]


def explorers_per_colour(rules: TableRules) -> int:
    """Explorers per colour."""
    return int(components.PER_COLOUR) - len(values_set_aside(rules))


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
    for i in range(board.SLOTS):
        s.tile[board.SLOT_SPACE[i]] = components.UNLAID
    for i in range(len(board.SERPENT_STARTS)):
        s.creature_space[i] = board.SERPENT_STARTS[i]
        s.creatures_at[board.SERPENT_STARTS[i]] += components.ONE[components.SERPENT]
    s.creature_left[components.SERPENT] = 0
    colours = piece_positions.count_colours(s)
    for e in range(components.EXPLORERS):
        s.where[e] = components.ASIDE if e // components.PER_COLOUR >= colours else components.UNPLACED
    for c in range(colours):
        for v in range(components.VALUES):
            s.values_left[c * components.VALUES + v] = components.VALUE_COUNTS[v]
        for v in values_set_aside(s.rules):
            s.values_left[c * components.VALUES + v - 1] -= 1
        for i in range(explorers_per_colour(s.rules), components.PER_COLOUR):
            s.where[c * components.PER_COLOUR + i] = components.ASIDE
    for seat in range(s.players):
        s.ships_to_put[seat] = setup_ship_count_of_seat(s.rules, seat)


# --- the island -----------------------------------------------------------------------------------------------


def lay_next_tile(s: SurvivePosition, terrain: components.Terrain) -> None:
    """SV.U1: the next slot gets its tile; all backs are hidden."""
    s.tile[board.SLOT_SPACE[s.set_up]] = terrain
    s.terrain_left[terrain] -= 1
    s.set_up += 1
    if s.set_up == board.SLOTS:
        s.set_up = 0
        for t in range(components.TERRAINS):
            s.terrain_left[t] = components.TILES_OF_TERRAINS[t]
        set_actor_and_phase(s, 0, phases.PLACING)


def sample_terrain(s: SurvivePosition, rng: Rng) -> i64:
    left = rng.randbelow(board.SLOTS - s.set_up)
    terrain: i64 = 0
    while left >= s.terrain_left[terrain]:
        left -= s.terrain_left[terrain]
        terrain += 1
    return codes.LAY + terrain


# --- explorers ------------------------------------------------------------------------------------------------


def has_colour_on_space(s: SurvivePosition, colour: i64, space: i64) -> bool:
    for e in range(colour * components.PER_COLOUR, colour * components.PER_COLOUR + s.placed[colour]):
        if s.where[e] == space:
            return True
    return False


def may_place_explorer(s: SurvivePosition, colour: i64, slot: i64) -> bool:
    """Whether a tile may receive the next explorer: SV.U3, SV.O1, SV.O5, SV.X2."""
    space = board.SLOT_SPACE[slot]
    people = s.people_at[space]
    if s.rules.overpopulated:
        return people < 2 - board.OUTER_SLOT[slot]
    if people == 0:
        return True
    if s.set_up < board.SLOTS:
        return False
    if s.rules.crowded and people > 1:
        return False
    return not has_colour_on_space(s, colour, space)


def add_legal_placings(s: SurvivePosition, moves: ActionList) -> None:
    seat = s.actor
    items, count, left, people_at = moves.items, moves.count, s.values_left, s.people_at
    one_each = s.set_up < board.SLOTS and not s.rules.overpopulated  # every tile takes one
    for which in range(2 if s.rules.two_colours else 1):
        colour = piece_positions.colour_of_seat(seat, which)
        for slot in range(board.SLOTS):
            if people_at[board.SLOT_SPACE[slot]] == 0 if one_each else may_place_explorer(s, colour, slot):
                base = (codes.PLACE_SECOND if which == 1 else codes.PLACE) + slot * components.VALUES
                for v in range(components.VALUES):
                    if left[colour * components.VALUES + v] > 0:
                        items[count] = base + v
                        count += 1
    moves.count = count


def rule_forbidding_placing(s: SurvivePosition, which: i64, slot: i64, v: i64) -> str:
    if which == 1 and not s.rules.two_colours:
        return "SV.V1"
    colour = piece_positions.colour_of_seat(s.actor, which)
    if s.values_left[colour * components.VALUES + v] == 0:
        if int(v) + 1 in values_set_aside(s.rules):
            return "SV.X1" if s.players == 5 else "SV.X2"
        return "SV.C2"
    people = s.people_at[board.SLOT_SPACE[slot]]
    if s.rules.overpopulated:
        room: i64 = 1 if board.OUTER_SLOT[slot] == 1 else 2
        return "SV.O1" if people >= room else ""
    if people == 0:
        return ""
    if s.rules.crowded:
        full_with_one = s.set_up >= board.SLOTS
        return (
            ""
            if full_with_one and people == 1 and not has_colour_on_space(s, colour, board.SLOT_SPACE[slot])
            else "SV.O5"
        )
    if s.players == components.COLOURS and s.set_up >= board.SLOTS:
        return "SV.X2" if has_colour_on_space(s, colour, board.SLOT_SPACE[slot]) else ""
    return "SV.U3"


def place_explorer(s: SurvivePosition, which: i64, slot: i64, v: i64) -> None:
    """Place an explorer of the actor on a tile; explorers are numbered within a colour in placing order (SV.U3)."""
    colour = piece_positions.colour_of_seat(s.actor, which)
    space = board.SLOT_SPACE[slot]
    e = colour * components.PER_COLOUR + s.placed[colour]
    s.placed[colour] += 1
    s.values_left[colour * components.VALUES + v] -= 1
    s.value[e] = v + 1
    s.in_play[s.actor] += 1
    s.changed |= components.BIT[components.SEATS_CHANGED]
    s.set_up += 1
    piece_positions.put_explorer_on_space(s, e, space)
    if s.events is not None:
        event: message_types.Placed = {
            "kind": "placed",
            "seat": int(s.actor),
            "piece": piece_positions.explorer_name(int(e)),
            "at": board.place_name(int(space)),
        }
        record_explorer_placed(s, event, {"value": int(v + 1)}, hidden_information.VALUE_SECRET + int(s.actor))
    seat = (s.actor + 1) % s.players
    if has_explorer_to_place(s, seat):
        set_actor_and_phase(s, seat, phases.PLACING)
    else:  # all have the same number, so the first player finishes first
        set_actor_and_phase(s, 0, phases.PUTTING_SHIPS)


def has_explorer_to_place(s: SurvivePosition, seat: i64) -> bool:
    for which in range(2 if s.rules.two_colours else 1):
        e = (
            piece_positions.colour_of_seat(seat, which) * components.PER_COLOUR
            + s.placed[piece_positions.colour_of_seat(seat, which)]
        )
        if (
            s.placed[piece_positions.colour_of_seat(seat, which)] < components.PER_COLOUR
            and s.where[e] == components.UNPLACED
        ):
            return True
    return False


# --- ships ----------------------------------------------------------------------------------------------------


def may_put_ship(s: SurvivePosition, space: i64) -> bool:
    """SV.U4: a sea space that touches a tile and holds no ship and no serpent."""
    return (
        s.tile[space] == components.SEA
        and s.ship_at[space] < 0
        and s.creatures_at[space] & components.SERPENTS == 0
        and piece_positions.is_beside_tile(s, space)
    )


def add_legal_ship_puts(s: SurvivePosition, moves: ActionList) -> None:
    for i in range(len(board.SHORE)):
        if may_put_ship(s, board.SHORE[i]):
            moves.add(codes.PUT + board.SHORE[i])


def rule_forbidding_ship_put(s: SurvivePosition, space: i64) -> str:
    return "" if may_put_ship(s, space) else "SV.U4"


def put_setup_ship(s: SurvivePosition, space: i64) -> None:
    """SV.U4, SV.X3: in rounds from the first player; seats without ships are skipped."""
    piece_positions.bring_ship_from_supply(s, space)
    if s.events is not None:
        record_event(s, {"kind": "ship_put", "seat": int(s.actor), "at": board.place_name(int(space))})
    s.ships_to_put[s.actor] -= 1
    s.changed |= components.BIT[components.SEATS_CHANGED]
    seat = s.actor
    for _ in range(s.players):
        seat = (seat + 1) % s.players
        if s.ships_to_put[seat] > 0:
            set_actor_and_phase(s, seat, phases.PUTTING_SHIPS)
            return
    s.set_up = 0
    begin_turn(s)

"""Moves pieces on and off the board and keeps the derived fields consistent. It decides no rule."""

from __future__ import annotations

from mypy_extensions import i64

from landfall.core.int_vectors import filled_vector
from landfall.games.survive.rules import board, components, message_types, phases
from landfall.games.survive.rules.event_recording import record_event
from landfall.games.survive.rules.position import SurvivePosition

# --- queries --------------------------------------------------------------------------------------------------


def count_colours(s: SurvivePosition) -> i64:
    """How many colours are in the game; SV.V1: two players have two each."""
    return 4 if s.rules.two_colours else s.players


def colour_of_seat(seat: i64, which: i64) -> i64:
    """A seat's first colour (0), or with SV.V1 its second (1): red and green, yellow and blue."""
    return seat + 2 * which


def colours_of_seat(s: SurvivePosition, seat: i64) -> list[int]:
    """All colours of a seat."""
    return [int(seat), int(colour_of_seat(seat, 1))] if s.rules.two_colours else [int(seat)]


def seat_of_colour(s: SurvivePosition, colour: i64) -> i64:
    """The seat that owns a colour."""
    return colour & 1 if s.rules.two_colours else colour


def seat_of_explorer(s: SurvivePosition, e: i64) -> i64:
    """The seat that owns an explorer."""
    colour = e // components.PER_COLOUR
    return colour & 1 if s.rules.two_colours else colour


def nth_explorer_of_seat(s: SurvivePosition, seat: i64, i: i64) -> i64:
    """A seat's explorer number i: 0 to 9 of its colour, 10 to 19 of its second (SV.V1)."""
    return seat * components.PER_COLOUR + i if i < components.PER_COLOUR else (seat + 1) * components.PER_COLOUR + i


def explorers_per_seat(s: SurvivePosition) -> i64:
    """The number of explorers that `nth_explorer_of_seat` can return."""
    return 2 * components.PER_COLOUR if s.rules.two_colours else components.PER_COLOUR


def seat_of_current_event(s: SurvivePosition) -> i64:
    """The seat an event belongs to: the turn's player, or the one who spends the point of SV.O5."""
    return s.mini_seat if s.step == phases.STEP_MINI else s.turn


def is_on_board(s: SurvivePosition, e: i64) -> bool:
    """Whether it is on a tile, on a ship or in the water."""
    return 0 <= s.where[e] < board.SPACES


def is_swimming(s: SurvivePosition, e: i64) -> bool:
    at = s.where[e]
    return 0 <= at < board.SPACES and s.aboard[e] < 0 and s.tile[at] == components.SEA


def count_unguarded_swimmers(s: SurvivePosition, space: i64) -> i64:
    """The number of unguarded swimmers in the space."""
    if s.tile[space] != components.SEA:
        return 0
    return s.people_at[space] - (s.creatures_at[space] >> components.WARD_BITS)


def count_free_dolphins(s: SurvivePosition, space: i64) -> i64:
    """The number of dolphins without a ward in the space."""
    here = s.creatures_at[space]
    return (here >> components.DOLPHIN_BITS & components.COUNT_BITS) - (here >> components.WARD_BITS)


def has_occupied_ship(s: SurvivePosition, space: i64) -> bool:
    k = s.ship_at[space]
    return k >= 0 and s.ship_seat[k * components.SHIP_SEATS] >= 0


def is_vacant_sea(s: SurvivePosition, space: i64) -> bool:
    """SV.H3: a sea space with no explorer, ship or creature."""
    return (
        s.tile[space] == components.SEA
        and s.creatures_at[space] == 0
        and s.people_at[space] == 0
        and s.ship_at[space] < 0
    )


def is_beside_tile(s: SurvivePosition, space: i64) -> bool:
    for d in range(board.SIDES):
        n = board.NEXT[space * board.SIDES + d]
        if n >= 0 and s.tile[n] != components.SEA:
            return True
    return False


def is_beside_sea(s: SurvivePosition, space: i64) -> bool:
    for d in range(board.SIDES):
        n = board.NEXT[space * board.SIDES + d]
        if n >= 0 and s.tile[n] == components.SEA:
            return True
    return False


def is_beside_tile_with_explorers(s: SurvivePosition, space: i64) -> bool:
    """Whether an adjacent tile has explorers."""
    for d in range(board.SIDES):
        n = board.NEXT[space * board.SIDES + d]
        if n >= 0 and s.tile[n] != components.SEA and s.people_at[n] > 0:
            return True
    return False


def are_adjacent(a: i64, b: i64) -> bool:
    for d in range(board.SIDES):
        if board.NEXT[a * board.SIDES + d] == b:
            return True
    return False


def has_free_seat(s: SurvivePosition, ship: i64) -> bool:
    return s.ship_seat[ship * components.SHIP_SEATS + components.SHIP_SEATS - 1] < 0


def does_seat_control_ship(s: SurvivePosition, seat: i64, ship: i64) -> bool:
    """SV.S3: most explorers aboard, or tied for most."""
    a, b, c = (
        s.ship_seat[ship * components.SHIP_SEATS],
        s.ship_seat[ship * components.SHIP_SEATS + 1],
        s.ship_seat[ship * components.SHIP_SEATS + components.SHIP_SEATS - 1],
    )
    if a < 0:
        return False
    first = seat_of_explorer(s, a)
    if b < 0:
        return first == seat
    second = seat_of_explorer(s, b)
    if c < 0:
        return seat in (first, second)
    third = seat_of_explorer(s, c)
    if first in (second, third):
        return first == seat
    if second == third:
        return second == seat
    return seat in (first, second, third)


def is_first_of_equal_creatures(s: SurvivePosition, c: i64) -> bool:
    """Whether no earlier creature of its kind shares its space: only one of several equal ones is offered."""
    kind = components.KIND_OF[c]
    if kind == components.DOLPHIN:  # wards make dolphins distinct
        return True
    for other in range(components.FIRST[kind], c):
        if s.creature_space[other] == s.creature_space[c]:
            return False
    return True


# --- names for events -----------------------------------------------------------------------------------------


def explorer_name(e: int) -> str:
    """An explorer's name: its colour's letter and its number in the order of placing."""
    return components.PIECE_NAMES[e]


def crew_names(s: SurvivePosition, ship: i64) -> list[str]:
    return [
        explorer_name(int(s.ship_seat[i]))
        for i in range(ship * components.SHIP_SEATS, (ship + 1) * components.SHIP_SEATS)
        if s.ship_seat[i] >= 0
    ]


# --- explorers ------------------------------------------------------------------------------------------------


def put_explorer_on_space(s: SurvivePosition, e: i64, space: i64) -> None:
    """Put an explorer onto a tile or into the water; it must be nowhere else."""
    s.changed |= components.BIT[e]
    s.where[e] = space
    s.people_at[space] += 1


def put_explorer_aboard(s: SurvivePosition, e: i64, ship: i64) -> None:
    at = ship * components.SHIP_SEATS
    while s.ship_seat[at] >= 0:
        at += 1
    s.changed |= components.BIT[e] | components.BIT[components.SHIPS_CHANGED]
    s.ship_seat[at] = e
    s.aboard[e] = ship
    s.where[e] = s.ship_space[ship]


def lift_explorer_off(s: SurvivePosition, e: i64) -> None:
    """Take an explorer off its tile, its ship or the water; a ward frees its dolphin (SV.N7, SV.N10)."""
    s.changed |= components.BIT[e]
    ship = s.aboard[e]
    if ship >= 0:
        s.changed |= components.BIT[components.SHIPS_CHANGED]
        at = ship * components.SHIP_SEATS
        while s.ship_seat[at] != e:
            at += 1
        while at < ship * components.SHIP_SEATS + components.SHIP_SEATS - 1:
            s.ship_seat[at] = s.ship_seat[at + 1]
            at += 1
        s.ship_seat[at] = -1
        s.aboard[e] = -1
    else:
        free_ward(s, e)
        s.people_at[s.where[e]] -= 1


def remove_explorer(s: SurvivePosition, e: i64, by: str) -> None:
    """Remove an explorer from the game; on its own turn a player gains a bounty for a rival's (SV.E1)."""
    if s.events is not None:
        record_event(
            s, {"kind": "removed", "piece": explorer_name(int(e)), "at": board.place_name(int(s.where[e])), "by": by}
        )
    lift_explorer_off(s, e)
    s.changed |= components.BIT[components.SEATS_CHANGED]
    s.where[e] = components.LOST
    seat = seat_of_explorer(s, e)
    s.in_play[seat] -= 1
    s.stirred = 1
    if s.rules.bounty and seat != s.turn and seat_of_current_event(s) == s.turn:
        s.bounties[s.turn] += 1


def put_explorer_on_isle(s: SurvivePosition, e: i64, isle: i64) -> None:
    """Put an explorer onto a safe isle, for good."""
    lift_explorer_off(s, e)
    s.changed |= components.BIT[components.SEATS_CHANGED]
    s.where[e] = board.FIRST_ISLE + isle
    s.in_play[seat_of_explorer(s, e)] -= 1
    s.stirred = 1


# --- creatures ------------------------------------------------------------------------------------------------


def bring_creature_from_supply(s: SurvivePosition, kind: components.Kind, space: i64) -> i64:
    """Move a creature from the supply onto the board; -1 if the supply is empty (SV.R9)."""
    if s.creature_left[kind] == 0:
        return -1
    s.changed |= components.BIT[components.CREATURES_CHANGED]
    c = components.FIRST[kind] + components.SUPPLY[kind] - s.creature_left[kind]
    s.creature_left[kind] -= 1
    s.creature_space[c] = space
    s.creatures_at[space] += components.ONE[kind]
    if s.events is not None:
        record_event(
            s,
            {
                "kind": "arrived",
                "creature": components.KIND_NAMES[kind],
                "id": int(c),
                "at": board.place_name(int(space)),
            },
        )
    return c


def move_creature_to_space(s: SurvivePosition, c: i64, to: i64) -> None:
    """Move a creature to another space; the caller handles a dolphin's ward."""
    s.changed |= components.BIT[components.CREATURES_CHANGED]
    one = components.ONE[components.KIND_OF[c]]
    s.creatures_at[s.creature_space[c]] -= one
    s.creatures_at[to] += one
    s.creature_space[c] = to


def remove_creature_from_game(s: SurvivePosition, c: i64, by: str) -> None:
    """Remove a creature from the game; a dolphin's ward is no longer guarded."""
    space = s.creature_space[c]
    if s.events is not None:
        event: message_types.CreatureRemoved = {
            "kind": "creature_removed",
            "creature": components.KIND_NAMES[components.KIND_OF[c]],
            "id": int(c),
            "at": board.place_name(int(space)),
            "by": by,
        }
        record_event(s, event)
    if (
        c >= components.FIRST_DOLPHIN
        and c < components.FIRST_DOLPHIN + components.DOLPHINS
        and s.ward[c - components.FIRST_DOLPHIN] >= 0
    ):
        free_ward(s, s.ward[c - components.FIRST_DOLPHIN])
    s.changed |= components.BIT[components.CREATURES_CHANGED]
    s.creatures_at[space] -= components.ONE[components.KIND_OF[c]]
    s.creature_space[c] = -1


def remove_creatures_of_kind(s: SurvivePosition, kind: components.Kind, space: i64, by: str) -> None:
    """Remove all creatures of a kind in a space from the game."""
    for c in range(components.FIRST[kind], components.FIRST[kind + 1]):
        if s.creature_space[c] == space:
            remove_creature_from_game(s, c, by)


def remove_all_creatures_in_space(s: SurvivePosition, space: i64, by: str) -> None:
    for c in range(components.CREATURES):
        if s.creature_space[c] == space:
            remove_creature_from_game(s, c, by)


def assign_ward(s: SurvivePosition, dolphin: i64, e: i64) -> None:
    """Let a dolphin (0 to 3) without a ward guard a swimmer in its space."""
    s.changed |= components.BIT[e]
    s.ward[dolphin] = e
    s.guard[e] = dolphin
    s.creatures_at[s.where[e]] += components.ONE_WARD
    if s.events is not None:
        record_event(s, {"kind": "guarded", "piece": explorer_name(int(e)), "at": board.place_name(int(s.where[e]))})


def free_ward(s: SurvivePosition, e: i64) -> None:
    dolphin = s.guard[e]
    if dolphin >= 0:
        s.changed |= components.BIT[e]
        s.ward[dolphin] = -1
        s.guard[e] = -1
        s.creatures_at[s.where[e]] -= components.ONE_WARD


# --- ships ----------------------------------------------------------------------------------------------------


def bring_ship_from_supply(s: SurvivePosition, space: i64) -> i64:
    """Move a ship from the supply, which must not be empty, onto a sea space."""
    ship: i64 = 0
    while s.ship_space[ship] >= 0:
        ship += 1
    s.changed |= components.BIT[components.SHIPS_CHANGED]
    s.ships_left -= 1
    s.ship_space[ship] = space
    s.ship_at[space] = ship
    return ship


def move_ship_to_space(s: SurvivePosition, ship: i64, to: i64) -> None:
    """Move a ship with its crew to another space."""
    s.changed |= components.BIT[components.SHIPS_CHANGED]
    s.ship_at[s.ship_space[ship]] = -1
    s.ship_at[to] = ship
    s.ship_space[ship] = to
    for i in range(ship * components.SHIP_SEATS, (ship + 1) * components.SHIP_SEATS):
        e = s.ship_seat[i]
        if e >= 0:
            s.changed |= components.BIT[e]
            s.where[e] = to


def remove_empty_ship(s: SurvivePosition, ship: i64) -> None:
    """Remove an empty ship from the game, or return it to the supply by SV.O5."""
    s.changed |= components.BIT[components.SHIPS_CHANGED]
    s.ship_at[s.ship_space[ship]] = -1
    s.ship_space[ship] = -1
    if s.rules.crowded:
        s.ships_left += 1


def remove_ship_with_crew(s: SurvivePosition, ship: i64, by: str) -> None:
    while s.ship_seat[ship * components.SHIP_SEATS] >= 0:
        remove_explorer(s, s.ship_seat[ship * components.SHIP_SEATS], by)
    remove_empty_ship(s, ship)


def count_explorers_in_play(s: SurvivePosition) -> i64:
    """Explorers of all seats on tiles, ships and in the water."""
    total: i64 = 0
    for seat in range(s.players):
        total += s.in_play[seat]
    return total


def count_unguarded_swimmers_of_seat(s: SurvivePosition, seat: i64, space: i64) -> i64:
    """The number of a seat's unguarded swimmers in a space."""
    count: i64 = 0
    for e in range(components.EXPLORERS):
        if s.where[e] == space and s.aboard[e] < 0 and s.guard[e] < 0 and seat_of_explorer(s, e) == seat:
            count += 1
    return count


# --- derived fields -------------------------------------------------------------------------------------------


def recompute_derived_fields(s: SurvivePosition) -> None:
    """Fill in ship_at, people_at, creatures_at and in_play."""
    s.ship_at = filled_vector(board.SPACES, components.NONE)
    s.people_at = filled_vector(board.SPACES, 0)
    s.creatures_at = filled_vector(board.SPACES, 0)
    s.in_play = filled_vector(components.COLOURS, 0)
    for ship in range(components.SHIPS):
        if s.ship_space[ship] >= 0:
            s.ship_at[s.ship_space[ship]] = ship
    for c in range(components.CREATURES):
        if s.creature_space[c] >= 0:
            s.creatures_at[s.creature_space[c]] += components.ONE[components.KIND_OF[c]]
    for e in range(components.EXPLORERS):
        at = s.where[e]
        if at < 0 or at >= board.SPACES:
            continue
        s.in_play[seat_of_explorer(s, e)] += 1
        if s.aboard[e] < 0:
            s.people_at[at] += 1
            if s.guard[e] >= 0:
                s.creatures_at[at] += components.ONE_WARD

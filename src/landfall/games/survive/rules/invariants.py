"""Invariants of every position: no piece is missing, none is in two places, no swimmer is beside a shark."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from landfall.core.int_vectors import to_list
from landfall.core.state import CHANCE, OVER
from landfall.games.survive.rules import board, components, phases, piece_positions
from landfall.games.survive.rules.position import SurvivePosition
from landfall.games.survive.rules.setup import explorers_per_colour, values_set_aside


def find_faults(s: SurvivePosition) -> list[str]:
    """All violated invariants of a position."""
    out: list[str] = []
    append_actor_faults(s, out)
    append_tile_faults(s, out)
    append_explorer_faults(s, out)
    if out:  # the next checks need every piece to be somewhere
        return out
    append_ship_faults(s, out)
    append_creature_faults(s, out)
    append_derived_field_faults(s, out)
    if not out:
        append_danger_faults(s, out)
    return out


def append_actor_faults(s: SurvivePosition, out: list[str]) -> None:
    by_chance = s.phase in (phases.LAYING, phases.DRAWING_BACK, phases.ROLLING, phases.ROLLING_SECOND_DIE)
    if by_chance != (s.actor == CHANCE) or (s.phase == phases.ENDED) != (s.actor == OVER):
        out.append("the actor does not fit the phase")
    if s.phase in (phases.DEFENDING, phases.PREY) and (s.creature < 0 or s.creature_space[s.creature] < 0):
        out.append("a creature that is not there attacks")
    if s.phase == phases.WARD and s.touched < 0:
        out.append("a ward is chosen nowhere")
    if s.phase == phases.DRAWING_BACK and (s.tile_terrain < 0 or s.terrain_left[s.tile_terrain] < 0):
        out.append("a back is drawn of no tile")
    if s.phase == phases.BOARDING and (s.tile_space < 0 or s.ship_at[s.tile_space] < 0):
        out.append("nobody can board a ship that is not there")
    if s.phase in (phases.CREATURE, phases.ROLLING_SECOND_DIE) and s.face < 0:
        out.append("there is no die")
    if s.phase == phases.REMOVING and s.tiles_left == 0:
        out.append("there is no tile to remove")


def append_tile_faults(s: SurvivePosition, out: list[str]) -> None:
    if s.phase == phases.LAYING:
        return
    counts = [0, 0, 0]
    for space in range(board.SPACES):
        terrain = int(s.tile[space])
        if terrain == components.UNLAID or (terrain >= 0 and space not in ISLAND):
            out.append(f"no tile can lie at {board.NAMES[space]}")
            return
        if terrain >= 0:
            counts[terrain] += 1
    if counts != to_list(s.terrain_left) or sum(counts) != s.tiles_left:
        out.append("the tiles do not add up")
    for t in range(components.TERRAINS):
        on_island = sum(int(s.back_left[t * components.BACKS + back]) for back in range(components.BACKS))
        hidden = 1 if s.phase == phases.DRAWING_BACK and s.tile_terrain == t else 0
        if s.phase == phases.ENDED and s.rules.submerged and s.tiles_left == 0:
            hidden = on_island  # the last back is never revealed
        if on_island != counts[t] + hidden:
            out.append("the backs do not add up")
        for back in range(components.BACKS):
            held = (
                sum(int(s.hand[components.hand_index(seat, t, back)]) for seat in range(components.COLOURS))
                if back < components.HAND_KINDS
                else 0
            )
            if held + int(s.back_left[t * components.BACKS + back]) > components.TILE_TABLE[t][back]:
                out.append("there are more tiles of a kind than were printed")
    for seat in range(components.COLOURS):
        if s.hand_size[seat] != sum(int(s.hand[seat * A_HAND + i]) for i in range(A_HAND)):
            out.append("a hand's size is wrong")


A_HAND: Final[i64] = components.TERRAINS * components.HAND_KINDS
ISLAND: Final = frozenset(to_list(board.SLOT_SPACE))


def append_explorer_faults(s: SurvivePosition, out: list[str]) -> None:
    colours = int(piece_positions.count_colours(s))
    each = explorers_per_colour(s.rules)
    aside = values_set_aside(s.rules)
    for colour in range(colours):
        worth = [int(s.values_left[colour * components.VALUES + v]) for v in range(components.VALUES)]
        for i in range(components.PER_COLOUR):
            e = int(colour * components.PER_COLOUR + i)
            at = int(s.where[e])
            if (at == components.ASIDE) != (i >= each) or (
                i < each and (at == components.UNPLACED) != (i >= s.placed[colour])
            ):
                out.append(f"{piece_positions.explorer_name(e)} is where it cannot be")
                return
            if at in (components.ASIDE, components.UNPLACED):
                continue
            if not 1 <= s.value[e] <= components.VALUES:
                out.append(f"{piece_positions.explorer_name(e)} has no value")
                return
            worth[int(s.value[e]) - 1] += 1
            if s.aboard[e] >= 0 and (at < 0 or at >= board.SPACES or s.ship_space[s.aboard[e]] != at):
                out.append(f"{piece_positions.explorer_name(e)} is aboard a ship that is elsewhere")
        if worth != [n - aside.count(v + 1) for v, n in enumerate(components.VALUE_COUNTS)]:
            out.append("a colour's values do not add up")
    for e in range(colours * int(components.PER_COLOUR), int(components.EXPLORERS)):
        if s.where[e] != components.ASIDE:
            out.append("an explorer of nobody's is in the game")
            return


def append_ship_faults(s: SurvivePosition, out: list[str]) -> None:
    spaces = [int(at) for at in s.ship_space if at >= 0]
    if len(set(spaces)) != len(spaces):
        out.append("two ships share a space")
    if any(s.tile[at] != components.SEA for at in spaces):
        out.append("a ship lies on land")
    if s.rules.crowded and s.phase != phases.PLACING and s.phase != phases.LAYING:
        if len(spaces) + s.ships_left != components.SHIPS:
            out.append("the ships do not add up")
    elif len(spaces) + s.ships_left > components.SHIPS:
        out.append("there are too many ships")
    seated: list[int] = []
    for ship in range(components.SHIPS):
        crew = [int(s.ship_seat[ship * components.SHIP_SEATS + i]) for i in range(components.SHIP_SEATS)]
        if sorted(crew, key=lambda e: e < 0) != crew:
            out.append("a ship's seats are not filled from the first")
        for e in crew:
            if e >= 0:
                seated.append(e)
                if s.aboard[e] != ship:
                    out.append(f"{piece_positions.explorer_name(e)} does not know its ship")
        if s.ship_space[ship] < 0 and crew[0] >= 0:
            out.append("a ship that is not there has a crew")
    if len(set(seated)) != len(seated) or len(seated) != sum(
        1 for e in range(components.EXPLORERS) if s.aboard[e] >= 0
    ):
        out.append("an explorer is aboard twice, or not where it thinks")


def append_creature_faults(s: SurvivePosition, out: list[str]) -> None:
    for kind in range(components.KINDS):
        on_board = sum(
            1 for c in range(components.CREATURES) if components.KIND_OF[c] == kind and s.creature_space[c] >= 0
        )
        if on_board + s.creature_left[kind] > components.SUPPLY[kind]:
            out.append("there are too many creatures of a kind")
    for c in range(components.CREATURES):
        if s.creature_space[c] >= 0 and s.tile[s.creature_space[c]] != components.SEA:
            out.append("a creature lies on land")
    for dolphin in range(components.DOLPHINS):
        e = int(s.ward[dolphin])
        if e < 0:
            continue
        if (
            s.guard[e] != dolphin
            or s.where[e] != s.creature_space[components.FIRST_DOLPHIN + dolphin]
            or not piece_positions.is_swimming(s, e)
        ):
            out.append("a ward is not with its dolphin")
    if sum(1 for e in range(components.EXPLORERS) if s.guard[e] >= 0) != sum(
        1 for d in range(components.DOLPHINS) if s.ward[d] >= 0
    ):
        out.append("a guarded swimmer has no dolphin")


def append_derived_field_faults(s: SurvivePosition, out: list[str]) -> None:
    fresh = s.copy()
    piece_positions.recompute_derived_fields(fresh)
    for mine, again in (
        (s.ship_at, fresh.ship_at),
        (s.people_at, fresh.people_at),
        (s.creatures_at, fresh.creatures_at),
        (s.in_play, fresh.in_play),
    ):
        if to_list(mine) != to_list(again):
            out.append("what stands where does not follow from where everything stands")


def append_danger_faults(s: SurvivePosition, out: list[str]) -> None:
    """Between events: no swimmer beside a serpent or shark (SV.M12), no crew beside a wrecker (SV.S6)."""
    if s.phase in (phases.WARD, phases.DEFENDING, phases.LAYING, phases.PLACING, phases.PUTTING_SHIPS):
        return
    for space in range(board.SPACES):
        here = s.creatures_at[space]
        if here == 0:
            continue
        if here & components.DEADLY != 0 and piece_positions.count_unguarded_swimmers(s, space) > 0:
            out.append(f"a swimmer lives among teeth at {board.NAMES[space]}")
        if here & components.WRECKERS != 0 and piece_positions.has_occupied_ship(s, space):
            out.append(f"a crew sails on beside a wrecker at {board.NAMES[space]}")
        if piece_positions.count_free_dolphins(s, space) > 0 and piece_positions.count_unguarded_swimmers(s, space) > 0:
            out.append(f"a dolphin at {board.NAMES[space]} has no ward")
    spaces = {
        int(s.creature_space[c])
        for c in range(components.CREATURES)
        if components.KIND_OF[c] == components.WHALE and s.creature_space[c] >= 0
    }
    for c in range(components.CREATURES):
        if components.KIND_OF[c] == components.SQUID and int(s.creature_space[c]) in spaces:
            out.append("a whale and a squid share a space")
    for seat in range(s.players):
        on_isles = sum(
            1
            for e in range(components.EXPLORERS)
            if s.where[e] >= board.FIRST_ISLE and piece_positions.seat_of_explorer(s, e) == seat
        )
        lost = sum(
            1
            for e in range(components.EXPLORERS)
            if s.where[e] == components.LOST and piece_positions.seat_of_explorer(s, e) == seat
        )
        colours = 2 if s.rules.two_colours else 1
        if s.in_play[seat] + on_isles + lost != colours * explorers_per_colour(s.rules):
            out.append("a seat's explorers do not add up")

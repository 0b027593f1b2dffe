"""The effects of the fifteen tiles (AD.C3), as far as they can be resolved (AD.V7, AD.V10)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from landfall.core.state import CHANCE, NOT_A_CHOICE, ActionList
from landfall.games.atlandice.rules import rounds
from landfall.games.atlandice.rules.action_encoding import CHANGE, PASS, PICK, TAKE, TO
from landfall.games.atlandice.rules.board import (
    BLACK_MARKET,
    FORGE,
    INN,
    JEWELLER,
    LIBRARY,
    REGIONS,
    SECTOR_NAMES,
    SECTORS,
    WORKSHOP,
    Sector,
)
from landfall.games.atlandice.rules.components import (
    FORGE_A,
    FORGE_B,
    FORGE_C,
    INN_A,
    INN_B,
    INN_C,
    JEWELLER_A,
    JEWELLER_B,
    JEWELLER_C,
    LIBRARY_A,
    LIBRARY_B,
    LIBRARY_C,
    RESOURCE_NAMES,
    RESOURCES,
    USED_UP,
    Place,
    Resource,
    Tile,
    place_of_resource,
    resource_of_place,
    sector_of_place,
    tile_name,
    tile_of_region,
)
from landfall.games.atlandice.rules.event_recording import record_event
from landfall.games.atlandice.rules.phases import (
    BONUS,
    CHANGE_DIE,
    DIE_TO,
    ENTER,
    MOVE,
    PIECE_TO,
    ROLL,
    SECOND_ROLL,
    SUBMARINE_TO,
    SWAP,
    VISITED,
    Phase,
)
from landfall.games.atlandice.rules.visits import (
    add_resource_piece_to_sector,
    count_pieces_in_sector,
    give_piece_to_visit_holder,
)

if TYPE_CHECKING:
    from landfall.games.atlandice.rules.message_types import PiecesSwapped, Way
    from landfall.games.atlandice.rules.position import AtlandicePosition


# --- what can be taken, moved or swapped --------------------------------------------------------------------------


def top_tile_of_region(s: AtlandicePosition, region: Sector) -> Tile:
    """The tile on top of a region's stack."""
    return tile_of_region(region, s.top[region])


def is_other_region(s: AtlandicePosition, sector: Sector) -> bool:
    """AD.V7: another region is not the visited one, the black market or a used-up stack."""
    return sector != s.at and sector < REGIONS and s.top[sector] != USED_UP


def has_piece_in_other_region(s: AtlandicePosition, visited: Sector) -> bool:
    """Whether a piece lies in a region other than this one."""
    for region in range(REGIONS):
        if region != visited and s.top[region] != USED_UP and count_pieces_in_sector(s, Sector(region)) > 0:
            return True
    return False


def has_other_region(s: AtlandicePosition, visited: Sector) -> bool:
    """Whether a region other than this one is still in the game."""
    for region in range(REGIONS):
        if region != visited and s.top[region] != USED_UP:
            return True
    return False


def can_visit_without_die_change_anything(s: AtlandicePosition, sector: Sector) -> bool:
    """AD.V10: whether a visit without a die to this sector, not jeweller c, could change anything."""
    if count_pieces_in_sector(s, sector) > 0:
        return True
    if sector == BLACK_MARKET:
        return False
    tile = top_tile_of_region(s, sector)
    if tile == LIBRARY_A:
        return has_piece_in_other_region(s, sector)
    elif tile == INN_A:
        return s.hand < len(s.icons) - 1
    elif tile == INN_B:
        return count_pieces_in_sector(s, BLACK_MARKET) > 0 and has_other_region(s, sector)
    elif tile == FORGE_C:
        return count_pieces_in_sector(s, BLACK_MARKET) > 0
    return tile == INN_C or sector == WORKSHOP  # the rest needs pieces here


def can_second_visit_change_anything(s: AtlandicePosition) -> bool:
    """AD.V10 for jeweller c: visiting it again changes nothing by itself, so the other sectors decide."""
    if count_pieces_in_sector(s, JEWELLER) > 0:
        return True
    for shown in range(JEWELLER + 1, SECTORS):
        if can_visit_without_die_change_anything(s, rounds.sector_for_die_number(s, Sector(shown))):
            return True
    return False


# --- starting the effect ------------------------------------------------------------------------------------------


def ask_for_effect_or_end_visit(s: AtlandicePosition) -> None:
    """AD.V1 (c): ask for the effect's roll or choice; if it can do nothing, the visit is over (AD.V10)."""
    s.phase = VISITED
    if s.at == BLACK_MARKET:
        return
    if s.at == WORKSHOP:
        s.phase = SUBMARINE_TO
        return
    tile = top_tile_of_region(s, s.at)
    here = count_pieces_in_sector(s, s.at) > 0
    if tile in (JEWELLER_A, FORGE_A):
        request_die_roll_if(s, here)
    elif tile == JEWELLER_B:
        ask_choice_if(s, MOVE, here and has_piece_in_other_region(s, s.at))
    elif tile == JEWELLER_C:
        request_die_roll_if(s, can_second_visit_change_anything(s))
    elif tile == LIBRARY_A:
        request_die_roll_if(s, has_piece_in_other_region(s, s.at))
    elif tile == LIBRARY_B:
        ask_choice_if(s, MOVE, here)
    elif tile == LIBRARY_C:
        ask_choice_if(s, BONUS, here and s.taken[s.holder] == 2)  # AD.N2: the dice of the holder it benefits
    elif tile == INN_A:
        request_die_roll_if(s, s.hand < len(s.icons) - 1)
    elif tile == INN_B:
        ask_choice_if(s, MOVE, count_pieces_in_sector(s, BLACK_MARKET) > 0 and has_other_region(s, INN))
    elif tile == INN_C:
        s.phase = CHANGE_DIE  # always possible: the last die lies somewhere, and there are at least two sectors
    elif tile == FORGE_B:
        ask_choice_if(s, MOVE, here and has_other_region(s, FORGE))
    elif tile == FORGE_C:
        request_die_roll_if(s, count_pieces_in_sector(s, BLACK_MARKET) > 0)


def request_die_roll_if(s: AtlandicePosition, matters: bool) -> None:
    if matters:
        s.phase = ROLL
        s.actor = CHANCE


def ask_choice_if(s: AtlandicePosition, phase: Phase, possible: bool) -> None:
    if possible:
        s.phase = phase
        s.actor = s.turn


# --- rolls --------------------------------------------------------------------------------------------------------


def apply_effect_roll(s: AtlandicePosition, number: i64) -> None:
    """The die just taken shows a number from 1 to 6."""
    tile = top_tile_of_region(s, s.at)
    s.actor = s.turn
    s.phase = VISITED
    if s.events is not None:
        record_event(s, {"kind": "roll", "seat": int(s.turn), "face": int(number), "tile": tile_name(int(tile))})
    if tile == JEWELLER_A:
        ask_choice_if(s, BONUS, number % 2 == 1)
    elif tile == FORGE_A:
        ask_choice_if(s, BONUS, number % 2 == 0)
    elif tile == LIBRARY_A:
        ask_choice_if(s, BONUS, number >= 5)
    elif tile == FORGE_C:
        ask_choice_if(s, BONUS, number == 6)
    elif tile == INN_A and number <= 4:
        s.hand += 1  # without its icon's effect; at the last space the round continues (AD.V8)
        if s.events is not None:
            record_event(s, {"kind": "clock_inn", "seat": int(s.turn), "from": int(s.hand) - 1, "to": int(s.hand)})
    elif tile == JEWELLER_C and number == 6:
        s.phase = SECOND_ROLL
        s.actor = CHANCE


def apply_second_visit_roll(s: AtlandicePosition, shown: Sector) -> None:
    """AD.V6: jeweller c's second roll is the number of the sector to visit without a die."""
    s.at = rounds.sector_for_die_number(s, shown)
    s.phase = ENTER
    if s.events is not None:
        where = SECTOR_NAMES[s.at]
        record_event(s, {"kind": "second_visit", "seat": int(s.turn), "face": int(shown) + 1, "sector": where})


# --- choices: listing ---------------------------------------------------------------------------------------------


def add_legal_effect_choices(s: AtlandicePosition, moves: ActionList) -> None:
    phase = s.phase
    if phase == BONUS:
        tile = top_tile_of_region(s, s.at)
        if tile == LIBRARY_A:
            add_actions_for_pieces_in_other_regions(s, moves, TAKE)
        elif tile == FORGE_C:
            add_actions_for_pieces_in_sector(s, moves, TAKE, BLACK_MARKET)
        else:
            add_actions_for_pieces_in_sector(s, moves, TAKE, s.at)
    elif phase == MOVE:
        add_actions_for_pieces_in_sector(s, moves, PICK, BLACK_MARKET if s.at == INN else s.at)
    elif phase == SWAP:
        add_actions_for_pieces_in_other_regions(s, moves, PICK)
    elif phase == PIECE_TO:
        for region in range(REGIONS):
            if is_other_region(s, Sector(region)):
                moves.add(TO + region)
    elif phase == CHANGE_DIE:
        for sector in range(SECTORS):
            if s.dice[sector] > 0:
                moves.add(CHANGE + sector)
    else:
        here = s.submarine if phase == SUBMARINE_TO else s.picked
        for sector in range(SECTORS):
            if sector != here and (sector == BLACK_MARKET or s.top[sector] != USED_UP):
                moves.add(TO + sector)


def add_actions_for_pieces_in_sector(s: AtlandicePosition, moves: ActionList, base: i64, sector: Sector) -> None:
    first = place_of_resource(sector, Resource(0))
    for place in range(first, first + RESOURCES):
        if s.lying[place] > 0:
            moves.add(base + place)


def add_actions_for_pieces_in_other_regions(s: AtlandicePosition, moves: ActionList, base: i64) -> None:
    for region in range(REGIONS):
        if is_other_region(s, Sector(region)):
            add_actions_for_pieces_in_sector(s, moves, base, Sector(region))


# --- choices: checking --------------------------------------------------------------------------------------------


def rule_forbidding_effect(s: AtlandicePosition, sort: i64, part: i64) -> str:
    if sort == PASS:
        return "AD.V1"  # effects are mandatory
    phase = s.phase
    if phase == BONUS:
        return rule_forbidding_bonus_piece(s, Place(part)) if sort == TAKE else NOT_A_CHOICE
    elif phase == MOVE:
        return rule_forbidding_chosen_piece(s, Place(part)) if sort == PICK else NOT_A_CHOICE
    elif phase == SWAP:
        return rule_forbidding_other_region_piece(s, Place(part)) if sort == PICK else NOT_A_CHOICE
    elif phase == CHANGE_DIE:
        if sort != CHANGE:
            return NOT_A_CHOICE
        return "" if s.dice[part] > 0 else "AD.V7"
    return rule_forbidding_destination(s, Sector(part)) if sort == TO else NOT_A_CHOICE


def rule_forbidding_destination(s: AtlandicePosition, sector: Sector) -> str:
    """The destination of the piece, the die or the submarine."""
    phase = s.phase
    if phase == PIECE_TO:
        return rule_forbidding_piece_destination(s, sector)
    elif phase == DIE_TO:
        if sector == s.picked or (sector != BLACK_MARKET and s.top[sector] == USED_UP):
            return "AD.V7"
        return ""
    if sector == s.submarine:
        return "AD.C3"  # to another sector
    return "AD.V3" if sector != BLACK_MARKET and s.top[sector] == USED_UP else ""


def rule_forbidding_bonus_piece(s: AtlandicePosition, place: Place) -> str:
    """The piece an effect gives: from another region (library a), from the black market (forge c), else from here."""
    tile = top_tile_of_region(s, s.at)
    if tile == LIBRARY_A:
        return rule_forbidding_other_region_piece(s, place)
    source = BLACK_MARKET if tile == FORGE_C else s.at
    return "" if sector_of_place(place) == source and s.lying[place] > 0 else "AD.C3"


def rule_forbidding_chosen_piece(s: AtlandicePosition, place: Place) -> str:
    """The piece to move or swap: inn b's lies in the black market, any other here."""
    source = BLACK_MARKET if top_tile_of_region(s, s.at) == INN_B else s.at
    return "" if sector_of_place(place) == source and s.lying[place] > 0 else "AD.C3"


def rule_forbidding_other_region_piece(s: AtlandicePosition, place: Place) -> str:
    """A piece lying in another region."""
    sector = sector_of_place(place)
    if sector == s.at or sector == BLACK_MARKET or s.top[sector] == USED_UP:
        return "AD.V7"
    return "" if s.lying[place] > 0 else "AD.C3"


def rule_forbidding_piece_destination(s: AtlandicePosition, sector: Sector) -> str:
    """Inn b moves a piece to a region other than the inn, forge b to another region."""
    if sector == INN and s.at == INN:
        return "AD.C3"
    if sector == s.at:
        return "AD.V7"
    return "AD.V7" if sector == BLACK_MARKET or s.top[sector] == USED_UP else ""


# --- choices: applying --------------------------------------------------------------------------------------------


def take_bonus_piece(s: AtlandicePosition, place: Place) -> None:
    """Take the piece that an effect gives."""
    give_piece_to_visit_holder(s, place, "effect")
    s.phase = VISITED


def move_chosen_thing_to_sector(s: AtlandicePosition, sector: Sector) -> None:
    """Move the piece, the die or the submarine to a sector."""
    phase = s.phase
    s.phase = VISITED
    if phase == PIECE_TO:
        move_chosen_piece(s, sector)
    elif phase == DIE_TO:
        move_chosen_die(s, sector)
    else:
        move_submarine(s, sector)


def choose_die_to_change(s: AtlandicePosition, sector: Sector) -> None:
    """Inn c: choose the die to change."""
    s.picked = sector
    s.phase = DIE_TO


def choose_piece_to_move(s: AtlandicePosition, place: Place) -> None:
    """Choose the piece to move; library b's destination is fixed."""
    s.picked = place
    if s.at == LIBRARY:
        s.phase = VISITED
        move_chosen_piece(s, BLACK_MARKET)
    else:
        s.phase = SWAP if s.at == JEWELLER else PIECE_TO


def move_chosen_piece(s: AtlandicePosition, sector: Sector) -> None:
    resource = resource_of_place(Place(s.picked))
    s.lying[s.picked] -= 1
    add_resource_piece_to_sector(s, sector, resource)
    if s.events is not None:
        where: Way = {"from": SECTOR_NAMES[sector_of_place(Place(s.picked))], "to": SECTOR_NAMES[sector]}
        record_event(s, {"kind": "move", "seat": int(s.turn), "resource": RESOURCE_NAMES[resource], **where})
    s.picked = 0


def swap_pieces(s: AtlandicePosition, place: Place) -> None:
    """Jeweller b: swap the chosen piece here with one in another region."""
    here = resource_of_place(Place(s.picked))
    there = resource_of_place(place)
    region = sector_of_place(place)
    s.phase = VISITED
    s.lying[s.picked] -= 1
    s.lying[place] -= 1
    add_resource_piece_to_sector(s, s.at, there)
    add_resource_piece_to_sector(s, region, here)
    s.picked = 0
    if s.events is not None:
        event: PiecesSwapped = {
            "kind": "swap",
            "seat": int(s.turn),
            "resource": RESOURCE_NAMES[here],
            "other": RESOURCE_NAMES[there],
            "sector": SECTOR_NAMES[region],
        }
        record_event(s, event)


def move_chosen_die(s: AtlandicePosition, sector: Sector) -> None:
    """Inn c: change the die's value to the sector's number."""
    s.dice[s.picked] -= 1
    s.dice[sector] += 1
    if s.events is not None:
        where: Way = {"from": SECTOR_NAMES[s.picked], "to": SECTOR_NAMES[sector]}
        record_event(s, {"kind": "die_moved", "seat": int(s.turn), **where, "face": int(sector) + 1})
    s.picked = 0


def move_submarine(s: AtlandicePosition, sector: Sector) -> None:
    """The workshops: no extra piece this turn, because pieces were taken before."""
    if s.events is not None:
        where: Way = {"from": SECTOR_NAMES[s.submarine], "to": SECTOR_NAMES[sector]}
        record_event(s, {"kind": "submarine", "seat": int(s.turn), **where})
    s.submarine = sector

"""The effects of the fifteen tiles (AD.C3), as far as they can be resolved (AD.V7, AD.V10)."""

from __future__ import annotations

from mypy_extensions import i64

from landfall.core.state import CHANCE, NOT_A_CHOICE, ActionList
from landfall.games.atlandice.rules import board, codes, components, message_types, phases, rounds, visits
from landfall.games.atlandice.rules.event_recording import record_event
from landfall.games.atlandice.rules.position import AtlandicePosition

# --- what can be taken, moved or swapped --------------------------------------------------------------------------


def top_tile_of_region(s: AtlandicePosition, region: board.Sector) -> components.Tile:
    """The tile on top of a region's stack."""
    return components.tile_of_region(region, s.top[region])


def is_other_region(s: AtlandicePosition, sector: board.Sector) -> bool:
    """AD.V7: another region is not the visited one, the black market or a used-up stack."""
    return sector != s.at and sector < board.REGIONS and s.top[sector] != components.USED_UP


def has_piece_in_other_region(s: AtlandicePosition, visited: board.Sector) -> bool:
    """Whether a piece lies in a region other than this one."""
    for region in range(board.REGIONS):
        if (
            region != visited
            and s.top[region] != components.USED_UP
            and visits.count_pieces_in_sector(s, board.Sector(region)) > 0
        ):
            return True
    return False


def has_other_region(s: AtlandicePosition, visited: board.Sector) -> bool:
    """Whether a region other than this one is still in the game."""
    for region in range(board.REGIONS):
        if region != visited and s.top[region] != components.USED_UP:
            return True
    return False


def can_visit_without_die_change_anything(s: AtlandicePosition, sector: board.Sector) -> bool:
    """AD.V10: whether a visit without a die to this sector, not jeweller c, could change anything."""
    if visits.count_pieces_in_sector(s, sector) > 0:
        return True
    if sector == board.BLACK_MARKET:
        return False
    tile = top_tile_of_region(s, sector)
    if tile == components.LIBRARY_A:
        return has_piece_in_other_region(s, sector)
    elif tile == components.INN_A:
        return s.hand < len(s.icons) - 1
    elif tile == components.INN_B:
        return visits.count_pieces_in_sector(s, board.BLACK_MARKET) > 0 and has_other_region(s, sector)
    elif tile == components.FORGE_C:
        return visits.count_pieces_in_sector(s, board.BLACK_MARKET) > 0
    return tile == components.INN_C or sector == board.WORKSHOP  # the rest needs pieces here


def can_second_visit_change_anything(s: AtlandicePosition) -> bool:
    """AD.V10 for jeweller c: visiting it again changes nothing by itself, so the other sectors decide."""
    if visits.count_pieces_in_sector(s, board.JEWELLER) > 0:
        return True
    for shown in range(board.JEWELLER + 1, board.SECTORS):
        if can_visit_without_die_change_anything(s, rounds.sector_for_die_number(s, board.Sector(shown))):
            return True
    return False


# --- starting the effect ------------------------------------------------------------------------------------------


def ask_for_effect_or_end_visit(s: AtlandicePosition) -> None:
    """AD.V1 (c): ask for the effect's roll or choice; if it can do nothing, the visit is over (AD.V10)."""
    s.phase = phases.VISITED
    if s.at == board.BLACK_MARKET:
        return
    if s.at == board.WORKSHOP:
        s.phase = phases.SUBMARINE_TO
        return
    tile = top_tile_of_region(s, s.at)
    here = visits.count_pieces_in_sector(s, s.at) > 0
    if tile in (components.JEWELLER_A, components.FORGE_A):
        request_die_roll_if(s, here)
    elif tile == components.JEWELLER_B:
        ask_choice_if(s, phases.MOVE, here and has_piece_in_other_region(s, s.at))
    elif tile == components.JEWELLER_C:
        request_die_roll_if(s, can_second_visit_change_anything(s))
    elif tile == components.LIBRARY_A:
        request_die_roll_if(s, has_piece_in_other_region(s, s.at))
    elif tile == components.LIBRARY_B:
        ask_choice_if(s, phases.MOVE, here)
    elif tile == components.LIBRARY_C:
        ask_choice_if(s, phases.BONUS, here and s.taken[s.holder] == 2)  # AD.N2: the dice of the holder it benefits
    elif tile == components.INN_A:
        request_die_roll_if(s, s.hand < len(s.icons) - 1)
    elif tile == components.INN_B:
        ask_choice_if(
            s, phases.MOVE, visits.count_pieces_in_sector(s, board.BLACK_MARKET) > 0 and has_other_region(s, board.INN)
        )
    elif tile == components.INN_C:
        s.phase = phases.CHANGE_DIE  # always possible: the last die lies somewhere, and there are at least two sectors
    elif tile == components.FORGE_B:
        ask_choice_if(s, phases.MOVE, here and has_other_region(s, board.FORGE))
    elif tile == components.FORGE_C:
        request_die_roll_if(s, visits.count_pieces_in_sector(s, board.BLACK_MARKET) > 0)


def request_die_roll_if(s: AtlandicePosition, matters: bool) -> None:
    if matters:
        s.phase = phases.ROLL
        s.actor = CHANCE


def ask_choice_if(s: AtlandicePosition, phase: phases.Phase, possible: bool) -> None:
    if possible:
        s.phase = phase
        s.actor = s.turn


# --- rolls --------------------------------------------------------------------------------------------------------


def apply_effect_roll(s: AtlandicePosition, number: i64) -> None:
    """The die just taken shows a number from 1 to 6."""
    tile = top_tile_of_region(s, s.at)
    s.actor = s.turn
    s.phase = phases.VISITED
    if s.events is not None:
        record_event(
            s, {"kind": "roll", "seat": int(s.turn), "face": int(number), "tile": components.tile_name(int(tile))}
        )
    if tile == components.JEWELLER_A:
        ask_choice_if(s, phases.BONUS, number % 2 == 1)
    elif tile == components.FORGE_A:
        ask_choice_if(s, phases.BONUS, number % 2 == 0)
    elif tile == components.LIBRARY_A:
        ask_choice_if(s, phases.BONUS, number >= 5)
    elif tile == components.FORGE_C:
        ask_choice_if(s, phases.BONUS, number == 6)
    elif tile == components.INN_A and number <= 4:
        s.hand += 1  # without its icon's effect; at the last space the round continues (AD.V8)
        if s.events is not None:
            record_event(s, {"kind": "clock_inn", "seat": int(s.turn), "from": int(s.hand) - 1, "to": int(s.hand)})
    elif tile == components.JEWELLER_C and number == 6:
        s.phase = phases.SECOND_ROLL
        s.actor = CHANCE


def apply_second_visit_roll(s: AtlandicePosition, shown: board.Sector) -> None:
    """AD.V6: jeweller c's second roll is the number of the sector to visit without a die."""
    s.at = rounds.sector_for_die_number(s, shown)
    s.phase = phases.ENTER
    if s.events is not None:
        where = board.SECTOR_NAMES[s.at]
        record_event(s, {"kind": "second_visit", "seat": int(s.turn), "face": int(shown) + 1, "sector": where})


# --- choices: listing ---------------------------------------------------------------------------------------------


def add_legal_effect_choices(s: AtlandicePosition, moves: ActionList) -> None:
    phase = s.phase
    if phase == phases.BONUS:
        tile = top_tile_of_region(s, s.at)
        if tile == components.LIBRARY_A:
            add_actions_for_pieces_in_other_regions(s, moves, codes.TAKE)
        elif tile == components.FORGE_C:
            add_actions_for_pieces_in_sector(s, moves, codes.TAKE, board.BLACK_MARKET)
        else:
            add_actions_for_pieces_in_sector(s, moves, codes.TAKE, s.at)
    elif phase == phases.MOVE:
        add_actions_for_pieces_in_sector(s, moves, codes.PICK, board.BLACK_MARKET if s.at == board.INN else s.at)
    elif phase == phases.SWAP:
        add_actions_for_pieces_in_other_regions(s, moves, codes.PICK)
    elif phase == phases.PIECE_TO:
        for region in range(board.REGIONS):
            if is_other_region(s, board.Sector(region)):
                moves.add(codes.TO + region)
    elif phase == phases.CHANGE_DIE:
        for sector in range(board.SECTORS):
            if s.dice[sector] > 0:
                moves.add(codes.CHANGE + sector)
    else:
        here = s.submarine if phase == phases.SUBMARINE_TO else s.picked
        for sector in range(board.SECTORS):
            if sector != here and (sector == board.BLACK_MARKET or s.top[sector] != components.USED_UP):
                moves.add(codes.TO + sector)


def add_actions_for_pieces_in_sector(s: AtlandicePosition, moves: ActionList, base: i64, sector: board.Sector) -> None:
    first = components.place_of_resource(sector, components.Resource(0))
    for place in range(first, first + components.RESOURCES):
        if s.lying[place] > 0:
            moves.add(base + place)


def add_actions_for_pieces_in_other_regions(s: AtlandicePosition, moves: ActionList, base: i64) -> None:
    for region in range(board.REGIONS):
        if is_other_region(s, board.Sector(region)):
            add_actions_for_pieces_in_sector(s, moves, base, board.Sector(region))


# --- choices: checking --------------------------------------------------------------------------------------------


def rule_forbidding_effect(s: AtlandicePosition, sort: i64, part: i64) -> str:
    if sort == codes.PASS:
        return "AD.V1"  # effects are mandatory
    phase = s.phase
    if phase == phases.BONUS:
        return rule_forbidding_bonus_piece(s, components.Place(part)) if sort == codes.TAKE else NOT_A_CHOICE
    elif phase == phases.MOVE:
        return rule_forbidding_chosen_piece(s, components.Place(part)) if sort == codes.PICK else NOT_A_CHOICE
    elif phase == phases.SWAP:
        return rule_forbidding_other_region_piece(s, components.Place(part)) if sort == codes.PICK else NOT_A_CHOICE
    elif phase == phases.CHANGE_DIE:
        if sort != codes.CHANGE:
            return NOT_A_CHOICE
        return "" if s.dice[part] > 0 else "AD.V7"
    return rule_forbidding_destination(s, board.Sector(part)) if sort == codes.TO else NOT_A_CHOICE


def rule_forbidding_destination(s: AtlandicePosition, sector: board.Sector) -> str:
    """The destination of the piece, the die or the submarine."""
    phase = s.phase
    if phase == phases.PIECE_TO:
        return rule_forbidding_piece_destination(s, sector)
    elif phase == phases.DIE_TO:
        if sector == s.picked or (sector != board.BLACK_MARKET and s.top[sector] == components.USED_UP):
            return "AD.V7"
        return ""
    if sector == s.submarine:
        return "AD.C3"  # to another sector
    return "AD.V3" if sector != board.BLACK_MARKET and s.top[sector] == components.USED_UP else ""


def rule_forbidding_bonus_piece(s: AtlandicePosition, place: components.Place) -> str:
    """The piece an effect gives: from another region (library a), from the black market (forge c), else from here."""
    tile = top_tile_of_region(s, s.at)
    if tile == components.LIBRARY_A:
        return rule_forbidding_other_region_piece(s, place)
    source = board.BLACK_MARKET if tile == components.FORGE_C else s.at
    return "" if components.sector_of_place(place) == source and s.lying[place] > 0 else "AD.C3"


def rule_forbidding_chosen_piece(s: AtlandicePosition, place: components.Place) -> str:
    """The piece to move or swap: inn b's lies in the black market, any other here."""
    source = board.BLACK_MARKET if top_tile_of_region(s, s.at) == components.INN_B else s.at
    return "" if components.sector_of_place(place) == source and s.lying[place] > 0 else "AD.C3"


def rule_forbidding_other_region_piece(s: AtlandicePosition, place: components.Place) -> str:
    """A piece lying in another region."""
    sector = components.sector_of_place(place)
    if sector == s.at or sector == board.BLACK_MARKET or s.top[sector] == components.USED_UP:
        return "AD.V7"
    return "" if s.lying[place] > 0 else "AD.C3"


def rule_forbidding_piece_destination(s: AtlandicePosition, sector: board.Sector) -> str:
    """Inn b moves a piece to a region other than the inn, forge b to another region."""
    if sector == board.INN and s.at == board.INN:
        return "AD.C3"
    if sector == s.at:
        return "AD.V7"
    return "AD.V7" if sector == board.BLACK_MARKET or s.top[sector] == components.USED_UP else ""


# --- choices: applying --------------------------------------------------------------------------------------------


def take_bonus_piece(s: AtlandicePosition, place: components.Place) -> None:
    """Take the piece that an effect gives."""
    visits.give_piece_to_visit_holder(s, place, "effect")
    s.phase = phases.VISITED


def move_chosen_thing_to_sector(s: AtlandicePosition, sector: board.Sector) -> None:
    """Move the piece, the die or the submarine to a sector."""
    phase = s.phase
    s.phase = phases.VISITED
    if phase == phases.PIECE_TO:
        move_chosen_piece(s, sector)
    elif phase == phases.DIE_TO:
        move_chosen_die(s, sector)
    else:
        move_submarine(s, sector)


def choose_die_to_change(s: AtlandicePosition, sector: board.Sector) -> None:
    """Inn c: choose the die to change."""
    s.picked = sector
    s.phase = phases.DIE_TO


def choose_piece_to_move(s: AtlandicePosition, place: components.Place) -> None:
    """Choose the piece to move; library b's destination is fixed."""
    s.picked = place
    if s.at == board.LIBRARY:
        s.phase = phases.VISITED
        move_chosen_piece(s, board.BLACK_MARKET)
    else:
        s.phase = phases.SWAP if s.at == board.JEWELLER else phases.PIECE_TO


def move_chosen_piece(s: AtlandicePosition, sector: board.Sector) -> None:
    resource = components.resource_of_place(components.Place(s.picked))
    s.lying[s.picked] -= 1
    visits.add_resource_piece_to_sector(s, sector, resource)
    if s.events is not None:
        where: message_types.Way = {
            "from": board.SECTOR_NAMES[components.sector_of_place(components.Place(s.picked))],
            "to": board.SECTOR_NAMES[sector],
        }
        record_event(s, {"kind": "move", "seat": int(s.turn), "resource": components.RESOURCE_NAMES[resource], **where})
    s.picked = 0


def swap_pieces(s: AtlandicePosition, place: components.Place) -> None:
    """Jeweller b: swap the chosen piece here with one in another region."""
    here = components.resource_of_place(components.Place(s.picked))
    there = components.resource_of_place(place)
    region = components.sector_of_place(place)
    s.phase = phases.VISITED
    s.lying[s.picked] -= 1
    s.lying[place] -= 1
    visits.add_resource_piece_to_sector(s, s.at, there)
    visits.add_resource_piece_to_sector(s, region, here)
    s.picked = 0
    if s.events is not None:
        event: message_types.PiecesSwapped = {
            "kind": "swap",
            "seat": int(s.turn),
            "resource": components.RESOURCE_NAMES[here],
            "other": components.RESOURCE_NAMES[there],
            "sector": board.SECTOR_NAMES[region],
        }
        record_event(s, event)


def move_chosen_die(s: AtlandicePosition, sector: board.Sector) -> None:
    """Inn c: change the die's value to the sector's number."""
    s.dice[s.picked] -= 1
    s.dice[sector] += 1
    if s.events is not None:
        where: message_types.Way = {"from": board.SECTOR_NAMES[s.picked], "to": board.SECTOR_NAMES[sector]}
        record_event(s, {"kind": "die_moved", "seat": int(s.turn), **where, "face": int(sector) + 1})
    s.picked = 0


def move_submarine(s: AtlandicePosition, sector: board.Sector) -> None:
    """The workshops: no extra piece this turn, because pieces were taken before."""
    if s.events is not None:
        where: message_types.Way = {"from": board.SECTOR_NAMES[s.submarine], "to": board.SECTOR_NAMES[sector]}
        record_event(s, {"kind": "submarine", "seat": int(s.turn), **where})
    s.submarine = sector

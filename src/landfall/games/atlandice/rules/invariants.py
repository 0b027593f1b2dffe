"""Invariants of every position: pieces and dice are conserved, fields fit the phase, somebody can act."""

from __future__ import annotations

from typing import TYPE_CHECKING

from landfall.core.state import CHANCE, OVER
from landfall.games.atlandice.rules import tile_effects
from landfall.games.atlandice.rules.board import BLACK_MARKET, FORGE, JEWELLER, REGIONS, SECTORS, Sector
from landfall.games.atlandice.rules.components import (
    DICE,
    FACE_DOWN,
    FORGE_A,
    FORGE_B,
    FORGE_C,
    HOLDERS,
    INN_B,
    INN_C,
    JEWELLER_A,
    JEWELLER_B,
    JEWELLER_C,
    LETTERS,
    LIBRARY_A,
    MARKET_SHARE,
    NEUTRAL,
    ON_TOP,
    OWN_DICE,
    REGION_SHARE,
    RESOURCE_NAMES,
    RESOURCES,
    TAKEN,
    TILES,
    UNSEEN,
    USED_UP,
    VISITS,
    Place,
    sector_of_place,
)
from landfall.games.atlandice.rules.phases import (
    BONUS,
    DIE,
    DIE_TO,
    DONATE,
    DONATE_SECOND,
    FINISHED,
    GATES,
    PIECE,
    PIECE_TO,
    REVEAL,
    ROLL,
    SECOND_ROLL,
    SUBMARINE_TO,
    SWAP,
)
from landfall.games.atlandice.rules.scoring import count_scoring_holders, must_score_region
from landfall.games.atlandice.rules.visits import count_pieces_in_sector

if TYPE_CHECKING:
    from landfall.games.atlandice.rules.position import AtlandicePosition


def find_faults(s: AtlandicePosition) -> list[str]:
    """All violated invariants of a position."""
    return (
        find_piece_faults(s) + find_dice_faults(s) + find_stack_faults(s) + find_seat_faults(s) + find_phase_faults(s)
    )


def find_piece_faults(s: AtlandicePosition) -> list[str]:
    """Each resource has its initial total until its stack is used up, then none."""
    out: list[str] = []
    for r in range(RESOURCES):
        total = 0
        for sector in range(SECTORS):
            total += int(s.lying[sector * RESOURCES + r])
        for holder in range(HOLDERS):
            total += int(s.stock[holder * RESOURCES + r])
        right = 0 if s.top[r] == USED_UP else MARKET_SHARE + int(REGION_SHARE[s.players])
        if total != right:
            out.append(f"{total} {RESOURCE_NAMES[r]} instead of {right}")
        if s.top[r] == USED_UP and count_pieces_in_sector(s, Sector(r)) > 0:
            out.append(f"pieces at the used-up stack {r + 1}")
    return out


def find_dice_faults(s: AtlandicePosition) -> list[str]:
    """All dice are in hand, in a sector or taken; none lies at a used-up stack."""
    out: list[str] = []
    total = int(s.to_roll)
    for sector in range(SECTORS):
        total += int(s.dice[sector])
        if sector != BLACK_MARKET and s.top[sector] == USED_UP and s.dice[sector] > 0:
            out.append(f"a die at the used-up stack {sector + 1}")
    taken = 0
    for holder in range(HOLDERS):
        taken += int(s.taken[holder])
    total += taken
    right = int(DICE[s.players]) if s.round > 0 else 0
    if total != right:
        out.append(f"{total} dice instead of {right}")
    if s.visits + count_visit_in_progress(s) > VISITS[s.players]:
        out.append("too many visits")
    if s.phase >= DONATE and s.visits != VISITS[s.players]:
        out.append("the clock before all visits")
    if (s.to_roll > 0) != (s.phase == GATES) or (s.phase == GATES and taken > 0):
        out.append("dice in the first player's hand outside the gates")
    return out


def find_stack_faults(s: AtlandicePosition) -> list[str]:
    """Each stack has one tile on top, none left, or the next one about to be turned up."""
    out: list[str] = []
    for region in range(REGIONS):
        on_top = 0
        unseen = 0
        for letter in range(LETTERS):
            place = s.tile_place[region * LETTERS + letter]
            unseen += 1 if place == UNSEEN else 0
            on_top += 1 if place == ON_TOP else 0
            if place == ON_TOP and s.top[region] != letter:
                out.append(f"another tile on top of stack {region + 1}")
        top = s.top[region]
        shown = top != USED_UP and top != FACE_DOWN
        if on_top != (1 if shown else 0) or (top == USED_UP and unseen > 0):
            out.append(f"stack {region + 1} does not fit its tiles")
        waits = s.phase == REVEAL and (region == s.reveal or (s.round == 0 and region > s.reveal))
        if waits != (top == FACE_DOWN) or (waits and unseen == 0):
            out.append(f"stack {region + 1} is turned down at the wrong time")
        if top != USED_UP and s.held[region] == 0 and count_pieces_in_sector(s, Sector(region)) > 0:
            out.append(f"region {region + 1} holds pieces it never held")
        if must_score_region(s, Sector(region)) and (s.phase < PIECE or s.phase > SUBMARINE_TO) and s.phase != REVEAL:
            out.append(f"region {region + 1} is empty and not scored")
    return out


def count_visit_in_progress(s: AtlandicePosition) -> int:
    """1 during a visit."""
    return 1 if PIECE <= s.phase <= SUBMARINE_TO or (s.phase == REVEAL and s.round > 0) else 0


def count_visits_begun(s: AtlandicePosition, seat: int) -> int:
    """The number of visits that a seat has begun in this round."""
    count = 0
    for k in range(int(s.visits) + count_visit_in_progress(s)):
        if (s.first + k) % s.players == seat:
            count += 1
    return count


def find_seat_faults(s: AtlandicePosition) -> list[str]:
    """Only players hold anything, and nobody has more dice than allowed."""
    out: list[str] = []
    for holder in range(HOLDERS):
        if holder >= count_scoring_holders(s):
            owned = int(s.points[holder] + s.taken[holder])
            for r in range(RESOURCES):
                owned += int(s.stock[holder * RESOURCES + r])
            for tile in range(TILES):
                owned += 1 if s.tile_place[tile] == TAKEN + holder else 0
            if owned > 0:
                out.append(f"holder {holder} does not play")
        if s.taken[holder] > OWN_DICE:
            out.append(f"holder {holder} has too many dice")
        if holder < s.players and s.taken[holder] + s.gave[holder] != count_visits_begun(s, holder):
            out.append(f"holder {holder} has not the dice of its visits")
        if s.gave[holder] == 1 and (s.players != 2 or holder >= s.players):
            out.append(f"holder {holder} gave a die to nobody")
    if s.players == 2 and s.taken[NEUTRAL] != s.gave[0] + s.gave[1]:
        out.append("the neutral player's dice were not given")
    return out


def find_phase_faults(s: AtlandicePosition) -> list[str]:
    """The actor fits the phase and has a choice; what is being moved exists."""
    out: list[str] = []
    phase = s.phase
    by_chance = phase in (REVEAL, GATES, ROLL, SECOND_ROLL)
    actor = CHANCE if by_chance else OVER if phase == FINISHED else s.turn
    if phase in (DONATE, DONATE_SECOND):
        actor = (s.first + s.donors) % s.players
    elif s.donors != 0:
        out.append("donors outside a donation")
    if s.actor != actor:
        out.append("the wrong one acts")
    if DIE <= phase < DONATE and s.turn != (s.first + s.visits) % s.players:
        out.append("it is another's visit")
    if s.hand >= len(s.icons) or ((phase == FINISHED) != (s.hand == len(s.icons) - 1) and phase in (FINISHED, GATES)):
        out.append("the clock does not fit the phase")
    if s.at != BLACK_MARKET and s.top[s.at] == USED_UP and PIECE <= phase <= SUBMARINE_TO:
        out.append("a visit to a used-up stack")
    if s.holder != s.turn and (s.players != 2 or s.holder != NEUTRAL or s.gave[s.turn] == 0):
        out.append("the visit benefits a stranger")
    if phase in (SWAP, PIECE_TO) and s.lying[s.picked] == 0:
        out.append("the piece to move is not there")
    if phase == DIE_TO and (s.picked >= SECTORS or s.dice[s.picked] == 0):
        out.append("the die to change is not there")
    if not out and ROLL <= phase <= SUBMARINE_TO and not does_effect_fit_phase(s):
        out.append("no effect asks for this")
    if not out and s.actor >= 0 and not s.legal_actions():
        out.append("nothing to choose from")
    return out


def does_effect_fit_phase(s: AtlandicePosition) -> bool:
    """Whether the visited sector's effect leads to this phase and can do something."""
    if s.at == BLACK_MARKET:
        return False
    tile = s.at * LETTERS + s.top[s.at]
    phase = s.phase
    if phase == SECOND_ROLL:
        return tile == JEWELLER_C
    if phase == SWAP:
        return tile == JEWELLER_B and sector_of_place(Place(s.picked)) == JEWELLER
    if phase == PIECE_TO:
        return (tile == INN_B and sector_of_place(Place(s.picked)) == BLACK_MARKET) or (
            tile == FORGE_B and sector_of_place(Place(s.picked)) == FORGE
        )
    if phase == DIE_TO:
        return tile == INN_C
    again = s.copy()
    tile_effects.ask_for_effect_or_end_visit(again)
    if phase == BONUS and again.phase == ROLL:
        return tile in (JEWELLER_A, LIBRARY_A, FORGE_A, FORGE_C)
    return again.phase == phase

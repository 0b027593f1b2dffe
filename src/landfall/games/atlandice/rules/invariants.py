"""Invariants of every position: pieces and dice are conserved, fields fit the phase, somebody can act."""

from __future__ import annotations

from landfall.core.state import CHANCE, OVER
from landfall.games.atlandice.rules import board, components, phases, tile_effects
from landfall.games.atlandice.rules.position import AtlandicePosition
from landfall.games.atlandice.rules.scoring import count_scoring_holders, must_score_region
from landfall.games.atlandice.rules.visits import count_pieces_in_sector


def find_faults(s: AtlandicePosition) -> list[str]:
    """All violated invariants of a position."""
    return (
        find_piece_faults(s) + find_dice_faults(s) + find_stack_faults(s) + find_seat_faults(s) + find_phase_faults(s)
    )


def find_piece_faults(s: AtlandicePosition) -> list[str]:
    """Each resource has its initial total until its stack is used up, then none."""
    out: list[str] = []
    for r in range(components.RESOURCES):
        total = 0
        for sector in range(board.SECTORS):
            total += int(s.lying[sector * components.RESOURCES + r])
        for holder in range(components.HOLDERS):
            total += int(s.stock[holder * components.RESOURCES + r])
        right = (
            0 if s.top[r] == components.USED_UP else components.MARKET_SHARE + int(components.REGION_SHARE[s.players])
        )
        if total != right:
            out.append(f"{total} {components.RESOURCE_NAMES[r]} instead of {right}")
        if s.top[r] == components.USED_UP and count_pieces_in_sector(s, board.Sector(r)) > 0:
            out.append(f"pieces at the used-up stack {r + 1}")
    return out


def find_dice_faults(s: AtlandicePosition) -> list[str]:
    """All dice are in hand, in a sector or taken; none lies at a used-up stack."""
    out: list[str] = []
    total = int(s.to_roll)
    for sector in range(board.SECTORS):
        total += int(s.dice[sector])
        if sector != board.BLACK_MARKET and s.top[sector] == components.USED_UP and s.dice[sector] > 0:
            out.append(f"a die at the used-up stack {sector + 1}")
    taken = 0
    for holder in range(components.HOLDERS):
        taken += int(s.taken[holder])
    total += taken
    right = int(components.DICE[s.players]) if s.round > 0 else 0
    if total != right:
        out.append(f"{total} dice instead of {right}")
    if s.visits + count_visit_in_progress(s) > components.VISITS[s.players]:
        out.append("too many visits")
    if s.phase >= phases.DONATE and s.visits != components.VISITS[s.players]:
        out.append("the clock before all visits")
    if (s.to_roll > 0) != (s.phase == phases.GATES) or (s.phase == phases.GATES and taken > 0):
        out.append("dice in the first player's hand outside the gates")
    return out


def find_stack_faults(s: AtlandicePosition) -> list[str]:
    """Each stack has one tile on top, none left, or the next one about to be turned up."""
    out: list[str] = []
    for region in range(board.REGIONS):
        on_top = 0
        unseen = 0
        for letter in range(components.LETTERS):
            place = s.tile_place[region * components.LETTERS + letter]
            unseen += 1 if place == components.UNSEEN else 0
            on_top += 1 if place == components.ON_TOP else 0
            if place == components.ON_TOP and s.top[region] != letter:
                out.append(f"another tile on top of stack {region + 1}")
        top = s.top[region]
        shown = top != components.USED_UP and top != components.FACE_DOWN
        if on_top != (1 if shown else 0) or (top == components.USED_UP and unseen > 0):
            out.append(f"stack {region + 1} does not fit its tiles")
        waits = s.phase == phases.REVEAL and (region == s.reveal or (s.round == 0 and region > s.reveal))
        if waits != (top == components.FACE_DOWN) or (waits and unseen == 0):
            out.append(f"stack {region + 1} is turned down at the wrong time")
        if top != components.USED_UP and s.held[region] == 0 and count_pieces_in_sector(s, board.Sector(region)) > 0:
            out.append(f"region {region + 1} holds pieces it never held")
        if (
            must_score_region(s, board.Sector(region))
            and (s.phase < phases.PIECE or s.phase > phases.SUBMARINE_TO)
            and s.phase != phases.REVEAL
        ):
            out.append(f"region {region + 1} is empty and not scored")
    return out


def count_visit_in_progress(s: AtlandicePosition) -> int:
    """1 during a visit."""
    return 1 if phases.PIECE <= s.phase <= phases.SUBMARINE_TO or (s.phase == phases.REVEAL and s.round > 0) else 0


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
    for holder in range(components.HOLDERS):
        if holder >= count_scoring_holders(s):
            owned = int(s.points[holder] + s.taken[holder])
            for r in range(components.RESOURCES):
                owned += int(s.stock[holder * components.RESOURCES + r])
            for tile in range(components.TILES):
                owned += 1 if s.tile_place[tile] == components.TAKEN + holder else 0
            if owned > 0:
                out.append(f"holder {holder} does not play")
        if s.taken[holder] > components.OWN_DICE:
            out.append(f"holder {holder} has too many dice")
        if holder < s.players and s.taken[holder] + s.gave[holder] != count_visits_begun(s, holder):
            out.append(f"holder {holder} has not the dice of its visits")
        if s.gave[holder] == 1 and (s.players != 2 or holder >= s.players):
            out.append(f"holder {holder} gave a die to nobody")
    if s.players == 2 and s.taken[components.NEUTRAL] != s.gave[0] + s.gave[1]:
        out.append("the neutral player's dice were not given")
    return out


def find_phase_faults(s: AtlandicePosition) -> list[str]:
    """The actor fits the phase and has a choice; what is being moved exists."""
    out: list[str] = []
    phase = s.phase
    by_chance = phase in (phases.REVEAL, phases.GATES, phases.ROLL, phases.SECOND_ROLL)
    actor = CHANCE if by_chance else OVER if phase == phases.FINISHED else s.turn
    if phase in (phases.DONATE, phases.DONATE_SECOND):
        actor = (s.first + s.donors) % s.players
    elif s.donors != 0:
        out.append("donors outside a donation")
    if s.actor != actor:
        out.append("the wrong one acts")
    if phases.DIE <= phase < phases.DONATE and s.turn != (s.first + s.visits) % s.players:
        out.append("it is another's visit")
    if s.hand >= len(s.icons) or (
        (phase == phases.FINISHED) != (s.hand == len(s.icons) - 1) and phase in (phases.FINISHED, phases.GATES)
    ):
        out.append("the clock does not fit the phase")
    if (
        s.at != board.BLACK_MARKET
        and s.top[s.at] == components.USED_UP
        and phases.PIECE <= phase <= phases.SUBMARINE_TO
    ):
        out.append("a visit to a used-up stack")
    if s.holder != s.turn and (s.players != 2 or s.holder != components.NEUTRAL or s.gave[s.turn] == 0):
        out.append("the visit benefits a stranger")
    if phase in (phases.SWAP, phases.PIECE_TO) and s.lying[s.picked] == 0:
        out.append("the piece to move is not there")
    if phase == phases.DIE_TO and (s.picked >= board.SECTORS or s.dice[s.picked] == 0):
        out.append("the die to change is not there")
    if not out and phases.ROLL <= phase <= phases.SUBMARINE_TO and not does_effect_fit_phase(s):
        out.append("no effect asks for this")
    if not out and s.actor >= 0 and not s.legal_actions():
        out.append("nothing to choose from")
    return out


def does_effect_fit_phase(s: AtlandicePosition) -> bool:
    """Whether the visited sector's effect leads to this phase and can do something."""
    if s.at == board.BLACK_MARKET:
        return False
    tile = s.at * components.LETTERS + s.top[s.at]
    phase = s.phase
    if phase == phases.SECOND_ROLL:
        return tile == components.JEWELLER_C
    if phase == phases.SWAP:
        return (
            tile == components.JEWELLER_B and components.sector_of_place(components.Place(s.picked)) == board.JEWELLER
        )
    if phase == phases.PIECE_TO:
        return (
            tile == components.INN_B and components.sector_of_place(components.Place(s.picked)) == board.BLACK_MARKET
        ) or (tile == components.FORGE_B and components.sector_of_place(components.Place(s.picked)) == board.FORGE)
    if phase == phases.DIE_TO:
        return tile == components.INN_C
    again = s.copy()
    tile_effects.ask_for_effect_or_end_visit(again)
    if phase == phases.BONUS and again.phase == phases.ROLL:
        return tile in (components.JEWELLER_A, components.LIBRARY_A, components.FORGE_A, components.FORGE_C)
    return again.phase == phase

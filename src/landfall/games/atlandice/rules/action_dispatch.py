"""Dispatches legal actions, checks and effects to the chapters."""

from __future__ import annotations

from mypy_extensions import i64

from landfall.core.state import NOT_A_CHOICE, ActionList
from landfall.games.atlandice.rules import codes, donation, phases, rounds, scoring, setup, tile_effects, visits
from landfall.games.atlandice.rules.board import Sector
from landfall.games.atlandice.rules.components import Letter, Place, Resource
from landfall.games.atlandice.rules.position import AtlandicePosition


def add_legal_actions(s: AtlandicePosition, moves: ActionList) -> None:
    """Every legal action of the actor."""
    phase = s.phase
    if phase == phases.DIE:
        visits.add_legal_die_choices(s, moves)
    elif phase in (phases.PIECE, phases.SUBMARINE_PIECE):
        visits.add_legal_visit_piece_choices(s, moves)
    elif phase in (phases.DONATE, phases.DONATE_SECOND):
        donation.add_legal_donations(s, moves)
    else:
        tile_effects.add_legal_effect_choices(s, moves)


def rule_forbidding_action(s: AtlandicePosition, action: i64) -> str:
    """The rule that forbids the actor this action."""
    sort = codes.action_family(action)
    part = action - sort
    phase = s.phase
    if phase == phases.DIE:
        return visits.rule_forbidding_die(s, sort, Sector(part))
    elif phase in (phases.PIECE, phases.SUBMARINE_PIECE):
        return visits.rule_forbidding_visit_piece(s, sort, Place(part))
    elif phase in (phases.DONATE, phases.DONATE_SECOND):
        return donation.rule_forbidding_donation(s, sort, Resource(part))
    elif phases.BONUS <= phase < phases.DONATE:
        return tile_effects.rule_forbidding_effect(s, sort, part)
    return NOT_A_CHOICE


def apply_action(s: AtlandicePosition, action: i64) -> None:
    """Apply an action or outcome, then its automatic consequences."""
    sort = codes.action_family(action)
    part = action - sort
    if sort == codes.ROLLED:
        apply_die_roll(s, Sector(part))
    elif sort in (codes.OWN_DIE, codes.NEUTRAL_DIE):
        visits.begin_visit_with_die(s, Sector(part), sort == codes.NEUTRAL_DIE)
    elif sort == codes.TAKE:
        if s.phase == phases.BONUS:
            tile_effects.take_bonus_piece(s, Place(part))
        else:
            visits.take_visited_piece(s, Place(part))
    elif sort == codes.PICK:
        if s.phase == phases.MOVE:
            tile_effects.choose_piece_to_move(s, Place(part))
        else:
            tile_effects.swap_pieces(s, Place(part))
    elif sort == codes.TO:
        tile_effects.move_chosen_thing_to_sector(s, Sector(part))
    elif sort == codes.CHANGE:
        tile_effects.choose_die_to_change(s, Sector(part))
    elif sort == codes.GIVE:
        donation.donate_piece(s, Resource(part))
    elif sort == codes.PASS:
        donation.end_seat_donation(s)
    else:
        setup.turn_up_next_tile(s, Letter(part))
    advance_to_next_decision(s)


def apply_die_roll(s: AtlandicePosition, shown: Sector) -> None:
    """A die shows the number of a sector: a gate, an effect's roll, or jeweller c's second."""
    if s.phase == phases.GATES:
        rounds.put_die_at_gate(s, shown)
    elif s.phase == phases.ROLL:
        tile_effects.apply_effect_roll(s, shown + 1)
    else:
        tile_effects.apply_second_visit_roll(s, shown)


def advance_to_next_decision(s: AtlandicePosition) -> None:
    """Continue until a seat or chance must act."""
    while True:
        phase = s.phase
        if phase == phases.ENTER:
            visits.ask_for_piece_or_skip_to_effect(s)
        elif phase == phases.RESOLVE:
            tile_effects.ask_for_effect_or_end_visit(s)
        elif phase == phases.VISITED:
            scoring.score_empty_regions(s)
        elif phase == phases.SETTLED:
            rounds.begin_next_visit_or_clock_step(s)
        elif phase == phases.CLOCK:
            rounds.move_clock_and_trigger_icon(s)
        elif phase == phases.NEXT_DONOR:
            donation.ask_next_donor(s)
        elif phase == phases.CLOCK_DONE:
            rounds.end_match_or_begin_round(s)
        else:
            return

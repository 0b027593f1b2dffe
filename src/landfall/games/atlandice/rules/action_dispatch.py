"""Dispatches legal actions, checks and effects to the chapters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from landfall.core.state import NOT_A_CHOICE, ActionList
from landfall.games.atlandice.rules import donation, rounds, scoring, setup, tile_effects, visits
from landfall.games.atlandice.rules.action_encoding import (
    CHANGE,
    GIVE,
    NEUTRAL_DIE,
    OWN_DIE,
    PASS,
    PICK,
    ROLLED,
    TAKE,
    TO,
    action_family,
)
from landfall.games.atlandice.rules.board import Sector
from landfall.games.atlandice.rules.components import Letter, Place, Resource
from landfall.games.atlandice.rules.phases import (
    BONUS,
    CLOCK,
    CLOCK_DONE,
    DIE,
    DONATE,
    DONATE_SECOND,
    ENTER,
    GATES,
    MOVE,
    NEXT_DONOR,
    PIECE,
    RESOLVE,
    ROLL,
    SETTLED,
    SUBMARINE_PIECE,
    VISITED,
)

if TYPE_CHECKING:
    from landfall.games.atlandice.rules.position import AtlandicePosition


def add_legal_actions(s: AtlandicePosition, moves: ActionList) -> None:
    """Every legal action of the actor."""
    phase = s.phase
    if phase == DIE:
        visits.add_legal_die_choices(s, moves)
    elif phase in (PIECE, SUBMARINE_PIECE):
        visits.add_legal_visit_piece_choices(s, moves)
    elif phase in (DONATE, DONATE_SECOND):
        donation.add_legal_donations(s, moves)
    else:
        tile_effects.add_legal_effect_choices(s, moves)


def rule_forbidding_action(s: AtlandicePosition, action: i64) -> str:
    """The rule that forbids the actor this action."""
    sort = action_family(action)
    part = action - sort
    phase = s.phase
    if phase == DIE:
        return visits.rule_forbidding_die(s, sort, Sector(part))
    elif phase in (PIECE, SUBMARINE_PIECE):
        return visits.rule_forbidding_visit_piece(s, sort, Place(part))
    elif phase in (DONATE, DONATE_SECOND):
        return donation.rule_forbidding_donation(s, sort, Resource(part))
    elif BONUS <= phase < DONATE:
        return tile_effects.rule_forbidding_effect(s, sort, part)
    return NOT_A_CHOICE


def apply_action(s: AtlandicePosition, action: i64) -> None:
    """Apply an action or outcome, then its automatic consequences."""
    sort = action_family(action)
    part = action - sort
    if sort == ROLLED:
        apply_die_roll(s, Sector(part))
    elif sort in (OWN_DIE, NEUTRAL_DIE):
        visits.begin_visit_with_die(s, Sector(part), sort == NEUTRAL_DIE)
    elif sort == TAKE:
        if s.phase == BONUS:
            tile_effects.take_bonus_piece(s, Place(part))
        else:
            visits.take_visited_piece(s, Place(part))
    elif sort == PICK:
        if s.phase == MOVE:
            tile_effects.choose_piece_to_move(s, Place(part))
        else:
            tile_effects.swap_pieces(s, Place(part))
    elif sort == TO:
        tile_effects.move_chosen_thing_to_sector(s, Sector(part))
    elif sort == CHANGE:
        tile_effects.choose_die_to_change(s, Sector(part))
    elif sort == GIVE:
        donation.donate_piece(s, Resource(part))
    elif sort == PASS:
        donation.end_seat_donation(s)
    else:
        setup.turn_up_next_tile(s, Letter(part))
    advance_to_next_decision(s)


def apply_die_roll(s: AtlandicePosition, shown: Sector) -> None:
    """A die shows the number of a sector: a gate, an effect's roll, or jeweller c's second."""
    if s.phase == GATES:
        rounds.put_die_at_gate(s, shown)
    elif s.phase == ROLL:
        tile_effects.apply_effect_roll(s, shown + 1)
    else:
        tile_effects.apply_second_visit_roll(s, shown)


def advance_to_next_decision(s: AtlandicePosition) -> None:
    """Continue until a seat or chance must act."""
    while True:
        phase = s.phase
        if phase == ENTER:
            visits.ask_for_piece_or_skip_to_effect(s)
        elif phase == RESOLVE:
            tile_effects.ask_for_effect_or_end_visit(s)
        elif phase == VISITED:
            scoring.score_empty_regions(s)
        elif phase == SETTLED:
            rounds.begin_next_visit_or_clock_step(s)
        elif phase == CLOCK:
            rounds.move_clock_and_trigger_icon(s)
        elif phase == NEXT_DONOR:
            donation.ask_next_donor(s)
        elif phase == CLOCK_DONE:
            rounds.end_match_or_begin_round(s)
        else:
            return

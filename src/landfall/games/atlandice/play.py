"""What may be chosen and what happens: each choice and outcome handed to the chapter that knows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from landfall.core.state import NOT_A_CHOICE, Moves
from landfall.games.atlandice import donation, effects, rounds, scoring, setup, visits
from landfall.games.atlandice.actions import (
    CHANGE,
    GIVE,
    NEUTRAL_DIE,
    OWN_DIE,
    PASS,
    PICK,
    ROLLED,
    TAKE,
    TO,
    sort_of,
)
from landfall.games.atlandice.board import Sector
from landfall.games.atlandice.components import Letter, Place, Resource
from landfall.games.atlandice.phases import (
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
    from landfall.games.atlandice.position import AtlandicePosition


def generate(s: AtlandicePosition, moves: Moves) -> None:
    """Every choice of the actor."""
    phase = s.phase
    if phase == DIE:
        visits.generate_dice(s, moves)
    elif phase in (PIECE, SUBMARINE_PIECE):
        visits.generate_pieces(s, moves)
    elif phase in (DONATE, DONATE_SECOND):
        donation.generate(s, moves)
    else:
        effects.generate(s, moves)


def forbids(s: AtlandicePosition, action: i64) -> str:
    """The rule that forbids the actor this choice."""
    sort = sort_of(action)
    part = action - sort
    phase = s.phase
    if phase == DIE:
        return visits.forbids_die(s, sort, Sector(part))
    elif phase in (PIECE, SUBMARINE_PIECE):
        return visits.forbids_piece(s, sort, Place(part))
    elif phase in (DONATE, DONATE_SECOND):
        return donation.forbids(s, sort, Resource(part))
    elif BONUS <= phase < DONATE:
        return effects.forbids(s, sort, part)
    return NOT_A_CHOICE


def apply(s: AtlandicePosition, action: i64) -> None:
    """Carry out a choice or an outcome, then all that follows by itself."""
    sort = sort_of(action)
    part = action - sort
    if sort == ROLLED:
        apply_roll(s, Sector(part))
    elif sort in (OWN_DIE, NEUTRAL_DIE):
        visits.take_die(s, Sector(part), sort == NEUTRAL_DIE)
    elif sort == TAKE:
        if s.phase == BONUS:
            effects.take_bonus(s, Place(part))
        else:
            visits.take_piece(s, Place(part))
    elif sort == PICK:
        if s.phase == MOVE:
            effects.pick(s, Place(part))
        else:
            effects.swap(s, Place(part))
    elif sort == TO:
        effects.go_to(s, Sector(part))
    elif sort == CHANGE:
        effects.change_die(s, Sector(part))
    elif sort == GIVE:
        donation.give(s, Resource(part))
    elif sort == PASS:
        donation.give_no_more(s)
    else:
        setup.revealed(s, Letter(part))
    advance(s)


def apply_roll(s: AtlandicePosition, shown: Sector) -> None:
    """A die shows the number of a sector: a gate, an effect's roll, or jeweller c's second."""
    if s.phase == GATES:
        rounds.gate(s, shown)
    elif s.phase == ROLL:
        effects.rolled(s, shown + 1)
    else:
        effects.rolled_again(s, shown)


def advance(s: AtlandicePosition) -> None:
    """Go on until somebody must act."""
    while True:
        phase = s.phase
        if phase == ENTER:
            visits.enter(s)
        elif phase == RESOLVE:
            effects.start(s)
        elif phase == VISITED:
            scoring.settle(s)
        elif phase == SETTLED:
            rounds.next_visit(s)
        elif phase == CLOCK:
            rounds.clock(s)
        elif phase == NEXT_DONOR:
            donation.next_donor(s)
        elif phase == CLOCK_DONE:
            rounds.clock_done(s)
        else:
            return

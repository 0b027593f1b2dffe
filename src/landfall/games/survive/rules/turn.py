"""T · Turn: the four steps in order, and how play continues after each event."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from landfall.core.state import CHANCE, OVER
from landfall.games.survive.rules import board, components, phases
from landfall.games.survive.rules.event_recording import record_event
from landfall.games.survive.rules.piece_positions import count_explorers_in_play, is_on_board, seat_of_explorer
from landfall.games.survive.rules.position import SurvivePosition

QUIET_ROUNDS: Final[i64] = 10  # SV.G3


def set_actor_and_phase(s: SurvivePosition, seat: i64, phase: phases.Phase) -> None:
    """Make a seat the actor, with this question."""
    s.actor = seat
    s.phase = phase


def begin_turn(s: SurvivePosition) -> None:
    """SV.T1, SV.T2: a player who holds a tile is asked for step 1."""
    seat = s.turn
    s.turns[seat] += 1
    s.changed |= components.BIT[components.SEATS_CHANGED]
    marks = s.marks
    for e in range(components.EXPLORERS):
        if marks[e] != 0:
            marks[e] = 0
            s.changed |= components.BIT[e]
    if seat == 0:
        s.round_counts = 1 if s.tiles_left == 0 else 0
        s.stirred = 0
    s.step = phases.STEP_HAND
    if s.events is not None:
        record_event(s, {"kind": "turn", "seat": int(seat), "turn": int(s.turns[seat])})
    if s.hand_size[seat] > 0:
        set_actor_and_phase(s, seat, phases.HAND)
    else:
        begin_movement_step(s)


def begin_movement_step(s: SurvivePosition) -> None:
    """SV.T3; SV.T4: a player without explorers on the board skips it."""
    s.step = phases.STEP_MOVE
    s.points = components.MOVEMENT_POINTS
    continue_movement_step(s)


def continue_movement_step(s: SurvivePosition) -> None:
    if s.points == 0 or s.in_play[s.turn] == 0:
        begin_tile_removal_step(s)
    else:
        set_actor_and_phase(s, s.turn, phases.MOVING)


def begin_tile_removal_step(s: SurvivePosition) -> None:
    """SV.T5; SV.O2: with no tile left it is skipped."""
    s.step = phases.STEP_TILE
    s.points = 0
    if s.tiles_left == 0:
        begin_die_step(s)
    else:
        set_actor_and_phase(s, s.turn, phases.REMOVING)


def begin_mini_round(s: SurvivePosition) -> None:
    """SV.O5: from the remover clockwise, a point for one explorer that fell."""
    s.step = phases.STEP_MINI
    s.ask_next = 0
    ask_next_mini_move(s)


def ask_next_mini_move(s: SurvivePosition) -> None:
    while s.ask_next < s.players:
        seat = (s.turn + s.ask_next) % s.players
        s.ask_next += 1
        if has_fallen_explorer(s, seat):
            s.mini_seat = seat
            s.points = 1
            set_actor_and_phase(s, seat, phases.MINI)
            return
    s.mini_seat = components.NONE
    s.points = 0
    begin_die_step(s)


def has_fallen_explorer(s: SurvivePosition, seat: i64) -> bool:
    """Whether an explorer of the seat stood on the removed tile and is still on the board."""
    for e in range(components.EXPLORERS):
        if s.marks[e] & components.FELL != 0 and is_on_board(s, e) and seat_of_explorer(s, e) == seat:
            return True
    return False


def begin_die_step(s: SurvivePosition) -> None:
    s.step = phases.STEP_DIE
    set_actor_and_phase(s, CHANCE, phases.ROLLING)


def end_turn_and_begin_next(s: SurvivePosition) -> None:
    """The next player clockwise; SV.G3 is checked at the end of a round."""
    s.face = components.NO_FACE
    s.far = 0
    s.creature = components.NONE
    s.tile_space = board.NOWHERE
    s.tile_terrain = components.SEA
    s.ask_next = 0
    s.turn = (s.turn + 1) % s.players
    if s.turn == 0 and s.round_counts == 1:
        s.quiet_rounds = 0 if s.stirred == 1 else s.quiet_rounds + 1
        if s.quiet_rounds == QUIET_ROUNDS and s.rules.to_the_last:
            finish_match(s, "quiet")
            return
    begin_turn(s)


def end_match_or_resume_step(s: SurvivePosition) -> None:
    """After an event: the game is over (SV.O2), or the current step continues."""
    s.touched = board.NOWHERE
    s.touched_too = board.NOWHERE
    if s.rules.to_the_last and count_explorers_in_play(s) == 0:
        finish_match(s, "nobody_left")
    elif s.step == phases.STEP_MOVE:
        continue_movement_step(s)
    elif s.step == phases.STEP_HAND:
        begin_movement_step(s)
    elif s.step == phases.STEP_TILE:
        if s.rules.crowded:
            begin_mini_round(s)
        else:
            begin_die_step(s)
    elif s.step == phases.STEP_MINI:
        ask_next_mini_move(s)
    else:
        end_turn_and_begin_next(s)


def finish_match(s: SurvivePosition, reason: str) -> None:
    """SV.G1, SV.G2, SV.G3, SV.G4, SV.O2, SV.O4: the match ends; only explorers on isles score."""
    set_actor_and_phase(s, OVER, phases.ENDED)
    if s.events is not None:
        record_event(s, {"kind": "over", "reason": reason})
        for group in s.ranking():
            record_event(s, {"kind": "ranked", **group})

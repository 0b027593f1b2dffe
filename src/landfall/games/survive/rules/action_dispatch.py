"""Dispatches listing, checking and applying of actions by phase to the chapters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from landfall.core.state import ActionList
from landfall.games.survive.rules import (
    creatures,
    defence,
    dolphins,
    giant_squid,
    hand_tiles,
    movement,
    setup,
    tile_removal,
)
from landfall.games.survive.rules.action_encoding import (
    CHANGE,
    DEFEND,
    END,
    FETCH,
    MOVE,
    PICK,
    PLACE_SECOND,
    PUT,
    SAIL,
    SHIP_TO,
    SINK,
    STEP,
    SWIM,
    decode_action,
    higher_terrain_played,
    plays_higher_terrain,
)
from landfall.games.survive.rules.event_recording import record_event
from landfall.games.survive.rules.phases import (
    BOARDING,
    CREATURE,
    DEFENDING,
    FETCHING,
    HAND,
    MINI,
    MOVING,
    PHASE_NAMES,
    PLACING,
    PREY,
    PUTTING_SHIPS,
    PUTTING_SQUID,
    REMOVING,
    WARD,
)
from landfall.games.survive.rules.turn import (
    begin_movement_step,
    begin_tile_removal_step,
    end_match_or_resume_step,
    end_turn_and_begin_next,
)

if TYPE_CHECKING:
    from landfall.games.survive.rules.position import SurvivePosition


def add_legal_actions(s: SurvivePosition, moves: ActionList) -> None:
    phase = s.phase
    if phase == MOVING:
        movement.add_legal_movement_actions(s, moves)
    elif phase == CREATURE:
        creatures.add_legal_dice_moves(s, moves, True)
    elif phase == REMOVING:
        tile_removal.add_legal_sinks(s, moves)
    elif phase == PLACING:
        setup.add_legal_placings(s, moves)
    elif phase == PUTTING_SHIPS:
        setup.add_legal_ship_puts(s, moves)
    elif phase == HAND:
        hand_tiles.add_legal_hand_tile_uses(s, moves)
    elif phase == MINI:
        movement.add_legal_mini_round_actions(s, moves)
    elif phase == DEFENDING:
        defence.add_legal_defence_choices(s, moves)
    elif phase == WARD:
        dolphins.add_legal_ward_choices(s, moves)
    elif phase == PREY:
        giant_squid.add_legal_squid_prey_choices(s, moves)
    elif phase == PUTTING_SQUID:
        giant_squid.add_legal_squid_puts(s, moves)
    elif phase == BOARDING:
        tile_removal.add_legal_boardings(s, moves)
    elif phase == FETCHING:
        tile_removal.add_legal_fetches(s, moves)


def rule_forbidding_action(s: SurvivePosition, a: i64) -> str:
    """The rule that forbids an action now; an action of another step is out of order (SV.T1)."""
    family, first, second = decode_action(a)
    rule = rule_forbidding_family(s, family, first, second)
    if rule != "" or not plays_higher_terrain(a):
        return rule
    return hand_tiles.rule_forbidding_higher_terrain(s, family, first, higher_terrain_played(a))


def rule_forbidding_family(s: SurvivePosition, family: i64, first: i64, second: i64) -> str:
    """The same for an action's family and arguments, whichever hand tile it plays."""
    phase = s.phase
    if family == STEP:
        return movement.rule_forbidding_step(s, first, second) if phase in (MOVING, MINI) else out_of_order_rule(s)
    if family == MOVE:
        return rule_forbidding_creature_destination(s, first, second)
    if family == SHIP_TO:
        return rule_forbidding_ship_destination(s, first, second)
    if family == SWIM:
        return hand_tiles.rule_forbidding_dolphin_tile(s, first, second) if phase == HAND else out_of_order_rule(s)
    if family == SAIL:
        if phase == MINI:
            return "SV.O5"
        return movement.rule_forbidding_sail(s, first, second) if phase == MOVING else out_of_order_rule(s)
    if family == SINK:
        return tile_removal.rule_forbidding_sink(s, first) if phase == REMOVING else out_of_order_rule(s)
    if family == CHANGE:
        return creatures.rule_forbidding_ward_change(s, first, second) if phase == CREATURE else out_of_order_rule(s)
    if family == END:
        return rule_forbidding_passing(s)
    if family == DEFEND:
        return defence.rule_forbidding_defence(s) if phase == DEFENDING else "SV.D3" if phase >= HAND else "LF.1"
    if family == PICK:
        return rule_forbidding_explorer_pick(s, first)
    if family == FETCH:
        return tile_removal.rule_forbidding_fetch(s, first) if phase == FETCHING else "LF.1"
    if family == PUT:
        return rule_forbidding_ship_or_squid_put(s, first)
    if phase != PLACING:
        return "LF.1"
    return setup.rule_forbidding_placing(s, 1 if family == PLACE_SECOND else 0, first, second)


def out_of_order_rule(s: SurvivePosition) -> str:
    return "SV.T1" if s.phase in (HAND, MOVING, REMOVING, CREATURE) else "LF.1"


def rule_forbidding_ship_destination(s: SurvivePosition, ship: i64, to: i64) -> str:
    if s.phase == HAND:
        return hand_tiles.rule_forbidding_wind_tile(s, ship, to)
    return creatures.rule_forbidding_ship_drift(s, ship, to) if s.phase == CREATURE else out_of_order_rule(s)


def rule_forbidding_creature_destination(s: SurvivePosition, c: i64, to: i64) -> str:
    if s.phase == HAND:
        return hand_tiles.rule_forbidding_sending_creature(s, c, to)
    return creatures.rule_forbidding_creature_dice_move(s, c, to) if s.phase == CREATURE else out_of_order_rule(s)


def rule_forbidding_ship_or_squid_put(s: SurvivePosition, space: i64) -> str:
    if s.phase == PUTTING_SHIPS:
        return setup.rule_forbidding_ship_put(s, space)
    return giant_squid.rule_forbidding_squid_put(s, space) if s.phase == PUTTING_SQUID else "LF.1"


def rule_forbidding_explorer_pick(s: SurvivePosition, e: i64) -> str:
    if s.phase == WARD:
        return dolphins.rule_forbidding_ward(s, e)
    if s.phase == PREY:
        return giant_squid.rule_forbidding_squid_prey(s, e)
    return tile_removal.rule_forbidding_boarding(s, e) if s.phase == BOARDING else "LF.1"


def rule_forbidding_passing(s: SurvivePosition) -> str:
    """A mandatory choice cannot be passed."""
    if s.phase in (HAND, MOVING, MINI, CREATURE, DEFENDING):
        return ""
    if s.phase == REMOVING:
        return "SV.T5"
    if s.phase == PREY:
        return giant_squid.rule_requiring_squid_prey(s)
    if s.phase == PUTTING_SQUID:
        return "SV.Q1"
    if s.phase == WARD:
        return "SV.N12"
    if s.phase == BOARDING:
        return "SV.R5"
    return "SV.O5" if s.phase == FETCHING else "LF.1"


def apply_action(s: SurvivePosition, a: i64) -> None:
    """Apply the actor's action."""
    family, first, second = decode_action(a)
    if family == STEP:
        movement.step_explorer(s, first, second)
    elif family == END:
        end_step_or_pass(s)
    elif family == SAIL:
        movement.sail_ship(s, first, second)
    elif family == SINK:
        tile_removal.sink_tile(s, first)
    elif family == MOVE:
        if s.phase == HAND:
            hand_tiles.send_creature_by_tile(s, first, second, higher_terrain_played(a))
        else:
            creatures.move_creature_by_dice(s, first, second)
    elif family == SHIP_TO:
        if s.phase == HAND:
            hand_tiles.move_ship_by_wind_tile(s, first, second)
        else:
            creatures.drift_empty_ship(s, first, second)
    elif family == PUT:
        if s.phase == PUTTING_SHIPS:
            setup.put_setup_ship(s, first)
        else:
            giant_squid.put_squid_from_supply(s, first)
    elif family == PICK:
        apply_explorer_pick(s, first)
    elif family == FETCH:
        tile_removal.fetch_empty_ship(s, first)
    elif family == DEFEND:
        defence.play_defence_tile(s, higher_terrain_played(a))
    elif family == SWIM:
        hand_tiles.move_swimmer_by_tile(s, first, second, higher_terrain_played(a))
    elif family == CHANGE:
        dolphins.change_ward(s, first, second)
    else:
        setup.place_explorer(s, 1 if family == PLACE_SECOND else 0, first, second)


def apply_explorer_pick(s: SurvivePosition, e: i64) -> None:
    if s.phase == WARD:
        dolphins.pick_ward(s, e)
    elif s.phase == PREY:
        giant_squid.take_squid_prey(s, e)
    else:
        tile_removal.board_picked_swimmer(s, e)


def end_step_or_pass(s: SurvivePosition) -> None:
    """End the step, pass, or move nothing."""
    if s.phase == DEFENDING:
        defence.decline_defence(s)
        return
    if s.events is not None and s.phase != MOVING:
        record_event(s, {"kind": "passed", "seat": int(s.actor), "phase": PHASE_NAMES[s.phase]})
    if s.phase == HAND:
        begin_movement_step(s)
    elif s.phase == MOVING:
        begin_tile_removal_step(s)
    elif s.phase == MINI:
        end_match_or_resume_step(s)
    else:
        end_turn_and_begin_next(s)

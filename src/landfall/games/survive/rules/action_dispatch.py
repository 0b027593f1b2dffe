"""Dispatches listing, checking and applying of actions by phase to the chapters."""

from __future__ import annotations

from mypy_extensions import i64

from landfall.core.state import ActionList
from landfall.games.survive.rules import (
    codes,
    creatures,
    defence,
    dolphins,
    giant_squid,
    hand_tiles,
    movement,
    phases,
    setup,
    tile_removal,
    turn,
)
from landfall.games.survive.rules.event_recording import record_event
from landfall.games.survive.rules.position import SurvivePosition


def add_legal_actions(s: SurvivePosition, moves: ActionList) -> None:
    phase = s.phase
    if phase == phases.MOVING:
        movement.add_legal_movement_actions(s, moves)
    elif phase == phases.CREATURE:
        creatures.add_legal_dice_moves(s, moves, True)
    elif phase == phases.REMOVING:
        tile_removal.add_legal_sinks(s, moves)
    elif phase == phases.PLACING:
        setup.add_legal_placings(s, moves)
    elif phase == phases.PUTTING_SHIPS:
        setup.add_legal_ship_puts(s, moves)
    elif phase == phases.HAND:
        hand_tiles.add_legal_hand_tile_uses(s, moves)
    elif phase == phases.MINI:
        movement.add_legal_mini_round_actions(s, moves)
    elif phase == phases.DEFENDING:
        defence.add_legal_defence_choices(s, moves)
    elif phase == phases.WARD:
        dolphins.add_legal_ward_choices(s, moves)
    elif phase == phases.PREY:
        giant_squid.add_legal_squid_prey_choices(s, moves)
    elif phase == phases.PUTTING_SQUID:
        giant_squid.add_legal_squid_puts(s, moves)
    elif phase == phases.BOARDING:
        tile_removal.add_legal_boardings(s, moves)
    elif phase == phases.FETCHING:
        tile_removal.add_legal_fetches(s, moves)


def rule_forbidding_action(s: SurvivePosition, a: i64) -> str:
    """The rule that forbids an action now; an action of another step is out of order (SV.T1)."""
    family, first, second = codes.decode_action(a)
    rule = rule_forbidding_family(s, family, first, second)
    if rule != "" or not codes.plays_higher_terrain(a):
        return rule
    return hand_tiles.rule_forbidding_higher_terrain(s, family, first, codes.higher_terrain_played(a))


def rule_forbidding_family(s: SurvivePosition, family: i64, first: i64, second: i64) -> str:
    """The same for an action's family and arguments, whichever hand tile it plays."""
    phase = s.phase
    if family == codes.STEP:
        return (
            movement.rule_forbidding_step(s, first, second)
            if phase in (phases.MOVING, phases.MINI)
            else out_of_order_rule(s)
        )
    if family == codes.MOVE:
        return rule_forbidding_creature_destination(s, first, second)
    if family == codes.SHIP_TO:
        return rule_forbidding_ship_destination(s, first, second)
    if family == codes.SWIM:
        return (
            hand_tiles.rule_forbidding_dolphin_tile(s, first, second) if phase == phases.HAND else out_of_order_rule(s)
        )
    if family == codes.SAIL:
        if phase == phases.MINI:
            return "SV.O5"
        return movement.rule_forbidding_sail(s, first, second) if phase == phases.MOVING else out_of_order_rule(s)
    if family == codes.SINK:
        return tile_removal.rule_forbidding_sink(s, first) if phase == phases.REMOVING else out_of_order_rule(s)
    if family == codes.CHANGE:
        return (
            creatures.rule_forbidding_ward_change(s, first, second)
            if phase == phases.CREATURE
            else out_of_order_rule(s)
        )
    if family == codes.END:
        return rule_forbidding_passing(s)
    if family == codes.DEFEND:
        return (
            defence.rule_forbidding_defence(s)
            if phase == phases.DEFENDING
            else "SV.D3"
            if phase >= phases.HAND
            else "LF.1"
        )
    if family == codes.PICK:
        return rule_forbidding_explorer_pick(s, first)
    if family == codes.FETCH:
        return tile_removal.rule_forbidding_fetch(s, first) if phase == phases.FETCHING else "LF.1"
    if family == codes.PUT:
        return rule_forbidding_ship_or_squid_put(s, first)
    if phase != phases.PLACING:
        return "LF.1"
    return setup.rule_forbidding_placing(s, 1 if family == codes.PLACE_SECOND else 0, first, second)


def out_of_order_rule(s: SurvivePosition) -> str:
    return "SV.T1" if s.phase in (phases.HAND, phases.MOVING, phases.REMOVING, phases.CREATURE) else "LF.1"


def rule_forbidding_ship_destination(s: SurvivePosition, ship: i64, to: i64) -> str:
    if s.phase == phases.HAND:
        return hand_tiles.rule_forbidding_wind_tile(s, ship, to)
    return creatures.rule_forbidding_ship_drift(s, ship, to) if s.phase == phases.CREATURE else out_of_order_rule(s)


def rule_forbidding_creature_destination(s: SurvivePosition, c: i64, to: i64) -> str:
    if s.phase == phases.HAND:
        return hand_tiles.rule_forbidding_sending_creature(s, c, to)
    return (
        creatures.rule_forbidding_creature_dice_move(s, c, to) if s.phase == phases.CREATURE else out_of_order_rule(s)
    )


def rule_forbidding_ship_or_squid_put(s: SurvivePosition, space: i64) -> str:
    if s.phase == phases.PUTTING_SHIPS:
        return setup.rule_forbidding_ship_put(s, space)
    return giant_squid.rule_forbidding_squid_put(s, space) if s.phase == phases.PUTTING_SQUID else "LF.1"


def rule_forbidding_explorer_pick(s: SurvivePosition, e: i64) -> str:
    if s.phase == phases.WARD:
        return dolphins.rule_forbidding_ward(s, e)
    if s.phase == phases.PREY:
        return giant_squid.rule_forbidding_squid_prey(s, e)
    return tile_removal.rule_forbidding_boarding(s, e) if s.phase == phases.BOARDING else "LF.1"


def rule_forbidding_passing(s: SurvivePosition) -> str:
    """A mandatory choice cannot be passed."""
    if s.phase in (phases.HAND, phases.MOVING, phases.MINI, phases.CREATURE, phases.DEFENDING):
        return ""
    if s.phase == phases.REMOVING:
        return "SV.T5"
    if s.phase == phases.PREY:
        return giant_squid.rule_requiring_squid_prey(s)
    if s.phase == phases.PUTTING_SQUID:
        return "SV.Q1"
    if s.phase == phases.WARD:
        return "SV.N12"
    if s.phase == phases.BOARDING:
        return "SV.R5"
    return "SV.O5" if s.phase == phases.FETCHING else "LF.1"


def apply_action(s: SurvivePosition, a: i64) -> None:
    """Apply the actor's action."""
    family, first, second = codes.decode_action(a)
    if family == codes.STEP:
        movement.step_explorer(s, first, second)
    elif family == codes.END:
        end_step_or_pass(s)
    elif family == codes.SAIL:
        movement.sail_ship(s, first, second)
    elif family == codes.SINK:
        tile_removal.sink_tile(s, first)
    elif family == codes.MOVE:
        if s.phase == phases.HAND:
            hand_tiles.send_creature_by_tile(s, first, second, codes.higher_terrain_played(a))
        else:
            creatures.move_creature_by_dice(s, first, second)
    elif family == codes.SHIP_TO:
        if s.phase == phases.HAND:
            hand_tiles.move_ship_by_wind_tile(s, first, second)
        else:
            creatures.drift_empty_ship(s, first, second)
    elif family == codes.PUT:
        if s.phase == phases.PUTTING_SHIPS:
            setup.put_setup_ship(s, first)
        else:
            giant_squid.put_squid_from_supply(s, first)
    elif family == codes.PICK:
        apply_explorer_pick(s, first)
    elif family == codes.FETCH:
        tile_removal.fetch_empty_ship(s, first)
    elif family == codes.DEFEND:
        defence.play_defence_tile(s, codes.higher_terrain_played(a))
    elif family == codes.SWIM:
        hand_tiles.move_swimmer_by_tile(s, first, second, codes.higher_terrain_played(a))
    elif family == codes.CHANGE:
        dolphins.change_ward(s, first, second)
    else:
        setup.place_explorer(s, 1 if family == codes.PLACE_SECOND else 0, first, second)


def apply_explorer_pick(s: SurvivePosition, e: i64) -> None:
    if s.phase == phases.WARD:
        dolphins.pick_ward(s, e)
    elif s.phase == phases.PREY:
        giant_squid.take_squid_prey(s, e)
    else:
        tile_removal.board_picked_swimmer(s, e)


def end_step_or_pass(s: SurvivePosition) -> None:
    """End the step, pass, or move nothing."""
    if s.phase == phases.DEFENDING:
        defence.decline_defence(s)
        return
    if s.events is not None and s.phase != phases.MOVING:
        record_event(s, {"kind": "passed", "seat": int(s.actor), "phase": phases.PHASE_NAMES[s.phase]})
    if s.phase == phases.HAND:
        turn.begin_movement_step(s)
    elif s.phase == phases.MOVING:
        turn.begin_tile_removal_step(s)
    elif s.phase == phases.MINI:
        turn.end_match_or_resume_step(s)
    else:
        turn.end_turn_and_begin_next(s)

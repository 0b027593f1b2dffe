"""D · Defence tiles: the attacked players are asked clockwise from the mover; the first to play one saves all."""

from __future__ import annotations

from mypy_extensions import i64

from landfall.core.state import ActionList
from landfall.games.survive.rules import codes, components, phases, piece_positions
from landfall.games.survive.rules.dolphins import resolve_dangers_and_resume_step
from landfall.games.survive.rules.event_recording import record_event
from landfall.games.survive.rules.movement import wreck_ship
from landfall.games.survive.rules.position import SurvivePosition
from landfall.games.survive.rules.turn import end_match_or_resume_step, set_actor_and_phase


def begin_asking_for_defence(s: SurvivePosition, c: i64) -> None:
    """The turn's player has moved a shark or a whale onto its prey."""
    s.creature = c
    s.ask_next = 1
    ask_next_defender(s)


def ask_next_defender(s: SurvivePosition) -> None:
    """SV.D4, SV.D5: ask every other attacked player who holds any tile; then the creature strikes."""
    while s.ask_next < s.players:
        seat = (s.turn + s.ask_next) % s.players
        s.ask_next += 1
        if s.hand_size[seat] > 0 and is_seat_attacked(s, seat):
            set_actor_and_phase(s, seat, phases.DEFENDING)
            return
    resolve_undefended_attack(s)


def is_seat_attacked(s: SurvivePosition, seat: i64) -> bool:
    """SV.D1: an unguarded swimmer of theirs; SV.D2: an explorer of theirs aboard."""
    space = s.creature_space[s.creature]
    if components.KIND_OF[s.creature] == components.SHARK:
        return piece_positions.count_unguarded_swimmers_of_seat(s, seat, space) > 0
    ship = s.ship_at[space]
    for i in range(ship * components.SHIP_SEATS, (ship + 1) * components.SHIP_SEATS):
        if s.ship_seat[i] >= 0 and piece_positions.seat_of_explorer(s, s.ship_seat[i]) == seat:
            return True
    return False


def resolve_undefended_attack(s: SurvivePosition) -> None:
    """Nobody defended. SV.K4: the swimmers are removed; SV.K5: the ship is, and its passengers swim."""
    space = s.creature_space[s.creature]
    if components.KIND_OF[s.creature] != components.SHARK:
        wreck_ship(s, s.ship_at[space])
    resolve_dangers_and_resume_step(s, space, -1)


# --- the answer -----------------------------------------------------------------------------------------------


def matching_defence_tile(s: SurvivePosition) -> components.Back:
    return components.SHARK_DEFENCE if components.KIND_OF[s.creature] == components.SHARK else components.WHALE_DEFENCE


def holds_hand_tile(s: SurvivePosition, seat: i64, back: components.Back) -> bool:
    for terrain in range(components.TERRAINS):
        if s.hand[components.hand_index(seat, terrain, back)] > 0:
            return True
    return False


def lowest_terrain_held(s: SurvivePosition, seat: i64, back: components.Back) -> components.Terrain:
    """The lowest terrain of the seat's tiles with this back; SEA if it holds none."""
    for terrain in range(components.TERRAINS):
        if s.hand[components.hand_index(seat, terrain, back)] > 0:
            return components.Terrain(terrain)
    return components.SEA


def may_play_terrain(s: SurvivePosition, seat: i64, back: components.Back, terrain: components.Terrain) -> bool:
    """SV.R8: whether the seat holds such a tile of this terrain and one of a lower terrain, too."""
    return s.hand[components.hand_index(seat, terrain, back)] > 0 and lowest_terrain_held(s, seat, back) < terrain


def discard_hand_tile(s: SurvivePosition, seat: i64, back: components.Back, chosen: components.Terrain) -> None:
    """SV.H4: a played tile leaves the game; SV.R8: of the chosen terrain, or if it is SEA, of the lowest held."""
    terrain = lowest_terrain_held(s, seat, back) if chosen == components.SEA else chosen
    s.hand[components.hand_index(seat, terrain, back)] -= 1
    s.hand_size[seat] -= 1
    s.changed |= components.BIT[components.SEATS_CHANGED]
    if s.events is not None:
        tile, side = components.BACK_NAMES[back], components.TERRAIN_NAMES[terrain]
        record_event(s, {"kind": "tile_played", "seat": int(seat), "tile": tile, "terrain": side})


def add_legal_defence_choices(s: SurvivePosition, moves: ActionList) -> None:
    moves.add(codes.END)
    back = matching_defence_tile(s)
    if not holds_hand_tile(s, s.actor, back):
        return
    moves.add(codes.DEFEND)
    for terrain in range(1, components.TERRAINS):
        if may_play_terrain(s, s.actor, back, components.Terrain(terrain)):
            moves.add(codes.DEFEND_HIGHER + terrain - 1)


def rule_forbidding_defence(s: SurvivePosition) -> str:
    if holds_hand_tile(s, s.actor, matching_defence_tile(s)):
        return ""
    return "SV.D1" if components.KIND_OF[s.creature] == components.SHARK else "SV.D2"


def play_defence_tile(s: SurvivePosition, terrain: components.Terrain) -> None:
    """The creature leaves the game, nobody is hurt, and the roller's move ends."""
    discard_hand_tile(s, s.actor, matching_defence_tile(s), terrain)
    if s.events is not None:
        record_event(
            s,
            {
                "kind": "defended",
                "seat": int(s.actor),
                "creature": components.KIND_NAMES[components.KIND_OF[s.creature]],
            },
        )
    piece_positions.remove_creature_from_game(s, s.creature, "defence")
    end_match_or_resume_step(s)


def decline_defence(s: SurvivePosition) -> None:
    if s.events is not None:
        record_event(s, {"kind": "passed", "seat": int(s.actor), "phase": "defending"})
    ask_next_defender(s)

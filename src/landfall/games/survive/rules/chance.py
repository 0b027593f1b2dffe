"""Chance outcomes: the island's terrain, the backs of tiles, the dice (SV.U1, SV.C1, SV.C3, SV.C4)."""

from __future__ import annotations

from mypy_extensions import i64

from landfall.core.rng import Rng
from landfall.core.state import CHANCE
from landfall.games.survive.rules import codes, components, creatures, phases, setup, tile_removal
from landfall.games.survive.rules.event_recording import record_event
from landfall.games.survive.rules.position import SurvivePosition
from landfall.games.survive.rules.turn import set_actor_and_phase


def chance_outcomes(s: SurvivePosition) -> list[tuple[int, int]]:
    out: list[tuple[int, int]] = []
    if s.actor != CHANCE:
        return out
    if s.phase == phases.LAYING:
        for t in range(components.TERRAINS):
            if s.terrain_left[t] > 0:
                out.append((int(codes.LAY) + t, int(s.terrain_left[t])))
    elif s.phase == phases.DRAWING_BACK:
        for back in range(components.BACKS):
            left = int(s.back_left[s.tile_terrain * components.BACKS + back])
            if left > 0:
                out.append((int(codes.BACK) + back, left))
    elif s.phase == phases.ROLLING:
        faces = count_die_faces(s)
        for face in range(faces):
            out.append((int(codes.DIE) + face, int(components.FACES // faces)))
    else:
        for face in range(len(components.SECOND_DIE_WEIGHTS)):
            out.append((int(codes.SECOND_DIE) + face, components.SECOND_DIE_WEIGHTS[face]))
    return out


def count_die_faces(s: SurvivePosition) -> i64:
    """How many faces the die has: SV.C3, twice each, or the first dive die's (SV.C4)."""
    return components.FACES if s.rules.dolphins else components.CREATURE_FACES


def sample_chance(s: SurvivePosition, rng: Rng) -> i64:
    if s.phase == phases.LAYING:
        return setup.sample_terrain(s, rng)
    if s.phase == phases.DRAWING_BACK:
        left = rng.randbelow(s.terrain_left[s.tile_terrain] + 1)  # the tile itself has already left the island
        back: i64 = 0
        while left >= s.back_left[s.tile_terrain * components.BACKS + back]:
            left -= s.back_left[s.tile_terrain * components.BACKS + back]
            back += 1
        return codes.BACK + back
    if s.phase == phases.ROLLING:
        return codes.DIE + rng.randbelow(count_die_faces(s))
    face = rng.randbelow(components.FACES)
    return codes.SECOND_DIE + (face >> 1 if face < 4 else face - 2)


def apply_outcome(s: SurvivePosition, outcome: i64) -> None:
    """Apply a chance outcome."""
    family, number, _ = codes.decode_action(outcome)
    if family == codes.LAY:
        setup.lay_next_tile(s, components.Terrain(number))
    elif family == codes.BACK:
        tile_removal.apply_tile_back(s, components.Back(number))
    elif family == codes.DIE:
        s.face = components.Face(number)
        if s.rules.dolphins:
            set_actor_and_phase(s, CHANCE, phases.ROLLING_SECOND_DIE)
            return
        s.far = 0
        record_roll(s, [components.FACE_NAMES[s.face]])
        creatures.ask_roller_or_end_turn(s)
    else:
        s.far = number + 1
        record_roll(s, [components.FACE_NAMES[s.face], components.SECOND_DIE_NAMES[s.far - 1]])
        creatures.ask_roller_or_end_turn(s)


def record_roll(s: SurvivePosition, faces: list[str]) -> None:
    if s.events is not None:
        record_event(s, {"kind": "rolled", "seat": int(s.turn), "faces": faces})

"""Chance outcomes: the island's terrain, the backs of tiles, the dice (SV.U1, SV.C1, SV.C3, SV.C4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from landfall.core.rng import Rng
from landfall.core.state import CHANCE
from landfall.games.survive.rules import creatures, setup, tile_removal
from landfall.games.survive.rules.action_encoding import BACK, DIE, FAR, LAY, decode_action
from landfall.games.survive.rules.components import (
    BACKS,
    CREATURE_FACES,
    FACE_NAMES,
    FACES,
    FAR_NAMES,
    FAR_WEIGHTS,
    TERRAINS,
    Back,
    Face,
    Terrain,
)
from landfall.games.survive.rules.event_recording import record_event
from landfall.games.survive.rules.phases import DRAWING_BACK, LAYING, ROLLING, ROLLING_FAR
from landfall.games.survive.rules.turn import set_actor_and_phase

if TYPE_CHECKING:
    from landfall.games.survive.rules.position import SurvivePosition


def chance_outcomes(s: SurvivePosition) -> list[tuple[int, int]]:
    out: list[tuple[int, int]] = []
    if s.actor != CHANCE:
        return out
    if s.phase == LAYING:
        for t in range(TERRAINS):
            if s.terrain_left[t] > 0:
                out.append((int(LAY) + t, int(s.terrain_left[t])))
    elif s.phase == DRAWING_BACK:
        for back in range(BACKS):
            left = int(s.back_left[s.tile_terrain * BACKS + back])
            if left > 0:
                out.append((int(BACK) + back, left))
    elif s.phase == ROLLING:
        faces = count_die_faces(s)
        for face in range(faces):
            out.append((int(DIE) + face, int(FACES // faces)))
    else:
        for face in range(len(FAR_WEIGHTS)):
            out.append((int(FAR) + face, FAR_WEIGHTS[face]))
    return out


def count_die_faces(s: SurvivePosition) -> i64:
    """How many faces the die has: SV.C3, twice each, or the first dive die's (SV.C4)."""
    return FACES if s.rules.dolphins else CREATURE_FACES


def sample_chance(s: SurvivePosition, rng: Rng) -> i64:
    if s.phase == LAYING:
        return setup.sample_terrain(s, rng)
    if s.phase == DRAWING_BACK:
        left = rng.randbelow(s.terrain_left[s.tile_terrain] + 1)  # the tile itself has already left the island
        back: i64 = 0
        while left >= s.back_left[s.tile_terrain * BACKS + back]:
            left -= s.back_left[s.tile_terrain * BACKS + back]
            back += 1
        return BACK + back
    if s.phase == ROLLING:
        return DIE + rng.randbelow(count_die_faces(s))
    face = rng.randbelow(FACES)
    return FAR + (face >> 1 if face < 4 else face - 2)


def apply_outcome(s: SurvivePosition, outcome: i64) -> None:
    """Apply a chance outcome."""
    family, number, _ = decode_action(outcome)
    if family == LAY:
        setup.lay_next_tile(s, Terrain(number))
    elif family == BACK:
        tile_removal.apply_tile_back(s, Back(number))
    elif family == DIE:
        s.face = Face(number)
        if s.rules.dolphins:
            set_actor_and_phase(s, CHANCE, ROLLING_FAR)
            return
        s.far = 0
        record_roll(s, [FACE_NAMES[s.face]])
        creatures.ask_roller_or_end_turn(s)
    else:
        s.far = number + 1
        record_roll(s, [FACE_NAMES[s.face], FAR_NAMES[s.far - 1]])
        creatures.ask_roller_or_end_turn(s)


def record_roll(s: SurvivePosition, faces: list[str]) -> None:
    if s.events is not None:
        record_event(s, {"kind": "rolled", "seat": int(s.turn), "faces": faces})

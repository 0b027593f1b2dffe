"""What chance decides: the island's terrain, the backs of tiles, the dice (SV.U1, SV.C1, SV.C3, SV.C4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from landfall.core.rng import Rng
from landfall.core.state import CHANCE
from landfall.games.survive import creatures, setup, tiles
from landfall.games.survive.actions import BACK, DIE, FAR, LAY
from landfall.games.survive.components import BACKS, FACE_NAMES, FAR_NAMES, FAR_WEIGHTS
from landfall.games.survive.phases import DRAWING_BACK, LAYING, ROLLING, ROLLING_FAR
from landfall.games.survive.turn import ask

if TYPE_CHECKING:
    from landfall.games.survive.position import SurvivePosition


def chances(s: SurvivePosition) -> list[tuple[int, int]]:
    out: list[tuple[int, int]] = []
    if s.actor != CHANCE:
        return out
    if s.phase == LAYING:
        for t in range(3):
            if s.terrain_left[t] > 0:
                out.append((int(LAY) + t, int(s.terrain_left[t])))
    elif s.phase == DRAWING_BACK:
        for back in range(12):
            left = int(s.back_left[s.tile_terrain * BACKS + back])
            if left > 0:
                out.append((int(BACK) + back, left))
    elif s.phase == ROLLING:
        for face in range(6 if s.rules.dolphins else 3):
            out.append((int(DIE) + face, 1 if s.rules.dolphins else 2))
    else:
        for face in range(4):
            out.append((int(FAR) + face, FAR_WEIGHTS[face]))
    return out


def draw(s: SurvivePosition, rng: Rng) -> i64:
    if s.phase == LAYING:
        return setup.draw_terrain(s, rng)
    if s.phase == DRAWING_BACK:
        left = rng.below(s.terrain_left[s.tile_terrain] + 1)  # the tile itself is already off the island
        back: i64 = 0
        while left >= s.back_left[s.tile_terrain * BACKS + back]:
            left -= s.back_left[s.tile_terrain * BACKS + back]
            back += 1
        return BACK + back
    if s.phase == ROLLING:
        return DIE + rng.below(6 if s.rules.dolphins else 3)
    face = rng.below(6)
    return FAR + (face >> 1 if face < 4 else face - 2)


def happen(s: SurvivePosition, outcome: i64) -> None:
    """What an outcome brings."""
    if s.phase == LAYING:
        setup.lay(s, outcome - LAY)
    elif s.phase == DRAWING_BACK:
        tiles.turn_over(s, outcome - BACK)
    elif s.phase == ROLLING:
        s.face = outcome - DIE
        if s.rules.dolphins:
            ask(s, CHANCE, ROLLING_FAR)
            return
        s.far = 0
        tell_roll(s, [FACE_NAMES[s.face]])
        creatures.rolled(s)
    else:
        s.far = outcome - FAR + 1
        tell_roll(s, [FACE_NAMES[s.face], FAR_NAMES[s.far - 1]])
        creatures.rolled(s)


def tell_roll(s: SurvivePosition, faces: list[str]) -> None:
    if s.events is not None:
        s.emit("rolled", {"seat": int(s.turn), "faces": faces})

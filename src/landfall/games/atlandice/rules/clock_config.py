# interpreted
"""The clock's face and the tiles' hands (AD.C3, AD.C4) as data: the default from clock.json, or a table's own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from landfall.core.int_vectors import to_vector
from landfall.games.atlandice.rules import board, components
from landfall.games.atlandice.rules.clock_schema import find_schema_fault

if TYPE_CHECKING:
    from landfall.core.int_vectors import Buf

FOLDER: Final = Path(__file__).parent
SCHEMA: Final[dict[str, Any]] = json.loads((FOLDER / "clock.schema.json").read_text(encoding="utf-8"))


def find_clock_fault(value: object) -> str:
    """What is wrong with a table's own clock, "" if nothing; None means the default."""
    if value is None:
        return ""
    text = find_schema_fault(value, SCHEMA, "the clock", SCHEMA)
    if text or not isinstance(value, dict) or "last" not in value:
        return str(text)
    last = int(value["last"])
    outside = [space for space in value["icons"] if int(space) >= last]
    if outside:
        return f"an icon on space {outside[0]}, but icons lie between the first space 0 and the last {last}"
    return ""


def load_default_clock() -> dict[str, Any]:
    """The default clock, validated like any other."""
    value: dict[str, Any] = json.loads((FOLDER / "clock.json").read_text(encoding="utf-8"))
    text = find_clock_fault(value)
    if text:
        raise ValueError(f"clock.json: {text}")
    return value


OURS: Final[dict[str, Any]] = load_default_clock()


def clock_face_icons(clock: dict[str, Any] | None) -> Buf:
    """The icon on each space of a validated clock."""
    chosen = clock if clock is not None and "last" in clock else OURS
    face: list[int] = [int(components.NO_ICON)] * (int(chosen["last"]) + 1)
    for space, icon in chosen["icons"].items():
        face[int(space)] = components.ICON_NAMES.index(icon)
    return to_vector(face)


def clock_hands_by_tile(clock: dict[str, Any] | None) -> Buf:
    """The hands of the fifteen tiles and the black market."""
    hands: dict[str, Any] = dict(OURS["hands"])
    if clock is not None:
        hands.update(clock.get("hands", {}))
    tiles = [int(n) for region in board.SECTOR_NAMES[: board.REGIONS] for n in hands[region]]
    return to_vector(tiles + [int(hands["black_market"])])


OUR_FACE: Final = clock_face_icons(None)
OUR_HANDS: Final = clock_hands_by_tile(None)

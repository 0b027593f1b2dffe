"""B · Board: the printed map, and what it means in play."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from landfall.core.hex_grid import Hex, neighbour_in_direction
from landfall.core.int_vectors import to_list
from landfall.games.survive.presentation.drawing_constants import drawing_constants_for_client
from landfall.games.survive.rules.board import (
    BY_NAME,
    HEXES,
    INDEX,
    LAKE,
    NAMES,
    NEXT,
    OUTER_SLOT,
    SHORE,
    SLOT_HEXES,
)
from tests.survive.position_builder import Scene, state_before_island

RULES = Path(__file__).parent.parent.parent / "docs" / "rules" / "survive.md"
LANDINGS: dict[str, list[Hex]] = {
    "@NW": [(-2, -5), (-3, -4)],
    "@NE": [(7, -5), (7, -4)],
    "@SW": [(-7, 4), (-7, 5)],
    "@SE": [(3, 4), (2, 5)],
}


def printed_map() -> dict[Hex, str]:
    """The drawing in the rules: what each hex shows. A hex is four columns wide; (0, 0) stands where the L is."""
    rows = [line for line in RULES.read_text(encoding="utf-8").splitlines() if line.startswith("      r=")]
    assert len(rows) == 13
    middle = rows[6].index("L")
    drawn: dict[Hex, str] = {}
    for r, line in zip(range(-6, 7), rows, strict=True):
        for corner in ("(NW)", "(NE)", "(SW)", "(SE)"):
            line = line.replace(corner, "    ")
        for column, sign in enumerate(line):
            if sign in ".#LoS":
                q, rest = divmod(column - middle - 2 * r, 4)
                assert rest == 0
                drawn[q, r] = sign
    return drawn


def hexagon(radius: int) -> set[Hex]:
    span = range(-radius, radius + 1)
    return {(q, r) for q in span for r in span if abs(q + r) <= radius}


@pytest.mark.rule("SV.B1")
def test_the_board_has_133_hexes_in_13_rows() -> None:
    assert len(HEXES) == len(set(HEXES)) == 133
    assert [sum(r == row for _, r in HEXES) for row in range(-6, 7)] == [
        7,
        10,
        11,
        10,
        11,
        12,
        11,
        12,
        11,
        10,
        11,
        10,
        7,
    ]
    landings = {at for two in LANDINGS.values() for at in two}
    assert set(HEXES) == (hexagon(6) - {(6, 0), (-6, 0)}) | landings


@pytest.mark.rule("SV.B1", "SV.B2", "SV.B3", "SV.B4")
def test_the_board_is_the_one_drawn_in_the_rules() -> None:
    drawn = printed_map()
    assert set(drawn) == set(HEXES)
    assert {at for at, sign in drawn.items() if sign == "#"} == set(SLOT_HEXES)
    assert [at for at, sign in drawn.items() if sign == "L"] == [HEXES[LAKE]]
    assert {at for at, sign in drawn.items() if sign in "oS"} == {at for two in LANDINGS.values() for at in two}
    serpents = {HEXES[at] for at in to_list(state_before_island().creature_space) if at >= 0}
    assert {at for at, sign in drawn.items() if sign in "SL"} == serpents


@pytest.mark.rule("SV.B1", "SV.B2", "SV.B4")
def test_the_clients_table_is_the_board_drawn_in_the_rules() -> None:
    rows: Any = drawing_constants_for_client()["SPACES"]
    drawn = printed_map()
    assert [row["name"] for row in rows] == NAMES
    assert {(row["q"], row["r"]) for row in rows} == set(drawn)
    assert {(row["q"], row["r"]) for row in rows if row["slot"]} == {at for at, sign in drawn.items() if sign == "#"}
    touching = {isle: [(row["q"], row["r"]) for row in rows if row["isle"] == isle] for isle in LANDINGS}
    assert touching == {isle: sorted(two, key=lambda at: at[1]) for isle, two in LANDINGS.items()}


@pytest.mark.rule("SV.B1")
def test_neighbours_are_the_six_hexes_around() -> None:
    for space, at in enumerate(HEXES):
        around = [INDEX.get(neighbour_in_direction(at, d), -1) for d in range(6)]
        assert to_list(NEXT)[space * 6 : space * 6 + 6] == around
    scene = Scene().ship("A1", "r1").moving(0)
    assert scene.choices() == {"A1 E", "A1 SE", "A1 SW", "r1 dive", "end"}


@pytest.mark.rule("SV.B1")
def test_rows_are_named_from_the_top_and_spaces_from_the_left() -> None:
    assert NAMES[INDEX[0, 0]] == "G6"
    assert NAMES[INDEX[0, -6]] == "A1"
    assert NAMES[INDEX[7, -5]] == "B10"
    assert NAMES[INDEX[0, 6]] == "M7"


@pytest.mark.rule("SV.B2")
def test_the_island_has_forty_slots_around_a_lake() -> None:
    scene = Scene()
    island = {HEXES[BY_NAME[name]] for name in scene.tiles()}
    assert len(island) == 40
    assert island == (hexagon(3) - {(0, 0)}) | {(-3, -1), (4, -1), (-4, 1), (3, 1)}


@pytest.mark.rule("SV.B2")
def test_the_lake_is_a_sea_space() -> None:
    scene = Scene().explorer("r1", "G5").ship("G6").moving(0)
    assert scene.why_not("r1 E") is None  # into the water
    scene.play("r1 E ship")
    assert scene.at("r1") == "G6+"


@pytest.mark.rule("SV.B3")
@pytest.mark.parametrize("players", [2, 4, 6])
def test_serpents_start_in_the_lake_and_on_four_landing_spaces(players: int) -> None:
    state = state_before_island(players)
    starts = [HEXES[at] for at in to_list(state.creature_space) if at >= 0]
    assert sorted(starts) == sorted([(0, 0), (-2, -5), (7, -4), (-7, 4), (2, 5)])
    assert all((-q, -r) in starts for q, r in starts)  # half-turn symmetric
    assert {str(c[1]) for c in state.view(None)["creatures"]} == {"serpent"}


@pytest.mark.rule("SV.B4", "SV.M8")
def test_each_isle_is_touched_by_its_two_sea_spaces_and_no_other() -> None:
    landed: dict[str, list[Hex]] = {isle: [] for isle in LANDINGS}
    for space, name in enumerate(NAMES):
        if HEXES[space] in SLOT_HEXES:
            continue
        scene = Scene().explorer("r1", name).explorer("r2", "E5").moving(0)
        if scene.why_not("r1 land") is None:
            landed[scene.play("r1 land").at("r1")].append(HEXES[space])
        else:
            assert scene.why_not("r1 land") == "SV.M8"
    assert {isle: sorted(two) for isle, two in landed.items()} == {isle: sorted(two) for isle, two in LANDINGS.items()}


@pytest.mark.rule("SV.B5")
def test_a_slot_whose_tile_has_been_removed_is_a_sea_space_from_then_on() -> None:
    scene = Scene().explorer("r1", "D5").explorer("r2", "E5").explorer("y1", "F5").ship("C4").set_removing_step(0)
    scene.play("sink D4").chance("wind", "serpent")
    scene.moving(0)
    assert scene.why_not("r1 W") is None  # swims there
    assert scene.why_not("C4 SE") is None  # a ship sails there
    scene.play("r1 W", "C4 SE", "r2 NW ship")
    assert scene.at("r2") == "D4+"
    assert "D4" not in scene.tiles()


@pytest.mark.rule("SV.B5", "SV.R1")
def test_a_sunk_tile_and_the_lake_count_as_sea_for_the_tiles_beside_them() -> None:
    scene = (
        Scene().explorer("r1", "F5").tile("E5", "beach").tile("F6", "beach").tile("F5", "beach").set_removing_step(0)
    )
    assert scene.why_not("sink F6") is None  # beside the lake
    assert scene.why_not("sink E5") == "SV.R1"  # no sea beside it yet
    scene.sea("D4")
    assert scene.why_not("sink E5") is None


@pytest.mark.rule("SV.B1", "SV.B2", "SV.B5")
def test_the_counts_of_sea_and_shore_are_those_of_the_printed_board() -> None:
    tiles = {BY_NAME[name] for name in Scene().tiles()}
    sea = set(range(133)) - tiles
    outer = sea - {LAKE}

    def touching(spaces: set[int], others: set[int]) -> set[int]:
        return {at for at in spaces if any(int(NEXT[at * 6 + d]) in others for d in range(6))}

    assert len(sea) == 93
    assert len(touching(tiles, outer)) == 22
    assert len(touching(tiles, sea)) == 28
    assert len(tiles - touching(tiles, sea)) == 12
    assert len(touching(outer, tiles)) == 28
    assert sum(to_list(OUTER_SLOT)) == 22
    assert set(to_list(SHORE)) == touching(sea, tiles)

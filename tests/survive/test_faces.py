"""K, N, Q · Every face of the dice with every kind of piece: the whole table of what may move (SV.K1, SV.N2, SV.Q3)."""

from __future__ import annotations

import pytest

from tests.survive.position_builder import Scene

PIECES = {"serpent": "A1", "shark": "A3", "whale": "A5", "dolphin": "A7", "squid": "M1"}
PIECES |= {"empty ship": "M3", "full ship": "M5"}

# SV.N2: what each face of the first dive die lets move; SV.Q3: where a whale may move a squid may.
DIVE_DIE = {
    "serpent": {"serpent"},
    "shark": {"shark"},
    "whale": {"whale", "squid"},
    "dolphin": {"dolphin"},
    "ship": {"empty ship"},
    "starfish": {"serpent", "shark", "whale", "dolphin", "squid", "empty ship"},
}
# SV.K1: the creature die.
CREATURE_DIE = {"serpent": {"serpent"}, "shark": {"shark"}, "whale": {"whale", "squid"}}


def everything(squid: str, dolphins: bool, without: frozenset[str] = frozenset()) -> Scene:
    """One of each piece this table plays with, far from one another, seat 0 about to roll."""
    scene = Scene(dolphins=dolphins, squid=squid)
    for i in range(4):
        scene.explorer("rygb"[i] + "10", ("E5", "E6", "E7", "F5")[i])
    absent = set(without)
    absent |= {"whale"} if squid == "instead_of_whales" else {"squid"} if squid == "off" else set()
    absent |= set() if dolphins else {"dolphin"}
    for piece, at in PIECES.items():
        if piece in absent:
            continue
        if piece == "empty ship":
            scene.ship(at)
        elif piece == "full ship":
            scene.ship(at, "r1")
        else:
            scene.creature(piece, at)
    return scene.set_rolling_step(0)


def movable(scene: Scene) -> set[str]:
    """The pieces that a choice of the roller's moves."""
    if scene.asked() != (0, "creature"):
        return set()
    found = set()
    for action in scene.s.legal_actions():
        head, *rest = scene.s.notation(action).split()
        at = rest[0] if head in PIECES else head
        found |= {piece for piece, place in PIECES.items() if place == at and head in (piece, place)}
    return found


@pytest.mark.rule("SV.N2", "SV.N3", "SV.Q3", "SV.Q8")
@pytest.mark.parametrize("far", ["1", "2", "3", "D"])
@pytest.mark.parametrize("face", DIVE_DIE)
@pytest.mark.parametrize("squid", ["off", "with_whales", "instead_of_whales"])
def test_each_face_of_the_dive_dice_moves_its_own_pieces_and_no_others(squid: str, face: str, far: str) -> None:
    absent = {"off": {"squid"}, "with_whales": set(), "instead_of_whales": {"whale"}}[squid]
    assert movable(everything(squid, True).chance(face, far)) == DIVE_DIE[face] - absent


@pytest.mark.rule("SV.K1", "SV.Q3", "SV.Q8")
@pytest.mark.parametrize("face", CREATURE_DIE)
@pytest.mark.parametrize("squid", ["off", "with_whales", "instead_of_whales"])
def test_each_face_of_the_creature_die_moves_its_own_kind_and_no_other(squid: str, face: str) -> None:
    absent = {"off": {"squid"}, "with_whales": set(), "instead_of_whales": {"whale"}}[squid]
    assert movable(everything(squid, False).chance(face)) == CREATURE_DIE[face] - absent


@pytest.mark.rule("SV.K1", "SV.N2")
@pytest.mark.parametrize("face", DIVE_DIE)
def test_a_face_that_names_nothing_on_the_board_asks_nobody(face: str) -> None:
    scene = everything("with_whales", True, without=frozenset(DIVE_DIE[face])).chance(face, "2")
    assert scene.asked() != (0, "creature")

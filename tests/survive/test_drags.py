"""Every piece dragged to every place: it is legal exactly when a choice takes it there, else a rule refuses it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, cast

import landfall
from landfall.game_checks.option_combinations import covering_combinations
from landfall.game_checks.position_checks import random_game_positions
from landfall.games.survive.rules import board, components, phases
from landfall.games.survive.state import SurviveState
from landfall.rulebook import load_rules
from tests.survive.position_builder import Scene

POSITIONS_PER_PHASE = 4
RARE = {phases.FETCHING, phases.PREY, phases.WARD, phases.MINI}  # every one that comes up is taken
BOARDING = (
    "players: 6 dolphins crowded; island: ..bb/bfffb/bbfmmfbb/bfm~mfb/bbfmmfbb/ffmmf/ffff; Red: D4; Yellow: D4; "
    "Green: D4; Blue: D4; ships: D4; gone: ship/b shark/b; now: boarding turn=white round=2 sunk=D4/b"
)
PLACES = tuple(board.BY_NAME)
RULES = {rule.id for rule in load_rules("survive")} | {rule.id for rule in load_rules("landfall")}


def positions_of_every_phase() -> Iterator[SurviveState]:
    """From random games of all options, some positions of each phase in which a seat chooses."""
    yield cast("SurviveState", landfall.game("survive").from_text(BOARDING))  # random games hardly come to it
    met: Counter[int] = Counter([int(phases.BOARDING)])
    for seed, combination in enumerate(covering_combinations("survive") * 2):
        rng = landfall.Rng(seed)
        here: Counter[int] = Counter()  # at most one of each phase from each game
        for state in random_game_positions(landfall.game("survive").new(*combination), rng):
            position = cast("SurviveState", state)
            phase = int(position.phase)
            wanted = position.actor >= 0 and met[phase] < POSITIONS_PER_PHASE and here[phase] == 0
            if wanted and (phase in RARE or rng.randbelow(4) == 0):
                here[phase] += 1
                met[phase] += 1
                yield position
    assert set(met) == set(range(phases.PLACING, phases.ENDED)), "a phase was not met"


def legal_drags(state: SurviveState) -> set[tuple[str, str]]:
    """What the choices take where; "" is a bare touch, a colour's letter its next explorer."""
    found = set()
    for action in state.legal_actions():
        words = cast("dict[str, Any]", state.action_to_dict(action))
        if words["verb"] == "place":
            letter = components.COLOUR_LETTERS[components.COLOUR_NAMES.index(words["colour"])]
            found |= {("", words["to"]), (letter, words["to"])}
        elif "to" in words:
            found.add((words.get("piece", ""), words["to"]))
    return found


def pieces_of(state: SurviveState) -> set[str]:
    view = state.view(None)
    ships = {f"ship {ship[1]}" for ship in view["ships"]}
    return {"", *components.COLOUR_LETTERS, *view["explorers"], *ships} | {f"{c[1]} {c[2]}" for c in view["creatures"]}


def wrong_answers(state: SurviveState) -> list[tuple[str, str, str | None]]:
    legal = legal_drags(state)
    assert {piece for piece, _ in legal} <= pieces_of(state)
    out = []
    for piece in sorted(pieces_of(state)):
        for place in PLACES:
            rule = state.why_cannot_move(int(state.actor), piece, place)
            if (rule is None) != ((piece, place) in legal) or (rule is not None and rule not in RULES):
                out.append((piece, place, rule))
    return out


def test_every_drag_is_legal_or_refused_by_a_rule() -> None:
    for state in positions_of_every_phase():
        wrong = wrong_answers(state)
        assert wrong == [], f"{len(wrong)} drags, first {wrong[:5]}, in {state.to_text()}"


def test_a_dolphin_put_down_where_it_is_may_guard_another() -> None:
    scene = Scene(dolphins=True).explorer("r1", "L3").explorer("y1", "L3").creature("dolphin", "L3", ward="r1")
    scene.creature("dolphin", "L5").set_rolling_step(0).chance("dolphin").chance("1")
    assert "dolphin L3 y1" in [scene.s.notation(action) for action in scene.s.legal_actions()]
    assert scene.s.why_cannot_move(0, "dolphin L3", "L3") is None
    assert scene.s.why_cannot_move(0, "dolphin L5", "L5") == "SV.K6"
    assert wrong_answers(scene.s) == []


def test_an_isle_is_landed_on_from_its_own_spaces_only() -> None:
    scene = Scene().ship("B1", "r1").explorer("r2", "D4").moving(0)
    assert scene.s.why_cannot_move(0, "r1", "@NW") is None
    assert scene.s.why_cannot_move(0, "r1", "@NE") == "SV.M8"
    assert wrong_answers(scene.s) == []

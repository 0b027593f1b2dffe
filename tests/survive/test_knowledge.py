"""Who may know what: values (SV.U3, SV.U5) and hands (SV.R8), in views, events, records and resampled positions."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import Any, cast

import pytest

from landfall.core import message_types as core
from landfall.core.rng import Rng
from landfall.core.state import list_choices_one_by_one
from landfall.games.survive.rules.hidden_information import HAND_SECRET, VALUE_SECRET
from landfall.games.survive.rules.message_types import HandTile, Kept, Placed, View
from landfall.games.survive.state import SurviveState
from landfall.match import Match
from tests.survive.position_builder import SURVIVE, Scene, explorer_number, state_with_island

VALUES = [1, 1, 1, 2, 2, 3, 3, 4, 5, 6]


def played(until: Callable[[Match], bool], seed: int = 5, **options: Any) -> Match:
    """A match of three with random choices, stopped when `until` holds or it is over."""
    match = Match("survive", players=3, seed=seed, **options)
    rng = Rng(seed)
    while match.actor >= 0 and not until(match):
        match.play(int(match.state.random_action(rng)))
    return match


def state_of(match: Match) -> SurviveState:
    assert isinstance(match.state, SurviveState)
    return match.state


def in_play(match: Match) -> bool:
    return bool(state_of(match).turns[0] > 0)


def at_the_end(match: Match) -> bool:
    return False


def values_in(view: core.View) -> dict[str, int]:
    return cast("View", view).get("values", {})


def values_told(match: Match, seat: int | None) -> dict[str, int]:
    """The values in the events, by piece."""
    placed = [cast("Placed", e) for e in match.events(seat=seat) if e["kind"] == "placed"]
    return {e["piece"]: e["value"] for e in placed if "value" in e}


def shared(view: View) -> str:
    """A view without what belongs to its reader alone."""
    return json.dumps({k: v for k, v in view.items() if k not in ("values", "hand", "to_place")}, sort_keys=True)


# --- values ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("SV.U3", "SV.U5")
def test_during_set_up_an_owner_sees_the_values_of_their_own_explorers_only() -> None:
    s = state_with_island(players=3)
    for text in ("rD4=6", "yD5=1", "gD6=4", "rD7=5"):
        s.apply(s.parse(text))
    assert values_in(s.view(0)) == {"r1": 6, "r2": 5}
    assert values_in(s.view(1)) == {"y1": 1}
    assert values_in(s.view(None)) == {}
    assert s.view(0)["to_place"] == {"red": [1, 1, 1, 2, 2, 3, 3, 4]}
    assert "to_place" not in s.view(None)
    assert shared(s.view(0)) == shared(s.view(1)) == shared(s.view(None))


@pytest.mark.rule("SV.U5")
def test_once_play_begins_nobody_looks_at_a_value_the_owner_included() -> None:
    match = played(in_play)
    for seat in (0, 1, 2, None):
        assert values_in(match.view(seat)) == {}
        assert not any("value" in event for event in match.events(seat=seat))
        placings = [line for line in match.log_lines(seat) if "=" in line]
        assert len(placings) == 30
        assert all(line.endswith("=?") for line in placings)


@pytest.mark.rule("SV.U5")
def test_this_holds_for_safe_and_lost_explorers_and_no_running_sum_is_shown() -> None:
    scene = Scene().explorer("r1", "@NW", value=6).explorer("y1", "A1").explorer("r3", "E5").moving(0)
    for seat in (0, 1, None):
        view = scene.s.view(seat)
        assert values_in(view) == {}
        assert "scores" not in view
        assert "ranking" not in view
        seats = view["seats"]
        assert isinstance(seats, list)
        assert set(seats[0]) == {"colours", "hand", "in_play", "saved", "turns", "ships_to_put"}
        assert seats[0]["saved"] == 1


@pytest.mark.rule("SV.U5")
def test_with_open_values_an_owner_may_look_at_their_own_and_at_no_others() -> None:
    match = played(in_play, open_values=True)
    s = state_of(match)
    for seat in range(3):
        mine = {f"{'ryg'[seat]}{i + 1}": int(s.value[seat * 10 + i]) for i in range(10)}
        assert values_in(match.view(seat)) == mine
        told = values_told(match, seat)
        assert told == mine
        read = [line for line in match.log_lines(seat) if "=" in line and not line.endswith("?")]
        assert len(read) == 10
        assert all(line[0] == "ryg"[seat] for line in read)
    assert values_in(match.view(None)) == {}
    scene = Scene(open_values=True).explorer("r1", "@NW", value=6)
    assert values_in(scene.s.view(0))["r1"] == 6
    assert values_in(scene.s.view(0))["r2"] in (1, 2, 3, 4, 5)  # lost, and still readable


@pytest.mark.rule("SV.U5")
def test_at_the_end_all_values_are_shown() -> None:
    match = played(at_the_end)
    s = state_of(match)
    everything = {f"{'ryg'[e // 10]}{e % 10 + 1}": int(s.value[e]) for e in range(30)}
    for seat in (0, 2, None):
        assert values_in(match.view(seat)) == everything
        assert values_told(match, seat) == everything
        assert match.record(seat) == match.record()
        assert cast("View", match.view(seat))["scores"] == s.scores()
    assert "?" not in match.record(None).split("---")[1]


@pytest.mark.rule("SV.U3", "SV.U5")
def test_a_masked_placing_says_where_and_not_what() -> None:
    s = state_with_island(players=3)
    action = s.parse("rD4=6")
    assert s.notation(action, masked=True) == "rD4=?"
    assert s.secret_code(action) == VALUE_SECRET
    assert [s.can_read(seat, VALUE_SECRET) for seat in (0, 1, None)] == [True, False, False]


@pytest.mark.rule("SV.U5", "SV.R8")
def test_what_may_be_read_is_judged_when_it_is_read() -> None:
    scene = Scene()
    assert not scene.s.can_read(0, VALUE_SECRET)
    assert Scene(open_values=True).s.can_read(0, VALUE_SECRET)
    assert not Scene(open_values=True).s.can_read(1, VALUE_SECRET)
    assert [scene.s.can_read(seat, HAND_SECRET + 1) for seat in (0, 1, 2, None)] == [False, True, False, False]
    assert scene.s.can_read(None, 0)
    over = Scene().keep_only_tiles("F6").set_removing_step(0).play("sink F6").chance("volcano").s
    for code in (VALUE_SECRET, VALUE_SECRET + 3, HAND_SECRET + 2):
        assert over.can_read(None, code)


# --- hands ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("SV.R8")
def test_a_hands_size_and_terrain_are_public_its_content_is_its_holders() -> None:
    scene = Scene().hold(1, "wind").hold(1, "shark_defence", "mountain").moving(0)
    for seat in (0, 1, 2, 3, None):
        seats = scene.s.view(seat)["seats"]
        assert isinstance(seats, list)
        assert seats[1]["hand"] == ["beach", "mountain"]
        assert "hands" not in scene.s.view(seat)
    mine = [{"tile": "wind", "terrain": "beach"}, {"tile": "shark_defence", "terrain": "mountain"}]
    assert scene.s.view(1)["hand"] == mine
    assert scene.s.view(0)["hand"] == []
    assert "hand" not in scene.s.view(None)
    assert "wind" not in json.dumps(scene.s.view(0)) + json.dumps(scene.s.view(None))


@pytest.mark.rule("SV.R2", "SV.R8")
def test_only_the_remover_sees_a_back_that_is_kept_all_see_one_that_is_used() -> None:
    scene = Scene().set_removing_step(0)
    scene.s.events = []
    scene.play("sink F3")
    kept, used = scene.s.parse("wind"), scene.s.parse("shark")
    assert (scene.s.secret_code(kept), scene.s.secret_code(used)) == (HAND_SECRET, 0)
    assert scene.s.notation(kept, masked=True) == "?"
    scene.chance("wind")
    event = next(e for e in scene.s.events if e.kind == "kept")
    assert event.public == {"kind": "kept", "seat": 0, "terrain": "beach"}
    assert (event.private, event.secret) == ({"back": "wind"}, HAND_SECRET)


@pytest.mark.rule("SV.R8", "SV.N1")
def test_with_dolphins_a_dolphin_back_is_nobodys_secret() -> None:
    scene = Scene(dolphins=True).set_removing_step(0).play("sink F3")
    assert scene.s.secret_code(scene.s.parse("dolphin")) == 0
    plain = Scene().set_removing_step(0).play("sink F3")
    assert plain.s.secret_code(plain.s.parse("dolphin")) == HAND_SECRET


def someone_holds_two(match: Match) -> bool:
    return max(state_of(match).hand_size) >= 2


@pytest.mark.rule("SV.R8")
def test_records_and_events_tell_a_kept_back_to_its_holder_alone_until_the_end() -> None:
    match = played(someone_holds_two)
    holders = [cast("Kept", e)["seat"] for e in match.events(seat=0) if e["kind"] == "kept"]
    for seat in (0, 1, 2, None):
        told = [e for e in match.events(seat=seat) if e["kind"] == "kept"]
        assert [("back" in e) for e in told] == [holder == seat for holder in holders]
        hidden = [line for line in match.log_lines(seat) if line == "*?"]
        assert len(hidden) == sum(1 for holder in holders if holder != seat)
        assert len(match.events(seat=seat)) == len(match.events(seat=None))  # masked, never dropped


@pytest.mark.rule("SV.R8")
def test_at_the_end_all_hands_are_shown() -> None:
    scene = (
        Scene(players=2).hold(1, "wind").keep_only_tiles("F6").set_removing_step(0).play("sink F6").chance("volcano")
    )
    assert scene.s.view(None)["hands"] == [[], [{"tile": "wind", "terrain": "beach"}]]


# --- two worlds -----------------------------------------------------------------------------------------------


@pytest.mark.rule("SV.U5", "SV.R8")
def test_worlds_that_differ_in_what_a_seat_cannot_know_look_the_same_to_it() -> None:
    def world(tile: str, value: int) -> Scene:
        scene = Scene().explorer("y1", "L4", value=value).explorer("y2", "E5").explorer("r1", "E6")
        return scene.hold(1, tile, "beach").creature("shark", "L3").set_rolling_step(0).chance("shark")

    first, second = world("shark_defence", 1), world("move_whale", 6)
    for seat in (0, 2, 3, None):
        assert first.s.view(seat) == second.s.view(seat)
        assert list_choices_one_by_one(first.s, seat) == list_choices_one_by_one(second.s, seat)
    first.play("shark L3 L4")
    second.play("shark L3 L4")
    assert first.asked() == second.asked() == (1, "defending")  # the asking tells nothing
    for seat in (0, 2, 3, None):
        assert first.s.view(seat) == second.s.view(seat)
    assert list_choices_one_by_one(first.s, 1) != list_choices_one_by_one(second.s, 1)


# --- resampling -----------------------------------------------------------------------------------------------


def sampled(s: SurviveState, seat: int | None, n: int = 60) -> list[SurviveState]:
    rng = Rng(11)
    return [s.resample(seat, rng) for _ in range(n)]


@pytest.mark.rule("SV.U5")
def test_resampling_keeps_a_seats_own_values_and_shuffles_the_others() -> None:
    s = state_of(played(in_play))
    before = s.to_bytes()
    firsts: Counter[int] = Counter()
    for other in sampled(s, 1):
        assert SURVIVE.find_faults(other) == []
        assert [other.value[e] for e in range(10, 20)] == [s.value[e] for e in range(10, 20)]
        for colour in (0, 2):
            assert sorted(other.value[colour * 10 : colour * 10 + 10]) == VALUES
        firsts[int(other.value[0])] += 1
        assert other.view(1) == s.view(1)
    assert set(firsts) == {1, 2, 3, 4, 5, 6}
    assert firsts[1] > firsts[6]  # three ones, one six
    assert s.to_bytes() == before


@pytest.mark.rule("SV.U3", "SV.U5")
def test_resampling_during_set_up_shuffles_placed_and_unplaced_values_together() -> None:
    s = state_with_island(players=3)
    for text in ("rD4=6", "yD5=1", "gD6=4", "rD7=5"):
        s.apply(s.parse(text))
    seen = set()
    for other in sampled(s, 1):
        assert SURVIVE.find_faults(other) == []
        assert (other.value[10], list(other.values_left[6:12])) == (1, list(s.values_left[6:12]))
        assert other.legal_actions() == s.legal_actions()
        seen.add((int(other.value[0]), int(other.value[1])))
    assert len(seen) > 6


@pytest.mark.rule("SV.R8")
def test_resampling_keeps_a_seats_own_hand_and_the_terrain_of_the_others() -> None:
    scene = Scene().hold(0, "wind").hold(1, "shark_defence", "mountain").hold(1, "move_whale", "beach").hand(0)
    s = scene.s
    mountain: Counter[str] = Counter()
    beach: Counter[str] = Counter()
    for other in sampled(s, 0):
        assert SURVIVE.find_faults(other) == []
        assert other.view(0) == s.view(0)
        assert other.legal_actions() == s.legal_actions()
        hands = {entry["terrain"]: entry["tile"] for entry in hand_of(other, 1)}
        mountain[hands["mountain"]] += 1
        beach[hands["beach"]] += 1
    assert set(mountain) == {"shark_defence", "whale_defence"}  # what a mountain can hide and one keeps
    assert set(beach) == {"dolphin", "wind", "move_serpent", "move_shark", "move_whale", "shark_defence"}


def hand_of(s: SurviveState, seat: int) -> list[HandTile]:
    return s.view(seat)["hand"]


@pytest.mark.rule("SV.R8")
def test_a_tile_seen_by_all_is_never_dealt_again() -> None:
    scene = Scene().hold(0, "wind").hold(0, "wind").hold(1, "move_whale", "beach").ship("L3", "r1").hand(0)
    scene.play("L3 L4")
    winds = scene.hand_of(0).count("wind")
    for other in sampled(scene.s, 2):
        held = [entry["tile"] for seat in range(4) for entry in hand_of(other, seat)]
        assert held.count("wind") + other.back_left[1] == winds + scene.s.back_left[1] == 1


@pytest.mark.rule("SV.R8", "SV.N1")
def test_with_dolphins_no_hand_is_dealt_a_dolphin() -> None:
    scene = Scene(dolphins=True).hold(1, "wind").hand(0)
    for other in sampled(scene.s, 0):
        assert [entry["tile"] for entry in hand_of(other, 1)] != ["dolphin"]


@pytest.mark.rule("SV.U5", "SV.R8")
def test_a_spectators_sample_shuffles_everything_and_at_the_end_nothing_is_unknown() -> None:
    scene = Scene().hold(0, "wind").hand(0)
    tiles = {hand_of(other, 0)[0]["tile"] for other in sampled(scene.s, None)}
    assert len(tiles) > 3
    assert len({tuple(other.value[:10]) for other in sampled(scene.s, None)}) > 10
    over = played(at_the_end).state
    assert isinstance(over, SurviveState)
    for seat in (0, None):
        assert over.resample(seat, Rng(3)).digest() == over.digest()


@pytest.mark.rule("SV.U2", "SV.U5", "SV.V1")
def test_with_two_colours_both_colours_values_are_the_owners_to_know() -> None:
    s = state_with_island(players=2, two_colours=True)
    for text in ("rD4=6", "yD5=1", "gD6=4", "bD7=5"):
        s.apply(s.parse(text))
    assert values_in(s.view(0)) == {"r1": 6, "g1": 4}
    assert values_in(s.view(1)) == {"y1": 1, "b1": 5}
    assert {(int(o.value[explorer_number("r1")]), int(o.value[explorer_number("g1")])) for o in sampled(s, 0)} == {
        (6, 4)
    }
    assert len({(int(o.value[explorer_number("r1")]), int(o.value[explorer_number("g1")])) for o in sampled(s, 1)}) > 5

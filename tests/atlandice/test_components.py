"""Components, the clock and set-up (AD.C1, AD.C2, AD.C3, AD.C4, AD.U1)."""

from typing import cast

import pytest

import landfall
from landfall import Match, Rng
from landfall.core.errors import OptionError
from landfall.core.state import CHANCE
from landfall.games.atlandice.rules.clock_config import OURS, find_clock_fault
from landfall.games.atlandice.state import AtlandiceState

from .position_builder import new_game_with_tiles, phase_name, play_lines, rule_forbidding, sector_dice, sector_pieces


def fresh(players: int) -> AtlandiceState:
    return landfall.new("atlandice", players)


@pytest.mark.rule("AD.C1", "AD.U1")
def test_five_stacks_of_three_tiles_of_which_only_the_top_is_seen() -> None:
    s = fresh(3)
    for n in range(1, 6):
        assert s.actor == CHANCE
        assert [s.notation(a) for a, _ in s.chance_outcomes()] == [f"{n}a", f"{n}b", f"{n}c"]
        assert [weight for _, weight in s.chance_outcomes()] == [1, 1, 1]
        play_lines(s, f"*{n}c")
    shown = cast("list[dict[str, object]]", s.view(0)["sectors"])
    assert [sector["sector"] for sector in shown] == [
        "jeweller",
        "library",
        "inn",
        "workshop",
        "forge",
        "black_market",
    ]
    assert shown[1]["tile"] == "library_c"
    assert shown[1]["unseen"] == ["library_a", "library_b"]
    assert shown[5]["tile"] is None


@pytest.mark.rule("AD.C2", "AD.U1")
@pytest.mark.parametrize(("players", "share", "dice_used"), [(2, 7, 7), (3, 7, 7), (4, 9, 9)])
def test_pieces_and_dice_by_player_count(players: int, share: int, dice_used: int) -> None:
    s = new_game_with_tiles(players=players)
    for n, letter in enumerate("gbptw", 1):
        assert sector_pieces(s, n) == letter * share
    assert sector_pieces(s, 6) == "gggbbbpppttt" + "www"
    assert len(sector_dice(s)) == dice_used
    assert share + 3 <= 12  # what the box holds of each resource
    assert dice_used <= 9


@pytest.mark.rule("AD.U1")
def test_the_submarine_starts_at_the_workshop_and_seat_0_is_first() -> None:
    s = new_game_with_tiles()
    assert s.view(None)["submarine"] == "workshop"
    assert (s.first, s.actor, s.hand) == (0, 0, 0)


@pytest.mark.rule("AD.U1")
def test_two_to_four_players() -> None:
    for players in (1, 5):
        with pytest.raises(OptionError, match="2 to 4 players"):
            landfall.new("atlandice", players)


@pytest.mark.rule("AD.C3")
def test_the_default_hands_are_one_two_three_and_two_for_the_black_market() -> None:
    hands = cast("dict[str, dict[str, int]]", new_game_with_tiles().view(0)["clock"])["hands"]
    assert len(hands) == 16
    for name, count in hands.items():
        assert count == (2 if name == "black_market" else 1 + "abc".index(name[-1]))


@pytest.mark.rule("AD.C4")
def test_the_default_clock() -> None:
    view = new_game_with_tiles().view(0)
    face = cast("dict[str, object]", view["clock"])
    assert face["last"] == 18
    icons = {"gems": [2], "books": [5], "provisions": [8], "tools": [11], "weapons": [14]}
    icons |= {"stock": [6, 12], "donation": [3, 9, 15]}
    assert face["icons"] == {str(n): icon for icon, spaces in icons.items() for n in spaces}
    assert view["default_clock"] is True
    assert view["default_hands"] is True


@pytest.mark.rule("AD.C4")
def test_a_table_brings_its_own_clock_and_it_stays_in_record_and_bytes() -> None:
    hands: dict[str, object] = {"library": [4, 5, 6], "black_market": 7}
    clock: dict[str, object] = {"last": 9, "icons": {"7": "donation"}, "hands": hands}
    match = Match("atlandice", 3, seed=1, clock=clock)
    view = match.view(None)
    face = view["clock"]
    assert (face["last"], face["icons"]) == (9, {"7": "donation"})
    assert [face["hands"][f"library_{x}"] for x in "abc"] == [4, 5, 6]
    assert [face["hands"][f"inn_{x}"] for x in "abc"] == [1, 2, 3]
    assert (face["hands"]["black_market"], view["default_clock"], view["default_hands"]) == (7, False, False)
    rng = Rng(3)
    while match.actor >= 0:
        match.play(int(match.state.random_action(rng)))
    again = Match.replay(match.record())
    assert again.options == {"clock": clock}
    assert again.state.digest() == match.state.digest()
    loaded = match.game.from_bytes(match.state.to_bytes())
    assert loaded.view(None) == match.view(None)


@pytest.mark.rule("AD.C4")
def test_hands_alone_leave_the_face_ours() -> None:
    view = new_game_with_tiles(clock={"hands": {"inn": [9, 9, 9]}}).view(0)
    assert (view["default_clock"], view["default_hands"]) == (True, False)


@pytest.mark.rule("AD.C4", "AD.C3")
@pytest.mark.parametrize(
    ("clock", "reason"),
    [
        ({"last": 9, "icons": {"9": "gems"}}, "an icon on space 9"),
        ({"last": 9, "icons": {"0": "gems"}}, "'0'"),
        ({"last": 9, "icons": {"12": "gems"}}, "an icon on space 12"),
        ({"last": 9, "icons": {"x": "gems"}}, "'x'"),
        ({"last": 9, "icons": {"3": "pearls"}}, "must be one of gems"),
        ({"last": 9, "icons": {"3": ["gems"]}}, "must be one of gems"),
        ({"last": 9, "icons": []}, "icons must be an object"),
        ({"last": 0, "icons": {}}, "last must be a whole number from 1 to 240"),
        ({"last": 241, "icons": {}}, "last must be a whole number from 1 to 240"),
        ({"last": True, "icons": {}}, "last must be a whole number"),
        ({"last": 9.0, "icons": {}}, "last must be a whole number"),
        ({"last": 9}, "lacks 'icons'"),
        ({"icons": {}}, "lacks 'last'"),
        ({"hands": {"inn": [1, 2]}}, "hands.inn must be a list of 3"),
        ({"hands": {"inn": [1, 0, 2]}}, "hands.inn[1] must be a whole number from 1"),
        ({"hands": {"inn": [1, 1.5, 2]}}, "hands.inn[1] must be a whole number from 1"),
        ({"hands": {"black_market": -1}}, "black_market must be a whole number from 1"),
        ({"hands": {"bakery": 1}}, "no part called 'bakery'"),
        ({"length": 9}, "no part called 'length'"),
        ({}, "must not be empty"),
        ("18", "must be an object"),
    ],
)
def test_a_clock_that_cannot_be_played_is_refused_with_the_reason(clock: object, reason: str) -> None:
    with pytest.raises(OptionError) as refusal:
        landfall.new("atlandice", 3, clock=clock)
    assert refusal.value.problems[0][0] == "clock"
    assert reason in str(refusal.value)


@pytest.mark.rule("AD.C4")
def test_our_clock_passes_the_check_of_any_clock() -> None:
    assert find_clock_fault(OURS) == ""
    s = new_game_with_tiles(clock=dict(OURS))
    assert s.view(None)["default_clock"] is True
    assert s.to_bytes() == new_game_with_tiles().to_bytes()


@pytest.mark.rule("AD.C1")
def test_a_region_is_a_sector_that_is_not_the_black_market() -> None:
    s = new_game_with_tiles("aabaa")  # inn b moves a piece to a region
    play_lines(s, "d3 +3p ^6g")
    assert phase_name(s) == "piece_to"
    assert rule_forbidding(s, ">6") == "AD.V7"
    assert rule_forbidding(s, ">1") is None

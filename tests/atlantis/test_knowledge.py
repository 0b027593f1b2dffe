"""Who knows what: worlds a seat may imagine, hands once shown, records with their secrets."""

from __future__ import annotations

from collections import Counter

import pytest

import landfall
from landfall.core.rng import Rng
from landfall.games.atlantis.game_definition import GAME
from landfall.games.atlantis.state import AtlantisState

from .long_checks import compare_two_world_games
from .position_builder import cards_in_hand, out_section_without_deck, phase_name, play_texts, state_from_text
from .rare_deals import compare_rare_deals


def imagined(state: AtlantisState, seat: int | None, seed: int) -> AtlantisState:
    world = state.resample(seat, Rng(seed))
    assert isinstance(world, AtlantisState)
    assert not GAME.find_faults(world)
    return world


def test_own_cards_stay_and_the_others_vary_with_their_number() -> None:
    state = state_from_text("blue1(Blue A) pink2 white3; Blue: pink 2grey; White: 3brown; Black: green")
    whites = set()
    for seed in range(60):
        world = imagined(state, 0, seed)
        assert cards_in_hand(world, 0) == {"pink": 1, "grey": 2}
        assert [sum(cards_in_hand(world, seat).values()) for seat in range(3)] == [3, 3, 1]
        assert world.legal_actions() == state.legal_actions()
        whites.add(tuple(sorted(cards_in_hand(world, 1).items())))
    assert len(whites) > 30


@pytest.mark.rule("AT.T6", "AT.T8")
def test_a_hand_once_shown_stays_known_until_its_cards_are_played_or_paid() -> None:
    white = "White: pink B@mainland C@mainland"
    state = state_from_text(f"blue1(White A) pink2(Blue A) grey3 white3(Blue B); turn: White; {white}; Blue: 3grey")
    play_texts(state, "show", "grey", "brown")
    for seed in range(40):
        for seat in (0, None):
            world = imagined(state, seat, seed)
            assert cards_in_hand(world, 1)["pink"] >= 1
            assert sum(cards_in_hand(world, 1).values()) == 3
    assert state.known[7 + 6] == 1
    play_texts(state, "C grey", "blue")  # Blue
    play_texts(state, "A pink", "A brown")
    assert state.known[7 + 6] == 0
    assert any("pink" not in cards_in_hand(imagined(state, 0, seed), 1) for seed in range(40))


@pytest.mark.rule("AT.T7")
def test_what_the_deck_was_shuffled_from_is_known() -> None:
    # All but five cards are out; the deck is shuffled from two green ones, so White's cards are known to Blue.
    rest = out_section_without_deck({"pink": 1, "green": 2, "brown": 2})
    state = state_from_text(f"blue1(Blue A) pink2 white3; Blue: pink; White: 2brown; discard: 2green; {rest}")
    play_texts(state, "A pink", "green")
    for seed in range(40):
        world = imagined(state, 0, seed)
        assert cards_in_hand(world, 1) == {"brown": 2}
        world = imagined(state, 1, seed)
        assert sum(cards_in_hand(world, 0).values()) == 1
    assert {tuple(cards_in_hand(imagined(state, 1, seed), 0)) for seed in range(40)} == {("green",), ("pink",)}


def test_who_is_in_the_middle_of_a_move_is_imagined_able_to_finish_it() -> None:
    state = state_from_text("blue1(Blue A) pink2(White A) white3 ~ grey5 pink4; Blue: pink white B@mainland C@mainland")
    play_texts(state, "A pink")
    kinds: Counter[str] = Counter()
    for seed in range(200):
        world = imagined(state, 1, seed)
        assert world.legal_actions()
        kinds.update(cards_in_hand(world, 0).keys())
    assert set(kinds) == {"white"}  # every other card crosses a gap that could not be paid for


def test_cards_bought_are_imagined_so_that_the_bill_can_be_paid() -> None:
    state = state_from_text("blue5(Blue A) ~ white1; Blue: 2white grey2 B@mainland C@mainland")
    play_texts(state, "buy grey2", "white", "A white")
    for seed in range(100):
        world = imagined(state, 1, seed)
        assert world.legal_actions()
        assert all(world.notation(action).startswith("pay ") for action in world.legal_actions())


@pytest.mark.rule("AT.T8")
def test_two_worlds_tell_a_seat_the_same() -> None:
    met = compare_two_world_games(5)
    assert met["games"] == 5
    assert met["worlds that differ"] > 1000


@pytest.mark.rule("AT.T8")
def test_a_record_hides_draws_from_others_until_the_match_is_over() -> None:
    match, rng = landfall.Match("atlantis", 2, seed=5), Rng(5)
    for _ in range(20):
        match.play(int(match.state.random_action(rng)))
    open_lines, mine, nobody = match.log_lines(), match.log_lines(0), match.log_lines(None)
    hidden = [i for i, entry in enumerate(match.log) if entry.secret]
    assert hidden
    for i, entry in enumerate(match.log):
        assert nobody[i] == ("*?" if entry.secret else open_lines[i])
        assert mine[i] == ("*?" if entry.secret == 2 else open_lines[i])
    while match.actor != landfall.OVER:
        match.play(int(match.state.random_action(rng)))
    assert match.log_lines(None) == match.log_lines()
    assert all(seat["hand"] is not None for seat in match.view(None)["seats"])


# --- deals that are too rare to be met by chance ------------------------------------------------------------------


def rare_position() -> AtlantisState:
    """Blue stands on White's tile and can only go on with three white cards, of which there are no more than three."""
    path = (
        "blue1(Blue A) pink2(White A) white1(White B) white2(White C) white5 ~ pink5 brown5 yellow5 green5 grey5 blue5"
    )
    state = state_from_text(f"{path}; Blue: pink 3white 2brown; White: 3blue; out: 12white")
    play_texts(state, "A pink")
    assert phase_name(state) == "hopping"
    return state


def test_a_rare_hand_is_resampled_like_any_other() -> None:
    state = rare_position()
    hands: Counter[tuple[tuple[str, int], ...]] = Counter()
    for seed in range(60):
        world = imagined(state, 1, seed)
        assert world.legal_actions()
        cards = cards_in_hand(world, 0)
        assert cards.pop("white") == 3
        hands[tuple(sorted(cards.items()))] += 1
    assert len(hands) > 12
    assert hands[("brown", 2),] < 10, "the true hand is preferred"


@pytest.mark.proof
@pytest.mark.rule("AT.T8")
def test_rare_deals_come_as_often_as_enumeration_says() -> None:
    found = compare_rare_deals(150)
    assert found.positions == 150
    assert found.largest_gap() < 1.63 / 150**0.5  # Kolmogorov and Smirnov, 1 %
    assert abs(found.true_hands - found.expected_true_hands) < 3 * found.expected_true_hands**0.5

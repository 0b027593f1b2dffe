"""Chapters D and E: drawing at the end of the turn, the end of the game, the last crossing, the score."""

from __future__ import annotations

import itertools
import random

import pytest

from landfall.games.atlantis.rules import scoring

from .position_builder import (
    cards_in_hand,
    events_of_kind,
    list_choices,
    out_section_without_deck,
    phase_name,
    play_texts,
    rule_forbidding,
    state_from_text,
    tiles_held_by,
)


@pytest.mark.rule("AT.D1")
@pytest.mark.parametrize(("home", "cards"), [("", 1), ("B@mainland", 2), ("B@mainland C@mainland", 3)])
def test_one_card_is_drawn_and_one_for_each_own_figure_on_the_mainland(home: str, cards: int) -> None:
    state = state_from_text(f"blue1(Blue A) white3 pink2; Blue: white {home}; White: A@mainland")
    play_texts(state, "A white")
    assert state.to_draw == cards
    play_texts(state, *["grey"] * cards)
    assert state.actor == 1
    assert cards_in_hand(state, 0) == {"grey": cards}


@pytest.mark.rule("AT.D1")
def test_figures_that_arrived_this_turn_count() -> None:
    state = state_from_text("blue1(Blue A) white3 pink2; Blue: grey B@mainland")
    play_texts(state, "A grey")
    assert state.to_draw == 3


@pytest.mark.rule("AT.D1")
def test_one_card_is_drawn_however_many_were_played() -> None:
    state = state_from_text("blue1(Blue A) white3(White A) pink2(White B) brown1; Blue: white pink brown")
    play_texts(state, "A white", "A pink", "A brown")
    assert state.to_draw == 1


@pytest.mark.rule("AT.E1")
def test_who_brings_the_third_figure_takes_a_tile_draws_four_and_the_game_ends_at_once() -> None:
    state = state_from_text("blue1(White A) white3 pink2(Blue A); Blue: grey B@mainland C@mainland; players: 3")
    play_texts(state, "A grey")
    assert tiles_held_by(state, 0) == ["pink2"]
    assert state.to_draw == 4
    play_texts(state, "grey", "grey", "blue", "blue")
    assert (state.actor, phase_name(state)) == (-2, "done")
    assert state.legal_actions() == []
    assert state.why_illegal(0) == "LF.4"
    assert [event["seat"] for event in events_of_kind(state, "scored")] == [0, 1, 2]
    assert state.scores()[0] == 2 + 4


@pytest.mark.rule("AT.E1", "AT.T7")
def test_the_last_draw_is_cut_short_when_the_cards_run_out_and_the_game_ends_all_the_same() -> None:
    rest = out_section_without_deck({"grey": 1, "pink": 1})
    state = state_from_text(f"blue1(White A) pink2(Blue A); Blue: grey B@mainland C@mainland; White: pink; {rest}")
    play_texts(state, "A grey", "grey")
    assert state.actor == -2


@pytest.mark.rule("AT.E1")
def test_two_figures_on_the_mainland_do_not_end_the_game() -> None:
    state = state_from_text("blue1(Blue A) white3 pink2; Blue: grey B@mainland")
    play_texts(state, "A grey", "blue", "blue", "blue")
    assert state.actor == 1


LAST = "now: done figure=A from=30"


def last_score(path: str, blue: str) -> int:
    """Blue's score when White has just ended the game."""
    white = "White: A@mainland B@mainland C@mainland"
    return state_from_text(f"{path}; turn: White; Blue: {blue}; {white}; {LAST}").scores()[0]


@pytest.mark.rule("AT.E2")
def test_every_other_figure_crosses_all_gaps_ahead_those_on_atlantis_too() -> None:
    path = "grey4(Blue A) ~ brown2 = white5 ~ pink3(Blue B)"
    # A crosses 2 + 0 + 3, B nothing, C from Atlantis the same as A.
    assert last_score(path, "10grey") == 10 - 5 - 5
    assert last_score(path, "10grey C@mainland") == 10 - 5


@pytest.mark.rule("AT.E2")
@pytest.mark.parametrize(
    ("blue", "score"),
    [
        ("5grey", 0),
        ("8grey", 3),
        ("pink6 grey7", 7),  # 6 is the smallest sum of at least 5
        ("grey7", 0),  # overpaid: the 7 is lost
        ("pink4 brown4", 0),  # 8 for 5
        ("pink4 brown4 grey", 4),  # 4 + 1
        ("pink4 pink3 brown2", 4),  # 3 + 2
        ("pink6 brown3 green3", 6),  # 6 of 12, either way
        ("grey7 brown3 brown4", 7),  # 7, with one 7 or with 3 + 4
        ("grey7 brown6 2grey", 9),  # 6, not 7: the cards are kept
        ("2grey", -3),  # what is missing is negative
        ("", -5),
        ("pink4", -1),
    ],
)
def test_all_is_paid_together_the_cheapest_way(blue: str, score: int) -> None:
    path = "blue5(Blue A) ~ white5"
    assert last_score(path, f"{blue} B@mainland C@mainland") == score


@pytest.mark.rule("AT.E2")
def test_the_figures_of_a_player_pay_together_not_one_by_one() -> None:
    path = "blue3(Blue A) ~ white3(Blue B) ~ green4"
    # 3 + 3 for A, 3 for B: 9 in all, paid with 4 + 5, not each with a tile too big.
    assert last_score(path, "pink4 pink5 C@mainland") == 0
    assert last_score(path, "pink4 pink5 grey7 C@mainland") == 16 - 9


@pytest.mark.rule("AT.E2")
def test_the_payment_is_the_smallest_sum_that_reaches_the_bill_by_trying_all() -> None:
    chance = random.Random(5)
    faces = [f"{kind}{value}" for kind in ("pink", "brown", "green") for value in range(1, 7)]
    for _ in range(150):
        tiles = chance.sample(faces, chance.randint(0, 6))
        cards = chance.randint(0, 3)
        state = state_from_text(f"white5(White A) grey5; Blue: {' '.join(tiles)} {' '.join(['blue'] * cards)}")
        values = [int(tile[-1]) for tile in tiles] + [1] * cards
        sums = {sum(part) for n in range(len(values) + 1) for part in itertools.combinations(values, n)}
        for bill in range(45):
            cheapest = min((total for total in sums if total >= bill), default=bill)
            assert scoring.smallest_payment_sum(state, 0, bill) == cheapest


@pytest.mark.rule("AT.E2")
def test_the_end_crossing_plays_no_cards_takes_no_tiles_draws_nothing_and_lays_no_bridges() -> None:
    state = state_from_text(
        "blue5(White A) ~ white3 pink2(Blue A); Blue: grey B@mainland C@mainland; White: 3blue grey4 bridge"
    )
    play_texts(state, "A grey", "blue", "blue", "blue", "blue")
    assert cards_in_hand(state, 1) == {"blue": 3}
    assert tiles_held_by(state, 1) == ["grey4"]
    assert state.holds_bridge[1] == 1
    # A, B and C each cross the gap between blue5 and white3.
    assert state.scores()[1] == 3 + 4 - 3 * 3


@pytest.mark.rule("AT.E3")
def test_the_score_is_tile_values_plus_one_a_card_and_a_bridge_is_worth_nothing() -> None:
    path = "blue5(Blue A) white5"
    assert last_score(path, "2grey pink6 brown3") == 2 + 6 + 3
    assert last_score(path, "2grey pink6 brown3 bridge") == 2 + 6 + 3


@pytest.mark.rule("AT.E3")
def test_most_wins_and_ties_share() -> None:
    home = "A@mainland B@mainland C@mainland"
    line = "blue5 white5; turn: White; Blue: pink6 A@mainland B@mainland; White: pink5 grey {}; Black: 2grey; {}"
    state = state_from_text(line.format(home, LAST))
    assert state.scores() == [6, 6, 2]
    groups = state.ranking()
    assert [(group["place"], group["seats"]) for group in groups] == [(1, [0, 1]), (3, [2])]
    assert groups[0]["decided_by"] == "points"


@pytest.mark.rule("AT.E4")
def test_the_game_ends_when_all_in_a_row_were_stuck_and_could_draw_nothing() -> None:
    rest = out_section_without_deck({})
    state = state_from_text(f"blue2(Blue A) ~ pink2(White A) white3; {rest}; players: 3")
    for seat in range(3):
        assert state.actor == seat
        assert list_choices(state) == {"show"}
        play_texts(state, "show")
    assert (state.actor, phase_name(state)) == (-2, "done")
    # All figures cross: Blue's A, B, C the gap each, White's B and C, all three of Black's.
    assert state.scores() == [-6, -4, -6]


@pytest.mark.rule("AT.E4")
def test_a_player_who_moves_or_draws_between_starts_the_count_again() -> None:
    rest = out_section_without_deck({"pink": 1})
    state = state_from_text(f"blue2 pink2 white3; White: pink; {rest}; players: 3")
    play_texts(state, "show")
    assert state.idle == 1
    play_texts(state, "A pink")
    assert state.idle == 0
    play_texts(state, "pink")  # the card just played
    play_texts(state, "show", "show")
    assert (state.actor, state.idle) == (1, 2)
    assert rule_forbidding(state, "A pink") is None


@pytest.mark.rule("AT.E4")
def test_drawing_a_single_card_is_not_drawing_nothing() -> None:
    rest = out_section_without_deck({"pink": 1})
    state = state_from_text(f"blue2 pink2 white3; turn: White; {rest}; now: start idle=1")
    play_texts(state, "show", "pink")
    assert (state.actor, state.idle) == (0, 0)


@pytest.mark.rule("AT.E4")
def test_cards_bought_this_turn_or_a_bridge_still_held_change_nothing() -> None:
    rest = out_section_without_deck({"pink": 1})
    # White buys the last card, and still cannot pay for the way: B and C are home.
    white = "White: grey3 bridge B@mainland C@mainland"
    state = state_from_text(f"blue2 ~ pink2(Blue A) white3; turn: White; {white}; {rest}; now: start idle=1")
    play_texts(state, "buy grey3", "pink")
    assert rule_forbidding(state, "show") is None
    play_texts(state, "show")
    assert (state.actor, phase_name(state)) == (-2, "done")

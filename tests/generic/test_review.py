"""Looking back, in small counts of what `make proof` proves: chances that come true, blunders named, two worlds."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import pairwise

import pytest

from landfall.analysis import review
from landfall.analysis.review import (
    ChoiceReview,
    KeyMoment,
    MatchReview,
    Moment,
    evaluate_offered_choices,
    find_key_moments,
    review_match,
)
from landfall.analysis.win_probability import Choice, require_net
from landfall.bots.contract import Seat
from landfall.bots.value_net import MissingNet
from landfall.core.rng import Rng
from landfall.games import BUILT_IN_GAMES
from landfall.lab.experiments.win_probability_accuracy import play_bot_match
from landfall.match import Match
from tests.generic import review_truth_checks

compiled_only = pytest.mark.compiled_only  # whole matches, and searches: minutes when interpreted


def moment_at(at: int, actor: int, chances: list[float], forced: bool = False, late: bool = False) -> Moment:
    return {"at": at, "actor": actor, "turn": 1, "chances": chances, "forced": forced, "late": late}


def judged(at: int, seat: int, cost: float, sure: bool = True) -> ChoiceReview:
    return {"at": at, "seat": seat, "counts": True, "chance": 0.5, "cost": cost, "sure": sure, "rank": 1, "of": 2,
            "tries": 20, "best": []}  # fmt: skip


@cache
def one(game: str) -> tuple[Match, MatchReview]:
    """A match of greedy bots, looked back on."""
    match = play_bot_match(game, 3, "greedy", 31, 1)
    return match, review_match(match.record())


@compiled_only
@pytest.mark.parametrize("game", ["atlantis", "atlandice"])
def test_every_moment_is_reviewed_and_luck_and_chances_add_up(game: str) -> None:
    match, reviewed = one(game)
    first = next(i for i, entry in enumerate(match.log) if entry.actor >= 0)
    assert [moment["at"] for moment in reviewed["moments"]] == list(range(first, len(match.log) + 1))
    for moment in reviewed["moments"]:
        assert sum(moment["chances"]) == pytest.approx(1, abs=0.001)
    best = max(match.state.ranking()[0]["seats"], default=0)
    assert reviewed["moments"][-1]["chances"][best] > 0
    assert sum(account["luck"] for account in reviewed["accounts"]) == pytest.approx(0, abs=0.01)
    assert any(account["luck"] > 0 for account in reviewed["accounts"])
    for account in reviewed["accounts"]:
        assert 0 <= account["good"] <= account["choices"] > 0
    choices = [i for i, entry in enumerate(match.log) if entry.actor >= 0]
    assert {each["at"] for each in reviewed["judgements"]} <= set(choices)
    assert all(each["cost"] >= 0 and each["best"] for each in reviewed["judgements"])
    keys = {sentence["key"] for sentence in reviewed["summary"]}
    assert keys & {"led", "overtook", "late", "shared"}
    assert keys & {"luck", "fair"}


@compiled_only
def test_what_chance_brings_is_neither_good_nor_bad_on_the_whole() -> None:
    """Over many rolls luck is small against their number: what they may bring is counted in before they fall."""
    reviewed = [
        change
        for game in ("atlantis", "atlandice")
        for change in review.list_win_probability_changes(one(game)[1]["moments"])
    ]
    swings = [change for _, actor, change in reviewed if actor < 0]
    total = sum(abs(change[0]) for change in swings)
    assert len(swings) > 50
    assert abs(sum(change[0] for change in swings)) < 0.35 * total


def test_the_moments_that_mattered_are_the_biggest_and_apart() -> None:
    levels = [0.5, 0.5, 0.8, 0.62, 0.62, 0.6, 0.3, 0.3, 0.36, 0.36, 0.6, 0.6, 0.9]
    moments: list[Moment] = [moment_at(i, i % 2 - 1, [level, 1 - level]) for i, level in enumerate(levels)]
    found: list[KeyMoment] = find_key_moments(moments, [])
    assert [each["at"] for each in found] == [2, 6, 8, 10, 12]  # not 3: it is next to 2
    assert [each["choice"] for each in found] == [False] * 5
    assert found[0] == {"at": 2, "seat": 0, "swing": 0.3, "choice": False}


@compiled_only
@pytest.mark.parametrize("game", BUILT_IN_GAMES)
def test_forced_moves_swing_nothing(game: str) -> None:
    """Already as they are estimated, before the review joins them."""
    match = play_bot_match(game, 3, "greedy", 31, 1)
    moments = review.review_curve(match.record())["moments"]
    forced = [(before, after) for before, after in pairwise(moments) if before["forced"]]
    assert forced
    for before, after in forced:
        assert (
            review_truth_checks.largest_difference(before["chances"], after["chances"]) <= review_truth_checks.FORCED
        ), before["at"]
    for moment in moments[:-1]:
        entry = match.log[moment["at"]]
        state = match.copy_rewound_to(moment["at"]).state
        assert moment["forced"] == (entry.actor >= 0 and len(state.legal_actions()) == 1)


@compiled_only
@pytest.mark.parametrize("game", ["atlantis", "atlandice"])
def test_the_last_round_is_what_playing_on_brings(game: str) -> None:
    done = review_truth_checks.measure_curve_against_rollouts(game, 0, 2)
    assert done["chance"] > 1
    assert done["choices"] > 3
    assert review_truth_checks.find_curve_faults(done) == []
    assert done["chance too far"] == 0


def test_curves_that_lie_would_be_found() -> None:
    done = Counter({"forced": 10, "forced that swing": 1, "choices": 5, "choices that swing unjudged": 1, "chance": 2})
    done["chance apart"] = round(2 * 0.04 * review_truth_checks.UNIT)
    assert len(review_truth_checks.find_curve_faults(done)) == 3


def test_curve_luck_and_judgements_are_one_estimate() -> None:
    """A forced move is worth what follows it; late choices cost what they are judged to cost; chance is played on."""
    moments = [
        moment_at(4, 1, [0.2, 0.8], forced=True, late=True),
        moment_at(5, 0, [0.7, 0.3], late=True),
        moment_at(6, 0, [0.3, 0.7], late=True),
        moment_at(7, 0, [0.4, 0.6], late=True),
        moment_at(8, -1, [0.1, 0.9], late=True),
        moment_at(9, -1, [1.0, 0.0], late=True),
    ]
    found = review.propagate_win_probabilities_back(moments, [judged(5, 0, 0.25), judged(6, 0, 0.2, sure=False)], [
        {"at": 7, "chances": [0.5, 0.5]}
    ])  # fmt: skip
    assert [moment["chances"][0] for moment in found] == pytest.approx([0.75, 0.75, 0.5, 0.5, 0.5, 1.0])
    assert all(sum(moment["chances"]) == pytest.approx(1) for moment in found)
    assert moments[0]["chances"] == [0.2, 0.8]  # what is joined again later is as it was


def test_what_the_last_round_corrects_is_nothing_that_happened() -> None:
    """It fades over the rounds before; what happened there is told as it was."""
    levels = [0.5, 0.5, 0.5, 0.6, 0.6, 0.6, 0.6]
    moments = [moment_at(i, 0, [level, 1 - level], late=i == 6) for i, level in enumerate(levels)]
    for i, moment in enumerate(moments):
        moment["turn"] = i
    moments.append(moment_at(7, 1, [0.9, 0.1], late=True) | {"turn": 7})
    found = [moment["chances"][0] for moment in review.propagate_win_probabilities_back(moments, [], [])]
    assert found == pytest.approx([0.5, 0.5, 0.5, 0.675, 0.75, 0.825, 0.9, 0.9])


def test_a_choice_without_fault_is_no_moment_that_mattered() -> None:
    moments = [moment_at(i, 0, [level, 1 - level]) for i, level in enumerate([0.6, 0.6, 0.3, 0.3, 0.1, 0.1, 0.4])]
    blamed = find_key_moments(moments, [judged(1, 0, 0.2), judged(3, 0, 0.01), judged(5, 0, 0.0)])
    assert [each["at"] for each in blamed] == [2, 6]


def test_a_shared_winner_is_named_for_a_blunder() -> None:
    accounts = [review.summarise_player(seat, [], [judged(3, 1, 0.3), judged(5, 0, 0.1)]) for seat in (0, 1)]
    for chances, seats in (([0.5, 0.5], [1]), ([0.0, 1.0], [0]), ([1.0, 0.0], [1])):
        reviewed = review.compose_summary(True, [moment_at(i, 0, chances) for i in range(9)], accounts)
        assert [each["args"]["seat"] for each in reviewed if each["key"] == "worst"] == seats


@compiled_only
@pytest.mark.parametrize("game", ["atlantis", "atlandice"])
def test_a_choice_is_judged_by_what_its_chooser_could_know(game: str) -> None:
    done = review_truth_checks.compare_judgements_in_two_worlds(game, 3)
    assert done["judgements"] > 10
    assert done["worlds"] > 10 or game == "atlandice"  # where nothing is hidden


@compiled_only
def test_a_judgement_from_open_cards_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    class Peeking(Seat):
        def sample(self, rng: Rng) -> object:  # type: ignore[override]
            return self._world.copy()

    monkeypatch.setattr(Seat, "from_state", lambda state, game, rng: Peeking(int(state.actor), game, state, rng, 1.0))
    monkeypatch.setattr(review, "Seat", Seat)
    with pytest.raises(AssertionError, match="open cards"):
        review_truth_checks.compare_judgements_in_two_worlds("atlantis", 1)


@compiled_only
@pytest.mark.parametrize("game", ["atlantis", "atlandice"])
def test_planted_blunders_are_named(game: str) -> None:
    done = review_truth_checks.count_named_blunders(game, 1, 1)
    assert done["planted"] == 1
    assert review_truth_checks.find_unnamed_blunders(done) == []


@compiled_only
@pytest.mark.parametrize("game", ["atlantis", "atlandice"])
def test_chances_come_true(game: str) -> None:
    """Few matches: what is told is only held to be no worse than even chances, and the sums to be right."""
    done = review_truth_checks.count_predicted_chances(game, 0, 12)
    assert done["matches"] == 12
    rows = review_truth_checks.summarise_by_tenths(done)
    assert sum(positions for _, positions, *_ in rows) == sum(done[f"{t} positions"] for t in range(10)) > 300
    low, high = rows[0], rows[-1]
    assert low[3] < 0.25 < 0.6 < high[3]


def test_chances_that_are_off_would_be_found() -> None:
    done = Counter(
        {
            "3 positions": 100,
            "3 told": 35 * review_truth_checks.UNIT,
            "3 won": 30 * review_truth_checks.UNIT,
            "3 matches": 90,
        }
    )
    assert len(review_truth_checks.find_untrue_tenths(done)) == 1
    done["3 won"] = 33 * review_truth_checks.UNIT
    assert review_truth_checks.find_untrue_tenths(done) == []


@compiled_only
def test_what_could_have_been_chosen_is_offered_with_its_chances() -> None:
    match, reviewed = one("atlandice")
    at = next(each["at"] for each in reviewed["judgements"] if len(each["best"]) > 2)
    found = evaluate_offered_choices(match.record(), at)
    assert found is not None
    actions = {row[group["keys"].index("action")] for group in found["choices"] for row in group["rows"]}
    assert {str(action) for action in actions} == set(found["chances"])
    assert found["chosen"] in actions
    assert evaluate_offered_choices(match.record(), len(match.log)) is None


def test_the_best_is_the_best_after_the_net_was_trusted_less() -> None:
    choices = [Choice(1, 0.41, (0.41, 0.295, 0.295), 0.0, 1), Choice(2, 0.40, (0.40, 0.60, 0.0), 0.0, 1)]
    found = review.calibrate_choices("atlantis", choices, 0)
    assert [choice.chance for choice in found] == sorted((choice.chance for choice in found), reverse=True)
    assert [choice.action for choice in found] == [2, 1]


def test_a_game_without_a_net_is_not_offered() -> None:
    for game in BUILT_IN_GAMES:
        require_net(game)
    with pytest.raises(MissingNet):
        require_net("reefs")

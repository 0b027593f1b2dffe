"""When a match is decided, and whether chances come true: the arithmetic behind docs/strength.md."""

from __future__ import annotations

import numpy as np
import pytest

from landfall.lab.experiments.sequential_test import HIGHER, LOWER, UNDECIDED, SequentialTest
from landfall.lab.training import net_calibration

RULE = SequentialTest(0.50, 0.57, 1000)


def test_a_match_is_decided_by_evidence_and_not_before() -> None:
    assert RULE.verdict_and_games([1.0] * 22, 2) == ("", 22)
    assert RULE.verdict_and_games([1.0] * 30, 2) == (
        HIGHER,
        24,
    )  # 24 wins in a row: 1.14 to the 24th is above 19 to one
    assert RULE.verdict_and_games([0.0] * 30, 2) == (LOWER, 20)
    assert RULE.verdict_and_games([1.0, 0.0] * 499, 2)[0] in ("", LOWER)


def test_a_match_ends_at_its_cap() -> None:
    even = [1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0] * 200  # four wins of seven: between the two shares
    rule = SequentialTest(0.55, 0.59, 200)
    assert rule.verdict_and_games(even, 2) == (UNDECIDED, 200)
    assert rule.verdict(even[:198], 2) == ""


def test_mistakes_are_as_rare_as_the_rule_says() -> None:
    random = np.random.default_rng(1)
    for share, wrong in ((0.50, HIGHER), (0.57, LOWER)):
        matches = [list((random.random(1000) < share).astype(float)) for _ in range(300)]
        assert sum(RULE.verdict(games, 2) == wrong for games in matches) < 0.08 * 300


def make_forecasts(true: float, many: int) -> tuple[net_calibration.Floats, net_calibration.Floats]:
    """Predicted chances, and results as if these, drawn apart or together, were the true ones."""
    random = np.random.default_rng(2)
    chance = random.random(many).astype(np.float32)
    forecast = np.stack([chance, 1 - chance], 1)
    real = net_calibration.sharpen_rows(forecast, true)[:, 0]
    win = (random.random(many) < real).astype(np.float32)
    return forecast, np.stack([win, 1 - win], 1)


@pytest.mark.parametrize("true", [0.8, 1.0, 1.3])
def test_how_sure_one_may_be_is_found_and_makes_chances_come_true(true: float) -> None:
    forecast, won = make_forecasts(true, 40_000)
    found = net_calibration.fit_sharpening_exponent(forecast, won)
    assert abs(found - true) < 0.05
    rows = net_calibration.group_by_decile(
        net_calibration.sharpen_rows(forecast, found)[:, 0], won[:, 0], np.arange(len(forecast))
    )
    assert sum(row.positions for row in rows) == len(forecast)
    assert all(abs(row.bias()) < 0.04 for row in rows)


@pytest.mark.parametrize("true", [-0.2, 0.0, 0.3])
def test_how_modest_one_must_be_is_found(true: float) -> None:
    forecast, _ = make_forecasts(1.0, 40_000)
    won = (
        np.random.default_rng(3).random(len(forecast)) < net_calibration.shift_own_logit_down(forecast[:, 0], true)
    ).astype(np.float32)
    found = net_calibration.fit_own_logit_shift(forecast[:, 0], won)
    assert abs(found - true) < 0.05
    rows = net_calibration.group_by_decile(
        net_calibration.shift_own_logit_down(forecast[:, 0], found), won, np.arange(len(forecast))
    )
    assert all(abs(row.bias()) < 0.04 for row in rows)


def test_chances_that_do_not_come_true_show() -> None:
    forecast, won = make_forecasts(0.5, 40_000)
    rows = net_calibration.group_by_decile(forecast[:, 0], won[:, 0], np.arange(len(forecast)) // 10)
    assert max(abs(row.bias()) for row in rows) > 0.04
    assert rows[0].games < rows[0].positions
    assert "off" in net_calibration.format_deciles(rows)

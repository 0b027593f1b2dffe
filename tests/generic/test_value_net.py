"""How a net is worked out: many positions at once, as its description says of one."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import landfall
from landfall.bots import value_net
from landfall.bots.search.afterstate_rows import encode_row
from landfall.bots.value_net import PIECE_SUM_WEIGHT, POINTS_PRIOR_WEIGHT, ValueNet
from landfall.core.feature_layout import KIND, FeatureLayout, RowBuffer
from landfall.core.rng import Rng
from landfall.game_checks.option_combinations import LEARNED, covering_combinations
from landfall.game_checks.position_checks import random_game_positions

COMPILED = landfall.ENGINE == "compiled"


def some_rows(name: str, apart: int) -> NDArray[np.uint8]:
    """Positions of games with all sorts of options and players, as one of the seats sees them."""
    layout, aside = value_net.layout_of(name), Rng(3)
    sheet, rows = RowBuffer(layout, 1), []
    for combo in covering_combinations(name):
        for state in random_game_positions(landfall.game(name).new(*combo), Rng(4)):
            if aside.randbelow(apart) == 0:
                rows.append(encode_row(state, int(aside.randbelow(state.players)), sheet))
    return np.frombuffer(b"".join(rows), np.uint8).reshape(len(rows), layout.size)


def hidden(x: NDArray[Any], net: ValueNet, name: str) -> NDArray[Any]:
    """One layer, what is below nought cut off."""
    found: NDArray[Any] = np.maximum(x @ net.weight[name] + net.bias[name], 0)
    return found


def plainly(net: ValueNet, layout: FeatureLayout, row: list[int]) -> tuple[list[float], list[float]]:
    """One position, number by number, as docs/nets.md describes the net."""
    players = row[0]
    summed, expected, seats = [], [], []
    for seat in range(layout.seats):
        at = layout.seat_at + seat * layout.seat_wide
        fields = row[at : at + len(layout.seat)]
        seats += [2 * n / f.most for n, f in zip(fields, layout.seat, strict=True)]
        total, points = np.zeros(len(net.bias["pieces"])), 0.0
        for piece in range(layout.pieces):
            at = layout.piece_at + (seat * layout.pieces + piece) * layout.piece_wide
            told = row[at : at + len(layout.piece)]
            if not told[0]:
                continue
            x, first = net.bias["piece"].astype(float), 0
            for n, f in zip(told, layout.piece, strict=True):
                x = x + net.weight["piece"][first + n]
                first += f.most + 1
            x = hidden(np.maximum(x, 0), net, "pieces")
            total = total + x
            if layout.worths:
                fate = float((x @ net.weight["fate"] + net.bias["fate"])[0])
                points += layout.worths[told[1]] / (1 + np.exp(-fate))
        if layout.worths:
            points += fields[[f.name for f in layout.seat].index("banked")] / 4
        summed += (PIECE_SUM_WEIGHT * total).tolist()
        expected.append(points)
    kinds = [n == row[i] for i, f in enumerate(layout.table) if f.sort == KIND for n in range(f.most + 1)]
    counts = [2 * row[i] / f.most for i, f in enumerate(layout.table) if f.sort != KIND]
    middle = [points / 10 for points in expected] if layout.worths else []
    x = hidden(hidden(np.array([*summed, *seats, *middle, *kinds, *counts], float), net, "first"), net, "second")
    win, points_of = (x @ net.weight[name] + net.bias[name] for name in ("win", "points"))
    if layout.worths:
        own = [(expected[i] + (expected[i + 2] if players == 2 else 0)) / 10 for i in range(players)]
        for seat in range(players):
            points_of[seat] += own[seat]
            win[seat] += POINTS_PRIOR_WEIGHT * (own[seat] - sum(own) / players)
    chances = net.sureness[players] * win[:players]
    chances[0] -= net.modesty[players]
    chances = np.exp(chances)
    return (chances / chances.sum()).tolist(), points_of[:players].tolist()


@pytest.mark.parametrize("name", LEARNED)
def test_a_net_is_worked_out_as_it_is_described(name: str) -> None:
    layout, rows = value_net.layout_of(name), some_rows(name, 60 if COMPILED else 400)
    assert len(rows) > 2
    for net in [value_net.load_packaged(name), *value_net.load_other_ensemble_nets(name)]:
        win, points = net.predict(rows)
        for i in range(0, len(rows), 1 + len(rows) // 25):
            players = int(rows[i, 0])
            chances, tens = plainly(net, layout, rows[i].tolist())
            assert np.allclose(win[i, :players], chances, atol=1e-5), f"{name}, row {i}"
            assert np.allclose(points[i, :players], tens, atol=1e-4), f"{name}, row {i}"

"""The quick form of a net tells a tree what the net itself would."""

from itertools import islice

import numpy as np
import pytest

import landfall
from landfall.bots import quick_net, value_net
from landfall.bots.contract import Seat
from landfall.bots.net_bot import NetBot
from landfall.bots.search.afterstate_rows import encode_row
from landfall.core.feature_layout import RowBuffer
from landfall.core.rng import Rng
from landfall.core.state import CHANCE, OVER, State

pytestmark = pytest.mark.once


def positions(players: int, many: int) -> list[State]:
    """Positions in which somebody chooses, of one match at random."""

    def play(rng: Rng) -> "list[State]":
        state, found = landfall.game("atlandice").new(players), []
        while state.actor != OVER:
            if state.actor == CHANCE:
                state.apply(state.sample_chance(rng))
                continue
            found.append(state.copy())
            state.apply(state.random_action(rng))
        return found

    return list(islice(play(Rng(4)), 0, None, 3))[:many]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_values_are_those_of_the_net(players: int) -> None:
    sheet = RowBuffer(value_net.layout_of("atlandice"), 1)
    rows = np.frombuffer(b"".join(encode_row(s, s.actor, sheet) for s in positions(players, 12)), np.uint8)
    rows = rows.reshape(-1, value_net.layout_of("atlandice").size)
    assert len(rows) > 5
    for net in (value_net.load_packaged("atlandice"), value_net.load_small_or_packaged("atlandice")):
        quick = quick_net.QuickNet(net).seat_values(rows, players, 0.6)
        assert quick.shape == (len(rows), players)
        np.testing.assert_allclose(quick, net.seat_values(rows, players, 0.6), atol=2e-6)


def test_only_games_with_pieces_of_one_word_that_are_not_saved_have_it() -> None:
    fitting = {
        game: quick_net.fits_quick_net(value_net.load_packaged(game).inputs) for game in ("survive", "atlandice")
    }
    assert fitting == {"survive": False, "atlandice": True}


@pytest.mark.compiled_only
def test_net_keeps_its_tree_and_counts_the_walks_in_it() -> None:
    """What was searched is followed with fewer walks than a new tree takes."""
    for state in positions(2, 50):
        bot, after = NetBot(), state.copy()
        if len(state.legal_actions()) < 3:
            continue
        after.apply(bot.choose(Seat.from_state(state, "atlandice", Rng(1))))
        assert sorted(t.action for t in bot.thoughts) == sorted(state.legal_actions())
        if after.actor == state.actor and len(after.legal_actions()) > 1:
            break
    assert after.actor == state.actor, "a position whose choice leads to another one of the same seat"
    assert bot.tree is not None
    bot.choose(Seat.from_state(after, "atlandice", Rng(3)))
    new = NetBot()
    new.choose(Seat.from_state(after, "atlandice", Rng(3)))
    assert new.tree is not None
    assert bot.tree.walks < new.tree.walks <= new.walks

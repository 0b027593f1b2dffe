"""Observations: all that a seat may know as tensors. That they tell no secret is in test_secrecy, that both engines
agree on them in test_engines; here, that they leave nothing out."""

import json
from collections.abc import Iterator

import pytest

import landfall
from landfall.core.match_batch import BIT_MASKS, REWARD_UNITS, MatchBatch
from landfall.core.observation_layout import Tensor, TensorLayout
from landfall.core.rng import Rng
from landfall.core.state import OVER, State
from landfall.game_checks.option_combinations import OBSERVED, Combo, combination_label, covering_combinations
from landfall.game_checks.position_checks import random_game_positions
from landfall.game_checks.two_world_comparison import check_batch_rows_overwrite, observation_bytes
from landfall.games import BUILT_IN_GAMES
from landfall.games.observation_and_feature_layouts import tensor_layout

COMPILED = landfall.ENGINE == "compiled"

# Tensors that change are others: raise their version, and write both down here.
LAYOUTS = {
    "survive": (2, "70d1ed14180979d9"),
    "atlantis": (1, "caec0eacda7e776c"),
    "atlandice": (1, "6fabc006a53ee4b7"),
}

# a few random matches may not get there
RARE = {"bill_hundreds", "paid_hundreds", "laid", "idle"} | {
    "round_counts",
    "quiet_rounds",
    "prey_aboard",
    "touched_too_row",
    "touched_too_number",
}


def tensors(name: str) -> TensorLayout:
    return tensor_layout(name)


def decisions(name: str, combo: Combo, rare: int) -> Iterator[State]:
    """Positions in which a seat is asked."""
    aside = Rng(6)
    for state in random_game_positions(landfall.game(name).new(*combo), Rng(7)):
        if state.actor >= 0 and aside.randbelow(rare) == 0:
            yield state


@pytest.mark.parametrize("name", LAYOUTS)
def test_tensors_change_only_with_their_version(name: str) -> None:
    assert (tensors(name).version, tensors(name).digest()) == LAYOUTS[name]


@pytest.mark.parametrize("name", OBSERVED)
def test_every_entry_is_declared_and_within_its_range(name: str) -> None:
    most: dict[int, int] = {}
    for one in tensors(name).parts:
        first = tensors(name).first[one.name]
        most.update(dict.fromkeys(range(first, first + one.length), one.most))
    reached: set[int] = set()
    aside = Rng(9)
    for combo in covering_combinations(name):
        for state in random_game_positions(landfall.game(name).new(*combo), Rng(7)):
            if aside.randbelow(4 if COMPILED else 60):
                continue
            row = observation_bytes(name, state, int(aside.randbelow(state.players)))
            assert len(row) == tensors(name).size
            wrong = [(at, x) for at, x in enumerate(row) if x > most.get(at, 0)]
            assert not wrong, f"byte {wrong[0][0]} is {wrong[0][1]}"
            reached.update(at for at, x in enumerate(row) if x)
    unused = {p.name for p in tensors(name).parts if not reached & set(spread(name, p))}
    assert unused <= RARE or not COMPILED or name not in BUILT_IN_GAMES, f"always nought: {unused - RARE}"


def spread(name: str, one: Tensor) -> range:
    first = tensors(name).first[one.name]
    return range(first, first + one.length)


@pytest.mark.parametrize(
    ("name", "combo"), [(n, c) for n in OBSERVED for c in covering_combinations(n)], ids=lambda x: str(x)
)
def test_what_looks_different_is_observed_differently(name: str, combo: Combo) -> None:
    """A view and the choices are told in full: no two different ones have the same observation."""
    known: dict[bytes, str] = {}
    for state in decisions(name, combo, 6 if name in BUILT_IN_GAMES and not COMPILED else 1):
        seat = int(state.actor)
        view = json.dumps([state.view(seat), state.legal_actions()], sort_keys=True)
        assert known.setdefault(observation_bytes(name, state, seat) + bytes([seat]), view) == view, combination_label(
            combo
        )
    assert len(known) > 3


@pytest.mark.parametrize("name", OBSERVED)
def test_a_batch_plays_the_matches_its_seed_says(name: str) -> None:
    """Against single matches played by hand with the same chance, choice by choice."""
    game, matches = landfall.game(name), 3
    players = game.player_counts[-1]
    batch = MatchBatch(game.new(players), tensors(name), matches, 5)
    alone = [(game.new(players), Rng(5 * 1_000_003 + i * 2)) for i in range(matches)]
    ends = 0
    for state, rng in alone:
        settle(state, rng)
    for _ in range(600 if COMPILED else 100):
        actions = [int(batch.drawn[i]) for i in range(matches)]
        for i, (state, rng) in enumerate(alone):
            assert batch.actor[i] == state.actor
            assert batch.sheet.copy_row_bytes(i) == observation_bytes(name, state, int(state.actor))
            assert offered(batch, i) == sorted(state.legal_actions())
            assert batch.choices[i] == len(state.legal_actions())
            assert actions[i] in state.legal_actions()
            state.apply(actions[i])
            settle(state, rng)
        batch.step(actions)
        for i, (state, rng) in enumerate(alone):
            assert batch.ended[i] == (state.actor == OVER)
            if state.actor == OVER:
                ends += 1
                rewards = [int(batch.reward[i * players + seat]) for seat in range(players)]
                assert sum(rewards) == 0
                best = state.ranking()[0]["seats"]
                assert all((reward == max(rewards)) == (seat in best) for seat, reward in enumerate(rewards))
                assert max(rewards) == REWARD_UNITS or len(best) > 1
                alone[i] = (game.new(players), rng)
                settle(alone[i][0], rng)
    assert ends > 0 or not COMPILED


@pytest.mark.parametrize(
    ("name", "combo"), [(n, c) for n in OBSERVED for c in covering_combinations(n)], ids=lambda x: str(x)
)
def test_a_row_written_over_an_earlier_one_equals_a_new_one(name: str, combo: Combo) -> None:
    check_batch_rows_overwrite(name, combo, seed=3, steps=300 if COMPILED else 30)


def settle(state: State, rng: Rng) -> None:
    while state.actor == landfall.CHANCE:
        state.apply(state.sample_chance(rng))


def offered(batch: MatchBatch, i: int) -> list[int]:
    words = int(batch.words)
    return [w * 64 + b for w in range(words) for b in range(64) if batch.mask[i * words + w] & BIT_MASKS[b]]


def test_a_batch_refuses_what_is_no_choice_and_goes_on() -> None:
    game = landfall.game("atlandice")
    batch = MatchBatch(game.new(2), tensors("atlandice"), 2, 1)
    before = [batch.sheet.copy_row_bytes(i) for i in range(2)]
    good = [int(batch.drawn[i]) for i in range(2)]
    for bad, why in (
        ([good[0]], "2 actions"),
        ([good[0], -1], "match 1: -1"),
        ([good[0], game.num_actions], "match 1"),
        ([10**6, good[1]], "match 0"),
    ):
        with pytest.raises(ValueError, match=why):
            batch.step(bad)
        assert [batch.sheet.copy_row_bytes(i) for i in range(2)] == before
    batch.step(good)
    assert [batch.sheet.copy_row_bytes(i) for i in range(2)] != before


def test_an_entry_is_at_most_127() -> None:
    with pytest.raises(ValueError, match="much"):
        Tensor("much", (), 128, "")

"""The tree that a net judges: what it counts, whose worth it remembers, what it makes of the net's first look."""

from time import thread_time

import pytest

import landfall
from landfall.bots.contract import Seat
from landfall.bots.levels import KrakenBot
from landfall.bots.net_search_bot import NetSearchBot
from landfall.bots.net_tree_bot import NetTreeBot, row_buffer_of
from landfall.bots.registry import make_bot, make_bots
from landfall.bots.search.afterstate_rows import encode_row
from landfall.bots.search.net_tree import MAX_WAITING_LEAVES, NetTree
from landfall.bots.value_net import layout_of
from landfall.core.feature_layout import RowBuffer
from landfall.core.rng import Rng
from landfall.core.search_settings import SearchSettings
from landfall.core.state import CHANCE, State
from landfall.game_checks.option_combinations import LEARNED
from landfall.game_checks.position_checks import random_game_positions
from landfall.lab.experiments.simulation import simulate

COMPILED = landfall.ENGINE == "compiled"


def a_choice(name: str, players: int) -> State:
    """A position of some way into a game, with several choices."""
    found = [
        s.copy()
        for s in random_game_positions(landfall.game(name).new(players), Rng(5), most=80)
        if len(s.legal_actions()) > 3
    ]
    return found[len(found) // 2]


def grown(state: State, name: str, rounds: int) -> NetTree:
    """A tree for which every position is worth 100 to the first seat, 200 to the second and so on."""
    players, sheet, rng = int(state.players), row_buffer_of(name), Rng(2)
    search = NetTree(state.copy(), int(state.actor), SearchSettings(explore=0.2), 60)
    for _ in range(rounds):
        search.collect_leaves(MAX_WAITING_LEAVES, 96, sheet, rng)
        told: list[int] = []
        for leaf in range(int(search.waiting)):
            eye = int(search.leaf_actors[leaf])
            for _ in range(int(search.leaf_starts[leaf]), int(search.leaf_starts[leaf + 1])):
                told += [100 * ((eye + k) % players + 1) for k in range(players)]
        search.apply_predictions(told, players)
    return search


def children(search: NetTree, row: int) -> list[int]:
    """The rows below one."""
    found, at = [], int(search.first_child[row])
    while at >= 0:
        found.append(at)
        at = int(search.next_sibling[at])
    return found


@pytest.mark.parametrize("name", LEARNED)
def test_every_walk_is_counted_once_and_its_worth_goes_to_who_chose(name: str) -> None:
    state = a_choice(name, 3)
    search, looked = grown(state, name, 12), 0
    waits = [(0, state.copy())]
    while waits:
        row, world = waits.pop()
        below = children(search, row)
        visits = sum(int(search.visits[each]) for each in below)
        own = 1 if world.actor != CHANCE else 0  # the walk that ended here; chance lets none end
        if below:
            assert int(search.visits[row]) - visits == own
        for each in below:
            key = int(search.action[each])
            if key < 0 or not int(search.visits[each]):
                continue
            if world.actor != CHANCE:
                assert int(search.total_value[each]) == int(search.visits[each]) * 100 * (int(world.actor) + 1)
                looked += 1
            after = world.copy()
            if world.actor == CHANCE or world.why_illegal(key) is None:
                after.apply(key)
                waits.append((each, after))
    assert int(search.visits[0]) == int(search.iterations)
    assert looked > 10


@pytest.mark.parametrize("name", LEARNED)
def test_what_is_best_for_who_chooses_next_goes_back_up_the_way(name: str) -> None:
    state = a_choice(name, 3)
    search, sheet, rng = grown(state, name, 1), row_buffer_of(name), Rng(9)
    for _ in range(4):
        search.collect_leaves(1, 96, sheet, rng)
        many, deep, eye = int(search.leaf_starts[1]), int(search.path_lengths[0]), int(search.leaf_actors[0])
        before = [
            int(search.total_value[int(search.leaf_paths[i])]) - int(search.virtual_loss[i]) for i in range(deep + 1)
        ]
        own = [(7 * i) % many * 10 for i in range(many)]  # the best is seldom the first
        search.apply_predictions([n for i in range(many) for n in (own[i], 1000 + i, 2000 + i)], 3)
        best = own.index(max(own))
        for i in range(1, deep + 1):
            chooser = int(search.path_choosers[i])
            worth = (own[best], 1000 + best, 2000 + best)[(chooser - eye) % 3] if chooser >= 0 else 0
            assert int(search.total_value[int(search.leaf_paths[i])]) - before[i] == worth


@pytest.mark.parametrize("name", LEARNED)
def test_a_single_walk_takes_what_the_net_likes_best(name: str) -> None:
    """Whoever is far ahead or behind: with its lead a choice may be worth more than a win, or less than nought."""
    every = [s.copy() for s in random_game_positions(landfall.game(name).new(2), Rng(5)) if len(s.legal_actions()) > 2]
    sheet = RowBuffer(layout_of(name), 1)
    for state in every[:: max(1, len(every) // (24 if COMPILED else 6))]:
        looks, tree = make_bot("net:lines=1:second=0"), make_bot("nettree:iters=1")
        found = []
        for player in (looks, tree):
            after = state.copy()
            after.apply(player.choose(Seat.from_state(state, name, Rng(1))))
            found.append(encode_row(after, state.actor, sheet))
        assert found[0] == found[1]
        assert all(0 <= thought.value <= 1 for thought in tree.thoughts)


@pytest.mark.proof
@pytest.mark.compiled_only
@pytest.mark.parametrize("name", ["atlantis", "atlandice"])
def test_the_tree_beats_greedy(name: str) -> None:
    games = 4
    won = [
        simulate(name, 2, games=games, seed=12, bots=make_bots(t)).wins
        for t in ("nettree:iters=60,greedy", "greedy,nettree:iters=60")
    ]
    assert won[0][0] + won[1][1] >= 0.7 * 2 * games


@pytest.mark.compiled_only
def test_it_keeps_to_its_time_and_its_walks() -> None:
    state = a_choice("atlandice", 2)
    counted = NetTreeBot(iters=70)
    counted.choose(Seat.from_state(state, "atlandice", Rng(1)))
    assert counted.walks <= 70
    assert sum(thought.visits for thought in counted.thoughts) == counted.walks - 1
    began = thread_time()
    NetTreeBot(ms=30).choose(Seat.from_state(state, "atlandice", Rng(1)))
    assert 0.01 < thread_time() - began < 0.2
    seat = Seat.from_state(state, "atlandice", Rng(1), 0.02)
    seat.strict = True
    for player in (NetTreeBot(ms=2000), NetTreeBot(iters=100_000)):
        began = thread_time()
        player.choose(seat)
        assert thread_time() - began < 0.2


@pytest.mark.once
def test_the_strongest_level_thinks_as_its_game_says() -> None:
    minds = {name: type(KrakenBot().make_search_for_game(name)) for name in LEARNED}
    assert minds == {"survive": NetSearchBot, "atlantis": NetSearchBot, "atlandice": NetTreeBot}

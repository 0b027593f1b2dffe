"""Where the searching bot puts its explorers: by what games to the end have shown."""

import pytest

from landfall.bots.contract import Bot, Seat
from landfall.bots.greedy_bot import GreedyBot
from landfall.bots.mcts_bot import MctsBot, MctsConfig
from landfall.core.rng import Rng
from landfall.core.state import CHANCE
from landfall.game_checks.option_combinations import Combo, combination_label, covering_combinations
from landfall.games import game
from landfall.games.survive.ai.opening_book import HIGHER, HOME
from landfall.games.survive.rules.board import SLOT_HEXES, SLOT_SPACE
from landfall.games.survive.rules.codes import PLACE
from landfall.games.survive.rules.components import VALUES
from landfall.games.survive.rules.phases import PLACING, PUTTING_SHIPS
from landfall.games.survive.state import SurviveState
from landfall.lab.experiments.simulation import play_with_bots, seat_rngs, winning_seats


def placings(players: int, options: dict[str, object] | None = None) -> list[SurviveState]:
    """Every moment of a set-up at random in which an explorer or a ship is to be put somewhere."""
    state, rng, found = game("survive").new(players, options), Rng(7), []
    assert isinstance(state, SurviveState)
    while state.actor == CHANCE or state.phase in (PLACING, PUTTING_SHIPS):
        if state.actor == CHANCE:
            state.apply(state.sample_chance(rng))
            continue
        found.append(state.copy())
        state.apply(state.random_action(rng))
    return found


def test_the_island_is_the_same_after_half_a_turn() -> None:
    """So that twenty numbers serve forty slots."""
    assert len(HOME) == len(HIGHER) == 20
    for slot, (q, r) in enumerate(SLOT_HEXES):
        assert SLOT_HEXES[39 - slot] == (-q, -r)


def worth(state: SurviveState, action: int) -> int:
    """What the table says of a placing."""
    slot = (action - PLACE) // VALUES
    half = min(slot, 39 - slot)
    return int(HOME[half] + HIGHER[half] * (state.tile[SLOT_SPACE[slot]] - 1))


def value(action: int) -> int:
    return (action - PLACE) % VALUES + 1


@pytest.mark.parametrize("combo", covering_combinations("survive"), ids=combination_label)
def test_the_dearest_explorer_goes_where_most_come_home(combo: Combo) -> None:
    players, options = combo
    asked = [s for s in placings(players, options) if s.phase == PLACING]
    for state in asked:
        chosen = int(state.opening_action())
        if players == 2:
            assert chosen == -1, "at two the evaluation decides"
            continue
        legal = state.legal_actions()
        assert chosen in legal
        assert value(chosen) == max(map(value, legal))
        assert worth(state, chosen) == max(worth(state, action) for action in legal)
    assert len(asked) >= 20


def test_nothing_is_known_of_ships_and_of_the_game_itself() -> None:
    ships = [s for s in placings(4) if s.phase == PUTTING_SHIPS]
    assert len(ships) == 8
    assert all(s.opening_action() == -1 for s in ships)
    last = ships[-1]
    last.apply(last.random_action(Rng(1)))
    assert last.phase not in (PLACING, PUTTING_SHIPS)
    assert last.opening_action() == -1


def test_the_searching_bot_places_by_it_and_tells_what_else_there_was() -> None:
    state = placings(4)[5]
    player = MctsBot(MctsConfig(iters=30))
    chosen = player.choose(Seat.from_state(state, "survive", Rng(2)))
    assert chosen == state.opening_action()
    assert player.thoughts[0].action == chosen
    assert sorted(t.action for t in player.thoughts) == sorted(state.legal_actions())


class Settler(GreedyBot):
    """Greedy but for where it puts its explorers."""

    def choose(self, seat: Seat) -> int:
        known = int(seat.sample(seat.rng).opening_action())
        return known if known >= 0 else super().choose(seat)


@pytest.mark.proof
@pytest.mark.compiled_only
def test_who_places_so_wins_more_than_its_share() -> None:
    won = 0.0
    for number in range(40):
        at = number % 4
        table: list[Bot] = [Settler() if seat == at else GreedyBot() for seat in range(4)]
        state = game("survive").new(4)
        play_with_bots(state, "survive", Rng(900 + number // 4), table, seat_rngs(number, 4))
        winners = winning_seats(state)
        won += 1 / len(winners) if at in winners else 0.0
    assert won > 12, f"{won} of 40, where 10 is par"

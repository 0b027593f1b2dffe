"""A position as one line of text: written, read back, and, made for a seat, the same in two worlds."""

from __future__ import annotations

from landfall.core.rng import Rng
from landfall.core.state import OVER, SPECTATOR, State
from landfall.game_checks.option_combinations import Combo
from landfall.game_checks.position_checks import random_game_positions
from landfall.games import game as find_game


def check_texts_of_random_game(name: str, combo: Combo, seed: int, share: int) -> int:
    """A random game, one position in `share` looked at; how many were."""
    rng, pick = Rng(seed), Rng(seed + 1)
    looked = 0
    for state in random_game_positions(find_game(name).new(*combo), rng):
        if state.actor == OVER or pick.randbelow(share) == 0:
            check_text_round_trip(name, state)
            check_seat_text_hides_unknown(state, pick)
            looked += 1
    return looked


def check_text_round_trip(name: str, state: State) -> None:
    """A whole line is one line, and the position it was written from."""
    line = state.to_text()
    assert len(line.splitlines()) == 1
    assert line == line.strip()
    again = find_game(name).from_text(line)
    assert again.to_bytes() == state.to_bytes(), line
    assert again.to_text() == line
    assert again.legal_actions() == state.legal_actions()


def check_seat_text_hides_unknown(state: State, rng: Rng) -> None:
    """A seat's line, or a spectator's, does not change with what they cannot know."""
    seat = int(rng.randbelow(state.players + 1))
    other = state.resample(seat, rng) if seat < state.players else state.resample(None, rng)
    asked = seat if seat < state.players else SPECTATOR
    assert state.to_text(asked) == other.to_text(asked), f"the line of seat {asked} tells two worlds apart"

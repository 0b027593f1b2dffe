"""Random games of Atlandice over all player counts, our clock and twenty of a table's own, checked at every step.

Run as a module for the full counts: `python -m tests.atlandice.random_games 10000`.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from typing import Any, cast

import landfall
from landfall import CHANCE, OVER, Match, Rng, State
from landfall.core.languages import LANGUAGES
from landfall.core.state import list_choices_one_by_one
from landfall.core.text_catalogue import load_text_catalogue
from landfall.games.atlandice.rules.components import ICON_NAMES

CLOCKS = 20
SAMPLED = 12  # every so many-th position is looked at closely


def random_clock(seed: int) -> dict[str, object]:
    """A clock a table could bring: any length, icons anywhere between, hands from 1."""
    rng = Rng(seed + 1000)
    last = 1 + int(rng.randbelow(40))
    icons = {str(n): ICON_NAMES[1 + int(rng.randbelow(7))] for n in range(1, last) if rng.randbelow(2)}
    most = 1 + int(rng.randbelow(6))
    regions = ("jeweller", "library", "inn", "workshop", "forge")
    hands: dict[str, object] = {region: [1 + int(rng.randbelow(most)) for _ in range(3)] for region in regions}
    if rng.randbelow(2):
        hands["black_market"] = 1 + int(rng.randbelow(most))
    return {"last": last, "icons": icons, "hands": hands}


def options_of_game_number(number: int) -> dict[str, Any]:
    """The options of the game of this number: half of them with our clock, half with one of twenty others."""
    return {} if number % 2 else {"clock": random_clock(number // 2 % CLOCKS)}


def check_choices_and_notation(state: State) -> None:
    """Listing and judging agree over the whole action space, and every choice reads back from its notation."""
    legal = state.legal_actions()
    assert legal, "a position without a legal choice"
    assert len(set(legal)) == len(legal)
    for action in range(state.num_actions()):
        rule = state.why_illegal(action)
        assert (rule is None) == (action in legal), (action, rule)
    for action in legal:
        assert state.parse(state.notation(action)) == action
        assert f"act.{state.action_to_dict(action)['verb']}" in load_text_catalogue("atlandice", "en")


def check_copies(state: State, rng: Rng) -> None:
    """Copies, bytes and resampled positions equal the position, and playing one on leaves it as it was."""
    before = state.to_bytes()
    game = landfall.game("atlandice")
    for twin in (state.copy(), game.from_bytes(before), state.resample(0, rng)):
        assert twin.to_bytes() == before
        assert twin.legal_actions() == state.legal_actions()
        for _ in range(12):
            if twin.actor != OVER:
                twin.apply(twin.sample_chance(rng) if twin.actor == CHANCE else twin.random_action(rng))
        assert state.to_bytes() == before


def check_chance_outcomes(state: State) -> None:
    for outcome, weight in state.chance_outcomes():
        assert weight > 0
        assert state.parse(state.notation(outcome)) == outcome
        assert state.why_illegal(outcome) is None
    assert state.legal_actions() == []


def play_checked_game(number: int, seed: int, kinds: Counter[str]) -> Match:
    """One game, checked after every action."""
    rng = Rng(seed * 1_000_003 + number)
    match = Match("atlandice", 2 + number % 3, rng=rng, **options_of_game_number(number))
    match.log.clear()
    match.state = match.initial_state()
    steps = 0
    while match.state.actor != OVER:
        state = match.state
        wrong = match.game.find_faults(state)
        assert not wrong, (number, steps, wrong)
        if steps % SAMPLED == number % SAMPLED:
            check_copies(state, rng)
            json.dumps(state.view(None))
            json.dumps([list_choices_one_by_one(state, seat) for seat in range(match.players)])
            json.dumps(state.preview(0))
            if state.actor >= 0:
                check_choices_and_notation(state)
            else:
                check_chance_outcomes(state)
        match.apply_and_log(int(state.sample_chance(rng) if state.actor == CHANCE else state.random_action(rng)))
        steps += 1
    assert not match.game.find_faults(match.state)
    kinds.update(event["kind"] for event in cast("list[dict[str, str]]", match.events()))
    return match


def check_replay_and_undo(match: Match, to_root: bool) -> None:
    """A record replays to the same position; taking choices back gives the positions before them."""
    again = Match.replay(match.record())
    assert again.state.digest() == match.state.digest()
    assert again.record() == match.record()
    digests = []
    twin = match.initial_state()
    for entry in match.log:
        if entry.actor >= 0:
            digests.append(twin.digest())
        twin.apply(entry.action)
    for _ in range(len(digests) if to_root else 2):
        again.undo()
        assert again.state.digest() == digests.pop()


def play_checked_games(games: int, seed: int = 1, start: int = 0) -> dict[str, int]:
    """Play so many random games, from this number on; what was met in them. The first thing wrong is an assertion."""
    kinds: Counter[str] = Counter()
    actions = size = 0
    for number in range(start, start + games):
        match = play_checked_game(number, seed, kinds)
        check_replay_and_undo(match, to_root=number % 100 == 0)
        actions += len(match.log)
        size += sum(len(line) + 1 for line in match.log_lines())
    for kind in kinds:
        for language in LANGUAGES:
            assert f"event.{kind}" in load_text_catalogue("atlandice", language), kind
    return {"games": games, "actions": actions, "record_bytes": size, **kinds}


if __name__ == "__main__":
    start = time.perf_counter()
    found = play_checked_games(int(sys.argv[1]))
    print(landfall.ENGINE, f"{time.perf_counter() - start:.0f} s", json.dumps(found))
    print(f"{found['record_bytes'] / found['actions']:.2f} bytes an action in a record")

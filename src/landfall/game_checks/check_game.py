"""`landfall check-game`: one line for each thing a game promises, what is missing, and where to read about it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from landfall.bots.registry import make_bots
from landfall.core.feature_layout import RowBuffer
from landfall.core.rng import Rng
from landfall.core.state import OVER, State
from landfall.game_checks import match_checks, position_checks, two_world_comparison
from landfall.game_checks.contract import contract_by_group
from landfall.game_checks.needed_texts import (
    faults_of_options,
    faults_of_questions,
    faults_of_reasons,
    faults_of_what_is_said,
    listen_to_random_games,
)
from landfall.game_checks.option_combinations import covering_combinations
from landfall.games import game as find_game
from landfall.games.observation_and_feature_layouts import MissingLayout, tensor_layout
from landfall.kernels.program import Program
from landfall.kernels.source_modules import Untranslatable
from landfall.lab.experiments.simulation import simulate, wilson_interval

GUIDE: Final = "docs/new-game.md"
BOT_GAMES: Final = 200  # matches of greedy against random: an interval of some 14 points
MAX_REASON_CHARS: Final = 600


class Missing(Exception):
    """What a game lacks, in a sentence."""


class Finding(NamedTuple):
    """The result of one check: what holds, or what is missing and where to read."""

    subject: str
    is_kept: bool
    sentence: str
    read: str


def check_contract(name: str) -> str:
    state = type(find_game(name).new())
    required = sorted(contract_by_group()["Required"])
    lacking = [one for one in required if getattr(state, one) is getattr(State, one)]
    if lacking:
        raise Missing(f"{state.__name__} lacks {', '.join(lacking)}")
    return f"{state.__name__} has the {len(required)} methods that a game must write"


def check_random_games(name: str) -> str:
    combos = covering_combinations(name)
    actions = sum(position_checks.check_whole_random_game(name, combo, seed=7, thoroughness=8) for combo in combos)
    return f"{len(combos)} random games, {actions} actions: lists, copies, bytes, notation and views agree"


def check_records(name: str) -> str:
    for combo in covering_combinations(name):
        match = match_checks.random_match(name, combo, seed=5)
        match_checks.check_record_replays(match)
        match_checks.check_events_numbered_alike(match)
        match_checks.check_undo_to_start(match_checks.random_match(name, combo, seed=6, most=30))
        if not match.state.events:
            raise Missing("no match records an event: players and bots read them")
    return "records replay, and undo leads back to the start"


def check_secrecy(name: str) -> str:
    game, compared, hidden = find_game(name), 0, 0
    for players, options in covering_combinations(name):
        for seat in (None, *range(players)):
            done = two_world_comparison.compare_two_worlds(name, (players, options), seed=3, seat=seat)
            compared += done.compared
        for number, state in enumerate(position_checks.random_game_positions(game.new(players, options), Rng(2))):
            if state.actor != OVER:
                seat = number % players  # of some games one seat alone knows what it hides
                two_world_comparison.check_samples_hide_truth(state, seat, Rng(4))
                hidden += state.resample(seat, Rng(3)) != state
    if bool(hidden) != game.hides:
        raise Missing(f"in {hidden} positions `resample` changed something, but Game.hides is {game.hides}")
    return f"{compared} looks at two worlds that differ in what a seat cannot know: no difference"


def check_texts(name: str) -> str:
    received = listen_to_random_games(name, 2)
    faults = faults_of_what_is_said(name, received) + faults_of_questions(name, received) + faults_of_options(name)
    if faults:
        raise Missing("; ".join(faults))
    return f"{len(received.keys)} sentences that random games say have a text"


def check_rules(name: str) -> str:
    faults = faults_of_reasons(name)
    if faults:
        raise Missing("; ".join(faults))
    return "every reason names a rule"


def check_environments(name: str) -> str:
    try:
        layout = tensor_layout(name)
    except MissingLayout as error:
        raise Missing(str(error)) from None
    state, rng = find_game(name).new(), Rng(1)
    buffer = RowBuffer(layout, 1)
    for one in position_checks.random_game_positions(state, rng):
        for seat in range(int(one.players)):
            buffer.restart_at_first_row()
            one.write_observation(seat, buffer)
    return f"observations of {layout.size} bytes in every position"


def check_bots(name: str) -> str:
    players = find_game(name).player_counts[0]
    won = 0.0
    for seat in (0, players - 1):
        table = make_bots(",".join("greedy" if one == seat else "random" for one in range(players)))
        won += simulate(name, players, games=BOT_GAMES // 2, seed=3, bots=table).wins[seat]
    low, high = wilson_interval(won / BOT_GAMES, BOT_GAMES)
    if high < 1 / players:
        raise Missing(f"greedy wins {won / BOT_GAMES:.0%} of {BOT_GAMES} against random: `evaluate` misleads it")
    return f"greedy wins {won / BOT_GAMES:.0%} of {BOT_GAMES} against random ({low:.0%} to {high:.0%})"


def check_kernel(name: str) -> str:
    try:
        Program(find_game(name))
    except (Untranslatable, ValueError, TypeError) as reason:
        return f"no kernel, which is no fault: {reason}"
    return "the rules translate to C"


CHECKS: Final[tuple[tuple[str, Callable[[str], str], str], ...]] = (
    ("contract", check_contract, f"{GUIDE}, step 3"),
    ("random games", check_random_games, f"{GUIDE}, step 3"),
    ("records", check_records, f"{GUIDE}, step 4"),
    ("secrecy", check_secrecy, f"{GUIDE}, step 4"),
    ("rules", check_rules, f"{GUIDE}, step 2"),
    ("texts", check_texts, f"{GUIDE}, step 5"),
    ("environments", check_environments, f"{GUIDE}, Declared fields"),
    ("bots", check_bots, f"{GUIDE}, step 6"),
    ("kernel", check_kernel, "docs/kernels.md"),
)


def check_game(name: str) -> Iterator[Finding]:
    """Run all checks on a game, one finding each. An exception in the game's own code is a finding, too. A game that
    does not end is the last: the other checks play whole games.
    """
    for subject, check, read in CHECKS:
        try:
            yield Finding(subject, True, check(name), read)
        except Exception as error:
            kind = "" if isinstance(error, Missing | AssertionError) else f"{type(error).__name__}: "
            reason = " ".join(str(error).split())[:MAX_REASON_CHARS]
            yield Finding(subject, False, f"{kind}{reason}" or type(error).__name__, read)
            if isinstance(error, position_checks.NeverEnds):
                return

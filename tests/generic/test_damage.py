"""Damaged input: bytes, records and options that are wrong are refused with a reason, whatever is wrong with them."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import landfall
from landfall import Match
from landfall.core.errors import LandfallError, OptionError, RecordError, StateError
from landfall.core.int_vectors import pack_numbers, unpack_numbers
from landfall.core.rng import Rng
from landfall.game_checks.match_checks import random_match
from landfall.game_checks.option_combinations import covering_combinations
from landfall.game_checks.position_checks import next_random_action, random_game_positions, sampling_interval
from landfall.games import BUILT_IN_GAMES, GAME_NAMES

COMPILED = landfall.ENGINE == "compiled"
fixed = settings(
    max_examples=200 if COMPILED else 20,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)


E = TypeVar("E", bound=LandfallError)


def replay(record: str) -> Match:
    return Match.replay(record)


def refusal(kind: type[E], call: Callable[[], object]) -> E | None:
    """The error of that kind a call raises; None if it goes well. Any other exception is the test's failure."""
    try:
        call()
    except kind as error:
        return error
    except Exception as error:
        error.add_note(f"wrong input raises a {kind.__name__}; in `parse` it begins as a NotationError")
        raise
    return None


def damaged(data: bytes, rng: Rng) -> bytes:
    """The bytes with one thing wrong."""
    kind = rng.randbelow(5)
    at = int(rng.randbelow(len(data)))
    if kind == 0:
        return data[:at]
    if kind == 1:
        return data + bytes([int(rng.randbelow(256))])
    if kind == 2:
        return data[:at] + data[at + 1 :]
    if kind == 3:
        return data[:at] + bytes([int(rng.randbelow(256))]) + data[at + 1 :]
    numbers = unpack_numbers(data)
    where = int(rng.randbelow(len(numbers)))
    numbers[where] = (-2, -1, 0, 1, 2, 5, 100, 300, 1 << 40, -(1 << 40))[int(rng.randbelow(10))]
    return pack_numbers(numbers)


@pytest.mark.parametrize("name", GAME_NAMES)
def test_damaged_bytes_are_refused_or_give_a_position(name: str) -> None:
    game = landfall.game(name)
    rng = Rng(12)
    refused = 0
    for combo in covering_combinations(name):
        for state in random_game_positions(game.new(*combo), Rng(13)):
            if rng.randbelow(sampling_interval(name, 10 if COMPILED else 40)):
                continue
            for _ in range(20 if COMPILED else 4):
                data = damaged(state.to_bytes(), rng)
                if refusal(StateError, partial(game.from_bytes, data)):
                    refused += 1
                    continue
                loaded = game.from_bytes(data)
                assert loaded.to_bytes() == data, "read_state reads other numbers than scalars and vectors write"
                assert isinstance(game.find_faults(loaded), list)
    assert refused > (20 if name in BUILT_IN_GAMES else 0), "damaged bytes are never refused: look at find_faults"


@pytest.mark.parametrize("name", GAME_NAMES)
@fixed
@given(data=st.binary(max_size=400))
def test_any_bytes_are_refused_or_give_a_position(name: str, data: bytes) -> None:
    read = partial(landfall.game(name).from_bytes, data)
    refused = refusal(StateError, read)
    assert str(refused) if refused else read().to_bytes() == data


def spoiled(text: str, rng: Rng) -> str:
    """A record with one thing wrong."""
    lines = text.split("\n")
    at = int(rng.randbelow(len(lines)))
    kind = rng.randbelow(6)
    if kind == 0:
        del lines[at]
    elif kind == 1:
        lines.insert(at, lines[int(rng.randbelow(len(lines)))])
    elif kind == 2:
        lines[at] = lines[at][: len(lines[at]) // 2]
    elif kind == 3:
        lines[at] = lines[at] + "x"
    elif kind == 4:
        other = int(rng.randbelow(len(lines)))
        lines[at], lines[other] = lines[other], lines[at]
    else:
        where = int(rng.randbelow(len(lines[at]) + 1))
        lines[at] = lines[at][:where] + "?=*:{9é "[int(rng.randbelow(8))] + lines[at][where + 1 :]
    return "\n".join(lines)


@pytest.mark.parametrize("name", GAME_NAMES)
def test_damaged_records_are_refused_with_line_and_reason(name: str) -> None:
    rng = Rng(14)
    text = random_match(name, covering_combinations(name)[0], seed=4).record()
    refused = 0
    for _ in range(150 if COMPILED else 8):
        worse = spoiled(text, rng)
        error = refusal(RecordError, partial(replay, worse))
        if error is not None:
            refused += 1
            assert 1 <= error.line <= len(worse.split("\n")) + 1
            assert str(error).startswith(f"line {error.line}: ")
    assert refused > 3


@pytest.mark.once
@fixed
@given(text=st.text(max_size=200))
def test_any_text_is_refused_as_a_record(text: str) -> None:
    with pytest.raises(RecordError):
        Match.replay(text)


@pytest.mark.parametrize("name", GAME_NAMES)
def test_records_of_other_rules_games_and_tables_are_refused(name: str) -> None:
    text = random_match(name, covering_combinations(name)[0], seed=4, most=3).record()
    version = landfall.game(name).rules_version
    for old, new, line, reason in (
        (f"game: {name}", "game: chess", 2, "there is no game called 'chess'"),
        (f"rules: {version}", "rules: 99", 3, "this record follows version 99"),
        ("players: ", "players: 9", 5, "cannot play"),
        ("options: {", 'options: {"nonsense": 1, ', 5, "there is no option nonsense"),
        ("landfall record 1", "landfall record 2", 1, "not a Landfall record"),
    ):
        with pytest.raises(RecordError) as refused:
            Match.replay(text.replace(old, new, 1).replace(", }", "}"))
        assert refused.value.line == line
        assert reason in str(refused.value)


VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=8,
)


@st.composite
def tables(draw: st.DrawFn, name: str) -> tuple[int, dict[str, object]]:
    """Players and options, some of them sensible."""
    game = landfall.game(name)
    sensible = [st.booleans() if o.kind == "bool" else st.sampled_from([*o.choices, o.default]) for o in game.options]
    pairs = {o.name: s | VALUES for o, s in zip(game.options, sensible)}
    chosen = draw(st.lists(st.sampled_from(sorted(pairs)), max_size=4, unique=True)) if pairs else []
    options = {key: draw(pairs[key]) for key in chosen}
    if draw(st.booleans()) and draw(st.booleans()):
        options[draw(st.text(max_size=6))] = draw(VALUES)
    return draw(st.sampled_from(game.player_counts) | st.integers(-1, 9) | st.integers()), options


@pytest.mark.parametrize("name", GAME_NAMES)
def test_any_options_are_refused_with_reasons_or_can_be_played(name: str) -> None:
    game = landfall.game(name)
    played = 0

    @fixed
    @given(table=tables(name))
    def try_it(table: tuple[int, dict[str, object]]) -> None:
        nonlocal played
        players, options = table
        error = refusal(OptionError, partial(game.new, players, options))
        if error is not None:
            assert error.problems
            assert all(sentence for _, _, _, sentence in error.problems)
            return
        state = game.new(players, options)
        rng = Rng(1)
        for _ in range(20):
            assert game.find_faults(state) == []
            if state.actor != landfall.OVER:
                state.apply(next_random_action(state, rng))
        played += 1
        assert json.loads(json.dumps(options)) == options

    try_it()
    assert played > 0

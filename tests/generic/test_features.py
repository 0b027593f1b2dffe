"""Features: what a seat may know as numbers. That they tell no secret is in test_secrecy, that both engines agree on
them in test_engines."""

from collections.abc import Iterator
from hashlib import blake2b

import pytest

import landfall
from landfall.bots.search.afterstate_rows import encode_row, write_afterstates
from landfall.bots.value_net import layout_of
from landfall.core.feature_layout import FeatureLayout, Field, RowBuffer, pack_eight_bytes
from landfall.core.rng import Rng
from landfall.core.state import State
from landfall.game_checks.option_combinations import FEATURED, covering_combinations
from landfall.game_checks.position_checks import random_game_positions, sampling_interval
from landfall.games import BUILT_IN_GAMES

COMPILED = landfall.ENGINE == "compiled"

# A layout that changes is another one: raise its version, train its net again, and write both down here.
LAYOUTS = {
    "survive": (1, "0517695dac2617fa"),
    "atlantis": (1, "ff9bef14a37fb284"),
    "atlandice": (2, "e502c3a324ff0dd6"),
}

# Of the rows below. When the bytes of a field change, raise that field's version, and write the digest down here.
ROWS = {"survive": "4b49c1fba7952762", "atlantis": "7057e657270847a8", "atlandice": "a7d7399168c38988"}


def some_positions(name: str, rare: int) -> Iterator[State]:
    """Positions of games with every option at every number of players."""
    aside = Rng(6)
    rare = sampling_interval(name, rare)
    if not COMPILED:
        rare *= 10 if name == "survive" else 2
    for combo in covering_combinations(name):
        for state in random_game_positions(landfall.game(name).new(*combo), Rng(7)):
            if aside.randbelow(rare) == 0:
                yield state.copy()


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_layout_changes_only_with_its_version(name: str) -> None:
    layout = layout_of(name)
    assert (layout.version, layout.digest()) == LAYOUTS[name]
    assert layout.name == name
    assert layout.seats == landfall.game(name).player_counts[-1]


@pytest.mark.once
@pytest.mark.parametrize("name", ROWS)
def test_the_same_position_is_always_the_same_row(name: str) -> None:
    """Nets know what a byte means only by what they were trained on."""
    sheet, found = RowBuffer(layout_of(name), 1), blake2b(digest_size=8)
    for combo in covering_combinations(name):
        for number, state in enumerate(random_game_positions(landfall.game(name).new(*combo), Rng(8), most=400)):
            if number % 40 == 0:
                for seat in range(int(state.players)):
                    found.update(encode_row(state, seat, sheet))
    assert found.hexdigest() == ROWS[name]


@pytest.mark.parametrize("name", FEATURED)
def test_every_byte_is_declared_and_within_its_range(name: str) -> None:
    layout = layout_of(name)
    fields, sheet, looked = layout.fields_by_offset(), RowBuffer(layout, 1), 0
    for state in some_positions(name, 8):
        for seat in range(int(state.players)):
            row = encode_row(state, seat, sheet)
            wrong = [(at, x) for at, x in enumerate(row) if x > (fields[at].most if at in fields else 0)]
            assert not wrong, f"{fields.get(wrong[0][0], Field('undeclared', 1)).name}: {wrong[0]}"
            looked += 1
    assert looked > (20 if name in BUILT_IN_GAMES else 0)


@pytest.mark.parametrize("name", FEATURED)
def test_a_row_depends_on_the_position_alone(name: str) -> None:
    """Not on what was written before it, in the encoder or on the sheet."""
    found = list(some_positions(name, 25))
    sheet = RowBuffer(layout_of(name), len(found))
    alone = [encode_row(state, 0, sheet) for state in found]
    for order in (range(len(found)), range(len(found) - 1, -1, -1)):
        sheet.restart_at_first_row()
        for i in order:
            found[i].write_features(0, sheet)
        assert [sheet.copy_row_bytes(number) for number in range(len(found))] == [alone[i] for i in order]
    assert len(set(alone)) > (5 if name in BUILT_IN_GAMES else 1), "write_features writes all positions alike"


@pytest.mark.parametrize("name", FEATURED)
def test_the_seat_itself_comes_first(name: str) -> None:
    layout, looked = layout_of(name), 0
    sheet = RowBuffer(layout, 1)
    at = {field.name: place for place, field in layout.fields_by_offset().items()}
    for state in some_positions(name, 30):
        for seat in range(int(state.players)):
            row = encode_row(state, seat, sheet)
            assert row[at["players"]] == state.players
            if state.actor >= 0:
                assert row[at["actor"]] == (state.actor - seat) % state.players
                looked += 1
    assert looked > (5 if name in BUILT_IN_GAMES else 0)


@pytest.mark.parametrize("name", FEATURED)
def test_afterstates_are_what_each_choice_leads_to(name: str) -> None:
    layout, looked = layout_of(name), 0
    sheet, single = RowBuffer(layout, 2000), RowBuffer(layout, 1)
    for state in some_positions(name, 30):
        if state.actor < 0:
            continue
        seat, legal = int(state.actor), state.legal_actions()
        sheet.restart_at_first_row()
        assert write_afterstates(state, seat, sheet, 2000, Rng(1)) == legal
        after = state.copy()
        after.apply(legal[-1])
        assert sheet.copy_row_bytes(len(legal) - 1) == encode_row(after, seat, single)
        sheet.restart_at_first_row()
        drawn = write_afterstates(state, seat, sheet, 3, Rng(2))
        assert len(set(drawn)) == len(drawn) == min(3, len(legal))
        assert set(drawn) <= set(legal)
        looked += 1
    assert looked > (3 if name in BUILT_IN_GAMES else 0)


def test_a_field_is_a_byte() -> None:
    with pytest.raises(ValueError, match="much"):
        Field("much", 256)
    assert int(pack_eight_bytes(1, 2, 3, 4, 5, 6, 7, 8)).to_bytes(8, "little") == bytes(range(1, 9))


def test_any_change_of_a_layout_changes_its_digest() -> None:
    def digest(most: int = 3, version: int = 1, name: str = "a") -> str:
        return FeatureLayout("game", version, 2, [Field(name, most)], [Field("b", 4)], 1, [Field("c", 5)], []).digest()

    assert len({digest(), digest(4), digest(version=2), digest(name="x")}) == 4
    assert digest() == digest()

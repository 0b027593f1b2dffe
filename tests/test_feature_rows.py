"""What packs the rows of features and observations is what their declared fields ask for."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

import landfall
from devtools import feature_rows
from landfall.core.feature_layout import Field, RowBuffer, categorical_field, numeric_field, numeric_fields_for_each
from landfall.core.observation_layout import Tensor
from landfall.core.rng import Rng
from landfall.games import BUILT_IN_GAMES, game, game_module
from landfall.games.observation_and_feature_layouts import feature_layout, tensor_layout

MODULES = feature_rows.modules_with_rows()
COUNTS = numeric_fields_for_each("count", list("abcdefghi"), 9, "count[{i}]")
EXAMPLE = """
def write(s, words, o):
    # row: {mark}
    # end of row
"""


@pytest.mark.once
@pytest.mark.parametrize("path", MODULES, ids=lambda path: f"{path.parent.parent.name}-{path.stem}")
def test_what_is_committed_is_what_would_be_written(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    written = feature_rows.regenerate_module(source, feature_rows.import_file(path))
    assert written == source, "run `python -m devtools.feature_rows`"


@pytest.mark.once
def test_every_game_of_ours_has_its_rows_written() -> None:
    assert {path.parts[-3] for path in MODULES} == set(BUILT_IN_GAMES)
    assert {path.stem for path in MODULES} == {"features", "observation"}


@pytest.mark.parametrize("name", BUILT_IN_GAMES)
def test_a_row_holds_what_each_field_reads(name: str) -> None:
    """By evaluating what a field reads: of those that need no variable of the writing function."""
    layout, tensors, checked = feature_layout(name), tensor_layout(name), set()
    rows, observations = RowBuffer(layout, 1), RowBuffer(tensors, 1)
    state, rng = game(name).new(3), Rng(7)
    for _ in range(150):
        state.apply(state.sample_chance(rng) if state.actor == landfall.CHANCE else state.random_action(rng))
        seat = state.turn_key() % 3
        rows.restart_at_first_row()
        state.write_features(seat, rows)
        row = rows.copy_row_bytes(0)
        observations.restart_at_first_row()
        state.write_observation(seat, observations)
        seen = observations.copy_row_bytes(0)
        declared: list[tuple[Field | Tensor, int]] = [(field, row[at]) for at, field in enumerate(layout.table)]
        declared += [(part, seen[tensors.first[part.name]]) for part in tensors.parts if not part.shape]
        for part, written in declared:
            module = game_module(name, "features" if isinstance(part, Field) else "observation")
            try:
                expected = eval(part.read, {**vars(module), "s": state, "seat": seat})
            except NameError:
                continue
            assert written == int(expected), part.name
            checked.add(part.name)
    assert len(checked) > 15


def generate(mark: str, declared: object) -> list[str]:
    source = feature_rows.regenerate_module(EXAMPLE.format(mark=mark), SimpleNamespace(FIELDS=declared))
    return source.splitlines()[3:-1]


@pytest.mark.once
def test_fields_become_words() -> None:
    assert generate("FIELDS -> words[o]", COUNTS) == [
        "    words[o] = pack_eight_bytes("
        "count[0], count[1], count[2], count[3], count[4], count[5], count[6], count[7])",
        "    words[o + 1] = pack_eight_bytes(count[8], 0, 0, 0, 0, 0, 0, 0)",
    ]
    assert generate("FIELDS word 1 -> return", COUNTS) == ["    return pack_eight_bytes(count[8], 0, 0, 0, 0, 0, 0, 0)"]
    some = [categorical_field("kind", 3, "kind"), numeric_field("left", 9, "a + b"), numeric_field("held", 9, "f(s)")]
    assert generate("FIELDS word 0 of kind, left -> words[o + i]", some) == ["    words[o + i] = kind | (a + b) << 8"]
    assert generate("FIELDS word 0 of held -> return", some) == ["    return f(s) << 16"]


@pytest.mark.once
def test_long_statements_are_wrapped_as_the_formatter_does() -> None:
    fields = numeric_fields_for_each("x", list("abcdefgh"), 9, "something_long[{i}]")
    assert [line.strip() for line in generate("FIELDS -> words[o]", fields)][0::9] == [
        "words[o] = pack_eight_bytes(",
        ")",
    ]


@pytest.mark.once
@pytest.mark.parametrize(
    ("mark", "declared", "fault"),
    [
        ("FIELDS -> words[o]", [numeric_field("left", 9)], "nothing says how to read left"),
        ("FIELDS -> words[o]", [numeric_field(f"x{i}", 200, "x") for i in range(8)], "x7 may be 200: the last byte"),
        ("FIELDS word 0 of right -> return", [numeric_field("left", 9, "x")], "the word has no right"),
        ("FIELDS words[o]", COUNTS, "is no `# row: LIST"),
    ],
)
def test_what_cannot_be_meant_is_refused(mark: str, declared: list[Field], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        generate(mark, declared)

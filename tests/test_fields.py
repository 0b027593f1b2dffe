"""The copy and the bytes of every position are those its fields ask for."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import fields

EXAMPLE = """
class Position:
    def __init__(self, source=None):
        if source is None:
            self.phase = Phase(declare_passing_number(LAYING, 0, PHASES - 1, PASSING))
            self.seen = declare_derived_number(0, 0, 9)
            self.tile: Buf = declare_vector(SPACES, SEA, SEA, MOUNTAIN)
            self.supply = declare_vector_of(SUPPLY, 0, 6)
            self.crowd = declare_derived_vector(SPACES, 0, 0, 9)
            self.icons = declare_given_vector(icons, 240, 0, 7)
        else:
            self.actor = source.actor
            # fields: copy
            # end of fields

    def scalars(self):
        return [
            # fields: numbers
            # end of fields
        ]

    def vectors(self):
        return [
            # fields: rows
            old,
            # end of fields
        ]

    def read(self, reader):
        "..."
        # fields: read
        # end of fields
"""
pytestmark = pytest.mark.once


@pytest.mark.parametrize(
    "path", fields.modules_with_generated_parts(), ids=lambda path: f"{path.parent.name}-{path.stem}"
)
def test_what_is_committed_is_what_would_be_written(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    assert fields.regenerate_module(source) == source, "run `python -m tests.fields`"


def test_some_position_is_looked_at() -> None:
    assert fields.modules_with_generated_parts()


def test_a_declaration_leads_to_copy_and_bytes() -> None:
    parts = [found[0].splitlines()[1:-1] for found in fields.PART.finditer(fields.regenerate_module(EXAMPLE))]
    assert [[line.strip() for line in part] for part in parts] == [
        [
            "self.phase = source.phase",
            "self.seen = source.seen",
            "self.tile = source.tile[:]",
            "self.supply = source.supply[:]",
            "self.crowd = source.crowd[:]",
            "self.icons = source.icons",
        ],
        ["int(self.phase),"],
        ["self.tile,", "self.supply,"],
        [
            "self.phase = Phase(reader.read_next_in_range(0, PHASES - 1))",
            "self.tile = to_vector(reader.read_next_vector(SPACES, SEA, MOUNTAIN))",
            "self.supply = to_vector(reader.read_next_vector(len(SUPPLY), 0, 6))",
        ],
    ]


def test_writing_twice_changes_nothing() -> None:
    once = fields.regenerate_module(EXAMPLE)
    assert fields.regenerate_module(once) == once


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("self.phase = declare_number(0, 1)", "phase: declare_number has 3 arguments"),
        ("phase = declare_number(0, 0, 1)", "phase is no field"),
        ("# fields: copies\n            # end of fields", "`# fields: copies`: the parts are"),
    ],
)
def test_what_cannot_be_meant_is_refused(line: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        fields.regenerate_module(EXAMPLE.replace("self.seen = declare_derived_number(0, 0, 9)", line))

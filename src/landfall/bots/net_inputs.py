"""The fields that a net reads. A net declares them by name and version; the current layout gives their columns.

A layout may gain fields and a game may gain options. A net ignores those it does not declare, so they are off to it.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from landfall.core.feature_layout import KIND

if TYPE_CHECKING:
    from landfall.core.feature_layout import FeatureLayout, Field

FieldSpec = list[str | int]  # name, sort, most, version


def declare_all_fields_as_json(layout: FeatureLayout) -> str:
    """Every field of a layout as JSON, as a net trained on it declares them."""
    parts = {"table": layout.table, "seat": layout.seat, "piece": layout.piece}
    return json.dumps(
        layout_properties(layout) | {part: [field_spec(f) for f in fields] for part, fields in parts.items()}
    )


def layout_properties(layout: FeatureLayout) -> dict[str, object]:
    """A layout's properties besides its fields; a net fits no layout that differs in any of these."""
    return {
        "game": layout.name,
        "version": layout.version,
        "seats": layout.seats,
        "pieces": layout.pieces,
        "worths": layout.worths,
    }


def field_spec(field: Field) -> FieldSpec:
    """A field as JSON."""
    return [field.name, field.sort, field.most, field.version]


def find_columns(fields: list[Field], wanted: list[FieldSpec]) -> list[int]:
    """The columns of the wanted fields; ValueError names the first that is missing or has another version."""
    places = {field.name: i for i, field in enumerate(fields)}
    columns: list[int] = []
    for spec in wanted:
        at = places.get(str(spec[0]), -1)
        if at < 0:
            raise ValueError(f"there is no field {spec[0]!r}")
        if field_spec(fields[at]) != spec:
            raise ValueError(f"the field {spec[0]!r} is {field_spec(fields[at])[1:]}, not {spec[1:]}")
        columns.append(at)
    return columns


def offsets_of_consecutive_parts(widths: list[int]) -> list[int]:
    """The offset of each of several consecutive parts."""
    return [sum(widths[:i]) for i in range(len(widths))]


class NetInputs:
    """Maps the columns of a row to a net's inputs; without a declaration the net reads every field of the layout.

    ValueError says why a declaration does not fit the layout.
    """

    def __init__(self, layout: FeatureLayout, declaration: str = "") -> None:
        self.layout = layout
        self.declaration = declaration or declare_all_fields_as_json(layout)
        declared = json.loads(self.declaration)
        for key, value in layout_properties(layout).items():
            if declared[key] != value:
                raise ValueError(f"{key} is {value!r}, not {declared[key]!r}")
        table = find_columns(layout.table, declared["table"])
        self.seat_columns = find_columns(layout.seat, declared["seat"])
        self.piece_columns = find_columns(layout.piece, declared["piece"])
        seat = [layout.seat[i] for i in self.seat_columns]
        piece = [layout.piece[i] for i in self.piece_columns]
        self.kinds = [i for i in table if layout.table[i].sort == KIND]
        self.counts = [i for i in table if layout.table[i].sort != KIND]
        self.kind_first = offsets_of_consecutive_parts([layout.table[i].most + 1 for i in self.kinds])
        self.kind_width = sum(layout.table[i].most + 1 for i in self.kinds)
        self.count_scale = [2 / layout.table[i].most for i in self.counts]
        self.seat_scale = [2 / f.most for f in seat]
        self.piece_first = offsets_of_consecutive_parts([f.most + 1 for f in piece])
        self.piece_width = sum(f.most + 1 for f in piece)
        self.fates = bool(layout.worths)
        self.banked = [f.name for f in seat].index("banked") if self.fates else -1

    def first_layer_width(self, summed: int) -> int:
        """Inputs of the net's first layer over the whole table."""
        seats = self.layout.seats * (summed + (1 if self.fates else 0) + len(self.seat_columns))
        return seats + self.kind_width + len(self.counts)

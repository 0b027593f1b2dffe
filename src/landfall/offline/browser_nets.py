"""Nets without numpy: the browser evaluates their layers (client/src/lib/valueNet.ts)."""

from __future__ import annotations

import ast
import json
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol, cast

from landfall.bots import net_backend, value_net
from landfall.bots.value_net import (
    PIECE_SUM_WEIGHT,
    POINTS_PRIOR_WEIGHT,
    MissingNet,
    inputs_for_declared_fields,
    layout_of,
)

if TYPE_CHECKING:
    from landfall.bots.net_inputs import NetInputs
    from landfall.core.feature_layout import FeatureLayout, RowBuffer

NPY_MAGIC: Final = b"\x93NUMPY\x01\x00"
NPY_HEADER_BYTES: Final = len(NPY_MAGIC) + 2  # including the length of what follows

StoredArray = tuple[str, bool, tuple[int, ...], bytes]  # as in layers.ts
NO_TEXT: Final[StoredArray] = ("U", False, (), b"")


class Floats(Protocol):
    """Numbers in memory."""

    def tolist(self) -> list[float]: ...


class JsArray(Protocol):
    """A JavaScript array of numbers."""

    def to_py(self) -> Floats: ...


class BrowserNet(Protocol):
    """The browser's part of a net."""

    def evaluate(self, rows: bytes) -> JsArray: ...


NetMaker = Callable[[str, dict[str, StoredArray]], BrowserNet]  # from a plan as JSON, and the arrays of a file


def read_npy_array(data: bytes) -> StoredArray:
    """One array of a net's file."""
    assert data.startswith(NPY_MAGIC), "another version of numpy's files"
    end = NPY_HEADER_BYTES + int.from_bytes(data[NPY_HEADER_BYTES - 2 : NPY_HEADER_BYTES], "little")
    head = ast.literal_eval(data[NPY_HEADER_BYTES:end].decode("latin-1"))
    return head["descr"].lstrip("<|"), head["fortran_order"], head["shape"], data[end:]


def read_net_file(path: Path, game: str) -> tuple[NetInputs, dict[str, StoredArray]]:
    """The fields a net reads, and all arrays of its file; MissingNet if it does not fit the game's current features."""
    if not path.is_file():
        raise MissingNet(f"there is no net {path.name!r}")
    with zipfile.ZipFile(path) as found:
        arrays = {name.removesuffix(".npy"): read_npy_array(found.read(name)) for name in found.namelist()}
    trained_on, fields = (decode_text_array(arrays.pop(name, NO_TEXT)) for name in ("layout", "fields"))
    try:
        return inputs_for_declared_fields(layout_of(game), trained_on, fields), arrays
    except ValueError as reason:
        raise MissingNet(f"{path.name!r} was trained on other features ({reason})") from None


def decode_text_array(array: StoredArray) -> str:
    """A text of a net's file."""
    return array[3].decode("utf-32-le")


def layout_plan_as_json(made: NetInputs) -> str:
    """How the bytes of a row map to a net's inputs, as valueNet.ts expects it."""
    layout = made.layout
    return json.dumps(
        {
            "size": layout.size,
            "seats": layout.seats,
            "kinds": made.kinds,
            "counts": made.counts,
            "kindFirst": made.kind_first,
            "kindWidth": made.kind_width,
            "countScale": made.count_scale,
            "seatAt": layout.seat_at,
            "seatWide": layout.seat_wide,
            "seatColumns": made.seat_columns,
            "seatScale": made.seat_scale,
            "pieces": layout.pieces,
            "pieceAt": layout.piece_at,
            "pieceWide": layout.piece_wide,
            "pieceColumns": made.piece_columns,
            "pieceFirst": made.piece_first,
            "worths": layout.worths,
            "banked": made.banked,
            "summed": PIECE_SUM_WEIGHT,
            "leaning": POINTS_PRIOR_WEIGHT,
        }
    )


class OfflineNet:
    """A net that the browser evaluates."""

    def __init__(self, net: BrowserNet, layout: FeatureLayout) -> None:
        self.net = net
        self.seats = layout.seats
        self.size = layout.size

    def win_and_mixed_values(
        self, sheet: RowBuffer, many: int, players: int, mix: float
    ) -> tuple[list[float], list[float]]:
        """As landfall.bots.net_backend declares it."""
        output = self.evaluate(sheet, many)
        win = output[: many * self.seats : self.seats]
        value = []
        for i in range(many):
            first = (many + i) * self.seats
            own, *others = output[first : first + players]
            value.append(win[i] + mix * (own - sum(others) / len(others)))
        return win, value

    def win_probabilities(self, sheet: RowBuffer, many: int, players: int) -> list[list[float]]:
        """As landfall.bots.net_backend declares it."""
        output = self.evaluate(sheet, many)
        return [output[first : first + players] for first in range(0, many * self.seats, self.seats)]

    def evaluate(self, sheet: RowBuffer, many: int) -> list[float]:
        """By row and seat: the win probabilities of all rows, then their points."""
        rows = bytes(memoryview(cast("memoryview", sheet.words)).cast("B")[: many * self.size])
        return self.net.evaluate(rows).to_py().tolist()


def register_browser_net_loader(make: NetMaker) -> None:
    """Evaluate nets this way from now on."""

    @cache
    def load_browser_net(path: Path, game: str) -> OfflineNet:
        inputs, arrays = read_net_file(path, game)
        return OfflineNet(make(layout_plan_as_json(inputs), arrays), inputs.layout)

    net_backend.OTHER_LOADERS.append(load_browser_net)


def has_browser_net(game: str) -> bool:
    """Whether this device has a game's net."""
    return bool(net_backend.OTHER_LOADERS) and (value_net.NETS_DIR / f"{game}.npz").is_file()

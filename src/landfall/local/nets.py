"""Nets without numpy: their files read by the standard library, their layers worked out by the browser
(client/src/lib/layers.ts)."""

from __future__ import annotations

import ast
import json
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol, cast

from landfall.bots import forward, judge
from landfall.bots.judge import LEANING, SUMMED, NoNet, inputs_of, layout_of

if TYPE_CHECKING:
    from landfall.bots.net_inputs import NetInputs
    from landfall.core.layout import Layout, Sheet

MAGIC: Final = b"\x93NUMPY\x01\x00"
HEAD: Final = len(MAGIC) + 2  # with the length of what follows

Stored = tuple[str, bool, tuple[int, ...], bytes]  # as in layers.ts
NO_TEXT: Final[Stored] = ("U", False, (), b"")


class Floats(Protocol):
    """Numbers, in memory."""

    def tolist(self) -> list[float]: ...


class Told(Protocol):
    """Numbers of the browser's."""

    def to_py(self) -> Floats: ...


class Net(Protocol):
    """The browser's part."""

    def judge(self, rows: bytes) -> Told: ...


Maker = Callable[[str, dict[str, Stored]], Net]  # of a plan as JSON, and what a file holds


def stored(data: bytes) -> Stored:
    """One array of a net's file."""
    assert data.startswith(MAGIC), "another version of numpy's files"
    end = HEAD + int.from_bytes(data[HEAD - 2 : HEAD], "little")
    head = ast.literal_eval(data[HEAD:end].decode("latin-1"))
    return head["descr"].lstrip("<|"), head["fortran_order"], head["shape"], data[end:]


def read(path: Path, game: str) -> tuple[NetInputs, dict[str, Stored]]:
    """What a net reads, and all arrays of its file; NoNet if it is none for this game's features as they are now."""
    if not path.is_file():
        raise NoNet(f"there is no net {path.name!r}")
    with zipfile.ZipFile(path) as found:
        arrays = {name.removesuffix(".npy"): stored(found.read(name)) for name in found.namelist()}
    trained_on, fields = (text_of(arrays.pop(name, NO_TEXT)) for name in ("layout", "fields"))
    try:
        return inputs_of(layout_of(game), trained_on, fields), arrays
    except ValueError as reason:
        raise NoNet(f"{path.name!r} was trained on other features ({reason})") from None


def text_of(array: Stored) -> str:
    """A text of a net's file."""
    return array[3].decode("utf-32-le")


def plan(made: NetInputs) -> str:
    """Where the numbers of a row go into a net, as layers.ts has it."""
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
            "summed": SUMMED,
            "leaning": LEANING,
        }
    )


class DeviceNet:
    """A net that the browser works out."""

    def __init__(self, net: Net, layout: Layout) -> None:
        self.net = net
        self.seats = layout.seats
        self.size = layout.size

    def values(self, sheet: Sheet, many: int, players: int, mix: float) -> tuple[list[float], list[float]]:
        """As landfall.bots.forward has it."""
        rows = bytes(memoryview(cast("memoryview", sheet.words)).cast("B")[: many * self.size])
        told = self.net.judge(rows).to_py().tolist()
        win = told[: many * self.seats : self.seats]
        value = []
        for i in range(many):
            first = (many + i) * self.seats
            own, *others = told[first : first + players]
            value.append(win[i] + mix * (own - sum(others) / len(others)))
        return win, value


def use(make: Maker) -> None:
    """From now on nets are worked out so."""

    @cache
    def load(path: Path, game: str) -> DeviceNet:
        inputs, arrays = read(path, game)
        return DeviceNet(make(plan(inputs), arrays), inputs.layout)

    forward.INSTEAD.append(load)


def there(game: str) -> bool:
    """Whether this device has a game's net."""
    return bool(forward.INSTEAD) and (judge.NETS / f"{game}.npz").is_file()

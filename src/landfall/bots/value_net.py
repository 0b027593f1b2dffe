"""The value net in numpy: rows of a game's features in, win probabilities and expected points out.

`landfall.lab.training.torch_net` is the same net in torch for training; docs/nets.md describes both.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from landfall.bots.net_inputs import NetInputs
from landfall.core.errors import LandfallError
from landfall.games.observation_and_feature_layouts import feature_layout
from landfall.optional_dependencies import require_extra

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from landfall.core.feature_layout import FeatureLayout, RowBuffer

    Floats = NDArray[np.float32]
    Bytes = NDArray[np.uint8]

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read when numpy is loaded: threads slow these small nets down

NETS_DIR: Final = Path(__file__).parent / "nets"  # one per game, in the wheel
ENSEMBLE_DIR: Final = NETS_DIR / "ensemble"  # some games' other nets, which evaluate the best choices too
TREE_DIR: Final = NETS_DIR / "tree"  # some games' smaller nets, for searches that ask for many positions
LAYERS: Final = ("piece", "pieces", "fate", "first", "second", "win", "points")
MAX_BATCH_ROWS: Final = 128  # positions evaluated in one pass: more need too much memory
NARROW_LAYER: Final = 128  # outputs up to which a layer is computed whole: to look for differences takes longer
PIECE_SUM_WEIGHT: Final = 0.3  # scale of the sum over a seat's pieces
POINTS_PRIOR_WEIGHT: Final = 1.5  # initial weight of expected points in the win probability


class MissingNet(LandfallError):
    """No net, or a net that does not fit, with the reason."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason, "error.net", {"reason": reason})


def layout_of(game: str) -> FeatureLayout:
    """The layout of a game's features."""
    return feature_layout(game)


@dataclass(frozen=True)
class PreparedRows:
    """Rows prepared for every net of their game."""

    players: NDArray[np.int64]
    unique_pieces: Bytes  # each distinct piece once
    piece_counts: Floats  # by row and seat with pieces, how often it has each
    seat_fields: Bytes
    table: Floats


class ValueNet:
    """A trained net for one game and every number of players."""

    def __init__(self, inputs: NetInputs, weights: dict[str, NDArray[Any]]) -> None:
        import numpy as np

        self.inputs, layout = inputs, inputs.layout
        self.weight = {name: np.ascontiguousarray(weights[f"{name}.weight"], np.float32) for name in LAYERS}
        self.bias = {name: np.asarray(weights[f"{name}.bias"], np.float32) for name in LAYERS}
        self.hash = np.random.default_rng(7).integers(1, 1 << 62, layout.piece_wide // 8, dtype=np.int64) | 1
        self.piece_first = np.array(inputs.piece_first)
        self.kinds, self.counts = np.array(inputs.kinds, np.intp), np.array(inputs.counts, np.intp)
        self.kind_first = np.array(inputs.kind_first)
        self.count_scale = np.array(inputs.count_scale, np.float32)
        self.seat_scale = np.array(inputs.seat_scale, np.float32)
        self.seat_columns, self.piece_columns = as_index(inputs.seat_columns), as_index(inputs.piece_columns)
        self.worths = np.array(layout.worths, np.float32)
        # Calibration by number of players: the exponent of the win probabilities, and the correction of the seat's own
        # (the best of many estimates tends to be too high).
        self.sureness = np.asarray(weights.get("sureness", np.ones(layout.seats + 1)), np.float32)
        self.modesty = np.asarray(weights.get("modesty", np.zeros(layout.seats + 1)), np.float32)

    def predict(self, rows: Bytes) -> tuple[Floats, Floats]:
        """By row and seat, the viewing seat first: the win probability, and the expected points in tens."""
        import numpy as np

        parts = [self.predict_batch(rows[i : i + MAX_BATCH_ROWS]) for i in range(0, len(rows), MAX_BATCH_ROWS)]
        return np.concatenate([win for win, _ in parts]), np.concatenate([points for _, points in parts])

    def values(self, sheet: RowBuffer, many: int, players: int, mix: float) -> tuple[list[float], list[float]]:
        """See landfall.bots.net_backend."""
        win, value = self.score_rows(rows_as_array(sheet)[:many], players, mix)
        return win.tolist(), value.tolist()

    def win_probabilities(self, sheet: RowBuffer, many: int, players: int) -> list[list[float]]:
        """See landfall.bots.net_backend."""
        found: list[list[float]] = self.predict(rows_as_array(sheet)[:many])[0][:, :players].tolist()
        return found

    def seat_values(self, rows: Bytes, players: int, mix: float) -> Floats:
        """By row and seat: the win probability plus `mix` times the lead over the others' mean in tens of points."""
        win, points = self.predict(rows)
        own = points[:, :players]
        value: Floats = win[:, :players] + mix * (own - (own.sum(1, keepdims=True) - own) / (players - 1))
        return value

    def score_rows(self, rows: Bytes, players: int, mix: float) -> tuple[Floats, Floats]:
        """The viewing seat's values of any rows."""
        return mix_win_and_lead(*self.predict(rows), players, mix)

    def score_prepared(self, seen: PreparedRows, players: int, mix: float) -> Floats:
        """The viewing seat's value with the points lead, of prepared rows."""
        return mix_win_and_lead(*self.forward(seen), players, mix)[1]

    def predict_batch(self, rows: Bytes) -> tuple[Floats, Floats]:
        """Predict one batch."""
        return self.forward(self.prepare_rows(rows))

    def prepare_rows(self, rows: Bytes) -> PreparedRows:
        """Prepare one batch of rows for this net and all others of its game."""
        import numpy as np

        inputs, layout = self.inputs, self.inputs.layout
        many, seats = len(rows), layout.seats
        there = rows[:, layout.piece_at :: layout.piece_wide]
        used = int(np.flatnonzero(there.any(0)).max(initial=0)) // layout.pieces + 1
        at = there[:, : used * layout.pieces].ravel().nonzero()[0]
        every = rows[:, layout.piece_at : layout.piece_at + used * layout.pieces * layout.piece_wide]
        words = np.ascontiguousarray(every).view(np.int64).reshape(-1, layout.piece_wide // 8)[at]
        first, which = find_distinct(words[:, 0] if words.shape[1] == 1 else words @ self.hash)
        different = words[first].view(np.uint8)[:, self.piece_columns]
        times = np.zeros((many * used, len(different)), np.float32)
        np.add.at(times.reshape(-1), at // layout.pieces * len(different) + which, np.float32(1))
        table = np.zeros((many, inputs.kind_width + len(self.counts)), np.float32)
        width = table.shape[1]
        table.reshape(-1)[rows.take(self.kinds, 1) + (np.arange(0, many * width, width)[:, None] + self.kind_first)] = 1
        table[:, inputs.kind_width :] = rows.take(self.counts, 1) * self.count_scale
        of_seats = rows[:, layout.seat_at : layout.piece_at].reshape(many, seats, -1)[:, :, self.seat_columns]
        return PreparedRows(rows[:, 0].astype(np.int64), different, times, of_seats, table)

    def forward(self, seen: PreparedRows) -> tuple[Floats, Floats]:
        """By row and seat: the win probability, and the expected points in tens."""
        import numpy as np

        inputs, players, of_seats = self.inputs, seen.players, seen.seat_fields
        many, seats = len(players), inputs.layout.seats
        summed, expected = self.sum_pieces(seen)
        parts = [summed * PIECE_SUM_WEIGHT, of_seats * self.seat_scale]
        if inputs.fates:
            expected += of_seats[:, :, inputs.banked] * np.float32(0.25)
            parts.append(expected[:, :, None] / 10)
        x = np.concatenate([*(p.reshape(many, -1) for p in parts), seen.table], 1, dtype=np.float32)
        x = np.maximum(self.first_layer(x), 0)
        x = np.maximum(x @ self.weight["second"] + self.bias["second"], 0)
        win = x @ self.weight["win"] + self.bias["win"]
        points = x @ self.weight["points"] + self.bias["points"]
        there = np.arange(seats) < players[:, None]
        if inputs.fates:
            own = fold_second_colours(expected, players) / 10
            points += own
            win += POINTS_PRIOR_WEIGHT * (own - (own * there).sum(1, keepdims=True) / players[:, None])
        win *= self.sureness[players][:, None]
        win[:, 0] -= self.modesty[players]
        win = np.exp(np.where(there, win, -30) - win.max(1, keepdims=True, where=there, initial=-30))
        return win / win.sum(1, keepdims=True), np.where(there, points, 0)

    def first_layer(self, x: Floats) -> Floats:
        """The first layer over the table. Rows after different choices differ little: in a wide layer only the
        differences are computed."""
        import numpy as np

        weight = self.weight["first"]
        if weight.shape[1] <= NARROW_LAYER:
            return x @ weight + self.bias["first"]
        apart = x[1:] - x[0]
        at = apart.any(0).nonzero()[0]
        alike = x[0] @ weight + self.bias["first"]
        out: Floats = np.repeat(alike[None], len(x), 0)
        out[1:] += apart[:, at] @ weight[at]
        return out

    def sum_pieces(self, seen: PreparedRows) -> tuple[Floats, Floats]:
        """By row and seat: the sum over its pieces, and the points they may bring."""
        import numpy as np

        many, seats = len(seen.players), self.inputs.layout.seats
        first, *others = (seen.unique_pieces + self.piece_first).T
        x = self.weight["piece"][first]
        for each in others:
            x += self.weight["piece"].take(each, 0)
        x = np.maximum(x + self.bias["piece"], 0)
        x = np.maximum(x @ self.weight["pieces"] + self.bias["pieces"], 0)
        summed = expand_to_seats(seen.piece_counts @ x, many, seats)
        if not self.inputs.fates:
            return summed, np.zeros((many, seats), np.float32)
        hope = 1 / (1 + np.exp(-(x @ self.weight["fate"] + self.bias["fate"])))
        return summed, expand_to_seats(
            seen.piece_counts @ (hope * self.worths[seen.unique_pieces[:, 1], None]), many, seats
        )[:, :, 0]


def find_distinct(numbers: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where each distinct number stands, in the order of the numbers, and which of them every number is; quicker than
    numpy's own."""
    import numpy as np

    order = numbers.argsort()
    ranked = numbers[order]
    new = np.ones(len(numbers), bool)
    np.not_equal(ranked[1:], ranked[:-1], out=new[1:])
    which = np.empty_like(order)
    which[order] = new.cumsum() - 1
    return order[new], which


def as_index(columns: list[int]) -> slice | list[int]:
    """Columns as a slice if they are the first in order, which needs no copy, otherwise as a list."""
    return slice(len(columns)) if columns == list(range(len(columns))) else columns


def expand_to_seats(present: Floats, many: int, seats: int) -> Floats:
    """Values by row and seat from those of seats with pieces; zero for the other seats, which follow them."""
    import numpy as np

    out = np.zeros((many, seats, present.shape[1]), np.float32)
    out[:, : len(present) // max(1, many)] = present.reshape(many, -1, present.shape[1])
    return out


def mix_win_and_lead(win: Floats, points: Floats, players: int, mix: float) -> tuple[Floats, Floats]:
    """The viewing seat's win probability; and that plus `mix` times its lead in tens of points."""
    return win[:, 0], win[:, 0] + mix * (points[:, 0] - points[:, 1:players].mean(1))


def rows_as_array(sheet: RowBuffer) -> Bytes:
    """A buffer's rows as a numpy array without a copy: later writes show in it."""
    import numpy as np

    words: Any = sheet.words
    return np.frombuffer(words, np.uint8).reshape(-1, int(sheet.size) * 8)


def fold_second_colours(expected: Floats, players: NDArray[np.int64]) -> Floats:
    """Two players with two colours each: add the points of the second colours to their owners'."""
    two = (players == 2)[:, None]
    out = expected.copy()
    out[:, :2] += expected[:, 2:4] * two
    return out


def load_file(path: Path, game: str) -> ValueNet:
    """Load a net from a file; MissingNet if it does not fit this game's features."""
    require_extra("play", "numpy")
    import numpy as np

    if not path.is_file():
        raise MissingNet(f"there is no net {str(path)!r}")
    with np.load(path) as found:
        fields = str(found["fields"]) if "fields" in found.files else ""
        try:
            inputs = inputs_for_declared_fields(layout_of(game), str(found["layout"]), fields)
        except ValueError as reason:
            again = f"train it again: landfall train {game}"
            raise MissingNet(f"{str(path)!r} was trained on other features ({reason}); {again}") from None
        weights = {name: found[name] for name in found.files if name not in ("layout", "fields", "over", "base")}
        if "over" in found.files:
            base = path.parent / str(found["over"])
            if base.is_file() and file_digest(base) != str(found["base"]):
                raise MissingNet(f"{str(path)!r} is what differs from another net than the {str(base)!r} of now")
            weights = apply_difference(load_file(base, game), weights)
        return ValueNet(inputs, weights)


def layout_name(layout: FeatureLayout) -> str:
    """The name of the layout that a net was trained on, as in its file."""
    return f"{layout.name} {layout.version} {layout.digest()}"


def inputs_for_declared_fields(layout: FeatureLayout, trained_on: str, fields: str) -> NetInputs:
    """A net's inputs by the fields its file declares; ValueError if the current layout lacks them. Files of earlier
    versions declare none and fit only the layout they were trained on."""
    if not fields and trained_on != layout_name(layout):
        raise ValueError(trained_on)
    return NetInputs(layout, fields)


def file_digest(path: Path) -> str:
    """The digest that identifies a net's file; no file can contain its own, so there are no cycles."""
    return hashlib.blake2b(path.read_bytes(), digest_size=8).hexdigest()


def apply_difference(base: ValueNet, apart: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """The weights of a net whose file holds the difference from another (landfall.lab.training.search_distillation)."""
    whole = {name: apart[name] for name in ("sureness", "modesty")}
    for name in LAYERS:
        for key, known in ((f"{name}.weight", base.weight[name]), (f"{name}.bias", base.bias[name])):
            whole[key] = known + apart[key] * apart[f"{key}.step"]
    return whole


@cache
def load_packaged(game: str) -> ValueNet:
    """A game's packaged net, loaded on first use."""
    return load_file(NETS_DIR / f"{game}.npz", game)


def load_small(game: str) -> ValueNet:
    """A game's smaller net if it has one, otherwise the packaged net."""
    path = TREE_DIR / f"{game}.npz"
    return load_file(path, game) if path.is_file() else load_packaged(game)


@cache
def load_other_ensemble_nets(game: str) -> list[ValueNet]:
    """A game's other nets, loaded on first use."""
    return [load_file(path, game) for path in sorted(ENSEMBLE_DIR.glob(f"{game}-*.npz"))]

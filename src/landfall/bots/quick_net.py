"""A net as a search tree asks for it: only each seat's value, for rows of one number of players, in few numpy calls.

Small nets take most of their time for numpy's calls, so this computes what `landfall.bots.value_net` does in half as
many. It fits games whose pieces take one word of a row and are not saved; others use the net itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from landfall.bots.value_net import PIECE_SUM_WEIGHT, index_distinct_numbers

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from landfall.bots.net_inputs import NetInputs
    from landfall.bots.value_net import Bytes, Floats, ValueNet

WORD_BYTES = 8


def fits_quick_net(inputs: NetInputs) -> bool:
    """Whether a net with these inputs can be asked this way."""
    layout = inputs.layout
    every_field = inputs.piece_columns == list(range(len(layout.piece)))
    return layout.piece_wide == WORD_BYTES and every_field and not inputs.fates


class QuickNet:
    """A value net whose scales are part of its weights and whose inputs are one matrix."""

    def __init__(self, net: ValueNet) -> None:
        import numpy as np

        self.net, inputs, layout = net, net.inputs, net.inputs.layout
        weight, fields = net.weight["first"], layout.seats * len(inputs.seat_columns)
        pieces = layout.seats * net.weight["pieces"].shape[1]
        summed, of_seats, kinds, counts = np.split(
            weight, [pieces, pieces + fields, pieces + fields + inputs.kind_width]
        )
        of_seats = of_seats * np.tile(net.seat_scale, layout.seats)[:, None]
        counts = counts * net.count_scale[:, None]
        # in this order, so that the inputs of seats without pieces are the last ones and can be left out
        self.first = np.concatenate([kinds, of_seats, counts, summed * PIECE_SUM_WEIGHT]).astype(np.float32)
        seat_bytes = [
            layout.seat_at + seat * layout.seat_wide + column
            for seat in range(layout.seats)
            for column in inputs.seat_columns
        ]
        self.numbers = np.array([*seat_bytes, *inputs.counts], np.intp)
        self.first_piece = inputs.kind_width + len(self.numbers)
        self.heads = np.concatenate([net.weight["win"], net.weight["points"]], 1)
        self.head_bias = np.concatenate([net.bias["win"], net.bias["points"]])

    def seat_values(self, rows: Bytes, players: int, mix: float) -> Floats:
        """By row and seat: the win probability plus `mix` times the lead over the others' mean in tens of points."""
        import numpy as np

        net, layout = self.net, self.net.inputs.layout
        out = self.first_layer_inputs(rows)
        for weight, bias in (
            (self.first[: out.shape[1]], net.bias["first"]),
            (net.weight["second"], net.bias["second"]),
        ):
            out = out @ weight
            out += bias
            np.maximum(out, 0, out=out)
        out = out @ self.heads
        out += self.head_bias
        win: Floats = out[:, :players]
        lead: Floats = out[:, layout.seats : layout.seats + players]
        win *= net.sureness[players]
        win[:, 0] -= net.modesty[players]
        win -= win.max(1, keepdims=True)
        np.exp(win, out=win)
        win /= win.sum(1, keepdims=True)
        lead *= np.float32(mix * players / (players - 1))
        lead -= lead.sum(1, keepdims=True) / players
        win += lead
        return win

    def first_layer_inputs(self, rows: Bytes) -> Floats:
        """The inputs of the first layer over the table."""
        import numpy as np

        net = self.net
        summed = self.sum_piece_embeddings_by_seat(rows)
        many, width = len(rows), self.first_piece + summed.shape[1]
        x = np.zeros((many, width), np.float32)
        at = rows.take(net.kinds, 1) + net.kind_first
        at += np.arange(0, many * width, width)[:, None]
        x.reshape(-1)[at] = 1
        x[:, net.inputs.kind_width : self.first_piece] = rows.take(self.numbers, 1)
        x[:, self.first_piece :] = summed
        return x

    def sum_piece_embeddings_by_seat(self, rows: Bytes) -> Floats:
        """By row: the sums over the pieces of each seat that has any."""
        import numpy as np

        net, layout = self.net, self.net.inputs.layout
        words: NDArray[np.int64] = rows.view(np.int64)[:, layout.piece_at // WORD_BYTES :]
        used = int(np.flatnonzero(words.any(0)).max(initial=0)) // layout.pieces + 1
        every = words[:, : used * layout.pieces].ravel()
        first, which = index_distinct_numbers(every)
        distinct = every[first]
        numbers = distinct.view(np.uint8).reshape(-1, WORD_BYTES)[:, : len(net.piece_first)] + net.piece_first
        weight = net.weight["piece"]
        x = weight.take(numbers[:, 0], 0)
        for column in range(1, numbers.shape[1]):
            x += weight.take(numbers[:, column], 0)
        x += net.bias["piece"]
        np.maximum(x, 0, out=x)
        x = x @ net.weight["pieces"]
        x += net.bias["pieces"]
        np.maximum(x, 0, out=x)
        x[distinct == 0] = 0  # a missing piece
        by_piece = x.take(which, 0).reshape(len(rows) * used, layout.pieces, -1)
        out: Floats = by_piece[:, 0].copy()
        for piece in range(1, layout.pieces):
            out += by_piece[:, piece]
        return out.reshape(len(rows), -1)

"""The net of `landfall.bots.value_net` in torch, for training only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from landfall.bots.value_net import LAYERS, PIECE_SUM_WEIGHT, POINTS_PRIOR_WEIGHT, layout_name_with_digest

if TYPE_CHECKING:
    from pathlib import Path

    from landfall.bots.net_inputs import NetInputs


class TorchNet(nn.Module):
    """One small net shared by all pieces, summed by seat; then one over the table."""

    def __init__(self, inputs: NetInputs, sizes: tuple[int, int, int, int]) -> None:
        super().__init__()
        one, summed, wide, narrow = sizes
        self.sizes = sizes
        self.inputs, layout = inputs, inputs.layout
        self.piece = nn.Linear(inputs.piece_width, one)
        self.pieces = nn.Linear(one, summed)
        self.fate = nn.Linear(summed, 1)
        self.first = nn.Linear(inputs.first_layer_width(summed), wide)
        self.second = nn.Linear(wide, narrow)
        self.win = nn.Linear(narrow, layout.seats)
        self.points = nn.Linear(narrow, layout.seats)
        nn.init.normal_(self.piece.weight, 0, 0.15)
        for last in (self.win, self.points):
            last.weight.data.mul_(0.1)
        for name, numbers in {
            "piece_first": inputs.piece_first,
            "kind_first": inputs.kind_first,
            "kinds": inputs.kinds,
            "counts": inputs.counts,
            "seat_columns": inputs.seat_columns,
            "piece_columns": inputs.piece_columns,
        }.items():
            self.register_buffer(name, torch.tensor(numbers, dtype=torch.long), persistent=False)
        for name, scale in {
            "count_scale": inputs.count_scale,
            "seat_scale": inputs.seat_scale,
            "worths": layout.worths or [0.0],
        }.items():
            self.register_buffer(name, torch.tensor(scale, dtype=torch.float32), persistent=False)

    def forward(self, rows: Any) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Win logits and points in tens by seat, fate logits by piece, and the mask of existing pieces."""
        inputs, layout = self.inputs, self.inputs.layout
        many, seats = len(rows), layout.seats
        every = rows[:, layout.piece_at :].reshape(many * seats * layout.pieces, layout.piece_wide)
        at = every[:, 0].nonzero().squeeze(1)
        there = every[at][:, self.piece_columns].long()
        x = F.relu(self.pieces(F.relu(self.embed_pieces(there + self.piece_first))))
        summed = torch.zeros(many * seats, x.shape[1], device=rows.device, dtype=x.dtype)
        whose = torch.div(at, layout.pieces, rounding_mode="floor")
        summed.index_add_(0, whose, x)
        of_seats = rows[:, layout.seat_at : layout.piece_at].reshape(many, seats, -1)[:, :, self.seat_columns].float()
        parts = [summed.float().reshape(many, -1) * PIECE_SUM_WEIGHT, (of_seats * self.seat_scale).reshape(many, -1)]
        players = rows[:, 0].long()
        here = torch.arange(seats, device=rows.device) < players[:, None]
        fate = torch.zeros(len(every), device=rows.device)
        if inputs.fates:
            hope = self.fate(x).squeeze(1).float()
            fate[at] = hope
            expected = torch.zeros(many * seats, device=rows.device)
            expected.index_add_(0, whose, torch.sigmoid(hope) * self.worths[there[:, 1]])
            expected = expected.reshape(many, seats) + of_seats[:, :, inputs.banked] / 4
            parts.append(expected / 10)
        table = torch.zeros(many, inputs.kind_width, device=rows.device)
        table.scatter_(1, rows[:, self.kinds].long() + self.kind_first, 1.0)
        x = torch.cat([*parts, table, rows[:, self.counts] * self.count_scale], 1)
        x = F.relu(self.second(F.relu(self.first(x))))
        win, points = self.win(x).float(), self.points(x).float()
        if inputs.fates:
            own = expected.clone()
            own[:, :2] += expected[:, 2:4] * (players == 2)[:, None]
            own = own / 10
            points = points + own
            win = win + POINTS_PRIOR_WEIGHT * (own - (own * here).sum(1, keepdim=True) / players[:, None])
        return win.masked_fill(~here, -30.0), points * here, fate.reshape(many, -1), (every[:, 0] > 0).reshape(many, -1)

    def embed_pieces(self, numbers: Tensor) -> Tensor:
        """The first layer: the sum of the embeddings of a row's pieces."""
        if not numbers.is_cuda or not torch.is_grad_enabled():  # its gradient is slow there
            return F.embedding_bag(numbers, self.piece.weight.t(), mode="sum") + self.piece.bias
        hot = torch.zeros(len(numbers), self.inputs.piece_width, device=numbers.device)
        return self.piece(hot.scatter_(1, numbers, 1.0))

    def round_weights_to_half(self) -> None:
        """Round the weights as a file would, so that measurements apply to the saved net."""
        for weights in self.parameters():
            weights.data.copy_(weights.data.half().float())

    def save(self, path: Path, sureness: list[float], modesty: list[float]) -> None:
        """Save the weights for `landfall.bots.value_net`, in half precision."""
        import numpy as np

        arrays: dict[str, Any] = {
            "layout": layout_name_with_digest(self.inputs.layout),
            "fields": self.inputs.declaration,
            "sureness": np.array(sureness, np.float32),
            "modesty": np.array(modesty, np.float32),
        }
        for name in LAYERS:
            layer = getattr(self, name)
            arrays[f"{name}.weight"] = layer.weight.detach().t().cpu().numpy().astype(np.float16)
            arrays[f"{name}.bias"] = layer.bias.detach().cpu().numpy().astype(np.float16)
        np.savez_compressed(path, **arrays)


def compute_losses(net: TorchNet, rows: Tensor, win: Tensor, points: Tensor, fates: Tensor) -> list[Tensor]:
    """The losses: winner (cross-entropy), points in tens (squared), fates of the pieces."""
    logits, predicted, fate, there = net(rows)
    out = [-(win * F.log_softmax(logits, 1)).sum(1).mean(), 2 * F.mse_loss(predicted, points)]
    if net.inputs.fates:
        wrong = F.binary_cross_entropy_with_logits(fate, fates, reduction="none") * there
        out.append(wrong.sum() / there.sum().clamp(min=1))
    return out

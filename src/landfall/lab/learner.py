"""The net of `landfall.bots.judge` for torch: what training needs of it. Imported only by who trains."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from landfall.bots.judge import LAYERS, LEANING, SUMMED, Plan

if TYPE_CHECKING:
    from pathlib import Path

    from landfall.core.layout import Layout


class Net(nn.Module):
    """One small net shared by all pieces, summed by seat; then one over the table."""

    def __init__(self, layout: Layout, sizes: tuple[int, int, int, int]) -> None:
        super().__init__()
        one, summed, wide, narrow = sizes
        self.sizes = sizes
        self.plan = plan = Plan(layout)
        self.piece = nn.Linear(plan.piece_width, one)
        self.pieces = nn.Linear(one, summed)
        self.fate = nn.Linear(summed, 1)
        self.first = nn.Linear(plan.width(summed), wide)
        self.second = nn.Linear(wide, narrow)
        self.win = nn.Linear(narrow, layout.seats)
        self.points = nn.Linear(narrow, layout.seats)
        nn.init.normal_(self.piece.weight, 0, 0.15)
        for last in (self.win, self.points):
            last.weight.data.mul_(0.1)
        for name, numbers in {
            "piece_first": plan.piece_first,
            "kind_first": plan.kind_first,
            "kinds": plan.kinds,
            "counts": plan.counts,
        }.items():
            self.register_buffer(name, torch.tensor(numbers, dtype=torch.long), persistent=False)
        for name, scale in {
            "count_scale": plan.count_scale,
            "seat_scale": plan.seat_scale,
            "worths": layout.worths or [0.0],
        }.items():
            self.register_buffer(name, torch.tensor(scale, dtype=torch.float32), persistent=False)

    def forward(self, rows: Any) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Win as logits and points in tens, by seat; every piece's fate as a logit, and which pieces there are."""
        plan, layout = self.plan, self.plan.layout
        many, seats = len(rows), layout.seats
        every = rows[:, layout.piece_at :].reshape(many * seats * layout.pieces, layout.piece_wide)
        at = every[:, 0].nonzero().squeeze(1)
        there = every[at, : len(layout.piece)].long()
        x = F.relu(self.pieces(F.relu(self.embedded(there + self.piece_first))))
        summed = torch.zeros(many * seats, x.shape[1], device=rows.device, dtype=x.dtype)
        whose = torch.div(at, layout.pieces, rounding_mode="floor")
        summed.index_add_(0, whose, x)
        of_seats = rows[:, layout.seat_at : layout.piece_at].reshape(many, seats, -1)[:, :, : len(layout.seat)].float()
        parts = [summed.float().reshape(many, -1) * SUMMED, (of_seats * self.seat_scale).reshape(many, -1)]
        players = rows[:, 0].long()
        here = torch.arange(seats, device=rows.device) < players[:, None]
        fate = torch.zeros(len(every), device=rows.device)
        if plan.fates:
            hope = self.fate(x).squeeze(1).float()
            fate[at] = hope
            expected = torch.zeros(many * seats, device=rows.device)
            expected.index_add_(0, whose, torch.sigmoid(hope) * self.worths[there[:, 1]])
            expected = expected.reshape(many, seats) + of_seats[:, :, plan.banked] / 4
            parts.append(expected / 10)
        table = torch.zeros(many, plan.kind_width, device=rows.device)
        table.scatter_(1, rows[:, self.kinds].long() + self.kind_first, 1.0)
        x = torch.cat([*parts, table, rows[:, self.counts] * self.count_scale], 1)
        x = F.relu(self.second(F.relu(self.first(x))))
        win, points = self.win(x).float(), self.points(x).float()
        if plan.fates:
            own = expected.clone()
            own[:, :2] += expected[:, 2:4] * (players == 2)[:, None]
            own = own / 10
            points = points + own
            win = win + LEANING * (own - (own * here).sum(1, keepdim=True) / players[:, None])
        return win.masked_fill(~here, -30.0), points * here, fate.reshape(many, -1), (every[:, 0] > 0).reshape(many, -1)

    def embedded(self, numbers: Tensor) -> Tensor:
        """The first layer: of a row of kinds, the sum of what each stands for."""
        if not numbers.is_cuda:
            return F.embedding_bag(numbers, self.piece.weight.t(), mode="sum") + self.piece.bias
        hot = torch.zeros(len(numbers), self.plan.piece_width, device=numbers.device)
        return self.piece(hot.scatter_(1, numbers, 1.0))

    def round(self) -> None:
        """Make the weights what a file would give back, so that what is measured is what will play."""
        for weights in self.parameters():
            weights.data.copy_(weights.data.half().float())

    def save(self, path: Path, sureness: list[float], modesty: list[float]) -> None:
        """The weights for `landfall.bots.judge`, in half precision."""
        import numpy as np

        layout = self.plan.layout
        arrays: dict[str, Any] = {
            "sureness": np.array(sureness, np.float32),
            "modesty": np.array(modesty, np.float32),
        }
        for name in LAYERS:
            layer = getattr(self, name)
            arrays[f"{name}.weight"] = layer.weight.detach().t().cpu().numpy().astype(np.float16)
            arrays[f"{name}.bias"] = layer.bias.detach().cpu().numpy().astype(np.float16)
        np.savez_compressed(path, layout=f"{layout.name} {layout.version} {layout.digest()}", **arrays)


def losses(net: Net, rows: Tensor, win: Tensor, points: Tensor, fates: Tensor) -> list[Tensor]:
    """How far off it is: who wins (cross-entropy), points in tens (squared), what becomes of the pieces."""
    logits, told, fate, there = net(rows)
    out = [-(win * F.log_softmax(logits, 1)).sum(1).mean(), 2 * F.mse_loss(told, points)]
    if net.plan.fates:
        wrong = F.binary_cross_entropy_with_logits(fate, fates, reduction="none") * there
        out.append(wrong.sum() / there.sum().clamp(min=1))
    return out

"""Whether two implementations step the same matches: choices, feature rows, results, fates, and whose turn it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from landfall.lab.training.batched_self_play import NO_ACTION

if TYPE_CHECKING:
    from torch import Tensor

    from landfall.lab.training.batched_self_play import MatchesInStep


def find_difference(one: MatchesInStep, other: MatchesInStep, steps: int, most: int) -> str:
    """Play the same random choices in both. Returns what differs first, and where; "" if nothing does."""
    chance = torch.Generator().manual_seed(1)
    every = torch.arange(one.matches)
    for step in range(steps):
        (actions, counts), listed = one.list_choices(most), other.list_choices(most)
        match, column = (torch.arange(most) < counts.cpu()[:, None]).nonzero(as_tuple=True)
        matches = torch.cat([every, match])
        asked = torch.cat([torch.full_like(every, NO_ACTION), actions.cpu()[match, column]])
        chosen = actions.cpu().gather(1, (torch.rand(len(every), generator=chance) * counts.cpu()).long()[:, None])
        compared: list[tuple[str, Tensor, Tensor]] = [
            ("players", one.players, other.players),
            ("actor", one.actor.clone(), other.actor.clone()),
            ("in_setup", one.in_setup.clone(), other.in_setup.clone()),
            ("choices", actions, listed[0]),
            ("counts", counts, listed[1]),
        ]
        rows = [batch.encode_choices(matches.to(batch.device), asked.to(batch.device)) for batch in (one, other)]
        compared.append(("rows", rows[0], rows[1]))
        played = [batch.play(chosen.squeeze(1).to(batch.device)) for batch in (one, other)]
        compared += [(name, played[0][i], played[1][i]) for i, name in enumerate(("ended", "result", "saved"))]
        for name, mine, theirs in compared:
            wrong = (mine.cpu() != theirs.cpu()).nonzero()
            if len(wrong):
                at = wrong[0].tolist()
                match_of = int(matches[at[0]]) if name == "rows" else at[0]
                return f"{name} differ in step {step}, match {match_of}, at {at}: {len(wrong)} numbers"
    return ""

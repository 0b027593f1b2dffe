"""Self-play of thousands of matches in step, on one device: positions, feature rows, net, targets and optimiser stay
there. `docs/nets.md` explains what is learnt; `MatchesInStep` says what the device must offer.

What is predicted of a position, and what is learnt of it, is one vector: win shares by seat, points in tens by seat,
and in games that save pieces whether each is saved.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol

import torch
from torch import Tensor

from landfall.core.rng import Rng
from landfall.lab.training.torch_net import TorchNet, compute_losses

if TYPE_CHECKING:
    from landfall.core.feature_layout import FeatureLayout

ROWS_A_PASS: Final = 65_536  # rows that a net evaluates at once
NO_ACTION: Final = -1  # encodes the position before the choice


class MatchesInStep(Protocol):
    """Matches that stand at a decision; a finished one has already been replaced by a new one.

    Vectors are tensors on `device`. Chance is resolved between decisions.
    """

    device: torch.device
    layout: FeatureLayout
    matches: int
    players: Tensor  # by match
    actor: Tensor  # the seat to choose, by match
    in_setup: Tensor  # whether pieces are still placed, by match

    def list_choices(self, most: int) -> tuple[Tensor, Tensor]:
        """Legal actions by match, in rows of `most` columns, and how many each row has; of more, a sample."""

    def encode_choices(self, match: Tensor, action: Tensor) -> Tensor:
        """The feature rows after these actions, as the choosing seat knows the position."""

    def play(self, chosen: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Play an action in every match: which matches ended; by seat who won which share, then the points in tens; by
        seat which pieces are saved by now, in the order of that seat's rows."""


def tables_of_matches(tables: int, matches: int) -> list[int]:
    """The table of each match: as many of each, side by side."""
    return [i * tables // matches for i in range(matches)]


def generator_words(seed: int, matches: int) -> list[int]:
    """Where the generator of each match begins."""
    return [int(Rng(seed * 1_000_003 + i * 2).word) for i in range(matches)]


@dataclass(frozen=True)
class BatchRecipe:
    """How the matches are played, and what is learnt."""

    steps: int = 32  # decisions of every match between two rounds of learning
    trust: float = 0.95  # lambda of the targets: 1 is the result, 0 the next prediction
    mix: float = 0.6  # value of a lead of ten points, in wins
    noise: float = 0.01  # of a choice's value; doubled in the set-up
    most: int = 64  # choices evaluated; of more, a sample
    mixed: float = 0.25  # share of matches with some seats played by a net of the league
    lone: bool = False  # in those, the net that learns has one seat; else each seat is its own with even chances
    before: float = 0.1  # share of positions also learnt before the choice
    batch: int = 16_384
    reuse: float = 0.6  # how often a position is learnt from, on average
    rate: float = 6e-4
    average: float = 0.999  # decay of the weights' moving average, which plays
    seed: int = 1


@dataclass
class Lessons:
    """Positions and what is to be learnt from them."""

    seats: int
    rows: list[Tensor] = field(default_factory=list)
    targets: list[Tensor] = field(default_factory=list)

    def add(self, kept: Tensor, rows: Tensor, targets: Tensor) -> None:
        """Add the rows that are kept."""
        self.rows.append(rows[kept])
        self.targets.append(targets[kept])

    def joined(self) -> list[Tensor]:
        """Rows, win shares, points, fates."""
        return [torch.cat(self.rows), *split_targets(torch.cat(self.targets), self.seats)]


@dataclass
class Step:
    """One decision of every match."""

    actor: Tensor
    rows: Tensor  # after the choice
    predicted: Tensor  # of these rows
    learnt: Tensor  # whether the net that learns chose, among several
    ended: Tensor
    result: Tensor  # of matches that ended, by seat: win shares, then points
    saved: Tensor  # by seat: the pieces
    players: Tensor
    before: Tensor  # matches whose position before the choice is learnt, too
    rows_before: Tensor


class BatchedSelfPlay:
    """Plays matches in step with a net at every seat, and turns them into lessons."""

    def __init__(self, batch: MatchesInStep, net: TorchNet, recipe: BatchRecipe) -> None:
        self.batch, self.net, self.recipe = batch, net, recipe
        self.seats = batch.layout.seats
        self.chance = torch.Generator(batch.device).manual_seed(recipe.seed)
        self.opponent: TorchNet | None = None  # a net of the league
        self.warmth = torch.tensor([0.5, 1.0, 2.0], device=batch.device)[self.random_integers(3, batch.matches)]
        self.theirs = self.draw_seats_of_opponent()
        self.decisions = self.games = self.rows = 0

    def random_integers(self, bound: int, count: int) -> Tensor:
        return torch.randint(bound, (count,), generator=self.chance, device=self.batch.device)

    def random_shares(self, *size: int) -> Tensor:
        return torch.rand(*size, generator=self.chance, device=self.batch.device)

    def draw_seats_of_opponent(self) -> Tensor:
        """The seats that a net of the league plays, by match: each with even chances in some matches, else none."""
        n = self.batch.matches
        if self.recipe.lone:
            own = (self.random_shares(n) * self.batch.players).long()
            theirs = torch.arange(self.seats, device=self.batch.device) != own[:, None]
        else:
            theirs = self.random_shares(n, self.seats) < 0.5
        return theirs & (self.random_shares(n, 1) < self.recipe.mixed)

    # --- playing ---------------------------------------------------------------------------------------------------

    def play_steps(self) -> list[Step]:
        """Play every match by the recipe's number of decisions."""
        return [self.play_step() for _ in range(self.recipe.steps)]

    def play_step(self) -> Step:
        """Play one decision in every match."""
        with torch.inference_mode():
            return self.play_decision()

    def play_decision(self) -> Step:
        batch, recipe = self.batch, self.recipe
        n = batch.matches
        actor, players = batch.actor.clone(), batch.players.clone()
        foreign = self.theirs.gather(1, actor[:, None]).squeeze(1) if self.opponent else torch.zeros_like(actor) > 0
        before = (self.random_shares(n) < recipe.before).nonzero().squeeze(1)
        rows_before = batch.encode_choices(before, torch.full_like(before, NO_ACTION))
        actions, counts = batch.list_choices(recipe.most)
        spread = recipe.noise * self.warmth * (1 + batch.in_setup.float()) * ~foreign
        chosen, rows, predicted = self.choose(actions, counts, players, foreign, spread)
        ended, result, saved = batch.play(chosen)
        predicted = with_known_fates(predicted, rows, saved[torch.arange(n, device=batch.device), actor], batch.layout)
        if bool(ended.any()):
            self.theirs = torch.where(ended[:, None], self.draw_seats_of_opponent(), self.theirs)
        self.decisions += n
        self.games += int(ended.sum())
        learnt = (counts > 1) & ~foreign
        return Step(actor, rows, predicted, learnt, ended, result, saved, players, before, rows_before)

    def choose(
        self, actions: Tensor, counts: Tensor, players: Tensor, foreign: Tensor, spread: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """The action of every match with the highest value after noise, its row, and the prediction for it."""
        there = torch.arange(actions.shape[1], device=actions.device) < counts[:, None]
        match, column = there.nonzero(as_tuple=True)
        rows = self.batch.encode_choices(match, actions[match, column])
        self.rows += len(rows)
        predicted = self.predict(rows, foreign[match])
        value = mixed_values(predicted, players[match], self.seats, self.recipe.mix)
        uniform = self.random_shares(len(value)).clamp(1e-9, 1 - 1e-7)
        value = value - spread[match] * torch.log(-torch.log(uniform))
        table = torch.full(actions.shape, float("-inf"), device=actions.device)
        table[match, column] = value
        best = table.argmax(1)
        at = (counts.cumsum(0) - counts) + best
        return actions.gather(1, best[:, None]).squeeze(1), rows[at], predicted[at]

    def predict(self, rows: Tensor, foreign: Tensor) -> Tensor:
        """What is predicted of rows; of those that are foreign, by the opponent."""
        if self.opponent is None:
            return predict_rows(self.net, rows)
        predicted = torch.empty(len(rows), 2 * self.seats + self.batch.layout.saved_pieces, device=rows.device)
        for net, at in ((self.net, ~foreign), (self.opponent, foreign)):
            predicted[at] = predict_rows(net, rows[at])
        return predicted

    # --- targets ---------------------------------------------------------------------------------------------------

    def lessons_of(self, steps: list[Step]) -> list[Tensor]:
        """TD(lambda) along each seat's own choices: from the result, or from its last prediction among these steps."""
        n, seats, trust = self.batch.matches, self.seats, self.recipe.trust
        device = self.batch.device
        width = 2 * seats + self.batch.layout.saved_pieces
        target = torch.zeros(n, seats, width, device=device)  # by match and seat, from that seat
        known = torch.zeros(n, seats, dtype=torch.bool, device=device)
        every = torch.arange(n, device=device)
        found = Lessons(seats)
        for step in reversed(steps):
            final = torch.cat([results_from_each_seat(step.result, step.players, seats), step.saved.float()], 2)
            target = torch.where(step.ended[:, None, None], final, target)
            known = known | step.ended[:, None]
            own, sure = target[every, step.actor], known[every, step.actor]
            found.add(step.learnt & sure, step.rows, own)
            mixed = torch.where(sure[:, None], trust * own + (1 - trust) * step.predicted, step.predicted)
            own = torch.where(step.learnt[:, None], mixed, own)
            target[every, step.actor] = own
            known[every, step.actor] = sure | step.learnt
            at = step.before
            found.add(known[every, step.actor][at], step.rows_before, own[at])
        return found.joined()


def split_targets(targets: Tensor, seats: int) -> tuple[Tensor, Tensor, Tensor]:
    """Win shares, points and fates."""
    return targets[:, :seats], targets[:, seats : 2 * seats], targets[:, 2 * seats :]


def mixed_values(predicted: Tensor, players: Tensor, seats: int, mix: float) -> Tensor:
    """The viewing seat's share of the win plus `mix` times its lead over the others' mean, in tens of points."""
    _, points, _ = split_targets(predicted, seats)
    others = (points.sum(1) - points[:, 0]) / (players - 1)  # of seats that are not there: 0
    return predicted[:, 0] + mix * (points[:, 0] - others)


def predict_rows(net: TorchNet, rows: Tensor) -> Tensor:
    """What is predicted of rows, in passes that fit the memory."""
    layout = net.inputs.layout
    found = [torch.empty(0, 2 * layout.seats + layout.saved_pieces, device=rows.device)]
    for part in rows.split(ROWS_A_PASS) if len(rows) else ():
        win, points, fates, _ = net(part)
        found.append(torch.cat([torch.softmax(win, 1), points, torch.sigmoid(fates[:, : layout.saved_pieces])], 1))
    return torch.cat(found)


def with_known_fates(predicted: Tensor, rows: Tensor, saved: Tensor, layout: FeatureLayout) -> Tensor:
    """Predictions with the fates of pieces that are not in their row any more: saved, or lost."""
    if not layout.saved_pieces:
        return predicted
    there = rows[:, layout.piece_at :: layout.piece_wide] > 0
    fates = torch.where(there, predicted[:, 2 * layout.seats :], saved.float())
    return torch.cat([predicted[:, : 2 * layout.seats], fates], 1)


def results_from_each_seat(result: Tensor, players: Tensor, seats: int) -> Tensor:
    """Results by absolute seat, seen from each seat in turn order; seats that are not there have none."""
    seat = torch.arange(seats, device=result.device)
    order = (seat[None, :, None] + seat[None, None, :]) % players[:, None, None].clamp(min=1)
    there = seat[None, None, :] < players[:, None, None]
    n = len(result)
    parts = [
        part[:, None, :].expand(n, seats, seats).gather(2, order) * there
        for part in (result[:, :seats], result[:, seats:])
    ]
    return torch.cat(parts, 2)


class BatchLearner:
    """The net that learns, its moving average, which plays, and the optimiser."""

    def __init__(self, net: TorchNet, average: TorchNet, recipe: BatchRecipe) -> None:
        self.net, self.average, self.recipe = net, average, recipe
        self.optimizer = torch.optim.Adam(net.parameters(), lr=recipe.rate)
        self.steps = 0

    def learn(self, lessons: list[Tensor], share: float, chance: torch.Generator) -> list[float]:
        """Learn from each lesson `reuse` times; the rate falls to zero over the second half of a run (`share`)."""
        rows, win, points, fates = lessons
        recipe = self.recipe
        rate = recipe.rate * min(1.0, max(0.02, 2 * (1 - share)))
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        count = len(rows)
        order = torch.cat([torch.randperm(count, generator=chance, device=rows.device) for _ in range(2)])
        found: list[Tensor] = []
        for at in order[: max(recipe.batch, int(count * recipe.reuse))].split(recipe.batch):
            found = compute_losses(self.net, rows[at], win[at], points[at], fates[at])
            self.optimizer.zero_grad(set_to_none=True)
            torch.stack(found).sum().backward()
            torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
            self.optimizer.step()
            self.steps += 1
            left = min(recipe.average, self.steps / (self.steps + 10))
            with torch.no_grad():
                means, now = list(self.average.parameters()), list(self.net.parameters())
                torch._foreach_lerp_(means, now, 1 - left)
        return [float(x.detach()) for x in found]

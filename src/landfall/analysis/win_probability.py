"""Win probability after each choice, predicted by the game's net from one seat's knowledge.

`evaluate_choices` evaluates the position after every choice; `roll_out_lines` compares choices by rollouts in the same
worlds with the same dice. Both take a Seat, which never holds the true position. The net runs where
`landfall.bots.net_backend` says: in numpy, or in a browser.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import erf, fsum, sqrt
from operator import mul
from typing import TYPE_CHECKING, Final

from landfall.bots import net_backend, value_net
from landfall.bots.search.rollout_contest import LowDiscrepancyRng, roll_out_greedily
from landfall.core.feature_layout import RowBuffer
from landfall.core.rng import Rng
from landfall.core.state import OVER, State

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from landfall.bots.contract import Seat

Row = list[float]  # a win probability by seat
BUFFER_ROWS: Final = 1024  # rows of the buffer; a full buffer is evaluated and reused
MAX_CHOICES: Final = 600  # choices evaluated; of more (hand tiles: a thousand) a sample, and those in `must`
MAX_LINE_CHOICES: Final = 8  # choices added to complete a step of the turn


@dataclass(frozen=True)
class Choice:
    """One choice and each seat's win probability after it; `tries` worlds or rollouts, and their standard error."""

    action: int
    chance: float  # of the seat that chooses
    chances: tuple[float, ...]  # by seat; the sum is 1
    error: float  # standard error of `chance` over the worlds
    tries: int


@dataclass(frozen=True)
class Lead:
    """The best choice's lead over the next, and the confidence in it (0.5: none; 1: certain)."""

    margin: float
    confidence: float


class EvaluationBatch:
    """Positions to evaluate in one batch, each from one seat's view; finished games have a known result.

    A process has one row buffer per game: a new batch overwrites the previous one.
    """

    def __init__(self, game: str, players: int) -> None:
        require_net(game)
        self.net = net_backend.load_net(game)
        self.sheet = row_buffer_of(game)
        self.sheet.restart_at_first_row()
        self.players = players
        self.pending: list[tuple[int, int]] = []  # of the rows in the buffer: the position's number and viewing seat
        self.rows: list[Row] = []  # by position

    def add(self, state: State, seat: int) -> None:
        """Add a position."""
        if state.actor == OVER:
            self.rows.append(list(win_shares(state)))
            return
        if int(self.sheet.used) == BUFFER_ROWS:
            self.evaluate_pending()
        state.write_features(seat, self.sheet)
        self.pending.append((len(self.rows), seat))
        self.rows.append([])

    def evaluate_pending(self) -> None:
        """Evaluate the rows in the buffer."""
        if not self.pending:
            return
        players = self.players
        found = self.net.win_probabilities(self.sheet, len(self.pending), players)
        for (number, seat), row in zip(self.pending, found, strict=True):
            at = players - seat  # a row begins with the viewing seat
            self.rows[number] = row[at:] + row[:at]
        self.pending.clear()
        self.sheet.restart_at_first_row()

    def win_probabilities(self) -> list[Row]:
        """The win probability by position and seat."""
        self.evaluate_pending()
        return self.rows


def require_net(game: str) -> None:
    """Raise MissingExtra or MissingNet if no net can run here."""
    net_backend.require_backend()
    if not (value_net.NETS_DIR / f"{game}.npz").is_file():
        raise value_net.MissingNet(f"there is none for {game}")


@cache
def row_buffer_of(game: str) -> RowBuffer:
    """This process's row buffer for a game, created on first use."""
    return RowBuffer(value_net.layout_of(game), BUFFER_ROWS)


def win_shares(state: State) -> tuple[float, ...]:
    """Each seat's share of the win in a finished game."""
    winners = state.ranking()[0]["seats"]
    assert isinstance(winners, list)
    return tuple(1 / len(winners) if seat in winners else 0.0 for seat in range(int(state.players)))


def evaluate_choices(seat: Seat, worlds: int = 1, must: Collection[int] = ()) -> list[Choice]:
    """Evaluate every choice by the net before the chance event that follows; best first.

    More than one world helps only if a choice itself reveals something. Choices in `must` are always evaluated.
    """
    actions = legal_or_sampled_actions(seat, must)
    ledger = EvaluationBatch(seat.game, seat.players)
    for _ in range(worlds):
        world = seat.sample(seat.rng)
        for action in actions:
            after = world.copy()
            after.apply(action)
            ledger.add(after, seat.number)
    return rank_choices(actions, group_rows_by_world(ledger, len(actions)), seat.number)


def pick_first_and_required(first: Sequence[Choice], lines: int, must: Collection[int] = ()) -> list[int]:
    """The first `lines` choices and those in `must`."""
    taken = [choice.action for choice in first[:lines]]
    return taken + [action for action in must if action not in taken]


def roll_out_lines(seat: Seat, lines: list[list[int]], worlds: int, rounds: int = 1) -> list[list[Row]]:
    """Roll out lines of choices; the win probability by world, line and seat."""
    ledger = EvaluationBatch(seat.game, seat.players)
    chance = LowDiscrepancyRng(int(seat.rng.randbelow(1 << 30)))
    for number in range(worlds):
        world = seat.sample(seat.rng)
        seed = int(seat.rng.randbelow(1 << 30))
        for line in lines:
            end = world.copy()
            mark = end.turn_key()
            chance.begin_round(number)
            for action in line:
                end.apply(action)
            roll_out_greedily(end, end.players * rounds if rounds else 1 << 30, mark, chance, Rng(seed))
            ledger.add(end, seat.number)
    return group_rows_by_world(ledger, len(lines))


def group_rows_by_world(batch: EvaluationBatch, lines: int) -> list[list[Row]]:
    """The win probability by world, line and seat, of positions that were added line by line in each world."""
    rows = batch.win_probabilities()
    return [rows[first : first + lines] for first in range(0, len(rows), lines)]


def standard_error(values: Sequence[float]) -> float:
    """The standard error of the mean of several values."""
    mean, many = fsum(values) / len(values), len(values)
    return sqrt(fsum((value - mean) ** 2 for value in values) / (many - 1) / many)


def estimate_lead_from_differences(apart: Sequence[float]) -> Lead:
    """The lead of one choice over another, from the differences in each world."""
    margin = fsum(apart) / len(apart)
    error = standard_error(apart) if len(apart) > 1 else 1.0
    if error == 0:
        return Lead(margin, 1.0 if margin > 0 else 0.5)
    return Lead(margin, 0.5 * (1 + erf(margin / (error * sqrt(2)))))


def legal_or_sampled_actions(seat: Seat, must: Collection[int]) -> list[int]:
    """The legal choices; of too many a sample, and those that must be included."""
    legal = seat.legal_actions
    if len(legal) <= MAX_CHOICES:
        return legal
    kept = set(must)
    for i in range(MAX_CHOICES):
        j = i + int(seat.rng.randbelow(len(legal) - i))
        legal[i], legal[j] = legal[j], legal[i]
        kept.add(legal[i])
    return sorted(kept)


def extend_choice_to_end_of_step(seat: Seat, action: int) -> list[int]:
    """A choice followed by the net's choices until the step of the turn ends."""
    world = seat.sample(seat.rng)
    if world.is_setup():
        return [action]
    mark, actions = world.step_key(), [action]
    world.apply(action)
    while world.actor == seat.number and world.step_key() == mark and len(actions) < MAX_LINE_CHOICES:
        ledger = EvaluationBatch(seat.game, seat.players)
        legal = world.legal_actions()[:MAX_CHOICES]
        for each in legal:
            after = world.copy()
            after.apply(each)
            ledger.add(after, seat.number)
        own = [row[seat.number] for row in ledger.win_probabilities()]
        best = legal[own.index(max(own))]
        actions.append(best)
        world.apply(best)
    return actions


def rank_choices(actions: list[int], probabilities: list[list[Row]], seat: int) -> list[Choice]:
    """Turn win probabilities by world, choice and seat into choices, best first."""
    found = []
    for i, action in enumerate(actions):
        rows = [world[i] for world in probabilities]
        mean = mean_row(rows)
        error = standard_error([row[seat] for row in rows]) if len(rows) > 1 else 0.0
        found.append(Choice(action, mean[seat], tuple(mean), error, len(rows)))
    return sorted(found, key=lambda choice: -choice.chance)


def mean_row(rows: Sequence[Row], weights: Sequence[float] = ()) -> Row:
    """The mean by seat."""
    if not weights:
        return [fsum(column) / len(rows) for column in zip(*rows, strict=True)]
    whole = fsum(weights)
    return [fsum(map(mul, column, weights)) / whole for column in zip(*rows, strict=True)]

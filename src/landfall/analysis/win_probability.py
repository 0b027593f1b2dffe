"""The win probability after each choice, from what a seat can know alone, as the game's net predicts it.

`evaluate_choices` looks at what every choice leads to; `search_choices` plays the best of them on, in the same worlds
and with the same dice. Both take a Seat, which never holds the true position. Needs numpy.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import erf, sqrt
from typing import TYPE_CHECKING, Final

from landfall.bots import value_net
from landfall.bots.search.rollout_contest import LowDiscrepancyRng, roll_out
from landfall.core.feature_layout import RowBuffer
from landfall.core.rng import Rng
from landfall.core.state import OVER, State
from landfall.extras import require_extra

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from landfall.bots.contract import Seat
    from landfall.bots.value_net import Floats

BUFFER_ROWS: Final = 1024  # rows of the sheet: judged and begun anew when they are full
# choices looked at; of more (hand tiles: a thousand), so many drawn, beside those that must be
MAX_CHOICES: Final = 600
MAX_LINE_CHOICES: Final = 8  # choices with which a step of the turn is brought to its end


@dataclass(frozen=True)
class Choice:
    """One choice and each seat's chance to win after it; `tries` worlds or playouts, and how far off by their luck."""

    action: int
    chance: float  # of the seat that chooses
    chances: tuple[float, ...]  # by seat; they add up to 1
    error: float  # standard error of `chance`, from world to world
    tries: int


@dataclass(frozen=True)
class Lead:
    """How far the best choice is ahead of the next, and how sure that is (0.5: not at all; 1: quite)."""

    margin: float
    confidence: float


class EvaluationBatch:
    """Positions to be judged, each as one seat knows it, all at once; what is over is not judged but known.

    A process has one sheet a game: whoever begins a ledger has done with the one before.
    """

    def __init__(self, game: str, players: int) -> None:
        require_net(game)
        self.net = value_net.load_packaged(game)
        self.sheet = row_buffer_of(game)
        self.sheet.clear()
        self.players = players
        self.seats: list[int] = []  # who looks, by position
        self.parts: list[Floats] = []
        self.over: dict[int, tuple[float, ...]] = {}  # by number of position

    def add(self, state: State, seat: int) -> None:
        """One more position."""
        if state.actor == OVER:
            self.over[len(self.seats)] = win_shares(state)
        if int(self.sheet.used) == BUFFER_ROWS:
            self.evaluate_pending()
        state.write_features(seat, self.sheet)
        self.seats.append(seat)

    def evaluate_pending(self) -> None:
        """Judge what is on the sheet."""
        used = int(self.sheet.used)
        if used:
            win, _ = self.net.predict(value_net.rows_as_array(self.sheet)[:used])
            self.parts.append(win[:, : self.players])
            self.sheet.clear()

    def win_probabilities(self) -> Floats:
        """By position and seat, the chance to win."""
        import numpy as np

        self.evaluate_pending()
        if not self.parts:
            return np.zeros((0, self.players), np.float32)
        told = np.concatenate(self.parts)
        at = (np.arange(self.players) - np.array(self.seats)[:, None]) % self.players  # a row begins with who looks
        out: Floats = np.take_along_axis(told, at, 1)
        for number, shares in self.over.items():
            out[number] = shares
        return out


def require_net(game: str) -> None:
    """MissingExtra or NoNet, if nothing can be judged here."""
    require_extra("play", "numpy")
    if not (value_net.NETS_DIR / f"{game}.npz").is_file():
        raise value_net.MissingNet(f"there is none for {game}")


@cache
def row_buffer_of(game: str) -> RowBuffer:
    """The sheet this process writes a game's positions on, made when first needed."""
    return RowBuffer(value_net.layout_of(game), BUFFER_ROWS)


def win_shares(state: State) -> tuple[float, ...]:
    """Each seat's share of the win in a game that is over."""
    winners = state.ranking()[0]["seats"]
    assert isinstance(winners, list)
    return tuple(1 / len(winners) if seat in winners else 0.0 for seat in range(int(state.players)))


def evaluate_choices(seat: Seat, worlds: int = 1, must: Collection[int] = ()) -> list[Choice]:
    """Every choice as the net sees what it leads to, before any chance that follows; the best first.

    More worlds than one are of use where a choice itself uncovers something. `must`: looked at however many there are.
    """
    actions = candidate_actions(seat, must)
    ledger = EvaluationBatch(seat.game, seat.players)
    for _ in range(worlds):
        world = seat.sample(seat.rng)
        for action in actions:
            after = world.copy()
            after.apply(action)
            ledger.add(after, seat.number)
    told = ledger.win_probabilities().reshape(worlds, len(actions), seat.players)
    return rank_choices(actions, told, seat.number)


def search_choices(
    seat: Seat, worlds: int = 64, lines: int = 6, rounds: int = 1, must: Collection[int] = ()
) -> tuple[list[Choice], Lead]:
    """The `lines` best choices, and those that must be, each brought to the end of its step as the net would, then
    played on for `rounds` rounds (0: to the end) by greedy choices of all, in the same worlds with the same dice."""
    taken = pick_promising(evaluate_choices(seat, 1, must), lines, must)
    told = roll_out_choices(seat, taken, worlds, rounds)
    found = rank_choices(taken, told, seat.number)
    if len(found) < 2:
        return found, Lead(1.0, 1.0)
    best, next_best = taken.index(found[0].action), taken.index(found[1].action)
    return found, compute_lead(told[:, best, seat.number] - told[:, next_best, seat.number])


def pick_promising(first: Sequence[Choice], lines: int, must: Collection[int] = ()) -> list[int]:
    """The first so many, and those that must be."""
    taken = [choice.action for choice in first[:lines]]
    return taken + [action for action in must if action not in taken]


def roll_out_choices(seat: Seat, actions: list[int], worlds: int, rounds: int = 1) -> Floats:
    """By world, choice and seat, the chance to win where each choice leads to when it is played on."""
    return roll_out_lines(seat, [complete_step(seat, action) for action in actions], worlds, rounds)


def roll_out_lines(seat: Seat, lines: list[list[int]], worlds: int, rounds: int = 1) -> Floats:
    """The same of lines of choices."""
    ledger = EvaluationBatch(seat.game, seat.players)
    chance = LowDiscrepancyRng(int(seat.rng.randbelow(1 << 30)))
    for number in range(worlds):
        world = seat.sample(seat.rng)
        seed = int(seat.rng.randbelow(1 << 30))
        for line in lines:
            end = world.copy()
            mark = end.turn_id()
            chance.begin_round(number)
            for action in line:
                end.apply(action)
            roll_out(end, end.players * rounds if rounds else 1 << 30, mark, chance, Rng(seed))
            ledger.add(end, seat.number)
    return ledger.win_probabilities().reshape(worlds, len(lines), seat.players)


def compute_lead(apart: Floats) -> Lead:
    """How far one is ahead of another, by the difference in each world."""
    margin = float(apart.mean())
    error = float(apart.std(ddof=1)) / sqrt(len(apart)) if len(apart) > 1 else 1.0
    if error == 0:
        return Lead(margin, 1.0 if margin > 0 else 0.5)
    return Lead(margin, 0.5 * (1 + erf(margin / (error * sqrt(2)))))


def candidate_actions(seat: Seat, must: Collection[int]) -> list[int]:
    """The choices there are; of too many, so many drawn and those that must be."""
    legal = seat.legal_actions
    if len(legal) <= MAX_CHOICES:
        return legal
    kept = set(must)
    for i in range(MAX_CHOICES):
        j = i + int(seat.rng.randbelow(len(legal) - i))
        legal[i], legal[j] = legal[j], legal[i]
        kept.add(legal[i])
    return sorted(kept)


def complete_step(seat: Seat, action: int) -> list[int]:
    """A choice, and what the net would choose after it until the step of the turn is over."""
    world = seat.sample(seat.rng)
    if world.is_setup():
        return [action]
    mark, actions = world.step_id(), [action]
    world.apply(action)
    while world.actor == seat.number and world.step_id() == mark and len(actions) < MAX_LINE_CHOICES:
        ledger = EvaluationBatch(seat.game, seat.players)
        legal = world.legal_actions()[:MAX_CHOICES]
        for each in legal:
            after = world.copy()
            after.apply(each)
            ledger.add(after, seat.number)
        best = legal[int(ledger.win_probabilities()[:, seat.number].argmax())]
        actions.append(best)
        world.apply(best)
    return actions


def rank_choices(actions: list[int], told: Floats, seat: int) -> list[Choice]:
    """By world, choice and seat what was told, as choices, the best first."""
    mean = told.mean(0)
    many = len(told)
    error = told[:, :, seat].std(0, ddof=1) / sqrt(many) if many > 1 else mean[:, seat] * 0
    found = [
        Choice(action, float(mean[i, seat]), tuple(map(float, mean[i])), float(error[i]), many)
        for i, action in enumerate(actions)
    ]
    return sorted(found, key=lambda choice: -choice.chance)

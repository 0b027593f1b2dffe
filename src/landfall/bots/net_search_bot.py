"""The search with a net: the best lines of the current step are rolled out for a round with greedy choices of all
seats, in the same worlds with the same dice. The net evaluates their final positions in batches."""

from __future__ import annotations

from functools import cache
from time import thread_time
from typing import TYPE_CHECKING, Final

from landfall.bots import net_backend, value_net
from landfall.bots.contract import Bot, Seat, Thought
from landfall.bots.search.afterstate_rows import encode_row, write_afterstates
from landfall.bots.search.rollout_contest import LowDiscrepancyRng, roll_out_greedily
from landfall.core.feature_layout import RowBuffer
from landfall.core.rng import Rng
from landfall.core.state import OVER, State

if TYPE_CHECKING:
    from collections.abc import Sequence

    from landfall.bots.net_backend import NetEvaluator

BUFFER_ROWS: Final = 8192  # rows of the buffer
MAX_CHOICES: Final = 1024  # choices evaluated in one position; of more, a sample
MAX_LINE_CHOICES: Final = 8  # choices of a line
PRIOR_ROLLOUTS: Final = 4  # weight of the net's estimate of a line, in rollouts


@cache
def row_buffer_of(game: str) -> RowBuffer:
    """This process's row buffer for a game, created on first use."""
    return RowBuffer(value_net.layout_of(game), BUFFER_ROWS)


class CandidateLine:
    """A seat's choices until its step of the turn ends, with their results."""

    def __init__(self, actions: list[int], state: State, value: float) -> None:
        self.actions = actions
        self.state = state  # the position it leads to so far
        self.value = value  # the net's estimate
        self.total = PRIOR_ROLLOUTS * value
        self.rollouts = 0

    def mean_value_with_prior(self) -> float:
        """Its mean value, with the net's estimate as a prior."""
        return self.total / (PRIOR_ROLLOUTS + self.rollouts)


class NetSearchBot(Bot):
    """Compares its `lines` most promising lines in `worlds` worlds per stage, or for `ms` milliseconds."""

    name = "netsearch"
    version = "1"

    def __init__(self, ms: int = 0, worlds: int = 8, lines: int = 6, mix: float = 0.6, file: str = "") -> None:
        self.ms = ms  # processor time for a choice; 0: no limit
        self.worlds = worlds
        self.lines = lines
        self.mix = mix  # value of a lead of ten points, in wins
        self.file = file  # a net from a file
        self.own_net: NetEvaluator | None = None
        # the view that the seat expects, and its planned actions
        self.planned_rest: tuple[bytes, list[int]] | None = None
        net_backend.require_backend()

    def choose(self, seat: Seat) -> int:
        legal = seat.legal_actions
        self.line = ()
        if len(legal) == 1:
            self.thoughts = [Thought(legal[0], 0, 0.0)]
            return legal[0]
        world = seat.sample(seat.rng)
        rest, self.planned_rest = self.planned_rest, None
        if rest and rest[1][0] in legal and encode_row(world, seat.number, row_buffer_of(seat.game)) == rest[0]:
            self.thoughts = [Thought(rest[1][0], 0, 0.0)]
            return self.begin_line_and_keep_rest(seat, world, rest[1])
        began = thread_time()
        found = self.best_lines(seat, world)
        if len(found) > 1 and not world.is_setup():
            self.compare_lines(seat, world, found, began)
        best = max(found, key=lambda line: (line.rollouts, line.mean_value_with_prior()))
        order = sorted(found, key=lambda line: (-line.rollouts, -line.mean_value_with_prior()))
        self.thoughts = [Thought(line.actions[0], line.rollouts, line.mean_value_with_prior()) for line in order]
        return self.begin_line_and_keep_rest(seat, world, best.actions)

    def begin_line_and_keep_rest(self, seat: Seat, world: State, actions: list[int]) -> int:
        """Play the first action of a line; remember the others for the views expected."""
        self.line = actions
        if len(actions) > 1:
            after = world.copy()
            after.apply(actions[0])
            if after.actor == seat.number:
                self.planned_rest = (encode_row(after, seat.number, row_buffer_of(seat.game)), actions[1:])
        return actions[0]

    # --- lines -----------------------------------------------------------------------------------------------------

    def best_lines(self, seat: Seat, world: State) -> list[CandidateLine]:
        """The net's best lines of this step, best first; in the set-up, single choices."""
        mark, planned = world.step_key(), not world.is_setup()
        open_lines = [CandidateLine([], world, 0.0)]
        done: list[CandidateLine] = []
        for _ in range(MAX_LINE_CHOICES):
            longer = self.extend_lines(seat, open_lines)
            if not planned:
                return longer[:1]
            goes_on = [line.state.actor == seat.number and line.state.step_key() == mark for line in longer]
            done += [line for line, on in zip(longer, goes_on, strict=True) if not on]
            open_lines = [line for line, on in zip(longer, goes_on, strict=True) if on]
            if not open_lines:
                break
        done += open_lines
        done.sort(key=lambda line: -line.value)
        return done[: self.lines]

    def extend_lines(self, seat: Seat, lines: list[CandidateLine]) -> list[CandidateLine]:
        """The best extensions of these lines by one choice, without duplicates."""
        sheet = row_buffer_of(seat.game)
        sheet.restart_at_first_row()
        tried: list[tuple[CandidateLine, int]] = []
        for line in lines:
            if int(sheet.used) + MAX_CHOICES <= BUFFER_ROWS:
                tried += [(line, a) for a in write_afterstates(line.state, seat.number, sheet, MAX_CHOICES, seat.rng)]
        values = self.mixed_values(seat, sheet, len(tried))
        found: list[CandidateLine] = []
        seen: set[bytes] = set()
        for i in sorted(range(len(tried)), key=lambda i: -values[i]):
            row = sheet.copy_row_bytes(i)
            if row not in seen:
                seen.add(row)
                line, action = tried[i]
                after = line.state.copy()
                after.apply(action)
                found.append(CandidateLine([*line.actions, action], after, values[i]))
                if len(found) == self.lines:
                    break
        return found

    # --- rollouts --------------------------------------------------------------------------------------------------

    def compare_lines(self, seat: Seat, world: State, lines: list[CandidateLine], began: float) -> None:
        """Roll out the lines; the worse half drops out until one is left or time is up."""
        chance = LowDiscrepancyRng(int(seat.rng.randbelow(1 << 30)))
        stages = max(1, (len(lines) - 1).bit_length())
        alive, rounds = lines[:], 0
        limit = self.time_limit_s(seat)
        for stage in range(stages):
            until = began + 0.97 * limit * (stage + 1) / stages
            done = 0
            while self.ms > 0 or done < self.worlds:
                many = 1 if limit > 0 else self.worlds - done
                before = thread_time()
                if limit > 0 and before >= until and (done > 0 or before >= began + limit):
                    break
                self.roll_out_lines(seat, world, alive, chance, rounds, many)
                rounds, done = rounds + many, done + many
                if limit > 0 and 2 * thread_time() - before > until:
                    break
            alive.sort(key=lambda line: -line.mean_value_with_prior())
            alive = alive[: (len(alive) + 1) // 2]

    def time_limit_s(self, seat: Seat) -> float:
        """The time limit for a choice; 0: none."""
        return min(self.ms / 1000 or seat.budget, seat.budget) if seat.strict else self.ms / 1000

    def roll_out_lines(
        self, seat: Seat, world: State, alive: list[CandidateLine], chance: LowDiscrepancyRng, first: int, many: int
    ) -> None:
        """Roll out every line in the same worlds with the same dice, and evaluate the final positions in batches."""
        sheet = row_buffer_of(seat.game)
        sheet.restart_at_first_row()
        judged: list[CandidateLine] = []
        for number in range(first, first + many):
            other = world.resample(seat.number, seat.rng)
            seed = int(seat.rng.randbelow(1 << 30))
            for line in alive:
                end = other.copy()
                mark = end.turn_key()
                chance.begin_round(number)
                for action in line.actions:
                    end.apply(action)
                roll_out_greedily(end, end.players, mark, chance, Rng(seed))
                line.rollouts += 1
                if end.actor == OVER:
                    line.total += self.final_value(end, seat.number)
                else:
                    end.write_features(seat.number, sheet)
                    judged.append(line)
        if judged:
            for line, value in zip(judged, self.mixed_values(seat, sheet, len(judged)), strict=True):
                line.total += value

    def mixed_values(self, seat: Seat, sheet: RowBuffer, many: int) -> list[float]:
        """The value to the seat: its win probability plus a little for points."""
        return self.net_of(seat.game).win_and_mixed_values(sheet, many, seat.players, self.mix)[1]

    def final_value(self, end: State, seat: int) -> float:
        """The value of a finished game to the seat."""
        winners = end.ranking()[0]["seats"]
        assert isinstance(winners, list)
        points = end.scores()[: int(end.players)]
        others: Sequence[int] = points[:seat] + points[seat + 1 :]
        lead = points[seat] - sum(others) / len(others)
        return (1 / len(winners) if seat in winners else 0.0) + self.mix * lead / 10

    def net_of(self, game: str) -> NetEvaluator:
        """The game's own net, or the one in the file."""
        if not self.file:
            return net_backend.load_net(game)
        if self.own_net is None:
            self.own_net = net_backend.load_net(game, self.file)
        return self.own_net

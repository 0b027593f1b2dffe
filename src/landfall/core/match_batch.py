"""Steps many matches of one table in parallel, for research environments. Observations, masks, rewards and actors are
vectors that numpy reads without a copy. Chance is resolved between decisions. A finished match restarts at once, in the
next step, or on request (`autoreset`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from landfall.core.feature_layout import RowBuffer, RowFormat, zero_vector
from landfall.core.int_vectors import overwrite_vector, to_list, to_vector
from landfall.core.rng import Rng
from landfall.core.state import CHANCE, OVER, ActionList, State

if TYPE_CHECKING:
    from landfall.core.int_vectors import Buf

WORD_BITS: Final[i64] = 64
# One mask per bit; the last is the sign bit, so that both engines compute the same number.
BIT_MASKS: Final = to_vector([2**i for i in range(63)] + [-(2**63)])
REWARD_UNITS: Final[i64] = 3600  # a reward of 1; its shares are whole numbers for up to six seats
FIRST_LEGAL: Final[i64] = 64  # room for legal actions at first, per match

# When a finished match restarts, in Gymnasium's words.
SAME_STEP: Final[i64] = 0
NEXT_STEP: Final[i64] = 1
DISABLED: Final[i64] = 2


class MatchBatch:
    """`start` is copied for every match. Chance in match i depends only on the seed and i.

    >>> from landfall.core.match_batch import MatchBatch
    >>> from landfall.games.observation_and_feature_layouts import tensor_layout
    >>> batch = MatchBatch(landfall.new("atlandice", 2), tensor_layout("atlandice"), 100, 1)
    >>> batch.matches
    100
    """

    def __init__(self, start: State, tensors: RowFormat, matches: int, seed: int, autoreset: int = 0) -> None:
        self.start = start
        self.autoreset: i64 = autoreset
        self.tensors = tensors
        self.players: i64 = start.players
        self.words: i64 = (start.num_actions() + WORD_BITS - 1) // WORD_BITS  # words per mask
        self.states: list[State] = []
        self.rngs: list[Rng] = []
        self.moves = ActionList()
        self.policy = Rng(seed * 2 + 1)
        self.ends: list[int] = []  # the matches that the last step ended
        self.allocate_vectors(matches)
        for i in range(matches):
            self.rngs.append(rng_of_match(seed, i))
            self.states.append(start.copy())
            self.resolve_chance(i)
            self.fill_match_outputs(i)

    def allocate_vectors(self, matches: int) -> None:
        """Allocate the vectors for so many matches."""
        players = int(self.players)
        self.matches: i64 = matches
        self.sheet = RowBuffer(self.tensors, matches)  # the actor's observation, by match
        self.finals = RowBuffer(self.tensors, matches)  # the last observation of a match that ended
        self.offsets: Buf = zero_vector(matches + 1)  # where the legal actions of each match begin in `legal`
        # the legal actions of all matches, one after the other
        self.legal: Buf = zero_vector(matches * int(FIRST_LEGAL))
        self.mask: Buf = zero_vector(matches * int(self.words))  # its legal actions, one bit per action
        self.choices: Buf = zero_vector(matches)  # how many they are
        self.actor: Buf = zero_vector(matches)
        self.chosen: Buf = zero_vector(matches)
        # the first and last nonzero word of each mask, relative to its start
        self.edges: Buf = zero_vector(2 * matches)
        self.drawn: Buf = zero_vector(matches)  # one legal action, sampled uniformly
        self.ended: Buf = zero_vector(matches)  # 1 where the last step ended a match and started another
        self.reward: Buf = zero_vector(matches * players)  # of ended matches, by seat, in REWARD_UNITS
        self.earned: Buf = zero_vector(matches)  # the part of it for the seat that acted
        self.length: Buf = zero_vector(matches)  # decisions in the match so far

    def fixed_length_vectors(self) -> list[Buf]:
        """The vectors whose length does not change: all but the observations and the legal actions."""
        own = [self.offsets, self.mask, self.choices, self.actor, self.chosen, self.edges, self.drawn, self.ended]
        return [*own, self.reward, self.earned, self.length]

    def __reduce__(self) -> tuple[object, ...]:
        """For copies and pickles, which continue every match with the same chance."""
        contents = [to_list(one) for one in [*self.fixed_length_vectors(), self.legal]]
        rules = self.start, self.tensors, int(self.autoreset)
        return restore_match_batch, (
            rules,
            self.states,
            self.rngs,
            self.policy,
            self.sheet,
            self.finals,
            self.ends,
            contents,
        )

    def step(self, actions: list[int]) -> None:
        """Apply one decision in every match. ValueError names the first illegal one; then no match has changed.

        With NEXT_STEP the action for a match that is over is ignored.

        >>> from landfall.core.match_batch import MatchBatch
        >>> from landfall.games.observation_and_feature_layouts import tensor_layout
        >>> batch = MatchBatch(landfall.new("atlandice", 2), tensor_layout("atlandice"), 100, 1)
        >>> batch.step([batch.drawn[i] for i in range(batch.matches)])
        """
        if len(actions) != self.matches:
            raise ValueError(f"{self.matches} actions are needed, one a match, not {len(actions)}")
        for i in range(self.matches):
            action: i64 = actions[i]
            if action != self.drawn[i] or self.choices[i] == 0:  # a drawn action is legal
                self.require_playable_action(i, action)
            self.chosen[i] = action
        self.sheet.restart_at_first_row()
        self.ends = []
        for i in range(self.matches):
            if self.choices[i] == 0:
                self.restart_match(i)
            else:
                self.apply_action_and_chance(i, self.chosen[i])
            self.fill_match_outputs(i)

    def require_playable_action(self, i: i64, action: i64) -> None:
        """ValueError if a match cannot be stepped with an action."""
        if self.choices[i] == 0:
            if self.autoreset != NEXT_STEP:
                raise ValueError(f"match {i} is over: reset it")
        elif not self.is_action_in_mask(i, action):
            raise ValueError(f"match {i}: {action} is no choice of seat {self.actor[i]}")

    def reset(self, matches: list[int], seed: int) -> None:
        """Restart some matches. With a seed, -1 for none, their chance depends on it, as in a new batch.

        >>> from landfall.core.match_batch import MatchBatch
        >>> from landfall.games.observation_and_feature_layouts import tensor_layout
        >>> batch = MatchBatch(landfall.new("atlandice", 2), tensor_layout("atlandice"), 100, 1)
        >>> batch.reset([0, 1], seed=2)
        """
        for i in matches:
            if seed >= 0:
                self.rngs[i] = rng_of_match(seed, i)
            self.restart_match(i)
        self.sheet.restart_at_first_row()
        self.ends = []
        for i in range(self.matches):
            self.fill_match_outputs(i)

    def apply_action_and_chance(self, i: i64, action: i64) -> None:
        """Apply an action, then resolve chance."""
        state = self.states[i]
        state.apply(action)
        self.length[i] += 1
        if self.ended[i] != 0:
            self.clear_match_result(i)
        if state.actor == CHANCE:
            self.resolve_chance(i)
        if state.actor == OVER:
            self.finish_match(i)

    def clear_match_result(self, i: i64) -> None:
        self.ended[i] = 0
        self.earned[i] = 0
        for seat in range(i * self.players, (i + 1) * self.players):
            self.reward[seat] = 0

    def finish_match(self, i: i64) -> None:
        """Assign the rewards, keep the last observation of the seat that acted, and restart the match in time."""
        self.ended[i] = 1
        self.ends.append(i)
        self.assign_final_rewards(i)
        seat = self.actor[i]
        self.earned[i] = self.reward[i * self.players + seat]
        if self.autoreset == SAME_STEP:
            self.finals.used = i
            self.states[i].write_observation(seat, self.finals)
            self.replace_state_with_start(i)

    def restart_match(self, i: i64) -> None:
        """Begin a match again; it has no rewards yet."""
        if self.ended[i] != 0:
            self.clear_match_result(i)
        self.replace_state_with_start(i)

    def replace_state_with_start(self, i: i64) -> None:
        """Replace a match's state with a copy of the start, then resolve chance."""
        self.states[i] = self.start.copy()
        self.length[i] = 0
        self.sheet.seats[i] = -1
        self.resolve_chance(i)

    def is_action_in_mask(self, i: i64, action: i64) -> bool:
        if action < 0 or action >= self.words * WORD_BITS:
            return False
        return self.mask[i * self.words + (action >> 6)] & BIT_MASKS[action & 63] != 0

    def resolve_chance(self, i: i64) -> None:
        """Sample chance until a seat must act or the match is over."""
        state = self.states[i]
        while state.actor == CHANCE:
            state.apply(state.sample_chance(self.rngs[i]))

    def assign_final_rewards(self, i: i64) -> None:
        """First place earns 1, shared on a tie; the others lose equal parts of it. The rewards sum to zero."""
        best = self.states[i].ranking()[0]["seats"]
        n = self.players
        k: i64 = len(best)
        for seat in range(n):
            self.reward[i * n + seat] = -(REWARD_UNITS // (n - 1)) if k < n else 0
        for seat in best:
            self.reward[i * n + seat] = REWARD_UNITS * (n - k) // (k * (n - 1))

    def fill_match_outputs(self, i: i64) -> None:
        """Fill in a match's observation, legal actions, actor and random action. Call it for the matches in order.

        Whoever ended a match observes it until it restarts, and has no action.
        """
        state, moves = self.states[i], self.moves
        seat = state.actor if state.actor >= 0 else self.actor[i]
        self.actor[i] = seat
        state.write_observation(seat, self.sheet)
        self.sheet.seats[i] = seat
        moves.count = 0
        if state.actor >= 0:
            state.fill_legal(moves)
        self.fill_action_mask(i)
        self.append_legal_actions(i)
        self.choices[i] = moves.count
        self.drawn[i] = moves.items[self.policy.randbelow(moves.count)] if moves.count > 0 else 0

    def append_legal_actions(self, i: i64) -> None:
        """Append a match's legal actions to those of the matches before it."""
        first, items, count = self.offsets[i], self.moves.items, self.moves.count
        end = first + count
        self.offsets[i + 1] = end
        if end > len(self.legal):
            longer = zero_vector(2 * int(end))
            for j in range(first):
                longer[j] = self.legal[j]
            self.legal = longer
        legal = self.legal
        for j in range(count):
            legal[first + j] = items[j]

    def fill_action_mask(self, i: i64) -> None:
        """Set a bit per legal action. Actions are clustered, so each word is written once and few need clearing."""
        mask, items, bit = self.mask, self.moves.items, BIT_MASKS
        first = i * self.words
        for w in range(first + self.edges[2 * i], first + self.edges[2 * i + 1] + 1):
            mask[w] = 0
        if self.moves.count == 0:
            return
        at = items[0] >> 6
        low, high = at, at
        bits: i64 = 0
        for j in range(self.moves.count):
            a = items[j]
            w = a >> 6
            if w != at:
                mask[first + at] |= bits
                at = w
                bits = 0
                if w < low:
                    low = w
                elif w > high:
                    high = w
            bits |= bit[a & 63]
        mask[first + at] |= bits
        self.edges[2 * i] = low
        self.edges[2 * i + 1] = high


def rng_of_match(seed: int, i: int) -> Rng:
    """The generator of match i."""
    return Rng(seed * 1_000_003 + i * 2)


def restore_match_batch(
    rules: tuple[State, RowFormat, int],
    states: list[State],
    rngs: list[Rng],
    policy: Rng,
    sheet: RowBuffer,
    finals: RowBuffer,
    ends: list[int],
    contents: list[list[int]],
) -> MatchBatch:
    """The batch with these matches."""
    start, tensors, autoreset = rules
    batch = MatchBatch(start, tensors, 0, 0, autoreset)
    batch.allocate_vectors(len(states))
    batch.states, batch.rngs, batch.policy, batch.sheet, batch.finals, batch.ends = (
        states, rngs, policy, sheet, finals, ends
    )  # fmt: skip
    batch.legal = zero_vector(len(contents[-1]))
    for own, numbers in zip([*batch.fixed_length_vectors(), batch.legal], contents):
        overwrite_vector(own, numbers)
    return batch

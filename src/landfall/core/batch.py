"""Many matches of one table stepped side by side: observations, masks, rewards and who acts, in vectors that numpy
sees without a copy. Chance is drawn in between, a match that ends begins anew at once. For research environments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from landfall.core.feature_layout import RowBuffer, RowFormat, zeros
from landfall.core.int_vectors import vector
from landfall.core.rng import Rng
from landfall.core.state import CHANCE, OVER, ActionList, State

if TYPE_CHECKING:
    from landfall.core.int_vectors import Buf

WORD_BITS: Final[i64] = 64
# Bit by bit; the last is the sign, so that it is the same number in both engines.
BIT_MASKS: Final = vector([2**i for i in range(63)] + [-(2**63)])
REWARD_UNITS: Final[i64] = 3600  # a reward of 1; all shares of it are whole for up to six seats


class Batch:
    """`start` is copied for every match; what happens by chance in match i comes from the seed and i alone."""

    def __init__(self, start: State, tensors: RowFormat, matches: int, seed: int) -> None:
        self.start = start
        self.matches: i64 = matches
        self.players: i64 = start.players
        self.words: i64 = (start.num_actions() + WORD_BITS - 1) // WORD_BITS  # of a mask
        self.states: list[State] = []
        self.rngs: list[Rng] = []
        self.moves = ActionList()
        self.sheet = RowBuffer(tensors, matches)  # what the seat that acts may know, match by match
        self.mask: Buf = zeros(matches * int(self.words))  # its choices, a bit an action
        self.choices: Buf = zeros(matches)  # how many they are
        self.actor: Buf = zeros(matches)
        self.chosen: Buf = zeros(matches)
        self.edges: Buf = zeros(2 * matches)  # the first and last word of each mask that is not nought, counted from it
        self.drawn: Buf = zeros(matches)  # one of its choices, each equally likely
        self.ended: Buf = zeros(matches)  # 1 where the last step ended a match and another began
        self.reward: Buf = zeros(matches * int(start.players))  # of a match that ended, by seat, in parts of WHOLE
        self.earned: Buf = zeros(matches)  # of these, that of the seat that chose
        self.ends: list[int] = []  # the matches that the last step ended
        self.length: Buf = zeros(matches)  # decisions in the match so far
        self.policy = Rng(seed * 2 + 1)
        for i in range(matches):
            self.rngs.append(Rng(seed * 1_000_003 + i * 2))
            self.states.append(start.copy())
            self.resolve_chance(i)
            self.fill_observation(i)

    def step(self, actions: list[int]) -> None:
        """One decision in every match. ValueError names the first that is none of its choices; then nothing happens."""
        if len(actions) != self.matches:
            raise ValueError(f"{self.matches} actions are needed, one a match, not {len(actions)}")
        for i in range(self.matches):
            action: i64 = actions[i]
            if not self.is_legal(i, action):
                raise ValueError(f"match {i}: {action} is no choice of seat {self.actor[i]}")
            self.chosen[i] = action
        self.sheet.clear()
        self.ends = []
        for i in range(self.matches):
            self.apply_choice(i, self.chosen[i])
            self.fill_observation(i)

    def apply_choice(self, i: i64, action: i64) -> None:
        """Carry out a choice, and whatever chance brings after it."""
        state = self.states[i]
        state.apply(action)
        self.length[i] += 1
        if self.ended[i] != 0:
            self.ended[i] = 0
            self.earned[i] = 0
            for seat in range(i * self.players, (i + 1) * self.players):
                self.reward[seat] = 0
        if state.actor == CHANCE:
            self.resolve_chance(i)
        if state.actor == OVER:
            self.finish_match(i)

    def finish_match(self, i: i64) -> None:
        """Pay, and begin anew."""
        self.ended[i] = 1
        self.ends.append(i)
        self.assign_rewards(i)
        self.earned[i] = self.reward[i * self.players + self.actor[i]]
        self.states[i] = self.start.copy()
        self.length[i] = 0
        self.sheet.seats[i] = -1
        self.resolve_chance(i)

    def is_legal(self, i: i64, action: i64) -> bool:
        if action < 0 or action >= self.words * WORD_BITS:
            return False
        return self.mask[i * self.words + (action >> 6)] & BIT_MASKS[action & 63] != 0

    def resolve_chance(self, i: i64) -> None:
        """Let chance act until a seat is asked or the match is over."""
        state = self.states[i]
        while state.actor == CHANCE:
            state.apply(state.sample_chance(self.rngs[i]))

    def assign_rewards(self, i: i64) -> None:
        """First place is worth 1, shared by those who tie, the rest lose as much in equal parts: it sums to nought."""
        best = self.states[i].ranking()[0]["seats"]
        n = self.players
        k: i64 = len(best)
        for seat in range(n):
            self.reward[i * n + seat] = -(REWARD_UNITS // (n - 1)) if k < n else 0
        for seat in best:
            self.reward[i * n + seat] = REWARD_UNITS * (n - k) // (k * (n - 1))

    def fill_observation(self, i: i64) -> None:
        """Fill in a match's observation, mask, who acts and a random choice. Matches are shown in their order."""
        state, moves = self.states[i], self.moves
        self.actor[i] = state.actor
        state.write_observation(state.actor, self.sheet)
        self.sheet.seats[i] = state.actor
        moves.count = 0
        state.fill_legal(moves)
        self.fill_mask(i)
        self.choices[i] = moves.count
        self.drawn[i] = moves.items[self.policy.randbelow(moves.count)]

    def fill_mask(self, i: i64) -> None:
        """Choices as bits. Most are near each other: the same word is written once, and few are to be wiped before."""
        mask, items, bit = self.mask, self.moves.items, BIT_MASKS
        first = i * self.words
        for w in range(first + self.edges[2 * i], first + self.edges[2 * i + 1] + 1):
            mask[w] = 0
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

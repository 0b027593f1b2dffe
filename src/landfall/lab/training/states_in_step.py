"""Matches in step without kernels: plain states, for machines and games that have none, and to check the others."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from landfall.bots.search.afterstate_rows import reduce_to_uniform_sample
from landfall.bots.value_net import layout_of, rows_as_array
from landfall.core.feature_layout import RowBuffer
from landfall.core.rng import Rng
from landfall.core.state import CHANCE, OVER, ActionList, State
from landfall.lab.experiments.simulation import winning_seats
from landfall.lab.training.batched_self_play import NO_ACTION, generator_words, tables_of_matches


class StatesInStep:
    """See `MatchesInStep`: matches of several tables, as many of each; every match begins anew at its own."""

    def __init__(self, game: str, starts: list[State], matches: int, seed: int) -> None:
        self.device = torch.device("cpu")
        self.layout = layout_of(game)
        self.matches = matches
        self.starts = [starts[table] for table in tables_of_matches(len(starts), matches)]
        self.rngs = [Rng(0) for _ in range(matches)]
        for rng, word in zip(self.rngs, generator_words(seed, matches), strict=True):
            rng.word = word
        self.moves = ActionList()
        self.states = [self.begin_match(i) for i in range(matches)]
        self.update_vectors()

    def begin_match(self, i: int) -> State:
        state = self.starts[i].copy()
        self.resolve_chance(i, state)
        return state

    def resolve_chance(self, i: int, state: State) -> None:
        while state.actor == CHANCE:
            state.apply(state.sample_chance(self.rngs[i]))

    def update_vectors(self) -> None:
        self.players = torch.tensor([int(state.players) for state in self.states])
        self.actor = torch.tensor([int(state.actor) for state in self.states])
        self.in_setup = torch.tensor([bool(state.is_setup()) for state in self.states])

    def list_choices(self, most: int) -> tuple[Tensor, Tensor]:
        actions = torch.zeros(self.matches, most, dtype=torch.long)
        counts = torch.zeros(self.matches, dtype=torch.long)
        for i, state in enumerate(self.states):
            self.moves.count = 0
            state.fill_legal(self.moves)
            reduce_to_uniform_sample(self.moves, most, self.rngs[i])
            counts[i] = int(self.moves.count)
            actions[i, : int(self.moves.count)] = torch.tensor(
                [int(self.moves.items[j]) for j in range(int(self.moves.count))]
            )
        return actions, counts

    def encode_choices(self, match: Tensor, action: Tensor) -> Tensor:
        sheet = RowBuffer(self.layout, max(1, len(match)))
        for i, chosen in zip(match.tolist(), action.tolist(), strict=True):
            state = self.states[i]
            seat = int(state.actor)
            if chosen != NO_ACTION:
                state = state.copy()
                state.apply(chosen)
            state.write_features(seat, sheet)
        return torch.from_numpy(rows_as_array(sheet)[: len(match)].copy())

    def play(self, chosen: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        seats = self.layout.seats
        saved = np.zeros((self.matches, seats, self.layout.saved_pieces), np.uint8)
        ended = torch.zeros(self.matches, dtype=torch.bool)
        result = np.zeros((self.matches, 2 * seats), np.float32)
        for i, action in enumerate(chosen.tolist()):
            state = self.states[i]
            state.apply(action)
            self.resolve_chance(i, state)
            players = int(state.players)
            saved[i, :players] = [state.saved_pieces(seat) for seat in range(players)]
            if state.actor == OVER:
                winners = winning_seats(state)
                result[i, winners] = 1 / len(winners)
                result[i, seats : seats + players] = np.array(state.scores()[:players], np.float32) / 10
                ended[i] = True
                self.states[i] = self.begin_match(i)
        self.update_vectors()
        return ended, torch.from_numpy(result), torch.from_numpy(saved)

"""Random legal chess in python-chess until the game is over."""

from __future__ import annotations

import random

import chess

from bench.peers.answer_loop import Work, answer_requests


def prepare_random_play() -> Work:
    rng = random.Random(1)

    def work() -> int:
        board, moves = chess.Board(), 0
        while not board.is_game_over():
            board.push(rng.choice(list(board.legal_moves)))
            moves += 1
        return moves

    return work


if __name__ == "__main__":
    answer_requests({"chess": prepare_random_play})

"""The tasks with python-chess."""

import io
import random

import chess
import chess.pgn
import chess.svg


def legal_moves() -> object:
    board = chess.Board()
    return [board.san(move) for move in board.legal_moves]


def play_by_notation() -> object:
    board = chess.Board()
    board.push_san("e4")
    return board.fen()


def random_game() -> object:
    board = chess.Board()
    while not board.is_game_over():
        board.push(random.choice(list(board.legal_moves)))
    return board.result()


def look_ahead() -> object:
    board = chess.Board()
    ahead = board.copy()
    ahead.push(next(iter(board.legal_moves)))
    return ahead.is_check()


def save_and_read_position() -> object:
    board = chess.Board()
    return chess.Board(board.fen()) == board


def save_and_replay_match() -> object:
    board = chess.Board()
    board.push_san("e4")
    game = chess.pgn.read_game(io.StringIO(str(chess.pgn.Game.from_board(board))))
    return game.end().board() == board


def picture() -> object:
    return chess.svg.board(chess.Board())


def take_back() -> object:
    board = chess.Board()
    board.push_san("e4")
    board.pop()
    return board == chess.Board()

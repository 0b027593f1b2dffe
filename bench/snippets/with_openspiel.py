"""The tasks with OpenSpiel."""

import random

import pyspiel


def legal_moves() -> object:
    state = pyspiel.load_game("chess").new_initial_state()
    return [state.action_to_string(action) for action in state.legal_actions()]


def play_by_notation() -> object:
    state = pyspiel.load_game("chess").new_initial_state()
    state.apply_action(state.string_to_action("e4"))
    return str(state)


def random_game() -> object:
    state = pyspiel.load_game("backgammon").new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes())
            state.apply_action(random.choices(outcomes, weights)[0])
        else:
            state.apply_action(random.choice(state.legal_actions()))
    return state.returns()


def look_ahead() -> object:
    state = pyspiel.load_game("chess").new_initial_state()
    ahead = state.child(state.legal_actions()[0])
    return ahead.is_terminal()


def save_and_read_position() -> object:
    game = pyspiel.load_game("chess")
    state = game.new_initial_state()
    return str(game.new_initial_state(str(state))) == str(state)


def save_and_replay_match() -> object:
    game = pyspiel.load_game("chess")
    state = game.new_initial_state()
    state.apply_action(state.string_to_action("e4"))
    again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))[1]
    return again.history() == state.history()


def take_back() -> object:
    state = pyspiel.load_game("chess").new_initial_state()
    action = state.string_to_action("e4")
    state.apply_action(action)
    state.undo_action(0, action)
    return state.history() == []

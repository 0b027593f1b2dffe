"""The ten tasks with Landfall."""

import numpy as np

import landfall


def legal_moves() -> list[str]:
    match = landfall.Match("atlandice", seed=3)
    return [choice["text"] for choice in match.choices()]


def play_by_notation() -> str:
    match = landfall.Match("atlandice", players=2, seed=3)
    match.play_text("d2")
    return match.state.to_text()


def reason_of_refusal() -> str | None:
    match = landfall.Match("atlandice", players=2, seed=3)
    return match.state.why_illegal(match.state.parse("d3"))


def random_game() -> list[int]:
    state = landfall.new("atlandice")
    landfall.core.state.playout(state, landfall.Rng(1))
    return state.scores()


def look_ahead() -> int:
    state = landfall.Match("atlandice", seed=3).state
    ahead = state.copy()
    ahead.play(state.legal_actions()[0])
    return ahead.evaluate(0)


def save_and_read_position() -> bool:
    state = landfall.Match("atlantis", seed=3).state
    return landfall.game("atlantis").from_text(state.to_text()) == state


def save_and_replay_match() -> bool:
    match = landfall.Match("atlandice", players=2, seed=3)
    match.play_text("d2")
    return landfall.Match.replay(match.record()) == match


def picture() -> str:
    return landfall.Match("survive", seed=3).state.svg()


def take_back() -> bool:
    match = landfall.Match("atlandice", players=2, seed=3)
    match.play_text("d2")
    match.undo()
    return match == landfall.Match("atlandice", players=2, seed=3)


def thousand_matches() -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    from landfall.lab.environments.vector import MatchVectorEnv

    matches = MatchVectorEnv("atlandice", 1000)
    matches.reset(seed=1)
    return matches.step(matches.random_actions)[1]

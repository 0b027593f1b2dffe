"""What the golden files hold, from the engine as it is now."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from landfall.core.rng import Rng
from landfall.core.state import CHANCE, OVER, State
from landfall.game_checks.match_checks import random_match
from landfall.game_checks.option_combinations import Combo, combination_label, covering_combinations
from landfall.game_checks.position_checks import random_game_positions
from landfall.games import game as find_game
from landfall.match import OMNISCIENT
from landfall.terminal.replay_printer import iterate_replay_steps
from landfall.terminal.translator import Translator

ROOT: Final = Path(__file__).resolve().parent
SEED: Final = 1982  # fixes the playthroughs
DIGEST_EVERY: Final = 25
EVALUATED_EVERY: Final = 12
DEPTH: Final = 3
MOST_NODES: Final = 3_000  # a depth is counted only if the one before it had no more positions


def playthrough(name: str, combo: Combo) -> str:
    """One random match: its record's header, each action with what came of it, digests, the ranking."""
    match = random_match(name, combo, SEED)
    teller = Translator(match.game, match.players, "en")
    lines = match.record().split("---\n")[0].splitlines()
    for step in iterate_replay_steps(match, OMNISCIENT, teller):
        lines.append(f"{step.number:4} {step.line}")
        lines.extend(f"       {sentence}" for sentence in step.sentences)
        if step.number % DIGEST_EVERY == 0:
            lines.append(f"     = {step.state.digest()}")
    lines.append(f"     = {match.state.digest()}")
    lines.extend(teller.ranking_lines(match.state.ranking()))
    return "\n".join([*lines, ""])


def next_actions(state: State) -> list[int]:
    """What may happen next, a seat's choices or chance's outcomes."""
    return [outcome for outcome, _ in state.chance_outcomes()] if state.actor == CHANCE else state.legal_actions()


def count_action_sequences(state: State, depth: int) -> int:
    """How many sequences of so many actions there are from a position; fewer where the game ends."""
    if state.actor == OVER:
        return 1
    actions = next_actions(state)
    if depth == 1:
        return len(actions)
    total = 0
    for action in actions:
        after = state.copy()
        after.apply(action)
        total += count_action_sequences(after, depth - 1)
    return total


def count_sequences_by_depth(state: State) -> list[int]:
    """The counts of a position, one depth after the other, as deep as it stays quick."""
    out: list[int] = []
    while len(out) < DEPTH and (not out or out[-1] <= MOST_NODES):
        out.append(count_action_sequences(state, len(out) + 1))
    return out


def perft_rows(name: str) -> list[dict[str, object]]:
    """Counts from positions of fixed games: the first, and some on the way."""
    rows: list[dict[str, object]] = []
    for players, options in covering_combinations(name):
        for number, state in enumerate(random_game_positions(find_game(name).new(players, options), Rng(SEED))):
            if number % 60 == 0 and state.actor != OVER:
                rows.append(
                    {
                        "players": players,
                        "options": options,
                        "actions": number,
                        "digest": state.digest(),
                        "counts": count_sequences_by_depth(state),
                    }
                )
    return rows


def evaluation_row(number: int, state: State) -> dict[str, object]:
    """What a position is worth to each seat by the heuristic that greedy bots and searches go by."""
    return {
        "actions": number,
        "scale": int(state.win_probability_score_scale()),
        "leads": [int(state.evaluate(seat)) for seat in range(state.players)],
    }


def evaluation_rows(name: str, combo: Combo) -> list[dict[str, object]]:
    """Positions of one fixed game, each with its place in it."""
    positions = random_game_positions(find_game(name).new(*combo), Rng(SEED))
    return [evaluation_row(number, state) for number, state in enumerate(positions) if number % EVALUATED_EVERY == 0]


def file_name(name: str, combo: Combo) -> str:
    """The file of a combination: a number, and as much of its options as fits."""
    words = "".join(c if c.isalnum() or c in "+-=_" else "_" for c in combination_label(combo))
    return f"{covering_combinations(name).index(combo) + 1:02}-{words[:40]}.txt"


def golden_files_of_game(name: str) -> Iterator[tuple[Path, str]]:
    """Every golden file of a game and what it should hold."""
    for combo in covering_combinations(name):
        yield ROOT / name / file_name(name, combo), playthrough(name, combo)
    rows = ",\n".join(json.dumps(row) for row in perft_rows(name))
    yield ROOT / name / "perft.json", f"[\n{rows}\n]\n"
    lines = [json.dumps(row) for combo in covering_combinations(name) for row in evaluation_rows(name, combo)]
    yield ROOT / name / "evaluations.jsonl", "\n".join([*lines, ""])

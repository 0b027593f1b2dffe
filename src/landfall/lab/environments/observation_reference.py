"""The reference of observations, generated from the games' declarations: docs/observations.md."""

from __future__ import annotations

from landfall.core.observation_tensors import TensorLayout
from landfall.games import BUILT_IN_GAMES, game, game_module

PAGE_HEAD = """# What an environment observes

Made by `landfall types --write` from each game's `observation.py`; do not edit.

An observation is a row of bytes: all that the seat to act may know, and nothing else. Its tensors follow one another;
`first` is the byte each begins with. Seats and colours are counted from the observing seat, in turn order; absent
seats and pieces are zero. The version increases when the meaning of any byte changes. `landfall.core.batch.Batch` steps
many matches at once. It stores observations, action masks (one bit per action, the lowest first), actors and rewards in
vectors that numpy reads without a copy: `numpy.frombuffer(batch.sheet.words, "u1").reshape(matches, -1)`.
"""


def write_reference() -> str:
    """The whole page."""
    return "\n".join([PAGE_HEAD, *(write_chapter(name) for name in BUILT_IN_GAMES)])


def write_chapter(name: str) -> str:
    """One game's tensors."""
    tensors: TensorLayout = game_module(name, "observation").TENSORS
    facts = f"Version {tensors.version}, {tensors.size} bytes, {game(name).num_actions} actions."
    rows = ["| tensor | first | shape | most | meaning |", "|---|---|---|---|---|"]
    for one in tensors.parts:
        shape = " × ".join(str(n) for n in one.shape) or "1"
        rows.append(f"| `{one.name}` | {tensors.first[one.name]} | {shape} | {one.most} | {one.meaning} |")
    return "\n".join([f"## {name.capitalize()}", facts, "", *rows, ""])

"""The reference of observations, generated from the games' declarations: docs/observations.md."""

from __future__ import annotations

from landfall.games import BUILT_IN_GAMES, game
from landfall.games.observation_and_feature_layouts import action_features, tensor_layout

PAGE_HEAD = """# What an environment observes

For researchers. `landfall types --write` makes this page from each game's `ai/observation.py`; do not edit it.

An observation is a row of bytes: all that the seat to act may know, and nothing else.

| | |
|---|---|
| order | tensors follow each other; `offset` is the first byte of each |
| seats and colours | counted from the observing seat, in turn order |
| absent things | zero |
| version | rises when the meaning of any byte changes |

`landfall.core.match_batch.MatchBatch` steps many matches at once.
It keeps observations, masks, actors and rewards in vectors. numpy reads them without a copy:
`numpy.frombuffer(batch.sheet.words, "u1").reshape(matches, -1)`.
A mask has one bit an action, the lowest first. An action that names no such thing has 0 in a column of its features.
[lab.md](lab.md) has the environments.
"""


def render_observation_reference() -> str:
    """The whole page."""
    return "\n".join([PAGE_HEAD, *(render_game_chapter(name) for name in BUILT_IN_GAMES)])


def render_game_chapter(name: str) -> str:
    """One game's tensors."""
    tensors = tensor_layout(name)
    facts = f"Version {tensors.version}, {tensors.size} bytes, {game(name).num_actions} actions."
    rows = ["| tensor | offset | shape | maximum | meaning |", "|---|---|---|---|---|"]
    for one in tensors.parts:
        shape = " × ".join(str(n) for n in one.shape) or "1"
        rows.append(f"| `{one.name}` | {tensors.first[one.name]} | {shape} | {one.most} | {one.meaning} |")
    actions = ["What an action names (`legal.features`):", "", "| column | maximum | meaning |", "|---|---|---|"]
    actions += [f"| `{one.name}` | {one.most} | {one.meaning} |" for one in action_features(name).columns]
    return "\n".join([f"## {name.capitalize()}", facts, "", *rows, "", *actions, ""])

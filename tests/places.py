"""The boards' geometry stands twice, in Python for pictures and in TypeScript for the client. What holds them together
is a file beside the client's: `python -m tests.places` writes it, a test here and one there compare their own with it.
"""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

from landfall.games import BUILT_IN_GAMES
from tests.tree import REPO


def file_of(game: str) -> Path:
    return REPO / "client" / "src" / "games" / game / "places.json"


def places(game: str) -> dict[str, list[float]]:
    """Where the game's pictures have everything that has a place."""
    found: dict[str, tuple[float, float]] = import_module(f"tests.{game}.places").places()
    return {name: [round(x, 3) + 0.0, round(y, 3) + 0.0] for name, (x, y) in found.items()}


def main() -> None:
    for game in BUILT_IN_GAMES:
        lines = [f"  {json.dumps(name)}: {json.dumps(spot)}" for name, spot in places(game).items()]
        file_of(game).write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()

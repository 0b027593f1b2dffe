"""Where pictures have the spaces and isles: for tests/places.py."""

from landfall.games.survive.presentation import picture
from landfall.games.survive.rules.board import ISLES, NAMES


def places() -> dict[str, tuple[float, float]]:
    corners = {f"corner{i}": (float(x), float(y)) for i, (x, y) in enumerate(picture.CORNERS)}
    heights = {terrain: (0.0, float(height)) for terrain, height in picture.TALL.items()}
    return {name: picture.middle(name) for name in (*NAMES, *ISLES)} | corners | heights

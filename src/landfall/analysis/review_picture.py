"""A review's curves as a picture, for notebooks: each seat's win probability over the match."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from landfall.core.svg_drawing import draw_name, fmt
from landfall.games import game as find_game

WIDTH: Final = 640
HEIGHT: Final = 240
BACKGROUND: Final = "#f4f0e6"


class ShownReview(dict[str, Any]):
    """A review that a notebook shows as its curves."""

    def _repr_svg_(self) -> str:
        return draw_review(self)


def draw_review(review: Mapping[str, Any]) -> str:
    """The curves of all seats, in their colours; the key moments are marked."""
    colours, moments = find_game(review["game"]).colours, review["moments"]
    last = max(1, len(moments) - 1)
    parts = [f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{BACKGROUND}"/>']
    for key in review["mattered"]:
        at = next(i for i, moment in enumerate(moments) if moment["at"] >= key["at"]) * WIDTH / last
        parts.append(f'<path d="M{fmt(at)} 0V{HEIGHT}" stroke="#999" stroke-dasharray="3 3"/>')
    for seat in range(review["players"]):
        points = [
            f"{fmt(i * WIDTH / last)},{fmt((1 - moment['chances'][seat]) * HEIGHT)}" for i, moment in enumerate(moments)
        ]
        parts.append(f'<polyline points="{" ".join(points)}" fill="none" stroke="{colours[seat]}" stroke-width="2"/>')
        parts.append(draw_name(6, 16 + 16 * seat, colours[seat], 13, colours[seat]))
    inside = "".join(parts)
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}">{inside}</svg>'

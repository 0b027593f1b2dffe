"""A view as an SVG image: the rope, the pearls by depth, and the cards; without words, so for every language.

The diver is a piece of its own, so that it moves. A fathom that a card reaches can be pressed, and so can the cards.
"""

from __future__ import annotations

from typing import Final

from landfall.core.message_types import PicturePiece, PictureSpot
from landfall_pearls.components import COLOURS, DEEPEST, pearls_at
from landfall_pearls.message_types import View

PAINT: Final = {"red": "#d64545", "yellow": "#f2c14e", "green": "#4f9d69", "blue": "#3d6fb6"}
FATHOM: Final = 44  # units of the drawing
TOP: Final = 70


def picture(view: View) -> str:
    """The whole image."""
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 540" font-family="sans-serif" font-weight="700">',
        '<rect width="720" height="540" rx="24" fill="#123c5a"/>',
        f'<rect width="720" height="{TOP}" rx="24" fill="#9fd8e8"/><rect y="{TOP - 24}" width="720" height="24" '
        'fill="#9fd8e8"/>',
        *(mark(depth) for depth in range(1, DEEPEST + 1)),
        rope(view["depth"]),
        *(player(view, seat) for seat in range(view["players"])),
        deck(view["deck"]),
        *(card(430 + 62 * i, 440, str(value)) for i, value in enumerate(view.get("hand", []))),
        "</svg>",
    ]
    return "".join(parts)


def level(depth: int) -> int:
    return TOP + FATHOM * depth


def mark(depth: int) -> str:
    """A fathom with its pearls."""
    y = level(depth)
    line = f'<path d="M90 {y}H330" stroke="#2b6b8f" stroke-width="2"/>'
    number = f'<text x="70" y="{y + 6}" fill="#9fd8e8" font-size="18" text-anchor="end">{depth}</text>'
    pearls = "".join(
        f'<circle cx="{280 + 18 * i}" cy="{y - 9}" r="7" fill="#fdf4de"/>' for i in range(pearls_at(depth))
    )
    return line + number + pearls


def rope(depth: int) -> str:
    """The boat and the rope."""
    y = level(depth)
    boat = f'<path d="M150 {TOP - 18}h80l-14 26h-52z" fill="#8a5a34"/>'
    line = f'<path d="M190 {TOP}V{y}" stroke="#f3d9a4" stroke-width="4"/>'
    return boat + line


def pieces(depth: int) -> list[PicturePiece]:
    """The diver, at the end of the rope."""
    circle = '<circle cx="18" cy="18" r="15" fill="#e8674c" stroke="#fdf4de" stroke-width="3"/>'
    image = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36">{circle}</svg>'
    return [{"id": "diver", "picture": image, "box": [172, level(depth) - 18, 36, 36]}]


def spots(depth: int, hand: list[int]) -> list[PictureSpot]:
    """The fathoms that one's cards reach, to dive there; and the cards, to discard one and come up."""
    found: list[PictureSpot] = []
    for at, value in enumerate(hand):
        if value in hand[:at]:
            continue
        found.append({"text": f"u{value}", "box": [430 + 62 * at, 440, 52, 76]})
        if depth + value <= DEEPEST:
            found.append({"text": f"d{value}", "box": [84, level(depth + value) - 22, 252, FATHOM]})
    return found


def player(view: View, seat: int) -> str:
    """A seat's colour, its pearls, and its number of cards; a frame around the player to move."""
    x, y = 430, 100 + 62 * seat
    frame = ' stroke="#fdf4de" stroke-width="4"' if seat == view["turn"] and view["actor"] != -2 else ""
    return (
        f'<rect x="{x}" y="{y}" width="250" height="48" rx="12" fill="{PAINT[COLOURS[seat]]}"{frame}/>'
        f'<circle cx="{x + 28}" cy="{y + 24}" r="11" fill="#fdf4de"/>'
        f'<text x="{x + 48}" y="{y + 32}" fill="#fff" font-size="24">{view["scores"][seat]}</text>'
        + "".join(card_back(x + 130 + 24 * i, y + 8) for i in range(view["cards"][seat]))
    )


def card_back(x: int, y: int) -> str:
    return f'<rect x="{x}" y="{y}" width="20" height="32" rx="4" fill="#14213d" stroke="#fdf4de"/>'


def deck(count: int) -> str:
    """The cards left to draw."""
    text = f'<text x="375" y="492" fill="#fdf4de" font-size="22" text-anchor="middle">{count}</text>'
    return f'<rect x="352" y="450" width="46" height="66" rx="6" fill="#14213d" stroke="#fdf4de"/>{text}'


def card(x: int, y: int, value: str) -> str:
    """One of the viewer's own cards."""
    face = f'<rect x="{x}" y="{y}" width="52" height="76" rx="8" fill="#fdf4de" stroke="#14213d" stroke-width="2"/>'
    return f'{face}<text x="{x + 26}" y="{y + 50}" fill="#14213d" font-size="34" text-anchor="middle">{value}</text>'

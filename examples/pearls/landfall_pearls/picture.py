"""The picture of a view as SVG: the rope, the pearls by depth, the cards; without words, so for every language.

The diver is a piece of its own, so that it moves. A fathom that a card reaches can be pressed, and so can the cards.
"""

from __future__ import annotations

from typing import Any, Final

DEEPEST: Final = 9
PAINT: Final = ("#d64545", "#f2c14e", "#4f9d69", "#3d6fb6")  # by seat
CREAM: Final = "#fdf4de"
FATHOM: Final = 44  # units of the drawing
TOP: Final = 70


def pearls_at(depth: int) -> int:
    """How many pearls lie at this depth (PL.D3)."""
    return depth // 3 if depth % 3 == 0 else 0


def add_to_view(view: Any, seat: int | None) -> Any:
    """The view with points, one's own cards as values, and the picture."""
    own = (view["hand"][seat] if seat is not None and seat >= 0 else None) or []
    view["scores"] = view["pearls"]
    view["cards"] = [value + 1 for value, n in enumerate(own) for _ in range(n)]
    view["picture"] = draw(view)
    view["pieces"] = [{"id": "diver", "picture": DIVER, "box": [172, level(view["depth"]) - 18, 36, 36]}]
    view["spots"] = spots(view["depth"], view["cards"])
    return view


def level(depth: int) -> int:
    return TOP + FATHOM * depth


def rect(x: int, y: int, width: int, height: int, fill: str, more: str = "") -> str:
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="8" fill="{fill}" {more}/>'


def text(x: int, y: int, words: object, fill: str = CREAM, anchor: str = "middle") -> str:
    return f'<text x="{x}" y="{y}" fill="{fill}" font-size="24" text-anchor="{anchor}">{words}</text>'


DIVER: Final = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36">'
    f'<circle cx="18" cy="18" r="15" fill="#e8674c" stroke="{CREAM}" stroke-width="3"/></svg>'
)


def draw(view: Any) -> str:
    """The whole image."""
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 540" font-family="sans-serif" font-weight="700">',
        rect(0, 0, 720, 540, "#123c5a"),
        rect(0, 0, 720, TOP, "#9fd8e8"),
    ]
    for depth in range(1, DEEPEST + 1):
        y = level(depth)
        parts += [f'<path d="M90 {y}H330" stroke="#2b6b8f" stroke-width="2"/>', text(60, y + 6, depth, "#9fd8e8")]
        parts += [f'<circle cx="{280 + 18 * i}" cy="{y - 9}" r="7" fill="{CREAM}"/>' for i in range(pearls_at(depth))]
    parts += [f'<path d="M150 {TOP - 18}h80l-14 26h-52z" fill="#8a5a34"/>']  # the boat
    parts += [f'<path d="M190 {TOP}V{level(view["depth"])}" stroke="#f3d9a4" stroke-width="4"/>']
    for seat in range(view["players"]):
        y, to_move = 100 + 62 * seat, seat == view["turn"] and view["actor"] != -2
        parts.append(rect(430, y, 250, 48, PAINT[seat], f'stroke="{CREAM}" stroke-width="4"' if to_move else ""))
        parts.append(text(478, y + 32, view["scores"][seat], "#fff", "start"))
        parts += [rect(560 + 24 * i, y + 8, 20, 32, "#14213d") for i in range(view["hand_total"][seat])]
    parts += [rect(352, 450, 46, 66, "#14213d"), text(375, 492, view["deck_total"])]
    for i, value in enumerate(view["cards"]):
        parts += [rect(430 + 62 * i, 440, 52, 76, CREAM), text(456 + 62 * i, 488, value, "#14213d")]
    return "".join([*parts, "</svg>"])


def spots(depth: int, cards: list[int]) -> list[dict[str, object]]:
    """The fathoms that one's cards reach, to dive there; and the cards, to discard one and come up."""
    found: list[dict[str, object]] = []
    for at, value in enumerate(cards):
        if value in cards[:at]:
            continue
        found.append({"text": f"u{value}", "box": [430 + 62 * at, 440, 52, 76]})
        if depth + value <= DEEPEST:
            found.append({"text": f"d{value}", "box": [84, level(depth + value) - 22, 252, FATHOM]})
    return found

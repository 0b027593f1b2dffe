# interpreted
"""Draws a view as an SVG image in the client's style: the path between its shores, and each seat's area."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from math import atan2, ceil, cos, degrees, floor, hypot, pi, sin
from typing import TYPE_CHECKING, Final

from landfall.core.svg import INK, Drawing, SymbolSet, fmt, load_class_colours, text

if TYPE_CHECKING:
    from landfall.games.atlantis.rules.messages import Cards, Gap, Position, SeatView, View

PICTURE_WIDTH: Final = 1420
PICTURE_HEIGHT: Final = 690
SEA_WIDTH: Final = 1080
COUNT: Final = 53
KS: Final = 1.19  # scale of tiles and figures
ROWS: Final = (588, 446, 304, 162)  # y of the path's rows, from Atlantis on
LEFT: Final = 120
RIGHT: Final = 942
ATLANTIS_AT: Final = (112.0, 590.0, 1.08)  # x, y, size
MAINLAND_AT: Final = (148.0, 150.0, 0.92)
SYMBOLS: Final = {
    "blue": "ring",
    "grey": "helmet",
    "white": "statue",
    "yellow": "crown",
    "brown": "amphora",
    "green": "olive",
    "pink": "flag",
}

Spot = tuple[float, float]


def picture(view: View) -> str:
    """The whole image."""
    return drawing(view).to_svg()


def drawing(view: View) -> Drawing:
    """The same in parts; a part is identical as long as its contents are."""
    sheet = SymbolSet()
    spots, _, _ = way()
    crowded = {place for seat in view["seats"] for place in seat["figures"].values()}
    planked = {
        at for gap in view["gaps"] if gap["bridge"] and not bridge_arch(gap) for at in range(gap["at"], gap["to"] + 1)
    }
    parts = [sea(), *shores(sheet), *(planks(gap) for gap in view["gaps"] if gap["bridge"] and not bridge_arch(gap))]
    for i in sorted(range(COUNT), key=lambda i: (spots[i][1], i)):
        position = view["path"][i]
        parts.append(place(sheet, position, spots[i], str(i + 1) in crowded, i + 1 in planked))
    parts += [crossing(sheet, gap) for gap in view["gaps"]]
    parts += [deck(view["deck"]), *figures(sheet, view)]
    parts += [player(sheet, view, i) for i in range(len(view["seats"]))]
    return Drawing(sheet, PICTURE_WIDTH, PICTURE_HEIGHT, parts)


# --- the way ------------------------------------------------------------------------------------------------------


@cache
def way() -> tuple[list[Spot], list[Spot], list[int]]:
    """The coordinates of each position, the curve through them, and the curve's parameter at each."""
    curve = winding()
    far = [0.0]
    for (ax, ay), (bx, by) in pairwise(curve):
        far.append(far[-1] + hypot(bx - ax, by - ay))
    start, end = 112, 158  # margins for the shores
    length = far[-1] - start - end
    spots: list[Spot] = []
    marks: list[int] = []
    j = 0
    for i in range(COUNT):
        want = start + length * i / (COUNT - 1)
        while j < len(far) - 2 and far[j + 1] < want:
            j += 1
        part = (want - far[j]) / (far[j + 1] - far[j])
        (ax, ay), (bx, by) = curve[j], curve[j + 1]
        spots.append((ax + (bx - ax) * part, ay + (by - ay) * part))
        marks.append(j)
    return spots, curve, marks


def winding() -> list[Spot]:
    """Serpentine rows joined by turns, each with a slight sway where it is straight."""
    points: list[Spot] = []
    for row, y in enumerate(ROWS):
        xs = [LEFT + (RIGHT - LEFT) * i / 200 for i in range(201)]
        for x in reversed(xs) if row % 2 else xs:
            calm = max(0, min(1, min(x - LEFT, RIGHT - x) / 90))
            points.append((x, y + 10 * sin(x / 100 + row * 1.7) * calm))
        if row < len(ROWS) - 1:
            rad = (y - ROWS[row + 1]) / 2
            side, edge = (-1, LEFT) if row % 2 else (1, RIGHT)
            turn = [pi * i / 60 for i in range(1, 60)]
            points += [(edge + side * rad * 0.92 * sin(t), y - rad + rad * cos(t)) for t in turn]
    return points


def line(points: list[Spot]) -> str:
    return "M" + " ".join(f"{fmt(x)},{fmt(y)}" for x, y in points)


def number(where: str) -> int:
    """Atlantis 0, the path 1 to 53, the mainland 54."""
    return 0 if where == "atlantis" else COUNT + 1 if where == "mainland" else int(where)


# --- static parts -------------------------------------------------------------------------------------------------


@cache
def sea() -> str:
    """The sea, and the shallows along the path."""
    _, curve, _ = way()
    d = line([*curve[::6], curve[-1]])
    stops = ((0, "#3fa9b2"), (0.5, "#2585a2"), (0.8, "#1b5f8b"), (1, "#163f73"))
    return "".join(
        [
            '<radialGradient id="sea" gradientUnits="userSpaceOnUse" cx="534" cy="364" r="769">',
            *(f'<stop offset="{offset}" stop-color="{colour}"/>' for offset, colour in stops),
            f'</radialGradient><rect width="{PICTURE_WIDTH}" height="{PICTURE_HEIGHT}" fill="url(#sea)"/>',
            f'<g fill="none" stroke-linecap="round" stroke-linejoin="round"><path d="{d}" stroke="#8fe3d6" '
            f'stroke-opacity=".16" stroke-width="112"/><path d="{d}" stroke="#b6f2e4" stroke-opacity=".2" '
            'stroke-width="74"/></g>',
        ]
    )


def shores(sheet: SymbolSet) -> list[str]:
    x, y, k = MAINLAND_AT
    mainland = f'<g transform="translate({x} {y}) scale(-1 1)">{sheet.use("shore-mainland", scale=k)}</g>'
    return [mainland, sheet.use("shore-atlantis", *ATLANTIS_AT)]


# --- tiles, gaps, figures -----------------------------------------------------------------------------------------


def lift(below: int) -> int:
    return 18 if below else 8


def place(sheet: SymbolSet, position: Position, where: Spot, crowded: bool, planked: bool) -> str:
    """A tile with the tile below it, or the sunken place of a removed tile."""
    x, y = where
    put = f'<g transform="translate({fmt(x)} {fmt(y)}) scale({KS})"'
    tile = position["tile"]
    if tile is None:
        if position["below"]:
            back = load_class_colours()["k-back"]["--kd"]
            letter = text(0, 14 - lift(1), position["back"].lower(), 22, back)
            return f"{put}>{sheet.use('path-tile', around='k-back')}{letter}</g>"
        if planked:
            return ""
        shape = 'x="-22" width="44" height="35" rx="10"'
        return (
            f'{put} opacity="{1 if position["water"] else 0.55}"><rect y="-15" {shape} fill="#0e4a70" opacity=".28"/>'
            f'<rect y="-18" {shape} fill="none" stroke="#d9fff6" stroke-opacity=".35" stroke-width="1.5" '
            'stroke-dasharray="3 5"/></g>'
        )
    kind = SYMBOLS[tile["kind"]]
    around, h = f"k-{kind}", lift(position["below"])
    ink = load_class_colours()[around]["--kd"]
    drawn = sheet.use("path-stack" if position["below"] else "path-tile", around=around)
    if crowded:
        drawn += sheet.use(f"kind-{kind}", 13.5, -8 - h, 0.78, around) + text(13.5, 18 - h, tile["value"], 17, ink)
    else:
        drawn += sheet.use(f"kind-{kind}", -7, -1 - h, 1.12, around) + text(15.5, 15 - h, tile["value"], 19, ink)
    return f"{put}>{drawn}</g>"


def middle(gap: Gap) -> Spot:
    spots, _, _ = way()
    m = (gap["at"] + gap["to"]) / 2 - 1
    (ax, ay), (bx, by) = spots[floor(m)], spots[ceil(m)]
    return (ax + bx) / 2, (ay + by) / 2


def bridge_arch(gap: Gap) -> tuple[float] | None:
    """Whether an arch spans a gap, and its angle: only for a short gap that is not around a bend."""
    spots, _, _ = way()
    (ax, ay), (bx, by) = spots[gap["at"] - 2], spots[gap["to"]]
    flat = (degrees(atan2(by - ay, bx - ax)) + 90) % 180 - 90
    straight = hypot(bx - ax, by - ay) > (gap["to"] - gap["at"] + 2) * 44 * KS
    return (flat,) if abs(flat) <= 24 and straight and gap["to"] - gap["at"] <= 2 else None


def planks(gap: Gap) -> str:
    """The bridge over a long gap, or around a bend."""
    spots, curve, marks = way()
    a, b = gap["at"] - 2, gap["to"]
    d = line([spots[a], *curve[marks[a] + 1 : marks[b] + 1 : 3], spots[b]])
    strokes = (
        ("#06233f", 27, ' stroke-opacity=".3" transform="translate(3 8)"'),
        ("#3b2010", 26, ""),
        ("#b87a41", 22.5, ""),
        ("#5a3118", 22.5, ' stroke-dasharray="1.8 8.2"'),
    )
    drawn = "".join(f'<path d="{d}" stroke="{ink}" stroke-width="{fmt(w * KS)}"{more}/>' for ink, w, more in strokes)
    return f'<g fill="none" stroke-linejoin="round">{drawn}</g>'


def crossing(sheet: SymbolSet, gap: Gap) -> str:
    """The price of a gap: a buoy with the number, or an arch if it is free."""
    x, y = middle(gap)
    over = bridge_arch(gap)
    if not gap["bridge"]:
        put = f'<g transform="translate({fmt(x)} {fmt(y + 2)}) scale({KS})">'
        return f"{put}{sheet.use('price')}{text(0, -7, gap['price'], 19, '#7c1d10')}</g>"
    if over is None:
        return ""
    wide = KS * (1.02 + 0.82 * (gap["to"] - gap["at"]))
    put = f"translate({fmt(x)} {fmt(y - 6)}) rotate({fmt(over[0])}) scale({fmt(wide)} {fmt(KS * 1.15)})"
    return f'<g transform="{put}">{sheet.use("bridge")}</g>'


def figures(sheet: SymbolSet, view: View) -> list[str]:
    """All figures, back to front."""
    found: list[tuple[float, str]] = []
    for seat in view["seats"]:
        for figure, where in seat["figures"].items():
            x, y, size = standing(view, seat, figure, where)
            found.append((y, sheet.use(f"explorer-{seat['colour']}", x, y, size)))
    return [drawn for _, drawn in sorted(found)]


def standing(view: View, seat: SeatView, figure: str, where: str) -> tuple[float, float, float]:
    """The place and size of a figure; on the shores each colour has its own corner."""
    i, seats = seat["seat"], len(view["seats"])
    if where in ("atlantis", "mainland"):
        n = [str(name) for name, at in seat["figures"].items() if at == where].index(figure)
        if where == "atlantis":
            x, y, k = ATLANTIS_AT
            return x + (-48 + i * 116 / seats + n * 13) * k, y + (12 + n * 4 + i % 2 * 5) * k, 0.8 * KS
        x, y, k = MAINLAND_AT
        return x - (-66 + i * 30 + n * 11) * k, y + (6 + n * 4 + i % 2 * 9) * k, 0.76 * KS
    spots, _, _ = way()
    x, y = spots[number(where) - 1]
    position = view["path"][number(where) - 1]
    first = position["figure"]
    guest = first is not None and (first["seat"] != i or first["figure"] != figure)
    return x + (8 if guest else -9) * KS, y + ((-4 if guest else 9) - lift(position["below"])) * KS, 0.84 * KS


def deck(count: int) -> str:
    """The cards left to draw, on a raft."""
    cards = [
        f'<rect x="{-15 - n}" y="{-32 - n * 3}" width="30" height="42" rx="5" fill="#1c648c" stroke="#fdf8ec" '
        'stroke-width="2"/>'
        for n in range(3)
        if count > n * 14
    ]
    return (
        '<g transform="translate(1012 642)"><ellipse cy="20" rx="40" ry="11" fill="#06233f" opacity=".3"/>'
        '<rect x="-34" y="8" width="68" height="13" rx="6" fill="#8a5128" stroke="#3b2010" stroke-width="1.6"/>'
        f"{''.join(cards)}{text(0, -44, count, 16, '#eafff8')}</g>"
    )


# --- the seats ----------------------------------------------------------------------------------------------------


def player(sheet: SymbolSet, view: View, i: int) -> str:
    """A seat's colour, the total value of its tiles, the tiles, its hand as far as it is visible, and its bridge."""
    seat = view["seats"][i]
    x, y = SEA_WIDTH + 16, 16 + 166 * i
    edge = '"#ffd25e" stroke-width="5"' if seat["seat"] == view["actor"] else '"#e4d5b0" stroke-width="2"'
    parts = [
        f'<rect x="{x}" y="{y}" width="308" height="156" rx="16" fill="#fdf6e4" stroke={edge}/>',
        sheet.badge(seat["colour"], x + 30, y + 30, 1.15),
        text(x + 56, y + 39, seat["worth"], 28, INK, "start"),
        *hand(sheet, seat, x + 118, y + 30),
        *tiles(sheet, seat, x + 20, y + 68),
    ]
    if seat["bridge"]:
        parts.append(sheet.use("bridge", x + 280, y + 136, 0.5))
    return "".join(parts)


def hand(sheet: SymbolSet, seat: SeatView, x: float, y: float) -> list[str]:
    """Cards by kind with their counts; of other hands the public cards and the total."""
    shown: Cards = seat["hand"] if seat["hand"] is not None else seat["known"]
    cards = [(SYMBOLS[kind], n) for kind, n in shown.items() if n]
    hidden = seat["cards"] - sum(n for _, n in cards)
    step = min(27.0, 180 / max(1, len(cards) + (hidden > 0)))
    parts = [card(sheet, kind, n, x + i * step, y) for i, (kind, n) in enumerate(cards)]
    if hidden:
        parts.append(card(sheet, "", hidden, x + len(cards) * step, y))
    return parts


def card(sheet: SymbolSet, kind: str, n: int, x: float, y: float) -> str:
    """A card, or a back if it has no kind, with its count below."""
    face = load_class_colours()[f"k-{kind}"]["--k"] if kind else "#1c648c"
    drawn = (
        f'<rect x="{fmt(x - 12)}" y="{fmt(y - 18)}" width="24" height="32" rx="5" fill="{face}" stroke="{INK}" '
        'stroke-width="1.6"/>'
    )
    if kind:
        drawn += sheet.use(f"kind-{kind}", x, y - 2, 0.72, f"k-{kind}")
    return drawn + (text(x, y + 27, n, 12) if n > 1 or not kind else "")


def tiles(sheet: SymbolSet, seat: SeatView, x: float, y: float) -> list[str]:
    """A seat's tiles, drawn smaller if there are many."""
    n = len(seat["tiles"])
    a_row = 10 if n <= 30 else 15
    scale = 0.5 if n <= 30 else 0.34
    parts = []
    for i, tile in enumerate(seat["tiles"]):
        kind = SYMBOLS[tile["kind"]]
        around = f"k-{kind}"
        put = f"translate({fmt(x + i % a_row * 284 / a_row)} {fmt(y + 14 + i // a_row * 56 * scale)}) scale({scale})"
        value = text(15.5, 7, tile["value"], 22, load_class_colours()[around]["--kd"])
        drawn = sheet.use("path-tile", around=around) + sheet.use(f"kind-{kind}", -9, -9, 1.0, around) + value
        parts.append(f'<g transform="{put}">{drawn}</g>')
    return parts

# interpreted
"""Draws a view as an SVG image in the client's style: the path between its shores, and each seat's area."""

from __future__ import annotations

from functools import cache
from typing import Final

from landfall.core.svg_drawing import INK, Drawing, SymbolSet, crop_origin, draw_number, fmt, load_class_colours
from landfall.games.atlantis.presentation import drawing_constants
from landfall.games.atlantis.rules import board, message_types

PICTURE_WIDTH: Final = 1420
PICTURE_HEIGHT: Final = 690
SEA_WIDTH: Final = 1080
TILE_SCALE: Final = 1.12
ROW_HEIGHTS: Final = (588, 446, 304, 162)  # of the path's four rows, from Atlantis on
ROW_LENGTH: Final = board.MIDDLE // 2  # positions; the middle one lies in the turn between the second and the third row
FIRST_X: Final = 208
STEP: Final = 63
TURN_X: Final = FIRST_X - STEP
ATLANTIS_AT: Final = (100.0, 590.0, 1.0)  # x, y, size
MAINLAND_AT: Final = (102.0, 152.0, 0.72)

Point = tuple[float, float]


def render_svg(view: message_types.View) -> str:
    """The whole image."""
    return build_drawing(view).to_svg()


def build_drawing(view: message_types.View) -> Drawing:
    """The same in parts; a part is identical as long as its contents are."""
    sheet = SymbolSet()
    crowded = {place for seat in view["seats"] for place in seat["figures"].values()}
    bridged = {at for gap in view["gaps"] if gap["bridge"] for at in range(gap["at"], gap["to"] + 1)}
    parts = [draw_sea(), *draw_shores(sheet), *(draw_bridge(gap) for gap in view["gaps"] if gap["bridge"])]
    for i in sorted(range(board.POSITIONS), key=lambda i: (PATH[i][1], i)):
        parts.append(draw_path_position(sheet, view["path"][i], PATH[i], str(i + 1) in crowded, i + 1 in bridged))
    parts += [draw_gap_price(sheet, gap) for gap in view["gaps"] if not gap["bridge"]]
    parts += [draw_deck(view["deck"]), *draw_figures(sheet, view)]
    parts += [draw_seat(sheet, view, i) for i in range(len(view["seats"]))]
    return Drawing(sheet, PICTURE_WIDTH, PICTURE_HEIGHT, parts)


def render_crop_around_places(view: message_types.View, places: list[str], size: tuple[int, int], shift: Point) -> str:
    """A part of the path around some places, without seats; tiles outside are left out."""
    spots = [place_centre(place) for place in places]
    x = sum(spot[0] for spot in spots) / len(spots) + shift[0]
    y = sum(spot[1] for spot in spots) / len(spots) + shift[1]
    left, top = crop_origin((x, y), size, (0, 0, SEA_WIDTH, PICTURE_HEIGHT))
    sheet = SymbolSet()
    crowded = {place for seat in view["seats"] for place in seat["figures"].values()}
    bridged = {at for gap in view["gaps"] if gap["bridge"] for at in range(gap["at"], gap["to"] + 1)}
    near = [
        i
        for i, (px, py) in enumerate(PATH)
        if left - STEP < px < left + size[0] + STEP and top - STEP < py < top + size[1] + STEP
    ]
    parts = [draw_sea(), *draw_shores(sheet), *(draw_bridge(gap) for gap in view["gaps"] if gap["bridge"])]
    for i in sorted(near, key=lambda i: (PATH[i][1], i)):
        parts.append(draw_path_position(sheet, view["path"][i], PATH[i], str(i + 1) in crowded, i + 1 in bridged))
    parts += [draw_gap_price(sheet, gap) for gap in view["gaps"] if not gap["bridge"]]
    parts += draw_figures(sheet, view)
    return Drawing(sheet, *size, parts, left, top).to_svg()


def place_centre(place: str) -> Point:
    """Where a place lies."""
    if place == "atlantis":
        return ATLANTIS_AT[:2]
    return MAINLAND_AT[:2] if place == "mainland" else PATH[int(place) - 1]


# --- the path -----------------------------------------------------------------------------------------------------


def position_point(i: int) -> Point:
    """Where a position lies: rows to and fro, the first from left to right."""
    if i == board.MIDDLE:
        return TURN_X, (ROW_HEIGHTS[1] + ROW_HEIGHTS[2]) / 2
    row, column = divmod(i - (i > board.MIDDLE), ROW_LENGTH)
    return FIRST_X + STEP * (ROW_LENGTH - 1 - column if row % 2 else column), ROW_HEIGHTS[row]


PATH: Final = [position_point(i) for i in range(board.POSITIONS)]


def polyline_path(points: list[Point]) -> str:
    return "M" + " ".join(f"{fmt(x)},{fmt(y)}" for x, y in points)


# --- what no match changes ----------------------------------------------------------------------------------------


@cache
def draw_sea() -> str:
    """The sea, and the shallows the path runs through."""
    d = polyline_path(PATH)
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


def draw_shores(sheet: SymbolSet) -> list[str]:
    x, y, k = MAINLAND_AT
    mainland = f'<g transform="translate({x} {y}) scale(-1 1)">{sheet.draw_symbol("shore-mainland", scale=k)}</g>'
    return [mainland, sheet.draw_symbol("shore-atlantis", *ATLANTIS_AT)]


# --- tiles, gaps, figures -----------------------------------------------------------------------------------------


def tile_stack_height(below: int) -> int:
    return 18 if below else 8


def draw_path_position(
    sheet: SymbolSet, position: message_types.Position, where: Point, crowded: bool, bridged: bool
) -> str:
    """A tile with what lies beneath, or the drowned place where one was."""
    x, y = where
    put = f'<g transform="translate({fmt(x)} {fmt(y)}) scale({TILE_SCALE})"'
    tile = position["tile"]
    if tile is None:
        if position["below"]:
            back = load_class_colours()["k-back"]["--kd"]
            letter = draw_number(0, 14 - tile_stack_height(1), position["back"].lower(), 22, back)
            return f"{put}>{sheet.draw_symbol('path-tile', around='k-back')}{letter}</g>"
        if bridged:
            return ""
        shape = 'x="-22" width="44" height="35" rx="10"'
        return (
            f'{put} opacity="{1 if position["water"] else 0.55}"><rect y="-15" {shape} fill="#0e4a70" opacity=".28"/>'
            f'<rect y="-18" {shape} fill="none" stroke="#d9fff6" stroke-opacity=".35" stroke-width="1.5" '
            'stroke-dasharray="3 5"/></g>'
        )
    kind = drawing_constants.KIND_SYMBOLS[tile["kind"]]
    around, h = f"k-{kind}", tile_stack_height(position["below"])
    ink = load_class_colours()[around]["--kd"]
    drawn = sheet.draw_symbol("path-stack" if position["below"] else "path-tile", around=around)
    if crowded:
        drawn += sheet.draw_symbol(f"kind-{kind}", 13.5, -8 - h, 0.78, around) + draw_number(
            13.5, 18 - h, tile["value"], 17, ink
        )
    else:
        drawn += sheet.draw_symbol(f"kind-{kind}", -7, -1 - h, 1.12, around) + draw_number(
            15.5, 15 - h, tile["value"], 19, ink
        )
    return f"{put}>{drawn}</g>"


def draw_bridge(gap: message_types.Gap) -> str:
    """The bridge over a gap."""
    d = polyline_path(PATH[gap["at"] - 2 : gap["to"] + 1])
    strokes = (
        ("#06233f", 27, ' stroke-opacity=".3" transform="translate(3 8)"'),
        ("#3b2010", 26, ""),
        ("#b87a41", 22.5, ""),
        ("#5a3118", 22.5, ' stroke-dasharray="1.8 8.2"'),
    )
    drawn = "".join(
        f'<path d="{d}" stroke="{ink}" stroke-width="{fmt(w * TILE_SCALE)}"{more}/>' for ink, w, more in strokes
    )
    return f'<g fill="none" stroke-linejoin="round">{drawn}</g>'


def draw_gap_price(sheet: SymbolSet, gap: message_types.Gap) -> str:
    """A buoy with what crossing a gap costs."""
    (ax, ay), (bx, by) = PATH[(gap["at"] + gap["to"]) // 2 - 1], PATH[(gap["at"] + gap["to"] + 1) // 2 - 1]
    put = f'<g transform="translate({fmt((ax + bx) / 2)} {fmt((ay + by) / 2 + 2)}) scale({TILE_SCALE})">'
    return f"{put}{sheet.draw_symbol('price')}{draw_number(0, -7, gap['price'], 19, '#7c1d10')}</g>"


def draw_figures(sheet: SymbolSet, view: message_types.View) -> list[str]:
    """All figures, back to front."""
    found: list[tuple[float, str]] = []
    for seat in view["seats"]:
        for figure, where in seat["figures"].items():
            x, y, size = figure_point_and_size(view, seat, figure, where)
            found.append((y, sheet.draw_symbol(f"explorer-{seat['colour']}", x, y, size)))
    return [drawn for _, drawn in sorted(found)]


def figure_point_and_size(
    view: message_types.View, seat: message_types.SeatView, figure: str, where: str
) -> tuple[float, float, float]:
    """The place and size of a figure; on the shores each colour has its own corner."""
    i, seats = seat["seat"], len(view["seats"])
    if where in ("atlantis", "mainland"):
        n = [str(name) for name, at in seat["figures"].items() if at == where].index(figure)
        if where == "atlantis":
            x, y, k = ATLANTIS_AT
            return x + (-48 + i * 116 / seats + n * 13) * k, y + (12 + n * 4 + i % 2 * 5) * k, 0.8 * TILE_SCALE
        x, y, k = MAINLAND_AT
        return x - (-66 + i * 30 + n * 11) * k, y + (6 + n * 4 + i % 2 * 9) * k, 0.76 * TILE_SCALE
    x, y = PATH[int(where) - 1]
    position = view["path"][int(where) - 1]
    first = position["figure"]
    guest = first is not None and (first["seat"] != i or first["figure"] != figure)
    return (
        x + (8 if guest else -9) * TILE_SCALE,
        y + ((-4 if guest else 9) - tile_stack_height(position["below"])) * TILE_SCALE,
        0.84 * TILE_SCALE,
    )


def draw_deck(count: int) -> str:
    """The cards left to draw, on a raft."""
    cards = [
        f'<rect x="{-15 - n}" y="{-32 - n * 3}" width="30" height="42" rx="5" fill="#1c648c" stroke="#fdf8ec" '
        'stroke-width="2"/>'
        for n in range(3)
        if count > n * 14
    ]
    return (
        '<g transform="translate(1040 646)"><ellipse cy="20" rx="40" ry="11" fill="#06233f" opacity=".3"/>'
        '<rect x="-34" y="8" width="68" height="13" rx="6" fill="#8a5128" stroke="#3b2010" stroke-width="1.6"/>'
        f"{''.join(cards)}{draw_number(0, -44, count, 16, '#eafff8')}</g>"
    )


# --- the seats ----------------------------------------------------------------------------------------------------


def draw_seat(sheet: SymbolSet, view: message_types.View, i: int) -> str:
    """A seat's colour, the total value of its tiles, the tiles, its hand as far as it is visible, and its bridge."""
    seat = view["seats"][i]
    x, y = SEA_WIDTH + 16, 16 + 166 * i
    edge = '"#ffd25e" stroke-width="5"' if seat["seat"] == view["actor"] else '"#e4d5b0" stroke-width="2"'
    parts = [
        f'<rect x="{x}" y="{y}" width="308" height="156" rx="16" fill="#fdf6e4" stroke={edge}/>',
        sheet.draw_player_badge(seat["colour"], x + 30, y + 30, 1.15),
        draw_number(x + 56, y + 39, seat["worth"], 28, INK, "start"),
        *draw_hand(sheet, seat, x + 118, y + 30),
        *draw_seat_tiles(sheet, seat, x + 20, y + 68),
    ]
    if seat["bridge"]:
        parts.append(sheet.draw_symbol("bridge", x + 280, y + 136, 0.5))
    return "".join(parts)


def draw_hand(sheet: SymbolSet, seat: message_types.SeatView, x: float, y: float) -> list[str]:
    """Cards by kind with their counts; of other hands the public cards and the total."""
    shown: message_types.Cards = seat["hand"] if seat["hand"] is not None else seat["known"]
    cards = [(drawing_constants.KIND_SYMBOLS[kind], n) for kind, n in shown.items() if n]
    hidden = seat["cards"] - sum(n for _, n in cards)
    step = min(27.0, 180 / max(1, len(cards) + (hidden > 0)))
    parts = [draw_card(sheet, kind, n, x + i * step, y) for i, (kind, n) in enumerate(cards)]
    if hidden:
        parts.append(draw_card(sheet, "", hidden, x + len(cards) * step, y))
    return parts


def draw_card(sheet: SymbolSet, kind: str, n: int, x: float, y: float) -> str:
    """A card, or a back if it has no kind, with its count below."""
    face = load_class_colours()[f"k-{kind}"]["--k"] if kind else "#1c648c"
    drawn = (
        f'<rect x="{fmt(x - 12)}" y="{fmt(y - 18)}" width="24" height="32" rx="5" fill="{face}" stroke="{INK}" '
        'stroke-width="1.6"/>'
    )
    if kind:
        drawn += sheet.draw_symbol(f"kind-{kind}", x, y - 2, 0.72, f"k-{kind}")
    return drawn + (draw_number(x, y + 27, n, 12) if n > 1 or not kind else "")


def draw_seat_tiles(sheet: SymbolSet, seat: message_types.SeatView, x: float, y: float) -> list[str]:
    """A seat's tiles, drawn smaller if there are many."""
    n = len(seat["tiles"])
    a_row = 10 if n <= 30 else 15
    scale = 0.5 if n <= 30 else 0.34
    parts = []
    for i, tile in enumerate(seat["tiles"]):
        kind = drawing_constants.KIND_SYMBOLS[tile["kind"]]
        around = f"k-{kind}"
        put = f"translate({fmt(x + i % a_row * 284 / a_row)} {fmt(y + 14 + i // a_row * 56 * scale)}) scale({scale})"
        value = draw_number(15.5, 7, tile["value"], 22, load_class_colours()[around]["--kd"])
        drawn = (
            sheet.draw_symbol("path-tile", around=around)
            + sheet.draw_symbol(f"kind-{kind}", -9, -9, 1.0, around)
            + value
        )
        parts.append(f'<g transform="{put}">{drawn}</g>')
    return parts

# interpreted
"""Draws a view as an SVG image in the client's style: the city with its clock, and the holders; no words."""

from __future__ import annotations

from functools import cache
from math import ceil, cos, pi, sin
from typing import Final

from landfall.core.svg_drawing import INK, Drawing, SymbolSet, crop_origin, draw_number, fmt
from landfall.games.atlandice.presentation import drawing_constants
from landfall.games.atlandice.rules import board, message_types

PICTURE_WIDTH: Final = 1200
PICTURE_HEIGHT: Final = 700
CITY_WIDTH: Final = 860  # the holders are beside the city
CX: Final = 430.0
CY: Final = 348.0
U: Final = drawing_constants.CITY_RADIUS / 350  # the size of things against the drawing they were made for
PLAZA: Final = drawing_constants.CITY_RADIUS * drawing_constants.RADII["plaza"]
CLOCK: Final = drawing_constants.CITY_RADIUS * drawing_constants.RADII["clock"]
CLOCK_MIDDLE: Final = (PLAZA + CLOCK) / 2 + 1  # where the clock's spaces lie

Point = tuple[float, float]


def render_svg(view: message_types.View) -> str:
    """The whole image."""
    return build_drawing(view).to_svg()


def build_drawing(view: message_types.View) -> Drawing:
    """The same in parts; a part is identical as long as its contents are."""
    sheet = SymbolSet()
    sectors = view["sectors"]
    middles = {str(here["sector"]): drawing_constants.DISTRICT_ANGLES[i] for i, here in enumerate(sectors[:-1])}
    visited = view["visit"]["sector"] if view["visit"] else ""
    parts = [draw_ground()]
    parts += [draw_district_highlight(m) for sector, m in middles.items() if sector == visited]
    parts += [
        draw_clock(sheet, view),
        draw_black_market(sheet, sectors[-1], visited == "black_market"),
        draw_clock_hand(view),
    ]
    back_first = sorted(range(len(sectors) - 1), key=lambda i: sin(drawing_constants.DISTRICT_ANGLES[i]))
    parts += [draw_district(sheet, sectors[i], i) for i in back_first]
    parts += [draw_submarine(sheet, view["submarine"], middles)]
    parts += [draw_sector_plate(sheet, here, i) for i, here in enumerate(sectors)]
    parts += [draw_holder(sheet, view, i) for i in range(len(view["holders"]))]
    return Drawing(sheet, PICTURE_WIDTH, PICTURE_HEIGHT, parts)


def render_crop_around_places(view: message_types.View, places: list[str], size: tuple[int, int], shift: Point) -> str:
    """A part of the city around some places, without holders."""
    spots = [place_centre(place) for place in places]
    x = sum(spot[0] for spot in spots) / len(spots) + shift[0]
    y = sum(spot[1] for spot in spots) / len(spots) + shift[1]
    left, top = crop_origin((x, y), size, (0, 0, CITY_WIDTH, PICTURE_HEIGHT))
    whole = build_drawing(view)
    city = whole.parts[: len(whole.parts) - len(view["holders"])]
    return Drawing(whole.sheet, *size, city, left, top).to_svg()


def place_centre(place: str) -> Point:
    """Where a place lies."""
    if place not in board.SECTOR_NAMES[: board.REGIONS]:
        return CX, CY
    return city_point(
        drawing_constants.CITY_RADIUS * 0.8, drawing_constants.DISTRICT_ANGLES[board.SECTOR_NAMES.index(place)]
    )


def city_point(r: float, t: float, down: float = 0) -> Point:
    return CX + r * cos(t), CY + down + r * drawing_constants.CITY_FLATNESS * sin(t)


def flat_radii(r: float) -> str:
    """The radii of a circle on the ground, which is seen from the side."""
    return f'rx="{fmt(r)}" ry="{fmt(r * drawing_constants.CITY_FLATNESS)}"'


def polyline_path(spots: list[Point]) -> str:
    return "M" + " ".join(f"{fmt(x)},{fmt(y)}" for x, y in spots)


def arc_path(r: float, a0: float, a1: float, down: float = 0, n: int = 20) -> str:
    return polyline_path([city_point(r, a0 + (a1 - a0) * i / n, down) for i in range(n + 1)])


def ring_segment_path(r0: float, r1: float, a0: float, a1: float, down: float = 0, n: int = 24) -> str:
    there = [city_point(r1, a0 + (a1 - a0) * i / n, down) for i in range(n + 1)]
    return polyline_path(there + [city_point(r0, a1 - (a1 - a0) * i / n, down) for i in range(n + 1)]) + "Z"


def district_angle_range(m: float) -> tuple[float, float]:
    """Where a district begins and ends."""
    return (
        m - pi / board.REGIONS + drawing_constants.DISTRICT_GAP,
        m + pi / board.REGIONS - drawing_constants.DISTRICT_GAP,
    )


def district_path(m: float, down: float = 0) -> str:
    return ring_segment_path(
        drawing_constants.CITY_RADIUS * drawing_constants.RADII["shore"],
        drawing_constants.CITY_RADIUS,
        *district_angle_range(m),
        down,
    )


def draw_city_ellipse(grow: float, down: float, fill: str, opacity: float = 1) -> str:
    rx, ry = (
        drawing_constants.CITY_RADIUS + grow * U,
        (drawing_constants.CITY_RADIUS + (grow - 1) * U) * drawing_constants.CITY_FLATNESS,
    )
    return f'<ellipse cx="{fmt(CX)}" cy="{fmt(CY + down * U)}" rx="{fmt(rx)}" ry="{fmt(ry)}" fill="{fill}"' + (
        f' opacity="{opacity}"/>' if opacity < 1 else "/>"
    )


@cache
def draw_ground() -> str:
    """Sea, island, five districts with walls, lanes and bridges: the static parts."""
    stops = ((0, "#66ccbf"), (0.5, "#3aa6b0"), (0.68, "#2380a0"), (0.86, "#1b5f8b"), (1, "#163f73"))
    parts = [
        f'<radialGradient id="sea" gradientUnits="userSpaceOnUse" cx="{CX}" cy="{CY}" '
        f'r="{drawing_constants.CITY_RADIUS * 1.9}">',
        *(f'<stop offset="{offset}" stop-color="{colour}"/>' for offset, colour in stops),
        '</radialGradient><radialGradient id="face"><stop offset="0" stop-color="#20406f"/>',
        '<stop offset="1" stop-color="#14294f"/></radialGradient>',
        f'<rect width="{PICTURE_WIDTH}" height="{PICTURE_HEIGHT}" fill="url(#sea)"/>',
        draw_city_ellipse(20, 22, "#eafff8", 0.35),
        draw_city_ellipse(9, 20, "#eafff8", 0.8),
        draw_city_ellipse(3, 20, "#9a6f43"),
        draw_city_ellipse(3, 10, "#b98c57"),
        draw_city_ellipse(3, 0, "#2a93a3"),
    ]
    for i, sector in enumerate(board.SECTOR_NAMES[: board.REGIONS]):
        parts += draw_district_ground(sector, drawing_constants.DISTRICT_ANGLES[i])
    return "".join(parts)


def draw_district_ground(sector: str, m: float) -> list[str]:
    tints = drawing_constants.SECTOR_TINTS[sector]
    edge = tints["edge"]
    a0, a1 = district_angle_range(m)
    bridge = polyline_path(
        [city_point(drawing_constants.CITY_RADIUS * radius, m) for radius in drawing_constants.BRIDGE_RADII]
    )
    wall = f'<path fill="none" d="{arc_path(drawing_constants.CITY_RADIUS * 0.985, a0 + 0.006, a1 - 0.006)}"'
    return [
        f'<path d="{district_path(m, 7 * U)}" fill="{edge}"/>',
        f'<path d="{district_path(m)}" fill="{tints["ground"]}" '
        'stroke="#fffaf0" stroke-width="2" stroke-linejoin="round"/>',
        f'{wall} stroke="{tints["ink"]}" stroke-opacity=".35" stroke-width="9"/>',
        f'{wall} transform="translate(0 -3)" stroke="#fffaf0" stroke-width="7" stroke-dasharray="10 4"/>',
        f'<path d="{bridge}" stroke="#6b3f1f" stroke-width="44"/><path d="{bridge}" stroke="#d9a86c" '
        f'stroke-width="38"/><path d="{bridge}" stroke="#a8743f" stroke-width="38" stroke-dasharray="2 7"/>',
    ]


def draw_district_highlight(m: float) -> str:
    """The highlight of the visited district."""
    return f'<path d="{district_path(m)}" fill="none" stroke="#ffd25e" stroke-width="5" stroke-linejoin="round"/>'


def draw_clock(sheet: SymbolSet, view: message_types.View) -> str:
    """The clock face around the plaza, its spaces and their icons."""
    face = view["clock"]
    spaces = face["last"] + 1
    size = min(U, 2 * pi * CLOCK_MIDDLE * (0.5 + drawing_constants.CITY_FLATNESS / 2) / spaces / 35)
    parts = [
        f'<ellipse cx="{CX}" cy="{CY + 9}" {flat_radii(CLOCK)} fill="#0b1a38"/>',
        f'<ellipse cx="{CX}" cy="{CY}" {flat_radii(CLOCK)} fill="url(#face)" stroke="#f3d9a4" stroke-width="3"/>',
    ]
    for space in range(spaces):
        x, y = city_point(CLOCK_MIDDLE, -pi / 2 + space * 2 * pi / spaces)
        past = ' opacity=".42"' if space < face["hand"] else ""
        drawn = draw_clock_space(sheet, space, face["last"], face["icons"].get(str(space), ""))
        parts.append(f'<g transform="translate({fmt(x)} {fmt(y)}) scale({fmt(size)})"{past}>{drawn}</g>')
    return "".join(parts)


def draw_clock_space(sheet: SymbolSet, space: int, last: int, icon: str) -> str:
    """A space of the clock: the end, an icon, the start, or a dot."""
    if space == last:
        return (
            '<circle r="17" fill="#ff8468" stroke="#fffaf0" stroke-width="2"/><path d="M-10-2c3.3-5 6.6 4 10 0s6.6 4 '
            '10 0M-10 5c3.3-5 6.6 4 10 0s6.6 4 10 0" fill="none" stroke="#3a0810" stroke-width="2.6" '
            'stroke-linecap="round"/>'
        )
    if icon:
        disc = '<circle r="15.5" fill="#fff6e2" stroke="#f3d9a4" stroke-width="2"/>'
        return disc + sheet.draw_symbol(drawing_constants.ICON_SYMBOLS[icon], scale=0.88)
    if space == 0:
        return (
            '<circle r="14" fill="none" stroke="#f3d9a4" stroke-width="2"/><path d="M-6 0H6M1-5 6 0 1 5" fill="none" '
            'stroke="#f3d9a4" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"/>'
        )
    return '<circle r="5" fill="#f3d9a4" opacity=".8"/>'


def draw_clock_hand(view: message_types.View) -> str:
    """The clock's hand, pointing outward from the plaza."""
    face = view["clock"]
    size = min(17 * U, pi * CLOCK_MIDDLE / (face["last"] + 1) + 2)
    turn = face["hand"] * 360 / (face["last"] + 1)
    top, foot, dip = -(CLOCK_MIDDLE - size * 0.4), -PLAZA * 0.76, -PLAZA * 0.9
    return (
        f'<g transform="translate({CX} {CY}) scale(1 {drawing_constants.CITY_FLATNESS}) rotate({fmt(turn)})">'
        f'<path d="M0 {fmt(top)}L16 {fmt(foot)}Q0 {fmt(dip)} -16 {fmt(foot)}Z" fill="#ff8468" stroke="#3a0810" '
        'stroke-width="2" stroke-linejoin="round"/>'
        f'<circle cy="{fmt(-CLOCK_MIDDLE)}" r="{fmt(size)}" fill="none" stroke="#ff8468" stroke-width="4"/></g>'
    )


def draw_black_market(sheet: SymbolSet, here: message_types.SectorView, visited: bool) -> str:
    """The black market in the middle: a tent, a stack of each kind, the sixes."""
    parts = [
        f'<ellipse cx="{CX}" cy="{CY}" {flat_radii(PLAZA)} fill="#3a2a5e" '
        f'stroke="{"#ffd25e" if visited else "#f3d9a4"}" stroke-width="{5 if visited else 2}"/>',
        f'<ellipse cx="{CX}" cy="{CY - 3}" {flat_radii(PLAZA * 0.9)} fill="#4b3a78"/>',
        sheet.draw_symbol("black-market", CX - 34, CY - 26, 0.88 * U),
    ]
    for column, resource in enumerate(drawing_constants.RESOURCES):
        n = here["pieces"][resource]
        x, y = CX + (column - 2) * 31, CY + 45 - abs(column - 2) * 4
        parts += [
            sheet.draw_symbol(drawing_constants.ICON_SYMBOLS[resource], x, y - i * 9, 0.86) for i in range(min(n, 5))
        ]
        if n > 3:
            parts.append(draw_number(x, y + 23, n, 12.5, "#fff6e2"))
    return "".join(parts) + draw_dice(sheet, here, (CX + 38, CY - 42), 0.88, (1, 0))


def draw_district(sheet: SymbolSet, here: message_types.SectorView, i: int) -> str:
    """What stands and lies in a district: its building, the pieces, the dice at its gate."""
    m = drawing_constants.DISTRICT_ANGLES[i]
    x, y = city_point(drawing_constants.CITY_RADIUS * drawing_constants.RADII["middle"], m)
    bx, by = (
        x + drawing_constants.BUILDING_OFFSETS[i][0] * drawing_constants.OFFSET_SCALE,
        y + drawing_constants.BUILDING_OFFSETS[i][1] * drawing_constants.OFFSET_SCALE,
    )
    building = str(here["sector"])
    if here["used_up"]:
        sunk = f'<path d="{district_path(m)}" fill="#1f6f8f" opacity=".86"/>'
        return sunk + sheet.draw_symbol(building, bx, by + 14, 1.12 * U, more='opacity=".28"')
    parts = [sheet.draw_symbol(building, bx, by, 1.12 * U)]
    parts.append(
        draw_piece_pile(
            sheet,
            here,
            drawing_constants.RESOURCES[i],
            (
                x + drawing_constants.PILE_OFFSETS[i][0] * drawing_constants.OFFSET_SCALE,
                y + drawing_constants.PILE_OFFSETS[i][1] * drawing_constants.OFFSET_SCALE,
            ),
        )
    )
    flat = abs(cos(m)) < 0.1
    along = (1.0, 0.0) if flat else (-sin(m) * (1 if cos(m) > 0 else -1), abs(cos(m)) * 0.92)
    return "".join(parts) + draw_dice(
        sheet, here, city_point(drawing_constants.CITY_RADIUS * drawing_constants.RADII["gate"], m, -2), 0.95, along
    )


def draw_piece_pile(sheet: SymbolSet, here: message_types.SectorView, own: message_types.Resource, where: Point) -> str:
    """The pieces of a region in rows, its own first; closer together the more there are."""
    kinds = sorted(drawing_constants.RESOURCES, key=lambda resource: resource != own)
    pieces = [resource for resource in kinds for _ in range(here["pieces"][resource])]
    n, (x, y) = len(pieces), where
    width = 2 if n <= 2 else 3 if n <= 9 else 4 if n <= 12 else 5
    scale = 1.02 if n <= 6 else 0.94 if n <= 9 else 0.8 if n <= 12 else 0.66
    rows = ceil(n / width)
    tint = drawing_constants.SECTOR_TINTS[here["sector"]]["edge"]
    rx, ry = 58 if n > 9 else 50, 44 if rows > 2 else 33 if rows > 1 else 20
    size = f'cx="{fmt(x)}" cy="{fmt(y + 4)}" rx="{rx}" ry="{ry}"'
    parts = [
        f'<ellipse {size} fill="{tint}" opacity=".75"/>',
        f'<ellipse {size} fill="none" stroke="#fffaf0" stroke-width="1.6" stroke-dasharray="4 4"/>',
    ]
    for i, resource in enumerate(pieces):
        row = i // width
        in_row = n - row * width if row == rows - 1 else width
        px = x + (i - row * width - (in_row - 1) / 2) * 28 * scale
        parts.append(
            sheet.draw_symbol(
                drawing_constants.ICON_SYMBOLS[resource], px, y + (row - (rows - 1) / 2) * 25 * scale, scale
            )
        )
    return "".join(parts)


def draw_dice(sheet: SymbolSet, here: message_types.SectorView, where: Point, scale: float, along: Point) -> str:
    """The dice that lie at a gate; more than four as three and their number."""
    n, (x, y) = here["dice"], where
    shown = 3 if n > 4 else n
    step = (27 if shown > 3 else 31) * scale
    parts = []
    for i in range(shown):
        off = (i - (shown - 1) / 2) * step
        parts.append(sheet.draw_symbol(f"die-{here['number']}", x + off * along[0], y + off * along[1], scale))
    if n > shown:
        cx, cy = x + 15 * scale + step * abs(along[0]), y - 15 * scale - step * abs(along[1])
        parts += [sheet.draw_symbol("count", cx, cy, max(scale, 0.8)), draw_number(cx, cy + 4, n, 12, "#fff")]
    return "".join(parts)


def draw_submarine(sheet: SymbolSet, where: str, middles: dict[str, float]) -> str:
    """At a district's wall, or in the canal around the market."""
    wave = (
        '<path d="M-36 3c5-4 9 3 14 0s9 3 14 0 9 3 14 0 9 3 14 0 9 3 14 0" fill="none" stroke="#eafff8" '
        'stroke-width="2.4" stroke-linecap="round"/>'
    )
    if where not in middles:
        x, y = city_point(drawing_constants.CITY_RADIUS * drawing_constants.RADII["canal"], pi / 2, 8)
        return sheet.draw_symbol("submarine", x, y, 0.8)
    i = list(middles).index(where)
    turn = middles[where] + drawing_constants.SUBMARINE_TURNS[i]
    x, y = city_point(drawing_constants.CITY_RADIUS * drawing_constants.RADII["submarine"], turn)
    boat = sheet.draw_symbol("submarine", x + 4, y + 18, 1.08)
    return f'{boat}<g transform="translate({fmt(x + 4)} {fmt(y + 18)})">{wave}</g>'


def draw_sector_plate(sheet: SymbolSet, here: message_types.SectorView, i: int) -> str:
    """A sector's number, the letter of its tile, and the clock's hands it shows."""
    x, y = (
        (CX + 40, CY - 8)
        if here["sector"] == "black_market"
        else city_point(
            drawing_constants.CITY_RADIUS * drawing_constants.RADII["plate"],
            drawing_constants.DISTRICT_ANGLES[i] + drawing_constants.PLATE_TURNS[i],
        )
    )
    letter = (here["tile"] or "")[-1:]
    wide = 30 + (10 if letter else 0) + 15 * (here["hands"] or 0)
    parts = [
        f'<rect x="{fmt(x - wide / 2)}" y="{fmt(y - 15)}" width="{wide}" height="30" rx="10" '
        f'fill="{drawing_constants.SECTOR_TINTS[here["sector"]]["ink"]}" stroke="#fffaf0" stroke-width="2"/>',
        draw_number(x - wide / 2 + 10, y + 6, f"{here['number']}{letter}", 17, "#fff", "start"),
    ]
    for n in range(here["hands"] or 0):
        parts.append(sheet.draw_symbol("ui-clock", x + wide / 2 - 14 - 15 * n, y, 0.6, more='color="#fff"'))
    return "".join(parts)


def draw_holder(sheet: SymbolSet, view: message_types.View, i: int) -> str:
    """A player, or the neutral one: colour, points, tiles, dice taken, and the stock; the actor has a frame."""
    one = view["holders"][i]
    x, y, tall = 866, 40 + 158 * i, 146
    acts = one["seat"] is not None and one["seat"] == view["actor"]
    edge = '"#ffd25e" stroke-width="5"' if acts else '"#e4d5b0" stroke-width="2"'
    parts = [
        f'<rect x="{x}" y="{y}" width="310" height="{tall}" rx="18" fill="#fdf6e4" stroke={edge}/>',
        sheet.draw_player_badge(one["colour"], x + 34, y + 36, 1.3),
        draw_number(x + 68, y + 46, one["score"], 32, INK, "start"),
        *draw_taken_tiles(sheet, one, x + 150, y + 36),
    ]
    if view["first"] == one["seat"]:
        parts.append(sheet.draw_symbol("pennant", x + 12, y + 16, 0.9, f"p-{one['colour']}"))
    for column, resource in enumerate(drawing_constants.RESOURCES):
        n = one["stock"][resource]
        px = x + 36 + column * 58
        if i in view["leaders"][resource]:
            parts.append(f'<circle cx="{px}" cy="{y + 92}" r="21" fill="#ffd25e" opacity=".75"/>')
        parts += [
            sheet.draw_symbol(
                drawing_constants.ICON_SYMBOLS[resource], px, y + 92, 1.15, more="" if n else 'opacity=".3"'
            )
        ]
        parts.append(draw_number(px, y + 134, n, 18, INK if n else "#8d8468"))
    return "".join(parts)


def draw_taken_tiles(sheet: SymbolSet, one: message_types.HolderView, x: float, y: float) -> list[str]:
    """The region tiles a holder has taken, each in its region's colours."""
    parts = []
    for i, tile in enumerate(one["tiles"]):
        sector = tile[:-2]
        tints = drawing_constants.SECTOR_TINTS[sector]
        px = x + (i % 5) * 30
        py = y - 14 + (i // 5) * 28
        parts.append(
            f'<rect x="{fmt(px - 13)}" y="{fmt(py - 1)}" width="26" height="26" rx="7" fill="{tints["ground"]}" '
            f'stroke="{tints["ink"]}" stroke-width="2"/>'
        )
        parts.append(sheet.draw_symbol(sector, px, py + 22, 0.3))
    return parts

# interpreted
"""Draws a view as an SVG image in the client's style: sea, island, pieces and seats."""

from __future__ import annotations

from functools import cache
from typing import Final

from landfall.core.hex_grid import hex_distance
from landfall.core.svg_drawing import INK, Drawing, SymbolSet, crop_origin, draw_number, fmt
from landfall.games.survive.presentation import drawing_constants
from landfall.games.survive.rules import board, message_types

PICTURE_WIDTH: Final = 1290
PICTURE_HEIGHT: Final = 760
VIEWBOX_LEFT: Final = -478  # centres the board
VIEWBOX_TOP: Final = -386
BOTTOM: Final = PICTURE_HEIGHT + VIEWBOX_TOP
BESIDE: Final = 488  # where the seats begin
MARGIN: Final = 70  # around a part of the board, in which things may reach into it
ISLE_OUTLINE: Final = (
    "M-54 3C-56-12-40-22-24-25-8-34 14-31 28-24 46-20 57-9 54 4 52 17 34 23 18 25 2 32-18 29-32 23-46 20-53 14-54 3Z"
)
# Where things that share a space stand, from its middle, by how many they are; and their sizes.
SPOTS: Final = (
    (),
    ((0, 6),),
    ((-14, 3), (14, 8)),
    ((-18, 0), (18, 2), (0, 13)),
    ((-18, -5), (16, -7), (-10, 14), (18, 12)),
    ((-20, -6), (0, -12), (20, -5), (-11, 14), (15, 15)),
)
SIZES: Final = (1, 0.9, 0.78, 0.68, 0.62, 0.58)
MOST_SHOWN: Final = 3  # explorers in one space; of more, their number
SEATS_ABOARD: Final = (-17, 0, 17)
BACKS: Final = {
    "wind": "back-wind",
    "dolphin": "dolphin",
    "move_serpent": "serpent",
    "move_shark": "shark",
    "move_whale": "whale",
    "shark_defence": "shark",
    "whale_defence": "whale",
}


def render_svg(view: message_types.View) -> str:
    """The whole image."""
    return build_drawing(view).to_svg()


def build_drawing(view: message_types.View) -> Drawing:
    """The same in parts; a part is identical as long as its contents are."""
    sheet = SymbolSet()
    parts = [
        draw_sea(),
        draw_shore(view),
        *(draw_isle(sheet, name) for name in board.ISLES),
        *draw_tiles(sheet, view),
        *draw_pieces(sheet, view),
        draw_sunk_and_attack_marks(view),
        *(draw_seat(sheet, view, i) for i in range(len(view["seats"]))),
        *draw_dice(sheet, view["dice"]),
        *draw_hand_tiles(sheet, [] if "hands" in view else view.get("hand", []), VIEWBOX_LEFT + 36, BOTTOM - 30),
    ]
    return Drawing(sheet, PICTURE_WIDTH, PICTURE_HEIGHT, parts, VIEWBOX_LEFT, VIEWBOX_TOP)


def render_crop_around_places(
    view: message_types.View, places: list[str], size: tuple[int, int], shift: drawing_constants.Point
) -> str:
    """A part of the board around some places, without seats and hands; what lies outside is left out."""
    x = sum(drawing_constants.CENTRES[place][0] for place in places) / len(places) + shift[0]
    y = sum(drawing_constants.CENTRES[place][1] for place in places) / len(places) + shift[1]
    whole = VIEWBOX_LEFT, VIEWBOX_TOP, BESIDE - VIEWBOX_LEFT, PICTURE_HEIGHT
    left, top = crop_origin((x, y), size, whole)

    def is_near(place: object) -> bool:
        at = drawing_constants.CENTRES.get(str(place))
        return at is not None and (
            left - MARGIN < at[0] < left + size[0] + MARGIN and top - MARGIN < at[1] < top + size[1] + MARGIN
        )

    sheet = SymbolSet()
    cut: message_types.View = {
        **view,
        "explorers": {piece: at for piece, at in view["explorers"].items() if is_near(at)},
        "creatures": [one for one in view["creatures"] if is_near(one[2])],
        "ships": [one for one in view["ships"] if is_near(one[1])],
    }
    tiles: message_types.View = {**view, "tiles": {at: terrain for at, terrain in view["tiles"].items() if is_near(at)}}
    parts = [
        draw_sea(),
        draw_shore(view),
        *(draw_isle(sheet, name) for name in board.ISLES if is_near(name)),
        *draw_tiles(sheet, tiles),
        *draw_pieces(sheet, cut),
        draw_sunk_and_attack_marks(view),
    ]
    return Drawing(sheet, *size, parts, left, top).to_svg()


@cache
def hexagon_path(at: drawing_constants.Point, scale: float = 1, dx: float = 0, dy: float = 0) -> str:
    spots = (f"{fmt(at[0] + dx + x * scale)},{fmt(at[1] + dy + y * scale)}" for x, y in drawing_constants.CORNERS)
    return f"M{' '.join(spots)}Z"


def hexagons_path(names: list[str], scale: float = 1, dx: float = 0, dy: float = 0) -> str:
    return "".join(hexagon_path(drawing_constants.CENTRES[name], scale, dx, dy) for name in names)


# --- sea and land -------------------------------------------------------------------------------------------------


def draw_sea_background() -> str:
    """The sea, and the colours of lagoons and isles."""
    stops = ((0, "#5cc6bb"), (0.34, "#3fb0b3"), (0.56, "#2486a0"), (0.78, "#1b5f8b"), (1, "#163f73"))
    return "".join(
        [
            '<radialGradient id="sea" gradientUnits="userSpaceOnUse" cx="0" cy="0" r="640" ',
            'gradientTransform="scale(1 .84)">',
            *(f'<stop offset="{offset}" stop-color="{colour}"/>' for offset, colour in stops),
            '</radialGradient><radialGradient id="lagoon"><stop offset="0" stop-color="#9fe6d6" stop-opacity=".95"/>',
            '<stop offset=".55" stop-color="#5cc8bd" stop-opacity=".55"/><stop offset="1" stop-color="#2a93a3" '
            'stop-opacity="0"/></radialGradient><radialGradient id="sand" cx=".4" cy=".3" r=".8">',
            '<stop offset="0" stop-color="#fff0c9"/><stop offset="1" stop-color="#ecc27c"/></radialGradient>',
            f'<rect x="{VIEWBOX_LEFT}" y="{VIEWBOX_TOP}" width="{PICTURE_WIDTH}" height="{PICTURE_HEIGHT}" '
            'fill="url(#sea)"/>',
        ]
    )


@cache
def draw_sea() -> str:
    """The spaces, paler near the island; the lake; the landing places."""
    fills = ((".2", "190,248,232"), (".13", "150,232,222"), (".06", "130,215,220"), (".045", "130,205,225"))
    rings: list[list[str]] = [[], [], [], []]
    for name, at in zip(board.NAMES, board.HEXES):
        far = min(hex_distance(at, slot) for slot in board.SLOT_HEXES)
        rings[min(4, max(1, far)) - 1].append(name)
    landings = [board.NAMES[board.INDEX[at]] for two in board.LANDINGS for at in two]
    lagoons = [drawing_constants.CENTRES[name] for name in board.ISLES]
    return "".join(
        [
            draw_sea_background(),
            *(f'<ellipse cx="{fmt(x)}" cy="{fmt(y)}" rx="135" ry="112" fill="url(#lagoon)"/>' for x, y in lagoons),
            *(
                f'<path d="{hexagons_path(ring, 0.965)}" fill="rgb({colour})" fill-opacity="{opacity}" '
                'stroke="#e8fffa" stroke-opacity=".17" stroke-width="1.3" stroke-linejoin="round"/>'
                for ring, (opacity, colour) in zip(rings, fills)
            ),
            f'<path d="{hexagons_path([board.NAMES[board.LAKE]], 0.98)}" fill="#1d6f92" opacity=".4"/>',
            f'<path d="{hexagons_path(landings, 0.86)}" fill="#fff3cf" fill-opacity=".13" stroke="#ffe7ad" '
            'stroke-opacity=".75" stroke-width="1.8" stroke-dasharray="2 6" stroke-linecap="round"/>',
        ]
    )


def draw_shore(view: message_types.View) -> str:
    """Drowned ground, the island's shadow and its foam."""
    slots = [board.NAMES[board.INDEX[at]] for at in board.SLOT_HEXES]
    land = [name for name in slots if name in view["tiles"]]
    gone = [name for name in slots if name not in view["tiles"]]
    foam = 'fill="#f2fffb" stroke="#f2fffb" stroke-linejoin="round"'
    return (
        f'<path d="{hexagons_path(gone, 0.74, 0, 5)}" fill="#0e5a70" opacity=".2"/>'
        f'<path d="{hexagons_path(gone, 0.74, 0, 1)}" fill="#e9d49a" opacity=".24"/>'
        f'<path d="{hexagons_path(land, 1, 9, 15)}" fill="#072a4a" opacity=".3"/>'
        f'<g opacity=".38"><path d="{hexagons_path(land, 1.13, 0, 4)}" {foam} stroke-width="3"/></g>'
        f'<g opacity=".8"><path d="{hexagons_path(land, 1.03, 0, 3)}" {foam} stroke-width="2"/></g>'
    )


def draw_isle(sheet: SymbolSet, name: str) -> str:
    """A safe isle with its palms."""
    x, y = drawing_constants.CENTRES[name]
    turned = "" if name.endswith("W") else ' transform="scale(-1 1)"'
    green = "M-40-4C-34-18-12-24 6-21 22-20 34-12 32-4 24 2 8-4-6 0S-34 6-40-4Z"
    return (
        f'<g transform="translate({fmt(x)} {fmt(y)})"><g{turned}>'
        f'<path d="{ISLE_OUTLINE}" transform="translate(0 9) scale(1.16)" fill="#eafff8" opacity=".32"/>'
        f'<path d="{ISLE_OUTLINE}" transform="translate(0 9) scale(1.06)" fill="#eafff8" opacity=".55"/>'
        f'<path d="{ISLE_OUTLINE}" transform="translate(0 8)" fill="#b8874f"/>'
        f'<path d="{ISLE_OUTLINE}" fill="url(#sand)" stroke="#c79a58" stroke-width="1.2"/>'
        f'<path d="{green}" fill="#8cc46a" stroke="#4d8f47"/>{sheet.draw_symbol("palm", -25, -4, 1.15)}'
        f'<g transform="scale(-1 1)">{sheet.draw_symbol("palm", 8, -10, 0.85)}</g>'
        f"{sheet.draw_symbol('tree', 18, -9, 0.8)}</g></g>"
    )


def draw_tiles(sheet: SymbolSet, view: message_types.View) -> list[str]:
    """The tiles that are left, from the top row on, each always the same way round."""
    drawn = []
    for name, terrain in sorted(view["tiles"].items(), key=lambda tile: board.BY_NAME[tile[0]]):
        odd = board.BY_NAME[name] * 7 // 3 % 2 == 1
        part = sheet.draw_symbol(f"tile-{terrain}" + ("-2" if odd and terrain == "forest" else ""))
        if terrain == "beach":
            part += sheet.draw_symbol("palm", -20, -drawing_constants.TERRAIN_HEIGHTS["beach"] - 9, 0.8)
        x, y = drawing_constants.CENTRES[name]
        way = " scale(-1 1)" if odd and terrain == "beach" else ""
        drawn.append(f'<g transform="translate({fmt(x)} {fmt(y)}){way}">{part}</g>')
    return drawn


# --- pieces -------------------------------------------------------------------------------------------------------


def draw_pieces(sheet: SymbolSet, view: message_types.View) -> list[str]:
    """Creatures, ships and explorers, space by space from the top row on."""
    aboard = {piece for crew in view["aboard"].values() for piece in crew}
    people: dict[str, list[str]] = {}
    for piece, place in view["explorers"].items():
        if place != "lost" and piece not in aboard:
            people.setdefault(place, []).append(piece)
    creatures: dict[str, list[str]] = {}
    for _, kind, at in view["creatures"]:
        creatures.setdefault(str(at), []).append(str(kind))
    ships = {str(place) for _, place in view["ships"]}
    drawn = []
    for place in sorted({*people, *creatures, *ships}, key=lambda place: drawing_constants.ROW_NUMBERS[place]):
        here = people.get(place, [])
        if place in board.ISLES:
            drawn.append(draw_explorers_on_isle(sheet, view, place, here))
        else:
            drawn.append(draw_space_contents(sheet, view, place, creatures.get(place, []), place in ships, here))
    return drawn


def draw_space_contents(
    sheet: SymbolSet, view: message_types.View, place: str, creatures: list[str], ship: bool, people: list[str]
) -> str:
    """All that is in one space, each thing on a spot of its own, smaller the more there are."""
    shown = people[:MOST_SHOWN]
    n = min(len(creatures) + ship + len(shown), len(SPOTS) - 1)
    x, y = drawing_constants.CENTRES[place]
    terrain = view["tiles"].get(place)
    y += 8 - drawing_constants.TERRAIN_HEIGHTS[terrain] if terrain else 0
    things = [*creatures, *(["ship"] if ship else []), *shown]
    drawn = []
    for i, thing in enumerate(things):
        dx, dy = SPOTS[n][min(i, n - 1)]
        if thing == "ship":
            drawn.append(draw_ship_with_crew(sheet, view, view["aboard"].get(place, []), (x + dx, y + dy), SIZES[n]))
        elif i < len(creatures):
            drawn.append(sheet.draw_symbol(thing, x + dx, y + dy, SIZES[n]))
        else:
            drawn.append(draw_explorer(sheet, view, thing, (x + dx, y + dy), SIZES[n], swims=terrain is None))
    if len(people) > MOST_SHOWN:
        drawn.append(
            sheet.draw_symbol("count", x + 26, y - 18) + draw_number(x + 26, y - 13.6, len(people), 13, "#fff")
        )
    return "".join(drawn)


def draw_explorers_on_isle(sheet: SymbolSet, view: message_types.View, isle: str, people: list[str]) -> str:
    """In a row on an isle; many stand in two."""
    x, y = drawing_constants.CENTRES[isle]
    n = len(people)
    step = 25 if n < 3 else 62 / (n - 1)
    left = x - step * (n - 1) / 2
    spots = [(left + i * step, y + 19 - (9 * (i % 2) if n > 3 else 0)) for i in range(n)]
    drawn = sorted((at[1], at[0], piece) for at, piece in zip(spots, people))
    return "".join(draw_explorer(sheet, view, piece, (px, py), 0.7) for py, px, piece in drawn)


def draw_explorer(
    sheet: SymbolSet,
    view: message_types.View,
    piece: str,
    at: drawing_constants.Point,
    size: float,
    swims: bool = False,
) -> str:
    """An explorer, with the value where the view tells it and a dolphin where one guards it."""
    x, y = at
    part = sheet.draw_symbol(
        f"{'swimmer' if swims else 'explorer'}-{drawing_constants.COLOURS_BY_LETTER[piece[0]]}", x, y, size
    )
    if swims and piece in view["wards"].values():
        part += sheet.draw_symbol("dolphin", x - 14, y - 14, 0.3)
    value = explorer_values_in_view(view).get(piece)
    if value is not None:
        put = f"translate({fmt(x + 15 * size)} {fmt(y - 7 * size)}) scale({fmt(max(size, 0.8))})"
        part += f'<g transform="{put}">{sheet.draw_symbol("value")}{draw_number(0, 4.6, value, 13.5, "#3a2500")}</g>'
    return part


def explorer_values_in_view(view: message_types.View) -> dict[str, int]:
    """The values of explorers that this view tells."""
    found = dict(view.get("values", {}))
    for own in view.get("own", []):
        found.update(own.get("values", {}))
    return found


def draw_ship_with_crew(
    sheet: SymbolSet, view: message_types.View, crew: list[str], at: drawing_constants.Point, size: float
) -> str:
    """A ship, those aboard, and before them its planks with the three seats."""
    x, y = at
    riders = [
        draw_explorer(sheet, view, piece, (x + seat_x * size, y - 6 * size), 0.68 * size)
        for piece, seat_x in zip(crew, SEATS_ABOARD)
    ]
    seats = [
        sheet.draw_symbol("seat-taken", seat_x, -0.5, around=f"p-{drawing_constants.COLOURS_BY_LETTER[crew[i][0]]}")
        if i < len(crew)
        else sheet.draw_symbol("seat", seat_x, -0.5)
        for i, seat_x in enumerate(SEATS_ABOARD)
    ]
    front = sheet.draw_symbol("ship-front")
    hull = f'<g transform="translate({fmt(x)} {fmt(y)}) scale({size})">{front}{"".join(seats)}</g>'
    return sheet.draw_symbol("ship-back", x, y, size) + "".join(riders) + hull


def draw_sunk_and_attack_marks(view: message_types.View) -> str:
    """Where a tile has just sunk, and where a creature attacks."""
    parts = []
    if view["sunk"]:
        ring = 'fill="none" stroke="#ffd25e" stroke-width="3" stroke-dasharray="7 5"'
        parts.append(f'<path d="{hexagons_path([view["sunk"]], 0.9)}" {ring}/>')
    if "attack" in view:
        x, y = drawing_constants.CENTRES[view["attack"]["at"]]
        parts.append(
            f'<ellipse cx="{fmt(x)}" cy="{fmt(y)}" rx="44" ry="36" fill="none" stroke="#ff5a4a" stroke-width="5"/>'
        )
    return "".join(parts)


# --- beside the board ---------------------------------------------------------------------------------------------


def draw_seat(sheet: SymbolSet, view: message_types.View, i: int) -> str:
    """A seat's colours, its explorers saved and in play, and the public side of its hand."""
    one = view["seats"][i]
    x, y = BESIDE, VIEWBOX_TOP + 14 + 123 * i
    edge = '"#ffd25e" stroke-width="5"' if i == view["actor"] else '"#e4d5b0" stroke-width="2"'
    parts = [f'<rect x="{x}" y="{y}" width="308" height="112" rx="16" fill="#fdf6e4" stroke={edge}/>']
    parts += [sheet.draw_player_badge(colour, x + 30 + 34 * n, y + 30, 1.05) for n, colour in enumerate(one["colours"])]
    main = one["colours"][0]
    parts += [
        sheet.draw_symbol("ui-isle", x + 128, y + 30, 1.25, more='color="#0f6670"'),
        draw_number(x + 150, y + 39, one["saved"], 24, INK, "start"),
        sheet.draw_symbol(f"explorer-{main}", x + 204, y + 46, 0.8),
        draw_number(x + 222, y + 39, one["in_play"], 24, INK, "start"),
    ]
    if "scores" in view:
        parts.append(draw_number(x + 292, y + 39, view["scores"][i], 26, "#7c1d10", "end"))
    hands = view.get("hands")
    if hands:
        return "".join(parts + draw_hand_tiles(sheet, hands[i], x + 26, y + 84))
    step = min(30.0, 270 / max(1, len(one["hand"])))
    parts += [sheet.draw_symbol(f"tile-{side}", x + 26 + step * n, y + 88, 0.42) for n, side in enumerate(one["hand"])]
    return "".join(parts)


def draw_hand_tiles(sheet: SymbolSet, tiles: list[message_types.HandTile], x: float, y: float) -> list[str]:
    """Hand tiles from the side that only their owner sees."""
    step = min(46.0, 270 / max(1, len(tiles)))
    parts = []
    for n, tile in enumerate(tiles):
        px = x + step * n
        parts.append(
            f'<rect x="{fmt(px - 20)}" y="{fmt(y - 22)}" width="40" height="42" rx="9" fill="#fdf6e4" '
            f'stroke="{INK}" stroke-width="1.6"/>'
        )
        parts.append(sheet.draw_symbol(BACKS[tile["tile"]], px, y + 8, 0.46))
        if tile["tile"].endswith("_defence"):
            parts.append(sheet.draw_symbol("back-defence", px + 9, y - 10, 0.42))
    return parts


def draw_dice(sheet: SymbolSet, faces: list[str]) -> list[str]:
    """The dice rolled just now."""
    parts = []
    for n, face in enumerate(faces):
        x, y = 412 - 62 * n, BOTTOM - 40
        parts.append(sheet.draw_symbol("dice-face", x, y, 1.1))
        if face in ("1", "2", "3", "D"):
            parts.append(draw_number(x, y + 11, face.lower(), 32))
        else:
            parts.append(sheet.draw_symbol("starfish" if face == "starfish" else face, x, y + 8, 0.62))
    return parts

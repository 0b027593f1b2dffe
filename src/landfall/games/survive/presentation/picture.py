# interpreted
"""Draws a view as an SVG image in the client's style: sea, island, pieces and seats."""

from __future__ import annotations

from functools import cache
from math import sqrt
from typing import TYPE_CHECKING, Final

from landfall.core.hex import distance
from landfall.core.svg import EMBLEMS, INK, Drawing, SymbolSet, fmt, load_class_colours, text
from landfall.games.survive.rules.board import BY_NAME, HEXES, ISLES, LANDINGS, NAMES, SLOT_HEXES

if TYPE_CHECKING:
    from landfall.games.survive.rules.messages import HandTile, View

PICTURE_WIDTH: Final = 1290
PICTURE_HEIGHT: Final = 760
VIEWBOX_LEFT: Final = -478  # centres the board
VIEWBOX_TOP: Final = -386
BOTTOM: Final = PICTURE_HEIGHT + VIEWBOX_TOP
BESIDE: Final = 488  # left edge of the seats
ROW: Final = 1.5 * 42 * 0.86  # distance of two rows of spaces
ACROSS: Final = 42 * sqrt(3)  # distance of two spaces in a row
CORNERS: Final = ((0, -36.1), (36.4, -18.05), (36.4, 18.05), (0, 36.1), (-36.4, 18.05), (-36.4, -18.05))
TALL: Final = {"beach": 7, "forest": 14, "mountain": 18}
LETTERS: Final = {"r": "red", "y": "yellow", "g": "green", "b": "blue", "o": "orange", "w": "white"}
OFF: Final = {"@NW": (-58, -24), "@NE": (58, -24), "@SW": (-58, 24), "@SE": (58, 24)}
BLOB: Final = (
    "M-54 3C-56-12-40-22-24-25-8-34 14-31 28-24 46-20 57-9 54 4 52 17 34 23 18 25 2 32-18 29-32 23-46 20-53 14-54 3Z"
)
# Offsets from the centre of the space for up to three pieces.
ON_TILE: Final = ((), ((0, 0),), ((-13, 0), (13, 0)), ((-19, -2), (19, -2), (0, 4)))
ON_TILE_SIZE: Final = (1, 0.86, 0.78, 0.68)
SWIMMING: Final = ((), ((0, 10),), ((-13, 8), (13, 12)), ((-17, 5), (17, 6), (0, 18)))
BESIDE_BEAST: Final = ((), ((14, 16),), ((5, 20), (24, 12)), ((-10, 21), (9, 24), (26, 13)))
BESIDE_SHIP: Final = ((), ((27, 19),), ((11, 24), (31, 17)), ((-6, 25), (13, 26), (32, 17)))
BEASTS: Final = ((), ((0, 6),), ((-14, -4), (14, 10)), ((-16, -8), (16, -3), (-2, 14)))
BEAST_SIZE: Final = (1, 0.92, 0.72, 0.6)
ABOARD: Final = (-17, 0, 17)
BACKS: Final = {
    "wind": "back-wind",
    "dolphin": "dolphin",
    "move_serpent": "serpent",
    "move_shark": "shark",
    "move_whale": "whale",
    "shark_defence": "shark",
    "whale_defence": "whale",
}

Spot = tuple[float, float]
Layer = list[tuple[float, str]]  # drawn elements with their depth


def picture(view: View) -> str:
    """The whole image."""
    return drawing(view).to_svg()


def drawing(view: View) -> Drawing:
    """The same in parts; a part is identical as long as its contents are."""
    sheet = SymbolSet()
    drawn: Layer = [*isles(sheet), *land(sheet, view), *people(sheet, view), *beasts(sheet, view), *ships(sheet, view)]
    drawn.sort(key=lambda one: one[0])
    parts = [
        sea(),
        shore(view),
        *(part for _, part in drawn),
        marks(view),
        *(seat(sheet, view, i) for i in range(len(view["seats"]))),
        *dice(sheet, view["dice"]),
        *hand(sheet, [] if "hands" in view else view.get("hand", []), VIEWBOX_LEFT + 36, BOTTOM - 30),
    ]
    return Drawing(sheet, PICTURE_WIDTH, PICTURE_HEIGHT, parts, VIEWBOX_LEFT, VIEWBOX_TOP)


# --- where things are ---------------------------------------------------------------------------------------------


def point(q: int, r: int) -> Spot:
    return ACROSS * (q + r / 2), ROW * r


@cache
def middle(place: str) -> Spot:
    """The centre of a space or an isle, at water level."""
    if not place.startswith("@"):
        return point(*HEXES[BY_NAME[place]])
    (ax, ay), (bx, by) = (point(*at) for at in LANDINGS[ISLES.index(place)])
    return (ax + bx) / 2 + OFF[place][0], (ay + by) / 2 + OFF[place][1]


def row_of(place: str) -> int:
    """0 to 12 from the top."""
    if place.startswith("@"):
        return 1 if place[1] == "N" else 11
    return HEXES[BY_NAME[place]][1] + 6


def chance(name: str, salt: int) -> float:
    """A pseudo-random number from 0 to 1 derived from a name, the same as in the client."""
    mixed = salt * 2654435761 & 0xFFFFFFFF
    for letter in name:
        mixed = (mixed ^ ord(letter)) * 16777619 & 0xFFFFFFFF
    mixed ^= mixed >> 15
    return (mixed * 2246822519 & 0xFFFFFFFF) % 10007 / 10007


@cache
def hexagon(at: Spot, scale: float = 1, dx: float = 0, dy: float = 0) -> str:
    spots = (f"{fmt(at[0] + dx + x * scale)},{fmt(at[1] + dy + y * scale)}" for x, y in CORNERS)
    return f"M{' '.join(spots)}Z"


def hexagons(names: list[str], scale: float = 1, dx: float = 0, dy: float = 0) -> str:
    return "".join(hexagon(middle(name), scale, dx, dy) for name in names)


def shyness(view: View, place: str) -> int:
    """How far things on the water move back, so that land in front hides less of them."""
    if place.startswith("@") or place in view["tiles"]:
        return 0
    q, r = HEXES[BY_NAME[place]]
    before = [NAMES[HEXES.index(at)] for at in ((q - 1, r + 1), (q, r + 1)) if at in HEXES]
    most = max((TALL[view["tiles"][name]] for name in before if name in view["tiles"]), default=0)
    return 9 if most > 7 else 4 if most else 0


# --- sea and land -------------------------------------------------------------------------------------------------


def ground() -> str:
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
def sea() -> str:
    """The spaces, paler near the island; the lake; the landing places."""
    fills = ((".2", "190,248,232"), (".13", "150,232,222"), (".06", "130,215,220"), (".045", "130,205,225"))
    rings: list[list[str]] = [[], [], [], []]
    for name, at in zip(NAMES, HEXES):
        far = min(distance(at, slot) for slot in SLOT_HEXES)
        rings[min(4, max(1, far)) - 1].append(name)
    landings = [NAMES[HEXES.index(at)] for two in LANDINGS for at in two]
    lagoons = [middle(isle) for isle in ISLES]
    return "".join(
        [
            ground(),
            *(f'<ellipse cx="{fmt(x)}" cy="{fmt(y)}" rx="135" ry="112" fill="url(#lagoon)"/>' for x, y in lagoons),
            *(
                f'<path d="{hexagons(ring, 0.965)}" fill="rgb({colour})" fill-opacity="{opacity}" stroke="#e8fffa" '
                'stroke-opacity=".17" stroke-width="1.3" stroke-linejoin="round"/>'
                for ring, (opacity, colour) in zip(rings, fills)
            ),
            f'<path d="{hexagon((0, 0), 0.98)}" fill="#1d6f92" opacity=".4"/>',
            f'<path d="{hexagons(landings, 0.86)}" fill="#fff3cf" fill-opacity=".13" stroke="#ffe7ad" '
            'stroke-opacity=".75" stroke-width="1.8" stroke-dasharray="2 6" stroke-linecap="round"/>',
        ]
    )


def shore(view: View) -> str:
    """The submerged ground, the island's shadow and its foam."""
    slots = [NAMES[HEXES.index(at)] for at in SLOT_HEXES]
    land = [name for name in slots if name in view["tiles"]]
    gone = [name for name in slots if name not in view["tiles"]]
    foam = 'fill="#f2fffb" stroke="#f2fffb" stroke-linejoin="round"'
    return (
        f'<path d="{hexagons(gone, 0.74, 0, 5)}" fill="#0e5a70" opacity=".2"/>'
        f'<path d="{hexagons(gone, 0.74, 0, 1)}" fill="#e9d49a" opacity=".24"/>'
        f'<path d="{hexagons(land, 1, 9, 15)}" fill="#072a4a" opacity=".3"/>'
        f'<g opacity=".38"><path d="{hexagons(land, 1.13, 0, 4)}" {foam} stroke-width="3"/></g>'
        f'<g opacity=".8"><path d="{hexagons(land, 1.03, 0, 3)}" {foam} stroke-width="2"/></g>'
    )


def isles(sheet: SymbolSet) -> Layer:
    """The four safe isles; two have a lighthouse."""
    tower = (
        '<g transform="translate(4 -12)" stroke="#5b3a2a" stroke-width="1.4" stroke-linejoin="round">'
        '<path d="M-5 0-3.5-30h7L5 0Z" fill="#fff7e6"/>'
        '<path d="M-4.6-8h9.2l-.6-7h-8ZM-3.9-22h7.8l-.4-6h-7Z" fill="#e8583f" stroke="none"/>'
        '<path d="M-4-31h8v-6h-8Z" fill="#ffe27a"/><path d="M-6-37 0-43 6-37Z" fill="#e8583f"/></g>'
    )
    drawn: Layer = []
    for isle in ISLES:
        x, y = middle(isle)
        turned = "" if isle.endswith("W") else ' transform="scale(-1 1)"'
        green = "M-40-4C-34-18-12-24 6-21 22-20 34-12 32-4 24 2 8-4-6 0S-34 6-40-4Z"
        part = (
            f'<g transform="translate({fmt(x)} {fmt(y)})"><g{turned}>'
            f'<path d="{BLOB}" transform="translate(0 9) scale(1.16)" fill="#eafff8" opacity=".32"/>'
            f'<path d="{BLOB}" transform="translate(0 9) scale(1.06)" fill="#eafff8" opacity=".55"/>'
            f'<path d="{BLOB}" transform="translate(0 8)" fill="#b8874f"/>'
            f'<path d="{BLOB}" fill="url(#sand)" stroke="#c79a58" stroke-width="1.2"/>'
            f'<path d="{green}" fill="#8cc46a" stroke="#4d8f47"/>{sheet.use("palm", -25, -4, 1.15)}'
            f'<g transform="scale(-1 1)">{sheet.use("palm", 8, -10, 0.85)}</g>{sheet.use("tree", 18, -9, 0.8)}</g>'
            f"{tower if isle in ('@NE', '@SW') else ''}</g>"
        )
        drawn.append((row_of(isle) * 20 + 3, part))
    return drawn


def land(sheet: SymbolSet, view: View) -> Layer:
    """The remaining tiles, each always in the same rotation."""
    drawn: Layer = []
    for name, terrain in view["tiles"].items():
        symbol = f"tile-{terrain}" + ("-2" if terrain == "forest" and chance(name, 3) < 0.5 else "")
        mirrored = terrain != "mountain" and chance(name, 5) < 0.5
        part = sheet.use(symbol)
        if terrain == "beach":
            part += sheet.use("palm", -20, -TALL["beach"] - 9, 0.8)
        x, y = middle(name)
        way = " scale(-1 1)" if mirrored else ""
        drawn.append((row_of(name) * 20, f'<g transform="translate({fmt(x)} {fmt(y)}){way}">{part}</g>'))
    return drawn


# --- figures ------------------------------------------------------------------------------------------------------


def values(view: View) -> dict[str, int]:
    """The values of explorers that this view contains."""
    found = dict(view.get("values", {}))
    for own in view.get("own", []):
        found.update(own.get("values", {}))
    return found


def explorer(sheet: SymbolSet, view: View, piece: str, symbol: str, x: float, y: float, size: float) -> str:
    """One explorer, with its value if the view contains it."""
    part = sheet.use(f"{symbol}-{LETTERS[piece[0]]}", x, y, size)
    value = values(view).get(piece)
    if value is not None:
        put = f"translate({fmt(x + 15 * size)} {fmt(y - 7 * size)}) scale({fmt(max(size, 0.8))})"
        part += f'<g transform="{put}">{sheet.use("value")}{text(0, 4.6, value, 13.5, "#3a2500")}</g>'
    return part


def people(sheet: SymbolSet, view: View) -> Layer:
    """Explorers on tiles, on isles and in the water; those aboard are drawn with their ships."""
    aboard = {piece for crew in view["aboard"].values() for piece in crew}
    places: dict[str, list[str]] = {}
    for piece, place in view["explorers"].items():
        if place != "lost" and piece not in aboard:
            places.setdefault(place, []).append(piece)
    drawn: Layer = []
    for place, pieces in places.items():
        if place.startswith("@"):
            drawn += ashore(sheet, view, place, pieces)
        elif place in view["tiles"]:
            drawn += on_tile(sheet, view, place, pieces)
        else:
            drawn += swimming(sheet, view, place, pieces)
    return drawn


def ashore(sheet: SymbolSet, view: View, isle: str, pieces: list[str]) -> Layer:
    """In a row on an isle; many stand in two."""
    x, y = middle(isle)
    n = len(pieces)
    gap = 25 if n < 3 else 62 / (n - 1)
    drawn: Layer = []
    for i, piece in enumerate(pieces):
        back = i % 2 if n > 3 else 0
        px, py = x + (-8 if n < 3 else -31) + i * gap, y + 19 - back * 9
        part = explorer(sheet, view, piece, "explorer", px, py, 0.62 if n > 8 else 0.74)
        drawn.append((row_of(isle) * 20 + 15 - back, part))
    return drawn


def on_tile(sheet: SymbolSet, view: View, place: str, pieces: list[str]) -> Layer:
    """Up to three explorers on a tile, and their number if there are more."""
    x, y = middle(place)
    lift, n = TALL[view["tiles"][place]], min(3, len(pieces))
    drawn: Layer = []
    for i, (dx, dy) in enumerate(ON_TILE[n]):
        part = explorer(sheet, view, pieces[i], "explorer", x + dx, y - lift + 14 + dy, ON_TILE_SIZE[n])
        drawn.append((row_of(place) * 20 + 10 + (i == 2), part))
    return drawn + crowd(sheet, place, len(pieces), x + 25, y - lift - 14)


def swimming(sheet: SymbolSet, view: View, place: str, pieces: list[str]) -> Layer:
    """Up to three swimmers, beside the other pieces of the space."""
    x, y = middle(place)
    ship = any(at == place for _, at in view["ships"])
    beast = any(at == place for _, _, at in view["creatures"])
    n = min(3, len(pieces))
    spots = (BESIDE_SHIP if ship else BESIDE_BEAST if beast else SWIMMING)[n]
    size = 0.66 if n > 2 else 0.74 if n > 1 or ship else 0.8 if beast else 0.86
    up = shyness(view, place)
    drawn: Layer = []
    for i, (dx, dy) in enumerate(spots):
        part = explorer(sheet, view, pieces[i], "swimmer", x + dx, y + dy - up, size)
        if pieces[i] in view["wards"].values():
            part += sheet.use("dolphin", x + dx - 14, y + dy - up - 14, 0.3)
        drawn.append((row_of(place) * 20 + 15 + i, part))
    return drawn + crowd(sheet, place, len(pieces), x + 28, y - 12)


def crowd(sheet: SymbolSet, place: str, n: int, x: float, y: float) -> Layer:
    if n <= 3:
        return []
    return [(row_of(place) * 20 + 18, sheet.use("count", x, y) + text(x, y + 4.4, n, 13, "#fff"))]


def beasts(sheet: SymbolSet, view: View) -> Layer:
    """Creatures, smaller if they share a space."""
    places: dict[str, list[str]] = {}
    for _, kind, place in view["creatures"]:
        places.setdefault(str(place), []).append(str(kind))
    folk, sailing = set(view["explorers"].values()), {place for _, place in view["ships"]}
    drawn: Layer = []
    for place, kinds in places.items():
        x, y = middle(place)
        n = min(3, len(kinds))
        for i, kind in enumerate(kinds):
            dx, dy, size = *BEASTS[n][min(i, n - 1)], BEAST_SIZE[n]
            if n == 1 and place in sailing:
                dx, dy, size = -15, -9, 0.72
            elif n == 1 and place in folk:
                dx, dy, size = -8, -4, 0.78
            elif place in sailing or place in folk:
                dx, dy, size = dx - 4, dy - 10, size * 0.92
            more = max(0, i - 2)
            part = sheet.use(kind, x + dx + 5 * more, y + dy - 3 * more - shyness(view, place), size)
            drawn.append((row_of(place) * 20 + 5 + min(i, 3), part))
    return drawn


def ships(sheet: SymbolSet, view: View) -> Layer:
    """Ships with those aboard, and the pennants of those who may sail them."""
    swimmers = {
        at for piece, at in view["explorers"].items() if not any(piece in crew for crew in view["aboard"].values())
    }
    beasts_at = {place for _, _, place in view["creatures"]}
    drawn: Layer = []
    for _, at in view["ships"]:
        place = str(at)
        x, y = middle(place)
        dx, dy, size = (7.0, 9.0, 0.78) if place in beasts_at else (-7, 1, 0.82) if place in swimmers else (0, 5, 0.92)
        x, y, z = x + dx, y + dy - shyness(view, place), row_of(place) * 20
        crew = view["aboard"].get(place, [])
        drawn.append((z + 9, sheet.use("ship-back", x, y, size)))
        for i, piece in enumerate(crew):
            rider = explorer(sheet, view, piece, "explorer", x + ABOARD[i] * size, y - 6 * size, 0.68 * size)
            drawn.append((z + 11, rider))
        put = f"translate({fmt(x)} {fmt(y)}) scale({size})"
        drawn.append((z + 12, f'<g transform="{put}">{hull(sheet, view, crew)}</g>'))
    return drawn


def hull(sheet: SymbolSet, view: View, crew: list[str]) -> str:
    """The part in front of those aboard: pennants, planks, and the three seats."""
    parts = []
    flags = pennants(view, crew)
    for i, colour in enumerate(flags):
        y = -24 - (len(flags) - 1 - i) * 15
        parts.append(sheet.use("pennant", 32, y, around=f"p-{colour}") + emblem(sheet, colour, 40.5, y - 6.5, 0.36))
    parts.append(sheet.use("ship-front"))
    for i, x in enumerate(ABOARD):
        if i < len(crew):
            colour = LETTERS[crew[i][0]]
            parts.append(sheet.use("seat-taken", x, -0.5, around=f"p-{colour}") + emblem(sheet, colour, x, -0.5, 0.34))
        else:
            parts.append(sheet.use("seat", x, -0.5))
    return "".join(parts)


def emblem(sheet: SymbolSet, colour: str, x: float, y: float, size: float) -> str:
    return sheet.use(
        f"emblem-{EMBLEMS[colour]}", x, y, size, more=f'fill="{load_class_colours()[f"p-{colour}"]["--on"]}"'
    )


def pennants(view: View, crew: list[str]) -> list[str]:
    """The colours of the seats with most explorers aboard."""
    aboard: dict[int, list[str]] = {}
    for piece in crew:
        owner = next(i for i, one in enumerate(view["seats"]) if LETTERS[piece[0]] in one["colours"])
        aboard.setdefault(owner, []).append(LETTERS[piece[0]])
    most = max((len(pieces) for pieces in aboard.values()), default=0)
    return [pieces[0] for pieces in aboard.values() if len(pieces) == most]


def marks(view: View) -> str:
    """Where a tile has just sunk, and where a creature attacks."""
    parts = []
    if view["sunk"]:
        ring = 'fill="none" stroke="#ffd25e" stroke-width="3" stroke-dasharray="7 5"'
        parts.append(f'<path d="{hexagon(middle(view["sunk"]), 0.9)}" {ring}/>')
    if "attack" in view:
        x, y = middle(view["attack"]["at"])
        parts.append(
            f'<ellipse cx="{fmt(x)}" cy="{fmt(y)}" rx="44" ry="36" fill="none" stroke="#ff5a4a" stroke-width="5"/>'
        )
    return "".join(parts)


# --- beside the board ---------------------------------------------------------------------------------------------


def seat(sheet: SymbolSet, view: View, i: int) -> str:
    """A seat's colours, its explorers saved and in play, and the public side of its hand."""
    one = view["seats"][i]
    x, y = BESIDE, VIEWBOX_TOP + 14 + 123 * i
    edge = '"#ffd25e" stroke-width="5"' if i == view["actor"] else '"#e4d5b0" stroke-width="2"'
    parts = [f'<rect x="{x}" y="{y}" width="308" height="112" rx="16" fill="#fdf6e4" stroke={edge}/>']
    parts += [sheet.badge(colour, x + 30 + 34 * n, y + 30, 1.05) for n, colour in enumerate(one["colours"])]
    main = one["colours"][0]
    parts += [
        sheet.use("ui-isle", x + 128, y + 30, 1.25, more='color="#0f6670"'),
        text(x + 150, y + 39, one["saved"], 24, INK, "start"),
        sheet.use(f"explorer-{main}", x + 204, y + 46, 0.8),
        text(x + 222, y + 39, one["in_play"], 24, INK, "start"),
    ]
    if "scores" in view:
        parts.append(text(x + 292, y + 39, view["scores"][i], 26, "#7c1d10", "end"))
    hands = view.get("hands")
    if hands:
        return "".join(parts + hand(sheet, hands[i], x + 26, y + 84))
    step = min(30.0, 270 / max(1, len(one["hand"])))
    parts += [sheet.use(f"tile-{side}", x + 26 + step * n, y + 88, 0.42) for n, side in enumerate(one["hand"])]
    return "".join(parts)


def hand(sheet: SymbolSet, tiles: list[HandTile], x: float, y: float) -> list[str]:
    """Hand tiles from the side that only their owner sees."""
    step = min(46.0, 270 / max(1, len(tiles)))
    parts = []
    for n, tile in enumerate(tiles):
        px = x + step * n
        parts.append(
            f'<rect x="{fmt(px - 20)}" y="{fmt(y - 22)}" width="40" height="42" rx="9" fill="#fdf6e4" '
            f'stroke="{INK}" stroke-width="1.6"/>'
        )
        parts.append(sheet.use(BACKS[tile["tile"]], px, y + 8, 0.46))
        if tile["tile"].endswith("_defence"):
            parts.append(sheet.use("back-defence", px + 9, y - 10, 0.42))
    return parts


def dice(sheet: SymbolSet, faces: list[str]) -> list[str]:
    """The dice rolled just now."""
    parts = []
    for n, face in enumerate(faces):
        x, y = 412 - 62 * n, BOTTOM - 40
        parts.append(sheet.use("dice-face", x, y, 1.1))
        if face in ("1", "2", "3", "D"):
            parts.append(text(x, y + 11, face.lower(), 32))
        else:
            parts.append(sheet.use("starfish" if face == "starfish" else face, x, y + 8, 0.62))
    return parts

# interpreted
"""SVG images from the client's symbol sheet: the drawing tools of a game's `picture.py`.

In the client, a symbol takes its colours from the class around it (`p-red`, `k-crown`). An image stands alone, and not
every viewer supports classes: so each symbol is written once for each class it is used in.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from html import escape
from typing import Final

from landfall import paths

PART: Final = re.compile(r'<(symbol|linearGradient|pattern|path) id="([\w-]+)"([^>]*?)(?:/>|>(.*?)</\1>)', re.DOTALL)
CLASS: Final = re.compile(r"\.([pk]-\w+) \{(.*?)\}", re.DOTALL)
RULE: Final = re.compile(r"(--\w+): ([^;]+);")
COLOUR: Final = re.compile(r"var\((--\w+)(?:, *([^)]*))?\)")
LINK: Final = re.compile(r'(href="#|url\(#)([\w-]+)')
NAMED: Final = re.compile(r' id="([\w-]+)"')
INK: Final = "#14213d"
MAX_NAME_LENGTH: Final = 24  # characters of a name
ADVANCE: Final = 8  # distance of two digits, each 6 wide and 10 high
SIGNS: Final = {
    "0": "M3-10C.9-10 0-8 0-5S.9 0 3 0 6-2 6-5 5.1-10 3-10Z",
    "1": "M.8-8 3.4-10V0",
    "2": "M.3-7.4C.3-9 1.5-10 3-10S5.7-9 5.7-7.3C5.7-5 .5-2.6 .2 0H6",
    "3": "M.4-8.8C1-9.6 1.9-10 3-10 4.6-10 5.6-9 5.6-7.6S4.6-5.3 2.4-5.3C4.8-5.3 6-4.2 6-2.7S4.8 0 3 0C1.7 0 "
    ".6-.5 0-1.4",
    "4": "M4.4 0V-10L0-3.2H6.2",
    "5": "M5.4-10H1L.6-5.6C1.2-6.1 2-6.4 3-6.4 4.9-6.4 6-5.1 6-3.2S4.8 0 2.9 0C1.6 0 .6-.5 0-1.3",
    "6": "M5.2-9.3C4.7-9.8 4-10 3.3-10 1.2-10 0-7.8 0-4.4 0-1.5 1.1 0 3 0S6-1.3 6-3.1 4.9-6.2 3.1-6.2 0-4.9 0-3.2",
    "7": "M0-10H6L2 0",
    "8": "M3-5.4C1.3-5.4 .4-6.4 .4-7.7S1.4-10 3-10 5.6-9 5.6-7.7 4.7-5.4 3-5.4C1.2-5.4 0-4.3 0-2.7S1.2 0 3 0 6-1.1 "
    "6-2.7 4.8-5.4 3-5.4Z",
    "9": "M.8-.7C1.3-.2 2 0 2.7 0 4.8 0 6-2.2 6-5.6 6-8.5 4.9-10 3-10S0-8.7 0-6.9 1.1-3.8 2.9-3.8 6-5.1 6-6.8",
    "a": "M0 0 3-10 6 0M1-3.2H5",
    "b": "M0-10V0H3.2C5 0 6-1.2 6-2.8S5-5.4 3.2-5.4H0H2.8C4.4-5.4 5.4-6.4 5.4-7.7S4.4-10 2.8-10Z",
    "c": "M5.8-8.3C5.3-9.4 4.3-10 3.2-10 1.2-10 0-8 0-5S1.2 0 3.2 0C4.4 0 5.3-.6 5.8-1.7",
    "d": "M0-10V0H2.400C4.800 0 6-2 6-5S4.800-10 2.400-10Z",
    "+": "M.5-5H5.5M3-7.5V-2.5",
    "-": "M.8-5H5.2",
}
EMBLEMS: Final = {
    "red": "sail",
    "blue": "pearl",
    "green": "leaf",
    "yellow": "star",
    "orange": "cross",
    "white": "moon",
    "black": "lozenge",
}


@cache
def load_symbol_definitions() -> dict[str, str]:
    """Every part of the sheet by its id, as definitions for an image; symbols become groups."""
    text = re.sub(
        r"<!--.*?-->", "", paths.visual_asset_file("symbols.svg").read_text(encoding="utf-8"), flags=re.DOTALL
    )
    defs, _, symbols = text.partition("</defs>")
    found: dict[str, str] = {}
    for tag, name, rest, inside in [*PART.findall(defs), *(m for m in PART.findall(symbols) if m[0] == "symbol")]:
        rest = rest.replace(' overflow="visible"', "")
        tag = "g" if tag == "symbol" else tag
        found[name] = f'<{tag} id="{name}"{rest}>{inside.strip()}</{tag}>' if inside else f'<{tag} id="{name}"{rest}/>'
    return found


@cache
def load_class_colours() -> dict[str, dict[str, str]]:
    """The colours of each class."""
    text = paths.visual_asset_file("symbols.css").read_text(encoding="utf-8")
    return {name: dict(RULE.findall(rules)) for name, rules in CLASS.findall(text)}


@cache
def symbol_depends_on_class(name: str) -> bool:
    """Whether a part looks different in different classes."""
    text = load_symbol_definitions()[name]
    if re.search(r'class="', text):
        return True
    return bool(COLOUR.search(text)) or any(
        symbol_depends_on_class(link) for _, link in LINK.findall(text) if link in load_symbol_definitions()
    )


class SymbolSet:
    """The symbols that one image uses, each written once per class."""

    def __init__(self) -> None:
        self.parts: dict[str, str] = {}

    def draw_symbol(
        self, name: str, x: float = 0, y: float = 0, scale: float = 1, around: str = "", more: str = ""
    ) -> str:
        """A symbol with its origin at a place; `around` is its class, `more` other attributes."""
        placed = f'transform="translate({fmt(x)} {fmt(y)})' + (f' scale({fmt(scale)})"' if scale != 1 else '"')
        return f'<use href="#{self.ensure_symbol(name, around)}" {placed}{" " + more if more else ""}/>'

    def ensure_symbol(self, name: str, around: str) -> str:
        """The id of a part in a class; it is written on first use."""
        ident = f"{name}.{around}" if around and symbol_depends_on_class(name) else name
        if ident not in self.parts:
            self.parts[ident] = ""  # reserves its place: before the parts that use it
            self.parts[ident] = self.render_symbol_definition(name, ident, around)
        return ident

    def render_symbol_definition(self, name: str, ident: str, around: str) -> str:
        text = load_symbol_definitions()[name]
        own = re.search(r'class="([pk]-\w+)"', text)
        inner = own[1] if own else around
        text = re.sub(r' class="[^"]*"', "", text)
        known = load_class_colours().get(inner, {})
        text = COLOUR.sub(lambda m: colour_or_none_if_variable(known.get(m[1], m[2] or "none")), text)
        inside = {found: f"{found}.{ident}" for found in NAMED.findall(text) if found != name}
        text = NAMED.sub(lambda m: f' id="{inside.get(m[1], ident)}"', text)

        def redirect_link(m: re.Match[str]) -> str:
            return m[1] + (
                inside.get(m[2]) or (self.ensure_symbol(m[2], inner) if m[2] in load_symbol_definitions() else m[2])
            )

        return LINK.sub(redirect_link, text)

    def draw_player_badge(self, colour: str, x: float, y: float, scale: float = 1) -> str:
        """A player's colour with its emblem, so that colour is never the only cue."""
        tint = load_class_colours()[f"p-{colour}"]
        emblem = self.draw_symbol(f"emblem-{EMBLEMS[colour]}", scale=0.78, more=f'fill="{tint["--on"]}"')
        return (
            f'<g transform="translate({fmt(x)} {fmt(y)}) scale({fmt(scale)})">'
            f'<circle r="15.5" fill="{tint["--c"]}" stroke="{tint["--cd"]}" stroke-width="2"/>{emblem}</g>'
        )


@dataclass
class Drawing:
    """An image under construction: its parts from back to front, in the units of its view box."""

    sheet: SymbolSet
    width: int
    height: int
    parts: list[str]
    left: int = 0
    top: int = 0

    def to_svg(self) -> str:
        """The whole image, with the symbols it uses."""
        return wrap_in_svg_document(
            (self.left, self.top, self.width, self.height),
            f"<defs>{''.join(self.sheet.parts.values())}</defs>{''.join(self.parts)}",
        )


def crop_origin(
    around: tuple[float, float], size: tuple[int, int], within: tuple[int, int, int, int]
) -> tuple[int, int]:
    """The left and top of a part of that size around a point, inside the whole: left, top, width, height."""
    (x, y), (width, height), (left, top, full_width, full_height) = around, size, within
    return (
        round(max(left, min(x - width / 2, left + full_width - width))),
        round(max(top, min(y - height / 2, top + full_height - height))),
    )


def wrap_in_svg_document(box: tuple[int, int, int, int], inside: str) -> str:
    """An SVG document around the parts."""
    _, _, width, height = box
    seen = " ".join(map(str, box))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{seen}" width="{width}" height="{height}" '
        f'font-family="Carlito, \'Noto Sans\', sans-serif" font-weight="700">{inside}</svg>'
    )


def colour_or_none_if_variable(value: str) -> str:
    """A colour's value; `none` instead of a CSS variable: hatching is a client setting."""
    return "none" if value.startswith("var(") else value


def fmt(value: float) -> str:
    """A number with as few digits as a drawing needs."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def draw_number(x: float, y: float, words: object, size: float, fill: str = INK, anchor: str = "middle") -> str:
    """A number as shapes: it looks the same in every viewer, whatever its fonts."""
    scale = size * 0.066
    signs = str(words)
    left = x - {"start": 0, "middle": 0.5, "end": 1}[anchor] * scale * (len(signs) * ADVANCE - 2)
    drawn = "".join(
        f'<path d="{SIGNS[sign]}"' + (f' transform="translate({fmt(i * ADVANCE)} 0)"/>' if i else "/>")
        for i, sign in enumerate(signs)
    )
    return (
        f'<g transform="translate({fmt(left)} {fmt(y)}) scale({fmt(scale)})" fill="none" stroke="{fill}" '
        f'stroke-width="1.9" stroke-linecap="round" stroke-linejoin="round">{drawn}</g>'
    )


def draw_name(x: float, y: float, words: str, size: float, fill: str = INK) -> str:
    """An untrusted name: clipped to a fitting length, and escaped."""
    cut = "".join(sign if sign.isprintable() else " " for sign in words)[:MAX_NAME_LENGTH]
    return f'<text x="{fmt(x)}" y="{fmt(y)}" font-size="{fmt(size)}" fill="{fill}">{escape(cut)}</text>'

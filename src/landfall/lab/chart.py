"""Shares of wins as pictures: a dot with its interval for each pairing, as SVG for a page, as text for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import escape

if TYPE_CHECKING:
    from landfall.lab.ladder import Line

ROW: Final = 26
LEFT: Final = 330
WIDTH: Final = 400
RIGHT: Final = 150
CELLS: Final = 40


def bar(line: Line) -> str:
    """One pairing as text: the interval as a line, the share as a dot, par as a bar.

    >>> from landfall.lab.ladder import Line
    >>> bar(Line("a", "b", 100, 0.75, 0.66, 0.83, 0.5, 1.0))
    '····················|·····────●───·······'
    """
    cells = ["·"] * (CELLS + 1)
    for i in range(round(line.low * CELLS), round(line.high * CELLS) + 1):
        cells[i] = "─"
    cells[round(line.par * CELLS)] = "|"
    cells[round(line.share * CELLS)] = "●"
    return "".join(cells)


def svg(title: str, lines: list[Line]) -> str:
    """All pairings of a ladder as one picture."""
    height = 60 + ROW * len(lines)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + RIGHT} {height}" '
        'font-family="sans-serif" font-size="13">',
        f'<rect width="100%" height="100%" fill="#fff"/><text x="10" y="22" font-size="15">{escape(title)}</text>',
    ]
    for percent in range(0, 101, 25):
        x = LEFT + WIDTH * percent / 100
        out.append(f'<path d="M{x:g} 32V{height - 22}" stroke="#ddd"/>')
        out.append(f'<text x="{x:g}" y="{height - 6}" text-anchor="middle" fill="#666">{percent} %</text>')
    for i, line in enumerate(lines):
        out.append(svg_row(line, 46 + ROW * i))
    return "\n".join([*out, "</svg>", ""])


def svg_row(line: Line, y: int) -> str:
    """The row of one pairing."""
    low, mid, high, par = (LEFT + WIDTH * share for share in (line.low, line.share, line.high, line.par))
    colour = "#0a7" if line.low > line.par else "#c33" if line.high < line.par else "#777"
    name = escape(f"{line.lone} – {line.field}")
    return (
        f'<text x="{LEFT - 10}" y="{y + 5}" text-anchor="end">{name}</text>'
        f'<path d="M{par:.1f} {y - 9}V{y + 9}" stroke="#333" stroke-dasharray="2 2"/>'
        f'<path d="M{low:.1f} {y}H{high:.1f}" stroke="{colour}" stroke-width="3"/>'
        f'<circle cx="{mid:.1f}" cy="{y}" r="5" fill="{colour}"/>'
        f'<text x="{LEFT + WIDTH + 12}" y="{y + 5}">{line.share:.1%} of {line.games:,}</text>'
    )

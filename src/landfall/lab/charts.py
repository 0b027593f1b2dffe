"""Charts: a dot with its interval for each figure, bars for a distribution; SVG for a page, text for a terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import escape

if TYPE_CHECKING:
    from landfall.lab.experiments.bradley_terry import BotRating
    from landfall.lab.experiments.ladder import PairingResult

ROW_HEIGHT: Final = 26
LABEL_WIDTH: Final = 330
PLOT_WIDTH: Final = 400
VALUE_WIDTH: Final = 150
TEXT_BAR_CHARS: Final = 40


def format_interval_bar(line: PairingResult) -> str:
    """One pairing as text: the interval as a line, the share as a dot, par as a bar.

    >>> from landfall.lab.experiments.ladder import PairingResult
    >>> format_interval_bar(PairingResult("a", "b", 100, 0.75, 0.66, 0.83, 0.5, 1.0))
    '····················|·····────●───·······'
    """
    cells = ["·"] * (TEXT_BAR_CHARS + 1)
    for i in range(round(line.low * TEXT_BAR_CHARS), round(line.high * TEXT_BAR_CHARS) + 1):
        cells[i] = "─"
    cells[round(line.par * TEXT_BAR_CHARS)] = "|"
    cells[round(line.share * TEXT_BAR_CHARS)] = "●"
    return "".join(cells)


def draw_ladder(title: str, lines: list[PairingResult], rated: Sequence[BotRating] = ()) -> str:
    """Draw all pairings of a ladder, and below them the ratings, if there are any."""
    height = 60 + ROW_HEIGHT * len(lines)
    width, below = LABEL_WIDTH + PLOT_WIDTH + VALUE_WIDTH, 34 + ROW_HEIGHT * len(rated) if rated else 0
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height + below}" '
        'font-family="sans-serif" font-size="13">',
        f'<rect width="100%" height="100%" fill="#fff"/><text x="10" y="22" font-size="15">{escape(title)}</text>',
    ]
    for percent in range(0, 101, 25):
        x = LABEL_WIDTH + PLOT_WIDTH * percent / 100
        out.append(f'<path d="M{x:g} 32V{height - 22}" stroke="#ddd"/>')
        out.append(f'<text x="{x:g}" y="{height - 6}" text-anchor="middle" fill="#666">{percent} %</text>')
    for i, line in enumerate(lines):
        out.append(draw_ladder_row(line, 46 + ROW_HEIGHT * i))
    if rated:
        dots = [Dot(one.code, one.elo, one.low, one.high, not one.low <= 0 <= one.high) for one in rated]
        picture = draw_dots_with_intervals(dots, 0.0, lambda elo: f"{elo:+.0f} Elo")
        out.append(picture.replace("<svg ", f'<svg y="{height}" width="{width}" height="{below}" ', 1))
    return "\n".join([*out, "</svg>", ""])


def draw_ladder_row(line: PairingResult, y: int) -> str:
    """Draw the row of one pairing."""
    low, mid, high, par = (LABEL_WIDTH + PLOT_WIDTH * share for share in (line.low, line.share, line.high, line.par))
    colour = "#0a7" if line.low > line.par else "#c33" if line.high < line.par else "#777"
    name = escape(f"{line.lone} – {line.field}")
    return (
        f'<text x="{LABEL_WIDTH - 10}" y="{y + 5}" text-anchor="end">{name}</text>'
        f'<path d="M{par:.1f} {y - 9}V{y + 9}" stroke="#333" stroke-dasharray="2 2"/>'
        f'<path d="M{low:.1f} {y}H{high:.1f}" stroke="{colour}" stroke-width="3"/>'
        f'<circle cx="{mid:.1f}" cy="{y}" r="5" fill="{colour}"/>'
        f'<text x="{LABEL_WIDTH + PLOT_WIDTH + 12}" y="{y + 5}">{line.share:.1%} of {line.games:,}</text>'
    )


# --- for studies ----------------------------------------------------------------------------------------------------

BETTER_COLOUR, WORSE_COLOUR, NEUTRAL_COLOUR = "#0a7", "#c33", "#777"


@dataclass(frozen=True)
class Dot:
    """A figure with its interval; `sure`: it differs significantly from the reference line."""

    label: str
    mid: float
    low: float
    high: float
    sure: bool


def draw_dots_with_intervals(rows: list[Dot], through: float, say: Callable[[float], str]) -> str:
    """Draw a row for each figure, and a reference line through all."""
    least = min([through, *(row.low for row in rows)])
    most = max([through, *(row.high for row in rows)])
    scale = PLOT_WIDTH / ((most - least) or 1)
    height = 34 + ROW_HEIGHT * len(rows)
    x = LABEL_WIDTH + scale * (through - least)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LABEL_WIDTH + PLOT_WIDTH + VALUE_WIDTH} {height}" '
        'font-family="sans-serif" font-size="13" role="img"><rect width="100%" height="100%" fill="#fff"/>',
        f'<path d="M{x:.1f} 6V{height - 24}" stroke="#333" stroke-dasharray="2 2"/>',
        f'<text x="{x:.1f}" y="{height - 8}" text-anchor="middle" fill="#555">{escape(say(through))}</text>',
    ]
    for i, row in enumerate(rows):
        y = 18 + ROW_HEIGHT * i
        low, mid, high = (LABEL_WIDTH + scale * (value - least) for value in (row.low, row.mid, row.high))
        colour = NEUTRAL_COLOUR if not row.sure else BETTER_COLOUR if row.mid > through else WORSE_COLOUR
        out.append(
            f'<text x="{LABEL_WIDTH - 10}" y="{y + 5}" text-anchor="end">{escape(row.label)}</text>'
            f'<path d="M{low:.1f} {y}H{high:.1f}" stroke="{colour}" stroke-width="3"/>'
            f'<circle cx="{mid:.1f}" cy="{y}" r="5" fill="{colour}"/>'
            f'<text x="{LABEL_WIDTH + PLOT_WIDTH + 12}" y="{y + 5}">{escape(say(row.mid))}</text>'
        )
    return "\n".join([*out, "</svg>"])


def draw_histogram(counts: dict[int, int], title: str) -> str:
    """Draw a histogram; wide ranges are binned into forty bars at most."""
    least, most = min(counts), max(counts)
    step = (most - least) // 40 + 1
    tall = [0] * ((most - least) // step + 1)
    for number, count in counts.items():
        tall[(number - least) // step] += count
    wide = 430 / len(tall)
    out = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 460 170" font-family="sans-serif" font-size="13" '
        'role="img"><rect width="100%" height="100%" fill="#fff"/>',
        f'<text x="15" y="18">{escape(title)}</text>',
    ]
    for i, count in enumerate(tall):
        high = 115 * count / max(tall)
        place = f'x="{15 + i * wide:.1f}" y="{145 - high:.1f}" width="{max(1.0, wide - 1):.1f}" height="{high:.1f}"'
        out.append(f'<rect {place} fill="#27a"/>')
    tick = next(n for n in (1, 2, 5, 10, 20, 50, 100, 500) if (most - least) // n < 8 or n == 500)
    for number in range(-(-least // tick) * tick, most + 1, tick):
        x = 15 + ((number - least) // step + 0.5) * wide
        out.append(f'<text x="{x:.1f}" y="162" text-anchor="middle" fill="#555">{number}</text>')
    return "\n".join([*out, "</svg>"])

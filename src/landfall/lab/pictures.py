"""Pictures of views: an SVG for pages and notebooks, a film of a match, pixels for programs.

A picture shows what its view holds and nothing else. Names are not part of views: where a picture bears them, they come
from whoever sat there, and may be anything.
"""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Final, cast

from landfall import games
from landfall.core.state import CHANCE
from landfall.core.svg import Drawing, Sheet, document, name
from landfall.extras import need

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    from landfall.core.messages import View
    from landfall.match import Match

WIDTH: Final = 720  # pixels
CARD: Final = (800, 420)  # pixels of a picture that stands for a link
HEAD: Final = 48  # the height of a row of names
SECONDS: Final = 0.8  # a picture of a film stays


def svg(view: View, names: list[str] | None = None) -> str:
    """A view of any game that draws pictures, as `State.svg` draws it; with names, a row of them above."""
    if names is None:
        if "picture" in view:
            return view["picture"]
        return cast("str", games.part(view["game"], "picture").picture(view))
    return headed(drawing(view), view, names).image()


def drawing(view: View) -> Drawing:
    """The picture in its parts; that of a game that gives it whole is one part."""
    part = games.part(view["game"], "picture")
    if hasattr(part, "drawing"):
        return cast("Drawing", part.drawing(view))
    return Drawing(Sheet(), WIDTH, WIDTH * 3 // 4, [svg(view)])


def headed(drawn: Drawing, view: View, names: list[str]) -> Drawing:
    """With a row above, each seat's colour and name; as it is if nobody is named."""
    if not any(names):
        return drawn
    colours = games.game(view["game"]).colours
    left, top = drawn.left, drawn.top - HEAD
    row = [f'<rect x="{left}" y="{top}" width="{drawn.width}" height="{HEAD}" fill="#14213d"/>']
    step = drawn.width / max(1, len(names))
    for seat, who in enumerate(names):
        x, y = left + 30 + step * seat, top + HEAD / 2
        row += [drawn.sheet.badge(colours[seat], x, y), name(x + 26, y + 7, who, 20, "#fdf6e4")]
    return Drawing(drawn.sheet, drawn.width, drawn.height + HEAD, drawn.parts + row, left, top)


def views(match: Match, seat: int | None) -> Iterator[View]:
    """What a seat saw, from the first position on: a view after each choice and the chance it brought."""
    state = match.fresh()
    for entry in match.log:
        if state.actor != CHANCE:
            yield state.view(seat)
        state.apply(entry.action)
    yield state.view(seat)


def film(shown: list[View], names: list[str], seconds: float = SECONDS) -> str:
    """Pictures one after the other in one file, over and over; what does not move shows the last."""
    parts: dict[str, str] = {}  # by what is drawn, its id: most of a picture is as it was in the one before
    symbols: dict[str, str] = {}
    frames: list[str] = []
    for view in shown:
        drawn = headed(drawing(view), view, names)
        symbols.update(drawn.sheet.parts)
        uses = [f'<use href="#{parts.setdefault(part, f"_{len(parts)}")}"/>' for part in drawn.parts if part]
        late = len(frames) - len(shown)
        frames.append(f'<g class="f" style="animation-delay:{late * seconds:.2f}s">{"".join(uses)}</g>')
    share = 100 / len(shown)
    style = (
        f"<style>.f{{visibility:hidden;animation:f {len(shown) * seconds:.2f}s step-end infinite}}"
        f"@keyframes f{{0%{{visibility:visible}}{share:.4f}%{{visibility:hidden}}}}"
        ".f:last-of-type{visibility:visible}@media(prefers-reduced-motion:reduce){.f{animation:none}}</style>"
    )
    kept = "".join(f'<g id="{ident}">{part}</g>' for part, ident in parts.items())
    box = (drawn.left, drawn.top, drawn.width, drawn.height)
    return document(box, f"{style}<defs>{''.join(symbols.values())}{kept}</defs>{''.join(frames)}")


def png(view: View, width: int = WIDTH) -> bytes:
    """The same as a PNG file of that width, without names: pixels are alike on all machines, whatever their fonts."""
    need("lab", "resvg_py")
    import resvg_py

    return bytes(resvg_py.svg_to_bytes(svg_string=svg(view), width=width, skip_system_fonts=True))


def card(view: View) -> bytes:
    """A PNG of the size that links are shown in: the picture whole, in the middle of the sea."""
    need("lab", "resvg_py")
    import resvg_py

    wide, high = CARD
    inside = svg(view).replace("<svg ", '<svg preserveAspectRatio="xMidYMid meet" ', 1)
    inside = re.sub(
        r'(<svg [^>]*?) width="[^"]*" height="[^"]*"', rf'\1 width="{wide}" height="{high}"', inside, count=1
    )
    sea = f'<rect width="{wide}" height="{high}" fill="#163a6b"/>'
    whole = document((0, 0, wide, high), sea + inside)
    return bytes(resvg_py.svg_to_bytes(svg_string=whole, width=wide, skip_system_fonts=True))


def rgb(view: View, width: int = WIDTH) -> NDArray[np.uint8]:
    """The same as an array: height, width, and red, green, blue."""
    need("lab", "numpy", "PIL")
    import numpy as np
    from PIL import Image

    return np.array(Image.open(io.BytesIO(png(view, width))).convert("RGB"))

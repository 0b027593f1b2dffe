"""Pictures of views: SVG for pages and notebooks, a film of a match, pixels for programs.

A picture shows only what its view holds. Names are not part of views: the caller provides them, and they may contain
any text.
"""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Final, cast

from landfall import games
from landfall.core.state import CHANCE
from landfall.core.svg_drawing import Drawing, SymbolSet, draw_name, wrap_in_svg_document
from landfall.optional_dependencies import require_extra

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    from landfall.core.message_types import View
    from landfall.match import Match

DEFAULT_WIDTH_PX: Final = 720  # pixels
CARD_SIZE_PX: Final = (800, 420)  # of a link preview
NAMES_ROW_HEIGHT_PX: Final = 48  # of a row of names
FRAME_SECONDS: Final = 0.8  # per frame of a film


def render_svg(view: View, names: list[str] | None = None) -> str:
    """Render a view of any game that draws pictures, by `State.render_svg`; with names, a row of them above."""
    if names is None:
        if "picture" in view:
            return view["picture"]
        return cast("str", games.game_module(view["game"], "picture").render_svg(view))
    return add_names_row(draw_view(view), view, names).to_svg()


def draw_view(view: View) -> Drawing:
    """The picture's parts; a game that draws it as a whole has one part."""
    part = games.game_module(view["game"], "picture")
    if hasattr(part, "build_drawing"):
        return cast("Drawing", part.build_drawing(view))
    return Drawing(SymbolSet(), DEFAULT_WIDTH_PX, DEFAULT_WIDTH_PX * 3 // 4, [render_svg(view)])


def add_names_row(drawn: Drawing, view: View, names: list[str]) -> Drawing:
    """Add a row above with each seat's colour and name, if there are names."""
    if not any(names):
        return drawn
    colours = games.game(view["game"]).colours
    left, top = drawn.left, drawn.top - NAMES_ROW_HEIGHT_PX
    row = [f'<rect x="{left}" y="{top}" width="{drawn.width}" height="{NAMES_ROW_HEIGHT_PX}" fill="#14213d"/>']
    step = drawn.width / max(1, len(names))
    for seat, who in enumerate(names):
        x, y = left + 30 + step * seat, top + NAMES_ROW_HEIGHT_PX / 2
        row += [drawn.sheet.draw_player_badge(colours[seat], x, y), draw_name(x + 26, y + 7, who, 20, "#fdf6e4")]
    return Drawing(drawn.sheet, drawn.width, drawn.height + NAMES_ROW_HEIGHT_PX, drawn.parts + row, left, top)


def list_views(match: Match, seat: int | None) -> Iterator[View]:
    """A seat's views from the first position on, one after each choice and its chance events."""
    state = match.initial_state()
    for entry in match.log:
        if state.actor != CHANCE:
            yield state.view(seat)
        state.apply(entry.action)
    yield state.view(seat)


def render_film(shown: list[View], names: list[str], seconds: float = FRAME_SECONDS) -> str:
    """Render pictures as one looping animation; viewers without animation show the last one."""
    parts: dict[str, str] = {}  # the id of each drawn part: most parts recur from frame to frame
    symbols: dict[str, str] = {}
    frames: list[str] = []
    for view in shown:
        drawn = add_names_row(draw_view(view), view, names)
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
    return wrap_in_svg_document(box, f"{style}<defs>{''.join(symbols.values())}{kept}</defs>{''.join(frames)}")


def render_png(view: View, width: int = DEFAULT_WIDTH_PX) -> bytes:
    """Render a PNG of that width without names: fonts differ between machines, pixels must not."""
    require_extra("lab", "resvg_py")
    import resvg_py

    return bytes(resvg_py.svg_to_bytes(svg_string=render_svg(view), width=width, skip_system_fonts=True))


def render_link_preview_png(view: View) -> bytes:
    """Render a PNG in the size of a link preview: the whole picture centred on the sea."""
    require_extra("lab", "resvg_py")
    import resvg_py

    wide, high = CARD_SIZE_PX
    inside = render_svg(view).replace("<svg ", '<svg preserveAspectRatio="xMidYMid meet" ', 1)
    inside = re.sub(
        r'(<svg [^>]*?) width="[^"]*" height="[^"]*"', rf'\1 width="{wide}" height="{high}"', inside, count=1
    )
    sea = f'<rect width="{wide}" height="{high}" fill="#163a6b"/>'
    whole = wrap_in_svg_document((0, 0, wide, high), sea + inside)
    return bytes(resvg_py.svg_to_bytes(svg_string=whole, width=wide, skip_system_fonts=True))


def render_rgb(view: View, width: int = DEFAULT_WIDTH_PX) -> NDArray[np.uint8]:
    """Render an array: height, width, and red, green, blue."""
    require_extra("lab", "numpy", "PIL")
    import numpy as np
    from PIL import Image

    return np.array(Image.open(io.BytesIO(render_png(view, width))).convert("RGB"))

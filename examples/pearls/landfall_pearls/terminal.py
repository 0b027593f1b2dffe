"""A view as coloured text for a terminal (Rich markup)."""

from __future__ import annotations

from landfall.core.text_catalogue import translate
from landfall_pearls.components import COLOURS, DEEPEST, pearls_at
from landfall_pearls.message_types import View


def draw(view: View, language: str) -> str:
    """The rope from the surface down, then each seat."""
    lines = [f"{'~' * 22}  {translate(language, 'draw.deck', {'cards': view['deck']}, 'pearls')}"]
    for depth in range(DEEPEST + 1):
        sign = "[bold]O[/bold]" if depth == view["depth"] else "|" if depth < view["depth"] else " "
        lines.append(f"{depth:3}  {sign}  [cyan]{'o' * pearls_at(depth)}[/cyan]".rstrip())
    for seat in range(view["players"]):
        turn = "[bold]>[/bold]" if seat == view["turn"] and view["actor"] != -2 else " "
        colour = translate(language, f"colour.{COLOURS[seat]}", game="pearls")
        cards = translate(language, "draw.cards", {"cards": view["cards"][seat]}, "pearls")
        lines.append(f"{turn} [{COLOURS[seat]}]{colour}[/]: {view['scores'][seat]} o, {cards}")
    if "hand" in view:
        lines.append(translate(language, "draw.hand", {"cards": view["hand"]}, "pearls"))
    return "\n".join(lines)

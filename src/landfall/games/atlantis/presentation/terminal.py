# interpreted
"""A view as coloured text for a terminal: the path in rows, each seat's area, the seat's own hand."""

from __future__ import annotations

from typing import Final

from landfall.core.text_catalogue import translate
from landfall.games.atlantis.rules import components, message_types

INK: Final = {
    "blue": "black on dodger_blue1",
    "grey": "black on grey62",
    "white": "black on grey93",
    "yellow": "black on gold1",
    "brown": "white on orange4",
    "green": "black on green3",
    "pink": "black on hot_pink",
}
SEAT_INK: Final = {
    "blue": "bold white on blue",
    "white": "bold black on white",
    "black": "bold white on grey11",
    "red": "bold white on red",
}
WATER: Final = "cyan"
A_ROW: Final = 11  # positions in one row
POSITION_WIDTH: Final = 6  # characters per position, plus a space


def render_terminal(view: message_types.View, language: str) -> str:
    """Rich markup. Each position shows its number, its tile (`+`: one more below), and the figure on it."""
    out = [format_figures_at_place(view, "atlantis", language)]
    for start in range(0, len(view["path"]), A_ROW):
        cells = view["path"][start : start + A_ROW]
        if any(cell["tile"] or cell["water"] for cell in cells):
            out.extend(format_path_row(view, cells))
    out += [format_figures_at_place(view, "mainland", language), ""]
    out += [format_seat(view, seat, language) for seat in view["seats"]]
    out.append(format_piles(view, language))
    return "\n".join(out)


def format_path_row(view: message_types.View, cells: list[message_types.Position]) -> list[str]:
    """Three lines: numbers and gap prices, tiles, figures."""
    prices = {gap["at"]: gap["price"] for gap in view["gaps"]}
    lines: list[list[str]] = [[], [], []]
    for cell in cells:
        lines[0].append(format_position_number(cell, prices))
        lines[1].append(format_position_tile(cell))
        lines[2].append(format_position_figures(view, cell))
    return [" ".join(line).rstrip() for line in lines]


def format_position_number(cell: message_types.Position, prices: dict[int, int]) -> str:
    """The position's number, and the price where a gap begins."""
    if not cell["tile"] and not cell["water"]:
        return " " * POSITION_WIDTH
    price = f" ({prices[cell['at']]})" if cell["at"] in prices else ""
    return f"[dim]{cell['at']}[/dim][bold]{price}[/bold]" + " " * (POSITION_WIDTH - len(f"{cell['at']}{price}"))


def format_position_tile(cell: message_types.Position) -> str:
    """The top tile, or water, or a bridge over it."""
    if cell["tile"]:
        kind, value = cell["tile"]["kind"], cell["tile"]["value"]
        text = f"{kind[:4]}{value}{'+' if cell['below'] else ' '}"
        return f"[{INK[kind]}]{text:<{POSITION_WIDTH}}[/]"
    if cell["bridge"]:
        return f"[bold orange3]{'=' * POSITION_WIDTH}[/]"
    return f"[{WATER}]{'~' * POSITION_WIDTH}[/]" if cell["water"] else " " * POSITION_WIDTH


def format_position_figures(view: message_types.View, cell: message_types.Position) -> str:
    """The figure on it, and the figure that is hopping over it."""
    marks = []
    if cell["figure"]:
        marks.append(format_figure(view, cell["figure"]["seat"], cell["figure"]["figure"]))
    move = view["move"]
    if view["phase"] == "hopping" and move is not None and move["at"] == str(cell["at"]):
        marks.append(format_figure(view, view["turn"], move["figure"]))
    return "".join(marks) + " " * (POSITION_WIDTH - 3 * len(marks))


def format_figure(view: message_types.View, seat: int, name: str) -> str:
    """A figure, three characters wide."""
    return f"[{SEAT_INK[view['seats'][seat]['colour']]}] {name} [/]"


def format_figures_at_place(view: message_types.View, place: str, language: str) -> str:
    """The figures on Atlantis or on the mainland."""
    there = [
        format_figure(view, seat["seat"], name)
        for seat in view["seats"]
        for name, at in seat["figures"].items()
        if at == place
    ]
    return f"[bold]{translate_term(language, place)}[/bold] " + " ".join(there)


def format_seat(view: message_types.View, seat: message_types.SeatView, language: str) -> str:
    """Colour, tiles, cards and bridge of one seat."""
    turn = "[bold]>[/bold]" if seat["seat"] == view["turn"] and view["phase"] != "done" else " "
    colour = f"[{SEAT_INK[seat['colour']]}] {translate(language, 'colour.' + seat['colour'], game='atlantis')} [/]"
    tiles = " ".join(f"[{INK[t['kind']]}]{t['kind']}{t['value']}[/]" for t in seat["tiles"])
    bridge = "[orange3]" + translate_term(language, "bridge") + "[/orange3]" if seat["bridge"] else ""
    shown = seat["hand"] if seat["hand"] is not None else seat["known"]
    rest = seat["cards"] - sum(shown.values())
    cards = " ".join([*format_card_counts(shown), *([f"{rest}×?"] if rest else [])])
    score = f"[bold]{view['scores'][seat['seat']]}[/bold]" if "scores" in view else f"{seat['worth']}"
    return f"{turn} {colour} {translate_term(language, 'points')} {score}  {cards}  {bridge}\n    {tiles}".rstrip()


def format_card_counts(cards: message_types.Cards) -> list[str]:
    """Cards by kind."""
    return [f"[{INK[kind]}]{cards[kind]}×{kind}[/]" for kind in components.KINDS if kind in cards]


def format_piles(view: message_types.View, language: str) -> str:
    """The deck, the discard pile, and what is being paid."""
    args = {"deck": view["deck"], "discard": sum(view["discard"].values())}
    line = translate(language, "draw.piles", args, "atlantis")
    move = view["move"]
    if view["phase"] == "paying" and move is not None:
        line += "  " + translate(language, "draw.bill", {"bill": move["bill"], "paid": move["paid"]}, "atlantis")
    return line


def translate_term(language: str, word: str) -> str:
    return translate(language, f"term.{word}", game="atlantis")

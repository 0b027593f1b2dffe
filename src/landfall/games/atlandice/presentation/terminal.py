# interpreted
"""The city in a terminal: six sectors with their pieces and dice, the clock, and all stocks with their leaders."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from landfall.core.terminal_width import pad_markup_to_width, text_width, truncate_to_width
from landfall.core.text_catalogue import join_with_list_comma, translate

if TYPE_CHECKING:
    from landfall.games.atlandice.rules.message_types import HolderView, Pieces, Resource, SectorView, View

RESOURCES: Final[tuple[Resource, ...]] = ("gems", "books", "provisions", "tools", "weapons")
RESOURCE_COLOURS: Final = ("magenta", "bright_blue", "yellow", "bright_black", "red")
SECTOR_COLOURS: Final = (*RESOURCE_COLOURS, "white")
SEAT_COLOURS: Final = {"red": "red", "blue": "blue", "green": "green", "yellow": "yellow", "black": "bright_black"}
ICONS: Final = dict(zip((*RESOURCES, "stock", "donation"), "GBPTWΣ♥", strict=True))
ICON_COLOURS: Final = dict(zip(ICONS, (*RESOURCE_COLOURS, "bold", "bright_magenta"), strict=True))
COLUMN_WIDTH: Final = 30
PIECE: Final = "●"
DIE: Final = "⚄"


def render_terminal(view: View, language: str) -> str:
    """The table as Rich markup."""
    lines = [head(view, language), ""]
    boxes = [sector(s, i, language) for i, s in enumerate(view["sectors"])]
    for row in (boxes[:3], boxes[3:]):
        lines += ["  ".join(parts) for parts in zip(*row, strict=True)]
        lines.append("")
    lines += clock(view, language)
    lines.append("")
    lines += stocks(view, language)
    return "\n".join(lines)


def word(language: str, key: str, **args: object) -> str:
    return translate(language, key, args, "atlandice")


def paint(text: str, style: str) -> str:
    return f"[{style}]{text}[/]"


def head(view: View, language: str) -> str:
    """The round, the question and the actor."""
    title = paint("Atlandice", "bold cyan") + "  " + word(language, "label.round", round=view["round"])
    who = ""
    if view["actor"] >= 0:
        colour = view["holders"][view["actor"]]["colour"]
        who = "  " + paint(f"{translate(language, f'colour.{colour}')}:", f"bold {SEAT_COLOURS[colour]}")
    return f"{title}{who} {word(language, view['ask'])}"


def sector(shown: SectorView, index: int, language: str) -> list[str]:
    """A box: number and name, the clock's hands; pieces; dice and submarine; the effect."""
    colour = SECTOR_COLOURS[index]
    name = word(language, f"term.{shown['tile'] or shown['sector']}")
    title = f"{shown['number']} {name}"
    inside = COLUMN_WIDTH - 2
    if shown["used_up"]:
        rows = [paint(f"{title} ({word(language, 'label.used_up')})", "dim"), "", ""]
        effect = ""
    else:
        hands = "" if shown["hands"] is None else " " + paint("◷" * min(shown["hands"], 6), "cyan")
        if shown["hands"] is not None and shown["hands"] > 6:
            hands = " " + paint(f"◷×{shown['hands']}", "cyan")
        rows = [paint(title, f"bold {colour}") + hands, pieces(shown["pieces"]), dice(shown, language)]
        effect = word(language, f"effect.{shown['tile'] or shown['sector']}")
    rows += [paint(part, "dim") for part in wrap_cells(effect, inside, 4)]
    edge = paint("│", colour)
    body = [f"{edge}{pad_markup_to_width(row, inside)}{edge}" for row in rows]
    return [paint("╭" + "─" * inside + "╮", colour), *body, paint("╰" + "─" * inside + "╯", colour)]


def pieces(lying: Pieces) -> str:
    """Each kind in the sector: its letter in its colour, and one mark per piece."""
    found = [
        paint(f"{PIECE}{ICONS[name]}{lying[name]}", RESOURCE_COLOURS[i])
        for i, name in enumerate(RESOURCES)
        if lying[name]
    ]
    return " ".join(found) or paint("–", "dim")


def dice(shown: SectorView, language: str) -> str:
    """The dice in a sector, and the submarine if it is there."""
    marks = " ".join([DIE] * shown["dice"])
    submarine = paint(f"<{word(language, 'label.submarine')}>", "bold bright_cyan") if shown["submarine"] else ""
    return " ".join(part for part in (marks, submarine) if part)


def wrap_cells(text: str, cells: int, lines: int) -> list[str]:
    """A text wrapped into exactly so many lines, at spaces where it has them."""
    out: list[str] = []
    line = ""
    for part in text.split(" "):
        while text_width(part) > cells:  # Chinese has no spaces
            fits = truncate_to_width(part, cells)
            out.append(fits)
            part = part[len(fits) :]
        if line and text_width(f"{line} {part}") > cells:
            out.append(line)
            line = part
        else:
            line = f"{line} {part}" if line else part
    out.append(line)
    if len(out) > lines:
        out[lines - 1] = truncate_to_width(out[lines - 1], cells - 1).rstrip() + "…"
    return (out + [""] * lines)[:lines]


def clock(view: View, language: str) -> list[str]:
    """The clock's spaces in a row with the hand, and whose clock this is."""
    face = view["clock"]
    spaces = []
    for space in range(face["last"] + 1):
        icon = face["icons"].get(str(space))
        mark = "≈" if space == face["last"] else ICONS[icon] if icon else "·"
        text = paint(mark, ICON_COLOURS[icon]) if icon else mark
        spaces.append(paint(f"[{mark}]".replace("[", "\\["), "bold reverse cyan") if space == face["hand"] else text)
    title = paint(word(language, "label.clock"), "bold cyan")
    rows = [f"{title} {face['hand']}/{face['last']}  {' '.join(spaces)}"]
    used = sorted(set(face["icons"].values()), key=list(ICONS).index)
    legend = join_with_list_comma(
        language, [f"{paint(ICONS[i], ICON_COLOURS[i])} {word(language, f'icon.{i}')}" for i in used]
    )
    rows.append(f"  {legend}" if legend else "")
    rows.append(paint(word(language, "label.default_clock" if view["default_clock"] else "label.custom_clock"), "dim"))
    if view["default_hands"]:
        rows.append(paint(word(language, "label.default_hands"), "dim"))
    return rows


def stocks(view: View, language: str) -> list[str]:
    """A table of all holders: pieces by kind (a star for the leader), points, tiles, current score."""
    titles = [word(language, f"term.{name}") for name in RESOURCES]
    titles += [word(language, "label.dice"), word(language, "label.points"), word(language, "label.tiles")]
    titles.append(word(language, "label.score"))
    widths = [max(4, text_width(title)) for title in titles]
    painted = [paint(t, RESOURCE_COLOURS[i] if i < len(RESOURCES) else "bold") for i, t in enumerate(titles)]
    rows = [" " * 22 + "  ".join(pad_markup_to_width(t, w) for t, w in zip(painted, widths, strict=True))]
    for index, holder in enumerate(view["holders"]):
        cells = [amount(view, index, name) for name in RESOURCES]
        cells += [str(holder["dice"]), str(holder["points"]), str(len(holder["tiles"])), str(holder["score"])]
        line = "  ".join(pad_markup_to_width(c, w) for c, w in zip(cells, widths, strict=True))
        rows.append(pad_markup_to_width(holder_name(view, holder, language), 22) + line)
    return rows


def amount(view: View, index: int, resource: Resource) -> str:
    """The number of pieces of a resource that a holder has; starred and bold if nobody has more."""
    count = view["holders"][index]["stock"][resource]
    return paint(f"{count}★", "bold") if index in view["leaders"][resource] else str(count)


def holder_name(view: View, holder: HolderView, language: str) -> str:
    """A seat's name in its colour, marked if it acts or was first this round; or the neutral player."""
    style = SEAT_COLOURS[holder["colour"]]
    if holder["neutral"]:
        return paint(f"  {word(language, 'term.neutral')}", style)
    acts = "▶" if holder["seat"] == view["actor"] else " "
    first = f" ({word(language, 'label.first')})" if holder["seat"] == view["first"] else ""
    name = translate(language, f"colour.{holder['colour']}")
    return f"{acts} {paint(name, f'bold {style}')}{first}"

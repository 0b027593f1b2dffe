# interpreted
"""The city in a terminal: six sectors with their pieces and dice, the clock, and all stocks with their leaders."""

from __future__ import annotations

from typing import Final

from landfall.core.terminal_text_width import pad_markup_to_width, text_width, truncate_to_width
from landfall.core.text_catalogue import join_with_list_comma, translate
from landfall.games.atlandice.rules import message_types

RESOURCES: Final[tuple[message_types.Resource, ...]] = ("gems", "books", "provisions", "tools", "weapons")
RESOURCE_COLOURS: Final = ("magenta", "bright_blue", "yellow", "bright_black", "red")
SECTOR_COLOURS: Final = (*RESOURCE_COLOURS, "white")
SEAT_COLOURS: Final = {"red": "red", "blue": "blue", "green": "green", "yellow": "yellow", "black": "bright_black"}
ICONS: Final = dict(zip((*RESOURCES, "stock", "donation"), "GBPTWΣ♥", strict=True))
ICON_COLOURS: Final = dict(zip(ICONS, (*RESOURCE_COLOURS, "bold", "bright_magenta"), strict=True))
COLUMN_WIDTH: Final = 30
PIECE: Final = "●"
DIE: Final = "⚄"


def render_terminal(view: message_types.View, language: str) -> str:
    """The table as Rich markup."""
    lines = [format_heading(view, language), ""]
    boxes = [format_sector_box(s, i, language) for i, s in enumerate(view["sectors"])]
    for row in (boxes[:3], boxes[3:]):
        lines += ["  ".join(parts) for parts in zip(*row, strict=True)]
        lines.append("")
    lines += format_clock(view, language)
    lines.append("")
    lines += format_stock_table(view, language)
    return "\n".join(lines)


def translate_game_text(language: str, key: str, **args: object) -> str:
    return translate(language, key, args, "atlandice")


def wrap_in_style(text: str, style: str) -> str:
    return f"[{style}]{text}[/]"


def format_heading(view: message_types.View, language: str) -> str:
    """The round, the question and the actor."""
    title = (
        wrap_in_style("Atlandice", "bold cyan")
        + "  "
        + translate_game_text(language, "label.round", round=view["round"])
    )
    who = ""
    if view["actor"] >= 0:
        colour = view["holders"][view["actor"]]["colour"]
        who = "  " + wrap_in_style(f"{translate(language, f'colour.{colour}')}:", f"bold {SEAT_COLOURS[colour]}")
    return f"{title}{who} {translate_game_text(language, view['ask'])}"


def format_sector_box(shown: message_types.SectorView, index: int, language: str) -> list[str]:
    """A box: number and name, the clock's hands; pieces; dice and submarine; the effect."""
    colour = SECTOR_COLOURS[index]
    name = translate_game_text(language, f"term.{shown['tile'] or shown['sector']}")
    title = f"{shown['number']} {name}"
    inside = COLUMN_WIDTH - 2
    if shown["used_up"]:
        rows = [wrap_in_style(f"{title} ({translate_game_text(language, 'label.used_up')})", "dim"), "", ""]
        effect = ""
    else:
        hands = "" if shown["hands"] is None else " " + wrap_in_style("◷" * min(shown["hands"], 6), "cyan")
        if shown["hands"] is not None and shown["hands"] > 6:
            hands = " " + wrap_in_style(f"◷×{shown['hands']}", "cyan")
        rows = [
            wrap_in_style(title, f"bold {colour}") + hands,
            format_pieces(shown["pieces"]),
            format_dice(shown, language),
        ]
        effect = translate_game_text(language, f"effect.{shown['tile'] or shown['sector']}")
    rows += [wrap_in_style(part, "dim") for part in wrap_to_cells(effect, inside, 4)]
    edge = wrap_in_style("│", colour)
    body = [f"{edge}{pad_markup_to_width(row, inside)}{edge}" for row in rows]
    return [wrap_in_style("╭" + "─" * inside + "╮", colour), *body, wrap_in_style("╰" + "─" * inside + "╯", colour)]


def format_pieces(lying: message_types.Pieces) -> str:
    """Each kind in the sector: its letter in its colour, and one mark per piece."""
    found = [
        wrap_in_style(f"{PIECE}{ICONS[name]}{lying[name]}", RESOURCE_COLOURS[i])
        for i, name in enumerate(RESOURCES)
        if lying[name]
    ]
    return " ".join(found) or wrap_in_style("–", "dim")


def format_dice(shown: message_types.SectorView, language: str) -> str:
    """The dice in a sector, and the submarine if it is there."""
    marks = " ".join([DIE] * shown["dice"])
    submarine = (
        wrap_in_style(f"<{translate_game_text(language, 'label.submarine')}>", "bold bright_cyan")
        if shown["submarine"]
        else ""
    )
    return " ".join(part for part in (marks, submarine) if part)


def wrap_to_cells(text: str, cells: int, lines: int) -> list[str]:
    """A text wrapped into exactly so many lines, at spaces where it has them."""
    out: list[str] = []
    line = ""
    for part in text.split(" "):
        if line and text_width(part) > cells:
            out.append(line)
            line = ""
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


def format_clock(view: message_types.View, language: str) -> list[str]:
    """The clock's spaces in a row with the hand, and whose clock this is."""
    face = view["clock"]
    spaces = []
    for space in range(face["last"] + 1):
        icon = face["icons"].get(str(space))
        mark = "≈" if space == face["last"] else ICONS[icon] if icon else "·"
        text = wrap_in_style(mark, ICON_COLOURS[icon]) if icon else mark
        spaces.append(
            wrap_in_style(f"[{mark}]".replace("[", "\\["), "bold reverse cyan") if space == face["hand"] else text
        )
    title = wrap_in_style(translate_game_text(language, "label.clock"), "bold cyan")
    rows = [f"{title} {face['hand']}/{face['last']}  {' '.join(spaces)}"]
    used = sorted(set(face["icons"].values()), key=list(ICONS).index)
    legend = join_with_list_comma(
        language,
        [f"{wrap_in_style(ICONS[i], ICON_COLOURS[i])} {translate_game_text(language, f'icon.{i}')}" for i in used],
    )
    rows.append(f"  {legend}" if legend else "")
    rows.append(
        wrap_in_style(
            translate_game_text(language, "label.default_clock" if view["default_clock"] else "label.custom_clock"),
            "dim",
        )
    )
    if view["default_hands"]:
        rows.append(wrap_in_style(translate_game_text(language, "label.default_hands"), "dim"))
    return rows


def format_stock_table(view: message_types.View, language: str) -> list[str]:
    """A table of all holders: pieces by kind (a star for the leader), points, tiles, current score."""
    titles = [translate_game_text(language, f"term.{name}") for name in RESOURCES]
    titles += [
        translate_game_text(language, "label.dice"),
        translate_game_text(language, "label.points"),
        translate_game_text(language, "label.tiles"),
    ]
    titles.append(translate_game_text(language, "label.score"))
    widths = [max(4, text_width(title)) for title in titles]
    painted = [wrap_in_style(t, RESOURCE_COLOURS[i] if i < len(RESOURCES) else "bold") for i, t in enumerate(titles)]
    rows = [" " * 22 + "  ".join(pad_markup_to_width(t, w) for t, w in zip(painted, widths, strict=True))]
    for index, holder in enumerate(view["holders"]):
        cells = [format_stock_count(view, index, name) for name in RESOURCES]
        cells += [str(holder["dice"]), str(holder["points"]), str(len(holder["tiles"])), str(holder["score"])]
        line = "  ".join(pad_markup_to_width(c, w) for c, w in zip(cells, widths, strict=True))
        rows.append(pad_markup_to_width(format_holder_name(view, holder, language), 22) + line)
    return rows


def format_stock_count(view: message_types.View, index: int, resource: message_types.Resource) -> str:
    """The number of pieces of a resource that a holder has; starred and bold if nobody has more."""
    count = view["holders"][index]["stock"][resource]
    return wrap_in_style(f"{count}★", "bold") if index in view["leaders"][resource] else str(count)


def format_holder_name(view: message_types.View, holder: message_types.HolderView, language: str) -> str:
    """A seat's name in its colour, marked if it acts or was first this round; or the neutral player."""
    style = SEAT_COLOURS[holder["colour"]]
    if holder["neutral"]:
        return wrap_in_style(f"  {translate_game_text(language, 'term.neutral')}", style)
    acts = "▶" if holder["seat"] == view["actor"] else " "
    first = f" ({translate_game_text(language, 'label.first')})" if holder["seat"] == view["first"] else ""
    name = translate(language, f"colour.{holder['colour']}")
    return f"{acts} {wrap_in_style(name, f'bold {style}')}{first}"

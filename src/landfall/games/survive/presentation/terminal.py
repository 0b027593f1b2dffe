# interpreted
"""The board in a terminal: a space is a cell of six columns and two lines, tiles are coloured by terrain."""

from __future__ import annotations

from typing import Final

from landfall.core.text_catalogue import translate
from landfall.games.survive.rules import board, message_types

INK: Final = {
    "red": "bold #ff5a5f",
    "yellow": "bold #f6c936",
    "green": "bold #37c871",
    "blue": "bold #5c9dff",
    "orange": "bold #f0821e",
    "white": "bold #ffffff",
}
LETTER: Final = {"r": "red", "y": "yellow", "g": "green", "b": "blue", "o": "orange", "w": "white"}
GROUND: Final = {"beach": "#8a6d2f", "forest": "#2f6b34", "mountain": "#66626b"}
SIGN: Final = {"beach": ".", "forest": '"', "mountain": "^"}  # colour is never the only cue
SEA: Final = "#123a5e"
CREATURE: Final = {"serpent": "S", "shark": "K", "whale": "W", "dolphin": "D", "squid": "Q"}
CELL_WIDTH: Final = 6


def render_terminal(view: message_types.View, language: str) -> str:
    """The board, then the seats."""
    cells = {name: format_space(view, name) for name in board.NAMES}
    lines: list[str] = []
    for r in range(-6, 7):
        row = [(q, i) for i, (q, row_r) in enumerate(board.HEXES) if row_r == r]
        left = row[0][0] * CELL_WIDTH + r * CELL_WIDTH // 2 + 34
        for half in (0, 1):
            body = "".join(cells[board.NAMES[i]][half] for _, i in row)
            lines.append(" " * left + body)
    lines += ["", format_isles(view)]
    lines += [format_seat(view, seat, language) for seat in range(view["players"])]
    lines += format_own_hand_points_and_dice(view, language)
    lines.append(translate(language, "terminal.key", {}, "survive"))
    return "\n".join(lines)


def format_space(view: message_types.View, name: str) -> tuple[str, str]:
    """The two lines of a space: its name and creatures, then the explorers and ships."""
    terrain = view["tiles"].get(name)
    ground = GROUND[terrain] if terrain else SEA
    aboard: list[str] = view["aboard"].get(name, [])
    people = [p for p, at in view["explorers"].items() if at == name and p not in aboard]
    creatures = "".join(CREATURE[str(kind)] for _, kind, at in view["creatures"] if at == name)
    isle = board.ISLE_OF[board.NAMES.index(name)]
    label = name
    mark = SIGN[terrain] if terrain else "@" if isle >= 0 else ""
    fits = CELL_WIDTH - len(label + mark)
    top = f"[#d8e6f2 on {ground}]{label}{mark}[/][bold #ff9a8a on {ground}]{creatures[:fits]}[/]"
    top += f"[on {ground}]{' ' * max(0, CELL_WIDTH - len(label + mark + creatures))}[/]"
    shown, length = "", 0
    if name in view["aboard"]:
        shown, length = f"[#ffe9b0 on {ground}]⟨[/]", 1
        for i in range(3):
            shown += (
                wrap_in_explorer_colour(aboard[i][0], aboard[i][0], ground)
                if i < len(aboard)
                else f"[#ffe9b0 on {ground}]·[/]"
            )
            length += 1
        shown, length = shown + f"[#ffe9b0 on {ground}]⟩[/]", length + 1
    for text in abbreviate_explorers(people, CELL_WIDTH - length):
        shown += wrap_in_explorer_colour(text[0], text, ground) if text[0] in LETTER else f"[on {ground}]{text}[/]"
        length += len(text)
    return top, shown + f"[on {ground}]{' ' * (CELL_WIDTH - length)}[/]"


def abbreviate_explorers(people: list[str], room: int) -> list[str]:
    """As many names as fit, else letters, else a number."""
    if sum(len(p) for p in people) <= room:
        return people
    if len(people) <= room:
        return [p[0] for p in people]
    return [f"+{len(people)}"][: 1 if room >= 2 else 0]


def wrap_in_explorer_colour(letter: str, text: str, ground: str) -> str:
    return f"[{INK[LETTER[letter]]} on {ground}]{text}[/]"


def format_isles(view: message_types.View) -> str:
    """The isles and who is safe there."""
    notes = []
    for isle in board.ISLES:
        safe = [f"[{INK[LETTER[p[0]]]}]{p}[/]" for p, at in view["explorers"].items() if at == isle]
        notes.append(" ".join([isle, *(safe or ["–"])]))
    return "   ".join(notes)


def format_own_hand_points_and_dice(view: message_types.View, language: str) -> list[str]:
    """The means of the player of this view: the hand, the points, the dice."""
    lines = []
    if view.get("hand"):
        tiles = [held["tile"] for held in view["hand"]]
        lines.append(translate(language, "terminal.hand", {"tiles": tiles}, "survive"))
    if view["points"] > 0:
        lines.append(translate(language, "terminal.points", {"points": view["points"]}, "survive"))
    if view["dice"]:
        lines.append(translate(language, "terminal.dice", {"faces": view["dice"]}, "survive"))
    return lines


def format_seat(view: message_types.View, seat: int, language: str) -> str:
    info = view["seats"][seat]
    name = "/".join(translate(language, f"term.{c}", {}, "survive") for c in info["colours"])
    args = {"saved": info["saved"], "in_play": info["in_play"], "hand": len(info["hand"])}
    mark = "▶ " if view["turn"] == seat and view["step"] != "setup" else "  "
    return f"{mark}[{INK[info['colours'][0]]}]{name}[/]: " + translate(language, "terminal.seat", args, "survive")

# interpreted
"""Positions as one readable line, in the style of the rulebook's examples; docs/positions-atlantis.md says how.

blue1(Red A) yellow4+ ~ pink4 = brown6(Blue B) grey5; turn: Red; Red: 2green pink7 bridge
"""

from __future__ import annotations

import re
from typing import Final

from landfall.core.errors import LandfallError
from landfall.core.state import CHANCE, OVER
from landfall.games.atlantis import gaps, invariants, tiles
from landfall.games.atlantis.board import ATLANTIS, MAINLAND, MIDDLE, POSITIONS, place_text, read_place
from landfall.games.atlantis.components import (
    BACKS,
    CARDS_A_KIND,
    COLOURS,
    FIGURE_NAMES,
    FIGURES,
    HELD,
    KINDS,
    NUM_FACES,
    NUM_KINDS,
    ON_PATH,
    OUT,
    TILE_OF,
    UNSEEN,
    read_face,
)
from landfall.games.atlantis.phases import (
    BRIDGING,
    DONE,
    HOPPING,
    PAYING,
    PHASES,
    START,
)
from landfall.games.atlantis.position_text import format_position
from landfall.games.atlantis.state import AtlantisState

__all__ = ["PositionError", "format_position", "parse_position"]

CELL: Final = re.compile(r"\s*(?:@(\d+)|(~|=|\|=|\||\?)|([a-z]+\d)(\+?)(?:\(([^()]*)\))?)(?=\s|$)", re.IGNORECASE)
CARDS: Final = re.compile(r"(\d*)([a-z]+)(!?)")


class PositionError(LandfallError):
    """A text that is no position: the part that is wrong, and why."""

    def __init__(self, text: str, reason: str) -> None:
        super().__init__(f"{text!r}: {reason}", "error.position", {"text": text, "reason": reason})


# --- reading ----------------------------------------------------------------------------------------------------


def parse_position(text: str) -> AtlantisState:
    """The position a line describes; PositionError quotes what is wrong."""
    path, *sections = text.split(";")
    named = [split_section(section) for section in sections if section.strip()]
    s = AtlantisState(count_players(path, named), None)
    s.phase, s.spot = START, -1
    for seat in range(len(COLOURS)):
        s.holds_bridge[seat] = 0
    read_path(s, path)
    for name, content in named:
        read_section(s, name, content)
    read_now(s, next((content for name, content in named if name == "now"), "start"))
    book_cards(s)
    tiles.rebuild(s)
    if s.phase == PAYING:
        s.bill = gaps.price_between(s, s.origin, s.figure_at[s.seat * FIGURES + s.mover])
    faults = invariants.check(s)
    if faults:
        raise PositionError(text.strip(), "; ".join(faults))
    return s


def split_section(section: str) -> tuple[str, str]:
    name, colon, content = section.partition(":")
    name = name.strip().lower()
    known = (*COLOURS, "turn", "players", "discard", "out", "now")
    if not colon or name not in known:
        raise PositionError(
            section.strip(), f"after the path come sections `name: content`; names are {', '.join(known)}"
        )
    return name, content.strip()


def count_players(path: str, named: list[tuple[str, str]]) -> int:
    """As given, else up to the last colour that is mentioned, at least two."""
    for name, content in named:
        if name == "players":
            if content not in ("2", "3", "4"):
                raise PositionError(content, "there are 2, 3 or 4 players")
            return int(content)
    words = {name for name, _ in named} | {content.lower() for name, content in named if name == "turn"}
    words |= {word.lower() for inside in re.findall(r"\(([^()]*)\)", path) for word in inside.split()[:1]}
    return max([2] + [seat + 1 for seat, colour in enumerate(COLOURS) if colour in words])


def read_path(s: AtlantisState, path: str) -> None:
    """The tiles from Atlantis to the mainland."""
    cells = []
    at, end = 0, len(path.rstrip())
    while at < end:
        found = CELL.match(path, at)
        if found is None:
            raise PositionError(path[at:].split()[0], "expected a tile such as blue3 or blue3+(Red A), or ~ = | |= ?")
        cells.append(found)
        at = found.end()
    start = first_position(cells)
    cells = [cell for cell in cells if not cell[1]]
    for i, cell in enumerate(cells):
        if start + i >= POSITIONS:
            raise PositionError(cell[0].strip(), "the path has 26 positions on each side of its first gap, |")
        read_cell(s, start + i, cell)


def first_position(cells: list[re.Match[str]]) -> int:
    """Where the path begins: so that `|` is its middle, or where `@` says, else right after the middle."""
    if cells and cells[0][1]:
        start = int(cells[0][1]) - 1
        if not 0 <= start < POSITIONS:
            raise PositionError(cells[0][0].strip(), f"positions are 1 to {POSITIONS}")
        return start
    middles = [i for i, cell in enumerate(cells) if cell[2] in ("|", "|=")]
    if not middles:
        return MIDDLE + 1
    if middles[0] > MIDDLE:
        raise PositionError(cells[0][0].strip(), "the path has 26 positions on each side of its first gap, |")
    return MIDDLE - middles[0]


def read_cell(s: AtlantisState, at: int, cell: re.Match[str]) -> None:
    """One position."""
    shown = cell[0].strip()
    if cell[1]:
        raise PositionError(shown, "@ stands before the first tile only")
    if (cell[2] in ("|", "|=")) != (at == MIDDLE):
        raise PositionError(shown, f"the first gap, |, is position {MIDDLE + 1} and nothing else is; this is {at + 1}")
    if cell[2] == "?":
        if s.spot >= 0:
            raise PositionError(shown, "only one tile is turned up at a time")
        s.spot = at
        s.below[at] = 1
    elif cell[2]:
        s.bridge[at] = 1 if cell[2].endswith("=") else 0
    else:
        tile = find_tile(s, cell[3].lower(), tiles.back_of(at), shown)
        s.top[at] = tile
        s.tile_at[tile] = ON_PATH
        s.below[at] = 1 if cell[4] else 0
        if cell[5] is not None:
            read_figure(s, at, cell[5])


def find_tile(s: AtlantisState, name: str, back: int, shown: str) -> int:
    """The tile of that face and back, which must not be elsewhere."""
    face = read_face(name)
    if face < 0:
        raise PositionError(shown, f"a tile is one of {', '.join(KINDS)} and a value from 1 to 7")
    tile = int(TILE_OF[back * NUM_FACES + face])
    if tile < 0:
        raise PositionError(shown, f"no {name} has back {BACKS[back]}; tiles with back A stand before the first gap, |")
    if s.tile_at[tile] != UNSEEN:
        raise PositionError(shown, f"there is only one {name} with back {BACKS[back]}")
    return tile


def read_figure(s: AtlantisState, at: int, inside: str) -> None:
    """`Red A` or `Red`, which is the first figure of Red's not yet placed."""
    colour, _, name = inside.strip().partition(" ")
    if colour.lower() not in COLOURS[: s.players]:
        raise PositionError(inside, f"expected a player's colour ({', '.join(COLOURS[: s.players])}) and A, B or C")
    base = COLOURS.index(colour.lower()) * FIGURES
    free = [f for f in range(FIGURES) if s.figure_at[base + f] == ATLANTIS]
    if name.strip():
        free = [f for f in free if FIGURE_NAMES[f] == name.strip().upper()]
    if not free:
        raise PositionError(inside, "there is no such figure, or it stands elsewhere already")
    s.figure_at[base + free[0]] = at


def read_section(s: AtlantisState, name: str, content: str) -> None:
    if name in COLOURS:
        if COLOURS.index(name) >= s.players:
            raise PositionError(name, f"only {s.players} play")
        for word in content.lower().split():
            read_holding(s, COLOURS.index(name), word)
    elif name == "turn":
        if content.lower() not in COLOURS[: s.players]:
            raise PositionError(content, f"expected one of {', '.join(COLOURS[: s.players])}")
        s.seat = COLOURS.index(content.lower())
    elif name == "discard":
        for word in content.lower().split():
            kind, count, _ = read_cards(word)
            s.discard[kind] += count
    elif name == "out":
        for word in content.lower().split():
            read_out(s, word)


def read_holding(s: AtlantisState, seat: int, word: str) -> None:
    """What a seat has: cards `2grey`, `grey!` if all know of it, tiles `grey5`, `bridge`, figures `C@mainland`."""
    if word == "bridge":
        s.holds_bridge[seat] = 1
    elif "@" in word:
        figure, _, place = word.partition("@")
        if figure.upper() not in tuple(FIGURE_NAMES) or place != "mainland":
            raise PositionError(word, "expected a figure on the mainland, such as C@mainland")
        s.figure_at[seat * FIGURES + FIGURE_NAMES.index(figure.upper())] = MAINLAND
    elif read_tile_word(word):
        s.tile_at[held_or_out(s, word)] = HELD + seat
    else:
        kind, count, known = read_cards(word)
        s.hand[seat * NUM_KINDS + kind] += count
        s.known[seat * NUM_KINDS + kind] += count if known else 0


def read_out(s: AtlantisState, word: str) -> None:
    if read_tile_word(word):
        s.tile_at[held_or_out(s, word)] = OUT
    else:
        kind, count, _ = read_cards(word)
        s.out_cards[kind] += count


def read_tile_word(word: str) -> bool:
    return re.fullmatch(r"[a-z]+\d[ab]?", word) is not None


def held_or_out(s: AtlantisState, word: str) -> int:
    """A tile away from the path: `blue3b` is the one with back B, `blue3` the one with back A if it is to be had."""
    if word[-1] in "ab":
        return find_tile(s, word[:-1], "ab".index(word[-1]), word)
    face = read_face(word)
    free = [t for t in (int(TILE_OF[b * NUM_FACES + face]) for b in (0, 1)) if t >= 0 and s.tile_at[t] == UNSEEN]
    if face < 0 or not free:
        raise PositionError(word, "there is no such tile, or no more of them")
    return free[0]


def read_cards(word: str) -> tuple[int, int, bool]:
    """`2grey!` as kind, number, and whether all know of them."""
    found = CARDS.fullmatch(word)
    if found is None or found[2] not in KINDS:
        raise PositionError(word, f"cards are written such as grey or 2grey; the kinds are {', '.join(KINDS)}")
    return KINDS.index(found[2]), int(found[1][:3] or 1), bool(found[3])


def book_cards(s: AtlantisState) -> None:
    """The deck is all cards not mentioned; hands count as drawn from it since it was shuffled."""
    for kind in range(NUM_KINDS):
        held = sum(int(s.hand[seat * NUM_KINDS + kind]) for seat in range(s.players))
        rest = CARDS_A_KIND - held - int(s.discard[kind] + s.out_cards[kind])
        if rest < 0:
            raise PositionError(KINDS[kind], f"there are only {CARDS_A_KIND} cards of a kind")
        s.deck[kind] = rest
        s.shuffled[kind] = rest + held
        for seat in range(s.players):
            s.drawn[seat * NUM_KINDS + kind] = s.hand[seat * NUM_KINDS + kind]


def read_now(s: AtlantisState, content: str) -> None:
    """The moment of the turn: a phase, then `name=value` for what it needs."""
    phase, *words = content.lower().split()
    if phase not in PHASES:
        raise PositionError(phase, f"the moments of a turn are {', '.join(PHASES)}")
    s.phase = PHASES.index(phase)
    for word in words:
        name, _, value = word.partition("=")
        if name in ("played", "fresh"):
            for cards in value.split(","):
                kind, count, _ = read_cards(cards)
                (s.played if name == "played" else s.bought)[kind] += count
        elif name == "figure" and value.upper() in tuple(FIGURE_NAMES):
            s.mover = FIGURE_NAMES.index(value.upper())
        elif name in ("from", "on", "at") and read_place(value) >= ATLANTIS:
            read_moment_place(s, name, read_place(value))
        elif name in ("paid", "draw", "bought", "laid", "idle", "bill") and value.isdecimal() and len(value) < 4:
            read_moment_number(s, name, int(value))
        else:
            raise PositionError(word, "expected figure=A from=3 on=7 at=9 bill=5 paid=2 draw=1 bought=2 laid=1 idle=1")
    s.actor = s.seat if s.phase in (START, HOPPING, PAYING, BRIDGING) else OVER if s.phase == DONE else CHANCE


def read_moment_place(s: AtlantisState, name: str, at: int) -> None:
    if name == "from":
        s.origin = at
    elif name == "at":
        s.spot = at
    elif s.mover >= 0:
        s.figure_at[s.seat * FIGURES + s.mover] = at
    else:
        raise PositionError(f"on={place_text(at)}", "say first which figure= it is")


def read_moment_number(s: AtlantisState, name: str, value: int) -> None:
    if name == "paid":
        s.paid = value
    elif name == "bill":
        s.bill = value
    elif name == "draw":
        s.to_draw = value
    elif name == "bought":
        s.bought_count = value
    elif name == "laid":
        s.laid = value
    else:
        s.idle = value

# interpreted
"""The position string, in the style of the rulebook's examples; docs/positions-atlantis.md describes it.

blue1(Red A) yellow4+ ~ pink4 = brown6(Blue B) grey5; turn: Red; Red: 2green pink7 bridge
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from landfall.core.errors import PositionError
from landfall.core.int_vectors import to_list
from landfall.core.position_words import Word, choice_word, format_words, number_word, parse_words
from landfall.core.state import CHANCE, OVER
from landfall.games.atlantis.rules import board, card_drawing, components, gaps, path_tiles, phases
from landfall.games.atlantis.rules.position import AtlantisPosition

CELL: Final = re.compile(r"\s*(?:@(\d+)|(~|=|\|=|\||\?)|([a-z]+\d)(\+?)(?:\(([^()]*)\))?)(?=\s|$)", re.IGNORECASE)
CARDS: Final = re.compile(r"(\d*)([a-z]+)(!?)")
MAX_NUMBER: Final = 999
MOMENT_PATTERN: Final = "expected figure=A from=3 on=7 at=9 bill=5 paid=2 draw=1 bought=2 laid=1 idle=1"
SECTIONS: Final = (*components.COLOURS, "turn", "players", "discard", "out", "now", "drawn")

# --- writing ----------------------------------------------------------------------------------------------------


def format_position(s: AtlantisPosition, seat: int | None = None) -> str:
    """The whole position; for a seat only what it may know (AT.T8), `?` for other cards. At the end all is public."""
    knows_all = seat is None or s.actor == OVER
    parts = [format_path(s), f"turn: {components.COLOURS[s.seat].capitalize()}"]
    for other in range(s.players):
        held = format_holdings(s, other, knows_all or other == seat)
        parts.append(f"{components.COLOURS[other].capitalize()}: {held}".strip())
    sections = (
        ("discard", format_card_counts(to_list(s.discard))),
        ("out", format_removed_cards_and_tiles(s)),
        ("now", format_turn_state(s, knows_all or s.seat == seat)),
        ("drawn", format_all_draws(s) if knows_all else format_known_draws(s, seat)),
    )
    parts += [f"{name}: {' '.join(words)}" for name, words in sections if words]
    return "; ".join(parts)


def format_path(s: AtlantisPosition) -> str:
    """The path from its first tile to its last."""
    there = [at for at in range(board.POSITIONS) if s.top[at] >= 0 or (s.phase == phases.UNCOVERING and at == s.spot)]
    if not there:
        return ""
    first, last = there[0], there[-1]
    words = [format_path_cell(s, at) for at in range(first, last + 1)]
    if not first < board.MIDDLE < last and first != board.MIDDLE + 1:
        words.insert(0, f"@{first + 1}")
    return " ".join(words)


def format_path_cell(s: AtlantisPosition, at: int) -> str:
    """One position."""
    if s.phase == phases.UNCOVERING and at == s.spot:
        return "?"
    if s.top[at] < 0:
        bridge = "=" if s.bridge[at] else ""
        return "|" + bridge if at == board.MIDDLE else bridge or "~"
    figure = int(s.occupant[at])
    stands = ""
    if figure >= 0:
        colour, number = divmod(figure, components.FIGURES)
        stands = f"({components.COLOURS[colour].capitalize()} {components.FIGURE_NAMES[number]})"
    return (
        components.format_face(components.face_of_tile(components.Tile(s.top[at])))
        + ("+" if s.below[at] else "")
        + stands
    )


def format_holdings(s: AtlantisPosition, seat: int, open_hand: bool) -> str:
    """Cards, tiles, the bridge, and figures that have arrived."""
    base = seat * components.NUM_KINDS
    known = [int(s.known[base + kind]) for kind in range(components.NUM_KINDS)]
    words = [card + "!" for card in format_card_counts(known)]
    unknown = [int(s.hand[base + kind]) - known[kind] for kind in range(components.NUM_KINDS)]
    words += format_card_counts(unknown) if open_hand else [f"{sum(unknown)}?"] * (sum(unknown) > 0)
    words += format_tiles_at(s, components.HELD + seat)
    if s.holds_bridge[seat]:
        words.append("bridge")
    words += [
        f"{components.FIGURE_NAMES[f]}@mainland"
        for f in range(components.FIGURES)
        if s.figure_at[seat * components.FIGURES + f] == board.MAINLAND
    ]
    return " ".join(words)


def format_card_counts(cards: list[int]) -> list[str]:
    return [
        f"{cards[kind] if cards[kind] > 1 else ''}{components.KINDS[kind]}"
        for kind in range(components.NUM_KINDS)
        if cards[kind]
    ]


def format_tiles_at(s: AtlantisPosition, place: int) -> list[str]:
    """Tiles away from the path; `b` where the same face also exists with back A."""
    return [
        components.format_face(components.face_of_tile(components.Tile(t)))
        + ("b" if t >= components.TILES_A_BACK and components.TILE_OF[components.TILE_FACE[t]] >= 0 else "")
        for t in range(components.NUM_TILES)
        if s.tile_at[t] == place
    ]


def format_removed_cards_and_tiles(s: AtlantisPosition) -> list[str]:
    return format_card_counts(to_list(s.out_cards)) + format_tiles_at(s, components.OUT)


def format_turn_state(s: AtlantisPosition, open_hand: bool) -> list[str]:
    """The phase of the turn, unless it is the start."""
    words = format_words([word for word in WORDS if open_hand or word.name != "fresh"], s)
    phase = phases.PHASES[s.phase]
    return [phase, *words] if words or phase != "start" else []


def format_all_draws(s: AtlantisPosition) -> list[str]:
    """Who drew what since the last shuffle, unless it equals their hands."""
    if to_list(s.drawn) == to_list(s.hand):
        return []
    return format_draws_of_seats(s, range(s.players)) or ["nothing"]


def format_known_draws(s: AtlantisPosition, seat: int | None) -> list[str]:
    """What a seat drew itself and what the deck was made of, unless these are its hand and a full deck."""
    words: list[str] = []
    if seat is not None and seat >= 0 and cards_drawn_by_seat(s, seat) != card_drawing.card_counts_in_hand(s, seat):
        words = format_draws_of_seats(s, range(seat, seat + 1)) or ["nothing"]
    if any(cards != components.CARDS_A_KIND for cards in s.shuffled):
        words.append(f"of={','.join(format_card_counts(to_list(s.shuffled)))}")
    return words


def format_draws_of_seats(s: AtlantisPosition, seats: range) -> list[str]:
    cards = [
        (components.COLOURS[seat].capitalize(), ",".join(format_card_counts(cards_drawn_by_seat(s, seat))))
        for seat in seats
    ]
    return [f"{colour}={words}" for colour, words in cards if words]


def cards_drawn_by_seat(s: AtlantisPosition, seat: int) -> list[int]:
    return [int(s.drawn[seat * components.NUM_KINDS + kind]) for kind in range(components.NUM_KINDS)]


# --- reading ----------------------------------------------------------------------------------------------------


def parse_position(text: str) -> AtlantisPosition:
    """The position, without checking invariants; PositionError quotes the wrong part."""
    path, *sections = text.split(";")
    named = [split_named_section(section) for section in sections if section.strip()]
    s = AtlantisPosition(infer_player_count(path, named))
    s.phase, s.spot = phases.START, -1
    parse_path(s, path)
    for name, content in named:
        parse_section(s, name, content)
    parse_turn_state(s, next((content for name, content in named if name == "now"), "start"))
    fill_deck_with_other_cards(s, next((content for name, content in named if name == "drawn"), ""))
    path_tiles.recompute_derived_fields(s)
    if s.phase == phases.PAYING:
        s.bill = gaps.crossing_price(s, s.origin, s.figure_at[s.seat * components.FIGURES + s.mover])
    return s


def split_named_section(section: str) -> tuple[str, str]:
    name, colon, content = section.partition(":")
    name = name.strip().lower()
    if not colon or name not in SECTIONS:
        known = ", ".join(SECTIONS)
        raise PositionError(section.strip(), f"after the path come sections `name: content`; names are {known}")
    return name, content.strip()


def infer_player_count(path: str, named: list[tuple[str, str]]) -> int:
    """As given, else up to the last mentioned colour, at least two."""
    for name, content in named:
        if name == "players":
            if content not in ("2", "3", "4"):
                raise PositionError(content, "there are 2, 3 or 4 players")
            return int(content)
    words = {name for name, _ in named} | {content.lower() for name, content in named if name == "turn"}
    words |= {word.lower() for inside in re.findall(r"\(([^()]*)\)", path) for word in inside.split()[:1]}
    return max([2] + [seat + 1 for seat, colour in enumerate(components.COLOURS) if colour in words])


def parse_path(s: AtlantisPosition, path: str) -> None:
    """The tiles from Atlantis to the mainland."""
    cells = []
    at, end = 0, len(path.rstrip())
    while at < end:
        found = CELL.match(path, at)
        if found is None:
            raise PositionError(path[at:].split()[0], "expected a tile such as blue3 or blue3+(Red A), or ~ = | |= ?")
        cells.append(found)
        at = found.end()
    start = parse_path_start(cells)
    cells = [cell for cell in cells if not cell[1]]
    for i, cell in enumerate(cells):
        if start + i >= board.POSITIONS:
            raise PositionError(cell[0].strip(), "the path has 26 positions on each side of its first gap, |")
        parse_path_cell(s, start + i, cell)


def parse_path_start(cells: list[re.Match[str]]) -> int:
    """The start of the path: such that `|` is its middle, or as `@` says, else right after the middle."""
    if cells and cells[0][1]:
        start = int(cells[0][1]) - 1
        if not 0 <= start < board.POSITIONS:
            raise PositionError(cells[0][0].strip(), f"positions are 1 to {board.POSITIONS}")
        return start
    middles = [i for i, cell in enumerate(cells) if cell[2] in ("|", "|=")]
    if not middles:
        return board.MIDDLE + 1
    if middles[0] > board.MIDDLE:
        raise PositionError(cells[0][0].strip(), "the path has 26 positions on each side of its first gap, |")
    return board.MIDDLE - middles[0]


def parse_path_cell(s: AtlantisPosition, at: int, cell: re.Match[str]) -> None:
    """One position."""
    shown = cell[0].strip()
    if cell[1]:
        raise PositionError(shown, "@ stands before the first tile only")
    if (cell[2] in ("|", "|=")) != (at == board.MIDDLE):
        raise PositionError(
            shown, f"the first gap, |, is position {board.MIDDLE + 1} and nothing else is; this is {at + 1}"
        )
    if cell[2] == "?":
        if s.spot >= 0:
            raise PositionError(shown, "only one tile is turned up at a time")
        s.spot = at
        s.below[at] = 1
    elif cell[2]:
        s.bridge[at] = 1 if cell[2].endswith("=") else 0
    else:
        tile = parse_unused_tile(s, cell[3].lower(), path_tiles.tile_back_at(at), shown)
        s.top[at] = tile
        s.tile_at[tile] = components.ON_PATH
        s.below[at] = 1 if cell[4] else 0
        if cell[5] is not None:
            parse_figure_on_tile(s, at, cell[5])


def parse_unused_tile(s: AtlantisPosition, name: str, back: int, shown: str) -> int:
    """The tile with that face and back, which must not be used elsewhere."""
    face = components.parse_face(name)
    if face < 0:
        raise PositionError(shown, f"a tile is one of {', '.join(components.KINDS)} and a value from 1 to 7")
    tile = int(components.TILE_OF[back * components.NUM_FACES + face])
    if tile < 0:
        raise PositionError(
            shown, f"no {name} has back {components.BACKS[back]}; tiles with back A stand before the first gap, |"
        )
    if s.tile_at[tile] != components.UNSEEN:
        raise PositionError(shown, f"there is only one {name} with back {components.BACKS[back]}")
    return tile


def parse_figure_on_tile(s: AtlantisPosition, at: int, inside: str) -> None:
    """`Red A`, or `Red` for the first of Red's figures not yet placed."""
    colour, _, name = inside.strip().partition(" ")
    if colour.lower() not in components.COLOURS[: s.players]:
        raise PositionError(
            inside, f"expected a player's colour ({', '.join(components.COLOURS[: s.players])}) and A, B or C"
        )
    base = components.COLOURS.index(colour.lower()) * components.FIGURES
    free = [f for f in range(components.FIGURES) if s.figure_at[base + f] == board.ATLANTIS]
    if name.strip():
        free = [f for f in free if components.FIGURE_NAMES[f] == name.strip().upper()]
    if not free:
        raise PositionError(inside, "there is no such figure, or it stands elsewhere already")
    s.figure_at[base + free[0]] = at


def parse_section(s: AtlantisPosition, name: str, content: str) -> None:
    if name in components.COLOURS:
        if components.COLOURS.index(name) >= s.players:
            raise PositionError(name, f"only {s.players} play")
        for word in content.lower().split():
            parse_holding(s, components.COLOURS.index(name), word)
    elif name == "turn":
        if content.lower() not in components.COLOURS[: s.players]:
            raise PositionError(content, f"expected one of {', '.join(components.COLOURS[: s.players])}")
        s.seat = components.COLOURS.index(content.lower())
    elif name == "discard":
        for word in content.lower().split():
            kind, count, _ = parse_card_count(word)
            s.discard[kind] += count
    elif name == "out":
        for word in content.lower().split():
            parse_removed_word(s, word)


def parse_holding(s: AtlantisPosition, seat: int, word: str) -> None:
    """A seat's cards `2grey`, `grey!` if public, tiles `grey5`, `bridge`, figures `C@mainland`."""
    if word == "bridge":
        s.holds_bridge[seat] = 1
    elif "@" in word:
        figure, _, place = word.partition("@")
        if figure.upper() not in tuple(components.FIGURE_NAMES) or place != "mainland":
            raise PositionError(word, "expected a figure on the mainland, such as C@mainland")
        s.figure_at[seat * components.FIGURES + components.FIGURE_NAMES.index(figure.upper())] = board.MAINLAND
    elif is_tile_word(word):
        s.tile_at[parse_tile_off_path(s, word)] = components.HELD + seat
    else:
        kind, count, known = parse_card_count(word)
        s.hand[seat * components.NUM_KINDS + kind] += count
        s.known[seat * components.NUM_KINDS + kind] += count if known else 0


def parse_removed_word(s: AtlantisPosition, word: str) -> None:
    if is_tile_word(word):
        s.tile_at[parse_tile_off_path(s, word)] = components.OUT
    else:
        kind, count, _ = parse_card_count(word)
        s.out_cards[kind] += count


def is_tile_word(word: str) -> bool:
    return re.fullmatch(r"[a-z]+\d[ab]?", word) is not None


def parse_tile_off_path(s: AtlantisPosition, word: str) -> int:
    """A tile off the path: `blue3b` has back B, `blue3` has back A if that is available."""
    if word[-1] in "ab":
        return parse_unused_tile(s, word[:-1], "ab".index(word[-1]), word)
    face = components.parse_face(word)
    free = [
        t
        for t in (int(components.TILE_OF[b * components.NUM_FACES + face]) for b in (0, 1))
        if t >= 0 and s.tile_at[t] == components.UNSEEN
    ]
    if face < 0 or not free:
        raise PositionError(word, "there is no such tile, or no more of them")
    return free[0]


def parse_card_count(word: str) -> tuple[int, int, bool]:
    """`2grey!` as kind, number, and whether they are public."""
    if word.endswith("?"):
        raise PositionError(word, "a line written for a seat hides cards; only a whole one is a position")
    found = CARDS.fullmatch(word)
    if found is None or found[2] not in components.KINDS:
        raise PositionError(
            word, f"cards are written such as grey or 2grey; the kinds are {', '.join(components.KINDS)}"
        )
    return components.KINDS.index(found[2]), int(found[1][:3] or 1), bool(found[3])


def fill_deck_with_other_cards(s: AtlantisPosition, drawn: str) -> None:
    """The deck is all cards not mentioned; by default, the hands were drawn since the last shuffle."""
    if drawn:
        parse_draws(s, drawn)
    else:
        s.drawn = s.hand[:]
    for kind in range(components.NUM_KINDS):
        held = sum(int(s.hand[seat * components.NUM_KINDS + kind]) for seat in range(s.players))
        rest = components.CARDS_A_KIND - held - int(s.discard[kind] + s.out_cards[kind])
        s.shuffled[kind] = rest + sum(int(s.drawn[seat * components.NUM_KINDS + kind]) for seat in range(s.players))
        if rest < 0 or s.shuffled[kind] > components.CARDS_A_KIND:
            raise PositionError(components.KINDS[kind], f"there are only {components.CARDS_A_KIND} cards of a kind")
        s.deck[kind] = rest


def parse_draws(s: AtlantisPosition, content: str) -> None:
    """Who drew what since the last shuffle: `Red=2grey,pink`, or `nothing`."""
    for word in content.lower().split():
        colour, _, cards = word.partition("=")
        if word == "nothing":
            continue
        if colour not in components.COLOURS[: s.players]:
            raise PositionError(word, "expected what a player drew, such as Red=2grey,pink, or nothing")
        for card in cards.split(","):
            kind, count, _ = parse_card_count(card)
            s.drawn[components.COLOURS.index(colour) * components.NUM_KINDS + kind] += count


def parse_turn_state(s: AtlantisPosition, content: str) -> None:
    """The phase of the turn, then `name=value` for its arguments."""
    phase, *words = content.lower().split()
    if phase not in phases.PHASES:
        raise PositionError(phase, f"the moments of a turn are {', '.join(phases.PHASES)}")
    s.phase = phases.Phase(phases.PHASES.index(phase))
    parse_words(WORDS, s, words, MOMENT_PATTERN)
    s.actor = (
        s.seat
        if s.phase in (phases.START, phases.HOPPING, phases.PAYING, phases.BRIDGING)
        else OVER
        if s.phase == phases.DONE
        else CHANCE
    )


def place_word(name: str, field: str, unless: Callable[[Any], object]) -> Word:
    """A field that holds a place of the path or one of its ends."""

    def read(s: AtlantisPosition, value: str, shown: str) -> None:
        setattr(s, field, parse_place_word(value, shown))

    return Word(name, unless, lambda s: board.format_place(int(getattr(s, field))), read)


def parse_place_word(value: str, shown: str) -> int:
    at = board.parse_place(value)
    if at < board.ATLANTIS:
        raise PositionError(shown, MOMENT_PATTERN)
    return at


def format_place_of_mover(s: AtlantisPosition) -> str:
    return board.format_place(int(s.figure_at[s.seat * components.FIGURES + s.mover]))


def read_place_of_mover(s: AtlantisPosition, value: str, shown: str) -> None:
    if s.mover < 0:
        raise PositionError(shown, "say first which figure= it is")
    s.figure_at[s.seat * components.FIGURES + s.mover] = parse_place_word(value, shown)


def cards_word(name: str, field: str) -> Word:
    """A field that counts cards by kind."""

    def read(s: AtlantisPosition, value: str, shown: str) -> None:
        for cards in value.split(","):
            kind, count, _ = parse_card_count(cards)
            getattr(s, field)[kind] += count

    return Word(
        name,
        lambda s: not any(to_list(getattr(s, field))),
        lambda s: ",".join(format_card_counts(to_list(getattr(s, field)))),
        read,
    )


WORDS: Final = (
    choice_word("figure", "mover", components.FIGURE_NAMES, lambda s: s.mover < 0),
    place_word("from", "origin", lambda s: s.mover < 0),
    Word("on", lambda s: s.phase != phases.HOPPING, format_place_of_mover, read_place_of_mover),
    place_word("at", "spot", lambda s: s.phase != phases.LAYING),
    number_word("bill", "bill", MAX_NUMBER),
    number_word("paid", "paid", MAX_NUMBER),
    number_word("draw", "to_draw", MAX_NUMBER),
    number_word("bought", "bought_count", MAX_NUMBER),
    number_word("laid", "laid", MAX_NUMBER),
    number_word("idle", "idle", MAX_NUMBER),
    cards_word("played", "played"),
    cards_word("fresh", "bought"),
)

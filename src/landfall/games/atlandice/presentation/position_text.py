# interpreted
"""The position string; docs/positions-atlandice.md describes it. All is public (AD.V9), so it is the same for every
seat.

1a: 6g d; 2b: 7b 2d; 3-:; 4c: 7t sub; 5a: 7w d; 6: 3g 3b 3t 3w d; Red: g d; Blue:; clock: 2; now: die round=1
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from landfall.core.errors import PositionError
from landfall.core.int_vectors import filled_vector, to_list, to_vector
from landfall.core.position_words import Word, choice_word, format_words, number_word, parse_words
from landfall.core.state import CHANCE, OVER
from landfall.games.atlandice.rules import board, clock_config, components, phases
from landfall.games.atlandice.rules.position import AtlandicePosition

if TYPE_CHECKING:
    from landfall.core.int_vectors import Buf

NUMBERS: Final = "123456"
NOBODY: Final = -1
HOLDER_NAMES: Final = (*components.COLOURS, "neutral")
TOPS: Final = components.TILE_LETTERS + "?-"  # the letter on top of a stack; face down; used up
SECTOR: Final = re.compile(r"([1-5])([abc?-])|6")
COUNTED: Final = re.compile(r"(\d{0,3})([gbptwd])")
MOMENT: Final = "expected round=2 first=Red visits=1 roll=3 turn=Red for=Neutral at=3 picked=3b reveal=2 donors=1"

# --- writing ----------------------------------------------------------------------------------------------------


def format_position(s: AtlandicePosition, seat: int | None = None) -> str:
    """The whole position, the same for every seat."""
    parts = [
        f"{format_sector_heading(s, sector)}: {format_sector_contents(s, sector)}".strip()
        for sector in range(board.SECTORS)
    ]
    for holder in range(3 if s.players == 2 else s.players):
        parts.append(f"{format_holder_name(s, holder)}: {format_holdings(s, holder)}".strip())
    gone = [format_tile(tile) for tile in range(components.TILES) if s.tile_place[tile] == components.GONE]
    if gone:
        parts.append(f"gone: {' '.join(gone)}")
    parts.append(f"clock: {' '.join(format_clock(s))}")
    parts.append(f"now: {' '.join(format_turn_state(s))}")
    return "; ".join(parts)


def format_sector_heading(s: AtlandicePosition, sector: int) -> str:
    """The number of a sector, and for a region the top of its stack."""
    return NUMBERS[sector] + (TOPS[s.top[sector]] if sector != board.BLACK_MARKET else "")


def format_sector_contents(s: AtlandicePosition, sector: int) -> str:
    """The contents of a sector; `bare` if a region's tile has not held a piece yet (AD.V3)."""
    words = format_piece_counts(
        [
            int(s.lying[components.place_of_resource(board.Sector(sector), components.Resource(r))])
            for r in range(components.RESOURCES)
        ],
        int(s.dice[sector]),
    )
    if s.submarine == sector:
        words.append("sub")
    if sector != board.BLACK_MARKET and s.top[sector] != components.USED_UP and not s.held[sector]:
        words.append("bare")
    return " ".join(words)


def format_piece_counts(pieces: list[int], dice: int) -> list[str]:
    """Pieces and dice: `2g b d`."""
    found = zip([*pieces, dice], components.RESOURCE_LETTERS + "d", strict=True)
    return [f"{count if count > 1 else ''}{letter}" for count, letter in found if count]


def format_holder_name(s: AtlandicePosition, holder: int) -> str:
    return "Neutral" if s.players == 2 and holder == components.NEUTRAL else components.COLOURS[holder].capitalize()


def format_holdings(s: AtlandicePosition, holder: int) -> str:
    """Pieces, dice of this round, points, tiles; `gave` if the die for the neutral player is taken (AD.N1)."""
    words = format_piece_counts(
        [int(s.stock[holder * components.RESOURCES + r]) for r in range(components.RESOURCES)], int(s.taken[holder])
    )
    tiles = [format_tile(tile) for tile in range(components.TILES) if s.tile_place[tile] == components.TAKEN + holder]
    words += [f"points={s.points[holder]}"] * (s.points[holder] > 0)
    words += [f"tiles={','.join(tiles)}"] * (len(tiles) > 0)
    words += ["gave"] * int(s.gave[holder])
    return " ".join(words)


def format_tile(tile: int) -> str:
    return NUMBERS[tile // components.LETTERS] + components.TILE_LETTERS[tile % components.LETTERS]


def format_clock(s: AtlandicePosition) -> list[str]:
    """The position of the hand; the face and the tiles' hands if they are not the default."""
    words = [str(int(s.hand))]
    if to_list(s.icons) != to_list(clock_config.OUR_FACE):
        icons = [
            f"{space}:{components.ICON_NAMES[icon]}"
            for space, icon in enumerate(to_list(s.icons))
            if icon != components.NO_ICON
        ]
        words += [f"last={len(s.icons) - 1}", f"icons={','.join(icons) or 'none'}"]
    if to_list(s.hands) != to_list(clock_config.OUR_HANDS):
        words.append(f"hands={','.join(str(n) for n in to_list(s.hands))}")
    return words


def format_turn_state(s: AtlandicePosition) -> list[str]:
    """The phase and its arguments."""
    return [phases.PHASES[s.phase], *format_words(WORDS, s)]


# --- reading ----------------------------------------------------------------------------------------------------


def parse_position(text: str) -> AtlandicePosition:
    """The position, without checking invariants; PositionError quotes the wrong part."""
    named = [split_named_section(section) for section in text.split(";") if section.strip()]
    clock = next((content for name, content in named if name == "clock"), "0")
    hand, icons, hands = parse_clock(clock)
    s = AtlandicePosition(infer_player_count(named), icons, hands)
    s.hand = hand
    s.tile_place = filled_vector(components.TILES, components.UNSEEN)
    for name, content in named:
        parse_section(s, name, content)
    parse_turn_state(s, next((content for name, content in named if name == "now"), phases.PHASES[phases.REVEAL]))
    return s


def split_named_section(section: str) -> tuple[str, str]:
    name, colon, content = section.partition(":")
    name = name.strip().lower()
    if not colon or not (SECTOR.fullmatch(name) or name in (*HOLDER_NAMES, "players", "gone", "clock", "now")):
        known = "1a to 5c and 6, " + ", ".join((*HOLDER_NAMES, "players", "gone", "clock", "now"))
        raise PositionError(section.strip(), f"a position is made of sections `name: content`; names are {known}")
    return name, content.strip().lower()


def infer_player_count(named: list[tuple[str, str]]) -> int:
    """As given, else up to the last colour with a section, at least two."""
    for name, content in named:
        if name == "players":
            if content not in ("2", "3", "4"):
                raise PositionError(content, "there are 2, 3 or 4 players")
            return int(content)
    return max(
        [2] + [seat + 1 for seat, colour in enumerate(components.COLOURS) if any(name == colour for name, _ in named)]
    )


def parse_section(s: AtlandicePosition, name: str, content: str) -> None:
    if SECTOR.fullmatch(name):
        parse_sector(s, name, content)
    elif name in HOLDER_NAMES:
        parse_holdings(s, parse_holder(s, name), content)
    elif name == "gone":
        for word in content.split():
            s.tile_place[parse_unused_tile(s, word)] = components.GONE


def parse_sector(s: AtlandicePosition, name: str, content: str) -> None:
    """The top of the stack, and the contents."""
    sector = NUMBERS.index(name[0])
    if sector != board.BLACK_MARKET:
        parse_top_tile(s, sector, name)
    for word in content.split():
        if word == "sub":
            s.submarine = board.Sector(sector)
        elif word == "bare" and sector != board.BLACK_MARKET:
            s.held[sector] = 0
        else:
            letter, count = parse_counted_letter(
                word, "expected pieces such as 2g (of gbptw), dice such as 2d, sub or bare"
            )
            if letter == "d":
                s.dice[sector] = count
            else:
                s.lying[
                    components.place_of_resource(
                        board.Sector(sector), components.Resource(components.RESOURCE_LETTERS.index(letter))
                    )
                ] = count


def parse_top_tile(s: AtlandicePosition, region: int, name: str) -> None:
    """The tile on top of a region's stack, or `?` for face down, `-` for used up."""
    if name[1] == "-":
        s.top[region] = components.USED_UP
        return
    s.held[region] = 1
    if name[1] != "?":
        s.tile_place[parse_unused_tile(s, name)] = components.ON_TOP
        s.top[region] = components.TILE_LETTERS.index(name[1])
    else:
        s.top[region] = components.FACE_DOWN


def parse_counted_letter(word: str, expected: str) -> tuple[str, int]:
    """`2g` as its letter and number."""
    found = COUNTED.fullmatch(word)
    if found is None:
        raise PositionError(word, expected)
    return found[2], int(found[1] or 1)


def parse_unused_tile(s: AtlandicePosition, name: str) -> int:
    """The tile with that name, which must not be used elsewhere."""
    if len(name) != 2 or name[0] not in NUMBERS[: board.REGIONS] or name[1] not in components.TILE_LETTERS:
        raise PositionError(name, "a tile is the number of a region and a, b or c, such as 2c")
    tile = NUMBERS.index(name[0]) * components.LETTERS + components.TILE_LETTERS.index(name[1])
    if s.tile_place[tile] != components.UNSEEN:
        raise PositionError(name, "there is only one such tile")
    return tile


def parse_holder(s: AtlandicePosition, name: str) -> int:
    """A seat by its colour, or the neutral player."""
    known = (*components.COLOURS[: s.players], *(["neutral"] if s.players == 2 else []))
    if name not in known:
        raise PositionError(name, f"expected one of {', '.join(known)}")
    return known.index(name)


def parse_holdings(s: AtlandicePosition, holder: int, content: str) -> None:
    for word in content.split():
        name, _, value = word.partition("=")
        if word == "gave":
            s.gave[holder] = 1
        elif name == "points" and value.isdecimal() and len(value) < 4:
            s.points[holder] = int(value)
        elif name == "tiles":
            for tile in value.split(","):
                s.tile_place[parse_unused_tile(s, tile)] = components.TAKEN + holder
        else:
            letter, count = parse_counted_letter(
                word, "expected pieces such as 2g, dice such as 2d, points=4, tiles=1a,2c or gave"
            )
            if letter == "d":
                s.taken[holder] = count
            else:
                s.stock[holder * components.RESOURCES + components.RESOURCE_LETTERS.index(letter)] = count


def parse_clock(content: str) -> tuple[int, Buf, Buf]:
    """The position of the hand, the icons of the face, the tiles' hands."""
    hand, *words = content.split() or [""]
    icons, hands = clock_config.OUR_FACE, clock_config.OUR_HANDS
    given = dict(word.partition("=")[::2] for word in words)
    if (
        not is_small_number(hand)
        or not set(given) <= {"last", "icons", "hands"}
        or ("icons" in given) != ("last" in given)
    ):
        raise PositionError(
            content, "expected where the hand points, such as 4, then last=18 icons=2:gems,3:stock hands="
        )
    if "last" in given:
        icons = parse_clock_icons(given["last"], given["icons"])
    if "hands" in given:
        numbers = given["hands"].split(",")
        if len(numbers) != components.TILES + 1 or not all(is_small_number(n) and int(n) > 0 for n in numbers):
            raise PositionError(given["hands"], f"there are {components.TILES + 1} hands, the black market's last")
        hands = to_vector([int(n) for n in numbers])
    if int(hand) >= len(icons):
        raise PositionError(hand, f"the clock's last space is {len(icons) - 1}")
    return int(hand), icons, hands


def is_small_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 4 and int(text) <= components.MAX_SPACES


def parse_clock_icons(last: str, words: str) -> Buf:
    """`2:gems,3:stock` on a face with so many spaces; none on the first and last."""
    if not is_small_number(last) or int(last) < 1:
        raise PositionError(last, f"the last space is a number from 1 to {components.MAX_SPACES}")
    icons: list[int] = [int(components.NO_ICON)] * (int(last) + 1)
    for word in words.split(",") if words != "none" else []:
        space, _, icon = word.partition(":")
        if not is_small_number(space) or not 0 < int(space) < int(last) or icon not in components.ICON_NAMES[1:]:
            raise PositionError(
                word, f"expected a space before the last and one of {', '.join(components.ICON_NAMES[1:])}"
            )
        icons[int(space)] = components.ICON_NAMES.index(icon)
    return to_vector(icons)


def parse_turn_state(s: AtlandicePosition, content: str) -> None:
    """The phase, then `name=value` for its arguments; the actor follows from these."""
    phase, *words = content.split() or [""]
    if phase not in phases.PHASES:
        raise PositionError(phase, f"the moments of a game are {', '.join(phases.PHASES)}")
    s.phase = phases.Phase(phases.PHASES.index(phase))
    s.holder = NOBODY
    parse_words(WORDS, s, words, MOMENT)
    if s.holder == NOBODY:
        s.holder = s.turn
    if s.phase in (phases.REVEAL, phases.GATES, phases.ROLL, phases.SECOND_ROLL):
        s.actor = CHANCE
    elif s.phase == phases.FINISHED:
        s.actor = OVER
    else:
        s.actor = (s.first + s.donors) % s.players if s.phase in (phases.DONATE, phases.DONATE_SECOND) else s.turn


def seat_names(s: AtlandicePosition) -> list[str]:
    return [colour.capitalize() for colour in components.COLOURS[: s.players]]


def holder_names(s: AtlandicePosition) -> list[str]:
    return seat_names(s) + (["Neutral"] if s.players == 2 else [])


def format_picked(s: AtlandicePosition) -> str:
    if s.phase == phases.DIE_TO:
        return NUMBERS[s.picked]
    place = components.Place(s.picked)
    resource = components.resource_of_place(place)
    return NUMBERS[components.sector_of_place(place)] + components.RESOURCE_LETTERS[resource]


def read_picked(s: AtlandicePosition, value: str, shown: str) -> None:
    if not re.fullmatch(r"[1-6][gbptw]?", value):
        raise PositionError(shown, MOMENT)
    s.picked = sector = NUMBERS.index(value[0])
    if len(value) == 2:
        resource = components.Resource(components.RESOURCE_LETTERS.index(value[1]))
        s.picked = components.place_of_resource(board.Sector(sector), resource)


WORDS: Final = (
    number_word("round", "round", components.MAX_SPACES),
    number_word("visits", "visits", components.MAX_SPACES),
    number_word("roll", "to_roll", components.MAX_SPACES),
    number_word("donors", "donors", components.MAX_SPACES),
    choice_word("first", "first", seat_names),
    choice_word("turn", "turn", seat_names),
    choice_word("for", "holder", holder_names, lambda s: s.holder == s.turn),
    choice_word("at", "at", NUMBERS),
    choice_word("reveal", "reveal", NUMBERS[: board.REGIONS]),
    Word("picked", lambda s: s.phase not in (phases.DIE_TO, phases.SWAP, phases.PIECE_TO), format_picked, read_picked),
)

# interpreted
"""The position string: formatting and parsing; docs/positions-survive.md describes it.

players: 2; island: bbbb/bmffb/...; Red: D5=3 aboard=1 lost=2 wind/b; ...; ships: C4(r2 y1); sharks: E8; now: moving
"""

from __future__ import annotations

import re
from typing import Final

from landfall.core import options as opt
from landfall.core import position_words
from landfall.core.errors import PositionError
from landfall.games.survive.presentation import position_text_turn_state, position_word_parsers
from landfall.games.survive.rules import board, components, hidden_information, options, phases, piece_positions
from landfall.games.survive.rules.position import SurvivePosition
from landfall.games.survive.rules.setup import set_up_board, setup_ship_count_of_seat

SUNK, BARE, THE_LAKE = ".", "-", "~"
ISLAND: Final = [  # the rows of the island: spaces that are slots or the lake
    [at for at, name in enumerate(board.NAMES) if name[0] == row and (board.SLOT_OF[at] >= 0 or at == board.LAKE)]
    for row in board.ROWS[3:10]
]
SECTIONS: Final = (
    "players",
    "island",
    *components.COLOUR_NAMES,
    "ships",
    "supply",
    *position_word_parsers.GROUPS,
    "gone",
    "now",
)

SETTING_UP: Final = (phases.LAYING, phases.PLACING, phases.PUTTING_SHIPS)
ABOARD: Final = int(board.PLACES)  # placeholder for an explorer until its ship is parsed

# The assumed backs of removed tiles that the text does not mention: the first possible of this order, the volcano last.
GUESSED: Final = (
    "whirlpool",
    "ship",
    "whale",
    "shark",
    *reversed(components.BACK_NAMES[: int(components.HAND_KINDS)]),
    "volcano",
)

EXPLORER: Final = re.compile(r"([a-z]\d+|@[a-z]{2}|lost|aboard)(?:=([1-6?]))?(!?)(\+?)", re.IGNORECASE)
TILE: Final = re.compile(r"(\d*)([a-z_]+|\?)/([bfm])", re.IGNORECASE)
SHIP: Final = re.compile(r"([a-z]\d+)(?:\(([a-z0-9 ]+)\))?", re.IGNORECASE)
CREATURE: Final = re.compile(r"([a-z]\d+)(?:\(([a-z]\d+)\))?", re.IGNORECASE)

# --- writing ----------------------------------------------------------------------------------------------------


def format_position(s: SurvivePosition, seat: int | None = None) -> str:
    """The whole position; for a seat, or SPECTATOR, with ? for hidden information."""
    parts = [
        f"players: {format_players_and_options(s)}",
        f"island: {'/'.join(format_island_row(s, row) for row in ISLAND)}",
    ]
    for colour in range(piece_positions.count_colours(s)):
        parts.append(
            f"{components.COLOUR_NAMES[colour].capitalize()}: {' '.join(format_colour_section(s, colour, seat))}"
        )
    parts.append(f"ships: {' '.join(format_ships(s))}")
    parts.append(f"supply: {int(s.ships_left)}")
    for kind in range(components.KINDS):
        parts.append(f"{position_word_parsers.GROUPS[kind]}: {' '.join(format_creatures(s, kind))}")
    parts.append(f"gone: {' '.join(format_gone_tiles(s))}")
    parts.append(f"now: {' '.join(position_text_turn_state.format_turn_state(s))}")
    return "; ".join(part.strip() for part in parts if not part.endswith(": "))


def may_show_secret(s: SurvivePosition, seat: int | None, secret: int) -> bool:
    """Whether the string may show what carries this secret code; without a seat it shows everything."""
    return seat is None or hidden_information.can_read_secret(s, seat if seat >= 0 else None, secret)


def format_players_and_options(s: SurvivePosition) -> str:
    """The number of players and the active options."""
    words = [str(int(s.players))]
    for option, number in zip(options.OPTIONS, s.rules.numbers):
        if number:
            words.append(f"{option.name}={option.from_number(number)}" if option.choices else option.name)
    return " ".join(words)


def format_island_row(s: SurvivePosition, row: list[int]) -> str:
    return "".join(THE_LAKE if at == board.LAKE else format_terrain(int(s.tile[at])) for at in row)


def format_terrain(terrain: int) -> str:
    return (
        SUNK
        if terrain == components.SEA
        else BARE
        if terrain == components.UNLAID
        else position_word_parsers.GROUND[terrain]
    )


def format_colour_section(s: SurvivePosition, colour: int, seat: int | None) -> list[str]:
    """The explorers of a colour in their order; with a seat's first colour also the seat's own fields."""
    owner = int(piece_positions.seat_of_colour(s, colour))
    shown = may_show_secret(s, seat, hidden_information.VALUE_SECRET + owner)
    first = colour * int(components.PER_COLOUR)
    words = [format_explorer(s, e, shown) for e in range(first, first + int(s.placed[colour]))]
    if colour != owner:
        return words
    words += format_hand(s, owner, may_show_secret(s, seat, hidden_information.HAND_SECRET + owner))
    if s.bounties[owner] > 0:
        words.append(f"bounty={int(s.bounties[owner])}")
    if s.turns[owner] != position_text_turn_state.usual_turn_count(s, owner):
        words.append(f"turns={int(s.turns[owner])}")
    return words


def format_explorer(s: SurvivePosition, e: int, shown: bool) -> str:
    """Its place and value, ! if it has acted in the water this turn, + if it fell with the tile."""
    at = int(s.where[e])
    where = "lost" if at == components.LOST else "aboard" if s.aboard[e] >= 0 else board.place_name(at)
    marks = ("!" if s.marks[e] & components.ACTED else "") + ("+" if s.marks[e] & components.FELL else "")
    return f"{where}={int(s.value[e]) if shown else '?'}{marks}"


def format_hand(s: SurvivePosition, seat: int, shown: bool) -> list[str]:
    counts: dict[str, int] = {}
    for terrain in range(components.TERRAINS):
        for back in range(components.HAND_KINDS):
            word = f"{components.BACK_NAMES[back] if shown else '?'}/{position_word_parsers.GROUND[terrain]}"
            held = int(s.hand[components.hand_index(seat, terrain, back)])
            if held:
                counts[word] = counts.get(word, 0) + held
    return [format_counted_word(count, word) for word, count in counts.items()]


def format_counted_word(count: int, word: str) -> str:
    return word if count == 1 else f"{count}{word}"


def format_ships(s: SurvivePosition) -> list[str]:
    """Each ship with its crew, by number; - for an unused number."""
    words = [format_ship(s, ship) for ship in range(components.SHIPS)]
    while words and words[-1] == BARE:
        words.pop()
    return words


def format_ship(s: SurvivePosition, ship: int) -> str:
    if s.ship_space[ship] < 0:
        return BARE
    aboard = piece_positions.crew_names(s, ship)
    return board.NAMES[s.ship_space[ship]] + (f"({' '.join(aboard)})" if aboard else "")


def format_creatures(s: SurvivePosition, kind: int) -> list[str]:
    """The creatures that have left the supply, by number; - for a removed one; a dolphin's ward follows it."""
    first = int(components.FIRST[kind])
    return [format_creature(s, c) for c in range(first, first + components.SUPPLY[kind] - int(s.creature_left[kind]))]


def format_creature(s: SurvivePosition, c: int) -> str:
    at = int(s.creature_space[c])
    if at < 0:
        return BARE
    ward = (
        int(s.ward[c - int(components.FIRST[components.DOLPHIN])])
        if components.KIND_OF[c] == components.DOLPHIN
        else int(components.NONE)
    )
    return board.NAMES[at] + (f"({piece_positions.explorer_name(ward)})" if ward >= 0 else "")


def format_gone_tiles(s: SurvivePosition) -> list[str]:
    """The tiles that have left the game, which are public."""
    words: list[str] = []
    for terrain in range(components.TERRAINS):
        for back in range(components.BACKS):
            count = (
                components.TILE_TABLE[terrain][back]
                - int(s.back_left[terrain * components.BACKS + back])
                - count_tiles_in_hands(s, terrain, back)
            )
            if count > 0:
                words.append(
                    format_counted_word(count, f"{components.BACK_NAMES[back]}/{position_word_parsers.GROUND[terrain]}")
                )
    return words


def count_tiles_in_hands(s: SurvivePosition, terrain: int, back: int) -> int:
    """The number of such tiles in hands."""
    if back >= components.HAND_KINDS:
        return 0
    return sum(int(s.hand[components.hand_index(seat, terrain, back)]) for seat in range(components.COLOURS))


# --- reading ----------------------------------------------------------------------------------------------------


def parse_position(text: str) -> SurvivePosition:
    """The position, without checking invariants; PositionError quotes the wrong part."""
    named: dict[str, str] = {}
    for section in text.split(";"):
        if section.strip():
            name, content = split_named_section(section)
            if name in named:
                raise PositionError(section.strip(), f"there are two sections {name}")
            named[name] = content
    for name in ("players", "island", "now"):
        if name not in named:
            raise PositionError(text.strip(), f"there is no section {name}:")
    s = SurvivePosition(parse_players_and_options(named["players"]))
    set_up_board(s)
    position_text_turn_state.parse_turn_state(s, named["now"])
    parse_island(s, named["island"])
    for colour, name in enumerate(components.COLOUR_NAMES):
        parse_colour_section(s, colour, named.get(name, ""))
    parse_ships(s, named.get("ships", ""), named.get("supply", ""))
    for kind, name in enumerate(position_word_parsers.GROUPS):
        if name in named or s.phase not in SETTING_UP:
            parse_creatures(s, kind, named.get(name, ""))
    parse_gone_tiles(s, named.get("gone", ""))
    piece_positions.recompute_derived_fields(s)
    return s


def split_named_section(section: str) -> tuple[str, str]:
    name, colon, content = section.partition(":")
    name = name.strip().lower()
    if not colon or name not in SECTIONS:
        raise PositionError(section.strip(), f"expected a section `name: content`; names are {', '.join(SECTIONS)}")
    return name, content.strip()


def parse_players_and_options(content: str) -> options.TableRules:
    """The number of players, then the active options."""
    count, *words = content.lower().split() or [""]
    given: dict[str, object] = {}
    for word in words:
        name, _, value = word.partition("=")
        given[name] = value if value else True
    players = int(count) if count.isdecimal() and len(count) < 3 else count
    counts = tuple(range(2, int(components.COLOURS) + 1))
    found = opt.find_option_problems(options.OPTIONS, counts, players, given)
    if found or not isinstance(players, int):
        raise PositionError(content, found[0][3])
    return options.TableRules(players, opt.validate_and_fill_defaults(options.OPTIONS, counts, players, given))


def parse_island(s: SurvivePosition, content: str) -> None:
    """The tiles row by row, and the count of each terrain."""
    rows = content.lower().split("/")
    if len(rows) != len(ISLAND):
        raise PositionError(content, f"the island has {len(ISLAND)} rows, with / between them")
    for row, text in zip(ISLAND, rows):
        if len(text) != len(row):
            raise PositionError(text, f"row {board.NAMES[row[0]][0]} of the island has {len(row)} places")
        for at, letter in zip(row, text):
            if (letter == THE_LAKE) != (
                at == board.LAKE
            ) or letter not in position_word_parsers.GROUND + SUNK + BARE + THE_LAKE:
                raise PositionError(
                    text, f"{board.NAMES[at]}: expected b, f or m, . for a tile removed, ~ for the lake"
                )
            s.tile[at] = (
                components.SEA
                if letter in SUNK + THE_LAKE
                else components.UNLAID
                if letter == BARE
                else position_word_parsers.GROUND.index(letter)
            )
    laid = [sum(text.count(letter) for text in rows) for letter in position_word_parsers.GROUND]
    s.tiles_left = board.SLOTS if s.phase == phases.LAYING else sum(laid)
    for terrain in range(components.TERRAINS):
        left = components.TILES_OF_TERRAINS[terrain] - laid[terrain]
        if left < 0:
            most, ground = components.TILES_OF_TERRAINS[terrain], position_word_parsers.GROUND[terrain]
            raise PositionError(content, f"there are only {most} tiles of {ground}")
        s.terrain_left[terrain] = left if s.phase == phases.LAYING else laid[terrain]
    if s.phase == phases.LAYING:
        s.set_up = sum(laid)


def parse_colour_section(s: SurvivePosition, colour: int, content: str) -> None:
    """A colour's explorers in their order, and its seat's fields."""
    name = components.COLOUR_NAMES[colour]
    if content and colour >= piece_positions.count_colours(s):
        raise PositionError(name, f"only {', '.join(components.COLOUR_NAMES[: piece_positions.count_colours(s)])} play")
    for word in content.split():
        if (explorer := EXPLORER.fullmatch(word)) is not None:
            parse_explorer_word(s, colour, explorer)
        elif colour >= s.players:
            raise PositionError(word, f"hands stand with {', '.join(components.COLOUR_NAMES[: s.players])}")
        elif (tile := TILE.fullmatch(word)) is not None:
            parse_hand_tile(s, colour, tile)
        else:
            parse_seat_number_word(s, colour, word)
    if colour < piece_positions.count_colours(s):
        complete_unmentioned_explorers(s, colour)


def parse_explorer_word(s: SurvivePosition, colour: int, found: re.Match[str]) -> None:
    e = colour * int(components.PER_COLOUR) + int(s.placed[colour])
    if s.placed[colour] == components.PER_COLOUR or s.where[e] != components.UNPLACED:
        raise PositionError(found[0], f"{components.COLOUR_NAMES[colour]} has {int(s.placed[colour])} explorers")
    if found[2] == "?":
        raise PositionError(found[0], "the value is not known: this line was made for a seat")
    s.placed[colour] += 1
    if found[1].lower() == "lost":
        s.where[e] = components.LOST
    elif found[1].lower() == "aboard":
        s.where[e] = ABOARD
    else:
        s.where[e] = position_word_parsers.parse_space_or_isle(found[1], found[0])
    s.value[e] = int(found[2] or 0)
    s.marks[e] = (components.ACTED if found[3] else 0) | (components.FELL if found[4] else 0)
    if s.value[e] > 0:
        take_unused_value(s, colour, int(s.value[e]), found[0])


def take_unused_value(s: SurvivePosition, colour: int, value: int, shown: str) -> None:
    at = colour * int(components.VALUES) + value - 1
    if s.values_left[at] == 0:
        raise PositionError(shown, f"{components.COLOUR_NAMES[colour]} has no other {value}")
    s.values_left[at] -= 1


def complete_unmentioned_explorers(s: SurvivePosition, colour: int) -> None:
    """After set-up, unmentioned explorers are lost, and those without a value get the lowest value left."""
    first = colour * int(components.PER_COLOUR)
    for e in range(first, first + int(components.PER_COLOUR)):
        if s.where[e] == components.UNPLACED and s.phase not in SETTING_UP:
            s.where[e] = components.LOST
            s.placed[colour] += 1
        if s.value[e] == 0 and e < first + s.placed[colour]:
            s.value[e] = next(
                v for v in range(1, int(components.VALUES) + 1) if s.values_left[colour * components.VALUES + v - 1] > 0
            )
            take_unused_value(s, colour, int(s.value[e]), piece_positions.explorer_name(e))
    s.set_up += s.placed[colour] if s.phase in (phases.PLACING, phases.PUTTING_SHIPS) else 0


def parse_hand_tile(s: SurvivePosition, seat: int, found: re.Match[str]) -> None:
    count, terrain, back = parse_and_take_tiles(s, found)
    if not components.is_tile_kept_in_hand(s.rules.dolphins, components.Back(back)):
        raise PositionError(found[0], f"{found[2].lower()} is never kept in a hand")
    s.hand[components.hand_index(seat, terrain, back)] += count
    s.hand_size[seat] += count


def parse_and_take_tiles(s: SurvivePosition, found: re.Match[str]) -> tuple[int, int, int]:
    """The number of tiles of a terrain and back; they are taken from the island's."""
    if found[2] == "?":
        raise PositionError(found[0], "the tile is not known: this line was made for a seat")
    count, name, letter = int(found[1][:3] or 1), found[2].lower(), found[3].lower()
    if name not in components.BACK_NAMES:
        raise PositionError(found[0], f"the backs are {', '.join(components.BACK_NAMES)}")
    terrain, back = position_word_parsers.GROUND.index(letter), components.BACK_NAMES.index(name)
    if s.back_left[terrain * components.BACKS + back] < count:
        raise PositionError(found[0], f"there are only {components.TILE_TABLE[terrain][back]} of {name}/{letter}")
    s.back_left[terrain * components.BACKS + back] -= count
    return count, terrain, back


def parse_seat_number_word(s: SurvivePosition, seat: int, word: str) -> None:
    name, _, value = word.lower().partition("=")
    if name == "bounty":
        s.bounties[seat] = position_words.parse_bounded_number(word, value, int(components.EXPLORERS))
    elif name == "turns":
        s.turns[seat] = position_words.parse_bounded_number(word, value, 1 << 40)
    else:
        raise PositionError(word, "expected explorers such as D5=3, lost=2 or aboard=1, tiles such as wind/b, bounty=1")


def parse_ships(s: SurvivePosition, content: str, supply: str) -> None:
    """Each ship by number, with its crew; then how many are in the supply."""
    words = re.findall(r"[^\s(]+(?:\([^)]*\)?)?", content)
    if len(words) > components.SHIPS:
        raise PositionError(content, f"there are {int(components.SHIPS)} ships")
    for ship, word in enumerate(words):
        found = SHIP.fullmatch(word)
        if found is not None:
            s.ship_space[ship] = position_word_parsers.parse_space(found[1], word)
            parse_crew(s, ship, (found[2] or "").split(), word)
        elif word != BARE:
            raise PositionError(word, "expected a ship such as C4 or C4(r1 y2), or - for none")
    for e in range(components.EXPLORERS):
        if s.where[e] == ABOARD:
            raise PositionError(piece_positions.explorer_name(e), "it is said to be aboard, but of no ship's crew")
    s.ships_left = (
        position_words.parse_bounded_number(supply, supply, int(components.SHIPS))
        if supply
        else int(components.SHIPS) - len(words)
    )
    set_ships_left_to_put(s, len(words))


def parse_crew(s: SurvivePosition, ship: int, names: list[str], shown: str) -> None:
    if len(names) > components.SHIP_SEATS:
        raise PositionError(shown, f"a ship has {int(components.SHIP_SEATS)} seats")
    for i, name in enumerate(names):
        e = position_word_parsers.parse_explorer(name, shown)
        if s.where[e] != ABOARD:
            raise PositionError(shown, f"{name} is not said to be aboard, or is so twice")
        s.where[e] = s.ship_space[ship]
        s.aboard[e] = ship
        s.ship_seat[ship * components.SHIP_SEATS + i] = e


def set_ships_left_to_put(s: SurvivePosition, ships: int) -> None:
    """SV.U4, SV.X3: how many ships each seat still has to put; they are put in rounds from the first player."""
    left = [setup_ship_count_of_seat(s.rules, seat) for seat in range(s.players)]
    for _ in range(ships if s.phase in SETTING_UP else sum(left)):
        if sum(left) == 0:
            raise PositionError("ships", "there are more than are put at set-up")
        left[next_seat_to_put_ship(s, left)] -= 1
    for seat, count in enumerate(left):
        s.ships_to_put[seat] = count


def next_seat_to_put_ship(s: SurvivePosition, left: list[int]) -> int:
    """The next seat that has a ship left, in rounds."""
    put = [setup_ship_count_of_seat(s.rules, seat) - count for seat, count in enumerate(left)]
    return min((seat for seat, count in enumerate(left) if count > 0), key=lambda seat: (put[seat], seat))


def parse_creatures(s: SurvivePosition, kind: int, content: str) -> None:
    """The creatures of a kind that have left the supply, by number."""
    words = content.split()
    if len(words) > components.SUPPLY[kind]:
        raise PositionError(content, f"there are {components.SUPPLY[kind]} {position_word_parsers.GROUPS[kind]}")
    first = int(components.FIRST[kind])
    for c in range(first, first + components.SUPPLY[kind]):
        s.creature_space[c] = components.NONE
    for c, word in enumerate(words, first):
        found = CREATURE.fullmatch(word)
        if found is not None and (found[2] is None or kind == components.DOLPHIN):
            s.creature_space[c] = position_word_parsers.parse_space(found[1], word)
            if found[2] is not None:
                set_ward_of_dolphin(s, c - first, position_word_parsers.parse_explorer(found[2], word), word)
        elif word != BARE:
            raise PositionError(word, "expected a space such as C4, or - for one that is gone; dolphins: C4(r1)")
    s.creature_left[kind] = 0 if kind == components.SERPENT else components.SUPPLY[kind] - len(words)  # SV.B3


def set_ward_of_dolphin(s: SurvivePosition, dolphin: int, e: int, shown: str) -> None:
    if s.guard[e] >= 0:
        raise PositionError(shown, f"{piece_positions.explorer_name(e)} has two dolphins")
    s.ward[dolphin] = e
    s.guard[e] = dolphin


def parse_gone_tiles(s: SurvivePosition, content: str) -> None:
    """Tiles that have left the game; unmentioned ones get the assumed backs."""
    for word in content.split():
        found = TILE.fullmatch(word)
        if found is None:
            raise PositionError(word, "expected tiles that have left the game, such as shark/b or 2ship/f")
        parse_and_take_tiles(s, found)
    if s.phase == phases.LAYING:
        return
    for terrain in range(components.TERRAINS):
        hidden = sum(int(s.back_left[terrain * components.BACKS + back]) for back in range(components.BACKS))
        too_many = hidden - int(s.terrain_left[terrain]) - int(was_removed_unseen(s, terrain))
        for back in [components.BACK_NAMES.index(name) for name in GUESSED]:
            taken = min(max(too_many, 0), int(s.back_left[terrain * components.BACKS + back]))
            s.back_left[terrain * components.BACKS + back] -= taken
            too_many -= taken


def was_removed_unseen(s: SurvivePosition, terrain: int) -> bool:
    """Whether a tile of the terrain was removed without looking at its back: just now, or ever (SV.O4)."""
    last = s.phase == phases.ENDED and s.rules.submerged and s.tiles_left == 0
    return s.tile_terrain == terrain and (phases.PHASE_NAMES[s.phase] == "back" or last)

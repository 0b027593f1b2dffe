# interpreted
"""A position as one readable line of text, and back; docs/positions-survive.md says how.

players: 2; island: bbbb/bmffb/...; Red: D5=3 aboard=1 lost=2 wind/b; ...; ships: C4(r2 y1); sharks: E8; now: moving
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from landfall.core import options as opt
from landfall.core.errors import PositionError
from landfall.core.state import CHANCE, OVER
from landfall.games.survive.board import (
    BY_NAME,
    FIRST_ISLE,
    ISLES,
    LAKE,
    NAMES,
    PLACES,
    ROWS,
    SLOT_OF,
    SLOTS,
    place_name,
)
from landfall.games.survive.components import (
    ACTED,
    BACK_NAMES,
    BACKS,
    COLOUR_LETTERS,
    COLOUR_NAMES,
    COLOURS,
    DOLPHIN,
    EXPLORERS,
    FACE_NAMES,
    FAR_NAMES,
    FELL,
    FIRST,
    HAND_KINDS,
    KIND_NAMES,
    KIND_OF,
    KINDS,
    LOST,
    NONE,
    PER_COLOUR,
    POINTS,
    SEA,
    SERPENT,
    SHIP_SEATS,
    SHIPS,
    SUPPLY,
    TERRAINS,
    TILE_TABLE,
    TILES_OF_TERRAINS,
    UNLAID,
    UNPLACED,
    VALUES,
    Back,
    Face,
    Terrain,
    goes_to_hand,
)
from landfall.games.survive.knowledge import HAND_SECRET, VALUE_SECRET, may_read
from landfall.games.survive.options import OPTIONS, Rules
from landfall.games.survive.phases import (
    ENDED,
    LAYING,
    MINI,
    MOVING,
    PHASE_NAMES,
    PLACING,
    PUTTING_SHIPS,
    STEP_NAMES,
    Phase,
    Step,
)
from landfall.games.survive.pieces import colours_of, crew, holder, piece_name, tally
from landfall.games.survive.position import SurvivePosition
from landfall.games.survive.setup import lay_out, ships_of

if TYPE_CHECKING:
    from collections.abc import Callable

GROUND: Final = "bfm"  # beach, forest, mountain
SUNK, BARE, THE_LAKE = ".", "-", "~"
ISLAND: Final = [  # the rows of the island, each space that is a slot or the lake
    [at for at, name in enumerate(NAMES) if name[0] == row and (SLOT_OF[at] >= 0 or at == LAKE)] for row in ROWS[3:10]
]
GROUPS: Final = tuple(f"{name}s" for name in KIND_NAMES)
SECTIONS: Final = ("players", "island", *COLOUR_NAMES, "ships", "supply", *GROUPS, "gone", "now")

# By phase: the step it belongs to and the points left, where nothing else is said.
USUAL_STEP: Final = {
    "laying": "setup",
    "placing": "setup",
    "ships": "setup",
    "hand": "hand",
    "moving": "move",
    "ward": "move",
    "removing": "tile",
    "back": "tile",
    "boarding": "tile",
    "fetching": "tile",
    "squid": "tile",
    "ended": "tile",
    "mini": "mini",
    "rolling": "die",
    "rolling_far": "die",
    "creature": "die",
    "defending": "die",
    "prey": "die",
}
USUAL_POINTS: Final = {PHASE_NAMES[MOVING]: int(POINTS), PHASE_NAMES[MINI]: 1}
BY_CHANCE: Final = PHASE_NAMES[:PLACING]
SETTING_UP: Final = (LAYING, PLACING, PUTTING_SHIPS)
ABOARD: Final = int(PLACES)  # where an explorer is until its ship is read

# What a tile that is gone is taken to have been where nobody says: what it may be, in this order; the volcano last.
GUESSED: Final = ("whirlpool", "ship", "whale", "shark", *reversed(BACK_NAMES[: int(HAND_KINDS)]), "volcano")

EXPLORER: Final = re.compile(r"([a-z]\d+|@[a-z]{2}|lost|aboard)(?:=([1-6?]))?(!?)(\+?)", re.IGNORECASE)
TILE: Final = re.compile(r"(\d*)([a-z_]+|\?)/([bfm])", re.IGNORECASE)
SHIP: Final = re.compile(r"([a-z]\d+)(?:\(([a-z0-9 ]+)\))?", re.IGNORECASE)
CREATURE: Final = re.compile(r"([a-z]\d+)(?:\(([a-z]\d+)\))?", re.IGNORECASE)
MOMENT: Final = (
    "expected step=die turn=red asked=blue mini=blue round=3 points=2 sunk=D5/b die=shark far=2 by=shark1 prey=aboard "
    "next=1 touched=D5,E6 quiet=2 counts=1 stirred=1"
)

# --- writing ----------------------------------------------------------------------------------------------------


def write(s: SurvivePosition, seat: int | None = None) -> str:
    """The whole position; for a seat, or NOBODY, with ? in place of what it may not know."""
    parts = [f"players: {rules_text(s)}", f"island: {'/'.join(row_text(s, row) for row in ISLAND)}"]
    for colour in range(colours_of(s)):
        parts.append(f"{COLOUR_NAMES[colour].capitalize()}: {' '.join(colour_words(s, colour, seat))}")
    parts.append(f"ships: {' '.join(ship_words(s))}")
    parts.append(f"supply: {int(s.ships_left)}")
    for kind in range(KINDS):
        parts.append(f"{GROUPS[kind]}: {' '.join(creature_words(s, kind))}")
    parts.append(f"gone: {' '.join(gone_words(s))}")
    parts.append(f"now: {' '.join(now_words(s))}")
    return "; ".join(part.strip() for part in parts if not part.endswith(": "))


def is_open(s: SurvivePosition, seat: int | None, secret: int) -> bool:
    """Whether the line may show what bears this code; a line for nobody in particular shows all."""
    return seat is None or may_read(s, seat if seat >= 0 else None, secret)


def rules_text(s: SurvivePosition) -> str:
    """The number of players and the options that are on."""
    words = [str(int(s.players))]
    for option, number in zip(OPTIONS, s.rules.numbers):
        if number:
            words.append(f"{option.name}={option.value(number)}" if option.choices else option.name)
    return " ".join(words)


def row_text(s: SurvivePosition, row: list[int]) -> str:
    return "".join(THE_LAKE if at == LAKE else ground_text(int(s.tile[at])) for at in row)


def ground_text(terrain: int) -> str:
    return SUNK if terrain == SEA else BARE if terrain == UNLAID else GROUND[terrain]


def colour_words(s: SurvivePosition, colour: int, seat: int | None) -> list[str]:
    """The explorers of a colour in their order; with a seat's first colour also what the seat has."""
    owner = int(holder(s, colour))
    shown = is_open(s, seat, VALUE_SECRET + owner)
    first = colour * int(PER_COLOUR)
    words = [explorer_text(s, e, shown) for e in range(first, first + int(s.placed[colour]))]
    if colour != owner:
        return words
    words += hand_words(s, owner, is_open(s, seat, HAND_SECRET + owner))
    if s.bounties[owner] > 0:
        words.append(f"bounty={int(s.bounties[owner])}")
    if s.turns[owner] != usual_turns(s, owner):
        words.append(f"turns={int(s.turns[owner])}")
    return words


def explorer_text(s: SurvivePosition, e: int, shown: bool) -> str:
    """Where it is, its value, ! if it has acted in the water this turn, + if it fell with the tile."""
    at = int(s.where[e])
    where = "lost" if at == LOST else "aboard" if s.aboard[e] >= 0 else place_name(at)
    marks = ("!" if s.marks[e] & ACTED else "") + ("+" if s.marks[e] & FELL else "")
    return f"{where}={int(s.value[e]) if shown else '?'}{marks}"


def hand_words(s: SurvivePosition, seat: int, shown: bool) -> list[str]:
    counts: dict[str, int] = {}
    for terrain in range(TERRAINS):
        for back in range(HAND_KINDS):
            word = f"{BACK_NAMES[back] if shown else '?'}/{GROUND[terrain]}"
            held = int(s.hand[(seat * TERRAINS + terrain) * HAND_KINDS + back])
            if held:
                counts[word] = counts.get(word, 0) + held
    return [counted(count, word) for word, count in counts.items()]


def counted(count: int, word: str) -> str:
    return word if count == 1 else f"{count}{word}"


def usual_turns(s: SurvivePosition, seat: int) -> int:
    """How many turns a seat has begun, if all have taken theirs in order since the first player's."""
    return max(0, int(s.turns[0]) - int(seat > s.turn))


def ship_words(s: SurvivePosition) -> list[str]:
    """Each ship with its crew, by number; - for a number that no ship has."""
    words = [ship_text(s, ship) for ship in range(SHIPS)]
    while words and words[-1] == BARE:
        words.pop()
    return words


def ship_text(s: SurvivePosition, ship: int) -> str:
    if s.ship_space[ship] < 0:
        return BARE
    aboard = crew(s, ship)
    return NAMES[s.ship_space[ship]] + (f"({' '.join(aboard)})" if aboard else "")


def creature_words(s: SurvivePosition, kind: int) -> list[str]:
    """Those that have left the supply, by number; - for one that is gone, a dolphin's ward behind it."""
    first = int(FIRST[kind])
    return [creature_text(s, c) for c in range(first, first + SUPPLY[kind] - int(s.creature_left[kind]))]


def creature_text(s: SurvivePosition, c: int) -> str:
    at = int(s.creature_space[c])
    if at < 0:
        return BARE
    ward = int(s.ward[c - int(FIRST[DOLPHIN])]) if KIND_OF[c] == DOLPHIN else int(NONE)
    return NAMES[at] + (f"({piece_name(ward)})" if ward >= 0 else "")


def gone_words(s: SurvivePosition) -> list[str]:
    """The tiles that have left the game, which all have seen."""
    words: list[str] = []
    for terrain in range(TERRAINS):
        for back in range(BACKS):
            count = TILE_TABLE[terrain][back] - int(s.back_left[terrain * BACKS + back]) - held(s, terrain, back)
            if count > 0:
                words.append(counted(count, f"{BACK_NAMES[back]}/{GROUND[terrain]}"))
    return words


def held(s: SurvivePosition, terrain: int, back: int) -> int:
    """How many such tiles are in hands."""
    if back >= HAND_KINDS:
        return 0
    return sum(int(s.hand[(seat * TERRAINS + terrain) * HAND_KINDS + back]) for seat in range(COLOURS))


def now_words(s: SurvivePosition) -> list[str]:
    """The moment: the phase, then what belongs to it and is not as usual."""
    phase, step = PHASE_NAMES[s.phase], STEP_NAMES[s.step]
    words = [phase]
    if step != USUAL_STEP[phase]:
        words.append(f"step={step}")
    words.append(f"turn={COLOUR_NAMES[s.turn]}")
    if s.actor >= 0 and s.actor != s.turn:
        words.append(f"asked={COLOUR_NAMES[s.actor]}")
    if s.mini_seat >= 0:
        words.append(f"mini={COLOUR_NAMES[s.mini_seat]}")
    if s.turns[0] > 0:
        words.append(f"round={int(s.turns[0])}")
    if s.points != USUAL_POINTS.get(phase, 0):
        words.append(f"points={int(s.points)}")
    if s.tile_space >= 0:
        words.append(f"sunk={NAMES[s.tile_space]}/{GROUND[s.tile_terrain]}")
    if s.face >= 0:
        words.append(f"die={FACE_NAMES[s.face]}")
    if s.far > 0:
        words.append(f"far={FAR_NAMES[s.far - 1]}")
    if s.creature >= 0:
        kind = int(KIND_OF[s.creature])
        words.append(f"by={KIND_NAMES[kind]}{int(s.creature - FIRST[kind]) + 1}")
    if s.prey_aboard:
        words.append("prey=aboard")
    if s.touched >= 0:
        too = f",{NAMES[s.touched_too]}" if s.touched_too >= 0 else ""
        words.append(f"touched={NAMES[s.touched]}{too}")
    numbers = (("next", s.ask_next), ("quiet", s.quiet_rounds), ("counts", s.round_counts), ("stirred", s.stirred))
    return words + [f"{name}={int(value)}" for name, value in numbers if value]


# --- reading ----------------------------------------------------------------------------------------------------


def read(text: str) -> SurvivePosition:
    """The position a line describes, not yet judged; PositionError quotes what cannot be read."""
    named: dict[str, str] = {}
    for section in text.split(";"):
        if section.strip():
            name, content = split_section(section)
            if name in named:
                raise PositionError(section.strip(), f"there are two sections {name}")
            named[name] = content
    for name in ("players", "island", "now"):
        if name not in named:
            raise PositionError(text.strip(), f"there is no section {name}:")
    s = SurvivePosition(read_rules(named["players"]))
    lay_out(s)
    read_moment(s, named["now"])
    read_island(s, named["island"])
    for colour, name in enumerate(COLOUR_NAMES):
        read_colour(s, colour, named.get(name, ""))
    read_ships(s, named.get("ships", ""), named.get("supply", ""))
    for kind, name in enumerate(GROUPS):
        if name in named or s.phase not in SETTING_UP:
            read_creatures(s, kind, named.get(name, ""))
    read_gone(s, named.get("gone", ""))
    tally(s)
    return s


def split_section(section: str) -> tuple[str, str]:
    name, colon, content = section.partition(":")
    name = name.strip().lower()
    if not colon or name not in SECTIONS:
        raise PositionError(section.strip(), f"expected a section `name: content`; names are {', '.join(SECTIONS)}")
    return name, content.strip()


def read_rules(content: str) -> Rules:
    """The number of players, then the options that are on."""
    count, *words = content.lower().split() or [""]
    given: dict[str, object] = {}
    for word in words:
        name, _, value = word.partition("=")
        given[name] = value if value else True
    players = int(count) if count.isdecimal() and len(count) < 3 else count
    counts = tuple(range(2, int(COLOURS) + 1))
    found = opt.problems(OPTIONS, counts, players, given)
    if found or not isinstance(players, int):
        raise PositionError(content, found[0][3])
    return Rules(players, opt.complete(OPTIONS, counts, players, given))


def read_island(s: SurvivePosition, content: str) -> None:
    """The tiles row by row, and how many are left of what."""
    rows = content.lower().split("/")
    if len(rows) != len(ISLAND):
        raise PositionError(content, f"the island has {len(ISLAND)} rows, with / between them")
    for row, text in zip(ISLAND, rows):
        if len(text) != len(row):
            raise PositionError(text, f"row {NAMES[row[0]][0]} of the island has {len(row)} places")
        for at, letter in zip(row, text):
            if (letter == THE_LAKE) != (at == LAKE) or letter not in GROUND + SUNK + BARE + THE_LAKE:
                raise PositionError(text, f"{NAMES[at]}: expected b, f or m, . for a tile removed, ~ for the lake")
            s.tile[at] = SEA if letter in SUNK + THE_LAKE else UNLAID if letter == BARE else GROUND.index(letter)
    laid = [sum(text.count(letter) for text in rows) for letter in GROUND]
    s.tiles_left = SLOTS if s.phase == LAYING else sum(laid)
    for terrain in range(TERRAINS):
        left = TILES_OF_TERRAINS[terrain] - laid[terrain]
        if left < 0:
            raise PositionError(content, f"there are only {TILES_OF_TERRAINS[terrain]} tiles of {GROUND[terrain]}")
        s.terrain_left[terrain] = left if s.phase == LAYING else laid[terrain]
    if s.phase == LAYING:
        s.set_up = sum(laid)


def read_colour(s: SurvivePosition, colour: int, content: str) -> None:
    """A colour's explorers in their order, and what its seat has."""
    name = COLOUR_NAMES[colour]
    if content and colour >= colours_of(s):
        raise PositionError(name, f"only {', '.join(COLOUR_NAMES[: colours_of(s)])} play")
    for word in content.split():
        if (explorer := EXPLORER.fullmatch(word)) is not None:
            read_explorer(s, colour, explorer)
        elif colour >= s.players:
            raise PositionError(word, f"hands stand with {', '.join(COLOUR_NAMES[: s.players])}")
        elif (tile := TILE.fullmatch(word)) is not None:
            read_hand_tile(s, colour, tile)
        else:
            read_seat_number(s, colour, word)
    if colour < colours_of(s):
        give_values(s, colour)


def read_explorer(s: SurvivePosition, colour: int, found: re.Match[str]) -> None:
    e = colour * int(PER_COLOUR) + int(s.placed[colour])
    if s.placed[colour] == PER_COLOUR or s.where[e] != UNPLACED:
        raise PositionError(found[0], f"{COLOUR_NAMES[colour]} has {int(s.placed[colour])} explorers")
    if found[2] == "?":
        raise PositionError(found[0], "the value is not known: this line was made for a seat")
    s.placed[colour] += 1
    if found[1].lower() == "lost":
        s.where[e] = LOST
    elif found[1].lower() == "aboard":
        s.where[e] = ABOARD
    else:
        s.where[e] = place_of(found[1], found[0])
    s.value[e] = int(found[2] or 0)
    s.marks[e] = (ACTED if found[3] else 0) | (FELL if found[4] else 0)
    if s.value[e] > 0:
        take_value(s, colour, int(s.value[e]), found[0])


def take_value(s: SurvivePosition, colour: int, value: int, shown: str) -> None:
    at = colour * int(VALUES) + value - 1
    if s.values_left[at] == 0:
        raise PositionError(shown, f"{COLOUR_NAMES[colour]} has no other {value}")
    s.values_left[at] -= 1


def give_values(s: SurvivePosition, colour: int) -> None:
    """Once play has begun who is not mentioned is lost; who has no value gets the lowest that is left."""
    first = colour * int(PER_COLOUR)
    for e in range(first, first + int(PER_COLOUR)):
        if s.where[e] == UNPLACED and s.phase not in SETTING_UP:
            s.where[e] = LOST
            s.placed[colour] += 1
        if s.value[e] == 0 and e < first + s.placed[colour]:
            s.value[e] = next(v for v in range(1, int(VALUES) + 1) if s.values_left[colour * VALUES + v - 1] > 0)
            take_value(s, colour, int(s.value[e]), piece_name(e))
    s.set_up += s.placed[colour] if s.phase in (PLACING, PUTTING_SHIPS) else 0


def read_hand_tile(s: SurvivePosition, seat: int, found: re.Match[str]) -> None:
    count, terrain, back = read_tile(s, found)
    if not goes_to_hand(s.rules.dolphins, Back(back)):
        raise PositionError(found[0], f"{found[2].lower()} is never kept in a hand")
    s.hand[(seat * TERRAINS + terrain) * HAND_KINDS + back] += count
    s.hand_size[seat] += count


def read_tile(s: SurvivePosition, found: re.Match[str]) -> tuple[int, int, int]:
    """How many tiles, of which terrain and back; they are taken from the island's."""
    if found[2] == "?":
        raise PositionError(found[0], "the tile is not known: this line was made for a seat")
    count, name, letter = int(found[1][:3] or 1), found[2].lower(), found[3].lower()
    if name not in BACK_NAMES:
        raise PositionError(found[0], f"the backs are {', '.join(BACK_NAMES)}")
    terrain, back = GROUND.index(letter), BACK_NAMES.index(name)
    if s.back_left[terrain * BACKS + back] < count:
        raise PositionError(found[0], f"there are only {TILE_TABLE[terrain][back]} of {name}/{letter}")
    s.back_left[terrain * BACKS + back] -= count
    return count, terrain, back


def read_seat_number(s: SurvivePosition, seat: int, word: str) -> None:
    name, _, value = word.lower().partition("=")
    if name == "bounty":
        s.bounties[seat] = number(word, value, int(EXPLORERS))
    elif name == "turns":
        s.turns[seat] = number(word, value, 1 << 40)
    else:
        raise PositionError(word, "expected explorers such as D5=3, lost=2 or aboard=1, tiles such as wind/b, bounty=1")


def read_ships(s: SurvivePosition, content: str, supply: str) -> None:
    """Each ship by number, with its crew; then how many are in the supply."""
    words = re.findall(r"[^\s(]+(?:\([^)]*\)?)?", content)
    if len(words) > SHIPS:
        raise PositionError(content, f"there are {int(SHIPS)} ships")
    for ship, word in enumerate(words):
        found = SHIP.fullmatch(word)
        if found is not None:
            s.ship_space[ship] = space_of(found[1], word)
            read_crew(s, ship, (found[2] or "").split(), word)
        elif word != BARE:
            raise PositionError(word, "expected a ship such as C4 or C4(r1 y2), or - for none")
    for e in range(EXPLORERS):
        if s.where[e] == ABOARD:
            raise PositionError(piece_name(e), "it is said to be aboard, but of no ship's crew")
    s.ships_left = number(supply, supply, int(SHIPS)) if supply else int(SHIPS) - len(words)
    put_so_far(s, len(words))


def read_crew(s: SurvivePosition, ship: int, names: list[str], shown: str) -> None:
    if len(names) > SHIP_SEATS:
        raise PositionError(shown, f"a ship has {int(SHIP_SEATS)} seats")
    for i, name in enumerate(names):
        e = explorer_of(name, shown)
        if s.where[e] != ABOARD:
            raise PositionError(shown, f"{name} is not said to be aboard, or is so twice")
        s.where[e] = s.ship_space[ship]
        s.aboard[e] = ship
        s.ship_seat[ship * SHIP_SEATS + i] = e


def put_so_far(s: SurvivePosition, ships: int) -> None:
    """SV.U4, SV.X3: how many each seat has yet to put, ships being put in rounds from the first player."""
    left = [ships_of(s.rules, seat) for seat in range(s.players)]
    for _ in range(ships if s.phase in SETTING_UP else sum(left)):
        if sum(left) == 0:
            raise PositionError("ships", "there are more than are put at set-up")
        left[next_to_put(s, left)] -= 1
    for seat, count in enumerate(left):
        s.ships_to_put[seat] = count


def next_to_put(s: SurvivePosition, left: list[int]) -> int:
    """The next seat that has a ship left, in rounds."""
    put = [ships_of(s.rules, seat) - count for seat, count in enumerate(left)]
    return min((seat for seat, count in enumerate(left) if count > 0), key=lambda seat: (put[seat], seat))


def read_creatures(s: SurvivePosition, kind: int, content: str) -> None:
    """Those of a kind that have left the supply, by number."""
    words = content.split()
    if len(words) > SUPPLY[kind]:
        raise PositionError(content, f"there are {SUPPLY[kind]} {GROUPS[kind]}")
    first = int(FIRST[kind])
    for c in range(first, first + SUPPLY[kind]):
        s.creature_space[c] = NONE
    for c, word in enumerate(words, first):
        found = CREATURE.fullmatch(word)
        if found is not None and (found[2] is None or kind == DOLPHIN):
            s.creature_space[c] = space_of(found[1], word)
            if found[2] is not None:
                read_ward(s, c - first, explorer_of(found[2], word), word)
        elif word != BARE:
            raise PositionError(word, "expected a space such as C4, or - for one that is gone; dolphins: C4(r1)")
    s.creature_left[kind] = 0 if kind == SERPENT else SUPPLY[kind] - len(words)  # SV.B3


def read_ward(s: SurvivePosition, dolphin: int, e: int, shown: str) -> None:
    if s.guard[e] >= 0:
        raise PositionError(shown, f"{piece_name(e)} has two dolphins")
    s.ward[dolphin] = e
    s.guard[e] = dolphin


def read_gone(s: SurvivePosition, content: str) -> None:
    """Tiles that have left the game; those that nobody mentions are taken to be of the backs in GUESSED."""
    for word in content.split():
        found = TILE.fullmatch(word)
        if found is None:
            raise PositionError(word, "expected tiles that have left the game, such as shark/b or 2ship/f")
        read_tile(s, found)
    if s.phase == LAYING:
        return
    for terrain in range(TERRAINS):
        hidden = sum(int(s.back_left[terrain * BACKS + back]) for back in range(BACKS))
        too_many = hidden - int(s.terrain_left[terrain]) - int(is_unseen(s, terrain))
        for back in [BACK_NAMES.index(name) for name in GUESSED]:
            taken = min(max(too_many, 0), int(s.back_left[terrain * BACKS + back]))
            s.back_left[terrain * BACKS + back] -= taken
            too_many -= taken


def is_unseen(s: SurvivePosition, terrain: int) -> bool:
    """Whether a tile of the terrain has been removed whose back was not looked at: just now, or ever (SV.O4)."""
    last = s.phase == ENDED and s.rules.submerged and s.tiles_left == 0
    return s.tile_terrain == terrain and (PHASE_NAMES[s.phase] == "back" or last)


# --- the moment -------------------------------------------------------------------------------------------------


def read_moment(s: SurvivePosition, content: str) -> None:
    """The phase, then `name=value`."""
    shown, *words = content.split() or [""]
    phase = shown.lower()
    if phase not in PHASE_NAMES:
        raise PositionError(shown, f"the moments are {', '.join(PHASE_NAMES)}")
    s.phase = Phase(PHASE_NAMES.index(phase))
    s.step = Step(STEP_NAMES.index(USUAL_STEP[phase]))
    s.points = USUAL_POINTS.get(phase, 0)
    asked = int(NONE)
    for word in words:
        name, _, value = word.lower().partition("=")
        if name == "turn":
            s.turn = seat_of(s, value, word)
        elif name == "asked":
            asked = seat_of(s, value, word)
        elif name in MOMENTS:
            MOMENTS[name](s, value, word)
        else:
            raise PositionError(word, MOMENT)
    s.actor = CHANCE if phase in BY_CHANCE else OVER if s.phase == ENDED else asked if asked >= 0 else s.turn
    for seat in range(s.players):
        s.turns[seat] = usual_turns(s, seat)


def read_step(s: SurvivePosition, value: str, word: str) -> None:
    s.step = Step(one_of(STEP_NAMES, value, word))


def read_mini(s: SurvivePosition, value: str, word: str) -> None:
    s.mini_seat = seat_of(s, value, word)


def read_round(s: SurvivePosition, value: str, word: str) -> None:
    s.turns[0] = number(word, value, 1 << 40)


def read_points(s: SurvivePosition, value: str, word: str) -> None:
    s.points = number(word, value, int(POINTS))


def read_sunk(s: SurvivePosition, value: str, word: str) -> None:
    space, _, letter = value.partition("/")
    s.tile_space = space_of(space, word)
    s.tile_terrain = Terrain(one_of(tuple(GROUND), letter, word))


def read_die(s: SurvivePosition, value: str, word: str) -> None:
    s.face = Face(one_of(FACE_NAMES, value, word))


def read_far(s: SurvivePosition, value: str, word: str) -> None:
    s.far = one_of(FAR_NAMES, value.upper(), word) + 1


def read_by(s: SurvivePosition, value: str, word: str) -> None:
    kind = one_of(KIND_NAMES, value.rstrip("0123456789"), word)
    nth = number(word, value[len(KIND_NAMES[kind]) :], SUPPLY[kind])
    if nth == 0:
        raise PositionError(word, f"{GROUPS[kind]} are counted from 1")
    s.creature = int(FIRST[kind]) + nth - 1


def read_prey(s: SurvivePosition, value: str, word: str) -> None:
    s.prey_aboard = one_of(("", "aboard"), value, word)


def read_touched(s: SurvivePosition, value: str, word: str) -> None:
    first, comma, second = value.partition(",")
    s.touched = space_of(first, word)
    if comma:
        s.touched_too = space_of(second, word)


def read_next(s: SurvivePosition, value: str, word: str) -> None:
    s.ask_next = number(word, value, int(COLOURS))


def read_quiet(s: SurvivePosition, value: str, word: str) -> None:
    s.quiet_rounds = number(word, value, 10)


def read_counts(s: SurvivePosition, value: str, word: str) -> None:
    s.round_counts = number(word, value, 1)


def read_stirred(s: SurvivePosition, value: str, word: str) -> None:
    s.stirred = number(word, value, 1)


MOMENTS: Final[dict[str, Callable[[SurvivePosition, str, str], None]]] = {
    "step": read_step,
    "mini": read_mini,
    "round": read_round,
    "points": read_points,
    "sunk": read_sunk,
    "die": read_die,
    "far": read_far,
    "by": read_by,
    "prey": read_prey,
    "touched": read_touched,
    "next": read_next,
    "quiet": read_quiet,
    "counts": read_counts,
    "stirred": read_stirred,
}

# --- words ------------------------------------------------------------------------------------------------------


def number(shown: str, value: str, most: int) -> int:
    if not (value.isascii() and value.isdecimal()) or len(value) > 13 or int(value) > most:
        raise PositionError(shown, f"expected a number up to {most}")
    return int(value)


def one_of(names: tuple[str, ...], value: str, shown: str) -> int:
    if value not in names:
        raise PositionError(shown, f"expected one of {', '.join(name for name in names if name)}")
    return names.index(value)


def seat_of(s: SurvivePosition, value: str, shown: str) -> int:
    return one_of(COLOUR_NAMES[: s.players], value, shown)


def place_of(name: str, shown: str) -> int:
    place = BY_NAME.get(name.upper(), -1)
    if place < 0:
        raise PositionError(shown, f"there is no space {name.upper()}; they are A1 to M7, and {', '.join(ISLES)}")
    return place


def space_of(name: str, shown: str) -> int:
    space = place_of(name, shown)
    if space >= FIRST_ISLE:
        raise PositionError(shown, "expected a space of the board, not an isle")
    return space


def explorer_of(name: str, shown: str) -> int:
    colour, nth = COLOUR_LETTERS.find(name[:1].lower()), name[1:]
    if colour < 0 or not (nth.isascii() and nth.isdecimal()) or not 1 <= int(nth[:3]) <= PER_COLOUR:
        raise PositionError(shown, f"{name} is no explorer; they are r1 to w10")
    return colour * int(PER_COLOUR) + int(nth) - 1

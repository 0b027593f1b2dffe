"""Actions and outcomes as short texts, and back.

    rD4=5        red puts its 5 on D4            r3 NE        red's third explorer steps north-east
    ship D3      a ship (squid D3: a squid)      r3 NE ship   ... onto the ship there
    sink D4      remove a tile                   r3 NE dolphin  ... with its dolphin
    pick r3      choose an explorer              r3 dive, r3 board, r3 @NW   into the water, aboard, ashore
    fetch D3     bring the empty ship            D3 NE        the ship at D3 sails
    defend       play the defence tile           D3 F5        ... by wind, or adrift
    end, pass    stop, decline                   r3 F5        swim by a dolphin tile
    shark E5 F7  a creature moves                dolphin E5 r3   guard another

Of several creatures of a kind in one space the second is E5/2. Of hand tiles of a kind the one of the lowest terrain
is played; f or m at the end means the one of forest or mountain: shark E5 F7 f. Outcomes of chance are single words.
"""

from __future__ import annotations

from typing import Final

from landfall.core.errors import NotationError
from landfall.core.hex_grid import DIRECTIONS
from landfall.core.state import CHANCE
from landfall.games.survive.presentation import action_families
from landfall.games.survive.rules import board, codes, components, phases, piece_positions
from landfall.games.survive.rules.position import SurvivePosition

TERRAIN_LETTERS: Final = tuple(
    name[0] for name in components.TERRAIN_NAMES[1:]
)  # of the tiles that are not of the lowest

# --- writing --------------------------------------------------------------------------------------------------


def format_action(s: SurvivePosition, a: int) -> str:
    text = format_action_without_terrain(s, a)
    return (
        f"{text} {components.TERRAIN_NAMES[codes.higher_terrain_played(a)][0]}"
        if codes.plays_higher_terrain(a)
        else text
    )


def format_action_without_terrain(s: SurvivePosition, a: int) -> str:
    family, first, second = codes.decode_action(a)
    return action_families.FAMILIES[int(family)].notation(s, first, second)


def format_masked_action(s: SurvivePosition, a: int) -> str:
    if codes.plays_higher_terrain(a):
        return format_action_without_terrain(s, a)
    number, slot, _ = codes.decode_action(a)
    family = action_families.FAMILIES[int(number)]
    return f"{family.notation_without_value(s, slot)}=?" if isinstance(family, action_families.Placing) else "?"


# --- reading --------------------------------------------------------------------------------------------------


def parse_action(s: SurvivePosition, text: str) -> int:
    """The action that a text names; NotationError quotes it and says what was expected."""
    parts = text.split()
    if not parts:
        raise NotationError(text, "it is empty")
    if s.actor == CHANCE:
        return parse_outcome(s, text)
    if parts[-1] in TERRAIN_LETTERS and len(parts) > 1:
        return parse_tile_of_terrain(s, text, parts)
    head = parts[0]
    if len(parts) == 1:
        if head in ("end", "pass"):
            return codes.END
        if head == "defend":
            return codes.DEFEND
        if "=" in head:
            return parse_placing(s, text)
        raise NotationError(text, "a piece and where it goes is expected, or end, pass, defend")
    if head in ("ship", "squid") and len(parts) == 2:
        return int(codes.PUT) + parse_space(text, parts[1])
    if head == "sink" and len(parts) == 2:
        slot = int(board.SLOT_OF[parse_space(text, parts[1])])
        if slot < 0:
            raise NotationError(text, f"{parts[1]} is no place of the island")
        return int(codes.SINK) + slot
    if head == "pick" and len(parts) == 2:
        return int(codes.PICK) + parse_explorer(text, parts[1])
    if head == "fetch" and len(parts) == 2:
        return int(codes.FETCH) + parse_ship_at(s, text, parts[1])
    if head in components.KIND_NAMES and len(parts) == 3:
        return parse_creature_move(s, text, parts)
    if head in board.BY_NAME and len(parts) == 2:
        return parse_ship_move(s, text, parts)
    return parse_step(s, text, parts)


def parse_outcome(s: SurvivePosition, text: str) -> int:
    if s.phase == phases.LAYING:
        return int(codes.LAY) + parse_one_of(text, components.TERRAIN_NAMES)
    if s.phase == phases.DRAWING_BACK:
        return int(codes.BACK) + parse_one_of(text, components.BACK_NAMES)
    if s.phase == phases.ROLLING:
        return int(codes.DIE) + parse_one_of(text, components.FACE_NAMES)
    return int(codes.SECOND_DIE) + parse_one_of(text, components.SECOND_DIE_NAMES)


def parse_tile_of_terrain(s: SurvivePosition, text: str, parts: list[str]) -> int:
    """SV.R8: a hand tile of a higher terrain, named by the letter at the end."""
    base, terrain = parse_action(s, " ".join(parts[:-1])), TERRAIN_LETTERS.index(parts[-1]) + 1
    family, _, _ = codes.decode_action(base)
    if family == codes.DEFEND:
        return int(codes.DEFEND_HIGHER) + terrain - 1
    if family not in (codes.MOVE, codes.SWIM) or terrain != components.FOREST or codes.plays_higher_terrain(base):
        raise NotationError(text, f"no tile of another terrain does this, so {parts[-1]} may not stand at the end")
    return base - int(family) + int(codes.SEND_FOREST if family == codes.MOVE else codes.SWIM_FOREST)


def parse_one_of(text: str, names: tuple[str, ...]) -> int:
    if text not in names:
        raise NotationError(text, f"one of {', '.join(names)} is expected")
    return names.index(text)


def parse_placing(s: SurvivePosition, text: str) -> int:
    where, _, value = text.partition("=")
    colour = components.COLOUR_LETTERS.find(where[:1]) if where else -1
    if colour < 0 or colour not in (
        piece_positions.colour_of_seat(s.actor, 0),
        piece_positions.colour_of_seat(s.actor, 1),
    ):
        raise NotationError(text, "it must begin with the letter of an own colour")
    slot = int(board.SLOT_OF[parse_space(text, where[1:])])
    if slot < 0:
        raise NotationError(text, f"{where[1:]} is no place of the island")
    if value not in ("1", "2", "3", "4", "5", "6"):
        raise NotationError(text, "the value must be 1 to 6")
    family = codes.PLACE if colour == s.actor else codes.PLACE_SECOND
    return int(family) + slot * int(components.VALUES) + int(value) - 1


def parse_creature_move(s: SurvivePosition, text: str, parts: list[str]) -> int:
    kind = components.KIND_NAMES.index(parts[0])
    name, slash, nth = parts[1].partition("/")
    at = parse_space(text, name)
    if slash and not (nth.isascii() and nth.isdigit()):
        raise NotationError(text, f"{parts[1]}: a number is expected after the stroke")
    count = int(nth[:3]) if slash else 1
    for c in range(int(components.FIRST[kind]), int(components.FIRST[kind + 1])):
        if s.creature_space[c] == at:
            count -= 1
            if count == 0:
                if kind == components.DOLPHIN and parts[2] not in board.BY_NAME:
                    return (
                        int(codes.CHANGE)
                        + (c - int(components.FIRST_DOLPHIN)) * int(components.EXPLORERS)
                        + parse_explorer(text, parts[2])
                    )
                return int(codes.MOVE) + c * int(board.SPACES) + parse_space(text, parts[2])
    raise NotationError(text, f"there is no {parts[0]} at {parts[1]}")


def parse_ship_move(s: SurvivePosition, text: str, parts: list[str]) -> int:
    ship = parse_ship_at(s, text, parts[0])
    if parts[1] in DIRECTIONS:
        return int(codes.SAIL) + ship * int(board.SIDES) + DIRECTIONS.index(parts[1])
    return int(codes.SHIP_TO) + ship * int(board.SPACES) + parse_space(text, parts[1])


def parse_step(s: SurvivePosition, text: str, parts: list[str]) -> int:
    e = parse_explorer(text, parts[0])
    mine = [
        i
        for i in range(int(piece_positions.explorers_per_seat(s)))
        if piece_positions.nth_explorer_of_seat(s, s.actor, i) == e
    ]
    if not mine:
        raise NotationError(text, f"{parts[0]} is not one of yours")
    base = int(codes.STEP) + mine[0] * int(codes.WAYS_TO_STEP)
    where = parts[1]
    if where in DIRECTIONS:
        d = DIRECTIONS.index(where)
        tail = " ".join(parts[2:])
        if tail not in ("", "ship", "dolphin"):
            raise NotationError(text, f"after {where} only ship or dolphin may stand")
        return base + d + (int(codes.ONTO_SHIP) if tail == "ship" else int(codes.WITH_DOLPHIN) if tail else 0)
    if len(parts) > 2:
        raise NotationError(text, "there are too many words")
    if where in ("dive", "board", "land"):
        return base + int(codes.DIVE) + ("dive", "board", "land").index(where)
    if where in board.ISLES:
        if not piece_positions.is_on_board(s, e) or board.ISLE_OF[s.where[e]] != board.ISLES.index(where):
            raise NotationError(text, f"{parts[0]} does not touch {where}")
        return base + int(codes.LAND)
    return int(codes.SWIM) + mine[0] * int(board.SPACES) + parse_space(text, where)


def parse_space(text: str, name: str) -> int:
    space = board.BY_NAME.get(name, -1)
    if space < 0 or space >= board.SPACES:
        raise NotationError(text, f"there is no space {name!r}; they are A1 to M7")
    return space


def parse_explorer(text: str, name: str) -> int:
    number = name[1:]
    colour = components.COLOUR_LETTERS.find(name[:1]) if name else -1
    if colour < 0 or number not in ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10"):
        raise NotationError(
            text,
            f"{name!r} is no explorer; they are {components.COLOUR_LETTERS[0]}1 to {components.COLOUR_LETTERS[-1]}10",
        )
    return colour * int(components.PER_COLOUR) + int(number) - 1


def parse_ship_at(s: SurvivePosition, text: str, name: str) -> int:
    ship = int(s.ship_at[parse_space(text, name)])
    if ship < 0:
        raise NotationError(text, f"there is no ship at {name}")
    return ship

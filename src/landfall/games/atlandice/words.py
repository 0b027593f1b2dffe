"""Choices and outcomes in structured words, warnings, and answers to touches that are no choice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from landfall.core.state import NOT_A_CHOICE
from landfall.games.atlandice.actions import (
    BONUS,
    CHANGE,
    CHANGE_DIE,
    DIE,
    DIE_TO,
    DONATE,
    DONATE_SECOND,
    FACE,
    GATES,
    GIVE,
    MOVE,
    NEUTRAL_DIE,
    OWN_DIE,
    PASS,
    PICK,
    PIECE,
    PIECE_TO,
    SUBMARINE_PIECE,
    SUBMARINE_TO,
    SWAP,
    TAKE,
    TILE,
    TO,
)
from landfall.games.atlandice.board import SECTOR_NAMES
from landfall.games.atlandice.components import LETTERS, RESOURCE_NAMES, RESOURCES, tile_name

if TYPE_CHECKING:
    from landfall.games.atlandice.messages import Choice, Outcome, Piece, Sector, Way
    from landfall.games.atlandice.state import AtlandiceState


def describe(s: AtlandiceState, action: int) -> Choice | Outcome:
    """The words of a choice or an outcome: `act.<verb>` is its sentence."""
    if action >= TILE:
        return {"verb": "reveal", "tile": tile_name(int(s.reveal) * LETTERS + action - TILE)}
    elif action >= FACE:
        return {"verb": "gate" if s.phase == GATES else "roll", "face": action - FACE + 1}
    elif action == PASS:
        return {"verb": "pass"}
    elif action >= GIVE:
        return {"verb": "give", "resource": RESOURCE_NAMES[action - GIVE]}
    elif action >= CHANGE:
        return {"verb": "change", "sector": SECTOR_NAMES[action - CHANGE]}
    elif action >= TO:
        return describe_to(s, SECTOR_NAMES[action - TO])
    elif action >= PICK:
        return {"verb": "swap" if s.phase == SWAP else "pick", **place_words(action - PICK)}
    elif action >= TAKE:
        return {"verb": "take" if s.holder == s.turn else "take_neutral", **place_words(action - TAKE)}
    elif action >= NEUTRAL_DIE:
        return {"verb": "die_neutral", "sector": SECTOR_NAMES[action - NEUTRAL_DIE]}
    return {"verb": "die", "sector": SECTOR_NAMES[action - OWN_DIE]}


def place_words(place: int) -> Piece:
    return {"resource": RESOURCE_NAMES[place % RESOURCES], "sector": SECTOR_NAMES[place // RESOURCES]}


def describe_to(s: AtlandiceState, sector: Sector) -> Choice:
    """What goes there: the submarine, a die or a piece."""
    if s.phase == SUBMARINE_TO:
        return {"verb": "submarine", "from": SECTOR_NAMES[s.submarine], "to": sector}
    if s.phase == DIE_TO:
        return {"verb": "die_to", "from": SECTOR_NAMES[s.picked], "to": sector}
    place = int(s.picked)
    where: Way = {"from": SECTOR_NAMES[place // RESOURCES], "to": sector}
    return {"verb": "move", "resource": RESOURCE_NAMES[place % RESOURCES], **where}


def loses(s: AtlandiceState, action: int) -> list[str]:
    """A donated piece is the only thing a choice costs its player at once."""
    return [RESOURCE_NAMES[action - GIVE]] if GIVE <= action < PASS else []


def forbids_touch(s: AtlandiceState, piece: str, place: str) -> str | None:
    """Why a `piece` (a resource, `die`, `neutral_die` or `submarine`) cannot go to, or be taken from, a sector."""
    action = touched(s, piece, place)
    return NOT_A_CHOICE if action < 0 else s.forbids(action) or None


def touched(s: AtlandiceState, piece: str, place: str) -> int:
    """The action that a touch of a piece and a sector means in this phase; -1 if none."""
    if place not in SECTOR_NAMES:
        return -1
    sector = SECTOR_NAMES.index(place)
    phase = s.phase
    if piece == "submarine":
        return TO + sector if phase == SUBMARINE_TO else -1
    if piece in ("die", "neutral_die"):
        if phase == DIE:
            return (OWN_DIE if piece == "die" else NEUTRAL_DIE) + sector
        if phase == CHANGE_DIE:
            return CHANGE + sector
        return TO + sector if phase == DIE_TO else -1
    if piece not in RESOURCE_NAMES:
        return -1
    return touched_piece(s, RESOURCE_NAMES.index(piece), sector)


def touched_piece(s: AtlandiceState, resource: int, sector: int) -> int:
    """The action that a touch of a resource means: taken, picked, put down there, or given."""
    phase = s.phase
    if phase in (PIECE, SUBMARINE_PIECE, BONUS):
        return TAKE + sector * RESOURCES + resource
    if phase in (MOVE, SWAP):
        return PICK + sector * RESOURCES + resource
    if phase == PIECE_TO:
        return TO + sector if resource == s.picked % RESOURCES else -1
    if phase in (DONATE, DONATE_SECOND):
        return GIVE + resource if sector == resource else -1
    return -1

"""The notation of actions and chance outcomes, the same in every position.

`A pink` plays a card with a figure, `pay pink` and `pay pink3` pay a card or a tile, `buy pink4` buys cards, `bridge
27` lays the bridge on the gap that begins at position 27, `no bridge` keeps it, `show` shows the hand. Chance turns up
a tile, `pink3`, or gives a card, `pink`.
"""

from __future__ import annotations

from landfall.core.errors import NotationError
from landfall.games.atlantis.rules.action_encoding import (
    BRIDGE,
    BUY,
    CARD,
    END,
    NO_BRIDGE,
    PAY_CARD,
    PAY_TILE,
    PLAY,
    SHOW,
    TILE,
    action_family,
    encode_card_play,
    figure_of_played_card,
    kind_of_played_card,
)
from landfall.games.atlantis.rules.board import POSITIONS
from landfall.games.atlantis.rules.components import FIGURE_NAMES, KINDS, Face, Kind, format_face, parse_face


def format_action(action: int) -> str:
    """The notation of an action or outcome."""
    if action < 0 or action >= END:
        return f"action {action}"
    sort = int(action_family(action))
    part = action - sort
    if sort == PLAY:
        return f"{FIGURE_NAMES[figure_of_played_card(part)]} {KINDS[kind_of_played_card(part)]}"
    if sort == PAY_CARD:
        return f"pay {KINDS[part]}"
    if sort == PAY_TILE:
        return f"pay {format_face(Face(part))}"
    if sort == BUY:
        return f"buy {format_face(Face(part))}"
    if sort == BRIDGE:
        return f"bridge {part + 1}"
    if sort == SHOW:
        return "show"
    if sort == NO_BRIDGE:
        return "no bridge"
    return format_face(Face(part)) if sort == TILE else KINDS[part]


def format_masked_action(action: int) -> str:
    """The same for seats that may not see the drawn card."""
    return "?" if action_family(action) == CARD else format_action(action)


def parse_action(given: str) -> int:
    """The action or outcome that a text names; NotationError says what was expected."""
    word, _, rest = given.strip().partition(" ")
    rest = rest.strip()
    if not rest:
        return parse_one_word_action(given, word)
    if word == "no" and rest == "bridge":
        return NO_BRIDGE
    if word == "bridge":
        if rest.isascii() and rest.isdecimal() and len(rest) < 4 and 1 <= int(rest) <= POSITIONS:
            return BRIDGE + int(rest) - 1
        raise NotationError(given, f"a gap is named by its first position, 1 to {POSITIONS}")
    face = parse_face(rest)
    if word == "buy":
        if face < 0:
            raise NotationError(given, "cards are bought with a tile such as pink4")
        return BUY + face
    if word == "pay":
        if face >= 0:
            return PAY_TILE + face
        return PAY_CARD + parse_kind(given, rest)
    if word.upper() in tuple(FIGURE_NAMES):
        return int(encode_card_play(FIGURE_NAMES.index(word.upper()), Kind(parse_kind(given, rest))))
    raise NotationError(given, "expected a figure (A, B or C) and a card, or buy, pay, bridge, no bridge, show")


def parse_one_word_action(given: str, word: str) -> int:
    """A text of one word."""
    if word == "show":
        return SHOW
    face = parse_face(word)
    if face >= 0:
        return TILE + face
    if word in KINDS:
        return CARD + KINDS.index(word)
    raise NotationError(given, "expected a figure (A, B or C) and a card, or buy, pay, bridge, no bridge, show")


def parse_kind(given: str, kind: str) -> int:
    """A kind by its name."""
    if kind not in KINDS:
        raise NotationError(given, f"{kind!r} is none of the kinds {', '.join(KINDS)}")
    return KINDS.index(kind)

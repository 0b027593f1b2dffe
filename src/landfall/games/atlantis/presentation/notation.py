"""The notation of actions and chance outcomes, the same in every position.

`A pink` plays a card with a figure, `pay pink` and `pay pink3` pay a card or a tile, `buy pink4` buys cards, `bridge
27` lays the bridge on the gap that begins at position 27, `no bridge` keeps it, `show` shows the hand. Chance turns up
a tile, `pink3`, or gives a card, `pink`.
"""

from __future__ import annotations

from landfall.core.errors import NotationError
from landfall.games.atlantis.rules import board, codes, components


def format_action(action: int) -> str:
    """The notation of an action or outcome."""
    if action < 0 or action >= codes.END:
        return f"action {action}"
    sort = int(codes.action_family(action))
    part = action - sort
    if sort == codes.PLAY:
        figure = components.FIGURE_NAMES[codes.figure_of_played_card(part)]
        return f"{figure} {components.KINDS[codes.kind_of_played_card(part)]}"
    if sort == codes.PAY_CARD:
        return f"pay {components.KINDS[part]}"
    if sort == codes.PAY_TILE:
        return f"pay {components.format_face(components.Face(part))}"
    if sort == codes.BUY:
        return f"buy {components.format_face(components.Face(part))}"
    if sort == codes.BRIDGE:
        return f"bridge {part + 1}"
    if sort == codes.SHOW:
        return "show"
    if sort == codes.NO_BRIDGE:
        return "no bridge"
    return components.format_face(components.Face(part)) if sort == codes.TILE else components.KINDS[part]


def format_masked_action(action: int) -> str:
    """The same for seats that may not see the drawn card."""
    return "?" if codes.action_family(action) == codes.CARD else format_action(action)


def parse_action(given: str) -> int:
    """The action or outcome that a text names; NotationError says what was expected."""
    word, _, rest = given.strip().partition(" ")
    rest = rest.strip()
    if not rest:
        return parse_one_word_action(given, word)
    if word == "no" and rest == "bridge":
        return codes.NO_BRIDGE
    if word == "bridge":
        if rest.isascii() and rest.isdecimal() and len(rest) < 4 and 1 <= int(rest) <= board.POSITIONS:
            return codes.BRIDGE + int(rest) - 1
        raise NotationError(given, f"a gap is named by its first position, 1 to {board.POSITIONS}")
    face = components.parse_face(rest)
    if word == "buy":
        if face < 0:
            raise NotationError(given, "cards are bought with a tile such as pink4")
        return codes.BUY + face
    if word == "pay":
        if face >= 0:
            return codes.PAY_TILE + face
        return codes.PAY_CARD + parse_kind(given, rest)
    if word.upper() in tuple(components.FIGURE_NAMES):
        return int(
            codes.encode_card_play(
                components.FIGURE_NAMES.index(word.upper()), components.Kind(parse_kind(given, rest))
            )
        )
    raise NotationError(given, "expected a figure (A, B or C) and a card, or buy, pay, bridge, no bridge, show")


def parse_one_word_action(given: str, word: str) -> int:
    """A text of one word."""
    if word == "show":
        return codes.SHOW
    face = components.parse_face(word)
    if face >= 0:
        return codes.TILE + face
    if word in components.KINDS:
        return codes.CARD + components.KINDS.index(word)
    raise NotationError(given, "expected a figure (A, B or C) and a card, or buy, pay, bridge, no bridge, show")


def parse_kind(given: str, kind: str) -> int:
    """A kind by its name."""
    if kind not in components.KINDS:
        raise NotationError(given, f"{kind!r} is none of the kinds {', '.join(components.KINDS)}")
    return components.KINDS.index(kind)

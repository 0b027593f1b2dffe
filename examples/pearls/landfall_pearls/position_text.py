"""A position as one line: `turn red; depth 3; deck 1123; red 134 +2; yellow 22 +0`, with `storm` if it is stormy.

A line for a seat has `?` for each card that seat cannot know.
"""

from __future__ import annotations

import re
from typing import Final, TypeVar

from landfall.core.errors import PositionError
from landfall.core.state import CHANCE, OVER
from landfall_pearls.components import COLOURS, DEEPEST, VALUES
from landfall_pearls.position import DONE, PHASES, TURN, PearlsPosition, held

Position = TypeVar("Position", bound=PearlsPosition)
HELD: Final = re.compile(r"([1-4]*)\s*\+(\d{1,3})")


def format_position(s: PearlsPosition, seat: int | None) -> str:
    """Format all of it; for a seat, or NOBODY, only what it may know."""

    def cards(counts: list[int], known: bool) -> str:
        return "".join(str(value + 1) * n for value, n in enumerate(counts)) if known else "?" * sum(counts)

    open_ = seat is None
    parts = [f"{PHASES[s.phase]} {COLOURS[s.seat]}", f"depth {s.depth}"]
    parts += ["storm"] if s.storm else []
    parts += [f"deck {cards(s.deck, open_)}".strip()]
    for other in range(int(s.players)):
        hand = cards(held(s, other), open_ or other == seat)
        parts.append(" ".join(f"{COLOURS[other]} {hand} +{s.pearls[other]}".split()))
    return "; ".join(parts)


def parse_position(text: str, make: type[Position]) -> Position:
    """Parse a complete line; an error quotes the part that cannot be read."""
    sections = [part.strip().partition(" ") for part in text.split(";")]
    words = {name: rest.strip() for name, _, rest in sections}
    phase = next((name for name in PHASES if name in words), "")
    colours = [colour for colour in COLOURS if colour in words]
    if len(words) != len(sections) or set(words) - {phase, *colours, "depth", "deck", "storm"} or not phase:
        raise PositionError(text, "these are not the parts of a position")
    if colours != list(COLOURS[: len(colours)]) or len(colours) < 2 or words[phase] not in colours:
        raise PositionError(text, "these are not the seats of a table")
    s = make(len(colours))
    s.storm = int("storm" in words)
    s.phase, s.seat = PHASES.index(phase), [*map(str, colours)].index(words[phase])
    s.actor = s.seat if s.phase == TURN else OVER if s.phase == DONE else CHANCE
    s.depth = read_depth(words.get("depth", ""))
    read_cards(s.deck, 0, words.get("deck", "?"))
    for seat, colour in enumerate(colours):
        found = HELD.fullmatch(words[colour])
        if not found:
            raise PositionError(words[colour], "cards and pearls are written as 134 +2")
        read_cards(s.hand, seat * VALUES, found[1])
        s.pearls[seat] = int(found[2])
    return s


def read_depth(text: str) -> int:
    if not text.isdecimal() or int(text) > DEEPEST:
        raise PositionError(text, f"a depth is a number up to {DEEPEST}")
    return int(text)


def read_cards(counts: list[int], first: int, text: str) -> None:
    """Add cards, written as their values, to a vector."""
    if not re.fullmatch(f"[1-{VALUES}]*", text):
        raise PositionError(text, f"cards are written as their values, 1 to {VALUES}")
    for value in range(VALUES):
        counts[first + value] = text.count(str(value + 1))

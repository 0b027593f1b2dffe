# interpreted
"""Printing a position as the line that `position.parse_position` reads."""

from __future__ import annotations

from landfall.core.vectors import listed
from landfall.games.atlantis.board import MAINLAND, MIDDLE, POSITIONS, place_text
from landfall.games.atlantis.components import (
    COLOURS,
    FIGURE_NAMES,
    FIGURES,
    HELD,
    KINDS,
    NUM_KINDS,
    NUM_TILES,
    OUT,
    TILE_FACE,
    TILE_VALUE,
    TILES_A_BACK,
    face_text,
)
from landfall.games.atlantis.phases import HOPPING, LAYING, PHASES, UNCOVERING
from landfall.games.atlantis.state import AtlantisState


def format_position(s: AtlantisState) -> str:
    """The line for a position. It tells all but who drew what since the deck was last shuffled."""
    parts = [path_text(s), f"turn: {COLOURS[s.seat].capitalize()}"]
    for seat in range(s.players):
        parts.append(f"{COLOURS[seat].capitalize()}: {holdings(s, seat)}".strip())
    for name, words in (("discard", cards_text(listed(s.discard))), ("out", out_text(s)), ("now", now_text(s))):
        if words:
            parts.append(f"{name}: {' '.join(words)}")
    return "; ".join(parts)


def path_text(s: AtlantisState) -> str:
    """The path from its first tile to its last."""
    there = [at for at in range(POSITIONS) if s.top[at] >= 0 or (s.phase == UNCOVERING and at == s.spot)]
    if not there:
        return ""
    first, last = there[0], there[-1]
    words = [cell_text(s, at) for at in range(first, last + 1)]
    if not first < MIDDLE < last and first != MIDDLE + 1:
        words.insert(0, f"@{first + 1}")
    return " ".join(words)


def cell_text(s: AtlantisState, at: int) -> str:
    """One position."""
    if s.phase == UNCOVERING and at == s.spot:
        return "?"
    if s.top[at] < 0:
        bridge = "=" if s.bridge[at] else ""
        return "|" + bridge if at == MIDDLE else bridge or "~"
    figure = int(s.occupant[at])
    stands = f"({COLOURS[figure // FIGURES].capitalize()} {FIGURE_NAMES[figure % FIGURES]})" if figure >= 0 else ""
    return face_text(int(TILE_FACE[s.top[at]])) + ("+" if s.below[at] else "") + stands


def holdings(s: AtlantisState, seat: int) -> str:
    """Cards, tiles, the bridge, and figures that have arrived."""
    base = seat * NUM_KINDS
    known = [int(s.known[base + kind]) for kind in range(NUM_KINDS)]
    words = [card + "!" for card in cards_text(known)]
    words += cards_text([int(s.hand[base + kind]) - known[kind] for kind in range(NUM_KINDS)])
    words += tiles_text(s, HELD + seat)
    if s.holds_bridge[seat]:
        words.append("bridge")
    words += [f"{FIGURE_NAMES[f]}@mainland" for f in range(FIGURES) if s.figure_at[seat * FIGURES + f] == MAINLAND]
    return " ".join(words)


def cards_text(cards: list[int]) -> list[str]:
    return [f"{cards[kind] if cards[kind] > 1 else ''}{KINDS[kind]}" for kind in range(NUM_KINDS) if cards[kind]]


def tiles_text(s: AtlantisState, place: int) -> list[str]:
    """Tiles away from the path; `b` where the same face also exists with back A."""
    return [
        face_text(int(TILE_FACE[t])) + ("b" if t >= TILES_A_BACK and TILE_VALUE[t] <= 5 else "")
        for t in range(NUM_TILES)
        if s.tile_at[t] == place
    ]


def out_text(s: AtlantisState) -> list[str]:
    return cards_text(listed(s.out_cards)) + tiles_text(s, OUT)


def now_text(s: AtlantisState) -> list[str]:
    """The moment of the turn, as far as it is not just its start."""
    words: list[str] = []
    if s.mover >= 0:
        words += [f"figure={FIGURE_NAMES[s.mover]}", f"from={place_text(int(s.origin))}"]
    if s.phase == HOPPING:
        words.append(f"on={place_text(int(s.figure_at[s.seat * FIGURES + s.mover]))}")
    if s.phase == LAYING:
        words.append(f"at={place_text(int(s.spot))}")
    numbers = (
        ("bill", s.bill),
        ("paid", s.paid),
        ("draw", s.to_draw),
        ("bought", s.bought_count),
        ("laid", s.laid),
        ("idle", s.idle),
    )
    words += [f"{name}={value}" for name, value in numbers if value]
    for name, cards in (("played", listed(s.played)), ("fresh", listed(s.bought))):
        if any(cards):
            words.append(f"{name}={','.join(cards_text(cards))}")
    phase = PHASES[s.phase]
    return [phase, *words] if words or phase != "start" else []

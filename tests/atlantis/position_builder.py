"""A hand at the table for scenario tests: set up a position, play in notation, ask why not."""

from __future__ import annotations

from landfall.games.atlantis.game_definition import GAME
from landfall.games.atlantis.rules.components import (
    FIGURES,
    HELD,
    KINDS,
    NUM_KINDS,
    NUM_TILES,
    Tile,
    face_of_tile,
    format_face,
)
from landfall.games.atlantis.rules.phases import PHASES
from landfall.games.atlantis.state import AtlantisState


def state_from_text(text: str) -> AtlantisState:
    """A position, recording events."""
    state = GAME.from_text(text)
    assert isinstance(state, AtlantisState)
    state.events = []
    return state


def out_section_without_deck(hands: dict[str, int]) -> str:
    """An `out:` section that leaves no card in the deck, with these cards in hands, piles or the deck."""
    left = {kind: 15 - hands.get(kind, 0) for kind in KINDS}
    return "out: " + " ".join(f"{n}{kind}" for kind, n in left.items() if n)


def play_texts(state: AtlantisState, *texts: str) -> None:
    """Play actions and outcomes one after the other; each must be allowed."""
    for text in texts:
        action = state.parse(text)
        why = state.why_illegal(action)
        assert why is None, f"{text} is forbidden by {why}"
        assert action in state.legal_actions() or state.actor == -1
        state.apply(action)


def rule_forbidding(state: AtlantisState, text: str) -> str | None:
    """The rule that forbids an action to the actor, None if it is allowed; legal() must say the same."""
    action = state.parse(text)
    found = state.why_illegal(action)
    assert (found is None) == (action in state.legal_actions())
    return found


def list_choices(state: AtlantisState) -> set[str]:
    return {state.notation(action) for action in state.legal_actions()}


def phase_name(state: AtlantisState) -> str:
    return PHASES[state.phase]


def cards_in_hand(state: AtlantisState, seat: int) -> dict[str, int]:
    cards = {kind: int(state.hand[seat * NUM_KINDS + i]) for i, kind in enumerate(KINDS)}
    return {kind: n for kind, n in cards.items() if n}


def tiles_held_by(state: AtlantisState, seat: int) -> list[str]:
    """The tiles before a seat."""
    return [format_face(face_of_tile(Tile(t))) for t in range(NUM_TILES) if state.tile_at[t] == HELD + seat]


def figure_location(state: AtlantisState, seat: int, figure: str) -> str:
    """The face a figure stands on, or where else it is."""
    at = int(state.figure_at[seat * FIGURES + "ABC".index(figure)])
    if at < 0:
        return "atlantis"
    return "mainland" if at == 53 else format_face(face_of_tile(Tile(state.top[at])))


def path_text(state: AtlantisState) -> str:
    """The path as a line, without figures."""
    from landfall.games.atlantis.presentation.position_text import format_path

    bare = state.copy()
    for at in range(53):
        bare.occupant[at] = -1
    return format_path(bare)


def events_of_kind(state: AtlantisState, kind: str) -> list[dict[str, object]]:
    """The public parts of all events of a kind."""
    return [
        {k: v for k, v in event.public.items() if k != "kind"} for event in state.events or [] if event.kind == kind
    ]

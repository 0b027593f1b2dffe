"""Choices as data, with their immediate losses: for clients that know no rules."""

from __future__ import annotations

from typing import Final

from landfall.games.survive.presentation import action_families
from landfall.games.survive.rules import codes, components, message_types
from landfall.games.survive.rules.position import SurvivePosition

PLACINGS: Final[list[list[object] | None]] = [None] * int(components.COLOURS * codes.PUT)  # by seat and action


def describe_action(s: SurvivePosition, a: int) -> message_types.Choice | message_types.Outcome:
    """`verb`, the `piece` that acts, its `from` and `to`, and the verb's other arguments."""
    family, first, second = codes.decode_action(a)
    return action_families.FAMILIES[int(family)].describe(s, int(first), int(second), a)


def list_placing_choice_groups(s: SurvivePosition) -> list[tuple[str, list[str], list[list[object]]]]:
    """All places for all values left, up to 240, as `State.choice_groups`; the rows are cached and shared."""
    rows: list[list[object]] = []
    first = int(s.actor) * int(codes.PUT)
    for action in s.legal_actions():
        known = PLACINGS[first + action]
        if known is None:
            known = [*describe_action(s, action).values(), action, s.notation(action)][1:]
            PLACINGS[first + action] = known
        rows.append(known)
    return [("place", ["colour", "value", "to", "action", "text"], rows)]

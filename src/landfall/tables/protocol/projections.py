"""The only place where a position leaves the server: projections of a match for a seat or a spectator (None)."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from landfall.core.json_patch import make_patch, make_seat_patch
from landfall.core.state import SPECTATOR, State
from landfall.match import Match, visible_events, visible_events_with_secret_codes
from landfall.tables.protocol.server_messages import Choices

if TYPE_CHECKING:
    from landfall.core.message_types import BasePreview, GameEvent, PrivateView, View


def project_choices(match: Match, seat: int | None) -> list[Choices]:
    """The choices of a seat, grouped by verb and keys."""
    return grouped_choices_of_seat(match.state, seat)


def grouped_choices_of_seat(state: State, seat: int | None) -> list[Choices]:
    """The same for a position."""
    return [{"verb": verb, "keys": keys, "rows": rows} for verb, keys, rows in state.choice_groups(seat)]


def ungroup_choices(groups: list[Choices]) -> list[dict[str, Any]]:
    """The inverse of grouping: the choices one by one, as a client reads them."""
    return [{"verb": g["verb"], **dict(zip(g["keys"], row))} for g in groups for row in g["rows"]]


@dataclass
class PublicView:
    """What all viewpoints of one position share: the public view, and its patch from the last one.

    Views share equal parts, so they and the positions they were made from are immutable.
    """

    state: State
    view: View
    patch: dict[str, Any] = field(default_factory=dict)


def project_public_view(state: State, before: PublicView | None) -> PublicView:
    """Build the public view of a position once for all."""
    if before is None:
        return PublicView(state, state.view(None))
    view = state.view(None, (before.state, before.view))
    return PublicView(state, view, make_patch(before.view, view))


def project_view_patch(
    public: PublicView, own: PrivateView, before: PublicView, own_before: PrivateView
) -> dict[str, Any]:
    """The patch of a whole view, from the shared public part and the private part; often it is the public patch."""
    if own == own_before and public.patch.keys().isdisjoint(own):
        return public.patch
    patch = make_seat_patch(public.patch, before.view, public.view, own_before, own)
    return public.patch if patch == public.patch else patch


def visible_position_text(match: Match, seat: int | None) -> str:
    """The position string as a seat may see it."""
    return match.state.to_text(SPECTATOR if seat is None else seat)


def project_events(match: Match, since: int, seat: int | None) -> list[GameEvent]:
    """The events from a number on, as the seat may see them now; without numbers: a message has the first one's."""
    return visible_events(match.state, seat, since, numbered=False)


def project_earlier_events_with_codes(
    match: Match, before: int, seat: int | None, codes: AbstractSet[int]
) -> list[GameEvent]:
    """The events before a number that carry one of these secret codes, as the seat may see them now; with numbers."""
    return visible_events_with_secret_codes(match.state, seat, before, codes)


def secret_codes_of_events_since(match: Match, since: int) -> set[int]:
    """The secret codes of the events from a number on; a viewpoint that can read none knows what a spectator knows."""
    return {event.secret for event in (match.state.events or [])[since:] if event.secret}


def readable_secret_codes(match: Match, seat: int | None, codes: AbstractSet[int]) -> frozenset[int]:
    """The codes that a seat may read now. When that changes, events that carry them are sent again."""
    may_read = match.state.can_read
    return frozenset([code for code in codes if may_read(seat, code)])


def project_preview(match: Match, seat: int | None) -> BasePreview:
    """Consequences of the seat's choices."""
    return match.state.preview(seat) if seat is not None and seat == match.actor else {}

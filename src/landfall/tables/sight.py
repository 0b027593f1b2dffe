"""The one place where a position leaves: what a viewer, a seat or a spectator (None), may see of a match."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from landfall.match import Match, told
from landfall.tables.news import Choices
from landfall.tables.patch import difference


def choices_of(match: Match, seat: int | None) -> list[Choices]:
    """The choices of a seat, those of one verb and the same words together."""
    groups: dict[tuple[object, ...], list[list[Any]]] = {}
    for words in match.state.choices(seat):
        if not words["loses"]:
            del words["loses"]
        verb = words.pop("verb")
        kind = (verb, *words)
        rows = groups.get(kind)
        if rows is None:
            groups[kind] = rows = []
        rows.append([*words.values()])
    return [Choices(str(kind[0]), [str(key) for key in kind[1:]], rows) for kind, rows in groups.items()]


def spread(groups: list[Choices]) -> list[dict[str, Any]]:
    """The choices one by one again, as a client reads them."""
    return [{"verb": g.verb, **dict(zip(g.keys, row))} for g in groups for row in g.rows]


def numberless(events: list[dict[str, object]]) -> list[dict[str, Any]]:
    """Events without their numbers: a message gives the first one's."""
    for event in events:
        del event["n"]
    return events


@dataclass
class Glance:
    """What all viewers of one position share: the public view, and its difference from the last one."""

    view: dict[str, Any]
    patch: dict[str, Any] = field(default_factory=dict)


def glance(match: Match, before: Glance | None) -> Glance:
    """Look at a position once for all."""
    view = match.state.view(None)
    return Glance(view, difference(before.view, view) if before is not None else {})


def own_patch(public: Glance, own: dict[str, Any], before: Glance | None, own_before: dict[str, Any]) -> dict[str, Any]:
    """The patch of a whole view whose public part is shared and whose own part is given."""
    out = {key: what for key, what in public.patch.items() if key not in own and key not in own_before}
    old_view = before.view if before is not None else {}
    for key in {**own_before, **own}:
        old = own_before.get(key, old_view.get(key, MISSING))
        new = own.get(key, public.view.get(key, MISSING))
        if new is MISSING:
            if old is not MISSING:
                out[key] = 0
        elif old is MISSING:
            out[key] = [new]
        elif old != new:
            out.update(difference({key: old}, {key: new}))
    return out


MISSING: Any = object()


def events_from(match: Match, since: int, seat: int | None) -> list[dict[str, Any]]:
    """What happened from an event on, as the seat may know it now."""
    return numberless(told(match.state, seat, since))


def preview_of(match: Match, seat: int | None) -> dict[str, Any]:
    """What the seat's choices would lead to."""
    return match.state.preview(seat) if seat is not None and seat == match.actor else {}

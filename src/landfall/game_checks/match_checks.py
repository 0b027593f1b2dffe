"""What must hold of matches: their records, their undo, their events."""

from __future__ import annotations

import json

from landfall.core.errors import NothingToUndo
from landfall.core.rng import Rng
from landfall.core.state import OVER
from landfall.game_checks.option_combinations import Combo
from landfall.match import OMNISCIENT, Match


def random_match(name: str, combo: Combo, seed: int, most: int = 100_000) -> Match:
    """A match of random choices, to its end or to so many of them."""
    players, options = combo
    match = Match(name, players, seed=seed, **options)
    rng = Rng(seed + 1)
    while match.actor != OVER and most > 0:
        match.play(int(match.state.random_action(rng)))
        most -= 1
    return match


def check_record_replays(match: Match) -> None:
    """Its record, replayed, leads to the same position and is the same record."""
    again = Match.replay(match.record())
    assert again.state.digest() == match.state.digest()
    assert again.record() == match.record()
    assert again.log == match.log
    assert again.events(seat=OMNISCIENT) == match.events(seat=OMNISCIENT)


def check_undo_to_start(match: Match) -> None:
    """Undone choice by choice, each earlier position comes back, down to the first."""
    name, players, options = match.game.name, match.players, match.options
    state = match.game.new(players, options)
    digests = []
    for entry in match.log:
        if entry.actor >= 0:
            digests.append(state.digest())
        state.apply(entry.action)
    assert state.digest() == match.state.digest(), f"{name}: the log leads elsewhere"
    while digests:
        match.undo()
        assert match.state.digest() == digests.pop()
    left = [entry.actor for entry in match.log]
    try:
        match.undo()
        raise AssertionError(f"{name}: something is undone before the first choice")
    except NothingToUndo:
        pass
    assert [entry.actor for entry in match.log] == left
    assert all(actor < 0 for actor in left)


def check_events_numbered_alike(match: Match) -> None:
    """All readers get the same events by number and kind; what is public is the same for all."""
    everything = match.events(seat=OMNISCIENT)
    recorded = match.state.events or []
    assert [e["n"] for e in everything] == list(range(len(recorded)))
    assert [e["kind"] for e in everything] == [e.kind for e in recorded], "an event has an argument called 'kind'"
    for seat in (None, *range(match.players)):
        told = match.events(seat=seat)
        assert [(e["n"], e["kind"]) for e in told] == [(e["n"], e["kind"]) for e in everything]
        assert json.loads(json.dumps(told)) == told
        for mine, event in zip(told, recorded):
            hidden = bool(event.secret) and not match.can_read(seat, event.secret)
            assert mine == {"n": mine["n"], **event.public, **({} if hidden else event.private)}
            assert event.secret or not event.private, f"{event.kind} has a private part that anybody may read"
        assert match.events(len(told) // 2, seat) == told[len(told) // 2 :]
        assert len(match.log_lines(seat)) == len(match.log)

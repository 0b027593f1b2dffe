"""A match told moment by moment leads, patch by patch, to what was seen at the table."""

from __future__ import annotations

import json
from typing import Any, cast

import pytest

from landfall.core.errors import RecordError
from landfall.core.json_patch import apply_patch
from landfall.core.rng import Rng
from landfall.core.state import OVER
from landfall.games import GAME_NAMES
from landfall.games.survive.rules.message_types import Placed, View
from landfall.match import OMNISCIENT, Match
from landfall.tables.jobs.replay import Replay, build_replay, replay_to_json, view_for_replay_reader


def played(game: str, most: int = 100_000) -> Match:
    match, rng = Match(game, 2, seed=5), Rng(6)
    while match.actor != OVER and len(match.log) < most:
        match.play(int(match.state.random_action(rng)))
    return match


@pytest.mark.parametrize("game", GAME_NAMES)
@pytest.mark.parametrize("seat", [None, 0, 1, OMNISCIENT])
def test_the_patches_lead_to_every_view(game: str, seat: int | None) -> None:
    match = played(game)
    sent = replay_to_json(match.record(), seat)
    replayed: Replay = json.loads(sent)
    assert len(replayed["moments"]) == len(match.log)
    again = Match.before_first_action(match.game, match.players, match.options, [], match.rng)
    view: Any = replayed["view"]
    for moment, entry in zip(replayed["moments"], match.log):
        again.apply_and_log(entry.action)
        view = apply_patch(view, moment["patch"])
        assert view == json.loads(json.dumps(view_for_replay_reader(again, seat)))
        assert moment["actor"] == entry.actor
    assert sum(len(m.get("events", [])) for m in replayed["moments"]) == len(match.state.events or [])


def test_a_seat_is_shown_what_it_knew_then_and_all_only_to_one_who_may_know_it() -> None:
    match = played("survive", 60)
    mine, everything = build_replay(match, 0), build_replay(match, OMNISCIENT)
    placed = [
        (a, b)
        for a, b, entry in zip(mine["moments"], everything["moments"], match.log)
        if entry.actor == 1 and "=" in entry.text
    ]
    assert placed
    for a, b in placed:
        assert a["line"].endswith("=?")
        assert "value" not in a["events"][0]
        assert not b["line"].endswith("=?")
        assert cast("Placed", b["events"][0])["value"] >= 1
    assert [sorted(own) for own in cast("View", everything["view"])["own"]] == [["hand", "to_place"]] * 2


def test_open_eyes_see_every_value_all_the_match_long_and_its_owner_does_not() -> None:
    match = played("survive")
    everything, mine = build_replay(match, OMNISCIENT), build_replay(match, 0)
    values = {e.public["piece"]: e.private["value"] for e in match.state.events or [] if e.kind == "placed"}
    view, own = cast("Any", everything["view"]), cast("Any", mine["view"])
    hidden = 0
    for a, b in zip(everything["moments"], mine["moments"]):
        view, own = apply_patch(view, a["patch"]), apply_patch(own, b["patch"])
        shown = {piece: value for seat in view["own"] for piece, value in seat.get("values", {}).items()}
        assert shown == {piece: values[piece] for piece in view["explorers"]}
        hidden += "values" not in own
    assert len(values) == 20
    assert hidden > 100


def test_what_is_no_record_is_refused_with_its_line() -> None:
    text = played("atlandice", 30).record()
    with pytest.raises(RecordError, match=f"line {len(text.splitlines()) + 1}"):
        replay_to_json(text.rstrip() + "\nnonsense\n", None)

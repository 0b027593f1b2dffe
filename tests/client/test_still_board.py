"""Survive's board neither moves nor changes its size from a turn's first choice to its last: part of a match is played,
and it is measured before every choice."""

from __future__ import annotations

import json

import pytest

from tests.client.conftest import Sit
from tests.client.page_player import Player
from tests.client.survive_player import Decisions

pytestmark = pytest.mark.once
SIZE = {"width": 1366, "height": 768}
MEASURED = """() => [...document.querySelectorAll('.world .sea, .world .cells')].flatMap((one) => {
  const { x, y, width, height } = one.getBoundingClientRect()
  return [x, y, width, height]
})"""


class OthersEvents:
    """How much others have done, as the page was told: while it is the same, it is the same turn."""

    def __init__(self, player: Player) -> None:
        self.count = 0
        player.page.on("websocket", lambda socket: socket.on("framereceived", self.read))

    def read(self, frame: str | bytes) -> None:
        told = json.loads(frame)
        events = told.get("events") or () if isinstance(told, dict) else ()
        self.count += sum(event.get("seat") not in (None, 0) for event in events)


def test_the_board_stays_where_it_is_within_a_turn(sit: Sit) -> None:
    ana = sit().set_name_by_request()
    ana.page.set_viewport_size(SIZE)  # type: ignore[arg-type]
    others = OthersEvents(ana)
    ana.begin("survive", 2, 0.3)
    step = Decisions(ana).step
    was: tuple[int, list[float]] = (-1, [])
    moved: list[str] = []
    measured = 0

    def look_before_step() -> None:
        nonlocal was, measured
        turn = others.count
        now: list[float] = ana.page.evaluate(MEASURED)
        if was[0] == turn:
            measured += 1
            if any(abs(a - b) > 0.6 for a, b in zip(was[1], now, strict=True)):
                moved.append(f"{was[1]} -> {now}")
        was = (turn, now)
        step()

    ana.play(look_before_step, most=24)
    assert moved == []
    assert measured >= 8

"""A board neither moves nor changes its size from a turn's first choice to its last: matches are played, and it is
measured before every choice."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.client.atlandice_player import City
from tests.client.atlantis_player import Table
from tests.client.conftest import Sit
from tests.client.page_player import Player
from tests.client.survive_player import Decisions

pytestmark = pytest.mark.once
WINDOWS = [(1366, 768), (1440, 900), (768, 1024), (390, 844), (360, 640)]
STEPS: dict[str, Callable[[Player], Callable[[], None]]] = {
    "survive": lambda player: Decisions(player).step,
    "atlantis": lambda player: Table(player).step,
    "atlandice": lambda player: City(player).step,
}
# Two things far apart that the board always shows; whether the reader has the whole board before them, unscrolled.
MARKS = {
    "survive": ".world .sea, .world .cells",
    "atlantis": "[data-stone='20'], [data-stone='40']",
    "atlandice": ".ground ellipse",
}
MEASURED = """(selector) => document.querySelector('[data-zoomed=true], .rolls') ? null :
  [...document.querySelectorAll(selector)].slice(0, 2).flatMap((one) => {
    const { x, y, width, height } = one.getBoundingClientRect()
    return [x, y, width, height]
  })"""
SAMPLE = [("survive", WINDOWS[0]), ("atlandice", WINDOWS[3])]


CHOICES = {"sample": 24, "whole": 400}


def count_others_events(player: Player, table: str) -> int:
    """How much others have done so far: while it is the same, it is the same turn."""
    with player.http() as http:
        moments = http.get(f"/api/tables/{table}/replay?eyes=0").raise_for_status().json()["moments"]
    events = [event for moment in moments for event in moment.get("events", ())]
    return sum(event.get("seat") not in (None, 0) for event in events)


@pytest.mark.parametrize(
    ("game", "size"),
    [
        pytest.param(game, size, marks=() if (game, size) in SAMPLE else pytest.mark.proof)
        for game in STEPS
        for size in WINDOWS
    ],
)
def test_the_board_stays_where_it_is_within_a_turn(
    sit: Sit, game: str, size: tuple[int, int], request: pytest.FixtureRequest
) -> None:
    proof = request.node.get_closest_marker("proof") is not None
    ana = sit(phone=size[0] < 800).set_name_by_request()
    ana.page.set_viewport_size({"width": size[0], "height": size[1]})
    ana.begin(game, 2, 0.0 if proof else 0.3)
    table = ana.page.url.rpartition("/")[2]
    step = STEPS[game](ana)
    was: tuple[int, list[float]] | None = None
    moved: list[str] = []
    measured = 0

    def look_before_step() -> None:
        nonlocal was, measured
        turn = count_others_events(ana, table)
        now: list[float] | None = ana.page.evaluate(MEASURED, MARKS[game])
        if now and was and was[0] == turn:
            measured += 1
            if any(abs(a - b) > 0.6 for a, b in zip(was[1], now, strict=True)):
                moved.append(f"{was[1]} -> {now} after {ana.log(table)[-1]}")
        was = (turn, now) if now else None
        step()

    ana.play(look_before_step, CHOICES["whole" if proof else "sample"])
    assert moved == []
    assert measured >= (20 if proof else 5)

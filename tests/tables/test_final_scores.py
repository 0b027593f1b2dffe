"""Why the second is second: what the client names is what the server counted, over many finished matches."""

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import landfall
from tests.vitest import check_recorded

pytestmark = pytest.mark.once
RESOURCES = ("gems", "books", "provisions", "tools", "weapons")


def atlantis_parts(match: landfall.Match, seat: int) -> dict[str, int]:
    """Tiles and cards before the last crossing, and what it took: the bill where it could not be paid."""
    view: dict[str, Any] = dict(match.view(seat))
    own, crossing = view["seats"][seat], view["crossing"][seat]
    paid = crossing["gives"]["sum"] if crossing["gives"] else crossing["bill"]
    return {"tiles": sum(tile["value"] for tile in own["tiles"]), "cards": own["cards"], "crossing": -paid}


def atlandice_parts(match: landfall.Match, seat: int) -> dict[str, int]:
    """Points by the events that gave them."""
    parts = Counter(playing=0, tiles=0, pieces=0)
    for event in (dict[str, Any](one) for one in match.events()):
        if event.get("seat") != seat or "points" not in event:
            continue
        if event["kind"] == "tile":
            parts["tiles"] += event["points"]
        elif event["kind"] == "points":
            parts["pieces" if event["reason"] in RESOURCES else "playing"] += event["points"]
    return dict(parts)


PARTS = {"atlantis": atlantis_parts, "atlandice": atlandice_parts}


def test_the_differences_that_the_end_names_are_true(tmp_path: Path) -> None:
    finished = []
    for game, parts in PARTS.items():
        for seed in range(150):
            match = landfall.Match(game, players=2 + seed % 3, seed=seed)
            rng = random.Random(seed)
            while match.actor >= 0:
                match.play(rng.choice(match.legal_actions()))
            view: dict[str, Any] = dict(match.view(0))
            seats = range(match.players)
            finished.append(
                {
                    "game": game,
                    "view": view,
                    "events": [dict(event) for event in match.events()][-60:],
                    "scores": view["scores"],
                    "parts": [parts(match, seat) for seat in seats],
                }
            )
    recorded = tmp_path / "finished.json"
    recorded.write_text(json.dumps(finished))
    check_recorded("endings", recorded)

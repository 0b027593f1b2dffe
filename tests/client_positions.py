"""The positions that the client's unit tests mount: from recorded matches, as few as have every phase, every kind of
choice and every kind of event of a game. `python -m tests.client_positions` chooses and writes them again."""

from __future__ import annotations

import json
from collections.abc import Container, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from landfall.core.json_patch import make_patch
from landfall.games import BUILT_IN_GAMES
from landfall.match import Match
from landfall.tables.protocol.projections import project_choices, project_events
from tests.client.measured_positions import FOLDER, replay_line_by_line
from tests.repository_files import REPO

MAX_CHOICES: Final = 60
MAX_EVENTS: Final = 12  # before the position
HEAD: Final = """// Made by `python -m tests.client_positions`; do not edit.
import type { RecordedPosition } from '../recordedPosition'
import type { GameTypes } from './sceneTypes'

export const POSITIONS: RecordedPosition<GameTypes>[] = [
"""


@dataclass(frozen=True)
class Recorded:
    """A position as a seat's page receives it, and the update that follows."""

    record: str
    lines: int
    message: dict[str, Any]

    @property
    def text(self) -> str:
        return json.dumps(self.message, separators=(",", ":"), ensure_ascii=False)

    @property
    def shows(self) -> set[str]:
        """What it has to show: its phase, the kinds of its choices and of the events that follow."""
        phase, following = self.message["view"]["phase"], self.message["next"]
        verbs = {f"{phase} {group['verb']}" for group in self.message["choices"]}
        return {phase, *verbs, *(event["kind"] for event in (following or {}).get("events", ()))}


def file_of(game: str) -> Path:
    return REPO / "client" / "src" / "games" / game / "positions.generated.ts"


def record_names(game: str) -> list[str]:
    return [path.stem for path in sorted(FOLDER.glob(f"{game}-*.landfall"))]


def recorded_positions(record: str, only: Container[int] | None = None) -> Iterator[Recorded]:
    """The positions of a match after so many lines, or all, each as the seat that must choose sees it."""
    match = Match.replay((FOLDER / f"{record}.landfall").read_text())
    before, known = None, 0
    for lines, now in replay_line_by_line(match):
        if before is not None:
            seat = before.message["seat"]
            view = now.view(seat)
            before.message["next"] = {
                "action": match.log[lines - 1].action,
                "patch": make_patch(before.message["view"], view),
                "choices": project_choices(now, seat),
                "events": project_events(now, known, seat),
            }
            yield before
            before = None
        if only is not None and lines not in only:
            continue
        seat = max(now.actor, 0)
        known = len(now.state.events or [])
        message = {
            "from": f"{record}:{lines}",
            "seat": seat,
            "options": now.options,
            "view": now.view(seat),
            "choices": project_choices(now, seat),
            "events": project_events(now, max(0, known - MAX_EVENTS), seat),
            "next": None,
        }
        before = Recorded(record, lines, message)
    if before is not None:
        yield before


def choose_positions(game: str) -> list[Recorded]:
    """The cheapest first that shows most of what none before it does."""
    candidates = [
        (one, one.shows, len(one.text))
        for record in record_names(game)
        for one in recorded_positions(record)
        if sum(len(group["rows"]) for group in one.message["choices"]) <= MAX_CHOICES
    ]
    missing = set[str]().union(*(shows for _, shows, _ in candidates))
    chosen = []
    while missing:
        best, shows, _ = max(candidates, key=lambda one: len(one[1] & missing) / one[2])
        missing -= shows
        chosen.append(best)
    return sorted(chosen, key=lambda one: (one.message["view"]["phase"], one.record, one.lines))


def written_positions(game: str) -> dict[str, str]:
    """The positions in the client's file, by record and number of lines."""
    rows = [row.strip().removesuffix(",") for row in file_of(game).read_text(encoding="utf-8").splitlines()]
    return {json.loads(row)["from"]: row for row in rows if row.startswith("{")}


def main() -> None:
    for game in BUILT_IN_GAMES:
        chosen = choose_positions(game)
        text = HEAD + "".join(f"  {one.text},\n" for one in chosen) + "]\n"
        file_of(game).write_text(text, encoding="utf-8")
        print(f"{game}: {len(chosen)} positions, {len(text):,} characters")


if __name__ == "__main__":
    main()

"""A guide followed without a browser: somebody reads every lesson at once and plays as a bot does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from landfall.bots.contract import Seat
from landfall.bots.registry import make_bot
from landfall.core.rng import Rng
from landfall.core.state import OVER, list_choices_one_by_one
from landfall.guides import UI_ACTIONS, Guide, GuideContext, Lesson
from landfall.match import Match

AT_ONCE: Final = 2  # lessons that are only read, in one position: client/src/guide/guideCourse.svelte.ts has the same


class Course:
    """What client/src/guide/guideCourse.svelte.ts does with a guide, and a person who reads and tries everything."""

    def __init__(self, game: str, guide: Guide, seed: int, player: str = "greedy") -> None:
        self.guide = guide
        self.match = Match(game, guide["players"], rng=Rng(seed), position=guide["position"], **guide["options"])
        self.rng, self.bot = Rng(seed + 1), make_bot(player)
        self.met: list[str] = []
        self.shown: list[str] = []
        self.waiting: list[Lesson] = []
        self.now: Lesson | None = None
        self.seen = self.told = 0
        self.core = [one["id"] for one in guide["lessons"] if not one.get("extra")]

    @property
    def done(self) -> bool:
        return set(self.core) <= set(self.met)

    def moment(self, event: dict[str, Any] | None = None) -> GuideContext:
        seat = self.guide["seat"]
        match = self.match
        choices = list_choices_one_by_one(match.state, seat) if match.actor == seat and event is None else []
        return GuideContext(seat, match.view(seat), choices, event, self.met, UI_ACTIONS if self.now else ())

    def look(self, event: dict[str, Any] | None = None) -> None:
        """Meet what is due: a lesson that waits stays, all others are read."""
        while True:
            moment = self.moment(event)
            if self.now is not None and "until" in self.now and moment.satisfies(self.now["until"]):
                self.mark_lesson_met(self.now)
            elif self.now is not None and not moment.satisfies(self.now["when"]) and event is None:
                self.now = None
            fresh = [
                one
                for one in self.guide["lessons"]
                if one["id"] not in self.met and one not in self.waiting and one is not self.now
                and moment.satisfies(one["when"])
            ]  # fmt: skip
            if event is not None:
                self.waiting += [one for one in fresh if "event" in one["when"]]
                return
            due = next((one for one in fresh if one not in self.waiting), None) or next(iter(self.waiting), None)
            if due is None or self.now is not None:
                return
            waits = "until" in due and not due.get("read")
            if not waits and self.told >= AT_ONCE and due not in self.waiting:
                return
            self.waiting = [one for one in self.waiting if one is not due]
            self.shown.append(due["id"])
            if waits:
                self.now = due
                return
            self.told += 1
            self.mark_lesson_met(due)

    def mark_lesson_met(self, lesson: Lesson) -> None:
        self.met.append(lesson["id"])
        self.now = None

    def steps(self, most: int) -> Iterator[None]:
        """So many choices of the guide's seat, at most."""
        own = 0
        while own < most and self.match.actor != OVER:
            seat = self.match.actor
            self.told = 0
            if seat == self.guide["seat"]:
                own += 1
                self.look()
                yield
            world = self.match.state.resample(seat, self.rng)
            self.match.play(self.bot.choose(Seat(seat, self.match.game.name, world, self.rng, 0)))
            for event in self.match.events(self.seen, self.guide["seat"]):
                self.look(event)  # type: ignore[arg-type]
            self.seen = len(self.match.state.events or [])

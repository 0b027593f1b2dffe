"""Replays a recorded match as text, action by action."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape

from landfall.core import match_record as rec
from landfall.core.state import CHANCE, OVER
from landfall.match import OMNISCIENT
from landfall.terminal.translator import Translator

if TYPE_CHECKING:
    from landfall.core.state import State
    from landfall.match import Match


@dataclass(frozen=True)
class ReplayStep:
    """One action: its number from 1, its log line, the sentences of its events, and the position after it."""

    number: int
    line: str
    sentences: list[str]
    state: State


def iterate_replay_steps(match: Match, seat: int | None, teller: Translator) -> Iterator[ReplayStep]:
    """The match from its start, as `seat` may know it at its end."""
    events = match.events(seat=seat)
    lines = match.log_lines(seat)
    state = match.initial_state()
    seen = len(state.events or [])
    for number, entry in enumerate(match.log):
        state.apply(entry.action)
        now = len(state.events or [])
        who = teller.translate("cli.chance") if entry.actor == CHANCE else teller.names[entry.actor]
        line = f"{who}: {lines[number].removeprefix(rec.CHANCE_MARK)}"
        yield ReplayStep(number + 1, line, [teller.event_sentence(event) for event in events[seen:now]], state)
        seen = now


def print_replay(match: Match, seat: int | None, language: str, out: Console) -> None:
    """Print each action with its events, then the final standing."""
    teller = Translator(match.game, match.players, language)
    for step in iterate_replay_steps(match, seat, teller):
        out.print(f"{step.number:4} {escape(step.line)}", soft_wrap=True)
        for sentence in step.sentences:
            out.print(f"       {escape(sentence)}", soft_wrap=True)
    if match.state.actor == OVER:
        out.print(teller.translate("cli.over"))
        for line in teller.ranking_lines(match.state.ranking()):
            out.print(escape(line), soft_wrap=True)
    else:
        out.print(teller.translate("cli.turn", seat=match.actor) if match.actor >= 0 else teller.translate("why.LF.3"))
    if seat == OMNISCIENT:
        out.print(teller.translate("cli.digest", digest=match.state.digest()))

"""A recorded match told again, action by action."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape

from landfall.core import record as rec
from landfall.core.state import CHANCE, OVER
from landfall.match import OPEN, told
from landfall.text.wording import Teller

if TYPE_CHECKING:
    from landfall.match import Match


def retell(match: Match, seat: int | None, language: str, out: Console) -> None:
    """Print each action with the sentences of what came of it, as `seat` may know it; then how things stand."""
    teller = Teller(match.game, match.players, language)
    events = match.events(seat=seat)
    lines = match.lines(seat)
    state = match.fresh()
    seen = len(told(state, None))
    for number, entry in enumerate(match.log):
        state.apply(entry.action)
        who = teller.say("cli.chance") if entry.actor == CHANCE else teller.names[entry.actor]
        out.print(f"{number + 1:4} {who}: {escape(lines[number].removeprefix(rec.CHANCE_MARK))}", soft_wrap=True)
        now = len(state.events or [])
        for event in events[seen:now]:
            out.print(f"       {escape(teller.event(event))}", soft_wrap=True)
        seen = now
    if match.state.actor == OVER:
        out.print(teller.say("cli.over"))
        for line in teller.ranking(match.state.ranking()):
            out.print(escape(line), soft_wrap=True)
    else:
        out.print(teller.say("cli.turn", seat=match.actor) if match.actor >= 0 else teller.say("why.LF.3"))
    if seat == OPEN:
        out.print(teller.say("cli.digest", digest=match.state.digest()))

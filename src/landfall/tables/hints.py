"""Hints that teach: why a choice is good, in a sentence or two made from what the seat sees, and what else is."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from landfall.core.puzzle import Case
from landfall.core.rng import Rng
from landfall.core.state import State
from landfall.games import game as find_game
from landfall.games import has_part, part
from landfall.tables.thinkers import Question, seat_of

if TYPE_CHECKING:
    from landfall.tables.news import Idea, Reason

MOST: Final = 2  # reasons told
IDEAS: Final = 3  # other choices told
WORTH: Final = 0.1  # of the chance to win: what costs more is no idea
ALIKE: Final = 0.01  # what makes no difference
SAME: Final = 1e-6  # choices that lead to the same


def reasons(game: str, case: Case) -> list[Reason]:
    """The strongest reasons for a choice, at most MOST; none where the game declares none."""
    if not has_part(game, "reasons"):
        return []
    found = sorted(part(game, "reasons").reasons(case), key=lambda reason: -reason.strength)
    return [{"key": f"hint.{reason.key}", "args": reason.args} for reason in found[:MOST] if reason.strength > 0]


def explained(game: str, state: State, seat: int, action: int) -> list[Reason]:
    """Reasons for a choice in the true position, from what the seat knows: all else is drawn anew before it is read."""
    return reasons(game, Case(state.resample(seat, Rng(0)), seat, action))


def ideas(question: Question, action: int) -> tuple[list[Idea], bool]:
    """The best choices beside one, from what the seat knows, and whether the first of them is as good as that.

    The game's net judges them; where it is not, there are none.
    """
    if find_spec("numpy") is None:
        return [], False
    from landfall.analysis.chances import judged
    from landfall.bots.judge import NoNet

    try:
        found = judged(seat_of(question, 0.0), must=[action])
    except NoNet:
        return [], False
    chosen = next(choice for choice in found if choice.action == action)
    world, seen = find_game(question.game).from_bytes(question.world), [chosen.chance]
    told: list[Idea] = []
    for choice in found:
        if len(told) == IDEAS or choice.chance < found[0].chance - WORTH:
            break
        if choice.action != action and all(abs(choice.chance - other) > SAME for other in seen):
            seen.append(choice.chance)
            why = reasons(question.game, Case(world, question.seat, choice.action))
            told.append({"action": choice.action, "text": world.notation(choice.action), "why": why})
    return told, len(seen) > 1 and abs(seen[1] - chosen.chance) < ALIKE

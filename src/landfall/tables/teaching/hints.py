"""Hints that teach: reasons for a choice in a sentence or two, from what the seat sees, and alternatives."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from landfall.bots.contract import Seat
from landfall.core.puzzle import ChoiceCase
from landfall.core.rng import Rng
from landfall.core.state import State
from landfall.games import game as find_game
from landfall.games import game_module, has_game_module
from landfall.tables.bots.bot_pool import BotRequest, make_bot_seat

if TYPE_CHECKING:
    from landfall.tables.protocol.server_messages import Alternative, Reason

MAX_REASONS: Final = 2  # sent with a choice
MAX_ALTERNATIVES: Final = 3  # sent with a hint
MAX_ALTERNATIVE_LOSS: Final = 0.1  # of the win probability: a larger loss is no alternative
PLAN_LINES: Final = 4  # lines that the net compares for a plan
MAX_PLANNED_CHOICES: Final = 4  # named in a plan
EQUAL_CHANCE_MARGIN: Final = 0.01  # counts as equal
SAME_OUTCOME_EPSILON: Final = 1e-6  # choices with the same outcome


def strongest_reasons(game: str, case: ChoiceCase) -> list[Reason]:
    """The strongest reasons for a choice, at most MAX_REASONS; none if the game declares none."""
    if not has_game_module(game, "hint_reasons"):
        return []
    found = sorted(game_module(game, "hint_reasons").list_reasons(case), key=lambda reason: -reason.strength)
    return [{"key": f"hint.{reason.key}", "args": reason.args} for reason in found[:MAX_REASONS] if reason.strength > 0]


def reasons_for_choice(game: str, state: State, seat: int, action: int) -> list[Reason]:
    """Reasons for a choice in the true position, from the seat's knowledge: hidden information is resampled first."""
    return strongest_reasons(game, ChoiceCase(state.resample(seat, Rng(0)), seat, action))


def find_plan_reason(request: BotRequest, action: int) -> list[Reason]:
    """What the net would do next in the same step of the turn, after a choice, as one more reason.

    It names only what the seat can know before: a plan ends where something is turned over or drawn.
    """
    from landfall.bots.net_search_bot import NetSearchBot
    from landfall.bots.plan_sentence import notation_of_foreseeable_choices

    world = find_game(request.game).from_bytes(request.world)
    after = world.copy()
    after.apply(action)
    if world.is_setup() or after.actor != request.seat or after.step_key() != world.step_key():
        return []
    seat = Seat(request.seat, request.game, after, Rng(request.seed), 0.0)
    line = NetSearchBot(worlds=0, lines=PLAN_LINES).best_lines(seat, after)[0].actions
    texts = notation_of_foreseeable_choices(world, request.seat, [action, *line])[1 : 1 + MAX_PLANNED_CHOICES]
    return [{"key": "hint.plan", "args": {"later": texts}}] if texts else []


def find_alternatives(request: BotRequest, action: int) -> tuple[list[Alternative], bool, list[Reason]]:
    """The best other choices, from the seat's knowledge, whether the first of them is equally good, and the plan.

    The game's net evaluates them; without a net there are none.
    """
    if find_spec("numpy") is None:
        return [], False, []
    from landfall.analysis.win_probability import evaluate_choices
    from landfall.bots.value_net import MissingNet

    try:
        found = evaluate_choices(make_bot_seat(request, 0.0), must=[action])
    except MissingNet:
        return [], False, []
    chosen = next(choice for choice in found if choice.action == action)
    world, seen = find_game(request.game).from_bytes(request.world), [chosen.chance]
    alternatives: list[Alternative] = []
    for choice in found:
        if len(alternatives) == MAX_ALTERNATIVES or choice.chance < found[0].chance - MAX_ALTERNATIVE_LOSS:
            break
        if choice.action != action and all(abs(choice.chance - other) > SAME_OUTCOME_EPSILON for other in seen):
            seen.append(choice.chance)
            why = strongest_reasons(request.game, ChoiceCase(world, request.seat, choice.action))
            alternatives.append({"action": choice.action, "text": world.notation(choice.action), "why": why})
    alike = len(seen) > 1 and abs(seen[1] - chosen.chance) < EQUAL_CHANCE_MARGIN
    return alternatives, alike, find_plan_reason(request, action)

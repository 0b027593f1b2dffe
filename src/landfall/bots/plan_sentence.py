"""What a bot means to do next, in one sentence: the choices along the line that its search expects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from landfall.core.rng import Rng
from landfall.core.state import CHANCE, OVER
from landfall.core.text_catalogue import join_with_list_comma, translate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from landfall.bots.search.mcts_tree import SearchTree
    from landfall.core.state import State

MIN_VISITS: Final = 10  # below so many visits a search expects nothing
MAX_STEPS: Final = 12  # chance included
MAX_NAMED: Final = 4  # choices named in each part of the sentence

Line = list[tuple[int, int]]  # seats and their choices; chance left out


def most_visited_line(tree: SearchTree, first: int) -> Line:
    """The line of the most visits below the choice `first`, through the likeliest chance, as far as the tree knows."""
    state, row, line = tree.world.copy(), 0, Line()
    for _ in range(MAX_STEPS):
        children = []
        at = int(tree.first_child[row])
        while at >= 0:
            children.append((int(tree.visits[at]), -at, int(tree.action[at])))
            at = int(tree.next_sibling[at])
        if not line:
            children = [child for child in children if child[2] == first]
        visits, negative_row, action = max(children, default=(0, 0, -1))
        if state.actor == OVER or visits < MIN_VISITS or action < 0 or state.why_illegal(action) is not None:
            break
        if state.actor != CHANCE:
            line.append((int(state.actor), action))
        state.apply(action)
        row = -negative_row
    return line or [(int(tree.seat), first)]


def notation_of_foreseeable_choices(state: State, seat: int, line: Sequence[int]) -> list[str]:
    """A seat's own choices in notation, up to the first whose result the seat cannot know before."""
    here, other, texts = state.copy(), state.resample(seat, Rng(1)), []
    for action in line:
        if here.actor != seat or here.why_illegal(action) is not None or here.view(seat) != other.view(seat):
            break
        texts.append(here.notation(action))
        here.apply(action)
        other.apply(action)
    return texts


def notation_of_line(state: State, line: Line) -> list[tuple[int, str]]:
    """The choices of a line in notation. Chance between them falls as it may: a text that no longer fits ends it."""
    found, here, rng = [], state.copy(), Rng(1)
    for seat, action in line:
        while here.actor == CHANCE:
            here.apply(here.sample_chance(rng))
        if here.actor != seat or here.why_illegal(action) is not None:
            break
        found.append((seat, here.notation(action)))
        here.apply(action)
    return found


def plan_sentence(language: str, seat: int, steps: list[tuple[int, str]], colours: Sequence[str]) -> str:
    """The plan in one sentence; empty if it is no more than one choice.

    >>> plan_sentence("en", 0, [(0, "r3 NE"), (0, "r3 E"), (1, "b1 S"), (0, "sink D4")], ["red", "blue"])
    'The plan: r3 NE, r3 E; after blue b1 S, it goes on with sink D4.'
    """
    turn = next((i for i, (who, _) in enumerate(steps) if who != seat), len(steps))
    again = next((i for i in range(turn, len(steps)) if steps[i][0] == seat), len(steps))
    end = next((i for i in range(again, len(steps)) if steps[i][0] != seat), len(steps))
    now, reply, later = steps[:turn], steps[turn:again], steps[again:end]
    if len(steps) < 2:
        return ""
    args = {
        "now": join_with_list_comma(language, [text for _, text in now[:MAX_NAMED]]),
        "reply": join_with_list_comma(language, [f"{colours[who]} {text}" for who, text in reply[:MAX_NAMED]]),
        "later": join_with_list_comma(language, [text for _, text in later[:MAX_NAMED]]),
    }
    return translate(language, "plan.later" if later else "plan.reply" if reply else "plan.now", args)

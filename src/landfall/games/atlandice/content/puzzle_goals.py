# interpreted
"""The goals of this game's puzzles: what a choice reaches, as facts that a player can count on the table."""

from typing import Any, Final

from landfall.core.puzzle import ChoiceCase, Facts, Goal
from landfall.games.atlandice.content.hint_reasons import count_pieces, rivals_most, sector_view, stock_of

LIBRARY_WITH_ONE_MORE: Final = "library_c"  # one more piece with the second die of a round


def visited_sector(case: ChoiceCase) -> dict[str, Any] | None:
    """The place of an own visit."""
    return sector_view(case, str(case.choice["sector"])) if case.verb == "die" else None


def visit_gain(case: ChoiceCase) -> int:
    """How many pieces the visit surely brings: one, one more where the submarine is, and one more at library c."""
    there = visited_sector(case)
    if there is None:
        return 0
    second_die = bool(there["tile"] == LIBRARY_WITH_ONE_MORE and case.view["holders"][case.seat]["dice"] == 1)
    return min(count_pieces(there), 1 + bool(there["submarine"]) + second_die)


def next_pieces(case: ChoiceCase) -> set[str]:
    """The resources of which the same visit brings one more piece after this one."""
    if case.position_after.actor != case.seat or case.view_after["visit"] != case.view["visit"]:
        return set()
    choices = [case.position_after.describe(action) for action in case.position_after.legal_actions()]
    return {str(choice["resource"]) for choice in choices if choice["verb"] == "take"}


def resources_gained(case: ChoiceCase) -> dict[str, int]:
    """By resource that the choice can bring, how many the seat then has, before anything is scored and returned."""
    own = stock_of(case, case.seat)
    if case.verb == "take":
        first = str(case.choice["resource"])
        more = {resource: own[resource] + 1 + (resource == first) for resource in next_pieces(case)}
        return {first: own[first] + 1, **more}
    there = visited_sector(case)
    if there is None:
        return {}
    return {resource: own[resource] + min(many, visit_gain(case)) for resource, many in there["pieces"].items() if many}


def several(case: ChoiceCase) -> Facts | None:
    return {"n": visit_gain(case)} if visit_gain(case) > 1 else None


def empties(case: ChoiceCase) -> Facts | None:
    """The visit takes what is left of a district, which is then scored."""
    there = visited_sector(case)
    if there is None or there["sector"] == "black_market" or not 0 < count_pieces(there) <= visit_gain(case):
        return None
    return {}


def leaves(case: ChoiceCase) -> Facts | None:
    there = visited_sector(case)
    if there is None or there["sector"] == "black_market" or count_pieces(there) - visit_gain(case) < 1:
        return None
    return {"n": count_pieces(there) - visit_gain(case)}


def lead(case: ChoiceCase) -> Facts | None:
    """Alone in having the most of a resource, which the seat was not."""
    found = resources_gained(case)
    ahead = [r for r, n in found.items() if n > rivals_most(case, r) >= stock_of(case, case.seat)[r]]
    return {} if ahead else None


def level(case: ChoiceCase) -> Facts | None:
    """As many of a resource as whoever has the most."""
    found = resources_gained(case)
    return {} if any(n == rivals_most(case, r) > stock_of(case, case.seat)[r] for r, n in found.items()) else None


def new_kind(case: ChoiceCase) -> Facts | None:
    return {} if any(not stock_of(case, case.seat)[r] for r in resources_gained(case)) else None


def hold_most(case: ChoiceCase) -> Facts | None:
    """More of one resource than the seat has of any."""
    most = max(resources_gained(case).values(), default=0)
    return {"n": most} if most > max(stock_of(case, case.seat).values()) else None


def last_there(case: ChoiceCase) -> Facts | None:
    """Take the last piece of a district."""
    if case.verb != "take" or case.choice["sector"] == "black_market":
        return None
    return {} if count_pieces(sector_view(case, str(case.choice["sector"]))) == 1 else None


def neutral_gain(case: ChoiceCase) -> dict[str, tuple[int, int]]:
    """By resource that the neutral player can get by the choice, how many it would then have: at least, at most."""
    has = stock_of(case, len(case.view["holders"]) - 1)
    if case.verb == "take_neutral":
        resource = str(case.choice["resource"])
        return {resource: (has[resource] + 1, has[resource] + 1)}
    if case.verb != "die_neutral":
        return {}
    there = sector_view(case, str(case.choice["sector"]))
    taken = min(count_pieces(there), 1 + bool(there["submarine"]))
    return {
        resource: (has[resource] + max(1, taken - (count_pieces(there) - many)), has[resource] + min(many, taken))
        for resource, many in there["pieces"].items()
        if many
    }


def neutral_overtakes(case: ChoiceCase) -> Facts | None:
    """The neutral player comes level with a rival who has the most of a resource, or passes them."""
    neutral = len(case.view["holders"]) - 1
    for resource, (_, n) in neutral_gain(case).items():
        most = max(stock_of(case, i)[resource] for i in range(neutral) if i != case.seat)
        if n >= most > max(stock_of(case, neutral)[resource], stock_of(case, case.seat)[resource]):
            return {}
    return None


def neutral_behind(case: ChoiceCase) -> Facts | None:
    """The neutral player gets a piece of which the seat still has more."""
    return {} if any(stock_of(case, case.seat)[r] > n for r, (n, _) in neutral_gain(case).items()) else None


def berth(case: ChoiceCase) -> Facts | None:
    if case.verb != "submarine":
        return None
    return {"n": count_pieces(sector_view(case, str(case.choice["to"])))}


def berth_dice(case: ChoiceCase) -> Facts | None:
    if case.verb != "submarine":
        return None
    return {"dice": int(sector_view(case, str(case.choice["to"]))["dice"])}


GOALS: Final = [
    Goal("empties", empties),
    Goal("several", several, at_least=("n",)),
    Goal("lead", lead),
    Goal("level", level),
    Goal("new_kind", new_kind),
    Goal("last_there", last_there),
    Goal("hold", hold_most, at_least=("n",)),
    Goal("leaves", leaves, at_most=("n",)),
    Goal("neutral_overtakes", neutral_overtakes),
    Goal("neutral_behind", neutral_behind),
    Goal("berth", berth, at_least=("n",)),
    Goal("berth_dice", berth_dice, at_least=("dice",)),
]

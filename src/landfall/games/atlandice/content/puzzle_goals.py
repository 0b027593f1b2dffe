# interpreted
"""The goals of this game's puzzles: what a choice reaches, as facts that a player can count on the table."""

from typing import Any, Final

from landfall.core.puzzle import ChoiceCase, Facts, Goal
from landfall.games.atlandice.content import hint_reasons

LIBRARY_WITH_ONE_MORE: Final = "library_c"  # one more piece with the second die of a round


def visited_sector_view(case: ChoiceCase) -> dict[str, Any] | None:
    """The place of an own visit."""
    return hint_reasons.find_sector_in_view(case, str(case.choice["sector"])) if case.verb == "die" else None


def count_pieces_gained_by_visit(case: ChoiceCase) -> int:
    """How many pieces the visit surely brings: one, one more where the submarine is, and one more at library c."""
    there = visited_sector_view(case)
    if there is None:
        return 0
    second_die = bool(there["tile"] == LIBRARY_WITH_ONE_MORE and case.view["holders"][case.seat]["dice"] == 1)
    return min(hint_reasons.count_pieces_in_sector_view(there), 1 + bool(there["submarine"]) + second_die)


def next_piece_resources(case: ChoiceCase) -> set[str]:
    """The resources of which the same visit brings one more piece after this one."""
    if case.position_after.actor != case.seat or case.view_after["visit"] != case.view["visit"]:
        return set()
    choices = [case.position_after.action_to_dict(action) for action in case.position_after.legal_actions()]
    return {str(choice["resource"]) for choice in choices if choice["verb"] == "take"}


def resource_counts_after_choice(case: ChoiceCase) -> dict[str, int]:
    """By resource that the choice can bring, how many the seat then has, before anything is scored and returned."""
    own = hint_reasons.holder_stock(case, case.seat)
    if case.verb == "take":
        first = str(case.choice["resource"])
        more = {resource: own[resource] + 1 + (resource == first) for resource in next_piece_resources(case)}
        return {first: own[first] + 1, **more}
    there = visited_sector_view(case)
    if there is None:
        return {}
    return {
        resource: own[resource] + min(many, count_pieces_gained_by_visit(case))
        for resource, many in there["pieces"].items()
        if many
    }


def facts_if_visit_gains_several_pieces(case: ChoiceCase) -> Facts | None:
    return {"n": count_pieces_gained_by_visit(case)} if count_pieces_gained_by_visit(case) > 1 else None


def facts_if_visit_empties_district(case: ChoiceCase) -> Facts | None:
    """The visit takes what is left of a district, which is then scored."""
    there = visited_sector_view(case)
    if (
        there is None
        or there["sector"] == "black_market"
        or not 0 < hint_reasons.count_pieces_in_sector_view(there) <= count_pieces_gained_by_visit(case)
    ):
        return None
    return {}


def facts_if_visit_leaves_pieces(case: ChoiceCase) -> Facts | None:
    there = visited_sector_view(case)
    if (
        there is None
        or there["sector"] == "black_market"
        or hint_reasons.count_pieces_in_sector_view(there) - count_pieces_gained_by_visit(case) < 1
    ):
        return None
    return {"n": hint_reasons.count_pieces_in_sector_view(there) - count_pieces_gained_by_visit(case)}


def facts_if_sole_resource_lead_gained(case: ChoiceCase) -> Facts | None:
    """Alone in having the most of a resource, which the seat was not."""
    found = resource_counts_after_choice(case)
    ahead = [
        r
        for r, n in found.items()
        if n > hint_reasons.largest_rival_count(case, r) >= hint_reasons.holder_stock(case, case.seat)[r]
    ]
    return {} if ahead else None


def facts_if_resource_tie_gained(case: ChoiceCase) -> Facts | None:
    """As many of a resource as whoever has the most."""
    found = resource_counts_after_choice(case)
    return (
        {}
        if any(
            n == hint_reasons.largest_rival_count(case, r) > hint_reasons.holder_stock(case, case.seat)[r]
            for r, n in found.items()
        )
        else None
    )


def facts_if_new_resource_gained(case: ChoiceCase) -> Facts | None:
    return (
        {}
        if any(not hint_reasons.holder_stock(case, case.seat)[r] for r in resource_counts_after_choice(case))
        else None
    )


def facts_if_new_maximum_of_one_resource(case: ChoiceCase) -> Facts | None:
    """More of one resource than the seat has of any."""
    most = max(resource_counts_after_choice(case).values(), default=0)
    return {"n": most} if most > max(hint_reasons.holder_stock(case, case.seat).values()) else None


def facts_if_last_district_piece_taken(case: ChoiceCase) -> Facts | None:
    """Take the last piece of a district."""
    if case.verb != "take" or case.choice["sector"] == "black_market":
        return None
    return (
        {}
        if hint_reasons.count_pieces_in_sector_view(hint_reasons.find_sector_in_view(case, str(case.choice["sector"])))
        == 1
        else None
    )


def neutral_resource_bounds(case: ChoiceCase) -> dict[str, tuple[int, int]]:
    """By resource that the neutral player can get by the choice, how many it would then have: at least, at most."""
    has = hint_reasons.holder_stock(case, len(case.view["holders"]) - 1)
    if case.verb == "take_neutral":
        resource = str(case.choice["resource"])
        return {resource: (has[resource] + 1, has[resource] + 1)}
    if case.verb != "die_neutral":
        return {}
    there = hint_reasons.find_sector_in_view(case, str(case.choice["sector"]))
    taken = min(hint_reasons.count_pieces_in_sector_view(there), 1 + bool(there["submarine"]))
    return {
        resource: (
            has[resource] + max(1, taken - (hint_reasons.count_pieces_in_sector_view(there) - many)),
            has[resource] + min(many, taken),
        )
        for resource, many in there["pieces"].items()
        if many
    }


def facts_if_neutral_catches_leading_rival(case: ChoiceCase) -> Facts | None:
    """The neutral player comes level with a rival who has the most of a resource, or passes them."""
    neutral = len(case.view["holders"]) - 1
    for resource, (_, n) in neutral_resource_bounds(case).items():
        most = max(hint_reasons.holder_stock(case, i)[resource] for i in range(neutral) if i != case.seat)
        if (
            n
            >= most
            > max(
                hint_reasons.holder_stock(case, neutral)[resource], hint_reasons.holder_stock(case, case.seat)[resource]
            )
        ):
            return {}
    return None


def facts_if_neutral_stays_behind(case: ChoiceCase) -> Facts | None:
    """The neutral player gets a piece of which the seat still has more."""
    return (
        {}
        if any(hint_reasons.holder_stock(case, case.seat)[r] > n for r, (n, _) in neutral_resource_bounds(case).items())
        else None
    )


def piece_count_facts_if_submarine_moves(case: ChoiceCase) -> Facts | None:
    if case.verb != "submarine":
        return None
    return {
        "n": hint_reasons.count_pieces_in_sector_view(hint_reasons.find_sector_in_view(case, str(case.choice["to"])))
    }


def dice_count_facts_if_submarine_moves(case: ChoiceCase) -> Facts | None:
    if case.verb != "submarine":
        return None
    return {"dice": int(hint_reasons.find_sector_in_view(case, str(case.choice["to"]))["dice"])}


GOALS: Final = [
    Goal("empties", facts_if_visit_empties_district),
    Goal("several", facts_if_visit_gains_several_pieces, at_least=("n",)),
    Goal("lead", facts_if_sole_resource_lead_gained),
    Goal("level", facts_if_resource_tie_gained),
    Goal("new_kind", facts_if_new_resource_gained),
    Goal("last_there", facts_if_last_district_piece_taken),
    Goal("hold", facts_if_new_maximum_of_one_resource, at_least=("n",)),
    Goal("leaves", facts_if_visit_leaves_pieces, at_most=("n",)),
    Goal("neutral_overtakes", facts_if_neutral_catches_leading_rival),
    Goal("neutral_behind", facts_if_neutral_stays_behind),
    Goal("berth", piece_count_facts_if_submarine_moves, at_least=("n",)),
    Goal("berth_dice", dice_count_facts_if_submarine_moves, at_least=("dice",)),
]

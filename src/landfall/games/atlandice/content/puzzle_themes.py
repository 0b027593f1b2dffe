# interpreted
"""The themes of this game's puzzles, and the table settings they are mined from."""

from typing import Final

from landfall.core.puzzle import ChoiceCase, ChoicePlaces, PuzzleSet, Theme

SETUPS: Final[list[tuple[int, dict[str, object]]]] = [(3, {}), (4, {}), (2, {}), (4, {})]


def die_sector(case: ChoiceCase) -> str:
    """The sector a die is taken from."""
    return str(case.choice["sector"]) if case.verb in ("die", "die_neutral") else ""


def count_pieces_in_die_sector(case: ChoiceCase) -> int:
    """The number of pieces in the sector of the die."""
    lying = next(one for one in case.view["sectors"] if one["sector"] == die_sector(case))
    return sum(lying["pieces"].values())


def gains_resource_lead(case: ChoiceCase) -> bool:
    """Taking a piece gives the seat the most of its resource, alone or tied, which it did not have."""
    if case.verb != "take":
        return False
    resource = str(case.choice["resource"])
    return case.seat not in case.view["leaders"][resource] and case.seat in case.view_after["leaders"][resource]


THEMES: Final = [
    Theme("neutral", lambda case: case.verb in ("die_neutral", "take_neutral")),
    Theme(
        "turning", lambda case: die_sector(case) not in ("", "black_market") and count_pieces_in_die_sector(case) <= 2
    ),
    Theme("market", lambda case: die_sector(case) == "black_market"),
    Theme("diver", lambda case: die_sector(case) == case.view["submarine"], one_in=4),
    Theme("visit", lambda case: die_sector(case) != ""),
    Theme("lead", gains_resource_lead),
    Theme("take", lambda case: case.verb == "take"),
    Theme("submarine", lambda case: case.verb == "submarine"),
]


def first_place_points_lead(case: ChoiceCase) -> int:
    """How far the first is ahead of the second."""
    first, second, *_ = sorted(case.view["scores"], reverse=True)
    return int(first) - int(second)


SETS: Final = [
    PuzzleSet("waves", lambda case: case.view["clock"]["hand"] * 3 >= case.view["clock"]["last"] * 2),
    PuzzleSet("neutral", lambda case: int(case.state.players) == 2),
    PuzzleSet("close", lambda case: first_place_points_lead(case) == 0),
    PuzzleSet("four", lambda case: int(case.state.players) == 4),
]


def choice_places(case: ChoiceCase) -> ChoicePlaces:
    """The district of a die or a piece, or from where to where the submarine goes."""
    choice = case.choice
    begin = str(choice.get("from", choice.get("sector", "")))
    return ChoicePlaces([begin], [str(choice.get("to", choice.get("sector", begin)))])

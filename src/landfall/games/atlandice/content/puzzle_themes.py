# interpreted
"""The themes of this game's puzzles, and the table settings they are mined from."""

from typing import Final

from landfall.core.puzzle import ChoiceCase, ChoicePlaces, PuzzleSet, Theme

SETUPS: Final[list[tuple[int, dict[str, object]]]] = [(3, {}), (4, {}), (2, {}), (4, {})]


def goes_to(case: ChoiceCase) -> str:
    """The sector a die is taken from."""
    return str(case.choice["sector"]) if case.verb in ("die", "die_neutral") else ""


def pieces_left(case: ChoiceCase) -> int:
    """The number of pieces in the sector of the die."""
    lying = next(one for one in case.view["sectors"] if one["sector"] == goes_to(case))
    return sum(lying["pieces"].values())


def leads(case: ChoiceCase) -> bool:
    """Taking a piece gives the seat the most of its resource, alone or tied, which it did not have."""
    if case.verb != "take":
        return False
    resource = str(case.choice["resource"])
    return case.seat not in case.view["leaders"][resource] and case.seat in case.view_after["leaders"][resource]


THEMES: Final = [
    Theme("neutral", lambda case: case.verb in ("die_neutral", "take_neutral")),
    Theme("turning", lambda case: goes_to(case) not in ("", "black_market") and pieces_left(case) <= 2),
    Theme("market", lambda case: goes_to(case) == "black_market"),
    Theme("diver", lambda case: goes_to(case) == case.view["submarine"], one_in=4),
    Theme("visit", lambda case: goes_to(case) != ""),
    Theme("lead", leads),
    Theme("take", lambda case: case.verb == "take"),
    Theme("submarine", lambda case: case.verb == "submarine"),
]


def lead_in_points(case: ChoiceCase) -> int:
    """How far the first is ahead of the second."""
    first, second, *_ = sorted(case.view["scores"], reverse=True)
    return int(first) - int(second)


SETS: Final = [
    PuzzleSet("waves", lambda case: case.view["clock"]["hand"] * 3 >= case.view["clock"]["last"] * 2),
    PuzzleSet("neutral", lambda case: int(case.state.players) == 2),
    PuzzleSet("close", lambda case: lead_in_points(case) == 0),
    PuzzleSet("four", lambda case: int(case.state.players) == 4),
]


def places(case: ChoiceCase) -> ChoicePlaces:
    """The district of a die or a piece, or from where to where the submarine goes."""
    choice = case.choice
    begin = str(choice.get("from", choice.get("sector", "")))
    return ChoicePlaces([begin], [str(choice.get("to", choice.get("sector", begin)))])

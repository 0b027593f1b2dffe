# interpreted
"""The themes of this game's puzzles, and the table settings they are mined from."""

from typing import Final

from landfall.core.puzzle import ChoiceCase, Theme

SETUPS: Final[list[tuple[int, dict[str, object]]]] = [(3, {}), (4, {}), (2, {}), (4, {})]
EFFECTS: Final = ("pick", "swap", "move", "change", "die_to")


def goes_to(case: ChoiceCase) -> str:
    """The sector a die is taken from."""
    return str(case.choice["sector"]) if case.verb in ("die", "die_neutral") else ""


def left(case: ChoiceCase) -> int:
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
    Theme("turning", lambda case: goes_to(case) not in ("", "black_market") and left(case) <= 2),
    Theme("market", lambda case: goes_to(case) == "black_market"),
    Theme("diver", lambda case: goes_to(case) == case.view["submarine"], one_in=4),
    Theme("visit", lambda case: goes_to(case) != ""),
    Theme("lead", leads),
    Theme("take", lambda case: case.verb == "take"),
    Theme("submarine", lambda case: case.verb == "submarine"),
    Theme("effect", lambda case: case.verb in EFFECTS),
]

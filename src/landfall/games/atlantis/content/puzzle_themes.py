# interpreted
"""The themes of this game's puzzles, and the table settings they are mined from."""

from typing import Final

from landfall.core.puzzle import ChoiceCase, Theme

SETUPS: Final[list[tuple[int, dict[str, object]]]] = [(3, {}), (4, {}), (2, {}), (4, {})]
HIGH_VALUE: Final = 5  # the value of a valuable tile


def takes(case: ChoiceCase) -> int:
    """The value of the tile that a move takes at once; 0 if none."""
    return max((int(event["value"]) for event in case.events_of_kind("took")), default=0)


def moves(case: ChoiceCase) -> bool:
    return case.verb in ("move", "move_pay")


THEMES: Final = [
    Theme("ashore", lambda case: moves(case) and case.choice["to"] == "mainland"),
    Theme("stone", lambda case: case.verb == "hop"),
    Theme("crossing", lambda case: case.verb == "move_pay"),
    Theme("treasure", lambda case: case.verb == "move" and takes(case) >= HIGH_VALUE),
    Theme("start", lambda case: case.verb == "move" and case.choice["from"] == "atlantis"),
    Theme("stride", lambda case: case.verb == "move"),
    Theme("bridge", lambda case: case.verb == "bridge"),
    Theme("trade", lambda case: case.verb == "buy"),
    Theme("bill", lambda case: case.verb in ("pay_tile", "pay_card")),
]

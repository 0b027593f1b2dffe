# interpreted
"""The themes of this game's puzzles, and the table settings they are mined from."""

from typing import Final

from landfall.core.puzzle import ChoiceCase, ChoicePlaces, PuzzleSet, Theme

SETUPS: Final[list[tuple[int, dict[str, object]]]] = [(3, {}), (4, {}), (2, {}), (4, {})]
HIGH_VALUE: Final = 5  # the value of a valuable tile
MANY_GAPS: Final = 8


def tile_value_taken_at_once(case: ChoiceCase) -> int:
    """The value of the tile that a move takes at once; 0 if none."""
    return max((int(event["value"]) for event in case.immediate_public_events_of_kind("took")), default=0)


def is_move_without_hop(case: ChoiceCase) -> bool:
    return case.verb in ("move", "move_pay")


THEMES: Final = [
    Theme("ashore", lambda case: is_move_without_hop(case) and case.choice["to"] == "mainland"),
    Theme("stone", lambda case: case.verb == "hop"),
    Theme("crossing", lambda case: case.verb == "move_pay"),
    Theme("treasure", lambda case: case.verb == "move" and tile_value_taken_at_once(case) >= HIGH_VALUE),
    Theme("start", lambda case: case.verb == "move" and case.choice["from"] == "atlantis"),
    Theme("stride", lambda case: case.verb == "move"),
    Theme("bridge", lambda case: case.verb == "bridge"),
    Theme("trade", lambda case: case.verb == "buy"),
    Theme("bill", lambda case: case.verb in ("pay_tile", "pay_card")),
]


def count_own_figures_at(case: ChoiceCase, place: str) -> int:
    """How many of the seat's figures are there."""
    return sum(at == place for at in case.view["seats"][case.seat]["figures"].values())


SETS: Final = [
    PuzzleSet("last_steps", lambda case: count_own_figures_at(case, "mainland") == 2),
    PuzzleSet("on_atlantis", lambda case: count_own_figures_at(case, "atlantis") > 0),
    PuzzleSet("broken", lambda case: len(case.view["gaps"]) >= MANY_GAPS),
    PuzzleSet("duel", lambda case: int(case.state.players) == 2),
]


def choice_places(case: ChoiceCase) -> ChoicePlaces:
    """A figure and its destination, the gap of a bridge, or what is paid; nothing if the bridge is kept."""
    choice = case.choice
    if case.verb == "bridge":
        return ChoicePlaces([str(choice["at"])], [str(choice["at"])])
    if case.verb in ("buy", "pay_tile"):
        tile = f"tile {choice['tile']}{choice['value']}"
        return ChoicePlaces([tile], [tile])
    if case.verb == "pay_card":
        return ChoicePlaces([f"card {choice['card']}"], [f"card {choice['card']}"])
    if case.verb == "no_bridge":
        return ChoicePlaces([], [])
    return ChoicePlaces([str(choice["from"])], [str(choice["to"])])


def places_shown_for_hand_choice(case: ChoiceCase) -> list[str]:
    """Where the seat's figures are: the picture of a choice made in the hand."""
    return [str(place) for place in case.view["seats"][case.seat]["figures"].values()]

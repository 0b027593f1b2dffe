# interpreted
"""The themes of this game's puzzles, and the table settings they are mined from."""

from typing import Final

from landfall.core.puzzle import ChoiceCase, ChoicePlaces, PuzzleSet, Theme

SETUPS: Final[list[tuple[int, dict[str, object]]]] = [
    (4, {}),
    (3, {}),
    (4, {}),
    (4, {"dolphins": True, "squid": "with_whales"}),
]
BY_SHIP: Final = ("sail", "wind", "drift", "fetch")
ON_FOOT: Final = ("walk", "enter_water", "swim", "swim_with_dolphin", "dive", "swim_by_dolphin")
CREATURES: Final = ("move", "send")
LAST_TILES: Final = 14  # so few of the island: the volcano is near


def own_colour_letters(case: ChoiceCase) -> tuple[str, ...]:
    """The letters of the seat's own colours."""
    return tuple(colour[0] for colour in case.view["seats"][case.seat]["colours"])


def count_own_and_others_on_moved_ship(case: ChoiceCase) -> tuple[int, int]:
    """How many of the seat's own and of others' explorers are aboard the moved ship."""
    crew = case.view["aboard"].get(str(case.choice.get("from", "")), [])
    mine = sum(piece.startswith(own_colour_letters(case)) for piece in crew)
    return mine, len(crew) - mine


def does_creature_strike_others(case: ChoiceCase) -> bool:
    """A creature moves onto others' explorers or ships."""
    return case.verb in CREATURES and bool(case.state.immediate_losses(case.action)[1])


def does_creature_wreck_crew(case: ChoiceCase) -> bool:
    """The same with explorers aboard."""
    afloat = {piece for crew in case.view["aboard"].values() for piece in crew}
    return case.verb in CREATURES and any(piece in afloat for piece in case.state.immediate_losses(case.action)[1])


def is_move_of_own_explorer_at_sea(case: ChoiceCase) -> bool:
    """The choice moves an own explorer that is in the water or aboard a ship."""
    return case.verb in ON_FOOT and str(case.choice["from"]) not in case.view["tiles"]


THEMES: Final = [
    Theme("ashore", lambda case: case.verb == "land", one_in=2),
    Theme("wreck", does_creature_wreck_crew),
    Theme("strike", does_creature_strike_others),
    Theme("lurk", lambda case: case.verb in CREATURES),
    Theme(
        "shared",
        lambda case: (
            case.verb in BY_SHIP
            and count_own_and_others_on_moved_ship(case)[0] > 0
            and count_own_and_others_on_moved_ship(case)[1] > 0
        ),
    ),
    Theme("crew", lambda case: case.verb in BY_SHIP and count_own_and_others_on_moved_ship(case)[0] > 0),
    Theme("errand", lambda case: case.verb in BY_SHIP),
    Theme("aboard", lambda case: case.verb in ("embark", "board", "pick_boarding")),
    Theme("swimmer", is_move_of_own_explorer_at_sea),
    Theme("sink", lambda case: case.verb == "sink"),
    Theme("afoot", lambda case: case.verb in ON_FOOT),
]


def is_creature_kind_in_play(case: ChoiceCase, kind: str) -> bool:
    return any(one == kind for _, one, _ in case.view["creatures"])


SETS: Final = [
    PuzzleSet("colours", lambda case: any(len({p[0] for p in crew}) == 3 for crew in case.view["aboard"].values())),
    PuzzleSet("volcano", lambda case: len(case.view["tiles"]) <= LAST_TILES),
    PuzzleSet("whale", lambda case: is_creature_kind_in_play(case, "whale")),
    PuzzleSet("shark", lambda case: is_creature_kind_in_play(case, "shark")),
]


def choice_places(case: ChoiceCase) -> ChoicePlaces:
    """The piece's space and its destination."""
    origin, to = case.choice.get("from"), case.choice.get("to")
    begin = [str(origin)] if origin else [str(to)] if to else []
    return ChoicePlaces(begin, [str(to)] if to else begin)

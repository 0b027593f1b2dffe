# interpreted
"""The goals of this game's puzzles: what a choice reaches, as facts that a player can count on the board."""

from typing import Any, Final, cast

from landfall.core.puzzle import ChoiceCase, Facts, Goal
from landfall.games.survive.content import hint_reasons, puzzle_themes
from landfall.games.survive.rules import board, options
from landfall.games.survive.rules.position import SurvivePosition


def is_sea_space(view: Any, place: str) -> bool:
    return place in board.BY_NAME and board.BY_NAME[place] < board.SPACES and place not in view["tiles"]


def split_removed_explorers(case: ChoiceCase) -> tuple[list[str], list[str]]:
    """The explorers that the choice removes at once: the seat's own, then others'."""
    gone = [
        str(event["piece"])
        for event in case.immediate_public_events_of_kind("removed")
        if event["piece"] in case.view["explorers"]
    ]
    mine = [piece for piece in gone if piece.startswith(puzzle_themes.own_colour_letters(case))]
    return mine, [piece for piece in gone if piece not in mine]


def facts_if_only_rivals_removed(case: ChoiceCase) -> Facts | None:
    mine, others = split_removed_explorers(case)
    return {"n": len(others)} if others and not mine else None


def facts_if_only_one_rival_colour_removed(case: ChoiceCase) -> Facts | None:
    """All that the choice removes have one colour."""
    mine, others = split_removed_explorers(case)
    if mine or len({piece[0] for piece in others}) != 1:
        return None
    colour = next(one for seat in case.view["seats"] for one in seat["colours"] if others[0].startswith(one[0]))
    return {"colour": colour, "n": len(others)}


def facts_if_creature_wrecks_rival_ship(case: ChoiceCase) -> Facts | None:
    """A ship breaks with so many of others aboard, and none of the seat's own."""
    if case.verb not in puzzle_themes.CREATURES:
        return None
    crew = case.view["aboard"].get(str(case.choice["to"]), [])
    broken = case.choice["to"] in case.view["aboard"] and case.choice["to"] not in case.view_after["aboard"]
    mine = sum(piece.startswith(puzzle_themes.own_colour_letters(case)) for piece in crew)
    return {"n": len(crew)} if broken and crew and not mine else None


def facts_if_explorer_landed(case: ChoiceCase) -> Facts | None:
    return {"n": int(case.view_after["seats"][case.seat]["saved"])} if case.verb == "land" else None


def is_moved_from_ship(case: ChoiceCase) -> bool:
    return any(case.choice.get("piece") in crew for crew in case.view["aboard"].values())


def facts_if_passenger_landed(case: ChoiceCase) -> Facts | None:
    return {} if case.verb == "land" and is_moved_from_ship(case) else None


def facts_if_swimmer_landed(case: ChoiceCase) -> Facts | None:
    return {} if case.verb == "land" and not is_moved_from_ship(case) else None


def facts_if_isle_reached(case: ChoiceCase) -> Facts | None:
    return {"isle": str(case.choice["to"])} if case.verb == "land" else None


def count_own_sailing_unharmed(case: ChoiceCase) -> int:
    """How many of the seat's own sail with the choice and come to no harm."""
    return (
        puzzle_themes.count_own_and_others_on_moved_ship(case)[0]
        if case.verb in puzzle_themes.BY_SHIP and not split_removed_explorers(case)[0]
        else 0
    )


def does_own_explorer_swim_unharmed(case: ChoiceCase) -> bool:
    """Whether an own explorer is in the water after the choice, unharmed."""
    return (
        case.verb in puzzle_themes.ON_FOOT
        and is_sea_space(case.view, str(case.choice["to"]))
        and not split_removed_explorers(case)[0]
    )


def facts_if_own_crew_reaches_landing(case: ChoiceCase) -> Facts | None:
    mine = count_own_sailing_unharmed(case)
    if (
        not mine
        or hint_reasons.distance_to_landing(str(case.choice["to"]))
        or not hint_reasons.distance_to_landing(str(case.choice["from"]))
    ):
        return None
    return {"n": mine}


def facts_if_own_crew_nears_landing(case: ChoiceCase) -> Facts | None:
    mine = count_own_sailing_unharmed(case)
    d = hint_reasons.distance_to_landing(str(case.choice["to"])) if mine else 0
    return {"n": mine, "d": d} if 0 < d < hint_reasons.distance_to_landing(str(case.choice["from"])) else None


def facts_if_swum_to_landing(case: ChoiceCase) -> Facts | None:
    if not does_own_explorer_swim_unharmed(case):
        return None
    return (
        {}
        if hint_reasons.distance_to_landing(str(case.choice["to"]))
        == 0
        < hint_reasons.distance_to_landing(str(case.choice["from"]))
        else None
    )


def facts_if_swum_nearer_to_landing(case: ChoiceCase) -> Facts | None:
    if not does_own_explorer_swim_unharmed(case):
        return None
    d = hint_reasons.distance_to_landing(str(case.choice["to"]))
    return {"d": d} if 0 < d < hint_reasons.distance_to_landing(str(case.choice["from"])) else None


def count_own_within_creature_reach(case: ChoiceCase, view: Any) -> int:
    """How many of the seat's own explorers at sea a shark, whale or sea serpent could reach with its next move."""
    afloat = {piece for crew in view["aboard"].values() for piece in crew}
    return sum(
        any(
            hint_reasons.distance_between_spaces(str(at), str(place)) <= hint_reasons.REACH[kind]
            for _, kind, at in view["creatures"]
            if kind in hint_reasons.REACH and (kind == "serpent" or (kind == "whale") == (piece in afloat))
        )
        for piece, place in view["explorers"].items()
        if piece.startswith(puzzle_themes.own_colour_letters(case)) and is_sea_space(view, str(place))
    )


def facts_if_fewer_own_within_creature_reach(case: ChoiceCase) -> Facts | None:
    """Not with dive dice or squids: these creatures reach further (SV.N2, SV.Q3)."""
    rules = cast("SurvivePosition", case.state).rules
    if rules.dolphins or rules.squid != options.NO_SQUID:
        return None
    fewer = count_own_within_creature_reach(case, case.view) - count_own_within_creature_reach(case, case.view_after)
    return {"n": fewer} if fewer > 0 and not split_removed_explorers(case)[0] else None


def facts_if_new_maximum_own_aboard(case: ChoiceCase) -> Facts | None:
    """More of the seat's own on one ship than on any before."""
    if case.verb not in ("embark", "board", "pick_boarding"):
        return None
    before, after = (
        [
            sum(piece.startswith(puzzle_themes.own_colour_letters(case)) for piece in crew)
            for crew in view["aboard"].values()
        ]
        for view in (case.view, case.view_after)
    )
    return {"n": max(after)} if max(after) > max(before) else None


def facts_if_last_seat_taken(case: ChoiceCase) -> Facts | None:
    if case.verb not in ("embark", "board", "pick_boarding"):
        return None
    return {} if len(case.view_after["aboard"].get(str(case.choice["to"]), [])) == hint_reasons.SEATS_PER_SHIP else None


def facts_if_free_seat_reached(case: ChoiceCase) -> Facts | None:
    """An explorer comes next to a ship with a free seat, and was not."""
    if case.verb not in puzzle_themes.ON_FOOT or split_removed_explorers(case)[0]:
        return None
    ships = [
        str(at) for _, at in case.view["ships"] if len(case.view["aboard"].get(at, [])) < hint_reasons.SEATS_PER_SHIP
    ]
    before = min((hint_reasons.distance_between_spaces(str(case.choice["from"]), at) for at in ships), default=99)
    return (
        {}
        if min((hint_reasons.distance_between_spaces(str(case.choice["to"]), at) for at in ships), default=99)
        <= 1
        < before
        else None
    )


GOALS: Final = [
    Goal("wreck", facts_if_creature_wrecks_rival_ship, at_least=("n",)),
    Goal("take_rivals", facts_if_only_rivals_removed, at_least=("n",)),
    Goal("take_one_rival", facts_if_only_one_rival_colour_removed, at_least=("n",)),
    Goal("ashore", facts_if_explorer_landed, at_least=("n",)),
    Goal("ashore_passenger", facts_if_passenger_landed),
    Goal("ashore_swimmer", facts_if_swimmer_landed),
    Goal("ashore_isle", facts_if_isle_reached),
    Goal("arrive", facts_if_own_crew_reaches_landing, at_least=("n",)),
    Goal("approach", facts_if_own_crew_nears_landing, at_least=("n",), at_most=("d",)),
    Goal("swim_in", facts_if_swum_to_landing),
    Goal("swim_near", facts_if_swum_nearer_to_landing, at_most=("d",)),
    Goal("escape", facts_if_fewer_own_within_creature_reach, at_least=("n",)),
    Goal("last_seat", facts_if_last_seat_taken),
    Goal("board", facts_if_new_maximum_own_aboard, at_least=("n",)),
    Goal("to_ship", facts_if_free_seat_reached),
]

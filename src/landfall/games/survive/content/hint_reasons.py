# interpreted
"""Reasons for a choice, with numbers that a player can count on the board: for hints and puzzles.

They use only what the seat sees: its view before and after the choice, and the public events.
"""

from typing import Any, Final

from landfall.core.puzzle import ChoiceCase, Reason
from landfall.games.survive.content import puzzle_themes
from landfall.games.survive.rules import board

REACH: Final = {"shark": 2, "whale": 3, "serpent": 1}  # spaces that a creature moves at most
SEATS_PER_SHIP: Final = 3


def list_reasons(case: ChoiceCase) -> list[Reason]:
    """All reasons for the choice."""
    out = [Reason("strikes", {"n": n}, 4.0 * n)] if (n := len(case.state.immediate_losses(case.action)[1])) else []
    if case.verb == "land":
        out.append(Reason("safe", {"n": case.view_after["seats"][case.seat]["saved"]}, 9.0))
    elif case.verb in puzzle_themes.CREATURES:
        out += creature_reasons(case)
    elif case.verb in puzzle_themes.BY_SHIP:
        out += ship_reasons(case)
    elif case.verb in ("embark", "board", "pick_boarding"):
        out += boarding_reasons(case)
    elif case.verb in puzzle_themes.ON_FOOT:
        out += explorer_reasons(case)
    elif case.verb == "sink":
        out += sinking_reasons(case)
    elif case.verb == "pass" and case.view["phase"] == "hand":
        kept = len(case.view["seats"][case.seat]["hand"])
        out.append(Reason("keeps", {"n": kept}, 1.0))
    return out


def distance_between_spaces(a: str, b: str) -> int:
    """The distance of two spaces."""
    return int(board.APART[board.BY_NAME[a] * int(board.SPACES) + board.BY_NAME[b]])


def distance_to_landing(space: str) -> int:
    """The distance to the nearest landing space."""
    return int(board.TO_LANDING[board.BY_NAME[space]])


def find_prey_at_sea(view: Any, creature: str) -> dict[str, str]:
    """The explorers a creature can harm, and where: sharks harm swimmers, whales those aboard, serpents both."""
    afloat = {piece for crew in view["aboard"].values() for piece in crew}
    found = {}
    for piece, at in view["explorers"].items():
        if at in board.BY_NAME and board.BY_NAME[at] < board.SPACES and at not in view["tiles"]:
            if creature == "serpent" or (piece in afloat) == (creature == "whale"):
                found[piece] = at
    return found


def count_own_and_others_in_reach(case: ChoiceCase, view: Any, creature: str, at: str) -> tuple[int, int]:
    """How many of the seat's own and of others' explorers a creature there could reach with its next move."""
    near = [
        piece
        for piece, place in find_prey_at_sea(view, creature).items()
        if distance_between_spaces(at, place) <= REACH[creature]
    ]
    mine = sum(piece.startswith(puzzle_themes.own_colour_letters(case)) for piece in near)
    return mine, len(near) - mine


def creature_reasons(case: ChoiceCase) -> list[Reason]:
    kind, origin, to = (str(case.choice[word]) for word in ("creature", "from", "to"))
    if kind not in REACH:
        return []
    mine, _ = count_own_and_others_in_reach(case, case.view, kind, origin)
    still, others = count_own_and_others_in_reach(case, case.view_after, kind, to)
    out = []
    if others > 0:
        out.append(Reason("threatens", {"creature": kind, "n": others, "reach": REACH[kind]}, 1.5 * others - still))
    if mine > still:
        out.append(Reason("frees", {"creature": kind, "n": mine - still, "reach": REACH[kind]}, 2.0 * (mine - still)))
    return out


def ship_reasons(case: ChoiceCase) -> list[Reason]:
    mine, others = puzzle_themes.count_own_and_others_on_moved_ship(case)
    origin, to = str(case.choice["from"]), str(case.choice["to"])
    out = []
    if mine and distance_to_landing(to) < distance_to_landing(origin):
        away = distance_to_landing(to)
        out.append(
            Reason("nearer", {"n": mine, "d": away}, 2.0 * mine) if away else Reason("arrives", {"n": mine}, 6.0)
        )
    if mine and others:
        out.append(Reason("steers", {"n": mine, "all": mine + others}, 1.0))
    return out


def boarding_reasons(case: ChoiceCase) -> list[Reason]:
    crew = case.view_after["aboard"].get(str(case.choice["to"]), [])
    mine = sum(piece.startswith(puzzle_themes.own_colour_letters(case)) for piece in crew)
    out = []
    if mine:
        alone = mine == len(crew)
        out.append(Reason("boards_alone", {}, 3.0) if alone else Reason("boards", {"n": mine, "all": len(crew)}, 3.0))
    if len(crew) == SEATS_PER_SHIP:
        out.append(Reason("last_seat", {}, 2.0))
    return out + escape_reasons(case)


def explorer_reasons(case: ChoiceCase) -> list[Reason]:
    origin, to = str(case.choice["from"]), str(case.choice["to"])
    out = escape_reasons(case)
    if to in board.BY_NAME and to not in case.view["tiles"]:
        if 0 < distance_to_landing(to) < distance_to_landing(origin):
            out.append(Reason("swims", {"d": distance_to_landing(to)}, 2.0))
        elif distance_to_landing(to) == 0 < distance_to_landing(origin):
            out.append(Reason("swims_in", {}, 5.0))
    else:
        ships = [str(at) for _, at in case.view["ships"] if len(case.view["aboard"].get(at, [])) < SEATS_PER_SHIP]
        nearest = min((distance_between_spaces(to, at) for at in ships), default=99)
        if nearest < min((distance_between_spaces(origin, at) for at in ships), default=99):
            out.append(Reason("to_ship", {"d": nearest}, 1.5))
    return out


def escape_reasons(case: ChoiceCase) -> list[Reason]:
    """A creature that takes swimmers is nearer before the choice than after it."""
    origin, to = str(case.choice.get("from", "")), str(case.choice["to"])
    if origin not in board.BY_NAME or origin in case.view["tiles"]:
        return []
    near = [
        (distance_between_spaces(origin, at), kind, at)
        for _, kind, at in case.view["creatures"]
        if kind in ("shark", "serpent")
    ]
    away, kind, at = min(near, default=(99, "", ""))
    if away > REACH.get(kind, 0) or (
        to in board.BY_NAME and board.BY_NAME[to] < board.SPACES and distance_between_spaces(to, at) <= away
    ):
        return []
    return [Reason("escapes", {"creature": kind, "d": away}, 4.0)]


def sinking_reasons(case: ChoiceCase) -> list[Reason]:
    there = [piece for piece, at in case.view["explorers"].items() if at == case.choice["to"]]
    mine = sum(piece.startswith(puzzle_themes.own_colour_letters(case)) for piece in there)
    if len(there) > mine:
        return [Reason("drops", {"n": len(there) - mine, "mine": mine}, 2.0 * (len(there) - 2 * mine))]
    return [] if mine else [Reason("nobody", {}, 0.5)]

"""The figures of reasons, counted a second time from what the seat sees, by other ways than the reasons' own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from landfall.core.hex_grid import hex_distance
from landfall.core.puzzle import ChoiceCase
from landfall.core.state import list_choices_one_by_one
from landfall.games.survive.rules.board import BY_NAME, HEXES, LANDINGS
from landfall.tables.protocol.server_messages import Reason

Args = dict[str, Any]


def find_false_reasons(game: str, case: ChoiceCase, told: list[Reason]) -> list[str]:
    """The reasons whose figures are not those of the position."""
    return [why["key"] for why in told if not CHECKS[game](case, why["key"].partition(".")[2], why["args"])]


# --- Survive ------------------------------------------------------------------------------------------------------


def space_distance(a: str, b: str) -> int:
    return hex_distance(HEXES[BY_NAME[a]], HEXES[BY_NAME[b]])


def distance_to_landing(space: str) -> int:
    return min(hex_distance(HEXES[BY_NAME[space]], at) for isle in LANDINGS for at in isle)


def survive(case: ChoiceCase, key: str, args: Args) -> Any:
    view, after, choice = case.view, case.view_after, case.choice
    letters = {colour[0] for colour in view["seats"][case.seat]["colours"]}
    mine = {piece for piece in view["explorers"] if piece[0] in letters}
    crew = view["aboard"].get(choice.get("from"), [])
    swims = {"shark": 2, "whale": 3, "serpent": 1}

    def near(seen: Any, kind: str, at: str, own: bool) -> int:
        afloat = [piece for one in seen["aboard"].values() for piece in one]
        return sum(
            (piece in mine) == own
            and not place.startswith("@")
            and place != "lost"
            and place not in seen["tiles"]
            and (kind == "serpent" or (kind == "whale") == (piece in afloat))
            and space_distance(at, place) <= swims[kind]
            for piece, place in seen["explorers"].items()
        )

    match key:
        case "safe":
            return args["n"] == sum(after["explorers"][piece].startswith("@") for piece in mine)
        case "strikes":
            every = {one["action"]: one for one in list_choices_one_by_one(case.state, case.seat)}
            hits = every[case.action]["hits"]
            return isinstance(hits, list) and args["n"] == len(hits)
        case "threatens":
            kind = args["creature"]
            return args["n"] == near(after, kind, choice["to"], False) and args["reach"] == swims[kind]
        case "frees":
            kind = args["creature"]
            return args["n"] == near(view, kind, choice["from"], True) - near(after, kind, choice["to"], True)
        case "nearer":
            return args["n"] == len(mine & set(crew)) and args["d"] == distance_to_landing(
                choice["to"]
            ) < distance_to_landing(choice["from"])
        case "arrives":
            return args["n"] == len(mine & set(crew)) and distance_to_landing(choice["to"]) == 0
        case "swims_in":
            return distance_to_landing(choice["to"]) == 0 < distance_to_landing(choice["from"])
        case "steers":
            return args["n"] == len(mine & set(crew)) and args["all"] == len(crew) > args["n"]
        case "boards":
            then = after["aboard"][choice["to"]]
            return args["n"] == len(mine & set(then)) and args["all"] == len(then)
        case "boards_alone":
            return set(after["aboard"][choice["to"]]) <= mine
        case "last_seat":
            return len(after["aboard"][choice["to"]]) == 3
        case "escapes":
            kinds = [(space_distance(choice["from"], at), kind) for _, kind, at in view["creatures"]]
            return (args["d"], args["creature"]) == min(one for one in kinds if one[1] in ("shark", "serpent"))
        case "swims":
            return args["d"] == distance_to_landing(choice["to"]) < distance_to_landing(choice["from"])
        case "to_ship":
            free = [at for _, at in view["ships"] if len(view["aboard"].get(at, [])) < 3]
            return args["d"] == min(space_distance(choice["to"], at) for at in free)
        case "drops":
            there = {piece for piece, at in view["explorers"].items() if at == choice["to"]}
            return args["n"] == len(there - mine) and args["mine"] == len(there & mine)
        case "nobody":
            return choice["to"] not in view["explorers"].values()
        case "keeps":
            return args["n"] == len(view["hand"])
    return False


# --- Atlantis -----------------------------------------------------------------------------------------------------


def atlantis(case: ChoiceCase, key: str, args: Args) -> Any:
    view, choice = case.view, case.choice
    me = view["seats"][case.seat]
    order = {"atlantis": 0, "mainland": 54, **{str(at): at for at in range(1, 54)}}
    match key:
        case "takes" | "takes_free":
            start, end = order[view["move"]["from"] if view["move"] else choice["from"]], order[choice["to"]]
            free = [one for one in view["path"] if one["at"] < end and one["tile"]]
            free = [one for one in free if not one["figure"] or one["at"] == start]  # what it leaves is free
            last = max((one for one in free), key=lambda one: one["at"])
            return args["value"] == last["tile"]["value"] and args["bill"] == choice["bill"] and start < end
        case "home":
            return args["n"] == 1 + sum(at == "mainland" for at in me["figures"].values()) == args["cards"] - 1
        case "hops" | "far":
            return args["n"] == order[choice["to"]] - order[choice["from"]]
        case "bridges":
            gap = next(gap for gap in view["gaps"] if gap["at"] == choice["at"])
            before = sum(order[at] < choice["at"] for at in me["figures"].values())
            return args["price"] == gap["price"] and args["n"] == before
        case "buys":
            return args["value"] in [tile["value"] for tile in me["tiles"]] and args["cards"] == args["value"] // 2
        case "few":
            return args["n"] == sum(me["hand"].values())
        case "exact" | "pays":
            owed = view["move"]["bill"] - view["move"]["paid"]
            return args["left"] == owed and (key == "exact") == (args["value"] == owed)
        case "card":
            return args["left"] == view["move"]["bill"] - view["move"]["paid"]
    return False


# --- Atlandice ----------------------------------------------------------------------------------------------------


def atlandice(case: ChoiceCase, key: str, args: Args) -> Any:
    view, choice = case.view, case.choice
    place = choice.get("to") if key == "berth" else choice.get("sector", choice.get("from"))
    there = next((one for one in view["sectors"] if one["sector"] == place), None)
    pieces = sum(there["pieces"].values()) if there else -1
    stocks = [holder["stock"] for holder in view["holders"]]
    match key:
        case "two":
            return args["n"] == pieces >= 2 and view["submarine"] == place
        case "last" | "lies" | "thins":
            return args["n"] == pieces
        case "berth":
            return there is not None and args["n"] == pieces and args["dice"] == there["dice"]
        case "leads" | "level" | "gains":
            counts = [stock[args["resource"]] for stock in stocks]
            own = counts.pop(case.seat) + 1
            word = "leads" if own > max(counts) else "level" if own == max(counts) else "gains"
            return args["n"] == own and args["most"] == max(counts) and key == word
        case "gives":
            return args["n"] == stocks[case.seat][choice["resource"]]
    return False


CHECKS: dict[str, Callable[[ChoiceCase, str, Args], Any]] = {
    "survive": survive,
    "atlantis": atlantis,
    "atlandice": atlandice,
}

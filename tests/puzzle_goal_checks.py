"""The goals of puzzles, judged a second time: a choice is replayed, and the facts are counted from what the seat sees
before and after it, by other ways than the goals' own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from landfall.core.hex_grid import hex_distance
from landfall.core.puzzle import Puzzle
from landfall.core.state import State
from landfall.games import game as find_game
from landfall.games.survive.rules.board import BY_NAME, HEXES, LANDINGS

Facts = dict[str, Any]


class Replay:
    """A choice of a puzzle's seat, played on a copy."""

    def __init__(self, game: str, one: Puzzle, text: str) -> None:
        self.state: State = find_game(game).from_text(one.world)
        self.seat = one.seat
        self.before: Any = self.state.view(one.seat)
        action = self.state.parse(text)
        self.choice: dict[str, Any] = dict(self.state.action_to_dict(action))
        played = self.state.copy()
        played.events = []
        played.apply(action)
        self.after: Any = played.view(one.seat)
        self.events = [dict(event.public) for event in played.events or []]


def is_goal_reached(game: str, one: Puzzle, text: str) -> bool:
    """Whether that choice reaches the puzzle's goal."""
    return bool(CHECKS[game](Replay(game, one, text), one.goal, one.facts))


# --- Survive ------------------------------------------------------------------------------------------------------


def is_space(place: str) -> bool:
    return place in BY_NAME and not place.startswith("@")


def distance_to_landing(space: str) -> int:
    return min(hex_distance(HEXES[BY_NAME[space]], at) for isle in LANDINGS for at in isle)


def survive(play: Replay, goal: str, facts: Facts) -> Any:
    before, after, choice = play.before, play.after, play.choice
    letters = {colour[0] for colour in before["seats"][play.seat]["colours"]}
    people = before["explorers"]
    gone = [piece for piece, at in after["explorers"].items() if at == "lost" != people[piece]]
    mine_gone = [piece for piece in gone if piece[0] in letters]
    landed = [p for p, at in after["explorers"].items() if at.startswith("@") and not people[p].startswith("@")]
    carried = {piece for crew in before["aboard"].values() for piece in crew}
    moved = [p for p, at in after["explorers"].items() if at != people[p] and p[0] in letters and is_space(at)]
    match goal:
        case "wreck":
            lost = [at for at in before["aboard"] if at not in after["aboard"]]
            crews = [before["aboard"][at] for at in lost]
            return any(len(c) >= facts["n"] and not any(p[0] in letters for p in c) for c in crews)
        case "take_rivals":
            return len(gone) - len(mine_gone) >= facts["n"] and not mine_gone
        case "take_one_rival":
            return [piece[0] for piece in gone] == [facts["colour"][0]] * len(gone) and len(gone) >= facts["n"]
        case "ashore":
            return (
                len(landed) == 1
                and sum(at.startswith("@") for piece, at in after["explorers"].items() if piece[0] in letters)
                >= facts["n"]
            )
        case "ashore_passenger":
            return len(landed) == 1 and landed[0] in carried
        case "ashore_swimmer":
            return len(landed) == 1 and landed[0] not in carried
        case "ashore_isle":
            return len(landed) == 1 and after["explorers"][landed[0]] == facts["isle"]
        case "arrive" | "approach":
            sailed = [piece for piece in moved if piece in carried]
            near = 0 if goal == "arrive" else facts["d"]
            return len(sailed) >= facts["n"] and all(
                distance_to_landing(after["explorers"][piece]) <= near < distance_to_landing(people[piece])
                for piece in sailed
            )
        case "swim_in" | "swim_near":
            near = 0 if goal == "swim_in" else facts["d"]
            swum = [
                piece for piece in moved if after["explorers"][piece] not in after["tiles"] and piece not in carried
            ]
            return any(
                distance_to_landing(after["explorers"][p]) <= near < distance_to_landing(people[p]) for p in swum
            )
        case "escape":
            return (
                count_threatened_explorers(before, letters) - count_threatened_explorers(after, letters) >= facts["n"]
                and not mine_gone
            )
        case "board":
            return (
                max(sum(p[0] in letters for p in crew) for crew in after["aboard"].values())
                >= facts["n"]
                > max(sum(p[0] in letters for p in crew) for crew in before["aboard"].values())
            )
        case "last_seat":
            return [len(c) for c in after["aboard"].values()].count(3) > [
                len(c) for c in before["aboard"].values()
            ].count(3)
        case "to_ship":
            free = [at for at, crew in before["aboard"].items() if len(crew) < 3]
            if len(moved) != 1 or moved[0] in carried or choice["verb"] == "embark":
                return False
            there, here = HEXES[BY_NAME[choice["to"]]], HEXES[BY_NAME[choice["from"]]]
            return any(hex_distance(there, HEXES[BY_NAME[at]]) <= 1 for at in free) and not any(
                hex_distance(here, HEXES[BY_NAME[at]]) <= 1 for at in free
            )
    return False


def count_threatened_explorers(view: Any, letters: set[str]) -> int:
    """How many own explorers at sea a creature could reach: sharks swimmers, whales passengers, sea serpents both."""
    carried = {piece for crew in view["aboard"].values() for piece in crew}
    found = set()
    for _, kind, at in view["creatures"]:
        for piece, place in view["explorers"].items():
            if piece[0] not in letters or place.startswith("@") or place == "lost" or place in view["tiles"]:
                continue
            reach = {"shark": 0 if piece in carried else 2, "whale": 3 if piece in carried else 0, "serpent": 1}
            if hex_distance(HEXES[BY_NAME[at]], HEXES[BY_NAME[place]]) <= reach.get(kind, 0) and reach.get(kind):
                found.add(piece)
    return len(found)


# --- Atlantis -----------------------------------------------------------------------------------------------------

ORDER = {"atlantis": 0, "mainland": 54, **{str(at): at for at in range(1, 54)}}


def atlantis(play: Replay, goal: str, facts: Facts) -> Any:
    view, choice = play.before, play.choice
    verb, me = choice["verb"], view["seats"][play.seat]
    goes = verb in ("move", "move_pay", "hop")
    start, end = (ORDER[choice["from"]], ORDER[choice["to"]]) if goes else (0, 0)
    on_way = [ORDER[at] for at in me["figures"].values() if at != "mainland"]
    value = 0
    if goes and verb != "hop":
        # the free tile nearest behind; the one that the figure left counts as free
        origin = ORDER[view["move"]["from"]] if view["move"] else start
        behind = [one for one in view["path"] if one["at"] < end and one["tile"]]
        behind = [one for one in behind if not one["figure"] or one["at"] == origin]
        value = max(behind, key=lambda one: one["at"])["tile"]["value"] if behind else 0
    bill = choice.get("bill", 0)
    match goal:
        case "home_free":
            return goes and end == ORDER["mainland"] and bill == 0
        case "home":
            return goes and end == ORDER["mainland"] and bill <= facts["bill"]
        case "take_free":
            return value >= facts["value"] and bill == 0
        case "take":
            return value >= facts["value"] and bill <= facts["bill"]
        case "take_net":
            return value - bill >= facts["n"]
        case "leave":
            return goes and start == 0 and end >= facts["n"]
        case "stone":
            occupied = {one["at"] for one in view["path"] if one["figure"]}
            return goes and end in occupied and end - start >= facts["n"]
        case "hindmost":
            return goes and start == min(on_way) and end - start >= facts["n"]
        case "foremost":
            return goes and start == max(on_way) and end - start >= facts["n"]
        case "leap":
            return goes and end - start >= facts["n"]
        case "leap_free":
            return verb == "move" and bill == 0 and end - start >= facts["n"]
        case "bridge" | "bridge_price":
            gaps = [gap for gap in view["gaps"] if verb == "bridge" and gap["at"] == choice["at"]]
            before = sum(at < choice["at"] for at in on_way) if gaps else 0
            return gaps and gaps[0]["price"] >= facts["price"] and before >= facts.get("n", 0)
        case "buy" | "buy_cheaply":
            bought = sum(int(str(event["cards"])) for event in play.events if event["kind"] == "bought")
            return bought >= facts["cards"] and choice["value"] <= facts.get("value", 7)
        case "pay_exactly":
            owed = view["move"]["bill"] - view["move"]["paid"]
            return verb == "pay_tile" and choice["value"] == owed == facts["left"]
        case "pay_at_once":
            owed = view["move"]["bill"] - view["move"]["paid"]
            return verb == "pay_tile" and owed == facts["left"] <= choice["value"] <= facts["value"]
        case "pay_with_card":
            return verb == "pay_card" and view["move"]["bill"] - view["move"]["paid"] == 1
        case "keep_tiles":
            return verb == "pay_tile" and choice["value"] <= facts["value"]
    return False


# --- Atlandice ----------------------------------------------------------------------------------------------------


def atlandice(play: Replay, goal: str, facts: Facts) -> Any:
    """A visit is played on through every choice of pieces; the goal must be reached by one of them."""
    choice, view = play.choice, play.before
    verb, district = choice["verb"], choice.get("sector", "")
    stocks = [holder["stock"] for holder in view["holders"]]
    there = next((one for one in view["sectors"] if one["sector"] == district), None)
    if goal in ("berth", "berth_dice"):
        to = next(one for one in view["sectors"] if one["sector"] == play.after["submarine"])
        return (
            verb == "submarine"
            and sum(to["pieces"].values()) >= facts.get("n", 0)
            and to["dice"] >= facts.get("dice", 0)
        )
    if goal in ("several", "empties", "leaves"):
        if verb != "die" or not there:
            return False
        ways = play_out_visit(play)
        least = min(len(taken) for taken, _ in ways)
        if goal == "several":
            return least >= facts["n"]
        if district == "black_market":
            return False
        left = sum(there["pieces"].values()) - least
        if goal == "empties":
            # scored: its tile is another, or none; or it is empty until the effect is resolved
            ends = [end["sectors"][there["number"] - 1] for _, end in ways]
            return left == 0 and all(one["tile"] != there["tile"] or not sum(one["pieces"].values()) for one in ends)
        return 0 < left <= facts["n"]
    if goal in ("neutral_overtakes", "neutral_behind"):
        if verb not in ("die_neutral", "take_neutral"):
            return False
        return any(reaches_neutral_goal(play, taken, goal, stocks) for taken, _ in play_out_visit(play))
    if verb not in ("die", "take"):
        return False
    if goal == "last_there":
        return verb == "take" and district != "black_market" and sum(there["pieces"].values()) == 1 if there else False
    return any(reaches_resource_goal(play, taken, goal, facts, stocks) for taken, _ in play_out_visit(play))


def play_out_visit(play: Replay) -> list[tuple[list[str], Any]]:
    """For all ways to take the visit's pieces: the resources taken, and the view after that."""
    found: list[tuple[list[str], Any]] = []
    pending: list[tuple[list[str], State, int]] = [([], play.state, action_of_choice(play))]
    while pending:
        taken, state, action = pending.pop()
        after = state.copy()
        after.events = []
        after.apply(action)
        events = [dict(event.public) for event in after.events]
        taken = taken + [str(event["resource"]) for event in events if event["kind"] in ("take", "take_neutral")]
        more = [
            action
            for action in (after.legal_actions() if int(after.actor) == play.seat else [])
            if dict(after.action_to_dict(action))["verb"] in ("take", "take_neutral") and is_in_same_visit(after, play)
        ]
        if not more:
            found.append((taken, after.view(play.seat)))
        pending += [(taken, after, action) for action in more]
    return found


def is_in_same_visit(state: State, play: Replay) -> bool:
    """Whether the pieces to choose are those of the same visit."""
    view: Any = state.view(play.seat)
    return bool(view["visit"]) and bool(view["visit"]["sector"] == play.choice.get("sector"))


def action_of_choice(play: Replay) -> int:
    return next(a for a in play.state.legal_actions() if dict(play.state.action_to_dict(a)) == play.choice)


def reaches_resource_goal(play: Replay, taken: list[str], goal: str, facts: Facts, stocks: Any) -> bool:
    """Whether the seat reaches that with the pieces it took, before anything is returned."""
    own = stocks[play.seat]
    mine = {r: own[r] + taken.count(r) for r in own}
    others = {r: max(stock[r] for i, stock in enumerate(stocks) if i != play.seat) for r in own}
    match goal:
        case "lead":
            return any(mine[r] > others[r] >= own[r] for r in taken)
        case "level":
            return any(mine[r] == others[r] > own[r] for r in taken)
        case "new_kind":
            return any(own[r] == 0 for r in taken)
        case "hold":
            return any(mine[r] >= facts["n"] > max(own.values()) for r in taken)
    return False


def reaches_neutral_goal(play: Replay, taken: list[str], goal: str, stocks: Any) -> bool:
    """Whether the neutral player's pieces do that."""
    has, own = stocks[-1], stocks[play.seat]
    for resource in taken:
        n = has[resource] + taken.count(resource)
        most = max(stock[resource] for i, stock in enumerate(stocks[:-1]) if i != play.seat)
        if goal == "neutral_overtakes" and n >= most > max(has[resource], own[resource]):
            return True
        if goal == "neutral_behind" and own[resource] > n:
            return True
    return False


CHECKS: dict[str, Callable[[Replay, str, Facts], Any]] = {
    "survive": survive,
    "atlantis": atlantis,
    "atlandice": atlandice,
}

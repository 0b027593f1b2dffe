# interpreted
"""Reasons for a choice, with numbers that a player can count on the table: for hints and puzzles."""

from typing import Any

from landfall.core.puzzle import ChoiceCase, Reason

NEARLY_EMPTY_PIECES = 2  # a district with so few pieces is nearly empty


def list_reasons(case: ChoiceCase) -> list[Reason]:
    """All reasons for the choice."""
    if case.verb in ("die", "die_neutral"):
        return visit_reasons(case)
    if case.verb == "take":
        return piece_reasons(case, str(case.choice["resource"]))
    if case.verb == "submarine":
        berth = find_sector_in_view(case, str(case.choice["to"]))
        return [Reason("berth", {"n": count_pieces_in_sector_view(berth), "dice": berth["dice"]}, 1.0)]
    if case.verb in ("pick", "move", "swap") and ("from" in case.choice or "sector" in case.choice):
        there = find_sector_in_view(case, str(case.choice.get("from", case.choice.get("sector"))))
        return [Reason("thins", {"n": count_pieces_in_sector_view(there)}, 1.0)]
    if case.verb == "give":
        return [Reason("gives", {"n": holder_stock(case, case.seat)[str(case.choice["resource"])]}, 1.0)]
    return []


def find_sector_in_view(case: ChoiceCase, name: str) -> dict[str, Any]:
    """A sector of the view."""
    found: dict[str, Any] = next(one for one in case.view["sectors"] if one["sector"] == name)
    return found


def count_pieces_in_sector_view(there: dict[str, Any]) -> int:
    """The number of pieces in a sector."""
    return sum(there["pieces"].values())


def holder_stock(case: ChoiceCase, holder: int) -> dict[str, int]:
    """The pieces of a holder: a seat, or the neutral player after them."""
    found: dict[str, int] = case.view["holders"][holder]["stock"]
    return found


def largest_rival_count(case: ChoiceCase, resource: str) -> int:
    """The largest number of a resource that another holder has."""
    return max(holder_stock(case, i)[resource] for i in range(len(case.view["holders"])) if i != case.seat)


def visit_reasons(case: ChoiceCase) -> list[Reason]:
    there = find_sector_in_view(case, str(case.choice["sector"]))
    n = count_pieces_in_sector_view(there)
    out = []
    if there["submarine"] and n >= 2:
        out.append(Reason("two", {"n": n}, 3.0))
    elif n > 0 and case.choice["sector"] != "black_market" and n <= NEARLY_EMPTY_PIECES:
        out.append(Reason("last", {"n": n}, 2.0))
    elif n > 0:
        out.append(Reason("lies", {"n": n}, 0.5))
    if case.verb == "die":
        gains = [piece_reasons(case, resource)[0] for resource, many in there["pieces"].items() if many]
        gains = [gain for gain in gains if gain.key in ("leads", "level")]
        out += sorted(gains, key=is_lead_held_already)[:1]
    return out


def is_lead_held_already(gain: Reason) -> bool:
    """Whether the seat has the most without one more piece, too: a lead that is new is the better reason."""
    return bool(gain.args["n"] - 1 > gain.args["most"])


def piece_reasons(case: ChoiceCase, resource: str) -> list[Reason]:
    """The effect of one more piece of a resource."""
    n, most = holder_stock(case, case.seat)[resource] + 1, largest_rival_count(case, resource)
    key, strength = ("leads", 2.5) if n > most else ("level", 1.5) if n == most else ("gains", 0.5)
    return [Reason(key, {"resource": resource, "n": n, "most": most}, strength)]

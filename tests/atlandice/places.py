"""Where pictures have districts, what stands in them, and the clock, from the city's middle: for tests/places.py."""

from math import pi

from landfall.games.atlandice.presentation import picture
from landfall.games.atlandice.presentation.picture import BUILDING_AT, INNER, OUTER, PILE_AT, R, angle, at

SPACES = 24  # of the clock that is looked at


def places() -> dict[str, tuple[float, float]]:
    found = {"market": at(R * 0.507, pi / 2, 8 * picture.U), "size": (picture.CX + R, picture.CY + picture.K)}
    for i, sector in enumerate(list(picture.TINTS)[:5]):
        x, y = at(R * 0.775, angle(i))
        found[sector] = x, y
        found[f"{sector} building"] = x + BUILDING_AT[i][0] * R / 372, y + BUILDING_AT[i][1] * R / 372
        found[f"{sector} pile"] = x + PILE_AT[i][0] * R / 372, y + PILE_AT[i][1] * R / 372
        found[f"{sector} gate"] = at(R * 0.532, angle(i), -2)
        found[f"{sector} plate"] = at(R * 0.95, angle(i) + picture.PLATE_TURN[i])
        found[f"{sector} submarine"] = at(R * 1.085, angle(i) + (0.27 if i in (1, 3) else -0.27))
    for space in range(SPACES):
        found[f"clock{space}"] = at((INNER + OUTER) / 2 + 1, -pi / 2 + space * 2 * pi / SPACES)
    return {name: (x - picture.CX, y - picture.CY) for name, (x, y) in found.items()}

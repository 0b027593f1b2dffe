"""Where pictures have the path's positions and the shores: for tests/places.py."""

from landfall.games.atlantis.presentation import picture


def places() -> dict[str, tuple[float, float]]:
    spots, curve, marks = picture.way()
    shores = {"atlantis": picture.ATLANTIS_AT, "mainland": picture.MAINLAND_AT}
    found = {str(i + 1): spot for i, spot in enumerate(spots)}
    found |= {f"curve{i}": curve[marks[i]] for i in range(0, len(marks), 13)}
    return found | {name: (x, y) for name, (x, y, _) in shores.items()} | {"size": (picture.KS, picture.KS)}

"""What changed between two JSON-able values, so that only that is sent.

A patch is an object: for each key (of a list: each index) `[value]` is the new value, `0` means gone, and an object is
a patch of what is there. Lists that changed their length are sent anew.
"""

from __future__ import annotations

from typing import Any


def difference(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """The patch that makes `new` of `old`.

    >>> difference({"a": 1, "b": {"c": 2, "d": 3}, "e": 4}, {"a": 1, "b": {"c": 5, "d": 3}})
    {'b': {'c': [5]}, 'e': 0}
    """
    out: dict[str, Any] = {}
    for key, value in new.items():
        if key not in old:
            out[key] = [value]
        elif old[key] != value or type(old[key]) is not type(value):
            out[key] = change(old[key], value)
    for key in old:
        if key not in new:
            out[key] = 0
    return out


def change(old: Any, new: Any) -> Any:
    """How one value became another."""
    if isinstance(old, dict) and isinstance(new, dict):
        return difference(old, new)
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new) > 1:
        pairs = enumerate(zip(old, new))
        return {str(i): change(a, b) for i, (a, b) in pairs if a != b or type(a) is not type(b)}
    return [new]


def patched(old: Any, patch: dict[str, Any]) -> Any:
    """What a client has after a patch; `old` is not changed.

    >>> patched({"a": [1, 2], "e": 4}, {"a": {"1": [7]}, "e": 0})
    {'a': [1, 7]}
    """
    new = list(old) if isinstance(old, list) else dict(old)
    for key, what in patch.items():
        at: Any = int(key) if isinstance(new, list) else key
        if what == 0:
            del new[at]
        elif isinstance(what, list):
            new[at] = what[0]
        else:
            new[at] = patched(new[at], what)
    return new

"""Patches: the difference between two JSON-able values, so that a server sends only that.

A patch is an object. For each key (of a list: each index), `[value]` sets a new value, `0` deletes it, and an object is
a nested patch. A list that changed its length is sent whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

MISSING: Final = object()


def make_patch(old: Mapping[str, object], new: Mapping[str, object]) -> dict[str, object]:
    """The patch from `old` to `new`, which are views or parts of views.

    >>> make_patch({"a": 1, "b": {"c": 2, "d": 3}, "e": 4}, {"a": 1, "b": {"c": 5, "d": 3}})
    {'b': {'c': [5]}, 'e': 0}
    """
    return make_dict_patch(cast("dict[str, object]", old), cast("dict[str, object]", new))


def make_dict_patch(old: dict[str, object], new: dict[str, object]) -> dict[str, object]:
    out: dict[str, object] = {}
    for key, value in new.items():
        before = old.get(key, MISSING)
        if before is MISSING:
            out[key] = [value]
        elif before is not value and (before != value or type(before) is not type(value)):
            out[key] = make_value_patch(before, value)
    if len(old) != len(new) or len(out) > 0:
        for key in old:
            if key not in new:
                out[key] = 0
    return out


def make_value_patch(old: object, new: object) -> object:
    """The patch entry that turns one value into another."""
    if isinstance(old, dict) and isinstance(new, dict):
        return make_dict_patch(old, new)
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new) > 1:
        out: dict[str, object] = {}
        for i in range(len(old)):
            a: object = old[i]
            b: object = new[i]
            if a is not b and (a != b or type(a) is not type(b)):
                out[str(i)] = make_value_patch(a, b)
        return out
    return [new]


def make_seat_patch(
    patch: dict[str, object],
    old: Mapping[str, object],
    new: Mapping[str, object],
    own_old: Mapping[str, object],
    own_new: Mapping[str, object],
) -> dict[str, object]:
    """The patch for a seat's view, which is `new` with `own_new` merged over it. `patch` turns `old` into `new`.

    >>> make_seat_patch({"a": [2]}, {"a": 1, "b": 1}, {"a": 2, "b": 1}, {"b": 5}, {"b": 6})
    {'a': [2], 'b': [6]}
    """
    return merge_private_into_patch(
        patch,
        cast("dict[str, object]", old),
        cast("dict[str, object]", new),
        cast("dict[str, object]", own_old),
        cast("dict[str, object]", own_new),
    )


def merge_private_into_patch(
    patch: dict[str, object],
    old: dict[str, object],
    new: dict[str, object],
    own_old: dict[str, object],
    own_new: dict[str, object],
) -> dict[str, object]:
    out = {key: what for key, what in patch.items() if key not in own_new and key not in own_old}
    for key, value in own_new.items():
        before = own_old[key] if key in own_old else old.get(key, MISSING)
        if before is MISSING:
            out[key] = [value]
        elif before is not value and (before != value or type(before) is not type(value)):
            out[key] = make_private_value_patch(before, value, old.get(key), new.get(key), patch.get(key))
    for key, before in own_old.items():
        if key in own_new:
            continue
        value = new.get(key, MISSING)
        if value is MISSING:
            out[key] = 0
        elif before != value or type(before) is not type(value):
            out[key] = make_value_patch(before, value)
    return out


def make_private_value_patch(old: object, new: object, public_old: object, public_new: object, patch: object) -> object:
    """The patch entry between two private values. List entries shared with the public list reuse the public patch."""
    if not (isinstance(old, list) and isinstance(new, list) and len(old) == len(new) > 1):
        return make_value_patch(old, new)
    if not (isinstance(public_old, list) and isinstance(public_new, list) and isinstance(patch, dict)):
        return make_value_patch(old, new)
    if len(public_old) != len(old) or len(public_new) != len(new):
        return make_value_patch(old, new)
    out: dict[str, object] = {}
    for i in range(len(old)):
        a: object = old[i]
        b: object = new[i]
        if a is b:
            continue
        key = str(i)
        if a is public_old[i] and b is public_new[i]:
            if key in patch:
                out[key] = patch[key]
        elif a != b or type(a) is not type(b):
            out[key] = make_value_patch(a, b)
    return out


def apply_patch(old: Any, patch: dict[str, Any]) -> Any:
    """The value after a patch; `old` is not changed.

    >>> apply_patch({"a": [1, 2], "e": 4}, {"a": {"1": [7]}, "e": 0})
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
            new[at] = apply_patch(new[at], what)
    return new

"""The options of a table. They are data: one description serves validation, the command line and every client."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Final

from landfall.core.errors import OptionError, clip_untrusted_text
from landfall.core.text_catalogue import translate

BOOL: Final = "bool"
CHOICE: Final = "choice"
OBJECT: Final = "object"
MAX_PROBLEMS: Final = 8  # reported at once

Problem = tuple[str, str, dict[str, object], str]


def accept_any_value(value: object) -> str:
    return ""


class Option:
    """One option: its name, its values, the options and player counts it works with, and the rule that describes it."""

    def __init__(
        self,
        name: str,
        rule: str,
        *,
        kind: str = BOOL,
        default: object = False,
        choices: tuple[str, ...] = (),
        players: tuple[int, ...] = (),
        requires: tuple[str, ...] = (),
        excludes: tuple[str, ...] = (),
        check: Callable[[object], str] = accept_any_value,
    ) -> None:
        self.name = name
        self.rule = rule
        self.kind = kind
        self.default = default
        self.choices = choices
        self.players = players  # player counts it can be used with; empty: all
        self.requires = requires  # options that must be on
        self.excludes = excludes  # options that must be off
        self.check = check  # OBJECT only: says what is wrong with a value, "" if nothing

    def to_json(self) -> dict[str, object]:
        """A JSON-able description, for clients."""
        return {
            "name": self.name,
            "rule": self.rule,
            "kind": self.kind,
            "default": self.default,
            "choices": list(self.choices),
            "players": list(self.players),
            "requires": list(self.requires),
            "excludes": list(self.excludes),
            "text": f"option.{self.name}",
        }

    def parse_value(self, text: str) -> object:
        """A value typed at the command line. An unreadable one is returned unchanged, for `find_value_problem` to
        refuse.
        """
        if self.kind == BOOL:
            return {"true": True, "on": True, "yes": True, "1": True}.get(
                text.lower(), False if text.lower() in ("false", "off", "no", "0") else text
            )
        if self.kind == OBJECT:
            try:
                return json.loads(text)
            except ValueError:
                return text
        return text

    def max_value_number(self) -> int:
        """The largest number that `to_number` returns."""
        return max(1, len(self.choices) - 1)

    def to_number(self, value: object) -> int:
        """The value as a number, for the bytes of positions: 0 or 1 for a switch, else the index of the choice."""
        return self.choices.index(str(value)) if self.kind == CHOICE else int(value is True)

    def from_number(self, number: int) -> object:
        """The inverse of `to_number`."""
        return self.choices[number] if self.kind == CHOICE else number == 1

    def is_not_default(self, value: object) -> bool:
        """Whether a value turns the option on: any value but the default."""
        return value != self.default

    def find_value_problem(self, value: object) -> Problem | None:
        """What is wrong with the value, regardless of other options."""
        if self.kind == BOOL and not isinstance(value, bool):
            return make_option_problem(
                self.name, "option.bad_bool", {"option": self.name, "value": quote_clipped_value(value)}
            )
        if self.kind == CHOICE and value not in self.choices:
            listed = ", ".join(self.choices)
            return make_option_problem(
                self.name,
                "option.bad_choice",
                {"option": self.name, "value": quote_clipped_value(value), "choices": listed},
            )
        if self.kind == OBJECT:
            reason = self.check(value)
            if reason:
                return make_option_problem(
                    self.name, "option.bad_object", {"option": self.name, "reason": clip_untrusted_text(reason)}
                )
        return None


def quote_clipped_value(value: object) -> str:
    """A wrong value, clipped, for an error message."""
    return clip_untrusted_text(repr(value))


def make_option_problem(option: str, key: str, args: dict[str, object]) -> Problem:
    return option, key, args, translate("en", key, args)


def find_option(options: list[Option], name: str) -> Option | None:
    """The option with that name."""
    for option in options:
        if option.name == name:
            return option
    return None


def find_option_problems(
    options: list[Option], counts: tuple[int, ...], players: object, given: dict[str, object]
) -> list[Problem]:
    """The problems of a combination of players and options, at most MAX_PROBLEMS; empty if it can be played."""
    out: list[Problem] = []
    if not isinstance(players, int) or isinstance(players, bool) or players not in counts:
        args: dict[str, object] = {"players": str(players), "least": counts[0], "most": counts[-1]}
        out.append(make_option_problem("players", "option.bad_players", args))
    known = ", ".join(o.name for o in options)
    for name in given:
        if len(out) == MAX_PROBLEMS:
            return out
        if find_option(options, name) is None:
            short = clip_untrusted_text(name)
            out.append(make_option_problem(short, "option.unknown", {"option": short, "known": known}))
    on: list[str] = []
    for option in options:
        value = given.get(option.name, option.default)
        fault = option.find_value_problem(value)
        if fault is not None:
            out.append(fault)
        elif option.is_not_default(value):
            on.append(option.name)
    for option in options:
        if option.name not in on:
            continue
        if option.players and players not in option.players:
            counts_text = ", ".join(str(n) for n in option.players)
            args = {"option": option.name, "counts": counts_text, "players": str(players), "rule": option.rule}
            out.append(make_option_problem(option.name, "option.players", args))
        for other in option.requires:
            if other not in on:
                args = {"option": option.name, "other": other, "rule": option.rule}
                out.append(make_option_problem(option.name, "option.requires", args))
        for other in option.excludes:
            if other in on:
                args = {"option": option.name, "other": other, "rule": option.rule}
                out.append(make_option_problem(option.name, "option.excludes", args))
    return out[:MAX_PROBLEMS]


def validate_and_fill_defaults(
    options: list[Option], counts: tuple[int, ...], players: object, given: dict[str, object]
) -> dict[str, object]:
    """The options with defaults filled in; OptionError lists every problem."""
    found = find_option_problems(options, counts, players, given)
    if found:
        raise OptionError(found)
    return {option.name: given.get(option.name, option.default) for option in options}

"""Errors with a text key and arguments, so that any language can present them."""

from __future__ import annotations

from typing import Final

QUOTED: Final = 120  # letters of a wrong input that an error repeats
MAX_ARGUMENT_CHARS: Final = 300
MAX_MESSAGE_CHARS: Final = 2_000


def clip_untrusted_text(text: str, most: int = QUOTED) -> str:
    """The beginning of an untrusted text: an error never repeats a whole input."""
    return text if len(text) <= most else text[: most - 1] + "…"


def clip_text_arguments(args: dict[str, object]) -> dict[str, object]:
    """An error's arguments with their texts clipped."""
    return {k: clip_untrusted_text(v, MAX_ARGUMENT_CHARS) if isinstance(v, str) else v for k, v in args.items()}


class LandfallError(Exception):
    """Base of all errors about some input. The message is short, however long the input is.

    >>> try:
    ...     match.view(9)
    ... except landfall.core.errors.LandfallError as error:
    ...     print(error.key, error.arguments)
    error.seat {'seat': 9, 'last': 1}
    """

    def __init__(self, message: str, key: str, args: dict[str, object]) -> None:
        super().__init__(clip_untrusted_text(message, MAX_MESSAGE_CHARS))
        self.key = key
        self.arguments = clip_text_arguments(args)

    def __reduce__(self) -> tuple[object, ...]:
        """For copies and for other processes: what `__init__` takes is not kept."""
        return restore_error, (type(self), self.args), vars(self)


def restore_error(kind: type[LandfallError], args: tuple[object, ...]) -> LandfallError:
    """The error that `__reduce__` stored."""
    return kind.__new__(kind, *args)


class UnknownGame(LandfallError):
    """No game has that name.

    >>> landfall.game("chess")
    Traceback (most recent call last):
    ...
    landfall.core.errors.UnknownGame: there is no game called 'chess'; the games a...
    """

    def __init__(self, name: str, known: list[str]) -> None:
        games, short = ", ".join(known), clip_untrusted_text(name)
        super().__init__(
            f"there is no game called {short!r}; the games are {games}",
            "error.game",
            {"name": short, "games": games},
        )


class OptionError(LandfallError):
    """Options that cannot be played; `problems` lists each as (option, key, arguments, sentence).

    >>> landfall.new("survive", whales=True)
    Traceback (most recent call last):
    ...
    landfall.core.errors.OptionError: there is no option whales; the options are t...
    """

    def __init__(self, problems: list[tuple[str, str, dict[str, object], str]]) -> None:
        super().__init__("; ".join(p[3] for p in problems), problems[0][1], problems[0][2])
        self.problems = problems


class IllegalAction(LandfallError):
    """An action the rules forbid; `rule` is the id of the rule that forbids it.

    >>> match.play_text("d3")
    Traceback (most recent call last):
    ...
    landfall.core.errors.IllegalAction: d3: forbidden by AD.V1
    """

    def __init__(self, rule: str, action: str) -> None:
        short = clip_untrusted_text(action)
        super().__init__(f"{short}: forbidden by {rule}", "error.illegal", {"rule": rule, "action": short})
        self.rule = rule


class UnknownSeat(LandfallError):
    """A seat that is not at this table.

    >>> match.view(9)
    Traceback (most recent call last):
    ...
    landfall.core.errors.UnknownSeat: there is no seat 9: the seats are 0 to 1, and None is a spectator
    """

    def __init__(self, seat: int, players: int) -> None:
        last = players - 1
        super().__init__(
            f"there is no seat {seat}: the seats are 0 to {last}, and None is a spectator",
            "error.seat",
            {"seat": seat, "last": last},
        )


class NothingToUndo(LandfallError):
    """No choice has been made yet.

    >>> match.undo()
    Traceback (most recent call last):
    ...
    landfall.core.errors.NothingToUndo: no choice has been made that could be undone
    """

    def __init__(self) -> None:
        super().__init__("no choice has been made that could be undone", "error.undo", {})


class NotationError(LandfallError):
    """A text that names no action.

    >>> match.play_text("z9")
    Traceback (most recent call last):
    ...
    landfall.core.errors.NotationError: 'z9' is no action here: expected d3, n3, +3b, ^3b, >3, c3, -b or pass
    """

    def __init__(self, text: str, reason: str) -> None:
        short = clip_untrusted_text(text)
        super().__init__(f"{short!r} is no action here: {reason}", "error.notation", {"text": short, "reason": reason})


class RecordError(LandfallError):
    """A record that cannot be parsed; `line` counts from 1, and 0 means the whole record.

    >>> landfall.Match.replay("a page of my diary")
    Traceback (most recent call last):
    ...
    landfall.core.errors.RecordError: line 1: not a Landfall record: the first lin...
    """

    def __init__(self, line: int, reason: str) -> None:
        where = f"line {line}: " if line else ""
        short = clip_untrusted_text(reason, MAX_ARGUMENT_CHARS)
        super().__init__(f"{where}{short}", "error.record", {"line": line, "reason": short})
        self.line = line


class StateError(LandfallError):
    """Bytes that do not encode a state.

    >>> landfall.game("atlandice").from_bytes(b"")
    Traceback (most recent call last):
    ...
    landfall.core.errors.StateError: these bytes are no state: list index out of range
    """

    def __init__(self, reason: str) -> None:
        super().__init__(f"these bytes are no state: {reason}", "error.state", {"reason": reason})


class PositionError(LandfallError):
    """A text that is not a position string: the wrong part, and the reason.

    >>> landfall.game("atlandice").from_text("clock: 99")
    Traceback (most recent call last):
    ...
    landfall.core.errors.PositionError: '99': the clock's last space is 18
    """

    def __init__(self, text: str, reason: str) -> None:
        short = clip_untrusted_text(text)
        super().__init__(f"{short!r}: {reason}", "error.position", {"text": short, "reason": reason})

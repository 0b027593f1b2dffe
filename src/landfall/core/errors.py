"""What goes wrong, said plainly. Every error carries a text key and arguments, so that any language can say it."""

from __future__ import annotations

from typing import Final

QUOTED: Final = 120  # letters of what was wrong that are told again
MAX_ARGUMENT_CHARS: Final = 300
MAX_MESSAGE_CHARS: Final = 2_000


def clip_text(text: str, most: int = QUOTED) -> str:
    """The beginning of a text that may be anybody's: an error never repeats a whole input."""
    return text if len(text) <= most else text[: most - 1] + "…"


def clip_arguments(args: dict[str, object]) -> dict[str, object]:
    """An error's arguments, the texts among them clipped."""
    return {k: clip_text(v, MAX_ARGUMENT_CHARS) if isinstance(v, str) else v for k, v in args.items()}


class LandfallError(Exception):
    """Base of all errors that name what was wrong with some input. However long that is, the error is short."""

    def __init__(self, message: str, key: str, args: dict[str, object]) -> None:
        super().__init__(clip_text(message, MAX_MESSAGE_CHARS))
        self.key = key
        self.arguments = clip_arguments(args)


class UnknownGame(LandfallError):
    """No game of that name."""

    def __init__(self, name: str, known: list[str]) -> None:
        games, short = ", ".join(known), clip_text(name)
        super().__init__(
            f"there is no game called {short!r}; the games are {games}",
            "error.game",
            {"name": short, "games": games},
        )


class OptionError(LandfallError):
    """Options that cannot be played; `problems` lists each as (option, key, arguments, sentence)."""

    def __init__(self, problems: list[tuple[str, str, dict[str, object], str]]) -> None:
        super().__init__("; ".join(p[3] for p in problems), problems[0][1], problems[0][2])
        self.problems = problems


class IllegalAction(LandfallError):
    """An action the rules forbid; `rule` is the id of the rule that forbids it."""

    def __init__(self, rule: str, action: str) -> None:
        short = clip_text(action)
        super().__init__(f"{short}: forbidden by {rule}", "error.illegal", {"rule": rule, "action": short})
        self.rule = rule


class NotationError(LandfallError):
    """A text that names no action."""

    def __init__(self, text: str, reason: str) -> None:
        short = clip_text(text)
        super().__init__(f"{short!r} is no action here: {reason}", "error.notation", {"text": short, "reason": reason})


class RecordError(LandfallError):
    """A record that cannot be read; `line` counts from 1, 0 means the whole."""

    def __init__(self, line: int, reason: str) -> None:
        where = f"line {line}: " if line else ""
        short = clip_text(reason, MAX_ARGUMENT_CHARS)
        super().__init__(f"{where}{short}", "error.record", {"line": line, "reason": short})
        self.line = line


class StateError(LandfallError):
    """Bytes that are no state."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"these bytes are no state: {reason}", "error.state", {"reason": reason})


class PositionError(LandfallError):
    """A text that is no position: the part that is wrong, and why."""

    def __init__(self, text: str, reason: str) -> None:
        short = clip_text(text)
        super().__init__(f"{short!r}: {reason}", "error.position", {"text": short, "reason": reason})

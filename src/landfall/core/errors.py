"""What goes wrong, said plainly. Every error carries a text key and arguments, so that any language can say it."""

from __future__ import annotations

from typing import Final

QUOTED: Final = 120  # letters of what was wrong that are told again


class LandfallError(Exception):
    """Base of all errors that name what was wrong with some input."""

    def __init__(self, message: str, key: str, args: dict[str, object]) -> None:
        super().__init__(message)
        self.key = key
        self.arguments = args


class UnknownGame(LandfallError):
    """No game of that name."""

    def __init__(self, name: str, known: list[str]) -> None:
        games = ", ".join(known)
        super().__init__(
            f"there is no game called {name!r}; the games are {games}",
            "error.game",
            {"name": name, "games": games},
        )


class OptionError(LandfallError):
    """Options that cannot be played; `problems` lists each as (option, key, arguments, sentence)."""

    def __init__(self, problems: list[tuple[str, str, dict[str, object], str]]) -> None:
        super().__init__("; ".join(p[3] for p in problems), problems[0][1], problems[0][2])
        self.problems = problems


class IllegalAction(LandfallError):
    """An action the rules forbid; `rule` is the id of the rule that forbids it."""

    def __init__(self, rule: str, action: str) -> None:
        super().__init__(f"{action}: forbidden by {rule}", "error.illegal", {"rule": rule, "action": action})
        self.rule = rule


class NotationError(LandfallError):
    """A text that names no action."""

    def __init__(self, text: str, reason: str) -> None:
        super().__init__(f"{text!r} is no action here: {reason}", "error.notation", {"text": text, "reason": reason})


class RecordError(LandfallError):
    """A record that cannot be read; `line` counts from 1, 0 means the whole."""

    def __init__(self, line: int, reason: str) -> None:
        where = f"line {line}: " if line else ""
        super().__init__(f"{where}{reason}", "error.record", {"line": line, "reason": reason})
        self.line = line


class StateError(LandfallError):
    """Bytes that are no state."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"these bytes are no state: {reason}", "error.state", {"reason": reason})


class PositionError(LandfallError):
    """A text that is no position: the part that is wrong, and why."""

    def __init__(self, text: str, reason: str) -> None:
        short = text if len(text) <= QUOTED else text[:QUOTED] + "…"
        super().__init__(f"{short!r}: {reason}", "error.position", {"text": short, "reason": reason})

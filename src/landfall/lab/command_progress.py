"""Progress of a long command on standard error: how much is done, the time left, and the result so far."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Final

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn

LINE_EVERY_S: Final = 15.0  # where there is no terminal to draw a bar on


def format_seconds(seconds: float) -> str:
    """A duration as 0:05, 12:30 or 1:02:03."""
    minutes, rest = divmod(max(0, round(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


class ProgressReport:
    """A bar on a terminal; elsewhere a line every fifteen seconds. A command that ends sooner prints nothing.

    `total` counts games or other things; if it is `timed`, seconds that the command takes.
    """

    def __init__(
        self,
        title: str,
        total: float,
        console: Console | None = None,
        timed: bool = False,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.title, self.total, self.timed, self.clock = title, total, timed, clock
        self.console = console or Console(stderr=True, highlight=False)
        self.done = 0.0
        self.note = ""
        self.began = self.said = clock()
        columns = TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[text]}")
        self.bar = Progress(*columns, console=self.console, transient=True, disable=not self.console.is_terminal)
        self.task = self.bar.add_task(escape(title), total=total, text="")

    def __enter__(self) -> ProgressReport:
        self.bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.bar.stop()

    def advance(self, more: float = 1, note: str = "") -> None:
        """So much more is done; `note` is the result so far."""
        self.update(self.done + more, note)

    def update(self, done: float, note: str = "") -> None:
        """So much is done in all; without a note the last one stays."""
        self.done = done
        self.note = note or self.note
        text = self.text()
        self.bar.update(self.task, completed=done, text=escape(text))
        if not self.console.is_terminal and self.clock() - self.said >= LINE_EVERY_S:
            self.said = self.clock()
            self.console.print(f"{escape(self.title)}: {escape(text)}", soft_wrap=True)

    def text(self) -> str:
        """What is done, the time left, and the result so far."""
        show = format_seconds if self.timed else "{:,.0f}".format
        parts = [f"{show(self.done)} of {show(self.total)}"]
        if 0 < self.done < self.total:
            speed = 1.0 if self.timed else self.done / max(self.clock() - self.began, 1e-9)
            parts.append(f"{format_seconds((self.total - self.done) / speed)} left")
        return "; ".join([", ".join(parts), *([self.note] if self.note else [])])

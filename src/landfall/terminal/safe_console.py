"""What reaches a terminal: records, options and logs are others' text, and a control character in them is a command."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from rich.console import Console
from rich.text import Text

if TYPE_CHECKING:
    from rich.console import RenderableType

# C0 and C1 controls but tab and line feed, halves of characters, and overrides of direction.
CONTROLS: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")


def strip_controls(text: str) -> str:
    """The text without anything that a terminal obeys."""
    return CONTROLS.sub("", text)


class SafeConsole(Console):
    """A console that prints no control character but its own."""

    def render_str(self, text: str, **options: Any) -> Text:
        """Every string that is printed, or stands in what is printed, passes here."""
        return super().render_str(strip_controls(text), **options)

    def print(self, *objects: RenderableType, **options: Any) -> None:
        """Texts that were made elsewhere are stripped, too."""
        safe = [strip_text(one) if isinstance(one, Text) else one for one in objects]
        super().print(*safe, **options)


def strip_text(text: Text) -> Text:
    """A styled text without controls; its styles are kept where there are none."""
    if not CONTROLS.search(text.plain):
        return text
    return Text(strip_controls(text.plain))

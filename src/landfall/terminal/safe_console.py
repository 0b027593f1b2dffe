"""Sanitises terminal output: records, options and logs are untrusted text that may contain control characters."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from rich.console import Console
from rich.text import Text

if TYPE_CHECKING:
    from rich.console import RenderableType

# C0 and C1 controls except tab and line feed, surrogates, and bidirectional overrides.
CONTROLS: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")


def strip_control_characters(text: str) -> str:
    """The text without control characters."""
    return CONTROLS.sub("", text)


class SafeConsole(Console):
    """A console that prints only its own control characters."""

    def render_str(self, text: str, **options: Any) -> Text:
        """Every printed string passes through here."""
        return super().render_str(strip_control_characters(text), **options)

    def print(self, *objects: RenderableType, **options: Any) -> None:
        """Strip texts that were built elsewhere, too."""
        safe = [strip_controls_from_styled_text(one) if isinstance(one, Text) else one for one in objects]
        super().print(*safe, **options)


def strip_controls_from_styled_text(text: Text) -> Text:
    """A styled text without controls; without any, its styles are kept."""
    if not CONTROLS.search(text.plain):
        return text
    return Text(strip_control_characters(text.plain))

"""Refusals of a table."""

from __future__ import annotations

from landfall.core.errors import LandfallError, clip_text_arguments
from landfall.core.text_catalogue import translate


class Refused(LandfallError):
    """Nothing was changed. `code` is for programs, the text key `table.<code>` for people; `rule` is its rule's id."""

    def __init__(self, code: str, rule: str | None = None, /, **args: object) -> None:
        key = f"why.{rule}" if rule else f"table.{code}"
        args = clip_text_arguments(args)
        super().__init__(translate("en", key, args) if not rule else f"{code}: {rule}", key, args)
        self.code = code
        self.rule = rule

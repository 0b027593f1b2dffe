"""Results in a file of JSON lines below a header that identifies the experiment; an interrupted run resumes from it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from landfall.core.errors import LandfallError


class ResultLogError(LandfallError):
    """A file that belongs to another experiment."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path}: {reason}", "error.ladder", {"path": str(path), "reason": reason})


class ResultLog:
    """The results of one experiment: its name `what`, and the settings that all results share."""

    def __init__(self, path: Path, what: str, about: dict[str, object]) -> None:
        self.path = path
        self.head = json.dumps({what: 1, **about}, sort_keys=True)
        self.rows: list[dict[str, Any]] = []
        if path.exists():
            first, *lines = path.read_text(encoding="utf-8").split("\n")
            if first != self.head:
                raise ResultLogError(path, f"holds another {what}: {first[:200]}")
            self.rows = [json.loads(line) for line in lines[:-1]]  # an incomplete last line is dropped

    def rewrite_file(self) -> None:
        """Rewrite the file with the known results, ready for appending."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        text = "".join(f"{line}\n" for line in [self.head, *map(json.dumps, self.rows)])
        fresh = self.path.with_name(self.path.name + ".part")
        fresh.write_text(text, encoding="utf-8")
        fresh.replace(self.path)  # atomic: no results are lost in between

    def add(self, row: dict[str, Any]) -> None:
        """Append a result."""
        self.rows.append(row)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")

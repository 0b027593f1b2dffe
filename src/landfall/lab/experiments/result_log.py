"""Results kept in a file, a JSON line each below one that says whose they are: what was cut short goes on from it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from landfall.core.errors import LandfallError


class ResultLogError(LandfallError):
    """A file that holds something else."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path}: {reason}", "error.ladder", {"path": str(path), "reason": reason})


class ResultLog:
    """The results of one undertaking; `what` it is called, and all that they have in common."""

    def __init__(self, path: Path, what: str, about: dict[str, object]) -> None:
        self.path = path
        self.head = json.dumps({what: 1, **about}, sort_keys=True)
        self.rows: list[dict[str, Any]] = []
        if path.exists():
            first, *lines = path.read_text(encoding="utf-8").split("\n")
            if first != self.head:
                raise ResultLogError(path, f"holds another {what}: {first[:200]}")
            self.rows = [json.loads(line) for line in lines[:-1]]  # a last line cut short is left out

    def open(self) -> None:
        """Write the file anew with what is known, so that it can be added to."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        text = "".join(f"{line}\n" for line in [self.head, *map(json.dumps, self.rows)])
        fresh = self.path.with_name(self.path.name + ".part")
        fresh.write_text(text, encoding="utf-8")
        fresh.replace(self.path)  # at no moment is there less than there was

    def add(self, row: dict[str, Any]) -> None:
        """One more."""
        self.rows.append(row)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")

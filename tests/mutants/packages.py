"""Which tests concern which package: those that notice its faults quickest, in processes of their own excepted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Package:
    """Files of the package `landfall`, and the tests that are to notice a fault in them."""

    files: list[str]
    tests: list[str]
    least: int = 75  # percent of its mutants that are to be noticed

    @property
    def is_compiled(self) -> bool:
        """Whether some of its files are, where the engine is: a mutant of theirs must be interpreted."""
        return any(file.startswith("games/") for file in self.files)


PACKAGES: Final = {
    "rules-survive": Package(["games/survive/rules/*.py"], ["tests/survive", "tests/golden"], 85),
    "rules-atlantis": Package(["games/atlantis/rules/*.py"], ["tests/atlantis", "tests/golden"], 85),
    "rules-atlandice": Package(["games/atlandice/rules/*.py"], ["tests/atlandice", "tests/golden"], 85),
    "presentation": Package(
        ["games/*/presentation/*.py"],
        [*(f"tests/{game}/test_{what}.py" for game in ("atlantis", "atlandice") for what in ("line", "words")),
         "tests/survive/test_line.py", "tests/survive/test_notation.py", "tests/golden"],
    ),
    "ai": Package(
        ["games/*/ai/*.py", "bots/*.py"],
        [f"tests/generic/test_{what}.py" for what in ("features", "observations", "net_inputs", "quick_net", "bots")],
    ),
    "tables-log": Package(
        ["tables/log/*.py", "tables/protocol/*.py"],
        ["tests/tables/test_clocks.py", "tests/tables/test_decisions.py"]
        + [f"tests/tables/test_{what}.py" for what in ("authorisation", "manners", "presence", "playing")],
        85,
    ),
    "tables-live": Package(
        ["tables/live/*.py"],
        [f"tests/tables/test_{what}.py" for what in ("manners", "presence", "playing", "rematch", "loading")],
        85,
    ),
    "store": Package(
        ["store/*.py"],
        [*(f"tests/store/test_{what}.py" for what in ("store", "consent_and_bans", "retention")), "-k", "not postgres"],
        85,
    ),
    "offline": Package(["offline/*.py"], ["tests/offline/test_offline_server.py", "tests/offline/test_peers.py"]),
    "analysis": Package(["analysis/*.py"], ["tests/generic/test_review.py", "tests/tables/test_reviews.py"]),
    "cli": Package(["cli/*.py", "terminal/*.py"], ["tests/test_cli.py"]),
    "web": Package(
        ["web/*.py", "api/*.py"],
        [f"tests/server/test_{what}.py" for what in ("rate_limits", "configuration", "games", "frames")],
        85,
    ),
}  # fmt: skip

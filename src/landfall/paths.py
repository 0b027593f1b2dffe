"""Where files that are not code are found, in a checkout and in an installed package alike."""

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent


def rules_dir() -> Path:
    """The folder of the numbered rules: landfall/rules in a wheel, docs/rules in a checkout."""
    packaged = PACKAGE / "rules"
    return packaged if packaged.is_dir() else PACKAGE.parents[1] / "docs" / "rules"

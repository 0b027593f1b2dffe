"""Paths of data files, in a checkout and in an installed package alike."""

from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).resolve().parent
COMMON_NAME = "landfall"  # shared rules and texts of every table; no game may have this name
GAME_FOLDERS: dict[str, Path] = {}  # by game name; landfall.games fills it


def rules_dir() -> Path:
    """The folder of the numbered rules: landfall/rules in a wheel, docs/rules in a checkout."""
    packaged = PACKAGE / "rules"
    return packaged if packaged.is_dir() else PACKAGE.parents[1] / "docs" / "rules"


def rules_file(game: str, language: str) -> Path:
    """The path of a game's rules in a language, which may not exist: in its own folder, else in ours."""
    own = GAME_FOLDERS.get(game, PACKAGE) / "rules"
    if game in GAME_FOLDERS and (own / "en.md").is_file():
        return own / f"{language}.md"
    return rules_dir() / f"{game}.md" if language == "en" else rules_dir() / language / f"{game}.md"


def content_dir(game: str) -> Path:
    """The folder of a game's texts and guides: its folder `content`, or for a small game the game's folder itself."""
    inner = GAME_FOLDERS[game] / "content"
    return inner if inner.is_dir() else GAME_FOLDERS[game]


def texts_file(game: str, language: str) -> Path:
    """The text catalogue of a game, or the shared one ("")."""
    return (content_dir(game) if game else PACKAGE / "core") / "texts" / f"{language}.json"


def literal_of_small_game(game: str, name: str) -> Any:
    """A constant of a game's `game_definition.py`, which stands for the folder of its name; None if there is none."""
    if (content_dir(game) / name.lower()).is_dir():
        return None
    import ast  # few games are one file

    source = GAME_FOLDERS[game] / "game_definition.py"
    for node in ast.parse(source.read_text(encoding="utf-8")).body if source.is_file() else []:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value and ast.unparse(targets[0] or node) == name:
            return ast.literal_eval(node.value)
    return None


def level_ratings_file(game: str) -> Path:
    """The measured ratings of the bots' levels in a game, which may not exist."""
    return content_dir(game) / "level_ratings.json"


def guides_file(game: str) -> Path:
    """The path of a game's guides, which may not exist."""
    return content_dir(game) / "guides.json"


def guide_texts_file(game: str, language: str) -> Path:
    """The path of the guides' texts."""
    return content_dir(game) / "texts" / f"guides.{language}.json"


def visual_asset_file(name: str) -> Path:
    """A file of the client's visual assets: landfall/look in a wheel, client/src/look in a checkout."""
    packaged = PACKAGE / "look"
    return (packaged if packaged.is_dir() else PACKAGE.parents[1] / "client" / "src" / "look") / name


def puzzles_file(game: str) -> Path:
    """The path of a game's puzzles, which may not exist."""
    return content_dir(game) / "puzzles.json"

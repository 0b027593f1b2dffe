"""Where files that are not code are found, in a checkout and in an installed package alike."""

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
COMMON_NAME = "landfall"  # what every table has in common: its rules and texts; no game may be called so
GAME_FOLDERS: dict[str, Path] = {}  # of the games, by name; landfall.games fills it


def rules_dir() -> Path:
    """The folder of the numbered rules: landfall/rules in a wheel, docs/rules in a checkout."""
    packaged = PACKAGE / "rules"
    return packaged if packaged.is_dir() else PACKAGE.parents[1] / "docs" / "rules"


def rules_file(game: str, language: str) -> Path:
    """A game's rules in a language, whether or not there are any: in its own folder, else in ours."""
    own = GAME_FOLDERS.get(game, PACKAGE) / "rules"
    if game in GAME_FOLDERS and (own / "en.md").is_file():
        return own / f"{language}.md"
    return rules_dir() / f"{game}.md" if language == "en" else rules_dir() / language / f"{game}.md"


def content_dir(game: str) -> Path:
    """Where a game's texts and lessons are: its folder `content`, or in a small game the game's folder itself."""
    inner = GAME_FOLDERS[game] / "content"
    return inner if inner.is_dir() else GAME_FOLDERS[game]


def texts_file(game: str, language: str) -> Path:
    """The catalogue of a game, or of all ("")."""
    return (content_dir(game) if game else PACKAGE / "core") / "texts" / f"{language}.json"


def guides_file(game: str) -> Path:
    """The guides of a game, whether or not it has any."""
    return content_dir(game) / "guides.json"


def guide_texts_file(game: str, language: str) -> Path:
    """What they say."""
    return content_dir(game) / "texts" / f"guides.{language}.json"


def look_file(name: str) -> Path:
    """A file of the client's look: landfall/look in a wheel, client/src/look in a checkout."""
    packaged = PACKAGE / "look"
    return (packaged if packaged.is_dir() else PACKAGE.parents[1] / "client" / "src" / "look") / name


def puzzles_file(game: str) -> Path:
    """A game's puzzles, whether or not there are any."""
    return content_dir(game) / "puzzles.json"

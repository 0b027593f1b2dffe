"""Endpoints about games, the same for everybody: which there are, their options, rules, texts, guides and diagrams,
and the bots."""

from __future__ import annotations

from typing import Any

from landfall import guides as guided
from landfall import rulebook
from landfall.api.limits import QUERY
from landfall.api.routes import Access, Route
from landfall.api.types import (
    BotInfo,
    Explanation,
    GameInfo,
    GameName,
    Language,
    OptionInfo,
    OptionsBody,
    OptionsInfo,
    ProblemInfo,
    RuleId,
    RuleInfo,
    Touched,
)
from landfall.core import options as opt
from landfall.core.languages import LANGUAGES, SOURCE_LANGUAGE
from landfall.core.text_catalogue import load_text_catalogue
from landfall.games import GAME_NAMES
from landfall.games import game as find_game
from landfall.tables.bots import allowed_bots
from landfall.tables.protocol.errors import Refused
from landfall.tables.teaching import rule_diagrams


def describe_game(name: str) -> GameInfo:
    """A game as clients know it."""
    game = find_game(name)
    return GameInfo(
        name, game.rules_version, list(game.player_counts), list(game.colours), game.num_actions,
        [OptionInfo(**option.to_json()) for option in game.options],  # type: ignore[arg-type]
        [one["id"] for one in guided.load_guide_book(name)["guides"]],
    )  # fmt: skip


@Route("GET", "/api/games", "The games and their options", Access.OPEN, QUERY, cached=True)
def list_games() -> list[GameInfo]:
    """All there are."""
    return [describe_game(name) for name in GAME_NAMES]


@Route("POST", "/api/games/{game}/options", "Whether a choice of options can be played", Access.OPEN, QUERY)
def check_options_and_fill_defaults(game: GameName, body: OptionsBody) -> OptionsInfo:
    """All that is wrong with it, each as a text key with arguments, and the options with their defaults filled in."""
    found = find_game(game)
    faults = opt.find_option_problems(found.options, found.player_counts, body.players, body.options)
    complete = {option.name: body.options.get(option.name, option.default) for option in found.options}
    return OptionsInfo(complete, [ProblemInfo(*fault) for fault in faults])


def require_game_and_language(game: str, language: str, common: bool = False) -> None:
    """Refused, if there is no such game or language; `common`: what all games share will do."""
    if not (common and game == rulebook.COMMON):
        find_game(game)
    if language not in LANGUAGES:
        raise Refused("language", language=language, languages=", ".join(LANGUAGES))


@Route("GET", "/api/games/{game}/rules", "The numbered rules of a game", Access.OPEN, QUERY, cached=True)
def get_rulebook_rules(game: GameName, language: Language = "en") -> list[RuleInfo]:
    """In the order of the rulebook. `landfall` has those of every table."""
    require_game_and_language(game, language, common=True)
    return [RuleInfo(rule.id, rule.chapter, rule.text) for rule in rulebook.load_rules(game, language)]


@Route(
    "GET",
    "/api/games/{game}/texts/{language}",
    "All sentences of a game in a language",
    Access.OPEN,
    QUERY,
    cached=True,
)
def get_catalogue_texts(game: GameName, language: Language) -> dict[str, str]:
    """By key; the common ones included. `core/text_catalogue.py` says how they are filled in."""
    require_game_and_language(game, language)
    rooms = (load_text_catalogue(room, tongue) for room in ("", game) for tongue in (SOURCE_LANGUAGE, language))
    return {key: text for catalogue in rooms for key, text in catalogue.items()}


@Route(
    "GET",
    "/api/games/{game}/guides",
    "The guides of a game",
    Access.OPEN,
    QUERY,
    cached=True,
    result=list[dict[str, Any]],
)
def get_guides(game: GameName, language: Language = "en") -> object:
    """Lessons, what brings each of them and what they say; docs/guides.md tells how they are read."""
    require_game_and_language(game, language)
    return guided.guides_for_client(game, language)


@Route(
    "GET",
    "/api/games/{game}/figures",
    "Positions beside its rules",
    Access.OPEN,
    QUERY,
    cached=True,
    result=list[dict[str, Any]],
)
def get_rule_diagrams(game: GameName, language: Language = "en") -> object:
    """Each as a seat sees it, with what it may choose there and a sentence."""
    require_game_and_language(game, language)
    return rule_diagrams.list_rule_diagrams(game, language)


@Route("GET", "/api/games/{game}/figures/{rule}/why", "Why not, in one of them", Access.OPEN, QUERY)
def find_rule_forbidding_diagram_move(
    game: GameName, rule: RuleId, piece: Touched = "", place: Touched = ""
) -> Explanation:
    """The rule that forbids a touch; null if none does."""
    return Explanation(rule_diagrams.find_rule_forbidding_diagram_move(game, rule, piece, place))


@Route("GET", "/api/bots", "The bots that can be put on a chair", Access.OPEN, QUERY, cached=True)
def list_bot_levels() -> list[BotInfo]:
    """By level; codes go as well where the host allows them."""
    return [BotInfo(level, code) for level, code in allowed_bots.LEVELS.items()]

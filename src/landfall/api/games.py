"""Endpoints about games, the same for everybody: which there are, their options, rules, texts, guides and diagrams,
and the bots."""

from __future__ import annotations

from landfall import guides as guided
from landfall import rulebook
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


def list_games() -> list[GameInfo]:
    """The games and their options."""
    return [describe_game(name) for name in GAME_NAMES]


def check_options_and_fill_defaults(game: GameName, body: OptionsBody) -> OptionsInfo:
    """All that is wrong with a choice of options, and the options with their defaults filled in."""
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


def get_rulebook_rules(game: GameName, language: Language = "en") -> list[RuleInfo]:
    """The numbered rules of a game, in the order of the rulebook."""
    require_game_and_language(game, language, common=True)
    return [RuleInfo(rule.id, rule.chapter, rule.text) for rule in rulebook.load_rules(game, language)]


def get_catalogue_texts(game: GameName, language: Language) -> dict[str, str]:
    """All sentences of a game in a language, by key; the common ones included."""
    require_game_and_language(game, language)
    english = load_text_catalogue(game, SOURCE_LANGUAGE)
    return {**load_text_catalogue("", language), **english, **load_text_catalogue(game, language)}


def get_guides(game: GameName, language: Language = "en") -> object:
    """The guides of a game."""
    require_game_and_language(game, language)
    return guided.guides_for_client(game, language)


def get_rule_diagrams(game: GameName, language: Language = "en") -> object:
    """The positions beside the rules of a game."""
    require_game_and_language(game, language)
    return rule_diagrams.list_rule_diagrams(game, language)


def find_rule_forbidding_diagram_move(
    game: GameName, rule: RuleId, piece: Touched = "", place: Touched = ""
) -> Explanation:
    """The rule that forbids a touch in one of them; null if none does."""
    return Explanation(rule_diagrams.find_rule_forbidding_diagram_move(game, rule, piece, place))


def list_bot_levels() -> list[BotInfo]:
    """The bots that can be put on a chair, by level."""
    return [BotInfo(level, code) for level, code in allowed_bots.LEVELS.items()]

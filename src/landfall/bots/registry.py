"""Bots by code: `leviathan`, `mcts:ms=300`, `name:key=value:...`, a class from a file: `mine.py:MyBot:depth=3`, or a
program: `cmd:./mybot:ms=500`."""

from __future__ import annotations

import importlib.util
import inspect
import sys
from collections.abc import Callable
from functools import lru_cache, partial
from pathlib import Path
from types import ModuleType
from typing import Final, cast

from landfall.bots.command_bot import CommandBot
from landfall.bots.contract import Bot, BotError
from landfall.bots.greedy_bot import GreedyBot
from landfall.bots.levels import LEVELS
from landfall.bots.mcts_bot import MctsBot
from landfall.bots.net_bot import NetBot
from landfall.bots.net_search_bot import NetSearchBot
from landfall.bots.net_tree_bot import NetTreeBot
from landfall.bots.random_bot import RandomBot

BOT_TYPES: Final[dict[str, type[Bot]]] = {
    "random": RandomBot,
    "greedy": GreedyBot,
    "mcts": MctsBot,
    "net": NetBot,
    "netsearch": NetSearchBot,
    "nettree": NetTreeBot,
    **LEVELS,
}
TRUE_WORDS: Final = ("true", "on", "yes", "1")
FALSE_WORDS: Final = ("false", "off", "no", "0")


def make_bot(code: str) -> Bot:
    """Create the bot a code names; BotError says what is wrong with it."""
    name, *rest = code.split(":")
    kind: Callable[..., Bot]
    if name.endswith(".py"):
        if not rest or "=" in rest[0]:
            raise BotError(code, f"say which class of the file, as in {name}:MyBot")
        kind = load_bot_class(code, Path(name), rest.pop(0))
    elif name == CommandBot.name:
        kind = command_bot_factory(code, rest.pop(0) if rest else "")
    elif name in BOT_TYPES:
        kind = BOT_TYPES[name]
    else:
        known = f"{', '.join(BOT_TYPES)}, file.py:Class and cmd:COMMAND"
        raise BotError(code, f"there is no bot called {name!r}; there are {known}")
    return build_bot(code, kind, rest)


def build_bot(code: str, kind: Callable[..., Bot], texts: list[str]) -> Bot:
    """Create a bot of this class with `key=value` texts for its parameters."""
    config = config_type_of(kind)
    given = parse_parameters(code, config or kind, texts)
    made = kind(config(**given)) if config else kind(**given)
    made.code = code
    return made


@lru_cache(maxsize=64)  # bots are created for every request
def config_type_of(kind: Callable[..., Bot]) -> Callable[..., object] | None:
    """The dataclass of a bot's parameters, if it takes one."""
    found: Callable[..., object] | None = getattr(kind, "config_type", None)
    return found if "config" in inspect.signature(kind).parameters else None


def make_bots(codes: str) -> list[Bot]:
    """Create several bots from codes separated by commas.

    >>> [bot.name for bot in make_bots("greedy,mcts:iters=50")]
    ['greedy', 'mcts']
    """
    return [make_bot(code.strip()) for code in codes.split(",")]


def command_bot_factory(code: str, command: str) -> Callable[..., Bot]:
    """The factory of bots that run a program."""
    if not command.strip() or "=" in command:
        raise BotError(code, "say which command, as in cmd:./mybot")
    return partial(CommandBot, command)


def load_bot_module(code: str, path: Path) -> ModuleType:
    """Run a Python file that has bots."""
    if not path.is_file():
        raise BotError(code, f"there is no file {str(path)!r}")
    spec = importlib.util.spec_from_file_location(f"landfall_bot_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise BotError(code, f"{str(path)!r} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look up their module there
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # anything a user's file raises while it loads
        raise BotError(code, f"{str(path)!r} cannot be loaded: {type(error).__name__}: {error}") from error
    return module


def load_bot_class(code: str, path: Path, name: str) -> type[Bot]:
    """Load the class of that name from a Python file."""
    kind = getattr(load_bot_module(code, path), name, None)
    if kind is None:
        raise BotError(code, f"{str(path)!r} has no class {name!r}")
    if not is_bot_class(kind):
        raise BotError(code, f"{name!r} of {str(path)!r} is no landfall.bots.contract.Bot")
    return cast(type[Bot], kind)


def is_bot_class(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, Bot)


def bot_class_names(code: str, path: Path) -> list[str]:
    """The names of the bots that a Python file declares."""
    module = load_bot_module(code, path)
    return [name for name, kind in vars(module).items() if is_bot_class(kind) and kind.__module__ == module.__name__]


def parse_parameters(code: str, kind: Callable[..., object], texts: list[str]) -> dict[str, object]:
    """Parse `key=value` texts into arguments of the class, each by the type of its default."""
    known = parameter_defaults(kind)
    given: dict[str, object] = {}
    for text in texts:
        key, sign, value = text.partition("=")
        if not sign:
            raise BotError(code, f"{text!r} is no parameter; write key=value")
        if key not in known:
            listed = f"it has {', '.join(known)}" if known else "it has none"
            raise BotError(code, f"there is no parameter {key!r}; {listed}")
        if key in given:
            raise BotError(code, f"{key!r} is given twice")
        given[key] = parse_parameter(code, key, value, known[key])
    return given


@lru_cache(maxsize=64)  # bots are created for every request
def parameter_defaults(kind: Callable[..., object]) -> dict[str, object]:
    """A bot's parameters with their defaults."""
    found = inspect.signature(kind).parameters.values()
    return {p.name: p.default for p in found if p.default is not inspect.Parameter.empty}


def parse_parameter(code: str, key: str, text: str, default: object) -> object:
    """Parse one value by the type of the parameter's default."""
    if isinstance(default, bool):
        if text.lower() not in TRUE_WORDS + FALSE_WORDS:
            raise BotError(code, f"{key!r} must be true or false, not {text!r}")
        return text.lower() in TRUE_WORDS
    for kind, words in ((int, "a whole number"), (float, "a number")):
        if isinstance(default, kind):
            try:
                return kind(text)
            except ValueError:
                raise BotError(code, f"{key!r} must be {words}, not {text!r}") from None
    return text

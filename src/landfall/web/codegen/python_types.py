"""Our games' views, choices and options as Python types, and the overloads that give them to a game's name."""

from __future__ import annotations

import json
import re
from typing import Final, get_args

from landfall.core.options import BOOL, CHOICE, Option
from landfall.games import BUILT_IN_GAMES, game, game_module

HEAD: Final = '''"""The views, choices and options of our games as types. `Match` has them by itself for a game's name.

Made by `landfall types --write`; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypedDict

'''
READ_ONLY: Final = """
if TYPE_CHECKING:
    from typing_extensions import ReadOnly
else:  # which Python has from 3.13 on
    from typing import Required as ReadOnly
"""
COMMON: Final = '''

class Offered(TypedDict):
    """What every choice of `Match.choices` has beside its words."""

    action: int  # given to `Match.play` to choose it
    text: str  # the action in notation
    loses: list[str]  # own pieces that this choice loses at once
    hits: list[str]  # others' pieces that it hits at once, unless somebody prevents it


class Choice(Offered):
    """A choice of any game; it has arguments, too."""

    verb: ReadOnly[str]
'''
LINE_LENGTH: Final = 120
OVERLOADS: Final = re.compile(r"^( *)# generated: overloads\n(?:.*\n)*?\1# end of generated\n", re.MULTILINE)
NEW: Final = """@overload
def new(
    game: Literal["{game}"], players: int | None = None, **options: Unpack[kinds.{name}Options]
) -> kinds.{name}State: ...
"""
NEW_OF_ANY: Final = """@overload
def new(game: str, players: int | None = None, **options: object) -> State: ...
"""
ARGUMENTS: Final = """    players: int | None = None,
    *,
    seed: int | None = None,
    rng: Rng | None = None,
    seats: list[str] | None = None,
    position: str | None = None,
"""
INIT: Final = (
    """@overload
def __init__(
    self: Match[kinds.{name}State, kinds.{name}View, kinds.{name}Choice],
    game: Literal["{game}"],
"""
    + ARGUMENTS
    + """    **options: Unpack[kinds.{name}Options],
) -> None: ...
"""
)
INIT_OF_ANY: Final = (
    """@overload
def __init__(
    self,
    game: str,
"""
    + ARGUMENTS
    + """    **options: object,
) -> None: ...
"""
)


def type_of_option(option: Option) -> str:
    """The Python type of an option's values."""
    if option.kind == CHOICE:
        return f"Literal[{json.dumps(option.choices)[1:-1]}]"
    return "bool" if option.kind == BOOL else "object"


def render_game(name: str) -> str:
    """The types of one game: its options, its view, and each of its choices with what all choices have."""
    title, messages = name.capitalize(), f"{name}_messages"
    options = "".join(f"    {one.name}: {type_of_option(one)}\n" for one in game(name).options)
    options = options and "\n" + options
    kinds = [one.__name__ for one in get_args(game_module(name, "message_types").Choice)]
    choices = "".join(
        f'class {title}{kind}({messages}.{kind}, Offered):\n    """A choice of {title}."""\n\n\n' for kind in kinds
    )
    union = f"{title}Choice = " + " | ".join(f"{title}{kind}" for kind in kinds)
    if len(union) > LINE_LENGTH:
        union = union.replace(" = ", " = (\n    ").replace(" | ", "\n    | ") + "\n)"
    return (
        f'\n\nclass {title}Options(TypedDict, total=False):\n    """The options of {title}."""\n{options}\n\n'
        f"{choices}{union}\n{title}View = {messages}.View\n"
    )


def render_game_types() -> str:
    """The module `landfall.game_types`."""
    imports, exports = [], ["Choice", "Offered"]
    for name in sorted(BUILT_IN_GAMES):
        title = name.capitalize()
        imports += [
            f"from {game_module(name, 'message_types').__name__.rpartition('.')[0]} "
            f"import message_types as {name}_messages\n",
            f"from {type(game(name).new()).__module__} import {title}State\n",
        ]
        exports += [f"{title}{kind}" for kind in ("Choice", "Options", "State", "View")]
    listed = "".join(f'    "{name}",\n' for name in sorted(exports))
    games = "".join(render_game(name) for name in BUILT_IN_GAMES)
    return HEAD + "".join(sorted(imports)) + READ_ONLY + f"\n__all__ = [\n{listed}]\n" + COMMON + games


def with_overloads(source: str, for_game: str, for_any: str) -> str:
    """A module with its generated overloads written anew: one for each game, and one for any."""
    blocks = [for_game.format(game=name, name=name.capitalize()) for name in BUILT_IN_GAMES]

    def anew(found: re.Match[str]) -> str:
        indent = found[1]
        lines = "".join([*blocks, for_any]).splitlines(keepends=True)
        return "".join(
            [f"{indent}# generated: overloads\n", *(indent + line for line in lines), f"{indent}# end of generated\n"]
        )

    return OVERLOADS.sub(anew, source)

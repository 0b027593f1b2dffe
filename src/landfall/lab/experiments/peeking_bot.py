"""For measurements only: a search that sees the true position. Only the ladder knows its code, to measure the value of
hidden information; no player can get one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from landfall.bots import registry
from landfall.bots.contract import Bot, Seat
from landfall.bots.mcts_bot import MctsBot
from landfall.bots.search.mcts_tree import PeekingTree, SearchTree

if TYPE_CHECKING:
    from landfall.core.search_settings import SearchSettings
    from landfall.core.state import State

PEEKING_PREFIX: Final = "peeking-"


class PeekingBot(MctsBot):
    """mcts that takes its position for the true one, which here it is."""

    name = "peeking-mcts"

    def root_world(self, seat: Seat) -> State:
        return seat._world

    def make_empty_tree(self, world: State, seat: int, plan: SearchSettings) -> SearchTree:
        return PeekingTree(world, seat, plan)


def make_lab_bot(code: str) -> Bot:
    """Create the bot a code names; `peeking-mcts:...` exists only here."""
    if not code.startswith(PEEKING_PREFIX):
        return registry.make_bot(code)
    _, *rest = code.split(":")
    return registry.build_bot(code, PeekingBot, rest)

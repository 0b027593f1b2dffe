"""Something to watch when nobody plays in public: one slow match of bots for all processes of a server.

Its bots think only while somebody watches, and only when no other table needs a worker.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from landfall.games import GAME_NAMES
from landfall.games import game as find_game
from landfall.store.events import InitialChair
from landfall.tables.bots.allowed_bots import HINT_BOT
from landfall.tables.live.hub import Hub, TableConfig
from landfall.tables.live.subscriber import User
from landfall.tables.log.table import EXHIBITION
from landfall.tables.protocol import commands as cmd

if TYPE_CHECKING:
    from landfall.store.store import Store

PLAYERS: Final = 4  # if the game allows as many
EXHIBITOR: Final = User(EXHIBITION, "")


async def ensure_exhibition_match(hub: Hub, store: Store) -> None:
    """Begin an exhibition match unless there is one. Of several processes only one does."""
    if await store.tables.list_unfinished_tables_created_by(
        [EXHIBITION], 0, 1
    ) or not await store.database.try_acquire_bot_lease(EXHIBITION):
        return
    try:
        if await store.tables.list_unfinished_tables_created_by([EXHIBITION], 0, 1):  # another process was first
            return
        game = GAME_NAMES[hub.runtime.rng.randbelow(len(GAME_NAMES))]
        players = min(PLAYERS, max(find_game(game).player_counts))
        chairs = [InitialChair(bot=HINT_BOT) for _ in range(players)]
        table = await hub.create_table(EXHIBITOR, TableConfig(game, players, public=True), chairs)
        await hub.execute_command(table, EXHIBITOR, cmd.Start())
    finally:
        await store.database.release_bot_lease(EXHIBITION)

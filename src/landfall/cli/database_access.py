"""What the host's commands share: their database, and a sentence in place of a traceback."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from landfall.core.errors import LandfallError
from landfall.web.server_options import command_line_option

if TYPE_CHECKING:
    from landfall.store.store import Store

Database = Annotated[str | None, command_line_option("database")]
DAY_MS = 86_400_000


def now_epoch_ms() -> int:
    return time.time_ns() // 1_000_000


def exit_with_error(sentence: str) -> NoReturn:
    typer.echo(f"landfall: {sentence}", err=True)
    raise typer.Exit(1)


def make_store_or_exit(database: str | None, beside: bool = True) -> Store:
    """Make the store, not open yet, or exit; `beside` a server that may be running."""
    from landfall.store.store import make_store_for_setting

    try:
        return make_store_for_setting(database, beside=beside)
    except LandfallError as error:
        exit_with_error(str(error))


def run_with_store(database: str | None, work: Callable[[Store], Awaitable[None]], beside: bool = True) -> None:
    """Run a function with the database."""
    from landfall.store.sqlite import SqliteDatabase

    async def open_work_and_close() -> None:
        store = make_store_or_exit(database, beside)
        if isinstance(store.database, SqliteDatabase) and not store.database.path.exists():
            exit_with_error(f"there is no database at {store.database.path}")
        try:
            await store.database.open_and_migrate()
        except LandfallError as error:
            exit_with_error(str(error))
        try:
            await work(store)
        finally:
            await store.database.close()

    asyncio.run(open_work_and_close())

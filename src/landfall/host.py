"""For whoever hosts a server: backup, retention, damage, accounts; and a server of one's own, opened in a browser."""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
import sqlite3
import threading
import time
import urllib.error
import urllib.request
import webbrowser
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer
from rich.console import Console

from landfall.core.errors import LandfallError
from landfall.extras import need
from landfall.text.terminal import strip_controls

if TYPE_CHECKING:
    from landfall.store.store import Store

app = typer.Typer(help="For hosts: backup, retention, damage, accounts.", no_args_is_help=True)
Database = Annotated[
    str | None,
    typer.Option(help="A file, or postgresql+asyncpg://... Default: a file in your data folder."),
]
DAY = 86_400_000


def stop(sentence: str) -> NoReturn:
    typer.echo(f"landfall: {sentence}", err=True)
    raise typer.Exit(1)


@app.callback()
def needed() -> None:
    try:
        need("play")
    except LandfallError as error:
        stop(str(error))


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(help="Where the copy goes.")],
    database: Database = None,
) -> None:
    """Copy the SQLite database while the server runs. (PostgreSQL has pg_dump.)"""
    from landfall.store.sqlite import SqliteStore

    store = opened(database)
    if not isinstance(store, SqliteStore):
        stop("this database is PostgreSQL's: use pg_dump")
    if file.exists():
        stop(f"{file} exists already")
    if not store.path.exists():
        stop(f"there is no database at {store.path}")
    os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    with sqlite3.connect(store.path) as source, sqlite3.connect(file) as target:
        source.backup(target)
    source.close()
    target.close()
    typer.echo(f"{file}: {file.stat().st_size:,} bytes")


@app.command()
def retention(
    tables: Annotated[int | None, typer.Option(min=1, help="Forget tables not touched for so many days.")] = None,
    guests: Annotated[int | None, typer.Option(min=1, help="Forget guests not seen for so many days.")] = None,
    database: Database = None,
) -> None:
    """Delete what is old; accounts stay."""
    if tables is None and guests is None:
        stop("say what: --tables DAYS, --guests DAYS")
    now = int(time.time() * 1000)

    async def work(store: Store) -> None:
        done = await store.forget_before(tables and now - tables * DAY, guests and now - guests * DAY)
        typer.echo(f"forgotten: {done['tables']} tables, {done['guests']} guests")

    run(database, work)


@app.command()
def check(
    cut: Annotated[bool, typer.Option("--cut", help="Take damaged logs back to their last good entry.")] = False,
    database: Database = None,
) -> None:
    """Read every table's log, and tell which are damaged, where and why; 1 if some are and stay so."""
    from landfall.tables.checking import Checked, checked, mend

    async def work(store: Store) -> None:
        if cut and not await store.alone():
            stop("a server is using this database: stop it before anything is cut")
        found = [await checked(store, table) for table in await store.every_table()]
        file = Path(f"landfall-cut-{time.strftime('%Y%m%d-%H%M%S')}.jsonl").resolve()
        for one in found:
            tell(one)
            if cut and one.damaged:
                typer.echo(f"  {await mend(store, one, file)}")
        damaged = sum(one.damaged for one in found)
        typer.echo(f"{len(found)} tables, {sum(len(one.entries) for one in found)} entries, {damaged} damaged")
        if damaged and not cut:
            raise typer.Exit(1)

    def tell(one: Checked) -> None:
        if one.fault is not None:
            fault, count = one.fault, len(one.entries)
            said = f"{one.table}: {one.word}, entry {fault.entry} of {count}: {fault.kind}: {fault.reason}"
            typer.echo(strip_controls(said))

    run(database, work, beside=not cut)


@app.command()
def delete_account(name: str, database: Database = None) -> None:
    """Delete an account, its name in all matches, and its chat."""

    async def work(store: Store) -> None:
        found = await store.account(name)
        if found is None:
            stop(f"there is no account {name!r}")
        await store.forget_person(found.id)
        await store.notify("people", "")
        typer.echo(f"deleted: {name}")

    run(database, work)


@app.command()
def reset_password(name: str, database: Database = None) -> None:
    """Give an account a new password, print it, and sign its owner out everywhere."""

    async def work(store: Store) -> None:
        from landfall.web.identity import HASHER

        found = await store.account(name)
        if found is None:
            stop(f"there is no account {name!r}")
        password = secrets.token_urlsafe(12)
        await store.change_person(found.id, password=HASHER.hash(password))
        await store.end_sessions(found.id)
        await store.notify("people", "")
        typer.echo(password)

    run(database, work)


def opened(database: str | None, beside: bool = True) -> Store:
    """The store; `beside` a server that may be running."""
    from landfall.store.where import store_for

    try:
        return store_for(database, beside=beside)
    except LandfallError as error:
        stop(str(error))


def run(database: str | None, work: Callable[[Store], Awaitable[None]], beside: bool = True) -> None:
    """Do something with the database."""
    from landfall.store.sqlite import SqliteStore

    async def whole() -> None:
        store = opened(database, beside)
        if isinstance(store, SqliteStore) and not store.path.exists():
            stop(f"there is no database at {store.path}")
        try:
            await store.open()
        except LandfallError as error:
            stop(str(error))
        try:
            await work(store)
        finally:
            await store.close()

    asyncio.run(whole())


# --- playing --------------------------------------------------------------------------------------------------


def free_port(first: int = 8000) -> int:
    """The first port from there on that nobody listens on."""
    for port in range(first, first + 100):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    stop(f"no port from {first} on is free")


def open_browser(base: str, page: str) -> None:
    """Once the server answers, open a browser on it; where there is none, nothing happens."""
    for _ in range(100):
        try:
            urllib.request.urlopen(f"{base}/healthz", timeout=1).close()
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
        else:
            break
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return
    if not isinstance(browser, webbrowser.GenericBrowser):  # not one that takes over the terminal
        browser.open(base + page)


def play_in_browser(game: str | None, out: Console) -> None:
    """A server on the usual database, for this machine alone, and a browser."""
    from landfall.web.serve import Serving, serve

    port = free_port()
    url = f"http://localhost:{port}"
    out.print(f"Landfall is at [bold]{url}[/] (Ctrl-C ends it)")
    threading.Thread(target=open_browser, args=(url, f"/new/{game}" if game else "/"), daemon=True).start()
    serve(Serving(port=port, log_level="warning", bot_codes=True))

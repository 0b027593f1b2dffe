"""For server hosts: backup, retention, log checks, accounts; and a local server opened in a browser."""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
import socket
import threading
import time
import urllib.error
import urllib.request
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from landfall.cli import backups
from landfall.cli.database_access import DAY_MS, Database, exit_with_error, now_epoch_ms, run_with_store
from landfall.core.errors import LandfallError
from landfall.optional_dependencies import require_extra
from landfall.terminal.safe_console import strip_control_characters
from landfall.web.server_options import command_line_option

if TYPE_CHECKING:
    from landfall.store.store import Store

app = typer.Typer(help="For hosts: backup, retention, damage, accounts.", no_args_is_help=True)
Port = Annotated[int, command_line_option("port")]
PidFile = Annotated[Path | None, command_line_option("pid-file")]
Smtp = Annotated[str | None, command_line_option("smtp")]
MailFrom = Annotated[str, command_line_option("mail-from")]


@app.callback()
def require_server_extra() -> None:
    try:
        require_extra("play")
    except LandfallError as error:
        exit_with_error(str(error))


app.command("backup")(backups.back_up_database)
app.command("restore")(backups.restore_database)


@app.command("update")
def update_installation(
    file: Annotated[Path, typer.Argument(help="The new release's wheel: a file that ends with .whl.")],
    folder: Annotated[
        Path | None, typer.Option("--backups", help="Where the database is copied to before. Default: beside it.")
    ] = None,
    port: Port = 8000,
    pid_file: PidFile = None,
    wait: Annotated[float, typer.Option(min=1, help="Seconds that the server may take to run the new release.")] = 300,
    database: Database = None,
) -> None:
    """Check a wheel, back up, install it, try it on the copy, reload the server, verify; go back if anything fails."""
    from landfall.cli.update import update

    update(file, folder, port, pid_file, database, wait)


@app.command("retention")
def delete_old_tables_and_guests(
    tables: Annotated[int | None, typer.Option(min=1, help="Forget tables without an entry for so many days.")] = None,
    guests: Annotated[int | None, typer.Option(min=1, help="Forget guests not seen for so many days.")] = None,
    vacuum: Annotated[bool, typer.Option("--vacuum", help="Rewrite the files; a server waits.")] = False,
    database: Database = None,
) -> None:
    """Delete old tables; accounts and open tables stay."""
    if tables is None and guests is None and not vacuum:
        exit_with_error("say what: --tables DAYS, --guests DAYS, --vacuum")
    now = int(time.time() * 1000)

    async def forget_old(store: Store) -> None:
        done = await store.retention.delete_expired_tables_and_guests(
            tables and now - tables * DAY_MS, guests and now - guests * DAY_MS
        )
        typer.echo(f"forgotten: {done['tables']} tables, {done['guests']} guests")
        if vacuum and not await store.database.vacuum_database():
            exit_with_error("the file could not be rewritten: others use it, or the disk is full")

    run_with_store(database, forget_old)


@app.command("check")
def check_all_logs(
    cut: Annotated[bool, typer.Option("--cut", help="Take damaged logs back to their last good entry.")] = False,
    database: Database = None,
) -> None:
    """Check every table's log, and report damaged ones with place and reason; exits with 1 if some stay damaged."""
    from landfall.tables.log.log_check import LogCheck, check_table_log, truncate_damaged_log

    async def check_logs(store: Store) -> None:
        if cut and not await store.database.is_only_server_on_database():
            exit_with_error("a server is using this database: stop it before anything is cut")
        found = [await check_table_log(store, table) for table in await store.tables.list_all_table_ids()]
        file = Path(f"landfall-cut-{time.strftime('%Y%m%d-%H%M%S')}.jsonl").resolve()
        for one in found:
            print_fault(one)
            if cut and one.damaged:
                typer.echo(f"  {await truncate_damaged_log(store, one, file)}")
        await print_orphan_rows_and_incomplete_copies(store)
        damaged = sum(one.damaged for one in found)
        typer.echo(f"{len(found)} tables, {sum(len(one.entries) for one in found)} entries, {damaged} damaged")
        if damaged and not cut:
            raise typer.Exit(1)

    def print_fault(one: LogCheck) -> None:
        if one.fault is not None:
            fault, count = one.fault, len(one.entries)
            said = f"{one.table}: {one.fault_description}, entry {fault.entry} of {count}: {fault.kind}: {fault.reason}"
            typer.echo(strip_control_characters(said))

    run_with_store(database, check_logs, beside=not cut)


@app.command("ratings")
def compare_or_recompute_ratings(
    recompute: Annotated[bool, typer.Option("--recompute", help="Compute all ratings again from the logs.")] = False,
    suspicious: Annotated[bool, typer.Option("--suspicious", help="List pairs whose matches look arranged.")] = False,
    void: Annotated[
        list[str] | None, typer.Option(metavar="TABLE", help="Let this match not count, and compute all again.")
    ] = None,
    database: Database = None,
) -> None:
    """Compare the ratings with the logs of all rated matches; exits with 1 if they differ and stay so."""
    from landfall.tables.ratings.recompute import check_stored_ratings, recompute_ratings
    from landfall.tables.ratings.suspicious_pairs import list_suspicious_pairs

    async def list_pairs(store: Store) -> None:
        for pair in await list_suspicious_pairs(store, now_epoch_ms()):
            typer.echo(str(pair))

    async def compare_ratings(store: Store) -> None:
        for table in void or []:
            if not await store.ratings.void_match(table, now_epoch_ms()):
                exit_with_error(f"the match of table {table} has changed no ratings")
        found = await (recompute_ratings if recompute or void else check_stored_ratings)(store)
        for table in found.differing:
            typer.echo(f"{table}: its log has other numbers than its players' matches lead to")
        said = f"{found.matches} rated matches, {len(found.ratings)} ratings, {found.stored_differ} differed"
        typer.echo(f"{said}{'; all were written again' if recompute or void else ''}")
        if found.stored_differ and not (recompute or void):
            raise typer.Exit(1)

    run_with_store(database, list_pairs if suspicious else compare_ratings)


@app.command()
def delete_account(name: str, database: Database = None) -> None:
    """Delete an account, its name in all matches, and its chat."""
    from landfall.tables.protocol.text_validation import normalise_account_name

    async def delete_named(store: Store) -> None:
        found = await store.users.find_account_by_name(normalise_account_name(name))
        if found is None:
            exit_with_error(f"there is no account {name!r}")
        await store.personal_data.erase_user(found.id)
        await store.database.notify_processes("people", "")
        typer.echo(f"deleted: {name}")

    run_with_store(database, delete_named)


@app.command("admin")
def grant_or_remove_server_host_role(
    name: str,
    remove: Annotated[bool, typer.Option("--remove", help="No longer a host.")] = False,
    database: Database = None,
) -> None:
    """Make the owner of an account a host, who sees the page /host and may mute, ban and close tables."""

    async def change_role(store: Store) -> None:
        from landfall.tables.protocol.text_validation import normalise_account_name

        found = await store.users.find_account_by_name(normalise_account_name(name))
        if found is None or found.author is not None:
            exit_with_error(f"there is no account {name!r}")
        await store.moderation.set_server_host_role(found.id, not remove)
        typer.echo(f"{'no longer a host' if remove else 'a host'}: {found.name}")

    run_with_store(database, change_role)


@app.command()
def add_account(name: str, database: Database = None) -> None:
    """Make an account, and print its password; for servers with closed registration."""

    async def register_account(store: Store) -> None:
        from landfall.tables.runtime_dependencies import Runtime
        from landfall.web.identity import Identities

        identities = Identities(store, Runtime(), 0.0)
        password = secrets.token_urlsafe(12)
        try:
            await identities.turn_guest_into_account(await identities.create_guest(name), name, password)
        except LandfallError as error:
            exit_with_error(str(error))
        typer.echo(password)

    run_with_store(database, register_account)


@app.command()
def reset_password(name: str, database: Database = None) -> None:
    """Set a new password in place of all ways to sign in to an account, print it, and end the owner's sessions."""

    async def change_password(store: Store) -> None:
        from landfall.tables.protocol.text_validation import normalise_account_name
        from landfall.web.identity import PASSWORD_HASHER

        found = await store.users.find_account_by_name(normalise_account_name(name))
        if found is None or found.author is not None:
            exit_with_error(f"there is no account {name!r}")
        password = secrets.token_urlsafe(12)
        await store.accounts.reset_password_and_sign_out(found.id, PASSWORD_HASHER.hash(password))
        await store.database.notify_processes("people", "")
        typer.echo(password)

    run_with_store(database, change_password)


@app.command("reload")
def reload_running_server(
    port: Port = 8000,
    pid_file: PidFile = None,
) -> None:
    """Let a running server replace its workers, one by one, with processes of the code installed now."""
    from landfall.web.pid_file import default_pid_file_path, find_running_server_pid

    file = pid_file or default_pid_file_path(port)
    server = find_running_server_pid(file)
    if server is None:
        exit_with_error(f"no server is running that holds {file}; name its --port or --pid-file")
    try:
        os.kill(server, signal.SIGHUP)
    except OSError as error:
        exit_with_error(f"process {server} cannot be signalled: {error.strerror}")
    typer.echo(f"process {server} replaces its workers; its log says when that is done")


@app.command("doctor")
def check_installation(
    database: Database = None,
    port: Port = 8000,
    public_url: Annotated[
        str | None, typer.Option(envvar="LANDFALL_PUBLIC_URL", help="Where people reach the server.")
    ] = None,
    smtp: Smtp = None,
    mail_from: MailFrom = "",
) -> None:
    """Check a running installation, and say what to do about what is wrong; exits with 1 if something is."""
    from landfall.web.installation_checks import FAIL, run_all_checks

    found = asyncio.run(run_all_checks(database, port, public_url, smtp, mail_from))
    for one in found:
        typer.echo(f"{one.grade:4} {one.about}: {strip_control_characters(one.seen)}")
        if one.advice:
            typer.echo(f"     -> {one.advice}")
    if any(one.grade == FAIL for one in found):
        raise typer.Exit(1)


async def print_orphan_rows_and_incomplete_copies(store: Store) -> None:
    """Report orphaned data."""
    from landfall.store.backup import find_incomplete_copies
    from landfall.store.sqlite import SqliteDatabase

    for name, count in (await store.retention.count_orphan_rows()).items():
        typer.echo(f"{name}: {count} rows of deleted tables; `landfall host retention --tables DAYS` removes them")
    for file in find_incomplete_copies(store.database.path) if isinstance(store.database, SqliteDatabase) else []:
        typer.echo(f"{file}: a copy that was not completed; it can be deleted")


# --- local play -----------------------------------------------------------------------------------------------


def find_free_port(first: int = 8000) -> int:
    """The first free port from there on."""
    for port in range(first, first + 100):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    return exit_with_error(f"no port from {first} on is free")


def open_browser_when_server_answers(base: str, page: str) -> None:
    """Open a browser once the server answers; does nothing without one."""
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
    """Run a server on the default database, for this machine only, and open a browser."""
    from landfall.web.serve import serve_in_this_process
    from landfall.web.settings import Settings

    port = find_free_port()
    url = f"http://localhost:{port}"
    out.print(f"Landfall is at [bold]{url}[/] (Ctrl-C ends it)")
    threading.Thread(
        target=open_browser_when_server_answers, args=(url, f"/new/{game}" if game else "/"), daemon=True
    ).start()
    serve_in_this_process(Settings(port=port, log_level="warning", bot_codes=True))

"""landfall serve | bots | types: the server, bots for it on other machines, and its message types."""

from __future__ import annotations

import asyncio
import logging
import os
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

import typer

from landfall import server_host_commands
from landfall.cli.common import EXIT_FAILED, exit_on_errors, exit_with_error
from landfall.optional_dependencies import require_extra

BotMemory = Annotated[
    int,
    typer.Option(
        "--bot-memory", envvar="LANDFALL_BOT_MEMORY", min=128, help="Megabytes that each of them may allocate."
    ),
]


def serve_tables(
    address: Annotated[
        str, typer.Option("--host", envvar="LANDFALL_HOST", help="Where to listen; 0.0.0.0 for all around you.")
    ] = "127.0.0.1",
    port: server_host_commands.Port = 8000,
    database: server_host_commands.Database = None,
    bus: Annotated[
        str | None,
        typer.Option(
            envvar="LANDFALL_BUS",
            help="A NATS server, nats://host:4222, for news between processes and for bots on other machines.",
        ),
    ] = None,
    workers: Annotated[
        int, typer.Option(envvar="LANDFALL_WORKERS", min=1, max=64, help="Processes; more than one need PostgreSQL.")
    ] = 1,
    bot_workers: Annotated[
        int | None,
        typer.Option(
            envvar="LANDFALL_BOT_WORKERS", min=1, max=256, help="Processes in which the bots of each process think."
        ),
    ] = None,
    bot_memory_mb: BotMemory = 2048,
    public_url: Annotated[
        str | None,
        typer.Option(envvar="LANDFALL_PUBLIC_URL", help="Where people reach it: https://games.example.org"),
    ] = None,
    proxies: Annotated[
        str, typer.Option(envvar="LANDFALL_PROXIES", help="Addresses of proxies to be believed about their clients.")
    ] = "127.0.0.1",
    bot_codes: Annotated[
        bool,
        typer.Option(
            "--bot-codes",
            envvar="LANDFALL_BOT_CODES",
            help="Let people play codes such as mcts:ms=300, not only the levels.",
        ),
    ] = False,
    closed_registration: Annotated[
        bool,
        typer.Option(
            "--closed-registration",
            envvar="LANDFALL_CLOSED_REGISTRATION",
            help="Nobody can make an account; `landfall host add-account` does.",
        ),
    ] = False,
    invite_only: Annotated[
        bool,
        typer.Option(
            "--invite-only",
            envvar="LANDFALL_INVITE_ONLY",
            help="Only accounts make tables and see the lobby; guests need a table's link.",
        ),
    ] = False,
    smtp: server_host_commands.Smtp = None,
    mail_from: server_host_commands.MailFrom = "",
    private_push: Annotated[
        bool,
        typer.Option(
            "--private-push",
            envvar="LANDFALL_PRIVATE_PUSH",
            help="For tests: push services may be at private addresses, and without TLS.",
        ),
    ] = False,
    organisers: Annotated[
        str,
        typer.Option(
            envvar="LANDFALL_ORGANISERS",
            help="Accounts, separated by commas, who alone open tournaments and may cancel any. Default: all accounts.",
        ),
    ] = "",
    exhibition: Annotated[
        bool,
        typer.Option(
            "--exhibition/--no-exhibition",
            envvar="LANDFALL_EXHIBITION",
            help="Bots play for spectators while nobody plays in public.",
        ),
    ] = True,
    pid_file: server_host_commands.PidFile = None,
    log_format: Annotated[
        Literal["text", "json"], typer.Option(envvar="LANDFALL_LOG_FORMAT", help="Of the log's lines.")
    ] = "text",
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"],
        typer.Option(envvar="LANDFALL_LOG_LEVEL", help="What is logged; debug: each command and request, too."),
    ] = "info",
) -> None:
    """Serve tables over the network, for browsers and programs."""
    with exit_on_errors(code=EXIT_FAILED):
        require_extra("play")
    from landfall.web.serve import ServeOptions, serve_under_supervisor

    if public_url is not None:
        require_usable_public_url(public_url)
    if bus is not None:
        require_usable_bus(bus)
    with exit_on_errors(code=EXIT_FAILED):
        serve_under_supervisor(
            ServeOptions(
                host=address,
                port=port,
                database=database,
                bus=bus,
                workers=workers,
                public_url=public_url,
                proxies=proxies,
                bot_codes=bot_codes,
                bot_workers=bot_workers,
                bot_memory_mb=bot_memory_mb,
                closed_registration=closed_registration,
                invite_only=invite_only,
                smtp=smtp,
                mail_from=mail_from,
                private_push=private_push,
                organisers=organisers,
                exhibition=exhibition,
                pid_file=None if pid_file is None else str(pid_file),
                log_format=log_format,
                log_level=log_level,
            )
        )


def require_usable_bus(url: str) -> None:
    """Exit with a sentence if it is no bus, or the client for it is not installed."""
    from landfall.store.nats_bus import require_bus_address

    with exit_on_errors(code=EXIT_FAILED):
        require_extra("cluster")
        require_bus_address(url)


def serve_bots_on_bus(
    bus: Annotated[str, typer.Option(envvar="LANDFALL_BUS", help="The servers' NATS server: nats://host:4222")],
    bot_workers: Annotated[
        int | None,
        typer.Option(
            envvar="LANDFALL_BOT_WORKERS", min=1, max=256, help="Processes in which bots think. Default: one a core."
        ),
    ] = None,
    bot_memory_mb: BotMemory = 2048,
) -> None:
    """Let the bots of servers on a bus think on this machine."""
    with exit_on_errors(code=EXIT_FAILED):
        require_extra("play")
    require_usable_bus(bus)
    from landfall.tables.bots.remote_bots import serve_bots_on_bus

    logging.basicConfig(level=logging.INFO, format="%(message)s")
    asyncio.run(serve_bots_on_bus(bus, bot_workers or os.cpu_count() or 1, bot_memory_mb))


def require_usable_public_url(url: str) -> None:
    """Exit with a sentence if a server cannot be reached there."""
    if not url.startswith(("http://", "https://")):
        exit_with_error(f"--public-url {url}: write it with http:// or https://")
    parts = urlsplit(url)
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        exit_with_error(
            f"--public-url {url}: Landfall needs a host name of its own, such as https://games.example.org, "
            f"not a path below one"
        )
    if not parts.hostname:
        exit_with_error(f"--public-url {url}: a host name is missing")


def print_or_write_message_types(
    typescript: Annotated[bool, typer.Option("--typescript", help="The socket's messages as TypeScript.")] = False,
    write: Annotated[bool, typer.Option("--write", help="In a source tree: write the files made from them.")] = False,
) -> None:
    """Print all messages of the server as JSON schemas, or as the client's types."""
    with exit_on_errors(code=EXIT_FAILED):
        require_extra("play")
    from landfall.web.codegen import generated_files
    from landfall.web.codegen.message_schemas import build_socket_schema, render_all_schemas
    from landfall.web.codegen.typescript import types_to_typescript

    if write:
        for path in generated_files.write_stale_files(Path.cwd()):
            typer.echo(f"written: {path.relative_to(Path.cwd())}")
        return
    typer.echo(types_to_typescript(build_socket_schema()) if typescript else render_all_schemas(), nl=not typescript)

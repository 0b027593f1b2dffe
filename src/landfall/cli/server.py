"""landfall serve | bots | types: the server, bots for it on other machines, and its message types."""

from __future__ import annotations

import asyncio
import logging
import os
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import typer

from landfall.cli.common import EXIT_FAILED, exit_on_errors, exit_with_error
from landfall.optional_dependencies import require_extra
from landfall.web.server_options import ServerOptions, command_line_option, with_server_options
from landfall.worker_process import DEFAULT_MEMORY_MB


@with_server_options
def serve_tables(options: ServerOptions) -> None:
    """Serve tables over the network, for browsers and programs."""
    with exit_on_errors(code=EXIT_FAILED):
        require_extra("play")
    from landfall.web.serve import serve_under_supervisor
    from landfall.web.settings import Settings

    if options.public_url is not None:
        require_usable_public_url(options.public_url)
    if options.bus is not None:
        require_usable_bus(options.bus)
    with exit_on_errors(code=EXIT_FAILED):
        serve_under_supervisor(Settings(**vars(options)))


def require_usable_bus(url: str) -> None:
    """Exit with a sentence if it is no bus, or the client for it is not installed."""
    from landfall.store.nats_bus import require_bus_address

    with exit_on_errors(code=EXIT_FAILED):
        require_extra("cluster")
        require_bus_address(url)


def serve_bots_on_bus(
    bus: Annotated[str, command_line_option("bus")],
    bot_workers: Annotated[int | None, command_line_option("bot-workers")] = None,
    bot_memory_mb: Annotated[int, command_line_option("bot-memory")] = DEFAULT_MEMORY_MB,
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

"""landfall serve | types: the server, and its message types."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from landfall import host
from landfall.cli.common import EXIT_FAILED, exit_on_errors, exit_with_error
from landfall.extras import require_extra


def serve(
    address: Annotated[str, typer.Option("--host", help="Where to listen; 0.0.0.0 for all around you.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535)] = 8000,
    database: host.Database = None,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Processes; more than one need PostgreSQL.")] = 1,
    bot_workers: Annotated[
        int | None, typer.Option(min=1, max=256, help="Processes in which the bots of each process think.")
    ] = None,
    bot_memory_mb: Annotated[
        int, typer.Option("--bot-memory", min=128, help="Megabytes that each bot worker may allocate.")
    ] = 2048,
    public_url: Annotated[str | None, typer.Option(help="Where people reach it: https://games.example.org")] = None,
    proxies: Annotated[
        str, typer.Option(help="Addresses of proxies to be believed about their clients.")
    ] = "127.0.0.1",
    bot_codes: Annotated[
        bool, typer.Option("--bot-codes", help="Let people play codes such as mcts:ms=300, not only the levels.")
    ] = False,
    pid_file: Annotated[
        str | None, typer.Option(help="A file that names the process, for `landfall host reload`.")
    ] = None,
) -> None:
    """Serve tables over the network, for browsers and programs."""
    with exit_on_errors(code=EXIT_FAILED):
        require_extra("play")
    from landfall.web.serve import ServeOptions
    from landfall.web.serve import serve as run

    if public_url is not None and not public_url.startswith(("http://", "https://")):
        exit_with_error(f"--public-url {public_url}: write it with http:// or https://")
    with exit_on_errors(code=EXIT_FAILED):
        run(
            ServeOptions(
                address,
                port,
                database,
                workers,
                public_url,
                proxies,
                bot_codes=bot_codes,
                bot_workers=bot_workers,
                bot_memory_mb=bot_memory_mb,
                pid_file=pid_file,
            )
        )


def types(
    typescript: Annotated[bool, typer.Option("--typescript", help="The socket's messages as TypeScript.")] = False,
    write: Annotated[bool, typer.Option("--write", help="In a source tree: write the files made from them.")] = False,
) -> None:
    """Print all messages of the server as JSON schemas, or as the client's types."""
    with exit_on_errors(code=EXIT_FAILED):
        require_extra("play")
    from landfall.web.codegen import generated_files
    from landfall.web.codegen.message_schemas import all_schemas, socket_schema
    from landfall.web.codegen.typescript import to_typescript

    if write:
        for path in generated_files.write_files(Path.cwd()):
            typer.echo(f"written: {path.relative_to(Path.cwd())}")
        return
    typer.echo(to_typescript(socket_schema()) if typescript else all_schemas(), nl=not typescript)

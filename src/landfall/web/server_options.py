"""The options of `landfall serve`, each declared once: command line, environment, configuration file and the table in
docs/hosting.md are made from them. Light, because every command imports it."""

from __future__ import annotations

import typing
from collections.abc import Callable
from dataclasses import Field, dataclass, field, fields
from inspect import Parameter, Signature
from typing import Annotated, Any, Final, Literal

import typer

from landfall.worker_process import DEFAULT_MEMORY_MB

PREFIX: Final = "LANDFALL_"
MAX_PORT: Final = 65_535


@dataclass(frozen=True)
class OptionText:
    """How an option is written and explained."""

    usage: str  # as one would write it: --port 8000
    text: str
    see: str = ""  # where the documents say more, as a link
    least: int | None = None
    most: int | None = None

    @property
    def name(self) -> str:
        """The option's name, as in a configuration file."""
        return self.usage.split()[0].removeprefix("--").rstrip(",")


def option(default: Any, usage: str, text: str, **more: Any) -> Any:
    """Declare an option as a field with this default."""
    return field(default=default, metadata={"option": OptionText(usage, text, **more)})


@dataclass(frozen=True, kw_only=True)
class ServerOptions:
    """What a host chooses."""

    host: str = option(
        "127.0.0.1",
        "--host 0.0.0.0",
        "Where to listen; 0.0.0.0 for all interfaces. Links then hold this machine's address.",
    )
    port: int = option(8000, "--port 8000", "The port.", least=1, most=MAX_PORT)
    public_url: str | None = option(
        None,
        "--public-url https://games.example.org",
        "The address people use: for links and QR codes, and the only origin whose pages may act. "
        "It is a host name of its own, not a path below one.",
    )
    database: str | None = option(
        None,
        "--database FILE",
        "The database: a file, or postgresql+asyncpg://user:password@host/name. Default: a file in your data folder.",
    )
    bus: str | None = option(
        None,
        "--bus nats://10.0.0.1:4222",
        "A NATS server, for news between processes and for bots on other machines.",
        see="[scaling](scaling.md)",
    )
    workers: int = option(
        1,
        "--workers 4",
        "Server processes. More than one need PostgreSQL. One that dies, or hangs for 30 s, is replaced; later and "
        "later, up to 30 s, while new ones die young.",
        least=1,
        most=64,
    )
    bot_workers: int | None = option(
        None,
        "--bot-workers 3",
        "Processes in which bots think, for each server process. Default: one fewer than there are cores. "
        "Addresses share them equally, then people, then tables; one address never holds all of several.",
        least=1,
        most=256,
    )
    bot_memory_mb: int = option(
        DEFAULT_MEMORY_MB,
        "--bot-memory 2048",
        "Megabytes that each of them may allocate. One that needs more is replaced, and its bot chooses quickly.",
        least=128,
    )
    bot_codes: bool = option(
        False, "--bot-codes", "Let people play bot codes such as mcts:ms=300, not only the levels."
    )
    closed_registration: bool = option(
        False, "--closed-registration", "Nobody can make an account; the host does, with `landfall host add-account`."
    )
    invite_only: bool = option(
        False,
        "--invite-only",
        "Only people with an account make tables and see the lobby; guests play where they have a table's link.",
    )
    smtp: str | None = option(
        None,
        "--smtp smtp://user:password@mail.example.org:587",
        "The mail server that takes e-mails; without it none are sent.",
        see="[E-mail](#e-mail-and-push-notifications)",
    )
    mail_from: str = option("", "--mail-from landfall@example.org", "The address that e-mails come from.")
    report_webhook: str = option(
        "",
        "--report-webhook https://chat.example.org/hooks/abc",
        "An address that is told when somebody reports somebody: JSON with the sentence as `text` and as `content`.",
    )
    private_push: bool = option(
        False, "--private-push", "For tests: push services may be at private addresses, and without TLS."
    )
    organisers: str = option(
        "",
        "--organisers ana,boris",
        "Only these accounts open tournaments, and they may cancel any. Default: every account may open them.",
        see="[tournaments](tournaments.md)",
    )
    exhibition: bool = option(
        True,
        "--exhibition, --no-exhibition",
        "Bots play for spectators while nobody plays in public. Default: they do.",
    )
    log_format: Literal["text", "json"] = option(
        "text", "--log-format json", "One JSON object per line of the log, instead of text."
    )
    log_level: Literal["debug", "info", "warning", "error"] = option(
        "info",
        "--log-level debug",
        "What is logged: debug (each command and request, too), info, warning or error.",
    )
    pid_file: str | None = option(
        None,
        "--pid-file FILE",
        "Names the server's process for `landfall host reload`. Default: serve-PORT.pid in the data folder.",
    )
    proxies: str = option(
        "127.0.0.1", "--proxies 10.0.0.2", "Proxies whose X-Forwarded-For is trusted. Default: 127.0.0.1."
    )


def text_of(declared: Field[Any]) -> OptionText:
    found: OptionText = declared.metadata["option"]
    return found


OPTIONS: Final = {text_of(declared).name: declared for declared in fields(ServerOptions)}


def environment_variable_of(name: str) -> str:
    """The environment variable of an option."""
    return PREFIX + name.upper().replace("-", "_")


def command_line_option(name: str) -> Any:
    """The option for a command's parameter."""
    declared = OPTIONS[name]
    text = text_of(declared)
    switch = f"--{name}/--no-{name}" if declared.default is True else f"--{name}"
    variable = environment_variable_of(name)
    shown = declared.default != ""
    return typer.Option(switch, envvar=variable, help=text.text, min=text.least, max=text.most, show_default=shown)


def with_server_options(command: Callable[[ServerOptions], None]) -> Callable[..., None]:
    """A command whose parameters are the options of a server."""
    types_of = typing.get_type_hints(ServerOptions)

    def run(**values: Any) -> None:
        command(ServerOptions(**values))

    run.__doc__ = command.__doc__
    run.__signature__ = Signature(  # type: ignore[attr-defined]
        [
            Parameter(
                declared.name,
                Parameter.KEYWORD_ONLY,
                default=declared.default,
                annotation=Annotated[types_of[declared.name], command_line_option(name)],
            )
            for name, declared in OPTIONS.items()
        ]
    )
    return run


def render_option_table() -> str:
    """The options as a table for docs/hosting.md."""
    rows = ["| option | what it does |", "|---|---|"]
    for declared in OPTIONS.values():
        text = text_of(declared)
        usage = ", ".join(f"`{each}`" for each in text.usage.split(", "))
        rows.append(f"| {usage} | {text.text}{f' See {text.see}.' if text.see else ''} |")
    return "\n".join(rows) + "\n"

"""E-mail: notifications and confirmations, by the host's SMTP server; and the links that stop them without a login."""

from __future__ import annotations

import hashlib
import hmac
import re
import ssl
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import formatdate
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from landfall.core.errors import LandfallError
from landfall.core.text_catalogue import translate
from landfall.optional_dependencies import require_extra
from landfall.store.row_types import MailAddress
from landfall.store.store import Store
from landfall.tables.notifications.message_text import Message
from landfall.tables.notifications.table_notices import KINDS

SECRET_NAME: Final = "mail"  # in the store
TIMEOUT_S: Final = 20.0
SCHEMES: Final = {"smtp": 587, "smtps": 465, "smtp+plain": 25}
ADDRESS_PATTERN: Final = re.compile(
    r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z0-9-]{2,63}"
)
MAX_ADDRESS_CHARS: Final = 254


class MailSettingsError(LandfallError):
    """The host's settings for e-mail cannot be used, with the reason."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason, "error.database", {"reason": reason})


@dataclass(frozen=True)
class MailServer:
    """Where e-mail is handed over."""

    host: str
    port: int
    user: str | None
    password: str | None
    scheme: str  # smtp: STARTTLS; smtps: TLS from the first byte; smtp+plain: neither, on this machine


def parse_mail_server(url: str) -> MailServer:
    """From smtp://user:password@mail.example.org:587."""
    parts = urlsplit(url)
    try:
        port = parts.port
    except ValueError:
        port = -1
    if parts.scheme not in SCHEMES or not parts.hostname or port == -1:
        raise MailSettingsError("--smtp is an address such as smtp://user:password@mail.example.org:587, or smtps://")
    user = unquote(parts.username) if parts.username else None
    password = unquote(parts.password) if parts.password else None
    return MailServer(parts.hostname, port or SCHEMES[parts.scheme], user, password, parts.scheme)


def may_be_mail_address(text: str) -> bool:
    """Whether it may be an e-mail address; that it is one shows when a mail arrives."""
    return len(text) <= MAX_ADDRESS_CHARS and ADDRESS_PATTERN.fullmatch(text) is not None


def format_utc_minute(ms: int) -> str:
    """A time that every reader understands, wherever they and the server are.

    >>> format_utc_minute(1_795_000_000_000)
    '2026-11-18 11:06 UTC'
    """
    return datetime.fromtimestamp(ms / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")


def hash_mail_token(token: str) -> str:
    """What is stored of a link to confirm an address."""
    return hashlib.blake2b(token.encode(), digest_size=16, person=b"confirm").hexdigest()


class Mail:
    """The channel to addresses."""

    def __init__(self, store: Store, url: str, sender: str, base: str) -> None:
        require_extra("notify", "aiosmtplib")
        self.store = store
        self.server = parse_mail_server(url)
        if not may_be_mail_address(sender):
            raise MailSettingsError("--mail-from is missing: the address that e-mails come from")
        self.sender = sender
        self.base = base
        self.server_name = urlsplit(base).netloc
        self.key = b""

    async def load_secret_key(self) -> None:
        """The key of the links that stop e-mails is stored, so that all processes share it."""
        self.key = bytes.fromhex(await self.store.database.get_or_create_secret(SECRET_NAME))

    # --- links ------------------------------------------------------------------------------------------------

    def make_unsubscribe_token(self, person: str, kind: str) -> str:
        """A token that stops one kind of e-mail for one user, and does nothing else."""
        signed = hmac.new(self.key, f"{kind} {person}".encode(), hashlib.sha256).hexdigest()[:40]
        return f"{kind}.{person}.{signed}"

    def read_unsubscribe_token(self, token: str) -> tuple[str, str] | None:
        """The user and the kind of a token; None if we did not make it."""
        kind, _, rest = token.partition(".")
        person, _, _ = rest.rpartition(".")
        fine = hmac.compare_digest(self.make_unsubscribe_token(person, kind).encode(), token.encode())
        return (person, kind) if fine and kind in KINDS else None

    # --- sending ----------------------------------------------------------------------------------------------

    async def send_mail_message(self, address: MailAddress, message: Message) -> None:
        """Deliver a notification."""
        token, language = self.make_unsubscribe_token(address.person, message.kind), address.language
        opened = translate(language, "mail.open", {"url": f"{self.base}{message.path}"})
        if message.expires is not None:
            opened += "\n" + translate(language, "mail.until", {"time": format_utc_minute(message.expires)})
        why = translate(language, "mail.why", {"server": self.server_name})
        stopped = translate(language, "mail.stop", {"url": f"{self.base}/stop/{token}"})
        text = f"{message.body}\n\n{opened}\n\n-- \n{why}\n{stopped}\n"
        mail = self.make_email(address.address, message.title, text)
        mail["List-Unsubscribe"] = f"<{self.base}/api/mail/stop/{token}>"
        mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        number = hashlib.blake2b(f"{address.person} {message.keys}".encode(), digest_size=16).hexdigest()
        mail["Message-ID"] = f"<{number}@{self.sender.rpartition('@')[2]}>"  # the same if it is sent again
        await hand_over_email_or_only_connect(self.server, mail)

    async def send_confirmation(self, address: str, language: str, token: str, until: int) -> None:
        """Ask the owner of an address to confirm it."""
        told = {"url": f"{self.base}/confirm/{token}", "server": self.server_name, "time": format_utc_minute(until)}
        body = translate(language, "mail.confirm.body", told)
        await hand_over_email_or_only_connect(
            self.server, self.make_email(address, translate(language, "mail.confirm"), body + "\n")
        )

    def make_email(self, address: str, subject: str, body: str) -> EmailMessage:
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = f"Landfall <{self.sender}>", address, subject
        mail["Date"] = formatdate()
        mail["Auto-Submitted"] = "auto-generated"
        mail.set_content(body)
        return mail


async def hand_over_email_or_only_connect(server: MailServer, mail: EmailMessage | None) -> None:
    """Hand an e-mail to the host's server; None: only connect, to see that it answers."""
    import aiosmtplib

    options: dict[str, Any] = {"use_tls": server.scheme == "smtps", "start_tls": server.scheme == "smtp"}
    if server.scheme != "smtp+plain":
        options["tls_context"] = ssl.create_default_context()
    async with aiosmtplib.SMTP(hostname=server.host, port=server.port, timeout=TIMEOUT_S, **options) as connection:
        if server.user is not None:
            await connection.login(server.user, server.password or "")
        if mail is not None:
            await connection.send_message(mail)

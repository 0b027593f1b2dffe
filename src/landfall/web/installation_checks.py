"""Checks a running installation from outside, as a client would: what works, and what to do about the rest."""

from __future__ import annotations

import base64
import json
import os
import shutil
import socket
import ssl
import stat
import sys
import sysconfig
import time
from collections.abc import Iterator
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import landfall
from landfall.core.errors import LandfallError
from landfall.optional_dependencies import install_command, require_extra
from landfall.store.moderation import BackupRecord
from landfall.store.sqlite import SqliteDatabase
from landfall.store.store import default_database_path, is_shared_database, make_store_for_setting
from landfall.web.mail import hand_over_email_or_only_connect, may_be_mail_address, parse_mail_server
from landfall.web.push import is_push_installed
from landfall.web.request_security import origin_of_url

TIMEOUT_S: Final = 10.0
MIN_FREE_BYTES: Final = 1 << 30
MAX_CLOCK_DIFFERENCE_S: Final = 5.0
STRANGE_ORIGIN: Final = "https://elsewhere.example"
OK_GRADE, WARNING, FAIL = "ok", "WARN", "FAIL"
OLD_BACKUP_S: Final = 7 * 86_400
READ_WRITE: Final = 0o6
SWITCHING, FORBIDDEN, OK = 101, 403, 200
PUSH_SERVICE: Final = "updates.push.services.mozilla.com", 443  # one of them, to see whether any can be reached


@dataclass(frozen=True)
class Finding:
    """The result of a check; `advice` says what to do if it failed, or should be done soon."""

    about: str
    seen: str
    advice: str = ""
    is_warning: bool = False

    @property
    def is_fine(self) -> bool:
        return not self.advice

    @property
    def grade(self) -> str:
        return OK_GRADE if self.is_fine else WARNING if self.is_warning else FAIL


async def check_database(database: str | None) -> list[Finding]:
    """The database can be opened, has this release's schema, and can be written."""
    try:
        store = make_store_for_setting(database, beside=True)
        if isinstance(store.database, SqliteDatabase) and not store.database.path.exists():
            return [
                Finding(
                    "database", f"there is none at {store.database.path}", "start the server, or name its --database"
                )
            ]
        await store.database.open_and_migrate()
    except (LandfallError, OSError) as error:
        return [Finding("database", str(error), "check --database, and that the database runs")]
    try:
        await store.database.write_probe_row()
        return [
            Finding("database", "can be read and written"),
            Finding("migrations", "the schema is this release's"),
            describe_backup(await store.moderation.get_backup_record(), time.time()),
        ]
    except Exception as error:  # databases fail in many ways
        return [Finding("database", f"cannot be written: {error}", "check its disk and its permissions")]
    finally:
        await store.database.close()


def describe_backup(record: BackupRecord, now: float) -> Finding:
    """There is a backup, not too old, and none failed since."""
    advice = "make one every day: `landfall host backup FOLDER --keep 14` (docs/hosting.md)"
    if record.failed_at is not None:
        return Finding("backup", f"the last one failed: {record.failure}", "mend that, then " + advice)
    if record.at is None:
        return Finding("backup", "there was never one", advice, is_warning=True)
    age = now - record.at / 1000
    days = f"the last one is {age / 86_400:.1f} days old"
    return Finding("backup", days, advice if age > OLD_BACKUP_S else "")


def check_file_access(database: str | None) -> list[Finding]:
    """The server's user may open all files of a SQLite database. Root could: so root asks for that user instead."""
    path = sqlite_path(database)
    if path is None or not path.exists() or not hasattr(os, "getuid"):
        return []
    folder = path.parent.stat()
    me = (os.getuid(), os.getgid()) if os.getuid() else (folder.st_uid, folder.st_gid)
    found = [path.parent, *sorted(path.parent.glob(f"{path.name}*"))]
    for file in found:
        if file.exists() and not may_open(file.stat(), *me):
            owner, user = user_name(file.stat().st_uid), user_name(me[0])
            mode = stat.S_IMODE(file.stat().st_mode)
            return [
                Finding(
                    "files",
                    f"{file} belongs to {owner} ({mode:o}): the server, which runs as {user}, cannot open it",
                    f"chown {user} {file}; chmod u+rw {file}",
                )
            ]
    return [Finding("files", f"{user_name(me[0])} may open the database and what lies beside it")]


def may_open(file: os.stat_result, user: int, group: int) -> bool:
    """Whether that user may read and write a file; groups besides the main one are not asked."""
    shift = 6 if file.st_uid == user else 3 if file.st_gid == group else 0
    return user == 0 or file.st_mode >> shift & READ_WRITE == READ_WRITE


def user_name(number: int) -> str:
    import pwd

    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:  # a container's, or a dynamic one of a service that does not run
        return str(number)


def sqlite_path(database: str | None) -> Path | None:
    """The file of a SQLite database; None for PostgreSQL."""
    try:
        used = make_store_for_setting(database, beside=True).database
    except LandfallError:
        return None
    return used.path if isinstance(used, SqliteDatabase) else None


def check_disk_space(database: str | None) -> Finding:
    """There is room for the database, as far as it is on this machine."""
    path = default_database_path() if database is None or "://" in database else Path(database)
    try:
        folder = next(parent for parent in path.resolve().parents if parent.exists())
        free = shutil.disk_usage(folder).free
    except PermissionError as error:
        return Finding("disk", str(error), "run the doctor as a user who may read the database")
    elsewhere = "; PostgreSQL may be on another one" if is_shared_database(database) else ""
    seen = f"{free / 1e9:.1f} GB free at {folder}{elsewhere}"
    advice = f"make room: at least {MIN_FREE_BYTES >> 30} GB, or move the database" if free < MIN_FREE_BYTES else ""
    return Finding("disk", seen, advice)


def list_modules_without_bytecode() -> list[Path]:
    """The sources of the modules loaded here that were compiled in this process, as in every one that starts."""
    specs = [getattr(module, "__spec__", None) for module in list(sys.modules.values())]
    sources = [(Path(spec.origin), spec.cached) for spec in specs if spec and spec.origin and spec.cached]
    return sorted({file for file, cached in sources if file.suffix == ".py" and not Path(cached).exists()})


def check_bytecode() -> Finding:
    """A process starts with modules that are compiled already: else it needs seconds more."""
    missing = list_modules_without_bytecode()
    if not missing:
        return Finding("bytecode", "all modules are compiled")
    seen = f"{len(missing)} modules are compiled at every start, as {missing[0]}"
    folders = " ".join(sorted({sysconfig.get_path(name) for name in ("stdlib", "purelib")}))
    return Finding("bytecode", seen, f"as the owner of these files: {sys.executable} -m compileall -q {folders}")


def send_request(url: str, method: str = "GET", path: str = "/", **headers: str) -> tuple[HTTPResponse, bytes]:
    """One request; OSError or HTTPException if there is no answer."""
    parts = urlsplit(url)
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    connection = kind(parts.hostname or "", parts.port, timeout=TIMEOUT_S)
    try:
        connection.request(method, path, headers=headers)
        answer = connection.getresponse()
        return answer, answer.read()
    finally:
        connection.close()


def check_server(name: str, url: str, advice: str) -> Finding:
    """A server answers at a URL, accepts traffic, and runs the installed release."""
    try:
        answer, body = send_request(url, path="/readyz")
        said = json.loads(body)
        status, version = said["status"], said["version"]
    except ssl.SSLCertVerificationError as error:
        reason = error.verify_message
        return Finding(name, f"{url}: the certificate is not valid: {reason}", "let the proxy get a certificate")
    except (OSError, HTTPException) as error:
        return Finding(name, f"{url} does not answer: {error}", advice)
    except (ValueError, KeyError, TypeError):
        return Finding(name, f"{url} answers {answer.status}, but is not Landfall", advice)
    if answer.status != OK:
        return Finding(name, f"{url} accepts no traffic: {status}", "see its log; check the database")
    if version != landfall.__version__:
        return Finding(name, f"{url} runs {version}, installed is {landfall.__version__}", "run `landfall host reload`")
    return Finding(name, f"{url} runs {version} and accepts traffic")


def check_clock_difference(url: str) -> Finding:
    """This machine and the one that answers agree on the time."""
    answer, _ = send_request(url, path="/healthz")
    difference = abs(time.time() - parsedate_to_datetime(answer.headers["Date"]).timestamp())
    advice = "synchronise the clocks (systemd-timesyncd, chrony)" if difference > MAX_CLOCK_DIFFERENCE_S else ""
    return Finding("clock", f"differs by {difference:.0f} s", advice)


def check_proxy_headers(url: str) -> Finding:
    """The proxy passes on who asks, and the server believes it."""
    _, body = send_request(url, path="/api/connection")
    seen = json.loads(body)
    if seen["forwarded"] == "missing":
        return Finding("proxy headers", "X-Forwarded-For does not arrive", "let the proxy send it (docs/hosting.md)")
    if seen["forwarded"] == "ignored":
        advice = "start the server with --proxies and the proxy's address: else all people share one address's limits"
        return Finding("proxy headers", "X-Forwarded-For arrives, but its sender is not trusted", advice)
    if seen["scheme"] != urlsplit(url).scheme:
        return Finding("proxy headers", f"the server sees {seen['scheme']}", "let the proxy send X-Forwarded-Proto")
    return Finding("proxy headers", "X-Forwarded-For and X-Forwarded-Proto arrive and are trusted")


def get_websocket_handshake_status(url: str, origin: str) -> int:
    """The status of a WebSocket handshake."""
    parts = urlsplit(url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    with socket.create_connection((parts.hostname, port), TIMEOUT_S) as plain:
        line: socket.socket = plain
        if parts.scheme == "https":
            line = ssl.create_default_context().wrap_socket(plain, server_hostname=parts.hostname)
        key = base64.b64encode(os.urandom(16)).decode()
        line.sendall(
            f"GET /ws/tables/none HTTP/1.1\r\nHost: {parts.netloc}\r\nOrigin: {origin}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n".encode()
        )
        answer = HTTPResponse(line)
        try:
            answer.begin()
            return answer.status
        finally:
            answer.close()
            line.close()


def check_websocket(url: str) -> Iterator[Finding]:
    """Sockets get through the proxy; pages of this origin may act, and others may not."""
    status = get_websocket_handshake_status(url, origin_of_url(url))
    if status == FORBIDDEN:
        advice = f"start the server with --public-url {origin_of_url(url)}, exactly as people type it"
        yield Finding("origin", f"pages of {origin_of_url(url)} are refused", advice)
        return
    if status != SWITCHING:
        advice = "let the proxy pass on Upgrade and Connection (docs/hosting.md)"
        yield Finding("WebSocket", f"the handshake is answered with {status}", advice)
        return
    yield Finding("WebSocket", "gets through")
    if get_websocket_handshake_status(url, STRANGE_ORIGIN) == SWITCHING:
        yield Finding("origin", "pages of other sites may act", "start the server with --public-url")
    else:
        yield Finding("origin", f"pages of {origin_of_url(url)} may act, others may not")


def check_push_setup(public_url: str | None) -> Finding:
    """Push messages can be encrypted and sent, and browsers allow them here."""
    if not is_push_installed():
        return Finding("push", f"none is sent: {install_command('notify')}")
    if public_url is not None and not public_url.startswith("https:"):
        return Finding("push", f"browsers allow none at {public_url}", "let a proxy serve it by https")
    try:
        socket.create_connection(PUSH_SERVICE, TIMEOUT_S).close()
    except OSError as error:
        return Finding(
            "push", f"{PUSH_SERVICE[0]} cannot be reached: {error}", "allow outgoing connections to port 443"
        )
    return Finding("push", f"can be sent; {PUSH_SERVICE[0]} can be reached")


async def check_mail_server(smtp: str | None, mail_from: str) -> Finding:
    """The mail server takes e-mails from this host."""
    if smtp is None:
        return Finding("e-mail", "none is sent: --smtp is not set")
    try:
        require_extra("notify", "aiosmtplib")
        server = parse_mail_server(smtp)
    except LandfallError as error:
        return Finding("e-mail", str(error), "see docs/hosting.md")
    where = f"{server.host}:{server.port}"
    if not may_be_mail_address(mail_from):
        return Finding("e-mail", "--mail-from is no address", "name the address that e-mails come from")
    try:
        await hand_over_email_or_only_connect(server, None)
    except Exception as error:  # a mail server fails in many ways
        advice = "check --smtp: host, port, user and password; smtps:// for a server that begins with TLS"
        return Finding("e-mail", f"{where} does not accept us: {error}", advice)
    return Finding("e-mail", f"{where} accepts e-mails from here")


async def run_all_checks(
    database: str | None, port: int, public_url: str | None, smtp: str | None = None, mail_from: str = ""
) -> list[Finding]:
    """All checks. Those through the proxy need a public URL, and a server that answers there."""
    found = [*check_file_access(database), *await check_database(database), check_disk_space(database)]
    found.append(check_bytecode())
    found += [check_push_setup(public_url), await check_mail_server(smtp, mail_from)]
    local = f"http://127.0.0.1:{port}"
    found.append(check_server("server", local, "start it: `landfall serve`, or name its --port"))
    if public_url is None:
        found.append(Finding("public URL", "none is set", "name it: --public-url https://games.example.org"))
        return found
    url = public_url.rstrip("/")
    advice = "check the name in DNS, ports 80 and 443 in the firewall, and that the proxy runs and names this port"
    found.append(check_server("public URL", url, advice))
    if not found[-1].is_fine:
        return found
    try:
        found += [check_clock_difference(url), check_proxy_headers(url), *check_websocket(url)]
    except (OSError, HTTPException, ValueError, KeyError) as error:
        found.append(Finding("public URL", f"{url} stopped answering: {error}", advice))
    return found

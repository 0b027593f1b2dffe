"""The file that names a running server's process, for `landfall host reload`. The server keeps it locked."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_data_path

try:
    import fcntl
except ImportError:  # Windows, which has no SIGHUP either
    fcntl = None  # type: ignore[assignment]


def default_pid_file_path(port: int) -> Path:
    """The default file of the server at a port."""
    return user_data_path("landfall", appauthor=False) / f"serve-{port}.pid"


def write_and_lock_pid_file(path: Path) -> int | None:
    """Write this process's number, and lock the file until the process ends. None: impossible here."""
    if fcntl is None:
        return None
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.ftruncate(file, 0)
        os.write(file, f"{os.getpid()}\n".encode())
    except OSError:  # another server holds it
        os.close(file)
        return None
    return file


def find_running_server_pid(path: Path) -> int | None:
    """The process number of the server that holds the file; None: there is none."""
    if fcntl is None:
        return None
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return int(os.read(file, 20) or b"0") or None
    else:
        return None  # its server has ended
    finally:
        os.close(file)

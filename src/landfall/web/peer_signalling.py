"""Notes that two pages leave each other to find a way to each other: in memory only, for a minute, each read once.

A note is in the worker where it was left. A worker that lacks it asks the others on their Unix sockets, in the folder
of `metrics_exchange`.
"""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections import OrderedDict
from contextlib import suppress
from pathlib import Path
from typing import Final

NOTE_TTL_S: Final = 60.0
MAX_NOTES: Final = 10_000
ANSWER_TIMEOUT_S: Final = 2.0  # a worker that hangs is left out
SOCKET_PREFIX: Final = "notes-"
log = logging.getLogger("landfall")


class PeerNotes:
    """One worker's notes, by the box they were left in. Without a folder there are no other workers."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self.notes: OrderedDict[str, tuple[float, str]] = OrderedDict()  # the oldest first
        self.listener: asyncio.Server | None = None

    async def listen_to_other_workers(self) -> None:
        """Answer the other workers."""
        if self.folder is None or not hasattr(asyncio, "start_unix_server"):
            return
        try:
            self.listener = await asyncio.start_unix_server(self.take_and_send_own_note, self.own_socket_path)
        except OSError as error:
            log.warning("notes left with this worker are not found by others: %s", error)

    async def stop_listening(self) -> None:
        if self.listener is not None:
            self.listener.close()
            with suppress(OSError):
                self.own_socket_path.unlink()

    @property
    def own_socket_path(self) -> Path:
        assert self.folder is not None
        return self.folder / f"{SOCKET_PREFIX}{os.getpid()}"

    def leave_note(self, box: str, note: str) -> None:
        """Leave a note, in place of an earlier one."""
        now = time.monotonic()
        self.notes.pop(box, None)
        self.notes[box] = now + NOTE_TTL_S, note
        while self.notes and (len(self.notes) > MAX_NOTES or next(iter(self.notes.values()))[0] < now):
            self.notes.popitem(last=False)

    async def take_note_from_any_worker(self, box: str) -> str | None:
        """Take the note out of a box, in whichever worker it is."""
        found = self.take_own_note(box)
        if found is None and self.listener is not None and self.folder is not None:
            others = [path for path in self.folder.glob(f"{SOCKET_PREFIX}*") if path != self.own_socket_path]
            found = next(
                filter(None, await asyncio.gather(*(take_note_from_worker(path, box) for path in others))), None
            )
        return found

    def take_own_note(self, box: str) -> str | None:
        until, note = self.notes.pop(box, (0.0, ""))
        return note if until > time.monotonic() else None

    async def take_and_send_own_note(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer another worker that asks for the note in a box; it is not here any more."""
        with suppress(OSError, TimeoutError, ValueError):
            async with asyncio.timeout(ANSWER_TIMEOUT_S):
                box = (await reader.readline()).decode().strip()
                writer.write((self.take_own_note(box) or "").encode())
                await writer.drain()
        writer.close()


async def take_note_from_worker(path: Path, box: str) -> str:
    """Take a note from another worker; empty if it has none or does not answer."""
    try:
        async with asyncio.timeout(ANSWER_TIMEOUT_S):
            reader, writer = await asyncio.open_unix_connection(path)
            try:
                writer.write(f"{box}\n".encode())
                return (await reader.read(-1)).decode()
            finally:
                writer.close()
    except ConnectionRefusedError:  # it was killed
        path.unlink(missing_ok=True)
    except (OSError, TimeoutError):
        log.warning("a worker did not answer about a note")
    return ""

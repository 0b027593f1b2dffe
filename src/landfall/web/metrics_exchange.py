"""The metrics of all workers of one `landfall serve`, from whichever of them is asked.

Each worker answers with its own on a Unix socket in a private folder of the supervisor. Nothing is done until somebody
asks. A worker that has gone is left out: its samples name it, so that no sum over the others goes backwards.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

ANSWER_TIMEOUT_S: Final = 2.0  # a worker that hangs is left out
log = logging.getLogger("landfall")


class MetricsExchange:
    """One worker's side. Without a folder there are no other workers."""

    def __init__(self, render: Callable[[], bytes], folder: Path | None) -> None:
        self.render = render
        self.folder = folder
        self.listener: asyncio.Server | None = None

    async def listen_to_other_workers(self) -> None:
        """Answer the other workers."""
        if self.folder is None or not hasattr(asyncio, "start_unix_server"):
            return
        try:
            self.listener = await asyncio.start_unix_server(self.send_own_metrics, self.folder / str(os.getpid()))
        except OSError as error:
            log.warning("the metrics of this worker are not shown by others: %s", error)

    async def stop_listening(self) -> None:
        if self.listener is not None and self.folder is not None:
            self.listener.close()
            with suppress(OSError):
                (self.folder / str(os.getpid())).unlink()

    async def send_own_metrics(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            writer.write(self.render())
            await writer.drain()
        writer.close()

    async def render_metrics_of_all_workers(self) -> bytes:
        """The metrics of all workers."""
        others: list[Path] = []
        if self.listener is not None and self.folder is not None:
            others = [path for path in self.folder.iterdir() if path.name.isdecimal() and path.name != str(os.getpid())]
        texts = await asyncio.gather(*map(fetch_worker_metrics, others))
        return merge_metric_texts([self.render(), *texts])


async def fetch_worker_metrics(path: Path) -> bytes:
    """Another worker's metrics; empty if it does not answer."""
    try:
        async with asyncio.timeout(ANSWER_TIMEOUT_S):
            reader, writer = await asyncio.open_unix_connection(path)
            try:
                return await reader.read(-1)
            finally:
                writer.close()
    except ConnectionRefusedError:  # it was killed
        path.unlink(missing_ok=True)
    except (OSError, TimeoutError):
        log.warning("a worker did not answer with its metrics")
    return b""


def merge_metric_texts(texts: Iterable[bytes]) -> bytes:
    """Several answers as one: the samples of a metric follow each other, after one heading."""
    headings: dict[bytes, list[bytes]] = {}
    samples: dict[bytes, list[bytes]] = {}
    for text in texts:
        name = b""
        for line in text.splitlines():
            if line.startswith(b"# HELP "):
                name = line.split(b" ", 3)[2]
                headings.setdefault(name, [])
            if not line.startswith(b"#"):
                samples.setdefault(name, []).append(line)
            elif line not in headings[name]:
                headings[name].append(line)
    return b"".join(line + b"\n" for name in headings for line in (*headings[name], *samples.get(name, ())))

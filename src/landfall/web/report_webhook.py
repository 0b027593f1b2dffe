"""Tells a chat or another program of the host's that there is a report. Best effort: the report itself is stored."""

from __future__ import annotations

import asyncio
import json
import logging
import urllib.request
from typing import Final

TIMEOUT_S: Final = 10.0
log = logging.getLogger("landfall")


async def post_to_webhook(url: str, sentence: str) -> None:
    """As chats read it: Slack and Mattermost `text`, Discord `content`."""
    body = json.dumps({"text": sentence, "content": sentence}).encode()
    asked = urllib.request.Request(url, body, {"Content-Type": "application/json", "User-Agent": "landfall"})
    try:
        await asyncio.to_thread(lambda: urllib.request.urlopen(asked, timeout=TIMEOUT_S).close())
    except (OSError, ValueError) as error:
        log.warning("the report webhook does not answer: %s", error)

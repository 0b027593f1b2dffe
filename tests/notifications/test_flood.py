"""Devices at an address that accepts and never answers: nobody else waits for them."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from landfall.api.limits import Limits
from tests.conftest import LONG
from tests.notifications.receivers import Browser, MailServer, PushService, wait_for
from tests.notifications.test_delivery import settings_of, subscribe
from tests.server.real_server import Player, ServerProcess

pytestmark = pytest.mark.once
MAX_DELAY_S = 2.0  # of an honest message, while the devices of others take ten seconds each


@pytest.fixture
def silent_port() -> Iterator[int]:
    """Of a service whose connections the system accepts, and which nobody ever answers."""
    with closing(socket.create_server(("127.0.0.1", 0), backlog=1000)) as listening:
        yield listening.getsockname()[1]


async def message_delay_s(player: Player, browser: Browser) -> float:
    """How long a trial message is on its way."""
    before, asked = len(browser.got), time.monotonic()
    answer = await player.http.post("/api/me/notifications/trial")
    assert answer.status_code == 204, answer.text
    await asyncio.to_thread(wait_for, lambda: len(browser.got) > before)
    return time.monotonic() - asked


@pytest.mark.parametrize("attackers", [1, 12])
def test_devices_that_never_answer_hold_nobody_up(attackers: int, tmp_path: Path, silent_port: int) -> None:
    async def story(url: str, browser: Browser, service: PushService) -> None:
        honest = await Player(url, "Ana").come()
        await subscribe(honest, browser)
        quiet = max([await message_delay_s(honest, browser) for _ in range(5)])
        others = [await Player(url, f"Flood {number}").come() for number in range(attackers)]
        for number, other in enumerate(others):
            for device in range(10):
                silent = Browser(service, f"{number}-{device}")
                silent.endpoint = f"http://127.0.0.1:{silent_port}/{number}-{device}"
                await subscribe(other, silent)
        delays = []
        for _ in range(3):
            for other in others:
                assert (await other.http.post("/api/me/notifications/trial")).status_code == 204
            delays += [await message_delay_s(honest, browser) for _ in range(4)]
        print(f"{attackers} x 10 silent devices: quiet {quiet:.2f} s, flooded {max(delays):.2f} s")
        assert max(delays) < max(MAX_DELAY_S, 10 * quiet)
        for player in (honest, *others):
            await player.close()

    database = str(tmp_path / "landfall.db")
    with PushService() as service, MailServer() as mails, ServerProcess(database, **settings_of(mails)) as server:
        asyncio.run(asyncio.wait_for(story(server.url, service.browser("honest"), service), 3 * LONG))


def test_an_address_may_try_a_few_messages_in_a_row(tmp_path: Path) -> None:
    async def story(url: str) -> None:
        players = [await Player(url, name).come() for name in ("Ana", "Boris", "Carla")]
        answers = [(await p.http.post("/api/me/notifications/trial")).status_code for _ in range(3) for p in players]
        assert answers.count(204) == Limits().trials[1]
        assert answers.count(429) == len(answers) - Limits().trials[1]
        for player in players:
            await player.close()

    database = str(tmp_path / "landfall.db")
    with MailServer() as mails, ServerProcess(database, limited=True, **settings_of(mails)) as server:
        asyncio.run(asyncio.wait_for(story(server.url), LONG))

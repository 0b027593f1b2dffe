"""Guesses of passwords: per address, per account from everywhere, and what the log says of them."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from pathlib import Path

import pytest

from landfall.api.limits import Limits
from landfall.tables.protocol.errors import Refused
from landfall.web.app import create_app
from landfall.web.server import Server
from landfall.web.settings import Settings

pytestmark = pytest.mark.once
GUESSES = 12
LIMITS = replace(Limits(), guesses=(0.0, float(GUESSES)), tries=(0.0, 5.0))


async def attempt(server: Server, account: str, address: str, right: bool = False) -> str:
    try:
        async with server.limited_password_attempt(account, address, None):
            if not right:
                raise Refused("login")
    except Refused as refused:
        return refused.code
    return "in"


async def guess_from_everywhere(folder: Path) -> None:
    app = create_app(Settings(database=str(folder / "landfall.db"), bot_workers=0, exhibition=False, limits=LIMITS))
    async with app.router.lifespan_context(app):
        server: Server = app.state.server
        assert await attempt(server, "ana", "192.0.2.1", right=True) == "in"
        left = GUESSES - 1
        answers = [await attempt(server, "ana", f"198.51.100.{n}") for n in range(left + 8)]
        assert answers == ["login"] * left + ["tries"] * 8
        assert await attempt(server, "ana", "203.0.113.1", right=True) == "tries", "nor is a right guess told"
        assert await attempt(server, "ana", "192.0.2.1", right=True) == "in", "its owner at home is not locked out"
        assert await attempt(server, "boris", "198.51.100.1") == "login", "another account is not concerned"
        here = [await attempt(server, "boris", "198.51.100.1") for _ in range(5)]
        assert here == ["login"] * 4 + ["tries"]


def test_many_addresses_together_have_few_guesses_and_the_owner_is_not_locked_out(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "landfall"):
        asyncio.run(guess_from_everywhere(tmp_path))
    lines = [line.getMessage() for line in caplog.records if "sign-in failed" in line.getMessage()]
    assert len(lines) > 2 * GUESSES
    assert not any("ana" in line or "boris" in line or "198.51" in line for line in lines)
    accounts = {line.partition("account ")[2].partition(",")[0] for line in lines}
    assert len(accounts) == 2, "the same account is recognised"

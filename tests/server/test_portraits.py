"""Portraits on a real server: chosen by the owner of an account, seen by everybody, gone with the account."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from landfall.web.rest_portraits import MAX_NAMES
from tests.server.real_server import Player, ServerProcess

pytestmark = pytest.mark.once
CHOSEN = {"colour": "orange", "ground": "night"}


def test_a_portrait_is_chosen_seen_by_everybody_and_deleted_with_the_account(tmp_path: Path) -> None:
    async def live(server: ServerProcess) -> None:
        ana, guest = await Player(server.url, "Ana Drawn").come(), await Player(server.url, "A Guest").come()
        try:
            refused = await guest.http.put("/api/me/portrait", json=CHOSEN)
            assert (refused.status_code, refused.json()["code"]) == (400, "no_account")
            await ana.post("/api/account", name="Ana Drawn", password="a long password")
            assert await portraits(guest, "Ana Drawn") == []
            assert (await ana.http.put("/api/me/portrait", json=CHOSEN)).status_code == 204
            wrong = await ana.http.put("/api/me/portrait", json={"colour": "pink", "ground": "night"})
            assert wrong.status_code == 422
            asked = await portraits(guest, "Ana Drawn", "ana  DRAWN", "A Guest", "Nobody")
            assert asked == [{"name": "Ana Drawn", **CHOSEN}, {"name": "ana  DRAWN", **CHOSEN}]
            exported = (await ana.http.get("/api/account/data")).json()
            assert exported["portraits"] == [CHOSEN]
            assert (await ana.http.delete("/api/me/portrait")).status_code == 204
            assert await portraits(guest, "Ana Drawn") == []
            assert (await ana.http.put("/api/me/portrait", json=CHOSEN)).status_code == 204
            assert (await ana.http.delete("/api/me")).status_code == 204
            assert await portraits(guest, "Ana Drawn") == []
            many = await guest.http.post("/api/portraits", json={"names": ["x"] * (MAX_NAMES + 1)})
            assert many.status_code == 422
        finally:
            await ana.close()
            await guest.close()

    with ServerProcess(str(tmp_path / "landfall.db"), bot_workers=0) as server:
        asyncio.run(live(server))


async def portraits(player: Player, *names: str) -> list[dict[str, str]]:
    answer = await player.http.post("/api/portraits", json={"names": list(names)})
    answer.raise_for_status()
    found: list[dict[str, str]] = answer.json()
    return found

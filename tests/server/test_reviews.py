"""Looking back over HTTP: kept for everybody, by no door while the match runs; a device says that it cannot."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from landfall.core.match_record import Record
from landfall.core.rng import Rng
from landfall.core.state import OVER
from landfall.match import Match
from landfall.offline.offline_server import new_offline_table_id
from landfall.offline.rest import OfflineApi
from landfall.offline.storage import MemoryStorage
from landfall.store.events import InitialChair
from landfall.tables.live.hub import TableConfig
from landfall.tables.live.subscriber import User
from landfall.tables.protocol import commands as cmd
from landfall.tables.runtime_dependencies import Runtime
from landfall.web.app import create_app
from landfall.web.server import Server
from landfall.web.settings import Settings
from tests.conftest import LONG

pytestmark = pytest.mark.once
PATHS = ("/api/tables/{}/review", "/api/tables/{}/review/choices?at=5", "/api/tables/{}/replay")


def played(seed: int = 3) -> Match:
    """A match of Atlandice played at random."""
    match, rng = Match("atlandice", 2, seed=seed), Rng(seed)
    while match.actor != OVER:
        match.play(int(match.state.random_action(rng)))
    return match


def test_everybody_gets_the_same_and_nobody_before_the_end(tmp_path: Path) -> None:
    async def story() -> None:
        app = create_app(Settings(database=f"sqlite+aiosqlite:///{tmp_path}/tables.sqlite", bot_workers=0))
        transport = httpx.ASGITransport(app=app)
        async with (
            app.state.server.run_lifespan(app),
            httpx.AsyncClient(transport=transport, base_url="http://a") as ana,
        ):
            await ana.post("/api/me", json={"name": "Ana"})
            match = played()
            body = {"record": match.record(), "lines": 60, "seat": 0}
            running = (await ana.post("/api/tables/open", json=body)).json()["table"]
            ended = (await ana.post("/api/tables/open", json={"record": match.record()})).json()["table"]
            for path in PATHS:
                assert await code(ana.get(path.format(running))) == "not_shown"
            assert await code(ana.post(PATHS[0].format(running))) == "not_shown"
            record = (await ana.get(f"/api/tables/{running}/record")).text
            assert await code(ana.post("/api/reviews", json={"record": record})) == "not_shown"
            assert (await ana.get(PATHS[0].format(ended))).json()["state"] == "none"
            assert (await ana.post(PATHS[0].format(ended))).json()["state"] == "working"
            answers = await kept(ana, PATHS[0].format(ended))
            async with httpx.AsyncClient(transport=transport, base_url="http://a") as stranger:
                assert await kept(stranger, PATHS[0].format(ended)) == answers
                at = answers["review"]["judgements"][0]["at"]
                offered = (await stranger.get(f"/api/tables/{ended}/review/choices?at={at}")).json()
                assert str(offered["chosen"]) in offered["chances"]
                begun = (await stranger.post("/api/reviews", json={"record": match.record()})).json()
                found = await kept(stranger, f"/api/reviews/{begun['key']}")
                assert found["review"]["moments"] == answers["review"]["moments"]

    asyncio.run(asyncio.wait_for(story(), LONG))


def test_who_plays_against_others_has_no_position_of_that_game_judged(tmp_path: Path) -> None:
    """The line of `GET …/position`, put into a record that was played at random to its end."""

    async def story() -> None:
        app = create_app(Settings(database=f"sqlite+aiosqlite:///{tmp_path}/tables.sqlite", bot_workers=0))
        server: Server = app.state.server
        async with server.run_lifespan(app), client(app, "203.0.113.9") as ana, client(app, "198.51.100.7") as zoe:
            for one, called in ((ana, "Ana"), (zoe, "Zoe")):
                await one.post("/api/me", json={"name": called})
            signed_in = await server.identities.authenticate_cookie(ana.cookies["landfall"])
            assert signed_in is not None
            owner = User(signed_in.person.id, "Ana")
            chairs = [InitialChair(owner.id, "Ana"), InitialChair("id-Boris", "Boris")]
            table = await server.hub.create_table(owner, TableConfig("atlandice", 2, seating="as_sat"), chairs)
            await server.hub.execute_command(table, owner, cmd.Start())
            line = (await ana.get(f"/api/tables/{table}/position?seat=0")).json()["line"]
            match = Match.replay(Record("atlandice", 1, 2, {}, ["", ""], [], position=line).to_text(), Rng(1))
            while match.actor != OVER:
                match.play(int(match.state.random_action(Rng(len(match.log)))))
            opened = (await zoe.post("/api/tables/open", json={"record": match.record()})).json()["table"]
            for path in PATHS[:2]:
                assert await code(ana.get(path.format(opened))) == "not_shown"
            assert await code(ana.post(PATHS[0].format(opened))) == "not_shown"
            assert await code(ana.post("/api/reviews", json={"record": match.record()})) == "not_shown"
            begun = (await zoe.post("/api/reviews", json={"record": match.record()})).json()
            assert begun["state"] == "working"
            assert await code(ana.get(f"/api/reviews/{begun['key']}")) == "not_shown"
            body = {"record": match.record(), "lines": 0, "seat": 0}
            assert await code(ana.post("/api/tables/open", json=body)) == "not_shown"

    asyncio.run(asyncio.wait_for(story(), LONG))


def client(app: FastAPI, address: str) -> httpx.AsyncClient:
    """Somebody who connects from there."""
    return httpx.AsyncClient(transport=httpx.ASGITransport(app=app, client=(address, 1)), base_url="http://a")


async def code(asked: Any) -> str:
    """The code of a refusal."""
    answer = await asked
    assert answer.status_code == 403, answer.text
    return str(answer.json()["code"])


async def kept(client: httpx.AsyncClient, path: str) -> dict[str, Any]:
    """What is answers once it is worked out."""
    while True:
        answers: dict[str, Any] = (await client.get(path)).json()
        if answers["state"] == "kept":
            return answers
        assert answers["state"] in ("working", "queued"), answers
        await asyncio.sleep(0.01)


def test_a_device_reviews_what_is_over_and_no_socket_tells_it() -> None:
    """A table of its own and a dropped record, as a server does; a match that goes on is refused."""

    async def story() -> None:
        here = OfflineApi(
            MemoryStorage(),
            "Ana",
            Runtime(bot_pace_ms=0, forced_choice_ms=0, answer_hold_ms=0, new_id=new_offline_table_id, rng=Rng(3)),
        )
        await here.start_server()
        for lines in (60, None):
            body = {"record": played().record(), "lines": lines, **({"seat": 0} if lines else {})}
            table = json.loads((await here.request("POST", "/api/tables/open", json.dumps(body)))[2])["table"]
            path, answers = f"/api/tables/{table}/review", list[str]()
            connection = await here.connect(table, None, answers.append)
            assert connection is not None
            connection.receive(json.dumps({"t": "review"}))
            assert (json.loads(answers[-1])["t"], json.loads(answers[-1])["code"]) == ("refused", "bad_message")
            assert not any('"chances"' in text for text in answers)
            if lines:
                for method in ("GET", "POST"):
                    status, _, text = await here.request(method, path)
                    assert (status >= 400, json.loads(text)["code"]) == (True, "not_shown")
                continue
            assert json.loads((await here.request("POST", path))[2])["state"] == "working"
            found = await reviewed(here, path)
            assert found["moments"][-1]["at"] == len(played().log)
            at = found["judgements"][0]["at"]
            offered = json.loads((await here.request("GET", f"{path}/choices?at={at}"))[2])
            assert (offered["at"], str(offered["chosen"]) in offered["chances"]) == (at, True)
        dropped = await here.request("POST", "/api/reviews", json.dumps({"record": played().record()}))
        found = await reviewed(here, f"/api/reviews/{json.loads(dropped[2])['key']}")
        assert found["summary"]
        await here.stop_server()

    async def reviewed(here: OfflineApi, path: str) -> dict[str, Any]:
        while True:
            answers: dict[str, Any] = json.loads((await here.request("GET", path))[2])
            if answers["state"] == "kept":
                return dict(answers["review"])
            assert answers["state"] == "working", answers
            await asyncio.sleep(0)

    asyncio.run(asyncio.wait_for(story(), LONG))

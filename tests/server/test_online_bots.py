"""Online bots on a real server: tokens, scopes, whole matches over the network, and bots that misbehave."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from landfall.bots.online_client import OnlinePlayer
from landfall.bots.registry import make_bot
from landfall.core.rng import Rng
from landfall.store.store import make_store_for_setting
from landfall.web.identity import hash_session_token
from tests.conftest import LONG, lacking
from tests.server import online_bots as bots
from tests.server.online_bots import BotClient, BotLine, make_author, make_online_bot
from tests.server.real_server import ConnectionClosed, Line, Player, ServerProcess, play_at_random

pytestmark = pytest.mark.once
SHORT_MS = 700  # for a choice, where bots are late


def started(folder: Path, bot_ms: int) -> ServerProcess:
    rates = {"bots": 3, "bot_tables": 4}
    return ServerProcess(str(folder / "landfall.db"), alone=True, bot_ms=bot_ms, recheck=0.3, rates=rates)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """No bot is late here because the machine is slow."""
    with started(tmp_path_factory.mktemp("online_bots"), 1000 * LONG) as running:
        yield running


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server that soon plays for a bot."""
    with started(tmp_path_factory.mktemp("late_bots"), SHORT_MS) as running:
        yield running


def run(story: Callable[[], Awaitable[None]]) -> None:
    async def bounded() -> None:
        async with asyncio.timeout(LONG):
            await story()

    asyncio.run(bounded())


# --- tokens ---------------------------------------------------------------------------------------------------


def test_a_token_is_shown_once_kept_as_a_hash_and_can_be_revoked(server: ServerProcess) -> None:
    async def story() -> None:
        author = await make_author(server.url, "Teller")
        made = await make_online_bot(author, "tide line")
        token, bot = made["token"], made["bot"]["id"]
        listed = (await author.http.get("/api/me/bots")).json()
        assert [one["name"] for one in listed["bots"]] == ["tide line"]
        [kept] = listed["bots"][0]["tokens"]
        assert kept["end"] == token[-4:]
        assert kept["scopes"] == ["play", "read"]
        assert token not in str(listed), "it is shown once"
        database = b"".join(p.read_bytes() for p in Path(server.settings["database"]).parent.glob("landfall.db*"))
        assert token.encode() not in database
        assert hash_session_token(token).encode() in database

        client = BotClient(server.url, token)
        assert (await client.http.get("/api/me")).json()["name"] == "tide line"
        again = await author.post(f"/api/me/bots/{bot}/tokens", scopes=["read"])
        assert await client.refusal("GET", "/api/me") == "", "the earlier token is valid for an hour"
        ends = {one["end"]: one["ends"] for one in again["bot"]["tokens"]}
        assert ends[token[-4:]] is not None
        assert ends[again["token"][-4:]] is None

        table = (await author.post("/api/tables", game="atlandice", players=2))["table"]
        line = await BotLine(client, table).open()
        assert (await author.http.delete(f"/api/me/bots/{bot}/tokens/{hash_session_token(token)}")).status_code == 204
        with pytest.raises(ConnectionClosed) as closed:
            await line.until("nothing")
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4401
        assert await client.refusal("GET", "/api/me") == "token"
        other = BotClient(server.url, again["token"])
        assert await other.refusal("GET", "/api/me") == "", "the other token is not revoked with it"

    run(story)


def test_a_token_allows_what_its_scopes_say_and_a_cookie_is_no_token(server: ServerProcess) -> None:
    async def story() -> None:
        author = await make_author(server.url, "Scoper")
        player = BotClient(server.url, (await make_online_bot(author, "may play", ["play"]))["token"])
        reader = BotClient(server.url, (await make_online_bot(author, "may read", ["read"]))["token"])
        new_table = {"game": "atlandice", "players": 2}
        assert await player.refusal("POST", "/api/tables", **new_table) == ""
        assert await reader.refusal("POST", "/api/tables", **new_table) == "token_scope"
        assert await reader.refusal("GET", "/api/history") == ""
        assert await player.refusal("GET", "/api/history") == "token_scope"
        refused: list[tuple[str, str, dict[str, Any]]] = [
            ("POST", "/api/me", {"name": "another"}), ("DELETE", "/api/me", {}), ("GET", "/api/sessions", {}),
            ("POST", "/api/me/bots", {"name": "child"}), ("GET", "/api/me/bots", {}), ("POST", "/api/logout", {}),
            ("POST", "/api/tables/quick", {**new_table, "bots": ["sprat"]}),
            ("POST", "/api/password", {"old": "x" * 8, "new": "y" * 8}),
            ("POST", "/api/search", {"games": ["survive"], "sizes": [4]}),
            ("POST", "/api/tournaments/x/join", {}), ("GET", "/api/tournaments/x", {}),
        ]  # fmt: skip
        for method, path, body in refused:
            assert await player.refusal(method, path, **body) == "token_scope", path
        stranger = Player(server.url, "nobody")
        stranger.http.cookies.set("landfall", player.token)
        assert (await stranger.http.get("/api/me")).status_code == 401, "a token in a cookie is nobody"
        stranger.http.cookies.clear()
        cookie = author.cookie.partition("=")[2]
        answer = await stranger.http.get("/api/me", headers={"Authorization": f"Bearer {cookie}"})
        assert answer.json()["code"] == "token", "a cookie is no token"

        table = (await author.post("/api/tables", game="atlandice", players=2))["table"]
        watching, playing = await BotLine(reader, table).open(), await BotLine(player, table).open()
        assert (await watching.ask(t="sit", chair=1))["code"] == "token_scope"
        assert (await watching.ask(t="ping"))["t"] == "pong"
        assert (await playing.ask(t="say", text="hello"))["code"] == "token_scope"
        assert (await playing.ask(t="sit", chair=1))["t"] == "done"
        while "who" not in watching.news["chairs"][1]:
            await watching.receive()
        assert watching.news["chairs"][1]["online_bot"] is True, "everybody sees that it is a bot"
        for line in (watching, playing):
            await line.close()

    run(story)


def test_only_accounts_have_bots_and_only_so_many(server: ServerProcess) -> None:
    async def story() -> None:
        guest = await Player(server.url, "Guest").come()
        assert (await guest.http.post("/api/me/bots", json={"name": "guest bot"})).json()["code"] == "no_account"
        author = await make_author(server.url, "Counter")
        for number in range(3):
            await make_online_bot(author, f"count {number}")
        assert (await author.http.post("/api/me/bots", json={"name": "more"})).json()["code"] == "too_many_bots"
        other = await make_author(server.url, "Other")
        taken = await other.http.post("/api/me/bots", json={"name": "c0unt 0"})
        assert taken.json()["code"] == "account_taken", "no bot looks like another"
        bot = (await author.http.get("/api/me/bots")).json()["bots"][0]["id"]
        assert (await other.http.delete(f"/api/me/bots/{bot}")).json()["code"] == "no_bot", "not yours"
        assert (await other.http.post(f"/api/me/bots/{bot}/tokens", json={})).json()["code"] == "no_bot"
        assert (await author.http.delete(f"/api/me/bots/{bot}")).status_code == 204
        login = await other.http.post("/api/login", json={"name": "count 1", "password": bots.PASSWORD})
        assert login.json()["code"] == "login", "nobody logs in as a bot"

    run(story)


def test_a_deleted_account_takes_its_bots_and_tokens_along(server: ServerProcess) -> None:
    async def story() -> None:
        author = await make_author(server.url, "Leaver")
        made = await make_online_bot(author, "leaving bot")
        client = BotClient(server.url, made["token"])
        table = (await client.http.post("/api/tables", json={"game": "atlandice", "players": 2})).json()["table"]
        assert (await author.http.delete("/api/me")).status_code == 204
        assert await client.refusal("GET", "/api/me") == "token"
        store = make_store_for_setting(server.settings["database"], beside=True)
        assert await store.users.get_user_by_id(made["bot"]["id"]) is None
        assert await store.sessions.list_sessions_of_user(made["bot"]["id"]) == []
        assert "leaving bot" not in str(await store.tables.read_log_entries(table))
        await store.database.engine.dispose()

    run(story)


# --- where a bot may sit --------------------------------------------------------------------------------------


def test_bots_play_where_they_were_asked_and_rated_among_themselves(server: ServerProcess) -> None:
    clock = {"mode": "live", "turn": 30, "bank": 60}

    async def story() -> None:
        author, other = await make_author(server.url, "Seater"), await make_author(server.url, "Sitter")
        bot = BotClient(server.url, (await make_online_bot(author, "seated bot"))["token"])
        second = BotClient(server.url, (await make_online_bot(author, "second bot"))["token"])
        third = BotClient(server.url, (await make_online_bot(other, "third bot"))["token"])

        async def sits(who: Player, table: str) -> str:
            line = await (BotLine if isinstance(who, BotClient) else Line)(who, table).open()
            answer = await line.ask(t="sit", chair=1)
            await line.close()
            return str(answer.get("code", answer["t"]))

        async def opens(who: Player, **more: object) -> str:
            answer = await who.http.post("/api/tables", json={"game": "atlandice", "players": 2, **more})
            return str(answer.json()["table"])

        assert await sits(bot, await opens(other, public=True)) == "no_bots"
        assert await sits(bot, await opens(other, rated=True, clock=clock)) == "no_bots"
        assert await sits(bot, await opens(other)) == "done", "a private table's link is an invitation"
        friendly = await opens(bot, public=True)
        rated = await opens(bot, public=True, rated=True, clock=clock)
        listed = {one["table"] for one in (await other.http.get("/api/tables")).json()}
        assert listed & {friendly, rated} == {friendly}, "people find no seats they may not take"
        listed = {one["table"] for one in (await third.http.get("/api/tables")).json()}
        assert {friendly, rated} <= listed
        assert await sits(other, rated) == "bots_only"
        assert await sits(second, rated) == "same_author", "nobody makes a rating with two bots"
        assert await sits(third, rated) == "done"
        assert await sits(other, friendly) == "done", "people may sit down at a bot's friendly table"
        full = await bot.http.post("/api/tables", json={"game": "atlandice", "players": 2})
        assert full.status_code == 201
        full = await bot.http.post("/api/tables", json={"game": "atlandice", "players": 2})
        assert full.json()["code"] == "too_many", "four tables at once"

    run(story)


# --- matches --------------------------------------------------------------------------------------------------


async def play_examples(server: ServerProcess, matches: int, tag: str, at_once: int = 1) -> None:
    authors = [await make_author(server.url, f"Author{i} {tag}") for i in range(2)]
    python = (await make_online_bot(authors[0], f"python {tag}"))["token"]
    script = (await make_online_bot(authors[1], f"script {tag}"))["token"]
    played, ended = await asyncio.gather(
        bots.play_python_example(server.url, python, "atlandice", matches, at_once),
        bots.play_javascript_example(server.url, script, "atlandice", matches),
    )
    assert [one.ended for one in played] == ["finished"] * matches == ended
    assert not any(one.was_late for one in played)
    ratings: dict[str, Any] = {}
    async with asyncio.timeout(LONG):  # matches are rated after their end
        while ratings.get("matches") != matches:
            ratings = (await authors[0].http.get(f"/api/players/python {tag}")).json()
            await asyncio.sleep(0.1)
    assert ratings["author"] == f"Author0 {tag}"
    assert (await authors[0].http.get(f"/api/players/Author0 {tag}")).json()["matches"] == 0


def test_python_and_javascript_bots_play_rated_matches_over_the_network(tmp_path: Path) -> None:
    if bots.find_node() is None:
        lacking("Node")
    with started(tmp_path, 1000 * LONG) as server:  # where nobody else has left a table
        run(lambda: play_examples(server, 2, "few"))


@pytest.mark.proof
def test_python_and_javascript_bots_play_fifty_matches_each(tmp_path: Path) -> None:
    if bots.find_node() is None:
        lacking("Node")

    async def story(server: ServerProcess) -> None:
        await play_examples(server, 50, "many")
        assert set(await bots.leaderboard_names(server.url, "atlandice", bots=True)) == {"python many", "script many"}
        assert await bots.leaderboard_names(server.url, "atlandice", bots=False) == []

    with ServerProcess(str(tmp_path / "landfall.db")) as server:
        asyncio.run(story(server))


@pytest.mark.parametrize("game", ["survive", "atlantis"])
def test_a_bot_plays_with_a_person_at_a_private_table(game: str, server: ServerProcess) -> None:
    """In games that hide something the bot gets worlds that it cannot tell from the true one."""

    async def story() -> None:
        author, person = await make_author(server.url, f"Maker {game}"), await Player(server.url, "Ana").come()
        token = (await make_online_bot(author, f"guest {game}"))["token"]
        table = (await person.post("/api/tables", game=game, players=2))["table"]
        line = await Line(person, table).open()
        said: list[str] = []
        bot = OnlinePlayer(lambda: make_bot("random"), server.url, token, report=said.append)
        playing = asyncio.ensure_future(bot.play_at(f"{server.url}/t/{table}"))
        while "who" not in line.news["chairs"][1]:
            await line.receive()
        await line.send(t="start")
        await play_at_random(line, Rng(3))
        found = await playing
        welcome = (await person.http.get(f"/api/tables/{table}")).json()
        final, (other,) = welcome["view"], welcome["seats"]
        assert (found.ended, found.seat, len(found.scores)) == ("finished", 1 - other, 2)
        assert list(found.scores) == final["scores"]
        assert found.place == next(one["place"] for one in final["ranking"] if found.seat in one["seats"])
        assert said == [found.summary]
        tied = "tied for " if found.is_tied else ""
        points = f"{found.scores[found.seat]} points against {found.scores[other]}"
        assert found.summary == f"{table}: finished, {tied}place {found.place} of 2, {points}"
        assert "rated" not in line.news
        await line.close()

    run(story)


def test_a_bot_that_answers_nonsense_or_never_is_clocked_out_and_harms_nobody(hasty: ServerProcess) -> None:
    async def story() -> None:
        author, person = await make_author(hasty.url, "Careless"), await Player(hasty.url, "Patient").come()
        silent = BotClient(hasty.url, (await make_online_bot(author, "silent bot"))["token"])
        babbler = BotClient(hasty.url, (await make_online_bot(author, "babbler"))["token"])
        table = (await person.post("/api/tables", game="atlandice", players=3))["table"]
        line = await Line(person, table).open()
        one, two = await BotLine(silent, table).open(), await BotLine(babbler, table).open()
        assert (await one.ask(t="sit", chair=1))["t"] == (await two.ask(t="sit", chair=2))["t"] == "done"

        async def babble() -> None:
            number = 0
            while not two.over:
                number += 1
                nonsense = [{"t": "play", "version": two.version, "id": f"n{number}", "action": 10**6 + number}]
                nonsense += [{"t": "what"}, {"t": "play", "version": -1, "id": "x", "text": "é" * 50}]
                await two.send(**nonsense[number % 3])
                await two.receive()

        await line.send(t="start")
        talking = asyncio.ensure_future(babble())
        await play_at_random(line, Rng(4))
        assert line.news["ended"] == "finished", "the person's match ends as any other"
        assert {chair.get("away") for chair in line.news["chairs"]} == {None, "time"}
        talking.cancel()
        assert (await one.ask(t="back"))["t"] in ("refused", "done")
        for each in (line, one, two):
            await each.close()

    run(story)


def test_a_late_bot_does_not_come_back_and_has_no_vote(hasty: ServerProcess) -> None:
    async def story() -> None:
        author, person = await make_author(hasty.url, "Absent"), await Player(hasty.url, "Voter").come()
        bot = BotClient(hasty.url, (await make_online_bot(author, "absent bot"))["token"])
        table = (await person.post("/api/tables", game="atlandice", players=2, seating="as_sat"))["table"]
        line, late = await Line(person, table).open(), await BotLine(bot, table).open()
        assert (await late.ask(t="sit", chair=1))["t"] == "done"
        await line.send(t="start")
        while "away" not in line.news["chairs"][1]:
            if line.choices:
                await line.play(line.choices[0]["action"])
            else:
                await line.receive()
        assert (await late.ask(t="back"))["code"] == "gone"
        assert (await line.ask(t="propose", what="abandon"))["t"] == "done"
        while not line.over:
            await line.receive()
        assert line.news["ended"] == "abandoned", "the person alone decides"
        for each in (line, late):
            await each.close()

    run(story)

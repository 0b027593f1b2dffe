"""Accounts on a real server: passkeys, recovery codes, a new name, and what somebody takes along."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from landfall.store.store import make_store_for_setting
from landfall.tables.protocol.errors import Refused
from landfall.tables.runtime_dependencies import Runtime, SystemClock
from landfall.web.accounts import CHALLENGE_MS, CODES, MAX_PASSKEYS, Accounts, hash_recovery_code
from landfall.web.identity import SEEN_INTERVAL_MS, AuthSession, Identities, hash_session_token
from landfall.web.settings import Settings
from tests.server.authenticator import PRESENT, Authenticator, decode_base64url, encode_base64url
from tests.server.real_server import Line, Player, ServerProcess

pytestmark = pytest.mark.once
PASSWORD = "a long password"


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tmp_path_factory.mktemp("accounts") / "landfall.db")


@pytest.fixture(scope="module")
def server(database: str) -> Iterator[ServerProcess]:
    with ServerProcess(database, bot_workers=0) as running:
        yield running


def origin(server: ServerProcess) -> str:
    return f"http://localhost:{server.settings['port']}"


async def code(answer: Any) -> str:
    """Why something was refused; empty if it was not."""
    got: httpx.Response = await answer
    return "" if got.status_code < 300 else str(got.json()["code"])


async def with_passkey(server: ServerProcess, name: str) -> tuple[Player, Authenticator]:
    """Somebody whose account has a passkey and no password."""
    player = await Player(server.url, name).come()
    key = Authenticator(origin(server))
    options = await player.post("/api/passkeys/options", name=name)
    me = await player.post("/api/passkeys", credential=key.make(options), name=name)
    assert me == {"name": name, "account": True, "shown": False, "host": False}
    return player, key


async def sign_in(player: Player, key: Authenticator) -> httpx.Response:
    options = await player.post("/api/login/passkey/options")
    return await player.http.post("/api/login/passkey", json={"credential": key.sign(options)})


def test_a_passkey_makes_an_account_and_opens_it_again(server: ServerProcess) -> None:
    async def story() -> None:
        ana, key = await with_passkey(server, "Ana of Keys")
        there = Player(server.url, "elsewhere")
        got = await sign_in(there, key)
        assert (got.status_code, got.json()["name"]) == (200, "Ana of Keys")
        info = (await there.http.get("/api/account")).json()
        assert (info["password"], len(info["passkeys"]), info["codes"]) == (False, 1, 0)
        assert info["passkeys"][0]["used"] is not None
        only = info["passkeys"][0]["id"]
        assert await code(there.http.delete(f"/api/passkeys/{only}")) == "last_way"
        assert await code(there.http.delete("/api/passkeys/none")) == "no_passkey"
        assert await code(there.http.delete("/api/password")) == ""
        assert await code(there.http.post("/api/password", json={"old": "", "new": PASSWORD})) == ""
        assert await code(there.http.delete(f"/api/passkeys/{only}")) == ""
        assert (await sign_in(there, key)).json()["code"] == "passkey"
        assert await code(there.http.delete("/api/password")) == "last_way"
        login = {"name": "Ana of Keys", "password": PASSWORD}
        assert await code(there.http.post("/api/login", json=login)) == ""
        for who in (ana, there):
            await who.close()

    asyncio.run(story())


def test_a_challenge_is_answered_once_by_whom_it_was_given_to(server: ServerProcess) -> None:
    async def story() -> None:
        ana, key = await with_passkey(server, "Ana of Challenges")
        bob = await Player(server.url, "Bob of Challenges").come()
        stranger = Player(server.url, "stranger")

        async def refused(credential: dict[str, Any], path: str = "/api/login/passkey", who: Player = stranger) -> bool:
            return await code(who.http.post(path, json={"credential": credential})) == "passkey"

        async def options() -> dict[str, Any]:
            return await stranger.post("/api/login/passkey/options")

        signed = key.sign(await options())
        assert not await refused(signed)
        assert await refused(signed), "replayed"
        assert await refused(key.sign({"challenge": encode_base64url(b"x" * 32)})), "nobody's challenge"
        assert await refused(replace(key, origin="https://evil.example").sign(await options())), "another page"
        assert await refused(replace(key, site="evil.example").sign(await options())), "another site"
        assert await refused(replace(key, flags=PRESENT).sign(await options())), "nobody was verified"
        assert await refused(replace(key, counter=0).sign(await options())), "a copy of the authenticator"
        other = Authenticator(origin(server), id=key.id, counter=100)
        assert await refused(other.sign(await options())), "another key"
        assert await refused(Authenticator(origin(server)).sign(await options())), "an unknown passkey"
        new = await ana.post("/api/passkeys/options")
        assert await refused(replace(key, counter=100).sign({"challenge": new["challenge"]})), "of another ceremony"
        made = Authenticator(origin(server)).make(new)
        assert await refused(made, "/api/passkeys", bob), "another's challenge"
        nonsense: list[dict[str, Any]] = [{}, {"response": {}}, {"response": {"clientDataJSON": "%"}}, {"response": 4}]
        for one in nonsense:
            assert await refused(one)
        for who in (ana, bob, stranger):
            await who.close()

    asyncio.run(story())


def test_nobody_pushes_out_anothers_challenge(server: ServerProcess, database: str) -> None:
    """However many an address asks for: nothing is kept of a challenge before it is answered."""

    async def story() -> None:
        ana, key = await with_passkey(server, "Ana of Bounds")
        stranger = Player(server.url, "stranger")
        asked, making = await stranger.post("/api/login/passkey/options"), await ana.post("/api/passkeys/options")
        with sqlite3.connect(database) as db:
            before = db.execute("select count(*) from challenges").fetchone()
        for _ in range(40):
            other = await stranger.post("/api/login/passkey/options")
            await ana.post("/api/passkeys/options")
        assert await code(stranger.http.post("/api/login/passkey", json={"credential": {}})) == "passkey"
        with sqlite3.connect(database) as db:
            assert db.execute("select count(*) from challenges").fetchone() == before
        db.close()
        assert other["challenge"] != asked["challenge"]
        for options in (asked, other):
            credential = key.sign(options)
            assert await code(stranger.http.post("/api/login/passkey", json={"credential": credential})) == ""
            assert await code(stranger.http.post("/api/login/passkey", json={"credential": credential})) == "passkey"
        made = Authenticator(origin(server)).make(making)
        assert await code(stranger.http.post("/api/passkeys", json={"credential": made})) == "passkey", "not theirs"
        assert await code(ana.http.post("/api/passkeys", json={"credential": made})) == ""
        for who in (ana, stranger):
            await who.close()

    asyncio.run(story())


class Clock(SystemClock):
    """Moved by hand."""

    def __init__(self) -> None:
        self.ms = super().wall_time_ms()

    def wall_time_ms(self) -> int:
        return self.ms


def with_accounts(database: str, work: Callable[[Accounts, Clock], Awaitable[None]]) -> None:
    """Accounts without the web."""

    async def story() -> None:
        store, clock = make_store_for_setting(database), Clock()
        await store.database.open_and_migrate()
        identities = Identities(store, Runtime(clock=clock), cache_s=-1)
        await identities.load_cookie_key_and_end_idle_sessions()
        try:
            await work(Accounts(identities, Settings()), clock)
        finally:
            await store.database.close()

    asyncio.run(story())


class SyncedPasskey(Authenticator):
    """One that is on several devices: it does not count its uses."""

    def data(self, flags: int) -> bytes:
        self.counter = -1
        return super().data(flags)


def test_a_challenge_ends_and_is_neither_answered_twice_nor_forged(sqlite: str) -> None:
    async def work(accounts: Accounts, clock: Clock) -> None:
        identities = accounts.identities
        guest = await identities.create_guest("Guest")
        auth = AuthSession(guest, hash_session_token(await identities.create_session_cookie(guest)))
        key = SyncedPasskey(accounts.origin)
        made = key.make(await accounts.make_passkey_creation_options(auth, "Ana"))
        person = await accounts.add_passkey(auth, made, "Ana", "")
        asked = [await accounts.make_passkey_sign_in_options() for _ in range(3)]
        given = decode_base64url(asked[0]["challenge"])
        forged = (int.from_bytes(given[:8]) + 1).to_bytes(8) + given[8:]
        answered = key.sign(asked[1])
        clock.ms += CHALLENGE_MS - 1
        assert (await accounts.verify_passkey_and_find_owner(answered))[0].id == person.id
        for credential, ms in (
            (key.sign({"challenge": encode_base64url(forged)}), 0),
            (answered, 0),
            (key.sign(asked[2]), 1),
        ):
            clock.ms += ms
            with pytest.raises(Refused):
                await accounts.verify_passkey_and_find_owner(credential)

    with_accounts(sqlite, work)


def test_a_challenge_of_a_guest_adds_no_passkey_to_the_account_that_was_made_meanwhile(sqlite: str) -> None:
    """Whoever knows a guest's cookie is in time before it is replaced."""

    async def work(accounts: Accounts, clock: Clock) -> None:
        identities = accounts.identities
        guest = await identities.create_guest("Guest")
        cookie = await identities.create_session_cookie(guest)
        auth = await identities.authenticate_cookie(cookie)
        assert auth is not None
        planted = Authenticator(accounts.origin).make(await accounts.make_passkey_creation_options(auth, "Guest"))
        await identities.turn_guest_into_account(guest, "Ana", PASSWORD)
        for late in (await identities.authenticate_cookie(cookie), auth):
            assert late is not None
            with pytest.raises(Refused):
                await accounts.add_passkey(late, planted, "Guest", "")
        assert await accounts.store.accounts.list_passkeys_of_user(guest.id) == []

    with_accounts(sqlite, work)


def test_each_device_is_seen_for_itself(sqlite: str) -> None:
    """One that is used every minute does not make the others look unused."""

    async def work(accounts: Accounts, clock: Clock) -> None:
        identities, store = accounts.identities, accounts.store
        guest = await identities.create_guest("Guest")
        first, second = [await identities.create_session_cookie(guest) for _ in range(2)]
        for _ in range(3):
            clock.ms += SEEN_INTERVAL_MS + 1
            for cookie in (first, second):
                assert await identities.authenticate_cookie(cookie) is not None

            assert [one.seen for one in await store.sessions.list_sessions_of_user(guest.id)] == [clock.ms] * 2

    with_accounts(sqlite, work)


def test_a_recovery_code_signs_in_once_and_sets_a_new_password(server: ServerProcess, database: str) -> None:
    async def story() -> None:
        eva = await Player(server.url, "Eva").come()
        assert await code(eva.http.post("/api/account/codes")) == "no_account"
        await eva.post("/api/account", name="Eva of Codes", password=PASSWORD)
        early = (await eva.post("/api/account/codes"))["codes"]
        codes = (await eva.post("/api/account/codes"))["codes"]
        assert len({*early, *codes}) == 2 * CODES
        with sqlite3.connect(database) as db:
            kept = "\n".join(db.iterdump())
        db.close()
        assert hash_recovery_code(codes[0]) in kept
        assert not [one for one in codes if one in kept or one.replace("-", "") in kept]
        lost = Player(server.url, "lost")

        async def recover(name: str, given: str) -> str:
            return await code(lost.http.post("/api/login/code", json={"name": name, "code": given}))

        assert await recover("Eva of Codes", early[0]) == "code"
        assert await recover("Ana of Nowhere", codes[0]) == "code"
        assert await recover("eva of codes", codes[0].upper().replace("-", " ")) == ""
        assert await recover("Eva of Codes", codes[0]) == "code"
        assert (await eva.http.get("/api/account")).json()["codes"] == CODES - 1
        fresh = {"old": "", "new": "another password"}
        assert await code(eva.http.post("/api/password", json=fresh)) == "old_password", "she came otherwise"
        assert await code(lost.http.post("/api/password", json=fresh)) == ""
        assert await code(lost.http.post("/api/password", json=fresh)) == "old_password", "it is good for once"
        login = {"name": "Eva of Codes", "password": "another password"}
        assert await code(lost.http.post("/api/login", json=login)) == ""
        for who in (eva, lost):
            await who.close()

    asyncio.run(story())


async def later(database: str) -> None:
    """Whoever signed in did so more than ten minutes ago."""
    with sqlite3.connect(database) as db:
        db.execute("update challenges set ends = 0 where kind = 'recent'")
    db.close()


def test_ways_to_sign_in_change_only_for_who_proved_lately_who_they_are(server: ServerProcess, database: str) -> None:
    """Whoever finds somebody's page open changes no credentials there, and deletes nothing."""

    async def story() -> None:
        ana, key = await with_passkey(server, "Ana of Proofs")
        bob, other = await with_passkey(server, "Bob of Proofs")
        codes = (await ana.post("/api/account/codes"))["codes"]
        assert await code(ana.http.post("/api/password", json={"old": "", "new": PASSWORD})) == ""
        passkey = (await ana.http.get("/api/account")).json()["passkeys"][0]["id"]
        bot = (await ana.post("/api/me/bots", name="bot of proofs"))["bot"]["id"]
        changes: list[tuple[str, str, dict[str, Any] | None]] = [
            ("POST", "/api/passkeys/options", {}),
            ("DELETE", f"/api/passkeys/{passkey}", None),
            ("DELETE", "/api/password", None),
            ("POST", "/api/account/codes", None),
            ("PUT", "/api/me/address", {"address": "ana@example.org"}),
            ("DELETE", "/api/me/address", None),
            ("POST", "/api/me/bots", {"name": "another bot of proofs"}),
            ("POST", f"/api/me/bots/{bot}/tokens", {}),
            ("DELETE", "/api/me", None),
        ]
        await later(database)
        for method, path, body in changes:
            assert await code(ana.http.request(method, path, json=body)) == "not_recent", path
        assert await code(ana.http.post("/api/password", json={"old": "wrong", "new": PASSWORD})) == "old_password"

        async def confirm(who: Player, **proof: Any) -> str:
            return await code(who.http.post("/api/account/confirm", json=proof))

        options = await ana.post("/api/login/passkey/options")
        assert await confirm(ana, credential=other.sign(options)) == "passkey", "another's"
        assert await confirm(ana, password="wrong") == "old_password"
        assert await confirm(ana) == "old_password"
        assert await confirm(ana, code="wrong") == "code"
        assert await confirm(bob, code=codes[0]) == "code", "another's"
        assert await code(ana.http.post("/api/account/codes")) == "not_recent"
        proofs: list[dict[str, Any]] = [
            {"password": PASSWORD},
            {"code": codes[0]},
            {"credential": key.sign(await ana.post("/api/login/passkey/options"))},
        ]
        for proof in proofs:
            await later(database)
            assert await confirm(ana, **proof) == ""
            assert await code(ana.http.post("/api/passkeys/options", json={})) == ""
        assert await confirm(ana, code=codes[0]) == "code", "used up"
        there = Player(server.url, "there")
        await later(database)
        assert (await sign_in(there, key)).status_code == 200
        assert await code(ana.http.post("/api/account/codes")) == "not_recent", "it counts where it was proved"
        await later(database)
        assert await confirm(there, password=PASSWORD) == ""
        assert await code(ana.http.post("/api/account/codes")) == "not_recent", "nor does another session's proof count"
        assert await confirm(bob, credential=other.sign(await bob.post("/api/login/passkey/options"))) == ""
        assert await code(ana.http.post("/api/account/codes")) == "not_recent", "nor another's"
        assert await code(there.http.delete("/api/password")) == ""
        await later(database)
        assert await code(there.http.post("/api/password", json={"old": "", "new": PASSWORD})) == "not_recent"
        guest = await Player(server.url, "guest of proofs").come()
        assert await code(guest.http.delete("/api/me")) == "", "there is nothing to ask a guest"
        for who in (ana, bob, there, guest):
            await who.close()

    asyncio.run(story())


@pytest.mark.parametrize("way", ["password", "passkey"])
def test_what_is_set_after_a_recovery_replaces_every_other_way(server: ServerProcess, database: str, way: str) -> None:
    """Whoever had a passkey, a code or an open session of the account has it for nothing."""

    async def story() -> None:
        name = f"Una of {way}"
        una, key = await with_passkey(server, name)
        assert await code(una.http.post("/api/password", json={"old": "", "new": PASSWORD})) == ""
        codes = (await una.post("/api/account/codes"))["codes"]
        lost = Player(server.url, "lost")
        assert await code(lost.http.post("/api/login/code", json={"name": name, "code": codes[0]})) == ""
        assert (await lost.http.get("/api/account")).json()["recovered"]
        assert await code(una.http.get("/api/account")) == "", "nothing is revoked yet"
        unused = Authenticator(origin(server)).make(await una.post("/api/passkeys/options"))
        new = Authenticator(origin(server))
        if way == "password":
            assert await code(lost.http.post("/api/password", json={"old": "", "new": "short"})) == "bad_message"
            assert await code(lost.http.post("/api/password", json={"old": "", "new": "another password"})) == ""
        else:
            made = new.make(await lost.post("/api/passkeys/options"))
            assert await code(lost.http.post("/api/passkeys", json={"credential": made})) == ""
        info = (await lost.http.get("/api/account")).json()
        assert (info["password"], len(info["passkeys"])) == (way == "password", int(way == "passkey"))
        assert (info["codes"], info["recovered"]) == (0, False)
        for file in Path(database).parent.iterdir():
            assert encode_base64url(key.id).encode() not in file.read_bytes(), file.name
        assert await code(una.http.get("/api/account")) == "nameless", "signed out"
        assert await code(una.http.post("/api/passkeys", json={"credential": unused})) == "nameless"
        assert await code(lost.http.post("/api/passkeys", json={"credential": unused})) == "passkey", "revoked"
        assert await code(lost.http.post("/api/account/codes")) == "", "it counts as a proof"
        assert (await sign_in(una, key)).json()["code"] == "passkey"
        for body in ({"code": codes[1]}, {"password": PASSWORD}):
            path = "/api/login/code" if "code" in body else "/api/login"
            assert await code(una.http.post(path, json={"name": name, **body})) in ("code", "login")
        for who in (una, lost):
            await who.close()

    asyncio.run(story())


def test_nobody_who_knows_the_password_stops_who_came_by_a_code(server: ServerProcess, database: str) -> None:
    """An intruder who signs in during a recovery neither ends its session, nor deletes the account, nor fills its
    passkeys; nor makes codes, with which a recovery of their own would be first."""

    async def story() -> None:
        name = "Una of Intruders"
        una = await Player(server.url, name).come()
        await una.post("/api/account", name=name, password=PASSWORD)
        codes = (await una.post("/api/account/codes"))["codes"]
        login = {"name": name, "password": PASSWORD}
        intruder, lost = Player(server.url, "intruder"), Player(server.url, "lost")
        await intruder.post("/api/login", **login)
        for _ in range(MAX_PASSKEYS):
            planted = Authenticator(origin(server)).make(await intruder.post("/api/passkeys/options"))
            await intruder.post("/api/passkeys", credential=planted)
        assert await code(lost.http.post("/api/login/code", json={"name": name, "code": codes[0]})) == ""
        await intruder.post("/api/login", **login)
        [there] = [one["id"] for one in (await lost.http.get("/api/sessions")).json() if one["here"]]
        changed = {"old": PASSWORD, "new": "an intruder's password"}
        assert await code(intruder.http.delete(f"/api/sessions/{there}")) == "recovering"
        assert await code(intruder.http.post("/api/password", json=changed)) == "recovering"
        assert await code(intruder.http.post("/api/account/codes")) == "recovering"
        assert await code(intruder.http.delete("/api/me")) == "recovering"
        assert await code(intruder.http.delete("/api/sessions")) == ""
        assert await code(una.http.get("/api/account")) == "nameless", "other sessions end as ever"
        assert (await lost.http.get("/api/account")).json()["recovered"]
        await later(database)
        key = Authenticator(origin(server))
        made = key.make(await lost.post("/api/passkeys/options"))
        assert await code(lost.http.post("/api/passkeys", json={"credential": made})) == ""
        assert len((await lost.http.get("/api/account")).json()["passkeys"]) == 1
        assert await code(intruder.http.get("/api/account")) == "nameless"
        assert await code(intruder.http.post("/api/login", json=login)) == "login"
        assert (await sign_in(intruder, key)).status_code == 200
        assert await code(lost.http.delete(f"/api/sessions/{there}")) == "", "one's own"
        for who in (una, intruder, lost):
            await who.close()

    asyncio.run(story())


def test_wrong_codes_wait_like_wrong_passwords(tmp_path_factory: pytest.TempPathFactory) -> None:
    async def story(url: str) -> None:
        lost = Player(url, "lost")
        body = {"name": "Ana", "code": "abcd-efgh-jkmn-pqrs"}
        codes = [await code(lost.http.post("/api/login/code", json=body)) for _ in range(12)]
        assert codes[:10] == ["code"] * 10
        assert codes[10:] == ["tries"] * 2
        await lost.close()

    with ServerProcess(str(tmp_path_factory.mktemp("limited") / "landfall.db"), limited=True, bot_workers=0) as one:
        asyncio.run(story(one.url))


def test_an_account_gets_a_new_name_once_a_month_and_its_old_one_stays_reserved(
    server: ServerProcess, database: str
) -> None:
    async def story() -> None:
        ivo = await Player(server.url, "Ivo").come()
        await ivo.post("/api/account", name="Ivo Before", password=PASSWORD)
        stranger = await Player(server.url, "stranger").come()
        assert (await ivo.http.get("/api/account")).json()["rename"] is None
        assert (await ivo.post("/api/me", name="Ivo Before"))["name"] == "Ivo Before", "no change"
        assert (await ivo.post("/api/me", name="Ivo After"))["name"] == "Ivo After"
        again = await ivo.http.post("/api/me", json={"name": "Ivo Later"})
        assert (again.status_code, again.json()["code"], again.json()["args"]) == (429, "renamed_lately", {"n": 30})
        assert (await ivo.http.get("/api/account")).json()["rename"] is not None
        for path, body in (("/api/me", {}), ("/api/account", {"password": PASSWORD})):
            taken = {**body, "name": "lvo before"}
            assert await code(stranger.http.post(path, json=taken)) == "account_taken"
        mixed = {"name": "Аna of Scripts", "password": PASSWORD}
        assert await code(stranger.http.post("/api/account", json=mixed)) == "name_mixed"
        login = {"name": "ivo after", "password": PASSWORD}
        assert await code(stranger.http.post("/api/login", json=login)) == ""
        for name in ("Ivo After", "Ivo Before"):
            assert (await ivo.http.get(f"/api/players/{name}")).json()["name"] == "Ivo After"
        with sqlite3.connect(database) as db:
            db.execute("update earlier_names set at = at - 31 * 86400000")
        assert (await ivo.post("/api/me", name="Ivo Before"))["name"] == "Ivo Before", "one's own is free"
        with sqlite3.connect(database) as db:
            db.execute("update earlier_names set at = at - 90 * 86400000")
        db.close()
        other = await Player(server.url, "Ivo After").come()
        assert await code(other.http.post("/api/account", json={"name": "Ivo After", "password": PASSWORD})) == ""
        for who in (ivo, stranger, other):
            await who.close()

    asyncio.run(story())


def test_a_new_name_needs_a_proof_and_locks_nobody_out(server: ServerProcess, database: str) -> None:
    """Whoever finds a page open does not rename its account; and the earlier name opens it, in every way."""

    async def story() -> None:
        ema = await Player(server.url, "Ema").come()
        await ema.post("/api/account", name="Ema Before", password=PASSWORD)
        codes = (await ema.post("/api/account/codes"))["codes"]
        new = {"name": "Ema After"}
        await later(database)
        refused = await ema.http.post("/api/me", json=new)
        assert (refused.status_code, refused.json()["code"]) == (403, "not_recent")
        assert await code(ema.http.post("/api/me", json={"name": "Ema Before"})) == "", "no change"
        assert await code(ema.http.post("/api/account/confirm", json={"password": PASSWORD})) == ""
        came = Player(server.url, "came")
        assert await code(came.http.post("/api/login/code", json={"name": "Ema Before", "code": codes[0]})) == ""
        assert await code(ema.http.post("/api/me", json=new)) == "recovering"
        assert await code(came.http.post("/api/me", json=new)) == ""
        assert await code(came.http.post("/api/logout")) == ""
        link = "wxyz-wxyz-wxyz-wxyz"
        with sqlite3.connect(database) as db:
            [(person,)] = db.execute("select id from people where account = 'ema after'")
            db.execute("insert into recovery_codes values (?, ?, ?)", (hash_recovery_code(link), person, 2**42))
        ways = [("", {"password": PASSWORD}), ("/code", {"code": codes[1]}), ("/code", {"code": link})]
        for path, proof in ways:
            stranger = Player(server.url, "stranger")
            body = {"name": "ema  before", **proof}
            assert await code(stranger.http.post(f"/api/login{path}", json=body)) == ""
            assert (await stranger.http.get("/api/me")).json()["name"] == "Ema After"
            await stranger.close()
        other = await Player(server.url, "other").come()
        await other.post("/api/account", name="Other Than Ema", password="another password")
        with sqlite3.connect(database) as db:  # it was made before the name was reserved
            db.execute("update people set name = 'Ema Before', account = 'ema before' where name = 'Other Than Ema'")
        db.close()
        for password, found in ((PASSWORD, "login"), ("another password", "")):
            body = {"name": "Ema Before", "password": password}
            assert await code(other.http.post("/api/login", json=body)) == found, "who has a name now goes first"
        for who in (ema, came, other):
            await who.close()

    asyncio.run(story())


def test_all_names_of_an_account_have_the_same_attempts(tmp_path_factory: pytest.TempPathFactory) -> None:
    """However an earlier name is spelled: it is not a new account to guess the password of."""

    async def story(url: str) -> None:
        ida = await Player(url, "Ida").come()
        await ida.post("/api/account", name="Ida Before", password=PASSWORD)
        assert (await ida.post("/api/me", name="Ida After"))["name"] == "Ida After"
        lost = Player(url, "lost")
        spelled = ["Ida After", "Ida Before", "lda Before", "1da Before", "Ida Be-fore"] * 2
        wrong = [{"name": name, "password": "a wrong password"} for name in spelled]
        assert [await code(lost.http.post("/api/login", json=body)) for body in wrong] == ["login"] * len(wrong)
        assert await code(lost.http.post("/api/login", json={"name": "Ida_Before", "password": PASSWORD})) == "tries"
        by_code = {"name": "Ida.Before", "code": "abcd-efgh-jkmn-pqrs"}
        assert await code(lost.http.post("/api/login/code", json=by_code)) == "tries"
        await ida.close()
        await lost.close()

    with ServerProcess(str(tmp_path_factory.mktemp("limited") / "landfall.db"), limited=True, bot_workers=0) as one:
        asyncio.run(story(one.url))


def test_a_refused_holiday_does_not_end_the_one_under_way(server: ServerProcess) -> None:
    async def story() -> None:
        ola = await Player(server.url, "Ola of Holidays").come()

        async def holiday() -> dict[str, Any]:
            found: dict[str, Any] = (await ola.http.get("/api/me/notifications")).json()["holiday"]
            return found

        assert await code(ola.http.put("/api/me/holiday", json={"days": 21})) == ""
        before = await holiday()
        assert before["left"] == 0
        assert await code(ola.http.put("/api/me/holiday", json={"days": 21})) == "holiday", "a day of it has begun"
        assert await holiday() == before
        assert await code(ola.http.put("/api/me/holiday", json={"days": 20})) == ""
        assert (await holiday())["left"] == 0
        assert await code(ola.http.delete("/api/me/holiday")) == ""
        assert (await holiday())["since"] is None
        await ola.close()

    asyncio.run(story())


def test_somebody_takes_along_all_that_is_theirs_and_nothing_else(server: ServerProcess) -> None:
    async def story() -> None:
        mia = await Player(server.url, "Mia").come()
        await mia.post("/api/account", name="Mia of Data", password=PASSWORD)
        leo = await Player(server.url, "Leo").come()
        await leo.post("/api/account", name="Leo of Data", password=PASSWORD)
        token = (await mia.post("/api/me/bots", name="mias bot"))["token"]
        await mia.post("/api/account/codes")
        assert await code(mia.http.put("/api/players/Leo of Data/block")) == ""
        table = (await mia.post("/api/tables", game="atlandice", players=2, seating="as_sat"))["table"]
        lines = [await Line(who, table).open() for who in (mia, leo)]
        await lines[1].ask(t="sit", chair=1)
        await lines[1].send(t="say", text="a word of Leo")
        while not all(chair.get("name") for chair in lines[0].news["chairs"]):
            await lines[0].receive()
        await lines[0].send(t="say", text="a word of Mia")
        await lines[0].send(t="start")
        while lines[0].news["status"] != "playing":
            await lines[0].receive()
        while not (data := (await mia.http.get("/api/account/data")).json())["chat"]:
            await asyncio.sleep(0.02)
        assert data["people"][0]["name"] == "Mia of Data"
        assert [line["text"] for line in data["chat"]] == ["a word of Mia"]
        assert [bot["name"] for bot in data["bots"]] == ["mias bot"]
        assert len(data["sessions"]) == 1
        [match] = (await mia.http.get("/api/account/matches")).json()
        assert match["table"] == table
        assert match["record"].startswith("landfall")
        assert data.pop("blocks") == [{"name": "Leo of Data"}]
        kept = json.dumps(data)
        for secret in (token, "argon2", "a word of Leo", mia.cookie.partition("=")[2], "Leo"):
            assert secret not in kept
        await lines[1].send(t="resign")
        while not lines[0].over:
            await lines[0].receive()
        [match] = (await mia.http.get("/api/account/matches")).json()
        assert match["record"] == (await mia.http.get(f"/api/tables/{table}/record")).text
        stranger = Player(server.url, "stranger")
        for path in ("/api/account", "/api/account/data", "/api/account/matches"):
            assert await code(stranger.http.get(path)) == "nameless"
            bot = await stranger.http.get(path, headers={"Authorization": f"Bearer {token}"})
            assert bot.json()["code"] == "token_scope"
        for line in lines:
            await line.close()
        for who in (mia, leo, stranger):
            await who.close()

    asyncio.run(story())

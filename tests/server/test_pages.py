"""What a browser asks for: the client's files, options with reasons, what to go on with, replays."""

from __future__ import annotations

import gzip
from collections.abc import Iterator

import httpx
import pytest

import landfall
from landfall.core.languages import LANGUAGES
from landfall.core.rng import Rng
from landfall.core.text_catalogue import load_text_catalogue
from landfall.games import BUILT_IN_GAMES
from landfall.match import Match
from landfall.web.request_security import DEFAULT_HEADERS
from tests.conftest import LONG
from tests.server.real_server import ServerProcess

pytestmark = pytest.mark.once
BROTLI = bytes.fromhex("8b0080313b03")  # "1;", packed
LARGE = "<svg>" + " " * 5000 + "</svg>"  # not packed by the build


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A server with a client of three files."""
    folder = tmp_path_factory.mktemp("client")
    (folder / "assets").mkdir()
    (folder / "index.html").write_text("<!doctype html><title>the client</title>")
    (folder / "assets" / "main-abc.js").write_text("1;")
    (folder / "assets" / "main-abc.js.gz").write_bytes(gzip.compress(b"1;"))
    (folder / "assets" / "main-abc.js.br").write_bytes(BROTLI)
    (folder / "assets" / "main-abc.css").write_text("a{}")
    (folder / "large.svg").write_text(LARGE)
    (folder / "icon.svg").write_text("<svg/>")
    (folder.parent / "secret.txt").write_text("secret")
    database = str(tmp_path_factory.mktemp("server") / "landfall.db")
    with (
        ServerProcess(database, static=str(folder)) as server,
        httpx.Client(base_url=server.url, timeout=LONG) as client,
    ):
        client.post("/api/me", json={"name": "Ana"}).raise_for_status()
        yield client


@pytest.mark.parametrize(
    "path",
    [
        "/", "/t/here-x", "/learn/survive", "/replay/here-x", "/replay/here-x/look", "/new/atlantis", "/me/",
        "/me/bots", "/me/notifications",
        "/tournaments", "/tournaments/new", "/tournament/x", "/confirm/a.token", "/stop/a.token",
        "/host", "/join/here-x", "/answer", "/leaders/survive/4/bots", "/player/A.%20B.",
    ],
)  # fmt: skip
def test_every_page_is_the_one_page(path: str, http: httpx.Client) -> None:
    got = http.get(path)
    assert got.status_code == 200
    assert "the client" in got.text
    assert got.headers["cache-control"] == "no-cache"
    assert "default-src 'self'" in got.headers["content-security-policy"]
    assert "script-src 'self' 'wasm-unsafe-eval';" in got.headers["content-security-policy"]
    assert "'unsafe-" not in got.headers["content-security-policy"].partition("script-src")[2].partition(";")[0]
    assert "http" not in got.headers["content-security-policy"]


def test_what_is_no_page_says_only_what_concerns_it(http: httpx.Client) -> None:
    style, script, page = (http.get(f"/{name}").headers for name in ("assets/main-abc.css", "assets/main-abc.js", ""))
    for got in (style, script, page):
        assert got["x-content-type-options"] == "nosniff"
        assert got["cross-origin-resource-policy"] == "same-origin"
    assert "content-security-policy" not in style
    assert "x-frame-options" not in style
    assert script["content-security-policy"] == page["content-security-policy"]  # a worker begins with it
    assert page["x-frame-options"] == DEFAULT_HEADERS["X-Frame-Options"]


@pytest.mark.parametrize(
    "path", ["/rules", "/nowhere", "/learn/survive/3", "/learn/chess", "/new/x", "/t/", "/t/nowhere", "/replay/nowhere"]
)
def test_an_unknown_address_says_so_and_still_draws_the_page(path: str, http: httpx.Client) -> None:
    got = http.get(path)
    assert got.status_code == 404
    assert "the client" in got.text
    assert http.get(path, headers={"If-None-Match": got.headers["etag"]}).status_code == 404


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("gzip", "gzip"),
        ("gzip;q=0.5, br;q=0", "gzip"),
        ("gzip;q=0", None),
        ("x-gzip-not, brr", None),
        ("", None),
    ],
)
def test_a_file_is_sent_packed_as_its_reader_accepts(accepted: str, encoding: str | None, http: httpx.Client) -> None:
    with http.stream("GET", "/assets/main-abc.js", headers={"Accept-Encoding": accepted}) as got:
        body = b"".join(got.iter_raw())
    assert got.headers.get("content-encoding") == encoding
    assert got.headers["vary"].lower() == "accept-encoding"
    assert int(got.headers["content-length"]) == len(body)
    assert (gzip.decompress(body) if encoding == "gzip" else body) == (BROTLI if encoding == "br" else b"1;")
    again = {"Accept-Encoding": accepted, "If-None-Match": got.headers["etag"]}
    assert http.get("/assets/main-abc.js", headers=again).status_code == 304


def test_each_way_of_packing_has_its_own_etag_and_nothing_is_packed_twice(http: httpx.Client) -> None:
    ways = [http.head("/assets/main-abc.js", headers={"Accept-Encoding": way}) for way in ("br", "gzip", "identity")]
    assert len({got.headers["etag"] for got in ways}) == 3
    unpacked = http.get("/large.svg", headers={"Accept-Encoding": "gzip"})
    assert (unpacked.headers["content-encoding"], unpacked.text) == ("gzip", LARGE)


def test_answers_say_how_long_they_may_be_kept(http: httpx.Client) -> None:
    for path in ("/api/me", "/api/history", "/api/tables", "/api/tables/none", "/healthz", "/api/nothing"):
        assert http.get(path).headers["cache-control"] == "no-store", path
    assert http.post("/api/me", json={"name": "Ana"}).headers["cache-control"] == "no-store"
    for path in ("/api/games", "/api/bots", "/api/games/survive/rules?language=bg", "/api/games/survive/texts/en"):
        got = http.get(path)
        assert got.headers["cache-control"] == "no-cache", path
        again = http.get(path, headers={"If-None-Match": got.headers["etag"]})
        assert (again.status_code, again.content) == (304, b""), path
        assert http.get(path, headers={"If-None-Match": '"another"'}).json() == got.json()


def test_named_by_their_content_files_are_kept_for_ever(http: httpx.Client) -> None:
    packed = http.get("/assets/main-abc.js", headers={"Accept-Encoding": "gzip"})
    assert packed.headers["content-encoding"] == "gzip"
    plain = http.get("/assets/main-abc.js", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    for got in (packed, plain):
        assert got.text == "1;"
        assert "immutable" in got.headers["cache-control"]
        assert got.headers["content-type"].startswith("text/javascript")
    assert http.get("/icon.svg").headers["content-type"] == "image/svg+xml"


@pytest.mark.parametrize("path", ["/assets/main-xyz.js", "/api/nothing", "/ws/x", "/x.png", "/..%2fsecret.txt"])
def test_what_is_not_there_is_not_the_page(path: str, http: httpx.Client) -> None:
    got = http.get(path)
    assert got.status_code == 404
    assert got.json()["code"] == "http"


def test_the_page_about_the_api_needs_no_other_host(http: httpx.Client) -> None:
    text = http.get("/docs").text
    assert "/api/tables/quick" in text
    assert "http" not in text.replace("/openapi.json", "")


def test_incompatible_options_are_refused_with_the_reason(http: httpx.Client) -> None:
    config = {"players": 4, "options": {"crowded": True, "ships_per_colour": True, "squid": "loud"}}
    got = http.post("/api/games/survive/options", json=config).json()
    assert got["options"]["dolphins"] is False
    assert {(p["option"], p["key"]) for p in got["problems"]} == {
        ("squid", "option.bad_choice"),
        ("crowded", "option.players"),
        ("ships_per_colour", "option.requires"),
    }
    refused = http.post("/api/tables", json={"game": "survive", **config})
    assert refused.status_code == 400
    assert refused.json()["problems"] == got["problems"]
    fine = http.post("/api/games/survive/options", json={"players": 5, "options": {"crowded": True}}).json()
    assert fine["problems"] == []


@pytest.mark.parametrize("game", BUILT_IN_GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_all_sentences_come_in_every_language(game: str, language: str, http: httpx.Client) -> None:
    got = http.get(f"/api/games/{game}/texts/{language}").json()
    assert got == {**load_text_catalogue("", language), **load_text_catalogue(game, language)}


def test_rules_come_by_their_numbers(http: httpx.Client) -> None:
    found = {rule["id"]: rule["text"] for rule in http.get("/api/games/survive/rules").json()}
    assert "SV.M9" in found["SV.M9"]
    assert [rule["id"] for rule in http.get("/api/games/landfall/rules").json()] == ["LF.1", "LF.2", "LF.3", "LF.4"]


def test_what_one_can_go_on_with_is_listed(http: httpx.Client) -> None:
    quick = {"game": "atlandice", "players": 2, "bots": ["greedy"], "seating": "as_sat", "public": True}
    table = http.post("/api/tables/quick", json=quick).json()["table"]
    found = {row["table"]: row for row in http.get("/api/history?over=false").json()}
    row = found[table]
    assert (row["status"], row["you"], row["owner"], row["turn"]) == ("playing", [0], True, 0)
    assert all(row["table"] != table for row in http.get("/api/history?over=true").json())
    with httpx.Client(base_url=http.base_url, timeout=LONG) as stranger:
        seen = next(row for row in stranger.get("/api/tables").json() if row["table"] == table)
        assert (seen["you"], seen["owner"], seen["chairs"]) == ([], False, ["Ana", "greedy"])
        assert stranger.get(f"/api/tables/{table}/replay").json()["code"] == "not_shown"


def test_a_report_has_the_position_as_the_asker_may_know_it(http: httpx.Client) -> None:
    quick = {"game": "atlantis", "players": 2, "bots": ["greedy"], "seating": "as_sat"}
    table = http.post("/api/tables/quick", json=quick).json()["table"]
    record = http.get(f"/api/tables/{table}/record").text
    mine = http.get(f"/api/tables/{table}/position?seat=0").json()
    assert (mine["game"], mine["seat"], mine["landfall"]) == ("atlantis", 0, landfall.__version__)
    assert http.get(f"/api/tables/{table}/position?seat=1").json()["code"] == "not_yours"
    assert http.get(f"/api/tables/{table}/position?seat=7").json()["code"] == "no_chair"
    all_may = http.get(f"/api/tables/{table}/position").json()
    assert all_may["line"] != mine["line"]
    assert "?" in record
    assert all_may["line"].count("?") > mine["line"].count("?")
    with httpx.Client(base_url=http.base_url, timeout=LONG) as stranger:
        assert stranger.get(f"/api/tables/{table}/position").json() == all_may
        assert stranger.get(f"/api/tables/{table}/position?seat=0").json()["code"] == "not_yours"


def test_a_stranger_asks_who_they_are_and_nothing_is_wrong(http: httpx.Client) -> None:
    assert http.get("/api/whoami").json() == http.get("/api/me").json()
    with httpx.Client(base_url=http.base_url, timeout=LONG) as stranger:
        answer = stranger.get("/api/whoami")
        assert (answer.status_code, answer.json()) == (200, None)
        assert stranger.get("/api/me").status_code == 401


def test_a_record_is_replayed_and_opened(http: httpx.Client) -> None:
    match, rng = Match("survive", 2, seed=1), Rng(2)
    while match.actor >= 0:
        match.play(int(match.state.random_action(rng)))
    record = {"record": match.record()}
    open_ = http.post("/api/replay", json=record).json()
    assert (open_["seat"], len(open_["moments"])) == (-1, len(match.log))
    assert http.post("/api/replay?eyes=spectator", json=record).json()["seat"] is None
    assert http.post("/api/replay?eyes=7", json=record).status_code == 400
    assert http.post("/api/replay?eyes=x", json=record).status_code == 422
    bad = http.post("/api/replay", json={"record": match.record() + "\nnonsense"})
    assert (bad.status_code, bad.json()["key"]) == (400, "error.record")
    table = http.post("/api/tables/open", json=record).json()["table"]
    assert http.get(f"/api/tables/{table}/replay?eyes=1").json()["moments"][50]["line"] == match.log[50].masked
    on = http.post("/api/tables/open", json={**record, "lines": 100, "seat": 0, "bots": "greedy"}).json()["table"]
    assert http.get(f"/api/tables/{on}").json()["table"]["status"] == "playing"

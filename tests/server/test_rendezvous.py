"""Notes between pages of friends without a server: read once, forgotten soon, bounded, from pages of any origin, in
whichever worker they are."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from landfall.api.limits import Limits
from landfall.web import peer_signalling
from landfall.web.peer_signalling import PeerNotes
from landfall.web.rest_peer_signalling import MAX_NOTE_CHARS
from tests.conftest import LONG
from tests.server.real_server import ServerProcess

pytestmark = pytest.mark.once
BOX, OTHER = "0" * 32, "f" * 32
ELSEWHERE = {"Origin": "https://friends.example"}


@pytest.fixture(scope="module")
def limited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(
        str(tmp_path_factory.mktemp("notes") / "landfall.db"),
        bot_workers=0,
        limited=True,
        public_url="https://a.example",
    ) as server:
        yield server


def test_a_note_is_read_once_by_a_page_of_any_origin(limited: ServerProcess) -> None:
    with httpx.Client(base_url=limited.url, headers=ELSEWHERE, timeout=LONG) as http:
        asked = http.options(f"/api/rendezvous/{BOX}", headers={"Access-Control-Request-Method": "POST"})
        assert (asked.status_code, asked.headers["access-control-allow-origin"]) == (204, "*")
        left = http.post(f"/api/rendezvous/{BOX}", json={"note": "hello"})
        assert (left.status_code, left.headers["access-control-allow-origin"]) == (204, "*")
        assert "set-cookie" not in left.headers
        assert http.get(f"/api/rendezvous/{OTHER}").json() is None
        taken = http.get(f"/api/rendezvous/{BOX}")
        assert (taken.json(), taken.headers["cache-control"]) == ("hello", "no-store")
        assert http.get(f"/api/rendezvous/{BOX}").json() is None
        # no other endpoint has become open to other origins
        assert http.post("/api/me", json={"name": "Eve"}).status_code == 403


def test_notes_are_bounded_in_size_and_rate(limited: ServerProcess) -> None:
    with httpx.Client(base_url=limited.url, headers=ELSEWHERE, timeout=LONG) as http:
        for note in ("", "x" * (MAX_NOTE_CHARS + 1), 5, None):
            assert http.post(f"/api/rendezvous/{BOX}", json={"note": note}).status_code in (400, 422), note
        for box in ("0" * 31, "0" * 33, "G" * 32, "../me"):
            assert http.post(f"/api/rendezvous/{box}", json={"note": "x"}).status_code in (403, 404, 405, 422), box
        found = [http.post(f"/api/rendezvous/{n:032x}", json={"note": "x"}).status_code for n in range(60)]
        assert found.count(429) >= 60 - Limits().notes[1] - 10
        assert set(found) <= {204, 429}


def test_nothing_of_a_note_is_on_the_disk(tmp_path: Path) -> None:
    with (
        ServerProcess(str(tmp_path / "landfall.db"), bot_workers=0) as server,
        httpx.Client(base_url=server.url, timeout=LONG) as http,
    ):
        assert http.post(f"/api/rendezvous/{BOX}", json={"note": "remember-me-not"}).status_code == 204
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert files
    assert not any(word in path.read_bytes() for path in files for word in (b"remember-me-not", BOX.encode()))


def test_notes_are_forgotten_and_their_number_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        notes = PeerNotes(None)
        for n in range(peer_signalling.MAX_NOTES + 50):
            notes.leave_note(str(n), "x")
        assert len(notes.notes) == peer_signalling.MAX_NOTES
        assert await notes.take_note_from_any_worker("0") is None
        assert await notes.take_note_from_any_worker("60") == "x"
        monkeypatch.setattr(peer_signalling, "NOTE_TTL_S", -1)
        notes = PeerNotes(None)
        notes.leave_note("a", "x")
        notes.leave_note("b", "y")
        assert await notes.take_note_from_any_worker("a") is None
        assert len(notes.notes) == 0

    asyncio.run(story())


def test_a_note_left_with_another_worker_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        one, two = PeerNotes(tmp_path), PeerNotes(tmp_path)
        await one.listen_to_other_workers()
        monkeypatch.setattr("os.getpid", lambda: 1)
        await two.listen_to_other_workers()
        one.leave_note(BOX, "hello")
        assert await two.take_note_from_any_worker(OTHER) is None
        assert await two.take_note_from_any_worker(BOX) == "hello"
        assert await two.take_note_from_any_worker(BOX) is None
        await two.stop_listening()
        await one.stop_listening()

    asyncio.run(story())

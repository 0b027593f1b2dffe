"""docs/client.md: its conversations are had with a real server, and its single messages are those of the types."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import httpx
import jsonschema_rs
import pytest
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from landfall.api.message_codec import decode_command
from landfall.web.codegen.generated_files import GENERATED_MARK
from landfall.web.codegen.message_reference import names_of_union
from landfall.web.codegen.message_schemas import build_socket_schema
from tests.conftest import LONG
from tests.repository_files import REPO
from tests.server.real_server import ServerProcess

pytestmark = pytest.mark.once

PAGE: Final = (REPO / "docs/client.md").read_text(encoding="utf-8")
WRITTEN: Final = PAGE.partition(GENERATED_MARK)[0]
BLOCK: Final = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
NAME: Final = re.compile(r"\b[A-Z]{3,}\b")  # what the server says once, and is sent back
ANY: Final = "…"


def conversation(page: str) -> list[str]:
    """What is sent (`> `) and received (`< `) on a page, in its order; indented lines go on."""
    lines: list[str] = []
    for language, text in BLOCK.findall(page):
        for line in text.splitlines() if language == "text" else ():
            if line.startswith("  "):
                lines[-1] += line.strip()
            else:
                lines.append(line)
    return lines


def single_messages(page: str) -> list[str]:
    return [line for language, text in BLOCK.findall(page) if language == "json" for line in text.splitlines()]


class Conversation:
    """A client that says what a page says, and compares what it hears."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.http = httpx.Client(base_url=url, timeout=LONG)
        self.sockets = ExitStack()
        self.socket: ClientConnection | None = None
        self.answer: httpx.Response | None = None
        self.known: dict[str, Any] = {}

    def close(self) -> None:
        self.sockets.close()
        self.http.close()

    def have(self, line: str) -> None:
        if line.startswith("> "):
            self.send(self.with_known_values(line[2:]))
        elif self.answer is not None:
            self.compare_answer(line[2:])
        else:
            self.await_message(json.loads(self.quoted(line[2:])))

    def send(self, line: str) -> None:
        method, _, rest = line.partition(" ")
        if line.startswith("{"):
            assert self.socket is not None
            self.socket.send(line)
        elif method == "WS":
            self.open_socket(rest)
        else:
            path, _, body = rest.partition(" ")
            content = {"content": body, "headers": {"content-type": "application/json"}} if body else {}
            self.answer = self.http.request(method, path, **content)  # type: ignore[arg-type]

    def open_socket(self, path: str) -> None:
        self.sockets.close()
        cookies = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        address = self.url.replace("http", "ws", 1) + path
        self.socket = self.sockets.enter_context(
            connect(address, origin=Origin(self.url), additional_headers={"Cookie": cookies})
        )

    def compare_answer(self, expected: str) -> None:
        status, _, body = expected.partition(" ")
        assert self.answer is not None
        assert self.answer.status_code == int(status), self.answer.text
        if body:
            assert self.fits(json.loads(self.quoted(body)), self.answer.json()), self.answer.text
        self.answer = None

    def await_message(self, expected: Any) -> None:
        """Other messages may come in between."""
        assert self.socket is not None
        heard: list[Any] = []
        while True:
            try:
                message = json.loads(self.socket.recv(timeout=10))
            except TimeoutError:
                raise AssertionError(f"did not come: {expected}; instead: {heard}"[:2000]) from None
            if self.fits(expected, message):
                return
            heard.append(message)

    def quoted(self, text: str) -> str:
        return re.sub(r'(?<!")\b[A-Z]{3,}\b(?!")', lambda found: f'"{found[0]}"', text)

    def with_known_values(self, line: str) -> str:
        return NAME.sub(lambda found: str(self.known.get(found[0], found[0])), line)

    def fits(self, expected: Any, found: Any) -> bool:
        """Whether this is what the page says. Names learn what they stand for."""
        if expected == ANY:
            return True
        if isinstance(expected, str) and NAME.fullmatch(expected):
            return bool(self.known.setdefault(expected, found) == found)
        if isinstance(expected, dict) and isinstance(found, dict):
            told = expected.keys() - {ANY}
            return (
                told <= found.keys()
                and (ANY in expected or told == found.keys())
                and all(self.fits(expected[key], found[key]) for key in told)
            )
        if isinstance(expected, list) and isinstance(found, list):
            if ANY in expected:
                return len(found) >= len(expected) - 1 and all(map(self.fits, expected[:-1], found))
            return len(found) == len(expected) and all(map(self.fits, expected, found))
        return bool(expected == found)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("server")
    with ServerProcess(str(folder / "landfall.db"), alone=True) as running:
        yield running.url


def have_conversation(url: str, lines: list[str]) -> None:
    client = Conversation(url)
    try:
        for line in lines:
            client.have(line)
    finally:
        client.close()


def test_the_conversations_of_the_page_are_had_as_they_stand(server: str) -> None:
    lines = conversation(WRITTEN)
    assert len(lines) > 60
    have_conversation(server, lines)


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ('{"name":"Ana","account":false,"…":"…"}', '{"name":"Ana","account":true,"…":"…"}'),
        ('{"name":"Ana","account":false,"…":"…"}', '{"name":"Ana","account":false}'),
        ("< 200 null", "< 401 null"),
    ],
)
def test_a_conversation_that_is_no_longer_true_is_found(server: str, true: str, false: str) -> None:
    first = "\n".join(conversation(WRITTEN)[:4])
    assert true in first
    with pytest.raises(AssertionError):
        have_conversation(server, first.replace(true, false).splitlines())


def test_single_messages_fit_their_types() -> None:
    schema = build_socket_schema()
    validator = jsonschema_rs.validator_for({"$ref": "#/$defs/ServerMessage", "$defs": schema["$defs"]})
    lines = single_messages(WRITTEN)
    received = {tag_of(schema["$defs"][name]) for name in names_of_union(schema["$defs"], "ServerMessage")}
    for line in lines:
        message = json.loads(line)
        if message["t"] in received and validator.is_valid(message):
            continue
        decode_command(line)
    with pytest.raises(ValueError, match=r"\$\.seat"):
        decode_command('{"t":"viewpoint","seat":"first"}')


def test_every_message_has_a_sample() -> None:
    definitions = build_socket_schema()["$defs"]
    shown = {
        tag
        for line in [*conversation(WRITTEN), *single_messages(WRITTEN)]
        for tag in re.findall(r'\{"t":"(\w+)"', line)
    }
    declared = {
        tag_of(definitions[name])
        for union in ("Command", "ServerMessage")
        for name in names_of_union(definitions, union)
    }
    assert shown == declared


def tag_of(definition: dict[str, Any]) -> str:
    tag = definition["properties"]["t"]
    return str(tag.get("const") or tag["enum"][0])


def test_lines_are_of_normal_length() -> None:
    assert [line for line in PAGE.splitlines() if len(line) > 130] == []

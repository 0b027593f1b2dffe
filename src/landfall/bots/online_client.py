"""Plays a bot's matches on a server, over the same sockets as people: finds or opens tables, sits down, chooses.

The server sends what the bot's seat may know and nothing more; see docs/bots-online.md.
"""

from __future__ import annotations

import asyncio
import json
import random
import urllib.error
import urllib.request
from base64 import b64decode
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from landfall.bots.contract import Bot, Seat
from landfall.core.errors import LandfallError
from landfall.core.rng import Rng
from landfall.games import game as find_game

REQUEST_TIMEOUT_S: Final = 30.0
SEARCH_INTERVAL_S: Final = 2.0  # between looks for an older open table, while nobody sits down at one's own
RETRY_DELAY_S: Final = 0.5  # after an answer that was too fast
MAX_RECONNECT_DELAY_S: Final = 10.0
MAX_CONNECT_ATTEMPTS: Final = 10
CLOSE_SIGNED_OUT, CLOSE_NO_TABLE = 4401, 4404
TABLE_CLOCK: Final = {"mode": "live", "turn": 10, "bank": 120}  # of tables that a bot opens


class OnlineError(LandfallError):
    """A server that cannot be played on, or a refusal, with the reason."""

    def __init__(self, reason: str, code: str = "") -> None:
        super().__init__(reason, "error.online", {"reason": reason})
        self.code = code


@dataclass(frozen=True)
class OnlineMatch:
    """How a match ended for the bot."""

    table: str
    ended: str  # finished, resigned, abandoned, closed
    was_late: bool  # a stand-in took over since the bot did not answer in time
    seat: int = -1  # the bot's; -1 if the match never began
    place: int = 0  # its own at the end, from 1 on; 0 if the match was not finished
    scores: tuple[int, ...] = ()  # of all seats
    is_tied: bool = False

    @property
    def summary(self) -> str:
        """The match in one line: how it ended, the bot's place and everybody's points."""
        words = [f"{self.table}: {self.ended}"]
        if self.place:
            tied = "tied for " if self.is_tied else ""
            words.append(f"{tied}place {self.place} of {len(self.scores)}")
        if self.scores and 0 <= self.seat < len(self.scores):
            others = ", ".join(str(points) for seat, points in enumerate(self.scores) if seat != self.seat)
            words.append(f"{self.scores[self.seat]} points against {others}")
        return ", ".join([*words, "too late for a choice"] if self.was_late else words)


@dataclass(frozen=True)
class TableRequest:
    """The matches a bot looks for."""

    game: str
    players: int
    rated: bool = True


class Api:
    """REST calls with the bot's token."""

    def __init__(self, server: str, token: str) -> None:
        if urlsplit(server).scheme not in ("http", "https"):
            raise OnlineError(f"{server!r} is no address of a server: write http://... or https://...")
        self.server = server.rstrip("/")
        self.token = token

    async def call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """The answer to a request; OnlineError says why it was refused."""
        return await asyncio.to_thread(self.call_blocking, method, path, body)

    def call_blocking(self, method: str, path: str, body: dict[str, Any] | None) -> Any:
        """The same in this thread."""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.server + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=REQUEST_TIMEOUT_S) as answer:
                return json.loads(answer.read())
        except urllib.error.HTTPError as error:
            text, code = str(error), ""
            with suppress(ValueError, AttributeError):
                answer = json.loads(error.read())
                text, code = answer["text"], answer["code"]
            raise OnlineError(text, code) from None
        except (OSError, ValueError) as error:
            raise OnlineError(f"{self.server} does not answer: {error}", "away") from None


class TableSocket:
    """A socket of a table: messages as they come, and the close code at the end."""

    def __init__(self, api: Api, table: str) -> None:
        self.api = api
        self.table = table
        self.messages: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        self.close_code = 1006
        self.transport: Any = None

    async def open(self) -> None:
        from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

        socket = self

        class Listener(WSListener):  # type: ignore[misc,unused-ignore]
            def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
                if frame.msg_type == WSMsgType.TEXT:
                    socket.messages.put_nowait(json.loads(frame.get_payload_as_bytes()))
                elif frame.msg_type == WSMsgType.CLOSE:
                    payload = frame.get_payload_as_bytes()
                    socket.close_code = int.from_bytes(payload[:2], "big") if len(payload) >= 2 else 1005
                    transport.disconnect()

            def on_ws_disconnected(self, transport: WSTransport) -> None:
                socket.messages.put_nowait(None)

        url = f"{self.api.server.replace('http', 'ws', 1)}/ws/tables/{self.table}"
        headers = {"Authorization": f"Bearer {self.api.token}"}
        self.transport, _ = await ws_connect(Listener, url, extra_headers=headers, max_frame_size=1 << 24)

    def send(self, **message: Any) -> None:
        """Send one message."""
        from picows import WSMsgType

        self.transport.send(WSMsgType.TEXT, json.dumps(message).encode())

    async def close(self) -> None:
        if self.transport is not None:
            self.transport.disconnect()


class OnlineTable:
    """One match of a bot, from sitting down to the end; reconnects if the connection is lost."""

    def __init__(self, bot: Bot, api: Api, table: str, rng: Rng, budget_s: float) -> None:
        self.bot = bot
        self.api = api
        self.table = table
        self.rng = rng
        self.budget_s = budget_s
        self.info: dict[str, Any] = {}
        self.you = ""  # the bot's handle at the table
        self.version = 0
        self.has_choices = False
        self.seat = -1
        self.answered = 0  # the version that was answered last
        self.socket = TableSocket(api, table)

    @property
    def is_seated(self) -> bool:
        return any(chair.get("who") == self.you for chair in self.info["chairs"])

    @property
    def is_alone(self) -> bool:
        """Whether nobody else has sat down at a table that has not begun."""
        return self.info["status"] == "gathering" and sum("who" in chair for chair in self.info["chairs"]) <= 1

    async def connect(self) -> None:
        """Open the socket, with retries; OnlineError if the server refuses or stays away."""
        delay = RETRY_DELAY_S
        for attempt in range(MAX_CONNECT_ATTEMPTS):
            self.socket = TableSocket(self.api, self.table)
            try:
                await self.socket.open()
            except Exception as error:  # picows reports a refused handshake and a lost network in many ways
                if attempt == MAX_CONNECT_ATTEMPTS - 1:
                    raise OnlineError(f"{self.api.server} does not answer: {error}", "away") from None
                await asyncio.sleep(delay)
                delay = min(2 * delay, MAX_RECONNECT_DELAY_S)
                continue
            return

    async def next_message(self) -> dict[str, Any]:
        """The next message, taken in. Reconnects; OnlineError if that makes no sense."""
        while True:
            message = await self.socket.messages.get()
            if message is not None:
                self.update_from_message(message)
                return message
            if self.socket.close_code == CLOSE_SIGNED_OUT:
                raise OnlineError("the token is not valid any more", "token")
            if self.socket.close_code == CLOSE_NO_TABLE:
                raise OnlineError("there is no such table", "no_table")
            await asyncio.sleep(RETRY_DELAY_S)
            await self.connect()
            self.answered = 0  # an answer may have been lost; the same one again is recognised by its id

    def update_from_message(self, message: dict[str, Any]) -> None:
        """Take the table's state and the version from a message that has them."""
        kind = message["t"]
        if kind == "welcome":
            self.info, self.you = message["table"], message.get("you") or ""
            seats = message.get("seats") or []
            self.seat = seats[0] if seats else self.seat
        elif kind == "table":
            self.info = message
        if kind in ("welcome", "update"):
            self.version, self.has_choices = message["version"], bool(message.get("choices"))

    async def sit(self) -> None:
        """Take a free chair; OnlineError says why that is impossible."""
        for number, chair in enumerate(self.info["chairs"]):
            if "who" in chair or "bot" in chair:
                continue
            self.socket.send(t="sit", chair=number)
            answer: dict[str, Any] = {}
            while answer.get("t") not in ("done", "refused"):
                answer = await self.next_message()
            if answer["t"] == "done":
                return
            if answer["code"] not in ("taken", "kept"):
                raise OnlineError(f"the bot cannot sit down: {answer['code']}", answer["code"])
        raise OnlineError("no seat is free", "taken")

    def start_if_full(self) -> None:
        """Start the match if it has not begun, every chair is taken and the bot owns the table."""
        if self.info["status"] != "gathering" or self.info["owner"] != self.you:
            return
        if all("who" in chair or "bot" in chair for chair in self.info["chairs"]):
            self.socket.send(t="start")

    @property
    def must_choose(self) -> bool:
        """Whether the bot has choices that it has not answered."""
        return self.info["status"] != "gathering" and self.has_choices and self.answered != self.version

    async def choose(self) -> None:
        """Let the bot choose, and send its choice."""
        version = self.version
        self.answered = version
        try:
            wanted = "?events=true" if self.bot.uses_events else ""
            found = await self.api.call("GET", f"/api/tables/{self.table}/world{wanted}")
        except OnlineError as error:
            if error.code not in ("too_fast", "away", "illegal", "over", "stand_in", "store"):
                raise
            self.answered = 0 if error.code in ("too_fast", "away", "store") else version
            await asyncio.sleep(RETRY_DELAY_S)
            return
        if found["version"] != version:
            self.answered = 0
            return
        seat = self.make_seat(found)
        action = await asyncio.to_thread(self.bot.choose, seat)
        self.socket.send(t="play", version=version, id=f"v{version}", action=int(action))

    def make_seat(self, found: dict[str, Any]) -> Seat:
        """The seat as a bot of the server itself would get it."""
        game = find_game(found["game"])
        if game.rules_version != found["rules"]:
            raise OnlineError(
                f"the server plays version {found['rules']} of {game.name}; here is {game.rules_version}", "rules"
            )
        world = game.from_bytes(b64decode(found["world"]))
        options = self.info["options"]
        return Seat(found["seat"], game.name, world, self.rng, self.budget_s, found["events"], True, options)

    async def play(self) -> OnlineMatch:
        """Play to the end."""
        while self.info["status"] != "over":
            self.start_if_full()
            if self.must_choose:
                await self.choose()
                continue
            message = await self.next_message()
            if message["t"] == "refused":
                if message["code"] in ("too_fast", "store", "busy"):
                    await asyncio.sleep(RETRY_DELAY_S)
                    self.answered = 0
                elif message["code"] == "illegal":
                    self.socket.send(t="leave")
                    raise OnlineError(f"{self.bot.title} chose what rule {message.get('rule')} forbids", "illegal")
        mine = [chair for chair in self.info["chairs"] if chair.get("who") == self.you]
        late = any(chair.get("away") == "time" for chair in mine)
        view = await self.read_final_view()
        await self.socket.close()
        groups = view.get("ranking") or []
        scores = tuple(view.get("scores") or self.info.get("scores") or ())
        place, tied = 0, False
        for group in groups:
            if self.seat in group["seats"]:
                place, tied = int(group["place"]), len(group["seats"]) > 1
        return OnlineMatch(self.table, self.info.get("ended") or "", late, self.seat, place, scores, tied)

    async def read_final_view(self) -> dict[str, Any]:
        """The position at the end: a socket that is opened then begins with it. Nothing if the match never began."""
        await self.socket.close()
        with suppress(OnlineError):
            await self.connect()
            message: dict[str, Any] = {}
            while message.get("t") != "welcome":
                message = await self.next_message()
            return dict(message.get("view") or {})
        return {}


class OnlinePlayer:
    """A bot on a server."""

    def __init__(
        self, make_bot: Callable[[], Bot], server: str, token: str, seed: int = 1, budget_s: float = 2.0,
        report: Callable[[str], None] = lambda line: None,
    ) -> None:  # fmt: skip
        self.make_bot = make_bot  # a bot plays one match
        self.api = Api(server, token)
        self.seed = seed
        self.budget_s = budget_s
        self.report = report
        self.match_count = 0
        self.sitting_at: set[str] = set()  # tables at which it waits or plays

    def prepare_match_at(self, table: str) -> OnlineTable:
        """A new bot's match at a table, not connected yet."""
        self.match_count += 1
        return OnlineTable(self.make_bot(), self.api, table, Rng(self.seed + self.match_count), self.budget_s)

    async def play_at(self, link: str) -> OnlineMatch:
        """Play one match at a table, by its link or id."""
        return await self.play_table(await self.join(link.rstrip("/").rsplit("/", 1)[-1]))

    async def join(self, table: str) -> OnlineTable:
        """Sit down at a table."""
        found = self.prepare_match_at(table)
        await found.connect()
        await found.next_message()
        while not found.info:
            await found.next_message()
        try:
            if not found.is_seated:
                await found.sit()
        except OnlineError:
            await found.socket.close()
            raise
        return found

    async def play_table(self, table: OnlineTable) -> OnlineMatch:
        self.sitting_at.add(table.table)
        try:
            found = await table.play()
        finally:
            self.sitting_at.discard(table.table)
            await table.socket.close()
        self.report(found.summary)
        return found

    async def play_matches(self, request: TableRequest, matches: int, at_once: int = 1) -> list[OnlineMatch]:
        """So many matches with whoever comes, some of them at the same time."""
        left = iter(range(matches))
        found: list[OnlineMatch] = []

        async def play_one_after_another() -> None:
            for _ in left:
                found.append(await self.play_table(await self.find_or_open_table(request)))

        async with asyncio.TaskGroup() as group:
            for _ in range(at_once):
                group.create_task(play_one_after_another())
        return found

    async def find_or_open_table(self, request: TableRequest) -> OnlineTable:
        """A table that waits for players, or one's own, at which somebody has sat down."""
        own: OnlineTable | None = None
        while True:
            joined = await self.join_open_table(request, own)
            if joined is not None:
                if own is not None:
                    own.socket.send(t="close")
                    await own.socket.close()
                    self.sitting_at.discard(own.table)
                return joined
            if own is None:
                body = {"game": request.game, "players": request.players, "public": True, "rated": request.rated}
                made = await self.api.call("POST", "/api/tables", {**body, "clock": TABLE_CLOCK})
                own = await self.join(made["table"])
                self.sitting_at.add(own.table)
                self.report(f"waiting at {made['link']}")
            with suppress(TimeoutError):
                # not all at once: two bots that wait for each other would move at the same time
                async with asyncio.timeout(SEARCH_INTERVAL_S * random.uniform(0.5, 1.5)):
                    while own.is_alone:
                        await own.next_message()
            if not own.is_alone:
                return own

    async def join_open_table(self, request: TableRequest, own: OnlineTable | None) -> OnlineTable | None:
        """Sit down where a seat is free; from one's own table only to an older one, so that two bots meet."""
        listed = await self.api.call("GET", "/api/tables")
        mine = next((one for one in listed if own is not None and one["table"] == own.table), None)
        for one in sorted(listed, key=lambda one: (one["created"], one["table"])):
            fits = (one["game"], one["players"], one["rated"]) == (request.game, request.players, request.rated)
            if one["status"] != "gathering" or not fits or one.get("you") or one["table"] in self.sitting_at:
                continue
            if own is not None and (mine is None or (one["created"], one["table"]) > (mine["created"], mine["table"])):
                continue
            with suppress(OnlineError):
                return await self.join(one["table"])
        return None

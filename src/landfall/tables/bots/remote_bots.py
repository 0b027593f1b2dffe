"""Bots on other machines. A server asks over the bus, and `BotService` answers in a process of its own.

The bus may lose, repeat or delay anything. So a request is repeated until one answer arrives, and later answers are
ignored. The fair queue stays with the server that asks. If nobody on the bus answers, the server's own workers do.
"""

from __future__ import annotations

import asyncio
import json
import logging
import signal
import time
from base64 import b64decode, b64encode
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

import landfall
from landfall.store.nats_bus import BusMessage, NatsBus
from landfall.tables.bots.allowed_bots import BOT_CODE_PATTERN
from landfall.tables.bots.bot_pool import (
    BOT_CHOICE_KIND,
    WORKER_GRACE_S,
    BotRequest,
    ProcessBotPool,
    choose_bot_action_within_budget,
    choose_fallback_action,
)
from landfall.tables.bots.worker_pool import WorkerPool
from landfall.worker_process import DEFAULT_MEMORY_MB, WorkerDied

log = logging.getLogger("landfall")
GROUP: Final = "bots"  # each request goes to one of it
VERSION: Final = landfall.__version__.replace(".", "-").replace("+", "-")  # others may write positions differently
REQUESTS: Final = f"landfall.bots.{VERSION}"
BEATS: Final = f"landfall.beats.{VERSION}"
ANSWERS: Final = "landfall.answers"  # plus the server's name, and a number
BEAT_S: Final = 0.5  # between signs of life of a bot process
SILENT_S: Final = 2.5  # after which it counts as gone
UNTAKEN_S: Final = 0.5  # for somebody to take a request; then it is repeated
LONG_CHOICE_S: Final = 0.05  # after which a process without an idle worker lets requests go to others
BUSY_S: Final = 0.01  # before a request that nobody could take is repeated
OVERTIME_S: Final = 3.0  # after its limit, until a request that was taken counts as lost
MAX_BUDGET_S: Final = 60.0  # that a request may ask for
MAX_NAME_CHARS: Final = 64  # of a bot process
MAX_WORKERS: Final = 256  # of one of them
MAX_PROCESSES: Final = 1000  # that a server knows
MIN_BUDGET_S: Final = 0.01  # of a hard request: with less there is no time to ask


def encode_bot_request(request: BotRequest) -> bytes:
    """A request, for the bus. It holds what its seat may know, and no more."""
    return json.dumps({**vars(request), "world": b64encode(request.world).decode()}).encode()


def decode_bot_request(data: bytes) -> BotRequest:
    """A request from the bus; ValueError, TypeError or KeyError if it is none that a server would make.

    A bus carries no programs: a bot's code names no file.
    """
    found = json.loads(data)
    if not BOT_CODE_PATTERN.fullmatch(found["code"]):
        raise ValueError("a code that servers do not send")
    return BotRequest(
        game=str(found["game"]),
        world=b64decode(found["world"]),
        seat=int(found["seat"]),
        code=found["code"],
        seed=int(found["seed"]),
        budget=max(0.0, min(MAX_BUDGET_S, float(found["budget"]))),
        events=found["events"],
        hard=bool(found["hard"]),
    )


class NoRemoteBots(WorkerDied):
    """Nobody on the bus answers."""


@dataclass
class Answer:
    """What became of one request: who took it, and its result; or that nobody can take it now."""

    taken: str = ""
    action: int | None = None
    failed: str = ""
    busy: bool = False


class PendingRemoteRequest:
    """A request on its way. `changed` is set with each answer."""

    def __init__(self) -> None:
        self.answer = Answer()
        self.changed = asyncio.Event()

    async def wait_for_next_answer(self, seconds: float) -> bool:
        """Wait for another answer; False: there was none."""
        try:
            await asyncio.wait_for(self.changed.wait(), max(0.0, seconds))
        except TimeoutError:
            return False
        self.changed.clear()
        return True


class RemoteWorkers(WorkerPool):
    """The workers of all bot processes on the bus, behind this server's fair queue."""

    def __init__(self, bus: NatsBus) -> None:
        super().__init__(0)
        self.bus = bus
        self.inquiries: dict[str, PendingRemoteRequest] = {}
        self.count = 0
        self.beats: dict[str, tuple[float, int]] = {}  # by bot process: its last sign of life and its workers
        self.answers = f"{ANSWERS}.{bus.name.split()[-1]}"
        self.repeated = 0  # requests sent again
        self.ignored = 0  # answers that nobody waited for
        self.is_open = False

    async def subscribe_to_bus(self) -> None:
        """Listen to the bus."""
        if not self.is_open:
            self.is_open = True
            await self.bus.make_subscription(BEATS, self.on_bot_heartbeat).subscribe_to_bus()
            await self.bus.make_subscription(f"{self.answers}.*", self.on_bot_answer).subscribe_to_bus()

    def on_bot_heartbeat(self, message: BusMessage) -> None:
        """A bot process is there, or goes."""
        found = json.loads(message.data)
        name, workers = str(found["name"])[:MAX_NAME_CHARS], min(MAX_WORKERS, int(found["workers"]))
        if workers > 0 and (name in self.beats or len(self.beats) < MAX_PROCESSES):
            self.beats[name] = time.monotonic(), workers
        else:
            self.beats.pop(name, None)
        self.update_live_worker_count()

    def update_live_worker_count(self) -> int:
        """Forget silent processes; the queue gives out as many places as there are workers now. Returns how many."""
        since = time.monotonic() - SILENT_S
        self.beats = {name: beat for name, beat in self.beats.items() if beat[0] > since}
        size = sum(workers for _, workers in self.beats.values()) if self.bus.is_connected else 0
        if size != self.size:
            self.size = size
            if size:  # without any, whoever waits learns it from `run_job_on_idle_or_new_worker`
                self.queue.set_slot_count(size, max(1, size - 1))
        return size

    def on_bot_answer(self, message: BusMessage) -> None:
        """An answer to a request; one that nobody waits for any more is ignored."""
        inquiry = self.inquiries.get(message.subject.rpartition(".")[2])
        if inquiry is None:
            self.ignored += 1
            return
        found = {"busy": True} if message.nobody else json.loads(message.data)
        action, failed = found.get("action"), str(found.get("failed", ""))
        if action is not None and type(action) is not int:
            action, failed = None, "an action that is no number"
        if inquiry.answer.action is None:
            inquiry.answer = Answer(str(found.get("taken", "")), action, failed, bool(found.get("busy")))
        inquiry.changed.set()

    async def run_job_on_idle_or_new_worker(self, limit: float, job: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        """A choice by somebody on the bus. NoRemoteBots: there is nobody. TimeoutError: it is too late."""
        request, until = args
        return await self.send_request_until_answered(request, until or time.monotonic() + limit)

    async def send_request_until_answered(self, request: BotRequest, until: float) -> int:
        """Ask, and again after each loss, until there is an answer. TimeoutError: too late."""
        first = True
        while (left := until - time.monotonic()) > MIN_BUDGET_S:
            if not self.update_live_worker_count():
                raise NoRemoteBots
            self.repeated += not first
            first = False
            current = replace(request, budget=min(request.budget, left)) if request.hard else request
            answer = await self.send_request_once(current, until)
            if answer.action is not None:
                return answer.action
            if answer.failed:
                raise RemoteBotFailure(answer.failed)
            if answer.busy:
                await asyncio.sleep(BUSY_S)
        raise TimeoutError

    async def send_request_once(self, request: BotRequest, until: float) -> Answer:
        """One request: its latest answer."""
        self.count += 1
        number, inquiry = str(self.count), PendingRemoteRequest()
        self.inquiries[number] = inquiry
        thinks = request.budget if request.hard else 2 * request.budget
        latest = min(until, time.monotonic() + thinks + OVERTIME_S)
        try:
            if not await self.bus.try_publish(REQUESTS, encode_bot_request(request), f"{self.answers}.{number}"):
                return Answer(busy=True)
            if not await inquiry.wait_for_next_answer(min(UNTAKEN_S, latest - time.monotonic())):
                return Answer()
            while inquiry.answer.taken and inquiry.answer.action is None and time.monotonic() < latest:
                if inquiry.answer.taken not in self.beats:
                    return Answer()  # who took it is gone
                await inquiry.wait_for_next_answer(min(BEAT_S, latest - time.monotonic()))
                self.update_live_worker_count()
            return inquiry.answer
        finally:
            del self.inquiries[number]


class RemoteBotFailure(Exception):
    """A bot failed on another machine."""


class RemoteBotPool(ProcessBotPool):
    """Bots on other machines while there are any; else in this server's own workers. Other tasks are always here."""

    def __init__(self, bus: NatsBus, workers: int = 1, memory_mb: int = DEFAULT_MEMORY_MB) -> None:
        super().__init__(workers, memory_mb)
        self.remote = RemoteWorkers(bus)

    async def warm_up_workers(self) -> None:
        await self.remote.subscribe_to_bus()
        await super().warm_up_workers()

    def worker_pools_by_name(self) -> dict[str, WorkerPool]:
        return {**super().worker_pools_by_name(), "remote": self.remote}

    async def choose_action(self, request: BotRequest, who: str = "") -> int:
        until = time.monotonic() + request.budget if request.hard else None
        if not self.remote.update_live_worker_count():
            return await super().choose_action(request, who)
        limit = 2 * request.budget + WORKER_GRACE_S
        try:
            asked = self.remote.run_job(
                who, limit, choose_bot_action_within_budget, request, until, kind=BOT_CHOICE_KIND
            )
            return await (asked if until is None else asyncio.wait_for(asked, request.budget))
        except NoRemoteBots:
            left = request.budget if until is None else max(0.0, until - time.monotonic())
            return await super().choose_action(replace(request, budget=left), who)
        except (TimeoutError, WorkerDied):
            return choose_fallback_action(request)
        except RemoteBotFailure as error:
            log.warning("%s gave no choice in %s on another machine: %s", request.code, request.game, error)
            return choose_fallback_action(request)

    def close_pool(self) -> None:
        super().close_pool()
        self.remote.close_pool()


class BotService:
    """A process that answers requests of the bus with workers of its own. While all of them think about long choices
    it is not subscribed, so requests go to who has time."""

    def __init__(self, bus: NatsBus, pool: ProcessBotPool, workers: int) -> None:
        self.bus = bus
        self.pool = pool
        self.workers = workers
        self.free = workers
        self.name = bus.name.split()[-1]
        self.requests = bus.make_subscription(REQUESTS, self.on_bot_request, GROUP)
        self.changing = asyncio.Lock()
        self.is_subscribed = False
        self.long_choice: asyncio.TimerHandle | None = None  # while no worker is idle
        self.stopping = asyncio.Event()
        self.tasks: set[asyncio.Task[None]] = set()
        self.answered = 0

    async def serve_until_stopping(self) -> None:
        """Until `stopping`; then what was taken is answered."""
        await self.bus.connect_in_background()
        await self.pool.warm_up_workers()
        while not self.stopping.is_set():
            await self.publish_heartbeat(self.workers)
            self.spawn_task(
                self.subscribe_or_unsubscribe_by_free_workers()
            )  # after the first sign of life: servers know who takes a request
            try:
                await asyncio.wait_for(self.stopping.wait(), BEAT_S)
            except TimeoutError:
                continue
        await self.publish_heartbeat(0)
        await self.subscribe_or_unsubscribe_by_free_workers()
        while self.tasks:
            await asyncio.gather(*self.tasks, return_exceptions=True)
        await self.bus.flush_and_disconnect()
        self.pool.close_pool()

    async def publish_heartbeat(self, workers: int) -> None:
        await self.bus.try_publish(BEATS, json.dumps({"name": self.name, "workers": workers}).encode())

    def spawn_task(self, work: Any) -> None:
        task: asyncio.Task[None] = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def subscribe_or_unsubscribe_by_free_workers(self) -> None:
        """Be subscribed if a worker is idle, and only then."""
        async with self.changing:
            wanted = self.free > 0 and not self.stopping.is_set()
            if wanted != self.is_subscribed:
                await (self.requests.subscribe_to_bus() if wanted else self.requests.unsubscribe_from_bus())
                self.is_subscribed = wanted

    def on_bot_request(self, message: BusMessage) -> None:
        """Take a request, or say at once that there is no time for it."""
        if not message.reply:
            return
        if self.free <= 0:
            self.spawn_task(self.publish_reply(message, busy=True))
            return
        self.free -= 1
        self.spawn_task(self.answer_bot_request(message))
        if self.free == 0:
            self.long_choice = asyncio.get_running_loop().call_later(
                LONG_CHOICE_S, lambda: self.spawn_task(self.subscribe_or_unsubscribe_by_free_workers())
            )

    async def answer_bot_request(self, message: BusMessage) -> None:
        try:
            await self.publish_reply(message, taken=self.name)
            try:
                request = decode_bot_request(message.data)
                action = await self.pool.choose_action(request)
            except Exception as error:  # a request that no server of this release would make
                await self.publish_reply(message, failed=type(error).__name__)
            else:
                await self.publish_reply(message, action=action)
                self.answered += 1
        finally:
            self.free += 1
            if self.long_choice is not None:
                self.long_choice.cancel()
            await self.subscribe_or_unsubscribe_by_free_workers()

    async def publish_reply(self, message: BusMessage, **found: object) -> None:
        await self.bus.try_publish(message.reply, json.dumps(found).encode())


async def serve_bots_on_bus(url: str, workers: int, memory_mb: int) -> None:
    """Answer requests of a bus until SIGINT or SIGTERM."""
    service = BotService(NatsBus(url, "landfall bots"), ProcessBotPool(workers, memory_mb), workers)
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, service.stopping.set)
    await service.serve_until_stopping()

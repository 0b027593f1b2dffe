"""Sends notices from the outbox: leases what is due, asks what its user wants, and hands messages to the channels.

A notice is leased by one process. If that is killed between sending and noting it, another sends the message again
under the same tag, and it replaces the first one. Everything else is sent once.

A browser names its push service by itself, and that may never answer. A delivery that takes long, or goes where the
last one failed, therefore needs a place in the slow lane: few in all, fewer for a host, one for each user. Nobody else
waits for it.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final, Protocol
from urllib.parse import urlsplit

from landfall.store.row_types import MailAddress, Notice, PushDevice
from landfall.tables.notifications.holiday_allowance import find_current_or_next_holiday
from landfall.tables.notifications.message_text import Message, compose_messages_joining_turns
from landfall.tables.notifications.preferences import Preferences, find_notice_send_time, preferences_from_data
from landfall.tables.notifications.table_notices import REPORT, TRIAL, TURN
from landfall.tables.runtime_dependencies import Runtime

if TYPE_CHECKING:
    from landfall.store.store import Store

log = logging.getLogger("landfall")
LEASE_MS: Final = 120_000  # in which a process sends what it took
DELIVERY_TIMEOUT_S: Final = 60.0  # for all devices of a user, the slow ones as well: less than the lease
MAX_PEOPLE_AT_ONCE: Final = 32
MAX_PEOPLE_PER_ROUND: Final = 200
MAX_MAILS_AT_ONCE: Final = 8
SLOW_AFTER_S: Final = 1.0
MAX_SLOW: Final = 8  # to devices that have accepted a message before, and as many to those that have not
MAX_SLOW_PER_HOST: Final = 4
MAX_SLOW_PER_USER: Final = 1
DROP_UNPROVEN_MS: Final = 86_400_000  # of failing, until a device is dropped that has never accepted a message
DROP_FAILING_MS: Final = 7 * 86_400_000  # the same for one that has
MAX_TRIES: Final = 8
FIRST_RETRY_MS: Final = 30_000  # doubled with each failure
PRUNE_INTERVAL_MS: Final = 3_600_000
MAIL_TARGET: Final = "mail"  # the id of an address among a notice's targets
CONFIRM_TTL_MS: Final = 24 * 3_600_000  # that a mailed link confirms an address; afterwards the address is forgotten


class TargetGone(Exception):
    """A device does not exist any more: nothing is sent there again."""


class PushChannel(Protocol):
    """Delivers to browsers."""

    async def send_push_message(self, device: PushDevice, message: Message, waiting: list[str], now: int) -> None:
        """Deliver a message; TargetGone, or any other error: it is tried again."""


class MailChannel(Protocol):
    """Delivers to addresses."""

    async def send_mail_message(self, address: MailAddress, message: Message) -> None:
        """Deliver a message; an error: it is tried again."""


@dataclass
class Delivery:
    """The state of one user's notices while they are sent."""

    person: str
    notices: list[Notice]
    preferences: Preferences
    reached: dict[str, set[str]]  # by notice: who has it
    failed: set[str]  # the notices that must be tried again
    now: int


class SlowLane:
    """The places for deliveries to devices that take long."""

    def __init__(self) -> None:
        self.taken: Counter[tuple[str, object]] = Counter()
        self.freed = asyncio.Event()

    def try_take_place(self, device: PushDevice) -> bool:
        """Take a place for a device if there is one."""
        shares = shares_of_device(device)
        if any(self.taken[share] >= most for share, most in shares.items()):
            return False
        self.taken.update(shares.keys())
        return True

    async def take_place(self, device: PushDevice) -> None:
        """Wait until there is a place."""
        while not self.try_take_place(device):
            await self.freed.wait()

    def release_place(self, device: PushDevice, _: object = None) -> None:
        """Also called with the task that is done."""
        self.taken -= Counter(shares_of_device(device).keys())  # removes it at 0
        freed, self.freed = self.freed, asyncio.Event()
        freed.set()


def shares_of_device(device: PushDevice) -> dict[tuple[str, object], int]:
    """What a delivery takes a place of, and how many there are."""
    return {
        ("proven", device.succeeded is not None): MAX_SLOW,
        ("host", urlsplit(device.endpoint).hostname): MAX_SLOW_PER_HOST,
        ("user", device.person): MAX_SLOW_PER_USER,
    }


class NotificationSender:
    """One process's sender."""

    def __init__(
        self, store: Store, runtime: Runtime, push: PushChannel | None, mail: MailChannel | None,
        is_connected: Callable[[str, str], bool] = lambda table, person: False,
    ) -> None:  # fmt: skip
        self.store = store
        self.runtime = runtime
        self.push = push
        self.mail = mail
        self.is_connected = is_connected  # whether a user is at a table, as far as this process knows
        self.pruned: int | None = None
        self.sent = 0  # messages that were delivered
        self.failures = 0
        self.under_way: dict[str, asyncio.Task[None]] = {}  # by user
        self.people_gate = asyncio.Semaphore(MAX_PEOPLE_AT_ONCE)
        self.mail_gate = asyncio.Semaphore(MAX_MAILS_AT_ONCE)
        self.slow_lane = SlowLane()

    async def send_until_cancelled(self) -> None:
        """Send until cancelled. A round does not wait for the deliveries of the one before."""
        try:
            while True:
                try:
                    await self.prune_and_start_due_deliveries()
                except Exception as error:  # databases fail in many ways
                    log.warning("notifications could not be looked up: %s", type(error).__name__)
                await self.runtime.clock.sleep_ms(self.runtime.notification_poll_ms)
        finally:
            left = list(self.under_way.values())
            for task in left:
                task.cancel()
            await asyncio.gather(*left, return_exceptions=True)

    async def prune_and_send_due_notices(self) -> None:
        """Send all that is due now."""
        await self.prune_and_start_due_deliveries()
        await asyncio.gather(*self.under_way.values())

    async def prune_and_start_due_deliveries(self) -> None:
        """Start to send all that is due now."""
        now = self.runtime.clock.wall_time_ms()
        if self.pruned is None or now - self.pruned > PRUNE_INTERVAL_MS:
            self.pruned = now
            await self.store.notifications.prune_finished_notices(now)
            await self.store.notifications.prune_signed_out_push_devices()
            await self.store.notifications.prune_unconfirmed_mail_addresses(now - CONFIRM_TTL_MS)
        for person in await self.store.notifications.list_users_with_due_notices(now, MAX_PEOPLE_PER_ROUND):
            if person not in self.under_way:
                self.under_way[person] = asyncio.create_task(self.try_send_to_person(person))

    async def try_send_to_person(self, person: str) -> None:
        """Send a user's due notices; after an error they are due again when the lease ends."""
        try:
            await self.send_notices_to_person(person)
        except Exception as error:
            log.warning("somebody could not be notified: %s", type(error).__name__)
        finally:
            del self.under_way[person]

    async def send_notices_to_person(self, person: str) -> None:
        """Send a user's due notices, and note what became of them."""
        delivery: Delivery | None = None
        try:
            # The gate is left before the group waits for what takes long.
            async with asyncio.timeout(None) as limit, asyncio.TaskGroup() as group, self.people_gate:
                limit.reschedule(asyncio.get_running_loop().time() + DELIVERY_TIMEOUT_S)
                delivery = await self.lease_due_notices(person)
                if delivery is not None:
                    await self.deliver_to_all_targets(delivery, group)
        except TimeoutError:
            log.warning("somebody's devices take too long")
        if delivery is None:
            return
        for notice in delivery.notices:
            tries = notice.tries + (notice.key in delivery.failed)
            again = notice.key in delivery.failed and tries < MAX_TRIES and notice.kind != TRIAL
            due = delivery.now + FIRST_RETRY_MS * 2 ** (tries - 1) if again else None
            await self.store.notifications.record_delivery_attempt(notice, due, tries, delivery.reached[notice.key])

    async def lease_due_notices(self, person: str) -> Delivery | None:
        """Lease a user's notices. Returns what is to be sent now, if anything."""
        now = self.runtime.clock.wall_time_ms()
        taken = await self.store.notifications.lease_notices(person, now, now + LEASE_MS)
        if not taken:
            return None
        preferences = preferences_from_data(await self.store.notifications.get_notification_settings(person))
        away = find_current_or_next_holiday(
            [one for one in await self.store.holidays.list_holidays_ending_after([person], now) if one.since <= now],
            now,
        )
        ready: list[Notice] = []
        for notice in taken:
            at = find_notice_send_time(notice, preferences)
            if at is not None and away is not None and notice.kind == TURN:
                at = max(at, away.until)  # its deadline stands still
            if at is not None and at > now:
                await self.store.notifications.record_delivery_attempt(notice, at, notice.tries, notice.reached)
            elif at is None or (notice.kind != TRIAL and self.is_connected(notice.topic, person)):
                await self.store.notifications.record_delivery_attempt(notice, None, notice.tries, notice.reached)
            else:
                ready.append(notice)
        return Delivery(person, ready, preferences, {n.key: set(n.reached) for n in ready}, set(), now)

    async def deliver_to_all_targets(self, delivery: Delivery, group: asyncio.TaskGroup) -> None:
        """Send to every device and address that the user wants them on; what takes long goes on in the group."""
        wanted, person = delivery.preferences, delivery.person
        by_mail = [n for n in delivery.notices if n.kind in wanted.mail or n.kind == REPORT]
        if self.mail is not None and by_mail:
            group.create_task(self.mail_to_user(self.mail, delivery, by_mail))
        by_push = [n for n in delivery.notices if n.kind in wanted.push or n.kind in (REPORT, TRIAL)]
        if self.push is None or not by_push:
            return
        for device in await self.store.notifications.list_push_devices_of_user(person):
            task = group.create_task(self.push_to_device(self.push, delivery, by_push, device))
            if device.failing is not None:
                continue  # it waits for a place by itself
            await asyncio.wait({task}, timeout=SLOW_AFTER_S)
            if not task.done():
                if self.slow_lane.try_take_place(device):
                    task.add_done_callback(partial(self.slow_lane.release_place, device))
                else:
                    task.cancel()

    async def mail_to_user(self, mail: MailChannel, delivery: Delivery, notices: Sequence[Notice]) -> None:
        """All e-mails to one user."""
        address = await self.store.notifications.get_mail_address(delivery.person)
        if address is None or address.confirmed is None:
            return
        async with self.mail_gate:
            for message in await self.compose_missing_messages(delivery, notices, MAIL_TARGET, address.language):
                await self.try_delivery(delivery, MAIL_TARGET, message, mail.send_mail_message(address, message))

    async def push_to_device(
        self, push: PushChannel, delivery: Delivery, notices: Sequence[Notice], device: PushDevice
    ) -> None:
        """All messages to one browser; cancelled: they are tried again, slowly."""
        needs_place = device.failing is not None
        try:
            if needs_place:
                await self.slow_lane.take_place(device)
            try:
                for message in await self.compose_missing_messages(delivery, notices, device.id, device.language):
                    await self.push_message_to_device(push, delivery, device, message)
            finally:
                if needs_place:
                    self.slow_lane.release_place(device)
        except asyncio.CancelledError:
            delivery.failed.update(n.key for n in notices if device.id not in delivery.reached[n.key])
            raise

    async def compose_missing_messages(
        self, delivery: Delivery, notices: Sequence[Notice], target: str, language: str
    ) -> list[Message]:
        """The messages that a target does not have yet. A turn that was made meanwhile has none."""
        left = await self.store.notifications.filter_existing_notice_keys(
            [n.key for n in notices if target not in delivery.reached[n.key]]
        )
        missing = [notice for notice in notices if notice.key in left]
        tables = await self.store.tables.get_table_summaries([notice.topic for notice in missing])
        names = {}
        for other in {notice.other for notice in missing if notice.other is not None}:
            user = await self.store.users.get_user_by_id(other)
            if user is not None:
                names[other] = user.name
        return compose_messages_joining_turns(language, missing, tables, names, delivery.now)

    async def push_message_to_device(
        self, push: PushChannel, delivery: Delivery, device: PushDevice, message: Message
    ) -> None:
        """One message to one browser, and what became of it."""
        now = delivery.now
        waiting = [
            n.topic for n in await self.store.notifications.list_notices_of_user(delivery.person) if n.kind == TURN
        ]
        fine: bool | None = False
        try:
            fine = await self.try_delivery(
                delivery, device.id, message, push.send_push_message(device, message, waiting, now)
            )
        finally:  # also if there was no place for a slow one
            keeps_failing_ms = DROP_FAILING_MS if device.succeeded is not None else DROP_UNPROVEN_MS
            if fine is None or (not fine and device.failing is not None and now - device.failing > keeps_failing_ms):
                await self.store.notifications.delete_push_device(device.person, device.id)
            else:
                await self.store.notifications.record_push_result(device.id, now, fine)

    async def try_delivery(
        self, delivery: Delivery, target: str, message: Message, sending: Awaitable[None]
    ) -> bool | None:
        """Wait for a channel. Returns whether it has delivered; None: the target is gone."""
        try:
            await sending
        except TargetGone:
            return None
        except Exception as error:
            self.failures += 1
            log.warning("a notification could not be sent: %s", type(error).__name__)
            delivery.failed.update(message.keys)
            return False
        self.sent += 1
        for key in message.keys:
            delivery.reached[key].add(target)
        return True

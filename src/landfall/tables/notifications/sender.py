"""Sends notices from the outbox: leases what is due, asks what its user wants, and hands messages to the channels.

A notice is leased by one process. If that is killed between sending and noting it, another sends the message again
under the same tag, and it replaces the first one. Everything else is sent once.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from landfall.store.row_types import MailAddress, Notice, PushDevice
from landfall.tables.notifications.holiday_allowance import find_current_or_next_holiday
from landfall.tables.notifications.message_text import Message, compose_messages_joining_turns
from landfall.tables.notifications.preferences import Preferences, find_notice_send_time, preferences_from_data
from landfall.tables.notifications.table_notices import TRIAL, TURN
from landfall.tables.runtime_dependencies import Runtime

if TYPE_CHECKING:
    from landfall.store.store import Store

log = logging.getLogger("landfall")
LEASE_MS: Final = 120_000  # in which a process sends what it took
MAX_PEOPLE_AT_ONCE: Final = 8
MAX_PEOPLE_PER_ROUND: Final = 200
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

    async def send_until_cancelled(self) -> None:
        """Send until cancelled."""
        while True:
            try:
                await self.prune_and_send_due_notices()
            except Exception as error:  # databases fail in many ways
                log.warning("notifications could not be looked up: %s", type(error).__name__)
            await self.runtime.clock.sleep_ms(self.runtime.notification_poll_ms)

    async def prune_and_send_due_notices(self) -> None:
        """Send all that is due now."""
        now = self.runtime.clock.wall_time_ms()
        if self.pruned is None or now - self.pruned > PRUNE_INTERVAL_MS:
            self.pruned = now
            await self.store.prune_finished_notices(now)
            await self.store.prune_signed_out_push_devices()
            await self.store.prune_unconfirmed_mail_addresses(now - CONFIRM_TTL_MS)
        people = await self.store.list_users_with_due_notices(now, MAX_PEOPLE_PER_ROUND)
        gate = asyncio.Semaphore(MAX_PEOPLE_AT_ONCE)

        async def send_to_person_in_gate(person: str) -> None:
            async with gate:
                await self.send_notices_to_person(person)

        for result in await asyncio.gather(
            *(send_to_person_in_gate(person) for person in people), return_exceptions=True
        ):
            if isinstance(result, Exception):  # its notices are due again when the lease ends
                log.warning("somebody could not be notified: %s", type(result).__name__)

    async def send_notices_to_person(self, person: str) -> None:
        """Send a user's due notices."""
        now = self.runtime.clock.wall_time_ms()
        taken = await self.store.lease_notices(person, now, now + LEASE_MS)
        if not taken:
            return
        preferences = preferences_from_data(await self.store.get_notification_settings(person))
        away = find_current_or_next_holiday(
            [one for one in await self.store.list_holidays_ending_after([person], now) if one.since <= now], now
        )
        ready: list[Notice] = []
        for notice in taken:
            at = find_notice_send_time(notice, preferences)
            if at is not None and away is not None and notice.kind == TURN:
                at = max(at, away.until)  # its deadline stands still
            if at is not None and at > now:
                await self.store.record_delivery_attempt(notice, at, notice.tries, notice.reached)
            elif at is None or (notice.kind != TRIAL and self.is_connected(notice.topic, person)):
                await self.store.record_delivery_attempt(notice, None, notice.tries, notice.reached)
            else:
                ready.append(notice)
        if not ready:
            return
        delivery = Delivery(person, ready, preferences, {n.key: set(n.reached) for n in ready}, set())
        await self.deliver_to_all_targets(delivery, now)
        for notice in ready:
            tries = notice.tries + (notice.key in delivery.failed)
            again = notice.key in delivery.failed and tries < MAX_TRIES
            due = now + FIRST_RETRY_MS * 2 ** (tries - 1) if again else None
            await self.store.record_delivery_attempt(notice, due, tries, delivery.reached[notice.key])

    async def deliver_to_all_targets(self, delivery: Delivery, now: int) -> None:
        """Send to every device and address that the user wants them on."""
        wanted, person = delivery.preferences, delivery.person
        by_push = [n for n in delivery.notices if n.kind in wanted.push or n.kind == TRIAL]
        if self.push is not None and by_push:
            for device in await self.store.list_push_devices_of_user(person):
                for message in await self.compose_missing_messages(delivery, by_push, device.id, device.language, now):
                    await self.push_message_to_device(self.push, delivery, device, message, now)
        by_mail = [n for n in delivery.notices if n.kind in wanted.mail]
        if self.mail is not None and by_mail:
            address = await self.store.get_mail_address(person)
            if address is not None and address.confirmed is not None:
                for message in await self.compose_missing_messages(
                    delivery, by_mail, MAIL_TARGET, address.language, now
                ):
                    await self.try_delivery(
                        delivery, MAIL_TARGET, message, self.mail.send_mail_message(address, message)
                    )

    async def compose_missing_messages(
        self, delivery: Delivery, notices: Sequence[Notice], target: str, language: str, now: int
    ) -> list[Message]:
        """The messages that a target does not have yet. A turn that was made meanwhile has none."""
        left = await self.store.filter_existing_notice_keys(
            [n.key for n in notices if target not in delivery.reached[n.key]]
        )
        missing = [notice for notice in notices if notice.key in left]
        tables = await self.store.get_table_summaries([notice.topic for notice in missing])
        names = {}
        for other in {notice.other for notice in missing if notice.other is not None}:
            user = await self.store.get_user_by_id(other)
            if user is not None:
                names[other] = user.name
        return compose_messages_joining_turns(language, missing, tables, names, now)

    async def push_message_to_device(
        self, push: PushChannel, delivery: Delivery, device: PushDevice, message: Message, now: int
    ) -> None:
        """One message to one browser, and what became of it."""
        waiting = [n.topic for n in await self.store.list_notices_of_user(delivery.person) if n.kind == TURN]
        fine = await self.try_delivery(
            delivery, device.id, message, push.send_push_message(device, message, waiting, now)
        )
        if fine is None:
            await self.store.delete_push_device(device.person, device.id)
        else:
            await self.store.record_push_result(device.id, now, fine)

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

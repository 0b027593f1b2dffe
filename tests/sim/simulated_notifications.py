"""Notifications in a world: an outbox on its disk, everybody's phone, and the judge of what arrives.

Nothing is sent twice while the first to take it may still send it, and nobody is called to a turn that was made.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from landfall.store.row_types import Holiday, MailAddress, Notice, PushDevice, TableSummary
from landfall.tables.notifications.message_text import Message
from landfall.tables.notifications.preferences import Preferences
from landfall.tables.notifications.sender import LEASE_MS
from landfall.tables.notifications.table_notices import KINDS, TURN, find_correspondence_turn

if TYPE_CHECKING:
    from tests.sim.simulated_disk import Disk
    from tests.sim.simulated_process import Process

ALWAYS = Preferences(push=KINDS, soon="now", quiet=False)
LATE_S, CALM_LATE_S = 40, 3  # that a message may be on its way while its turn is made


class Outbox:
    """The rows of a disk, and the judge."""

    def __init__(self, disk: Disk) -> None:
        self.disk = disk
        self.rows: dict[str, Notice] = {}
        self.sent: dict[str, float] = {}  # by notice: when
        self.turns: dict[str, list[tuple[int, str, float]]] = {}  # by table: since which entry, whose, since when

    def write(self, head: TableSummary) -> None:
        """With an entry: the earlier turns go, the new notices come."""
        table = self.disk.logs[head.table].table
        person = (find_correspondence_turn(table) or ("", None))[0]
        self.turns.setdefault(head.table, []).append((table.seq, person, self.disk.world.loop.time()))
        if head.notices is not None:
            self.rows = {k: n for k, n in self.rows.items() if n.topic != head.table or n.kind != TURN}
            for notice in head.notices:
                if notice.kind == TURN and notice.person != person:
                    self.disk.world.broken("notifications", f"{notice.person} is called, and it is {person}'s turn")
                self.rows.setdefault(notice.key, notice)

    def forget_person(self, person: str) -> None:
        self.rows = {k: n for k, n in self.rows.items() if person not in (n.person, n.other)}

    def receive(self, who: str, person: str, message: Message) -> None:
        """A phone rings."""
        world = self.disk.world
        now = world.loop.time()
        world.note(who, "rings", person, message.tag)
        late = CALM_LATE_S if world.calm else LATE_S
        for key in message.keys:
            before = self.sent.get(key)
            if before is not None and now - before < LEASE_MS / 2000 and not world.wall and not any(world.skews):
                world.broken("notifications", f"{key} was sent {now - before:.1f} s before")
            self.sent[key] = now
            kind, table, seq = key.split(" ")[:3]
            for since, whose, at in self.turns.get(table, []) if kind == TURN else []:
                if since > int(seq) and whose != person and now - at > late:
                    world.broken("notifications", f"{person} is called to {table}, where that turn was made")
                    break


class SimPhones:
    """The channel to everybody's phone."""

    def __init__(self, process: Process) -> None:
        self.process = process

    async def send_push_message(self, device: PushDevice, message: Message, waiting: list[str], now: int) -> None:
        """On its way, and there; or not."""
        chance = self.process.chance
        await self.process.wait(chance.uniform(0.01, 0.5))
        if chance.random() < self.process.world.faults.reads:
            raise ConnectionError("500")
        self.process.world.disk.outbox.receive(self.process.name, device.person, message)


class SimNotifications:
    """The notifications' part of a process's store."""

    if TYPE_CHECKING:
        disk: Disk

        async def reach(self, new: bool = False) -> None: ...
        async def write_once(self) -> None: ...
        async def get_table_summary(self, table: str) -> TableSummary | None: ...

    @property
    def outbox(self) -> dict[str, Notice]:
        return self.disk.outbox.rows

    async def list_users_with_due_notices(self, now: int, limit: int) -> list[str]:
        await self.reach()
        return sorted({n.person for n in self.outbox.values() if n.due is not None and n.due <= now})[:limit]

    async def lease_notices(self, person: str, now: int, until: int) -> list[Notice]:
        await self.write_once()
        mine = [n for n in self.outbox.values() if n.person == person and n.due is not None and n.due <= now]
        for notice in mine:
            self.outbox[notice.key] = replace(notice, due=until)
        await self.reach()
        return mine

    async def list_notices_of_user(self, person: str, limit: int = 50) -> list[Notice]:
        await self.reach()
        return [notice for notice in self.outbox.values() if notice.person == person][:limit]

    async def filter_existing_notice_keys(self, keys: Collection[str]) -> set[str]:
        await self.reach()
        return {key for key in keys if key in self.outbox}

    async def record_delivery_attempt(
        self, notice: Notice, due: int | None, tries: int, reached: Collection[str]
    ) -> None:
        await self.write_once()
        if notice.key in self.outbox:
            self.outbox[notice.key] = replace(self.outbox[notice.key], due=due, tries=tries, reached=frozenset(reached))
        await self.reach()

    async def mark_notices_seen(self, person: str, topic: str, now: int) -> None:
        mine = [n for n in self.outbox.values() if (n.person, n.topic, n.seen) == (person, topic, None)]
        if mine and any(notice.kind == TURN for notice in mine):
            await self.write_once()
            for notice in mine:
                if notice.key in self.outbox:
                    self.outbox[notice.key] = replace(self.outbox[notice.key], seen=now)

    async def prune_finished_notices(self, now: int) -> None:
        await self.reach()

    async def prune_signed_out_push_devices(self) -> None:
        await self.reach()

    async def prune_unconfirmed_mail_addresses(self, before: int) -> None:
        await self.reach()

    async def get_notification_settings(self, person: str) -> dict[str, Any]:
        await self.reach()
        return ALWAYS.to_stored_data()

    async def list_push_devices_of_user(self, person: str) -> list[PushDevice]:
        await self.reach()
        return [PushDevice(f"phone {person}", person, person, "", "", "", "", "en", 0)]

    async def record_push_result(self, id_: str, now: int, fine: bool) -> None:
        await self.reach()

    async def delete_push_device(self, person: str, id_: str) -> bool:
        raise AssertionError("no phone is ever gone here")

    async def get_mail_address(self, person: str) -> MailAddress | None:
        await self.reach()
        return None

    async def list_holidays_ending_after(self, people: Collection[str], after: int) -> list[Holiday]:
        await self.reach()
        return []

    async def get_table_summaries(self, tables: Collection[str]) -> dict[str, TableSummary]:
        found = {table: await self.get_table_summary(table) for table in dict.fromkeys(tables)}
        return {table: summary for table, summary in found.items() if summary is not None}

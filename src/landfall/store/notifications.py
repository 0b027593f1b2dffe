"""Notifications: the outbox, who is notified of what, on which devices and at which address.

A row of the outbox is written in the transaction that causes it, under a key of its own, so there is one however often
that is tried. Whoever leases a due row sends it: with several processes, one of them.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

import sqlalchemy as sa

from landfall.store import schema
from landfall.store.database import Repository
from landfall.store.event_codec import decode, encode
from landfall.store.notices import notice_from_row
from landfall.store.row_types import MailAddress, Notice, PushDevice
from landfall.store.sessions import valid_session_condition

NOTICE_TTL_MS: Final = 14 * 86_400_000  # that a notice is kept when nothing is left to do
MAX_DEVICES_PER_USER: Final = 10  # the oldest go first


class NotificationRepository(Repository):
    """Notices that wait or were sent, and where each user gets them."""

    # --- the outbox -------------------------------------------------------------------------------------------

    async def list_users_with_due_notices(self, now: int, limit: int) -> list[str]:
        """Users with notices that are due, the longest waiting first."""
        n = schema.notifications.c
        first = sa.func.min(n.due)
        asked = sa.select(n.person).where(n.due <= now).group_by(n.person).order_by(first).limit(limit)
        return [row[0] for row in await self.fetch_rows(asked)]

    async def lease_notices(self, person: str, now: int, until: int) -> list[Notice]:
        """Take a user's due notices: until then nobody else gets them. Empty: another process has them."""
        n = schema.notifications
        taken = n.update().where(n.c.person == person, n.c.due <= now).values(due=until).returning(n)
        async with self.engine.begin() as connection:
            rows = (await connection.execute(taken)).fetchall()
        return sorted((notice_from_row(row) for row in rows), key=lambda notice: (notice.at, notice.key))

    async def list_notices_of_user(self, person: str, limit: int = 50) -> list[Notice]:
        """A user's notices, latest first."""
        n = schema.notifications
        asked = sa.select(n).where(n.c.person == person).order_by(n.c.at.desc(), n.c.key).limit(limit)
        return [notice_from_row(row) for row in await self.fetch_rows(asked)]

    async def filter_existing_notice_keys(self, keys: Collection[str]) -> set[str]:
        """Which of these still exist: a turn that was made has none."""
        n = schema.notifications.c
        return {row[0] for row in await self.fetch_rows(sa.select(n.key).where(n.key.in_(keys)))}

    async def record_delivery_attempt(
        self, notice: Notice, due: int | None, tries: int, reached: Collection[str]
    ) -> None:
        """After an attempt: when to look after it again, if ever, and who has it."""
        n = schema.notifications
        values = {"due": due, "tries": tries, "reached": " ".join(sorted(reached))}
        await self.commit_change(n.update().where(n.c.key == notice.key).values(values))

    async def mark_notices_seen(self, person: str, topic: str, now: int) -> None:
        """A user is at a table: what it wanted to say is known."""
        n = schema.notifications
        unsent = sa.and_(n.c.person == person, n.c.topic == topic, n.c.due.is_not(None), n.c.seen.is_(None))
        if await self.fetch_rows(sa.select(n.c.key).where(unsent).limit(1)):
            await self.commit_change(n.update().where(unsent).values(seen=now))

    async def prune_finished_notices(self, now: int) -> None:
        """Delete old notices with which nothing is left to do."""
        n = schema.notifications
        await self.commit_change(n.delete().where(n.c.due.is_(None), n.c.at < now - NOTICE_TTL_MS))

    # --- settings ---------------------------------------------------------------------------------------------

    async def get_notification_settings(self, person: str) -> dict[str, Any]:
        """What a user chose; empty: nothing yet."""
        s = schema.notification_settings.c
        rows = await self.fetch_rows(sa.select(s.data).where(s.person == person))
        return decode(rows[0][0]) if rows else {}

    async def save_notification_settings(self, person: str, data: dict[str, Any]) -> None:
        """Replace a user's choices."""
        s = schema.notification_settings
        async with self.engine.begin() as connection:
            await self.database.lock_ratings_and_deletions(connection)
            await connection.execute(s.delete().where(s.c.person == person))
            await connection.execute(s.insert().values(person=person, data=encode(data).decode()))

    # --- devices ----------------------------------------------------------------------------------------------

    async def add_push_device(self, device: PushDevice) -> None:
        """Add a browser, or give it to whoever is signed in there now."""
        d = schema.push_devices
        latest = sa.select(d.c.id).where(d.c.person == device.person).order_by(d.c.created.desc())
        async with self.engine.begin() as connection:
            await connection.execute(d.delete().where(d.c.id == device.id))
            await connection.execute(d.insert().values(vars(device)))
            keep = [row[0] for row in await connection.execute(latest.limit(MAX_DEVICES_PER_USER))]
            await connection.execute(d.delete().where(d.c.person == device.person, d.c.id.not_in(keep)))

    async def list_push_devices_of_user(self, person: str) -> list[PushDevice]:
        """A user's browsers that receive push messages, as far as the user is signed in there."""
        d, s = schema.push_devices, schema.sessions.c
        signed_in = sa.or_(d.c.session == person, sa.exists().where(s.id == d.c.session, valid_session_condition()))
        asked = sa.select(d).where(d.c.person == person, signed_in).order_by(d.c.created)
        return [PushDevice(*row) for row in await self.fetch_rows(asked)]

    async def delete_push_device(self, person: str, id_: str) -> bool:
        """Stop sending to a browser. Returns whether it was the user's."""
        d = schema.push_devices
        return bool(await self.commit_change(d.delete().where(d.c.id == id_, d.c.person == person)))

    async def record_push_result(self, id_: str, now: int, fine: bool) -> None:
        """A message to a browser was accepted, or not."""
        d = schema.push_devices
        values: dict[str, Any] = {"succeeded": now, "failing": None} if fine else {
            "failing": sa.func.coalesce(d.c.failing, now)
        }  # fmt: skip
        await self.commit_change(d.update().where(d.c.id == id_).values(values))

    async def prune_signed_out_push_devices(self) -> None:
        """Delete browsers on which nobody is signed in any more."""
        d, s = schema.push_devices, schema.sessions.c
        signed_in = sa.or_(d.c.session == d.c.person, sa.exists().where(s.id == d.c.session))
        await self.commit_change(d.delete().where(~signed_in))

    # --- addresses --------------------------------------------------------------------------------------------

    async def get_mail_address(self, person: str) -> MailAddress | None:
        """A user's e-mail address, confirmed or not."""
        m = schema.mail_addresses
        rows = await self.fetch_rows(sa.select(m).where(m.c.person == person))
        return MailAddress(*rows[0]) if rows else None

    async def save_mail_address(self, address: MailAddress) -> None:
        """Replace a user's e-mail address."""
        m = schema.mail_addresses
        async with self.engine.begin() as connection:
            await self.database.lock_ratings_and_deletions(connection)
            await connection.execute(m.delete().where(m.c.person == address.person))
            await connection.execute(m.insert().values(vars(address)))

    async def confirm_mail_address(self, token: str, since: int, now: int) -> str | None:
        """Confirm the address of a mailed link, by the hash of its token; None: there is none that is new enough."""
        m = schema.mail_addresses
        mine = sa.and_(m.c.token == token, m.c.asked >= since)
        changed = m.update().where(mine).values(token=None, confirmed=now).returning(m.c.person)
        async with self.engine.begin() as connection:
            row = (await connection.execute(changed)).first()
        return str(row[0]) if row is not None else None

    async def delete_mail_address(self, person: str) -> None:
        """Forget a user's e-mail address, in the files as well."""
        m = schema.mail_addresses
        await self.commit_change(m.delete().where(m.c.person == person))
        await self.database.scrub_deleted_data()

    async def prune_unconfirmed_mail_addresses(self, before: int) -> None:
        """Forget addresses that nobody confirmed: they may be somebody else's."""
        m = schema.mail_addresses
        if await self.commit_change(m.delete().where(m.c.confirmed.is_(None), m.c.asked < before)):
            await self.database.scrub_deleted_data()

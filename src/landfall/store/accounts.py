"""How the owners of accounts sign in: passkeys, recovery codes, challenges; and changes of their names."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Final

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from landfall.store import schema
from landfall.store.confusable_names import confusable_skeleton
from landfall.store.database import Repository
from landfall.store.row_types import RESERVED_NAME_MS, Session, UserRecord
from landfall.store.sessions import (
    RECOVERED,
    insert_session_and_drop_oldest,
    is_session_valid,
    select_recovering_sessions,
)
from landfall.store.statements import select_user_row_for_update

RENAME_INTERVAL_MS: Final = 30 * 86_400_000  # between changes of an account's name


@dataclass(frozen=True)
class Passkey:
    """A passkey of an account. The id is the credential's, base64url; `counter` is its authenticator's own count."""

    id: str
    person: str
    key: bytes
    counter: int
    device: str
    created: int
    used: int | None = None


@dataclass(frozen=True)
class Challenge:
    """A passkey's challenge that was answered; or a proof of who somebody is. The id is a hash.

    `origin` is the session that it is about; empty if it is about none.
    """

    id: str
    kind: str
    person: str
    origin: str
    ends: int


@dataclass(frozen=True)
class Recovery:
    """A session that began with a recovery code. While its challenge is valid it may replace all ways to sign in."""

    person: str
    session: str
    challenge: str


class SessionEnded(Exception):
    """The session that asks for a change was ended meanwhile, perhaps by a recovery."""


class RecoveryInProgress(Exception):
    """Another session of the user began with a recovery code, and may still replace all ways to sign in."""


class LastWayToSignIn(Exception):
    """It is the only way in which the user can sign in."""


class TooMany(Exception):
    """There are as many as may be."""


class RenamedLately(Exception):
    """The account's name was changed lately; `at` says when."""

    def __init__(self, at: int) -> None:
        self.at = at


class AccountRepository(Repository):
    """How the owners of accounts sign in, and what they are called."""

    # --- passkeys ---------------------------------------------------------------------------------------------

    async def add_passkey(self, passkey: Passkey, most: int, session: str | None, **account: object) -> bool:
        """Add a passkey; `account`: fields that turn its guest into an account, in the same transaction.

        False: another account has that name, or the passkey is known already. TooMany: the user has as many already.
        SessionEnded, RecoveryInProgress: as in `require_session_may_change_sign_in`.
        """
        k, p = schema.passkeys, schema.people
        try:
            async with self.engine.begin() as connection:
                await self.database.lock_ratings_and_deletions(connection)
                await self.require_session_may_change_sign_in(connection, passkey.person, session)
                mine = sa.select(sa.func.count()).where(k.c.person == passkey.person)
                if ((await connection.execute(mine)).scalar() or 0) >= most:
                    raise TooMany
                if account:
                    guest = sa.and_(p.c.id == passkey.person, p.c.account.is_(None))
                    if not (await connection.execute(p.update().where(guest).values(account))).rowcount:
                        return False
                await connection.execute(k.insert().values(vars(passkey)))
        except IntegrityError:
            return False
        return True

    async def list_passkeys_of_user(self, person: str) -> list[Passkey]:
        """A user's passkeys, oldest first."""
        k = schema.passkeys.c
        mine = sa.select(schema.passkeys).where(k.person == person).order_by(k.created, k.id)
        return [Passkey(*row) for row in await self.fetch_rows(mine)]

    async def find_passkey_and_owner(self, id_: str) -> tuple[Passkey, UserRecord] | None:
        """A passkey and its owner."""
        k, p = schema.passkeys, schema.people
        both = sa.select(k, p).join(p, p.c.id == k.c.person).where(k.c.id == id_)
        for row in await self.fetch_rows(both):
            return Passkey(*row[: len(k.c)]), UserRecord(*row[len(k.c) :])
        return None

    async def record_passkey_use(self, passkey: Passkey, counter: int, now: int) -> bool:
        """Record a use. False: another use was recorded meanwhile, or the passkey is gone."""
        k = schema.passkeys
        unused = sa.and_(k.c.id == passkey.id, k.c.counter == passkey.counter)
        return await self.commit_change(k.update().where(unused).values(counter=counter, used=now)) == 1

    async def remove_passkey(self, person: str, id_: str) -> bool:
        """Remove a passkey; False: there is none such. LastWayToSignIn: its owner could not sign in any more."""
        k = schema.passkeys
        async with self.engine.begin() as connection:
            await self.database.lock_ratings_and_deletions(connection)
            keys = [row[0] for row in await connection.execute(sa.select(k.c.id).where(k.c.person == person))]
            has_password = sa.select(schema.people.c.password).where(schema.people.c.id == person)
            if id_ not in keys:
                return False
            if len(keys) == 1 and (await connection.execute(has_password)).scalar() is None:
                raise LastWayToSignIn
            await connection.execute(k.delete().where(k.c.id == id_))
        await self.database.scrub_deleted_data()
        return True

    async def remove_password(self, person: str) -> None:
        """LastWayToSignIn: the owner has no passkey."""
        k, p = schema.passkeys.c, schema.people
        async with self.engine.begin() as connection:
            await self.database.lock_ratings_and_deletions(connection)
            if not (await connection.execute(sa.select(sa.func.count()).where(k.person == person))).scalar():
                raise LastWayToSignIn
            mine = sa.and_(p.c.id == person, p.c.password.is_not(None))
            done = await connection.execute(p.update().where(mine).values(password=None))
        if done.rowcount:
            await self.database.scrub_deleted_data()

    async def replace_password(self, person: str, old: str | None, hashed: str, session: str | None) -> bool:
        """Set a password in place of the one that was read before. False: there is another by now.

        SessionEnded, RecoveryInProgress: as in `require_session_may_change_sign_in`.
        """
        p = schema.people
        same = p.c.password.is_(None) if old is None else p.c.password == old
        async with self.engine.begin() as connection:
            await self.database.lock_ratings_and_deletions(connection)
            await self.require_session_may_change_sign_in(connection, person, session)
            change = p.update().where(p.c.id == person, same).values(password=hashed)
            return (await connection.execute(change)).rowcount == 1

    async def require_session_may_change_sign_in(
        self, connection: AsyncConnection, person: str, session: str | None
    ) -> None:
        """SessionEnded: the session has ended, or the signed cookies (None) are revoked. RecoveryInProgress: it has to
        wait for another's recovery. Its caller has the lock.
        """
        if not await is_session_valid(connection, person, session):
            raise SessionEnded
        others = select_recovering_sessions(person).where(schema.challenges.c.origin != (session or ""))
        if (await connection.execute(others)).first() is not None:
            raise RecoveryInProgress

    # --- recovery ---------------------------------------------------------------------------------------------

    async def begin_recovery_session(
        self, recovery: Recovery, session: Session, code: str, now: int, ends: int
    ) -> bool:
        """Use a code up, and begin a session that may replace all ways to sign in until then, atomically.

        A link from the host revokes all codes and recoveries in progress: they may be an intruder's. False: there is
        no such code. Of two who use it at once, one succeeds.
        """
        person, r, c = recovery.person, schema.recovery_codes, schema.challenges
        async with self.engine.begin() as connection:
            await self.database.lock_ratings_and_deletions(connection)
            await connection.execute(select_user_row_for_update(person))
            used = (
                await connection.execute(build_recovery_code_deletion(person, code, now).returning(r.c.ends))
            ).first()
            if used is None:
                return False
            if used.ends is not None:
                await connection.execute(r.delete().where(r.c.person == person))
                await connection.execute(c.delete().where(c.c.person == person, c.c.kind == RECOVERED))
            await insert_session_and_drop_oldest(connection, session)
            row = Challenge(recovery.challenge, RECOVERED, person, recovery.session, ends)
            await connection.execute(c.insert().values(vars(row)))
        return True

    async def replace_sign_ins_by_password(self, recovery: Recovery, hashed: str, now: int) -> bool:
        """Set a password that replaces all ways to sign in. False: the recovery was used, or has ended."""
        p = schema.people
        async with self.engine.begin() as connection:
            await self.database.lock_ratings_and_deletions(connection)
            if not await self.revoke_sign_ins_by_recovery(connection, recovery, now):
                return False
            await connection.execute(p.update().where(p.c.id == recovery.person).values(password=hashed))
        await self.database.scrub_deleted_data()
        return True

    async def replace_sign_ins_by_passkey(self, recovery: Recovery, passkey: Passkey, now: int) -> bool:
        """The same with a passkey. False also if the passkey is known already; then nothing is revoked."""
        try:
            async with self.engine.begin() as connection:
                await self.database.lock_ratings_and_deletions(connection)
                if not await self.revoke_sign_ins_by_recovery(connection, recovery, now):
                    return False
                await connection.execute(schema.passkeys.insert().values(vars(passkey)))
        except IntegrityError:
            return False
        await self.database.scrub_deleted_data()
        return True

    async def revoke_sign_ins_by_recovery(self, connection: AsyncConnection, recovery: Recovery, now: int) -> bool:
        """Revoke an account's passkeys, codes, password and challenges, and sign out all its other sessions.

        In the transaction that sets the new way: a recovery is used only if that succeeds. False: it is not valid, or
        its session has ended.
        """
        person, c = recovery.person, schema.challenges
        await connection.execute(select_user_row_for_update(person))
        if not await is_session_valid(connection, person, recovery.session):
            return False
        is_mine = valid_challenge_condition(recovery.challenge, RECOVERED, person, now)
        if not (await connection.execute(c.delete().where(is_mine))).rowcount:
            return False
        await self.revoke_sign_ins_and_sessions(connection, person, recovery.session)
        return True

    async def reset_password_and_sign_out(self, person: str, hashed: str) -> None:
        """Set a password that replaces all ways to sign in, and end all sessions: what a host does."""
        p = schema.people
        async with self.engine.begin() as connection:
            await self.database.lock_ratings_and_deletions(connection)
            await connection.execute(select_user_row_for_update(person))
            await self.revoke_sign_ins_and_sessions(connection, person, None)
            await connection.execute(p.update().where(p.c.id == person).values(password=hashed))
        await self.database.scrub_deleted_data()

    async def revoke_sign_ins_and_sessions(self, connection: AsyncConnection, person: str, kept: str | None) -> None:
        """Revoke all ways to sign in, all sessions but one, and the tokens of bots. Its caller has the lock.

        With a session that stays, a link from the host stays, too: that session may be an intruder's.
        """
        p, r, s = schema.people, schema.recovery_codes, schema.sessions
        for table in (schema.passkeys, schema.challenges):
            await connection.execute(table.delete().where(table.c.person == person))
        codes = r.c.ends.is_(None) if kept is not None else sa.true()
        await connection.execute(r.delete().where(r.c.person == person, codes))
        await connection.execute(s.delete().where(s.c.person == person, s.c.id != (kept or "")))
        await connection.execute(s.delete().where(s.c.person.in_(sa.select(p.c.id).where(p.c.author == person))))
        await connection.execute(p.update().where(p.c.id == person).values(password=None, signed=False))

    # --- recovery codes ---------------------------------------------------------------------------------------

    async def replace_recovery_codes(self, person: str, hashes: list[str], session: str | None) -> None:
        """Give a user these codes instead of all earlier ones. A link from the host stays: its owner is not signed in.

        SessionEnded, RecoveryInProgress: as in `require_session_may_change_sign_in`.
        """
        r = schema.recovery_codes
        async with self.engine.begin() as connection:
            await self.database.lock_ratings_and_deletions(connection)  # of two at once, one set of codes stays
            await self.require_session_may_change_sign_in(connection, person, session)
            await connection.execute(r.delete().where(r.c.person == person, r.c.ends.is_(None)))
            await connection.execute(r.insert(), [{"id": one, "person": person} for one in hashes])

    async def replace_recovery_link_code(self, person: str, hashed: str, ends: int) -> None:
        """One more code, valid until then; it takes the place of an earlier one of this kind."""
        r = schema.recovery_codes
        async with self.engine.begin() as connection:
            await self.database.lock_ratings_and_deletions(connection)
            await connection.execute(r.delete().where(r.c.person == person, r.c.ends.is_not(None)))
            await connection.execute(r.insert().values(id=hashed, person=person, ends=ends))

    async def count_unused_recovery_codes(self, person: str) -> int:
        """A user's codes that were not used."""
        r = schema.recovery_codes.c
        [(count,)] = await self.fetch_rows(sa.select(sa.func.count()).where(r.person == person, r.ends.is_(None)))
        return int(count)

    async def consume_recovery_code(self, person: str, hashed: str, now: int) -> bool:
        """Use a code up. Of two who use it at once, one succeeds."""
        return await self.commit_change(build_recovery_code_deletion(person, hashed, now)) == 1

    # --- challenges -------------------------------------------------------------------------------------------

    async def add_or_renew_proof(self, challenge: Challenge, now: int) -> None:
        """Add a proof, or renew it. Whatever has ended is deleted."""
        c = schema.challenges
        async with self.engine.begin() as connection:
            await self.database.lock_ratings_and_deletions(connection)
            await connection.execute(c.delete().where(sa.or_(c.c.ends <= now, c.c.id == challenge.id)))
            await connection.execute(c.insert().values(vars(challenge)))

    async def record_challenge_answered(self, challenge: Challenge) -> bool:
        """Record that a passkey's challenge was answered. False: it was answered before."""
        try:
            return await self.commit_change(schema.challenges.insert().values(vars(challenge))) == 1
        except IntegrityError:
            return False

    async def has_valid_proof(self, id_: str, kind: str, person: str, now: int) -> bool:
        """Whether there is such a proof."""
        return bool(
            await self.fetch_rows(
                sa.select(schema.challenges.c.id).where(valid_challenge_condition(id_, kind, person, now))
            )
        )

    # --- names ------------------------------------------------------------------------------------------------

    async def rename_account(self, person: UserRecord, name: str, account: str, now: int, session: str | None) -> bool:
        """Change an account's name; its earlier one is reserved for a while. False: it is another's.

        RenamedLately: too soon after the last change. Another spelling of the same name is no change.
        SessionEnded, RecoveryInProgress: as in `require_session_may_change_sign_in`.
        """
        p, n = schema.people, schema.earlier_names
        new, old = confusable_skeleton(name), person.skeleton or confusable_skeleton(person.name)
        try:
            async with self.engine.begin() as connection:
                await self.database.lock_ratings_and_deletions(connection)
                await self.require_session_may_change_sign_in(connection, person.id, session)
                if new != old:
                    mine = sa.select(sa.func.max(n.c.at)).where(n.c.person == person.id)
                    last = (await connection.execute(mine)).scalar()
                    if last is not None and last > now - RENAME_INTERVAL_MS:
                        raise RenamedLately(last)
                    over = n.c.at <= now - RESERVED_NAME_MS
                    await connection.execute(n.delete().where(sa.or_(over, n.c.skeleton == old)))
                    await connection.execute(n.insert().values(skeleton=old, person=person.id, at=now))
                values = {"name": name, "account": account, "skeleton": new}
                await connection.execute(p.update().where(p.c.id == person.id).values(values))
        except IntegrityError:
            return False
        return True

    async def get_last_rename_time(self, person: str) -> int | None:
        """When an account's name was last changed."""
        n = schema.earlier_names.c
        [(at,)] = await self.fetch_rows(sa.select(sa.func.max(n.at)).where(n.person == person))
        return at if at is None else int(at)

    async def find_account_by_earlier_name(self, name: str) -> UserRecord | None:
        """The owner of the account that had this name a while ago."""
        n, p = schema.earlier_names, schema.people
        since = time.time_ns() // 1_000_000 - RESERVED_NAME_MS
        had = (
            sa.select(p).join(n, n.c.person == p.c.id).where(n.c.skeleton == confusable_skeleton(name), n.c.at > since)
        )
        found = await self.fetch_rows(had)
        return UserRecord(*found[0]) if found else None


def valid_challenge_condition(id_: str, kind: str, person: str, now: int) -> sa.ColumnElement[bool]:
    """Of a row of challenges: whether it is this one and has not ended."""
    c = schema.challenges.c
    return sa.and_(c.id == id_, c.kind == kind, c.person == person, c.ends > now)


def build_recovery_code_deletion(person: str, hashed: str, now: int) -> sa.Delete:
    """Deletes a code that has not ended."""
    r = schema.recovery_codes
    valid = sa.or_(r.c.ends.is_(None), r.c.ends > now)
    return r.delete().where(r.c.id == hashed, r.c.person == person, valid)

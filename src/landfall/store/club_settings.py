"""What the host sets on the page /host: the server's name, its texts, who may make an account, the link for members."""

from __future__ import annotations

import secrets
import time
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Final

import sqlalchemy as sa

from landfall.store import schema
from landfall.store.database import Repository
from landfall.store.event_codec import decode, encode

KEY: Final = "club"
OPEN: Final = "open"
CLOSED: Final = "closed"
BY_INVITATION: Final = "invitation"


@dataclass(frozen=True)
class ClubSettings:
    """All of them; empty: not set."""

    name: str = ""
    announcement: str = ""
    announced: int = 0
    imprint: str = ""
    privacy: str = ""
    registration: str = ""  # empty: as the server was started
    invitation: str = ""  # the code in the link
    invited_until: int = 0

    def accepts_invitation(self, code: str, now: int) -> bool:
        given, ours = code.encode(), self.invitation.encode()
        return ours != b"" and now < self.invited_until and secrets.compare_digest(given, ours)


class ClubRepository(Repository):
    """The host's settings, in one row."""

    async def get_club_settings(self) -> ClubSettings:
        s = schema.settings.c
        rows = await self.fetch_rows(sa.select(s.value).where(s.key == KEY))
        return settings_from_data(decode(rows[0][0])) if rows else ClubSettings()

    async def change_club_settings(self, **changes: Any) -> ClubSettings:
        """Change some of them; of two changes at once none is lost."""
        s = schema.settings
        async with self.engine.begin() as connection:
            await self.database.lock_ratings_and_deletions(connection)
            rows = (await connection.execute(sa.select(s.c.value).where(s.c.key == KEY))).fetchall()
            before = settings_from_data(decode(rows[0][0])) if rows else ClubSettings()
            if changes.get("announcement", before.announcement) != before.announcement:
                changes["announced"] = time.time_ns() // 1_000_000
            after = replace(before, **changes)
            await connection.execute(s.delete().where(s.c.key == KEY))
            await connection.execute(s.insert().values(key=KEY, value=encode(asdict(after)).decode()))
        return after


def settings_from_data(data: dict[str, Any]) -> ClubSettings:
    known = {one.name for one in fields(ClubSettings)}
    return ClubSettings(**{name: value for name, value in data.items() if name in known})

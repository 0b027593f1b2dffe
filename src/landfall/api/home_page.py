"""Endpoints about what waits for somebody: their tables and invitations; following; public matches to look back on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from landfall.api.players import find_player_by_name
from landfall.api.tables import describe_table_for_user, describe_tables_for_caller, make_table_link
from landfall.api.types import Body, Caller, PlayerName, TableId, TableLink, TableListing, make_field_documentation
from landfall.store.row_types import ACCEPTED, DECLINED, Notice, TableSummary
from landfall.store.store import Store
from landfall.tables.live.hub import Hub
from landfall.tables.log.clocks import DAY_MS, DAYS_CLOCK
from landfall.tables.log.table import EXHIBITION, GATHERING, PLAYING
from landfall.tables.notifications.table_notices import INVITATION
from landfall.tables.protocol import commands as cmd
from landfall.tables.protocol.errors import Refused
from landfall.tables.ratings.rating_model import shown_rating_number

MAX_HOME_TABLES: Final = 50
MAX_INVITATIONS_A_DAY: Final = 40  # sent by one user
MAX_INVITATIONS_TO_ONE: Final = 5  # of these, to the same person
MAX_INVITED_A_DAY: Final = 30  # received by one user, from all others
MAX_FOLLOWED: Final = 500  # by one user
FEATURED_DAYS: Final = 30
FEATURED_CANDIDATES: Final = 60
FEATURED_SIZE: Final = 3
FEATURED_TTL_MS: Final = 60_000  # that it stays as it is


@dataclass(kw_only=True)
class InvitationBody(Body):
    """Whom to invite to a table at which you sit."""

    table: TableId = field(metadata=make_field_documentation(examples=["q3nN0m1cXlTtVbQp0Jx8Zg"]))


@dataclass
class HomeTable:
    """A table of yours that is not over."""

    table: TableListing
    yours: bool = field(
        metadata=make_field_documentation("Whether your choice is waited for, as far as this server knows at once.")
    )
    left: int | None = field(
        metadata=make_field_documentation("Milliseconds that are left for the choice; null without a limit.")
    )


@dataclass
class InvitationInfo:
    """An invitation to a table that still gathers."""

    name: str = field(metadata=make_field_documentation("Of who invites you."))
    at: int
    table: TableListing


@dataclass
class HomeInfo:
    """What waits for you."""

    tables: list[HomeTable]
    invitations: list[InvitationInfo]
    finished: bool = field(metadata=make_field_documentation("Whether you have played a match to its end here."))
    waiting: dict[str, int] = field(metadata=make_field_documentation("By game: how many look for a table."))
    people: int = field(metadata=make_field_documentation("Connected now."))
    tables_in_use: int
    following: list[str] = field(metadata=make_field_documentation("Those whom you follow and who are here."))


@dataclass
class FeaturedMatch:
    """A public match that is over."""

    table: TableListing
    rating: int | None = field(metadata=make_field_documentation("The players' ratings on average, of a rated match."))


# --- home -----------------------------------------------------------------------------------------------------


async def list_home_tables(hub: Hub, caller: Caller) -> list[HomeTable]:
    """The tables that need somebody first: live ones, then by the time that is left."""
    user = caller.require_user()
    found = await hub.store.tables.list_tables_of_user(user.id, MAX_HOME_TABLES, over=False)
    tables = [describe_home_table(hub, user.id, summary) for summary in found]
    return sorted(tables, key=home_table_sort_key)


def home_table_sort_key(one: HomeTable) -> tuple[bool, bool, int, int]:
    """Live and one's turn, live, by days and one's turn, the rest."""
    playing, by_days = one.table.status == PLAYING, one.table.clock == DAYS_CLOCK
    return not (playing and (one.yours or not by_days)), not one.yours, one.left or DAY_MS, -one.table.updated


def describe_home_table(hub: Hub, you: str, summary: TableSummary) -> HomeTable:
    listing, live = describe_table_for_user(hub, you, summary), hub.live_tables.get(summary.table)
    left: int | None = None
    if summary.status == PLAYING and listing.clock == DAYS_CLOCK and live is None:
        listing.turn = summary.info.get("turn")
        left = None if summary.deadline is None else summary.deadline - hub.runtime.clock.wall_time_ms()
    elif summary.status == PLAYING and live is not None and (deadline := live.choice_deadline()) is not None:
        left = deadline - live.next_event_timestamp_ms()
    yours = listing.turn in listing.you
    if listing.turn is None and summary.status == PLAYING:  # bots play on only while somebody is there
        yours = all(who in (None, you) for who in summary.info.get("people", []))
    return HomeTable(listing, yours, None if left is None else max(0, left))


async def list_acceptable_invitations(hub: Hub, store: Store, caller: Caller) -> list[InvitationInfo]:
    """The latest first. What cannot be accepted any more is left out."""
    user = caller.require_user()
    found = await store.invitations.list_open_invitations(user.id)
    return [
        InvitationInfo(invitation.name, invitation.at, describe_table_for_user(hub, user.id, summary))
        for invitation, summary in found
        if None in summary.info["chairs"] and user.id not in summary.info["people"]
    ]


async def has_finished_a_match(hub: Hub, caller: Caller) -> bool:
    """Whether somebody has played a match to its end."""
    return bool(await hub.store.tables.list_tables_of_user(caller.require_user().id, 1, over=True))


# --- invitations ----------------------------------------------------------------------------------------------


async def invite_player(hub: Hub, store: Store, caller: Caller, player: PlayerName, table: TableId) -> str:
    """Invite the owner of an account to a table at which one sits. Returns the id of who is invited."""
    user = caller.require_user()
    if not user.has_account:  # a new name costs nothing: limits and blocks would hold nobody
        raise Refused("invite_account")
    found, summary = await find_player_by_name(store, player), await hub.get_table_summary(table)
    people, now = summary.info["people"], hub.runtime.clock.wall_time_ms()
    if summary.status != GATHERING or user.id not in people or None not in summary.info["chairs"]:
        raise Refused("no_free_seat")
    is_blocked = found.id in await store.relations.list_user_ids_blocked_either_way(user.id)
    if found.id in (user.id, *people) or found.author is not None or is_blocked:
        raise Refused("cannot_invite")
    sent, both, received = await store.invitations.count_invitations_sent_and_received(user.id, found.id, now - DAY_MS)
    if sent >= MAX_INVITATIONS_A_DAY:
        raise Refused("too_many_invitations", most=MAX_INVITATIONS_A_DAY)
    if both >= MAX_INVITATIONS_TO_ONE or received >= MAX_INVITED_A_DAY:
        raise Refused("invited_often")
    data = {"game": summary.game, "players": summary.info["players"]}
    notice = Notice(f"{INVITATION} {table} {found.id}", found.id, INVITATION, table, now, now, data, user.id)
    if not await store.invitations.add_invitation(table, user.id, found.id, now, notice):
        raise Refused("already_invited")
    return found.id


async def accept_invitation(hub: Hub, store: Store, caller: Caller, table: TableId) -> TableLink:
    """Sit down at the table, on the first free chair."""
    user = caller.require_user()
    if not any(one.table == table for one, _ in await store.invitations.list_open_invitations(user.id)):
        raise Refused("no_invitation")
    chairs = (await hub.get_or_load_table(table)).table.chairs
    free = next((number for number, chair in enumerate(chairs) if chair.is_free), None)
    if free is None:
        raise Refused("no_free_seat")
    await hub.execute_command(table, user, cmd.Sit(chair=free))
    await store.invitations.answer_invitation(table, user.id, ACCEPTED)
    return make_table_link(hub, table)


async def decline_invitation(store: Store, caller: Caller, table: TableId) -> None:
    """Not now. The same table is not offered by an invitation again."""
    user = caller.require_user()
    if not await store.invitations.answer_invitation(table, user.id, DECLINED):
        raise Refused("no_invitation")


async def set_player_followed(store: Store, caller: Caller, player: PlayerName, on: bool) -> None:
    """Follow somebody, or no longer."""
    user, found = caller.require_user(), await find_player_by_name(store, player)
    if found.id != user.id and not await store.relations.set_user_followed(user.id, found.id, on, MAX_FOLLOWED):
        raise Refused("too_many", most=MAX_FOLLOWED)


# --- public tables --------------------------------------------------------------------------------------------


async def describe_visible_tables(
    hub: Hub, store: Store, caller: Caller, found: list[TableSummary]
) -> list[TableListing]:
    """Public tables as somebody may see them: none with people who have blocked them, or whom they have blocked."""
    if caller.user_id is not None:
        hidden = await store.relations.list_user_ids_blocked_either_way(caller.user_id)
        found = [one for one in found if hidden.isdisjoint([one.owner, *one.info.get("people", [])])]
    if any(one.status == PLAYING and one.owner != EXHIBITION for one in found):
        found = [one for one in found if one.owner != EXHIBITION]
    return describe_tables_for_caller(hub, caller, found)


class FeaturedMatches:
    """The best public matches of the last weeks: rated ones by the players' ratings, then those with most people."""

    def __init__(self, hub: Hub, store: Store) -> None:
        self.hub, self.store = hub, store
        self.read_at: int | None = None  # on the monotonic clock
        self.matches: list[FeaturedMatch] = []

    async def get_cached_matches(self) -> list[FeaturedMatch]:
        """The same for everybody, for a while."""
        now = self.hub.runtime.clock.monotonic_ms()
        if self.read_at is None or now - self.read_at > FEATURED_TTL_MS:
            self.read_at = now
            self.matches = await self.read_best_matches()
        return self.matches

    async def read_best_matches(self) -> list[FeaturedMatch]:
        store, since = self.store, self.hub.runtime.clock.wall_time_ms() - FEATURED_DAYS * DAY_MS
        found = await store.tables.list_finished_public_tables(since, FEATURED_CANDIDATES)
        found = [one for one in found if one.info.get("ranking") and any(one.info["people"])]
        ratings: dict[str, list[int]] = {}
        for change in await store.ratings.list_rating_changes_at_tables([one.table for one in found]):
            ratings.setdefault(change.table, []).append(shown_rating_number(change.mu_before))
        average = {table: sum(numbers) // len(numbers) for table, numbers in ratings.items()}

        def match_quality(one: TableSummary) -> tuple[int, int, int]:
            return average.get(one.table, 0), sum(who is not None for who in one.info["people"]), one.updated

        best = sorted(found, key=match_quality, reverse=True)[:FEATURED_SIZE]
        return [FeaturedMatch(describe_table_for_user(self.hub, None, one), average.get(one.table)) for one in best]

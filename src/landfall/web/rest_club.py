"""REST: what the host says to everybody, who may make an account, and the host's ways to bring members in."""

from __future__ import annotations

import secrets
from dataclasses import asdict, dataclass, field
from typing import Annotated, Final, Literal

from pydantic import BaseModel, Field

from landfall.api.limits import CHANGE, QUERY, SIGN_IN
from landfall.api.routes import Access, Route
from landfall.api.types import Body, Name, make_field_documentation
from landfall.store.club_settings import BY_INVITATION, CLOSED, OPEN, ClubSettings
from landfall.store.row_types import UserRecord
from landfall.tables.protocol import text_validation
from landfall.tables.protocol.commands import Bounds
from landfall.tables.protocol.errors import Refused
from landfall.web.rest_server_host import log_host_action
from landfall.web.server import Server

DAY_MS: Final = 86_400_000
ClubName = Annotated[str, Bounds(0, 40)]
ClubText = Annotated[str, Bounds(0, 5000)]
Registration = Literal["open", "closed", "invitation"]


class ClubInfo(BaseModel):
    """What the host says to everybody."""

    name: str = Field(description="The server's name; empty: none was given.")
    announcement: str
    announced: int = Field(description="When it was written.")
    registration: Registration = Field(description="Who may make an account.")
    imprint: str
    privacy: str
    version: str


class HostClub(ClubInfo):
    """The same for the host, with the link that invites."""

    invitation: str = Field(description="The link; empty: there is none.")
    invited_until: int


@dataclass(kw_only=True)
class ClubBody(Body):
    """All that the host sets."""

    name: ClubName = field(default="", metadata=make_field_documentation(examples=["Harbour Club"]))
    announcement: Annotated[str, Bounds(0, 500)] = field(
        default="", metadata=make_field_documentation(examples=["Tournament on Friday at 20:00."])
    )
    registration: Registration = field(default="open", metadata=make_field_documentation(examples=["open"]))
    imprint: ClubText = field(default="", metadata=make_field_documentation(examples=["Ana Sousa, ana@example.org"]))
    privacy: ClubText = field(default="", metadata=make_field_documentation(examples=["What is kept, and how long."]))


@dataclass(kw_only=True)
class InviteMembersBody(Body):
    """How long the link is good for; 0 ends it."""

    days: Annotated[int, Bounds(0, 365)] = field(default=7, metadata=make_field_documentation(examples=[7]))


@dataclass(kw_only=True)
class NewMemberBody(Body):
    """The name of an account to be made."""

    name: Name = field(metadata=make_field_documentation(examples=["Ana"]))


class NewMember(BaseModel):
    """A new account: its password is shown this once."""

    name: str
    password: str


def registration_of(server: Server, club: ClubSettings) -> Registration:
    """Who may make an account: as the host chose on the page, else as the server was started."""
    if club.registration == BY_INVITATION:
        return "invitation"
    closed = club.registration == CLOSED or (not club.registration and server.settings.closed_registration)
    return "closed" if closed else "open"


async def require_registration(server: Server, invitation: str) -> None:
    """Refused: whoever asks may not make an account here."""
    club = await server.store.club.get_club_settings()
    allowed = registration_of(server, club)
    now = server.hub.runtime.clock.wall_time_ms()
    if allowed == CLOSED or (allowed == BY_INVITATION and not club.accepts_invitation(invitation, now)):
        raise Refused("no_registration")


def club_values(server: Server, club: ClubSettings) -> dict[str, str | int]:
    return {**asdict(club), "registration": registration_of(server, club), "version": server.version}


@Route("GET", "/api/club", "What the host says to everybody", Access.OPEN, QUERY)
async def get_club(server: Server) -> ClubInfo:
    """The server's name, an announcement, imprint and privacy, and who may make an account."""
    return ClubInfo.model_validate(club_values(server, await server.store.club.get_club_settings()))


def describe_for_host(server: Server, club: ClubSettings) -> HostClub:
    now = server.hub.runtime.clock.wall_time_ms()
    link = f"{server.settings.public_base_url}/me/account#invitation={club.invitation}"
    is_good = club.invitation and now < club.invited_until
    return HostClub.model_validate({**club_values(server, club), "invitation": link if is_good else ""})


@Route("GET", "/api/host/club", "What the host has set", Access.HOST, QUERY)
async def get_club_settings(server: Server) -> HostClub:
    """With the link that invites."""
    return describe_for_host(server, await server.store.club.get_club_settings())


@Route("PUT", "/api/host/club", "Set name, texts and registration", Access.HOST, CHANGE)
async def set_club_settings(server: Server, person: UserRecord, body: ClubBody) -> HostClub:
    """It counts at once, in every process."""
    for text in (body.name, body.announcement, body.imprint, body.privacy):
        text_validation.require_storable_json(text)
    club = await server.store.club.change_club_settings(
        name=body.name.strip(), announcement=body.announcement.strip(), registration=body.registration,
        imprint=body.imprint.strip(), privacy=body.privacy.strip(),
    )  # fmt: skip
    await log_host_action(server, person, "club", "", body.registration if body.registration != OPEN else "")
    return describe_for_host(server, club)


@Route("POST", "/api/host/invitation", "A link that invites members", Access.HOST, CHANGE)
async def renew_member_invitation(server: Server, person: UserRecord, body: InviteMembersBody) -> HostClub:
    """Whoever has it may make an account until then; an earlier link ends."""
    until = server.hub.runtime.clock.wall_time_ms() + body.days * DAY_MS
    code = secrets.token_urlsafe(16) if body.days else ""
    club = await server.store.club.change_club_settings(invitation=code, invited_until=until if code else 0)
    await log_host_action(server, person, "invite" if code else "uninvite", "")
    return describe_for_host(server, club)


@Route("POST", "/api/host/members", "Make an account for somebody", Access.HOST, SIGN_IN, recent_proof=True)
async def add_member(server: Server, person: UserRecord, address: str, body: NewMemberBody) -> NewMember:
    """Also where nobody else may; its owner signs in with the password and chooses another."""
    password = secrets.token_urlsafe(12)
    guest = await server.identities.create_guest(body.name)
    made = await server.identities.turn_guest_into_account(guest, body.name, password, address)
    await log_host_action(server, person, "add", made.id)
    return NewMember(name=made.name, password=password)

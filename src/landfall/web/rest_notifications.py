"""REST: what you are notified of and how, your devices, your e-mail address, your holidays."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from fastapi import Request
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, Field

from landfall.api.limits import CHANGE, QUERY, SIGN_IN, TRIAL_MESSAGE
from landfall.api.routes import Access, Route
from landfall.api.types import Body, Language, Milliseconds, make_field_documentation
from landfall.core.languages import LANGUAGES
from landfall.store.notices import add_notices
from landfall.store.row_types import Holiday, MailAddress, Notice, PushDevice, UserRecord
from landfall.tables.log.clocks import DAY_MS
from landfall.tables.notifications import holiday_allowance
from landfall.tables.notifications.message_text import compose_notice_message
from landfall.tables.notifications.preferences import Preferences, is_known_time_zone, preferences_from_data
from landfall.tables.notifications.sender import CONFIRM_TTL_MS
from landfall.tables.notifications.table_notices import REPORT, TRIAL
from landfall.tables.protocol.commands import Bounds
from landfall.tables.protocol.errors import Refused
from landfall.web.identity import AuthSession, describe_device
from landfall.web.mail import hash_mail_token, may_be_mail_address
from landfall.web.push import device_id_of_endpoint, require_valid_subscription
from landfall.web.server import Server

Kind = Literal["turn", "invitation", "start", "over", "tournament"]
Kinds = Annotated[list[Kind], Bounds(0, 5)]
Minute = Annotated[int, Bounds(0, 1439)]
DeviceId = Annotated[str, Bounds(0, 64)]
MailToken = Annotated[str, Bounds(0, 200)]
MAX_NEWS = 20


@dataclass(kw_only=True)
class PreferencesBody(Body):
    """What you are notified of, and when."""

    here: Kinds = field(metadata=make_field_documentation("While a page is open.", [["turn", "invitation"]]))
    push: Kinds = field(metadata=make_field_documentation(examples=[["turn"]]))
    mail: Kinds = field(metadata=make_field_documentation(examples=[["tournament"]]))
    soon: Literal["now", "hour", "short"] = field(
        metadata=make_field_documentation(
            "Your turn by days: at once, after an hour, or when a quarter of the time is left.", ["hour"]
        )
    )
    quiet: bool = field(metadata=make_field_documentation("Whether there are quiet hours.", [True]))
    quiet_from: Minute = field(metadata=make_field_documentation("Minutes after midnight.", [1320]))
    quiet_to: Minute = field(metadata=make_field_documentation(examples=[480]))
    lost: bool = field(
        metadata=make_field_documentation("In quiet hours, too, if less than an hour is left for a turn.", [True])
    )
    zone: Annotated[str, Bounds(1, 64)] = field(metadata=make_field_documentation("Your time zone.", ["Europe/Lisbon"]))
    language: Language = field(default="en", metadata=make_field_documentation(examples=["pt"]))


@dataclass(kw_only=True)
class PushBody(Body):
    """A browser's push subscription."""

    endpoint: Annotated[str, Bounds(8, 1000)] = field(
        metadata=make_field_documentation(examples=["https://push.example/send/1"])
    )
    p256dh: Annotated[str, Bounds(8, 200)] = field(
        metadata=make_field_documentation("The browser's public key, as URL-safe Base64.")
    )
    auth: Annotated[str, Bounds(8, 100)] = field(metadata=make_field_documentation("Its secret, likewise."))
    language: Language = field(default="en", metadata=make_field_documentation(examples=["pt"]))


@dataclass(kw_only=True)
class AddressBody(Body):
    """Where e-mail goes."""

    address: Annotated[str, Bounds(3, 254)] = field(metadata=make_field_documentation(examples=["ana@example.org"]))
    language: Language = field(default="en", metadata=make_field_documentation(examples=["pt"]))


@dataclass(kw_only=True)
class HolidayBody(Body):
    """When you are away."""

    days: Annotated[int, Bounds(1, 21)] = field(metadata=make_field_documentation(examples=[7]))
    since: Milliseconds = field(
        default=0, metadata=make_field_documentation("When it begins, in milliseconds since 1970; 0: now.")
    )


class DeviceInfo(BaseModel):
    """A browser that receives push messages."""

    id: str
    device: str = Field(description="Browser and system; empty if unknown.")
    created: int = Field(description="Milliseconds since 1970.")
    succeeded: int | None = Field(description="When the last message was accepted.")
    failing: int | None = Field(description="Since when none is.")


class AddressInfo(BaseModel):
    """Your e-mail address."""

    address: str
    confirmed: bool


class HolidayInfo(BaseModel):
    """Your holidays."""

    since: int | None = Field(description="Of the one under way or the next.")
    until: int | None
    left: int = Field(description="Days left this year.")


class NewsItem(BaseModel):
    """A notification, as it is shown in the page."""

    kind: str
    title: str
    body: str
    path: str
    at: int


class NotificationSettings(BaseModel):
    """All settings of the page."""

    preferences: dict[str, Any]
    chosen: bool = Field(description="Whether you have chosen, or these are the defaults.")
    push_key: str | None = Field(description="For the browser; null: this server sends no push messages.")
    mail: bool = Field(description="Whether this server sends e-mail, and you may have it: it needs an account.")
    devices: list[DeviceInfo]
    address: AddressInfo | None
    holiday: HolidayInfo


def require_known_language(language: str) -> str:
    if language not in LANGUAGES:
        raise Refused("language", language=language, languages=", ".join(LANGUAGES))
    return language


def describe_mail_address(address: MailAddress | None) -> AddressInfo | None:
    if address is None:
        return None
    return AddressInfo(address=address.address, confirmed=address.confirmed is not None)


async def describe_next_holiday(server: Server, person: UserRecord, now: int) -> HolidayInfo:
    found = await server.store.holidays.list_holidays_ending_after(
        [person.id], now - 2 * holiday_allowance.MAX_AHEAD_MS
    )
    coming = holiday_allowance.find_current_or_next_holiday(found, now)
    return HolidayInfo(
        since=coming.since if coming else None, until=coming.until if coming else None,
        left=holiday_allowance.holiday_days_left(found, now),
    )  # fmt: skip


@Route("GET", "/api/me/notifications", "What you are notified of, and how", Access.NAMED, QUERY)
async def get_notification_settings(server: Server, person: UserRecord) -> NotificationSettings:
    """With your devices, your address and your holidays."""
    stored = await server.store.notifications.get_notification_settings(person.id)
    address = await server.store.notifications.get_mail_address(person.id)
    return NotificationSettings(
        preferences=preferences_from_data(stored).to_stored_data(),
        chosen=bool(stored),
        push_key=server.push.public_key if server.push is not None else None,
        mail=server.mail is not None and person.account is not None,
        devices=[
            DeviceInfo(id=d.id, device=d.device, created=d.created, succeeded=d.succeeded, failing=d.failing)
            for d in await server.store.notifications.list_push_devices_of_user(person.id)
        ],
        address=describe_mail_address(address),
        holiday=await describe_next_holiday(server, person, server.hub.runtime.clock.wall_time_ms()),
    )


@Route("PUT", "/api/me/notifications", "Choose what you are notified of", Access.NAMED, CHANGE, status=204)
async def set_notification_settings(server: Server, person: UserRecord, body: PreferencesBody) -> None:
    """It counts at once, also for what waits to be sent."""
    if not is_known_time_zone(body.zone):
        raise Refused("zone", zone=body.zone)
    require_known_language(body.language)
    chosen = Preferences(
        tuple(body.here), tuple(body.push), tuple(body.mail), body.soon, body.quiet, body.quiet_from, body.quiet_to,
        body.lost, body.zone, body.language,
    )  # fmt: skip
    await server.store.notifications.save_notification_settings(person.id, chosen.to_stored_data())


@Route("GET", "/api/me/news", "Your latest notifications, in words", Access.NAMED, QUERY)
async def list_latest_notifications(server: Server, person: UserRecord, language: Language = "en") -> list[NewsItem]:
    """Those that you want to see in the page, latest first. A turn that was made is not among them."""
    store = server.store
    require_known_language(language)
    wanted = preferences_from_data(await store.notifications.get_notification_settings(person.id)).here
    known = await store.notifications.list_notices_of_user(person.id, MAX_NEWS)
    wanted = (*wanted, REPORT)
    notices = [one for one in known if one.kind in wanted and one.at <= server.hub.runtime.clock.wall_time_ms()]
    tables = await store.tables.get_table_summaries([notice.topic for notice in notices])
    names = {}
    for other in {notice.other for notice in notices if notice.other is not None}:
        user = await store.users.get_user_by_id(other)
        if user is not None:
            names[other] = user.name
    now, found = server.hub.runtime.clock.wall_time_ms(), []
    for notice in notices:
        message = compose_notice_message(language, notice, tables, names, now)
        if message is not None:
            found.append(
                NewsItem(
                    kind=message.kind, title=message.title, body=message.body, path=message.path, at=notice.at
                )
            )  # fmt: skip
    return found


# --- devices ------------------------------------------------------------------------------------------------------


@Route("POST", "/api/me/notifications/devices", "Send push messages to this browser", Access.NAMED, SIGN_IN, status=204)
async def add_push_device(server: Server, request: Request, auth: AuthSession, body: PushBody) -> None:
    """As long as you are signed in there. Another's messages do not come here any more."""
    person = auth.person
    if server.push is None:
        raise Refused("no_push")
    require_known_language(body.language)
    require_valid_subscription(body.endpoint, body.p256dh, body.auth, server.settings.private_push)
    now, agent = server.hub.runtime.clock.wall_time_ms(), request.headers.get("user-agent", "")
    await server.store.notifications.add_push_device(
        PushDevice(
            device_id_of_endpoint(body.endpoint), person.id, auth.session or person.id, body.endpoint, body.p256dh,
            body.auth, describe_device(agent), body.language, now,
        )
    )  # fmt: skip


@Route(
    "DELETE",
    "/api/me/notifications/devices/{device}",
    "Stop push messages to a browser",
    Access.NAMED,
    CHANGE,
    status=204,
)
async def delete_push_device(server: Server, person: UserRecord, device: DeviceId) -> None:
    """At once."""
    if not await server.store.notifications.delete_push_device(person.id, device):
        raise Refused("no_device")


@Route(
    "POST",
    "/api/me/notifications/trial",
    "Send a message to all your devices, to try",
    Access.NAMED,
    TRIAL_MESSAGE,
    status=204,
)
async def queue_trial_notification(server: Server, person: UserRecord) -> None:
    """In quiet hours, too. It is sent once."""
    if server.push is None:
        raise Refused("no_push")
    now = server.hub.runtime.clock.wall_time_ms()
    notice = Notice(f"{TRIAL} {secrets.token_hex(8)}", person.id, TRIAL, TRIAL, now, now)
    async with server.store.database.engine.begin() as connection:
        await add_notices(connection, [notice])


# --- e-mail -------------------------------------------------------------------------------------------------------


@Route("PUT", "/api/me/address", "Your e-mail address", Access.NAMED, SIGN_IN, recent_proof=True, status=204)
async def set_mail_address_and_send_confirmation(
    server: Server, address: str, person: UserRecord, body: AddressBody
) -> None:
    """A link is mailed there; nothing else is, until it was opened. Needs an account."""
    if server.mail is None:
        raise Refused("no_mail")
    if person.account is None:
        raise Refused("no_account")
    require_known_language(body.language)
    if not may_be_mail_address(body.address):
        raise Refused("mail_address")
    keys = (f"person {person.id}", f"address {body.address.casefold()}", f"from {address}")
    if not all(server.mail_limiter.try_take_token(key) for key in keys):
        raise Refused("too_fast")
    token, now = secrets.token_urlsafe(24), server.hub.runtime.clock.wall_time_ms()
    await server.store.notifications.save_mail_address(
        MailAddress(person.id, body.address, body.language, hash_mail_token(token), now)
    )
    try:
        await server.mail.send_confirmation(body.address, body.language, token, now + CONFIRM_TTL_MS)
    except Exception as error:  # a mail server fails in many ways
        server.log.warning("an e-mail could not be sent: %s", type(error).__name__)
        raise Refused("mail_failed") from None


@Route("DELETE", "/api/me/address", "Forget your e-mail address", Access.NAMED, CHANGE, recent_proof=True, status=204)
async def delete_mail_address(server: Server, person: UserRecord) -> None:
    """Nothing happens if there is none."""
    await server.store.notifications.delete_mail_address(person.id)


@Route("POST", "/api/mail/confirm/{token}", "Confirm an e-mail address", Access.OPEN, SIGN_IN, status=204)
async def confirm_mail_address(server: Server, token: MailToken) -> None:
    """With the token of the mailed link; no login is needed."""
    now = server.hub.runtime.clock.wall_time_ms()
    if await server.store.notifications.confirm_mail_address(hash_mail_token(token), now - CONFIRM_TTL_MS, now) is None:
        raise Refused("mail_token")


@Route("POST", "/api/mail/stop/{token}", "Stop one kind of e-mail", Access.OPEN, SIGN_IN, status=204)
async def unsubscribe_from_one_mail_kind(server: Server, token: MailToken) -> None:
    """With the token of an e-mail; no login is needed. Mail programs call this (RFC 8058)."""
    found = server.mail.read_unsubscribe_token(token) if server.mail is not None else None
    if found is None:
        raise Refused("mail_token")
    person, kind = found
    if await server.store.users.get_user_by_id(person) is None:
        return
    preferences = preferences_from_data(await server.store.notifications.get_notification_settings(person))
    data = {**preferences.to_stored_data(), "mail": [one for one in preferences.mail if one != kind]}
    await server.store.notifications.save_notification_settings(person, data)


@Route("GET", "/api/mail/stop/{token}", "The page that stops it", Access.OPEN, QUERY, hidden=True)
async def redirect_to_unsubscribe_page(token: MailToken) -> RedirectResponse:
    """For mail programs that open the address instead."""
    return RedirectResponse(f"/stop/{token}")


# --- holidays -----------------------------------------------------------------------------------------------------


@Route("PUT", "/api/me/holiday", "Go on holiday", Access.NAMED, CHANGE, status=204)
async def set_holiday(server: Server, person: UserRecord, body: HolidayBody) -> None:
    """Your tables by days stand still. In place of a holiday that is under way or planned."""
    now = server.hub.runtime.clock.wall_time_ms()
    since = max(body.since, now) if body.since < now + holiday_allowance.MAX_AHEAD_MS else now
    known = await server.store.holidays.list_holidays_ending_after(
        [person.id], now - 2 * holiday_allowance.MAX_AHEAD_MS
    )
    ended = holiday_allowance.end_holidays_at(known, now)
    left = holiday_allowance.holiday_days_left([*(one for one in known if one.until <= now), *ended], since)
    if body.days > left:
        raise Refused("holiday", left=left)
    await server.store.holidays.save_or_cancel_holidays([*ended, Holiday(person.id, since, since + body.days * DAY_MS)])
    await server.hub.apply_user_holidays(person.id)


@Route("DELETE", "/api/me/holiday", "Come back from holiday", Access.NAMED, CHANGE, status=204)
async def end_holidays(server: Server, person: UserRecord) -> None:
    """Deadlines go on from here. Days that have begun count."""
    now = server.hub.runtime.clock.wall_time_ms()
    await server.store.holidays.save_or_cancel_holidays(
        holiday_allowance.end_holidays_at(await server.store.holidays.list_holidays_ending_after([person.id], now), now)
    )
    await server.hub.apply_user_holidays(person.id)

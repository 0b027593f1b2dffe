"""A table in memory: its subscribers, and how log events become messages to them.

Applying an event and broadcasting it is one synchronous step. So between two steps of the event loop, memory, log and
every subscriber's knowledge agree. `table_writer.py` delivers the events.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from landfall.match import Match
from landfall.store.events import (
    Answered,
    Arranged,
    Banned,
    BotSatDown,
    ColourChosen,
    Muted,
    PaceSet,
    Played,
    Proposed,
    Rated,
    RematchMade,
    SatDown,
    StoodUp,
    Uncounted,
)
from landfall.store.row_types import ChatLine, LogEntry
from landfall.tables.live.process_services import Services
from landfall.tables.live.table_info_message import build_table_info
from landfall.tables.live.table_writer import Operation, TableWriter
from landfall.tables.log.clocks import DAYS_CLOCK
from landfall.tables.log.loading import is_from_newer_release
from landfall.tables.log.table import OVER, PLAYING, Table, public_handle
from landfall.tables.protocol.errors import Refused
from landfall.tables.protocol.projections import (
    PublicView,
    project_choices,
    project_earlier_events_with_codes,
    project_events,
    project_public_view,
    project_view_patch,
    readable_secret_codes,
    secret_codes_of_events_since,
)
from landfall.tables.protocol.server_messages import (
    ChatMessage,
    Choices,
    ServerMessage,
    TableInfo,
    Update,
    Welcome,
    make_refusal_message,
)

if TYPE_CHECKING:
    from landfall.core.message_types import PrivateView

log = logging.getLogger("landfall")
WELCOME_CHAT_LINES = 30  # chat lines in a welcome message
# Events that do not change the position.
SEATING_EVENTS = (
    SatDown, BotSatDown, StoodUp, ColourChosen, Proposed, Answered, Muted, PaceSet, Banned, RematchMade, Arranged,
    Rated, Uncounted,
)  # fmt: skip


class SubscriberLike(Protocol):
    """What a live table needs from a subscriber; see `subscriber`."""

    seat: int | None
    requested_seat: int | None
    origin: str

    @property
    def user_id(self) -> str | None:
        """The user's id."""

    def send(self, text: str, /) -> None:
        """Send an encoded message."""

    def send_message(self, message: ServerMessage) -> None:
        """Send one message to this subscriber only."""


@dataclass
class LastSentPosition:
    """The position that was last sent to subscribers."""

    seq: int
    public: PublicView
    secret_codes: frozenset[int]  # the secret codes of all events so far
    own: dict[int | None, PrivateView] = field(default_factory=dict)
    readable_codes: dict[int | None, frozenset[int]] = field(default_factory=dict)  # by seat: the codes it may read


@dataclass
class HeldAnswer:
    """An answer that waits for its moment."""

    version: int
    key: str  # its id
    senders: dict[SubscriberLike, None] = field(default_factory=dict)  # each is answered once


class LiveTable:
    """One live table."""

    def __init__(self, services: Services, table: Table, reschedule: Callable[[LiveTable], None]) -> None:
        self.services = services
        self.table = table
        self.reschedule = reschedule  # called after every change, to schedule the driver
        self.writer = TableWriter(self, services)
        self.subscribers: dict[SubscriberLike, None] = {}  # an ordered set
        self.remote_presence: dict[str, tuple[int, list[str]]] = {}  # by process: when it last reported, and its users
        self.chat_n = 0
        self.held_answer: HeldAnswer | None = None  # an answer that is being delayed
        self.skips_pauses = False  # a person who plays only against bots skips their pauses
        self.last_sent: LastSentPosition | None = None
        self.fault: Refused | None = None  # why this table is stopped: its log is damaged, or it was deleted
        self.knows_holidays = False  # whether the holidays of its people were looked up
        self.kept_marks: set[tuple[str, str]] = set()  # that say where its players play from, and are in the database
        self.closed = False  # evicted: get the table from the hub again
        self.need: tuple[str, int] | None = None  # the driver's current need, and its task
        self.wait_task: asyncio.Task[None] | None = None
        self.time_origin = (
            max(services.runtime.clock.wall_time_ms(), table.last_at),
            services.runtime.clock.monotonic_ms(),
        )
        self.watched_since = self.next_event_timestamp_ms()  # when the first of those connected came

    def next_event_timestamp_ms(self) -> int:
        """The timestamp of an event written now, in epoch milliseconds. It never goes back, whatever happens to the
        wall clock; for correspondence it follows the calendar."""
        table, time = self.table, self.services.runtime.clock
        if table.terms.clock.mode == DAYS_CLOCK:
            now = time.wall_time_ms()
        else:
            at, steady = self.time_origin
            now = at + time.monotonic_ms() - steady
        return now if now > table.last_at else table.last_at

    def choice_deadline(self) -> int | None:
        """When the actor's time runs out; None: never. An online bot has its own limit, counted while somebody is
        connected; not by days, where it may be away like everybody. At a table of a tournament a first choice has a
        limit: whoever does not come is not waited for.
        """
        table = self.table
        if table.paused or table.actor is None:
            return None
        deadline = table.clocks.actor_deadline()
        chair = table.chairs[table.actor]
        if deadline is not None and self.awaits_first_tournament_choice(table.actor):
            return min(deadline, table.choice_since + self.services.runtime.no_show_ms)
        if chair.author is None or not chair.is_played_by_person or table.terms.clock.mode == DAYS_CLOCK:
            return deadline
        limit = max(table.choice_since, self.watched_since) + self.services.runtime.online_bot_ms
        return limit if deadline is None else min(deadline, limit)

    def awaits_first_tournament_choice(self, seat: int) -> bool:
        """Whether a player of a tournament, by a live clock, has made no choice yet."""
        table = self.table
        if table.terms.tournament is None or table.terms.clock.mode == DAYS_CLOCK or table.match is None:
            return False
        return all(line.actor != seat for line in table.match.log)

    # --- appending --------------------------------------------------------------------------------------------

    def submit_operation_and_wait(self, operation: Operation) -> asyncio.Future[None]:
        """Queue an operation for the writer and wait for it."""
        return self.writer.submit_operation_and_wait(operation)

    def on_events_committed(self, after: Table, entries: list[LogEntry]) -> None:
        """Events are on disk: apply them and broadcast the changes."""
        before, self.table = self.table, after
        try:
            self.broadcast_changes(before, entries)
        except Exception:  # a faulty view must not stop the match; a reconnect shows the current state
            log.exception("a change could not be broadcast")
            self.last_sent = None
        self.reschedule(self)

    def apply_remote_events(self, entries: list[LogEntry]) -> None:
        """Apply events that another process wrote."""
        after = self.table.copy_for_events()
        if after.match is not None:
            after.match = after.match.fork()
        for entry in entries:
            try:
                after.apply_entry(entry)
            except Exception as error:
                self.mark_log_unreadable(error, entry)
                return
        if (
            after.last_at > self.next_event_timestamp_ms()
        ):  # the writing process has a clock that is ahead: continue from its time
            self.time_origin = after.last_at, self.services.runtime.clock.monotonic_ms()
            self.need = "", 0  # none: restart all waits, because their deadlines may have passed
        self.on_events_committed(after, entries)

    def mark_log_unreadable(self, error: Exception, entry: LogEntry) -> None:
        """The log cannot be folded: report it, and refuse all writes. A newer release's process may go on with it."""
        if is_from_newer_release(entry):
            log.warning("a newer release wrote a table's entry %d (%s): it is refused here", entry.seq, entry.kind)
            self.refuse_everything(Refused("newer", entry=entry.seq, kind=entry.kind))
            self.services.on_newer_log(self.table.id)
        else:
            log.error("a table's log is damaged at entry %d (%s): %s", entry.seq, entry.kind, type(error).__name__)
            self.refuse_everything(Refused("damaged", entry=entry.seq, kind=entry.kind))

    def mark_table_deleted(self) -> None:
        """The table was deleted: report it, and refuse all writes."""
        log.error("a table that is open was deleted")
        self.refuse_everything(Refused("no_table"))

    def refuse_everything(self, fault: Refused) -> None:
        """Refuse everything from now on, and send the reason to all subscribers."""
        self.fault = fault
        for subscriber in self.subscribers:
            subscriber.send_message(make_refusal_message(fault))
        self.reschedule(self)

    # --- broadcasting -----------------------------------------------------------------------------------------

    def broadcast_changes(self, before: Table, entries: list[LogEntry]) -> None:
        """Send every subscriber what changed: the position by viewpoint, the rest the same to all."""
        if not self.subscribers:
            self.last_sent = None
            return
        table = self.table
        begins = table.match is not None and self.last_sent is None
        one_choice = len(entries) == 1 and isinstance(entries[0].event, Played)
        same_eyes = one_choice and not table.terms.hot_seat and not begins
        moved = {} if same_eyes else dict.fromkeys(w for w in self.subscribers if self.update_viewpoint(w) or begins)
        changed = not all(isinstance(entry.event, SEATING_EVENTS) for entry in entries)
        if self.last_sent is not None and table.match is not None and changed:
            self.broadcast_position(table.match, self.last_sent, [w for w in self.subscribers if w not in moved])
        if not one_choice or table.status != before.status or table.proposal is not before.proposal:
            text = self.services.runtime.encode(self.build_table_message())
            for subscriber in self.subscribers:
                if subscriber not in moved:
                    subscriber.send(text)
        for subscriber in moved:
            subscriber.send_message(self.build_welcome_message(subscriber))

    def broadcast_position(self, match: Match, before: LastSentPosition, subscribers: list[SubscriberLike]) -> None:
        """One message per viewpoint, however many subscribers it has; one for all viewpoints with the same change."""
        public = project_public_view(match.state, before.public)
        first = self.table.first_unseen_event_number(before.seq)
        clock = self.build_clocks_message()
        events, secrets = project_events(match, first, None), secret_codes_of_events_since(match, first)
        self.last_sent = LastSentPosition(self.table.seq, public, before.secret_codes | secrets)
        chooser = self.table.actor
        texts: dict[int | None, str] = {}
        common = ""
        for seat in {subscriber.seat for subscriber in subscribers}:
            own = self.last_sent.own[seat] = match.state.private_part_of_view(seat, public.view)
            follows = (
                seat is not None and seat == chooser and self.shares_one_view_at_hot_seat(match)
            )  # from another viewpoint
            patch = project_view_patch(public, own, before.public, {} if follows else before.own.get(seat, {}))
            reads = self.last_sent.readable_codes[seat] = readable_secret_codes(
                match, seat, self.last_sent.secret_codes
            )
            knows = not reads.isdisjoint(secrets)
            # Secret codes that no earlier event carries need no revised events.
            turned = (reads ^ before.readable_codes.get(seat, frozenset())) & before.secret_codes
            again = project_earlier_events_with_codes(match, first, seat, turned) if turned else []
            # This viewpoint sees the public change only, reads no secrets, and has no choice to make.
            plain = not knows and not again and seat != chooser and patch is public.patch
            if plain and common:
                texts[seat] = common
                continue
            update: Update = {"t": "update", "n": self.table.seq, "version": self.table.version, "first": first}
            if patch:
                update["patch"] = patch
            if choices := self.choices_of_seat(match, seat):
                update["choices"] = choices
            if follows and seat is not None:
                update["seat"] = seat
            if happened := project_events(match, first, seat) if knows else events:
                update["events"] = happened
            if again:
                update["again"] = again
            if clock is not None:
                update["clock"] = clock
            texts[seat] = self.services.runtime.encode(update)
            if plain:
                common = texts[seat]
        for subscriber in subscribers:
            subscriber.send(texts[subscriber.seat])

    def choices_of_seat(self, match: Match, seat: int | None) -> list[Choices]:
        """A seat's choices, if a person must choose now."""
        return project_choices(match, seat) if seat is not None and seat == self.table.actor else []

    def shares_one_view_at_hot_seat(self, match: Match) -> bool:
        """Whether several people at one device may see the same: no curtain, the viewpoint goes with the turn."""
        return self.table.terms.hot_seat and not match.game.hides

    def update_viewpoint(self, subscriber: SubscriberLike) -> bool:
        """Update a subscriber's viewpoint. Returns whether it shows something else now; where it only goes with the
        turn, the update tells it."""
        before, match = subscriber.seat, self.table.match
        subscriber.seat = self.viewpoint_of_subscriber(subscriber)
        follows = before is not None and subscriber.seat is not None and subscriber.seat == self.table.actor
        return subscriber.seat != before and not (
            follows and match is not None and self.shares_one_view_at_hot_seat(match)
        )

    def viewpoint_of_subscriber(self, subscriber: SubscriberLike) -> int | None:
        """The user's own seat. At a hot seat the requested one, until another of the user's seats must choose; if
        nothing is hidden, whichever of them must choose, or did last."""
        table = self.table
        if table.match is None:
            return None
        if (
            table.status == OVER
            and subscriber.requested_seat is not None
            and subscriber.requested_seat < table.terms.players
        ):
            return subscriber.requested_seat
        mine = table.seats_of_person(subscriber.user_id) if table.status != "gathering" else []
        mine = [] if subscriber.user_id in table.banned else mine
        if len(mine) < 2:
            return mine[0] if mine else None
        if self.shares_one_view_at_hot_seat(table.match):
            if table.actor in mine:
                return table.actor
            return subscriber.seat if subscriber.seat in mine else mine[0]
        if subscriber.requested_seat not in mine or (table.actor in mine and table.actor != subscriber.requested_seat):
            subscriber.requested_seat = None
        return subscriber.requested_seat

    def build_welcome_message(
        self, subscriber: SubscriberLike, since: int | None = None, chat: list[ChatMessage] | None = None
    ) -> Welcome:
        """Everything, for a new subscriber; with the events from `since` on, if given."""
        table, match, seat = self.table, self.table.match, subscriber.seat
        mine = table.seats_of_person(subscriber.user_id)
        message: Welcome = {
            "t": "welcome",
            "n": table.seq,
            "version": table.version,
            "table": self.build_table_message(),
        }
        if subscriber.user_id:
            message["you"] = self.public_handle_of_user(subscriber.user_id)
        if mine:
            message["seats"] = mine
        if seat is not None:
            message["seat"] = seat
        elif len(mine) > 1 and table.status == PLAYING:
            message["curtain"] = True
        if (clock := self.build_clocks_message()) is not None:
            message["clock"] = clock
        if chat:
            message["chat"] = chat
        if match is not None:
            self.add_position_to_welcome(message, match, seat, since)
        return message

    def add_position_to_welcome(self, message: Welcome, match: Match, seat: int | None, since: int | None) -> None:
        """Add the position to a welcome message."""
        if self.last_sent is None:
            self.last_sent = LastSentPosition(
                self.table.seq,
                project_public_view(match.state, None),
                frozenset(secret_codes_of_events_since(match, 0)),
            )
        sent = self.last_sent
        if seat not in sent.own:
            sent.own[seat], sent.readable_codes[seat] = (
                match.state.private_part_of_view(seat, sent.public.view),
                readable_secret_codes(match, seat, sent.secret_codes),
            )
        message["view"] = {**sent.public.view, **sent.own[seat]}
        if choices := self.choices_of_seat(match, seat):
            message["choices"] = choices
        message["first"] = first = (
            len(match.state.events or []) if since is None else self.table.first_unseen_event_number(since)
        )
        if events := project_events(match, first, seat):
            message["events"] = events
        if since is not None and (again := project_earlier_events_with_codes(match, first, seat, sent.secret_codes)):
            message["again"] = again

    def drop_unwatched_views(self) -> None:
        """Drop stored views that no subscriber needs."""
        looked = {subscriber.seat for subscriber in self.subscribers}
        if not looked:
            self.last_sent = None
        elif self.last_sent is not None:
            self.last_sent.own = {seat: own for seat, own in self.last_sent.own.items() if seat in looked}
            self.last_sent.readable_codes = {
                seat: codes for seat, codes in self.last_sent.readable_codes.items() if seat in looked
            }

    def build_table_message(self) -> TableInfo:
        """Everything but the position."""
        return build_table_info(
            self.table,
            self.user_ids_connected_anywhere(),
            len(self.subscribers),
            self.services.runtime.table_link(self.table.id),
        )

    def build_clocks_message(self) -> dict[str, Any] | None:
        """All clocks, if there are any."""
        if self.table.terms.clock.mode == "none" or not self.table.clocks.banks:
            return None
        return self.table.clocks.to_client_message(self.next_event_timestamp_ms())

    def broadcast_message(self, message: ServerMessage) -> None:
        """Send the same message to all subscribers."""
        if self.subscribers:
            text = self.services.runtime.encode(message)
            for subscriber in self.subscribers:
                subscriber.send(text)

    def broadcast_chat(self, lines: list[ChatLine]) -> None:
        """Send new chat lines, once and in order."""
        for line in lines:
            if line.n > self.chat_n:
                self.chat_n = line.n
                self.broadcast_message(self.build_chat_message(line))

    def build_chat_message(self, line: ChatLine) -> ChatMessage:
        who = self.public_handle_of_user(line.person)
        message: ChatMessage = {
            "t": "chat",
            "n": line.n,
            "at": line.at,
            "name": line.name,
            "text": line.text,
            "who": who,
        }
        if line.seat is not None:
            message["seat"] = line.seat
        return message

    async def read_recent_chat(self) -> list[ChatMessage]:
        """The latest chat lines."""
        return [
            self.build_chat_message(line)
            for line in await self.services.store.chat.read_chat_lines(self.table.id, limit=WELCOME_CHAT_LINES)
        ]

    # --- presence ---------------------------------------------------------------------------------------------

    def user_ids_connected_anywhere(self) -> set[str]:
        """The users connected to this process or another."""
        found = {w.user_id for w in self.subscribers if w.user_id}
        for _, people in self.remote_presence.values():
            found.update(people)
        return found

    def user_ids_connected_here(self) -> set[str | None]:
        """The users connected to this process; None: a user without a name."""
        return {subscriber.user_id for subscriber in self.subscribers}

    def public_handle_of_user(self, person: str) -> str:
        """A public alias of a user id, unlinkable between tables."""
        return public_handle(person, self.table.id)

    def find_user_by_handle(self, handle: str) -> str:
        """The user with this alias."""
        known = {w.user_id for w in self.subscribers if w.user_id} | self.table.people | self.table.muted
        for person in known:
            if self.public_handle_of_user(person) == handle:
                return person
        raise Refused("nobody_such", who=handle)

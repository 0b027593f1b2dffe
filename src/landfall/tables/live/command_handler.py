"""Executes commands. Queries are answered from memory at once. Commands are checked by `decisions`, appended by the
table's writer, and acknowledged to the sender.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final

from landfall.core.errors import LandfallError, NotationError
from landfall.match import Match
from landfall.store.events import Arranged, LogEvent, Uncounted
from landfall.store.row_types import ChatLine, MissingLog, RatingFacts
from landfall.tables.bots import allowed_bots
from landfall.tables.bots.bot_pool import BotRequest, make_bot_request, seat_from_bot_request
from landfall.tables.live.live_table import HeldAnswer, LiveTable, SubscriberLike
from landfall.tables.live.process_services import Services
from landfall.tables.live.subscriber import Subscriber, User, public_author_handle
from landfall.tables.live.table_writer import OnDone
from landfall.tables.log import decisions
from landfall.tables.log.table import OVER, Table
from landfall.tables.protocol import commands as cmd
from landfall.tables.protocol import text_validation
from landfall.tables.protocol.errors import Refused
from landfall.tables.protocol.projections import project_events, project_preview
from landfall.tables.protocol.server_messages import Alternative, Reason, make_refusal_message
from landfall.tables.ratings.counting_rules import find_reason_not_to_count
from landfall.tables.ratings.rate_match import people_by_seat, rating_pool
from landfall.tables.teaching.hints import find_alternatives, reasons_for_choice

ALTERNATIVES_TIMEOUT_S: Final = 10.0  # limit for finding alternatives to a hint

log = logging.getLogger("landfall")
QueryFunc = Callable[[LiveTable, User | None, Any, Subscriber], None]  # answered from memory, at once
CommandFunc = Callable[[LiveTable, User, Any, Subscriber | None], Awaitable[None]]  # executed by the table's writer
CheckHint = Callable[[LiveTable, Subscriber], Awaitable[None]]  # refuses a hint that helps in another running match
RematchFunc = Callable[[LiveTable, User], Awaitable[str]]  # creates or finds the rematch table
DecideFunc = Callable[[LiveTable, User, Any], list[LogEvent]]


def make_handler_of_decision(decide: DecideFunc) -> CommandFunc:
    """The handler of a command that only needs a decision."""

    async def decide_and_write(live: LiveTable, who: User, command: Any, subscriber: Subscriber | None) -> None:
        await live.writer.commit_events(*decide(live, who, command))
        if subscriber is not None:
            subscriber.send_message({"t": "done", "what": type(command).__name__.lower()})

    return decide_and_write


class CommandHandler:
    """Maps each command to its query or command handler."""

    def __init__(self, services: Services, create_rematch: RematchFunc, check_hint: CheckHint) -> None:
        self.services = services
        self.create_rematch = create_rematch
        self.check_hint = check_hint
        self.queries: dict[type, QueryFunc] = {
            cmd.Viewpoint: self.set_viewpoint,
            cmd.Explain: self.send_forbidding_rule,
            cmd.Preview: self.send_preview,
            cmd.Hint: self.start_hint,
            cmd.Events: self.send_events,
            cmd.Ping: self.send_pong,
        }
        self.commands: dict[type, CommandFunc] = {
            cmd.Play: self.play_choice,
            cmd.Undo: self.undo_choice,
            cmd.Start: self.start_match,
            cmd.Say: self.post_chat_line,
            cmd.Rematch: self.find_or_create_rematch_and_reply,
            cmd.Skip: self.skip_bot_pauses,
            cmd.Arrange: make_handler_of_decision(
                lambda live, who, c: decisions.decide_automatic_setup(live.table, who.id, c)
            ),
            cmd.Sit: make_handler_of_decision(
                lambda live, who, c: [
                    decisions.decide_sit_down(
                        live.table, who.id, who.name, c, who.has_account, public_author_handle(who, live.table.id)
                    )
                ]
            ),
            cmd.Bot: make_handler_of_decision(
                lambda live, who, c: [decisions.decide_put_bot_on_chair(live.table, who.id, c)]
            ),
            cmd.Free: make_handler_of_decision(
                lambda live, who, c: [decisions.decide_vacate_chair(live.table, who.id, c)]
            ),
            cmd.Colour: make_handler_of_decision(
                lambda live, who, c: [decisions.decide_choose_colour(live.table, who.id, c)]
            ),
            cmd.Propose: make_handler_of_decision(
                lambda live, who, c: [decisions.decide_make_proposal(live.table, who.id, c)]
            ),
            cmd.Answer: make_handler_of_decision(
                lambda live, who, c: [decisions.decide_answer_proposal(live.table, who.id, c)]
            ),
            cmd.Close: make_handler_of_decision(
                lambda live, who, c: [decisions.decide_close_table(live.table, who.id)]
            ),
            cmd.Leave: make_handler_of_decision(lambda live, who, c: decisions.decide_leave_table(live.table, who.id)),
            cmd.Back: make_handler_of_decision(
                lambda live, who, c: decisions.decide_return_to_seat(live.table, who.id)
            ),
            cmd.Resume: make_handler_of_decision(
                lambda live, who, c: decisions.decide_resume_match(live.table, who.id)
            ),
            cmd.Resign: make_handler_of_decision(
                lambda live, who, c: decisions.decide_resign_seats(
                    live.table, decisions.require_not_removed(live.table, who.id), c
                )
            ),
            cmd.Remove: make_handler_of_decision(
                lambda live, who, c: decisions.decide_remove_person(live.table, who.id, live.find_user_by_handle(c.who))
            ),
            cmd.Mute: make_handler_of_decision(
                lambda live, who, c: [
                    decisions.decide_mute_person(live.table, who.id, live.find_user_by_handle(c.who), c.on)
                ]
            ),
        }

    def handle_command(self, subscriber: Subscriber, command: cmd.AnyCommand) -> None:
        """Handle a message of a subscriber and send it the result."""
        self.dispatch_command(
            subscriber, command, partial(self.record_command_and_send_refusal, subscriber, command, time.perf_counter())
        )

    async def handle_command_and_wait(self, subscriber: Subscriber, command: cmd.AnyCommand) -> None:
        """Handle a message of a subscriber, and wait until it is answered."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        started = time.perf_counter()

        def on_done(error: LandfallError | None) -> None:
            self.record_command_and_send_refusal(subscriber, command, started, error)
            if not done.done():
                done.set_result(None)

        self.dispatch_command(subscriber, command, on_done)
        await done

    def dispatch_command(self, subscriber: Subscriber, command: cmd.AnyCommand, done: OnDone) -> None:
        live = subscriber.live
        if type(command) in (cmd.Sit, cmd.Start, cmd.Play):
            self.keep_marks_of_player(subscriber)
        query = self.queries.get(type(command))
        if query is None:
            live.writer.submit_operation(
                partial(self.execute_command, live, subscriber.user, command, subscriber), done
            )
            return
        try:
            if live.fault is not None:
                raise live.fault
            query(live, subscriber.user, command, subscriber)
        except LandfallError as error:
            done(error)
        else:
            done(None)

    def record_command_and_send_refusal(
        self, subscriber: Subscriber, command: cmd.AnyCommand, started: float, error: LandfallError | None
    ) -> None:
        """Report the duration, and send a refusal if there is one; a success was sent while it happened."""
        self.services.runtime.on_command(command, time.perf_counter() - started)
        if error is not None:
            self.send_refusal(subscriber, error, command)

    def send_refusal(self, subscriber: Subscriber, error: LandfallError, command: Any) -> None:
        self.services.runtime.on_refusal(command, error)
        refused = error if isinstance(error, Refused) else Refused("illegal", None, reason=str(error))
        subscriber.send_message(make_refusal_message(refused, command, subscriber.live.table.version))

    def execute_command(
        self, live: LiveTable, user: User | None, command: cmd.AnyCommand, subscriber: Subscriber | None
    ) -> Awaitable[None]:
        """Within the table's writer: decide, append, answer."""
        if live.fault is not None:
            raise live.fault
        run = self.commands.get(type(command))
        if run is None:
            raise Refused("unknown")
        return run(live, require_named_user(user), command, subscriber)

    async def remove_deleted_user(self, live: LiveTable, person: str) -> None:
        """A user was deleted: anonymise the name, put stand-ins on the seats, and broadcast it."""

        async def write_departure() -> None:
            events = decisions.decide_departure_of_deleted_user(live.table, live.table.anonymise_user(person))
            live.reschedule(live)  # from now on it waits for them to depart
            try:
                if events:
                    await live.writer.commit_events(*events)
                await self.services.store.tables.rewrite_table_summary(live.table.build_summary())
            finally:  # the name is gone in memory, and a retry may not come here again
                live.broadcast_message(live.build_table_message())

        try:
            await live.submit_operation_and_wait(write_departure)
        finally:
            live.reschedule(live)  # if it failed, the table's driver retries

    # --- choices ----------------------------------------------------------------------------------------------

    async def play_choice(self, live: LiveTable, who: User, command: cmd.Play, subscriber: Subscriber | None) -> None:
        """A choice: acknowledged once it is on disk, and again if it is resent."""
        table, runtime = live.table, self.services.runtime
        mine = table.seats_of_person(who.id)
        key = seat_scoped_command_id(mine, command.id)
        if self.acknowledge_if_applied(live, key, command.id, subscriber):
            return
        seat = decisions.require_seat_to_act_for(table, mine)
        decisions.require_current_version(table, command.version)
        match = decisions.require_running_match(table)
        action = decisions.require_legal_action(match, seat, command)
        timing_tells = match.state.needs_answer_delay()
        now = live.next_event_timestamp_ms() if timing_tells else table.choice_since
        wait = table.choice_since + runtime.answer_hold_ms - now if timing_tells else 0
        if wait <= 0:
            await self.append_choice(live, seat, action, key, None)
            self.acknowledge_if_applied(live, key, command.id, subscriber)
            return
        held = live.held_answer
        if held is None or held.version != table.version:
            held = live.held_answer = HeldAnswer(table.version, key)
            self.services.spawn_background_task(
                self.play_held_answer_after_delay(live, who, seat, action, command, table.choice_since, wait, held)
            )
        elif held.key != key:
            raise Refused("held")
        if subscriber is not None:
            held.senders[subscriber] = None
            subscriber.send_message({"t": "held", "id": command.id, "ms": wait})

    def append_choice(self, live: LiveTable, seat: int, action: int, key: str, decided: int | None) -> Awaitable[None]:
        """Append a choice and the chance outcomes that follow."""
        match = decisions.require_running_match(live.table)
        event, after = decisions.decide_play_choice(match, seat, action, self.services.runtime.rng, key, decided)
        return live.writer.commit_events(event, match=after)

    async def play_held_answer_after_delay(
        self, live: LiveTable, who: User, seat: int, action: int, command: cmd.Play, decided: int, wait: int,
        held: HeldAnswer,
    ) -> None:  # fmt: skip
        """Play a held answer when its delay is over, and acknowledge it to everyone who sent it."""
        await self.services.runtime.clock.sleep_ms(wait)

        async def append_held_choice() -> None:
            decisions.require_current_version(live.table, command.version)
            mine = live.table.seats_of_person(who.id)
            if decisions.require_seat_to_act_for(live.table, mine) != seat:
                raise Refused("illegal", "LF.2")
            key = seat_scoped_command_id(mine, command.id)
            await self.append_choice(live, seat, action, key, decided)
            for sender in held.senders:
                self.acknowledge_if_applied(live, key, command.id, sender)

        try:
            await live.submit_operation_and_wait(append_held_choice)
        except Refused as error:
            self.services.runtime.on_refusal(command, error)
            for sender in held.senders:
                sender.send_message(make_refusal_message(error, command, live.table.version))
        finally:
            if live.held_answer is held:
                live.held_answer = None

    async def undo_choice(self, live: LiveTable, who: User, command: cmd.Undo, subscriber: Subscriber | None) -> None:
        """Undo, by appending an event that says so."""
        mine = live.table.seats_of_person(who.id)
        key = seat_scoped_command_id(mine, command.id)
        if self.acknowledge_if_applied(live, key, command.id, subscriber):
            return
        seat = decisions.require_seat_to_act_for(live.table, mine)
        first: list[LogEvent] = []
        if live.table.is_setting_up:
            event, earlier = decisions.decide_setup_undo(live.table, mine, command.version, key)
            if live.table.chairs[event.seat].places_automatically:
                first.append(Arranged(event.seat, False))  # otherwise it would be placed again
        else:
            decisions.require_current_version(live.table, command.version)
            event, earlier = decisions.decide_undo_choice(live.table, seat, command.turn, key)
        await live.writer.commit_events(*first, event, match=earlier)
        self.acknowledge_if_applied(live, key, command.id, subscriber)

    def acknowledge_if_applied(self, live: LiveTable, key: str, id_: str, subscriber: SubscriberLike | None) -> bool:
        """Send the sender the result of its choice; False if there is none."""
        n = live.table.applied_commands.get(key)
        if n is None:
            return False
        if subscriber is not None:
            subscriber.send_message({"t": "ack", "id": id_, "n": n, "version": n})
        return True

    async def skip_bot_pauses(
        self, live: LiveTable, who: User, command: cmd.Skip, subscriber: Subscriber | None
    ) -> None:
        """The bots play without pauses until a person must choose."""
        decisions.require_may_skip_pauses(live.table, who.id)
        live.skips_pauses = True
        live.reschedule(live)
        if subscriber is not None:
            subscriber.send_message({"t": "done", "what": "skip"})

    # --- other commands ---------------------------------------------------------------------------------------

    async def start_match(self, live: LiveTable, who: User, command: cmd.Start, subscriber: Subscriber | None) -> None:
        event, match = decisions.decide_start_match(live.table, who.id, self.services.runtime.rng)
        first: list[LogEvent] = []
        if live.table.terms.rated and not live.table.unrated_reason:  # who plays knows it from the beginning
            why = find_reason_not_to_count(await self.read_rating_facts(live.table))
            first = [Uncounted(why)] if why else []
        await live.writer.commit_events(*first, event, match=match)

    async def read_rating_facts(self, table: Table) -> RatingFacts:
        now = self.services.runtime.clock.wall_time_ms()
        return await self.services.store.ratings.read_rating_facts(
            table.id, now, rating_pool(table), people_by_seat(table)
        )

    def keep_marks_of_player(self, subscriber: Subscriber) -> None:
        """Remember where somebody plays from, until the match is rated."""
        live, user = subscriber.live, subscriber.user
        if user is None or not live.table.terms.rated or live.table.status == OVER:
            return
        new = {(user.id, mark) for mark in subscriber.marks} - live.kept_marks
        if new:
            live.kept_marks |= new
            self.services.spawn_background_task(self.write_marks(live, user.id, new))

    async def write_marks(self, live: LiveTable, person: str, new: set[tuple[str, str]]) -> None:
        try:
            await self.services.store.ratings.add_player_marks(live.table.id, person, [mark for _, mark in new])
        except Exception:
            live.kept_marks -= new  # the next choice tries again
            raise

    async def post_chat_line(self, live: LiveTable, who: User, command: cmd.Say, subscriber: Subscriber | None) -> None:
        """Chat: for all named users who are not muted."""
        if who.id in live.table.muted or who.id in live.table.banned:
            raise Refused("muted")
        text = text_validation.clean_chat_line(command.text)
        mine = live.table.seats_of_person(who.id)
        at = self.services.runtime.clock.wall_time_ms()
        line = ChatLine(live.table.id, 0, at, who.id, who.name, mine[0] if mine else None, text)
        try:
            said = await self.services.store.chat.append_chat_line(line)
        except MissingLog:
            live.mark_table_deleted()
            raise Refused("no_table") from None
        except Exception:  # it may be stored all the same
            live.writer.request_log_refresh(chat=True)
            raise
        if self.services.store.database.is_shared:
            self.services.spawn_background_task(self.services.notify_processes_until_sent("chat", live.table.id))
        if said.n > live.chat_n + 1:
            live.writer.request_log_refresh(chat=True)
        else:
            live.broadcast_chat([said])

    async def close_table_by_server_host(self, live: LiveTable, host: User, text: str) -> None:
        """The host of the server closes a table, with a sentence to its players."""

        async def write_closing() -> None:
            event = decisions.decide_close_table_by_server_host(live.table)
            if text:
                await self.post_chat_line(live, host, cmd.Say(text), None)
            await live.writer.commit_events(event)

        await live.submit_operation_and_wait(write_closing)

    async def find_or_create_rematch_and_reply(
        self, live: LiveTable, who: User, command: cmd.Rematch, subscriber: Subscriber | None
    ) -> None:
        """Create the rematch, or sit down at it, and send its id."""
        if not live.table.seats_of_person(decisions.require_not_removed(live.table, who.id)):
            raise Refused("not_seated")
        if who.id in live.table.banned:
            raise Refused("removed")
        if live.table.status != OVER:
            raise Refused("not_over")
        if live.table.terms.tournament is not None:
            raise Refused("tournament_table")
        table = await self.create_rematch(live, who)
        if subscriber is not None:
            subscriber.send_message({"t": "done", "what": "rematch", "table": table})

    # --- queries ----------------------------------------------------------------------------------------------

    def set_viewpoint(self, live: LiveTable, user: User | None, command: cmd.Viewpoint, subscriber: Subscriber) -> None:
        """Choose a viewpoint: one's own seats at a hot seat; any seat when the match is over."""
        mine = live.table.seats_of_person(subscriber.user_id)
        if command.seat is not None:
            if command.seat >= len(live.table.chairs):
                raise Refused("no_chair", chair=command.seat)
            if live.table.status != OVER and command.seat not in mine:
                raise Refused("not_yours")
        subscriber.requested_seat = command.seat
        subscriber.seat = live.viewpoint_of_subscriber(subscriber)
        subscriber.send_message(live.build_welcome_message(subscriber))

    def send_forbidding_rule(
        self, live: LiveTable, user: User | None, command: cmd.Explain, subscriber: Subscriber
    ) -> None:
        """Only for one's own choice: others' options are private."""
        person = decisions.require_not_removed(live.table, require_named_user(user).id)
        seat = decisions.require_seat_to_act_for(live.table, live.table.seats_of_person(person))
        match = decisions.require_running_match(live.table)
        if command.text is not None:
            if match.actor != seat:
                raise Refused("illegal", "LF.2")
            try:
                rule = match.state.why_illegal(match.state.parse(command.text), seat)
            except NotationError as error:
                raise Refused("notation", text=command.text, reason=str(error.arguments["reason"])) from None
        else:
            rule = match.state.why_cannot_move(seat, command.piece, command.place)
        subscriber.send_message({"t": "explanation", "rule": rule} if rule is not None else {"t": "explanation"})

    def send_preview(self, live: LiveTable, user: User | None, command: cmd.Preview, subscriber: Subscriber) -> None:
        """For the seat that must choose."""
        if live.table.match is not None:
            found = project_preview(live.table.match, subscriber.seat if live.table.actor == subscriber.seat else None)
            subscriber.send_message({"t": "preview", "version": live.table.version, "preview": found})

    def start_hint(self, live: LiveTable, user: User | None, command: cmd.Hint, subscriber: Subscriber) -> None:
        """The table continues while a bot thinks; one hint at a time per subscriber."""
        who = require_named_user(user)
        decisions.require_hints_allowed(live.table)
        seat = decisions.require_seat_to_act_for(live.table, live.table.seats_of_person(who.id))
        decisions.require_current_version(live.table, command.version)
        match = decisions.require_running_match(live.table)
        if match.actor != seat:
            raise Refused("illegal", "LF.2")
        if not subscriber.hint_pending:
            subscriber.hint_pending = True
            self.services.spawn_background_task(
                self.compute_and_send_hint(
                    make_bot_request(match, seat, allowed_bots.HINT_BOT, self.services.runtime),
                    match,
                    command,
                    subscriber,
                )
            )

    async def compute_and_send_hint(
        self, request: BotRequest, match: Match, command: cmd.Hint, subscriber: Subscriber
    ) -> None:
        """Let a bot choose in a user's place, and send its choice."""
        try:
            await self.check_hint(subscriber.live, subscriber)
            action = await self.services.bot_pool.choose_action(request, subscriber.fair_queue_requester)
            if match.state.why_illegal(action, request.seat) is not None:
                log.warning("a bot's mistake is no hint")
                raise Refused("busy")
            text = match.state.notation(action)
            try:
                why = reasons_for_choice(request.game, match.state, request.seat, action)
            except Exception:  # a hint without reasons is useful, too
                log.exception("no reasons for %s in %s", text, request.game)
                why = []
            others, alike, plan = await self.find_alternatives_in_time(request, action, subscriber)
            subscriber.send_message(
                {
                    "t": "hint",
                    "version": command.version,
                    "action": action,
                    "text": text,
                    "bot": request.code,
                    "why": why + plan,
                    "others": others,
                    "alike": alike,
                }
            )
        except Refused as error:
            self.send_refusal(subscriber, error, command)
        except Exception:
            self.send_refusal(subscriber, Refused("busy"), command)
        finally:
            subscriber.hint_pending = False

    async def find_alternatives_in_time(
        self, request: BotRequest, action: int, subscriber: Subscriber
    ) -> tuple[list[Alternative], bool, list[Reason]]:
        """Alternatives to the hint and the plan, within a time limit; a hint without them is useful, too."""
        try:
            if len(seat_from_bot_request(request, 0.0).legal_actions) < 2:
                return [], False, []
            thinking = self.services.bot_pool.run_task(
                find_alternatives, request, action, who=subscriber.fair_queue_requester, urgent=True
            )
            return await asyncio.wait_for(thinking, ALTERNATIVES_TIMEOUT_S)
        except (TimeoutError, Refused):
            return [], False, []  # the workers are busy: the hint does not wait
        except Exception:
            log.exception("no other ideas in %s", request.game)
            return [], False, []

    def send_events(self, live: LiveTable, user: User | None, command: cmd.Events, subscriber: Subscriber) -> None:
        if live.table.match is not None:
            events = project_events(live.table.match, command.since, subscriber.seat)
            subscriber.send_message({"t": "events", "first": command.since, "events": events})

    def send_pong(self, live: LiveTable, user: User | None, command: cmd.Ping, subscriber: Subscriber) -> None:
        subscriber.send_message({"t": "pong", "n": live.table.seq})


def require_named_user(user: User | None) -> User:
    """The user; Refused without a name."""
    if user is None:
        raise Refused("nameless")
    return user


def seat_scoped_command_id(seats: list[int], id_: str) -> str:
    """A message id, scoped to its player."""
    return f"{seats[0] if seats else '-'}.{id_}"

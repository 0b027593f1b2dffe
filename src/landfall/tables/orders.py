"""Carrying out commands: what is asked is answered from memory at once; what is wished is judged by `rulings`, written
by the table's writer, and answered to the one who sent it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final

from landfall.core.errors import LandfallError, NotationError
from landfall.match import Match
from landfall.store.facts import Arranged, Fact
from landfall.store.rows import ChatLine, MissingLog
from landfall.tables import commands as cmd
from landfall.tables import levels, rulings, writing
from landfall.tables.errors import Refused
from landfall.tables.hints import explained, ideas
from landfall.tables.live import LiveTable
from landfall.tables.news import Idea, refusal
from landfall.tables.process import Process
from landfall.tables.table import OVER
from landfall.tables.thinkers import Question, asked, seat_of
from landfall.tables.visibility import events_from, preview_of
from landfall.tables.watcher import Visitor, Watcher
from landfall.tables.writer import Done

PATIENCE: Final = 10.0  # seconds that a hint waits for other ideas beside it

log = logging.getLogger("landfall")
Ask = Callable[[LiveTable, Visitor | None, Any, Watcher], None]  # answered from memory, at once
Wish = Callable[[LiveTable, Visitor, Any, Watcher | None], Awaitable[None]]  # carried out by the table's writer
CheckHint = Callable[[LiveTable, Watcher], Awaitable[None]]  # refuses a hint for what is being played elsewhere
Again = Callable[[LiveTable, Visitor], Awaitable[str]]  # makes a table like one that is over, or finds it
Judge = Callable[[LiveTable, Visitor, Any], list[Fact]]


def ruled(judge: Judge) -> Wish:
    """The wish for a command that is a ruling and nothing else."""

    async def wish(live: LiveTable, who: Visitor, command: Any, watcher: Watcher | None) -> None:
        await live.writer.write(*judge(live, who, command))
        if watcher is not None:
            watcher.tell({"t": "done", "what": type(command).__name__.lower()})

    return wish


class Orders:
    """What is done for each command: it is a question, or a wish."""

    def __init__(self, process: Process, again: Again, check_hint: CheckHint) -> None:
        self.process = process
        self.again = again
        self.check_hint = check_hint
        self.questions: dict[type, Ask] = {
            cmd.Look: self.look,
            cmd.Explain: self.explain,
            cmd.Preview: self.preview,
            cmd.Hint: self.hint,
            cmd.Events: self.events,
            cmd.Ping: self.ping,
        }
        self.wishes: dict[type, Wish] = {
            cmd.Play: self.play,
            cmd.Undo: self.undo,
            cmd.Start: self.start,
            cmd.Say: self.say,
            cmd.Rematch: self.rematch,
            cmd.Skip: self.skip,
            cmd.Arrange: ruled(lambda live, who, c: rulings.arrange(live.table, who.id, c)),
            cmd.Sit: ruled(lambda live, who, c: [rulings.sit(live.table, who.id, who.name, c)]),
            cmd.Bot: ruled(lambda live, who, c: [rulings.bot(live.table, who.id, c)]),
            cmd.Free: ruled(lambda live, who, c: [rulings.free(live.table, who.id, c)]),
            cmd.Colour: ruled(lambda live, who, c: [rulings.colour(live.table, who.id, c)]),
            cmd.Propose: ruled(lambda live, who, c: [rulings.propose(live.table, who.id, c)]),
            cmd.Answer: ruled(lambda live, who, c: [rulings.answer(live.table, who.id, c)]),
            cmd.Pace: ruled(lambda live, who, c: [rulings.pace(live.table, who.id, c)]),
            cmd.Close: ruled(lambda live, who, c: [rulings.close(live.table, who.id)]),
            cmd.Leave: ruled(lambda live, who, c: rulings.leave(live.table, who.id)),
            cmd.Back: ruled(lambda live, who, c: rulings.back(live.table, who.id)),
            cmd.Resume: ruled(lambda live, who, c: rulings.resume(live.table, who.id)),
            cmd.Resign: ruled(
                lambda live, who, c: rulings.resign(live.table, rulings.not_removed(live.table, who.id), c)
            ),
            cmd.Remove: ruled(lambda live, who, c: rulings.remove(live.table, who.id, live.person_of(c.who))),
            cmd.Mute: ruled(lambda live, who, c: [rulings.mute(live.table, who.id, live.person_of(c.who), c.on)]),
        }

    def take(self, watcher: Watcher, command: cmd.AnyCommand) -> None:
        """Take what a watcher sent; whatever comes of it is told to it."""
        self.given(watcher, command, partial(self.answered, watcher, command))

    async def receive(self, watcher: Watcher, command: cmd.AnyCommand) -> None:
        """Take what a watcher sent, and wait until it is answered."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def answered(error: LandfallError | None) -> None:
            self.answered(watcher, command, error)
            if not done.done():
                done.set_result(None)

        self.given(watcher, command, answered)
        await done

    def given(self, watcher: Watcher, command: cmd.AnyCommand, done: Done) -> None:
        live = watcher.live
        question = self.questions.get(type(command))
        if question is None:
            live.writer.put(partial(self.carry_out, live, watcher.visitor, command, watcher), done)
            return
        try:
            if live.fault is not None:
                raise live.fault
            question(live, watcher.visitor, command, watcher)
        except LandfallError as error:
            done(error)
        else:
            done(None)

    def answered(self, watcher: Watcher, command: cmd.AnyCommand, error: LandfallError | None) -> None:
        """What went well was told as it happened."""
        if error is not None:
            self.refuse(watcher, error, command)

    def refuse(self, watcher: Watcher | None, error: LandfallError, command: Any) -> None:
        if watcher is not None:
            refused = error if isinstance(error, Refused) else Refused("illegal", None, reason=str(error))
            watcher.tell(refusal(refused, command, watcher.live.table.version))

    def carry_out(
        self, live: LiveTable, visitor: Visitor | None, command: cmd.AnyCommand, watcher: Watcher | None
    ) -> Awaitable[None]:
        """Within the table's writer: judge, write, answer."""
        if live.fault is not None:
            raise live.fault
        wish = self.wishes.get(type(command))
        if wish is None:
            raise Refused("unknown")
        return wish(live, known(visitor), command, watcher)

    async def part(self, live: LiveTable, person: str) -> None:
        """Somebody was forgotten: no name, a stand-in on their seats, and all who are there are told."""

        async def wish() -> None:
            facts = rulings.parted(live.table, live.table.forget(person))
            if facts:
                await live.writer.write(*facts)
            await self.process.store.relist(live.table.summary())
            live.broadcast(live.about())

        try:
            await live.ask(wish)
        finally:
            live.see_to(live)  # if it failed, the table's driver tries again

    # --- choices ----------------------------------------------------------------------------------------------

    async def play(self, live: LiveTable, who: Visitor, command: cmd.Play, watcher: Watcher | None) -> None:
        """A choice: acknowledged once it is on disk, and again if it is sent again."""
        table, env = live.table, self.process.env
        mine = table.seats_of(who.id)
        key = own_id(mine, command.id)
        if self.acknowledged(live, key, command.id, watcher):
            return
        seat = rulings.acting_seat(table, mine)
        rulings.known_version(table, command.version)
        match = rulings.playing(table)
        action = rulings.judged(match, seat, command)
        timing_tells = match.state.timing_tells()
        now = live.now() if timing_tells else table.asked_at
        wait = table.asked_at + env.hold - now if timing_tells else 0
        if wait <= 0:
            await self.commit(live, seat, action, key, None)
            self.acknowledged(live, key, command.id, watcher)
            return
        if live.held is not None and live.held[0] == table.version:
            if live.held[1] != key:
                raise Refused("held")
        else:
            live.held = table.version, key
            self.process.spawn(self.release(live, who, seat, action, command, table.asked_at, wait, watcher))
        if watcher is not None:
            watcher.tell({"t": "held", "id": command.id, "ms": wait})

    def commit(self, live: LiveTable, seat: int, action: int, key: str, decided: int | None) -> Awaitable[None]:
        """Write a choice and the chance it brings."""
        match = rulings.playing(live.table)
        fact, after = rulings.played(match, seat, action, self.process.env.rng, key, decided)
        return live.writer.write(fact, match=after)

    async def release(
        self, live: LiveTable, who: Visitor, seat: int, action: int, command: cmd.Play, decided: int, wait: int,
        watcher: Watcher | None,
    ) -> None:  # fmt: skip
        """Let a held answer go when its time has come."""
        await self.process.env.time.sleep(wait)

        async def let_go() -> None:
            rulings.known_version(live.table, command.version)
            mine = live.table.seats_of(who.id)
            if rulings.acting_seat(live.table, mine) != seat:
                raise Refused("illegal", "LF.2")
            key = own_id(mine, command.id)
            await self.commit(live, seat, action, key, decided)
            self.acknowledged(live, key, command.id, watcher)

        try:
            await live.ask(let_go)
        except Refused as error:
            self.refuse(watcher, error, command)
        finally:
            if live.held is not None and live.held[0] == command.version:
                live.held = None

    async def undo(self, live: LiveTable, who: Visitor, command: cmd.Undo, watcher: Watcher | None) -> None:
        """Take back, by writing that it was taken back."""
        mine = live.table.seats_of(who.id)
        key = own_id(mine, command.id)
        if self.acknowledged(live, key, command.id, watcher):
            return
        seat = rulings.acting_seat(live.table, mine)
        first: list[Fact] = []
        if live.table.setting_up:
            fact, earlier = rulings.unplaced(live.table, mine, command.version, key)
            if live.table.chairs[fact.seat].arranging:
                first.append(Arranged(fact.seat, False))  # else it would be placed again
        else:
            rulings.known_version(live.table, command.version)
            fact, earlier = rulings.undone(live.table, seat, command.turn, key)
        await live.writer.write(*first, fact, match=earlier)
        self.acknowledged(live, key, command.id, watcher)

    def acknowledged(self, live: LiveTable, key: str, id_: str, watcher: Watcher | None) -> bool:
        """Tell the sender what its choice became; False if there is no such."""
        n = live.table.ids.get(key)
        if n is None:
            return False
        if watcher is not None:
            watcher.tell({"t": "ack", "id": id_, "n": n, "version": n})
        return True

    async def skip(self, live: LiveTable, who: Visitor, command: cmd.Skip, watcher: Watcher | None) -> None:
        """The bots hurry until somebody is asked."""
        rulings.skip(live.table, who.id)
        live.hurried = True
        live.see_to(live)
        if watcher is not None:
            watcher.tell({"t": "done", "what": "skip"})

    # --- all other wishes -------------------------------------------------------------------------------------

    async def start(self, live: LiveTable, who: Visitor, command: cmd.Start, watcher: Watcher | None) -> None:
        fact, match = rulings.start(live.table, who.id, self.process.env.rng)
        await live.writer.write(fact, match=match)

    async def say(self, live: LiveTable, who: Visitor, command: cmd.Say, watcher: Watcher | None) -> None:
        """Chat: for all who gave a name and were not muted."""
        if who.id in live.table.muted or who.id in live.table.banned:
            raise Refused("muted")
        text = writing.line(command.text)
        mine = live.table.seats_of(who.id)
        at = self.process.env.time.now()
        line = ChatLine(live.table.id, 0, at, who.id, who.name, mine[0] if mine else None, text)
        try:
            said = await self.process.store.say(line)
        except MissingLog:
            live.vanish()
            raise Refused("no_table") from None
        except Exception:  # perhaps it is there all the same
            live.writer.look(chat=True)
            raise
        if self.process.store.shared:
            self.process.spawn(self.process.announce("chat", live.table.id))
        if said.n > live.chat_n + 1:
            live.writer.look(chat=True)
        else:
            live.tell_chat([said])

    async def rematch(self, live: LiveTable, who: Visitor, command: cmd.Rematch, watcher: Watcher | None) -> None:
        if not live.table.seats_of(rulings.not_removed(live.table, who.id)):
            raise Refused("not_seated")
        if who.id in live.table.banned:
            raise Refused("removed")
        if live.table.status != OVER:
            raise Refused("not_over")
        table = await self.again(live, who)
        if watcher is not None:
            watcher.tell({"t": "done", "what": "rematch", "table": table})

    # --- questions --------------------------------------------------------------------------------------------

    def look(self, live: LiveTable, visitor: Visitor | None, command: cmd.Look, watcher: Watcher) -> None:
        """Whose eyes: one's own seats at a hot seat; any when the match is over."""
        mine = live.table.seats_of(watcher.person)
        if command.seat is not None:
            if command.seat >= len(live.table.chairs):
                raise Refused("no_chair", chair=command.seat)
            if live.table.status != OVER and command.seat not in mine:
                raise Refused("not_yours")
        watcher.look = command.seat
        live.turn_eyes(watcher)
        watcher.tell(live.welcome(watcher))

    def explain(self, live: LiveTable, visitor: Visitor | None, command: cmd.Explain, watcher: Watcher) -> None:
        """Only of one's own choice: what others could do is theirs to know."""
        person = rulings.not_removed(live.table, known(visitor).id)
        seat = rulings.acting_seat(live.table, live.table.seats_of(person))
        match = rulings.playing(live.table)
        if command.text is not None:
            if match.actor != seat:
                raise Refused("illegal", "LF.2")
            try:
                rule = match.state.why_not(match.state.parse(command.text), seat)
            except NotationError as error:
                raise Refused("notation", text=command.text, reason=str(error.arguments["reason"])) from None
        else:
            rule = match.state.explain(seat, command.piece, command.place)
        watcher.tell({"t": "why", "rule": rule} if rule is not None else {"t": "why"})

    def preview(self, live: LiveTable, visitor: Visitor | None, command: cmd.Preview, watcher: Watcher) -> None:
        """For the one whose choice it is."""
        if live.table.match is not None:
            found = preview_of(live.table.match, watcher.seat if live.table.actor == watcher.seat else None)
            watcher.tell({"t": "preview", "version": live.table.version, "preview": found})

    def hint(self, live: LiveTable, visitor: Visitor | None, command: cmd.Hint, watcher: Watcher) -> None:
        """The table goes on while a bot thinks; one hint at a time for each who asks."""
        who = known(visitor)
        seat = rulings.acting_seat(live.table, live.table.seats_of(who.id))
        rulings.known_version(live.table, command.version)
        match = rulings.playing(live.table)
        if match.actor != seat:
            raise Refused("illegal", "LF.2")
        if not watcher.wondering:
            watcher.wondering = True
            self.process.spawn(
                self.wonder(asked(match, seat, levels.ADVISER, self.process.env), match, command, watcher)
            )

    async def wonder(self, question: Question, match: Match, command: cmd.Hint, watcher: Watcher) -> None:
        """Let a bot think about somebody's choice."""
        try:
            await self.check_hint(watcher.live, watcher)
            action = await self.process.thinkers.choose(question, watcher.requester)
            if match.state.why_not(action, question.seat) is not None:
                log.warning("a bot's mistake is no hint")
                raise Refused("busy")
            text = match.state.notation(action)
            try:
                why = explained(question.game, match.state, question.seat, action)
            except Exception:  # a move without its reasons is a hint, too
                log.exception("no reasons for %s in %s", text, question.game)
                why = []
            others, alike = await self.others(question, action, watcher)
            watcher.tell(
                {
                    "t": "hint",
                    "version": command.version,
                    "action": action,
                    "text": text,
                    "bot": question.code,
                    "why": why,
                    "others": others,
                    "alike": alike,
                }
            )
        except Refused as error:
            self.refuse(watcher, error, command)
        except Exception:
            self.refuse(watcher, Refused("busy"), command)
        finally:
            watcher.wondering = False

    async def others(self, question: Question, action: int, watcher: Watcher) -> tuple[list[Idea], bool]:
        """What else is worth a thought; a hint without that is one, too."""
        try:
            if len(seat_of(question, 0.0).legal) < 2:
                return [], False
            thinking = self.process.thinkers.work(ideas, question, action, who=watcher.requester, soon=True)
            return await asyncio.wait_for(thinking, PATIENCE)
        except (TimeoutError, Refused):
            return [], False  # others' work is in the way: the hint does not wait for it
        except Exception:
            log.exception("no other ideas in %s", question.game)
            return [], False

    def events(self, live: LiveTable, visitor: Visitor | None, command: cmd.Events, watcher: Watcher) -> None:
        if live.table.match is not None:
            events = events_from(live.table.match, command.since, watcher.seat)
            watcher.tell({"t": "events", "first": command.since, "events": events})

    def ping(self, live: LiveTable, visitor: Visitor | None, command: cmd.Ping, watcher: Watcher) -> None:
        watcher.tell({"t": "pong", "n": live.table.seq})


def known(visitor: Visitor | None) -> Visitor:
    """Somebody who gave a name."""
    if visitor is None:
        raise Refused("nameless")
    return visitor


def own_id(seats: list[int], id_: str) -> str:
    """A message's id, made unlike any other player's."""
    return f"{seats[0] if seats else '-'}.{id_}"

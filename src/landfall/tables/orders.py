"""Carrying out commands: what is asked is answered from memory at once; what is wished is judged by `rulings`, written
by the table's writer, and answered to the one who sent it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from landfall.core.errors import LandfallError, NotationError
from landfall.match import Match
from landfall.store.facts import Fact
from landfall.store.rows import ChatLine
from landfall.tables import commands as cmd
from landfall.tables import levels, news, rulings, writing
from landfall.tables.errors import Refused
from landfall.tables.news import refusal
from landfall.tables.process import Process
from landfall.tables.room import Room
from landfall.tables.sight import events_from, preview_of
from landfall.tables.table import OVER
from landfall.tables.thinkers import Question, asked
from landfall.tables.watcher import Visitor, Watcher
from landfall.tables.writer import Done

Ask = Callable[[Room, Visitor | None, Any, Watcher], None]  # answered from memory, at once
Wish = Callable[[Room, Visitor, Any, Watcher | None], Awaitable[None]]  # carried out by the table's writer
Again = Callable[[Room, Visitor], Awaitable[str]]  # makes a table like one that is over, or finds it
Judge = Callable[[Room, Visitor, Any], list[Fact]]


def ruled(judge: Judge) -> Wish:
    """The wish for a command that is a ruling and nothing else."""

    async def wish(room: Room, who: Visitor, command: Any, watcher: Watcher | None) -> None:
        await room.writer.write(*judge(room, who, command))
        if watcher is not None:
            watcher.tell(news.Done(what=type(command).__name__.lower()))

    return wish


class Orders:
    """What is done for each command: it is a question, or a wish."""

    def __init__(self, process: Process, again: Again) -> None:
        self.process = process
        self.again = again
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
            cmd.Sit: ruled(lambda room, who, c: [rulings.sit(room.table, who.id, who.name, c)]),
            cmd.Bot: ruled(lambda room, who, c: [rulings.bot(room.table, who.id, c)]),
            cmd.Free: ruled(lambda room, who, c: [rulings.free(room.table, who.id, c)]),
            cmd.Colour: ruled(lambda room, who, c: [rulings.colour(room.table, who.id, c)]),
            cmd.Propose: ruled(lambda room, who, c: [rulings.propose(room.table, who.id, c)]),
            cmd.Answer: ruled(lambda room, who, c: [rulings.answer(room.table, who.id, c)]),
            cmd.Pace: ruled(lambda room, who, c: [rulings.pace(room.table, who.id, c)]),
            cmd.Close: ruled(lambda room, who, c: [rulings.close(room.table, who.id)]),
            cmd.Leave: ruled(lambda room, who, c: rulings.leave(room.table, who.id)),
            cmd.Back: ruled(lambda room, who, c: rulings.back(room.table, who.id)),
            cmd.Resume: ruled(lambda room, who, c: rulings.resume(room.table, who.id)),
            cmd.Resign: ruled(lambda room, who, c: rulings.resign(room.table, who.id, c)),
            cmd.Remove: ruled(lambda room, who, c: rulings.remove(room.table, who.id, room.person_of(c.who))),
            cmd.Mute: ruled(lambda room, who, c: [rulings.mute(room.table, who.id, room.person_of(c.who), c.on)]),
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
        room = watcher.room
        question = self.questions.get(type(command))
        if question is None:
            room.writer.put(partial(self.carry_out, room, watcher.visitor, command, watcher), done)
            return
        try:
            if room.fault is not None:
                raise room.fault
            question(room, watcher.visitor, command, watcher)
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
            watcher.tell(refusal(refused, command, watcher.room.table.version))

    async def carry_out(
        self, room: Room, visitor: Visitor | None, command: cmd.AnyCommand, watcher: Watcher | None
    ) -> None:
        """Within the table's writer: judge, write, answer."""
        if room.fault is not None:
            raise room.fault
        wish = self.wishes.get(type(command))
        if wish is None:
            raise Refused("unknown")
        await wish(room, known(visitor), command, watcher)

    async def part(self, room: Room, person: str) -> None:
        """Somebody was forgotten: no name, a stand-in on their seats, and all who are there are told."""

        async def wish() -> None:
            facts = rulings.parted(room.table, room.table.forget(person))
            if facts:
                await room.writer.write(*facts)
            await self.process.store.relist(room.table.summary())
            room.broadcast(room.about())

        await room.ask(wish)

    # --- choices ----------------------------------------------------------------------------------------------

    async def play(self, room: Room, who: Visitor, command: cmd.Play, watcher: Watcher | None) -> None:
        """A choice: acknowledged once it is on disk, and again if it is sent again."""
        table, means = room.table, self.process.means
        mine = table.seats_of(who.id)
        key = own_id(mine, command.id)
        if self.acknowledged(room, key, command.id, watcher):
            return
        seat = rulings.acting_seat(table, mine)
        rulings.known_version(table, command.version)
        match = rulings.playing(table)
        action = rulings.judged(match, seat, command)
        hushed = match.state.hushed()
        now = room.now() if hushed else table.asked_at
        wait = table.asked_at + means.hold - now if hushed else 0
        if wait <= 0:
            await self.commit(room, seat, action, key, None)
            self.acknowledged(room, key, command.id, watcher)
            return
        if room.held is not None and room.held[0] == table.version:
            if room.held[1] != key:
                raise Refused("held")
        else:
            room.held = table.version, key
            self.process.spawn(self.release(room, who, seat, action, command, now, wait, watcher))
        if watcher is not None:
            watcher.tell(news.Held(id=command.id, ms=wait))

    async def commit(self, room: Room, seat: int, action: int, key: str, decided: int | None) -> None:
        """Write a choice and the chance it brings."""
        match = rulings.playing(room.table)
        fact, after = rulings.played(match, seat, action, self.process.means.rng, key, decided)
        await room.writer.write(fact, match=after)

    async def release(
        self, room: Room, who: Visitor, seat: int, action: int, command: cmd.Play, decided: int, wait: int,
        watcher: Watcher | None,
    ) -> None:  # fmt: skip
        """Let a held answer go when its time has come."""
        await self.process.means.time.sleep(wait)

        async def let_go() -> None:
            rulings.known_version(room.table, command.version)
            mine = room.table.seats_of(who.id)
            if rulings.acting_seat(room.table, mine) != seat:
                raise Refused("illegal", "LF.2")
            key = own_id(mine, command.id)
            await self.commit(room, seat, action, key, decided)
            self.acknowledged(room, key, command.id, watcher)

        try:
            await room.ask(let_go)
        except Refused as error:
            self.refuse(watcher, error, command)
        finally:
            room.held = None

    async def undo(self, room: Room, who: Visitor, command: cmd.Undo, watcher: Watcher | None) -> None:
        """Take back, by writing that it was taken back."""
        mine = room.table.seats_of(who.id)
        key = own_id(mine, command.id)
        if self.acknowledged(room, key, command.id, watcher):
            return
        seat = rulings.acting_seat(room.table, mine)
        rulings.known_version(room.table, command.version)
        fact, earlier = rulings.undone(room.table, seat, command.turn, key)
        await room.writer.write(fact, match=earlier)
        self.acknowledged(room, key, command.id, watcher)

    def acknowledged(self, room: Room, key: str, id_: str, watcher: Watcher | None) -> bool:
        """Tell the sender what its choice became; False if there is no such."""
        n = room.table.ids.get(key)
        if n is None:
            return False
        if watcher is not None:
            watcher.tell(news.Ack(id=id_, n=n, version=n))
        return True

    # --- all other wishes -------------------------------------------------------------------------------------

    async def start(self, room: Room, who: Visitor, command: cmd.Start, watcher: Watcher | None) -> None:
        fact, match = rulings.start(room.table, who.id, self.process.means.rng)
        await room.writer.write(fact, match=match)

    async def say(self, room: Room, who: Visitor, command: cmd.Say, watcher: Watcher | None) -> None:
        """Chat: for all who gave a name and were not muted."""
        if who.id in room.table.muted or who.id in room.table.banned:
            raise Refused("muted")
        text = writing.line(command.text)
        mine = room.table.seats_of(who.id)
        at = self.process.means.time.now()
        line = ChatLine(room.table.id, 0, at, who.id, who.name, mine[0] if mine else None, text)
        try:
            said = await self.process.store.say(line)
        except Exception:  # perhaps it is there all the same
            room.writer.look(chat=True)
            raise
        if self.process.store.shared:
            self.process.spawn(self.process.announce("chat", room.table.id))
        if said.n > room.chat_n + 1:
            room.writer.look(chat=True)
        else:
            room.tell_chat([said])

    async def rematch(self, room: Room, who: Visitor, command: cmd.Rematch, watcher: Watcher | None) -> None:
        if not room.table.seats_of(who.id):
            raise Refused("not_seated")
        if room.table.status != OVER:
            raise Refused("not_over")
        table = await self.again(room, who)
        if watcher is not None:
            watcher.tell(news.Done(what="rematch", table=table))

    # --- questions --------------------------------------------------------------------------------------------

    def look(self, room: Room, visitor: Visitor | None, command: cmd.Look, watcher: Watcher) -> None:
        """Whose eyes: one's own seats at a hot seat; any when the match is over."""
        mine = room.table.seats_of(watcher.person)
        if command.seat is not None:
            if command.seat >= len(room.table.chairs):
                raise Refused("no_chair", chair=command.seat)
            if room.table.status != OVER and command.seat not in mine:
                raise Refused("not_yours")
        watcher.look = command.seat
        room.turn_eyes(watcher)
        watcher.tell(room.welcome(watcher))

    def explain(self, room: Room, visitor: Visitor | None, command: cmd.Explain, watcher: Watcher) -> None:
        """Only of one's own choice: what others could do is theirs to know."""
        seat = rulings.acting_seat(room.table, room.table.seats_of(known(visitor).id))
        match = rulings.playing(room.table)
        if command.text is not None:
            if match.actor != seat:
                raise Refused("illegal", "LF.2")
            try:
                rule = match.state.why_not(match.state.parse(command.text), seat)
            except NotationError as error:
                raise Refused("notation", text=command.text, reason=str(error.arguments["reason"])) from None
        else:
            rule = match.state.explain(seat, command.piece, command.place)
        watcher.tell(news.Why(rule=rule))

    def preview(self, room: Room, visitor: Visitor | None, command: cmd.Preview, watcher: Watcher) -> None:
        """For the one whose choice it is."""
        if room.table.match is not None:
            found = preview_of(room.table.match, watcher.seat if room.table.actor == watcher.seat else None)
            watcher.tell(news.PreviewNews(version=room.table.version, preview=found))

    def hint(self, room: Room, visitor: Visitor | None, command: cmd.Hint, watcher: Watcher) -> None:
        """The table goes on while a bot thinks; one hint at a time for each who asks."""
        who = known(visitor)
        seat = rulings.acting_seat(room.table, room.table.seats_of(who.id))
        rulings.known_version(room.table, command.version)
        match = rulings.playing(room.table)
        if match.actor != seat:
            raise Refused("illegal", "LF.2")
        if not watcher.wondering:
            watcher.wondering = True
            self.process.spawn(
                self.wonder(asked(match, seat, levels.ADVISER, self.process.means), match, command, watcher)
            )

    async def wonder(self, question: Question, match: Match, command: cmd.Hint, watcher: Watcher) -> None:
        """Let a bot think about somebody's choice."""
        try:
            action = await self.process.thinkers.choose(question, f"{watcher.person} {watcher.room.table.id}")
            text = match.state.notation(action)
            watcher.tell(news.HintNews(version=command.version, action=action, text=text, bot=question.code))
        except Exception:
            self.refuse(watcher, Refused("busy"), command)
        finally:
            watcher.wondering = False

    def events(self, room: Room, visitor: Visitor | None, command: cmd.Events, watcher: Watcher) -> None:
        if room.table.match is not None:
            events = events_from(room.table.match, command.since, watcher.seat)
            watcher.tell(news.EventsNews(first=command.since, events=events))

    def ping(self, room: Room, visitor: Visitor | None, command: cmd.Ping, watcher: Watcher) -> None:
        watcher.tell(news.Pong(n=room.table.seq))


def known(visitor: Visitor | None) -> Visitor:
    """Somebody who gave a name."""
    if visitor is None:
        raise Refused("nameless")
    return visitor


def own_id(seats: list[int], id_: str) -> str:
    """A message's id, made unlike any other player's."""
    return f"{seats[0] if seats else '-'}.{id_}"

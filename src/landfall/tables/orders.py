"""Carrying out commands: judged by `rulings`, written by the room, answered to the one who asked."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, get_args

from landfall.core.errors import NotationError
from landfall.match import Match
from landfall.store.rows import ChatLine
from landfall.tables import commands as cmd
from landfall.tables import levels, news, rulings
from landfall.tables.errors import Refused
from landfall.tables.room import Conflict, Room
from landfall.tables.sight import events_from, preview_of
from landfall.tables.table import OVER
from landfall.tables.thinkers import Question, asked
from landfall.tables.watcher import Visitor, Watcher

if TYPE_CHECKING:
    from landfall.tables.house import House

TRIES = 20  # how often another process may be quicker before one gives up


def refusal(error: Refused, command: Any, version: int | None) -> news.RefusedNews:
    """As a client is told."""
    return news.RefusedNews(
        code=error.code,
        key=error.key,
        args={k: v for k, v in error.arguments.items() if k != "version"},
        rule=error.rule,
        id=getattr(command, "id", None),
        version=version,
    )


class Orders:
    """One method a command that needs more than a ruling."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.special: dict[type, Callable[..., Awaitable[None]]] = {}
        for kind in get_args(cmd.AnyCommand):
            if hasattr(self, name := f"do_{kind.__name__.lower()}"):
                self.special[kind] = getattr(self, name)

    async def receive(self, watcher: Watcher, command: cmd.AnyCommand) -> None:
        """Carry out what a watcher sent; what is refused is told to it."""
        try:
            await self.carry_out(watcher.room, watcher.visitor, command, watcher)
        except Refused as error:
            watcher.tell(refusal(error, command, watcher.room.table.version))

    async def carry_out(
        self, room: Room, visitor: Visitor | None, command: cmd.AnyCommand, watcher: Watcher | None
    ) -> None:
        """Judge, write, answer; judge again if another process was quicker."""
        special = self.special.get(type(command))
        for _ in range(TRIES):
            try:
                async with room.lock:
                    if special is not None:
                        await special(room, visitor, command, watcher)
                    else:
                        await self.plain(room, visitor, command, watcher)
                    self.house.drive(room)
                return
            except Conflict:
                continue
        raise Refused("busy")

    async def plain(self, room: Room, visitor: Visitor | None, command: Any, watcher: Watcher | None) -> None:
        """Commands that are a ruling and nothing else."""
        who = known(visitor)
        table = room.table
        drafts: list[rulings.Draft]
        if isinstance(command, cmd.Sit):
            drafts = [rulings.sit(table, who.id, who.name, command)]
        elif isinstance(command, cmd.Bot | cmd.Free | cmd.Colour | cmd.Propose | cmd.Answer | cmd.Pace):
            judge = getattr(rulings, type(command).__name__.lower())
            drafts = [judge(table, who.id, command)]
        elif isinstance(command, cmd.Leave | cmd.Back | cmd.Resume):
            drafts = getattr(rulings, type(command).__name__.lower())(table, who.id)
        elif isinstance(command, cmd.Resign):
            drafts = rulings.resign(table, who.id, command)
        elif isinstance(command, cmd.Remove):
            drafts = rulings.remove(table, who.id, room.person_of(command.who))
        elif isinstance(command, cmd.Mute):
            drafts = [rulings.mute(table, who.id, room.person_of(command.who), command.on)]
        elif isinstance(command, cmd.Close):
            drafts = [rulings.close(table, who.id)]
        else:
            raise Refused("unknown")
        for draft in drafts:
            await room.write(draft)
        follows = rulings.agreed(room.table, self.house.means.time.now())
        if follows is not None:
            await room.write(*follows)
        if watcher is not None:
            watcher.tell(news.Done(what=type(command).__name__.lower()))

    # --- choices ----------------------------------------------------------------------------------------------

    async def do_play(self, room: Room, visitor: Visitor | None, command: cmd.Play, watcher: Watcher | None) -> None:
        """A choice: acknowledged once it is on disk, and again if it is sent again."""
        who, table, means = known(visitor), room.table, self.house.means
        if self.acknowledged(room, who, command.id, watcher):
            return
        seat = rulings.acting_seat(table, who.id)
        rulings.known_version(table, command.version)
        match = rulings.playing(table)
        action = rulings.judged(match, seat, command)
        key = own_id(table.seats_of(who.id), command.id)
        now = means.time.now()
        wait = table.asked_at + means.hold - now if match.state.hushed() else 0
        if wait <= 0:
            await self.commit(room, seat, action, key, None)
            self.acknowledged(room, who, command.id, watcher)
            return
        if room.held is not None and room.held[0] == table.version:
            if room.held[1] != key:
                raise Refused("held")
        else:
            room.held = table.version, key
            self.house.spawn(self.release(room, who, seat, action, command, now, wait, watcher))
        if watcher is not None:
            watcher.tell(news.Held(id=command.id, ms=wait))

    async def commit(self, room: Room, seat: int, action: int, key: str, decided: int | None) -> None:
        """Write a choice and the chance it brings."""
        (kind, data), after = rulings.played(rulings.playing(room.table), seat, action, self.house.means.rng)
        data["id"] = key
        if decided is not None:
            data["decided"] = decided
        await room.write((kind, data), after)

    async def release(
        self, room: Room, who: Visitor, seat: int, action: int, command: cmd.Play, decided: int, wait: int,
        watcher: Watcher | None,
    ) -> None:  # fmt: skip
        """Let a held answer go when its time has come."""
        await self.house.means.time.sleep(wait)
        key = own_id(room.table.seats_of(who.id), command.id)
        try:
            async with room.lock:
                room.held = None
                rulings.known_version(room.table, command.version)
                if rulings.acting_seat(room.table, who.id) != seat:
                    raise Refused("illegal", "LF.2")
                await self.commit(room, seat, action, key, decided)
                self.acknowledged(room, who, command.id, watcher)
                self.house.drive(room)
        except Conflict:
            self.refuse(watcher, Refused("stale", version=room.table.version), command, room)
        except Refused as error:
            self.refuse(watcher, error, command, room)

    def refuse(self, watcher: Watcher | None, error: Refused, command: Any, room: Room) -> None:
        if watcher is not None:
            watcher.tell(refusal(error, command, room.table.version))

    async def do_undo(self, room: Room, visitor: Visitor | None, command: cmd.Undo, watcher: Watcher | None) -> None:
        """Take back, by writing that it was taken back."""
        who = known(visitor)
        if self.acknowledged(room, who, command.id, watcher):
            return
        seat = rulings.acting_seat(room.table, who.id)
        rulings.known_version(room.table, command.version)
        (kind, data), earlier = rulings.undone(room.table, seat, command.turn)
        data["id"] = own_id(room.table.seats_of(who.id), command.id)
        await room.write((kind, data), earlier)
        self.acknowledged(room, who, command.id, watcher)

    def acknowledged(self, room: Room, who: Visitor, id_: str, watcher: Watcher | None) -> bool:
        """Tell the sender what its choice became; False if there is no such."""
        n = room.table.ids.get(own_id(room.table.seats_of(who.id), id_))
        if n is None:
            return False
        if watcher is not None:
            watcher.tell(news.Ack(id=id_, n=n, version=n))
        return True

    # --- all else ---------------------------------------------------------------------------------------------

    async def do_start(self, room: Room, visitor: Visitor | None, command: cmd.Start, watcher: Watcher | None) -> None:
        draft, match = rulings.start(room.table, known(visitor).id, self.house.means.rng)
        await room.write(draft, match)

    async def do_say(self, room: Room, visitor: Visitor | None, command: cmd.Say, watcher: Watcher | None) -> None:
        """Chat: for all who gave a name and were not muted."""
        who = known(visitor)
        if who.id in room.table.muted or who.id in room.table.banned:
            raise Refused("muted")
        text = "".join(c for c in command.text if c.isprintable()).strip()
        if not text:
            raise Refused("empty")
        mine = room.table.seats_of(who.id)
        at = self.house.means.time.now()
        line = ChatLine(room.table.id, 0, at, who.id, who.name, mine[0] if mine else None, text)
        said = await self.house.store.say(line)
        if self.house.store.shared:
            await self.house.store.notify("chat", room.table.id)
        if said.n > room.chat_n + 1:
            await self.tell_chat(room)
        else:
            room.chat_n = said.n
            room.broadcast(room.chat_news(said))

    async def catch_up_chat(self, room: Room) -> None:
        """What was said in other processes."""
        async with room.lock:
            await self.tell_chat(room)

    async def tell_chat(self, room: Room) -> None:
        for line in await self.house.store.chat(room.table.id, room.chat_n):
            room.chat_n = line.n
            room.broadcast(room.chat_news(line))

    async def do_look(self, room: Room, visitor: Visitor | None, command: cmd.Look, watcher: Watcher | None) -> None:
        """Whose eyes: one's own seats at a hot seat; any when the match is over."""
        if watcher is None:
            return
        mine = room.table.seats_of(watcher.person)
        if command.seat is not None:
            if command.seat >= len(room.table.chairs):
                raise Refused("no_chair", chair=command.seat)
            if room.table.status != OVER and command.seat not in mine:
                raise Refused("not_yours")
        watcher.look = command.seat
        room.turn_eyes(watcher)
        watcher.tell(room.welcome(watcher))

    async def do_rematch(
        self, room: Room, visitor: Visitor | None, command: cmd.Rematch, watcher: Watcher | None
    ) -> None:
        who = known(visitor)
        if not room.table.seats_of(who.id):
            raise Refused("not_seated")
        if room.table.status != OVER:
            raise Refused("not_over")
        table = await self.house.rematch(room, who.id)
        if watcher is not None:
            watcher.tell(news.Done(what="rematch", table=table))

    async def do_explain(
        self, room: Room, visitor: Visitor | None, command: cmd.Explain, watcher: Watcher | None
    ) -> None:
        """Only of one's own choice: what others could do is theirs to know."""
        seat = rulings.acting_seat(room.table, known(visitor).id)
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
        if watcher is not None:
            watcher.tell(news.Why(rule=rule))

    async def do_preview(
        self, room: Room, visitor: Visitor | None, command: cmd.Preview, watcher: Watcher | None
    ) -> None:
        """For the one whose choice it is."""
        if watcher is not None and room.table.match is not None:
            found = preview_of(room.table.match, watcher.seat if room.table.actor == watcher.seat else None)
            watcher.tell(news.PreviewNews(version=room.table.version, preview=found))

    async def do_hint(self, room: Room, visitor: Visitor | None, command: cmd.Hint, watcher: Watcher | None) -> None:
        """Asked outside the lock: the table goes on while a bot thinks, one hint at a time for each who asks."""
        who = known(visitor)
        seat = rulings.acting_seat(room.table, who.id)
        rulings.known_version(room.table, command.version)
        match = rulings.playing(room.table)
        if match.actor != seat:
            raise Refused("illegal", "LF.2")
        if watcher is not None and not watcher.wondering:
            watcher.wondering = True
            self.house.spawn(self.wonder(asked(match, seat, levels.ADVISER, self.house.means), match, command, watcher))

    async def wonder(self, question: Question, match: Match, command: cmd.Hint, watcher: Watcher) -> None:
        """Let a bot think about somebody's choice."""
        try:
            action = await self.house.thinkers.choose(question, f"{watcher.person} {watcher.room.table.id}")
            text = match.state.notation(action)
            watcher.tell(news.HintNews(version=command.version, action=action, text=text, bot=question.code))
        finally:
            watcher.wondering = False

    async def do_events(
        self, room: Room, visitor: Visitor | None, command: cmd.Events, watcher: Watcher | None
    ) -> None:
        if watcher is None or room.table.match is None:
            return
        events = events_from(room.table.match, command.since, watcher.seat)
        watcher.tell(news.EventsNews(first=command.since, events=events))

    async def do_ping(self, room: Room, visitor: Visitor | None, command: cmd.Ping, watcher: Watcher | None) -> None:
        if watcher is not None:
            watcher.tell(news.Pong(n=room.table.seq))


def known(visitor: Visitor | None) -> Visitor:
    """Somebody who gave a name."""
    if visitor is None:
        raise Refused("nameless")
    return visitor


def own_id(seats: list[int], id_: str) -> str:
    """A message's id, made unlike any other player's."""
    return f"{seats[0] if seats else '-'}.{id_}"

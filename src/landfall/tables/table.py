"""A table is its log: this folds the entries, one after the other, into who sits where and how the match stands.

Folding decides nothing; `rulings` decides what may be written, and `opening` tells of a log that cannot be folded.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from typing import Any, Final

from landfall.core.rng import Rng, SystemRng
from landfall.core.state import OVER as MATCH_OVER
from landfall.games import game as find_game
from landfall.match import Match
from landfall.store.rows import GONE, Entry, Head, nobody
from landfall.tables.clocks import DAYS, ClockRule, Clocks

GATHERING: Final = "gathering"
PLAYING: Final = "playing"
OVER: Final = "over"
LEFT: Final = "left"
OUT_OF_TIME: Final = "time"
REMOVED: Final = "removed"
RESIGNED: Final = "resigned"
NORMAL: Final = "normal"
ABOUT_PLAY: Final = ("play", "undo", "end", "pause", "resume")  # entries that leave who sits where as it was
PACES: Final = {"slow": 2.5, NORMAL: 1.0, "quick": 0.25}  # times the house's own pace


def handle(person: str, table: str) -> str:
    """A public name for a person's id at a table: tells nothing at any other."""
    return hashlib.blake2b(person.encode(), key=table.encode()[:64], digest_size=6).hexdigest()


@dataclass
class Chair:
    """One place at the table: free, a person's, or a bot's. Once the match has begun its number is its seat."""

    person: str | None = None
    name: str = ""
    bot: str | None = None
    colour: str | None = None
    away: str | None = None  # why a stand-in plays: left, time, removed, resigned
    kept: str | None = None  # for whom a free one is kept: their handle at the table before

    @property
    def free(self) -> bool:
        return self.person is None and self.bot is None

    @property
    def gone(self) -> bool:
        """Whether it was somebody's who was forgotten since."""
        return self.person is not None and self.person.startswith(GONE)

    @property
    def plays_itself(self) -> bool:
        """Whether a person makes the choices."""
        return self.person is not None and self.away is None


@dataclass
class Proposal:
    """Something all people at the table must agree to."""

    what: str  # abandon, takeback, pause
    by: str
    agreed: set[str]
    to: int = 0  # takeback: how many lines of the log stay
    version: int = 0  # what it was proposed at: a choice made since ends it


@dataclass
class Terms:
    """What was said when the table was made; but `rules` are those it is played by, today's: see `opening`."""

    game: str
    players: int
    options: dict[str, object]
    rules: int
    owner: str
    public: bool
    clock: ClockRule
    seating: str
    hot_seat: bool
    previous: str | None
    created: int


@dataclass
class Table:
    """Everything the log says."""

    id: str
    rng: Rng = field(default_factory=SystemRng)
    seq: int = 0  # of the last entry
    version: int = 0  # of the last entry that changed the position
    asked_at: int = 0  # when that was
    status: str = GATHERING
    ended: str | None = None  # why it is over: finished, abandoned, resigned, closed
    paused: bool = False
    rests: bool = False  # the pause was agreed to: it ends when somebody who plays says so
    pace: str = NORMAL
    chairs: list[Chair] = field(default_factory=list)
    match: Match | None = None
    proposal: Proposal | None = None
    muted: set[str] = field(default_factory=set)
    banned: set[str] = field(default_factory=set)
    removed: set[str] = field(default_factory=set)  # those of them who were playing: they keep their say
    ids: dict[str, int] = field(default_factory=dict)  # of choices: what each became, so that a resend is known
    successor: str | None = None  # where it is played again
    successor_by: int | None = None  # the seat of who asked for that
    people: set[str] = field(default_factory=set)
    marks: list[tuple[int, int]] = field(default_factory=list)  # after which entry there were how many events
    last_at: int = 0
    actor: int | None = None  # whose choice it is
    terms: Terms = field(init=False)
    clocks: Clocks = field(init=False)

    # --- folding ----------------------------------------------------------------------------------------------

    def fork(self, same_people: bool = False) -> Table:
        """A copy to try entries on; where it stays who sits where, that is shared.

        The match is shared: entries are adopted with the match that they lead to.
        """
        other = Table.__new__(Table)
        other.__dict__.update(self.__dict__)
        if not same_people:
            other.chairs = [Chair(c.person, c.name, c.bot, c.colour, c.away, c.kept) for c in self.chairs]
            other.muted, other.banned, other.people = set(self.muted), set(self.banned), set(self.people)
            other.removed = set(self.removed)
        if self.proposal is not None:
            other.proposal = replace(self.proposal, agreed=set(self.proposal.agreed))
        other.ids, other.marks = self.ids.copy(), self.marks.copy()
        c = self.clocks
        other.clocks = Clocks(c.rule, c.banks.copy(), c.seat, c.left, c.since)
        return other

    def adopt(self, entry: Entry, match: Match | None = None) -> None:
        """Take one entry in. `match`, if given, is the match as this entry leaves it: not played a second time."""
        getattr(self, f"on_{entry.kind}")(entry, entry.data, match)
        self.seq = entry.seq
        self.last_at = entry.at
        self.actor = self.asked()

    def moved(self, entry: Entry, decided: int | None = None) -> None:
        """The position is another one."""
        assert self.match is not None
        self.version = entry.seq
        self.asked_at = entry.at
        self.marks.append((entry.seq, len(self.match.state.events or [])))
        if self.proposal is not None:
            self.proposal = None
        self.clocks.stop(entry.at if decided is None else decided)
        if self.match.actor == MATCH_OVER and self.status == PLAYING:
            self.status, self.ended = OVER, "finished"
        self.wind(entry.at)

    def wind(self, at: int) -> None:
        """Let the clock run for whoever is to choose, if a person is."""
        actor = self.asked()
        if self.status == PLAYING and not self.paused and actor is not None and self.chairs[actor].plays_itself:
            self.clocks.run(actor, at)
        else:
            self.clocks.stop(at)

    def on_create(self, entry: Entry, data: dict[str, Any], _: Match | None) -> None:
        self.terms = Terms(
            game=data["game"],
            players=data["players"],
            options=data["options"],
            rules=find_game(data["game"]).rules_version,
            owner=data["owner"],
            public=data["public"],
            clock=ClockRule(**data["clock"]),
            seating=data["seating"],
            hot_seat=data["hot_seat"],
            previous=data.get("previous"),
            created=entry.at,
        )
        self.clocks = Clocks(self.terms.clock)
        self.pace = data.get("pace", NORMAL)
        self.chairs = [Chair(**chair) for chair in data["chairs"]]
        self.people.update(c.person for c in self.chairs if c.person)
        if data.get("lines"):
            self.match = self.replayed(data["lines"])
            self.version = entry.seq
            if self.match.actor == MATCH_OVER:
                self.status, self.ended = OVER, "finished"

    def on_sit(self, entry: Entry, data: dict[str, Any], _: Match | None) -> None:
        chair = self.chairs[data["chair"]]
        chair.person, chair.name, chair.bot, chair.away, chair.kept = data["person"], data["name"], None, None, None
        self.people.add(data["person"])

    def on_bot(self, entry: Entry, data: dict[str, Any], _: Match | None) -> None:
        self.chairs[data["chair"]] = Chair(bot=data["code"], colour=self.chairs[data["chair"]].colour)

    def on_stand(self, entry: Entry, data: dict[str, Any], _: Match | None) -> None:
        self.chairs[data["chair"]] = Chair()

    def on_colour(self, entry: Entry, data: dict[str, Any], _: Match | None) -> None:
        self.chairs[data["chair"]].colour = data["colour"]

    def on_start(self, entry: Entry, data: dict[str, Any], match: Match | None) -> None:
        self.chairs = [self.chairs[i] for i in data["order"]]
        for chair, colour in zip(self.chairs, data["colours"]):
            chair.colour = colour
        self.status = PLAYING
        if self.match is None:
            self.match = match or self.replayed(data["acts"])
        else:
            self.match = self.match.fork()
        self.match.seats = [chair.name or chair.bot or "" for chair in self.chairs]
        self.clocks.begin(self.terms.players)
        self.moved(entry)

    def on_play(self, entry: Entry, data: dict[str, Any], match: Match | None) -> None:
        if match is None:
            assert self.match is not None
            follow(self.match, data["acts"])
        else:
            self.match = match
        if data.get("id"):
            self.ids[data["id"]] = entry.seq
        self.moved(entry, data.get("decided"))

    def on_undo(self, entry: Entry, data: dict[str, Any], match: Match | None) -> None:
        assert self.match is not None
        self.match = match or self.match.shortened(data["to"])
        if data.get("id"):
            self.ids[data["id"]] = entry.seq
        self.moved(entry)

    def on_leave(self, entry: Entry, data: dict[str, Any], _: Match | None) -> None:
        chair = self.chairs[data["seat"]]
        if data["why"] == REMOVED and chair.person is not None:
            self.banned.add(chair.person)
            if chair.plays_itself and not chair.gone:
                self.removed.add(chair.person)
        chair.away = data["why"]
        self.wind(entry.at)

    def on_back(self, entry: Entry, data: dict[str, Any], _: Match | None) -> None:
        self.chairs[data["seat"]].away = None
        self.wind(entry.at)

    def on_propose(self, entry: Entry, data: dict[str, Any], _: Match | None) -> None:
        self.proposal = Proposal(data["what"], data["by"], {data["by"]}, data.get("to", 0), self.version)

    def on_answer(self, entry: Entry, data: dict[str, Any], _: Match | None) -> None:
        if self.proposal is not None:
            if data["yes"]:
                self.proposal.agreed.add(data["person"])
            else:
                self.proposal = None

    def on_end(self, entry: Entry, data: dict[str, Any], _: Match | None) -> None:
        self.status, self.ended = OVER, data["why"]
        self.proposal = None
        self.clocks.stop(entry.at)

    def on_pause(self, entry: Entry, data: dict[str, Any], _: Match | None) -> None:
        self.clocks.stop(data["since"])
        self.paused, self.rests = True, bool(data.get("agreed"))
        self.proposal = None

    def on_resume(self, entry: Entry, data: dict[str, Any], _: Match | None) -> None:
        self.paused = self.rests = False
        self.asked_at = max(self.asked_at, entry.at)
        self.wind(entry.at)

    def on_mute(self, entry: Entry, data: dict[str, Any], _: Match | None) -> None:
        (self.muted.add if data["on"] else self.muted.discard)(data["person"])

    def on_pace(self, entry: Entry, data: dict[str, Any], _: Match | None) -> None:
        self.pace = data["pace"]

    def on_ban(self, entry: Entry, data: dict[str, Any], _: Match | None) -> None:
        self.banned.add(data["person"])

    def on_rematch(self, entry: Entry, data: dict[str, Any], _: Match | None) -> None:
        self.successor, self.successor_by = data["table"], data.get("seat")

    def forget(self, person: str) -> str:
        """Somebody was forgotten, and is nobody in the log already: who they are here from now on."""
        alias = nobody(self.id, person)
        for seat, chair in enumerate(self.chairs):
            if chair.person == person:
                chair.person, chair.name = alias, ""
                if self.match is not None and seat < len(self.match.seats):
                    self.match.seats[seat] = ""
        for some in (self.people, self.muted, self.banned):
            if person in some:
                some.discard(person)
                some.add(alias)
        self.removed.discard(person)
        if self.terms.owner == person:
            self.terms.owner = alias
        if self.proposal is not None and person in {self.proposal.by, *self.proposal.agreed}:
            self.proposal = None
        return alias

    # --- asking -----------------------------------------------------------------------------------------------

    def asked(self) -> int | None:
        """Whose choice it is; None if nobody's."""
        if self.status != PLAYING or self.match is None:
            return None
        actor = self.match.actor
        return actor if actor >= 0 else None

    @property
    def waits_for_bot(self) -> bool:
        """Whether a bot or a stand-in is to choose, and may."""
        actor = self.actor
        return actor is not None and not self.paused and not self.chairs[actor].plays_itself

    def events_after(self, seq: int) -> int:
        """The number of the first event that one who knows the log up to `seq` has not seen as it stands now."""
        least = len(self.match.state.events or []) if self.match is not None else 0
        for at, count in reversed(self.marks):
            least = min(least, count)
            if at <= seq:
                return least
        return 0

    def seats_of(self, person: str | None) -> list[int]:
        """The chairs that are somebody's; at a hot seat there may be several."""
        return [i for i, c in enumerate(self.chairs) if c.person == person] if person is not None else []

    def kept_for(self, person: str) -> list[int]:
        """The chairs that wait for somebody who played at the table before."""
        before = self.terms.previous
        mine = handle(person, before) if before is not None else None
        return [i for i, c in enumerate(self.chairs) if c.kept is not None and c.kept == mine]

    def voters(self, what: str = "") -> set[str]:
        """Those who must agree: all people who make choices here.

        To take back or to abandon, also whoever the owner removed while they played: what they did would be undone,
        and nobody shall need fewer to agree by sending away who does not. They may still answer, and the owner may
        close the table, which says so.
        """
        there = {c.person for c in self.chairs if c.person is not None and c.away is None}
        return there | self.removed if what in ("takeback", "abandon") else there

    def replayed(self, lines: list[str]) -> Match:
        """A match from its log alone."""
        terms = self.terms
        match = Match.blank(find_game(terms.game), terms.players, terms.options, [], self.rng)
        follow(match, lines)
        return match

    def summary(self) -> Head:
        """As a lobby or a history lists it."""
        deadline = None
        if self.terms.clock.mode == DAYS:  # when somebody has to look after the table: at once, if a bot is to play
            deadline = self.last_at if self.waits_for_bot else self.clocks.deadline()
        info: dict[str, Any] = {
            "players": self.terms.players,
            "options": self.terms.options,
            "clock": self.terms.clock.mode,
            "ended": self.ended,
            "chairs": [c.name if c.person else c.bot for c in self.chairs],
            "people": [c.person for c in self.chairs],
        }
        if self.status == OVER and self.ended == "finished" and self.match is not None:
            info["ranking"] = self.match.state.ranking()
        h = self.terms
        return Head(
            self.id, h.game, h.rules, self.status, h.public, h.owner, h.created, self.last_at, deadline, info,
            sorted(self.people),
        )  # fmt: skip


def follow(match: Match, lines: list[str]) -> None:
    """Carry out lines of a log; RecordError at one that the rules do not allow."""
    for line in lines:
        match.replay_line(line, len(match.log) + 1)


def folded(table: str, entries: list[Entry], rng: Rng) -> Table:
    """A table from its whole log."""
    found = Table(table, rng)
    for entry in entries:
        found.adopt(entry)
    return found

"""Folds a tournament's log: who is in, the rounds, and what is due when. It decides nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final, assert_never

from landfall.store.row_types import FORGOTTEN_PREFIX
from landfall.store.tournament_events import (
    DivisionsSet,
    PlayerCheckedIn,
    PlayerJoined,
    PlayerLeft,
    PlayerRemoved,
    ResultRecorded,
    RoundPaired,
    TournamentBegun,
    TournamentCancelled,
    TournamentEvent,
    TournamentFinished,
    TournamentOpened,
)
from landfall.tables.log.clocks import DAYS_CLOCK, LIVE_CLOCK, ClockRule
from landfall.tables.matchmaking.search_log import PACES as SEARCH_PACES
from landfall.tables.tournaments.round_pairing import Entrant
from landfall.tables.tournaments.standings import FinishedTable, Score, compute_standings, rank_scores

PACES: Final = {
    "five": ClockRule(LIVE_CLOCK, turn=5, bank=300),
    "ten": ClockRule(LIVE_CLOCK, turn=10, bank=600),
    **SEARCH_PACES,
}
EVENING, LEAGUE = "evening", "league"
OPEN, RUNNING, OVER, CANCELLED = "open", "running", "over", "cancelled"
HERE, AWAY, GONE = "here", "away", "gone"  # plays in the next round; has yet to check in; has left
CHECK_IN_MS: Final = 600_000  # before the start, when it is asked who is here
WEEK_MS: Final = 7 * 86_400_000
MISSED_WEEKS: Final = 2  # matches of a league without a choice after which somebody pauses


@dataclass
class Player:
    """Somebody who joined."""

    person: str
    name: str
    state: str
    missed: int = 0  # matches without a choice, one after the other


@dataclass
class RoundTable:
    """A table of a round."""

    id: str
    people: list[str | None]
    result: ResultRecorded | None = None


@dataclass
class Round:
    """The tables of a round, and who rests."""

    number: int
    at: int
    tables: list[RoundTable]
    byes: list[str]

    @property
    def unfinished_tables(self) -> list[RoundTable]:
        return [table for table in self.tables if table.result is None]

    def finished_tables(self) -> list[FinishedTable]:
        results = [(table.people, table.result) for table in self.tables if table.result is not None]
        return [FinishedTable(people, result.places, result.absent) for people, result in results]


@dataclass
class Tournament:
    """The folded state of a log."""

    id: str
    seq: int = 0
    status: str = OPEN
    why: str = ""  # of a cancelled one
    players: dict[str, Player] = field(default_factory=dict)  # in the order of joining
    barred: set[str] = field(default_factory=set)
    divisions: list[list[str]] = field(default_factory=list)  # of a league: the highest first; or none
    rounds: list[Round] = field(default_factory=list)
    begun: int = 0  # when
    last_result: int = 0  # its time
    last_at: int = 0
    encoded: bytes | None = None  # as everybody sees it, if somebody has asked since the last event
    terms: TournamentOpened = field(init=False)

    def apply_event(self, seq: int, at: int, event: TournamentEvent | None) -> None:
        """Apply one event; None is one that only a newer release knows."""
        self.seq, self.last_at, self.encoded = seq, at, None
        match event:
            case None:
                pass
            case TournamentOpened():
                self.terms = event
            case PlayerJoined(person, name, here):
                state = HERE if here or not self.needs_check_in else AWAY
                self.players[person] = Player(person, name, GONE if person.startswith(FORGOTTEN_PREFIX) else state)
                if self.divisions and self.division_of_person(person) is None:
                    self.divisions = [*self.divisions[:-1], [*self.divisions[-1], person]]
            case PlayerCheckedIn(person):
                if person in self.players and self.players[person].state == AWAY:
                    self.players[person].state, self.players[person].missed = HERE, 0
            case PlayerLeft(person) | PlayerRemoved(person):
                if isinstance(event, PlayerRemoved) and event.barred:
                    self.barred = {*self.barred, person}
                if self.status == OPEN:
                    self.players.pop(person, None)
                elif person in self.players:
                    self.players[person].state = GONE
            case TournamentBegun(everyone):
                self.status, self.begun = RUNNING, at
                for player in self.players.values():
                    if everyone and player.state == AWAY:
                        player.state = HERE
            case DivisionsSet(people):
                self.divisions = people
            case RoundPaired(number, tables, byes):
                self.rounds.append(Round(number, at, [RoundTable(one.table, one.people) for one in tables], byes))
            case ResultRecorded(table):
                self.apply_result(table, event, at)
            case TournamentFinished():
                self.status = OVER
            case TournamentCancelled(why):
                self.status, self.why = CANCELLED, why
            case _:
                assert_never(event)

    def apply_result(self, table: str, event: ResultRecorded, at: int) -> None:
        found = self.find_table(table)
        if found is None or found.result is not None:
            return
        found.result, self.last_result = event, at
        most = MISSED_WEEKS if self.terms.form == LEAGUE else 1
        for seat, person in enumerate(found.people):
            if person is None:
                continue
            player = self.players[person]
            player.missed = player.missed + 1 if seat in event.absent else 0
            if player.missed >= most and player.state == HERE:  # plays again after checking in
                player.state = AWAY

    # --- queries ----------------------------------------------------------------------------------------------

    @property
    def clock_rule(self) -> ClockRule:
        return PACES[self.terms.pace]

    @property
    def needs_check_in(self) -> bool:
        """Whether it is asked who is here: not by days."""
        return self.clock_rule.mode != DAYS_CLOCK

    @property
    def active_players(self) -> list[Player]:
        """Those who have not left."""
        return [player for player in self.players.values() if player.state != GONE]

    @property
    def ready_player_ids(self) -> list[str]:
        """Those who play in the next round."""
        return [player.person for player in self.players.values() if player.state == HERE]

    @property
    def unfinished_tables(self) -> list[RoundTable]:
        """The tables whose result is not known."""
        return [table for one in self.rounds for table in one.unfinished_tables]

    def find_table(self, table: str) -> RoundTable | None:
        return next((one for round_ in self.rounds for one in round_.tables if one.id == table), None)

    def unfinished_table_of_person(self, person: str) -> RoundTable | None:
        """The last table of somebody whose result is not known."""
        return next((one for one in reversed(self.unfinished_tables) if person in one.people), None)

    def division_of_person(self, person: str) -> int | None:
        """The number of somebody's division; None: there are none."""
        return next((n for n, people in enumerate(self.divisions) if person in people), None)

    def compute_standings(self, rounds: int | None = None) -> list[Score]:
        """As they are now, or after so many rounds, the highest division first. Tables that are not finished do not
        count. Places are those in a division."""
        return [score for division in self.compute_standings_by_division(rounds) for score in division]

    def compute_standings_by_division(self, rounds: int | None = None) -> list[list[Score]]:
        """The standings of each division; of all together, if there are none."""
        counted = self.rounds if rounds is None else self.rounds[:rounds]
        played = [(round_.finished_tables(), round_.byes) for round_ in counted]
        scores = compute_standings(self.players, self.terms.size, played)
        if not self.divisions:
            return [scores]
        return [rank_scores(score for score in scores if score.person in people) for people in self.divisions]

    def ready_player_ids_by_division(self) -> list[list[str]]:
        """Those who play in the next round."""
        ready = self.ready_player_ids
        if not self.divisions:
            return [ready]
        return [[person for person in ready if person in people] for people in self.divisions]

    def entrants_by_division(self) -> list[list[Entrant]]:
        """Those who play in the next round by division, in the order of the standings."""
        seats = {person: [0] * self.terms.size for person in self.players}
        met: dict[str, dict[str, int]] = {person: {} for person in self.players}
        byes = dict.fromkeys(self.players, 0)
        for round_ in self.rounds:
            for resting in round_.byes:
                byes[resting] += 1
            for table in round_.tables:
                for seat, person in enumerate(table.people):
                    if person is not None:
                        seats[person][seat] += 1
                        for other in table.people:
                            if other is not None and other != person:
                                met[person][other] = met[person].get(other, 0) + 1
        ready = set(self.ready_player_ids)
        return [
            [
                Entrant(one.person, one.points, tuple(seats[one.person]), met[one.person], byes[one.person])
                for one in division
                if one.person in ready
            ]
            for division in self.compute_standings_by_division()
        ]

    def next_round_at(self) -> int | None:
        """When the next round begins; None: it is not known yet, or there is none."""
        if self.status == OPEN:
            return self.terms.starts
        if self.status != RUNNING or len(self.rounds) >= self.terms.rounds:
            return None
        if self.terms.form == LEAGUE or not self.rounds:
            return self.begun + len(self.rounds) * WEEK_MS
        return None if self.unfinished_tables else max(self.last_result, self.rounds[-1].at) + self.terms.rest * 1000

    @property
    def are_all_rounds_over(self) -> bool:
        """Whether all rounds are over."""
        return self.status == RUNNING and len(self.rounds) >= self.terms.rounds and not self.unfinished_tables

    def to_list_entry(self) -> dict[str, Any]:
        """What a list shows; it contains no names of people."""
        t = self.terms
        return {
            "title": t.title, "game": t.game, "size": t.size, "rounds": t.rounds, "pace": t.pace, "form": t.form,
            "rated": t.rated, "starts": t.starts, "most": t.most, "status": self.status, "round": len(self.rounds),
            "people": len(self.active_players) if self.status == OPEN else len(self.players),
        }  # fmt: skip

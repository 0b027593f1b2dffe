"""Endpoints about tournaments: lists, and one tournament as its page shows it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Annotated, Final, Literal

import msgspec

from landfall.api.types import Body, Caller, GameName, Options, TableSize, make_field_documentation
from landfall.store.tournament_events import TournamentHead
from landfall.tables.protocol.commands import Bounds
from landfall.tables.tournaments.decisions import (
    MAX_AGE_DAYS,
    MAX_PLAYERS,
    MAX_REST_S,
    MAX_ROUNDS,
    TournamentConfig,
)
from landfall.tables.tournaments.director import Director
from landfall.tables.tournaments.standings import UNIT, points_by_place, points_by_seat, points_for_bye
from landfall.tables.tournaments.tournament_log import (
    CHECK_IN_MS,
    OPEN,
    OVER,
    RUNNING,
    Round,
    RoundTable,
    Tournament,
)

MAX_LISTED: Final = 50
MAX_CANDIDATES: Final = 500  # from which these are chosen
MAX_PAST: Final = 20
Pace = Literal["five", "ten", "quarter", "day", "three_days", "week"]


@dataclass(kw_only=True)
class TournamentBody(Body):
    """A tournament as you want it."""

    title: Annotated[str, Bounds(1, 240)] = field(metadata=make_field_documentation(examples=["Sunday Sail"]))
    game: GameName = field(metadata=make_field_documentation(examples=["survive"]))
    options: Options = field(default_factory=dict, metadata=make_field_documentation(examples=[{"dolphins": True}]))
    size: TableSize = field(metadata=make_field_documentation("Players at a table.", examples=[4]))
    rounds: Annotated[int, Bounds(1, MAX_ROUNDS)] = field(metadata=make_field_documentation(examples=[5]))
    pace: Pace = field(
        default="quarter", metadata=make_field_documentation("Minutes on each clock, or days for each turn.")
    )
    form: Literal["evening", "league"] = field(
        default="evening", metadata=make_field_documentation("A round follows the one before, or begins each week.")
    )
    starts: Annotated[int, Bounds(0, 2**53)] = field(metadata=make_field_documentation("Milliseconds since 1970."))
    rated: bool = False
    fill: Literal["bots", "smaller", "byes"] = field(
        default="smaller", metadata=make_field_documentation("What becomes of an incomplete table.")
    )
    rest: Annotated[int, Bounds(0, MAX_REST_S)] = field(
        default=300, metadata=make_field_documentation("Seconds between two rounds.")
    )
    least: Annotated[int, Bounds(0, MAX_PLAYERS)] = field(
        default=0, metadata=make_field_documentation("Players without whom it does not begin; 0: as few as can play.")
    )
    most: Annotated[int, Bounds(2, MAX_PLAYERS)] = 64
    listed: bool = field(default=True, metadata=make_field_documentation("Otherwise only who has the link finds it."))
    after: Annotated[str, Bounds(0, 64)] = field(
        default="",
        metadata=make_field_documentation(
            "Of a league: the season before it, by whose standings its divisions are set."
        ),
    )

    accounts: bool = field(default=False, metadata=make_field_documentation("Only users with accounts join."))
    age: Annotated[int, Bounds(0, MAX_AGE_DAYS)] = field(
        default=0, metadata=make_field_documentation("Days that an account must have existed for.")
    )

    def to_config(self) -> TournamentConfig:
        return TournamentConfig(**vars(self))


@dataclass(kw_only=True)
class RemovalBody(Body):
    """A player whom the organiser removes."""

    player: Annotated[int, Bounds(0, 100_000)] = field(metadata=make_field_documentation("Index of a player."))
    name: Annotated[str, Bounds(0, 240)] = field(metadata=make_field_documentation(examples=["Ana"]))
    barred: bool = field(default=False, metadata=make_field_documentation("Whether they cannot join again."))


@dataclass(kw_only=True)
class NewTournament:
    """A new tournament."""

    tournament: str = field(metadata=make_field_documentation("Its id.", examples=["q3nN0m1cXlTtVbQp0Jx8Zg"]))


@dataclass(kw_only=True)
class TournamentListing:
    """A tournament in a list."""

    id: str
    title: str
    game: str
    size: int
    rounds: int
    pace: str
    form: str
    rated: bool
    starts: int
    most: int
    status: Literal["open", "running", "over", "cancelled"]
    round: int = field(metadata=make_field_documentation("The last one that began."))
    people: int
    you: bool = field(default=False, metadata=make_field_documentation("Whether you are in it."))
    yours: bool = field(default=False, metadata=make_field_documentation("Whether you opened it."))
    podium: list[list[str]] = field(
        default_factory=list,
        metadata=make_field_documentation("Of the latest that is over: names by place; empty for a deleted account."),
    )


@dataclass(kw_only=True)
class TournamentLists:
    """The tournaments of a server."""

    now: list[TournamentListing]
    soon: list[TournamentListing]
    past: list[TournamentListing] = field(metadata=make_field_documentation("The latest first."))
    may_open: bool = field(metadata=make_field_documentation("Whether you may open one."))


@dataclass(kw_only=True)
class TournamentPlayer:
    """Somebody who joined, in the order of joining. The name is empty for a deleted account."""

    name: str
    state: Literal["here", "away", "gone"] = field(
        metadata=make_field_documentation("Plays in the next round; has yet to check in; has left.")
    )
    division: int | None = field(
        default=None, metadata=make_field_documentation("Of a league: 0 is the highest; null: there are none.")
    )


@dataclass(kw_only=True)
class TournamentSeat:
    """A seat at a table."""

    player: int | None = field(metadata=make_field_documentation("Index of a player; null: a bot."))
    place: int | None = None
    points: float | None = None


@dataclass(kw_only=True)
class TournamentTable:
    """A table of a round."""

    table: str
    done: bool
    seats: list[TournamentSeat]


@dataclass(kw_only=True)
class TournamentRound:
    """A round."""

    number: int
    at: int
    tables: list[TournamentTable]
    byes: list[int] = field(metadata=make_field_documentation("Indices of players who rest."))


@dataclass(kw_only=True)
class StandingInfo:
    """A line of the standings."""

    player: int
    place: int = field(metadata=make_field_documentation("In a league with divisions that in one's own."))
    points: float
    opponents: float = field(
        metadata=make_field_documentation("The sum of the points of all opponents: the first tie-break.")
    )
    firsts: int = field(metadata=make_field_documentation("First places: the second tie-break."))
    rose: int = field(metadata=make_field_documentation("By so many places since the last round."))
    places: list[int] = field(
        metadata=make_field_documentation("In the order of the rounds; 0: rested, or without a result.")
    )


@dataclass(kw_only=True)
class TournamentInfo:
    """Everything about a tournament but what is yours alone."""

    id: str
    title: str
    opener: str
    game: str
    options: Options
    size: int
    rounds: int
    pace: str
    form: str
    starts: int
    check_in: int | None = field(
        metadata=make_field_documentation("From when one can check in; null: there is no need to.")
    )
    rated: bool
    fill: str
    rest: int
    least: int
    most: int
    listed: bool
    accounts: bool
    age: int
    status: Literal["open", "running", "over", "cancelled"]
    why: str = field(metadata=make_field_documentation("Why it was called off: cancelled or too_few."))
    next: int | None = field(metadata=make_field_documentation("When the next round begins, if that is known."))
    points: list[float] = field(metadata=make_field_documentation("By place."))
    bye: float = field(metadata=make_field_documentation("What a rest scores."))
    players: list[TournamentPlayer]
    played: list[TournamentRound]
    standings: list[StandingInfo]


@dataclass(kw_only=True)
class TournamentYou:
    """What a tournament is to you."""

    player: int | None = field(
        metadata=make_field_documentation("Your index among the players; null: you never joined.")
    )
    state: Literal["here", "away", "gone"] | None
    table: str | None = field(metadata=make_field_documentation("Where you play now."))
    opened: bool = field(metadata=make_field_documentation("Whether you may begin and cancel it."))
    after: str = field(
        metadata=make_field_documentation(
            "Of a league: the season before it, if that is listed or you were there; or empty."
        )
    )


@dataclass(kw_only=True)
class TournamentPage:
    """A tournament, and what it is to you."""

    tournament: TournamentInfo
    you: TournamentYou


def choose_listed(heads: list[TournamentHead], address_of: Callable[[str], str]) -> list[TournamentHead]:
    """Those that are shown: the one with the most people of each address, then the second of each, and so on."""
    by_address: dict[str, list[TournamentHead]] = {}
    for head in sorted(heads, key=lambda head: -head.info["people"]):
        by_address.setdefault(address_of(head.opener), []).append(head)
    rounds = zip_longest(*by_address.values())
    return [head for one in rounds for head in one if head is not None][:MAX_LISTED]


async def list_tournaments(
    director: Director, caller: Caller, may_open: bool, address_of: Callable[[str], str] = str
) -> TournamentLists:
    """Those that are listed, and one's own."""
    store = director.store
    running = choose_listed(await store.tournaments.list_listed_tournaments((RUNNING,), MAX_CANDIDATES), address_of)
    coming = choose_listed(await store.tournaments.list_listed_tournaments((OPEN,), MAX_CANDIDATES), address_of)
    past = await store.tournaments.list_listed_tournaments((OVER,), MAX_PAST, latest=True)
    mine = (
        await store.tournaments.list_unfinished_tournaments_of_user(caller.user_id)
        if caller.user_id is not None
        else []
    )
    inside = await store.tournaments.list_joined_tournament_ids(caller.user_id) if caller.user_id is not None else set()

    def describe_heads_with_own(heads: list[TournamentHead], status: str) -> list[TournamentListing]:
        known = {head.id for head in heads}
        every = [*heads, *(head for head in mine if head.status == status and head.id not in known)]
        return [
            TournamentListing(
                id=head.id,
                you=head.id in inside,
                yours=head.opener == caller.user_id,
                **head.info,
            )
            for head in sorted(every, key=lambda head: -head.starts if status == OVER else head.starts)
        ]

    found = TournamentLists(
        now=describe_heads_with_own(running, RUNNING),
        soon=describe_heads_with_own(coming, OPEN),
        past=describe_heads_with_own(past, OVER),
        may_open=may_open,
    )
    if found.past:
        latest = await director.get_tournament(found.past[0].id)
        highest = latest.compute_standings_by_division()[0]
        found.past[0].podium = [
            [latest.players[score.person].name for score in highest if score.place == place] for place in (1, 2, 3)
        ]
    return found


async def encode_tournament_page(director: Director, caller: Caller, id_: str, is_organiser: bool) -> bytes:
    """A tournament's page as JSON. What everybody sees is encoded once for each event."""
    found = await director.get_tournament(id_)
    if found.encoded is None:
        found.encoded = msgspec.json.encode(describe_tournament_for_everybody(found))
    person = caller.user_id
    player = found.players.get(person) if person is not None else None
    table = found.unfinished_table_of_person(person) if person is not None and found.status == RUNNING else None
    you = TournamentYou(
        player=None if player is None else list(found.players).index(player.person),
        state=None if player is None else player.state,  # type: ignore[arg-type]
        table=None if table is None else table.id,
        opened=person is not None and (is_organiser or found.terms.person == person),
        after=await find_visible_previous_season(director, found, person),
    )
    return msgspec.json.encode({"tournament": msgspec.Raw(found.encoded), "you": you})


async def find_visible_previous_season(director: Director, found: Tournament, person: str | None) -> str:
    """The season before. Where only who has the link finds it, nobody gets it who neither opened it nor was in it."""
    if not found.terms.after:
        return ""
    before = await director.get_tournament(found.terms.after)
    may_look = before.terms.listed or person in {found.terms.person, before.terms.person, *before.players}
    return before.id if may_look else ""


def describe_tournament_for_everybody(found: Tournament) -> TournamentInfo:
    """A tournament as everybody sees it. Users' ids stay here: players are numbers."""
    t = found.terms
    index = {person: n for n, person in enumerate(found.players)}
    before = {score.person: score.place for score in found.compute_standings(max(0, len(found.rounds) - 1))}
    is_first = len(found.rounds) < 2
    return TournamentInfo(
        id=found.id, title=t.title, opener=t.name, game=t.game, options=t.options, size=t.size, rounds=t.rounds,
        pace=t.pace, form=t.form, starts=t.starts,
        check_in=t.starts - CHECK_IN_MS if found.needs_check_in else None,
        rated=t.rated, fill=t.fill, rest=t.rest, least=t.least, most=t.most, listed=t.listed,
        accounts=t.accounts, age=t.age,
        status=found.status, why=found.why, next=found.next_round_at(),  # type: ignore[arg-type]
        points=[points_as_shown(points) for points in points_by_place(t.size)],
        bye=points_as_shown(points_for_bye(t.size)),
        players=[
            TournamentPlayer(name=one.name, state=one.state, division=found.division_of_person(one.person))  # type: ignore[arg-type]
            for one in found.players.values()
        ],
        played=[describe_round(one, index, t.size) for one in found.rounds],
        standings=[
            StandingInfo(
                player=index[score.person], place=score.place, points=points_as_shown(score.points),
                opponents=points_as_shown(score.opponents), firsts=score.firsts, places=score.places,
                rose=0 if is_first else before[score.person] - score.place,
            )
            for score in found.compute_standings()
        ],
    )  # fmt: skip


def describe_round(one: Round, index: dict[str, int], size: int) -> TournamentRound:
    return TournamentRound(
        number=one.number,
        at=one.at,
        tables=[describe_table(table, index, size) for table in one.tables],
        byes=[index[person] for person in one.byes],
    )


def describe_table(table: RoundTable, index: dict[str, int], size: int) -> TournamentTable:
    seats = [TournamentSeat(player=None if person is None else index[person]) for person in table.people]
    if table.result is not None and table.result.places:
        points = points_by_seat(table.result.places, size, table.result.absent)
        for seat, place, score in zip(seats, table.result.places, points, strict=True):
            seat.place, seat.points = place, points_as_shown(score)
    return TournamentTable(table=table.id, done=table.result is not None, seats=seats)


def points_as_shown(points: int) -> float:
    """Points as people read them."""
    return round(points / UNIT, 2)

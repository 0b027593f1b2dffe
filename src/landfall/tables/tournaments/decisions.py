"""Decides what may be appended to a tournament's log. Pure: it writes nothing."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, Final

from landfall.core import options as opt
from landfall.games import game as find_game
from landfall.store.tournament_events import (
    DivisionsSet,
    PlayerCheckedIn,
    PlayerJoined,
    PlayerLeft,
    PlayerRemoved,
    ResultRecorded,
    TournamentBegun,
    TournamentCancelled,
    TournamentEvent,
    TournamentFinished,
    TournamentOpened,
)
from landfall.tables.live.subscriber import User
from landfall.tables.log.clocks import DAYS_CLOCK
from landfall.tables.log.table import COUNTED_ENDS, OUT_OF_TIME, OVER, Table
from landfall.tables.protocol import text_validation
from landfall.tables.protocol.errors import Refused
from landfall.tables.tournaments.divisions import assign_divisions, count_divisions, min_division_size
from landfall.tables.tournaments.round_pairing import BOTS, FILLS, plan_table_sizes
from landfall.tables.tournaments.tournament_log import (
    AWAY,
    CHECK_IN_MS,
    EVENING,
    GONE,
    LEAGUE,
    OPEN,
    PACES,
    RUNNING,
    Tournament,
)
from landfall.tables.tournaments.tournament_log import OVER as PLAYED

MAX_PLAYERS: Final = 128
MAX_ROUNDS: Final = 12
TITLE_LIMITS: Final = 60, 180  # characters, bytes
MAX_REST_S: Final = 3600
MIN_AHEAD_MS: Final = 60_000  # from opening to the start
DAY_MS: Final = 86_400_000
MAX_AHEAD_MS: Final = 180 * DAY_MS
MAX_AGE_DAYS: Final = 365
SHARE_OF_PLACES: Final = 8  # one address takes up to one in so many places, or `Limits.tournament_share`


@dataclass(frozen=True)
class Entrance:
    """What is known of somebody who asks to join, beside their name."""

    created: int = 0  # when they first came
    neighbours: Collection[str] = ()  # users who joined tournaments from the same address
    share: int = MAX_PLAYERS  # how many of them one tournament takes, if an eighth of its places is less


UNKNOWN_ENTRANCE: Final = Entrance()


@dataclass(frozen=True)
class TournamentConfig:
    """What somebody asks for who opens a tournament."""

    title: str
    game: str
    size: int
    rounds: int
    pace: str
    starts: int
    form: str = EVENING
    options: dict[str, Any] = field(default_factory=dict)
    rated: bool = False
    fill: str = "smaller"
    rest: int = 300  # seconds between two rounds of an evening
    least: int = 0  # 0: as few as can play
    most: int = 64
    listed: bool = True
    after: str = ""  # the season before, of a league
    accounts: bool = False
    age: int = 0  # days that an account must have existed for
    division: int | None = None  # players of a division at least; None: as the table size asks


def decide_open_tournament(user: User, config: TournamentConfig, now: int) -> TournamentOpened:
    """Refused: such a tournament cannot be."""
    title = text_validation.require_displayable_name(config.title, TITLE_LIMITS)
    game = find_game(config.game)
    text_validation.require_storable_json(config.options)
    options = opt.validate_and_fill_defaults(game.options, game.player_counts, config.size, config.options)
    least = config.least or min_players_to_begin(config)
    fault = ""
    if not 1 <= config.rounds <= MAX_ROUNDS:
        fault = f"there are 1 to {MAX_ROUNDS} rounds"
    elif config.pace not in PACES or config.form not in (EVENING, LEAGUE) or config.fill not in FILLS:
        fault = "no such pace, form or way to fill tables"
    elif not 0 <= config.age <= MAX_AGE_DAYS:
        fault = f"an account is asked to be up to {MAX_AGE_DAYS} days old"
    elif not 0 <= config.rest <= MAX_REST_S:
        fault = f"players rest for up to {MAX_REST_S} seconds"
    elif config.form == LEAGUE and PACES[config.pace].mode != DAYS_CLOCK:
        fault = "a league is played by days"
    elif not MIN_AHEAD_MS <= config.starts - now <= MAX_AHEAD_MS:
        fault = "it begins in a minute at the earliest, in half a year at the latest"
    elif not max(2, min_players_to_begin(config)) <= least <= config.most <= MAX_PLAYERS:
        fault = f"there are {min_players_to_begin(config)} to {MAX_PLAYERS} players, and not more at least than at most"
    if fault:
        raise Refused("tournament_terms", reason=fault)
    if config.rated and options != opt.validate_and_fill_defaults(game.options, game.player_counts, config.size, {}):
        raise Refused("rated_options")
    division = min_division_size(config.size) if config.division is None else config.division
    return TournamentOpened(
        user.id, user.name, title, game.name, config.options, config.size, config.rounds, config.pace, config.form,
        config.starts, config.rated, config.fill, config.rest, least, config.most, config.listed, config.after,
        division if config.form == LEAGUE else 0, config.accounts or config.age > 0, config.age,
    )  # fmt: skip


def require_valid_next_season(before: Tournament, opened: TournamentOpened, is_organiser: bool) -> None:
    """Refused: this is no next season of that league, or somebody else's."""
    require_opener_or_organiser(before, opened.person, is_organiser)
    last = before.terms
    is_league = last.form == LEAGUE == opened.form
    if not is_league or before.status != PLAYED or (last.game, last.size) != (opened.game, opened.size):
        raise Refused("tournament_season")


def min_players_to_begin(config: TournamentConfig) -> int:
    """As few as fill one table: with bots two people do."""
    return 2 if config.fill == BOTS else config.size


def require_open_or_running(tournament: Tournament) -> None:
    if tournament.status not in (OPEN, RUNNING):
        raise Refused("tournament_over")


def decide_join_tournament(
    tournament: Tournament, user: User, now: int, entrance: Entrance = UNKNOWN_ENTRANCE
) -> list[TournamentEvent]:
    """Join, late as well; nothing for whoever is in."""
    require_open_or_running(tournament)
    player = tournament.players.get(user.id)
    if player is not None and player.state != GONE:
        return []
    if user.author is not None:
        raise Refused("tournament_people")
    if user.id in tournament.barred:
        raise Refused("tournament_barred")
    if tournament.terms.rated and not user.has_account:
        raise Refused("rated_account")
    if tournament.terms.accounts and not user.has_account:
        raise Refused("tournament_members")
    if now - entrance.created < tournament.terms.age * DAY_MS:
        raise Refused("tournament_age", days=tournament.terms.age)
    if len(tournament.active_players) >= tournament.terms.most:
        raise Refused("tournament_full", most=tournament.terms.most)
    share = max(entrance.share, tournament.terms.most // SHARE_OF_PLACES)
    is_neighbour_of_opener = tournament.terms.person in entrance.neighbours  # a club in its own house
    here = sum(one.person in entrance.neighbours for one in tournament.active_players)
    if here >= share and not is_neighbour_of_opener:
        raise Refused("tournament_address", most=share)
    if tournament.status == RUNNING and len(tournament.rounds) >= tournament.terms.rounds:
        raise Refused("tournament_late")
    here = tournament.status == RUNNING or now >= tournament.terms.starts - CHECK_IN_MS
    return [PlayerJoined(user.id, user.name, here)]


def decide_leave_tournament(tournament: Tournament, person: str) -> list[TournamentEvent]:
    """Leave; nothing for whoever is not in."""
    player = tournament.players.get(person)
    if tournament.status not in (OPEN, RUNNING) or player is None or player.state == GONE:
        return []
    return [PlayerLeft(person)]


def decide_remove_player(
    tournament: Tournament, organiser: str, is_organiser: bool, player: int, name: str, barred: bool
) -> list[TournamentEvent]:
    """Remove the player with this number. The name says who is meant: numbers change when somebody leaves."""
    require_opener_or_organiser(tournament, organiser, is_organiser)
    require_open_or_running(tournament)
    found = list(tournament.players.values())[player : player + 1]
    if not found or found[0].name != name or found[0].state == GONE:
        raise Refused("tournament_no_player")
    return [PlayerRemoved(found[0].person, barred)]


def decide_check_in_player(tournament: Tournament, person: str, now: int) -> list[TournamentEvent]:
    """Say that one is here."""
    require_open_or_running(tournament)
    player = tournament.players.get(person)
    if player is None or player.state == GONE:
        raise Refused("tournament_not_in")
    if tournament.status == OPEN and now < tournament.terms.starts - CHECK_IN_MS:
        raise Refused("tournament_early")
    return [PlayerCheckedIn(person)] if player.state == AWAY else []


def decide_begin_early(tournament: Tournament, person: str, is_organiser: bool, now: int) -> list[TournamentEvent]:
    """Begin before its time, with everybody who is in.

    One that is played live begins with its check-in at the earliest: whoever joined for the evening is not here yet.
    """
    require_opener_or_organiser(tournament, person, is_organiser)
    if tournament.status != OPEN:
        raise Refused("tournament_begun")
    if len(tournament.active_players) < tournament.terms.least:
        raise Refused("tournament_few", least=tournament.terms.least)
    if tournament.needs_check_in and now < tournament.terms.starts - CHECK_IN_MS:
        raise Refused("tournament_not_yet")
    return [TournamentBegun(everyone=True)]


def require_opener_or_organiser(tournament: Tournament, person: str, is_organiser: bool) -> None:
    """Refused: neither the host nor who opened it."""
    if person != tournament.terms.person and not is_organiser:
        raise Refused("tournament_opener")


def decide_cancel_tournament(tournament: Tournament, person: str, is_organiser: bool) -> list[TournamentEvent]:
    """Whoever opened it, or the host."""
    require_opener_or_organiser(tournament, person, is_organiser)
    require_open_or_running(tournament)
    return [TournamentCancelled("cancelled")]


def can_fill_a_table(tournament: Tournament) -> bool:
    """Whether a table can be filled."""
    t, allowed = tournament.terms, find_game(tournament.terms.game).player_counts
    return any(
        plan_table_sizes(len(ready), t.size, allowed, t.fill)[0] for ready in tournament.ready_player_ids_by_division()
    )


def must_set_divisions(tournament: Tournament) -> bool:
    """Whether divisions are set before the first round: there are enough players for two."""
    if tournament.status != RUNNING or tournament.rounds or tournament.divisions:
        return False
    return count_divisions(len(tournament.ready_player_ids), tournament.terms.division) > 1


def decide_divisions(tournament: Tournament, before: Tournament | None, ratings: dict[str, float]) -> DivisionsSet:
    """Divisions by the standings of the season before; newcomers by their ratings."""
    last = [] if before is None else [[one.person for one in rows] for rows in before.compute_standings_by_division()]
    return DivisionsSet(assign_divisions(tournament.ready_player_ids, last, ratings, tournament.terms.division))


def decide_next_step(tournament: Tournament, now: int) -> tuple[list[TournamentEvent], bool]:
    """What happens by itself now: events, and whether they are followed by the next round."""
    at = tournament.next_round_at()
    if tournament.status == OPEN and at is not None and now >= at:
        if len(tournament.ready_player_ids) < tournament.terms.least or not can_fill_a_table(tournament):
            return [TournamentCancelled("too_few")], False
        return [TournamentBegun()], False
    if tournament.are_all_rounds_over:
        return [TournamentFinished()], False
    if tournament.status == RUNNING and at is not None and now >= at:
        if can_fill_a_table(tournament):
            return [], True
        if not tournament.unfinished_tables:
            return [TournamentFinished()], False
    return [], False


def decide_table_result(table: Table) -> ResultRecorded | None:
    """The result of a match; None if it is not over. Absent are those whose time ran out before they chose anything."""
    if table.status != OVER:
        return None
    if table.ended not in COUNTED_ENDS or table.match is None:
        return ResultRecorded(table.id, [])
    absent = []
    for seat, chair in enumerate(table.chairs):
        if chair.away_reason == OUT_OF_TIME:
            own = {line.actor for line in table.match.log[: chair.saw]}  # before a stand-in took over
            absent += [seat] if seat not in own else []
    return ResultRecorded(table.id, table.final_places_by_seat(), absent)

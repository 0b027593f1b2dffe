"""Endpoints about players: ratings, rated matches, leaderboards. Only owners of accounts are players here."""

from __future__ import annotations

from typing import Annotated, Final

from landfall.api.limits import QUERY
from landfall.api.routes import READ, Access, Route
from landfall.api.types import (
    Caller,
    GameName,
    LeaderInfo,
    LeaderPage,
    LevelRating,
    LineNumber,
    OpponentInfo,
    PlaceCount,
    PlayedPool,
    PlayerInfo,
    PlayerName,
    PlayerPool,
    RatedMatchInfo,
    RatedSeat,
    RatingInfo,
    RatingPoint,
    TableSize,
    UrlDocumentation,
)
from landfall.games import game as find_game
from landfall.store.row_types import LeaderboardCriteria, RatingChangeRow, RatingRow, TableSummary, UserRecord
from landfall.store.store import Store
from landfall.tables.live.hub import Hub
from landfall.tables.log.clocks import DAY_MS
from landfall.tables.protocol import text_validation
from landfall.tables.protocol.errors import Refused
from landfall.tables.ratings.bot_level_ratings import load_level_ratings
from landfall.tables.ratings.rating_model import (
    PROVISIONAL_MATCHES,
    Rating,
    rating_as_shown,
    shown_rating_number,
    shown_rating_uncertainty,
    table_size_class,
)

CURVE_DAYS: Final = 90
CURVE_MATCHES: Final = 30  # at least, if there are as many
MAX_CURVE_POINTS: Final = 400
MATCHES_PER_PAGE: Final = 20
MET_PER_PAGE: Final = 6
LEADERS_PER_PAGE: Final = 50
LISTED_DAYS: Final = 60  # within which a listed player has had a rated match
CHANGE_DAYS: Final = 30


LastName = Annotated[PlayerName | None, UrlDocumentation("The last name of the page before.")]
OnlineBots = Annotated[bool, UrlDocumentation("Online bots instead of people.")]


async def find_player_by_name(store: Store, player: str) -> UserRecord:
    """The owner of an account, by name, or by the one it had until lately."""
    found = await store.users.find_account_by_name(
        text_validation.normalise_account_name(player)
    ) or await store.accounts.find_account_by_earlier_name(player)
    if found is None:
        raise Refused("no_player")
    return found


def rating_pool_of(game: str, size: int) -> tuple[str, int]:
    """A game and a class of table sizes; refused if there is no such game."""
    return find_game(game).name, table_size_class(size)


# --- a player -------------------------------------------------------------------------------------------------


@Route("GET", "/api/players/{player}", "A player's ratings", Access.ANYBODY, QUERY, token=READ, on_device=False)
async def get_player_info(store: Store, caller: Caller, player: PlayerName) -> PlayerInfo:
    """Of the owner of an account, by name. Each game and class of table sizes (2, 3-4, 5-6) has a rating of its own."""
    found = await find_player_by_name(store, player)
    ratings = [describe_rating(row) for row in await store.ratings.list_ratings_of_user(found.id)]
    followed = (
        await store.relations.list_user_ids_followed_by(caller.user_id) if caller.user_id is not None else frozenset()
    )
    is_own = found.id == caller.user_id
    return PlayerInfo(
        name=found.name,
        since=found.created,
        you=is_own,
        author=(await store.users.get_authors_by_bot([found.id]))[found.id][1] if found.author is not None else None,
        matches=sum(rating.matches for rating in ratings),
        ratings=ratings,
        blocked=caller.user_id is not None and await store.relations.has_blocked(caller.user_id, found.id),
        followed=found.id in followed,
        follows=sorted((await store.users.get_names_by_user(followed)).values(), key=str.casefold) if is_own else [],
    )


def describe_rating(row: RatingRow) -> RatingInfo:
    shown = rating_as_shown(Rating(row.mu, row.sigma, row.played))
    return RatingInfo(
        game=row.game, size=row.size, rating=shown["rating"], uncertainty=shown["uncertainty"],
        provisional=shown.get("provisional", False), matches=row.played, last=row.at,
    )  # fmt: skip


@Route(
    "GET",
    "/api/players/{player}/{game}/{size}",
    "How a player fares in a game",
    Access.ANYBODY,
    QUERY,
    token=READ,
    on_device=False,
)
async def get_player_pool(
    hub: Hub, store: Store, caller: Caller, player: PlayerName, game: GameName, size: TableSize
) -> PlayerPool:
    """The curve of the rating, places, and who was met most, at tables of this class of sizes."""
    found, pool = await find_player_by_name(store, player), rating_pool_of(game, size)
    changes = await store.ratings.list_rating_changes_of_user(found.id, MAX_CURVE_POINTS, pool=pool)
    since = hub.runtime.clock.wall_time_ms() - CURVE_DAYS * DAY_MS
    recent = [row for i, row in enumerate(changes) if i < CURVE_MATCHES or row.at >= since]
    return PlayerPool(
        curve=[
            RatingPoint(row.at, shown_rating_number(row.mu), shown_rating_uncertainty(row.sigma))
            for row in reversed(recent)
        ],
        places=[PlaceCount(*counted) for counted in await store.ratings.count_matches_by_place(found.id, pool)],
        met=[
            OpponentInfo(name, matches, ahead, behind)
            for name, matches, ahead, behind in await store.ratings.list_most_met_opponents(
                found.id, pool, MET_PER_PAGE
            )
        ],
    )


@Route(
    "GET",
    "/api/players/{player}/matches",
    "A player's rated matches",
    Access.ANYBODY,
    QUERY,
    token=READ,
    on_device=False,
)
async def list_player_matches(
    store: Store, caller: Caller, player: PlayerName, before: LineNumber | None = None
) -> list[RatedMatchInfo]:
    """The latest first; `before` (a match's `n`) pages on."""
    found = await find_player_by_name(store, player)
    changes = await store.ratings.list_rating_changes_of_user(found.id, MATCHES_PER_PAGE, before)
    tables = [row.table for row in changes]
    heads = await store.tables.get_table_summaries(tables)
    places = {(row.table, row.person): row.place for row in await store.ratings.list_rating_changes_at_tables(tables)}
    return [describe_rated_match(row, heads.get(row.table), places, caller.user_id) for row in changes]


def describe_rated_match(
    row: RatingChangeRow, head: TableSummary | None, places: dict[tuple[str, str], int], you: str | None
) -> RatedMatchInfo:
    """A rated match. A private table's link is its access right: only who sat there gets it."""
    people = head.info["people"] if head is not None else []
    seats = [
        RatedSeat(
            name=str(head.info["chairs"][seat] or ""), colour=head.info["colours"][seat],
            place=places.get((row.table, person)), you=person == row.person,
        )
        for seat, person in enumerate(people)
        if head is not None
    ]  # fmt: skip
    may_look = head is not None and (head.public or (you is not None and you in people))
    return RatedMatchInfo(
        n=row.n, at=row.at, game=row.game, size=row.size, players=row.players, place=row.place,
        rating=shown_rating_number(row.mu), uncertainty=shown_rating_uncertainty(row.sigma),
        change=shown_rating_number(row.mu) - shown_rating_number(row.mu_before), seats=seats,
        table=row.table if may_look else None,
    )  # fmt: skip


# --- leaderboards ---------------------------------------------------------------------------------------------


@Route("GET", "/api/leaders", "Games with rated matches", Access.ANYBODY, QUERY, token=READ, on_device=False)
async def list_played_pools(hub: Hub, store: Store) -> list[PlayedPool]:
    """Of the last 60 days, by game and table size: the most played first."""
    since = hub.runtime.clock.wall_time_ms() - LISTED_DAYS * DAY_MS
    return [PlayedPool(game=game, size=size) for game, size in await store.ratings.list_played_pools(since)]


@Route("GET", "/api/leaders/{game}/{size}", "A leaderboard", Access.ANYBODY, QUERY, token=READ, on_device=False)
async def list_leaders(
    hub: Hub,
    store: Store,
    caller: Caller,
    game: GameName,
    size: TableSize,
    after: LastName = None,
    bots: OnlineBots = False,
) -> LeaderPage:
    """By rating minus uncertainty, so that nobody leads by a lucky week; people, or online bots.

    Listed are players with ten rated matches, one of them in the last 60 days.
    """
    pool, now = rating_pool_of(game, size), hub.runtime.clock.wall_time_ms()
    listed = LeaderboardCriteria(PROVISIONAL_MATCHES, now - LISTED_DAYS * DAY_MS, bots)
    user = caller.user
    takes_part = user is not None and user.has_account and (user.author is not None) == bots
    start, first = None, 1
    if after is not None:
        row = await store.ratings.get_rating_in_pool((await find_player_by_name(store, after)).id, pool)
        if row is None:
            raise Refused("no_player")
        start = row.rating_lower_bound, row.person
        first = await store.ratings.count_leaders(pool, listed, above=start) + 2
    found = await store.ratings.list_leaders(pool, listed, LEADERS_PER_PAGE, start)
    mine = await store.ratings.get_rating_in_pool(caller.user_id, pool) if caller.user_id is not None else None
    near: list[tuple[str, RatingRow]] = []
    rank = 0
    if takes_part and mine is not None and mine.played >= listed.played and mine.at >= listed.since:
        key = mine.rating_lower_bound, mine.person
        rank = await store.ratings.count_leaders(pool, listed, above=key) + 1
        above = await store.ratings.find_next_leader_above(pool, listed, key)
        near = [*above, (caller.require_user().name, mine), *await store.ratings.list_leaders(pool, listed, 1, key)]
        rank -= len(above)
    fewer = listed._replace(played=1, below=listed.played)
    few = await store.ratings.list_leaders(pool, fewer, LEADERS_PER_PAGE) if after is None else []
    if takes_part and mine is not None and not near and mine.at >= listed.since and after is None:
        if mine.person not in {row.person for _, row in few}:  # one's own place is always there
            few.append((caller.require_user().name, mine))
    people = {row.person for _, row in [*found, *near, *few]}
    authors = await store.users.get_authors_by_bot(people) if bots else {}
    old = await store.ratings.get_rating_means_before(pool, people, now - CHANGE_DAYS * DAY_MS)

    def describe_leaders(rows: list[tuple[str, RatingRow]], rank: int) -> list[LeaderInfo]:
        return [
            LeaderInfo(
                rank=rank + i, name=name,
                rating=shown_rating_number(row.mu), uncertainty=shown_rating_uncertainty(row.sigma),
                matches=row.played, you=caller.user_id in (row.person, authors.get(row.person, ("", ""))[0]),
                author=authors[row.person][1] if row.person in authors else None,
                change=(
                    shown_rating_number(row.mu) - shown_rating_number(old[row.person]) if row.person in old else None
                ),
            )
            for i, (name, row) in enumerate(rows)
        ]  # fmt: skip

    needs = max(1, listed.played - (mine.played if mine is not None else 0))
    return LeaderPage(
        total=await store.ratings.count_leaders(pool, listed),
        leaders=describe_leaders(found, first),
        around=describe_leaders(near, rank),
        missing=needs if takes_part and not near else None,
        provisional=describe_leaders(few, 1),
        levels=list_level_ratings(pool) if bots and after is None else [],
    )


def list_level_ratings(pool: tuple[str, int]) -> list[LevelRating]:
    """The server's own bots, by rating minus uncertainty."""
    rated = load_level_ratings(*pool).items()
    shown = [
        LevelRating(
            level=level,
            rating=shown_rating_number(one.mu),
            uncertainty=shown_rating_uncertainty(one.sigma),
            matches=one.played,
        )
        for level, one in rated
    ]
    return sorted(shown, key=lambda one: one.uncertainty - one.rating)

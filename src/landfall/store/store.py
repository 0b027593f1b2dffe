"""The store: a repository for each subject, on one database."""

from __future__ import annotations

from pathlib import Path

from platformdirs import user_data_path
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from landfall.optional_dependencies import require_extra
from landfall.store.accounts import AccountRepository
from landfall.store.chat import ChatRepository
from landfall.store.club_settings import ClubRepository
from landfall.store.database import Database
from landfall.store.holidays import HolidayRepository
from landfall.store.invitations import InvitationRepository
from landfall.store.matchmaking_log import SearchRepository
from landfall.store.migrate import DatabaseError
from landfall.store.moderation import ModerationRepository
from landfall.store.nats_bus import NatsBus
from landfall.store.notifications import NotificationRepository
from landfall.store.personal_data import PersonalDataRepository
from landfall.store.portraits import PortraitRepository
from landfall.store.presences import PresenceRepository
from landfall.store.puzzles import PuzzleRepository
from landfall.store.ratings import RatingRepository
from landfall.store.relations import RelationRepository
from landfall.store.retention import RetentionRepository
from landfall.store.reviews import ReviewRepository
from landfall.store.sessions import SessionRepository
from landfall.store.tables import TableRepository
from landfall.store.tournaments import TournamentRepository
from landfall.store.users import UserRepository


class Store:
    """All that is stored, by subject."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.accounts = AccountRepository(database)
        self.club = ClubRepository(database)
        self.chat = ChatRepository(database)
        self.holidays = HolidayRepository(database)
        self.invitations = InvitationRepository(database)
        self.moderation = ModerationRepository(database)
        self.notifications = NotificationRepository(database)
        self.personal_data = PersonalDataRepository(database)
        self.portraits = PortraitRepository(database)
        self.presences = PresenceRepository(database)
        self.puzzles = PuzzleRepository(database)
        self.ratings = RatingRepository(database)
        self.relations = RelationRepository(database)
        self.retention = RetentionRepository(database)
        self.reviews = ReviewRepository(database)
        self.searches = SearchRepository(database)
        self.sessions = SessionRepository(database)
        self.tables = TableRepository(database)
        self.tournaments = TournamentRepository(database)
        self.users = UserRepository(database)


def default_database_path() -> Path:
    """The default database file."""
    return user_data_path("landfall", appauthor=False) / "landfall.db"


def is_shared_database(database: str | None) -> bool:
    """Whether several processes may use it."""
    return database is not None and database.startswith("postgres")


def make_store_for_setting(database: str | None, beside: bool = False, bus: NatsBus | None = None) -> Store:
    """The store that a setting names: nothing, a file, `sqlite:///file` or `postgresql+asyncpg://…`.

    `beside`: a server may be running on it; for the host's commands. `bus`: how processes on PostgreSQL notify each
    other, if not by NOTIFY.
    """
    if database is None or "://" not in database:
        from landfall.store.sqlite import SqliteDatabase

        path = default_database_path() if database is None else Path(database)
        return Store(SqliteDatabase(path, beside, own_folder=path == default_database_path()))
    try:
        url = make_url(database)
    except (ArgumentError, ValueError):
        raise DatabaseError(f"{database!r} is no address of a database") from None
    if url.get_backend_name() == "sqlite":
        from landfall.store.sqlite import SqliteDatabase

        return Store(SqliteDatabase(Path(url.database or default_database_path()), beside))
    if url.get_backend_name() == "postgresql":
        require_extra("postgres")
        from landfall.store.postgres import PostgresDatabase
        from landfall.store.postgres_connections import MAINTENANCE, SERVING

        limits = MAINTENANCE if beside else SERVING
        return Store(PostgresDatabase(url.set(drivername="postgresql+asyncpg"), limits, bus))
    raise DatabaseError(f"{url.get_backend_name()} is not known here; sqlite and postgresql are")

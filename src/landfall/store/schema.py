"""The database's tables, for SQLAlchemy. The migrations build them; a test compares the two."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

METADATA: Final = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

people: Final = sa.Table(
    "people",
    METADATA,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("seen", sa.BigInteger, nullable=False, index=True),
    sa.Column("account", sa.Text, unique=True),
    sa.Column("password", sa.Text),
    sa.Column("signed", sa.Boolean, nullable=False, server_default=sa.true()),
    sa.Column("skeleton", sa.Text),  # of an account's name (see `names`); none for guests
    sa.Column("shown", sa.Boolean, nullable=False, server_default=sa.false()),  # agreed that others see who is here
    sa.Column("author", sa.Text, index=True),  # of an online bot: the user whose bot it is
    sa.Index("ix_people_skeleton", "skeleton", unique=True),
)

sessions: Final = sa.Table(
    "sessions",
    METADATA,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("person", sa.Text, nullable=False, index=True),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("seen", sa.BigInteger, nullable=False),
    sa.Column("device", sa.Text, nullable=False),
    sa.Column("scopes", sa.Text),  # of a bot's token; none for a browser's cookie
    sa.Column("ends", sa.BigInteger),  # when it stops being valid, if known
)

forgotten: Final = sa.Table(
    "forgotten",
    METADATA,
    sa.Column("person", sa.Text, primary_key=True),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("tables", sa.Text, nullable=False),
)

tables: Final = sa.Table(
    "tables",
    METADATA,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("rules", sa.Integer, nullable=False),
    sa.Column("status", sa.Text, nullable=False),
    sa.Column("public", sa.Boolean, nullable=False),
    sa.Column("owner", sa.Text, nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("updated", sa.BigInteger, nullable=False, index=True),
    sa.Column("deadline", sa.BigInteger, index=True),
    sa.Column("info", sa.Text, nullable=False),
)
# In words, not as a parameter: PostgreSQL's plan for any parameter could not use the index.
UNFINISHED: Final = tables.c.status != sa.literal_column("'over'")
sa.Index("ix_tables_unfinished", tables.c.updated, sqlite_where=UNFINISHED, postgresql_where=UNFINISHED)

entries: Final = sa.Table(
    "entries",
    METADATA,
    sa.Column("table_id", sa.Text, primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("data", sa.Text, nullable=False),
)

members: Final = sa.Table(
    "members",
    METADATA,
    sa.Column("person", sa.Text, primary_key=True),
    sa.Column("table_id", sa.Text, primary_key=True, index=True),
)

chat: Final = sa.Table(
    "chat",
    METADATA,
    sa.Column("table_id", sa.Text, primary_key=True),
    sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("person", sa.Text, nullable=False, index=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("seat", sa.Integer),
    sa.Column("text", sa.Text, nullable=False),
)

open_tables: Final = sa.Table(
    "open_tables",
    METADATA,
    sa.Column("process", sa.Text, primary_key=True),
    sa.Column("table_id", sa.Text, primary_key=True, index=True),
    sa.Column("until", sa.BigInteger, nullable=False),
)

reviews: Final = sa.Table(
    "lookbacks",
    METADATA,
    sa.Column("table_id", sa.Text, primary_key=True),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("body", sa.LargeBinary, nullable=False),
)

puzzles: Final = sa.Table(
    "puzzles",
    METADATA,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("tries", sa.Integer, nullable=False),
    sa.Column("found", sa.Integer, nullable=False),
    sa.Column("mu", sa.Float, nullable=False),
    sa.Column("sigma", sa.Float, nullable=False),
)

ratings: Final = sa.Table(
    "ratings",
    METADATA,
    sa.Column("person", sa.Text, primary_key=True),
    sa.Column("game", sa.Text, primary_key=True),
    sa.Column("size", sa.Integer, primary_key=True, autoincrement=False),  # the smallest number of players of its class
    sa.Column("mu", sa.Float(53), nullable=False),
    sa.Column("sigma", sa.Float(53), nullable=False),
    sa.Column("low", sa.Float(53), nullable=False),  # the low end of the range, by which a leaderboard is sorted
    sa.Column("played", sa.Integer, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),  # of the last match
    sa.Index("ix_ratings_leaders", "game", "size", "low", "person"),
)

rating_changes: Final = sa.Table(
    "rating_changes",
    METADATA,
    sa.Column("person", sa.Text, primary_key=True),
    sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),  # the match's number among all rated ones
    sa.Column("table_id", sa.Text, nullable=False, index=True),
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("size", sa.Integer, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("players", sa.Integer, nullable=False),
    sa.Column("place", sa.Integer, nullable=False),
    sa.Column("mu_before", sa.Float(53), nullable=False),
    sa.Column("sigma_before", sa.Float(53), nullable=False),
    sa.Column("mu", sa.Float(53), nullable=False),
    sa.Column("sigma", sa.Float(53), nullable=False),
    sa.Column("early", sa.Boolean, nullable=False, server_default=sa.false()),  # the user gave the match up early
)

player_marks: Final = sa.Table(  # until a match is rated: hashes of where its players play from
    "player_marks",
    METADATA,
    sa.Column("table_id", sa.Text, primary_key=True),
    sa.Column("mark", sa.Text, primary_key=True),
    sa.Column("person", sa.Text, primary_key=True, index=True),
)

searches: Final = sa.Table(
    "searches",
    METADATA,
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("data", sa.Text, nullable=False),
)

blocks: Final = sa.Table(
    "blocks",
    METADATA,
    sa.Column("person", sa.Text, primary_key=True),
    sa.Column("other", sa.Text, primary_key=True, index=True),
)

notifications: Final = sa.Table(
    "notifications",
    METADATA,
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("person", sa.Text, nullable=False, index=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("topic", sa.Text, nullable=False, index=True),  # a table's id, or what else it is about
    sa.Column("other", sa.Text, index=True),  # the user who caused it, if it names one
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("due", sa.BigInteger, index=True),  # when somebody looks after it; none: nothing is left to do
    sa.Column("data", sa.Text, nullable=False),
    sa.Column("seen", sa.BigInteger),  # when the user was at the table
    sa.Column("tries", sa.Integer, nullable=False, server_default="0"),
    sa.Column("reached", sa.Text, nullable=False, server_default=""),  # devices and addresses that have it
)

notification_settings: Final = sa.Table(
    "notification_settings",
    METADATA,
    sa.Column("person", sa.Text, primary_key=True),
    sa.Column("data", sa.Text, nullable=False),
)

push_devices: Final = sa.Table(
    "push_devices",
    METADATA,
    sa.Column("id", sa.Text, primary_key=True),  # a hash of the endpoint: a browser has one owner
    sa.Column("person", sa.Text, nullable=False, index=True),
    sa.Column("session", sa.Text, nullable=False),
    sa.Column("endpoint", sa.Text, nullable=False),
    sa.Column("p256dh", sa.Text, nullable=False),
    sa.Column("auth", sa.Text, nullable=False),
    sa.Column("device", sa.Text, nullable=False),
    sa.Column("language", sa.Text, nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("succeeded", sa.BigInteger),  # the last success
    sa.Column("failing", sa.BigInteger),  # since when it fails
)

mail_addresses: Final = sa.Table(
    "mail_addresses",
    METADATA,
    sa.Column("person", sa.Text, primary_key=True),
    sa.Column("address", sa.Text, nullable=False),
    sa.Column("language", sa.Text, nullable=False),
    sa.Column("token", sa.Text, index=True),  # a hash of the one in the mailed link
    sa.Column("asked", sa.BigInteger, nullable=False),
    sa.Column("confirmed", sa.BigInteger),
)

holidays: Final = sa.Table(
    "holidays",
    METADATA,
    sa.Column("person", sa.Text, primary_key=True),
    sa.Column("since", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("until", sa.BigInteger, nullable=False),
)

tournaments: Final = sa.Table(
    "tournaments",
    METADATA,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("opener", sa.Text, nullable=False, index=True),
    sa.Column("status", sa.Text, nullable=False),  # open, running, over or cancelled
    sa.Column("listed", sa.Boolean, nullable=False),
    sa.Column("starts", sa.BigInteger, nullable=False),
    sa.Column("seq", sa.Integer, nullable=False),  # of the last event
    sa.Column("info", sa.Text, nullable=False),  # for lists: no names of people
    sa.Index("ix_tournaments_status", "status", "starts"),
)

tournament_events: Final = sa.Table(
    "tournament_events",
    METADATA,
    sa.Column("tournament", sa.Text, primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("data", sa.Text, nullable=False),
)

tournament_players: Final = sa.Table(
    "tournament_players",
    METADATA,
    sa.Column("person", sa.Text, primary_key=True),
    sa.Column("tournament", sa.Text, primary_key=True),
    sa.Column("inside", sa.Boolean, nullable=False),  # false: they have left, and are still in its log
)

presences: Final = sa.Table(  # who is connected, where several processes share the database
    "presences",
    METADATA,
    sa.Column("process", sa.Text, primary_key=True),
    sa.Column("person", sa.Text, primary_key=True, index=True),
    sa.Column("name", sa.Text, nullable=False),  # empty: not shown
    sa.Column("table_id", sa.Text, nullable=False),  # empty: at none
    sa.Column("until", sa.BigInteger, nullable=False),
)

follows: Final = sa.Table(
    "follows",
    METADATA,
    sa.Column("person", sa.Text, primary_key=True),
    sa.Column("other", sa.Text, primary_key=True, index=True),
)

invitations: Final = sa.Table(
    "invitations",
    METADATA,
    sa.Column("table_id", sa.Text, primary_key=True),
    sa.Column("person", sa.Text, primary_key=True),
    sa.Column("sender", sa.Text, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("state", sa.Text, nullable=False),  # open, accepted or declined
    sa.Index("ix_invitations_person", "person", "at"),
    sa.Index("ix_invitations_sender", "sender", "at"),
)

settings: Final = sa.Table(
    "settings",
    METADATA,
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)

passkeys: Final = sa.Table(
    "passkeys",
    METADATA,
    sa.Column("id", sa.Text, primary_key=True),  # the credential's id, base64url
    sa.Column("person", sa.Text, nullable=False, index=True),
    sa.Column("key", sa.LargeBinary, nullable=False),  # its public key
    sa.Column("counter", sa.BigInteger, nullable=False),  # of its uses, by the authenticator's own count
    sa.Column("device", sa.Text, nullable=False),  # where it was made
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("used", sa.BigInteger),
)

recovery_codes: Final = sa.Table(
    "recovery_codes",
    METADATA,
    sa.Column("id", sa.Text, primary_key=True),  # a hash
    sa.Column("person", sa.Text, nullable=False, index=True),
    sa.Column("ends", sa.BigInteger),  # of a link from the host: when it stops being valid
)

# For minutes: which challenges of passkeys were answered, who proved who they are, and began with a recovery code.
challenges: Final = sa.Table(
    "challenges",
    METADATA,
    sa.Column("id", sa.Text, primary_key=True),  # a hash
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("person", sa.Text, nullable=False, index=True),
    sa.Column("origin", sa.Text, nullable=False, index=True),  # the session that it is about, if any
    sa.Column("ends", sa.BigInteger, nullable=False, index=True),
)

# Names that accounts had before: reserved for a while, so that nobody takes over what others still remember.
portraits: Final = sa.Table(  # chosen ones; others follow from the name
    "portraits",
    METADATA,
    sa.Column("person", sa.Text, primary_key=True),
    sa.Column("colour", sa.Text, nullable=False),
    sa.Column("ground", sa.Text, nullable=False),
)

earlier_names: Final = sa.Table(
    "earlier_names",
    METADATA,
    sa.Column("skeleton", sa.Text, primary_key=True),
    sa.Column("person", sa.Text, nullable=False, index=True),
    sa.Column("at", sa.BigInteger, nullable=False),  # when it was given up
)

hosts: Final = sa.Table("hosts", METADATA, sa.Column("person", sa.Text, primary_key=True))

# What the host does not allow somebody: to write in chats, or anything.
restrictions: Final = sa.Table(
    "restrictions",
    METADATA,
    sa.Column("person", sa.Text, primary_key=True),
    sa.Column("kind", sa.Text, primary_key=True),  # mute or ban
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("until", sa.BigInteger, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),  # shown to the user
)

reports: Final = sa.Table(
    "reports",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("reporter", sa.Text, nullable=False, index=True),
    sa.Column("person", sa.Text, nullable=False, index=True),
    sa.Column("table_id", sa.Text, nullable=False),  # of a chat line; empty for a report from a player's page
    sa.Column("line", sa.Integer, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("done", sa.BigInteger),  # when the host dealt with it
)

host_actions: Final = sa.Table(
    "host_actions",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("at", sa.BigInteger, nullable=False, index=True),
    sa.Column("host", sa.Text, nullable=False, index=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("person", sa.Text, nullable=False, index=True),  # to whom; empty if to nobody
    sa.Column("words", sa.Text, nullable=False),
)

"""Passkeys, recovery codes, challenges, earlier names; hosts, restrictions, reports, host actions; new skeletons."""

import sqlalchemy as sa
from alembic import op

from landfall.store.confusable_names import confusable_skeleton

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nobody has a passkey or a code yet. Of accounts that look alike, only the oldest reserves its skeleton."""
    op.create_table(
        "passkeys",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("key", sa.LargeBinary, nullable=False),
        sa.Column("counter", sa.BigInteger, nullable=False),
        sa.Column("device", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("used", sa.BigInteger),
        sa.PrimaryKeyConstraint("id", name="pk_passkeys"),
    )
    op.create_index("ix_passkeys_person", "passkeys", ["person"])
    op.create_table(
        "recovery_codes",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("ends", sa.BigInteger),
        sa.PrimaryKeyConstraint("id", name="pk_recovery_codes"),
    )
    op.create_index("ix_recovery_codes_person", "recovery_codes", ["person"])
    op.create_table(
        "challenges",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("origin", sa.Text, nullable=False),
        sa.Column("ends", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_challenges"),
    )
    for column in ("person", "origin", "ends"):
        op.create_index(f"ix_challenges_{column}", "challenges", [column])
    op.create_table(
        "earlier_names",
        sa.Column("skeleton", sa.Text, nullable=False),
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("skeleton", name="pk_earlier_names"),
    )
    op.create_index("ix_earlier_names_person", "earlier_names", ["person"])
    create_host_tables()
    write_skeletons()


def create_host_tables() -> None:
    op.create_table(
        "hosts", sa.Column("person", sa.Text, nullable=False), sa.PrimaryKeyConstraint("person", name="pk_hosts")
    )
    op.create_table(
        "restrictions",
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("person", "kind", name="pk_restrictions"),
    )
    op.create_table(
        "reports",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("reporter", sa.Text, nullable=False),
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("line", sa.Integer, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("done", sa.BigInteger),
        sa.PrimaryKeyConstraint("id", name="pk_reports"),
    )
    for column in ("reporter", "person"):
        op.create_index(f"ix_reports_{column}", "reports", [column])
    op.create_table(
        "host_actions",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("host", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("words", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_host_actions"),
    )
    for column in ("at", "host", "person"):
        op.create_index(f"ix_host_actions_{column}", "host_actions", [column])


def write_skeletons() -> None:
    """A skeleton that an older rule made may be another's by now: all are removed first."""
    people = sa.table("people", *(sa.column(name) for name in ("id", "name", "account", "created", "skeleton")))
    connection = op.get_bind()
    connection.execute(people.update().values(skeleton=None))
    accounts = sa.select(people.c.id, people.c.name).where(people.c.account.is_not(None))
    taken: set[str] = set()
    for person, name in connection.execute(accounts.order_by(people.c.created, people.c.id)).fetchall():
        found = confusable_skeleton(name)
        if found not in taken:
            taken.add(found)
            connection.execute(people.update().where(people.c.id == person).values(skeleton=found))


def downgrade() -> None:
    """Accounts without a password can be entered by the host's reset alone."""
    for table in (
        "host_actions",
        "reports",
        "restrictions",
        "hosts",
        "earlier_names",
        "challenges",
        "recovery_codes",
        "passkeys",
    ):
        op.drop_table(table)

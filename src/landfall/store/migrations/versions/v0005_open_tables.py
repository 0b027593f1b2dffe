"""The tables open in each process, which retention keeps; and skeletons of account names that look alike."""

import sqlalchemy as sa
from alembic import op

from landfall.store.confusable_names import confusable_skeleton

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """No table is open yet. Among existing accounts that look alike, only the oldest reserves its skeleton."""
    op.create_table(
        "open_tables",
        sa.Column("process", sa.Text, nullable=False),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("process", "table_id", name="pk_open_tables"),
    )
    op.create_index("ix_open_tables_table_id", "open_tables", ["table_id"])
    op.add_column("people", sa.Column("skeleton", sa.Text))
    people = sa.table("people", *(sa.column(name) for name in ("id", "name", "account", "created", "skeleton")))
    connection = op.get_bind()
    accounts = sa.select(people.c.id, people.c.name).where(people.c.account.is_not(None))
    taken: set[str] = set()
    for person, name in connection.execute(accounts.order_by(people.c.created, people.c.id)).fetchall():
        found = confusable_skeleton(name)
        if found not in taken:
            taken.add(found)
            connection.execute(people.update().where(people.c.id == person).values(skeleton=found))
    op.create_index("ix_people_skeleton", "people", ["skeleton"], unique=True)


def downgrade() -> None:
    """Accounts may look alike again."""
    op.drop_index("ix_people_skeleton", "people")
    op.drop_column("people", "skeleton")
    op.drop_table("open_tables")
